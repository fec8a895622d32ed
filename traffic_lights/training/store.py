"""The files of a training folder, written in an order that never loses anything saved.

A run depends only on its settings and its progress, so games that were not saved are played again
with the same result. The page of this folder describes the files and the order.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain, count
from pathlib import Path
from typing import Any, Final

from traffic_lights.learning.deltas import apply_records
from traffic_lights.learning.qtable import QTable
from traffic_lights.learning.tablefile import TableText, read_checksum, read_table
from traffic_lights.storage.files import (
    DamagedFileError,
    StorageError,
    delete,
    explained,
    lock_file,
    make_folder,
    move,
    open_file,
    open_log,
    read_json,
    sync,
    write_all,
    write_atomically,
    write_json,
)
from traffic_lights.system.folders import PRUNED, TABLE
from traffic_lights.training.bots import CHECKPOINT, LOCK, LOG, WRITTEN
from traffic_lights.training.plans import Progress, table_for
from traffic_lights.training.settings import PRACTICE_STAGE, RunSettings, SettingsError

FORMAT: Final = "traffic-lights-checkpoint"
VERSION: Final = 2
COMPACT_FROM: Final = 400 << 20
"""The table is written during a run when the log has so many bytes."""
MUCH: Final = 8 << 20
"""With so many bytes of log a dense table is faster and smaller."""
PIECE: Final = 1 << 20
"""When so many bytes of records wait, they are written."""
MOST_WAITING: Final = 8 * PIECE
"""The most bytes of records that wait while the disk is busy."""
MOST_RUNS: Final = 1000
"""The runs that a table lists at most, because a reader takes a header of 1 MB at most."""
_LONGEST_LINE: Final = 1 << 10


@dataclass(slots=True)
class RunState:
    """A run as its folder has it."""

    number: int
    """How many runs the table had before it."""
    settings: RunSettings
    progress: Progress
    earlier_games: int = field(compare=False)
    """The games of the runs before."""
    is_finished: bool = False

    @property
    def all_games(self) -> int:
        """The games of this run and of those before."""
        return self.earlier_games + self.progress.games

    @property
    def practice_games(self) -> int:
        """How many of the run's games were practice."""
        settings, progress = self.settings, self.progress
        is_practice = progress.stage == PRACTICE_STAGE.get(settings.plan)
        return progress.stage_games if is_practice and settings.practice != "none" else 0


def meta_of(run: RunState, before: Mapping[str, Any]) -> dict[str, Any]:
    """Return the meta of the table that *run* trains, which had the meta *before*.

    Its ``practice`` names the opponent of the last practice.
    """
    settings = run.settings
    # Time, host and folder stay out, because the bytes of a table must follow from its settings,
    # seed and games alone.
    this = {
        "command": settings.command().replace("--plan", "--programme"),
        "games": run.progress.games,
        "settings": settings.as_json(),
    }
    if run.practice_games:
        this["practice"] = settings.practice
    runs = [*runs_in(before)[: run.number], this]
    meta = {
        "games": run.all_games,
        "seed": settings.seed,
        "alpha": settings.alpha,
        "runs": runs,
        "progress": run.progress.as_json(),
        "finished": run.is_finished,
    }
    practised = [one["practice"] for one in runs if "practice" in one]
    if practised:
        meta["practice"] = practised[-1]
    return meta


