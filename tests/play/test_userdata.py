"""The user's data: saved exactly, set aside when damaged, and never in the way of play."""

import _thread
import errno
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any
from unittest import mock

from tests.kit.samples import PROJECT
from tests.kit.sessions import BOT, OTHER_BOT, new_session, play_all, save_game, saved_session
from traffic_lights.board.rules import parse_board
from traffic_lights.play.game import HUMAN, Game, Player, format_record, parse_record
from traffic_lights.play.results import OpponentRecord
from traffic_lights.play.solving import Attempt
from traffic_lights.play.userdata import (
    CHOICES,
    SECOND_PROGRAM,
    Settings,
    UserData,
    score_key,
)
from traffic_lights.players.external import Program
from traffic_lights.players.roster import Roster
from traffic_lights.training.bot_note import write_note
from traffic_lights.training.folder import snapshot_path

WON, LOST = (0, 1, 2), (0, 1, 11, 2)
"""The moves of a game that the first player wins, and of one that the second wins."""


def won(key: str) -> Game:
    """Return a game that the player has won against the bot *key*."""
    return Game(actions=WON, players=(HUMAN, Player(key, key.title())))


def troubles(data: UserData) -> list[str]:
    """Return all that *data* has to report."""
    return list(iter(data.take_trouble, ""))


def wins(data: UserData) -> dict[str, int]:
    """Return the games won by opponent, as the next program counts them."""
    data.finish()
    return {r.opponent: r.wins for r in UserData(data.folder).records()}


class UserDataTestCase(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory())) / "data"

    def data(self) -> UserData:
        """Return what a program that starts now has."""
        data = UserData(self.folder)
        self.addCleanup(data.finish)
        return data


class SettingsTests(UserDataTestCase):
    def read(self, values: dict[str, Any]) -> tuple[Settings, str]:
        """Return the settings of a program that starts with these *values*, and its report."""
        self.folder.mkdir(exist_ok=True)
        plain = {"format": "traffic-lights-settings", "version": 1, **values}
        (self.folder / "settings.json").write_text(json.dumps(plain))
        data = self.data()
        return data.settings, "|".join(troubles(data))

    def test_every_possible_value_comes_back(self) -> None:
        for described in fields(Settings):
            name, default = described.name, described.default
            values: Any = [False, True] if isinstance(default, bool) else [default]
            for value in CHOICES.get(name, values):
                changed: dict[str, Any] = {name: value}
                settings = replace(Settings(), **changed)
                self.assertEqual(self.read(asdict(settings)), (settings, ""))

    def test_a_player_of_version_1_3_sees_what_they_saw_before(self) -> None:
        for saved, shown in (("nothing", "Mistakes"), ("best-play", "Best Play")):
            settings, report = self.read({"show": saved})
            self.assertEqual((CHOICES["shown"][settings.shown], report), (shown, ""))


