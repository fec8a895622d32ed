"""The snapshots of a bot: how it played after some of its games, kept in its folder as it trains.

>>> milestone(999), milestone(4_321), milestone(20_000)
(0, 2000, 20000)
"""

from bisect import bisect_right
from contextlib import suppress
from pathlib import Path
from typing import Final

from traffic_lights.board.positions import POSITIONS
from traffic_lights.learning.prune import prune
from traffic_lights.learning.qtable import QTable
from traffic_lights.learning.tablefile import read_table, write_table
from traffic_lights.storage.files import StorageError, delete, make_folder, remove_leftovers
from traffic_lights.training.bot_note import read_note, write_curve
from traffic_lights.training.folder import SNAPSHOTS, games_of, snapshot_path
from traffic_lights.training.gauge import Gauge, Measured
from traffic_lights.training.progress import Run, settings_of_last_run
from traffic_lights.training.settings import REVERSE

MILESTONES: Final[tuple[int, ...]] = (
    *(0, 1_000, 2_000, 5_000),
    *(n * 10**zeros for zeros in range(3, 11) for n in (10, 15, 20, 30, 50, 70)),
)
"""The games after which a bot has a snapshot: 1,000, 2,000, 5,000, 10,000, 15,000, ..., ascending.

They are taken between two batches, where the table and the run agree on the games.
"""
QUARTER: Final = POSITIONS // 4
"""The plan *reverse* has a snapshot when so many positions are decided. It takes half a second."""


def milestone(games: int) -> int:
    """Return the last of MILESTONES that is not above *games*.

    What is learned may follow from this, but never from whether a snapshot was kept: a disk may
    refuse it.
    """
    return MILESTONES[bisect_right(MILESTONES, games) - 1]


def snapshot_games(folder: Path) -> list[int]:
    """Return after how many games the bot in *folder* has a snapshot, ascending."""
    with suppress(OSError):
        found = map(games_of, (folder / SNAPSHOTS).iterdir())
        return sorted(games for games in found if games is not None)
    return []


def measured_snapshots(folder: Path) -> list[Measured]:
    """Return the scores of the snapshots in *folder*, by ascending games.

    One that was kept by the command has none yet. It is measured, which takes 0.1 s or so, and
    its score is noted with the curve of the bot.
    """
    curve = {point.games: point for point in read_note(folder).points}
    snapshots = snapshot_games(folder)
    if new := [games for games in snapshots if games not in curve]:
        for games in new:
            with suppress(StorageError):
                table = read_table(snapshot_path(folder, games))
                gauge = Gauge(settings_of_last_run(table.meta).plan)
                decided = table.meta.get("decided", 0)
                curve[games] = gauge.measure(table, games, decided, is_quick=True)
        write_curve(folder, [curve[games] for games in sorted(curve)])
    return [curve[games] for games in snapshots if games in curve]


class Snapshots:
    """Keeps the snapshots of the bot in *folder*, which goes on with *run*.

    One that the disk refuses is left out: training is not disturbed.
    """

    def __init__(self, folder: Path, run: Run, table: QTable) -> None:
        self._folder = folder
        self._is_proving = run.settings.plan == REVERSE
        remove_leftovers(folder / SNAPSHOTS, lambda name: games_of(Path(name)) is not None)
        for games in snapshot_games(folder):
            if games > run.all_games:  # of a run that was killed, or of another bot, here before
                with suppress(StorageError):
                    delete(snapshot_path(folder, games))
        # The end of the run before may have been a milestone, so what counts is what was kept.
        self._last = self._place(max(snapshot_games(folder), default=0), table)

    def _place(self, games: int, table: QTable) -> int:
        """Return a number that grows when a snapshot is due."""
        return int(table.decided >= QUARTER) if self._is_proving else milestone(games)

    def take(self, run: Run, table: QTable) -> bool:
        """Keep one if *run* has come to a place for it; return whether there is one."""
        place = self._place(run.all_games, table)
        if place <= self._last:
            return False
        self._last = place
        # No run may go on from a table that is pruned, so its meta does not say how far the run is.
        before = table.meta
        runs = [one for one in run.meta["runs"] if one["games"]]
        table.meta = {"games": run.all_games, "runs": runs, "decided": table.decided}
        try:
            make_folder(self._folder / SNAPSHOTS)
            # To prune a table of estimates takes longer than to write it as a whole.
            kept = prune(table) if self._is_proving else table
            write_table(snapshot_path(self._folder, run.all_games), kept)
            return True
        except StorageError:
            return False
        finally:
            table.meta = before
