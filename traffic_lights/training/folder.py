"""The files of a training folder: what they are called, and which of them plays.

A bot of the user is such a folder. The page of this folder says what each file holds.

>>> is_written("qbot.json"), is_written("qtable.json.bak.2"), is_written("quotes.json")
(True, True, False)
"""

import re
from pathlib import Path
from typing import Final

from traffic_lights.storage.folders import shipped_tables, training_folder

TABLE: Final = "qtable.json"
"""The whole table."""
LOG: Final = "qtable_deltas.jsonl"
"""The values that have changed since the table was written."""
CHECKPOINT: Final = "qtable_checkpoint.json"
"""How far the run is."""
PRUNED: Final = "qbot.json"
"""The rows that play, written at the end of a run."""
NOTE: Final = "bot.json"
"""What lists show of a bot, and its measured scores."""
LOCK: Final = "qtable.lock"
SNAPSHOTS: Final = "history"
"""The folder of the tables that show the bot as it was after some of its games."""
WRITTEN: Final = (CHECKPOINT, LOG, NOTE, PRUNED, TABLE)
"""The files that a run writes. A file that is set aside keeps its name, with an ending.

The checkpoint is set aside first, because without it a run continues from the table.
"""
_SET_ASIDE: Final = tuple(f"{name}.bak" for name in WRITTEN)
_SNAPSHOT: Final = re.compile(r"(\d+)\.json\.gz")


def is_written(name: str) -> bool:
    """Return whether a run calls a file *name*, also after it was set aside."""
    return name in (*WRITTEN, LOCK) or name.startswith(_SET_ASIDE)


def snapshot_path(folder: Path, games: int) -> Path:
    """Return the file of the snapshot after so many *games*."""
    return folder / SNAPSHOTS / f"{games}.json.gz"


def games_of(path: Path) -> int | None:
    """Return after how many games the snapshot *path* was kept; None if it is not one."""
    found = _SNAPSHOT.fullmatch(path.name)
    return int(found[1]) if found else None


def table_in(folder: Path) -> Path:
    """Return the table in *folder* that plays: the pruned one, or the whole one without it."""
    pruned = folder / PRUNED
    return pruned if pruned.exists() else folder / TABLE


def default_table() -> Path:
    """Return the table of the train command's bot, or the shipped one if it has none."""
    own = table_in(training_folder())
    return own if own.exists() else shipped_tables() / "complete.json"
