"""The notes that say what a person's own table is, and which run is under way.

    table.json   in the folder of a kept table: its name and facts for lists
    run.json     what the run that is not kept yet is called, and where it is

A note that cannot be read hides no table.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from datetime import date
from pathlib import Path
from typing import Any, Final

from traffic_lights.storage.files import StorageError, read_json, write_json
from traffic_lights.system.typed import LONGEST_NAME as LONGEST_NAME
from traffic_lights.system.typed import fit_name

TABLE_FORMAT: Final = "traffic-lights-own-table"
RUN_FORMAT: Final = "traffic-lights-run"
VERSION: Final = 1
TABLE_NOTE: Final = "table.json"


@dataclass(frozen=True, slots=True)
class Facts:
    """What lists say about a table."""

    games: int = 0
    decided: int = 0
    """Canonical positions decided."""
    is_finished: bool = True
    """Whether its last run was played to the end; training it further resumes it otherwise."""
    origin: str = ""
    """How it came about, in a few words."""
    date: str = ""
    """The day on which it was kept, as 2026-01-31; empty for a table of an older program."""
    score: float = -1.0
    """Its exact score against Myopic, from 0 to 1, once somebody has computed it; else -1."""


@dataclass(frozen=True, slots=True)
class RunNote:
    """The run that is not kept yet."""

    name: str
    folder: Path
    base: str = ""
    """The key of the table that it goes on from, and replaces when it is kept; empty: a new one."""


def write_table_note(folder: Path, name: str, facts: Facts) -> None:
    """Note in *folder* that its table is called *name*, and its *facts*; raise StorageError."""
    known = replace(facts, date=facts.date or date.today().isoformat())
    plain = {"format": TABLE_FORMAT, "version": VERSION, "name": cleaned(name), **asdict(known)}
    write_json(folder / TABLE_NOTE, plain)


def cleaned(name: str) -> str:
    """Return *name* fit for a list: one line, not too long, never empty."""
    return fit_name(name) or "My QBot"


def read_table_note(folder: Path) -> tuple[str, Facts]:
    """Return name and facts of the table in *folder*; what is not noted is as for one unknown."""
    plain = _noted(folder / TABLE_NOTE, TABLE_FORMAT)
    if plain is None:
        return folder.name, Facts()
    known = {
        field.name: plain[field.name]
        # Facts are for lists: one that an older program did not write, or a hand has spoiled, is no
        # reason to hide a table that plays.
        for field in fields(Facts)
        if type(plain.get(field.name)) is type(field.default)
    }
    return cleaned(str(plain.get("name", ""))), Facts(**known)


def write_run_note(path: Path, note: RunNote) -> None:
    """Write *note* to *path*; raise StorageError."""
    plain = {"name": note.name, "folder": str(note.folder), "base": note.base}
    write_json(path, {"format": RUN_FORMAT, "version": VERSION, **plain})


def read_run_note(path: Path) -> RunNote | None:
    """Return the note in *path*; None if there is none that can be read."""
    plain = _noted(path, RUN_FORMAT) or {}
    values = [plain.get(name) for name in ("name", "folder", "base")]
    if not all(isinstance(value, str) for value in values):
        return None
    name, folder, base = map(str, values)
    return RunNote(cleaned(name), Path(folder), base)


def _noted(path: Path, kind: str) -> dict[str, Any] | None:
    """Return what the note *path* of that *kind* holds; None if it cannot be read."""
    try:
        plain = read_json(path)
    except StorageError:
        return None
    is_note = isinstance(plain, dict) and plain.get("format") == kind
    return plain if is_note else None
