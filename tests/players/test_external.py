"""Whatever an external program does, it only loses its game. Each bot here is a real process."""

import contextlib
import os
import random
import sys
import threading
import unittest
from pathlib import Path
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
HOSTILE_AT_GO: tuple[tuple[float, str, str], ...] = (
    (BOUND_S, "say('move a1')", r"answered a1, but a1 is red in 3000\d{8}"),
    (BOUND_S, "sys.stdout.write('move b'); sys.stdout.flush(); os._exit(0)",
     "answered 'b', which is not a cell"),
    (BOUND_S, "sys.stdout.write('x' * 1_000_000); sys.stdout.flush(); os._exit(1)",
     f"ended with exit status 1; it wrote '{'x' * 40}'{EXPECTED}"),
    (BOUND_S, "sys.stdout.buffer.write(b'move \\xe9\\x1b[2J\\n'); sys.stdout.flush()",
     r"answered '\\ufffd\\x1b\[2J', which is not a cell"),
    (BOUND_S, "say('bestmove c3'); os._exit(0)",
     f"ended with exit status 0; it wrote 'bestmove c3'{EXPECTED}"),
    (BOUND_S, r"os.write(2, b'x' * 500_000 + b'\n\xff\x1b[2Jlast words\n'); say('move 7')",
     "answered '7', .*; its standard error ends with '\N{REPLACEMENT CHARACTER} .2Jlast words'"),
    (0.5, "say('Move b2')", f"did not answer within 0.5 s; it wrote 'Move b2'{EXPECTED}"),
    (0.25, "while True: say('more')", f"did not answer within 0.25 s; it wrote 'more'{EXPECTED}"),
)  # fmt: skip
CHILD = "subprocess.Popen([sys.executable, '-c', \"open('pids', 'a').write(str(__import__('os')" \
    ".getpid()) + '\\\\n'); __import__('time').sleep(600)\"])"  # fmt: skip
"""Code that starts a child, which also notes its number."""


class ExternalTestCase(FolderTestCase):
    def bot(self, move_s: float = BOUND_S, **codes: str) -> ExternalBot:
        bot = ExternalBot(Program(write_bot(self.folder, **codes), move_s=move_s))
        self.addCleanup(bot.close)
        return bot

    def failure(self, bot: ExternalBot) -> str:
        """Return why *bot* fails when it has to move."""
        with self.assertRaises(PlayerError) as caught:
            bot.choose(parse_board("300000000001"))
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
        for move_s, code, expected in HOSTILE_AT_GO:
            with self.subTest(code=code), mock.patch.object(external, "MOST_LINES", 10):
                said = self.failure(self.bot(move_s, at_go=code))
                self.assertRegex(said, f"^Polite {expected}(; its standard error .*)?$")
                self.assert_all_gone(1)

    def test_a_program_that_is_not_there_or_does_not_begin(self) -> None:
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
        with mock.patch.object(external, "START_S", 0.2):
            said = self.failure(self.bot(at_start="time.sleep(600)"))
        expected = "did not answer within 0.2 s; does it flush each line?; expected 'ready'"
        self.assertEqual(said, f"bot {expected}")

    @unittest.skipUnless(os.name == "posix", "Wine does not end the children of a process")
    def test_a_bot_that_ignores_quit_is_killed_with_its_children(self) -> None:
        bot = self.bot(at_start=CHILD, at_quit="time.sleep(600)")
        bot.meet()
        wait_until(lambda: len(noted_pids(self.folder)) == 2, "the bot and its child have started")
        with mock.patch.object(external, "QUIT_S", 0.1):
            bot.close()
        self.assert_all_gone(2)

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
        with mock.patch.object(bot, "_answer", side_effect=KeyboardInterrupt):
            self.assertRaises(KeyboardInterrupt, bot.choose, EMPTY_BOARD)
        self.assert_all_gone(1)
        self.assertEqual(bot.choose(EMPTY_BOARD), 0)


class CommandTests(FolderTestCase):
    def test_a_program_or_script_is_found_from_any_folder_and_named_after_its_file(self) -> None:
        prog, script = self.folder / "prog", self.folder / "bots" / "one.py"
        self.enterContext(contextlib.chdir(self.folder))
        python = sys.executable
        script.parent.mkdir()
        script.touch()
        (self.folder / "sh").touch()  # a word that is not a file cannot be a script
        prog.write_text("#!/bin/sh\n")
        prog.chmod(0o755)
        cases: tuple[tuple[str, list[str], Path | None, str], ...] = (
            ("./prog --fast -x", [str(prog), "--fast", "-x"], prog, "prog"),
            (f"{prog} --fast", [str(prog), "--fast"], prog, "prog"),
            ("sh --fast other", ["sh", "--fast", "other"], None, "sh"),
            ("sh", ["sh"], None, "sh"),
            (f'"{python}" bots/one.py', [python, str(script)], script, "one"),
            (f'"{python}" -u "{script}" deep', [python, "-u", str(script), "deep"], script, "one"),
            (f'"{python}" -m bots.one', [python, "-m", "bots.one"], None, program_name(python)),
        )
        for command, words, file, name in cases[0 if os.name == "posix" else 4 :]:
            standing = standing_command(command)
            with contextlib.chdir("/"):
                self.assertEqual(parse_command(standing), (words, file))
            self.assertEqual(parse_command(command), (words, file))
            self.assertEqual(program_name(command), name)
