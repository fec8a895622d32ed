"""The folder of a run as a whole: found a place for, copied, waited for, set aside, cleared.

What is set aside is never overwritten.

Errors are StorageErrors.
"""

from __future__ import annotations

import os
import shutil
import stat
from contextlib import suppress
from itertools import chain, count
from pathlib import Path
from typing import Final

from traffic_lights.learning.tablefile import read_checksum
from traffic_lights.storage.files import (
    StorageError,
    explain,
    failure,
    make_folder,
    pieces,
    sync_folder,
    write_atomically,
)
from traffic_lights.storage.lock import PATIENCE_S, FileLock, LockedError
from traffic_lights.storage.patience import remove_tree, replace, unlink
from traffic_lights.training import paths

ELSEWHERE: Final = "traffic-lights-run"
"""How folders of runs outside the data folder are called."""
_NO_NAME: Final = 123
"""The error of Windows for a name that no file there can have."""
_SHOWN: Final = 100
"""The characters of a very long path that are shown of each end."""


def free_folder_in(parent: Path) -> Path:
    """Return a folder under *parent* that does not exist yet."""
    names = (f"{ELSEWHERE}-{number}" for number in count(2))
    return next(parent / name for name in chain([ELSEWHERE], names) if not (parent / name).exists())


def problem_of(folder: Path) -> str | None:
    """Return None if *folder* is one, "" if there is none, or why that cannot be told."""
    try:
        return None if stat.S_ISDIR(folder.stat().st_mode) else ""
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return ""
    except OSError as error:
        if getattr(error, "winerror", 0) == _NO_NAME:
            return ""
        shown = _shortened(folder)
        return f"{explain(error, 'look into', shown)}; a training run may have stopped there."


def _shortened(path: Path) -> Path:
    """Return *path* as it is shown: the middle of what no system takes for a name is left out."""
    text = str(path)
    return path if len(text) <= 2 * _SHOWN else Path(f"{text[:_SHOWN]}…{text[-_SHOWN:]}")


def wait_until_idle(folder: Path, patience_s: float = PATIENCE_S) -> None:
    """Wait a moment until nobody is at work in *folder*; raise LockedError if somebody stays."""
    if folder.is_dir():
        with FileLock(folder / paths.LOCK, patience_s):
            pass


def clear(folder: Path) -> None:
    """Delete the files of a run in a folder of the person's, and the folder if nothing is left."""
    try:
        wait_until_idle(folder)
    except LockedError:
        raise
    except StorageError:
        pass  # a folder that has become read-only keeps its files
    with suppress(OSError):
        for path in list(folder.iterdir()):
            if paths.is_ours(path.name) or path.name == "table.json":
                path.unlink()
        folder.rmdir()


def copy_run(source: Path, target: Path) -> None:
    """Copy the files of a training folder to the new folder *target*, durably.

    Raise StorageError if that is impossible; nothing is left of a copy that fails.
    """
    make_folder(target.parent)
    try:
        target.mkdir()
        sync_folder(target.parent)
    except OSError as error:
        raise failure(error, "copy the run to", target) from error
    try:
        for path in (source / name for name in (*paths.WRITTEN, "table.json")):
            if path.is_file():
                write_atomically(target / path.name, pieces(path))
    except StorageError:
        shutil.rmtree(target, ignore_errors=True)
        raise


def remove(folder: Path) -> None:
    """Delete *folder* and all in it, if it is there."""
    try:
        if folder.exists():
            remove_tree(folder)
    except OSError as error:
        raise StorageError(explain(error, "delete", folder)) from error


def drop_used_logs(folder: Path) -> None:
    """Delete the logs that the table in *folder* has taken up; one that cannot go stays."""
    with suppress(OSError):
        for path in folder.glob(f"{paths.LOG}.done*"):
            if paths.is_ours(path.name):
                path.unlink()


def set_aside(folder: Path, *wanted: Path) -> str:
    """Rename those of the files *wanted* that are there.

    All get the same ending, ``.bak`` or, if that is taken, ``.bak.2``. Return how
    to take them back, nothing if none was there; raise StorageError if they
    cannot be renamed.
    """
    there = [path for path in wanted if os.path.lexists(path)]
    # One ending for all of them: taken back together they are a run, singly they may not fit.
    ending = free_ending(folder, ".bak")
    rename(folder, ending, *there)
    names = [path.name + ending for path in there]
    listed = " and ".join([", ".join(names[:-1]), names[-1]] if names[1:] else names)
    return f"kept as {listed}; rename back without {ending} to use again" if names else ""


def keep_copy(path: Path) -> str:
    """Keep the table *path* as it is under another name too; return that; raise StorageError."""
    checksum = read_checksum(path)
    for copy in path.parent.glob(f"{path.name}.bak*"):
        # Killed after its copy was made and before the run began, a trainer makes no second one.
        with suppress(StorageError):
            if paths.is_ours(copy.name) and read_checksum(copy) == checksum:
                return f"kept as {copy.name}"
    copy = path.with_name(path.name + free_ending(path.parent, ".bak"))
    write_atomically(copy, pieces(path))
    return f"kept as {copy.name}"


def free_ending(folder: Path, ending: str) -> str:
    """Return *ending*, numbered if need be, so that no file of a run in *folder* has it yet."""
    endings = (ending if number == 1 else f"{ending}.{number}" for number in count(1))
    return next(
        free
        for free in endings
        if not any(os.path.lexists(folder / (name + free)) for name in paths.WRITTEN)
    )


def drop(path: Path) -> None:
    """Delete the file *path* of a training folder, durably; raise StorageError."""
    try:
        unlink(path)
        sync_folder(path.parent)
    except OSError as error:
        raise failure(error, "delete", path) from error


def rename(folder: Path, ending: str, *there: Path) -> None:
    """Give the files *there* in *folder* another *ending*, durably; raise StorageError."""
    try:
        for path in there:
            replace(path, path.with_name(path.name + ending))
        sync_folder(folder)
    except OSError as error:
        raise failure(error, "rename files in", folder) from error
