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
from traffic_lights.board.games import PolicyBot
from traffic_lights.board.rules import STEPS, format_cell
from traffic_lights.console.text_mode import TextGame
from traffic_lights.learning.rowtable import RowTable
from traffic_lights.learning.tablefile import write_table
from traffic_lights.play import texts
from traffic_lights.play.commands import COMMANDS
from traffic_lights.play.game import HUMAN, Game, Player, parse_record
from traffic_lights.play.session import Session
from traffic_lights.play.userdata import UserData
from traffic_lights.players.roster import Roster
from traffic_lights.training.own_bots import Bots

START = [sys.executable, "-m", "traffic_lights", "--text"]
STORIES = {
    "a game of two people, and its review": """
        new two        Player 1 to move
        7              I do not understand '7'. Type a cell, or help
        a1 2. b1 d3
        C1             Player 2 wins – three greens, a1–c1  Type review
        moves          1. a1 2. b1 3. d3 4. c1
        a1             The game is over. Start a new game, or undo a move.
        next           There is nothing to solve here
        learned        no moves to rate
        review         Move 2: b1 threw the win away. Find a winning move.  Mistake 1 of 2.
        learned        Values are hidden here
        previous       the first mistake
        b1             wins at once with c1. Try again.
        solution       The solution: a1, d1, c2, d2, b3 or d3.  Type next
        next           Move 3: d3 overlooked a win at once.
        d3             Try again
        c1             Right: c1# – Completes three greens, a1–c1.  Type leave
        next           last mistake
        leave          Player 2 wins
    """,
    "puzzles, and the game that waits behind them": """
        new two
        b2
        puzzle         You win in 2. Find the winning move.  Exactly one move wins
        undo           Leave this first
        go 0           Leave this first
        swap           Leave this first
        hint           let the opponent complete a line.
        h              The winning move is in
        solution       The solution is  the only winning move.  Type next, or leave.
        solution       This puzzle is solved. Next shows another.
        next           Find the winning move.
        moves          1. b2
        today          Today's puzzle,  Everyone has the same one today.
        today          This is today's puzzle.
        solution       To share:  Traffic Lights, puzzle of 1970-01-01  did not find the move
        leave          Player 2 to move
        statistics     Puzzles: you solved 0 of 2.
    """,
    "how to win": """
        lesson 6       Type a number from 1 to 5
        lesson         Lesson 1 of 5: Complete a Line
        previous       This is the first lesson
        b1             b1: now the opponent wins at once with c1. Try again.
        why            c3 would have won at once. The opponent could win
        c3             Done. Three in a row win at once
        lesson 4       Lesson 4 of 5: One Move, Two Threats
        b3             Right. The opponent plays a3. Complete the line.
        a3             Done.
        next           Lesson 5 of 5: Leave Only Bad Moves
        next           This is the last lesson.
        d2             Find the next move.
        leave          Player 1 to move
    """,
    "two bots, which wait after undo": """
        watch exact    Name two players
        watch exact player, random  wins – three
        watch myopic, random  wins – three
        undo           Type step for one move
        undo           Type step for one move
        a1             Type step for one move
        step           Type step for one move
        play           wins – three
        play           No bot is waiting
        undo           Type step for one move
        new            wins – three
        watch random, random  Random (Player
        go 1           Looking at move 1 of  is to move here, in a game of two bots.
    """,
    "help": """
        new myopic     You play against Myopic, which wins if it can
        hint           No first move wins
        h              last longest
        hint           The reply to expect
        values         Loses in 13: b1
        show           Shown of the moves: mistakes.
        show all       Type show and one of these: nothing, mistakes, best play or learned.
        show learned   Only trained bots have learned values
        show best play  Shown of the moves: best play.  Loses in 13: b1
        new two
        why            no last move
        b2             b2 – Lost either way, but b1  Loses in
        why            Best play from here:
    """,
    "undo, redo and looking back": """
        new two
        undo           nothing to undo
        a1 b2 d3
        undo           Player 1 to move
        redo           Player 2 to move
        new two
        undo           This is the previous game
        redo           Player 1 to move
        new two
        games          1. 1970-01-01  Player 1 against Player 2, not finished after move 3
        games 2        Type a number from 1 to 1
        games 1        Player 2 to move
        games          There is no other game
        go 1           Looking at move 1 of 3
        go on          Looking at move 2 of 3
        go back        Looking at move 1 of 3
        go 99
        go 2
        c2             The old line is among the recent games.
        moves          1. a1 2. b2 3. c2
        board words    Green: a1, b2 and c2. Yellow: none.
        board grid     1 G . . .
        games 1
        moves          1. a1 2. b2 3. d3
        go ²           Type a number
        new two
        1. a1 2. b2 3. d3
        moves          1. a1 2. b2 3. d3
    """,
    "positions": """
        position 111000000000  the game is over
        position 7     is not a board
        position 2200/0000/0001  Player 2 to move
        position       2200/0000/0001
        position 310000000000
        a1             a1 is red, and red lamps never change. Choose another lamp.
        position 110000000003
        values         Wins in 1: c1. Wins in 10: a1 and b1. Loses in 1: d1, a2
        position 000000000001
        a1 b1 d2 c1
        moves          1. a1 2. b1 3. d2 4. c1
        review         Move 2: b1
        swap           Player 1 to move
        open nowhere   no such file
        save           Type the name of a file
    """,
    "players": """
        new myopic
        b2             Myopic plays
        swap           Myopic plays
        opponent random
        bot exact      Exact player plays
        go 0
        bot exact      You can do this when it is your turn.
        opponent       Name a player
        new second     Name a player
        new two second  Unknown player 'two'
        new exact player second  You play against Exact player
        opponent nobody  Unknown player 'nobody'
        statistics     You have not finished a game
    """,
}
"""Lines that are typed, each with what must be in the answer, after two spaces or more."""


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
    def test_stories(self) -> None:
        for name, story in STORIES.items():
            self.setUp()
            for row in story.strip().splitlines():
                line, *fragments = re.split(r"  +", row.strip())
                with self.subTest(name, line=line):
                    answer = self.talk(line)
                    for fragment in fragments:
                        self.assertIn(fragment, answer)

    def test_a_player_hears_of_a_mistake_at_once_unless_nothing_is_to_be_shown(self) -> None:
        for show, is_said in (("mistakes", True), ("nothing", False)):
            with patch.object(PolicyBot, "choose", return_value=0):
                answer = self.talk(
                    f"show {show}", "new myopic second", "position 110000000003", "d1"
                )
            self.assertEqual("d1?? – c1 would have won at once." in answer, is_said, answer)

    def test_records_come_and_go(self) -> None:
        self.talk("new two", "a1", "b2")
        path = self.folder / "my game.txt"
        self.talk(f"save {path}")
        self.assertEqual(parse_record(path.read_text()).actions, (0, 5))
        self.talk("position 2200/0000/0000", f"open {path}")
        self.assertEqual(self.game.session.game.actions, (0, 5))
        self.assertIn("Saved", self.talk(f"save {path}"), "a game may be overwritten")
        path.write_text("dear diary")
        self.assertIn("is not a game", self.talk(f"save {path}"))
        self.assertIn("Cannot write", self.talk(f"save {'long' * 100}"))
        self.assertIn("not the name of a file", self.talk("open a\0b"))
        self.assertEqual(path.read_text(), "dear diary")

    def test_help_has_the_rules_and_a_row_for_every_command(self) -> None:
        lines = self.talk("help").splitlines()
        for command in self.game.commands:
            (row,) = (line for line in lines if line.startswith(f"{command.usage}  "))
            self.assertIn(command.about, row)
        self.assertLessEqual(max(map(len, lines)), 88)
        names = [name for command in self.game.commands for name in command.names]
        self.assertEqual(len(names), len(set(names)))
        self.assertLessEqual({one.typed for one in COMMANDS.values() if one.typed}, set(names))
        words = " ".join(" ".join(lines).split())
        for text in (*texts.RULES, texts.MARKS):
            self.assertIn(text, words)

    def test_the_short_forms_that_people_know_stay(self) -> None:
        self.begin()
        short = {command.short: command.names[0] for command in self.game.commands}
        known = {
            "n": "new", "u": "undo", "r": "redo", "h": "hint", "v": "values", "tell": "show",
            "levels": "players", "?": "help", "q": "quit",
        }  # fmt: skip
        self.assertEqual(short, short | known)
        for word in ("v", "?", "levels"):
            self.assertEqual(self.talk(word), self.talk(known[word]))
        self.talk("b2")
        self.talk("n")
        self.assertEqual(self.game.session.game.actions, ())
        self.talk("q")
        self.assertTrue(self.game.has_left)

    def test_words_that_a_command_does_not_take_are_refused_before_it_does_anything(self) -> None:
        self.begin()
        self.talk("b2")
        alone = [one for one in self.game.commands if one.stands_alone]
        for name in (name for command in alone for name in command.names):
            before = self.game.session.history.saved
            self.assertEqual(self.talk(f"{name} 3 x"), f"Type {name} alone, without '3 x'.")
            self.assertEqual(self.game.session.history.saved, before)
            self.assertFalse(self.game.has_left)
        for command in self.game.commands:
            if not command.stands_alone and command.names[0] not in ("save", "open"):
                before = self.game.session.history.saved
                self.assertLess(len(self.talk(f"{command.names[0]} 3 x")), 400)
                self.assertEqual(self.game.session.history.saved, before, command.usage)
        self.assertEqual(self.talk("board sideways"), "Type board, board words or board grid.")

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
        for game, seat in (("new two", 0), ("watch random, random", 0), ("new random second", 1)):
            self.talk(game, "opponent myopic")
            self.assertEqual(self.game.session.only_human, seat)
            self.assertEqual(self.game.session.players[1 - seat].bot, "myopic")

    def test_a_bot_that_moves_for_the_player_names_the_move_it_played(self) -> None:
        self.talk("position 101000000000")
        with patch.object(PolicyBot, "choose", return_value=6):
            answers = self.talk("bot random")
        self.assertIn("Random plays b1.", answers, "for a person, a win at once is taken")
        self.assertNotIn("c2", answers)

    def test_learned_values(self) -> None:
        self.game = self.new_game(Roster())
        answers = self.talk("new qbot", "a1", "learned")
        self.assertIn("a1 proven loss, b1 proven loss", answers)
        self.assertIn("against Myopic.", answers)
        self.assertTrue(self.game.session.game.is_helped)

    def test_two_wins_offer_the_next_level(self) -> None:
        with patch.object(Roster, "end_game") as ended:
            self.talk("watch random, random")
        ended.assert_called_once_with(["random", "random"], self.game.session.game.winner)
        for _ in range(40):
            self.talk("new beginner second")
            answers = self.play_well()
            if "in a row" in answers:
                break
        self.assertIn("Two wins in a row. Try Casual next?", answers)
        self.assertIn("Type new casual.", answers)
        self.assertRegex(
            self.talk("statistics"), r"^Beginner: you won \d+ of .*You won the last 2 games\."
        )
        self.assertRegex(self.talk("statistics"), r"the latest at the end: ([WL] )*W W\n")


