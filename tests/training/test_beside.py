"""Runs whose commits are made by a process beside end as those that save by themselves."""

import errno
import os
import random
import signal
import subprocess
import sys
import time
import unittest
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final
from unittest import mock

from tests.kit.runs import (
    BATCH,
    LIMITED,
    REVERSE,
    Script,
    Told,
    digest,
    finish,
    folder,
    in_child,
    tiny,
    undisturbed,
)
from tests.kit.samples import IS_SLOW_RUN
from traffic_lights.storage.log import LogReader
from traffic_lights.training import committer as commitprocess
from traffic_lights.training import folder as runfiles
from traffic_lights.training import old_run as training
from traffic_lights.training.committer import CommitterBeside
from traffic_lights.training.events import Progressed, Saved, Stop, Stopped
from traffic_lights.training.old_run import OldTraining as Training


@unittest.skipUnless(commitprocess.IS_POSSIBLE, "needs the processes of POSIX")
class TrainingBesideTests(unittest.TestCase):
    """Runs that save by another process end as those that save by themselves."""

    def setUp(self) -> None:
        self.enterContext(tiny())
        self.expected = undisturbed(LIMITED)[0]
        self.enterContext(mock.patch.object(training, "SMALL_RUN", 0))
        self.folder = self.enterContext(folder())

    def begun(self) -> Training:
        wanted = LIMITED[0].wanted
        return Training(self.folder, wanted, now=lambda: 0.0, commit_every_games=BATCH)

    def logged(self) -> int:
        """Return the game up to which the log on the disk goes."""
        with closing(LogReader(self.folder / "qtable_deltas.jsonl")) as reader:
            return max(int(commit.content["games"]) for commit in reader.commits())

    def test_the_tables_are_the_same_and_every_commit_is_said(self) -> None:
        with self.begun() as run:
            saved = [event.games for event in run.run() if isinstance(event, Saved)]
        self.assertEqual(digest(self.folder), self.expected)
        self.assertEqual(saved, sorted(set(saved)))
        self.assertEqual(saved[-1], LIMITED[0].wanted["games"])
        self.assertGreater(len(saved), 5)

    def test_a_run_goes_on_when_the_process_is_killed(self) -> None:
        saved: list[int] = []
        with self.begun() as run:
            for event in run.run():
                if isinstance(event, Saved):
                    saved.append(event.games)
                    committer = run.files._committer
                    assert isinstance(committer, CommitterBeside)
                    committer._process.kill()
        self.assertEqual(digest(self.folder), self.expected)
        self.assertEqual(saved[-1], LIMITED[0].wanted["games"])

    def test_a_run_that_is_left_in_the_middle_goes_on(self) -> None:
        told = Told()
        with self.begun() as run:
            told.saved = next(event.games for event in run.run() if isinstance(event, Saved))
        finish(self.folder, LIMITED, told, self.expected)
        self.assertEqual(told.problems, [])

    def test_a_run_asked_to_stop_says_that_all_is_saved(self) -> None:
        for how in (Stop.COMMIT, Stop.FOLD):
            with self.begun() as run:
                *_, saved, stopped = run.run(lambda how=how: how)  # type: ignore[misc]
            assert isinstance(saved, Saved)
            self.assertEqual(stopped, Stopped(saved.games))

    def test_a_commit_is_due_after_so_many_deltas(self) -> None:
        with (
            mock.patch.object(training, "MOST_UNSAVED", 20),
            Training(self.folder, LIMITED[0].wanted, now=lambda: 0.0) as run,
        ):
            saved = [event.games for event in run.run() if isinstance(event, Saved)]
        self.assertGreater(len(saved), 1)
        self.assertEqual(digest(self.folder), self.expected)

    def test_the_end_is_saved_once(self) -> None:
        for every in (1, BATCH, 10 * BATCH):
            with (
                folder() as where,
                Training(
                    where, LIMITED[0].wanted, now=lambda: 0.0, commit_every_games=every
                ) as run,
            ):
                ends = [
                    event.games
                    for event in run.run()
                    if isinstance(event, Saved) and run.is_all_saved and run.state.is_finished
                ]
            self.assertEqual(ends, [LIMITED[0].wanted["games"]])

    def test_a_pause_comes_when_all_is_saved(self) -> None:
        with self.begun() as run:
            asked, paused = [Stop.NO], 0
            for event in run.run(lambda: asked[-1]):
                if isinstance(event, Saved) and asked[-1] is Stop.PAUSE:
                    if run.is_all_saved:
                        self.assertEqual(self.logged(), run.state.progress.games)
                        asked.append(Stop.NO)
                        paused += 1
                elif isinstance(event, Progressed):
                    asked.append(Stop.PAUSE)
        self.assertGreater(paused, 5)
        self.assertEqual(digest(self.folder), self.expected)

    def test_a_log_is_closed_before_it_is_put_aside(self) -> None:
        with self.begun() as run:
            for event in run.run():
                if isinstance(event, Saved):
                    committer = run.files._committer
            assert isinstance(committer, CommitterBeside)
            self.assertIsNotNone(committer._process.poll())

    def test_without_another_process_it_saves_by_itself(self) -> None:
        error = OSError(errno.EAGAIN, "Resource temporarily unavailable")
        with mock.patch.object(subprocess, "Popen", side_effect=error), self.begun() as run:
            list(run.run())
            self.assertEqual(digest(self.folder), self.expected)


