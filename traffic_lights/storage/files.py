"""Durable files: everything that the program writes goes through here.

A file is replaced as a whole or not at all: `write_atomically` writes a
temporary file beside it, has the system put its bytes on the disk, renames it
over the old one and has the rename put on the disk too. Whatever happens in
between, a reader finds the old file or the new one. It writes only where a
regular file or nothing stands: what a link names is never replaced.

Reading is strict: `parse_json` refuses what JSON does not have but Python's
reader lets through, and sizes are bounded. Every failure is a StorageError
whose text is one plain sentence that names the file.

Plain values only; nothing here knows the game.
"""

from __future__ import annotations

import errno
import json
import math
import os
import re
import stat
import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from importlib.resources.abc import Traversable
from itertools import takewhile
from pathlib import Path
from typing import Any, BinaryIO, Final, NoReturn

from traffic_lights.storage.patience import (
    DENIED_ON_WINDOWS,
    HELD_ON_WINDOWS,
    LONG,
    replace,
    unlink,
)

SMALL_FILE: Final = 16 << 20
"""The bytes that `read_json` reads at most unless it is told otherwise."""
_LONGEST_NUMBER: Final = 40
NO_LINK: Final = getattr(os, "O_NOFOLLOW", 0)
"""The flag that has `os.open` refuse a link; nothing where the system has none."""
# Windows would change the ends of lines, and with them every checksum.
_BINARY: Final = getattr(os, "O_BINARY", 0)
_FILE_WORDS: Final = ("read", "write")
_LEFTOVER: Final = re.compile(r"(.+)\.(?:[0-9a-f]{16}|[1-9]\d{0,9})\.tmp")
"""A name of `temporary_path`, or of version 1.0, which numbered its processes there."""


class StorageError(Exception):
    """A file could not be read or written; the text is a sentence for people."""


class DamagedFileError(StorageError):
    """A file does not hold what it must."""


class NoRoomError(StorageError):
    """The disk, or this user's share of it, is full."""


class SizeLimitError(StorageError):
    """A file has reached the size that the system allows this process, or any."""


class SyncError(StorageError):
    """The system could not promise that bytes are on the disk; never try that file again."""


def explain(error: OSError, doing: str, path: Path) -> str:
    """Return the sentence for *error*, met while *doing* ("read", "write") *path*."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"cannot {doing} {path}: the disk is full"
    if error.errno == errno.EFBIG:
        return f"cannot {doing} {path}: a file may not grow larger here (see ulimit -f)"
    if error.errno == errno.ENOENT:
        return f"cannot {doing} {path}: no such file or folder"
    if getattr(error, "winerror", None) in HELD_ON_WINDOWS:
        return f"cannot {doing} {path}: another program has it open"
    # Windows denies access to a folder that is opened as a file.
    if error.errno == errno.EACCES and os.name == "nt" and doing in _FILE_WORDS and path.is_dir():
        return explain(IsADirectoryError(errno.EISDIR, ""), doing, path)
    if getattr(error, "winerror", None) == DENIED_ON_WINDOWS:
        return f"cannot {doing} {path}: this user is not allowed to, or a program has it open"
    if error.errno in (errno.EACCES, errno.EPERM):
        return f"cannot {doing} {path}: this user is not allowed to"
    if error.errno == errno.EROFS:
        return f"cannot {doing} {path}: the disk is read-only"
    if error.errno == errno.EISDIR:
        return f"cannot {doing} {path}: it is a folder, and a file was expected"
    if error.errno == errno.ELOOP:
        return f"cannot {doing} {path}: it is a link, and links are not followed here"
    if error.errno == errno.EEXIST:
        return f"cannot {doing} {path}: something that is no folder has that name"
    if error.errno == errno.ENOTDIR:
        return f"cannot {doing} {path}: part of that path is a file, and a folder was expected"
    return f"cannot {doing} {path}: {error.strerror or error}"


def failure(error: OSError, doing: str, path: Path) -> StorageError:
    """Return the StorageError for *error*, of the kind that says what would help."""
    kinds = {errno.EFBIG: SizeLimitError, errno.ENOSPC: NoRoomError, errno.EDQUOT: NoRoomError}
    return kinds.get(error.errno or 0, StorageError)(explain(error, doing, path))


def write_all(descriptor: int, data: bytes | memoryview) -> None:
    """Write all of *data*: the system may take it in several pieces."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def sync(descriptor: int) -> None:
    """Have the system put the file's bytes on the disk; raise OSError if it cannot."""
    # There fsync hands the bytes to the drive, which may keep them in its own memory.
    if sys.platform == "darwin":
        import fcntl

        try:
            fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
        except OSError as error:
            if error.errno not in (errno.ENOTSUP, errno.EINVAL, errno.ENOTTY):
                raise
        else:
            return
    os.fsync(descriptor)