class SavingTests(UserDataTestCase):
    def test_the_first_start_has_the_defaults_and_reports_nothing(self) -> None:
        data = self.data()
        self.assertEqual(data.settings, Settings())
        self.assertFalse(data.restore_session(new_session()))
        self.assertEqual((data.records(), troubles(data)), ([], []))
        self.assertFalse(data.has_failed)

    def test_a_program_killed_and_started_again_continues(self) -> None:
        session = new_session(HUMAN, BOT)
        play_all(session, 0, 5, 6, 9)
        session.mode.hint()
        session.new_game((BOT, HUMAN))
        play_all(session, 3, 7, 8, 4)
        session.mode.undo()
        data = self.data()
        data.change(theme="dark", size=90)
        data.save_session(session)
        data.finish()
        self.assertEqual(self.data().settings, Settings(theme="dark", size=90))
        self.assertEqual(saved_session(self.folder).history.saved, session.history.saved)

    def test_a_game_and_a_result_come_back_whoever_of_the_roster_has_played(self) -> None:
        commanded = self.folder / "commanded"
        names = ("Mine", "x" * 40, "Bot [v2]", "End [qbot", "By hand " * 20 + "!")
        folders = [commanded, *(self.folder / "bots" / name for name in names)]
        for folder in folders:
            snapshot_path(folder, 20_000).parent.mkdir(parents=True)
            snapshot_path(folder, 20_000).touch()
            write_note(folder, games=20_000)
        roster = Roster(self.folder, command_folder=commanded)
        roster.add_program(Program("python3", "Two"))
        entries = list(roster.entries())
        bots = [entry for entry in entries if entry.own is not None]
        entries += [roster.entry(f"{bot.key}:20000") for bot in bots]
        self.assertEqual(len(bots), len(folders))
        for entry in entries:
            with self.subTest(key=entry.key):
                game = Game(actions=WON, players=(HUMAN, Player(entry.key, entry.name)))
                self.assertEqual(parse_record(format_record(game)), game)
                data = self.data()
                data.count_result(game)
                data.change(opponent=entry.key)
                self.assertEqual(wins(data)[entry.key], 1)
                again = self.data()
                self.assertEqual((again.settings.opponent, troubles(again)), (entry.key, []))

    def test_the_games_that_version_1_3_has_saved_come_back(self) -> None:
        def line(number: int, moves: str, since: int = 0) -> dict[str, object]:
            record = f"Traffic Lights 1\nPlayer 2: Myopic [myopic]\n\n{moves}\n"
            return {"record": record, "hinted": [], "line_of": number, "since": since}

        games = {
            "format": "traffic-lights-saved-game", "version": 1,
            "game": line(4, "1. d1 d2 2. a3"),
            "earlier": [line(2, "1. a1 b1 2. d1 b2"), line(3, "1. b2 c2")],
            "later": [
                line(2, "1. a1 b1 2. c1", since=3), line(3, "1. b2 c2 2. a1 d2", since=3),
                line(4, "1. d1 d2 2. a3 a2 3. c1", since=4),
            ],
        }  # fmt: skip
        self.folder.mkdir()
        (self.folder / "game.json").write_text(json.dumps(games))
        history = saved_session(self.folder).history
        self.assertEqual((history.present.actions, history.taken_back), ((3, 7, 8), (4, 2)))
        found = [game.actions for game in history.others]
        self.assertEqual(
            found, [(5, 6, 0, 7), (0, 1, 2)], "of each game the line that got furthest"
        )

    @unittest.skipUnless(hasattr(signal, "SIGKILL"), "needs processes that can be killed")
    def test_half_written_files_of_killed_programs_are_removed_at_the_next_start(self) -> None:
        for name in ("game.json", "mine"):
            program = (
                "import os, sys; from pathlib import Path\n"
                "from traffic_lights.storage.files import make_folder, write_json\n"
                "make_folder(Path(sys.argv[1]).parent)\n"
                "os.replace = lambda *_: os.kill(os.getpid(), 9)\n"
                "write_json(Path(sys.argv[1]), {})\n"
            )
            words = [sys.executable, "-c", program, str(self.folder / name)]
            done = subprocess.run(words, cwd=PROJECT, check=False)
            self.assertEqual(done.returncode, -signal.SIGKILL)
        self.assertEqual(len(list(self.folder.iterdir())), 2)
        self.data()
        (left,) = self.folder.iterdir()
        self.assertTrue(left.name.startswith("mine."))

    def test_ctrl_c_while_the_writing_thread_starts_loses_nothing(self) -> None:
        def start(thread: threading.Thread) -> None:
            _thread.start_new_thread(thread.run, ())
            raise KeyboardInterrupt

        data = self.data()
        with mock.patch.object(threading.Thread, "start", start):
            self.assertRaises(KeyboardInterrupt, data.change, theme="dark")
        data.finish()
        self.assertEqual(self.data().settings.theme, "dark")

    def test_what_could_not_be_saved_is_saved_with_the_next_and_both_are_reported(self) -> None:
        full = OSError(errno.ENOSPC, "")
        data = self.data()
        with mock.patch("traffic_lights.storage.files.os.fsync", side_effect=full):
            data.change(theme="dark")
            data.count_result(won("random"))
            data.save_session(new_session())
            data.finish()
        self.assertTrue(data.has_failed)
        self.assertRegex("|".join(troubles(data)), r"^[^|]*disk is full\. You can play on[^|]+$")
        data.change(size=125)
        self.assertEqual(wins(data), {"random": 1})
        self.assertFalse(data.has_failed)
        self.assertEqual(troubles(data), ["What could not be saved is saved now."])
        self.assertEqual(self.data().settings, Settings(theme="dark", size=125))
        self.assertEqual(saved_session(self.folder).game.day, "1971-01-01")


