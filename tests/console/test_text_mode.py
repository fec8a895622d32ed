"""The text mode: lines in and sentences out, also with a real pipe and at a terminal of its own."""

import os
import random
import re
import subprocess
import sys
import unittest
from importlib.util import find_spec
from unittest.mock import patch

from tests.kit.samples import PROJECT, FolderTestCase
from tests.kit.sessions import new_session, save_game
from traffic_lights.board.games import PolicyBot
from traffic_lights.console.text_mode import TextGame
from traffic_lights.play import texts
from traffic_lights.play.commands import COMMANDS
from traffic_lights.play.game import HUMAN, Game, Player
from traffic_lights.play.userdata import UserData
from traffic_lights.players.roster import Roster
from traffic_lights.training.own_bots import Bots

START = [
    sys.executable, "-c", "import sys; sys.modules['tkinter'] = None; "
    "from traffic_lights.__main__ import main; sys.exit(main(['--text']))",
]  # fmt: skip
STORIES = {
    "a game of two people, and its review": """
        new two        Player 1 to move
        7              I do not understand '7'. Type a cell, or help
        a1 2. b1 d3
        C1             Player 2 wins – three greens, a1–c1  Type review
        copy           1. a1 b1 2. d3 c1
        a1             The game is over. Start a new game, or undo a move.
        next           There is nothing to solve here
        values         no moves to rate
        review         Move 2: b1 threw the win away. Find a winning move.  Mistake 1 of 2.
        values         Values are hidden here
        b1             wins at once with c1. Try again.
        solution       The solution: a1, d1, c2, d2, b3 or d3  Type next
        next           Move 3: d3 overlooked a win at once.
        c1             Right  c1# – Completes three greens, a1–c1.  Type leave
        leave          Player 2 wins
    """,
    "puzzles, and the game that waits behind them": """
        new two
        b2
        puzzle         Find the winning move.  Exactly one move completes a line
        undo           Leave this first
        hint           You can complete a line now
        hint           The winning move is in
        solution       The solution is  completes three  Type next, or leave.
        solution       This is done. Next shows another.
        next           Find the winning move.
        copy           Traffic Lights, a puzzle  Can you solve it?
        today          Everyone has the same one today.
        solution       The solution is
        copy           Traffic Lights, puzzle of 1971-01-01  did not find the move
        leave          Player 2 to move
        copy           1. b2
    """,
    "how to win": """
        lesson 6       Type a number from 1 to 5
        lesson 4       Lesson 4 of 5: One Move, Two Threats
        b3             Right. The opponent plays a3. Complete the line.
        a3             Done.
        leave          Player 1 to move
    """,
    "help, undo and looking back": """
        new myopic     You play against Myopic. Wins if it can
        hint           No first move wins
        hint           are the best tries
        hint           The reply to expect
        values         Loses in 13: b1
        undo           nothing to undo
        a1             Myopic plays
        undo           Move 0 of 2. You can play on from here.
        leave          Your turn
        new two
        undo           This is the previous game
        undo           Move 0 of 2
    """,
    "players": """
        new exact player second  You play against Exact player
        new second     Unknown player 'second'
        new two second  Unknown player 'two'
        players        Levels:  Beginner. Completes  Wins 5.95 % against Myopic
        players 7      Type players alone, without '7'.
    """,
}
"""Lines that are typed, each with what must be in the answer, after two spaces or more."""


