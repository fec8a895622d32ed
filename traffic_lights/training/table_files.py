"""What an own table takes on the disk, and the ways to make it less or take it elsewhere.

The rows that play are a small part of a table that has decided everything: 2 of
100 MB. The others say how it came to be, and are needed to train it further.
Nothing here needs a display.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from traffic_lights.storage.files import (
    StorageError,
    explain,
    replace,
    sync_folder,
    write_atomically,
)
from traffic_lights.training import paths
from traffic_lights.training.own_tables import OwnTable
from traffic_lights.training.run_folder import drop_used_logs

_AT_ONCE: Final = 1 << 20
_STAYING: Final = (paths.CUT, "table.json", paths.CURVES)
"""The files whose content is still there when only what plays is kept."""


def size_of(table: OwnTable) -> int:
    """Return the bytes of all files of *table*; 0 if they cannot be seen."""
    with suppress(OSError):
        return sum(path.stat().st_size for path in table.folder.iterdir() if path.is_file())
    return 0


def spare_of(table: OwnTable) -> int:
    """Return the bytes that `keep_only_playing` would free; 0 if it cannot be done.

    A table whose run is not finished needs everything to go on.
    """
    if not table.facts.is_finished or not (table.folder / paths.CUT).is_file():
        return 0
    with suppress(OSError):
        return size_of(table) - sum(
            path.stat().st_size for path in table.folder.iterdir() if path.name in _STAYING
        )
    return 0


def keep_only_playing(table: OwnTable) -> None:
    """Delete what *table* does not need to play; it plays the same moves afterwards.

    Killed at any time, it leaves a table that plays. Raise StorageError if it is impossible.
    """
    try:
        drop_used_logs(table.folder)
        for name in (paths.CHECKPOINT, paths.LOG, paths.LOCK):
            # What tells of the whole table would not fit the small one.
            (table.folder / name).unlink(missing_ok=True)
        replace(table.folder / paths.CUT, table.path)
        sync_folder(table.folder)
    except OSError as error:
        raise StorageError(explain(error, "replace", table.path)) from error


def export_table(table: OwnTable, path: Path) -> int:
    """Write a copy of the whole *table* to the file *path* and return its bytes.

    Raise StorageError if that is impossible; a file that was there then stays as it was.
    """
    try:
        write_atomically(path, _pieces(table.path))
        return path.stat().st_size
    except OSError as error:
        raise StorageError(explain(error, "copy", table.path)) from error


def _pieces(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(_AT_ONCE):
            yield piece


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
