"""A process that works for a window, and the pipe to it, seen from the window's side.

Everything here returns at once: sending, looking for messages, asking whether
the process is alive. The process is spawned, so it shares nothing with the
window but the pipe, and each side notices at once when the other is gone.
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
"""The messages that `take` returns at most, so that the window comes to draw."""


class WorkerLink:
    """A spawned process running ``target(pipe, task)``; starts at once."""

    def __init__(self, target: Callable[[Connection, Any], None], task: object) -> None:
        """Raise OSError if the system makes no process."""
        context = multiprocessing.get_context("spawn")
        self._pipe, other = context.Pipe()
        # Not a daemon, which would be killed at exit while it saves, and could not
        # have processes of its own. At exit the pipe is closed, and it leaves.
        self._process = context.Process(target=target, args=(other, task), daemon=False)
        try:
            self._process.start()
        except BaseException:
            self._pipe.close()
            raise
        finally:
            # Without this the end of the other process would not close the pipe.
            other.close()
        self._is_over = False
        atexit.register(self.close)

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid or 0

    @property
    def is_over(self) -> bool:
        """Whether the process is gone and everything it said was taken."""
        return self._is_over

    def say(self, command: object) -> None:
        """Send *command*; nothing happens if the process is gone."""
        with suppress(OSError, ValueError):
            self._pipe.send(command)

    def take(self) -> list[Any]:
        """Return the messages that have come since the last call."""
        messages: list[Any] = []
        try:
            while not self._is_over and len(messages) < MOST_AT_ONCE and self._pipe.poll():
                messages.append(self._pipe.recv())
        except (EOFError, OSError):
            self._is_over = True
        return messages

    def exit_code(self) -> int | None:
        """Return the exit status of the process, negative for a signal; None while it runs."""
        return self._process.exitcode

    def wait(self, timeout_s: float) -> bool:
        """Wait for the process to end; return whether it has."""
        self._process.join(timeout_s)
        return self._process.exitcode is not None

    def kill(self) -> None:
        """End the process at once."""
        self._process.kill()
        self._process.join()

    def retire(self, patience_s: float) -> None:
        """Ask the process to leave at once; end it if it has not after *patience_s*."""
        self.close()
        self._process.terminate()
        atexit.register(self.kill)

        def see_off() -> None:
            if not self.wait(patience_s):
                self.kill()
            atexit.unregister(self.kill)

        threading.Thread(target=see_off, daemon=True).start()

    def close(self) -> None:
        """Let go of the pipe; a process still at work notices and leaves."""
        self._is_over = True
        self._pipe.close()
        atexit.unregister(self.close)
