"""The files of a training folder, written in an order that never loses anything saved.

The *table* says which runs made it, and how far the last one is. The *log* has what has changed
since, and the *checkpoint* says how far the run is with it. To save is to append to the log and
then to replace the checkpoint. To compact is to replace the table, then the checkpoint, and then to
delete the log. So at any moment either all three hold a run, or the table alone does.

A run depends only on its settings and its progress, so games that were not saved are played again
with the same result. The page of this folder describes the files.
"""

import json
import os
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO, Final

from traffic_lights.learning.deltas import apply_records
from traffic_lights.learning.prune import prune
from traffic_lights.learning.qtable import QTable
from traffic_lights.learning.rowtable import RowTable
from traffic_lights.learning.tablefile import (
    is_foreign,
    read_checksum,
    read_meta,
    read_table,
    write_table,
)
from traffic_lights.storage.files import (
    DamagedFileError,
    StorageError,
    append,
    check_lock,
    copy_file,
    delete,
    lock_file,
    make_folder,
    open_file,
    remove_leftovers,
    set_aside,
    write_json,
)
from traffic_lights.storage.records import read_plain
from traffic_lights.training.folder import CHECKPOINT, LOCK, LOG, PRUNED, TABLE, is_written
from traffic_lights.training.plans import table_for
from traffic_lights.training.progress import Progress, Run, run_in
from traffic_lights.training.settings import SettingsError

FORMAT: Final = "traffic-lights-checkpoint"
VERSION: Final = 4
COMPACT_FROM: Final = 236_000_000
"""The table is written during a run when the log has so many bytes.

So the default run needs 350 MB of disk at most. It needs nearly as much when it writes this table
next to the log as at its end. Then it has the rest of the log, this table and the last one.
"""
PIECE: Final = 1 << 20
"""The log is read in pieces of so many bytes."""


def read_checkpoint(folder: Path) -> dict[str, Any]:
    """Return the checkpoint in *folder*, which has the meta, the base and the log.

    Raise SettingsError if another version wrote it, DamagedFileError, or another StorageError.
    """
    path = folder / CHECKPOINT
    plain = read_plain(path, {"format": FORMAT})
    if plain.pop("crc", None) != _crc_of(plain):
        raise DamagedFileError(f"{path} is damaged: its checksum does not match")
    if plain.get("version") != VERSION:
        raise SettingsError("another version of this program began it")
    return plain


def last_meta(folder: Path) -> dict[str, Any]:
    """Return the meta of the checkpoint in *folder*, or of its table; empty if it has neither."""
    with suppress(StorageError, SettingsError):
        meta: dict[str, Any] = read_checkpoint(folder)["meta"]
        return meta
    with suppress(StorageError):
        return read_meta(folder / TABLE)
    return {}


def last_run(folder: Path) -> Run | None:
    """Return the last run in *folder*, as far as it is saved; None if that is not known."""
    with suppress(SettingsError):
        return run_in(last_meta(folder))
    return None


