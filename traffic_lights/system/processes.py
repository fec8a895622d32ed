"""Processes that work for a window or a command, and that end with it.

A `Worker` shares nothing with the window except a pipe, and each side notices at once when the
other has ended. Its last message is `Ended`.
"""

import atexit
import multiprocessing
import os
import signal
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any, Final

from traffic_lights.storage.words import NO_MEMORY

LAST_STEPS_S: Final = 0.1
"""How long a window waits for a process whose pipe is closed: most end at once."""


@dataclass(frozen=True, slots=True)
class Ended:
    """The last message of a process."""

    error: str = ""
    """Why it ended early, in a sentence; empty if its work is done or it was asked to stop."""
    details: str = ""
    """The traceback of a mistake in the program."""


class Worker:
    """A spawned process that runs ``target(pipe, task)``; it starts at once.

    If the system cannot start one, its only message is `Ended`, with the reason.
    """

    def __init__(self, target: Callable[[Connection, Any], None], task: object) -> None:
        self._pipe, other = multiprocessing.Pipe()
        self._process: SpawnProcess | None = None
        self._problem = ""
        """Why it could not be started, in a sentence."""
        try:
            self._process = self._started(target, other, task)
        except OSError as error:
            self._problem = (
                f"the system cannot start another process ({error.strerror}); close some programs "
                "and try again"
            )
        self.is_over = False
        atexit.register(self.close)

    def _started(
        self, target: Callable[[Connection, Any], None], pipe: Connection, task: object
    ) -> SpawnProcess:
        """Return the process, which alone has *pipe* from now on; a test may use a thread."""
        # A daemon would be killed at exit while it saves, and could not start processes of its
        # own. Instead the pipe is closed at exit, and the process ends by itself.
        process = multiprocessing.get_context("spawn").Process(
            target=target, args=(pipe, task), daemon=False
        )
        # If this end stayed open here, the end of the process would not close the pipe.
        with pipe:
            process.start()
        return process

    def send(self, message: object) -> None:
        """Send *message*; if the process has ended, do nothing."""
        with suppress(OSError, ValueError):
            self._pipe.send(message)

    def poll(self) -> list[Any]:
        """Return the messages that have come since the last call."""
        messages: list[Any] = []
        try:
            while not self.is_over and self._pipe.poll():
                messages.append(self._pipe.recv())
                self.is_over = isinstance(messages[-1], Ended)
        except (EOFError, OSError):
            self.is_over = True
            messages.append(Ended(self._reason()))
        if self.is_over:
            self.close()
        return messages

    def _reason(self) -> str:
        """Return why the pipe is closed at the other end."""
        if self._process is None:
            return self._problem
        self._process.join(LAST_STEPS_S)
        status = self._process.exitcode
        return f"the process ended unexpectedly (status {status}); what it saved is kept"

    def end(self) -> None:
        """End a process that ends when its pipe is closed."""
        self.close()
        if self._process is not None:  # when it has ended, its files can be deleted
            self._process.join(LAST_STEPS_S)

    def close(self) -> None:
        """Close the pipe, by which the process notices that it should end."""
        self.is_over = True
        self._pipe.close()
        atexit.unregister(self.close)


@contextmanager
def reported_end(pipe: Connection, *known: type[Exception]) -> Iterator[None]:
    """Send `Ended` through *pipe* at the end, with the text of an error of the *known* types."""
    ended = Ended()
    try:
        yield
    except known as error:
        ended = Ended(str(error))
    except MemoryError:
        ended = Ended(NO_MEMORY)
    except Exception as error:
        ended = Ended(f"a mistake in the program: {error!r}", traceback.format_exc())
    with suppress(OSError):  # the window has been closed
        pipe.send(ended)
    pipe.close()


def end_with_parent(*pipes: Connection) -> None:
    """Leave Ctrl-C to the parent of this process, and end when the parent has ended.

    End also when the parent closes one of *pipes*, through which it sends nothing.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch() -> None:
        wait([parent.sentinel, *pipes])
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, daemon=True).start()
