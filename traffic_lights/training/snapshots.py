"""The snapshots of a bot: how it played after some of its games, kept in its folder.

A run in the Workshop keeps them as it goes: history/1.json.gz, history/2.json.gz, ..., and at its
end history/index.json. Those of a bot that was trained elsewhere are made when its games are played
again.
"""

import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final

from traffic_lights.board.baselines import BASELINES
from traffic_lights.learning.prune import prune
from traffic_lights.learning.qtable import QTable
from traffic_lights.learning.tablefile import write_table
from traffic_lights.storage.files import StorageError, explained, make_folder, write_json
from traffic_lights.storage.kinds import KindError, ListOf, Record
from traffic_lights.storage.records import read_record
from traffic_lights.training.folder import SNAPSHOTS, snapshot_index, snapshot_path
from traffic_lights.training.gauge import Gauge, Measured
from traffic_lights.training.progress import Moment, runs_in
from traffic_lights.training.rerun import SnapshotTimes, pauses_of, recorded_runs, rerun
from traffic_lights.training.run import Training
from traffic_lights.training.settings import RunSettings

_INDEX: Final = Record(
    {
        "runs": ListOf(),
        "points": ListOf(),
    }
)


def kept_snapshots(folder: Path, meta: Mapping[str, Any]) -> list[Measured] | None:
    """Return the snapshots that the bot in *folder* keeps; None if they are not those of *meta*."""
    with suppress(StorageError, KindError):
        index = read_record(snapshot_index(folder), _INDEX)
        if list(index["runs"]) == runs_in(meta):
            return list(map(Measured.from_json, index["points"]))
    return None


class SnapshotFolder:
    """Keeps the snapshots of the bot in *folder*, in training by *plan*, from its first game on.

    Without *points*, those kept before, the folder is emptied. If it is a link, it is refused,
    because that may lead to a folder with other files of these names. Raise StorageError.
    """

    def __init__(self, folder: Path, plan: str, points: Sequence[Measured] = ()) -> None:
        self._folder = folder
        self._own = Gauge(plan)
        self._others = [Gauge(key) for key in BASELINES if key != self._own.policy.key]
        self._points = list(points)
        kept = folder / SNAPSHOTS
        if kept.is_symlink():
            raise StorageError(f"cannot delete {kept}: it is a link")
        if not points:
            with explained("delete", kept), suppress(FileNotFoundError):
                shutil.rmtree(kept)
        make_folder(kept)

    def keep(
        self, table: QTable, games: int, decided: int, settings: RunSettings, **how: bool
    ) -> Measured:
        """Write what *table* plays after *games*, and return its scores, measured as *how* says."""
        of_run = table.meta
        table.meta = {"games": games, "settings": settings.as_json()}
        try:
            small = prune(table)
            write_table(snapshot_path(self._folder, games), small)
        finally:
            table.meta = of_run
        against = tuple(gauge.measure(small, games, decided, **how) for gauge in self._others)
        point = replace(self._own.measure(small, games, decided, **how), others=against)
        self._points.append(point)
        return point

    def note(self, runs: Sequence[Mapping[str, Any]]) -> None:
        """Note that the snapshots so far are those of a bot that has played *runs*."""
        content = {"runs": list(runs), "points": list(map(asdict, self._points))}
        write_json(snapshot_index(self._folder), content)


def make_snapshots(folder: Path, meta: Mapping[str, Any]) -> Iterator[Measured]:
    """Make the snapshots of the bot with *meta*, and yield each when it is in *folder*.

    Raise SettingsError if the bot cannot be made again, StorageError if they cannot be kept. All
    the games of the bot are played again.
    """
    settings, _ = recorded_runs(meta)[-1]
    kept = SnapshotFolder(folder, settings.plan)
    for games, decided, table in rerun(meta):
        yield kept.keep(table, games, decided, settings)
    kept.note(runs_in(meta))


class RunSnapshots:
    """Keeps the snapshots of the bot in *training* as it goes, which changes nothing in the run.

    A bot that was trained elsewhere has none of its first games, so none are kept. If the disk is
    full or refuses them, no more are: training is not disturbed.
    """

    def __init__(self, training: Training) -> None:
        self._training = training
        run = training.run
        points = kept_snapshots(training.folder, training.table.meta)
        is_known = points is not None or not run.all_games
        self._times = SnapshotTimes(run.all_games, training.decided)
        self._kept: SnapshotFolder | None = None
        if is_known:
            with suppress(StorageError):
                self._kept = SnapshotFolder(training.folder, run.settings.plan, points or ())
        games = run.settings.games
        self.pauses = [] if games is None else pauses_of(run, run.earlier_games + games)
        """Where the run has to yield a Moment for them, see `Training.play`."""

    def take(self, moment: Moment) -> Measured | None:
        """Keep a snapshot of the present *moment* of the run if one is due, and return it.

        Its end has one by `take_end`.
        """
        run = self._training.run
        settings = run.settings
        if self._kept is None or moment.share == 1:
            return None
        if self._times.is_due(settings.plan, run.all_games, moment.decided):
            try:
                table = self._training.table
                games = run.all_games
                return self._kept.keep(table, games, moment.decided, settings, is_quick=True)
            except StorageError:
                self._kept = None
        return None

    def take_end(self, table: QTable, moment: Moment) -> None:
        """Keep one of the end of the run, when the bot plays by *table*."""
        run = self._training.run
        if self._kept is not None:
            with suppress(StorageError):
                self._kept.keep(table, run.all_games, moment.decided, run.settings, is_quick=True)

    def note(self) -> None:
        """Note that they are complete up to now, when the table of the run has been written."""
        if self._kept is not None:
            with suppress(StorageError):
                self._kept.note(runs_in(self._training.table.meta))
