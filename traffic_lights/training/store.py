"""The files of a training folder, written in an order that never loses anything saved.

    qtable.json               the table after some game, with its checksum
    qtable_deltas.jsonl       one record a line for each value that changed since
    qtable_checkpoint.json    settings and progress of the run, the checksum of the table that the
                              log continues, and how many bytes of the log count, with their CRC
    qbot.json                 the rows of the table that play
    qtable.lock               held while a program trains here

*Save* appends records to the log, syncs it, and then replaces the checkpoint. *Load* trusts
exactly the bytes that the checkpoint counts. *Compact* writes the table, then the checkpoint, and
then drops the log. A run depends on nothing but its settings and its progress, so what was not
saved is played again with the same result.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any, Final

from traffic_lights.learning.deltas import apply_records
from traffic_lights.learning.qtable import QTable
from traffic_lights.learning.tablefile import TableText, read_checksum, read_table
from traffic_lights.storage.files import (
    BINARY,
    NO_LINK,
    DamagedFileError,
    FileLock,
    StorageError,
    failure,
    make_folder,
    open_file,
    patiently,
    pieces,
    read_json,
    replace,
    sync,
    sync_folder,
    write_all,
    write_atomically,
    write_json,
)
from traffic_lights.training.paths import CHECKPOINT, CUT, LOCK, LOG, NOTE, POINTS, TABLE, WRITTEN
from traffic_lights.training.plans import table_for
from traffic_lights.training.settings import Progress, RunSettings, SettingsError
from traffic_lights.training.state import RunState, run_of_meta

FORMAT: Final = "traffic-lights-checkpoint"
VERSION: Final = 2
"""Version 1 belongs to the log of version 1.1 of the program, and says nothing about the log."""
COMPACT_FROM: Final = 400 << 20
"""The table is written during a run when the log has so many bytes."""
MUCH: Final = 8 << 20
"""With so many bytes of log a dense table is faster and smaller."""
PIECE: Final = 1 << 20
"""The bytes of records that are written at once."""
MOST_WAITING: Final = 8 * PIECE
"""The bytes of records that wait at most while the disk is busy."""


@dataclass(slots=True)
class LoadedRun:
    """What a folder held."""

    table: QTable | None = None
    """None if nothing was ever saved."""
    run: RunState | None = None
    """The last run on the table; None if this program did not train it."""
    notes: list[str] = field(default_factory=list)
    """Sentences about what was repaired."""


class Store:
    """A training folder, locked for this process until `close`.

    A thread writes the records, so that training continues meanwhile. The next call raises an
    error of that thread, and the run must then end: after a failed fsync the system may have
    dropped the bytes, so no second one is tried.
    """

    def __init__(self, folder: Path, *, keep_log: bool = False) -> None:
        """Make and lock *folder*; raise LockedError if it is in use, or another StorageError."""
        self.folder = folder
        self.table_path, self.cut_path = folder / TABLE, folder / CUT
        self.log_path, self.checkpoint_path = folder / LOG, folder / CHECKPOINT
        self.saved_games = 0
        """The games of the run that are on the disk."""
        self.earlier_games = 0
        """The games of the runs before, which the checkpoint adds to those of the run."""
        self._keep_log = keep_log
        self._base: str | None = None
        self._table_size = self._failed_size = 0
        self._descriptor = -1
        self._size = self._crc = self._counted = 0
        self._waiting: list[bytes] = []
        self._waiting_size = 0
        self._job: Future[None] | None = None
        make_folder(folder)
        self._lock = FileLock(folder / LOCK)
        self._lock.acquire()
        self._thread = ThreadPoolExecutor(1, "save")
        # The programs that left these files have ended, or they would hold the lock.
        with suppress(OSError):
            for path in folder.glob("q*.tmp"):
                if path.name.split(".json")[0] in ("qtable", "qbot", "qtable_checkpoint"):
                    path.unlink()

    def close(self) -> None:
        """Finish what the thread has begun, close the log, and unlock the folder."""
        self._thread.shutdown()
        self._close_log()
        self._lock.release()

    # --- load ---

    def load(self, *, repair: bool = False) -> LoadedRun:
        """Return what the folder holds; raise StorageError if a file is damaged.

        With *repair*, a damaged log or checkpoint is ignored, and the run continues from the table.
        """
        loaded = LoadedRun()
        if os.path.lexists(self.table_path):
            try:
                loaded.table = read_table(self.table_path)
            except DamagedFileError as error:
                raise DamagedFileError(
                    f"{error}; put a good copy in its place, or start over with --fresh"
                ) from error
            loaded.run = run_of_meta(loaded.table.meta, self.table_path)
            self._base = read_checksum(self.table_path)
            self._table_size = self.table_path.stat().st_size
        try:
            self._continue(loaded)
        except DamagedFileError as error:
            loaded = self._from_the_table(loaded, error, repair=repair)
        if not self._counted:
            _drop(self.log_path)
        return loaded

    def _from_the_table(
        self, loaded: LoadedRun, error: DamagedFileError, *, repair: bool
    ) -> LoadedRun:
        """Return what the table alone says, or the beginning of the run that has none yet."""
        if self._base is None and loaded.run is None:
            raise DamagedFileError(f"{error}; start over with --fresh") from error
        if not repair:
            raise DamagedFileError(
                f"{error}; with --repair the run continues from the last table, and the games "
                "since are played again, to the same values"
            ) from error
        if self._base is None:
            run = loaded.run
            assert run is not None, "checked above"
            run.progress, run.is_finished = Progress(run.settings.epsilon_start), False
            table = None
        else:
            table = read_table(self.table_path)  # the damaged log may have changed it
            run = run_of_meta(table.meta, self.table_path)
        games = run.progress.games if run is not None else 0
        return LoadedRun(table, run, [f"{error}; the run continues from game {games:,}"])

    def _continue(self, loaded: LoadedRun) -> None:
        """Bring *loaded* to the checkpoint, if there is one; raise DamagedFileError."""
        if _begins_with_a_header(self.log_path):
            raise StorageError(
                f"the run in {self.folder} was begun by version 1.1 and is not finished: finish it "
                "with that version, or start over with --fresh"
            )
        if not os.path.lexists(self.checkpoint_path):
            return
        value = read_json(self.checkpoint_path)
        if isinstance(value, dict) and value.get("version") == 1 and "crc" not in value:
            return  # version 1.1 wrote it for people to read
        saved = _read_checkpoint(value, self.checkpoint_path)
        if loaded.table is None and saved.base is not None:
            raise StorageError(
                f"{self.checkpoint_path} continues a table that is missing: put {TABLE} back, or "
                "start over with --fresh"
            )
        if saved.base == self._base:
            loaded.run = saved.run
            if saved.log_bytes:
                self._replay(loaded, saved)
        # Stopped between writing the table and its checkpoint: the table holds everything.
        elif loaded.run != saved.run:
            raise DamagedFileError(f"{self.checkpoint_path} does not continue {self.table_path}")

    def _replay(self, loaded: LoadedRun, saved: _Checkpoint) -> None:
        """Apply the counted bytes of the log, and cut off what stands behind them."""
        if not os.path.lexists(self.log_path):
            raise DamagedFileError(f"{self.log_path} is missing")
        crc = 0
        # The log is read twice rather than kept, to check it before the first record is applied.
        for piece in self._log_pieces(saved.log_bytes):
            crc = zlib.crc32(piece, crc)
        if crc != saved.log_crc:
            raise DamagedFileError(
                f"{self.log_path} is damaged: its first {saved.log_bytes:,} bytes do not have the "
                "checksum in the checkpoint"
            )
        table = loaded.table = table_for(saved.run.settings, loaded.table or QTable())
        if saved.log_bytes > MUCH:
            table.make_dense()
        for piece in self._log_pieces(saved.log_bytes):
            apply_records(table, piece, str(self.log_path))
        try:
            self._descriptor = os.open(self.log_path, os.O_RDWR | NO_LINK | BINARY)
            os.ftruncate(self._descriptor, saved.log_bytes)
            os.lseek(self._descriptor, saved.log_bytes, os.SEEK_SET)
        except OSError as error:
            raise failure(error, "write", self.log_path) from error
        self._size = self._counted = saved.log_bytes
        self._crc = crc

    def _log_pieces(self, size: int) -> Iterator[bytes]:
        """Yield the first *size* bytes of the log in pieces of whole lines."""
        with open_file(self.log_path) as file:
            while size > 0:
                piece = file.read(min(PIECE, size))
                piece += file.readline(min(_LONGEST_LINE, size - len(piece)))
                if not piece:
                    raise DamagedFileError(
                        f"{self.log_path} is cut short: {size:,} bytes are missing"
                    )
                size -= len(piece)
                yield piece

    # --- save ---

    def add(self, records: bytes) -> None:
        """Have the thread append *records* to the log, sooner or later."""
        self._waiting.append(records)
        self._waiting_size += len(records)
        is_idle = self._job is None or self._job.done()
        if self._waiting_size >= (PIECE if is_idle else MOST_WAITING):
            self._start(self._append)

    def save(self, run: RunState, *, wait: bool = False) -> None:
        """Have the thread save all that was added, as the way to the progress of *run*.

        ``saved_games`` says when that is done. Raise StorageError if it, or what was begun before
        it, cannot be written.
        """
        # The checkpoint is made now, because the run continues while the thread writes it.
        checkpoint = self._checkpoint_of(run)
        self._start(lambda records: self._commit(records, checkpoint))
        if wait:
            self.wait()

    def _start(self, act: Callable[[bytes], None]) -> None:
        self.wait()
        records = b"".join(self._waiting)
        self._waiting, self._waiting_size = [], 0
        self._job = self._thread.submit(act, records)

    def wait(self) -> None:
        """Return when the thread has done what was begun; raise StorageError if it could not."""
        job, self._job = self._job, None
        if job is not None:
            job.result()

    def check(self) -> None:
        """Raise StorageError if the thread has met one; never wait."""
        if self._job is not None and self._job.done():
            self.wait()

    def _append(self, records: bytes) -> None:
        if not records:
            return
        try:
            if self._descriptor < 0:
                flags = os.O_RDWR | os.O_CREAT | os.O_TRUNC | NO_LINK | BINARY
                self._descriptor = os.open(self.log_path, flags, 0o666)
            write_all(self._descriptor, records)
        except OSError as error:
            self._cut_back()
            raise failure(error, "write", self.log_path) from error
        self._size += len(records)
        self._crc = zlib.crc32(records, self._crc)

    def _commit(self, records: bytes, checkpoint: dict[str, Any]) -> None:
        self._append(records)
        try:
            if self._size > self._counted:
                sync(self._descriptor)
        except OSError as error:
            self._cut_back()
            raise failure(error, "save", self.log_path) from error
        # If this fails, the new checkpoint may be there all the same, so the log is not cut back.
        self._write_checkpoint(checkpoint)
        self._counted = self._size
        self.saved_games = checkpoint["progress"]["games"]

    def _checkpoint_of(self, run: RunState) -> dict[str, Any]:
        """Return what the checkpoint of *run* says, apart from the log."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "run": run.number,
            "settings": run.settings.as_json(),
            "progress": run.progress.as_json(),
            "finished": run.is_finished,
            "games": self.earlier_games + run.progress.games,
            "base": self._base,
        }

    def _write_checkpoint(self, checkpoint: dict[str, Any]) -> None:
        log = {"bytes": self._size, "crc": f"{self._crc:08x}"}
        content = {**checkpoint, "log": log}
        write_json(self.checkpoint_path, {**content, "crc": _crc_of(content)})

    def _cut_back(self) -> None:
        """Give back the room of what is not saved; if that fails, loading cuts it off."""
        with suppress(OSError):
            os.ftruncate(self._descriptor, self._counted)

    # --- compact ---

    @property
    def wants_compaction(self) -> bool:
        """Whether the log has outgrown the table, or doubled since the last attempt failed."""
        # So all tables that a run writes are a constant share of its log, however long it is.
        return self._size > max(COMPACT_FROM, 2 * self._table_size, 2 * self._failed_size)

    def compact(self, table: QTable, run: RunState) -> int:
        """Write *table*, which holds all that was added, drop the log, and return its rows.

        Raise StorageError if the table cannot be written; the run can then continue with the log.
        """
        self.save(run, wait=True)
        self._failed_size = self._size
        text = TableText(table)
        if not run.is_finished:
            _drop(self.cut_path)  # it would play by an older table
        write_atomically(self.table_path, text.chunks())
        # From here on the table is the truth.
        self._base, self._failed_size = read_checksum(self.table_path), 0
        self._table_size = self.table_path.stat().st_size
        self._close_log()
        self._write_checkpoint(self._checkpoint_of(run))
        if self._keep_log:
            _rename([self.log_path], _free_ending(self.folder, ".done"))
        else:
            _drop(self.log_path)
        return text.rows

    def is_base_there(self) -> bool:
        """Return whether the table on the disk is the one that the log continues."""
        if not os.path.lexists(self.table_path):
            return self._base is None
        return read_checksum(self.table_path) == self._base

    @property
    def has_log(self) -> bool:
        """Whether something was saved that the table does not hold."""
        return self._counted > 0

    def _close_log(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
        self._descriptor = -1
        self._size = self._crc = self._counted = 0

    # --- set aside ---

    def set_aside(self) -> str:
        """Rename what runs wrote to ``.bak``; return a sentence, empty if nothing was there."""
        # The checkpoint first, because without it a run continues from the table alone.
        paths = [self.folder / name for name in (CHECKPOINT, LOG, NOTE, POINTS, CUT, TABLE)]
        ending = _free_ending(self.folder, ".bak")
        names = [path.name + ending for path in _rename(paths, ending)]
        return f"the old files were renamed to {', '.join(names)}" if names else ""

    def keep_copy(self) -> str:
        """Copy the table to ``.bak``, and return a sentence that says so."""
        copy = self.table_path.with_name(TABLE + _free_ending(self.folder, ".bak"))
        write_atomically(copy, pieces(self.table_path))
        return f"the table with its estimates was copied to {copy.name}"


_LONGEST_LINE: Final = 1 << 10


@dataclass(frozen=True, slots=True)
class _Checkpoint:
    """What a checkpoint says."""

    run: RunState
    base: str | None
    """The checksum of the table that the log continues; None if there was none."""
    log_bytes: int
    log_crc: int


def _crc_of(content: dict[str, Any]) -> str:
    """Return the checksum of what a checkpoint says."""
    return f"{zlib.crc32(json.dumps(content).encode()):08x}"


def _read_checkpoint(value: Any, path: Path) -> _Checkpoint:
    """Return what the *value* of the file *path* says; raise DamagedFileError."""
    try:
        if value.pop("crc") != _crc_of(value):
            raise DamagedFileError(f"{path} is damaged: its checksum does not fit")
        if value["format"] != FORMAT or value["version"] != VERSION:
            raise DamagedFileError(f"{path} is not a checkpoint of version {VERSION}")
        settings = RunSettings.from_json(value["settings"])
        run = RunState(value["run"], settings, Progress.from_json(value["progress"]))
        run.is_finished = value["finished"] is True
        size, base = value["log"]["bytes"], value["base"]
        if type(size) is not int or size < 0 or type(run.number) is not int or run.number < 0:
            raise DamagedFileError(f"{path} is damaged: a number is out of range")
        if not (base is None or isinstance(base, str)):
            raise DamagedFileError(f"{path} is damaged: its base is not a checksum")
        return _Checkpoint(run, base, size, int(value["log"]["crc"], 16))
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        said = f": {error}" if isinstance(error, SettingsError) else ""
        raise DamagedFileError(f"{path} is damaged{said}") from error


def _begins_with_a_header(log: Path) -> bool:
    """Return whether *log* is of version 1.1, whose logs began with their format."""
    if not os.path.lexists(log):
        return False
    with open_file(log) as file:
        return file.read(10) == b'{"format":'


def _drop(path: Path) -> None:
    """Delete *path* durably, if it is there; raise StorageError."""
    try:
        if os.path.lexists(path):
            patiently(path.unlink)
            sync_folder(path.parent)
    except OSError as error:
        raise failure(error, "delete", path) from error


def _free_ending(folder: Path, ending: str) -> str:
    """Return *ending*, numbered if need be, so that no file of a run in *folder* has it."""
    endings = (ending if number == 1 else f"{ending}.{number}" for number in count(1))
    return next(e for e in endings if not any(os.path.lexists(folder / (n + e)) for n in WRITTEN))


def _rename(paths: list[Path], ending: str) -> list[Path]:
    """Add *ending* to the names of those *paths* that are there, durably, and return these."""
    there = [path for path in paths if os.path.lexists(path)]
    for path in there:
        try:
            replace(path, path.with_name(path.name + ending))
            sync_folder(path.parent)
        except OSError as error:
            raise failure(error, "rename", path) from error
    return there
