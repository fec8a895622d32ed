"""Work away from the window: threads that compute, results that come back in the Tk loop.

Threads never touch Tk. Each puts its outcome into a queue, and the loop looks
into the queue while anything is outstanding, so an idle window has no timers.
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

Every call of Tk gives the interpreter up and asks for it again, so a picture of
a hundred shapes would wait a hundred times Python's own 5 ms.
"""


class Jobs:
    """Runs functions in threads on behalf of the windows under *root*."""

    def __init__(self, root: tk.Misc) -> None:
        self._root = root
        self._results: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._outstanding = 0
        self._timer: str | None = None
        sys.setswitchinterval(SWITCH_S)

    @property
    def outstanding(self) -> int:
        """How many jobs have not delivered yet."""
        return self._outstanding

    def run(
        self,
        work: Callable[[], T],
        done: Callable[[T], None],
        failed: Callable[[Exception], None],
    ) -> None:
        """Call *work* in a thread, then *done* or *failed* in the Tk loop."""

        def body() -> None:
            try:
                result: Any = work()
            except Exception as error:
                problem = error
                self._results.put(lambda: failed(problem))
            else:
                self._results.put(lambda: done(result))

        self._outstanding += 1
        threading.Thread(target=body, daemon=True).start()
        if self._timer is None:
            self._timer = self._root.after(1, self._collect)

    def _collect(self) -> None:
        self._timer = None
        try:
            while True:
                deliver = self._results.get_nowait()
                self._outstanding -= 1
                deliver()
        except queue.Empty:
            pass
        finally:
            # Also after an error in a delivery: the others are still to come.
            if self._outstanding and self._timer is None:
                self._timer = self._root.after(LOOK_EVERY_MS, self._collect)

    def stop(self) -> None:
        """Deliver nothing more; running threads end with the process."""
        if self._timer is not None:
            self._root.after_cancel(self._timer)
            self._timer = None
        self._outstanding = 0
