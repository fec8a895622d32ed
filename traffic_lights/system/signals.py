"""Signals kept from the processes that this one begins, which then leave it to decide."""

from __future__ import annotations

import signal
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
