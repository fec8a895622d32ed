"""Sentences that compare the players of an evaluation: which is better, and how sure that is."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from traffic_lights.judging import reports
from traffic_lights.judging.evaluation import Row, wilson_interval
from traffic_lights.storage.words import counted, exact_percent, percent

TOO_MANY: Final = "No exact score: these two can reach too many positions to compute one."
NOT_KNOWN: Final = "No exact score: the possible moves of a program are not known."
"""Why a pair has none for good."""
FEW: Final = 20
"""Two players that play no more different games say little about other opponents."""

Pair = tuple[str, str]
"""The keys of a bot and of its opponent."""
SeedlessSettings = tuple[str, ...]
"""Those of a bot without its seed, in words that can be compared one by one."""


def cell(row: Row | None) -> tuple[str, float | None]:
    """Return the words of a cell, an exact score only if it is one, and its score.

    >>> from traffic_lights.judging.evaluation import SeatScore
    >>> from traffic_lights.board.exact_score import ExactScore
    >>> from traffic_lights.players.roster import Roster
    >>> bot = Roster().entry("random")
    >>> cell(Row(bot, bot, 4, SeatScore(2, 1), SeatScore(2, 0)))
    ('≈ 25.0 %', 0.25)
    >>> cell(Row(bot, bot, 4, exact=ExactScore(0.4, 1.0))), cell(None)
    (('70.00 %', 0.7), ('', None))
    """
    if row is None:
        return "", None
    if row.exact is not None:
        return exact_percent(row.exact.total), row.exact.total
    if not row.games:
        return "…", row.both.rate
    return f"≈ {percent(row.both.rate)}", row.both.rate


class Fact(NamedTuple):
    """A value of the list of facts, and a sentence about it."""

    value: str
    about: str


DIRECT: Final = "Result"
DIFFERENCE: Final = "Difference"
SETTINGS: Final = "Same settings"
UNKNOWN: Final = {
    DIRECT: Fact("–", "Whether it is better than this opponent."),
    DIFFERENCE: Fact("–", "In score, to the bot chosen at the left, or to the nearest other bot."),
    SETTINGS: Fact("–", "What bots with the same settings and other seeds have won."),
}
"""What each comparison is about, by its name, while nothing is known."""


def pair_result(row: Row) -> str:
    """Return what the columns do not say about *row*; mostly empty."""
    sentences = []
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


def against_opponent(row: Row) -> Fact:
    """Return which of the two players of *row* is better, in a word, and how sure that is."""
    low, high = bounds(row)
    score = "exact score" if low == high else "95 % interval"
    name = row.opponent.name
    few = ""
    if row.distinct <= FEW:
        few = f", but in only {counted(row.distinct, 'different game')}"
    if low > 0.5:
        return Fact("better", f"Than {name}: its {score} is above 50 %{few}.")
    if high < 0.5:
        return Fact("worse", f"Than {name}: its {score} is below 50 %{few}.")
    if low == high:
        return Fact("equal", f"To {name}: its exact score is 50 %{few}.")
    return Fact("not sure", f"Its 95 % interval includes 50 %: {name} may be as good.")


def against_other(row: Row, others: Sequence[Row]) -> Fact:
    """Return how much more the bot of *row* wins than that of the nearest of *others*.

    All have the same opponent.
    """
    _, score = cell(row)
    rated = [(other, rate) for other in others if (rate := cell(other)[1]) is not None]
    if score is None or not rated:
        return UNKNOWN[DIFFERENCE]
    other, rate = min(rated, key=lambda one: abs(one[1] - score))
    low, high = bounds(row)
    least, most = bounds(other)
    points = f"{100 * (score - rate):+.1f} points".replace("-", "−")
    name = other.bot.name
    is_exact = row.exact is not None and other.exact is not None
    if not is_exact and low <= most and least <= high:
        return Fact(points, f"To {name}: not sure, because the 95 % intervals overlap.")
    if score == rate:
        return Fact(points, f"Equal to {name}: both scores are exact.")
    result = "Better" if score > rate else "Worse"
    why = "both scores are exact" if is_exact else "the 95 % intervals do not overlap"
    return Fact(points, f"{result} than {name}: {why}.")


def by_settings(
    row: Row, rows: Sequence[Row], settings: Mapping[str, SeedlessSettings]
) -> tuple[Fact, str]:
    """Return what the bots of *rows* won that differ from that of *row* in their seeds only.

    The sentences after it compare them with the strongest group that has other *settings*, which
    are known by the keys of bots. All rows have the same opponent.
    """
    groups: dict[SeedlessSettings, list[float]] = {}
    for one in rows:
        _, score = cell(one)
        if score is not None and one.bot.key in settings:
            groups.setdefault(settings[one.bot.key], []).append(score)
    own = settings.get(row.bot.key, ())
    if own not in groups or max(map(len, groups.values())) < 2:
        return UNKNOWN[SETTINGS], ""
    scores = groups.pop(own)
    bots = counted(len(scores), "bot")
    about = f"{bots} that differ only in their seeds."
    fact = Fact(_range(scores), about if len(scores) > 1 else "No other bot here has its settings.")
    if not groups:
        return fact, ""
    best = max(groups, key=lambda parts: max(groups[parts]))
    others = groups[best]
    differing = [(mine, other) for mine, other in zip(own, best, strict=True) if mine != other]
    # One whose settings are not known has fewer parts.
    ours, theirs = (", ".join(filter(None, parts)) for parts in zip(*differing, strict=True))
    text = f"Its settings, {bots}: {ours}, {fact.value}. "
    text += f"Best of the others, {counted(len(others), 'bot')}: {theirs}, {_range(others)}."
    if min(scores) > max(others) or max(scores) < min(others):
        text += " No overlap."
    return fact, text


def _range(scores: Sequence[float]) -> str:
    """Return the lowest and the highest of *scores*."""
    low = percent(min(scores))
    high = percent(max(scores))
    return low if low == high else f"{low.removesuffix(' %')}–{high}"
