"""Tables from elsewhere: read, checked, and written as an own table."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from traffic_lights.learning.oldtable import import_counts
from traffic_lights.learning.qtable import QTable
from traffic_lights.learning.tablefile import read_table, write_table
from traffic_lights.training import paths
from traffic_lights.training.own_tables import Facts, OwnTable, OwnTables
from traffic_lights.training.settings import RunSettings, SettingsError


@dataclass(frozen=True, slots=True)
class Taken:
    """What an import has brought, and what it has left out."""

    table: OwnTable
    rows: int
    """The rows of the new table."""
    read: int
    """The rows of the file."""
    why: str
    """Why the others were not taken, in words; empty if all were."""

    def __str__(self) -> str:
        rest = f" of {self.read:,}: {self.why}" if self.why else ""
        return f"“{self.table.name}” was imported: {self.rows:,} rows{rest}."


def import_table(tables: OwnTables, path: Path) -> Taken:
    """Make a new own table of what the file *path* holds, and say so; it may take seconds.

    Raise StorageError if it holds none, or if the copy cannot be written.
    """
    table = read_table(path)
    rows = sum(1 for _ in table.states())
    decided = 0 if table.meta.get("estimates") else sum(map(table.is_decided, table.states()))
    read, why = _left_out(table, rows)
    games = table.meta.get("games")
    facts = Facts(
        games=games if type(games) is int else 0,
        rows=rows,
        decided=decided,
        origin=_origin(table, path),
    )
    folder = tables.new_folder()
    try:
        write_table(folder / paths.TABLE, table)
        added = tables.add(folder, path.stem, facts)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return Taken(added, rows, read, why)


def _left_out(table: QTable, rows: int) -> tuple[int, str]:
    """Return how many rows the file of *table* had, and why only *rows* of them were taken."""
    counts = import_counts(table.meta)
    if counts is None:
        return rows, ""
    reasons = (
        (counts.merged, "mirror images folded"),
        (counts.empty, "empty"),
        (counts.conflicts, "values in conflict, the larger kept"),
    )
    return counts.rows, ", ".join(f"{number:,} {what}" for number, what in reasons if number)


def _origin(table: QTable, path: Path) -> str:
    """Return how *table* came about, as far as it says."""
    try:
        programme = RunSettings.from_json(table.meta["runs"][-1]["settings"]).programme
    except (SettingsError, LookupError, TypeError):
        return f"imported from {path.name}"[:60]
    return f"{programme}, imported"
