"""Sentences on what a bot has learned, and how strong it was when."""

from collections.abc import Iterable, Sequence
from typing import Final

from traffic_lights.board.baselines import BASELINES
from traffic_lights.board.positions import POSITIONS
from traffic_lights.board.rules import format_cell
from traffic_lights.judging.evaluation import wilson_interval
from traffic_lights.play.texts import known_value_text
from traffic_lights.storage.words import (
    counted,
    exact_percent,
    interval_percent,
    listed,
    percent,
    percent_done,
)
from traffic_lights.training.gauge import Measured

EXPECTS_LOSS: Final = -0.9
"""A bot whose first moves are all worth no more expects to lose."""


def score_text(measured: Measured) -> str:
    """Return the score in words, after which "of its games" can follow.

    >>> [score_text(Measured(9, "myopic", 0.5, 1.0, 0, sampled)) for sampled in (0, 200)]
    ['75.00 %', 'about 75 %']
    """
    if not measured.sampled:
        return exact_percent(measured.score)
    score = percent(measured.score, 0)
    return f"about {score}" if score[0].isdigit() else score


def interval(measured: Measured) -> tuple[float, float]:
    """Return the 95 % interval of a score that was estimated from games."""
    return wilson_interval(round(measured.score * measured.sampled), measured.sampled)


def snapshot_text(point: Measured) -> str:
    """Return how a bot played after the games of *point*, against each baseline, in one line.

    >>> other = Measured(9, "random", 0.5, 1.0, 0)
    >>> snapshot_text(Measured(9, "myopic", 0.0, 0.1, 0, 200, others=(other,)))
    'Wins after 9 games: Random 75.00 %, Myopic about 5 %.'
    """
    return f"Wins after {counted(point.games, 'game')}: {_wins((point, *point.others))}."


def _wins(scores: Sequence[Measured]) -> str:
    """Return the *scores* with the names of the opponents, in their usual order."""
    texts = {one.opponent: score_text(one) for one in scores}
    return ", ".join(f"{bot.name} {texts[key]}" for key, bot in BASELINES.items() if key in texts)


def stops_text(past: Sequence[Measured]) -> str:
    """Return at which games of a bot the slider stops.

    >>> stops_text([Measured(n, "myopic", 0, 0, 0) for n in (1, 2, 4, 7, 10, 20, 40)])
    'Drag the slider to 1, 2, 4, 7, … or 40 games.'
    """
    games = [f"{point.games:,}" for point in past]
    if len(games) > 5:
        games[4:-1] = ["…"]
    numbers = listed(games, "or")
    return f"Drag the slider to {numbers} games."


def history_text(points: Sequence[Measured]) -> str:
    """Return what a bot had learned at the last of *points*, and since when.

    >>> early, late = (0.0,) * 12, (0.0, 0.25, *(0.0,) * 10)
    >>> points = [Measured(1, "myopic", 0, 0, 5, opening=early)]
    >>> points.append(Measured(2, "myopic", 0.25, 1.0, 9, opening=late))
    >>> for sentence in history_text(points).split(". "): print(sentence)
    All first moves were worth 0 before 2 games; after 2, b1 is best (+0.25)
    Proven positions: 9.
    >>> history_text([Measured(1, "myopic", 0, 0, 0, wins_taken=0.96, wins_blocked=0.7)])
    'Against Myopic, it plays a winning move in 96 % of cases and blocks one in 70 %.'
    """
    sentences = [_first_moves([one for one in points if one.opening])]
    if decided := max((point.decided for point in points), default=0):
        sentences.append(f"Proven positions: {decided:,}.")
    if points:
        sentences.append(_skills(points[-1]))
    return " ".join(filter(None, sentences))


def _skills(point: Measured) -> str:
    """Return how well the bot did in the test games of *point*, as far as that was seen."""
    skills = []
    opponent = BASELINES[point.opponent].name
    if point.wins_taken is not None:
        skills.append(f"plays a winning move in {percent(point.wins_taken, 0)} of cases")
    if point.wins_blocked is not None:
        share = percent(point.wins_blocked, 0)
        skills.append(f"blocks one in {share}")
    return f"Against {opponent}, it {listed(skills)}." if skills else ""


def wins_since(points: Iterable[Measured]) -> dict[str, int]:
    """Return since how many games a bot wins more than half against whom, if it still does.

    The baselines are called by their keys.

    >>> found = [Measured(n, "myopic", score, score, 0) for n, score in ((9, 0.6), (1, 0.4))]
    >>> wins_since(found), wins_since([*found, Measured(12, "myopic", 0, 0.9, 0)])
    ({'myopic': 9}, {})
    """
    since: dict[str, int] = {}
    for point in sorted(points, key=lambda one: one.games):
        for one in (point, *point.others):
            surely = interval(one)[0] if one.sampled else one.score
            if surely > 0.5:
                since.setdefault(one.opponent, point.games)
            elif one.score <= 0.5:
                since.pop(one.opponent, None)
    return since


def _first_moves(points: Sequence[Measured]) -> str:
    """Return what the first moves are worth at the last of *points*; all have their values."""
    if not points:
        return ""
    games = points[-1].games
    values = points[-1].opening
    best = max(values)
    valued = next((point.games for point in points if any(point.opening)), None)
    if valued is None:
        return f"Every first move is worth 0 after {counted(games, 'game')}."
    if best == -1:
        return f"After {counted(games, 'game')}, every first move is proven to lose."
    worth = known_value_text(best)
    now = f"{format_cell(values.index(best))} is best ({worth})"
    if best <= EXPECTS_LOSS:
        now = "it expects to lose, whatever it plays first"
    elif best == min(values):
        now = f"all are worth {worth}"
    return f"All first moves were worth 0 before {counted(valued, 'game')}; after {games:,}, {now}."


def training_result(
    games: int, is_training: bool, last: Measured | None, newest: Measured | None = None
) -> str:
    """Return what a bot has come to after *games*; *is_training* if its run is unfinished.

    Its *last* score is against its opponent. Its *newest* snapshot has scores against the others,
    but a bot that was stopped has none of its end.
    """
    if not games:
        return "This bot has not been trained yet."
    texts = [f"Stopped after {games:,} games."] if is_training else []
    if last is not None:
        if last.decided == POSITIONS:
            texts.append("Every position is solved.")
        elif last.decided > POSITIONS / 10:
            texts.append(f"{percent_done(last.decided, POSITIONS)} of all positions are solved.")
        opponent = BASELINES[last.opponent].name
        texts.append(f"It wins {score_text(last)} of its games against {opponent}.")
        if last.sampled:
            bounds = interval_percent(*interval(last))
            texts.append(f"95 % interval: {bounds}, from {last.sampled:,} games.")
        if newest is not None and newest.games == games:
            texts.append(f"Wins against others: {_wins(newest.others)}.")
        elif newest is not None:
            texts.append(snapshot_text(newest))
    return " ".join(texts)
