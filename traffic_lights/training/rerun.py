"""Make a bot again as it was after any number of its games.

Runs are exact: the games follow from the settings and the seed, so playing them again makes the
same table. Nothing has to be stored for that.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from traffic_lights.board.positions import POSITIONS
from traffic_lights.learning.batches import TrainingState
from traffic_lights.learning.qtable import QTable
from traffic_lights.learning.rowtable import RowTable
from traffic_lights.training.plans import make_stages, played, table_for
from traffic_lights.training.progress import LEARNER, Run, learner_of, runs_in
from traffic_lights.training.settings import OPPONENTS, PROVING, RunSettings, SettingsError

SHARES: Final = 4
"""A plan that proves has a snapshot after each such share, which takes two seconds to make."""
CLOSER: Final = 10_000
"""The games from which a bot has more snapshots; each takes half a second or so."""
FEW_GAMES: Final = 5_000
"""The games up to which a sparse table is faster to look through than a dense one."""


def milestones(games: int) -> list[int]:
    """Return the numbers of games to look at: 1, 2, 4, 7, 10, 20, ... and *games* itself.

    They are closer from 10,000 on, where most of the axis of a curve is.

    >>> milestones(30), milestones(30_000)[-5:]
    ([1, 2, 4, 7, 10, 20, 30], [12000, 15000, 20000, 25000, 30000])
    """
    numbers = []
    power = 1
    while power < games:
        steps = (10, 20, 40, 70) if power < CLOSER else (10, 12, 15, 20, 25, 30, 40, 50, 60, 80)
        numbers += [n * power // 10 for n in steps if n * power < 10 * games]
        power *= 10
    return [*numbers, games]


class SnapshotTimes:
    """Says when a snapshot of a bot in training is due.

    Those of games against bots are spaced by the logarithm of their number, those of a plan that
    proves by the share of solved positions.
    """

    def __init__(self, games: int = 0, decided: int = 0) -> None:
        """Begin after *games* of the bot, when so many positions were *decided*."""
        self._games = games
        self._share = decided * SHARES // POSITIONS

    def is_due(self, plan: str, games: int, decided: int) -> bool:
        """Return whether one is due after *games* by *plan*, if the last one was before them."""
        if games == self._games:
            return False
        share = decided * SHARES // POSITIONS
        is_due = games in milestones(games + 1)
        if plan in PROVING:
            # A bot that has solved all positions plays as it does at the end of its run.
            is_due = self._share < share < SHARES
        if is_due:
            self._games = games
            self._share = share
        return is_due


def pauses_of(run: Run, games: int) -> list[int]:
    """Return the games of *run* after which it pauses within a batch, up to *games* of all runs.

    Snapshots are due there. Other plans have few of them, and visits are counted per batch.
    """
    settings = run.settings
    if settings.plan not in OPPONENTS or settings.explore != "random":
        return []
    earlier = run.earlier_games
    return [n - earlier for n in milestones(games) if earlier < n < games]


def recorded_runs(meta: Mapping[str, Any]) -> list[tuple[RunSettings, int]]:
    """Return the settings and the games of each run that made the table with *meta*.

    Raise SettingsError if the table cannot be made again, as an imported one cannot.
    """
    runs = runs_in(meta)
    if not runs or "imported" in meta or any("settings" not in run for run in runs):
        raise SettingsError("this bot cannot be made again: its first games are not known")
    if any(learner_of(run) != LEARNER for run in runs):
        raise SettingsError(
            "this bot cannot be made again: an earlier version trained it, by other rules"
        )
    try:
        return [(RunSettings.from_json(run["settings"]), run["games"]) for run in runs]
    except SettingsError as error:
        raise SettingsError(f"this bot cannot be made again: {error}") from error


def rerun(meta: Mapping[str, Any], games: int | None = None) -> Iterator[tuple[int, int, QTable]]:
    """Play the first *games* of the table with *meta* again, or all, and yield snapshots.

    A snapshot is a number of games, how many positions are solved then, and the table, which
    learns on when the next one is made. They are due by `SnapshotTimes`, and the last one is of all
    games. Raise SettingsError like `recorded_runs`. The games take as long as in training.
    """
    runs = recorded_runs(meta)
    total = sum(n for _, n in runs) if games is None else games
    times = SnapshotTimes()
    table: QTable = RowTable()
    before = 0
    seen = 0
    decided = 0
    for number, (settings, run_games) in enumerate(runs):
        run = Run.begun(settings, number, before)
        end = min(before + run_games, total)
        # A run without a limit gets one only to end earlier: a limit changes its last batches.
        is_limited = settings.games is not None or end < before + run_games
        table = table_for(settings, table)
        for now, decided in _batches(run, table, end, is_limited=is_limited):
            if times.is_due(settings.plan, now, decided):
                yield now, decided, table
                seen = now
        before = end
        if before == total:
            break
    if seen < total:
        yield total, decided, table


def _batches(run: Run, table: QTable, end: int, *, is_limited: bool) -> Iterator[tuple[int, int]]:
    """Play *run* on *table* up to the game *end*, and yield the games and the solved positions.

    They are counted over all runs, and yielded after each batch and where a snapshot is due.
    """
    settings = run.settings
    pauses = pauses_of(run, end)
    if is_limited:
        run = replace(run, settings=replace(settings, games=end - run.earlier_games))
    training = TrainingState(table)
    for _, after in played(run, make_stages(settings, training), pauses):
        yield after.all_games, sum(training.decided_by_ply)
        if after.all_games == end:
            return  # a run without a limit was stopped here
        # Looking through a dense table takes half a second, so few games have a sparse one.
        if after.all_games >= FEW_GAMES:
            table.make_dense()


def table_after(meta: Mapping[str, Any], games: int) -> QTable:
    """Return the table with *meta* as it was after *games* of its games, or just before a batch.

    Raise SettingsError like `recorded_runs`, or if it has not played so many. The games take as
    long as in training.
    """
    runs = recorded_runs(meta)
    total = sum(n for _, n in runs)
    if not 0 < games <= total:
        raise SettingsError(f"games is {games}; it must be from 1 to the bot's {total:,}")
    *_, (_, _, table) = rerun(meta, games)
    first_settings, _ = runs[0]
    table.meta = {"games": games, "seed": first_settings.seed, "alpha": first_settings.alpha}
    return table


def settings_of_last_run(meta: Mapping[str, Any]) -> RunSettings:
    """Return the last settings of the table with *meta*, perhaps a snapshot, or the usual ones."""
    try:
        runs = runs_in(meta)
        return RunSettings.from_json((runs[-1] if runs else meta).get("settings"))
    except SettingsError:
        return RunSettings()


def expected_snapshots(meta: Mapping[str, Any]) -> int:
    """Return about how many snapshots the bot with *meta* has, or raise SettingsError."""
    runs = recorded_runs(meta)
    first_settings, _ = runs[0]
    if first_settings.plan in PROVING:
        return SHARES
    return len(milestones(sum(n for _, n in runs)))
