"""What an evaluation shows: a table for a terminal and for the clipboard, and JSON objects.

A new column needs an entry in COLUMNS. If it shows a new fact, that stands in `Row` in
`evaluation.py`, and the page of the library describes it.
"""

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any, Final

from traffic_lights.judging.evaluation import Row, SeatScore, wilson_interval
from traffic_lights.storage.words import exact_percent, interval_percent, percent

COLUMNS: Final[dict[str, Callable[[Row], str]]] = {
    "Opponent": lambda row: row.opponent.name,
    "Won": lambda row: percent(row.both.rate),
    "As Player 1": lambda row: percent(row.first.rate),
    "As Player 2": lambda row: percent(row.second.rate),
    "95 % interval": lambda row: interval_percent(*wilson_interval(row.both.wins, row.games)),
    "Exact": lambda row: "–" if row.exact is None else exact_percent(row.exact.total),
    "Blunders": lambda row: _per_game(row.both.blunders, row, places=3),
    "Moves": lambda row: _per_game(row.both.plies, row, places=1),
    "Distinct": lambda row: f"{row.distinct:,} of {row.games:,}",
}
"""The headings of a table, and what stands under each."""
CEILING: Final = (
    "No player can score more than 50 % against the exact player: Player 2 wins with best play."
)


def _per_game(number: int, row: Row, *, places: int) -> str:
    return f"{number / row.games:.{places}f}" if row.games else "–"


def to_text(rows: Sequence[Row]) -> str:
    """Return *rows* as a table for a terminal, with notes; a single bot is not named."""
    columns = dict(COLUMNS)
    if len({row.bot.key for row in rows}) > 1:
        columns = {"Bot": lambda row: row.bot.name, **COLUMNS}
    lines = [list(columns), *([text(row) for text in columns.values()] for row in rows)]
    notes = []
    if any(row.exact for row in rows):
        notes.append("Exact: the score computed over every line of play, without sampling.")
    if not all(row.exact for row in rows):
        notes.append(
            "–: no exact score. One of the two players tires at a moment that it draws, or is an "
            "external bot, or they allow more positions than the budget, or the evaluation was "
            "interrupted."
        )
    if any(row.opponent.key == "exact" for row in rows):
        notes.append(CEILING)
    notes += [forfeit_text(row) for row in rows if row.forfeit]
    return "\n".join([*aligned(lines), "", *notes])


def aligned(lines: Sequence[Sequence[str]]) -> list[str]:
    """Return *lines* with their words in columns: the first at the left, the others at the right.

    >>> aligned([["Opponent", "Won"], ["棋士", "50 %"]])
    ['Opponent   Won', '棋士      50 %']
    """
    widths = [max(map(_width, column)) for column in zip(*lines, strict=True)]
    texts = []
    for words in lines:
        rooms = [width - _width(word) for width, word in zip(widths, words, strict=True)]
        cells = [words[0] + " " * rooms[0]]
        cells += [" " * room + word for room, word in zip(rooms[1:], words[1:], strict=True)]
        texts.append("  ".join(cells))
    return texts


def _width(text: str) -> int:
    """Return how many columns of a terminal *text* takes; wide letters, as of Chinese, take two."""
    return len(text) + sum(unicodedata.east_asian_width(letter) in "WF" for letter in text)


def forfeit_text(row: Row) -> str:
    """Return who forfeited how many games of *row*, and how it began, in sentences."""
    counts = (
        (row.bot.name, row.both.forfeits),
        (row.opponent.name, row.both.opponent_forfeits),
    )
    parts = [
        f"{name} forfeited {count:,} of {row.games:,} games" for name, count in counts if count
    ]
    return f"{' and '.join(parts)}. The first time: {row.forfeit}."


def as_json(row: Row) -> dict[str, Any]:
    """Return *row* as a JSON object, with plain numbers; None stands for what is not known."""
    both = row.both
    exact = None if row.exact is None else asdict(row.exact) | {"total": row.exact.total}
    return {
        "bot": row.bot.key,
        "opponent": row.opponent.key,
        "games": row.games,
        "wins": both.wins,
        "rate": both.rate,
        "interval": wilson_interval(both.wins, row.games),
        "first": _seat_as_json(row.first),
        "second": _seat_as_json(row.second),
        "exact": exact,
        "blunders": both.blunders,
        "mean_plies": both.plies / row.games if row.games else None,
        "distinct": row.distinct,
        "forfeits": {
            "bot": both.forfeits,
            "opponent": both.opponent_forfeits,
            "first": row.forfeit or None,
        },
    }


def _seat_as_json(seat: SeatScore) -> dict[str, Any]:
    return {"games": seat.games, "wins": seat.wins, "rate": seat.rate}
