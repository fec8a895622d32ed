"""The terminal mode: a conversation in plain text, in process and through a real pipe."""

import os
import random
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from tests.kit.samples import PROJECT, tablebase
from traffic_lights.board.rules import STEPS, format_cell, legal_actions
from traffic_lights.console.conversation import TextGame
from traffic_lights.console.help import HELP
from traffic_lights.keeping.own_bots import OwnBots, own_key
from traffic_lights.keeping.preferences import DataStore, Preferences, SavedGame
from traffic_lights.learning.qtable import QTable
from traffic_lights.learning.tablefile import write_table
from traffic_lights.players.game import HUMAN, Game, Player
from traffic_lights.players.ladder import Ladder, Score, scores_to_plain
from traffic_lights.players.rungs import first_rung
from traffic_lights.session.notation import parse_record
from traffic_lights.session.session import Phase, Session
from traffic_lights.session.texts import GAME_AFTER, GAME_BEFORE
from traffic_lights.storage.files import write_json
from traffic_lights.training.own_tables import Facts, OwnTables

START = "import sys; from traffic_lights.console.terminal import main; sys.exit(main([]))"


class TalkCase(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.heard: list[str] = []
        self.game = self.new_game(None)

    def new_game(self, store: DataStore | None, own: OwnBots | None = None) -> TextGame:
        rng = random.Random(7)
        session = Session(rng, lambda: 0.0)
        session.tablebase = tablebase()
        ladder = Ladder(rng, tables=self.folder, tablebase=tablebase())
        settings = Preferences(opponent="myopic")
        return TextGame(session, ladder, self.heard.append, store, settings, own)

    def talk(self, *lines: str) -> str:
        """Return what is said to *lines*."""
        self.heard.clear()
        for line in lines:
            self.assertTrue(self.game.obey(line), line)
        return "\n".join(self.heard)


class ConversationTests(TalkCase):
    def test_a_game_of_two_from_start_to_review(self) -> None:
        self.game.begin()
        said = self.talk("new two", "a1 b1", "d3", "C1")
        self.assertIn("Player 2 wins – three greens, a1–c1", said)
        self.assertIn("Player 2 wins in 2 moves.", said)
        self.assertIn("Player 2 had a better move at move 2. Type review", said)
        self.assertIn("Move 2: b1 threw the win away. Find", self.talk("review"))
        self.assertIn("wins at once with c1. Try again.", self.talk("b1"))
        self.assertIn("The winning move", self.talk("show"))
        self.assertIn("Move 3: d3 overlooked a win at once.", self.talk("next"))
        self.assertIn("Try again", self.talk("d3"))
        said = self.talk("c1")
        self.assertEqual(said.count("Right: c1 completes three greens."), 1)
        self.assertIn("Type leave", said)
        self.assertIn("last mistake", self.talk("next"))
        self.assertIn("Player 2 wins", self.talk("leave"))

    def test_bots_answer(self) -> None:
        self.game.begin()
        self.assertRegex(self.talk("b2"), r"Myopic plays [a-d][1-3]\.")
        self.assertEqual(self.game.session.game.present, 2)
        self.assertRegex(self.talk("new exact second"), r"Exact player plays [a-d][1-3]\.")

    def test_two_bots_play_to_the_end(self) -> None:
        self.game.begin()
        self.assertRegex(self.talk("watch exact random"), r"(Exact player|Random) wins – three")
        self.assertIn("Name two levels", self.talk("watch exact"))

    def test_a_whole_game_against_a_bot_ends(self) -> None:
        self.game.begin()
        for _ in range(40):
            if self.game.session.phase is Phase.OVER:
                break
            self.talk(*("hint", "hint", "hint"))
            cell = self.heard[-1].split()[0]
            self.talk(cell)
        self.assertEqual(self.game.session.phase, Phase.OVER)
        self.assertRegex(
            self.talk("board"), r"(You win in \d+ moves – with \d+ hints?|Myopic wins)"
        )

    def test_help_in_three_steps_values_and_verdicts(self) -> None:
        self.game.begin()
        self.assertIn("Every move loses", self.talk("hint"))
        self.assertIn("What makes it hardest: a1", self.talk("h"))
        self.assertIn("The reply to expect", self.talk("hint"))
        self.assertIn("Loses in 13: b1", self.talk("values"))
        self.assertTrue(self.game.session.game.values_seen)
        self.assertIn("on", self.talk("tell"))
        self.assertIn("b2: Lost anyway, but b1", self.talk("new two", "b2"))
        self.assertIn("Best play from here:", self.talk("why"))

    def test_undo_redo_and_looking_back(self) -> None:
        self.game.begin()
        self.assertIn("nothing to take back", self.talk("new two", "undo", "undo", "undo"))
        self.talk("a1", "b2", "d3")
        undone, redone = self.talk("undo"), self.talk("redo")
        self.assertIn("Player 1 to move", undone)
        self.assertIn("Player 2 to move", redone)
        self.assertNotIn(GAME_BEFORE, undone)
        self.assertNotIn(GAME_AFTER, redone)
        self.talk("new two")
        self.assertIn(GAME_BEFORE, self.talk("undo"))
        self.assertIn(GAME_AFTER, self.talk("redo"))
        self.assertIn("Looking at move 1 of 3", self.talk("undo", "go 1"))
        self.assertIn("Looking at move 2 of 3", self.talk("forward"))
        self.assertIn("Redo brings the old line back", self.talk("c2"))
        self.assertEqual(self.talk("moves"), "1. a1 b2 2. c2")
        self.assertEqual(self.talk("redo", "moves").splitlines()[-1], "1. a1 b2 2. d3")
        self.assertIn("Say how many", self.talk("go ²"))

    def test_it_tells_what_qbot_believes(self) -> None:
        rng = random.Random(7)
        self.game = TextGame(Session(rng, lambda: 0.0), Ladder(rng), self.heard.append)
        self.game.session.tablebase = tablebase()
        told = self.talk("new qbot", "a1", "beliefs")
        self.assertIn("a1 proven loss, b1 proven loss", told)
        self.assertIn("against Myopic.", told)
        self.assertIn("What QBot has learned", self.talk("new qbot", "beliefs"))
        self.assertIn("No bot is at the board", self.talk("new two", "beliefs"))
        self.assertIn("Random plays without a table", self.talk("new random", "beliefs"))
        self.assertIn("no move to believe", self.talk("a1 b1 d3 c1", "beliefs"))

    def test_a_game_counts_even_where_nothing_is_kept(self) -> None:
        self.assertIn("No finished games", self.talk("statistics"))
        self.talk("new random")
        while not self.game.session.game.is_over:
            self.talk(format_cell(legal_actions(self.game.session.state)[0]))
        self.assertRegex(self.talk("statistics"), r"^Random: \d wins?, \d lost \(")

    def test_an_opponent_chosen_after_the_end_begins_a_new_game(self) -> None:
        self.talk("new random")
        while not self.game.session.game.is_over:
            self.talk(format_cell(legal_actions(self.game.session.state)[0]))
        self.talk("opponent myopic")
        self.assertEqual(self.game.session.game.present, 0)

    def test_positions_and_records_come_and_go(self) -> None:
        self.game.begin()
        self.talk("new two", "a1", "b2")
        self.assertEqual(self.talk("position"), "1000/0100/0000")
        path = self.folder / "my game.txt"
        self.talk(f"save {path}")
        self.assertEqual(parse_record(path.read_text()).actions, (0, 5))
        self.talk("position 2200/0000/0000", f"open {path}")
        self.assertEqual(self.game.session.game.standing, (0, 5))
        self.assertIn("A line is complete", self.talk("position 111000000000"))
        self.assertIn("is not a board", self.talk("position 7"))
        self.assertIn("no such file", self.talk("open nowhere"))
        self.assertIn("name a file", self.talk("save"))
        self.assertIn("Saved", self.talk(f"save {path}"), "over a game it may be written")
        path.write_text("dear diary")
        self.assertIn("is no game", self.talk(f"save {path}"))
        self.assertEqual(path.read_text(), "dear diary")
        if os.name == "posix":  # on Windows the homes of others are guessed, not looked up
            self.assertIn("no such user", self.talk("save ~nobody-of-this-name/game"))
        self.assertIn("not the name of a file", self.talk("open a\0b"))

    def test_the_board_in_words(self) -> None:
        self.game.begin()
        self.assertIn("Green: a1. Yellow: none.", self.talk("new two", "board words", "a1"))
        self.assertIn("1 G . . .", self.talk("board grid"))

    def test_a_level_that_cannot_play_says_why(self) -> None:
        self.game.begin()
        before = self.game.session.game
        self.assertIn("cannot play", self.talk("new qbot"))
        self.assertEqual(self.game.session.game, before)
        self.assertIn("no opponent 'nobody'", self.talk("opponent nobody"))
        self.assertIn("QBot cannot play: cannot read", self.talk("levels"))

    def test_seats_and_opponents_change_mid_game(self) -> None:
        self.game.begin()
        self.talk("b2")
        self.assertRegex(self.talk("swap"), "Myopic plays")
        self.assertRegex(self.talk("opponent random", "bot exact"), "Exact player plays")
        self.assertEqual(self.game.session.game.bot_moves, 1)

    def test_every_command_that_help_names_exists_and_none_is_hidden(self) -> None:
        commands = {name.removeprefix("_do_") for name in dir(TextGame) if name.startswith("_do_")}
        words = set(HELP.replace(",", " ").replace(";", " ").split())
        self.assertEqual(commands - {"help"} - words, set())

    def test_nonsense_is_answered_and_changes_nothing(self) -> None:
        self.game.begin()
        before = self.game.session.game
        for line in ("e5", "b2 e5", "\0", "_keep", "do_new", "🙂", "1.", "x" * 5000, "__class__"):
            said = self.talk(line)
            self.assertLess(len(said), 400)
            self.assertEqual(self.game.session.game, before, line[:20])
        self.assertEqual(self.talk("", "   "), "")
        self.assertFalse(self.game.obey("quit"))

    def test_a_game_left_goes_on_at_the_next_start(self) -> None:
        store = DataStore(self.folder / "data", self.heard.append)
        self.game = self.new_game(store)
        self.game.begin()
        self.talk("a1")
        state = self.game.session.state
        store.close()
        self.game = self.new_game(DataStore(self.folder / "data", self.heard.append))
        self.heard.clear()
        self.game.begin()
        self.assertIn("goes on where you left it", "\n".join(self.heard))
        self.assertEqual(self.game.session.state, state)
        self.assertEqual(self.game.session.players[0], HUMAN)


class OwnBotTests(TalkCase):
    """A game against an own bot, begun in the window, goes on here, or it says why not."""

    def setUp(self) -> None:
        super().setUp()
        tables = OwnTables(self.folder)
        folder = tables.new_folder()
        table = QTable()
        table.set_value(STEPS[11], 7, 1.0)
        write_table(folder / "qtable.json", table)
        self.table = tables.add(folder, "Lefty", Facts())
        self.store = DataStore(self.folder / "data", self.heard.append)
        bot = Player(own_key(self.table), "Lefty")
        self.store.save_game(SavedGame(Game(players=(HUMAN, bot))))
        self.game = self.new_game(self.store, OwnBots(self.folder))

    def test_it_answers_with_its_table_and_tells_what_it_has_learned(self) -> None:
        self.game.begin()
        self.assertIn("Lefty plays d2.", self.talk("d3"))
        self.assertIn("own-table-1: Lefty.", self.talk("levels"))
        self.assertIn("What Lefty has learned", self.talk("beliefs"))
        self.assertIn("Lefty plays", self.talk("new own-table-1 second"))

    def test_a_bot_that_is_gone_or_damaged_is_said_in_a_sentence(self) -> None:
        self.game.begin()
        self.table.path.write_text("{}")
        said = self.talk("a1")
        self.assertIn("Lefty cannot play: ", said)
        self.assertIn("You move for it now", said)
        OwnTables(self.folder).delete(self.table.key)
        self.game = self.new_game(self.store, OwnBots(self.folder))
        self.heard.clear()
        self.game.begin()
        self.assertIn("no opponent 'own-table-1'", self.talk("new own-table-1"))


class OfferTests(TalkCase):
    def test_two_wins_offer_the_next_rung_and_one_does_not(self) -> None:
        levels = {key: Score(rate, rate, 0.5) for key, rate in (("random", 0.0), ("myopic", 0.6))}
        write_json(self.folder / "ladder.json", scores_to_plain(levels))
        self.game = self.new_game(None)
        said = []
        for _ in range(2):
            self.talk("new random")
            while not self.game.session.game.is_over:
                state = self.game.session.state
                said.append(self.talk(format_cell(tablebase().optimal_actions(state)[0])))
        self.assertEqual(
            sum("try Myopic next?" in text and "Type new myopic." in text for text in said), 1
        )
        self.assertIn("Two wins in a row", said[-1])


class PipeTests(unittest.TestCase):
    def run_with(self, text: bytes, **environ: str) -> subprocess.CompletedProcess[bytes]:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
            result = subprocess.run(
                [sys.executable, "-c", START],
                input=text,
                capture_output=True,
                cwd=PROJECT,
                timeout=300,
                env={**os.environ, "TRAFFIC_LIGHTS_HOME": home, **environ},
            )
            self.assertEqual(list(Path(home).iterdir()), [], "a pipe leaves nothing behind")
        return result

    def test_moves_in_a_pipe_and_the_end_of_it(self) -> None:
        for text in (b"", b"new two\na1 b1 c1\n", b"new two\r\na1 b1 c1", b"\xff\xfe\nnew two\na1"):
            with self.subTest(text=text):
                result = self.run_with(text)
                self.assertEqual((result.returncode, result.stderr), (0, b""))
        result = self.run_with(b"new two\na1 b1 c1", PYTHONIOENCODING="utf-8")
        self.assertIn("Player 1 wins – three greens, a1–c1", result.stdout.decode())
        self.assertIn(b"You play against Random. ", result.stdout, "as at a terminal and a window")
        self.assertNotIn(b"> ", result.stdout, "no prompt where nobody types")

    def test_an_output_without_dashes_gets_plain_ones(self) -> None:
        result = self.run_with(b"new two\na1 b1 c1", PYTHONIOENCODING="ascii")
        self.assertEqual(result.returncode, 0)
        self.assertIn(b"Player 1 wins - three greens, a1-c1", result.stdout)

    @unittest.skipIf(os.name == "nt", "signals of POSIX")
    def test_interrupted_it_says_goodbye(self) -> None:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
            process = subprocess.Popen(
                [sys.executable, "-c", START],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=PROJECT,
                env={**os.environ, "TRAFFIC_LIGHTS_HOME": home, "PYTHONIOENCODING": "utf-8"},
            )
            assert process.stdout is not None
            first = process.stdout.readline()
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=300)
        self.assertEqual(process.returncode, 130)
        self.assertEqual(err, b"")
        self.assertTrue((first + out).rstrip().endswith(b"Goodbye."))

    @unittest.skipIf(os.name == "nt", "pipes of POSIX")
    def test_a_reader_that_leaves_is_no_error(self) -> None:
        process = subprocess.Popen(
            [sys.executable, "-c", START],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=PROJECT,
        )
        assert process.stdout is not None
        process.stdout.close()
        process.stdout = None
        _, err = process.communicate(b"new two\na1\n" * 50, timeout=300)
        self.assertEqual((process.returncode, err), (0, b""))