def sync_folder(folder: Path) -> None:
    """Have the system put the folder's names on the disk, where it can."""
    # There no folder can be opened like this; the file system keeps names in its journal.
    if sys.platform == "win32":
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        sync(descriptor)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(descriptor)


def make_folder(folder: Path) -> None:
    """Make *folder* and those above it that are missing, durably; raise StorageError."""
    try:
        missing = list(takewhile(lambda path: not path.is_dir(), (folder, *folder.parents)))
        # From the top down, each name on the disk before there is anything in it.
        for path in reversed(missing):
            path.mkdir(exist_ok=True)
            sync_folder(path.parent)
    except OSError as error:
        raise failure(error, "use the folder", folder) from error


def temporary_path(path: Path) -> Path:
    """Return a name beside *path* for its next version, which nobody can have guessed."""
    return path.with_name(f"{path.name}.{os.urandom(8).hex()}.tmp")


def _create(path: Path) -> int:
    """Return a descriptor to write the new file *path*; OSError if anything has that name."""
    # Exclusively: who may write in this folder too cannot have put a link there beforehand.
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | NO_LINK | _BINARY
    return os.open(path, flags, 0o666)


def remove_leftovers(folder: Path, names: Collection[str]) -> None:
    """Remove the temporary files that killed writers of *names* left in *folder*; or OSError.

    Only regular files of this user's, named as `temporary_path` does.
    """
    for path in folder.iterdir():
        match = _LEFTOVER.fullmatch(path.name)
        # Others may be allowed to write in this folder: a name alone does not make a file ours.
        if match and match[1] in names and _is_own(os.lstat(path)):
            unlink(path)


def _is_own(status: os.stat_result) -> bool:
    is_users = not hasattr(os, "geteuid") or status.st_uid == os.geteuid()
    return is_users and stat.S_ISREG(status.st_mode)


def try_write(path: Path) -> None:
    """Have a file beside *path* written to the disk and removed; OSError if that cannot be."""
    temporary = temporary_path(path)
    descriptor = _create(temporary)
    try:
        write_all(descriptor, b"can be written\n")
        sync(descriptor)
    finally:
        os.close(descriptor)
        unlink(temporary)
    sync_folder(path.parent)


def pieces(path: Path) -> Iterator[bytes]:
    """Yield the bytes of the file *path*, 1 MB at a time; raise OSError if it cannot be read."""
    with path.open("rb") as file:
        while piece := file.read(1 << 20):
            yield piece


def write_atomically(path: Path, chunks: Iterable[bytes], pauses: tuple[float, ...] = LONG) -> None:
    """Replace *path* by the bytes of *chunks*, durably and as a whole.

    A file that was there passes on its mode; a link is replaced and never followed.
    While another program has it open that is tried again after *pauses*. Raise
    StorageError, and SyncError if the bytes may not be on the disk; *path* is
    then what it was, unless only the folder's own sync failed.
    """
    mode = stat.S_IFREG
    with suppress(OSError):
        mode = path.stat().st_mode
    # A file renamed over a device would take that from the whole system.
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise StorageError(f"cannot write {path}: it is not a regular file")
    temporary = temporary_path(path)
    try:
        descriptor = _create(temporary)
        try:
            _keep_mode(path, descriptor)
            for chunk in chunks:
                write_all(descriptor, chunk)
            # First the bytes, then the name: the other way round a power cut could leave the new
            # name on nothing.
            _sync_or_raise(lambda: sync(descriptor), path)
        finally:
            os.close(descriptor)
        replace(temporary, path, pauses)
    except BaseException as error:
        if not isinstance(error, FileExistsError):  # what has that name is not ours
            with suppress(OSError):
                temporary.unlink()
        if isinstance(error, OSError):
            raise failure(error, "write", path) from error
        raise
    # The new name is in the bytes of the folder, which have to reach the disk as well.
    _sync_or_raise(lambda: sync_folder(path.parent), path)


def refuse_irregular(path: Path) -> None:
    """Raise StorageError if *path* is there and is no regular file: a link, a device.

    To follow a link would replace what somebody else may have chosen; to rename
    over a device would take it from the whole system.
    """
    try:
        mode = os.lstat(path).st_mode
    except FileNotFoundError:
        return
    except OSError as error:
        raise failure(error, "write", path) from error
    if not stat.S_ISREG(mode):
        code = errno.EISDIR if stat.S_ISDIR(mode) else errno.ELOOP if stat.S_ISLNK(mode) else 0
        known = explain(OSError(code, ""), "write", path)
        raise StorageError(known if code else f"cannot write {path}: it is not a regular file")


