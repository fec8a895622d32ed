"""The rows of an evaluation as text: for a terminal, as Markdown, as CSV, as plain values.

>>> percent(0.5), percent(None)
('50.0 %', '–')
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any, Final

from traffic_lights.judging.evaluation import Row, SeatScore
from traffic_lights.pictures.shares import exact_percent, interval_percent, percent

COLUMNS: Final = (
    "opponent", "games", "as Player 1", "as Player 2", "total", "95 % interval",
    "exact, as 1", "exact, as 2", "exact", "best possible", "slips a game", "moves", "distinct",
)  # fmt: skip
_SEATS: Final = ("first", "second", "total")
"""The parts of an exact score."""
CEILING: Final = (
    "Nobody can score more than 50 % against the exact player: the second player wins with best "
    "play."
)


def cells(row: Row) -> tuple[str, ...]:
    """Return the texts of *row* under COLUMNS."""
    mark = "≤ " if row.best.is_bound else ""
    best, exact = row.best.total, row.exact
    return (
        row.opponent,
        f"{row.games:,}",
        _rate(row.first),
        _rate(row.second),
        percent(row.rate),
        interval_percent(*row.interval),
        *(exact_percent(getattr(exact, part, None)) if row.is_complete else "…" for part in _SEATS),
        "–" if best is None else mark + percent(best, 2),
        f"{row.slips_a_game:.3f}",
        f"{row.mean_plies:.1f}",
        f"{row.distinct:,}",
    )


def _rate(score: SeatScore) -> str:
    return percent(score.rate if score.games else None)


def aligned(header: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """Return a table of text, the first column to the left, the others to the right."""
    rows = [tuple(header), *(tuple(line) for line in lines)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(header))]
    return "\n".join(
        "  ".join(
            text.ljust(width) if i == 0 else text.rjust(width)
            for i, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def markdown(header: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """Return a table in Markdown, the first column to the left, the others to the right."""
    rules = [":--"] + ["--:"] * (len(header) - 1)
    rows = [header, rules, *lines]
    return "\n".join("| " + " | ".join(t.replace("|", "\\|") for t in row) + " |" for row in rows)


def to_text(rows: Iterable[Row]) -> str:
    """Return *rows* as a table for a terminal, explained where it needs to be."""
    rows = list(rows)
    text = aligned(COLUMNS, map(cells, rows))
    notes = []
    if any(row.best.is_bound for row in rows):
        notes.append("≤: an upper bound; Alternate hides how long it plays as Myopic.")
    if any(row.exact for row in rows):
        notes.append("exact: the true score, over every line of play that both sides allow.")
    if not all(row.is_complete for row in rows):
        notes.append("…: not computed, since the evaluation had not come so far.")
    if any(row.is_complete and not row.exact for row in rows):
        notes.append(
            "–: no exact score: the two allow more positions than --budget, or one is a "
            "program, of which nobody knows how it chooses."
        )
    if any(row.is_against_exact for row in rows):
        notes.append(CEILING)
    notes += [forfeit_text(row) for row in rows if row.forfeits]
    return "\n".join([text, "", *notes]) if notes else text


def forfeit_text(row: Row) -> str:
    """Return who forfeited how many of the games of *row*, and why the first time."""
    counts = ((row.bot, row.forfeits.bot), (row.opponent, row.forfeits.opponent))
    parts = [
        f"{name} forfeited {count:,} of {row.games:,} games" for name, count in counts if count
    ]
    return f"{' and '.join(parts)}; the first time: {row.forfeits.first}."


def errors_text(last_words: Sequence[str]) -> str:
    """Return what a program wrote to its standard error last, before it forfeited."""
    return "\n  ".join(
        ["What the program wrote to its standard error:", *(last_words or ["(nothing)"])]
    )


def to_markdown(rows: Iterable[Row]) -> str:
    """Return *rows* as a table in Markdown."""
    return markdown(COLUMNS, map(cells, rows))


def to_csv(rows: Iterable[Row]) -> str:
    """Return *rows* as CSV with a header: rates from 0 to 1, unrounded, empty if not known."""
    values = [as_json(row) for row in rows]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_CSV_COLUMNS)
    for value in values:
        low, high = value["interval"]
        first, second, best = value["first"], value["second"], value["best"]
        writer.writerow([
            value["bot"], value["opponent"], value["games"], value["wins"],
            first["games"], first["wins"], second["games"], second["wins"],
            value["rate"], low, high, best["first"], best["second"], best["total"],
            value["slips"], value["mean_plies"], value["distinct"],
            *(value["exact"] or dict.fromkeys(_SEATS, "")).values(),
            value["forfeits"]["bot"], value["forfeits"]["opponent"],
        ])  # fmt: skip
    return text.getvalue()


_CSV_COLUMNS: Final = (
    "bot", "opponent", "games", "wins", "games_first", "wins_first", "games_second",
    "wins_second", "rate", "interval_low", "interval_high", "best_first", "best_second",
    "best_total", "slips", "mean_plies", "distinct_games", "exact_first", "exact_second",
    "exact_total", "forfeits",
    "opponent_forfeits",
)  # fmt: skip


def as_json(row: Row) -> dict[str, Any]:
    """Return *row* as plain values, the form of ``--json``."""
    return {
        "bot": row.bot,
        "opponent": row.opponent,
        "games": row.games,
        "wins": row.wins,
        "rate": row.rate,
        "interval": list(row.interval),
        "first": {"games": row.first.games, "wins": row.first.wins},
        "second": {"games": row.second.games, "wins": row.second.wins},
        "slips": row.slips,
        "slips_per_game": row.slips_a_game,
        "mean_plies": row.mean_plies,
        "distinct": row.distinct,
        "forfeits": {
            "bot": row.forfeits.bot,
            "opponent": row.forfeits.opponent,
            "first": row.forfeits.first or None,
            "standard_error": list(row.forfeits.last_words),
        },
        "best": {
            "first": row.best.first,
            "second": row.best.second,
            "total": row.best.total,
            "is_bound": row.best.is_bound,
        },
        "exact": row.exact and {part: getattr(row.exact, part) for part in _SEATS},
    }
