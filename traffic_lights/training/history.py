"""A bot as it was: its table after any number of its games, made again from the seed.

Runs are exact, so nothing has to be stored while a bot learns. The settings in the meta of its
table are enough to play the same games again and to look at the table on the way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Final

from traffic_lights.board.positions import POSITIONS
from traffic_lights.learning.episodes import Batch, Learner
from traffic_lights.learning.qtable import QTable
from traffic_lights.training.plans import make_stages, played, table_for
from traffic_lights.training.settings import OPPONENTS, PROVING, RunSettings, SettingsError
from traffic_lights.training.state import Progress, runs_in

SHARES: Final = 24
"""A plan that proves is shown at so many equal shares of solved positions."""
SMALL_RUN: Final = 5_000
"""The games up to which a sparse table is faster to look through than a dense one."""
_A_DECADE: Final = (1, 2, 4, 7)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The table after *games* games; it learns on when the next snapshot is made."""

    games: int
    decided: int
    """How many canonical positions it has solved."""
    table: QTable


def milestones(games: int) -> list[int]:
    """Return the numbers of games to look at: 1, 2, 4, 7, 10, 20, ... and *games* itself.

    >>> milestones(30)
    [1, 2, 4, 7, 10, 20, 30]
    """
    decades = chain.from_iterable(
        (factor * 10**power for factor in _A_DECADE) for power in range(len(str(games)))
    )
    return [*(n for n in decades if n < games), games]


def runs_of(meta: Mapping[str, Any]) -> list[tuple[RunSettings, int]]:
    """Return the settings and the games of each run that made the table with *meta*.

    Raise SettingsError if the table cannot be made again, as an imported one cannot.
    """
    runs = runs_in(dict(meta))
    if not runs or "imported" in meta or any("settings" not in run for run in runs):
        raise SettingsError("this bot cannot be made again: its first games are not known")
    return [(RunSettings.from_json(run["settings"]), run["games"]) for run in runs]


def history(meta: Mapping[str, Any]) -> Iterator[Snapshot]:
    """Play all games of the table with *meta* again; yield it now and then, and at the end.

    The snapshots of games against bots are spaced by the logarithm of their number, those of a
    plan that proves by the share of solved positions. Raise SettingsError like `runs_of`.
    """
    runs = runs_of(meta)
    total = sum(games for _, games in runs)
    if runs[0][0].plan not in PROVING and total > SMALL_RUN:
        # To look through a dense table takes half a second, so the first games are played twice.
        small = max(n for n in milestones(total) if n <= SMALL_RUN)
        yield from (one for one in _replayed(runs, small, is_dense=False) if one.games < small)
        yield from (one for one in _replayed(runs, total, is_dense=True) if one.games >= small)
    else:
        yield from _replayed(runs, total, is_dense=total > SMALL_RUN)


def _replayed(
    runs: list[tuple[RunSettings, int]], total: int, *, is_dense: bool
) -> Iterator[Snapshot]:
    """Play the first *total* games of *runs* again and yield the snapshots on the way."""
    wanted = milestones(total)
    before = seen = share = 0
    table = QTable()
    for number, (settings, games) in enumerate(runs):
        table = table_for(settings, table)
        if is_dense:
            table.make_dense()
        learner = Learner(table, settings.alpha)
        learner.count_decided()
        games = min(games, total - before)
        is_proving = settings.plan in PROVING
        inside = () if is_proving else (n - before for n in wanted)
        targets = [*(n for n in inside if 0 < n < games), games]
        for _, at in _played_to(settings, learner, number, targets):
            decided, now = sum(learner.decided_by_ply), before + at.games
            is_due = decided * SHARES // POSITIONS > share if is_proving else now in wanted
            if is_due:
                yield Snapshot(now, decided, table)
                seen, share = now, decided * SHARES // POSITIONS
        before += games
        if before >= total:
            break
    if seen < total:
        yield Snapshot(total, sum(learner.decided_by_ply), table)


def _played_to(
    settings: RunSettings, learner: Learner, number: int, targets: list[int]
) -> Iterator[tuple[Batch, Progress]]:
    """Play a run up to each number of games in *targets*; yield after batches on the way."""
    stages = make_stages(settings, learner)
    at = Progress(settings.epsilon_start)
    # A batch may be divided only where the run itself could have ended.
    if settings.plan not in OPPONENTS or settings.explore != "random":
        targets = targets[-1:]
    for target in targets:
        for batch, after in played(replace(settings, games=target), stages, at, number):
            at = after
            yield batch, at


def table_after(meta: Mapping[str, Any], games: int) -> QTable:
    """Return the table with *meta* as it was after *games* of its games, or just before a batch.

    Raise SettingsError like `runs_of`, or if it has not played so many.
    """
    runs = runs_of(meta)
    if not 0 < games <= sum(n for _, n in runs):
        total = sum(n for _, n in runs)
        raise SettingsError(f"games is {games}; it must be from 1 to the {total:,} of the bot")
    *_, last = _replayed(runs, games, is_dense=False)
    table = last.table
    table.meta = {"games": games, "seed": runs[0][0].seed, "alpha": runs[0][0].alpha}
    return table
