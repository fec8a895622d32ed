"""Sentences that compare the players of an evaluation: which is better, and how sure that is."""

from collections.abc import Mapping, Sequence
from typing import Final

from traffic_lights.judging import reports
from traffic_lights.judging.evaluation import Row, wilson_interval
from traffic_lights.storage.words import counted, exact_percent, percent
from traffic_lights.workshop.bars import ScoreBar, Scores

TOO_MANY: Final = "No exact score: these two can reach too many positions to compute one."
NOT_KNOWN: Final = "No exact score: the possible moves of a program are not known."
"""Why a pair has none for good."""
FEW: Final = 20
"""Two players that play no more different games say little about other opponents."""

INTERVALS: Final = "Thin lines: 95 % intervals"
"""Explains the picture of scores."""
ABOUT: Final = "≈ "
"""Stands before a score from played games."""

Pair = tuple[str, str]
"""The keys of a bot and of its opponent."""
SeedlessSettings = tuple[str, ...]
"""Those of a bot without its seed, in words that can be compared one by one."""


def score_of(row: Row) -> float | None:
    """Return the score of *row* from 0 to 1, an exact one if it is known; None before a game."""
    return row.exact.total if row.exact is not None else row.both.rate


def score_text(row: Row, about: str = ABOUT) -> str:
    """Return the score of *row* in words, with *about* before one from played games.

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
    return f"{about}{percent(row.both.rate)}" if row.games else "…"


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


def _comparable(row: Row, rows: Sequence[Row]) -> list[tuple[Row, float]]:
    """Return those of *rows* that have the opponent of *row*, with their scores.

    What a bot wins against itself says nothing, so that is never among them.
    """
    if row.bot == row.opponent:
        return []
    fair = [one for one in rows if one.opponent == row.opponent != one.bot]
    return [(one, score) for one in fair if (score := score_of(one)) is not None]


def compared(row: Row, rows: Sequence[Row], looked_at: str) -> str:
    """Return whether the bot of *row* wins more than that of another of *rows*, in a sentence.

    The other one is the bot with the key *looked_at*, or the one with the nearest score. It is
    empty if none has played the same opponent.
    """
    others = [(one, rate) for one, rate in _comparable(row, rows) if one.bot != row.bot]
    score = score_of(row)
    if score is None or not others:
        return ""
    chosen = [(one, rate) for one, rate in others if one.bot.key == looked_at]
    other, rate = min(chosen or others, key=lambda found: abs(found[1] - score))
    low, high = bounds(row)
    least, most = bounds(other)
    bot = row.bot.name
    name = other.bot.name
    opponent = row.opponent.name
    scores = " to ".join(score_text(one, "") for one in (row, other))
    is_exact = row.exact is not None and other.exact is not None
    if score == rate == 0 and not is_exact:
        return f"Neither {bot} nor {name} won a game against {opponent}."
    if not is_exact and low <= most and least <= high:
        why = "the 95 % interval has the exact score in it"
        if row.exact is None and other.exact is None:
            why = "the 95 % intervals overlap"
        return f"Not sure which wins more against {opponent}, {bot} or {name}: {scores}, and {why}."
    why = "both exact" if is_exact else "and the 95 % intervals do not overlap"
    if (row.exact is None) != (other.exact is None):
        why = "and the 95 % interval does not have the exact score in it"
    wins = "as much as" if score == rate else "more than" if score > rate else "less than"
    return f"Against {opponent}, {bot} wins {wins} {name}: {scores}, {why}."


def side_by_side(row: Row, rows: Sequence[Row]) -> Scores:
    """Return the scores of all bots of *rows* against the opponent of *row*.

    If there is only one bot, these are its scores against all opponents.
    """
    is_alone = len({one.bot.key for one in rows}) == 1
    bars = []
    for one in rows:
        score = score_of(one)
        if score is None or not (is_alone or one.opponent.key == row.opponent.key):
            continue
        name = one.opponent.name if is_alone else one.bot.name
        interval = bounds(one) if one.exact is None else None
        bars.append(ScoreBar(name, score, score_text(one), interval, is_chosen=one == row))
    title = f"{row.bot.name} against" if is_alone else f"Against {row.opponent.name}"
    has_intervals = any(one.interval for one in bars)
    return Scores(title, bars=bars, caption=INTERVALS if has_intervals else "")


def by_settings(row: Row, rows: Sequence[Row], settings: Mapping[str, SeedlessSettings]) -> str:
    """Return what the bots of *rows* won that differ from that of *row* in their seeds only.

    The sentences also say what the strongest group won that has other *settings*, which are known
    by the keys of bots. They are empty if no group has two bots.
    """
    groups: dict[SeedlessSettings, list[float]] = {}
    for one, score in _comparable(row, rows):
        if one.bot.key in settings:
            groups.setdefault(settings[one.bot.key], []).append(score)
    own = settings.get(row.bot.key, ())
    if own not in groups or max(map(len, groups.values())) < 2:
        return ""
    scores = groups.pop(own)
    if not groups:
        return f"{_won(scores)}: those here that differ only in seeds."
    best = max(groups, key=lambda parts: max(groups[parts]))
    others = groups[best]
    differing = [(mine, other) for mine, other in zip(own, best, strict=True) if mine != other]
    # A part may be empty.
    ours, theirs = (", ".join(filter(None, parts)) for parts in zip(*differing, strict=True))
    text = f"With its settings and any seed ({ours}): {_won(scores)}. "
    text += f"With the best other settings ({theirs}): {_won(others)}."
    if min(scores) > max(others) or max(scores) < min(others):
        text += " No overlap."
    return text


def _won(scores: Sequence[float]) -> str:
    """Return how many bots won how much: the lowest and the highest of their *scores*."""
    low = percent(min(scores))
    high = percent(max(scores))
    share = low if low == high else f"{low.removesuffix(' %')}–{high}"
    return f"{counted(len(scores), 'bot')} won {share}"
