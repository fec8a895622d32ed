"""The one file of the user: nothing that was done is lost, whatever the disk and others do."""

import json
import random
import threading
import time
from dataclasses import fields, replace
from pathlib import Path
from unittest import mock

from tests.kit import damage
from tests.kit.samples import IS_SLOW_RUN, FolderTestCase, start_python
from tests.kit.sessions import BOT, do, new_session, play_all, save_game, saved_session
from traffic_lights.play import userdata
from traffic_lights.play.game import HUMAN, Game, Player, format_record
from traffic_lights.play.settings import Settings
from traffic_lights.play.tasks import PuzzleRecord
from traffic_lights.play.userdata import Saved, UserData, score_key
from traffic_lights.players.external import Program
from traffic_lights.storage.files import StorageError, write_json

LOST = (0, 1, 11, 5, 11, 5, 2)
"""A game with two mistakes of the person, who moves first against a bot and wins."""
WON = Game(actions=LOST, players=(HUMAN, BOT))


class DataTestCase(FolderTestCase):
    def setUp(self) -> None:
        self.path = self.folder / "user.json"

    def open(self) -> UserData:
        data = UserData(self.folder)
        self.addCleanup(data.finish)
        return data

    def kept(self) -> Saved:
        return UserData(self.folder).saved


class GameTests(DataTestCase):
    def test_a_game_continues_where_it_was_and_counts_once(self) -> None:
        data, session = self.open(), new_session(HUMAN, BOT)
        play_all(session, *LOST)
        ended = data.count_ended(session)
        assert ended is not None
        self.assertEqual((ended.winner, ended.opponent, ended.streak), (0, "myopic", 1))
        do(session, "undo", "undo")
        data.save_session(session)
        data.finish()
        restored = saved_session(self.folder)
        self.assertEqual((restored.now.game, restored.now.at), (session.now.game, session.now.at))
        do(restored, "redo", "redo")
        later = self.open()
        self.assertIsNone(later.count_ended(restored))
        self.assertEqual(len(later.saved.puzzles.mistakes), 2)

    def test_the_recent_games_are_each_there_once_without_the_one_on_the_board(self) -> None:
        data, session = self.open(), new_session(HUMAN, BOT)
        for moves in ((0, 5), (3, 7, 8, 1)):
            play_all(session, *moves)
            session.new_game()
            data.count_ended(session)
        found = data.saved.recent_games(session.now.game)
        self.assertEqual([game.actions for game in found], [(3, 7, 8, 1), (0, 5)])
        session.open_game(found[1], counts=found[1].counts)
        self.assertTrue(session.now.game.counts, "it goes on counting")
        data.count_ended(session)
        found = data.saved.recent_games(session.now.game)
        self.assertEqual([game.actions for game in found], [(3, 7, 8, 1)])

    def test_a_game_that_was_only_looked_at_is_not_one_of_the_player(self) -> None:
        data, session = self.open(), new_session(HUMAN, BOT)
        session.open_game(Game(actions=LOST, players=(BOT, BOT)))
        session.new_game((HUMAN, BOT))
        data.count_ended(session)
        self.assertEqual(data.saved.recent_games(session.now.game), [])

    def test_a_score_stays_with_two_people_whatever_their_names(self) -> None:
        for name in ("Anna [2]", "Anna\u00a01", "human", "[qbot]"):
            players = (Player(name=name), Player(name="Ben"))
            save_game(self.folder, replace(WON, players=players))
            data = self.open()
            data.apply(lambda saved, players=players: saved.with_result(  # type: ignore[misc]
                replace(WON, players=players)))  # fmt: skip
            data.finish()
            seats = saved_session(self.folder).now.game.players
            self.assertEqual(self.kept().score[score_key(seats, 0)], 1)

    def test_a_bot_that_is_renamed_keeps_its_results(self) -> None:
        saved = Saved().with_result(WON).renamed("myopic", "bot:A")
        self.assertEqual(saved.opponents["bot:A"].wins, 1)
        self.assertEqual(saved.score[score_key((HUMAN, Player("bot:A")), 0)], 1)

    def test_start_over_clears_results_but_neither_the_level_of_puzzles_nor_mistakes(self) -> None:
        kept = PuzzleRecord(difficulty=5, mistakes=("1100/0000/0001",), lessons=(0,))
        all_kept = {"difficulty", "is_easier", "daily", "mistakes", "lessons"}
        self.assertEqual({one.name for one in fields(PuzzleRecord)} - all_kept, {"streak"})
        saved = replace(Saved().with_result(WON), puzzles=replace(kept, streak=3))
        self.assertEqual(saved.cleared(), Saved(puzzles=kept))

    def test_a_puzzle_that_was_begun_counts_at_the_end_of_the_program(self) -> None:
        data = self.open()
        data.apply(lambda saved: replace(saved, puzzles=PuzzleRecord(streak=3)))
        session = new_session()
        do(session, "puzzle", "hint")
        data.close(session)
        self.assertEqual(self.kept().puzzles.streak, 0)

    def test_a_program_has_one_name_and_takes_the_place_of_one_of_its_command(self) -> None:
        saved = Saved()
        for command, name in (("one", "A"), ("two", "A"), ("one", "B")):
            saved = saved.with_program(Program(command, name))
        named = [(one.command, one.name) for one in saved.programs]
        self.assertEqual(named, [("two", "A 2"), ("one", "B")])


