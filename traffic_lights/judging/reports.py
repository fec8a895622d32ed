"""What an evaluation shows: every column described once, for windows, text, files and JSON.

A new column needs an entry in REPORT_COLUMNS. If it shows a new fact, that stands in `Row` in
`evaluation.py`, and the page of this folder describes its key.
"""

import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from traffic_lights.judging.evaluation import Row, wilson_interval
from traffic_lights.storage.words import exact_percent, interval_percent, percent

CEILING: Final = (
    "No player can score more than 50 % against the exact player: Player 2 wins with best play."
)


@dataclass(frozen=True, slots=True)
class ReportColumn:
    """One fact about a row."""

    key: str
    """Its place in the JSON object: ``first.games`` is "games" of the object "first"."""
    value: Callable[[Row], Any]
    """The plain value, unrounded; None if it is not known. A pair is an interval."""
    heading: str = ""
    """In tables; a column without one is only in JSON and CSV."""
    about: str = ""
    text: Callable[[Any], str] = str
    """Returns what a table shows of a known value."""
    is_bound: Callable[[Row], bool] = lambda _: False
    """Whether the value is only an upper bound of the true one."""

    def show(self, row: Row) -> str:
        """Return the text of the value for tables; a dash if it is not known."""
        value = self.value(row)
        if value is None:
            return "–"
        text = self.text(value)
        return f"≤ {text}" if self.is_bound(row) else text


REPORT_COLUMNS: Final = (
    ReportColumn("bot", lambda r: r.bot.key),
    ReportColumn("opponent", lambda r: r.opponent.key),
    ReportColumn("wins", lambda r: r.both.wins),
    ReportColumn("rate", lambda r: r.both.rate, "Won",
                 "The share of the games that the bot won.", percent),
    ReportColumn("first.games", lambda r: r.first.games),
    ReportColumn("first.wins", lambda r: r.first.wins),
    ReportColumn("first.rate", lambda r: r.first.rate, "As Player 1",
                 "The same, of its games as Player 1.", percent),
    ReportColumn("second.games", lambda r: r.second.games),
    ReportColumn("second.wins", lambda r: r.second.wins),
    ReportColumn("second.rate", lambda r: r.second.rate, "As Player 2",
                 "The same, of its games as Player 2.", percent),
    ReportColumn("interval", lambda r: wilson_interval(r.both.wins, r.games), "95 % interval",
                 "95 of 100 such intervals have the true score.",
                 lambda bounds: interval_percent(*bounds)),
    ReportColumn("exact.total", lambda r: r.exact and r.exact.total, "Exact",
                 "The score over every line of play.", exact_percent),
    ReportColumn("exact.first", lambda r: r.exact and r.exact.first, "Exact, as 1",
                 "The same, of its games as Player 1.", exact_percent),
    ReportColumn("exact.second", lambda r: r.exact and r.exact.second, "Exact, as 2",
                 "The same, of its games as Player 2.", exact_percent),
    ReportColumn("best.first", lambda r: r.best),
    ReportColumn("best.second", lambda _: 1.0),
    ReportColumn("best.total", lambda r: None if r.best is None else (r.best + 1) / 2,
                 "Best possible", "The most that any player can score here.",
                 lambda rate: percent(rate, 2), lambda r: r.opponent.tires),
    ReportColumn("best.is_bound", lambda r: r.opponent.tires),
    ReportColumn("games", lambda r: r.games, "Games",
                 "Games played, half of them in each seat.", "{:,}".format),
    ReportColumn("slips", lambda r: r.both.blunders),
    ReportColumn("slips_per_game", lambda r: r.both.blunders / r.games if r.games else None,
                 "Blunders", "Wins thrown away, per game.",
                 "{:.3f}".format),
    ReportColumn("mean_plies", lambda r: r.both.plies / r.games if r.games else None,
                 "Moves", "The average game, in moves of both sides.",
                 "{:.1f}".format),
    ReportColumn("distinct", lambda r: r.distinct, "Distinct",
                 "Different games: few if both play alike.",
                 "{:,}".format),
    ReportColumn("forfeits.bot", lambda r: r.both.forfeits),
    ReportColumn("forfeits.opponent", lambda r: r.both.opponent_forfeits),
    ReportColumn("forfeits.first", lambda r: r.forfeit or None),
)  # fmt: skip
"""In the order of JSON objects and of tables."""
SHOWN: Final = tuple(column for column in REPORT_COLUMNS if column.heading)


def table(rows: Sequence[Row]) -> list[list[str]]:
    """Return the headings and the words of each of *rows*; a single bot is not named."""
    lines = [["Bot", "Opponent", *(column.heading for column in SHOWN)]]
    lines += [
        [row.bot.name, row.opponent.name, *(column.show(row) for column in SHOWN)] for row in rows
    ]
    if len({row.bot.key for row in rows}) < 2:
        return [line[1:] for line in lines]
    return lines


def markdown(lines: Sequence[Sequence[str]]) -> str:
    """Return *lines* as a Markdown table, the first one as its header."""
    header, *rest = lines
    rule = [":--", *["--:"] * (len(header) - 1)]
    texts = []
    for line in (header, rule, *rest):
        cells = [text.replace("|", "\\|") for text in line]
        texts.append(f"| {' | '.join(cells)} |")
    return "\n".join(texts)


_NOTES: Final[tuple[tuple[str, Callable[[Row], Any]], ...]] = (
    ("≤: an upper bound, because this opponent hides how long it will play well.",
     lambda row: row.opponent.tires),
    ("Exact: the score computed over every line of play, without sampling.",
     lambda row: row.exact),
    ("–: no exact score. The two players allow more positions than --budget, one of them is an "
     "external bot, or the evaluation was interrupted.",
     lambda row: not row.exact),
    (CEILING, lambda row: row.best == 0),
)  # fmt: skip
"""What is written under a table, and whether a row of it needs that."""


def to_text(rows: Sequence[Row]) -> str:
    """Return *rows* as a table for a terminal, with notes on what its signs mean."""
    lines = table(rows)
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    text = []
    for first, *others in lines:
        cells = [word.rjust(width) for word, width in zip(others, widths[1:], strict=True)]
        text.append("  ".join([first.ljust(widths[0]), *cells]))
    notes = [note for note, is_needed in _NOTES if any(map(is_needed, rows))]
    notes += [forfeit_text(row) for row in rows if row.forfeit]
    if notes:
        text += ["", *notes]
    return "\n".join(text)


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


def to_csv(rows: Sequence[Row]) -> str:
    """Return *rows* as CSV with a header: plain values, empty if they are not known.

    The names are those of the JSON object, with a point before those of an inner one.
    """
    text = io.StringIO()
    lines = []
    for row in rows:
        line: dict[str, Any] = {}
        for column in REPORT_COLUMNS:
            value = column.value(row)
            if isinstance(value, tuple):
                line[f"{column.key}.low"], line[f"{column.key}.high"] = value
            else:
                line[column.key] = value
        lines.append(line)
    writer = csv.DictWriter(text, lines[0] if lines else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(lines)
    return text.getvalue()


def as_json(row: Row) -> dict[str, Any]:
    """Return *row* as a JSON object; the points in the keys of the columns make inner ones."""
    values: dict[str, Any] = {}
    for column in REPORT_COLUMNS:
        group, _, name = column.key.rpartition(".")
        place = values.setdefault(group, {}) if group else values
        place[name] = column.value(row)
    return values if row.exact else values | {"exact": None}
