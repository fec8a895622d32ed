"""How commands read their options and how they end."""

import io
import os
import signal
import subprocess
import sys
import time
import unittest
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from unittest import mock

from tests.kit import samples
from tests.kit.samples import PROJECT
from traffic_lights.console import shell
from traffic_lights.storage.files import StorageError
from traffic_lights.storage.folders import parse_path
from traffic_lights.storage.kinds import Whole


def outcome(main: object, *arguments: str) -> tuple[int, str, str]:
    """Return (status, standard output, standard error) of running *main* as a command."""
    return samples.outcome(partial(shell.run, "walk", main), *arguments)  # type: ignore[arg-type]


def stopped_by(error: BaseException) -> tuple[int, str, str]:
    return outcome(mock.Mock(side_effect=error))


def walk(arguments: Sequence[str]) -> int:
    parser = shell.Parser("walk", "Go somewhere.")
    parser.add_argument("--steps", type=shell.typed(Whole(1)))
    parser.add_argument("--to", type=parse_path)
    options = parser.parse_args(arguments)
    shell.say(f"to {options.to}")
    shell.remark("done")
    return 7


class EndTests(unittest.TestCase):
    def test_what_stops_a_command_is_one_sentence_and_a_status(self) -> None:
        full = OSError(28, "No space left on device", "/some/file")
        for error, status, text in (
            (shell.CommandError("no such street"), 2, "walk: no such street\n"),
            (StorageError("cannot read map"), 2, "walk: cannot read map\n"),
            (KeyboardInterrupt(), 130, "walk: interrupted\n"),
            (full, 2, "walk: No space left on device (/some/file)\n"),
            (BrokenPipeError(32, "Broken pipe"), 0, ""),
        ):
            with self.subTest(error=repr(error)):
                self.assertEqual(stopped_by(error), (status, "", text))
        self.assertRegex(stopped_by(MemoryError())[2], r"^walk: .*not enough memory.*\n$")
        self.assertRaises(ZeroDivisionError, stopped_by, ZeroDivisionError())

    def test_options_are_read_usage_errors_name_them_and_help_succeeds(self) -> None:
        for arguments, fragment in (
            (["--fly"], "--fly"),
            (["--step", "3"], "--step"),
            (["--steps"], "--steps"),
            (["--steps", "many"], "'many' must be a whole number of at least 1"),
            (["--to", ""], "'' is not the name of a file or folder"),
        ):
            with self.subTest(arguments=arguments):
                status, out, err = outcome(walk, *arguments)
                self.assertEqual((status, out, err.count("\n")), (2, "", 1))
                self.assertIn(fragment, err)
        self.assertEqual(outcome(walk, "--to", "town"), (7, "to town\n", "done\n"))
        status, out, err = outcome(walk, "--help")
        self.assertEqual((status, err), (0, ""))
        self.assertIn(" -m traffic_lights.walk ", out)
        with mock.patch.object(sys, "argv", ["traffic-lights-walk.exe"]):
            self.assertIn("usage: traffic-lights-walk ", outcome(walk, "--help")[1])

    @unittest.skipIf(os.name == "nt", "a terminated process is gone at once there")
    def test_a_termination_is_an_interrupt_after_which_the_command_can_save(self) -> None:
        saved: list[int] = []
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):

            def main(_: Sequence[str], number: int = number) -> int:
                try:
                    os.kill(os.getpid(), number)
                    time.sleep(10)
                finally:
                    saved.append(number)
                return 0

            # A suite that nohup started ignores SIGHUP.
            before = signal.signal(number, signal.SIG_DFL)
            self.addCleanup(signal.signal, number, before)
            self.assertEqual(outcome(main), (130, "", "walk: interrupted\n"))
            self.assertEqual(signal.getsignal(number), signal.SIG_DFL)
        self.assertEqual(len(saved), 3)

    @unittest.skipIf(os.name == "nt", "needs a shell of POSIX")
    def test_a_reader_that_leaves_early_is_no_error(self) -> None:
        code = (
            "from traffic_lights.console.shell import run, say\n"
            "raise SystemExit(run('walk', lambda _: [say('x' * 999) for _ in range(999)] and 0))"
        )
        pipe = f'({sys.executable} -c "$CODE"; echo $? >&2) | head -c 1'
        done = subprocess.run(
            ["sh", "-c", pipe], env={**os.environ, "CODE": code}, cwd=PROJECT, check=True,
            capture_output=True, text=True,
        )  # fmt: skip
        self.assertEqual((done.stdout, done.stderr), ("x", "0\n"))

    def test_the_first_signal_asks_to_stop_and_the_second_interrupts(self) -> None:
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)
        with self.assertRaises(KeyboardInterrupt), shell.stop_signals() as is_stopped:
            self.assertFalse(is_stopped())
            signal.raise_signal(signal.SIGINT)
            self.assertTrue(is_stopped())
            signal.raise_signal(signal.SIGINT)
        self.assertIs(signal.getsignal(signal.SIGINT), signal.default_int_handler)

    def test_a_byte_order_mark_is_dropped_and_a_byte_that_is_no_text_is_shown(self) -> None:
        for encoding in ("utf-8", "cp1252", "ascii"):
            stream = io.TextIOWrapper(io.BytesIO(b"\xef\xbb\xbfb2\r\n\x8fx\n"), encoding)
            with mock.patch.object(sys, "stdin", stream):
                self.assertEqual(shell.read_line(), "b2\n")
                self.assertEqual(shell.read_line(), "\ufffdx\n")
                self.assertEqual(shell.read_line(), "")

    @unittest.skipIf(os.name == "nt", "needs a shell of POSIX")
    def test_an_installed_command_names_installed_commands_and_others_name_modules(self) -> None:
        for started, named in (
            ("/bin/traffic-lights-train", "traffic-lights-solve"),
            ("traffic_lights/train.py", "python3 -m traffic_lights.solve"),
            ("-c", "python3 -m traffic_lights.solve"),
            ("", "python3 -m traffic_lights.solve"),
        ):
            with mock.patch.object(sys, "argv", [started]):
                command = shell.shell_command("solve", Path("a 'b' $c"), Path("-d"))
                self.assertEqual(command.removeprefix(f"{named} "), """'a '"'"'b'"'"' $c' ./-d""")
        with mock.patch.object(sys, "argv", ["/bin/traffic-lights"]):
            self.assertEqual(shell.shell_command("", "--text"), "traffic-lights --text")


