"""Sentences on what a bot has learned, and how strong it was when."""

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
    """Return how a bot played after the games of *point*, in one line.

    >>> snapshot_text(Measured(9, "myopic", 0.0, 0.1, 0, 200))
    'Wins after 9 games: about 5 % against Myopic.'
    """
    opponent = BASELINES[point.opponent].name
    after = counted(point.games, "game")
    return f"Wins after {after}: {score_text(point)} against {opponent}."


def training_result(games: int, is_training: bool, last: Measured | None) -> str:
    """Return what a bot has come to after *games*; *is_training* if its run is unfinished.

    Its *last* score is against its opponent.
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
    return " ".join(texts)
