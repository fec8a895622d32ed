"""A process that works for a window, with a pipe each way.

The process is spawned: it shares nothing with the window except the pipe, and each side
notices at once when the other has ended. Apart from `wait` and `kill` nothing here waits.
"""

from __future__ import annotations

import atexit
import multiprocessing
import threading
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any, Final

MOST_AT_ONCE: Final = 100
"""The most messages that one `poll` returns, so that a window can draw in between."""


class Worker:
    """A spawned process that runs ``target(pipe, task)``; it starts at once."""

    def __init__(self, target: Callable[[Connection, Any], None], task: object) -> None:
        """Raise OSError if the system cannot start a process."""
        context = multiprocessing.get_context("spawn")
        self._pipe, other = context.Pipe()
        # A daemon would be killed at exit while it saves, and could not start processes of its
        # own. Instead the pipe is closed at exit, and the process ends by itself.
        self._process = context.Process(target=target, args=(other, task), daemon=False)
        try:
            self._process.start()
        except BaseException:
            self._pipe.close()
            raise
        finally:
            # If this end stayed open here, the end of the process would not close the pipe.
            other.close()
        self._is_over = False
        atexit.register(self.close)

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid or 0

    @property
    def is_over(self) -> bool:
        """Whether the process has closed its end of the pipe and all its messages were read."""
        return self._is_over

    def send(self, message: object) -> None:
        """Send *message*; if the process has ended, do nothing."""
        with suppress(OSError, ValueError):
            self._pipe.send(message)

    def poll(self) -> list[Any]:
        """Return the messages that have come since the last call, MOST_AT_ONCE at most."""
        messages: list[Any] = []
        try:
            while not self._is_over and len(messages) < MOST_AT_ONCE and self._pipe.poll():
                messages.append(self._pipe.recv())
        except (EOFError, OSError):
            self._is_over = True
        return messages

    def exit_code(self) -> int | None:
        """Return the exit status, negative for a signal; None while the process runs."""
        return self._process.exitcode

    def wait(self, timeout_s: float) -> bool:
        """Wait for the process to end, and return whether it has."""
        self._process.join(timeout_s)
        return self._process.exitcode is not None

    def kill(self) -> None:
        """End the process at once, without letting it save."""
        self._process.kill()
        self._process.join()

    def terminate(self, grace_s: float) -> None:
        """Ask the process to end, and kill it from a thread if it has not after *grace_s*."""
        self.close()
        self._process.terminate()
        atexit.register(self.kill)

        def make_sure() -> None:
            if not self.wait(grace_s):
                self.kill()
            atexit.unregister(self.kill)

        threading.Thread(target=make_sure, daemon=True).start()

    def close(self) -> None:
        """Close the pipe; a process that is still at work notices and ends."""
        self._is_over = True
        self._pipe.close()
        atexit.unregister(self.close)
