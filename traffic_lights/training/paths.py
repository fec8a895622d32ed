"""What the files of a training folder are called, and which of a folder's files are ours."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

# Named there, because players look for tables and know nothing of training.
from traffic_lights.system.folders import CUT as CUT
from traffic_lights.system.folders import TABLE as TABLE

LOG: Final = "qtable_deltas.jsonl"
CHECKPOINT: Final = "qtable_checkpoint.json"
CURVES: Final = "qtable_curves.json"
POINTS: Final = "curves.json"
NOTE: Final = "bot.json"
LOCK: Final = "qtable.lock"
HISTORY: Final = "history"
"""The folder of the snapshots."""
WRITTEN: Final = (TABLE, CUT, LOG, CHECKPOINT, CURVES, POINTS, NOTE)
"""The files that a run writes; what it sets aside is called after them."""
_SET_ASIDE: Final = re.compile(r"(.+?)\.(?:bak|done)(?:\.[1-9]\d{0,5})?")


def is_ours(name: str) -> bool:
    """Return whether a run calls a file *name*.

    >>> [is_ours(name) for name in ("qbot.json", "qtable.json.bak.2", "quotes.json")]
    [True, True, False]
    """
    set_aside = _SET_ASIDE.fullmatch(name)
    return name == LOCK or (set_aside[1] if set_aside else name) in WRITTEN


def snapshot_path(folder: Path, games: int) -> Path:
    """Return where the bot in *folder* keeps its table after *games* games."""
    return folder / HISTORY / f"{games}.json"
