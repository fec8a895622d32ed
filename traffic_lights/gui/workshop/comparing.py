"""Sentences that compare the players of an evaluation: which is better, and how sure that is."""

from typing import Final

from traffic_lights.judging import reports
from traffic_lights.judging.evaluation import Row, wilson_interval
from traffic_lights.storage.words import counted, exact_percent, percent

TOO_MANY: Final = "No exact score: these two can reach too many positions to compute one."
NOT_KNOWN: Final = "No exact score: the possible moves of a program are not known."
"""Why a pair has none for good."""
FEW: Final = 20
"""Two players that play no more different games say little about other opponents."""


def score_of(row: Row) -> float | None:
    """Return the score of *row* from 0 to 1, an exact one if it is known; None before a game."""
    return row.exact.total if row.exact is not None else row.both.rate


def pair_result(row: Row) -> str:
    """Return what the columns do not say about *row*; mostly empty."""
    sentences = []
    if row.distinct <= FEW and row.distinct < row.games:
        sentences.append(
            f"Their {counted(row.games, 'game')} are only {counted(row.distinct, 'different game')}"
            ": the score and its interval say little about other opponents."
        )
    if row.best == 0:
        sentences.append(reports.CEILING)
    if row.is_final and row.exact is None:
        is_program = row.bot.is_program or row.opponent.is_program
        sentences.append(NOT_KNOWN if is_program else TOO_MANY)
    if row.forfeit:
        sentences.append(reports.forfeit_text(row))
    return " ".join(sentences)


def bounds(row: Row) -> tuple[float, float]:
    """Return the lowest and the highest score that *row* may stand for: the same if it is exact."""
    if row.exact is not None:
        return row.exact.total, row.exact.total
    return wilson_interval(row.both.wins, row.games)


def verdict(row: Row) -> str:
    """Return which of the two players of *row* is better, and how sure that is, in a sentence."""
    bot = row.bot.name
    other = row.opponent.name
    if row.bot == row.opponent:
        return f"{bot} plays against itself, so it wins about half of the games."
    low, high = bounds(row)
    won = f"it won {percent(row.both.rate)}, and the 95 % interval"
    if low == high == 0.5:
        return f"{bot} and {other} are equally strong: the exact score is 50 %."
    if low <= 0.5 <= high:
        return f"Not sure whether {bot} is better than {other}: {won} includes 50 %."
    result, side = ("better", "above") if low > 0.5 else ("worse", "below")
    why = f"{won} is {side} 50 %"
    if row.exact is not None:
        why = f"its exact score is {exact_percent(row.exact.total)}"
    return f"{bot} is {result} than {other}: {why}."
