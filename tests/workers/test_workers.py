"""The trainer's process: what it says, what it obeys, and that it never outlives its program."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from collections.abc import Callable
from itertools import count
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from tests.kit.guests import is_running, wait_until
from tests.kit.samples import PROJECT
from traffic_lights.judging.gauge import PARTS, SCORES, SLIPS, Gauge
from traffic_lights.learning.qtable import QTable
from traffic_lights.learning.tablefile import read_table
from traffic_lights.system.memory import NO_MEMORY
from traffic_lights.training.old_run import OldTraining as Training
from traffic_lights.workers.link import WorkerLink
from traffic_lights.workers.training import (
    MOST_UNSEEN,
    Began,
    Done,
    Failed,
    Order,
    Paused,
    RunSnapshot,
    Task,
    Trouble,
    Writing,
    train_process,
)

SMALL: dict[str, Any] = {"programme": "myopic", "games": 6000, "seed": 5}
LONG: dict[str, Any] = {"programme": "selfplay"}


def in_little_memory(
    pipe: Connection, work: tuple[Callable[[Connection, Any], None], Task]
) -> None:
    """Do *work*, a target and its task, in a process that may take 30 MB more than it has."""
    import resource

    taken = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (taken + (30 << 20), taken + (30 << 20)))
    target, task = work
    target(pipe, task)


class Listener:
    """Takes the messages of a link and keeps them."""

    def __init__(self, link: WorkerLink, *, sees: bool = True) -> None:
        self.link = link
        self.messages: list[Any] = []
        self._sees = sees

    def until(self, is_true: Callable[[], object], timeout_s: float = 120.0) -> None:
        """Take messages until *is_true*; raise AssertionError after *timeout_s*."""
        end = time.monotonic() + timeout_s
        while not is_true():
            if time.monotonic() > end:
                raise AssertionError(f"waited in vain; the last was {self.messages[-1:]}")
            for message in self.link.take():
                self.messages.append(message)
                if self._sees and isinstance(message, RunSnapshot):
                    self.link.say(message.number)
            time.sleep(0.005)

    def of(self, kind: type[Any]) -> list[Any]:
        """Return the messages of *kind* so far."""
        return [message for message in self.messages if isinstance(message, kind)]


class WorkerTestCase(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory())) / "run"

    def start(self, task: Task, *, sees: bool = True) -> Listener:
        link = WorkerLink(train_process, task)
        self.addCleanup(link.close)
        self.addCleanup(link.kill)
        return Listener(link, sees=sees)


class WorkerTests(WorkerTestCase):
    def test_a_run_says_all_that_a_window_shows(self) -> None:
        listener = self.start(Task(self.folder, SMALL))
        listener.until(lambda: listener.link.is_over)
        self.assertTrue(listener.link.wait(600))
        self.assertEqual(listener.link.exit_code(), 0)
        began = listener.messages[0]
        self.assertIsInstance(began, Began)
        starts = {name: games for name, ((games, _),) in began.curves.items()}
        self.assertEqual(starts, dict.fromkeys(("decided", SLIPS, *SCORES), 0), "where it begins")
        self.assertIsInstance(listener.messages[-1], Done)
        self.assertTrue(listener.of(Writing))
        last = listener.of(RunSnapshot)[-1]
        self.assertEqual(last.progress.games, 6000)
        self.assertEqual(sum(last.decided_by_ply), last.progress.decided)
        names = {point.name for snapshot in listener.of(RunSnapshot) for point in snapshot.points}
        self.assertLessEqual({SLIPS, *SCORES}, names)

    def test_it_learns_what_the_command_learns(self) -> None:
        listener = self.start(Task(self.folder, SMALL))
        listener.until(lambda: listener.link.is_over)
        with Training(self.folder.parent / "command", SMALL) as training:
            list(training.run())
        for name in ("qtable.json", "qbot.json"):
            here, there = self.folder / name, self.folder.parent / "command" / name
            self.assertEqual(here.read_bytes(), there.read_bytes(), name)

    def test_a_pause_saves_everything_and_holds(self) -> None:
        for wanted in (LONG, {"programme": "reverse"}):
            with self.subTest(wanted=wanted):
                self.assert_pause_holds(wanted)

    def assert_pause_holds(self, wanted: dict[str, Any]) -> None:
        listener = self.start(Task(self.folder / str(wanted["programme"]), wanted))
        listener.until(lambda: len(listener.of(RunSnapshot)) > 2)
        listener.link.say(Order.PAUSE)
        listener.until(lambda: listener.of(Paused))
        played = max(message.progress.games for message in listener.of(RunSnapshot))
        self.assertGreaterEqual(listener.of(Paused)[0].games, played)
        count = len(listener.messages)
        with self.assertRaises(AssertionError):
            listener.until(lambda: len(listener.messages) > count, timeout_s=0.4)
        listener.link.say(Order.RESUME)
        listener.until(lambda: len(listener.messages) > count)
        after = listener.messages[count]
        self.assertGreater(after.progress.games, listener.of(Paused)[0].games)
        self.assertEqual(after.saved_games, listener.of(Paused)[0].games)

    def test_stop_writes_a_table_even_from_a_pause(self) -> None:
        listener = self.start(Task(self.folder, LONG))
        listener.until(lambda: listener.of(RunSnapshot))
        listener.link.say(Order.PAUSE)
        listener.until(lambda: listener.of(Paused))
        listener.link.say(Order.STOP)
        listener.until(lambda: listener.link.is_over)
        done = listener.of(Done)[0]
        self.assertFalse(done.is_finished)
        self.assertEqual(read_table(self.folder / "qtable.json").meta["games"], done.games)

    def test_a_window_that_does_not_look_holds_nothing_up(self) -> None:
        listener = self.start(Task(self.folder, {**SMALL, "games": 60_000}), sees=False)
        self.assertTrue(listener.link.wait(600), "the process waits for the window")
        listener.until(lambda: listener.link.is_over)
        self.assertLessEqual(len(listener.of(RunSnapshot)), MOST_UNSEEN + 1)
        # What a pipe of Windows holds: beyond it the process would wait.
        sizes = [len(pickle.dumps(message)) for message in listener.messages]
        self.assertLess(sum(sizes), 8192)
        self.assertTrue(listener.of(Done)[0].is_finished)

    def test_troubles_are_told_by_kind(self) -> None:
        blocked = self.folder.parent / "file"
        blocked.write_text("no folder")
        cases = (
            (Task(blocked / "run", SMALL), Trouble.STORAGE, "file"),
            (Task(self.folder, {"programme": "reverse", "alpha": 7.0}), Trouble.SETTINGS, "alpha"),
        )
        for task, trouble, text in cases:
            listener = self.start(task)
            listener.until(lambda: listener.link.is_over)  # noqa: B023
            self.assertEqual([m.trouble for m in listener.of(Failed)], [trouble])
            self.assertIn(text, listener.of(Failed)[0].text)

    @unittest.skipUnless(sys.platform == "linux", "needs limits on memory that are kept")
    def test_too_little_memory_is_no_mistake_of_the_program(self) -> None:
        link = WorkerLink(in_little_memory, (train_process, Task(self.folder, LONG)))
        self.addCleanup(link.close)
        listener = Listener(link)
        listener.until(lambda: listener.link.is_over)
        self.assertEqual(listener.messages[-1:], [Failed(Trouble.MEMORY, NO_MEMORY)])

    def test_a_base_is_copied_and_stays_as_it_is(self) -> None:
        base = self.folder.parent / "base"
        with Training(base, SMALL) as training:
            list(training.run())
        before = (base / "qtable.json").read_bytes()
        wanted = {"programme": "random", "games": 2000, "seed": 5}
        listener = self.start(Task(self.folder, wanted, base / "qtable.json"))
        listener.until(lambda: listener.link.is_over)
        self.assertEqual((base / "qtable.json").read_bytes(), before)
        table = read_table(self.folder / "qtable.json")
        self.assertEqual([run["games"] for run in table.meta["runs"]], [6000, 2000])

    def test_a_run_that_is_stopped_goes_on_with_its_curves(self) -> None:
        listener = self.start(Task(self.folder, LONG))
        listener.until(lambda: len(listener.of(RunSnapshot)) > 3)
        listener.link.say(Order.STOP)
        listener.until(lambda: listener.link.is_over)
        (done,) = listener.of(Done)
        seen = [snapshot.progress.games for snapshot in listener.of(RunSnapshot)]
        again = self.start(Task(self.folder, {}))
        again.until(lambda: again.of(Began))
        (began,) = again.of(Began)
        games = [games for games, _ in began.curves["decided"]]
        self.assertEqual(games, [0, *(n for n in seen if n <= done.games)])
        self.assertEqual(began.resumed_at, done.games)

    def test_the_gauge_leaves_the_table_alone(self) -> None:
        table = QTable()
        gauge = Gauge(table)
        points = gauge.at_once()
        self.assertEqual([point.name for point in points], [SLIPS, *SCORES])
        self.assertFalse(list(table.states()))

    def test_the_score_against_the_rival_is_measured_most(self) -> None:
        ticks = count()
        gauge = Gauge(QTable(), "Myopic", lambda: next(ticks) * 1e-4)
        names = [point.name for _ in range(12_000) for point in gauge.turn()]
        self.assertGreater(names.count("Myopic"), 2 * names.count("Random"))
        self.assertGreater(names.count("Random"), 0)

    def test_each_part_of_a_run_with_a_limit_has_its_points_while_they_cost_little(self) -> None:
        for rival in ("Myopic", ""):
            ticks = count()
            gauge = Gauge(QTable(), rival, lambda: next(ticks) * 1e-4)  # noqa: B023
            found = [[p.name for p in gauge.at_part(n / 40)] for n in range(41)]
            self.assertEqual([part for part in found if part], [list(SCORES)] * (PARTS - 1))
            self.assertEqual(found[4], list(SCORES))
        hours = count()
        gauge = Gauge(QTable(), "Myopic", lambda: next(hours) * 3600)
        found = [[p.name for p in gauge.at_part(n / PARTS)] for n in range(PARTS)]
        self.assertEqual(len([part for part in found if part]), 1, "slow beyond measure")

    def test_a_short_run_against_one_bot_has_points_from_the_start(self) -> None:
        ticks = count()
        gauges = [Gauge(QTable(), rival, lambda: next(ticks) * 1e-4) for rival in ("", "Myopic")]
        alone, rival = (
            sum(point.name == "Myopic" for _ in range(4000) for point in gauge.turn())
            for gauge in gauges
        )
        self.assertGreaterEqual(rival, 4 * max(1, alone))


PARENT = """
import sys, time
from pathlib import Path
from traffic_lights.workers.training import Task, train_process, RunSnapshot
from traffic_lights.workers.link import WorkerLink

