"""The text mode: lines in and sentences out, also with a real pipe and at a terminal of its own."""

import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest.mock import patch

from tests.kit.samples import PROJECT, tablebase
from tests.kit.sessions import save_game, saved_session
from traffic_lights.board.rules import STEPS, format_cell
from traffic_lights.console.text_mode import PAUSED, TextGame
from traffic_lights.learning.qtable import QTable
from traffic_lights.learning.tablefile import write_table
from traffic_lights.players.game import HUMAN, Game, Player
from traffic_lights.players.roster import Roster
from traffic_lights.session.notation import parse_record
from traffic_lights.session.session import GAME_AFTER, GAME_BEFORE, Phase, Session
from traffic_lights.session.userdata import UserData
from traffic_lights.training.bots import Bots

START = [sys.executable, "-m", "traffic_lights", "--text"]


class TextModeCase(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.answers: list[str] = []
        self.data = UserData(self.folder / "data")
        self.addCleanup(self.data.finish)
        self.data.change(opponent="myopic")
        self.game = self.new_game(Roster(self.folder, random.Random(7)))

    def new_game(self, roster: Roster) -> TextGame:
        session = Session(lambda: 0.0)
        session.is_solved = True
        return TextGame(session, roster, self.data, self.answers.append)

    def talk(self, *lines: str) -> str:
        """Return the answers to *lines*."""
        self.answers.clear()
        for line in lines:
            self.game.obey(line)
        return "\n".join(self.answers)

    def begin(self) -> str:
        self.answers.clear()
        self.game.begin()
        return "\n".join(self.answers)

    def play_well(self) -> str:
        """Play the game to its end with the best moves; return the last answers."""
        session, answers = self.game.session, ""
        while not session.game.is_over:
            answers = self.talk(format_cell(tablebase().optimal_actions(session.state)[0]))
        return answers


class PlayTests(TextModeCase):
    def test_a_game_of_two_from_start_to_review(self) -> None:
        answers = self.talk("new two", "a1 b1", "d3", "C1")
        self.assertIn("Player 2 wins – three greens, a1–c1", answers)
        self.assertIn("Player 2 wins in 2 moves.", answers)
        self.assertIn("on move 3.\nType review", answers)
        self.assertIn("in a review", self.talk("next"))
        answers = self.talk("review")
        self.assertIn("Move 2: b1 threw the win away. Find the winning move.", answers)
        self.assertIn("Mistake 1 of 2.", answers)
        self.assertIn("the first mistake", self.talk("previous"))
        self.assertIn("wins at once with c1. Try again.", self.talk("b1"))
        self.assertIn("The solution", self.talk("show"))
        self.assertIn("Move 3: d3 overlooked a win at once.", self.talk("next"))
        self.assertIn("Try again", self.talk("d3"))
        answers = self.talk("c1")
        self.assertEqual(answers.count("Right: c1# – Completes three greens, a1–c1."), 1)
        self.assertIn("Type leave", answers)
        self.assertIn("last mistake", self.talk("next"))
        self.assertIn("Player 2 wins", self.talk("leave"))

    def test_two_bots_play_wait_after_undo_step_and_play_on(self) -> None:
        self.assertRegex(self.talk("watch exact player, random"), "(Exact player|Random) wins – th")
        self.assertIn("Name two players", self.talk("watch exact"))
        self.talk("watch myopic, random")
        session = self.game.session
        self.talk("undo", "undo", "undo")
        before = len(session.game.actions)
        for line in ("board", "a1"):
            self.assertEqual(self.talk(line).count(PAUSED), 1, line)
        self.assertIn(PAUSED, self.talk("step"))
        self.assertEqual((len(session.game.actions), session.is_paused), (before + 1, True))
        self.assertRegex(self.talk("play"), "(Myopic|Random) wins")
        self.assertIn("No bot is waiting", self.talk("play"))
        for line in ("new", "watch myopic, random"):
            self.talk("undo", line)
            self.assertTrue(session.game.is_over, "a new game of two bots is played")

    def test_a_whole_game_against_a_bot_ends(self) -> None:
        self.assertIn("You play against Myopic", self.begin())
        self.assertRegex(self.talk("b2"), r"Myopic plays [a-d][1-3]\.")
        while self.game.session.phase is not Phase.OVER:
            self.talk("hint", "hint", "hint")
            self.talk(self.answers[-1].split()[0])
        self.assertRegex(
            self.talk("board"), r"(You win in \d+ moves. Help in this game: \d+ hints?|Myopic wins)"
        )

    def test_hints_values_and_comments(self) -> None:
        self.begin()
        self.assertIn("Every move loses", self.talk("hint"))
        self.assertIn("What lasts longest: b1", self.talk("h"))
        self.assertIn("The reply to expect", self.talk("hint"))
        self.assertIn("Loses in 13: b1", self.talk("values"))
        self.assertTrue(self.game.session.game.values_seen)
        self.assertIn("on", self.talk("comment"))
        self.assertIn("b2 – Lost either way, but b1", self.talk("new two", "b2"))
        self.assertIn("Best play from here:", self.talk("why"))

    def test_undo_redo_and_looking_back(self) -> None:
        self.assertIn("nothing to undo", self.talk("new two", "undo"))
        self.talk("a1", "b2", "d3")
        undone, redone = self.talk("undo"), self.talk("redo")
        self.assertIn("Player 1 to move", undone)
        self.assertIn("Player 2 to move", redone)
        self.assertFalse({GAME_BEFORE, GAME_AFTER} & {undone, redone})
        self.assertIn(GAME_BEFORE, self.talk("new two", "undo"))
        self.assertIn(GAME_AFTER, self.talk("redo"))
        self.assertIn("Looking at move 1 of 3", self.talk("undo", "go 1"))
        self.assertIn("Looking at move 2 of 3", self.talk("go on"))
        self.assertIn("Looking at move 1 of 3", self.talk("go back"))
        self.assertIn("Redo brings the old line back", self.talk("go on", "c2"))
        self.assertEqual(self.talk("moves"), "1. a1 2. b2 3. c2")
        self.assertIn("Green: a1, b2 and c2. Yellow: none.", self.talk("board words"))
        self.assertIn("1 G . . .", self.talk("board grid"))
        self.assertEqual(self.talk("redo", "moves").splitlines()[-1], "1. a1 2. b2 3. d3")
        self.assertIn("Type a number", self.talk("go ²"))

    def test_the_move_that_a_review_names_is_found_among_the_moves(self) -> None:
        for game in (("new two", "a1 b1 d3 c1"), ("position 000000000001", "a1 b1 d2 c1")):
            self.talk(*game)
            listed, named = self.talk("moves"), self.talk("review", "next")
            found = re.findall(r"Move (\d+): (\w\d)", named)
            self.assertGreater(len(found), 1, named)
            for number, cell in found:
                self.assertIn(f"{number}. {cell}", listed)
            if game[0] == "new two":
                self.talk("leave", "new two", listed)
                self.assertEqual(self.talk("moves"), listed, "a list of moves can be played")

    def test_positions_and_records_come_and_go(self) -> None:
        self.talk("new two", "a1", "b2")
        self.assertEqual(self.talk("position"), "1000/0100/0000")
        path = self.folder / "my game.txt"
        self.talk(f"save {path}")
        self.assertEqual(parse_record(path.read_text()).actions, (0, 5))
        self.talk("position 2200/0000/0000", f"open {path}")
        self.assertEqual(self.game.session.game.actions, (0, 5))
        self.assertIn("Saved", self.talk(f"save {path}"), "a game may be overwritten")
        path.write_text("dear diary")
        for line, answer in (
            ("position 111000000000", "A line is already complete"),
            ("position 7", "is not a board"),
            ("open nowhere", "no such file"),
            ("save", "is not the name of a file"),
            (f"save {path}", "is not a game"),
            ("open a\0b", "not the name of a file"),
        ):
            self.assertIn(answer, self.talk(line))
        self.assertEqual(path.read_text(), "dear diary")

    def test_help_names_every_command_once(self) -> None:
        lines = self.talk("help").splitlines()
        for usage, *_ in self.game.commands:
            shown = [line for line in lines if line.startswith(usage + " ")]
            self.assertEqual(len(shown), 1, usage)
            self.assertLessEqual(len(shown[0]), 88)

    def test_nonsense_is_answered_and_changes_nothing(self) -> None:
        self.begin()
        before = self.game.session.game
        for line in ("e5", "b2 e5", "\0", "_save", "obey", "🙂", "1.", "x" * 5000, "__class__"):
            self.assertLess(len(self.talk(line)), 400)
            self.assertEqual(self.game.session.game, before, line[:20])
        self.assertEqual(self.talk("", "   "), "")
        self.talk("quit")
        self.assertTrue(self.game.has_left)


class OpponentTests(TextModeCase):
    def test_choosing_an_opponent_means_that_the_person_plays(self) -> None:
        self.talk("new random")
        self.play_well()
        finished = self.game.session.game
        for looked_at in ("board", "go 1"):
            self.game.session.restore(finished)
            self.talk(looked_at, "opponent myopic")
            self.assertEqual(self.game.session.game.actions, (), looked_at)
            self.talk("undo")
            self.assertEqual(self.game.session.game, finished)
        for game, seat in (("new two", 0), ("watch random, random", 0), ("new random second", 1)):
            self.talk(game, "opponent myopic")
            self.assertEqual(self.game.session.only_human, seat)
            self.assertEqual(self.game.session.players[1 - seat].bot, "myopic")

    def test_seats_change_in_a_game_and_not_after_it(self) -> None:
        self.begin()
        self.talk("b2")
        self.assertRegex(self.talk("swap"), "Myopic plays")
        self.assertRegex(self.talk("opponent random", "bot exact"), "Exact player plays")
        self.assertEqual(self.game.session.game.bot_moves, 1)
        self.talk("new random", "position 110000000000", "c1")
        self.assertIn("Random plays", self.talk("swap"), "a new game")

    def test_a_bot_that_moves_for_the_player_names_the_move_it_played(self) -> None:
        self.talk("position 101000000000")
        with patch.object(Roster, "choose", return_value=6):
            answers = self.talk("bot random")
        self.assertIn("Random plays b1.", answers, "for a person, a win at once is taken")
        self.assertNotIn("c2", answers)

    def test_a_player_that_cannot_play_says_why(self) -> None:
        self.begin()
        before = self.game.session.game
        self.assertIn("Unknown player 'nobody'", self.talk("opponent nobody"))
        self.assertIn("Name a player", self.talk("opponent"))
        self.assertEqual(self.game.session.game, before)

    def test_learned_values(self) -> None:
        self.game = self.new_game(Roster())
        answers = self.talk("new qbot", "a1", "learned")
        self.assertIn("a1 proven loss, b1 proven loss", answers)
        self.assertIn("against Myopic.", answers)
        for game in ("new two", "new random"):
            self.assertIn("Only trained bots have learned", self.talk(game, "learned"))
        self.assertIn("no moves to rate", self.talk("new two", "a1 b1 d3 c1", "learned"))

    def test_two_wins_offer_the_next_level(self) -> None:
        with patch.object(Roster, "end_game") as ended:
            self.talk("watch random, random")
        ended.assert_called_once_with(self.game.session.game)
        self.assertIn("No finished games of yours", self.talk("statistics"))
        for _ in range(40):
            self.talk("new beginner second")
            answers = self.play_well()
            if "in a row" in answers:
                break
        self.assertIn("Two wins in a row: try Casual next?", answers)
        self.assertIn("Type new casual.", answers)
        self.assertRegex(self.talk("statistics"), r"^Beginner: won \d+.*in a row 2 won")


class SavingTests(TextModeCase):
    def test_whatever_interrupts_a_bot_the_moves_and_the_help_before_are_saved(self) -> None:
        self.begin()
        self.talk("hint", "hint", "values")
        self.data.finish()
        self.assertEqual(len(saved_session(self.data.folder).game.hinted), 1)
        with patch.object(Roster, "choose", side_effect=KeyboardInterrupt):
            self.assertRaises(KeyboardInterrupt, self.game.obey, "a1")
        self.data.finish()
        game = saved_session(self.data.folder).game
        self.assertEqual((game.actions, len(game.hinted), game.values_seen), ((0,), 1, True))
        with patch.object(Roster, "choose", side_effect=(0, 5, KeyboardInterrupt)):
            self.assertRaises(KeyboardInterrupt, self.game.obey, "watch myopic, random")
        self.data.finish()
        self.assertEqual(saved_session(self.data.folder).game.actions, (0, 5))

    def test_an_own_bot_plays_and_a_missing_one_is_reported(self) -> None:
        table = QTable()
        table.set_value(STEPS[11], 7, 1.0)
        write_table(self.folder / "lefty.json", table)
        bots = Bots(self.folder)
        bot = bots.import_table(self.folder / "lefty.json", "Lefty")
        save_game(self.data.folder, Game(players=(HUMAN, Player(bot.key, "Lefty"))))
        self.assertIn("continue your saved game", self.begin())
        self.assertIn("Lefty plays d2.", self.talk("d3"))
        self.assertRegex(self.talk("players"), r"My bots:\n  Lefty\. Imported")
        self.assertIn("Lefty's values", self.talk("learned"))
        self.assertIn("Lefty plays", self.talk("new lefty second"))
        (bot.folder / "qtable.json").write_text("{}")
        answers, game = self.talk("a1"), self.game.session.game
        self.assertIn("Lefty cannot play: ", self.talk("new lefty"))
        self.assertEqual(self.game.session.game, game)
        self.assertIn("Lefty cannot play: ", answers)
        self.assertIn("Lefty cannot play: ", self.talk("players"))
        self.assertIn("Choose another opponent, or undo", answers)
        self.assertIn("Lefty cannot move", answers)
        bots.delete(bot)
        self.assertIn("Unknown player 'lefty'", self.talk("new lefty"))


class ProcessTests(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.addCleanup(folder.cleanup)
        self.home = Path(folder.name)

    def start(self, files: int, encoding: str = "utf-8") -> subprocess.Popen[bytes]:
        """Start the text mode with *files*, a pipe or a terminal, for input and output."""
        environment = os.environ | {"TRAFFIC_LIGHTS_HOME": str(self.home)}
        return subprocess.Popen(
            START, stdin=files, stdout=files, stderr=files, cwd=PROJECT, start_new_session=True,
            env=environment | {"PYTHONIOENCODING": encoding},
        )  # fmt: skip

    def test_a_pipe_is_played_to_its_end_and_leaves_nothing_behind(self) -> None:
        for text, encoding, answer in (
            (b"\xff\xfe\r\nnew two\r\na1 b1 c1", "utf-8", "Player 1 wins - three greens, a1-c1"),
            (b"new two\na1 b1 c1\n", "ascii", "Player 1 wins - three greens, a1-c1"),
        ):
            with self.subTest(encoding):
                process = self.start(subprocess.PIPE, encoding)
                out, err = process.communicate(text, timeout=300)
                self.assertEqual((process.returncode, err), (0, b""))
                self.assertIn(answer, out.decode(encoding))
                self.assertIn(b"You play against Beginner. ", out)
                self.assertNotIn(b"> ", out, "no prompt without a terminal")
                self.assertEqual(list(self.home.iterdir()), [])

    @unittest.skipIf(os.name == "nt", "signals of POSIX")
    def test_an_interrupt_ends_it_with_a_goodbye(self) -> None:
        process = self.start(subprocess.PIPE)
        assert process.stdout is not None
        first = process.stdout.readline()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=300)
        self.assertEqual((process.returncode, err), (130, b""))
        self.assertTrue((first + out).rstrip().endswith(b"Goodbye."))

    def at_a_terminal(self, typed: bytes) -> str:
        """Return what the screen shows when *typed* is typed at a terminal."""
        import pty

        master, slave = pty.openpty()
        process = self.start(slave)
        os.close(slave)
        screen = b""
        while b"> " not in screen:
            screen += os.read(master, 4096)
        os.write(master, typed)
        try:
            while chunk := os.read(master, 4096):
                screen += chunk
        except OSError:
            pass  # Linux reports the closed other end in this way.
        os.close(master)
        self.assertEqual(process.wait(timeout=300), 0, screen)
        return screen.decode()

    @unittest.skipIf(os.name == "nt", "terminals of POSIX")
    def test_the_first_game_is_against_the_weakest_opponent_and_goes_on_later(self) -> None:
        screen = self.at_a_terminal(b"a1\nnew two\na1\nb2\nquit\n")
        self.assertIn(f"{Roster().levels()[0].name} plays ", screen)
        self.assertIn("Goodbye. Your game is saved.", screen)
        screen = self.at_a_terminal(b"moves\nundo\nundo\nundo\n\x04")
        self.assertIn("You continue your saved game.", screen)
        self.assertIn("1. a1 2. b2", screen)

    @unittest.skipIf(os.name == "nt", "terminals of POSIX")
    def test_a_folder_that_cannot_be_written_is_reported_once_and_play_goes_on(self) -> None:
        self.home = self.home / "file"
        self.home.touch()
        screen = self.at_a_terminal(b"new two\na1\nb1\nc1\nquit\n")
        self.assertEqual(screen.count("nothing is saved"), 1, screen)
        self.assertIn("Player 1 wins", screen)
        self.assertNotIn("Your game is saved", screen)
