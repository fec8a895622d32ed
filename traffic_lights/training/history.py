"""A bot as it was: its table after any number of its games, made again from the seed.

Runs are exact, so nothing has to be stored while a bot learns.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain
from typing import Any, Final

from traffic_lights.board.positions import POSITIONS
from traffic_lights.learning.episodes import Learner
from traffic_lights.learning.qtable import QTable
from traffic_lights.training.plans import Progress, make_stages, played, table_for
from traffic_lights.training.settings import OPPONENTS, PROVING, RunSettings, SettingsError
from traffic_lights.training.store import runs_in

SHARES: Final = 24
"""The snapshots of a plan that proves."""
SMALL_RUN: Final = 5_000
"""The games up to which a sparse table is faster to look through than a dense one."""


def milestones(games: int) -> list[int]:
    """Return the numbers of games to look at: 1, 2, 4, 7, 10, 20, ... and *games* itself.

    >>> milestones(30)
    [1, 2, 4, 7, 10, 20, 30]
    """
    decades = chain.from_iterable(
        (factor * 10**power for factor in (1, 2, 4, 7)) for power in range(len(str(games)))
    )
    return [*(n for n in decades if n < games), games]


def runs_of(meta: Mapping[str, Any]) -> list[tuple[RunSettings, int]]:
    """Return the settings and the games of each run that made the table with *meta*.

    Raise SettingsError if the table cannot be made again, as an imported one cannot.
    """
    runs = runs_in(meta)
    if not runs or "imported" in meta or any("settings" not in run for run in runs):
        raise SettingsError("this bot cannot be made again: its first games are not known")
    return [(RunSettings.from_json(run["settings"]), run["games"]) for run in runs]


def history(meta: Mapping[str, Any], games: int | None = None) -> Iterator[tuple[int, int, QTable]]:
    """Play the first *games* of the table with *meta* again, or all, and yield snapshots.

    A snapshot is a number of games, how many positions are solved then, and the table, which
    learns on when the next one is made. Those of games against bots are spaced by the logarithm of
    their number, those of a plan that proves by the share of solved positions.
    """
    runs = runs_of(meta)
    total = sum(n for _, n in runs) if games is None else games
    wanted = milestones(total)
    table, before, seen, share, decided = QTable(), 0, 0, 0, 0
    for number, (settings, whole) in enumerate(runs):
        end = min(whole, total - before)
        table, at = table_for(settings, table), Progress(settings.epsilon_start)
        is_proving = settings.plan in PROVING
        # A batch may be divided only where the run itself could have ended.
        is_divided = settings.plan in OPPONENTS and settings.explore == "random"
        inside = [n - before for n in wanted if 0 < n - before < end] if is_divided else []
        learner = None
        for target in (*inside, end):
            # Looking through a dense table takes half a second, so few games have a sparse one.
            is_small = before + target <= SMALL_RUN
            if learner is None or (not is_small and isinstance(table.proofs, dict)):
                if not is_small:
                    table.make_dense()
                learner = Learner(table, settings.alpha)
                stages = make_stages(settings, learner)
            for _, after in played(replace(settings, games=target), stages, at, number):
                at, now = after, before + after.games
                decided = sum(learner.decided_by_ply)
                if decided * SHARES // POSITIONS > share if is_proving else now in wanted:
                    yield now, decided, table
                    seen, share = now, decided * SHARES // POSITIONS
        before += end
        if before >= total:
            break
    if seen < total:
        yield total, decided, table


def table_after(meta: Mapping[str, Any], games: int) -> QTable:
    """Return the table with *meta* as it was after *games* of its games, or just before a batch.

    Raise SettingsError like `runs_of`, or if it has not played so many.
    """
    runs = runs_of(meta)
    total = sum(n for _, n in runs)
    if not 0 < games <= total:
        raise SettingsError(f"games is {games}; it must be from 1 to the bot's {total:,}")
    *_, (_, _, table) = history(meta, games)
    table.meta = {"games": games, "seed": runs[0][0].seed, "alpha": runs[0][0].alpha}
    return table


def settings_of_last_run(meta: Mapping[str, Any]) -> RunSettings:
    """Return the last settings of the table with *meta*, perhaps a snapshot, or the usual ones."""
    try:
        return RunSettings.from_json([meta, *runs_in(meta)][-1].get("settings"))
    except SettingsError:
        return RunSettings().checked()


def expected(meta: Mapping[str, Any]) -> int:
    """Return about how many snapshots the bot with *meta* has, or raise SettingsError."""
    runs = runs_of(meta)
    is_proving = runs[0][0].plan in PROVING
    return SHARES if is_proving else len(milestones(sum(games for _, games in runs)))