if __name__ == "__main__":
    link = WorkerLink(train_process, Task(Path(sys.argv[1]), {"programme": "selfplay"}))
    print(link.pid, flush=True)
    while True:
        for message in link.take():
            if isinstance(message, RunSnapshot):
                link.say(message.number)
                if message.saved_games:
                    print("saved", message.saved_games, flush=True)
        time.sleep(0.01)
"""


@unittest.skipUnless(hasattr(signal, "SIGKILL"), "needs signals")
class OrphanTests(WorkerTestCase):
    def test_a_killed_program_leaves_no_trainer_and_loses_nothing(self) -> None:
        script = self.folder.parent / "parent.py"
        script.write_text(PARENT)
        environment = {**os.environ, "PYTHONPATH": str(PROJECT)}
        program = subprocess.Popen(
            [sys.executable, str(script), str(self.folder)], env=environment,
            stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        self.addCleanup(program.kill)
        assert program.stdout is not None
        pid = int(program.stdout.readline())
        saved = int(program.stdout.readline().split()[1])
        program.kill()
        program.wait()
        program.stdout.close()
        self.assertTrue(wait_until(lambda: not is_running(pid)), "the trainer stays")
        with Training(self.folder, {}) as training:
            self.assertGreaterEqual(training.state.progress.games, saved)


if __name__ == "__main__":
    unittest.main()
