"""The programs of anybody's that a person has asked to play, remembered in the data folder.

They are never looked for, and started only when they are to play.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from traffic_lights.players.external import Program, program_name
from traffic_lights.storage.files import DamagedFileError, StorageError, read_json, write_json
from traffic_lights.storage.lock import alone_with
from traffic_lights.system.typed import fit_name

FORMAT: Final = "traffic-lights-programs"
VERSION: Final = 1
FILE_NAME: Final = "programs.json"
PREFIX: Final = "program-"
"""Begins the keys of programs; a number follows."""
LONGEST_MOVE_S: Final = 3600
_LONGEST_COMMAND: Final = 4000


@dataclass(frozen=True, slots=True)
class KeptProgram:
    """A program, and what saved games and settings call it."""

    key: str
    program: Program


class KeptPrograms:
    """The programs of the data *folder*."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE_NAME

    def all(self) -> list[KeptProgram]:
        """Return every program, the oldest first; raise StorageError if the file is damaged."""
        if not self._path.exists():
            return []
        plain = read_json(self._path)
        if not isinstance(plain, dict) or plain.get("format") != FORMAT:
            raise DamagedFileError(f"{self._path} is not a file of format {FORMAT!r}")
        rows = plain.get("programs")
        if plain.get("version") != VERSION or not isinstance(rows, list):
            raise DamagedFileError(f"{self._path} was written by another version of this program")
        return [_from_plain(row, self._path) for row in rows]

    def add(self, program: Program) -> KeptProgram:
        """Remember *program*, in the place of one of its name; raise StorageError.

        Its name is made fit, or is its file's if there is none.
        """
        if len(program.command) > _LONGEST_COMMAND:
            raise StorageError(f"its command has more than {_LONGEST_COMMAND:,} letters")
        name = fit_name(program.name) or program_name(program.command)
        program = replace(program, name=name)
        with alone_with(self._path):
            kept = self.all()
            same = [one.key for one in kept if one.program.name == name]
            taken = [int(one.key.removeprefix(PREFIX)) for one in kept]
            key = same[0] if same else f"{PREFIX}{max(taken, default=0) + 1}"
            added = KeptProgram(key, program)
            self._write([*(one for one in kept if one.key != key), added])
            return added

    def remove(self, key: str) -> None:
        """Forget the program *key*; raise StorageError."""
        with alone_with(self._path):
            self._write([one for one in self.all() if one.key != key])

    def _write(self, kept: list[KeptProgram]) -> None:
        rows = [
            {
                "key": one.key,
                "name": one.program.name,
                "command": one.program.command,
                "move_s": one.program.move_s,
            }
            for one in kept
        ]
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StorageError(f"{self._path.parent}: {error.strerror or error}") from error
        write_json(self._path, {"format": FORMAT, "version": VERSION, "programs": rows})


def _from_plain(row: Any, path: Path) -> KeptProgram:
    """Return the program of *row*; raise DamagedFileError if it has none."""
    values = row if isinstance(row, dict) else {}
    key, name, command = (values.get(field) for field in ("key", "name", "command"))
    move_s = values.get("move_s")
    if (
        isinstance(key, str)
        and re.fullmatch(rf"{PREFIX}[1-9]\d{{0,8}}", key)
        and isinstance(name, str)
        and fit_name(name)
        and isinstance(command, str)
        and 0 < len(command) <= _LONGEST_COMMAND
        and isinstance(move_s, int | float)
        and 0 < move_s <= LONGEST_MOVE_S
    ):
        return KeptProgram(key, Program(command, fit_name(name), move_s))
    raise DamagedFileError(f"{path} holds a program that cannot be")
