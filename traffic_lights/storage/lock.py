"""One writer at a time: a lock on a file that the system drops when its holder dies.

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
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Final

from traffic_lights.storage.files import (
    NO_LINK,
    StorageError,
    explain,
    make_folder,
    refuse_irregular,
)

PATIENCE_S: Final = 1.0
"""How long to wait for a training folder: a process that saved for a trainer may outlive it."""
_PAUSE_S: Final = 0.02
# Windows says EACCES or EDEADLK of what another program has locked, Wine that nothing is wrong.
_HELD: Final = (errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES, errno.EDEADLK, 0)
_WITHOUT_LOCKS: Final = (errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EINVAL)


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


def _beyond_streams(descriptor: int) -> int:
    """Return *descriptor* under a number that no child takes for a standard stream."""
    if descriptor > 2 or sys.platform == "win32":
        return descriptor
    import fcntl

    try:
        return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 3)
    finally:
        os.close(descriptor)


class FileLock:
    """An exclusive lock on a file of its own, which stays behind, empty."""

    def __init__(self, path: Path, patience_s: float = 0.0) -> None:
        """Lock *path*; to take it is tried for *patience_s*."""
        self._path = path
        self._patience_s = patience_s
        self._descriptor = -1

    @property
    def descriptor(self) -> int:
        """The open file that holds the lock; a child that inherits it holds it too (POSIX)."""
        return self._descriptor

    def acquire(self) -> None:
        """Take the lock; raise LockedError if it stays held, StorageError if it cannot be made."""
        # A link here would lock, and make, a file that somebody else has chosen.
        refuse_irregular(self._path)
        try:
            flags = os.O_RDWR | os.O_CREAT | NO_LINK
            descriptor = _beyond_streams(os.open(self._path, flags, 0o666))
        except OSError as error:
            raise StorageError(explain(error, "write", self._path)) from error
        give_up_at = time.monotonic() + self._patience_s
        while True:
            try:
                _try_lock(descriptor)
            except OSError as error:
                if error.errno in _HELD and time.monotonic() < give_up_at:
                    time.sleep(_PAUSE_S)
                    continue
                os.close(descriptor)
                if error.errno in _WITHOUT_LOCKS:
                    raise NoLocksError(
                        f"cannot lock {self._path}: its disk knows no locks, and without one two "
                        "programs could write at once; choose a folder on another disk"
                    ) from error
                if error.errno not in _HELD:
                    raise StorageError(explain(error, "lock", self._path)) from error
                raise LockedError(
                    f"{self._path.parent} is in use by another training run: wait until it ends, "
                    "stop it, or choose another folder"
                ) from error
            self._descriptor = descriptor
            return

    def release(self) -> None:
        """Give the lock back; nothing happens if it is not held."""
        # The file stays: with its name deleted, one program could hold a lock on the old file and
        # another on a new one.
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


@contextmanager
def alone_with(path: Path) -> Iterator[None]:
    """Keep other programs from *path* while it is read, changed and replaced; make its folder.

    Where nothing can be locked, or a program hangs with the lock, this goes on
    without: who had to wait for ever would save nothing at all.
    """
    lock = FileLock(path.with_suffix(".lock"), PATIENCE_S)
    with suppress(StorageError):
        make_folder(path.parent)
        lock.acquire()
    try:
        yield
    finally:
        lock.release()
