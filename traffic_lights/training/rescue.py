"""What a run that cannot go on says, having saved from memory what it can."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing
from itertools import chain, count
from pathlib import Path

from traffic_lights.learning.qtable import QTable
from traffic_lights.learning.tablefile import write_table
from traffic_lights.storage.files import StorageError
from traffic_lights.system.folders import data_folder
from traffic_lights.training.folder import RunFiles
from traffic_lights.training.troubles import GoneError


def rescued(files: RunFiles, table: QTable, games: int) -> GoneError:
    """Write *table*, the whole of a run up to *games*, into a new folder; return what to say.

    That folder is beside the one of *files*, or in the data folder.
    """
    what = f"{files.gone()} is gone, or something else has its name, so training has stopped"
    for folder in _places(files.folder):
        try:
            with closing(RunFiles(folder)) as new:
                new.open()
                write_table(new.table_path, table)
        except StorageError:
            continue
        return GoneError(f"{what}; all {games:,} games are in {folder} now", folder)
    return GoneError(f"{what}, and what it had learned could not be written elsewhere")


def _places(lost: Path) -> Iterator[Path]:
    """Yield folders that do not exist yet, named after the *lost* one."""
    # Beside it first, where a person looks, and on a disk that had room; that place may be gone as
    # well.
    lost = lost.absolute()
    for parent in (lost.parent, data_folder()):
        names = chain([f"{lost.name}-rescued"], (f"{lost.name}-rescued-{n}" for n in count(2)))
        yield next(parent / name for name in names if not os.path.lexists(parent / name))
