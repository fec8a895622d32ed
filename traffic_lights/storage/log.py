"""The delta log: what changed since the table was written, batch by batch, each with a commit.

A log is a text file of JSON lines. The first is its header; then come records,
which this module does not read, and after each batch of them a commit:

    {"format": ..., "version": 1, ..., "crc": "0a1b2c3d"}
    {"s":"000000000123","a":4,"v":1.0}
    {"commit":{...},"records":1,"bytes":35,"after":"0a1b2c3d","crc":"4e5f6071"}

The checksum of a commit (CRC-32) goes over every byte since the commit before
it, starting from that one's checksum, which it repeats as ``after``. So the
commits form a chain that begins at the header, and each, whose records take
``bytes``, can also be verified alone. A batch whose commit does not verify did
not happen.

One commit is one append and one sync, so whatever a power cut leaves of the
last append, nothing after it can verify: that is a *torn tail*, and is cut
off. If a later commit does verify, something else has damaged the middle.
"""

from __future__ import annotations

import errno
import json
import os
import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, Final

from traffic_lights.storage.files import (
    NO_LINK,
    DamagedFileError,
    StorageError,
    SyncError,
    explain,
    failure,
    open_regular,
    parse_json,
    sync,
    write_all,
    write_atomically,
)

FORMAT: Final = "traffic-lights-deltas"
VERSION: Final = 1
# Above what a run commits at once, which is 12 MB at the very most.
LARGEST_COMMIT: Final = 16 << 20
"""The bytes of records that a reader expects in one commit at most."""
_LONGEST_LINE: Final = 1 << 16
_CHUNK: Final = 4 << 20
_CRC_KEY: Final = b'"crc":"'
_COMMIT_START: Final = b'\n{"commit":'
_CRC: Final = re.compile(rb'"crc":"([0-9a-f]{8})"\}\n')
_ALONE: Final = re.compile(rb'"bytes":(\d{1,9}),"after":"([0-9a-f]{8})"')


class BrokenLogError(DamagedFileError):
    """A log is damaged, and holds sound commits after the damage."""


@dataclass(frozen=True, slots=True)
class Commit:
    """One verified batch of a log."""

    content: dict[str, Any]
    records: bytes


def _sealed(text: str, crc: int) -> tuple[bytes, int]:
    """Return the JSON object *text* with its checksum, continued from *crc*, as its last member."""
    # Last in its line, so that it covers all that stands before it.
    body = text.removesuffix("}").encode("utf-8") + b',"crc":"'
    crc = zlib.crc32(body, crc)
    return body + f'{crc:08x}"}}\n'.encode(), crc


