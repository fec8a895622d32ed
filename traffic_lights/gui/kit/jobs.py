"""Work away from the window: threads compute, and results come back in the loop of Tk.

Threads never touch Tk. Each puts its outcome into a queue, and the loop looks into the queue
while a job is outstanding, so an idle window has no timers.
"""

from __future__ import annotations

import queue
import sys
import threading
import tkinter as tk
from collections.abc import Callable
from typing import Any, Final, TypeVar

T = TypeVar("T")
LOOK_EVERY_MS: Final = 8
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
        self._timer: str | None = None
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
                result: Any = work()
            except Exception as error:
                problem = error
                self._results.put(lambda: failed(problem))
            else:
                self._results.put(lambda: done(result))

        self.outstanding += 1
        threading.Thread(target=body, daemon=True).start()
        if self._timer is None:
            self._timer = self._root.after(1, self._collect)

    def _collect(self) -> None:
        self._timer = None
        try:
            while not self._results.empty():
                self.outstanding -= 1
                self._results.get()()
        finally:
            # This runs after an error in a delivery too, because the others are still to come.
            if self.outstanding:
                self._timer = self._root.after(LOOK_EVERY_MS, self._collect)

    def stop(self) -> None:
        """Deliver nothing more; running threads end with the process."""
        if self._timer is not None:
            self._root.after_cancel(self._timer)
        self._timer, self.outstanding = None, 0
