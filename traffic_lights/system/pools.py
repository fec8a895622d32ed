"""Pools of processes, on systems that can have one."""

from __future__ import annotations

import ctypes
import multiprocessing
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from typing import Final

IS_WINE: Final = sys.platform == "win32" and hasattr(ctypes.WinDLL("ntdll"), "wine_get_version")
"""Whether this Windows is Wine, whose pipes lose the empty message that wakes a pool."""

_MOST_ON_WINDOWS: Final = 61
"""The processes for which one can wait there at the same time, as a pool does."""


def process_pool(
    processes: int, enter: Callable[..., object], *arguments: object
) -> ProcessPoolExecutor | None:
    """Return a pool in each process of which *enter* is called with *arguments* first.

    It has *processes* of them, on Windows at most as many as it allows. None
    where one process has to do it all: if no more are asked for, on Wine, and
    on a system without semaphores.
    """
    if processes < 2 or IS_WINE:
        return None
    if sys.platform == "win32":
        processes = min(processes, _MOST_ON_WINDOWS)
    context = multiprocessing.get_context("spawn")
    try:
        return ProcessPoolExecutor(processes, context, enter, arguments)
    except (OSError, ImportError, NotImplementedError):
        return None
