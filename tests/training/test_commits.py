"""Commits made here and by a process beside: the same bytes and the same sentences."""

import io
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final
from unittest import mock

from tests.kit.samples import PROJECT
from traffic_lights.board.rules import LONGEST_GAME
from traffic_lights.learning.deltas import format_deltas
from traffic_lights.learning.episodes import Batch
from traffic_lights.storage.files import SizeLimitError, StorageError
from traffic_lights.storage.lock import FileLock, LockedError
from traffic_lights.storage.log import LARGEST_COMMIT, DeltaLog, LogReader
from traffic_lights.training import commits, plans
from traffic_lights.training import committer as commitprocess
from traffic_lights.training import folder as runfiles
from traffic_lights.training.commits import CommitterHere, Receipt, Request, Unsaved
from traffic_lights.training.committer import CommitterBeside
from traffic_lights.training.folder import RunFiles

EXACT = Batch(deltas=[27 << 5 | 4 << 1 | 1, 28 << 5 | 11 << 1])
GRADED = Batch(deltas=[(4**12 - 1) << 5 | 3 << 1 | 1], values=[1e-300])


def unsaved(*batches: Batch) -> Unsaved:
    """Return what *batches* changed."""
    result = Unsaved()
    for batch in batches:
        result.add(batch)
    return result


def requests() -> list[Request]:
    """Return requests of every kind: none, some, many deltas, with values and without."""
    contents = (
        unsaved(),
        unsaved(EXACT),
        unsaved(GRADED, EXACT, GRADED),
        unsaved(EXACT, GRADED),
        unsaved(*[EXACT] * 5000),
    )
    return [Request(u, {"number": i}, {"at": i}) for i, u in enumerate(contents)]


class UnsavedTests(unittest.TestCase):
    def test_batches_are_formatted_as_if_each_were_alone(self) -> None:
        for batches in ((EXACT,), (GRADED,), (EXACT, GRADED), (GRADED, EXACT, EXACT), ()):
            with self.subTest(batches=batches):
                together = b"".join(unsaved(*batches).formatted())
                alone = b"".join(format_deltas(b.deltas, b.values) for b in batches)
                self.assertEqual(together, alone)

    def test_no_commit_is_larger_than_a_reader_expects(self) -> None:
        longest = format_deltas([(4**12 - 1) << 5 | 11 << 1], [-1.2345678901234567e-100])
        batch = max(plans.GAMES_A_BATCH, plans.STARTS_A_BATCH) * LONGEST_GAME
        self.assertLess((commits.MOST_UNSAVED + batch) * len(longest), LARGEST_COMMIT)


class CommitterTestCase(unittest.TestCase):
    def setUp(self) -> None:
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name).resolve()
        self.log, self.checkpoint = self.folder / "log", self.folder / "checkpoint"

    @contextmanager
    def beside(self) -> Iterator[CommitterBeside]:
        """Yield a committer on a new log, which has a process of its own."""
        with FileLock(self.folder / "lock") as lock:
            log = DeltaLog.create(self.log, {"title": "a test"})
            committer = CommitterBeside(log, self.checkpoint, lock.descriptor)
            try:
                yield committer
            finally:
                committer.close()

    def results(self, committer: commits.Committer) -> tuple[list[Receipt | None], bytes, bytes]:
        """Have *committer* save; return its receipts, and what it wrote."""
        receipts = []
        for request in requests():
            committer.start(request)
            receipts.append(committer.receipt(wait=True))
            self.assertIsNone(committer.receipt(wait=True), "each receipt is given once")
        committer.close()
        return receipts, self.log.read_bytes(), self.checkpoint.read_bytes()


class CommitterHereTests(CommitterTestCase):
    def test_what_was_committed_can_be_read(self) -> None:
        log = DeltaLog.create(self.log, {"title": "a test"})
        receipts, written, _ = self.results(CommitterHere(log, self.checkpoint))
        with closing(LogReader(self.log)) as reader:
            for request, commit in zip(requests(), reader.commits(), strict=True):
                self.assertEqual(commit.records, b"".join(request.unsaved.formatted()))
                self.assertEqual(commit.content, request.content)
            self.assertEqual(receipts[-1], Receipt(len(written), reader.crc))


