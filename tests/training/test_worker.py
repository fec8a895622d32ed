"""Training in a process of its own: what it reports, and how it stops, fails and dies."""

import multiprocessing
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from hashlib import sha256
from itertools import pairwise
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any
from unittest import mock

from tests.kit.quick import ThreadWorker, quickly, threads_for_processes
from tests.kit.runs import train_in
from tests.kit.samples import PATIENCE_S, PROJECT, all_starts, slow
from traffic_lights.learning.tablefile import read_meta, read_table
from traffic_lights.storage.files import LockedError
from traffic_lights.system.processes import Ended, Worker
from traffic_lights.training import plans, rerun
from traffic_lights.training.bot_note import read_note
from traffic_lights.training.folder import snapshot_path
from traffic_lights.training.gauge import Measured
from traffic_lights.training.own_bots import Bots
from traffic_lights.training.progress import Moment
from traffic_lights.training.rerun import milestones, table_after
from traffic_lights.training.run import Training
from traffic_lights.training.snapshots import kept_snapshots
from traffic_lights.training.worker import train_process

PROGRAM = """
import sys, time
from pathlib import Path
from traffic_lights.system.processes import Worker
from traffic_lights.training.worker import train_process
job = Worker(train_process, (Path(sys.argv[1]), {"plan": "random", "games": 10**9}, False))
while not job.poll():
    time.sleep(0.02)
print("training", flush=True)
time.sleep(600)
"""
SHORT: dict[str, Any] = {"plan": "random", "games": 200}
LONG: dict[str, Any] = {"plan": "random", "games": 10**9}


def quick_training(pipe: Connection, task: tuple[Path, dict[str, Any], bool]) -> None:
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
            self.job = Worker(quick_training, (self.folder, wanted, False))
        else:
            self.enterContext(threads_for_processes())
            self.job = ThreadWorker(train_process, (self.folder, wanted, False))
        self.addCleanup(self.job.close)

    def train(self, wanted: dict[str, Any]) -> None:
        """Train until the run ends well."""
        self.start(wanted)
        self.assertEqual(self.wait_for(Ended), Ended())

    def wait_for(self, kind: type[Moment | Measured | Ended]) -> Any:
        """Return the next message of that *kind*."""
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
        self.assertEqual(len(measured[-1].opening), 12)
        last = {p.games: p.first for p in measured}
        self.assertEqual({p.games: p.first for p in read_note(self.folder).points}, last)
        bot = self.bots.find("bot:One")
        assert bot is not None
        self.assertEqual((bot.games, bot.problem), (200, ""))

    def test_a_run_that_is_stopped_goes_on_to_the_bytes_of_one_that_was_not(self) -> None:
        wanted = {"plan": "myopic", "games": 300}
        self.enterContext(mock.patch.object(plans, "BATCH", 100))
        self.start(wanted)
        self.wait_for(Moment)
        self.job.send("stop")
        self.assertEqual(self.wait_for(Ended), Ended())
        self.assertTrue((self.folder / "qtable.json").exists())
        self.train({})
        train_in(self.data / "other", wanted)
        for name in ("qtable.json", "qbot.json"):
            self.assertEqual(
                (self.folder / name).read_bytes(), (self.data / "other" / name).read_bytes()
            )

    def test_a_plan_that_proves_notes_what_is_solved_by_ply(self) -> None:
        self.enterContext(mock.patch.object(plans, "starting_positions", all_starts))
        self.train({"plan": "reverse", "games": 1_000})
        solved = read_note(self.folder).solved
        self.assertEqual(sum(solved), read_note(self.folder).points[-1].decided)
        self.assertGreater(sum(solved), 0)

    def test_a_student_sees_the_exploration_and_the_size_of_the_updates_that_explain_a_curve(
        self,
    ) -> None:
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

    def test_a_student_has_the_snapshots_at_the_end_and_they_change_no_byte_of_the_run(
        self,
    ) -> None:
        wanted = {"plan": "myopic", "games": 250, "seed": 7}
        self.enterContext(mock.patch.object(plans, "BATCH", 100))
        self.train({**wanted, "games": 150})
        self.train({**wanted, "seed": 8})  # another run follows
        elsewhere = self.data / "elsewhere"
        for settings in ({**wanted, "games": 150}, {**wanted, "seed": 8}):
            train_in(elsewhere, settings)
        for path in elsewhere.iterdir():
            if path.suffix == ".json":
                here = sha256((self.folder / path.name).read_bytes()).hexdigest()
                self.assertEqual(here, sha256(path.read_bytes()).hexdigest(), path.name)
        meta = read_meta(self.folder / "qtable.json")
        kept = kept_snapshots(self.folder, meta) or []
        self.assertEqual([point.games for point in kept], [*milestones(150), 200, 400])
        for games in (70, 150, 200, 400):
            then = read_table(snapshot_path(self.folder, games))
            again = table_after(meta, games)
            self.assertEqual(list(then.states()), list(again.states()))

    def test_a_run_stops_and_saves_only_between_batches_wherever_it_is_looked_at(self) -> None:
        wanted = {"plan": "myopic", "games": 250, "seed": 7}
        self.enterContext(mock.patch.object(plans, "BATCH", 100))
        train_in(self.data / "straight", wanted)
        for _ in range(4):
            with Training(self.folder, wanted, save_every=1) as training:
                moments = list(training.play(lambda: True, pauses=[10, 120, 130]))
            self.assertIn(moments[-1].games, (100, 200, 250))
        for name in ("qtable.json", "qbot.json"):
            straight = (self.data / "straight" / name).read_bytes()
            self.assertEqual((self.folder / name).read_bytes(), straight)

    @slow
    def test_who_stops_a_proof_early_has_its_snapshots_when_it_goes_on(self) -> None:
        self.enterContext(mock.patch.object(plans, "starting_positions", all_starts))
        for games, shares in ((1_000, 1), (8_000, 1_000)):
            with mock.patch.object(rerun, "SHARES", shares):
                self.train({"plan": "reverse", "games": games})
            kept = kept_snapshots(self.folder, read_meta(self.folder / "qtable.json"))
            assert kept is not None
            self.assertEqual(len(kept) > 2, shares > 1)

    def test_a_bot_that_began_elsewhere_keeps_no_snapshots_of_a_part(self) -> None:
        train_in(self.folder, {"plan": "random", "games": 100})
        self.train({"plan": "random", "games": 100, "seed": 2})
        self.assertFalse((self.folder / "history").exists())

    def test_what_keeps_a_run_from_going_on_is_said(self) -> None:
        (self.folder / "qtable.json").write_text("{}")
        self.start(SHORT)
        self.assertIn("qtable.json", self.wait_for(Ended).error)

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
