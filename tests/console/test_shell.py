"""How commands read their options and how they end."""

import io
import os
import signal
import subprocess
import sys
import unittest
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

from tests.kit import samples
from traffic_lights.console import shell
from traffic_lights.storage.files import StorageError
from traffic_lights.storage.folders import parse_path
from traffic_lights.storage.kinds import Whole


def walk(arguments: Sequence[str]) -> int:
    parser = shell.Parser("walk", "Go somewhere.")
    parser.add_argument("--steps", type=shell.typed(Whole(1)))
    parser.add_argument("--to", type=parse_path)
    options = parser.parse_args(arguments)
    shell.say(f"to {options.to}")
    shell.remark("done")
    return 7


def outcome(main: Any, *arguments: str) -> tuple[int, str, str]:
    """Return (status, standard output, standard error) of running *main* as a command."""
    return samples.outcome(partial(shell.run, "walk", main), *arguments)


ENDS: tuple[tuple[str | BaseException, int, str], ...] = (
    (shell.CommandError("no such street"), 2, "walk: no such street\n"),
    (StorageError("cannot read map"), 2, "walk: cannot read map\n"),
    (KeyboardInterrupt(), 130, "walk: interrupted\n"),
    (OSError(28, "No space left", "/file"), 2, r"walk: No space left \(/file\)" "\n"),
    (BrokenPipeError(32, "Broken pipe"), 0, ""),
    (MemoryError(), 2, "walk: .*not enough memory.*\n"),
    ("--to town", 7, "to town\ndone\n"),
    ("--help", 0, r"(?s:usage: .* -m traffic_lights.walk .*)"),
    ("--fly", 2, ".*--fly.*\n"),
    ("--step 3", 2, ".*--step .*\n"),
    ("--steps", 2, ".*--steps.*\n"),
    ("--steps many", 2, ".*'many' must be a whole number of at least 1.*\n"),
    ("--to ", 2, ".*'' is not the name of a file or folder.*\n"),
)
"""What stops a command, or how it is called, and how it ends then: status and all that is said."""


class EndTests(unittest.TestCase):
    def test_a_command_ends_with_a_status_and_if_it_must_with_one_sentence(self) -> None:
        for case, expected, text in ENDS:
            with self.subTest(case=case):
                if isinstance(case, str):
                    status, out, err = outcome(walk, *case.split(" "))
                else:
                    status, out, err = outcome(mock.Mock(side_effect=case))
                self.assertEqual(status, expected)
                self.assertRegex(out + err, rf"\A{text}\Z")
                self.assertEqual(out, "" if status in (2, 130) else out)
        self.assertRaises(ZeroDivisionError, outcome, lambda _: 1 // 0)

    def test_a_termination_interrupts_or_first_asks_to_stop(self) -> None:
        names = ("SIGINT", "SIGTERM", "SIGHUP")  # Windows has no SIGHUP
        for number in (one for one in signal.Signals if one.name in names):

            def main(_: Sequence[str], number: int = number) -> None:
                with self.assertRaises(KeyboardInterrupt):
                    signal.raise_signal(number)
                with shell.stop_signals() as is_stopped:
                    self.assertFalse(is_stopped())
                    signal.raise_signal(number)
                    self.assertTrue(is_stopped())
                    signal.raise_signal(number)

            # A suite that nohup started ignores SIGHUP.
            self.addCleanup(signal.signal, number, signal.signal(number, signal.SIG_DFL))
            self.assertEqual(outcome(main), (130, "", "walk: interrupted\n"))
            self.assertEqual(signal.getsignal(number), signal.SIG_DFL)

    def test_a_reader_that_leaves_early_is_no_error(self) -> None:
        code = (
            "from traffic_lights.console.shell import run, say\n"
            "raise SystemExit(run('walk', lambda _: [say('x' * 999) for _ in range(999)] and 0))"
        )
        with samples.start_python("-c", code, stderr=subprocess.PIPE) as process:
            self.assertEqual(process.stdout.read(1), "x")
            process.stdout.close()
            self.assertEqual((process.stderr.read(), process.wait()), ("", 0))

    def test_a_byte_order_mark_is_dropped_and_a_byte_that_is_no_text_is_shown(self) -> None:
        for encoding in ("utf-8", "cp1252", "ascii"):
            stream = io.TextIOWrapper(io.BytesIO(b"\xef\xbb\xbfb2\r\n\x8fx\n"), encoding)
            with mock.patch.object(sys, "stdin", stream):
                lines = [shell.read_line() for _ in range(3)]
            self.assertEqual(lines, ["b2\n", "\ufffdx\n", ""])

    @unittest.skipIf(os.name == "nt", "needs a shell of POSIX")
    def test_an_installed_command_names_installed_commands_and_others_name_modules(self) -> None:
        words = """'a '"'"'b'"'"' $c' ./-d"""
        for started, named in (
            ("/bin/traffic-lights-train", "traffic-lights-solve"),
            ("traffic-lights-walk.exe", "traffic-lights-solve"),
            ("traffic_lights/train.py", "python3 -m traffic_lights.solve"),
            ("-c", "python3 -m traffic_lights.solve"),
            ("", "python3 -m traffic_lights.solve"),
        ):
            with mock.patch.object(sys, "argv", [started]):
                command = shell.shell_command("solve", Path("a 'b' $c"), Path("-d"))
            self.assertEqual(command, f"{named} {words}")
        with mock.patch.object(sys, "argv", ["/bin/traffic-lights"]):
            self.assertEqual(shell.shell_command("", "--text"), "traffic-lights --text")

    def test_progress_is_one_line_of_a_terminal_and_elsewhere_seldom_a_line(self) -> None:
        for is_terminal, times_s, expected in (
            (True, (0.05, 0.125, 0.2, 0.25), "\rafter 0.\rafter 0.\r        \r"),
            (True, (7.0,), "\rafter 7 \r        \r"),
            (False, (0.5, 5.0, 9.0, 10.0, 14.5), "after 5 s\nafter 10 s\n"),
        ):
            stream, clock = io.StringIO(), iter([0.0, *times_s])
            terminal = mock.patch.object(stream, "isatty", return_value=is_terminal)
            stderr = mock.patch.object(sys, "stderr", stream)
            size = mock.patch("shutil.get_terminal_size", return_value=os.terminal_size((9, 24)))
            now = partial(next, clock)
            with terminal, stderr, size, shell.Ticker(quiet=False, now=now) as ticker:
                for time_s in times_s:
                    ticker.tell(f"after {time_s:g} s")
            self.assertEqual(stream.getvalue(), expected)