class FormatTests(UserDataTestCase):
    """What other versions of the program read: the names in the files stay."""

    def saved(self, name: str) -> Any:
        return json.loads((self.folder / name).read_text("utf-8"))

    def test_the_files_of_a_player(self) -> None:
        data = self.data()
        data.change(theme="dark", size=90)
        game = Game(actions=(0, 5), players=(HUMAN, BOT), day="2026-01-31", hinted=((0, 2),))
        session = new_session()
        session.restore(game)
        data.score["human – Myopic [myopic]0"] = 3
        data.save_session(session)
        data.count_result(replace(won("random"), day="2026-01-30"))
        data.count_puzzles([Attempt(0b01, tries=2, hints=1, day="2026-01-29")], "2026-01-29")
        data.keep_mistakes([parse_board("110000000003")])
        data.finish()
        settings = {
            "format": "traffic-lights-settings", "version": 1, "theme": "dark", "lamps": "signal",
            "letters": True, "side_panel": True, "size": 90,
            "geometry": "", "opponent": "beginner", "take_turns": True,
            "speed": "normal", "shown": "mistakes", "training": "",
        }  # fmt: skip
        found = self.saved("settings.json")
        self.assertEqual(found, found | settings, "there may be more")
        record = (
            "Traffic Lights 1\nPlayer 1: human\nPlayer 2: Myopic [myopic]\nDate: 2026-01-31\n"
            "Hints: 1\n\n1. a1 b2\n"
        )
        plain = {
            "record": record, "hinted": [[0, 2]], "line_of": 1, "values_seen": False,
            "counted": False, "counted_winner": None, "unrated": False, "changed_players": False,
        }  # fmt: skip
        self.assertEqual(
            self.saved("game.json"),
            {
                "format": "traffic-lights-saved-game", "version": 1, "game": plain, "earlier": [],
                "later": [], "score": {"human – Myopic [myopic]0": 3},
            },
        )  # fmt: skip
        self.assertEqual(
            self.saved("results.jsonl"),
            {
                "opponent": "random", "name": "Random", "seat": 0, "has_won": True,
                "is_helped": False, "day": "2026-01-30",
            },
        )  # fmt: skip
        daily = {"day": "2026-01-29", "tries": 2, "hints": 1, "is_solved": False, "is_shown": False}
        self.assertEqual(
            self.saved("puzzles.json"),
            {
                "format": "traffic-lights-puzzles", "version": 1, "tried": 1, "solved": 0,
                "streak": 0, "best_streak": 0, "difficulty": 2, "risen": 0, "has_fallen": False,
                "daily": daily,
                "mistakes": [{"position": "1100/0000/0003", "days": []}], "lessons": [],
            },
        )  # fmt: skip


