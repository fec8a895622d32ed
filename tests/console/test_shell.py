import contextlib
import io
import os
import signal
import subprocess
import sys
import time
import unittest
from argparse import ArgumentTypeError
from collections.abc import Sequence
from pathlib import Path

from tests.kit.samples import PROJECT, nobody_reading
from traffic_lights.console.shell import (
    CommandError,
    Parser,
    conclude,
    file_path,
    fraction,
    remark,
    run,
    say,
    whole_number,
)
from traffic_lights.storage.files import StorageError


def outcome(main: object, *arguments: str) -> tuple[int, str, str]:
    """Return (status, standard output, standard error) of running *main* as a command."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = run("walk", main, arguments)  # type: ignore[arg-type]
    return status, out.getvalue(), err.getvalue()


def stopped_by(error: BaseException) -> tuple[int, str, str]:
    def main(_: Sequence[str]) -> int:
        raise error

    return outcome(main)


class RunTests(unittest.TestCase):
    def test_status_and_text_of_the_command_come_through(self) -> None:
        def main(arguments: Sequence[str]) -> int:
            say(" ".join(arguments))
            remark("done")
            return 7

        self.assertEqual(outcome(main, "to", "town"), (7, "to town\n", "done\n"))

    def test_what_stops_a_command_is_one_sentence_and_a_status(self) -> None:
        full = OSError(28, "No space left on device", "/some/file")
        for error, status, text in (
            (CommandError("no such street"), 2, "walk: no such street\n"),
            (StorageError("cannot read map"), 2, "walk: cannot read map\n"),
            (KeyboardInterrupt(), 130, "walk: interrupted\n"),
            (
                UnicodeEncodeError("ascii", "caf\xe9", 3, 4, "no"),
                2,
                "walk: 'caf\\xe9' cannot be a name where names are ascii\n",
            ),
            (full, 2, "walk: No space left on device (/some/file)\n"),
            (BrokenPipeError(32, "Broken pipe"), 0, ""),
        ):
            with self.subTest(error=repr(error)):
                self.assertEqual(stopped_by(error), (status, "", text))

    def test_a_reader_that_has_left_changes_no_status(self) -> None:
        def main(words: Sequence[str]) -> int:
            if "early" in words:
                say("so far")
            if "unwritten" in words:
                print("at last")
                return 130
            return conclude("at last", 130)

        for word, status in (("early", 0), ("unwritten", 130), ("", 130)):
            with self.subTest(word), nobody_reading() as out, contextlib.redirect_stdout(out):
                self.assertEqual(run("walk", main, [word]), status)

    @unittest.skipIf(os.name == "nt", "there a terminated process is gone at once")
    def test_being_terminated_is_an_interrupt_after_which_main_can_tidy_up(self) -> None:
        before = signal.getsignal(signal.SIGTERM)
        tidied: list[bool] = []

        def main(_: Sequence[str]) -> int:
            try:
                os.kill(os.getpid(), signal.SIGTERM)
                time.sleep(10)
            finally:
                tidied.append(True)
            return 0

        self.assertEqual(outcome(main), (130, "", "walk: interrupted\n"))
        self.assertEqual((tidied, signal.getsignal(signal.SIGTERM)), ([True], before))

    def test_too_little_memory_is_said_with_what_is_needed(self) -> None:
        status, out, err = stopped_by(MemoryError())
        self.assertEqual((status, out, err.count("\n")), (2, "", 1))
        self.assertRegex(err, "^walk: there is not enough memory: training needs about 230 MB")

    @unittest.skipUnless(hasattr(signal, "SIGHUP"), "needs the signals of POSIX")
    def test_being_hung_up_on_is_an_interrupt_unless_it_is_ignored(self) -> None:
        def main(_: Sequence[str]) -> int:
            os.kill(os.getpid(), signal.SIGHUP)
            return 0

        started_with = signal.getsignal(signal.SIGHUP)
        self.addCleanup(signal.signal, signal.SIGHUP, started_with)
        for handler, status in ((signal.SIG_DFL, 130), (signal.SIG_IGN, 0)):
            signal.signal(signal.SIGHUP, handler)
            self.assertEqual(outcome(main)[0], status)
            self.assertEqual(signal.getsignal(signal.SIGHUP), handler)

    def test_a_mistake_in_the_program_is_not_hidden(self) -> None:
        with self.assertRaises(ZeroDivisionError):
            stopped_by(ZeroDivisionError())

    def test_usage_errors_name_the_option_and_help_succeeds(self) -> None:
        def main(arguments: Sequence[str]) -> int:
            parser = Parser("walk", "Go somewhere.")
            parser.add_argument("--steps", type=whole_number(1))
            parser.parse_args(arguments)
            return 0

        for arguments, fragment in (
            (["--fly"], "--fly"),
            (["--step", "3"], "--step"),
            (["--steps"], "--steps"),
            (["--steps", "many"], "'many' is not a whole number of 1 or more"),
        ):
            with self.subTest(arguments=arguments):
                status, out, err = outcome(main, *arguments)
                self.assertEqual((status, out, err.count("\n")), (2, "", 1))
                self.assertIn(fragment, err)
        status, out, err = outcome(main, "--help")
        self.assertEqual((status, err), (0, ""))
        self.assertIn("usage: python -m traffic_lights.walk", out)


class OptionTests(unittest.TestCase):
    def test_what_is_given_is_told_from_what_is_usual(self) -> None:
        parser = Parser("walk", "Go somewhere.")
        parser.add_argument("--steps", type=whole_number(0), default=3)
        parser.add_argument("--by-night", action="store_true")
        parser.add_argument("--past", action="append", default=[])
        for words, expected in (
            ("", []),
            ("--steps 3", ["steps"]),
            ("--steps 0 --by-night", ["steps", "by_night"]),
            ("--past a --past b", ["past"]),
        ):
            options, given = parser.parse_given(words.split())
            self.assertEqual(
                (vars(options), given), (vars(parser.parse_args(words.split())), expected)
            )
        self.assertEqual(options.past, ["a", "b"])

    def test_whole_numbers_in_range_are_read_and_nothing_else_is(self) -> None:
        read = whole_number(1, 1000)
        self.assertEqual([read("1"), read("1,000"), read("007")], [1, 1000, 7])
        endless = "9" * 5000, "9" + ",999" * 2000
        for text in ("0", "1001", "-3", "", "1.0", "1e2", "x", "1_00", "٣", *endless):
            with self.subTest(text=text[:10]), self.assertRaises(ArgumentTypeError) as caught:
                read(text)
            self.assertLess(len(str(caught.exception)), 120)

    def test_fractions_in_range_are_read_and_nothing_else_is(self) -> None:
        self.assertEqual([fraction()("0"), fraction(above_zero=True)("1.0")], [0.0, 1.0])
        for text in ("nan", "inf", "-0.1", "1.01", "", "half", "٠.٥", "0_1e-1", "1e999"):
            with self.subTest(text=text), self.assertRaises(ArgumentTypeError):
                fraction()(text)
        with self.assertRaises(ArgumentTypeError):
            fraction(above_zero=True)("0")

    def test_paths_are_never_the_current_folder_by_accident(self) -> None:
        self.assertEqual(file_path("some/file"), Path("some/file"))
        self.assertEqual(file_path("~/file"), Path.home() / "file")
        # On Windows the homes of others are guessed, not looked up.
        nobodys = ("~nobody-of-this-name/file",) if os.name == "posix" else ()
        for text in ("", *nobodys, "a\0b"):
            with self.subTest(text=text), self.assertRaises(ArgumentTypeError):
                file_path(text)


LOUD_COMMAND = """
import sys
from traffic_lights.console.shell import remark, run, say
def main(arguments):
    remark("starting")
    for number in range(20000):
        say(f"line {number}")
    return 0