@unittest.skipIf(os.name == "nt", "terminals of POSIX")
class TerminalTests(unittest.TestCase):
    def at_a_terminal(self, home: str, typed: bytes) -> tuple[int, str]:
        """Return (status, what the screen shows) of a game at a terminal of its own."""
        import pty

        master, slave = pty.openpty()
        environ = {**os.environ, "TRAFFIC_LIGHTS_HOME": home, "PYTHONIOENCODING": "utf-8"}
        process = subprocess.Popen(
            [sys.executable, "-c", START],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            cwd=PROJECT,
            env=environ,
            start_new_session=True,
        )
        os.close(slave)
        screen = b""
        while b"> " not in screen:
            screen += os.read(master, 4096)
        os.write(master, typed)
        try:
            while chunk := os.read(master, 4096):
                screen += chunk
        except OSError:
            pass  # how Linux says that the other end is closed
        os.close(master)
        return process.wait(timeout=300), screen.decode()

    def test_a_game_goes_on_where_it_was_left(self) -> None:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
            status, screen = self.at_a_terminal(home, b"new two\na1\nb2\nquit\n")
            self.assertEqual(status, 0, screen)
            self.assertIn("Goodbye. Your game is saved.", screen)
            status, screen = self.at_a_terminal(home, b"moves\nundo\nundo\nundo\n\x04")
            self.assertEqual(status, 0, screen)
            self.assertIn("Your game goes on where you left it.", screen)
            self.assertIn("1. a1 b2", screen)

    def test_the_first_game_is_against_the_weakest_opponent(self) -> None:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
            status, screen = self.at_a_terminal(home, b"a1\nquit\n")
        weakest = first_rung(Ladder(random.Random(7)).levels())
        assert weakest is not None
        self.assertEqual(status, 0, screen)
        self.assertIn(f"{weakest.name} plays ", screen)

    def test_what_cannot_be_saved_is_said_once_and_play_goes_on(self) -> None:
        with tempfile.NamedTemporaryFile() as file:
            status, screen = self.at_a_terminal(file.name, b"new two\na1\nb1\nc1\nquit\n")
        self.assertEqual(status, 0, screen)
        self.assertEqual(screen.count("nothing is remembered"), 1, screen)
        self.assertIn("Player 1 wins", screen)
        self.assertNotIn("is saved", screen)


if __name__ == "__main__":
    unittest.main()
