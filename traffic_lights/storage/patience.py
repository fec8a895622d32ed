"""Patience with other programs: what one of them holds open, Windows lets nobody rename or delete.

A scanner has a new file open for a moment, a person's editor for as long as they
like. So what is refused for that is tried again, for some 15 seconds; then the
error is the caller's, who leaves things as they were. `heard` says who is told
meanwhile. Elsewhere nothing is refused for that, and nobody ever waits.
"""

from __future__ import annotations

import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TypeVar

T = TypeVar("T")
DENIED_ON_WINDOWS: Final = 5
"""ERROR_ACCESS_DENIED, also for what another program has open or somebody has just deleted."""
HELD_ON_WINDOWS: Final = (32, 33)
"""ERROR_SHARING_VIOLATION, ERROR_LOCK_VIOLATION."""
BRIEF: Final = (0.05, 0.1, 0.2, 0.4, 0.8, 1.0)
"""The pauses between tries, in seconds, that outlast a scanner."""
LONG: Final = (*BRIEF, *(1.0,) * 12)
"""Those that outlast a backup, some 15 seconds in all; after the brief ones the word is said."""
LONGEST_S: Final = sum(LONG)

# By thread: jobs of the window and its trainer wait each for themselves, and tell different people.
_here = threading.local()


@contextmanager
def heard(listener: Callable[[str], object]) -> Iterator[None]:
    """Have *listener* called with a sentence when this thread has to wait longer than a moment."""
    before = getattr(_here, "listener", None)
    _here.listener = listener
    try:
        yield
    finally:
        _here.listener = before


def patiently(act: Callable[[], T], path: Path, pauses: tuple[float, ...] = LONG) -> T:
    """Return *act*(), called again after each of *pauses* while a program holds *path* open.

    Raise OSError, the last one, if it stays held.
    """
    for number, pause_s in enumerate(pauses):
        try:
            return act()
        except PermissionError as error:
            if not is_held(error):
                raise
        if number == len(BRIEF):
            _say(f"waiting for another program, which has {path} open")
        time.sleep(pause_s)
    return act()


def is_held(error: OSError) -> bool:
    """Return whether *error* may mean that another program has the file open."""
    return getattr(error, "winerror", None) in (DENIED_ON_WINDOWS, *HELD_ON_WINDOWS)


def _say(text: str) -> None:
    listener = getattr(_here, "listener", None)
    if listener is not None:
        listener(text)


def replace(source: Path, target: Path, pauses: tuple[float, ...] = LONG) -> None:
    """Rename the file *source* over *target*, or the folder *source*, if nothing is there."""
    patiently(lambda: os.replace(source, target), target, pauses)


def unlink(path: Path) -> None:
    """Delete the file *path*, if it is there."""
    patiently(lambda: path.unlink(missing_ok=True), path)


def remove_tree(folder: Path) -> None:
    """Delete *folder* and all in it."""
    patiently(lambda: shutil.rmtree(folder), folder)
