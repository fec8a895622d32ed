"""Signals, full and closed and read-only things: what the world does to a training process."""

import contextlib
import io
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from collections.abc import Callable
from pathlib import Path

from tests.kit.runs import (
    CHAIN,
    OPPONENTS,
    Script,
    Told,
    digest,
    finish,
    folder,
    fork,
    play,
    tiny,
    undisturbed,
)
from tests.kit.samples import IS_SLOW_RUN, PROJECT
from traffic_lights import train
from traffic_lights.console.interrupts import stop_signals
from traffic_lights.console.shell import INTERRUPTED
from traffic_lights.storage.files import SizeLimitError, StorageError
from traffic_lights.training.events import Stop
from traffic_lights.training.old_run import OldTraining as Training
from traffic_lights.training.troubles import StoppedError

SHORT = ("--opponent", "random", "--games", "2000", "--save-every", "1000")
RUN = ("--opponent", "random", "--games", "9000", "--seed", "4", "--save-every", "1000")

# Tests that were started to outlive their terminal ignore what a hang-up says; these hear it.
HELD = """
import contextlib, os, signal, sys, time
signal.signal(signal.SIGHUP, signal.SIG_DFL)
from traffic_lights import train
from traffic_lights.training.events import Stop

def saved_at():
    with contextlib.suppress(OSError):
        return os.stat(os.path.join(sys.argv[2], "qtable_checkpoint.json")).st_mtime_ns

@contextlib.contextmanager
def held(really=train.stop_signals, before=saved_at()):
    def hold():
        while saved_at() != before and asked() is Stop.NO:
            time.sleep(0.005)
        return asked()

    with really() as asked:
        yield hold

train.stop_signals = held
sys.exit(train.main(sys.argv[1:]))
"""
"""A trainer that goes on to its first save, and no further until it is told to stop."""