def runs_in(meta: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the runs that a table's *meta* lists, in order."""
    runs = meta.get("runs", [])
    is_sound = isinstance(runs, list) and all(
        # Compare types, because JSON has true, which isinstance takes for an int.
        isinstance(run, dict) and type(run.get("games")) is int
        for run in runs
    )
    return runs if is_sound else []


def run_of_meta(meta: dict[str, Any], path: Path) -> RunState | None:
    """Return the last run that the *meta* of the table *path* names, if it names one."""
    runs = runs_in(meta)
    if not runs or "progress" not in meta:
        return None
    try:
        settings = RunSettings.from_json(runs[-1].get("settings"))
        progress = Progress.from_json(meta["progress"])
    except SettingsError as error:
        raise DamagedFileError(
            f"{path} has a run that this program cannot continue: {error}"
        ) from error
    earlier_games = sum(run["games"] for run in runs[:-1])
    is_finished = meta.get("finished") is True
    return RunState(len(runs) - 1, settings, progress, earlier_games, is_finished)


class Store:
    """A training folder, locked for this process until `close`.

    A thread writes the records, so that training continues meanwhile. The next call raises an
    error of that thread, and the run must then end: after a failed fsync the system may have
    dropped the bytes, so no second one is tried.
    """

    def __init__(self, folder: Path, *, keep_log: bool = False) -> None:
        """Make and lock *folder*; raise LockedError if it is in use, or another StorageError."""
        self.folder = folder
        self.table_path, self.pruned_path = folder / TABLE, folder / PRUNED
        self.log_path, self.checkpoint_path = folder / LOG, folder / CHECKPOINT
        self.saved_games = 0
        """The games of the run that are on the disk."""
        self._keep_log = keep_log
        self._base: str | None = None
        """The checksum of the table that the log continues; None if there is none."""
        self._compact_from = COMPACT_FROM
        self._descriptor = -1
        self._size = self._crc = self._counted = 0
        """Bytes of the log, their checksum, and how many of them the checkpoint counts."""
        self._waiting: list[bytes] = []
        self._waiting_size = 0
        make_folder(folder)
        self._lock = lock_file(folder / LOCK)
        self._thread = ThreadPoolExecutor(1, "save")
        self._job: Future[Any] = self._thread.submit(bool)
        """What the thread does or has done; after an error it stays, so nothing more is written."""
        # The programs that left these files have ended, or they would hold the lock.
        with suppress(OSError):
            for name in (TABLE, PRUNED, CHECKPOINT):
                for path in folder.glob(f"{name}.*.tmp"):
                    path.unlink()

    def close(self) -> None:
        """Finish what the thread has begun, close the log, and unlock the folder."""
        self._thread.shutdown()
        self._close_log()
        self._lock.close()

    # --- load ---

    def load(self, *, repair: bool = False) -> tuple[QTable | None, RunState | None, str]:
        """Return the table, the last run on it, and a sentence about what was repaired.

        The table is None if nothing was ever saved, and the run on a table of another program.
        Raise StorageError if a file is damaged. With *repair*, a damaged log or checkpoint is
        ignored: the run continues from the table.
        """
        table, last = self._read_table()
        run, repaired = last, ""
        saved = None
        try:
            saved = self._read_checkpoint(last)
            if saved is not None:
                run, size, crc = saved
                table = self._replay(table, run.settings, size, crc)
        except DamagedFileError as error:
            if saved is None and self._base is None:
                raise DamagedFileError(f"{error}; start over with --fresh") from error
            if not repair:
                raise DamagedFileError(
                    f"{error}; with --repair the run continues from the last table, and the games "
                    "since are played again, to the same values"
                ) from error
            table, last = self._read_table()  # the damaged log may have changed it
            if saved is None or run is None:
                run = last
            else:
                is_in_table = last is not None and last.number == run.number
                start = Progress(run.settings.epsilon_start)
                progress = last.progress if last is not None and is_in_table else start
                run = replace(run, progress=progress, is_finished=False)
            games = run.progress.games if run is not None else 0
            repaired = f"{error}; the run continues from game {games:,}"
        if not self._counted:
            delete(self.log_path)
        return table, run, repaired

    def _read_table(self) -> tuple[QTable | None, RunState | None]:
        if not os.path.lexists(self.table_path):
            return None, None
        try:
            table = read_table(self.table_path)
        except DamagedFileError as error:
            raise DamagedFileError(
                f"{error}; put a good copy in its place, or start over with --fresh"
            ) from error
        self._know_table()
        return table, run_of_meta(table.meta, self.table_path)

    def _know_table(self) -> None:
        self._base = read_checksum(self.table_path)
        # The log must outgrow the table, so a long run does not write most of its bytes as tables.
        self._compact_from = max(COMPACT_FROM, 2 * self.table_path.stat().st_size)

    def _read_checkpoint(self, last: RunState | None) -> tuple[RunState, int, int] | None:
        """Return the run, and the size and checksum of its log; None if the table has it all.

        *last* is the run of the table.
        """
        path = self.checkpoint_path
        if not os.path.lexists(path):
            return None
        value = read_json(path)
        try:
            if value["version"] == 1 and "crc" not in value:
                if self.log_path.exists():
                    raise StorageError(
                        f"the run in {self.folder} was begun by version 1.1 and is not finished: "
                        "finish it with that version, or start over with --fresh"
                    )
                return None  # version 1.1 wrote it for people to read
            if value.pop("crc") != _crc_of(value):
                raise DamagedFileError(f"{path} is damaged: its checksum does not match")
            if value["format"] != FORMAT or value["version"] != VERSION:
                raise DamagedFileError(f"{path} is not a checkpoint of version {VERSION}")
            settings = RunSettings.from_json(value["settings"])
            progress = Progress.from_json(value["progress"])
            earlier_games, is_finished = value["games"] - progress.games, value["finished"] is True
            run = RunState(value["run"], settings, progress, earlier_games, is_finished)
            size, crc = value["log"]["bytes"], int(value["log"]["crc"], 16)
            base = value["base"]
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            reason = f": {error}" if isinstance(error, SettingsError) else ""
            raise DamagedFileError(f"{path} is damaged{reason}") from error
        if base is not None and self._base is None:
            raise StorageError(
                f"{path} continues a table that is missing: put {TABLE} back, or start over with "
                "--fresh"
            )
        if base == self._base:
            return run, size, crc
        # The program stopped between writing the table and the checkpoint, so the table has it all.
        if run == last:
            return None
        raise DamagedFileError(f"{path} does not continue {self.table_path}")

    def _replay(self, table: QTable | None, settings: RunSettings, size: int, crc: int) -> QTable:
        """Return *table* with *size* bytes of the log applied; cut off what stands behind them."""
        table = table_for(settings, table or QTable())
        if not size:
            return table
        found = 0
        # The log is read twice rather than kept, to check it before the first record is applied.
        for piece in self._log_pieces(size):
            found = zlib.crc32(piece, found)
        if found != crc:
            raise DamagedFileError(
                f"{self.log_path} is damaged: its first {size:,} bytes do not have the checksum in "
                "the checkpoint"
            )
        if size > MUCH:
            table.make_dense()
        for piece in self._log_pieces(size):
            apply_records(table, piece, str(self.log_path))
        with explained("write", self.log_path):
            self._descriptor = open_log(self.log_path, size)
        self._size, self._crc, self._counted = size, crc, size
        return table

    def _log_pieces(self, size: int) -> Iterator[bytes]:
        """Yield the first *size* bytes of the log in pieces of whole lines."""
        if not os.path.lexists(self.log_path):
            raise DamagedFileError(f"{self.log_path} is missing")
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
        if self._waiting_size >= (PIECE if self._job.done() else MOST_WAITING):
            self._hand_over(None)

    def save(self, run: RunState, *, wait: bool = False) -> None:
        """Have the thread save all that was added, and the progress of *run*.

        When that is done, ``saved_games`` has grown. Raise StorageError if something cannot be
        written now, or could not be written before.
        """
        # The checkpoint is made now, because the run continues while the thread writes it.
        self._hand_over(self._checkpoint_of(run))
        if wait:
            self._job.result()

    def _hand_over(self, checkpoint: dict[str, Any] | None) -> None:
        self._job.result()  # which raises the error of what was begun before
        records = b"".join(self._waiting)
        self._waiting, self._waiting_size = [], 0
        self._job = self._thread.submit(self._append, records, checkpoint)

    def _append(self, records: bytes, checkpoint: dict[str, Any] | None) -> None:
        """Append *records* to the log; with a *checkpoint*, sync them and have it count them."""
        with explained("write", self.log_path):
            try:
                if records and self._descriptor < 0:
                    self._descriptor = open_log(self.log_path, 0)
                write_all(self._descriptor, records)
                self._size += len(records)
                self._crc = zlib.crc32(records, self._crc)
                if checkpoint is not None and self._size > self._counted:
                    sync(self._descriptor)
            except OSError:
                # Free the disk of what is not saved. If that fails, loading cuts it off.
                with suppress(OSError):
                    os.ftruncate(self._descriptor, self._counted)
                raise
        if checkpoint is not None:
            # If this fails, the new checkpoint may still be there, so the log stays as it is.
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
            "games": run.all_games,
            "base": self._base,
        }

    def _write_checkpoint(self, checkpoint: dict[str, Any]) -> None:
        content = {**checkpoint, "log": {"bytes": self._size, "crc": f"{self._crc:08x}"}}
        write_json(self.checkpoint_path, {**content, "crc": _crc_of(content)})

    # --- compact ---

    @property
    def wants_compaction(self) -> bool:
        """Whether the log has outgrown the table, or doubled since the last attempt failed."""
        return self._size > self._compact_from

    def compact(self, table: QTable, run: RunState) -> int:
        """Write *table*, which holds all that was added, drop the log, and return its rows.

        Raise StorageError if the table cannot be written; the run can then continue with the log.
        """
        self.save(run, wait=True)
        self._compact_from = max(self._compact_from, 2 * self._size)
        text = TableText(table)
        if not run.is_finished:
            delete(self.pruned_path)  # it would play by an older table
        write_atomically(self.table_path, text.chunks())
        # From here on the table holds everything, and the log is no longer needed.
        self._know_table()
        self._close_log()
        self._write_checkpoint(self._checkpoint_of(run))
        if self._keep_log:
            self.set_aside([LOG], ".done")
        else:
            delete(self.log_path)
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
        endings = chain([ending], (f"{ending}.{number}" for number in count(2)))
        free = next(
            one
            for one in endings
            if not any(os.path.lexists(self.folder / (name + one)) for name in WRITTEN)
        )
        there = [self.folder / name for name in names if os.path.lexists(self.folder / name)]
        for path in there:
            with explained("rename", path):
                by(path, path.with_name(path.name + free))
        return ", ".join(path.name + free for path in there)


def _crc_of(content: dict[str, Any]) -> str:
    """Return the checksum of what a checkpoint says."""
    return f"{zlib.crc32(json.dumps(content).encode()):08x}"
