"""Durable files: everything that the program writes goes through here.

A file is replaced as a whole or not at all, and reading is strict. Every failure is a StorageError,
whose text is one sentence with the name of the file.
"""

import errno
import json
import os
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from io import FileIO
from itertools import chain, count
from pathlib import Path
from typing import Any, BinaryIO, Final

from traffic_lights.storage.words import listed

_MOST_BYTES: Final = 16 << 20
"""Files are read whole only up to this size; tables and logs have readers of their own."""
_LEFTOVER: Final = re.compile(r"(.+)\.[0-9a-f]{16}\.tmp")
"""The name of a temporary file, and in it that of the file which it was to replace."""
_BINARY: Final = getattr(os, "O_BINARY", 0)
"""The flag that keeps Windows from changing the ends of lines, and with them every checksum."""
_HELD_ON_WINDOWS: Final = (5, 32, 33)
"""ERROR_ACCESS_DENIED, ERROR_SHARING_VIOLATION and ERROR_LOCK_VIOLATION."""
_UNSUPPORTED: Final = (errno.EINVAL, errno.ENOTSUP, errno.ENOTTY)
"""The errors of a file system that cannot sync."""
_PAUSES_S: Final = (0.05, 0.1, 0.2, 0.4, 0.8, *(1.0,) * 8)
"""The pauses between two tries, about ten seconds in all."""
_REASONS: Final = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the disk is full",
    errno.EFBIG: "a file may not grow larger here (see ulimit -f)",
    errno.ENOENT: "no such file or folder",
    errno.EACCES: "permission denied",
    errno.EPERM: "permission denied",
    errno.EROFS: "the disk is read-only",
    errno.EISDIR: "it is a folder, and a file was expected",
    errno.ELOOP: "it is a link that leads nowhere",
    errno.EEXIST: "something that is not a folder has that name",
    errno.ENAMETOOLONG: "the name is too long",
    errno.ENOTDIR: "part of that path is a file, and a folder was expected",
}


class StorageError(Exception):
    """A file could not be read or written; the text is one sentence."""


class DamagedFileError(StorageError):
    """The content of a file is damaged, or of another kind."""


class LockedError(StorageError):
    """Another program holds the lock."""


@contextmanager
def explained(doing: str, path: Path) -> Iterator[None]:
    """Turn an OSError into a StorageError that names *path* and what it was *doing* ("read").

    The error of a name that the locale cannot encode becomes a StorageError too.
    """
    try:
        yield
    except OSError as error:
        reason = _REASONS.get(error.errno or 0) or str(error.strerror or error)
        if getattr(error, "winerror", None) in _HELD_ON_WINDOWS:
            reason = "permission denied, or another program has it open"
        raise StorageError(f"cannot {doing} {path}: {reason}") from error
    except UnicodeEncodeError as error:
        raise StorageError(
            f"cannot {doing} {path}: file names cannot have the letter "
            f"“{error.object[error.start]}” in this locale; choose one with UTF-8 (LC_ALL)"
        ) from error


# --- write ---


def _patiently(act: Callable[[], object]) -> None:
    """Try *act* for some seconds, because Windows refuses it while, say, a scanner has the file."""
    for pause_s in _PAUSES_S:
        try:
            act()
            return
        except PermissionError as error:
            if getattr(error, "winerror", None) not in _HELD_ON_WINDOWS:
                raise
        time.sleep(pause_s)
    act()


def move(source: Path, target: Path) -> None:
    """Rename *source* to *target* durably, and replace a file there; raise StorageError."""
    with explained("rename", source):
        _patiently(lambda: source.replace(target))
        sync_folder(target.parent)


def delete(path: Path) -> None:
    """Delete the file *path* durably, if it is there; raise StorageError."""
    if os.path.lexists(path):
        with explained("delete", path):
            _patiently(path.unlink)
            sync_folder(path.parent)


