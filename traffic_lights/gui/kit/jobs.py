"""Run threads and processes for the windows, and deliver their results in the loop of Tk.

Threads never touch Tk: the loop looks for their results, and only while there is something to wait
for, so an idle window has no timers.
"""

from __future__ import annotations

import sys
import threading
import tkinter as tk
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final, TypeVar

from traffic_lights.board.games import PlayerError
from traffic_lights.storage.files import StorageError

if TYPE_CHECKING:
    from traffic_lights.system.processes import Worker

T = TypeVar("T")
A = TypeVar("A")
LOOK_EVERY_MS: Final = 8
POLL_MS: Final = 100
"""How often a window asks a process for messages."""
SWITCH_S: Final = 0.0002
"""How long a computing thread may hold the interpreter while the window wants it.

Every call of Tk gives the interpreter up and asks for it again. With Python's own 5 ms, a picture
of a hundred shapes would wait for half a second.
"""


def run_job(
    root: tk.Misc,
    work: Callable[[], T],
    done: Callable[[T], object],
    failed: Callable[[str], object],
) -> None:
    """Call *work* in a thread, then *done*, or *failed* with the reason, in the loop of Tk.

    A mistake of the program is reported as such too.
    """
    ends: list[Callable[[], object]] = []

    def body() -> None:
        try:
            ends.append(partial(done, work()))
        except Exception as error:
            ends.append(partial(fail, error))

    def fail(error: Exception) -> None:
        failed(str(error))
        if not isinstance(error, (StorageError, PlayerError)):
            raise error

    def look() -> None:
        if ends:
            ends[0]()
        else:
            root.after(LOOK_EVERY_MS, look)

    sys.setswitchinterval(SWITCH_S)
    threading.Thread(target=body, daemon=True).start()
    root.after(1, look)


class LatestJob:
    """Runs jobs of which only the latest counts: what an earlier one brings is dropped."""

    def __init__(self, root: tk.Misc) -> None:
        self._root = root
        self._number = 0

    def run(
        self,
        work: Callable[[], T],
        done: Callable[[T], object],
        failed: Callable[[str], object],
    ) -> None:
        """Do as `run_job` does, unless another job or `drop` comes first."""
        self.drop()
        number = self._number

        def if_latest(act: Callable[[A], object]) -> Callable[[A], object]:
            return lambda answer: act(answer) if number == self._number else None

        run_job(self._root, work, if_latest(done), if_latest(failed))

    def drop(self) -> None:
        """Wait no longer for the job that runs, if there is one."""
        self._number += 1


def watch(root: tk.Misc, worker: Worker, take: Callable[[object], object]) -> None:
    """Give *take* each message of *worker* in the loop of Tk, last `Ended`, until its `end`."""

    def look() -> None:
        messages = worker.poll()
        if not worker.is_over:
            root.after(POLL_MS, look)
        for message in messages:
            take(message)

    root.after(1, look)