class DeltaLog:
    """A log open for appending. It belongs to whoever holds the lock of its folder."""

    def __init__(self, path: Path, size: int, crc: int) -> None:
        """Open the existing log *path*, whose last commit ends at *size* with checksum *crc*.

        What lies behind is cut off. Raise StorageError if it cannot be opened.
        """
        self.path = path
        self.size = size
        self.crc = crc
        self._failed = False
        self._descriptor = -1
        try:
            self._descriptor = os.open(path, os.O_RDWR | NO_LINK | getattr(os, "O_BINARY", 0))
            # Before anything is appended: behind a torn tail no commit would ever be read.
            if os.fstat(self._descriptor).st_size != size:
                os.ftruncate(self._descriptor, size)
                sync(self._descriptor)
            os.lseek(self._descriptor, size, os.SEEK_SET)
        except OSError as error:
            self.close()
            raise failure(error, "write", path) from error

    @classmethod
    def create(cls, path: Path, header: dict[str, Any]) -> DeltaLog:
        """Replace *path* by a log with *header* and nothing else, durably and as a whole."""
        text = json.dumps({"format": FORMAT, "version": VERSION, **header}, separators=(",", ":"))
        line, crc = _sealed(text, 0)
        write_atomically(path, [line])
        return cls(path, len(line), crc)

    def append(self, records: bytes, count: int, content: dict[str, Any]) -> None:
        """Append *records* (*count* lines) and their commit; return when they are on the disk.

        Raise NoRoomError or another StorageError if it cannot be written, having
        cut back to the last commit, and SyncError if the disk did not confirm:
        this log then takes no more, since what the system says of it can no
        longer be believed.
        """
        if self._failed:
            raise SyncError(f"cannot save to {self.path}: the disk failed to confirm a write")
        commit = {
            "commit": content,
            "records": count,
            "bytes": len(records),
            "after": f"{self.crc:08x}",
        }
        text = json.dumps(commit, separators=(",", ":"))
        line, crc = _sealed(text, zlib.crc32(records, self.crc))
        try:
            # Records and commit together, one write and one sync: whatever is missing of them,
            # the checksum does not fit.
            write_all(self._descriptor, records + line)
        except OSError as error:
            self._cut_back()
            raise failure(error, "write", self.path) from error
        try:
            sync(self._descriptor)
        except OSError as error:
            # Cut back as well, so that no later reader believes what may not be on the disk.
            self._cut_back()
            if error.errno in (errno.ENOSPC, errno.EDQUOT):
                raise failure(error, "write", self.path) from error
            self._failed = True
            raise SyncError(
                f"cannot save to {self.path}: the disk did not confirm the write ({error.strerror})"
            ) from error
        # Only now: a failed append is cut back to where the last one that is on the disk ends.
        self.size += len(records) + len(line)
        self.crc = crc

    def _cut_back(self) -> None:
        """Drop what a failed append left; if even that fails, reading drops it."""
        try:
            os.ftruncate(self._descriptor, self.size)
            os.lseek(self._descriptor, self.size, os.SEEK_SET)
        except OSError:
            self._failed = True

    def close(self) -> None:
        """Close the file; nothing happens if it is closed."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


class LogReader:
    """Reads a log from its header on, one verified commit after the other.

    ``size`` and ``crc`` say where the last commit ends that the caller came
    back from; after `commits` has ended, ``torn`` is how many bytes lie behind.
    """

    def __init__(self, path: Path) -> None:
        """Read the header; raise StorageError if the file cannot be read or has none."""
        self.path = path
        self._file: BinaryIO = os.fdopen(open_regular(path), "rb")
        self.torn = 0
        try:
            line = self._file.readline(_LONGEST_LINE)
            self.size = len(line)
            self.crc = _verified(b"", line, 0)
            self.header = self._read_header(line)
        except OSError as error:
            self.close()
            raise StorageError(explain(error, "read", path)) from error
        except StorageError:
            self.close()
            raise

    def _read_header(self, line: bytes) -> dict[str, Any]:
        try:
            header = parse_json(line.decode("utf-8"), str(self.path))
        except UnicodeDecodeError:
            raise DamagedFileError(f"{self.path} is no delta log: not UTF-8 text") from None
        if not isinstance(header, dict) or header.get("format") != FORMAT:
            raise DamagedFileError(f"{self.path} is no delta log: its format should be {FORMAT!r}")
        version = header.get("version")
        if type(version) is not int or version != VERSION:
            raise DamagedFileError(
                f"{self.path} has version {version!r:.40}, and this program reads {VERSION}"
            )
        # Last, so that a file of another program is called that, and not damaged.
        if self.crc < 0:
            raise DamagedFileError(f"{self.path} is damaged: the checksum of line 1 does not fit")
        return header

    def commits(self) -> Iterator[Commit]:
        """Yield the verified commits in order; raise BrokenLogError if the middle is damaged."""
        blocks = self._blocks()
        for records, line in blocks:
            crc = _verified(records, line, self.crc)
            if crc < 0:
                self._check_tail(records, line, blocks)
                break
            yield Commit(_content(records, line, str(self.path)), records)
            self.size += len(records) + len(line)
            self.crc = crc
        self.torn = os.fstat(self._file.fileno()).st_size - self.size

    def _check_tail(self, records: bytes, line: bytes, rest: Iterable[tuple[bytes, bytes]]) -> None:
        """Raise BrokenLogError if some commit from this block on verifies by itself."""
        line_before = b""
        for block_records, block_line in chain([(records, line)], rest):
            stated = _ALONE.search(block_line)
            # Damage may have joined records to the commit line before them, or hidden that line.
            text = line_before + block_records
            line_before = block_line
            if stated and int(stated[1]) <= len(text):
                own = text[len(text) - int(stated[1]) :]
                if _verified(own, block_line, int(stated[2], 16)) >= 0:
                    raise BrokenLogError(
                        f"{self.path} is damaged after byte {self.size:,}, and sound again later"
                    )

    def _blocks(self) -> Iterator[tuple[bytes, bytes]]:
        """Yield (records, commit line), the last perhaps torn; bounded in memory."""
        # Before what is left stands a line end, so that all commit lines look alike.
        buffer, at, searched = b"\n", 1, 0
        while True:
            start = buffer.find(_COMMIT_START, searched) + 1
            end = buffer.find(b"\n", start) + 1 if start else 0
            if end:
                yield buffer[at:start], buffer[start:end]
                at, searched = end, end - 1
                continue
            # Nobody writes commits as large, so this is damage; only its end is kept in memory.
            if len(buffer) - at > LARGEST_COMMIT:
                yield b"", b"\n"
                at, start = len(buffer) - LARGEST_COMMIT // 2, 0
            chunk = self._read()
            if not chunk:
                yield buffer[at:], b""
                return
            searched = (start or max(at, len(buffer) - len(_COMMIT_START))) - at
            buffer, at = buffer[at - 1 :] + chunk, 1

    def _read(self) -> bytes:
        try:
            return self._file.read(_CHUNK)
        except OSError as error:
            raise StorageError(explain(error, "read", self.path)) from error

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _verified(records: bytes, line: bytes, crc: int) -> int:
    """Return the checksum of a block that continues *crc*, or -1 if it does not fit."""
    # The last one: what a commit holds may contain the same text.
    at = line.rfind(_CRC_KEY)
    if at < 0:
        return -1
    match = _CRC.fullmatch(line, at)
    found = zlib.crc32(line[: at + len(_CRC_KEY)], zlib.crc32(records, crc))
    return found if match and int(match[1], 16) == found else -1


def _content(records: bytes, line: bytes, source: str) -> dict[str, Any]:
    """Return the content of a verified commit *line*; raise DamagedFileError if it is not ours."""
    try:
        value = parse_json(line.decode("utf-8"), source)
    except UnicodeDecodeError:
        value = {}
    content = value.get("commit")
    # The checksum proves that nothing changed, not that this program wrote it.
    stated = (value.get("records"), value.get("bytes"))
    if not isinstance(content, dict) or stated != (records.count(b"\n"), len(records)):
        raise DamagedFileError(f"{source} holds a commit that this program did not write")
    return content