def _write_all(descriptor: int, data: bytes | bytearray) -> None:
    # The system may take it in several pieces.
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def sync(descriptor: int) -> None:
    """Have the system put the file's bytes on the disk; raise OSError if it cannot.

    Never try again on the same file: after a failed fsync Linux marks the pages as clean, and the
    next fsync would succeed without writing them (Rebello et al. 2020).
    """
    if sys.platform == "darwin":
        import fcntl

        try:
            # The fsync of macOS gives the bytes to the drive, which may keep them in memory.
            fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
            return
        except OSError as error:
            if error.errno not in _UNSUPPORTED:
                raise
    os.fsync(descriptor)


def sync_folder(folder: Path) -> None:
    """Have the system put the folder's names on the disk, if it can."""
    # Windows cannot open a folder, and keeps names in the journal of its file system.
    if sys.platform == "win32":
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        sync(descriptor)
    except OSError as error:
        if error.errno not in _UNSUPPORTED:
            raise
    finally:
        os.close(descriptor)


def append(path: Path, size: int, data: bytes | bytearray) -> None:
    """Have *path* hold its first *size* bytes and then *data*, durably; raise StorageError.

    A file with fewer bytes is refused and left as it is, because it has lost some.
    """
    # The first append alone makes the file. If it is gone later, so are the bytes.
    create = 0 if size else os.O_CREAT
    with explained("write", path):
        descriptor = os.open(path, os.O_WRONLY | create | _BINARY, 0o666)
        try:
            if os.fstat(descriptor).st_size < size:
                raise StorageError(f"cannot write {path}: it has lost some of its {size:,} bytes")
            os.ftruncate(descriptor, size)
            os.lseek(descriptor, size, os.SEEK_SET)
            _write_all(descriptor, data)
            sync(descriptor)
        except OSError:
            with suppress(OSError):  # free the full disk of what does not count
                os.ftruncate(descriptor, size)
            raise
        finally:
            os.close(descriptor)


def make_folder(folder: Path) -> None:
    """Make *folder* and those above it, durably; raise StorageError."""
    with explained("use the folder", folder):
        missing = []
        for path in (folder, *folder.parents):
            if path.is_dir():
                break
            missing.append(path)
        # Each name is on the disk before there is anything in it.
        for path in reversed(missing):
            path.mkdir(exist_ok=True)
            sync_folder(path.parent)


def write_atomically(path: Path, chunks: Iterable[bytes]) -> None:
    """Replace *path* by the bytes of *chunks*, durably and as a whole; raise StorageError.

    A link is replaced and not followed. If this fails, *path* stays as it was, unless only the
    folder could not be synced.
    """
    temporary = path.with_name(f"{path.name}.{os.urandom(8).hex()}.tmp")
    with explained("write", path):
        # A script that runs as root and saves to /dev/null would remove it for all programs.
        _refuse_a_device(path, "write")
        # O_EXCL, because another user of this folder could have put a link there beforehand.
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, 0o666)
        try:
            try:
                for chunk in chunks:
                    _write_all(descriptor, chunk)
                # If the rename came first, a power cut could leave the name with an empty file.
                sync(descriptor)
            finally:
                os.close(descriptor)
            _patiently(lambda: temporary.replace(path))
            sync_folder(path.parent)
        except BaseException:
            with suppress(OSError):
                temporary.unlink()
            raise


def remove_leftovers(folder: Path, is_ours: Callable[[str], bool], unchanged_s: float = 0) -> None:
    """Delete the temporary files that killed programs left in *folder*, as far as possible.

    They are called NAME.<16 hexadecimal digits>.tmp by `write_atomically`, and *is_ours* is given
    the NAME. One that has changed in the last *unchanged_s* seconds stays: unless *folder* is
    locked, another program may be writing it.
    """
    with suppress(OSError):
        for path in list(folder.iterdir()):
            match = _LEFTOVER.fullmatch(path.name)
            if match and is_ours(match[1]):
                with suppress(OSError):
                    if not unchanged_s or time.time() - path.stat().st_mtime > unchanged_s:
                        path.unlink()


def write_json(path: Path, value: object) -> None:
    """Replace *path* by *value* in JSON, as `write_atomically` does; raise StorageError.

    Raise ValueError if *value* has NaN or an infinity, TypeError if JSON has no such type.
    """
    # JSON in ASCII can also hold the name of a folder that is not UTF-8.
    text = json.dumps(value, indent=1, allow_nan=False)
    write_atomically(path, [text.encode("ascii") + b"\n"])


