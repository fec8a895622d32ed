"""The files of a training folder, written in an order that never loses anything saved.

A run depends only on its settings and its progress, so games that were not saved are played again
with the same result. The page of this folder describes the files and the order.
"""

import json
import os
import zlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO, Final

from traffic_lights.learning.deltas import apply_records
from traffic_lights.learning.qtable import QTable
from traffic_lights.learning.rowtable import RowTable
from traffic_lights.learning.tablefile import (
    TableText,
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
    delete,
    lock_file,
    make_folder,
    move,
    open_file,
    remove_leftovers,
    write_json,
    writing_atomically,
)
from traffic_lights.storage.kinds import (
    ANYTHING,
    Absent,
    Flag,
    KindError,
    Matching,
    OrNone,
    Record,
    Whole,
)
from traffic_lights.storage.records import read_plain
from traffic_lights.storage.threads import one_thread
from traffic_lights.training.folder import (
    CHECKPOINT,
    LOCK,
    LOG,
    PRUNED,
    TABLE,
    WRITTEN,
    is_written,
)
from traffic_lights.training.plans import table_for
from traffic_lights.training.progress import LEARNER, Progress, Run, last_run, meta_of
from traffic_lights.training.settings import RunSettings, SettingsError, UnknownSettingError

FORMAT: Final = "traffic-lights-checkpoint"
VERSION: Final = 3
COMPACT_FROM: Final = 236_000_000
"""The table is written during a run when the log has so many bytes.

So the default run needs 342 MB of disk at most. It needs nearly as much when it writes this table
next to the log as at its end. Then it has the rest of the log, this table and the last one.
"""
SIGN_EVERY_ROWS: Final = 100_000
"""So many rows of a table are written between two signs of life, in about 0.1 s."""
MUCH: Final = 8 << 20
"""With so many bytes of log a dense table is faster and smaller."""
PIECE: Final = 1 << 20
"""The log is read in pieces of so many bytes."""
MOST_RUNS: Final = 1000
"""The runs that a table lists at most, because a reader takes a header of 1 MB at most."""
_LOG: Final = Record({"bytes": Whole(), "crc": Matching("[0-9a-f]{8}")})
_CHECKPOINT: Final = Record(
    {
        "run": Whole(0, MOST_RUNS),
        "settings": ANYTHING,
        "progress": ANYTHING,
        "finished": Flag(),
        "learner": Absent(Whole(), 1),
        "games": Whole(),
        "base": OrNone(Matching("[0-9a-f]{64}")),
        "log": _LOG,
    }
)


