"""Whatever an external program does, it only loses its game. Each bot here is a real process."""

import contextlib
import os
import random
import sys
import threading
import unittest
from unittest import mock

from tests.kit.external_bots import is_running, noted_pids, write_bot
from tests.kit.samples import PATIENCE_S, FolderTestCase, wait_until
from traffic_lights.board.baselines import RANDOM
from traffic_lights.board.games import PlayerError, PolicyBot, play_game
from traffic_lights.board.rules import EMPTY_BOARD, parse_board
from traffic_lights.players import external
from traffic_lights.players.external import (
    ExternalBot,
    Program,
    parse_command,
    program_name,
    standing_command,
)

BOUND_S = 60.0
"""More than it takes to kill a process, on a machine that is busy."""
EXPECTED = "; expected 'move b2'"
HOSTILE_AT_GO: dict[str, tuple[str, str]] = {
    "an illegal move": ("say('move a1')", r"answered a1, but a1 is red in 3000\d{8}"),
    "a torn line": ("sys.stdout.write('move b'); sys.stdout.flush(); os._exit(0)",
                    r"answered 'b', which is not a cell"),
    "no line end": ("sys.stdout.write('x' * 1_000_000); sys.stdout.flush(); os._exit(1)",
                    f"ended with exit status 1; it wrote '{'x' * 40}'{EXPECTED}"),
    "bad bytes": ("sys.stdout.buffer.write(b'move \\xe9\\x1b[2J\\n'); sys.stdout.flush()",
                  r"answered '\\ufffd\\x1b\[2J', which is not a cell"),
    "another protocol": ("say('bestmove c3'); os._exit(0)",
                         f"ended with exit status 0; it wrote 'bestmove c3'{EXPECTED}"),
}  # fmt: skip
CHILD = "subprocess.Popen([sys.executable, '-c', \"open('pids', 'a').write(str(__import__('os')" \
    ".getpid()) + '\\\\n'); __import__('time').sleep(600)\"])"  # fmt: skip
"""Code that starts a child, which also notes its number."""


class ExternalTestCase(FolderTestCase):
    def bot(self, move_s: float = BOUND_S, **codes: str) -> ExternalBot:
        bot = ExternalBot(Program(write_bot(self.folder, **codes), move_s=move_s))
        self.addCleanup(bot.close)
        return bot

    def failure(self, bot: ExternalBot, board: str = "300000000001") -> str:
        """Return why *bot* fails when it has to move in *board*."""
        with self.assertRaises(PlayerError) as caught:
            bot.choose(parse_board(board))
        return str(caught.exception)

    def assert_all_gone(self, count: int) -> None:
        """Wait until *count* processes were noted, and all are gone."""
        wait_until(lambda: len(noted_pids(self.folder)) >= count, f"{count} processes have started")
        pids = noted_pids(self.folder)
        wait_until(lambda: not any(map(is_running, pids)), "all processes have ended")


class FairBotTests(ExternalTestCase):
    def test_one_process_plays_many_games(self) -> None:
        bot, other = self.bot(), PolicyBot(RANDOM, random.Random(7))
        self.assertEqual(bot.meet(), "Polite")
        for pair in ((bot, other), (other, bot), (bot, bot)):
            self.assertEqual(play_game(*pair).forfeit, "")
        self.assertEqual(len(noted_pids(self.folder)), 1)
        named = ExternalBot(Program(bot.program.command, "Mine"))
        self.addCleanup(named.close)
        self.assertEqual(named.meet(), "Mine")

    def test_moves_that_it_was_not_asked_for_do_not_count(self) -> None:
        answers = "say('info deep'); say('move B1 ponder c1\\r'); say('move c1'); say('move d1')"
        bot = self.bot(at_go=answers)
        self.assertEqual(bot.choose(EMPTY_BOARD), 1)
        wait_until(lambda: bot._lines.qsize() >= 2, "two more lines have come")
        self.assertEqual(bot.choose(EMPTY_BOARD), 1)


