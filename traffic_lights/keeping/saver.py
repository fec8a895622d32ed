"""Writes files in a thread of its own, so that a slow disk never holds up a move.

Of several versions of one file that wait, only the newest is written. `finish`
returns when everything handed over is on the disk, or could not be.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from traffic_lights.storage.patience import LONGEST_S


class Saver:
    """A thread that writes; *failed* is called in that thread with what went wrong."""

    def __init__(self, failed: Callable[[str, Exception], None]) -> None:
        self._failed = failed
        self._waiting: dict[str, Callable[[], object]] = {}
        self._changed = threading.Condition()
        self._is_busy = False
        self._thread: threading.Thread | None = None

    def save(self, name: str, write: Callable[[], object]) -> None:
        """Have *write* called soon, in place of what still waits under *name*."""
        with self._changed:
            self._waiting[name] = write
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, daemon=True)
                self._thread.start()
            self._changed.notify_all()

    @property
    def is_busy(self) -> bool:
        """Whether something is being written, or waits to be; what failed before was told."""
        with self._changed:
            return self._is_busy or bool(self._waiting)

    def finish(self, timeout_s: float = LONGEST_S + 3.0) -> bool:
        """Wait until nothing waits; return False if that takes longer than *timeout_s*."""
        with self._changed:
            return self._changed.wait_for(
                lambda: not self._waiting and not self._is_busy, timeout_s
            )

    def _work(self) -> None:
        while True:
            with self._changed:
                self._is_busy = False
                self._changed.notify_all()
                self._changed.wait_for(lambda: bool(self._waiting))
                name = next(iter(self._waiting))
                write = self._waiting.pop(name)
                self._is_busy = True
            try:
                write()
            except Exception as error:
                self._failed(name, error)