sys.exit(run("loud", main))
"""


OPENING_COMMAND = """
import os, sys
from traffic_lights.console.shell import run, say
def main(arguments):
    say(str(os.open(os.devnull, os.O_RDONLY) > 2))
    return 0
sys.exit(run("opening", main))
"""


@unittest.skipIf(os.name == "nt", "streams are closed here as POSIX shells do it")
class StreamTests(unittest.TestCase):
    def shell(self, command: str) -> subprocess.CompletedProcess[str]:
        environment = {
            **os.environ,
            "PYTHON": sys.executable,
            "LOUD": LOUD_COMMAND,
            "OPENING": OPENING_COMMAND,
        }
        return subprocess.run(
            ["/bin/sh", "-c", command],
            cwd=PROJECT, env=environment, capture_output=True, text=True, timeout=300, check=False,
        )  # fmt: skip

    def test_a_reader_that_leaves_is_no_error(self) -> None:
        done = self.shell('{ "$PYTHON" -c "$LOUD"; echo "status $?" >&2; } | head -1')
        self.assertEqual((done.stdout, done.stderr), ("line 0\n", "starting\nstatus 0\n"))

    def test_files_do_not_take_the_numbers_of_closed_streams(self) -> None:
        done = self.shell('"$PYTHON" -c "$OPENING" <&- 2>&-')
        self.assertEqual((done.returncode, done.stdout), (0, "True\n"))

    def test_complaints_that_nobody_hears_do_not_go_to_the_output(self) -> None:
        done = self.shell('"$PYTHON" -m traffic_lights.train --games 0 2>&-')
        self.assertEqual((done.returncode, done.stdout), (2, ""))

    def test_closed_streams_are_no_error(self) -> None:
        done = self.shell('"$PYTHON" -c "$LOUD" >&- 2>&-')
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    @unittest.skipUnless(Path("/dev/full").exists(), "needs a device that is always full")
    def test_a_full_disk_under_the_output_is_said_once(self) -> None:
        done = self.shell('"$PYTHON" -c "$LOUD" >/dev/full')
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr, "starting\nloud: No space left on device\n")

    @unittest.skipUnless(Path("/dev/full").exists(), "needs a device that is always full")
    def test_a_full_disk_is_noticed_at_the_very_end_too(self) -> None:
        quiet = LOUD_COMMAND.replace("say(f", "print(f").replace("20000", "3")
        done = self.shell(f"\"$PYTHON\" -c '{quiet}' >/dev/full")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr, "starting\nloud: No space left on device\n")

    @unittest.skipUnless(Path("/dev/full").exists(), "needs a device that is always full")
    def test_what_an_interrupt_finds_unwritten_does_not_change_the_status(self) -> None:
        stopped = LOUD_COMMAND.replace("say(f", "print(f").replace("20000", "3")
        stopped = stopped.replace("return 0", "raise KeyboardInterrupt")
        done = self.shell(f"unset PYTHONUNBUFFERED; \"$PYTHON\" -c '{stopped}' >/dev/full")
        self.assertEqual((done.returncode, done.stderr), (130, "starting\nloud: interrupted\n"))

    @unittest.skipUnless(Path("/dev/full").exists(), "needs a device that is always full")
    def test_remarks_that_nobody_can_read_stop_nothing(self) -> None:
        done = self.shell('"$PYTHON" -c "$LOUD" 2>/dev/full | tail -1')
        self.assertEqual(done.stdout, "line 19999\n")
