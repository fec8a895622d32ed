"""Sentences that compare the players of an evaluation: which is better, and how sure that is."""

from collections.abc import Sequence
from typing import Final

from traffic_lights.judging import reports
from traffic_lights.judging.evaluation import Row, wilson_interval
from traffic_lights.storage.words import exact_percent, interval_percent, percent

SEED: Final = 1
"""All games follow from it, so that they can be played again."""
NOT_EXACT: Final = (
    "No exact score: it is not known how these two will always play, or they can reach too many "
    "positions."
)
"""Why a pair has none for good."""


def score_of(row: Row) -> float | None:
    """Return the score of *row* from 0 to 1, an exact one if it is known; None before a game."""
    return row.exact.total if row.exact is not None else row.both.rate


def score_text(row: Row) -> str:
    """Return the score of *row* in words, with a sign before one from played games.

    >>> from traffic_lights.judging.evaluation import SeatScore
    >>> from traffic_lights.board.exact_score import ExactScore
    >>> from traffic_lights.players.roster import Roster
    >>> bot = Roster().entry("random")
    >>> score_text(Row(bot, bot, 4, SeatScore(2, 1), SeatScore(2, 0)))
    '≈ 25.0 %'
    >>> score_text(Row(bot, bot, 4, exact=ExactScore(0.4, 1.0))), score_text(Row(bot, bot, 4))
    ('70.00 %', '…')
    """
    if row.exact is not None:
        return exact_percent(row.exact.total)
    return f"≈ {percent(row.both.rate)}" if row.games else "…"


def facts(row: Row) -> str:
    """Return what is known of *row*, in a line or two."""
    low, high = wilson_interval(row.both.wins, row.games)
    texts = [
        f"Won {percent(row.both.rate)} (95 % interval {interval_percent(low, high)}): as Player 1 "
        f"{percent(row.first.rate)}, as Player 2 {percent(row.second.rate)}.",
        f"{row.games:,} games by seed {SEED}, {row.distinct:,} different ones.",
        f"Wins thrown away: {row.both.blunders / row.games:.2f} a game.",
    ]
    if row.exact is not None:
        total, first, second = map(
            exact_percent, (row.exact.total, row.exact.first, row.exact.second)
        )
        texts.append(f"Exact: {total}, as Player 1 {first}, as Player 2 {second}.")
    elif row.is_final:
        texts.append(NOT_EXACT)
    if row.opponent.key == "exact":
        texts.append(reports.CEILING)
    if row.forfeit:
        texts.append(reports.forfeit_text(row))
    return " ".join(texts)


def bounds(row: Row) -> tuple[float, float]:
    """Return the lowest and the highest score that *row* may stand for: the same if it is exact."""
    if row.exact is not None:
        return row.exact.total, row.exact.total
    return wilson_interval(row.both.wins, row.games)


def verdict(row: Row) -> str:
    """Return which of the two players of *row* is better, and how sure that is, in a sentence."""
    bot = row.bot.name
    other = row.opponent.name
    if row.bot.key == row.opponent.key:
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


def compared(row: Row, rows: Sequence[Row]) -> str:
    """Return whether the bot of *row* wins more than another in *rows* against its opponent.

    It is the one with the nearest score. The sentence is empty if there is no other.
    """
    score = score_of(row) or 0.0
    # What a bot wins against itself says nothing.
    two = row.bot, row.opponent
    others = [one for one in rows if one.opponent == row.opponent and one.bot not in two]
    if not others or row.opponent == row.bot:
        return ""
    other = min(others, key=lambda one: abs((score_of(one) or 0.0) - score))
    low, high = bounds(row)
    least, most = bounds(other)
    scores = f"{score_text(row)} to {score_text(other)}".replace("≈ ", "")
    bot = row.bot.name
    name = other.bot.name
    against = row.opponent.name
    exact = (low == high) + (least == most)
    is_open = exact < 2 and low <= most and least <= high
    why = (
        f"and the 95 % intervals {'overlap' if is_open else 'do not overlap'}",
        f"and the exact score is {'inside' if is_open else 'outside'} the 95 % interval",
        "both exact",
    )[exact]
    if is_open:
        return f"Not sure which wins more against {against}, {bot} or {name}: {scores}, {why}."
    wins = "as much as" if low == least else "more than" if low > most else "less than"
    return f"Against {against}, {bot} wins {wins} {name}: {scores}, {why}."
