"""The files of one training folder, and the protocol by which nothing in them is ever lost.

    qtable.json               the table after some game, with its checksum
    qtable_deltas.jsonl       what changed since, in commits
    qtable_checkpoint.json    how far the last commit got, for people to read
    qtable.lock               held while a trainer has the folder

A *commit* appends the deltas of some batches to the log and returns when they
are on the disk. A *fold* writes the table, and from the moment its name is on
the disk it is the truth; only then is the log put aside, as ``.done``, and the
next one begun. Loading reads the table, replays the commits that it does not
hold, and drops what a killed writer left half done. Since everything a run
does follows from its settings and its progress, it then continues as if it had
never stopped.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from traffic_lights.deltalog import Commit, DeltaLog, LogReader
from traffic_lights.deltas import apply_records
from traffic_lights.lock import FileLock
from traffic_lights.qfile import TableText, read_checksum, read_table
from traffic_lights.qlearning import QTable
from traffic_lights.runs import Progress, Settings, SettingsError
from traffic_lights.storage import (
    DamagedFileError,
    StorageError,
    explain,
    read_json,
    replace,
    sync_folder,
    write_atomically,
    write_json,
)

CHECKPOINT_FORMAT: Final = "traffic-lights-checkpoint"
CHECKPOINT_VERSION: Final = 1
FOLD_FROM: Final = 400 << 20
"""The bytes of log from which on it is folded into the table during a run."""


@dataclass(slots=True)
class RunState:
    """A run as its folder has it."""

    number: int
    """How many runs the table had before it."""
    settings: Settings
    progress: Progress
    is_finished: bool = False


@dataclass(slots=True)
class Loaded:
    """What a folder held."""

    table: QTable | None = None
    """None if nothing was ever saved."""
    run: RunState | None = None
    """The last run on the table; None if it was not trained by this program."""
    replayed: int = 0
    """The commits that only the log held."""
    notes: list[str] = field(default_factory=list)
    """Sentences about what was mended."""


class RunFiles:
    """A training folder, locked for this process from `open` to `close`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.table_path = folder / "qtable.json"
        self.log_path = folder / "qtable_deltas.jsonl"
        self.checkpoint_path = folder / "qtable_checkpoint.json"
        self._lock = FileLock(folder / "qtable.lock")
        self._log: DeltaLog | None = None
        self._table_size = 0

    def open(self) -> None:
        """Make the folder if need be, lock it, try a write, and drop unfinished writes.

        Raise LockedError if another trainer has it, StorageError if it cannot be used.
        """
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StorageError(explain(error, "use the folder", self.folder)) from error
        self._lock.acquire()
        try:
            for leftover in self.folder.glob("qtable*.tmp"):
                leftover.unlink()
            probe = self.folder / "qtable.probe"
            write_atomically(probe, [b"can be written\n"])
            probe.unlink()
        except OSError as error:
            self.close()
            raise StorageError(explain(error, "write in", self.folder)) from error
        except StorageError:
            self.close()
            raise

    def close(self) -> None:
        """Close the log and give the lock back; nothing happens if that is done."""
        if self._log is not None:
            self._log.close()
            self._log = None
        self._lock.release()

    def set_aside(self) -> None:
        """Rename what the folder holds to ``.bak``, over an earlier ``.bak``."""
        self._rename(".bak", self.log_path, self.checkpoint_path, self.table_path)

    def _rename(self, suffix: str, *paths: Path) -> None:
        try:
            for path in paths:
                if path.exists():
                    replace(path, path.with_name(path.name + suffix))
            sync_folder(self.folder)
        except OSError as error:
            raise StorageError(explain(error, "rename files in", self.folder)) from error

    def load(self, *, dense: bool, repair: bool = False) -> Loaded:
        """Return what the folder holds, the table *dense* or not.

        Raise StorageError if a file is damaged. With *repair*, a log damaged in
        its middle is cut off there, and a damaged checkpoint is written anew.
        """
        loaded = Loaded()
        if os.path.lexists(self.table_path):
            loaded.table = read_table(self.table_path, dense=dense)
            loaded.run = _run_in(loaded.table.meta, self.table_path)
            self._table_size = self.table_path.stat().st_size
        if os.path.lexists(self.log_path):
            self._replay(loaded, dense, repair)
        self._check_checkpoint(loaded, repair)
        return loaded

    def _replay(self, loaded: Loaded, dense: bool, repair: bool) -> None:
        """Bring *loaded* to the log's last commit and open the log behind it."""
        reader = LogReader(self.log_path)
        try:
            run = _run_of_header(reader.header, self.log_path)
            base = read_checksum(self.table_path) if loaded.table is not None else None
            commits = reader.commits()
            if reader.header.get("base") != base:
                self._skip_folded(commits, loaded.run, run)
                run = loaded.run or run
            if loaded.table is None:
                loaded.table = QTable(dense=dense)
            loaded.run = run
            try:
                for commit in commits:
                    apply_records(loaded.table, commit.records, str(self.log_path))
                    _advance(run, commit, self.log_path)
                    loaded.replayed += 1
            except DamagedFileError as error:
                if not repair:
                    raise DamagedFileError(
                        f"{error}; with --repair it is cut off there, and the games behind it "
                        "are played again, to the same values"
                    ) from error
                loaded.notes.append(f"the log was cut off at byte {reader.size:,}")
            if reader.torn:
                loaded.notes.append(
                    f"{reader.torn:,} bytes of a write that never finished were cut off"
                )
            self._log = DeltaLog(self.log_path, reader.size, reader.crc)
        finally:
            reader.close()

    def _skip_folded(
        self, commits: Iterator[Commit], folded: RunState | None, logged: RunState
    ) -> None:
        """Skip the commits that the table holds: it was written, and its log not put aside yet."""
        if folded is not None and folded.number == logged.number:
            for commit in commits:
                _advance(logged, commit, self.log_path)
                if logged.progress == folded.progress:
                    return
        raise DamagedFileError(
            f"{self.log_path} does not belong to {self.table_path}: put one of them elsewhere, "
            "or start over with --fresh"
        )

    def _check_checkpoint(self, loaded: Loaded, repair: bool) -> None:
        """Refuse a damaged checkpoint; note if it knows of games that the log does not."""
        if not os.path.lexists(self.checkpoint_path):
            return
        try:
            value = read_json(self.checkpoint_path)
            saved = _run_of_checkpoint(value, self.checkpoint_path)
        except DamagedFileError as error:
            if repair:
                return
            raise DamagedFileError(f"{error}; with --repair it is written anew") from error
        run = loaded.run
        if run is None or saved.number > run.number:
            loaded.notes.append("the checkpoint names a run that the other files do not know")
        elif saved.number == run.number and saved.progress.games > run.progress.games:
            loaded.notes.append(
                f"the checkpoint names game {saved.progress.games:,}, the other files end at "
                f"game {run.progress.games:,}; the games between are played again"
            )

    def begin(self, run: RunState, *, has_table: bool) -> None:
        """Begin the log of *run*, which follows the table as it is on the disk."""
        header = {
            "base": read_checksum(self.table_path) if has_table else None,
            "run": run.number,
            "settings": run.settings.as_json(),
            "progress": run.progress.as_json(),
        }
        if self._log is not None:
            self._log.close()
        self._log = DeltaLog.create(self.log_path, header)

    def commit(self, records: bytes, count: int, run: RunState) -> None:
        """Save *records*, *count* lines, as the way to *run*'s progress: then it is on the disk.

        Raise StorageError if it cannot be saved; what was saved before stays so.
        """
        assert self._log is not None, "a log is begun before it is written"
        content = {**run.progress.as_json(), "finished": run.is_finished}
        self._log.append(records, count, content)
        write_json(
            self.checkpoint_path,
            {
                "format": CHECKPOINT_FORMAT,
                "version": CHECKPOINT_VERSION,
                "run": run.number,
                "settings": run.settings.as_json(),
                **content,
            },
        )

    @property
    def has_log(self) -> bool:
        """Whether a log is open."""
        return self._log is not None

    @property
    def wants_fold(self) -> bool:
        """Whether the log has outgrown the table."""
        size = self._log.size if self._log is not None else 0
        return size > max(FOLD_FROM, 2 * self._table_size)

    def fold(self, table: QTable, run: RunState) -> int:
        """Write *table*, which holds all that was committed, put the log aside, return its rows.

        Raise StorageError if it cannot be written: table and log are then
        what they were, and the run can go on with them.
        """
        text = TableText(table)
        write_atomically(self.table_path, text.chunks())
        self._table_size = self.table_path.stat().st_size
        if self._log is not None:
            self._log.close()
            self._log = None
        self._rename(".done", *([self.log_path] if self.log_path.exists() else []))
        if not run.is_finished:
            self.begin(run, has_table=True)
        return text.rows


