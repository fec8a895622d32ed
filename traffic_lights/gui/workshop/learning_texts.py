"""Sentences on what a bot has learned, whether it still gets better, and how strong it was when."""

import math
from collections.abc import Sequence
from statistics import fmean, variance
from typing import Final

from traffic_lights.board.baselines import BASELINES
from traffic_lights.board.positions import POSITIONS
from traffic_lights.board.rules import format_cell
from traffic_lights.judging.evaluation import wilson_interval
from traffic_lights.storage.words import (
    counted,
    exact_percent,
    interval_percent,
    percent,
    percent_done,
)
from traffic_lights.training.gauge import Measured

PROVEN_FROM: Final = POSITIONS // 10
"""If more positions than this are solved, the plan proves. Then their number says how far the bot
is, and no sentence judges whether it still gets better."""
LATE: Final = 0.75
"""The last quarter of the games is compared with the quarter before it."""
FEW: Final = 4
"""The points of each quarter from which one can tell whether a score has changed."""
SURE: Final = 2.5
"""A change counts from so many standard errors: of 100 flat curves, 96 or so have none."""
HARDLY: Final = 0.05
"""A score that has surely changed by less than this has hardly changed."""


def interval(point: Measured) -> tuple[float, float]:
    """Return the 95 % interval of the score of *point*, which has no width if it is exact."""
    if not point.sampled:
        return point.score, point.score
    return wilson_interval(round(point.score * point.sampled), point.sampled)


def score_text(point: Measured) -> str:
    """Return the score of *point* in words, with its interval unless it is exact.

    >>> [score_text(Measured(9, "myopic", 0.5, 1.0, 0, sampled)) for sampled in (0, 200)]
    ['75.00 % (exact)', '75.0 % (68.5–80.5 %, 200 games)']
    """
    if not point.sampled:
        return f"{exact_percent(point.score)} (exact)"
    bounds = interval_percent(*interval(point))
    return f"{percent(point.score)} ({bounds}, {counted(point.sampled, 'game')})"


def result_text(games: int, is_training: bool, last: Measured | None) -> str:
    """Return what a bot has come to after *games*; *is_training* if its run is unfinished.

    Its *last* measurement may be older than its present games.
    """
    if not games:
        return "This bot has not been trained yet."
    texts = [f"Stopped after {games:,} games."] if is_training else []
    if last is not None:
        if last.decided == POSITIONS:
            texts.append("Every position is solved.")
        elif last.decided > PROVEN_FROM:
            texts.append(f"{percent_done(last.decided, POSITIONS)} of all positions are solved.")
        is_present = last.games == games
        texts.append(f"It wins {_score(last)}" if is_present else snapshot_text(last))
        if 0 < last.decided <= PROVEN_FROM:
            texts.append(f"Solved: {counted(last.decided, 'position')}.")
    return " ".join(texts)


def snapshot_text(point: Measured) -> str:
    """Return how a bot played after the games of *point*.

    >>> snapshot_text(Measured(9, "myopic", 0.0, 0.1, 0))
    'After 9 games, it won 5.00 % (exact) against Myopic.'
    """
    return f"After {counted(point.games, 'game')}, it won {_score(point)}"


def _score(point: Measured) -> str:
    opening = "" if point.opening is None else f"; its first move: {format_cell(point.opening)}"
    return f"{score_text(point)} against {BASELINES[point.opponent].name}{opening}."


def trend_text(points: Sequence[Measured]) -> str:
    """Return whether a bot still gets better, and since when it beats its opponent.

    >>> def found(*scores): return [Measured(100 * n, "myopic", s, s, 0, 200)
    ...                             for n, s in enumerate(scores, 1)]
    >>> rise = .1, .2, .3, .4, .45, .5, .56, .6, .68, .7, .69, .72, .75, .78, .8, .81
    >>> print(trend_text(found(*rise)))  # doctest: +NORMALIZE_WHITESPACE
    Still getting better: on average +5 to +13 points in the last 400 games.
    Clearly beats Myopic from 800 games.
    >>> trend_text(found(*rise[:8], .47, .52, .46, .4, .45, .6, .48, .47)).partition(" in ")[0]
    'Not sure whether it still gets better: on average −7 to +14 points'
    >>> trend_text(found(*rise[:8], *4 * [0.4, 0.41])).partition(" in ")[0]
    'Hardly any change: on average −1 to +1 points'
    >>> from dataclasses import replace
    >>> trend_text([replace(one, decided=POSITIONS // 2) for one in found(*rise)])
    ''
    """
    if not points or not points[-1].games or points[-1].decided > PROVEN_FROM:
        return ""
    same = [point for point in points if point.opponent == points[-1].opponent]
    return f"{_change(same)} {_beaten(same)}".strip()


def _change(points: Sequence[Measured]) -> str:
    """Return how the scores of *points* have changed in the last games, if that can be told.

    It compares the average score of the last quarter with that of the quarter before.
    Each point counts the same, because a bot plays better or worse from one to the next by more
    than the chance of their games. So Welch's standard error comes from their spread.
    """
    games = points[-1].games
    late = [point.score for point in points if point.games > LATE * games]
    before = [point.score for point in points if 2 * LATE - 1 < point.games / games <= LATE]
    if min(len(late), len(before)) < FEW or not any(late):
        return ""
    change = fmean(late) - fmean(before)
    error = SURE * math.sqrt(sum(variance(one) / len(one) for one in (late, before)))
    how = "Still getting better" if change > 0 else "Getting worse"
    if abs(change) <= error:
        how = "Not sure whether it still gets better"
    if abs(change) + error < HARDLY:
        how = "Hardly any change"
    low, high = 100 * (change - error), 100 * (change + error)
    gained = f"{low:+.0f} to {high:+.0f} points".replace("-", "−")
    return f"{how}: on average {gained} in the last {round((1 - LATE) * games):,} games."


def _beaten(points: Sequence[Measured]) -> str:
    """Return since when a bot wins more than half of its games against its opponent."""
    since = 0
    for point in points:
        if point.score <= 0.5:
            since = 0
        elif not since and interval(point)[0] > 0.5:
            since = point.games
    name = BASELINES[points[-1].opponent].name
    return f"Clearly beats {name} from {since:,} games." if since else ""
