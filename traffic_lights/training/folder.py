"""The files of one training folder, and the protocol by which nothing in them is ever lost.

    qtable.json               the table after some game, with its checksum
    qtable_deltas.jsonl       what changed since, in commits
    qtable_checkpoint.json    how far the last commit got, for people to read
    qbot.json                 the rows of the table that play
    qtable.lock               held while a trainer has the folder

A *commit* appends the deltas of some batches to the log and returns when they
are on the disk. A *fold* writes the table, and from the moment its name is on
the disk it is the truth; only then is the log dropped, or kept as ``.done``, and the
next one begun. Loading reads the table, replays the commits that it does not
hold, and drops what a killed writer left half done. Since everything a run
does follows from its settings and its progress, it then continues as if it had
never stopped.
"""

from __future__ import annotations

import os
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from traffic_lights.learning.deltas import apply_records
from traffic_lights.learning.qtable import QTable
from traffic_lights.learning.tablefile import TableText, read_checksum, read_table
from traffic_lights.learning.tablereader import FORMAT as TABLE_FORMAT
from traffic_lights.storage.files import (
    DamagedFileError,
    StorageError,
    failure,
    make_folder,
    open_regular,
    read_json,
    refuse_irregular,
    remove_leftovers,
    try_write,
    write_atomically,
)
from traffic_lights.storage.lock import PATIENCE_S, FileLock
from traffic_lights.storage.log import BrokenLogError, DeltaLog, LogReader
from traffic_lights.storage.witness import Witness
from traffic_lights.training import committer as commitprocess
from traffic_lights.training import paths
from traffic_lights.training.commits import Committer, CommitterHere, Receipt, Request, Unsaved
from traffic_lights.training.plans import table_for
from traffic_lights.training.run_folder import drop, free_ending, rename, set_aside
from traffic_lights.training.settings import Progress
from traffic_lights.training.state import (
    RunState,
    checkpoint_of,
    progress_of,
    run_of_checkpoint,
    run_of_header,
    run_of_meta,
)
from traffic_lights.training.troubles import DamagedRunError, GoneError, Remedy

FOLD_FROM: Final = 400 << 20
"""The bytes of log from which on it is folded into the table during a run."""

MUCH: Final = 8 << 20
"""The bytes of log from which on a dense table is faster and smaller."""


@dataclass(slots=True)
class Loaded:
    """What a folder held."""

    table: QTable | None = None
    """None if nothing was ever saved."""
    run: RunState | None = None
    """The last run on the table; None if it was not trained by this program."""
    notes: list[str] = field(default_factory=list)
    """Sentences about what was mended."""


class _UselessLogError(DamagedFileError):
    """The log cannot be read, or does not continue the table that there is."""


