"""Tables from elsewhere: read, checked, and written as an own table."""

from __future__ import annotations

import shutil
from pathlib import Path

from traffic_lights.learning.qtable import QTable
from traffic_lights.learning.tablefile import read_table, write_table
from traffic_lights.training.own_tables import Facts, OwnTable, OwnTables, cleaned
from traffic_lights.training.settings import Settings, SettingsError


def import_table(tables: OwnTables, path: Path) -> OwnTable:
    """Return a new own table with what the file *path* holds; it may take seconds.

    Raise StorageError if it holds none, or if the copy cannot be written.
    """
    table = read_table(path)
    rows = sum(1 for _ in table.states())
    decided = 0 if table.meta.get("estimates") else sum(map(table.is_decided, table.states()))
    games = table.meta.get("games")
    facts = Facts(
        games=games if type(games) is int else 0,
        rows=rows,
        decided=decided,
        origin=_origin(table, path),
    )
    folder = tables.new_folder()
    try:
        write_table(folder / "qtable.json", table)
        return tables.add(folder, tables.free_name(cleaned(path.stem)), facts)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _origin(table: QTable, path: Path) -> str:
    """Return how *table* came about, as far as it says."""
    try:
        programme = Settings.from_json(table.meta["runs"][-1]["settings"]).programme
    except (SettingsError, LookupError, TypeError):
        return f"imported from {path.name}"[:60]
    return f"{programme}, imported"
