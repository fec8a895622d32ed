"""Processes that are started: what they send, and that none outlives its parent."""

import multiprocessing
import os
import tempfile
import time
import unittest
from multiprocessing.connection import Connection
from pathlib import Path

from tests.kit.external_bots import is_running, noted_pids, wait_until
from traffic_lights.system.processes import Worker, end_with_parent, spread

LONG_S = 600.0
BOUND_S = 60.0
"""Ten times what it may take to end, because the machine may be busy."""


def square(number: int, seconds: float = 0.0) -> int:
    time.sleep(seconds)
    return number**2


def refuse(number: int) -> int:
    raise FileNotFoundError(f"no file {number}")


def sleep(pipe: Connection, folder: Path) -> None:
    end_with_parent(pipe)
    (folder / "pids").write_text(f"{os.getpid()}\n")
    time.sleep(LONG_S)


class SpreadTests(unittest.TestCase):
    def test_results_come_in_the_order_of_the_tasks_whatever_each_takes(self) -> None:
        tasks = [(number, 0.02 * (number % 3 == 0)) for number in range(20)]
        for jobs in (1, 2):
            self.assertEqual(list(spread(square, tasks, jobs)), [n**2 for n in range(20)])
        self.assertEqual(multiprocessing.active_children(), [])

    def test_an_error_of_the_work_is_raised_with_its_traceback(self) -> None:
        with self.assertRaisesRegex(FileNotFoundError, "no file 1") as caught:
            list(spread(refuse, [(1,), (2,)], 2))
        self.assertIn("in refuse", caught.exception.__notes__[0])
        self.assertEqual(multiprocessing.active_children(), [])

    def test_a_killed_process_is_an_error_also_while_the_others_work(self) -> None:
        for target in (0, 1):
            results = spread(square, [(1,), (2,), (3, LONG_S), (4, LONG_S)], 2)
            self.assertEqual([next(results), next(results)], [1, 4])
            children = sorted(multiprocessing.active_children(), key=lambda child: child.name)
            children[target].kill()
            with self.assertRaises(ChildProcessError):
                next(results)
            self.assertEqual(multiprocessing.active_children(), [])

    def test_closing_does_not_wait_for_the_work(self) -> None:
        results = spread(square, [(1,), (2, LONG_S)], 2)
        next(results)
        began_s = time.monotonic()
        results.close()
        self.assertLess(time.monotonic() - began_s, BOUND_S)
        self.assertEqual(multiprocessing.active_children(), [])


class WorkerTests(unittest.TestCase):
    def test_a_busy_process_ends_when_the_window_closes_its_pipe(self) -> None:
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        worker = Worker(sleep, folder)
        self.assertTrue(wait_until(lambda: bool(noted_pids(folder))), "it did not start")
        (pid,) = noted_pids(folder)
        worker.end()
        self.assertTrue(wait_until(lambda: not is_running(pid), BOUND_S), "it still runs")