class RunFiles:
    """A training folder, locked for this process from `open` to `close`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.table_path = folder / paths.TABLE
        self.cut_path = folder / paths.CUT
        self.log_path = folder / paths.LOG
        self.checkpoint_path = folder / paths.CHECKPOINT
        self.saves_beside = False
        """Whether the next log is written by a process of its own, where one can be had."""
        self.keeps_logs = False
        """Whether a log stays, as ``.done``, when the table holds what it says."""
        self._lock = FileLock(folder / paths.LOCK, PATIENCE_S)
        self._witnesses: list[Witness] = []
        """Of the folder, the lock and the log, as far as they are open."""
        self._committer: Committer | None = None
        self._log_size = 0
        self._table_size = 0
        self._failed_fold_size = 0

    def open(self) -> None:
        """Make the folder if need be, lock it, try a write, and drop unfinished writes.

        Raise LockedError if another trainer has it, StorageError if it cannot be used.
        """
        make_folder(self.folder)
        self._lock.acquire()
        try:
            self._witnesses = [Witness(self.folder), Witness(self.folder / paths.LOCK)]
            # Under the lock, whoever wrote them is dead; before it they could be those of a trainer
            # at work.
            remove_leftovers(self.folder, paths.WRITTEN)
            # Tried, not asked: modes, quotas, mounts and network drives each refuse in a way of
            # their own, and none should do so after an hour of learning.
            try_write(self.table_path)
        except BaseException as error:
            self.close()  # also when interrupted: the menu goes on, and may want the folder again
            if isinstance(error, OSError):
                raise failure(error, "write in", self.folder) from error
            raise

    def refuse_strangers(self) -> None:
        """Raise StorageError if a file that a run replaces is a link, or not of this program's.

        What the other files hold is judged where they are read.
        """
        for name in paths.WRITTEN:
            refuse_irregular(self.folder / name)
        if os.path.lexists(self.cut_path) and not _is_like_a_table(self.cut_path):
            raise StorageError(
                f"{self.cut_path} is not of this program's making, and a run would replace it: "
                "move it away, or choose another folder"
            )

    @property
    def is_taken(self) -> bool:
        """Whether the folder holds a table or a log."""
        return any(map(os.path.lexists, (self.table_path, self.log_path)))

    def close(self) -> None:
        """Close the log and give the lock back; nothing happens if that is done."""
        self._close_log()
        while self._witnesses:
            self._witnesses.pop().close()
        self._lock.release()

    def _close_log(self) -> None:
        if self._committer is not None:
            self._committer.close()
            self._committer = None
            self._witnesses.pop().close()

    def set_aside(self) -> str:
        """Set all that a run wrote aside; return how to take it back, if it was."""
        curves = self.folder / paths.CURVES
        return set_aside(
            self.folder,
            # The table last: a table without its log is one that a run goes on from, a log without
            # its table is refused.
            *(self.log_path, self.checkpoint_path, curves, self.cut_path, self.table_path),
        )

    def gone(self) -> str:
        """Return what of the open folder has gone, or has been replaced by something else."""
        return next((str(w.path) for w in self._witnesses if not w.is_there()), "")

    def check_all_there(self) -> None:
        """Raise GoneError if something is not: what is written then may be for nobody."""
        if gone := self.gone():
            raise GoneError(f"{gone} is gone, or something else has its name")

    def load(self, *, repair: bool = False) -> Loaded:
        """Return what the folder holds, the table dense if that is much.

        Raise StorageError if a file is damaged. With *repair*, a log damaged in
        its middle is cut off there, and a damaged checkpoint is written anew.
        """
        self.refuse_strangers()
        loaded = Loaded()
        if os.path.lexists(self.table_path):
            loaded.table = self._read_table()
            loaded.run = run_of_meta(loaded.table.meta, self.table_path)
            self._table_size = _size_of(self.table_path)
        if os.path.lexists(self.log_path):
            self._replay(loaded, repair)
        self._check_checkpoint(loaded, repair)
        self.check_all_there()  # or another folder of that name may have been read
        return loaded

    def _read_table(self) -> QTable:
        try:
            return read_table(self.table_path)
        except DamagedFileError as error:
            raise DamagedRunError(str(error), Remedy.SOUND_COPY) from error

    def _replay(self, loaded: Loaded, repair: bool) -> None:
        """Bring *loaded* to the log's last commit and open the log behind it.

        With *repair*, a log of no use to the table is put aside instead.
        """
        try:
            with closing(self._usable_log()) as reader:
                # Opened for writing only when all of it was read: what is refused is left as it
                # was.
                self._replay_commits(reader, loaded, repair)
                self._open_log(DeltaLog(self.log_path, reader.size, reader.crc))
        except _UselessLogError as error:
            if loaded.table is None:
                raise DamagedRunError(str(error), Remedy.SOUND_COPY) from error
            if not repair:
                raise DamagedRunError(str(error), Remedy.PUT_ASIDE) from error
            loaded.notes.append(
                f"{error}; it was put aside, {set_aside(self.folder, self.log_path)}"
            )

    def _usable_log(self) -> LogReader:
        try:
            return LogReader(self.log_path)
        except DamagedFileError as error:
            raise _UselessLogError(str(error)) from error

    def _progress_held(self, reader: LogReader, loaded: Loaded, run: RunState) -> Progress | None:
        """Return where the table stands in the log, None if the log follows it from the start.

        It is in the middle if the table was written and its log not put aside yet.
        """
        base = reader.header.get("base")
        # Told by the checksum: whatever else stands where the table stood, restored or copied
        # there, is not what the log continues.
        if base == (read_checksum(self.table_path) if loaded.table is not None else None):
            return None
        if loaded.table is None:
            raise DamagedRunError(
                f"{self.log_path} continues a table that is gone", Remedy.TABLE_BACK
            )
        own = loaded.run
        if own is None or (own.number, own.settings) != (run.number, run.settings):
            raise self._stranger()
        return own.progress

    def _stranger(self) -> _UselessLogError:
        return _UselessLogError(f"{self.log_path} does not belong to {self.table_path}")

    def _replay_commits(self, reader: LogReader, loaded: Loaded, repair: bool) -> None:
        """Apply the commits that the table does not hold."""
        run = run_of_header(reader.header, self.log_path)
        held = self._progress_held(reader, loaded, run)
        is_behind = held is None or held == run.progress
        table = loaded.table = table_for(run.settings, loaded.table or QTable())
        run = loaded.run = run if held is None or loaded.run is None else loaded.run
        if self.log_path.stat().st_size > MUCH:
            table.make_dense()
        try:
            for commit in reader.commits():
                progress, is_finished = progress_of(commit, self.log_path)
                # A fold killed between its two steps has left a table that holds the first of these
                # commits, or all of them. Which ones, its progress says; from there on each is
                # applied.
                if progress == held:
                    is_behind = True
                elif is_behind:
                    apply_records(table, commit.records, str(self.log_path))
                    run.progress, run.is_finished = progress, is_finished
        except BrokenLogError as error:
            if not is_behind:
                raise _UselessLogError(str(error)) from error
            if not repair:
                raise DamagedRunError(str(error), Remedy.CUT_OFF) from error
            loaded.notes.append(f"the log was cut off at byte {reader.size:,}")
        if not is_behind:
            raise self._stranger()
        if reader.torn:
            loaded.notes.append(f"{reader.torn:,} bytes of an unfinished write were cut off")

    def _check_checkpoint(self, loaded: Loaded, repair: bool) -> None:
        """Refuse a damaged checkpoint; note if it knows of games that the log does not."""
        if not os.path.lexists(self.checkpoint_path):
            return
        try:
            value = read_json(self.checkpoint_path)
            saved = run_of_checkpoint(value, self.checkpoint_path)
        except DamagedFileError as error:
            if not repair:
                raise DamagedRunError(str(error), Remedy.WRITE_ANEW) from error
            loaded.notes.append(
                f"the damaged checkpoint is {set_aside(self.folder, self.checkpoint_path)}"
            )
            return
        run = loaded.run
        if run is None or saved.number > run.number:
            loaded.notes.append("the checkpoint names a run that the other files do not know")
        # Behind the log is where a kill between the two leaves it; ahead it can only be if a log
        # was lost.
        elif saved.number == run.number and saved.progress.games > run.progress.games:
            loaded.notes.append(
                f"the checkpoint names game {saved.progress.games:,}, the other files end at "
                f"game {run.progress.games:,}; the games between are played again"
            )

    def _open_log(self, log: DeltaLog, *, beside: bool = False) -> None:
        """Commit to *log* from now on, *beside* if that can be."""
        self._witnesses.append(Witness(log.path))
        self._log_size = log.size
        self._committer = CommitterHere(log, self.checkpoint_path)
        if beside and commitprocess.IS_POSSIBLE:
            # Where no process can be had, commits are made here: slower, and the same bytes.
            with suppress(StorageError):
                self._committer = commitprocess.CommitterBeside(
                    log, self.checkpoint_path, self._lock.descriptor
                )

    def begin(self, run: RunState, *, has_table: bool) -> None:
        """Begin the log of *run*, which follows the table as it is on the disk."""
        header = {
            "base": read_checksum(self.table_path) if has_table else None,
            "run": run.number,
            "settings": run.settings.as_json(),
            "progress": run.progress.as_json(),
        }
        # Closed first: Windows replaces no file that is open.
        self._close_log()
        log = DeltaLog.create(self.log_path, header)
        self._open_log(log, beside=self.saves_beside)

    def commit(self, unsaved: Unsaved, run: RunState) -> None:
        """Begin to save *unsaved* as the way to *run*'s progress; `receipt` says when it is done.

        Raise StorageError if it cannot be saved; what was saved before stays so.
        """
        assert self._committer is not None, "a log is begun before it is written"
        # To a file that was deleted one can go on writing: all is lost without an error.
        self.check_all_there()
        content = {**run.progress.as_json(), "finished": run.is_finished}
        self._committer.start(Request(unsaved, content, checkpoint_of(run)))

    def receipt(self, *, wait: bool) -> Receipt | None:
        """Return the receipt of the last commit, once; None if there is none, or none yet.

        Raise StorageError if it could not be saved. With *wait*, wait for it.
        """
        receipt = self._committer.receipt(wait=wait) if self._committer is not None else None
        if receipt is not None:
            self.check_all_there()
            self._log_size = receipt.log_size
        return receipt

    @property
    def has_log(self) -> bool:
        """Whether a log is open."""
        return self._committer is not None

    @property
    def wants_fold(self) -> bool:
        """Whether the log has outgrown the table, or grown as much again since a fold failed."""
        # So all folds of a run write a constant share of what its log does, however long it is.
        return self._log_size > max(FOLD_FROM, 2 * self._table_size, 2 * self._failed_fold_size)

    def fold(self, table: QTable, run: RunState) -> int:
        """Write *table*, which holds all that was committed, put the log aside, return its rows.

        Raise StorageError if it cannot be written: the run can then go on with
        the log, if there still is one.
        """
        # By now the name may lead to somebody else's table.
        self.check_all_there()
        text = TableText(table)
        # Noted before the attempt: with a full disk the next one then waits until the log has
        # doubled.
        self._failed_fold_size = self._log_size
        write_atomically(self.table_path, text.chunks())
        self._table_size, self._failed_fold_size = _size_of(self.table_path), 0
        # From here on the table is the truth. A log dropped before it, and a power cut between,
        # would leave the old table and nothing of what it learned since.
        self._close_log()
        self._log_size = 0
        if self.keeps_logs:
            rename(self.folder, free_ending(self.folder, ".done"), self.log_path)
        else:
            drop(self.log_path)
        if not run.is_finished:
            self.begin(run, has_table=True)
        return text.rows


def _is_like_a_table(path: Path) -> bool:
    """Return whether the file *path* is empty or begins as our tables do, wherever it ends."""
    start = f'{{"format": "{TABLE_FORMAT}"'.encode()
    with os.fdopen(open_regular(path), "rb") as file:
        return start.startswith(file.read(len(start)))


def _size_of(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError as error:
        raise failure(error, "find", path) from error
