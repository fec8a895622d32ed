"""A disk that fails on command: every effect of the program on files, numbered and recorded.

`Disk` stands between the program and the functions of `os` that change files.
Each call is one *effect* and has a number. At one of them the process dies,
before it or in the middle of it, or the call fails with an error of the system,
once or from then on. Or it changes names, and another program has one of them
open, as on Windows, for some tries or for good.

The recorded effects are also a model of power cuts (`power_cuts`): bytes are
safe when their file was synced, names when their folder was. Of what is not
safe a power cut may leave everything, nothing, a half, the last, or zeros.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from unittest import mock

DIED: Final = 86
"""The exit status of a process that a Disk ended."""
DEATHS: Final = ("die", "die halfway")
ERRORS: Final = tuple(
    f"{name} {times}" for name in ("ENOSPC", "EIO", "EROFS") for times in ("once", "from then on")
)
HELD: Final = ("HELD 9 times", "HELD 1000 times")
"""Another program has the file open, for a moment or for longer than the program waits."""
LOSSES: Final = ("kept", "dropped", "half", "last only", "zeros")
_FUNCTIONS: Final = (
    "open", "close", "write", "fsync", "replace", "ftruncate", "unlink", "mkdir",
)  # fmt: skip
_REAL: Final[dict[str, Any]] = {name: getattr(os, name) for name in _FUNCTIONS}


@dataclass(slots=True)
class Inode:
    """One file, whatever its name: each change is (offset, bytes) or (size, None)."""

    changes: list[tuple[int, bytes | None]] = field(default_factory=list)


@dataclass(slots=True)
class Effect:
    """One change of bytes or names, one promise about either, or a mark of the test."""

    kind: str
    paths: tuple[str, ...] = ()
    inode: Inode | None = None


class Disk:
    """Numbers and records the effects of this process on files while it is entered."""

    def __init__(self, at: int = -1, failure: str = "", root: Path = Path()) -> None:
        """At effect *at* have *failure* happen, of DEATHS, ERRORS or HELD; *root* is a note."""
        self.root = root
        self.effects: list[Effect] = []
        self.count = 0
        self._at = at
        self._failure = failure
        self._inodes: dict[str, Inode] = {}
        self._files: dict[int, tuple[str, Inode]] = {}
        self._patches = ExitStack()

    def __enter__(self) -> Disk:
        for name in _FUNCTIONS:
            self._patches.enter_context(mock.patch.object(os, name, getattr(self, f"_{name}")))
        if self._failure in HELD:  # nobody really waits
            self._patches.enter_context(mock.patch.object(time, "sleep"))
        if sys.platform == "darwin":  # which would sync by another function
            self._patches.enter_context(mock.patch.object(sys, "platform", "linux"))
        return self

    def __exit__(self, *_: object) -> None:
        self._patches.close()

    def mark(self, text: str) -> None:
        """Record that the test saw *text* now."""
        self.effects.append(Effect("mark", (text,)))

    def _strike(
        self, do_half: Callable[[], object] = lambda: None, *, needs_all: bool = False
    ) -> None:
        """Count an effect; end the process or raise OSError if its time has come.

        *needs_all*: nobody else may have the file open, where the system is strict.
        """
        number = self.count
        self.count += 1
        if self._at < 0 or number < self._at:
            return
        name, _, how = self._failure.partition(" ")
        if name == "die":
            if how == "halfway":
                do_half()
            os._exit(DIED)
        if name == "HELD":
            if needs_all and number < self._at + int(how.split()[0]):
                raise held()
            return
        if number == self._at or how == "from then on":
            do_half()
            code = getattr(errno, name)
            raise OSError(code, os.strerror(code))

    def _open(self, path: Any, flags: int, mode: int = 0o777, **options: Any) -> int:
        # Where no link is followed, the name itself is what is opened, made, or refused.
        follows = not flags & (getattr(os, "O_NOFOLLOW", 0) | os.O_EXCL)
        name = os.path.realpath(path) if follows else _name(path)
        is_new = bool(flags & os.O_CREAT) and not os.path.lexists(name)
        if is_new or flags & os.O_TRUNC:
            self._strike()
        descriptor: int = _REAL["open"](path, flags, mode, **options)
        is_written = flags & (os.O_WRONLY | os.O_RDWR)
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            self._files[descriptor] = name, Inode()
        elif is_written and (is_new or name in self._inodes):
            inode = self._inodes.setdefault(name, Inode())
            self._files[descriptor] = name, inode
            if is_new:
                self.effects.append(Effect("create", (name,), inode))
            elif flags & os.O_TRUNC:
                self._change(inode, 0, None)
        return descriptor

    def _close(self, descriptor: int) -> None:
        self._files.pop(descriptor, None)
        _REAL["close"](descriptor)

    def _change(self, inode: Inode, offset: int, data: bytes | None) -> None:
        inode.changes.append((offset, data))
        self.effects.append(Effect("change", (), inode))

    def _write(self, descriptor: int, data: Any) -> int:
        whole = bytes(data)

        def write(part: bytes) -> int:
            offset = os.lseek(descriptor, 0, os.SEEK_CUR)
            written: int = _REAL["write"](descriptor, part)
            if descriptor in self._files:
                self._change(self._files[descriptor][1], offset, part[:written])
            return written

        self._strike(lambda: write(whole[: len(whole) // 2]))
        return write(whole)

    def _ftruncate(self, descriptor: int, size: int) -> None:
        self._strike()
        _REAL["ftruncate"](descriptor, size)
        if descriptor in self._files:
            self._change(self._files[descriptor][1], size, None)

    def _fsync(self, descriptor: int) -> None:
        self._strike()
        _REAL["fsync"](descriptor)
        if descriptor in self._files:
            name, inode = self._files[descriptor]
            is_folder = stat.S_ISDIR(os.fstat(descriptor).st_mode)
            self.effects.append(Effect("sync names" if is_folder else "sync", (name,), inode))

    def _replace(self, source: Any, target: Any) -> None:
        self._strike(needs_all=True)
        _REAL["replace"](source, target)
        names = _name(source), _name(target)
        inode = self._inodes.pop(names[0], None)
        if inode is not None:
            self._inodes[names[1]] = inode
        self.effects.append(Effect("rename", names))

    def _unlink(self, path: Any, **options: Any) -> None:
        self._strike(needs_all=True)
        _REAL["unlink"](path, **options)
        self._inodes.pop(_name(path), None)
        self.effects.append(Effect("unlink", (_name(path),)))

    def _mkdir(self, path: Any, mode: int = 0o777, **options: Any) -> None:
        self._strike()
        _REAL["mkdir"](path, mode, **options)
        self.effects.append(Effect("mkdir", (_name(path),)))


def held() -> PermissionError:
    """Return what Windows says of a file that another program has open."""
    error = PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    error.winerror = 32  # type: ignore[attr-defined, unused-ignore]
    return error


def power_cuts(effects: Sequence[Effect]) -> Iterator[tuple[int, dict[str, bytes]]]:
    """Yield (how many effects were done, content by path) for power cuts after each effect.

    Names that are not safe come back in order, none, some or all of them;
    bytes that are not safe as each of LOSSES.
    """
    for done in range(1, len(effects) + 1):
        if effects[done - 1].kind == "mark" and done < len(effects):
            continue
        names = _Names(effects[:done])
        for kept in range(len(names.unsafe) + 1):
            by_path = names.after(kept)
            for loss in LOSSES:
                yield done, {p: content(i, names.safe_changes(i), loss) for p, i in by_path.items()}


def _name(path: Any) -> str:
    """Return the absolute name of *path*, which itself may be a link."""
    return str(Path(path).absolute())


def _folder_of(effect: Effect) -> str:
    return str(Path(effect.paths[-1]).parent)


class _Names:
    """Which names and changes of *effects* are safe, and which are not."""

    def __init__(self, effects: Sequence[Effect]) -> None:
        self._safe: list[Effect] = []
        self.unsafe: list[Effect] = []
        self._seen: dict[int, int] = {}
        self._synced: dict[int, int] = {}
        for effect in effects:
            key = id(effect.inode)
            if effect.kind == "change":
                self._seen[key] = self._seen.get(key, 0) + 1
            elif effect.kind == "sync":
                self._synced[key] = self._seen.get(key, 0)
            elif effect.kind == "sync names":
                in_folder = [e for e in self.unsafe if _folder_of(e) == effect.paths[0]]
                self._safe += in_folder
                self.unsafe = [e for e in self.unsafe if e not in in_folder]
            elif effect.kind != "mark":
                self.unsafe.append(effect)

    def safe_changes(self, inode: Inode) -> tuple[int, int]:
        """Return how many changes of *inode* are safe, and how many there are so far."""
        return self._synced.get(id(inode), 0), self._seen.get(id(inode), 0)

    def after(self, kept: int) -> dict[str, Inode]:
        """Return the files by path if the first *kept* unsafe names come back."""
        files: dict[str, Inode] = {}
        folders: set[str] = set()
        made = {e.paths[0] for e in (*self._safe, *self.unsafe) if e.kind == "mkdir"}
        for effect in (*self._safe, *self.unsafe[:kept]):
            if effect.kind == "mkdir":
                folders.add(effect.paths[0])
            elif effect.kind == "create" and effect.inode is not None:
                files[effect.paths[0]] = effect.inode
            elif effect.kind == "rename":
                source, target = effect.paths
                moved = [p for p in files if p == source or p.startswith(source + os.sep)]
                files |= {target + path[len(source) :]: files.pop(path) for path in moved}
            elif effect.kind == "unlink":
                files.pop(effect.paths[0], None)
        lost = made - folders
        return {
            path: inode
            for path, inode in files.items()
            if not any(str(folder) in lost for folder in Path(path).parents)
        }


def content(inode: Inode, safe_and_seen: tuple[int, int], loss: str) -> bytes:
    """Return the bytes of *inode* after a power cut that did *loss* to what was not safe."""
    safe, seen = safe_and_seen
    changes, rest = inode.changes[:safe], inode.changes[safe:seen]
    if rest and loss == "kept":
        changes = changes + rest
    elif rest and loss == "half":
        offset, data = rest[-1]
        changes = changes + rest[:-1] + [(offset, data[: len(data) // 2] if data else data)]
    elif rest and loss == "last only":
        changes = changes + rest[-1:]
    elif rest and loss == "zeros":
        changes = changes + [(at, data and bytes(len(data))) for at, data in rest]
    result = bytearray()
    for offset, data in changes:
        if data is None:
            del result[offset:]
            result.extend(bytes(offset - len(result)))
        else:
            result.extend(bytes(max(0, offset - len(result))))
            result[offset : offset + len(data)] = data
    return bytes(result)
