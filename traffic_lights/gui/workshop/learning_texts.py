"""Sentences on what a bot has learned, whether it still gets better, and how strong it was when."""

from collections.abc import Iterator, Sequence
from typing import Final

from traffic_lights.board.baselines import BASELINES
from traffic_lights.board.positions import POSITIONS
from traffic_lights.judging.evaluation import wilson_interval
from traffic_lights.storage.words import (
    counted,
    exact_percent,
    interval_percent,
    percent,
    percent_done,
)
from traffic_lights.training.gauge import Measured

LATE: Final = 0.8
"""The last fifth of the games is compared with the fifth before it."""
FEW: Final = 4
"""The points of both fifths from which one can tell whether a score has changed."""
NARROW: Final = 0.03
"""A score has not changed if the intervals of the two fifths differ by no more than this."""
EXACT_COUNTS: Final = 10_000
"""An exact score counts like so many games."""


def interval(*points: Measured) -> tuple[float, float]:
    """Return the 95 % interval of the score in all games of *points*."""
    games = [point.sampled or EXACT_COUNTS for point in points]
    wins = sum(point.score * n for point, n in zip(points, games, strict=True))
    return wilson_interval(round(wins), sum(games))


def score_text(point: Measured) -> str:
    """Return the score of *point* in words, with its interval unless it is exact.

    >>> [score_text(Measured(9, "myopic", 0.5, 1.0, 0, sampled)) for sampled in (0, 200)]
    ['75.00 %', '75.0 % (68.5–80.5 %)']
    """
    if not point.sampled:
        return exact_percent(point.score)
    return f"{percent(point.score)} ({interval_percent(*interval(point))})"


def result_text(games: int, is_training: bool, points: Sequence[Measured]) -> str:
    """Return what a bot has come to after *games*; *is_training* if its run is unfinished.

    The last of *points* may be older than its present games.
    """
    if not games:
        return "This bot has not been trained yet."
    texts = [f"Stopped after {games:,} games."] if is_training else []
    if points:
        last = points[-1]
        if last.decided == POSITIONS:
            texts.append("Every position is solved.")
        elif last.decided > POSITIONS / 10:
            texts.append(f"{percent_done(last.decided, POSITIONS)} of all positions are solved.")
        is_present = last.games == games
        wins = f"It wins {score_text(last)} of its games against {_name(last)}."
        texts.append(wins if is_present else snapshot_text(last))
    return " ".join(texts)


def snapshot_text(point: Measured) -> str:
    """Return how a bot played after the games of *point*.

    >>> snapshot_text(Measured(9, "myopic", 0.0, 0.1, 0))
    'After 9 games, it won 5.00 % against Myopic.'
    """
    after = counted(point.games, "game")
    return f"After {after}, it won {score_text(point)} against {_name(point)}."


def trend_text(points: Sequence[Measured]) -> str:
    """Return whether a bot still gets better, and since when it beats its opponent.

    >>> def found(*scores): return [Measured(100 * n, "myopic", s, s, 0, 200)
    ...                             for n, s in enumerate(scores, 1)]
    >>> trend_text(found(0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85))
    'Still getting better: +10 % in the last 200 games. Beats Myopic from 600 games.'
    >>> trend_text(found(0.1, 0.2, 0.4, 0.4, 0.42, 0.41, 0.4, 0.39, 0.41, 0.4))
    'Since 300 games, its score has not changed (35.8–45.4 %).'
    """
    if not points or not points[-1].games or points[-1].decided == POSITIONS:
        return ""
    last = points[-1]
    same = [point for point in points if point.opponent == last.opponent]
    return " ".join([*_change(same, last.games), *_beaten(same)])


def _change(points: Sequence[Measured], games: int) -> Iterator[str]:
    """Yield whether the scores of *points* have changed in the last of so many *games*."""
    late = [point for point in points if point.games > LATE * games]
    before = [point for point in points if 2 * LATE - 1 < point.games / games <= LATE]
    if not before or not any(point.score for point in late):
        return
    low, high = interval(*late)
    lowest, highest = interval(*before)
    if len(late) + len(before) < FEW:
        return
    if lowest <= high and low <= highest:
        if max(abs(low - lowest), abs(high - highest)) > NARROW:
            yield "Not sure whether it still gets better."
            return
        since = late[0].games
        for point in reversed(points[: points.index(late[0])]):
            lowest, highest = interval(point)
            if lowest > high or highest < low:
                break
            since = point.games
        if not since:
            return
        stays = interval_percent(low, high)
        yield f"Since {counted(since, 'game')}, its score has not changed ({stays})."
        return
    change = (low + high - lowest - highest) / 2
    how = "Still getting better: +" if change > 0 else "Getting worse: −"
    points_changed = max(1, round(100 * abs(change)))
    yield f"{how}{points_changed} % in the last {games - before[-1].games:,} games."


def _beaten(points: Sequence[Measured]) -> Iterator[str]:
    """Yield since when a bot wins more than half of its games against its opponent."""
    since = 0
    for point in points:
        if point.score <= 0.5:
            since = 0
        elif not since and interval(point)[0] > 0.5:
            since = point.games
    if since:
        yield f"Beats {_name(points[-1])} from {since:,} games."


def _name(point: Measured) -> str:
    return BASELINES[point.opponent].name
