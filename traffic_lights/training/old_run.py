"""A training run as a stream of events.

A `Training` takes a folder, finds what it holds, and continues its run or
begins one. Iterating over `Training.run` does the work; the events say how far
it is. Whoever iterates decides what to show, may pause by not asking for the
next event, and may stop: what was committed is kept, and the next `Training`
of the folder goes on from there, to the same bytes as if nothing had happened.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from itertools import chain, count
from pathlib import Path
from types import TracebackType
from typing import Any, Final

from traffic_lights.board.positions import POSITIONS
from traffic_lights.learning.episodes import Learner
from traffic_lights.learning.prune import prune
from traffic_lights.learning.qtable import QTable
from traffic_lights.learning.tablefile import write_table
from traffic_lights.storage.files import StorageError
from traffic_lights.system.folders import data_folder
from traffic_lights.training.commits import MOST_UNSAVED, Unsaved
from traffic_lights.training.events import (
    Event,
    Finished,
    Noted,
    Progressed,
    Saved,
    Started,
    Stop,
    Stopped,
)
from traffic_lights.training.folder import RunFiles
from traffic_lights.training.plans import PracticeStage, Stage, make_stages, played, table_for
from traffic_lights.training.run_folder import keep_copy
from traffic_lights.training.settings import (
    PROVING,
    Progress,
    RunSettings,
    SettingsError,
    opponents,
)
from traffic_lights.training.state import RunState, count_runs, earlier_runs, meta_of, runs_before
from traffic_lights.training.troubles import GoneError, OtherSettingsError, Remedy, StoppedError

# A sync once a second cannot be seen in the time of a run; one after every game makes it 2.8 times
# as long.
COMMIT_EVERY_S: Final = 1.0
SMALL_RUN: Final = 10_000
"""The games up to which a run is small."""
# The whole programme takes 16 s, and 8 without practice.
_PRACTICE_SHARE: Final = 0.5
"""How much of the time of the reverse curriculum is practice."""


class OldTraining:
    """A run in a folder, which it holds locked until `close`.

    *wanted* names the settings that were asked for. A finished run with other
    settings is followed by a new one on the same table; an unfinished one is
    resumed, and settings that differ from its own raise SettingsError. *fresh*
    starts over and keeps the old files as ``.bak``; *resume* raises
    SettingsError rather than begin a run; *repair* cuts a damaged log off where
    it is damaged; *keep_log* keeps what is in the table as ``.done``. Raise
    StorageError if the folder cannot be used or what it holds is damaged.
    """

    def __init__(
        self,
        folder: Path,
        wanted: dict[str, Any],
        *,
        fresh: bool = False,
        resume: bool = False,
        repair: bool = False,
        now: Callable[[], float] = time.monotonic,
        commit_every_games: int | None = None,
        keep_log: bool = False,
    ) -> None:
        self._now, self._resumes = now, resume
        self._commit_every_games = commit_every_games
        self._saved_games = self._committing_games = 0
        self._noted_subjects: set[str] = set()
        # Before anything is opened: settings that are refused leave no folder behind.
        RunSettings.wanted(wanted).checked()
        self.rows = 0
        """The rows of the table as it was last written."""
        self.files = RunFiles(folder)
        self.files.keeps_logs = keep_log
        self.files.open()
        try:
            # Only now that the lock is held: until then somebody may be training here.
            set_aside = self.files.set_aside() if fresh else ""
            self._load(wanted, repair)
            if set_aside:
                self._notes.insert(0, f"what was here is {set_aside}")
        except BaseException:
            self.files.close()
            raise

    def _load(self, wanted: dict[str, Any], repair: bool) -> None:
        loaded = self.files.load(repair=repair)
        self._notes = list(loaded.notes)
        self._has_table = loaded.table is not None
        self.table = loaded.table or QTable()
        self._earlier = earlier_runs(self.table.meta)
        self._has_log = loaded.run is not None and self.files.has_log
        if loaded.run is None:
            self.state = self._new_run(wanted)
        else:
            self.state = self._continued(loaded.run, wanted)
        # A log of this run may be newer than the runs that the table names.
        self._earlier = runs_before(self._earlier, self.state.number)
        fitting = table_for(self.state.settings, self.table)
        begins = not self._has_log and not self.state.progress.games
        if begins and self.state.settings.plan in PROVING and fitting is not self.table:
            self._notes.append(
                f"programme {self.state.settings.plan} learns proofs alone: the table with "
                f"its estimates is {keep_copy(self.files.table_path)}"
            )
        self.table = fitting
        if not self._is_small():
            self.table.make_dense()
        # Measured: saving here takes 35 to 40 % more of the time that the reverse curriculum plays,
        # saving beside 4 to 6 %. The other programmes lose 2 to 3 % by it, which no process is
        # worth.
        self.files.saves_beside = self._learns_fast()
        self.learner = Learner(self.table, self.state.settings.alpha)
        if self._has_table:
            self.learner.count_decided()

    def _is_small(self) -> bool:
        """Return whether the run is over before a dense table, made in 0.3 s, pays off."""
        settings = self.state.settings
        return settings.plan != "reverse" and (settings.games or SMALL_RUN + 1) <= SMALL_RUN

    def _learns_fast(self) -> bool:
        """Return whether saving here takes time that a process started for it would give back."""
        settings = self.state.settings
        games = settings.games if settings.games is not None else SMALL_RUN + 1
        return settings.plan == "reverse" and games > SMALL_RUN

    def _new_run(self, wanted: dict[str, Any], after: RunState | None = None) -> RunState:
        """Return a run that begins, on the table of the finished run *after* if there is one."""
        if self._resumes:
            raise SettingsError(f"there is no unfinished run to resume in {self.files.folder}")
        if after is not None:
            self._finish_files(after)
        settings = RunSettings.wanted(wanted).checked()
        self._has_log = False
        return RunState(count_runs(self._earlier), settings, Progress(settings.epsilon_start))

    def _continued(self, run: RunState, wanted: dict[str, Any]) -> RunState:
        """Return *run* to be resumed, extended or left finished, or one that follows it."""
        own = run.settings
        if not run.is_finished:
            # Only what was asked for is compared: without options a run goes on with its own
            # settings.
            for name, value in wanted.items():
                if getattr(own, name) != value:
                    has = getattr(own, name)
                    raise OtherSettingsError(
                        f"the unfinished run in {self.files.folder} has {name.replace('_', '-')} "
                        f"{'without limit' if has is None else has}, not {value}",
                        Remedy.SAME_SETTINGS,
                    )
            return run
        asked = RunSettings.wanted(wanted).checked()
        if asked.effective() == own.effective():
            return run
        # More games of the same: the one change after which the table is still that of a single
        # run. The games of the others follow from how many there are to be, or end by themselves;
        # and what was visited least in a batch that its end cut short is forgotten.
        more = replace(own, games=asked.games)
        can_grow = own.plan in opponents() and own.explore == "random"
        if can_grow and asked.effective() == more.effective():
            return self._extended(run, more)
        return self._new_run(wanted, run)

    def _extended(self, run: RunState, asked: RunSettings) -> RunState:
        """Return the finished *run* with as many more games as *asked* has."""
        if (asked.games or 0) <= run.progress.games:
            return run
        self._finish_files(run)
        return RunState(run.number, asked, run.progress)

    def _finish_files(self, run: RunState) -> None:
        """Fold what a killed trainer had finished but not written."""
        if self._has_log:
            self.table.meta = meta_of(run, runs_before(self._earlier, run.number))
            self._earlier = earlier_runs(self.table.meta)
            self.files.fold(self.table, run)
            self._has_log = False

    def run(self, stop: Callable[[], Stop] = lambda: Stop.NO) -> Iterator[Event]:
        """Yield the events of the run until it is finished or *stop* asks it to stop.

        Raise StoppedError when something cannot be saved; nothing that a Saved
        event named is lost then. If somebody took the files away, that is a
        GoneError, and the table was written elsewhere from memory.
        """
        try:
            yield from self._events(stop)
        except StorageError as error:
            if not self.files.gone():
                raise StoppedError(error, self._saved_games) from error
            self.table.meta = meta_of(self.state, self._earlier)
            raise _rescued(self.files, self.table, self.state.progress.games) from error

    def _events(self, stop: Callable[[], Stop]) -> Iterator[Event]:
        state = self.state
        resumed_at = self._saved_games = state.progress.games
        if self._has_log and not state.is_finished:
            yield from self._fold()
        elif not state.is_finished:
            self.files.begin(state, has_table=self._has_table)
        yield Started(state.settings, resumed_at, tuple(self._notes))
        if not state.is_finished:
            yield from self._play(stop)
            if not state.is_finished:
                return
        elif self._has_log:
            yield from self._fold(is_last=True)
        else:
            self.rows = sum(1 for _ in self.table.states())
        # Also for a run that was finished before: a trainer killed after its table and before the
        # cut leaves an old one.
        self.learner.free_memory()
        self._write_cut()
        self.files.check_all_there()
        decided = sum(self.learner.decided_by_ply)
        is_complete = decided == POSITIONS
        yield Finished(state.progress.games, decided, is_complete, state.practice_games)

    def _play(self, stop: Callable[[], Stop]) -> Iterator[Event]:
        """Play batch after batch; commit now and then, and at the end fold."""
        state = self.state
        stages = make_stages(state.settings, self.learner)
        unsaved = Unsaved()
        committed_games, committed_at = state.progress.games, self._now()
        # Whether to stop is asked between batches only: a batch is what a resume can repeat.
        for batch, progress in played(state.settings, stages, state.progress, state.number):
            unsaved.add(batch)
            state.progress = progress
            yield self._progressed(stages[progress.stage])
            yield from self._received(wait=False)
            asked = stop()
            if asked is not Stop.NO or self._is_due(unsaved, committed_at, committed_games):
                yield from self._commit(unsaved)
                unsaved = Unsaved()
                # Who pauses may be away for hours, and so may the power.
                if asked is Stop.PAUSE:
                    yield from self._received(wait=True)
                committed_games, committed_at = progress.games, self._now()
                if self.files.wants_fold and asked in (Stop.NO, Stop.PAUSE):
                    yield from self._fold()
            if asked in (Stop.COMMIT, Stop.FOLD):
                break
        else:
            yield from self._received(wait=True)
            state.is_finished = True
            yield from self._commit(unsaved)
            yield from self._fold(is_last=True)
            return
        if asked is Stop.FOLD:
            yield from self._fold()
        yield from self._received(wait=True)
        self.files.check_all_there()
        yield Stopped(state.progress.games)

    @property
    def is_all_saved(self) -> bool:
        """Whether what was reported as saved is all that was played."""
        return self._saved_games == self.state.progress.games

    def _commit(self, unsaved: Unsaved) -> Iterator[Event]:
        """Begin to save *unsaved*, when what was begun before is saved."""
        yield from self._received(wait=True)
        # One commit after the other: each begins at the checksum of the one before.
        self._committing_games = self.state.progress.games
        self.files.commit(unsaved, self.state)
        yield from self._received(wait=False)

    def _received(self, *, wait: bool) -> Iterator[Event]:
        """Say what was saved since the last commit began, if it was; with *wait*, when it is."""
        receipt = self.files.receipt(wait=wait)
        if receipt is not None:
            self._saved_games = self._committing_games
            if receipt.problem:
                yield from self._noted("checkpoint", receipt.problem)
            yield Saved(self._saved_games)

    def _noted(self, subject: str, text: str) -> Iterator[Event]:
        """Yield the first note on *subject*; those that follow would say the same."""
        if subject not in self._noted_subjects:
            self._noted_subjects.add(subject)
            yield Noted(text)

    def _is_due(self, unsaved: Unsaved, committed_at: float, committed_games: int) -> bool:
        games = self.state.progress.games - committed_games
        if self._commit_every_games is not None and games >= self._commit_every_games:
            return True
        # By time, so that little is lost with the power; by number, so that a commit stays small
        # enough to be read.
        is_much = len(unsaved.deltas) >= MOST_UNSAVED
        return is_much or self._now() - committed_at >= COMMIT_EVERY_S

    def _fold(self, *, is_last: bool = False) -> Iterator[Event]:
        """Write the table; if there is no room for it, go on with the log, except at the end."""
        yield from self._received(wait=True)
        self.table.meta = meta_of(self.state, self._earlier)
        try:
            self.rows = self.files.fold(self.table, self.state)
        except StorageError as error:
            # The log holds everything too: a table that does not fit on the disk is no reason to
            # stop learning.
            if is_last or not self.files.has_log or self.files.gone():
                raise
            yield from self._noted("table", f"{error}; the log goes on holding what is new")

    def _write_cut(self) -> None:
        """Write the rows that play beside the whole table, for the windows."""
        small = prune(self.table)
        self.files.check_all_there()
        write_table(self.files.cut_path, small)

    def _progressed(self, stage: Stage) -> Progressed:
        settings, progress = self.state.settings, self.state.progress
        decided = sum(self.learner.decided_by_ply)
        share = None
        if settings.games is not None:
            share = progress.games / settings.games
        elif settings.plan == "reverse":
            share = decided / POSITIONS
            if settings.practice != "none":
                practised = stage.share(progress) if isinstance(stage, PracticeStage) else 0.0
                share += (practised - share) * _PRACTICE_SHARE
        # Exploring starts take the place of ε.
        epsilon = 0.0 if settings.plan == "reverse" else progress.epsilon
        return Progressed(progress.games, stage.name, progress.ply, epsilon, decided, share)

    def close(self) -> None:
        """Release the folder; what was not committed is dropped, to be played again."""
        self.files.close()

    def __enter__(self) -> OldTraining:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _rescued(files: RunFiles, table: QTable, games: int) -> GoneError:
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