class PlayTests(FolderTestCase):
    def setUp(self) -> None:
        self.start(Roster(self.folder, random.Random(7)))

    def start(self, roster: Roster) -> None:
        self.data = UserData(self.folder)
        self.addCleanup(self.data.finish)
        self.answers: list[str] = []
        self.game = TextGame(new_session(), roster, self.data, self.answers.append)

    def talk(self, *lines: str) -> str:
        """Return what is said after all *lines*; without any, at the start."""
        self.answers.clear()
        if not lines:
            self.game.begin()
        for line in lines:
            self.game.obey(line)
        return "\n".join(self.answers)

    def test_stories(self) -> None:
        for name, story in STORIES.items():
            del self.folder
            self.setUp()
            for row in story.strip().splitlines():
                line, *fragments = re.split(r"  +", row.strip())
                with self.subTest(name, line=line):
                    answer = self.talk(line)
                    for fragment in fragments:
                        self.assertIn(fragment, answer)

    def test_nonsense_is_answered_and_changes_nothing(self) -> None:
        self.talk()
        before = self.game.session.now.game
        for line in ("e5", "b2 e5", "\0", "_save", "obey", "🙂", "1.", "x" * 5000, "__class__"):
            self.assertIn(len(self.talk(line)), range(1, 400))
            self.assertEqual(self.game.session.now.game, before, line[:20])
        self.assertEqual(self.talk("", "   "), "")
        self.talk("quit")
        self.assertTrue(self.game.has_left)

    def test_a_mistake_is_named_at_once_and_two_wins_offer_the_next_level(self) -> None:
        self.enterContext(patch.object(PolicyBot, "choose", side_effect=[0, 11] * 2 + [11, 10] * 2))
        for shown in ("mistakes", "nothing"):
            self.data.change(shown=shown)
            answer = self.talk("new myopic second", "b1")
            self.assertEqual("b1?? – " in answer, shown == "mistakes", answer)
        answer = self.talk(*["new beginner", "a1", "b1", "c1"] * 2)
        self.assertIn("Two wins in a row. Try Casual next?", answer)
        self.assertIn("Type new casual.", answer)
        self.assertNotIn("Try Casual", self.talk("undo", "leave"), "it is offered once")

    def test_help_has_the_rules_and_a_row_for_every_command(self) -> None:
        lines = self.talk("help").splitlines()
        for command in COMMANDS.values():
            if command.typed:
                (row,) = (line for line in lines if line.startswith(f"{command.typed}  "))
                self.assertIn(command.about, row)
        self.assertLessEqual(max(map(len, lines)), 88)
        words = " ".join(" ".join(lines).split())
        for text in (*texts.RULES, texts.MARKS):
            self.assertIn(text, words)

    def test_an_own_bot_plays_and_a_missing_one_is_reported(self) -> None:
        bot = Bots(self.folder).import_table(PROJECT / "qtables" / "myopic-200.json", "Lefty")
        save_game(self.folder, Game(players=(HUMAN, Player(bot.key, "Lefty"))))
        self.start(Roster(self.folder))
        self.assertIn("continue your saved game", self.talk())
        self.assertIn("Lefty plays", self.talk("d3"))
        self.talk("hint")
        self.assertIn("Hints: 1", self.data.saved.game.record)
        self.assertRegex(self.talk("players"), r"My Bots:\n  Lefty\. Imported")
        self.assertIn("Lefty plays", self.talk("new lefty second"))
        (bot.folder / "qtable.json").write_text("{}")
        answer = self.talk("a1")
        self.assertRegex(answer, "(?s)Lefty cannot play: .*Choose another opponent, or undo")


class ProcessTests(FolderTestCase):
    def start(self, files: int, encoding: str = "utf-8") -> subprocess.Popen[bytes]:
        """Start the text mode with *files*, a pipe or a terminal, for input and output."""
        environment = os.environ | {"TRAFFIC_LIGHTS_HOME": str(self.folder)}
        return subprocess.Popen(
            START, stdin=files, stdout=files, stderr=files, cwd=PROJECT, start_new_session=True,
            env=environment | {"PYTHONIOENCODING": encoding},
        )  # fmt: skip

    def test_a_pipe_is_played_to_its_end_and_leaves_nothing_behind(self) -> None:
        process = self.start(subprocess.PIPE, "ascii")
        out, err = process.communicate(b"\xef\xbb\xbfnew two\r\n\xff\r\na1 b1 c1", timeout=300)
        self.assertEqual((process.returncode, err), (0, b""))
        self.assertIn(b"Player 1 wins - three greens, a1-c1", out)
        self.assertIn(b"You play against Beginner. Completes", out)
        self.assertTrue(out.startswith(b"This is not a terminal, so your game and your results"))
        self.assertNotIn(b"> ", out, "no prompt without a terminal")
        self.assertEqual(list(self.folder.iterdir()), [])

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
        screen = self.at_a_terminal(b"d3\n\x1b[A\ncopy\nundo\nundo\nundo\n\x04")
        self.assertIn("You continue your saved game.", screen)
        self.assertIn("1. a1 b2", screen)
        if find_spec("readline"):  # the arrow up brings the line before
            self.assertIn("1. a1 b2 2. d3 d3", screen)
            self.assertNotIn("^[[A", screen)
