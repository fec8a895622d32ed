"""A training run: it learns by the games of its plan, saves as it goes, and can be interrupted.

A `Training` may be stopped after any batch, or killed at any time. The next one of the same
folder continues from what was saved, and makes the same bytes.
"""

import os
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, Self

from traffic_lights.board.baselines import BASELINES
from traffic_lights.learning.qtable import QTable
from traffic_lights.learning.rowtable import RowTable
from traffic_lights.storage.files import StorageError, copy_file, delete, set_aside
from traffic_lights.training.folder import WRITTEN
from traffic_lights.training.plans import played, table_for
from traffic_lights.training.progress import Moment, Run
from traffic_lights.training.settings import (
    PLANS,
    REVERSE,
    SETTINGS,
    RunSettings,
    SettingsError,
)
from traffic_lights.training.snapshots import Snapshots
from traffic_lights.training.store import Store

SAVE_EVERY_S: Final = 1.0
MOST_WAITING: Final = 6 << 20
"""So many bytes of records are saved at once. With those of a second, the default run takes 310 MB
of memory instead of 177 MB."""
WRITING: Final = "writing its tables"


class Training:
    """A run in *folder*, which it holds locked while it is entered.

    *wanted* has the settings that were asked for, by the names of `RunSettings`. An unfinished run
    is continued, and a finished one of the same settings stays. Otherwise a new run begins on the
    same table. *fresh* starts over and renames the old files to ``.bak``.

    Raise SettingsError if the settings do not fit together, or not to an unfinished run, of which
    only the games may be changed. Raise StorageError if the folder cannot be used.
    """

    def __init__(self, folder: Path, wanted: Mapping[str, Any], *, fresh: bool = False) -> None:
        # Check the settings before anything is opened, so that no folder is left behind.
        asked = RunSettings.wanted(wanted)
        if fresh or not os.path.lexists(folder):
            asked.refuse_unused(wanted)
        self.folder = folder
        self.moved = 0.0
        """How far estimates were moved in all, in the games that were played here."""
        self.store = Store(folder)
        try:
            old = set_aside(*(folder / name for name in WRITTEN)) if fresh else ""
            self._notes = [f"the old files were renamed to {old}"] if old else []
            table, last, notes = self.store.load()
            self._notes += notes
            if last is not None and not last.is_finished:
                self.run = _continued(last, wanted, folder)
            else:
                asked.refuse_unused(wanted)
                is_same = last is not None and last.settings == asked
                self.run = last if last is not None and is_same else self._new_run(asked, table)
        except BaseException:
            self.store.close()
            raise
        self.table = table_for(self.run.settings, table)
        if isinstance(self.table, RowTable):
            self.table.count_decided()
        self._snapshots = Snapshots(folder, self.run, self.table)

    def _new_run(self, settings: RunSettings, table: QTable) -> Run:
        if settings.plan == REVERSE and isinstance(table, RowTable) and table.estimates:
            copy = set_aside(self.store.table_path, by=copy_file)
            self._notes.append(
                f"this plan learns only proofs: the table with its estimates was copied to {copy}"
            )
        self.store.saved_games = 0
        return Run.begun(settings, table.meta)

    @property
    def games(self) -> int:
        """The games of the run so far, those before a resume included."""
        return self.run.progress.games

    def play(self, stop: Callable[[], bool] = lambda: False) -> Iterator[Moment]:
        """Yield a Moment after each batch, until the run is finished or *stop* returns True.

        At the end everything is saved, and the tables of a finished run are written. Raise
        StorageError if something cannot be saved. Nothing up to ``saved_games`` is lost then,
        unless the folder or its log went away.
        """
        is_done = self.run.is_finished
        yield self._moment(1.0 if is_done else None, "; ".join(self._notes))
        try:
            if not is_done:
                is_done = yield from self._play(stop)
            elif self.store.has_pruned(self.run):
                delete(self.store.log_path)  # which a program killed at the end has left
                return
            if is_done:
                yield self._moment(1.0, doing=WRITING)
                self.run = replace(self.run, is_finished=True)
                self.store.compact(self.table, self.run)
                yield self._moment(1.0)
        except StorageError as error:
            if not self.store.has_what_was_saved():
                raise
            raise StorageError(
                f"{error}; all games up to {self.store.saved_games:,} are saved, and training "
                "continues from there when it is started again"
            ) from error

    def _play(self, stop: Callable[[], bool]) -> Generator[Moment, None, bool]:
        """Do what `play` does, without the tables; return whether all is played."""
        store = self.store
        # Save before the first game, to record the run and to see that the folder can be written.
        store.save(self.run)
        if not self.games:  # the run before may have passed a milestone at its end
            self._snapshots.take(self.run, self.table)
        waiting = bytearray()
        saved_at = time.monotonic()
        for batch, at, share in played(self.run, self.table):
            # Only between two batches can a run be saved or stopped: a batch has one random source.
            self.run = replace(self.run, progress=at)
            self.moved += batch.moved
            waiting += batch.records
            # At its end a bot has tables, and needs no snapshot.
            is_kept = share < 1 and self._snapshots.take(self.run, self.table)
            is_stopped = stop()
            note = ""
            is_time = time.monotonic() - saved_at >= SAVE_EVERY_S
            if is_stopped or is_time or len(waiting) >= MOST_WAITING:
                store.save(self.run, waiting)
                waiting = bytearray()
                saved_at = time.monotonic()
                note = store.compact_large_log(self.table, self.run)
            yield self._moment(share, note, is_kept=is_kept)
            if is_stopped and share < 1:
                return False
        store.save(self.run, waiting)
        return True

    def compact(self) -> None:
        """Write the table as it is now, and drop the log; raise StorageError."""
        self.store.compact(self.table, self.run)

    def _moment(
        self, share: float | None, note: str = "", doing: str = "", *, is_kept: bool = False
    ) -> Moment:
        settings = self.run.settings
        playing = PLANS[settings.plan].help
        if self.run.progress.stage:
            playing = f"practice against {BASELINES[settings.practice].name}"
        return Moment(
            progress=self.run.progress,
            doing=doing or playing,
            decided_by_ply=tuple(self.table.decided_by_ply),
            saved_games=self.store.saved_games,
            share=share,
            note=note,
            is_kept=is_kept,
            earlier_games=self.run.earlier_games,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Release the folder; games that were not saved are dropped, and played again later."""
        self.store.close()


def _continued(run: Run, wanted: Mapping[str, Any], folder: Path) -> Run:
    """Return the unfinished *run*, perhaps with other games.

    Raise SettingsError if one of the settings *wanted* is not what it has.
    """
    own = run.settings
    games = wanted.get("games")
    if games is not None and games > run.progress.games:
        own = replace(own, games=games)
    for name, value in wanted.items():
        own_value = getattr(own, name)
        if own_value != value:
            if name == "games" and own_value is not None:
                raise SettingsError(
                    f"games is {value}; it must be above the {run.progress.games:,} that the run "
                    f"in {folder} has played"
                )
            shown = "without limit" if own_value is None else own_value
            raise SettingsError(
                f"the run in {folder} has {SETTINGS[name].option} {shown}, not {value}: "
                "continue it with its own settings, or start over with --fresh"
            )
    return replace(run, settings=own)
