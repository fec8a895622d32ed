"""The programs that the user has added as players, kept in the file programs.json."""

import os
from dataclasses import asdict, replace
from pathlib import Path
from typing import Final

from traffic_lights.players.external import Program, close_external_bots
from traffic_lights.storage.files import (
    StorageError,
    explained,
    make_folder,
    set_aside,
    write_json,
)
from traffic_lights.storage.kinds import (
    Absent,
    Lines,
    ListOf,
    Matching,
    Number,
    Record,
    TextLine,
    Whole,
)
from traffic_lights.storage.records import read_record
from traffic_lights.storage.words import LONGEST_NAME, free_name

PROGRAMS_FILE: Final = "programs.json"
_PROGRAM: Final = Record(
    {
        "key": Matching("program-[1-9][0-9]{0,8}"),
        "command": Lines(10_000),
        "name": TextLine(LONGEST_NAME),
        "move_s": Number(0.001, 86_400),
    }
)
_PROGRAMS: Final = Record({"programs": ListOf(), "last": Absent(Whole(), 0)})
"""The programs, and the highest number that a key ever had, because that may have results."""
_HEADER: Final = {"format": "traffic-lights-programs", "version": 1}


class Programs:
    """The programs in the folder *data*, by their keys."""

    def __init__(self, data: Path) -> None:
        self._path = data / PROGRAMS_FILE
        self.troubles: list[str] = []
        """What the user should know of a damaged file, in sentences."""

    def all(self) -> dict[str, Program]:
        """Return the programs, those in rows that fit."""
        programs, _, _ = self._read()
        return programs

    def add(self, program: Program) -> str:
        """Keep *program* and return its key, or raise StorageError.

        It takes the place of one with its command and name. If another command has that name, it
        gets a number.
        """
        programs, last, _ = self._read()
        others = {old.name for old in programs.values() if old.command != program.command}
        program = replace(program, name=free_name(program.name, others.__contains__))
        key = next((key for key, old in programs.items() if old.name == program.name), "")
        if not key:
            key = f"program-{last + 1}"
        self._save(programs | {key: program})
        return key

    def remove(self, key: str) -> None:
        """Forget the program *key*, if it is known, and end its process; raise StorageError."""
        programs = self.all()
        programs.pop(key, None)
        self._save(programs)

    def _read(self) -> tuple[dict[str, Program], int, bool]:
        """Return the programs, the last number of a key, and whether something was left out."""
        if not os.path.lexists(self._path):
            return {}, 0, False
        try:
            record = read_record(self._path, _PROGRAMS, _HEADER)
        except StorageError:
            return {}, 0, True
        rows = record["programs"]
        programs = {
            row["key"]: Program(row["command"], row["name"], row["move_s"])
            for row in _PROGRAM.fitting(rows)
        }
        numbers = [int(key.removeprefix("program-")) for key in programs]
        return programs, max(record["last"], *numbers, 0), len(programs) < len(rows)

    def _save(self, programs: dict[str, Program]) -> None:
        before, last, is_damaged = self._read()
        close_external_bots(set(before.values()) - set(programs.values()))
        make_folder(self._path.parent)
        if is_damaged:
            with explained("rename", self._path):
                kept = set_aside(self._path)
            self.troubles.append(
                f"{self._path} was damaged, and some programs in it could not be read. The file "
                f"as it was is now {kept.name}."
            )
        rows = [{"key": key, **asdict(program)} for key, program in programs.items()]
        write_json(self._path, {**_HEADER, "programs": rows, "last": last})