STRIKES: Final = (None, getattr(signal, "SIGKILL", None), getattr(signal, "SIGSTOP", None))
"""What happens to the process beside, before its trainer is killed, where there are signals."""


@contextmanager
def struck(number: int, at: int, after_s: float, note: Path) -> Iterator[None]:
    """Have the process beside get signal *number* so long after its request *at*; *note* names it.

    Or before that request, if *after_s* is 0.
    """
    start = CommitterBeside.start
    requests = 0

    def start_and_strike(committer: CommitterBeside, request: Any) -> None:
        nonlocal requests
        if after_s:
            start(committer, request)
            time.sleep(after_s)
        if requests == at:
            note.write_text(str(committer._process.pid))
            os.kill(committer._process.pid, number)
        requests += 1
        if not after_s:
            start(committer, request)

    with mock.patch.object(CommitterBeside, "start", start_and_strike):
        yield


@unittest.skipUnless(commitprocess.IS_POSSIBLE, "needs the processes of POSIX")
class KilledBesideTests(unittest.TestCase):
    def setUp(self) -> None:
        self.enterContext(tiny())
        self.enterContext(mock.patch.object(runfiles, "PATIENCE_S", 600))
        self.rng = random.Random(7)
        self.kills = dict.fromkeys(STRIKES, 0)

    def test_whoever_is_killed_or_suspended_it_ends_as_if_nobody_had_been(self) -> None:
        problems: list[str] = []
        for script in (LIMITED, REVERSE):
            expected = undisturbed(script)[0]
            rounds, before = 0, sum(self.kills.values())
            with mock.patch.object(training, "SMALL_RUN", 0):
                # Measured each time: a machine that others leave alone again becomes faster.
                while rounds < (200 if IS_SLOW_RUN else 3) or sum(self.kills.values()) < before + 4:
                    problems += self.survived(script, expected, self.seconds_of(script))
                    rounds += 1
        trainer, beside, suspended = self.kills.values()
        print(
            f"[durability] {trainer:,} random kills of trainers that save beside, {beside:,} of "
            f"the process beside, {suspended:,} of trainers while that was suspended",
            file=sys.stderr,
        )
        self.assertEqual(problems, [])

    def seconds_of(self, script: Script) -> float:
        """Return how long *script* takes in a child."""
        with folder() as where:
            started_s = time.monotonic()
            self.assertEqual(in_child(where, script, Told()), 0)
            return time.monotonic() - started_s

    def survived(self, script: Script, expected: dict[str, str], seconds: float) -> list[str]:
        """Play *script* through kills to its end; return the problems."""
        told = Told()
        with folder() as where:
            where.mkdir(parents=True)
            wakers: list[subprocess.Popen[bytes]] = []
            while told.session < len(script):
                # On a machine that has become slower it comes to its end all the same.
                seconds *= 1.1
                wakers += self.killed(where, script, told, self.rng.uniform(0, seconds))
            for waker in wakers:
                waker.wait()
            finish(where, script, told, expected)
        return told.problems

    def killed(
        self, where: Path, script: Script, told: Told, after_s: float
    ) -> list[subprocess.Popen[bytes]]:
        """Go on with *script* until it is over or killed; return who wakes what is suspended."""
        strike, note = self.rng.choice(STRIKES), where.parent / "beside"
        note.unlink(missing_ok=True)
        strike_after_s = self.rng.choice((0, self.rng.uniform(0, 0.005)))
        meddler = struck(strike, self.rng.randrange(5), strike_after_s, note) if strike else None
        status = in_child(where, script, told, meddler, after_s)
        self.assertIn(status, (0, -signal.SIGKILL))
        is_struck = note.exists()
        if strike is signal.SIGKILL:
            self.kills[strike] += is_struck
        self.kills[strike if strike is signal.SIGSTOP and is_struck else None] += status != 0
        if strike is not signal.SIGSTOP or not is_struck:
            return []
        command = f"sleep {self.rng.uniform(0, 0.1):.3f}; kill -CONT {note.read_text()}"
        return [subprocess.Popen(["/bin/sh", "-c", command], stderr=subprocess.DEVNULL)]