@unittest.skipUnless(commitprocess.IS_POSSIBLE, "needs the processes of POSIX")
class CommitterBesideTests(CommitterTestCase):
    def test_it_writes_the_same_bytes_as_the_one_here(self) -> None:
        log = DeltaLog.create(self.log, {"title": "a test"})
        here = self.results(CommitterHere(log, self.checkpoint))
        with self.beside() as committer:
            self.assertEqual(self.results(committer), here)

    def test_a_request_goes_through_the_pipe_unchanged(self) -> None:
        for request in requests():
            sent = b"".join(commitprocess._parts(request))
            self.assertEqual(commitprocess._read_request(io.BytesIO(sent)), request)

    def test_a_request_cut_anywhere_is_no_request(self) -> None:
        sent = b"".join(commitprocess._parts(requests()[2]))
        for size in range(len(sent)):
            self.assertIsNone(commitprocess._read_request(io.BytesIO(sent[:size])))

    def test_without_waiting_there_may_be_no_receipt_yet(self) -> None:
        with self.beside() as committer:
            self.assertIsNone(committer.receipt(wait=True))
            os.kill(committer._process.pid, signal.SIGSTOP)
            committer.start(requests()[1])
            self.assertIsNone(committer.receipt(wait=False))
            os.kill(committer._process.pid, signal.SIGCONT)
            self.assertIsNotNone(committer.receipt(wait=True))

    def test_closing_waits_for_what_was_started(self) -> None:
        with self.beside() as committer:
            committer.start(requests()[4])
            committer.close()
            with closing(LogReader(self.log)) as reader:
                self.assertEqual([c.content for c in reader.commits()], [{"number": 4}])

    def test_the_signals_that_end_a_trainer_do_not_end_it(self) -> None:
        with self.beside() as committer:  # it is still starting when they come
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                os.kill(committer._process.pid, number)
            committer.start(requests()[2])
            self.assertIsNotNone(committer.receipt(wait=True))
            self.assertIsNone(committer._process.poll())
            self.assertNotEqual(os.getsid(committer._process.pid), os.getsid(0))

    def test_killed_at_any_moment_it_is_replaced_and_the_log_is_the_same(self) -> None:
        log = DeltaLog.create(self.log, {"title": "a test"})
        expected = self.results(CommitterHere(log, self.checkpoint))[1:]
        for victim in range(len(requests())):
            for moment in ("before", "stopped", "after"):
                with self.subTest(victim=victim, moment=moment), self.beside() as committer:
                    for number, request in enumerate(requests()):
                        if (number, moment) == (victim, "before"):
                            committer._process.kill()
                            committer._process.wait()
                        elif (number, moment) == (victim, "stopped"):
                            os.kill(committer._process.pid, signal.SIGSTOP)
                        committer.start(request)
                        if (number, moment) == (victim, "after"):
                            time.sleep(random.Random(victim).random() / 50)
                        if number == victim:
                            committer._process.kill()
                        self.assertIsNotNone(committer.receipt(wait=True))
                    committer.close()
                    written = self.log.read_bytes(), self.checkpoint.read_bytes()
                    self.assertEqual(written, expected)

    def test_it_never_comes_up_and_nothing_is_lost(self) -> None:
        log = DeltaLog.create(self.log, {"title": "a test"})
        expected = self.results(CommitterHere(log, self.checkpoint))
        program = mock.patch.object(commitprocess, "_PROGRAM", "raise SystemExit(1)")
        with program, self.beside() as committer:
            self.assertEqual(self.results(committer), expected)

    def test_an_error_is_said_in_the_same_words(self) -> None:
        import resource

        sentences = []
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
        try:
            for kind in ("here", "beside"):
                with self.beside() as beside:
                    log = DeltaLog(self.log, self.log.stat().st_size, 0)
                    committer = beside if kind == "beside" else CommitterHere(log, self.checkpoint)
                    with self.assertRaises(SizeLimitError) as caught:
                        committer.start(requests()[4])
                        committer.receipt(wait=True)
                    log.close()
                    sentences.append(str(caught.exception))
                    with closing(LogReader(self.log)) as reader:
                        self.assertEqual(reader.size, self.log.stat().st_size)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        self.assertEqual(*sentences)
        self.assertIn("may not grow larger here", sentences[0])

    def test_a_log_that_cannot_be_opened_is_said(self) -> None:
        log = DeltaLog.create(self.log, {})
        self.log.unlink()
        with FileLock(self.folder / "lock") as lock:
            committer = CommitterBeside(log, self.checkpoint, lock.descriptor)
            committer.start(requests()[0])
            with self.assertRaisesRegex(StorageError, "no such file or folder"):
                committer.receipt(wait=True)
            committer.close()

    def test_a_checkpoint_that_cannot_be_written_is_a_problem_and_no_error(self) -> None:
        self.checkpoint.mkdir()
        with self.beside() as committer:
            committer.start(requests()[1])
            receipt = committer.receipt(wait=True)
            assert receipt is not None
            self.assertIn("the log holds what is new", receipt.problem)


