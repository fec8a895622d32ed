"""Workers for tests: threads, or the test itself, in the place of processes that train or play.

A process imports the program again, so a test cannot replace anything in it. A thread can also
measure roughly, which is much faster.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from multiprocessing.connection import Connection
from typing import Any, ClassVar
from unittest import mock

from traffic_lights.judging import evaluation
from traffic_lights.system.processes import Ended, Worker
from traffic_lights.training import gauge, run, worker


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


class FakeJob:
    """A process that reports what a test tells it to."""

    last: ClassVar["FakeJob"]
    """The one that was started last."""

    def __init__(self, _target: object, task: Any) -> None:
        FakeJob.last = self
        self.started = task
        self.is_over = False
        self.reports: list[object] = []
        self.received: list[object] = []

    def send(self, message: object) -> None:
        self.received.append(message)

    def poll(self) -> list[object]:
        reports, self.reports = self.reports, []
        self.is_over = self.is_over or any(isinstance(report, Ended) for report in reports)
        return reports

    def end(self) -> None:
        self.is_over = True


@contextmanager
def threads_for_processes() -> Iterator[None]:
    """Let what processes do for windows work in threads of this one, quickly."""
    with ExitStack() as stack:
        for module in (worker, evaluation):
            stack.enter_context(mock.patch.object(module, "signal"))
        stack.enter_context(mock.patch.object(evaluation, "end_with_parent"))
        stack.enter_context(quickly())
        stack.enter_context(mock.patch.object(worker, "MEASURE_EVERY_S", 0.0))
        yield