class Store:
    """A training folder, locked for this process until `close`."""

    def __init__(self, folder: Path) -> None:
        """Make and lock *folder*; raise LockedError if it is in use, or another StorageError."""
        self.folder = folder
        self.table_path = folder / TABLE
        self.pruned_path = folder / PRUNED
        self.log_path = folder / LOG
        self.checkpoint_path = folder / CHECKPOINT
        self.saved_games = 0
        """The games of the run that are on the disk."""
        self._base = ""
        """The checksum of the table; empty if there is none."""
        self._size = self._crc = 0
        """The bytes of the log that count, and their checksum."""
        self._compact_from = COMPACT_FROM
        make_folder(folder)
        self._lock = lock_file(folder / LOCK)
        self.close = self._lock.close
        remove_leftovers(folder, is_written)

    # --- load ---

    def load(self) -> tuple[QTable, Run | None, list[str]]:
        """Return the table, the last run on it, and sentences about files that were set aside.

        What happens, by the checkpoint:

          it has this table as its base     its run goes on, from the table and the log
          it has the same run as the table  a program died before it replaced the checkpoint and
                                            deleted the log; the table's run goes on
          it belongs to another table       it and the log are set aside; the run goes on from the
                                            table
          it is damaged                     the same
          its log is damaged, or missing    the same
          it is missing, but a log is there the same
          neither is there                  the table's run goes on, if there is one
          its table is not there            StorageError
          another version wrote it          StorageError, unless the table has a finished run

        If the table is damaged, that is a StorageError too.
        """
        paths = [self.pruned_path]
        if not os.path.lexists(self.checkpoint_path):  # else it is refused, as a damaged table is
            paths.append(self.table_path)
        notes = [
            f"{path.name} is not a table of this program; it was renamed to {set_aside(path)}"
            for path in paths
            if is_foreign(path)
        ]
        try:
            table = self._read_table()
            run = in_table = run_in(table.meta)
            try:
                if os.path.lexists(self.checkpoint_path):
                    run = self._read_checkpoint(table.meta, in_table)
                elif os.path.lexists(self.log_path):
                    raise DamagedFileError(f"{self.checkpoint_path} is missing")
                if run is not None and self._size:
                    table = table_for(run.settings, table)
                    self._replay(table)
            except DamagedFileError as error:
                # The log was checked before it changed the table.
                self._size = self._crc = 0
                names = set_aside(self.checkpoint_path, self.log_path)
                run = _begun_again(run, in_table)
                games = run.progress.games if run is not None else 0
                notes.append(
                    f"{error}; the files are kept as {names}, and the run goes on from game "
                    f"{games:,}, to the same values"
                )
        except SettingsError as error:
            raise StorageError(
                f"{self.folder} has an unfinished run that this version cannot continue: {error}; "
                "finish it with that version, or start over with --fresh"
            ) from error
        self.saved_games = run.progress.games if run is not None else 0
        return table, run, notes

    def _read_table(self) -> QTable:
        path = self.table_path
        if not os.path.lexists(path):
            return RowTable()
        try:
            table = read_table(path)
        except DamagedFileError as error:
            raise StorageError(
                f"{error}; put a good copy in its place, or start over with --fresh"
            ) from error
        self._base = read_checksum(path)
        return table

    def _read_checkpoint(self, meta: dict[str, Any], in_table: Run | None) -> Run | None:
        """Return the run of the checkpoint, and note how much of the log belongs to it.

        The table has the *meta*, and *in_table* is its run.
        """
        try:
            found = read_checkpoint(self.folder)
        except SettingsError:
            # After a finished run, an earlier version has left a table that has it all.
            if meta.get("finished") and not self.log_path.exists():
                return in_table
            raise
        run = run_in(found["meta"])
        if found["base"] == self._base:
            self._size = found["log"]["bytes"]
            self._crc = int(found["log"]["crc"], 16)
        elif not self._base:
            raise StorageError(
                f"{self.table_path} is missing; put it back, or start over with --fresh"
            )
        elif in_table is None or run != replace(in_table, is_finished=False):
            raise DamagedFileError(
                f"{self.checkpoint_path} continues another table than {self.table_path}"
            )
        else:
            # The program stopped between the table and the checkpoint. The table has it all, and
            # alone says whether the run is finished.
            run = in_table
            self.save(run)
        return run

    def _replay(self, table: QTable) -> None:
        if not os.path.lexists(self.log_path):
            raise DamagedFileError(f"{self.log_path} is missing")
        with open_file(self.log_path) as file:
            crc = 0
            for piece in _pieces(file, self._size):
                crc = zlib.crc32(piece, crc)
            if crc != self._crc or file.tell() < self._size:
                raise DamagedFileError(f"{self.log_path} is damaged")
            file.seek(0)
            for piece in _pieces(file, self._size):
                apply_records(table, piece)

    def has_pruned(self, run: Run) -> bool:
        """Return whether the pruned table is that of the finished *run*."""
        with suppress(StorageError, SettingsError):
            return run_in(read_table(self.pruned_path).meta) == run
        return False

    # --- save ---

    def save(self, run: Run, records: bytes | bytearray = b"") -> None:
        """Append *records* to the log, and note the progress of *run*; raise StorageError.

        After a failed fsync the system may have dropped the bytes, so the run must then end.
        """
        check_lock(self._lock, self.folder / LOCK)
        if records:
            append(self.log_path, self._size, records)
            self._size += len(records)
            self._crc = zlib.crc32(records, self._crc)
        content = {
            "format": FORMAT,
            "version": VERSION,
            "meta": run.meta,
            "base": self._base,
            "log": {"bytes": self._size, "crc": f"{self._crc:08x}"},
        }
        write_json(self.checkpoint_path, {**content, "crc": _crc_of(content)})
        self.saved_games = run.progress.games

    def has_what_was_saved(self) -> bool:
        """Return whether the folder and the log, as far as they were saved, are still there."""
        with suppress(OSError, StorageError):
            check_lock(self._lock, self.folder / LOCK)
            return not self._size or self.log_path.stat().st_size >= self._size
        return False

    def compact_large_log(self, table: QTable, run: Run) -> str:
        """Compact a log of *run*, the last one saved, that has grown too large.

        If that fails, training continues with the log, and the sentence that is returned says so.
        Raise StorageError if it cannot continue.
        """
        if self._size <= self._compact_from:
            return ""
        try:
            self.compact(table, run)
        except StorageError as error:
            is_there = os.path.lexists(self.table_path)
            if self._base != (read_checksum(self.table_path) if is_there else ""):
                raise
            self._compact_from = 2 * self._size
            return f"{error}; the log still holds everything"
        return ""

    def compact(self, table: QTable, run: Run) -> None:
        """Write *table* as that of *run*, the last one saved, and drop the log.

        If the run is finished, write the pruned table before anything says that it is.
        """
        table.meta = run.meta
        small = prune(table) if run.is_finished else None
        check_lock(self._lock, self.folder / LOCK)
        if small is None:
            delete(self.pruned_path)  # it would play by an older table
        else:
            write_table(self.pruned_path, small)
        if small is table:  # to make its text again would take 3 % of a run of 20,000 games
            copy_file(self.pruned_path, self.table_path)
        else:
            write_table(self.table_path, table)
        # The table holds everything now, and the log is not needed any more.
        self._base = read_checksum(self.table_path)
        self._size = self._crc = 0
        self.save(run)
        delete(self.log_path)


def _begun_again(run: Run | None, in_table: Run | None) -> Run | None:
    """Return *run* as far as the table has it; None if neither is known."""
    if run is None or (in_table is not None and in_table.earlier == run.earlier):
        return in_table
    return replace(run, progress=Progress(run.settings.epsilon_start))


def _pieces(file: BinaryIO, size: int) -> Iterator[bytes]:
    """Yield the first *size* bytes of a log, whole lines at a time."""
    while piece := file.read(min(PIECE, size)):
        piece += file.readline(size - len(piece))
        size -= len(piece)
        yield piece


def _crc_of(content: dict[str, Any]) -> str:
    return f"{zlib.crc32(json.dumps(content).encode()):08x}"
