"""A disk that fails on command: every effect of the program on files, numbered and recorded.

`Disk` stands between the program and the functions of `os` that change files.
Each call is one *effect* and has a number. At one of them the program dies,
before it or in the middle of it: no effect happens any more, whatever it does. Or
the call fails with an error of the system, once or from then on.

The recorded effects are also a model of power cuts (`power_cuts`). Bytes are
safe when their file was synced, and names when their folder was. A power cut
may leave everything else, nothing of it, a half, the last part, or zeros.
"""

from __future__ import annotations

import errno
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias
from unittest import mock

DEATHS: Final = ("die", "die halfway")
ERRORS: Final = tuple(
    f"{name} {times}" for name in ("ENOSPC", "EIO", "EROFS") for times in ("once", "from then on")
)
_FUNCTIONS: Final = (
    "open", "close", "write", "fsync", "replace", "ftruncate", "unlink", "mkdir",
)  # fmt: skip
_REAL: Final[dict[str, Any]] = {name: getattr(os, name) for name in _FUNCTIONS}


class DiedError(BaseException):
    """Ends a program that a Disk has killed."""


Inode: TypeAlias = list[tuple[int, bytes | None]]
"""One file, whatever its name: each change is (offset, bytes) or (size, None)."""
LOSSES: Final[tuple[Callable[[Inode], Inode], ...]] = (
    lambda rest: rest,
    lambda _: [],
    lambda rest: [*rest[:-1], *((at, data and data[: len(data) // 2]) for at, data in rest[-1:])],
    lambda rest: rest[-1:],
    lambda rest: [(at, data and bytes(len(data))) for at, data in rest],
)
"""What may come back of the changes that are not safe: all, none, a half, the last, or zeros."""


@dataclass(slots=True)
class Effect:
    """One change of bytes or names, one promise about either, or a mark of the test."""

    kind: str
    paths: tuple[str, ...] = ()
    inode: Inode = field(default_factory=list)
    mark: Any = None


class Disk(ExitStack):
    """Numbers and records the effects of this process on files while it is entered."""

    def __init__(self, at: int = -1, failure: str = "", root: Path = Path()) -> None:
        """At effect *at* have *failure* happen, of DEATHS or ERRORS; *root* is a note."""
        super().__init__()
        self.root = root
        self.effects: list[Effect] = []
        self.count = 0
        self._at = at
        self._failure = failure
        self._inodes: dict[str, Inode] = {}
        self._files: dict[int, tuple[str, Inode]] = {}

    def __enter__(self) -> Disk:
        for name in _FUNCTIONS:
            stand_in = getattr(self, f"_{name}", None) or partial(self._name_change, name)
            self.enter_context(mock.patch.object(os, name, stand_in))
        if sys.platform == "darwin":  # which would sync by another function
            self.enter_context(mock.patch.object(sys, "platform", "linux"))
        return self

    def mark(self, seen: object) -> None:
        self.effects.append(Effect("mark", mark=seen))

    def _strike(self, do_half: Callable[[], object] = lambda: None) -> None:
        """Count an effect; raise DiedError or OSError if its time has come."""
        number = self.count
        self.count += 1
        if self._at < 0 or number < self._at:
            return
        name, _, how = self._failure.partition(" ")
        if name == "die":
            if number == self._at and how == "halfway":
                do_half()
            raise DiedError
        if number == self._at or how == "from then on":
            do_half()
            code = getattr(errno, name)
            raise OSError(code, os.strerror(code))

    def _open(self, path: Any, flags: int, mode: int = 0o777, **options: Any) -> int:
        name = _name(path)
        is_new = bool(flags & os.O_CREAT) and not os.path.lexists(name)
        if is_new:
            self._strike()
        descriptor: int = _REAL["open"](path, flags, mode, **options)
        if is_new:
            self._inodes[name] = []
            self.effects.append(Effect("create", (name,), self._inodes[name]))
        if Path(name).is_dir() or name in self._inodes:
            self._files[descriptor] = name, self._inodes.get(name, [])
        return descriptor

    def _close(self, descriptor: int) -> None:
        self._files.pop(descriptor, None)
        _REAL["close"](descriptor)

    def _change(self, inode: Inode, offset: int, data: bytes | None) -> None:
        inode.append((offset, data))
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
            kind = "sync names" if Path(name).is_dir() else "sync"
            self.effects.append(Effect(kind, (name,), inode))

    def _name_change(self, kind: str, *arguments: Any, **options: Any) -> None:
        """Do what the function *kind* does, which makes, moves or removes a name."""
        self._strike()
        _REAL[kind](*arguments, **options)
        names = tuple(map(_name, arguments[: 2 if kind == "replace" else 1]))
        inode = self._inodes.pop(names[0], None)
        if inode is not None and kind == "replace":
            self._inodes[names[1]] = inode
        self.effects.append(Effect(kind, names))


def power_cuts(effects: Sequence[Effect]) -> Iterator[tuple[int, dict[str, bytes]]]:
    """Yield (how many effects were done, content by path) for power cuts after each effect.

    Names that are not safe come back in order, none, some or all of them; bytes that are not
    safe as each of LOSSES says.
    """
    safe: list[Effect] = []
    unsafe: list[Effect] = []
    seen, synced = Counter[int](), Counter[int]()
    for done, effect in enumerate(effects, 1):
        key = id(effect.inode)
        if effect.kind == "change":
            seen[key] += 1
        elif effect.kind == "sync":
            synced[key] = seen[key]
        elif effect.kind == "sync names":
            here = [e for e in unsafe if str(Path(e.paths[-1]).parent) == effect.paths[0]]
            safe += here
            unsafe = [e for e in unsafe if e not in here]
        elif effect.kind != "mark":
            unsafe.append(effect)
        elif done < len(effects):
            continue
        for kept in range(len(unsafe) + 1):
            files = _files_after((*safe, *unsafe[:kept]), unsafe[kept:])
            made = {path: (one[: synced[id(one)]], one[synced[id(one)] : seen[id(one)]])
                    for path, one in files.items()}  # fmt: skip
            for loss in LOSSES:
                yield done, {path: _content(one + loss(rest)) for path, (one, rest) in made.items()}


def _name(path: Any) -> str:
    """Return the absolute name of *path*, which itself may be a link."""
    return str(Path(path).absolute())


def _files_after(kept: Sequence[Effect], lost: Sequence[Effect]) -> dict[str, Inode]:
    """Return the files by path if the names of *kept* come back and those of *lost* do not."""
    files: dict[str, Inode] = {}
    for effect in kept:
        if effect.kind == "create":
            files[effect.paths[0]] = effect.inode
        elif effect.kind == "replace":
            source, target = effect.paths
            if source in files:
                files[target] = files.pop(source)
        elif effect.kind == "unlink":
            files.pop(effect.paths[0], None)
    folders = {Path(effect.paths[0]) for effect in lost if effect.kind == "mkdir"}
    return {path: inode for path, inode in files.items() if folders.isdisjoint(Path(path).parents)}


def _content(changes: Inode) -> bytes:
    """Return the bytes of a file after *changes*."""
    result = bytearray()
    for offset, data in changes:
        if data is None:
            del result[offset:]
        result.extend(bytes(max(0, offset - len(result))))
        result[offset : offset + len(data or b"")] = data or b""
    return bytes(result)
