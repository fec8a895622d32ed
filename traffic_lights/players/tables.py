"""Players that play by the file of a Q-table.

>>> from traffic_lights.storage.folders import shipped_tables
>>> perfect = TableFile(shipped_tables() / "complete.json")
>>> perfect.read().is_pruned
True
"""

import random
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Final

from traffic_lights.board.baselines import Policy
from traffic_lights.learning.qtable import QTable, TableBot
from traffic_lights.learning.tablefile import read_table
from traffic_lights.storage.files import explained
from traffic_lights.training.folder import table_in

_READING: Final = Lock()
"""Held while a table is read, so that two threads that want one table read it once."""


@dataclass(frozen=True, slots=True)
class TableFile:
    """The Q-table that a player plays by."""

    path: Path
    """The file, or the folder of a training, of which the table that plays is read."""
    elsewhere: Policy | None = None
    """How it plays positions that the table does not have."""

    def read(self) -> QTable:
        """Return the table, read again only if the file has changed; raise StorageError."""
        path = table_in(self.path) if self.path.is_dir() else self.path
        with explained("read", path):
            changed_ns = path.stat().st_mtime_ns
        with _READING:
            return _read(path, changed_ns)

    def bot(self, rng: random.Random) -> TableBot:
        """Return a bot that draws from *rng*; raise StorageError."""
        return TableBot(self.read(), rng, self.elsewhere)

    def strategy(self) -> Policy:
        """Return what the bot chooses among; raise StorageError."""
        return table_strategy(self.read(), self.elsewhere)


@lru_cache(maxsize=8)
def _read(path: Path, _changed_ns: int) -> QTable:
    return read_table(path)


def table_strategy(table: QTable, elsewhere: Policy | None = None) -> Policy:
    """Return what a `TableBot` of *table* chooses among."""
    return Policy(TableBot(table, random.Random(0), elsewhere).choices)