def status_of_child(work: Callable[[], object]) -> int:
    """Return the status of a child that did *work*: 0, or what ended it."""
    child = fork()
    if child == 0:
        status = 1
        try:
            work()
            status = 0
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@unittest.skipUnless(hasattr(os, "fork"), "needs the signals of POSIX")
class SignalTests(unittest.TestCase):
    def test_each_signal_asks_for_what_it_means(self) -> None:
        for number, expected in (
            (signal.SIGINT, Stop.FOLD), (signal.SIGTERM, Stop.COMMIT), (signal.SIGHUP, Stop.COMMIT),
        ):  # fmt: skip
            started_with = signal.signal(number, signal.SIG_DFL)  # nohup ignores one
            self.addCleanup(signal.signal, number, started_with)
            before = signal.getsignal(number)
            with self.subTest(signal=number.name), stop_signals() as asked:
                self.assertEqual(asked(), Stop.NO)
                os.kill(os.getpid(), number)
                self.assertEqual(asked(), expected)
            self.assertEqual(signal.getsignal(number), before)

    def test_a_second_interrupt_says_so_and_a_third_leaves_at_once(self) -> None:
        reading, writing = os.pipe()

        def interrupt_three_times() -> None:
            os.dup2(writing, 2)
            sys.stderr = io.TextIOWrapper(open(2, "wb", closefd=False))  # noqa: SIM115
            with stop_signals():
                for _ in range(3):
                    os.kill(os.getpid(), signal.SIGINT)

        self.assertEqual(status_of_child(interrupt_three_times), INTERRUPTED)
        os.close(writing)
        with os.fdopen(reading) as said:
            self.assertEqual(said.read().count("still saving"), 1)

    def test_a_process_that_is_to_outlive_its_terminal_does(self) -> None:
        before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
        try:
            with stop_signals() as asked:
                os.kill(os.getpid(), signal.SIGHUP)
                self.assertEqual(asked(), Stop.NO)
        finally:
            signal.signal(signal.SIGHUP, before)

    def test_a_run_stopped_by_signals_ends_as_if_it_had_not_been(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            whole, broken = Path(name, "whole"), Path(name, "broken off")
            process = self.start(whole)
            said, _ = process.communicate(timeout=300)
            self.assertEqual(process.returncode, 0, said)
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                before = self.saved_at(broken)
                process = self.start(broken, "-c", HELD)
                while self.saved_at(broken) == before and process.poll() is None:
                    time.sleep(0.005)
                process.send_signal(number)
                said, _ = process.communicate(timeout=300)
                self.assertEqual(process.returncode, INTERRUPTED, said)
                command = f" -m traffic_lights.train --dir {shlex.quote(str(broken))}"
                self.assertIn(command, said)
                self.assertNotIn("Traceback", said)
            process = self.start(broken)
            said, _ = process.communicate(timeout=300)
            self.assertEqual(process.returncode, 0, said)
            self.assertEqual(digest(broken), digest(whole))

    def start(self, where: Path, *program: str) -> "subprocess.Popen[str]":
        words = program or ("-m", "traffic_lights.train")
        return subprocess.Popen(
            [sys.executable, *words, "--dir", str(where), *RUN],
            cwd=PROJECT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip

    def saved_at(self, where: Path) -> int:
        path = where / "qtable_checkpoint.json"
        return path.stat().st_mtime_ns if path.exists() else 0


@unittest.skipUnless(hasattr(os, "fork"), "needs the limits of POSIX")
class LimitTests(unittest.TestCase):
    def setUp(self) -> None:
        self.enterContext(tiny())

    def test_a_limit_on_the_size_of_files_stops_with_a_sentence_and_loses_nothing(self) -> None:
        import resource

        script = OPPONENTS[0]
        expected, _, _ = undisturbed(script)
        stops = 0
        for limit in range(200, 4000, 100 if IS_SLOW_RUN else 450):

            def starve(where: Path, limit: int = limit) -> None:
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
                try:
                    play(where, script, Told())
                except StorageError as error:
                    cause = error.cause if isinstance(error, StoppedError) else error
                    os._exit(2 if isinstance(cause, SizeLimitError) else 1)

            with folder() as where, self.subTest(limit=limit):
                status = status_of_child(lambda where=where: starve(where))  # type: ignore[misc]
                self.assertIn(status, (0, 2))
                stops += status == 2
                told = Told()
                finish(where, script, told, expected)
                self.assertEqual(told.problems, [])
        self.assertGreater(stops, 2)

    def test_a_disk_that_fills_up_stops_with_a_sentence_and_loses_nothing(self) -> None:
        script = CHAIN
        expected, _, _ = undisturbed(script)
        disk = self.mount()
        for blocks in (1, 2, 3, 4, 5):
            with self.subTest(free_blocks=blocks):
                self.fill_up(disk, script, expected, blocks)

    def mount(self) -> Path:
        """Mount a disk of 256 kB in memory, if the system lets this user; return its folder."""
        # A machine that was hired for tests lets them be superuser; a person's is not asked.
        as_root = ["sudo", "-n"] if "CI" in os.environ and os.geteuid() != 0 else []
        if sys.platform != "linux" or (os.geteuid() != 0 and not as_root):
            self.skipTest("only the superuser of Linux may mount a small disk")
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        where = Path(temporary.name)
        try:
            subprocess.run(
                [*as_root, "mount", "-t", "tmpfs", "-o", "size=256k", "none", str(where)],
                capture_output=True, check=True,
            )  # fmt: skip
        except (OSError, subprocess.CalledProcessError):
            self.skipTest("the system mounts no disk here")
        self.addCleanup(subprocess.run, [*as_root, "umount", str(where)], check=True)
        return where

    def fill_up(self, disk: Path, script: Script, expected: dict[str, str], blocks: int) -> None:
        """Play on a disk with *blocks* free until it is full, make room, play on."""
        where, ballast = disk / "run", disk / "ballast"
        told = Told()
        size = os.statvfs(disk).f_bsize
        ballast.write_bytes(bytes((os.statvfs(disk).f_bavail - blocks) * size))
        with self.assertRaises(StorageError):
            play(where, script, told)
        ballast.unlink()
        finish(where, script, told, expected)
        self.assertEqual(told.problems, [])
        shutil.rmtree(where)

    @unittest.skipUnless(hasattr(os, "geteuid"), "needs the rights of POSIX")
    def test_a_read_only_folder_is_refused_before_the_first_game(self) -> None:
        with folder() as where:
            where.mkdir(parents=True)
            where.chmod(0o555)
            for parent in (where.parent, where.parent.parent):
                parent.chmod(0o755)

            def try_it() -> None:
                if os.geteuid() == 0:
                    os.seteuid(65534)
                try:
                    Training(where, {"programme": "random", "games": 20})
                except StorageError as error:
                    os._exit(2 if "not allowed" in str(error) else 3)

            self.assertEqual(status_of_child(try_it), 2)
            self.assertEqual(list(where.iterdir()), [])


class StreamTests(unittest.TestCase):
    def test_a_second_trainer_is_refused_in_a_sentence(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            err = io.StringIO()
            with Training(Path(name), {"programme": "random"}), contextlib.redirect_stderr(err):
                self.assertEqual(train.main(["--dir", name]), 2)
            self.assertEqual(err.getvalue().count("\n"), 1)
            self.assertIn("in use by another training run", err.getvalue())


class SameBytesTests(unittest.TestCase):
    def test_hash_seeds_and_other_pythons_make_the_same_bytes(self) -> None:
        results = set()
        pythons = {sys.executable, *other_pythons()} if IS_SLOW_RUN else {sys.executable}
        for python in sorted(pythons):
            for seed in ("1", "2"):
                for options in (SHORT, ("--opponent", "self", "--update", "bootstrap", "--alpha",
                                      "0.3", "--games", "300")):  # fmt: skip
                    with tempfile.TemporaryDirectory() as name:
                        subprocess.run(
                            [python, "-m", "traffic_lights.train", "--dir", name, *options],
                            env={**os.environ, "PYTHONHASHSEED": seed},
                            cwd=PROJECT, capture_output=True, timeout=300, check=True,
                        )  # fmt: skip
                        results.add((options, *digest(Path(name)).values()))
        print(f"[durability] {len(pythons)} Pythons, 2 hash seeds each", file=sys.stderr)
        self.assertEqual(len(results), 2)


def other_pythons() -> list[str]:
    """Return the interpreters of 3.11 and newer that pyenv or the path has."""
    found = [str(p) for p in Path.home().glob(".pyenv/versions/3.1[1-9]*/bin/python")]
    found += [path for minor in range(11, 20) if (path := shutil.which(f"python3.{minor}"))]
    return [
        path
        for path in found
        if not subprocess.run([path, "-c", "import sys; sys.exit(sys.version_info < (3, 11))"],
                              capture_output=True, check=False).returncode
    ]  # fmt: skip