def set_aside(*paths: Path, by: Callable[[Path, Path], object] = move) -> str:
    """Rename those of the files *paths* that are there, or copy them; return their new names.

    They all get the ending .bak, or .bak.2 and so on if one of them has it already. Raise
    StorageError.
    """
    for ending in chain([".bak"], (f".bak.{number}" for number in count(2))):
        if not any(os.path.lexists(f"{path}{ending}") for path in paths):
            break
    there = [path for path in paths if os.path.lexists(path)]
    for path in there:
        by(path, path.with_name(path.name + ending))
    return listed([path.name + ending for path in there])


# --- read ---


def _refuse_a_device(path: Path, doing: str) -> None:
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise StorageError(f"cannot {doing} {path}: it is not a regular file")


def open_file(source: Path) -> BinaryIO:
    """Open *source*, a regular file, to read bytes; raise StorageError."""
    with explained("read", source):
        if source.is_dir():  # Windows would report a missing permission
            raise IsADirectoryError(errno.EISDIR, "")
        _refuse_a_device(source, "read")  # a named pipe would wait for a writer
        return source.open("rb")


def copy_file(source: Path, target: Path) -> None:
    """Replace *target* by the bytes of *source*, as `write_atomically` does; raise StorageError."""
    with open_file(source) as file:
        write_atomically(target, iter(lambda: file.read(1 << 20), b""))


def read_text(source: Path) -> str:
    """Return the UTF-8 text of *source*; raise StorageError, also if it is very long.

    Some editors put a byte order mark before it, which is dropped.
    """
    with open_file(source) as file, explained("read", source):
        # One byte too many shows that there is more, whatever size the system reports.
        data = file.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise DamagedFileError(
            f"{source} has more than {_MOST_BYTES:,} bytes, the most expected here"
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DamagedFileError(
            f"{source} is not UTF-8 text: byte {error.start} cannot be read"
        ) from None


def parse_json(text: str, source: str) -> Any:
    """Return the value of the JSON *text* of *source*; raise DamagedFileError if it is none."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        fault = f"not JSON at line {error.lineno}, column {error.colno}"
    except ValueError as error:
        fault = str(error)
    except RecursionError:
        fault = "too many nested brackets"
    raise DamagedFileError(f"{source} is damaged: {fault}")


def read_json(path: Path) -> Any:
    """Return the JSON value in the file *path*; raise StorageError if there is none."""
    return parse_json(read_text(path), str(path))


# --- lock ---


def _lock(descriptor: int) -> None:
    """Lock an open file until it is closed; raise OSError if another program has locked it."""
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        # A lock by lockf ends when the process closes any descriptor of the file.
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def lock_file(path: Path) -> FileIO:
    """Lock the file *path* and return it; closing it, or the end of the program, unlocks it.

    The empty file stays. If it were deleted, one program could hold a lock on the old file and
    another on a new one. Raise LockedError if it is locked, or another StorageError.
    """
    with explained("write", path):
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    file = FileIO(descriptor, "r+")
    try:
        _lock(descriptor)
    except OSError as error:
        file.close()
        # Windows reports EACCES or EDEADLK.
        if error.errno in (errno.EAGAIN, errno.EACCES, errno.EDEADLK):
            raise LockedError(
                f"{path.parent} is in training already: wait until that ends, or stop it"
            ) from error
        raise StorageError(
            f"cannot lock {path} ({error.strerror}), and without a lock two programs could write "
            "at once; choose a folder on another disk"
        ) from error
    return file


def check_lock(file: FileIO, path: Path) -> None:
    """Raise StorageError unless the locked *file* is still the one that has the name *path*.

    A lock belongs to a file, and not to its name. If the folder was deleted and made again, another
    program can lock the new one.
    """
    with explained("read", path), suppress(FileNotFoundError, NotADirectoryError):
        if os.path.samestat(os.fstat(file.fileno()), path.lstat()):
            return
    raise StorageError(
        f"{path.parent} was deleted, moved or replaced while it was in use; nothing more is "
        "written there"
    )