class TickerTests(unittest.TestCase):
    def shown(self, times_s: Sequence[float], *, is_terminal: bool) -> str:
        """Return what a ticker shows that has a text to show at each of *times_s*."""
        stream = io.StringIO()
        with (
            mock.patch.object(stream, "isatty", return_value=is_terminal),
            mock.patch.object(sys, "stderr", stream),
            mock.patch("shutil.get_terminal_size", return_value=os.terminal_size((9, 24))),
        ):
            clock = iter([0.0, *times_s])
            with shell.Ticker(quiet=False, now=lambda: next(clock)) as ticker:
                for time_s in times_s:
                    ticker.tell(f"after {time_s:g} s")
        return stream.getvalue()

    def test_a_terminal_has_one_line_that_changes_ten_times_a_second_and_is_wiped(self) -> None:
        shown = self.shown((0.05, 0.125, 0.2, 0.25), is_terminal=True)
        self.assertEqual(shown, "\rafter 0." + "\rafter 0." + "\r        \r")
        self.assertEqual(self.shown((7.0,), is_terminal=True), "\rafter 7 " + "\r        \r")

    def test_elsewhere_there_is_a_line_every_five_seconds(self) -> None:
        shown = self.shown((0.5, 5.0, 9.0, 10.0, 14.5), is_terminal=False)
        self.assertEqual(shown, "after 5 s\nafter 10 s\n")