class HostileBotTests(ExternalTestCase):
    def test_what_it_does_instead_of_moving_loses_the_game(self) -> None:
        for name, (code, expected) in HOSTILE_AT_GO.items():
            with self.subTest(bot=name):
                bot = self.bot(at_go=code)
                self.assertRegex(
                    self.failure(bot), f"^Polite {expected}(; its standard error .*)?$"
                )
                self.assert_all_gone(1)

    def test_an_answer_that_is_missing_or_not_understood_is_quoted(self) -> None:
        bot = self.bot(move_s=0.5, at_go="say('Move b2')")
        said = "Polite did not answer within 0.5 s; it wrote 'Move b2'; expected 'move b2'"
        self.assertEqual(self.failure(bot), said)
        with mock.patch.object(external, "START_S", 0.2):
            said = self.failure(self.bot(at_start="time.sleep(600)"))
        expected = "did not answer within 0.2 s; does it flush each line?; expected 'ready'"
        self.assertEqual(said, f"bot {expected}")

    def test_a_flood_has_to_wait_and_loses_only_time(self) -> None:
        with mock.patch.object(external, "MOST_LINES", 10):
            bot = self.bot(move_s=0.25, at_go="while True: say('more')")
            self.assertIn("within 0.25 s; it wrote 'more'", self.failure(bot))
        self.assert_all_gone(1)

    def test_its_failure_shows_the_end_of_its_standard_error(self) -> None:
        flood = "os.write(2, b'x' * 500_000 + b'\\n\\xff\\x1b[2Jlast words\\n'); "
        bot = self.bot(at_go=flood + "say('move a1')")
        end = "; its standard error ends with '\N{REPLACEMENT CHARACTER} [2Jlast words'"
        self.assertTrue(self.failure(bot).endswith(end))

    @unittest.skipUnless(os.name == "posix", "Wine does not end the children of a process")
    def test_a_bot_that_ignores_quit_is_killed_with_its_children(self) -> None:
        bot = self.bot(at_start=CHILD, at_quit="time.sleep(600)")
        bot.meet()
        wait_until(lambda: len(noted_pids(self.folder)) == 2, "the bot and its child have started")
        with mock.patch.object(external, "QUIT_S", 0.1):
            bot.close()
        self.assert_all_gone(2)

    def test_a_program_that_is_not_there_or_cannot_be_started(self) -> None:
        text = self.folder / "text"
        text.write_text("hello")
        for command, expected in (
            ("", "the command is empty"),
            ("'", "the command has a quote that is not closed"),
            ("no-such-program --x", "no-such-program was not found"),
            (f'"{self.folder / "none"}"', "none was not found"),
            (f'"{text}"', "text cannot be executed" if os.name == "posix" else ""),
        ):
            said = self.failure(ExternalBot(Program(command, "One")))
            self.assertRegex(said, f"^One cannot be started: .*{expected}$")

    def test_closing_does_not_wait_for_a_bot_that_thinks_and_whoever_asked_it_goes_on(self) -> None:
        bot = self.bot(at_go="note('asked'); time.sleep(600)")
        said: list[str] = []
        asking = threading.Thread(target=lambda: said.append(self.failure(bot)), daemon=True)
        asking.start()
        wait_until((self.folder / "asked").exists, "it is asked to move")
        closing = threading.Thread(target=bot.close, daemon=True)
        with mock.patch.object(external, "QUIT_S", PATIENCE_S):
            closing.start()
            closing.join(BOUND_S)
        self.assertFalse(closing.is_alive(), "closing waits for a bot that thinks")
        asking.join(BOUND_S)
        self.assertEqual(len(said), 1, "who asked it still waits for an answer")
        self.assert_all_gone(1)

    def test_a_bot_whose_answer_is_interrupted_is_killed_and_can_be_asked_again(self) -> None:
        bot = self.bot()
        bot.meet()
        with (
            mock.patch.object(bot, "_answer", side_effect=KeyboardInterrupt),
            self.assertRaises(KeyboardInterrupt),
        ):
            bot.choose(EMPTY_BOARD)
        self.assert_all_gone(1)
        self.assertEqual(bot.choose(EMPTY_BOARD), 0)


class CommandTests(ExternalTestCase):
    @unittest.skipUnless(os.name == "posix", "on Windows programs end with .exe")
    def test_a_program_with_a_folder_is_found_from_any_folder(self) -> None:
        prog = self.folder / "prog"
        prog.write_text("#!/bin/sh\n")
        prog.chmod(0o755)
        with contextlib.chdir(self.folder):
            for command in ("./prog", "./prog --fast -x", f"{prog} --fast"):
                words, file = parse_command(command)
                self.assertEqual((words[0], file), (str(prog), prog))
                self.assertEqual(words[1:], command.split()[1:])
                self.assertEqual(program_name(command), "prog")
            # A word that is not a file cannot be a script, and the system finds the program.
            (self.folder / "sh").touch()
            for command in ("sh --fast other", "sh"):
                self.assertEqual(parse_command(command), (command.split(), None))

    def test_a_script_is_found_from_any_folder_and_named_after_its_file(self) -> None:
        (self.folder / "bots").mkdir()
        script = self.folder / "bots" / "one.py"
        script.write_text("")
        python = sys.executable
        for command in (f'"{python}" bots/one.py', f'"{python}" -u "{script}" deep'):
            with contextlib.chdir(self.folder):
                words, file = parse_command(command)
                standing = standing_command(command)
            self.assertEqual((words[0], file), (python, script))
            self.assertIn(str(script), words)
            self.assertEqual(parse_command(standing), (words, file))
            self.assertEqual(program_name(standing), "one")
        self.assertIsNone(parse_command(f'"{python}" -m bots.one')[1])