def meta_of(run: RunState, earlier: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the meta of the table that *run* trains, after the *earlier* runs on it."""
    settings = run.settings
    this = {
        "command": settings.command(),
        "games": run.progress.games,
        "settings": settings.as_json(),
    }
    meta = {
        "games": sum(past["games"] for past in earlier) + run.progress.games,
        "seed": settings.seed,
        "alpha": settings.alpha,
        "runs": [*earlier, this],
        "progress": run.progress.as_json(),
        "finished": run.is_finished,
    }
    if settings.update != "terminal":
        meta["estimates"] = True
    return meta


def earlier_runs(meta: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the runs that a table's *meta* lists."""
    runs = meta.get("runs", [])
    sound = isinstance(runs, list) and all(
        isinstance(run, dict) and type(run.get("games")) is int for run in runs
    )
    return runs if sound else []


def _run_in(meta: dict[str, Any], path: Path) -> RunState | None:
    """Return the last run that the *meta* of the table *path* names, if it names one."""
    runs = earlier_runs(meta)
    if not runs or "progress" not in meta:
        return None
    try:
        settings = Settings.from_json(runs[-1].get("settings"))
        progress = Progress.from_json(meta["progress"])
    except SettingsError as error:
        raise DamagedFileError(f"{path} has a damaged meta: {error}") from error
    return RunState(len(runs) - 1, settings, progress, meta.get("finished") is True)


def _run_of_header(header: dict[str, Any], path: Path) -> RunState:
    try:
        settings = Settings.from_json(header.get("settings"))
        progress = Progress.from_json(header.get("progress"))
    except SettingsError as error:
        raise DamagedFileError(f"{path} has a damaged header: {error}") from error
    number = header.get("run")
    if type(number) is not int or number < 0:
        raise DamagedFileError(f"{path} has a damaged header: it does not number its run")
    return RunState(number, settings, progress)


def _run_of_checkpoint(value: object, path: Path) -> RunState:
    if not isinstance(value, dict) or value.get("format") != CHECKPOINT_FORMAT:
        raise DamagedFileError(f"{path} is no checkpoint: its format should be {CHECKPOINT_FORMAT}")
    if value.get("version") != CHECKPOINT_VERSION or isinstance(value.get("version"), bool):
        raise DamagedFileError(
            f"{path} has version {str(value.get('version'))[:40]}, and this program reads "
            f"{CHECKPOINT_VERSION}"
        )
    names = set(Progress.__dataclass_fields__)
    return _run_of_header(
        {**value, "progress": {name: value[name] for name in names if name in value}}, path
    )


def _advance(run: RunState, commit: Commit, path: Path) -> None:
    """Bring *run* to the progress that *commit* names."""
    content = dict(commit.content)
    is_finished = content.pop("finished", None)
    try:
        run.progress = Progress.from_json(content)
    except SettingsError as error:
        raise DamagedFileError(f"{path} has a damaged commit: {error}") from error
    run.is_finished = is_finished is True
