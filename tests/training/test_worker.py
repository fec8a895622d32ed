"""Training in a process of its own: what it reports, and how it stops, fails and dies."""

import multiprocessing
import signal
import unittest
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any
from unittest import mock

from tests.kit.runs import tiny, train_in
from tests.kit.samples import FolderTestCase, start_python, wait_until
from traffic_lights.storage.files import LockedError
from traffic_lights.system.processes import Ended, Worker
from traffic_lights.training import gauge, worker
from traffic_lights.training.bot_note import read_note
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
WANTED: dict[str, Any] = {"plan": "random", "games": 40, "epsilon_decay": 0.99, "alpha": 0.5}


def quick_training(pipe: Connection, task: tuple[Path, dict[str, Any]]) -> None:
    """Train as `train_process` does, but save and measure small batches, each by few games."""
    with (
        tiny(batch=10),
        mock.patch.object(gauge, "SAMPLED_GAMES", 20),
        mock.patch.object(gauge, "exact_score", return_value=None),
        mock.patch.object(worker, "MEASURE_EVERY_S", 0.0),
    ):
        train_process(pipe, task)


class TrainingProcessTests(FolderTestCase):
    def messages(self, wanted: dict[str, Any]) -> Iterator[Any]:
        """Train as *wanted* in a process, and yield what it reports until it ends."""
        job = Worker(quick_training, (self.folder, wanted))
        self.addCleanup(job.close)
        while not job.is_over:
            yield from wait_until(job.poll, "the process reports")

    def test_a_run_reports_until_it_ends_and_a_student_sees_what_explains_its_curve(self) -> None:
        *messages, ended = self.messages(WANTED)
        self.assertEqual(ended, Ended())
        *_, last = (message for message in messages if isinstance(message, Moment))
        self.assertEqual((last.run_games, last.saved_games, last.share), (40, 40, 1))
        sent = {one.games: one for one in messages if isinstance(one, gauge.Measured)}
        curve = read_note(self.folder).points
        self.assertEqual([*curve], [*sent.values()])
        self.assertEqual({point.opponent for point in curve}, {"random"})
        self.assertEqual((curve[0].games, curve[0].moved, curve[-1].games), (0, None, 40))
        moved = 0.0
        for before, point in pairwise(curve):
            self.assertAlmostEqual(point.epsilon or 0, max(0.15, 0.2 * 0.99**point.games))
            moved += (point.moved or 0) * (point.games - before.games)
        with tiny(batch=10):
            (straight,) = train_in(self.folder / "straight", WANTED)
        self.assertAlmostEqual(moved, straight.moved)
        self.assertGreater(curve[-1].moved or 0, 0)

    @unittest.skipUnless(hasattr(signal, "SIGKILL"), "needs processes that can be killed")
    def test_a_killed_process_is_reported_and_nothing_saved_is_lost(self) -> None:
        messages = self.messages({**WANTED, "games": 10**9})
        moment = next(one for one in messages if isinstance(one, Moment) and one.saved_games)
        for process in multiprocessing.active_children():
            process.kill()
        *_, ended = messages
        self.assertIn("ended unexpectedly (status -9)", ended.error)
        with Training(self.folder, {}) as training:
            self.assertGreaterEqual(training.games, moment.saved_games)

    @unittest.skipUnless(hasattr(signal, "SIGKILL"), "needs processes that can be killed")
    def test_the_process_saves_and_ends_when_its_program_is_killed(self) -> None:
        with start_python("-c", PROGRAM, str(self.folder)) as program:
            self.assertEqual(program.stdout.readline(), "training\n")
            program.kill()
        self.assertTrue(wait_until(self.games_when_free, "the process has ended"))
        self.assertFalse((self.folder / "qtable.json").exists(), "nobody waits for it")

    def games_when_free(self) -> int:
        """Return the games of the run, or 0 while a process has its folder."""
        with suppress(LockedError), Training(self.folder, {}) as training:
            return training.games
        return 0