ORPHANING: Final = """
import os, signal, sys
from pathlib import Path
from tests.training.test_commits import requests
from traffic_lights.training.committer import CommitterBeside
from traffic_lights.storage.log import DeltaLog
from traffic_lights.storage.lock import FileLock

folder = Path(sys.argv[1])
lock = FileLock(folder / "lock")
lock.acquire()
log = DeltaLog.create(folder / "log", {})
committer = CommitterBeside(log, folder / "checkpoint", lock.descriptor)
os.kill(committer._process.pid, signal.SIGSTOP)
committer.start(requests()[4])
print(committer._process.pid, flush=True)
signal.pause()
"""


class InterruptedOpeningTests(CommitterTestCase):
    def test_who_is_interrupted_while_opening_a_folder_does_not_keep_it(self) -> None:
        files = RunFiles(self.folder)
        module = "traffic_lights.training.folder."
        for step in ("remove_leftovers", "try_write", "Witness"):
            with mock.patch(module + step, side_effect=KeyboardInterrupt):
                self.assertRaises(KeyboardInterrupt, files.open)
            with closing(RunFiles(self.folder)) as others:
                others.open()


@unittest.skipUnless(commitprocess.IS_POSSIBLE, "needs the processes of POSIX")
class OrphanTests(CommitterTestCase):
    def test_a_trainer_waits_for_what_outlived_the_one_before(self) -> None:
        held, order = FileLock(self.folder / "qtable.lock"), list[str]()

        def release() -> None:
            order.append("released")
            held.release()

        held.acquire()
        releaser = threading.Timer(0.2, release)
        releaser.start()
        with (
            mock.patch.object(runfiles, "PATIENCE_S", 600),
            closing(RunFiles(self.folder)) as files,
        ):
            files.open()
            order.append("opened")
        releaser.join()
        self.assertEqual(order, ["released", "opened"])

    def test_what_outlives_its_trainer_keeps_the_lock_until_it_has_saved(self) -> None:
        trainer = subprocess.Popen(
            [sys.executable, "-c", ORPHANING, str(self.folder)],
            cwd=PROJECT, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert trainer.stdout is not None
        with trainer.stdout:
            orphan = int(trainer.stdout.readline())
        trainer.kill()
        trainer.wait()
        lock = FileLock(self.folder / "lock")
        with self.assertRaises(LockedError):
            lock.acquire()
        waker = threading.Timer(0.1, os.kill, (orphan, signal.SIGCONT))
        waker.start()
        FileLock(self.folder / "lock", patience_s=600).acquire()
        waker.join()
        with closing(LogReader(self.log)) as reader:
            self.assertEqual([c.content for c in reader.commits()], [{"number": 4}])
