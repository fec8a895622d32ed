"""Processes that work for a window or a command.

A `Worker` is a process with a pipe each way. It is spawned: it shares nothing with the window
except the pipe, and each side notices at once when the other has ended. Apart from `wait` and
`kill` it never waits. A pool of processes shares out one large task.
"""

from __future__ import annotations

import atexit
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from typing import Any, Final

MOST_AT_ONCE: Final = 100
"""The most messages that one `poll` returns, so that a window can draw in between."""
_MOST_ON_WINDOWS: Final = 61
"""The processes for which a pool can wait at the same time there."""


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


def process_pool(
    processes: int, enter: Callable[..., object], *arguments: object
) -> ProcessPoolExecutor | None:
    """Return a pool of *processes*; each calls *enter* with *arguments* before it works.

    None if this process has to do it all: if fewer than two are asked for, or
    on a system without semaphores.
    """
    if processes < 2:
        return None
    if sys.platform == "win32":
        processes = min(processes, _MOST_ON_WINDOWS)
    context = multiprocessing.get_context("spawn")
    try:
        return ProcessPoolExecutor(processes, context, enter, arguments)
    except (OSError, ImportError, NotImplementedError):
        return None


@contextmanager
def held(*names: str) -> Iterator[None]:
    """Hold the signals of *names* back; a process that begins meanwhile never gets them.

    Nothing happens if the system cannot do that.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    numbers = {signal.Signals[name] for name in names}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, numbers)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def end_with_parent() -> None:
    """Have this process, which `multiprocessing` has started, end when its parent has ended."""

    def wait() -> None:
        parent = multiprocessing.parent_process()
        if parent is not None:
            parent.join()
            os._exit(1)  # an orderly exit could wait for a pipe without a reader

    threading.Thread(target=wait, daemon=True).start()