class DamageTests(UserDataTestCase):
    def test_a_damaged_file_is_set_aside_and_reported_once(self) -> None:
        game = {"format": "traffic-lights-saved-game", "version": 1}
        illegal = {"record": "Traffic Lights 1\n\na1 a1 a1 a1"}
        examples = {
            "settings.json": [b"", b"{", b"[]", b"\xff\xfe{}", b'{"format": "x"}', b"[" * 99_999,
                json.dumps({"format": "traffic-lights-settings", "version": 2}).encode()],
            "game.json": [b"{}", json.dumps(game).encode(),
                json.dumps(game | {"game": illegal, "earlier": [], "later": []}).encode()],
        }  # fmt: skip
        for name, content in ((name, one) for name, found in examples.items() for one in found):
            with self.subTest(name=name, content=content[:60]):
                self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
                path = self.folder / name
                path.write_bytes(content)
                data = UserData(self.folder)
                self.assertFalse(data.restore_session(new_session()))
                self.assertEqual((data.records(), data.settings), ([], Settings()))
                data.finish()
                (trouble,) = troubles(data)
                self.assertRegex(
                    trouble,
                    rf"^{name} cannot be used \(.*{name} .*\)\. The program continues without it "
                    rf"and renamed the file to {name}\.damaged\.$",
                )
                self.assertEqual((self.folder / f"{name}.damaged").read_bytes(), content)
                again = UserData(self.folder)
                self.assertEqual((again.records(), troubles(again)), ([], []))

    def test_settings_of_a_newer_program_stay_in_the_file(self) -> None:
        self.folder.mkdir()
        plain = {"format": "traffic-lights-settings", "version": 1, "theme": "dark"}
        newer = {"future": [7, {"x": "\ud800"}], "colour": None}
        (self.folder / "settings.json").write_text(json.dumps({**plain, **newer}))
        data = self.data()
        data.change(speed="slow")
        data.finish()
        self.assertEqual(troubles(data), [])
        written = json.loads((self.folder / "settings.json").read_text())
        self.assertEqual({name: written[name] for name in newer}, newer)
        self.assertEqual((written["theme"], written["speed"]), ("dark", "slow"))

    def test_the_good_lines_of_damaged_results_count(self) -> None:
        data = self.data()
        data.count_result(won("random"))
        data.finish()
        with (self.folder / "results.jsonl").open("ab") as file:
            file.write(b'\n\xff\n7\n{"opponent": "x"}\n{"opponent": "half a li')
        data = self.data()
        data.count_result(won("random"))
        self.assertEqual(wins(data), {"random": 2})


class SecondProgramTests(UserDataTestCase):
    def test_it_plays_and_does_not_save_its_game(self) -> None:
        save_game(self.folder, Game(day="2026-01-01"))
        first, second = self.data(), self.data()
        self.assertTrue(first.restore_session(new_session()))
        self.assertFalse(second.restore_session(new_session()))
        second.save_session(new_session(BOT))
        second.finish()
        self.assertEqual((troubles(second), second.has_failed), ([SECOND_PROGRAM], True))
        first.finish()
        self.assertEqual(saved_session(self.folder).game.day, "2026-01-01")

    def test_all_results_count_and_the_last_settings_win(self) -> None:
        programs = {theme: UserData(self.folder) for theme in ("dark", "system", "light")}
        for _ in range(12):
            for data in programs.values():
                data.count_result(won("random"))
        for theme, data in programs.items():
            data.change(theme=theme)
            data.finish()
        self.assertEqual(wins(data), {"random": 36})
        self.assertEqual(self.data().settings, Settings(theme="light"))

    @unittest.skipIf(os.name == "nt", "locks of POSIX")
    def test_without_locks_the_game_is_saved(self) -> None:
        refused = OSError(errno.ENOLCK, "no locks")
        data = self.data()
        with mock.patch("fcntl.flock", side_effect=refused):
            save_game(self.folder, Game(day="2026-01-01"))
            self.assertTrue(data.restore_session(new_session()))
        self.assertEqual((data.has_failed, troubles(data)), (False, []))
        self.assertEqual(saved_session(self.folder).game.day, "2026-01-01")


