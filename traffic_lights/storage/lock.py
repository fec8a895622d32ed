"""One program at a time: a lock on a file that the system releases when its holder ends.

>>> import tempfile
>>> with tempfile.TemporaryDirectory() as folder:  # doctest: +IGNORE_EXCEPTION_DETAIL
...     with FileLock(Path(folder) / "lock"):
...         FileLock(Path(folder) / "lock").acquire()
Traceback (most recent call last):
    ...
traffic_lights.storage.lock.LockedError: the folder is in use by another training run
"""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path
from types import TracebackType
from typing import Final

from traffic_lights.storage.files import NO_LINK, StorageError, failure

# Windows says EACCES or EDEADLK of what another program has locked, Wine that nothing is wrong.
_HELD: Final = (errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES, errno.EDEADLK, 0)


class LockedError(StorageError):
    """Another program holds the lock."""


class NoLocksError(StorageError):
    """The file system cannot lock files."""


def _try_lock(descriptor: int) -> None:
    """Take the lock or raise OSError at once.

    flock belongs to the open file; lockf to the process, which would lose it
    by closing any other descriptor of the same file.
    """
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


class FileLock:
    """An exclusive lock on a file of its own, which stays behind, empty.

    With its name deleted, one program could hold a lock on the old file and another on a new one.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor = -1

    def acquire(self) -> None:
        """Take the lock; raise LockedError if it is held, NoLocksError or StorageError."""
        try:
            flags = os.O_RDWR | os.O_CREAT | NO_LINK
            descriptor = os.open(self._path, flags, 0o666)
        except OSError as error:
            raise failure(error, "write", self._path) from error
        try:
            _try_lock(descriptor)
        except OSError as error:
            os.close(descriptor)
            if error.errno in _HELD:
                raise LockedError(
                    f"{self._path.parent} is in use by another training run: wait until it ends, "
                    "stop it, or choose another folder"
                ) from error
            raise NoLocksError(
                f"cannot lock {self._path} ({error.strerror}), and without a lock two programs "
                "could write at once; choose a folder on another disk"
            ) from error
        self._descriptor = descriptor

    def release(self) -> None:
        """Give the lock back; nothing happens if it is not held."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def __enter__(self) -> FileLock:
        self.acquire()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.release()
