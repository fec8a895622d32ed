"""A training run: it learns by the games of its plan, saves as it goes, and can be interrupted.

A `Training` may be stopped after any batch, or killed at any time. The next one of the same
folder continues from what was saved, and makes the same bytes.
"""

import math
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, Self

from traffic_lights.board.positions import POSITIONS
from traffic_lights.learning.batches import TrainingState
from traffic_lights.learning.prune import WHOLE_UP_TO, prune
from traffic_lights.learning.qtable import QTable
from traffic_lights.learning.rowtable import RowTable
from traffic_lights.storage.files import StorageError, copy_file
from traffic_lights.training.folder import CHECKPOINT, TABLE
from traffic_lights.training.plans import (
    PracticeStage,
    Stage,
    has_only_proofs,
    make_stages,
    played,
    table_for,
)
from traffic_lights.training.progress import Moment, Run, runs_in
from traffic_lights.training.settings import (
    PROVING,
    SETTINGS,
    RunSettings,
    SettingsError,
)
from traffic_lights.training.store import MOST_RUNS, Store

SAVE_EVERY_S: Final = 1.0
MOST_WAITING: Final = 6 << 20
"""So many bytes of records are saved at once."""
SAVING: Final = "saving the table"
PRUNING: Final = "choosing the rows that play needs"
MEASURING: Final = "measuring its score"
SPARSE_GAMES: Final = 10_000
"""Runs of so many games begin with a sparse table, because a dense one takes 0.3 s to make."""
_PRACTICE_SHARE: Final = 0.4
"""How much of the time of the reverse curriculum is practice."""

_BEGIN: Final = "a run begins, after the last one if there is one"
_CONTINUE: Final = "the last run continues, with its own settings"
_STAY: Final = "nothing is played, and the tables of the last run are written"
_REFUSE: Final = "there is nothing to resume"
_REQUESTS: Final = ("no settings", "the same", "others", "--resume", "--repair")
"""The columns of _ACTIONS. "the same" are the settings of the last run."""
_ACTIONS: Final = {
    # the folder   no settings  the same   others     --resume   --repair
    "no run":     (_BEGIN,      _BEGIN,    _BEGIN,    _REFUSE,   _REFUSE),
    "unfinished": (_CONTINUE,   _CONTINUE, _CONTINUE, _CONTINUE, _CONTINUE),
    "unwritten":  (_STAY,       _STAY,     _BEGIN,    _CONTINUE, _STAY),
    "finished":   (_BEGIN,      _STAY,     _BEGIN,    _REFUSE,   _STAY),
}  # fmt: skip
"""What happens, by the state of the folder and the request; the page of this folder explains it.

"unwritten" is a finished run that was killed before its tables were written.
"""


