"""Run threads and processes for the windows, and deliver their results in the loop of Tk.

Threads never touch Tk. Each puts its outcome into a queue, and the loop looks into the queue
while a job is outstanding, so an idle window has no timers.
"""

from __future__ import annotations

import queue
import sys
import threading
import tkinter as tk
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from traffic_lights.system.processes import Worker

T = TypeVar("T")
LOOK_EVERY_MS: Final = 8
POLL_MS: Final = 100
"""How often a window asks a process for messages."""
SWITCH_S: Final = 0.0002
"""How long a computing thread may hold the interpreter while the window wants it.

Every call of Tk gives the interpreter up and asks for it again. With Python's own 5 ms, a picture
of a hundred shapes would wait for half a second.
"""


class Jobs:
    """Runs functions in threads on behalf of the windows under *root*."""

    def __init__(self, root: tk.Misc) -> None:
        self._root = root
        self._results: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self.outstanding = 0
        """How many jobs have not delivered yet."""
        sys.setswitchinterval(SWITCH_S)

    def run(
        self,
        work: Callable[[], T],
        done: Callable[[T], None],
        failed: Callable[[Exception], None],
    ) -> None:
        """Call *work* in a thread, then *done* or *failed* in the loop of Tk."""

        def body() -> None:
            try:
                deliver = partial(done, work())
            except Exception as error:
                deliver = partial(failed, error)
            self._results.put(deliver)

        self.outstanding += 1
        threading.Thread(target=body, daemon=True).start()
        if self.outstanding == 1:
            self._root.after(1, self._collect)

    def _collect(self) -> None:
        try:
            while not self._results.empty():
                deliver = self._results.get()
                try:
                    deliver()
                finally:
                    self.outstanding -= 1
        finally:
            # Keep polling after an error in a delivery, because other results are still to come.
            if self.outstanding:
                self._root.after(LOOK_EVERY_MS, self._collect)


def watch(root: tk.Misc, worker: Worker, take: Callable[[object], object]) -> None:
    """Call *take* in the loop of Tk with each message of *worker*; the last one is `Ended`.

    Nothing comes any more after ``worker.end()``.
    """

    def look() -> None:
        messages = worker.poll()
        if not worker.is_over:
            root.after(POLL_MS, look)
        for message in messages:
            take(message)

    root.after(1, look)