class SavingTests(TextModeCase):
    def test_whatever_interrupts_a_bot_the_moves_and_the_help_before_are_saved(self) -> None:
        self.begin()
        self.talk("hint", "hint", "values")
        self.data.finish()
        self.assertEqual(len(saved_session(self.data.folder).game.hinted), 1)
        with patch.object(PolicyBot, "choose", side_effect=KeyboardInterrupt):
            self.assertRaises(KeyboardInterrupt, self.game.obey, "a1")
        self.data.finish()
        game = saved_session(self.data.folder).game
        self.assertEqual((game.actions, len(game.hinted), game.values_seen), ((0,), 1, True))
        with patch.object(PolicyBot, "choose", side_effect=(0, 5, KeyboardInterrupt)):
            self.assertRaises(KeyboardInterrupt, self.game.obey, "watch myopic, random")
        self.data.finish()
        self.assertEqual(saved_session(self.data.folder).game.actions, (0, 5))

    def test_an_own_bot_plays_and_a_missing_one_is_reported(self) -> None:
        table = RowTable()
        table.set_value(STEPS[11], 7, 0.9)
        write_table(self.folder / "lefty.json", table)
        bots = Bots(self.folder)
        bot = bots.import_table(self.folder / "lefty.json", "Lefty")
        save_game(self.data.folder, Game(players=(HUMAN, Player(bot.key, "Lefty"))))
        self.assertIn("continue your saved game", self.begin())
        self.assertIn("Lefty plays d2.", self.talk("d3"))
        self.assertRegex(self.talk("players"), r"My Bots:\n  Lefty\. Imported")
        self.assertIn("Values of Lefty", self.talk("learned"))
        self.assertIn("Lefty plays", self.talk("new lefty second"))
        (bot.folder / "qtable.json").write_text("{}")
        answers, game = self.talk("a1"), self.game.session.game
        self.assertIn("Lefty cannot play: ", self.talk("new lefty"))
        self.assertEqual(self.game.session.game, game)
        self.assertIn("Lefty cannot play: ", answers)
        self.assertIn("Choose another opponent, or undo", answers)
        self.assertIn("Lefty cannot move", answers)
        self.assertIn("Lefty cannot play: ", self.talk("undo", "show learned"))
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
        process = self.start(subprocess.PIPE, "ascii")
        out, err = process.communicate(b"\xef\xbb\xbfnew two\r\n\xff\r\na1 b1 c1", timeout=300)
        self.assertEqual((process.returncode, err), (0, b""))
        self.assertIn(b"Player 1 wins - three greens, a1-c1", out)
        self.assertIn(b"You play against Beginner, which completes", out)
        self.assertTrue(out.startswith(b"This is not a terminal, so your game and your results"))
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
