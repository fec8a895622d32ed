"""What a process that this one begins is told, and what it learns of the end of its maker."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def held(*names: str) -> Iterator[None]:
    """Hold the signals of *names* back; in a process begun meanwhile, for good.

    Nothing happens where the system cannot do that.
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
    """Have this process, one of `multiprocessing`, end at once when its maker is gone."""
    threading.Thread(target=_await_end_of_parent, daemon=True).start()


def _await_end_of_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        # Nobody is left to be told; and leaving in good order could wait for a pipe to nobody.
        os._exit(1)