class Store:
    """A training folder, locked for this process until `close`.

    A thread saves, so that training continues meanwhile. Without threads, every save is made at
    once. The next save raises an error of that thread, and the run must then end: after a failed
    fsync the system may have dropped the bytes, so no second one is tried.
    """

    def __init__(self, folder: Path, *, keep_log: bool = False) -> None:
        """Make and lock *folder*; raise LockedError if it is in use, or another StorageError."""
        self.folder = folder
        self.table_path = folder / TABLE
        self.pruned_path = folder / PRUNED
        self.log_path = folder / LOG
        self.checkpoint_path = folder / CHECKPOINT
        self._waiting = bytearray()
        """The records that the next save appends to the log."""
        self._saved_games = 0
        self.in_table: Run | None = None
        """The last run, as far as the table on the disk holds it."""
        self._base: str | None = None
        """The checksum of that table, which the log continues; None if there is none."""
        self._size = self._crc = 0
        """The bytes of the log that count, and their checksum."""
        self.rows = 0
        """The rows of the table when it was last written."""
        self._compact_from = COMPACT_FROM
        self._keep_log = keep_log
        make_folder(folder)
        self._lock = lock_file(folder / LOCK)
        self._thread = one_thread("save")
        self._job: Future[None] = Future()
        """What the thread does or has done; after an error it stays, so nothing more is written."""
        self._job.set_result(None)  # nothing is to be saved yet
        remove_leftovers(folder, is_written)

    def close(self) -> None:
        """Release the folder, after what the thread still writes; what waits is dropped."""
        self._thread.shutdown()
        self._lock.close()

    # --- load ---

    def load(self, *, repair: bool = False) -> tuple[QTable | None, Run | None, str]:
        """Return the table, the last run on it, and a sentence about what was repaired.

        The table is None if nothing was ever saved, and the run on a table of another program.
        Raise StorageError if a file is damaged. With *repair*, a damaged log or checkpoint is
        ignored: the run continues from the table. No file is changed before the next save.
        """
        table = self._read_table()
        if os.path.lexists(self.log_path) and not os.path.lexists(self.checkpoint_path):
            raise DamagedFileError(
                f"{self.log_path} has games of a run, but {self.checkpoint_path} is missing; "
                "put it back, or start over with --fresh, which keeps the log as .bak"
            )
        run = None
        try:
            run, size, crc = self._read_checkpoint()
            if run is not None:
                self._refuse_earlier(run)
                table = table_for(run.settings, table or RowTable())
                self._replay(table, size, crc)
        except DamagedFileError as error:
            if run is None and table is None:
                raise DamagedFileError(f"{error}; start over with --fresh") from error
            if not repair:
                raise DamagedFileError(
                    f"{error}; with --repair the run resumes from the last table, and the games "
                    "since are played again, to the same values"
                ) from error
            run = self._without_log(run)
            self._refuse_earlier(run)
            games = run.progress.games if run is not None else 0
            # The records of the log may have changed the table, so read it again.
            return self._read_table(), run, f"{error}; the run continues from game {games:,}"
        return table, run, ""

    def _refuse_earlier(self, run: Run | None) -> None:
        """Raise StorageError if *run* is unfinished, and games by other rules would finish it."""
        if run is not None and not run.is_finished and run.learner != LEARNER:
            raise StorageError(
                f"the run in {self.folder} was begun by an earlier version and is not finished: "
                "finish it with that version, or start over with --fresh"
            )

    def _read_table(self) -> QTable | None:
        path = self.table_path
        if not os.path.lexists(path):
            return None
        try:
            table = read_table(path)
        except DamagedFileError as error:
            raise DamagedFileError(
                f"{error}; put a good copy in its place, or start over with --fresh"
            ) from error
        self._base = read_checksum(path)
        self.in_table = _last_run(table.meta, path)
        return table

    def _read_checkpoint(self) -> tuple[Run | None, int, int]:
        """Return the last run, and the size and checksum of its log, 0 if the table has it all."""
        path = self.checkpoint_path
        if not os.path.lexists(path):
            return self.in_table, 0, 0
        plain = read_plain(path)
        if plain.get("format") != FORMAT or plain.get("version") not in (2, VERSION):
            raise DamagedFileError(f"{path} is not a checkpoint of version {VERSION}")
        if plain.pop("crc", None) != _crc_of(plain):
            raise DamagedFileError(f"{path} is damaged: its checksum does not match")
        try:
            value = _CHECKPOINT.check(plain)
            settings = RunSettings.from_json(value["settings"])
            progress = Progress.from_json(value["progress"])
        except UnknownSettingError as error:
            raise _cannot_continue(path, error) from error
        except (KindError, SettingsError) as error:
            raise DamagedFileError(f"{path} is damaged: {error}") from error
        earlier_games = value["games"] - progress.games
        if earlier_games < 0:
            raise DamagedFileError(f"{path} is damaged: the run has more games than all runs")
        run = Run(
            number=value["run"],
            settings=settings,
            progress=progress,
            earlier_games=earlier_games,
            is_finished=value["finished"],
            learner=value["learner"],
        )
        size = value["log"]["bytes"]
        crc = int(value["log"]["crc"], 16)
        if value["base"] == self._base:
            if not size and self._changes_since_table(run):
                raise DamagedFileError(f"{path} is damaged: it counts no bytes of the log")
            return run, size, crc
        # The program stopped between writing the table and the checkpoint, so the table has it all.
        if run == self.in_table:
            return run, 0, 0
        raise DamagedFileError(f"{path} continues another table than {self.table_path}")

    def _changes_since_table(self, run: Run) -> int:
        """Return how many changes of *run* the log must hold."""
        in_table = self.in_table
        if in_table is None or in_table.number != run.number:
            return run.progress.changes
        return run.progress.changes - in_table.progress.changes

    def _replay(self, table: QTable, size: int, crc: int) -> None:
        if not size:
            return
        if size > MUCH:
            table.make_dense()
        if not os.path.lexists(self.log_path):
            raise DamagedFileError(f"{self.log_path} is missing")
        with open_file(self.log_path) as file:
            found = 0
            for piece in _pieces(file, size):
                found = zlib.crc32(piece, found)
            if file.tell() < size or found != crc:
                raise DamagedFileError(
                    f"{self.log_path} is damaged: its first {size:,} bytes have changed"
                )
            file.seek(0)
            for piece in _pieces(file, size):
                apply_records(table, piece)
        self._size = size
        self._crc = crc

    def _without_log(self, run: Run | None) -> Run | None:
        """Return *run* as far as the table has it, or the last one of the table if it is None."""
        in_table = self.in_table
        if run is None:
            return in_table
        progress = Progress(run.settings.epsilon_start)
        if in_table is not None and in_table.number == run.number:
            progress = in_table.progress
        return replace(run, progress=progress, is_finished=False)

    def has_tables_of(self, run: Run) -> bool:
        """Return whether the table and the pruned table are those of the finished *run*.

        A table that was imported has no checkpoint, and needs no pruned table.
        """
        if not os.path.lexists(self.checkpoint_path):
            return run == self.in_table
        try:
            meta = read_meta(self.pruned_path)
            return run == self.in_table == _last_run(meta, self.pruned_path)
        except StorageError:
            return False

    # --- save ---

    @property
    def saved_games(self) -> int:
        """The games of the run that are on the disk."""
        return self._saved_games

    def begin(self, run: Run) -> None:
        """Continue with *run*, whose games so far are on the disk."""
        self._saved_games = run.progress.games

    def add(self, records: bytes) -> int:
        """Have the next save append *records*; return how many bytes are waiting for it."""
        self._waiting += records
        return len(self._waiting)

    def save(self, run: Run, *, wait: bool = False) -> None:
        """Have the thread save what is waiting, and the progress of *run*.

        When that is done, ``saved_games`` has grown. Raise StorageError if something cannot be
        written now, or could not be written before.
        """
        self._job.result()  # which raises the error of the save before
        records = self._waiting
        self._waiting = bytearray()
        self._job = self._thread.submit(self._save, records, run)
        if wait:
            self._job.result()

    def _save(self, records: bytearray, run: Run) -> None:
        self._check_folder()
        if records:
            append(self.log_path, self._size, records)
            self._size += len(records)
            self._crc = zlib.crc32(records, self._crc)
        self._write_checkpoint(run)
        self._saved_games = run.progress.games

    def _check_folder(self) -> None:
        """Raise StorageError unless the folder is still the one that was locked."""
        check_lock(self._lock, self.folder / LOCK)

    def has_what_was_saved(self) -> bool:
        """Return whether the folder and the log, as far as they were saved, are still there."""
        try:
            self._check_folder()
            return not self._size or self.log_path.stat().st_size >= self._size
        except (OSError, StorageError):
            return False

    def _write_checkpoint(self, run: Run) -> None:
        content = {
            "format": FORMAT,
            "version": VERSION,
            "run": run.number,
            "settings": run.settings.as_json(),
            "progress": run.progress.as_json(),
            "finished": run.is_finished,
            "learner": run.learner,
            "games": run.all_games,
            "base": self._base,
            "log": {"bytes": self._size, "crc": f"{self._crc:08x}"},
        }
        write_json(self.checkpoint_path, {**content, "crc": _crc_of(content)})

    @property
    def has_large_log(self) -> bool:
        """Whether the log, as far as it is written, has grown so large that it is compacted."""
        return self._size > self._compact_from

    def compact_large_log(self, table: QTable, run: Run) -> Iterator[str]:
        """Compact the log of *run*, the last one saved, as `compact` does.

        If that fails, training continues with the log, and a sentence says so. The other texts that
        this yields are empty. Raise StorageError if training cannot continue.
        """
        self._job.result()
        try:
            for _ in self.compact(table, run):
                yield ""
        except StorageError as error:
            is_there = os.path.lexists(self.table_path)
            on_disk = read_checksum(self.table_path) if is_there else None
            if on_disk != self._base:
                raise
            self._compact_from = 2 * self._size
            yield f"{error}; the log still holds everything"

    def compact(self, table: QTable, run: Run) -> Iterator[int]:
        """Write *table* as that of *run*, the last one saved, and drop the log.

        This takes seconds for a large table, so it yields how many rows are written, now and then.
        """
        self._job.result()
        self._check_folder()
        table.meta = meta_of(run, table.meta)
        text = TableText(table)
        if not run.is_finished:
            delete(self.pruned_path)  # it would play by an older table
        signs = 0
        for _ in writing_atomically(self.table_path, text.chunks()):
            if text.rows // SIGN_EVERY_ROWS > signs:
                signs += 1
                yield text.rows
        # The table holds everything now, and the log is not needed any more.
        self.rows = text.rows
        self._base = read_checksum(self.table_path)
        self.in_table = run
        self._size = self._crc = 0
        self._write_checkpoint(run)
        self._drop_log()

    def write_pruned(self, table: QTable) -> None:
        """Write the pruned *table* of a finished run, the last one in the table on the disk."""
        self._check_folder()
        write_table(self.pruned_path, table)
        self._drop_log()  # a program killed after the table was written leaves it

    def _drop_log(self) -> None:
        if self._keep_log:
            self.set_aside([LOG], ".done")
        else:
            delete(self.log_path)

    # --- set aside ---

    def set_aside_foreign(self) -> str:
        """Set aside what has the name of the pruned table and is none; return what was done."""
        with suppress(StorageError):
            if read_meta(self.pruned_path):  # a table of this program always has one
                return ""
        name = self.set_aside([PRUNED])
        return f"{PRUNED} is not a table of this program and was renamed to {name}" if name else ""

    def set_aside(
        self,
        names: Sequence[str] = WRITTEN,
        ending: str = ".bak",
        by: Callable[[Path, Path], object] = move,
    ) -> str:
        """Add *ending*, numbered if need be, to those of the files *names* that are there.

        Return their new names. No two files that a run wrote get the same one. *by* may copy them.
        """
        # The checkpoint is the first of WRITTEN, because without it a run continues from the table.
        taken = {path.name for path in self.folder.iterdir()}
        free = ending
        number = 1
        while any(name + free in taken for name in WRITTEN):
            number += 1
            free = f"{ending}.{number}"
        new_names = []
        for name in names:
            if name in taken:
                by(self.folder / name, self.folder / (name + free))
                new_names.append(name + free)
        return ", ".join(new_names)


def _pieces(file: BinaryIO, size: int) -> Iterator[bytes]:
    """Yield the first *size* bytes of a log, whole lines at a time."""
    while piece := file.read(min(PIECE, size)):
        piece += file.readline(size - len(piece))
        size -= len(piece)
        yield piece


def _crc_of(content: dict[str, Any]) -> str:
    return f"{zlib.crc32(json.dumps(content).encode()):08x}"


def _last_run(meta: dict[str, Any], path: Path) -> Run | None:
    """Return the last run of the table in *path*; raise StorageError if it cannot be continued."""
    try:
        return last_run(meta)
    except UnknownSettingError as error:
        raise _cannot_continue(path, error) from error
    except SettingsError as error:
        raise DamagedFileError(
            f"{path} has a run that this program cannot continue: {error}"
        ) from error


def _cannot_continue(path: Path, error: UnknownSettingError) -> StorageError:
    return StorageError(
        f"{path} has a run that this program cannot continue: {error}; continue it with that "
        "version, or start over with --fresh"
    )