def _keep_mode(path: Path, descriptor: int) -> None:
    """Give the file of *descriptor* the mode of *path*, if that exists and the system has modes."""
    # Windows knows "read-only" alone, and then removes no such temporary file.
    if os.name == "posix":
        # Not every file system has modes, and that is no reason not to save.
        with suppress(OSError):
            os.fchmod(descriptor, stat.S_IMODE(path.stat().st_mode))


def _sync_or_raise(synchronise: Callable[[], None], path: Path) -> None:
    try:
        synchronise()
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EROFS):
            raise failure(error, "write", path) from error
        # Never tried again: after a failed fsync Linux takes the pages for clean, and the next
        # one would succeed without having written them (Rebello et al. 2020).
        raise SyncError(
            f"cannot save {path}: the disk did not confirm the write ({error.strerror})"
        ) from error


def write_json(path: Path, value: object, pauses: tuple[float, ...] = LONG) -> None:
    """Replace *path* by *value* as indented JSON, as `write_atomically` does."""
    # ASCII: the name of a folder need not be UTF-8, and has to be noted all the same.
    text = json.dumps(value, indent=1, allow_nan=False)
    write_atomically(path, [text.encode("ascii"), b"\n"], pauses)


def open_regular(path: Path) -> int:
    """Return a descriptor to read the regular file *path*; raise StorageError otherwise."""
    try:
        # Not blocking: opening a named pipe would otherwise wait for a writer.
        flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | _BINARY
        descriptor = os.open(path, flags)
    except OSError as error:
        raise StorageError(explain(error, "read", path)) from error
    # Asked of what was opened: the name may lead elsewhere by now.
    mode = os.fstat(descriptor).st_mode
    if not stat.S_ISREG(mode):
        os.close(descriptor)
        if stat.S_ISDIR(mode):
            raise StorageError(explain(IsADirectoryError(errno.EISDIR, ""), "read", path))
        raise StorageError(f"cannot read {path}: it is not a regular file")
    return descriptor


def open_file(source: Path | Traversable) -> BinaryIO:
    """Return *source* open for reading bytes, a regular file or inside a zip, or StorageError."""
    if isinstance(source, Path):
        return os.fdopen(open_regular(source), "rb")
    try:
        return source.open("rb")  # type: ignore[return-value]
    except OSError as error:
        raise StorageError(explain(error, "read", Path(str(source)))) from error


def read_bytes(source: Path | Traversable, limit: int = SMALL_FILE) -> bytes:
    """Return what the file *source* holds, at most *limit* bytes; raise StorageError otherwise."""
    with open_file(source) as file:
        try:
            # One byte too many tells that there is more; the size that the system states may
            # change meanwhile.
            data = file.read(limit + 1)
        except OSError as error:
            raise StorageError(explain(error, "read", Path(str(source)))) from error
    if len(data) > limit:
        raise DamagedFileError(f"{source} has more than {limit:,} bytes, the most expected here")
    return data


def read_text(path: Path | Traversable, limit: int = SMALL_FILE) -> str:
    """Return the UTF-8 text of *path*, at most *limit* bytes; raise StorageError otherwise."""
    data = read_bytes(path, limit)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise DamagedFileError(
            f"{path} is not UTF-8 text: byte {error.start} cannot be read"
        ) from None


def parse_json(text: str, source: str) -> Any:
    """Return the value of the JSON *text*; raise DamagedFileError, naming *source*, if it is none.

    Stricter than the standard reader: no NaN or Infinity, no number beyond a
    float, none of more than 40 characters, no name twice in an object, no
    nesting deeper than Python's stack.
    """

    def refuse(what: str) -> NoReturn:
        raise DamagedFileError(f"{source} is damaged: {what}")

    def number(digits: str, kind: type[int] | type[float]) -> int | float:
        # Reading an int takes time that grows with the square of its digits.
        if len(digits) > _LONGEST_NUMBER:
            refuse(f"a number of {len(digits):,} characters")
        value = kind(digits)
        # Python reads 1e999 as infinity, without a word.
        if not math.isfinite(value):
            refuse(f"{digits} is beyond any float")
        return value

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        members: dict[str, Any] = {}
        for name, value in pairs:
            # Python would keep the last of them; two readers must not see two files.
            if name in members:
                refuse(f"the name {name[:40]!r} appears twice")
            members[name] = value
        return members

    try:
        return json.loads(
            text,
            parse_int=lambda digits: number(digits, int),
            parse_float=lambda digits: number(digits, float),
            parse_constant=lambda name: refuse(f"{name} is no JSON number"),
            object_pairs_hook=unique,
        )
    except json.JSONDecodeError as error:
        refuse(f"not JSON at line {error.lineno}, column {error.colno}")
    except RecursionError:
        refuse("too many nested brackets")


def read_json(path: Path | Traversable, limit: int = SMALL_FILE) -> Any:
    """Return the value of the JSON file *path*; raise StorageError if it holds none."""
    return parse_json(read_text(path, limit), str(path))
