"""Training in a process of its own: what it reports, and how it stops, fails and dies."""

import multiprocessing
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any
from unittest import mock

from tests.kit.runs import train_in
from tests.kit.samples import PATIENCE_S, PROJECT
from traffic_lights.storage.files import LockedError
from traffic_lights.system.processes import Ended, Worker
from traffic_lights.training import gauge, plans, run, worker
from traffic_lights.training.bot_note import read_note
from traffic_lights.training.gauge import Measured
from traffic_lights.training.own_bots import Bots
from traffic_lights.training.progress import Moment
from traffic_lights.training.run import Training
from traffic_lights.training.worker import train_process

PROGRAM = """
import sys, time
from pathlib import Path
from traffic_lights.system.processes import Worker
from traffic_lights.training.worker import train_process
job = Worker(train_process, (Path(sys.argv[1]), {"plan": "random", "games": 10**9}))
while not job.poll():
    time.sleep(0.02)
print("training", flush=True)
time.sleep(600)
"""
SHORT: dict[str, Any] = {"plan": "random", "games": 200}
LONG: dict[str, Any] = {"plan": "random", "games": 10**9}


@contextmanager
def quickly() -> Iterator[None]:
    """Let every score in this process be that of a few games, and every batch be saved."""
    with (
        mock.patch.object(gauge, "SAMPLED_GAMES", 20),
        mock.patch.object(gauge, "exact_score", return_value=None),
        mock.patch.object(run, "SAVE_EVERY_S", 0.0),
    ):
        yield


class ThreadWorker(Worker):
    """Works as a Worker does, in a thread of this process."""

    def _started(  # type: ignore[override]
        self, target: Callable[[Connection, Any], None], pipe: Connection, task: object
    ) -> threading.Thread:
        thread = threading.Thread(target=target, args=(pipe, task), daemon=True)
        thread.start()
        return thread


@contextmanager
def threads_for_processes() -> Iterator[None]:
    """Let what a process does work in a thread of this one, quickly."""
    with (
        quickly(),
        mock.patch.object(worker, "signal"),
        mock.patch.object(worker, "MEASURE_EVERY_S", 0.0),
    ):
        yield


def quick_training(pipe: Connection, task: tuple[Path, dict[str, Any]]) -> None:
    """Train as `train_process` does, but quickly, in a process that imports the program again."""
    with quickly():
        train_process(pipe, task)


class TrainingProcessTests(unittest.TestCase):
    def setUp(self) -> None:
        self.data = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.bots = Bots(self.data)
        self.folder = self.bots.create("One").folder
        self.messages: list[Moment | Measured | Ended] = []

    def start(self, wanted: dict[str, Any], *, is_real: bool = False) -> None:
        if is_real:
            self.job = Worker(quick_training, (self.folder, wanted))
        else:
            self.enterContext(threads_for_processes())
            self.job = ThreadWorker(train_process, (self.folder, wanted))
        self.addCleanup(self.job.close)

    def train(self, wanted: dict[str, Any]) -> None:
        self.start(wanted)
        self.assertEqual(self.wait_for(Ended), Ended())

    def wait_for(self, kind: type[Moment | Measured | Ended]) -> Any:
        give_up_at = time.monotonic() + PATIENCE_S
        while time.monotonic() < give_up_at:
            new = self.job.poll()
            self.messages += new
            for message in new:
                if isinstance(message, kind):
                    return message
                self.assertNotIsInstance(message, Ended)
            time.sleep(0.02)
        self.fail(f"no {kind.__name__}")

    def test_a_run_reports_until_it_ends_and_its_bot_is_complete(self) -> None:
        self.train(SHORT)
        moments = [message for message in self.messages if isinstance(message, Moment)]
        self.assertEqual(
            (moments[-1].games, moments[-1].saved_games, moments[-1].share), (200, 200, 1)
        )
        measured = [message for message in self.messages if isinstance(message, Measured)]
        self.assertEqual((measured[-1].games, measured[-1].opponent), (200, "random"))
        last = {p.games: p.first for p in measured}
        self.assertEqual({p.games: p.first for p in read_note(self.folder).points}, last)
        (bot,) = self.bots.all()
        self.assertEqual((bot.games, bot.problem), (200, ""))

    def test_a_student_sees_the_exploration_and_the_size_of_the_updates_that_explain_a_curve(
        self,
    ) -> None:
        self.enterContext(mock.patch.object(plans, "BATCH", 10))
        wanted = {"plan": "random", "games": 40, "epsilon_decay": 0.99, "alpha": 0.5}
        self.train(wanted)
        start, *points = read_note(self.folder).points
        self.assertEqual((start.epsilon, start.moved), (0.2, None))
        for point in points:
            self.assertAlmostEqual(point.epsilon or 0, max(0.15, 0.2 * 0.99**point.games))
        straight = train_in(self.data / "straight", wanted)
        games = [point.games for point in (start, *points)]
        moved = [
            (point.moved or 0) * (b - a)
            for point, (a, b) in zip(points, pairwise(games), strict=True)
        ]
        self.assertAlmostEqual(sum(moved), straight.moved)
        self.assertGreater(points[-1].moved or 0, 0)

    @unittest.skipUnless(hasattr(signal, "SIGKILL"), "needs processes that can be killed")
    def test_a_killed_process_is_reported_and_nothing_saved_is_lost(self) -> None:
        self.start(LONG, is_real=True)
        while (moment := self.wait_for(Moment)).saved_games == 0:
            pass
        for process in multiprocessing.active_children():
            process.kill()
        self.assertIn("ended unexpectedly (status -9)", self.wait_for(Ended).error)
        with Training(self.folder, {}) as training:
            self.assertGreaterEqual(training.games, moment.saved_games)

    @unittest.skipUnless(hasattr(signal, "SIGKILL"), "needs processes that can be killed")
    def test_the_process_saves_and_ends_when_its_program_is_killed(self) -> None:
        with subprocess.Popen(
            [sys.executable, "-c", PROGRAM, str(self.folder)],
            cwd=PROJECT, stdout=subprocess.PIPE,
        ) as program:  # fmt: skip
            assert program.stdout is not None
            self.assertEqual(program.stdout.readline(), b"training\n")
            program.kill()
        self.assertGreater(self.games_when_free(), 0)
        self.assertFalse((self.folder / "qtable.json").exists(), "nobody waits for it")

    def games_when_free(self) -> int:
        """Return the games of the run when no process has its folder any more."""
        give_up_at = time.monotonic() + PATIENCE_S
        while time.monotonic() < give_up_at:
            try:
                with Training(self.folder, {}) as training:
                    return training.games
            except LockedError:
                time.sleep(0.05)
        self.fail("the process goes on")