class StatisticsTests(UserDataTestCase):
    def test_games_are_counted_with_streaks_help_days_and_names(self) -> None:
        data = self.data()
        for name, day, actions, takebacks in (
            ("Myopic", "2026-01-02", WON, 0), ("Myopic", "2026-01-03", WON, 2),
            ("Myopic", "2026-01-03", LOST, 0), ("Short Sight", "2026-02-01", LOST, 0),
        ):  # fmt: skip
            players = (HUMAN, Player("myopic", name))
            data.count_result(Game(actions=actions, players=players, day=day, takebacks=takebacks))
        data.count_result(Game(actions=LOST, players=(OTHER_BOT, HUMAN), day="2026-02-01"))
        expected = [
            OpponentRecord("random", "Random", 1, 0, 1, 1, 1, "2026-02-01", "2026-02-01", (True,)),
            OpponentRecord("myopic", "Short Sight", 2, 2, 1, -2, 2, "2026-01-02", "2026-02-01",
                   (True, True, False, False)),
        ]  # fmt: skip
        self.assertEqual(data.records(), expected)
        self.assertEqual(data.records()[1].marks, "●●○○")
        data.finish()
        self.assertEqual(self.data().records(), expected)
        data.count_result(won("myopic"))
        self.assertEqual([r.opponent for r in data.records()], ["myopic", "random"])

    def test_the_games_against_a_bot_stay_its_own_when_it_is_renamed(self) -> None:
        data = self.data()
        for key in ("bot:Än", "bot:Än:100", "bot:Än 2", "myopic"):
            data.count_result(won(key))
        data.rename_bot("bot:Än", "bot:B\\1")
        renamed = {"bot:B\\1": 2, "bot:B\\1:100": 1, "bot:Än 2": 1, "myopic": 1}
        data.count_result(won("bot:B\\1"))
        self.assertEqual({r.opponent: r.wins for r in data.records()}, renamed)
        self.assertEqual(wins(data), renamed)

    def test_the_record_of_an_opponent_in_sentences_with_what_is_known(self) -> None:
        for record, text in (
            (OpponentRecord("casual", "Casual", 3, 2, 2, -1, 2, "2026-11-01", "2026-11-23"),
             "Casual: you won 3 of 5 games (60 %), 2 without help. You lost the last game. At best "
             "you won 2 in a row. Played from 2026-11-01 to 2026-11-23."),
            (OpponentRecord("casual", "Casual", 1, 0, 1, 1, 1, "2026-11-01", "2026-11-01"),
             "Casual: you won 1 of 1 game (100 %), 1 without help. You won the last game. Played "
             "on 2026-11-01."),
            (OpponentRecord("casual", "Casual", 0, 2), "Casual: you won 0 of 2 games."),
        ):  # fmt: skip
            self.assertEqual(record.text, text)

    def test_two_people_two_bots_and_set_up_positions_do_not_count(self) -> None:
        start = 0b01 << 6
        data = self.data()
        for game in (Game(), Game(players=(BOT, BOT)), Game(players=(HUMAN, BOT), start=start)):
            self.assertEqual(data.count_result(game), ("", 0))

    def test_a_slow_disk_writes_results_and_clears_them_in_the_order_of_the_player(self) -> None:
        data = self.data()
        begun, gate = threading.Event(), threading.Event()

        def write_slowly(*_: object) -> None:
            begun.set()
            gate.wait()

        with mock.patch("traffic_lights.play.userdata.write_json", write_slowly):
            data.change(speed="slow")
            begun.wait()
        data.count_result(won("myopic"))
        data.clear_statistics()
        data.count_result(won("random"))
        gate.set()
        self.assertEqual(wins(data), {"random": 1})

    def test_the_score_on_the_cards_is_there_after_a_restart_until_it_is_cleared(self) -> None:
        players = (HUMAN, Player("myopic", "Myopic"))
        data = self.data()
        data.score[score_key(players, 0)] += 2
        data.save_session(new_session())
        data.finish()
        again = self.data()
        again.restore_session(new_session())
        self.assertEqual(again.score[score_key(players[::-1], 1)], 2, "whatever the seats")
        self.assertEqual(again.score[score_key(players, 1)], 0)
        self.assertNotEqual(score_key((HUMAN, HUMAN), 0), score_key((HUMAN, HUMAN), 1))
        again.rename_bot("myopic", "a – b")
        self.assertEqual(again.score[score_key((HUMAN, Player("a – b", "B")), 0)], 2)
        again.clear_statistics()
        again.save_session(new_session())
        again.finish()
        last = self.data()
        last.restore_session(new_session())
        self.assertFalse(last.score)