class DiskTests(DataTestCase):
    def test_a_program_that_is_killed_while_another_plays_costs_no_result(self) -> None:
        code = (
            "import sys, pathlib, itertools\n"
            "from tests.play.test_userdata import WON\n"
            "from traffic_lights.play.userdata import UserData\n"
            "data = UserData(pathlib.Path(sys.argv[1]))\n"
            "for n in itertools.count(1):\n"
            "    data.apply(lambda saved: saved.with_result(WON)); data._write()\n"
            "    print(n, flush=True)\n"
        )
        rng = random.Random(5)
        told = 0
        for _ in range(20 if IS_SLOW_RUN else 3):
            data = self.open()
            with start_python("-c", code, str(self.folder)) as program:
                for _ in range(rng.randrange(1, 20)):
                    told += bool(program.stdout.readline())
                    data.apply(lambda saved: saved.with_result(WON))
                    told += 1
                program.kill()
            data.finish()
            self.assertEqual([*iter(data.take_trouble, "")], [])
            wins = self.kept().opponents["myopic"].wins
            self.assertGreaterEqual(wins, told)
            told = wins

    def test_a_slow_disk_delays_no_change_and_a_full_one_is_made_good(self) -> None:
        data = self.open()
        held = threading.Event()
        write = write_json

        def slowly(path: Path, value: object) -> None:
            held.wait()
            write(path, value)

        with mock.patch.object(userdata, "write_json", slowly):
            start = time.monotonic()
            data.change(speed="quick")
            data.change(letters=False)
            self.assertLess(time.monotonic() - start, 0.5)
            held.set()
            data.finish()
        full = StorageError("the disk is full")
        with mock.patch.object(userdata, "write_json", side_effect=full):
            data.change(theme="dark")
            data._write()
        self.assertTrue(data.has_failed)
        self.assertIn("The disk is full", data.take_trouble())
        data.change(size=125)
        data.finish()
        self.assertEqual(data.take_trouble(), "What could not be saved is saved now.")
        expected = replace(Settings(), theme="dark", size=125, speed="quick", letters=False)
        self.assertEqual(self.kept().settings, expected)

    def test_a_disk_that_hangs_does_not_keep_the_program_open(self) -> None:
        data = self.open()
        hung = threading.Event()
        self.addCleanup(hung.set)
        hangs = mock.patch.object(userdata, "write_json", side_effect=lambda *_: hung.wait())
        with hangs, mock.patch.object(userdata, "LONGEST_WAIT_S", 0.1):
            data.change(speed="quick")
            start = time.monotonic()
            data.close(new_session())
            self.assertLess(time.monotonic() - start, 10)

    def test_whatever_is_in_the_file_is_read_or_set_aside(self) -> None:
        whole = damage.FILES["user.json"]
        places = [*damage.fields(whole)]
        rng = random.Random(7)
        cases = [(place, ...) for place in places]  # each is missing once
        count = 600 if IS_SLOW_RUN else 100
        cases += [(rng.choice(places), rng.choice(damage.WRONG)) for _ in range(count)]
        for place, value in cases:
            self.path.write_text(json.dumps(damage.changed(whole, place, value)))
            data = UserData(self.folder)
            for trouble in iter(data.take_trouble, ""):
                self.assertNotIn("\n", trouble)
            data.restore_session(new_session())
            data.saved.recent_games(Game())
            data.finish()


class OlderFilesTests(DataTestCase):
    """The files of version 1.4 are read once, and what they hold goes on in the new one."""

    def write(self, name: str, *rows: object) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_text("\n".join(map(json.dumps, rows)))

    def test_everything_that_people_had_is_there(self) -> None:
        game = {"record": format_record(replace(WON, actions=LOST[:4])), "hinted": []}
        program = {"key": "program-2", "name": "Mine", "command": "one", "move_s": 2}
        played = {
            "opponent": "program-2", "name": "Mine", "has_won": True, "is_helped": False,
            "day": "2026-01-31",
        }  # fmt: skip
        self.write("settings.json", {"theme": "dark", "opponent": "expert", "zoom": 2, "bell": 1})
        self.write("game.json", {"game": game, "earlier": [game | {"counted": True}],
                   "score": {"human\nmyopic\nhuman": 3, "human\nhuman\n0": 2}})  # fmt: skip
        self.write("results.jsonl", played, "torn", played)
        self.write("puzzles.json", {"streak": 4, "difficulty": 6, "lessons": [1, 2],
                   "mistakes": [{"position": "1100/0000/0000", "days": []}]})  # fmt: skip
        self.write("programs.json", {"programs": [program]})
        data = self.open()
        saved = data.saved
        self.assertEqual((saved.settings.theme, saved.settings.size), ("dark", 125))
        self.assertEqual(saved.settings.opponent, "expert")
        self.assertEqual((saved.game.game().actions, saved.games[0].counts), (LOST[:4], False))
        self.assertEqual(saved.score, {"human\nmyopic": 3})
        record = saved.opponents["program:Mine"]
        self.assertEqual((record.wins, record.last_day), (2, "2026-01-31"))
        self.assertEqual((saved.puzzles.difficulty, saved.puzzles.lessons), (6, (0, 1)))
        self.assertEqual(saved.puzzles.mistakes, ("1100/0000/0000",))
        self.assertEqual(saved.programs, (Program("one", "Mine", 2.0),))
        data.change(speed="quick")
        data.finish()
        self.assertEqual(self.kept(), replace(saved, settings=data.settings))