class Training:
    """A run in *folder*, which it holds locked while it is entered.

    *wanted* has the settings that were asked for, by the names of `RunSettings`. A finished run is
    followed by a new one on the same table if the settings differ. An unfinished one is continued.
    If *wanted* differs from its own settings, it raises SettingsError; only its games may differ.

    *fresh* starts over and renames the old files to ``.bak``. *resume* raises SettingsError if
    the folder has no run to continue. *repair* continues from the table if log or checkpoint are
    damaged. *keep_log* keeps the log as ``.done`` when the table holds it. *save_every* is a number
    of games after which to save, besides once a second. Raise StorageError if the folder cannot be
    used or a file in it is damaged.
    """

    def __init__(
        self,
        folder: Path,
        wanted: Mapping[str, Any],
        *,
        fresh: bool = False,
        resume: bool = False,
        repair: bool = False,
        keep_log: bool = False,
        save_every: int | None = None,
    ) -> None:
        # Check the settings before anything is opened, so that no folder is left behind.
        asked = RunSettings.wanted(wanted)
        if fresh or not any(os.path.lexists(folder / name) for name in (CHECKPOINT, TABLE)):
            asked.refuse_unused(wanted)
        self._must_repair = repair
        self._must_resume = resume or (repair and not wanted)
        self._save_every = save_every or math.inf
        self.moved = 0.0
        """How far estimates were moved in all, in the games that were played here."""
        self.store = Store(folder, keep_log=keep_log)
        try:
            names = self.store.set_aside() if fresh else ""
            self._notes = [f"the old files were renamed to {names}"] if names else []
            self._load(wanted, asked)
        except BaseException:
            self.store.close()
            raise

    def _load(self, wanted: Mapping[str, Any], asked: RunSettings) -> None:
        """Begin or continue a run; *asked* has the values *wanted* and defaults for all others."""
        store = self.store
        saved, last, repaired = store.load(repair=self._must_repair)
        table = saved or RowTable()
        has_tables = last is not None and not repaired and store.has_tables_of(last)
        # What is refused is refused here, before a file of the folder changes.
        run = self._kept_run(last, wanted, asked, has_tables=has_tables)
        self._notes += [repaired, store.set_aside_foreign()]
        if last is not None and last.is_finished and not has_tables:
            # It was killed before it wrote them, or its checkpoint is damaged.
            if last != store.in_table or repaired:
                _exhaust(store.compact(table, last))
            store.write_pruned(prune(table))
        self.run = run or self._new_run(asked, table)
        store.begin(self.run)
        self.table = table_for(self.run.settings, table)
        if not _is_small(self.run.settings):
            self.table.make_dense()
        self._training = TrainingState(self.table)

    def _kept_run(
        self, last: Run | None, wanted: Mapping[str, Any], asked: RunSettings, *, has_tables: bool
    ) -> Run | None:
        """Return the *last* run of the folder if it continues or stays; None if another begins.

        Raise SettingsError if nothing can be done with the settings *wanted*.
        """
        # A run that is not over may be continued by any of its own settings.
        if not self._must_resume and (last is None or last.is_finished):
            asked.refuse_unused(wanted)
        request = self._request(last, wanted, asked)
        action = _ACTIONS[_state_of(last, has_tables=has_tables)][_REQUESTS.index(request)]
        if action == _REFUSE:
            raise SettingsError(f"{self.folder} has no unfinished run to resume")
        if last is None or action == _BEGIN:
            return None
        return _continued(last, wanted, self.folder) if action == _CONTINUE else last

    def _request(self, last: Run | None, wanted: Mapping[str, Any], asked: RunSettings) -> str:
        """Return which of _REQUESTS this is."""
        if self._must_repair and not wanted:
            return "--repair"
        if self._must_resume:
            return "--resume"
        if last is not None and asked.effective() == last.settings.effective():
            return "the same"
        return "others" if wanted else "no settings"

    def _new_run(self, settings: RunSettings, table: QTable) -> Run:
        runs = runs_in(table.meta)
        number = len(runs)
        if number >= MOST_RUNS:
            raise SettingsError(
                f"{self.folder} has {number:,} runs, the most there may be: use --fresh"
            )
        if settings.plan in PROVING and not has_only_proofs(table):
            self._notes.append(
                f"plan {settings.plan} learns only proofs: the table with its estimates was "
                f"copied to {self.store.set_aside([TABLE], by=copy_file)}"
            )
        return Run.begun(settings, number, earlier_games=sum(run["games"] for run in runs))

    @property
    def folder(self) -> Path:
        """The training folder."""
        return self.store.folder

    @property
    def games(self) -> int:
        """The games of the run so far, those before a resume included."""
        return self.run.progress.games

    @property
    def rows(self) -> int:
        """The rows of the table when it was last written, or if it was not, as they are now."""
        return self.store.rows or sum(1 for _ in self.table.states())

    @property
    def decided(self) -> int:
        """How many canonical positions the table has decided."""
        return sum(self._training.decided_by_ply)

    def play(
        self, stop: Callable[[], bool] = lambda: False, *, pauses: Sequence[int] = ()
    ) -> Iterator[Moment]:
        """Yield a Moment after each batch, until the run is finished or *stop* returns True.

        One is also yielded after each number of games of the run in *pauses*, ascending.

        At the end everything is saved, and the tables of a finished run are written. Raise
        StorageError if something cannot be saved. Nothing up to ``saved_games`` is lost then,
        unless the folder or its log went away.
        """
        try:
            yield self._moment(note="; ".join(filter(None, self._notes)))
            if not self.run.is_finished:
                yield from self._play(stop, pauses)
            if self.run.is_finished:
                # This is done again each time, because a program killed here leaves an old one.
                if self.rows > WHOLE_UP_TO:  # then this takes a second
                    yield self._moment(doing=PRUNING)
                self.store.write_pruned(prune(self.table))
        except StorageError as error:
            if not self.store.has_what_was_saved():
                raise
            raise StorageError(
                f"{error}; all games up to {self.store.saved_games:,} are saved, and training "
                "continues from there when it is started again"
            ) from error

    def _play(self, stop: Callable[[], bool], pauses: Sequence[int]) -> Iterator[Moment]:
        store = self.store
        # Save before the first game, to record the run and to see that the folder can be written.
        store.save(self.run, wait=True)
        stages = make_stages(self.run.settings, self._training)
        saving_games = self.games
        saving_at = time.monotonic()
        # Save and stop only between batches, because a resume can repeat only whole batches.
        for batch, run in played(self.run, stages, pauses):
            self.moved += batch.moved
            self.run = run
            stage = stages[run.progress.stage]
            waiting = store.add(batch.records())
            if batch.is_divided:
                yield self._moment(stage)
                continue
            if (
                time.monotonic() - saving_at >= SAVE_EVERY_S
                or self.games - saving_games >= self._save_every
                or waiting >= MOST_WAITING
            ):
                store.save(self.run)
                saving_games = self.games
                saving_at = time.monotonic()
                if store.has_large_log:
                    for note in store.compact_large_log(self.table, self.run):
                        yield self._moment(stage, note, SAVING)
            yield self._moment(stage)
            if stop():
                break
        else:
            self.run = replace(self.run, is_finished=True)
        store.save(self.run, wait=True)
        last_stage = min(self.run.progress.stage, len(stages) - 1)
        yield self._moment(stages[last_stage])
        if self.run.is_finished:
            for _ in store.compact(self.table, self.run):
                yield self._moment(doing=SAVING)

    def compact(self) -> None:
        """Write the table as it is now, and drop the log; raise StorageError."""
        _exhaust(self.store.compact(self.table, self.run))

    def _moment(self, stage: Stage | None = None, note: str = "", doing: str = "") -> Moment:
        settings = self.run.settings
        progress = self.run.progress
        by_ply = tuple(self._training.decided_by_ply)
        share = None
        if self.run.is_finished:
            share = 1.0
        elif settings.games is not None:
            share = progress.games / settings.games
        elif settings.plan == "reverse":
            share = sum(by_ply) / POSITIONS
            if settings.practice != "none":
                practised = stage.share(progress) if isinstance(stage, PracticeStage) else 0.0
                share += (practised - share) * _PRACTICE_SHARE
        return Moment(
            progress=progress,
            doing=doing or (stage.name if stage is not None else ""),
            decided_by_ply=by_ply,
            saved_games=self.store.saved_games,
            share=share,
            note=note,
            tries=self.run.practice_games,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Release the folder; games that were not saved are dropped, and played again later."""
        self.store.close()


def _exhaust(signs: Iterator[object]) -> None:
    """Do all the work that gives these *signs* of life."""
    for _ in signs:
        pass


def _state_of(last: Run | None, *, has_tables: bool) -> str:
    """Return the state of a folder, as _ACTIONS names it."""
    if last is None:
        return "no run"
    if not last.is_finished:
        return "unfinished"
    return "finished" if has_tables else "unwritten"


def _is_small(settings: RunSettings) -> bool:
    """Return whether a run is so short that its table stays sparse."""
    if settings.plan == "reverse" or settings.games is None:
        return False
    return settings.games <= SPARSE_GAMES


def _continued(run: Run, wanted: Mapping[str, Any], folder: Path) -> Run:
    """Return *run*, perhaps with other games if it is unfinished.

    Raise SettingsError if one of the settings *wanted* is not what it has.
    """
    own = run.settings
    games = wanted.get("games", own.games)
    # Plan baselines has divided its games among the opponents by their number.
    may_change = not run.is_finished and own.plan != "baselines"
    if may_change and (games is None or games > run.progress.games):
        own = replace(own, games=games)
    for name, value in wanted.items():
        own_value = getattr(own, name)
        if own_value != value:
            shown = "without limit" if own_value is None else own_value
            raise SettingsError(
                f"the run in {folder} has {SETTINGS[name].option} {shown}, not {value}: "
                "continue it with its own settings, or start over with --fresh"
            )
    return replace(run, settings=own)
