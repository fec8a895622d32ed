"""Files of own tables: taken in from elsewhere, made less on the disk, copied elsewhere.

The rows that play are a small part of a table that has decided everything: 2 of
100 MB. The others say how it came to be, and are needed to train it further.
Nothing here needs a display.
"""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from traffic_lights.learning.oldtable import import_counts
from traffic_lights.learning.qtable import QTable
from traffic_lights.learning.tablefile import read_table, write_table
from traffic_lights.storage.files import (
    StorageError,
    explain,
    pieces,
    sync_folder,
    write_atomically,
)
from traffic_lights.storage.lock import PATIENCE_S, FileLock
from traffic_lights.storage.patience import replace, unlink
from traffic_lights.training import paths
from traffic_lights.training.notes import Facts
from traffic_lights.training.own_tables import OwnTable, OwnTables
from traffic_lights.training.run_folder import drop_used_logs
from traffic_lights.training.settings import RunSettings, SettingsError

_STAYING: Final = (paths.CUT, "table.json", paths.CURVES)
"""The files whose content is still there when only what plays is kept."""


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
        rows = f"{self.rows:,} {'row' if self.rows == 1 else 'rows'}"
        return f"“{self.table.name}” was imported: {rows}{rest}."


def import_table(tables: OwnTables, path: Path) -> Taken:
    """Make a new own table of what the file *path* holds, and say so; it may take seconds.

    Raise StorageError if it holds none, or if the copy cannot be written.
    """
    table = read_table(path)
    rows = sum(1 for _ in table.states())
    decided = 0 if table.meta.get("estimates") else sum(map(table.is_proven, table.states()))
    read, why = _left_out(table, rows)
    games = table.meta.get("games")
    facts = Facts(
        games=games if type(games) is int else 0,
        decided=decided,
        origin=_origin(table, path),
    )
    folder = tables.new_folder()
    try:
        write_table(folder / paths.TABLE, table)
        added = tables.add(folder, path.stem, facts)
    except BaseException:
        # An interrupt too: a folder with a table and no note would be listed under its key.
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
        (counts.zeros, "with only zeros"),
        (counts.conflicts, "values in conflict, the larger kept"),
        (counts.refused, "refused, since the rules do not allow what they say"),
    )
    return counts.rows, ", ".join(f"{number:,} {what}" for number, what in reasons if number)


def _origin(table: QTable, path: Path) -> str:
    """Return how *table* came about, as far as it says."""
    try:
        programme = RunSettings.from_json(table.meta["runs"][-1]["settings"]).programme
    except (SettingsError, LookupError, TypeError):
        return f"imported from {path.name}"[:60]
    return f"{programme}, imported"


def size_of(table: OwnTable) -> int:
    """Return the bytes of all files of *table*; 0 if they cannot be seen."""
    with suppress(OSError):
        return sum(path.stat().st_size for path in table.folder.iterdir() if path.is_file())
    return 0


def spare_of(table: OwnTable) -> int:
    """Return the bytes that `keep_only_playing` would free; 0 if it cannot be done.

    A table whose run is not finished needs everything to go on.
    """
    if not table.facts.is_finished or _is_begun(table):
        return 0
    if not (table.folder / paths.CUT).is_file():
        return 0
    with suppress(OSError):
        return size_of(table) - sum(
            path.stat().st_size for path in table.folder.iterdir() if path.name in _STAYING
        )
    return 0


def _is_begun(table: OwnTable) -> bool:
    """Return whether a run has gone on from *table* in its own folder, and is not over."""
    return os.path.lexists(table.folder / paths.LOG)


def keep_only_playing(table: OwnTable) -> None:
    """Delete what *table* does not need to play; it plays the same moves afterwards.

    Killed at any time, it leaves a table that plays. Raise StorageError if it is
    impossible, or if a run that is not over needs the rest.
    """
    try:
        with FileLock(table.folder / paths.LOCK, PATIENCE_S):
            if _is_begun(table):
                raise StorageError(
                    f"the run in {table.folder} is not over: what it has learned would be lost"
                )
            # What trained it goes first and the table last: killed in between, the whole table
            # still plays. What tells of the whole table would not fit the small one.
            drop_used_logs(table.folder)
            unlink(table.folder / paths.CHECKPOINT)
            # The one step that cannot be taken back, and it is atomic.
            replace(table.folder / paths.CUT, table.path)
            sync_folder(table.folder)
    except OSError as error:
        raise StorageError(explain(error, "replace", table.path)) from error


def export_table(table: OwnTable, path: Path) -> int:
    """Write a copy of the whole *table* to the file *path* and return its bytes.

    Raise StorageError if that is impossible; a file that was there then stays as it was.
    """
    try:
        write_atomically(path, pieces(table.path))
        return path.stat().st_size
    except OSError as error:
        raise StorageError(explain(error, "copy", table.path)) from error


def size_text(size: int) -> str:
    """Return *size*, in bytes, as people read it.

    >>> [size_text(n) for n in (0, 900, 2_100_000, 436_000_000, 1_240_000_000)]
    ['0 KB', '1 KB', '2.1 MB', '436 MB', '1.2 GB']
    """
    for unit, name in ((1e9, "GB"), (1e6, "MB")):
        if size >= unit * 0.9995:
            shown = size / unit
            return f"{shown:.1f} {name}" if shown < 9.95 else f"{shown:.0f} {name}"
    return f"{max(size + 999, 0) // 1000} KB"
