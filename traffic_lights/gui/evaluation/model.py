"""What an evaluation has found so far: its rows, their order, their words and their bars.

Nothing here needs a display.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from traffic_lights.board.rules import format_cell
from traffic_lights.judging import reports
from traffic_lights.judging.evaluation import Row
from traffic_lights.judging.proof import Proof, Walked
from traffic_lights.pictures.charts import Room, fitted
from traffic_lights.pictures.drawing import Box, Dot, Shape, Stroke, Text
from traffic_lights.pictures.shares import exact_percent, interval_percent, percent
from traffic_lights.workers.evaluation import Contender, PairMeasured

COLUMNS: Final = ("bot", *reports.COLUMNS)
_LEAST_PITCH: Final = 1.15
"""The least distance between two bars, in lines of text."""
_ALL: Final = 0.99995
"""From here on the best possible score is as good as all, and is no bound to be told."""
MOST_GAMES: Final = 10**7

Pair = tuple[str, str]
"""The keys of a bot and of its opponent."""


class EvaluationModel:
    """The rows by pairing, in the order in which a person wants to see them."""

    def __init__(self) -> None:
        self.rows: dict[Pair, Row] = {}
        self.labels: dict[str, str] = {}
        self.sorted_by: str | None = None
        self.is_descending = False
        self._bots = 1
        self.last: Pair | None = None
        """The pairing that changed last."""

    def start(self, contenders: Sequence[Contender], bots: int = 1) -> None:
        """Begin anew, with what *contenders* are called; so many *bots* are to be evaluated."""
        self.rows.clear()
        self._bots = bots
        self.last = None
        self.name(contenders)

    def name(self, contenders: Sequence[Contender]) -> None:
        """Note what *contenders* are called."""
        self.labels.update({contender.key: contender.label for contender in contenders})

    def take(self, measured: PairMeasured) -> Pair:
        """Note a row, and return its pairing."""
        self.last = (measured.bot, measured.opponent)
        self.rows[self.last] = measured.row
        return self.last

    def cells(self, pair: Pair) -> tuple[str, ...]:
        """Return the texts of the row of *pair* under COLUMNS."""
        _, *rest = reports.cells(self.rows[pair])
        return (self.label(pair[0]), self.label(pair[1]), *rest)

    def label(self, key: str) -> str:
        """Return what the contender *key* is called."""
        return self.labels.get(key, key)

    @property
    def has_several(self) -> bool:
        """Whether there are rows of several bots, or will be."""
        return max(self._bots, len({bot for bot, _ in self.rows})) > 1

    def sort_by(self, column: str) -> None:
        """Sort by *column*, the other way round if it is sorted by it already."""
        self.is_descending = (
            not self.is_descending if self.sorted_by == column else (COLUMNS.index(column) > 1)
        )
        self.sorted_by = column

    def order(self) -> list[Pair]:
        """Return the pairings in their order: as they came, unless they are sorted."""
        pairs = list(self.rows)
        if self.sorted_by is not None:
            name = self.sorted_by
            pairs.sort(key=lambda pair: self._sort_key(pair, name), reverse=self.is_descending)
        return pairs

    def _sort_key(self, pair: Pair, column: str) -> Any:
        row = self.rows[pair]
        best, exact = row.best.total, row.exact
        values: dict[str, Any] = {
            "bot": self.label(pair[0]).casefold(),
            "opponent": self.label(pair[1]).casefold(),
            "games": row.games,
            "as Player 1": row.first.rate,
            "as Player 2": row.second.rate,
            "total": row.rate,
            "95 % interval": row.interval,
            "exact, as 1": -1.0 if exact is None else exact.first,
            "exact, as 2": -1.0 if exact is None else exact.second,
            "exact": -1.0 if exact is None else exact.total,
            "best possible": -1.0 if best is None else best,
            "slips a game": row.slips_a_game,
            "moves": row.mean_plies,
            "distinct": row.distinct,
        }
        return values[column]

    def sentence(self, pair: Pair | None) -> str:
        """Return what the row of *pair* means, or that of the last; empty without any."""
        pair = pair if pair in self.rows else self.last
        if pair is None:
            return ""
        row = self.rows[pair]
        text = (
            f"{self.label(pair[0])} against {self.label(pair[1])}: {percent(row.rate)} "
            f"of {row.games:,} games won. {_truth(row)}"
        )
        if row.is_against_exact:
            text += " Nobody can score more than 50 % here: the second player wins with best play."
        elif row.best.total is not None and row.best.total < _ALL:
            text += f" Nobody can score more than {percent(row.best.total, 2)} here."
        return f"{text} {reports.forfeit_text(row)}" if row.forfeits else text

    # --- out ---

    def to_markdown(self) -> str:
        """Return the rows in their order as a table in Markdown."""
        return reports.markdown(COLUMNS, (self.cells(pair) for pair in self.order()))

    def to_csv(self) -> str:
        """Return the rows in their order as CSV."""
        return reports.to_csv(self.rows[pair] for pair in self.order())

    # --- bars ---

    def bars_height(self, line: float) -> float:
        """Return the least height of the bars, with lines of text that are *line* high."""
        return line * (3.5 + _LEAST_PITCH * len(self.rows))

    def bars(self, room: Room, chosen: Pair | None = None) -> list[Shape]:
        """Return a bar with its whiskers for each pairing; *room* has at least `bars_height`."""
        pairs = self.order()
        bots = {bot for bot, _ in pairs}
        several = len(bots) > 1
        whose = f"{self.label(*bots)}: games" if len(bots) == 1 else "Games"
        names = [
            f"{self.label(bot)} – {self.label(opponent)}" if several else self.label(opponent)
            for bot, opponent in pairs
        ]
        edge = room.line * 0.7
        widest = min(max((len(name) for name in names), default=8) * room.letter, room.width * 0.4)
        left, right = edge + widest + edge, room.width - edge - room.letter * 7
        top, bottom = room.line * 2.0, room.height - room.line * 1.5
        share = (bottom - top) / max(1, len(pairs))
        pitch = max(room.line * _LEAST_PITCH, min(room.line * 1.9, share))
        bottom = top + pitch * max(1, len(pairs))
        shapes: list[Shape] = [
            Text(
                edge,
                room.line * 0.8,
                f"{whose} won, the 95 % interval, ◆ the best possible",
                strong=True,
            )
        ]
        for tenth in range(0, 11, 5 if right - left < room.letter * 40 else 2):
            x = left + tenth / 10 * (right - left)
            shapes.append(Stroke(((x, top), (x, bottom)), "grid"))
            text = f"{10 * tenth} %"
            shapes.append(Text(x, bottom + room.line * 0.7, text, "muted", "center"))
        for number, (pair, name) in enumerate(zip(pairs, names, strict=True)):
            y = top + (number + 0.5) * pitch
            text = fitted(name, int(widest / room.letter))
            shapes.append(Text(left - edge, y, text, "text", "e", strong=pair == chosen))
            shapes += _bar(self.rows[pair], left, right, y, pitch)
        return shapes


def _truth(row: Row) -> str:
    """Return what is known of the true score: all of it, or an interval."""
    if row.exact is None:
        low, high = interval_percent(*row.interval).split("–")
        return f"With 95 % confidence the true score is from {low} to {high}."
    return (
        f"Over every line of play the true score is {exact_percent(row.exact.total)}: "
        f"{exact_percent(row.exact.first)} as Player 1, "
        f"{exact_percent(row.exact.second)} as Player 2."
    )


def _bar(row: Row, left: float, right: float, y: float, pitch: float) -> list[Shape]:
    """Return the bar, whiskers, best possible score and figure of *row*."""

    def place(rate: float) -> float:
        return left + rate * (right - left)

    half, cap = pitch * 0.3, pitch * 0.18
    low, high = (place(bound) for bound in row.interval)
    shapes: list[Shape] = [
        Box(left, y - half, max(place(row.rate), left + 1), y + half, "filled"),
        Stroke(((low, y), (high, y)), "text", 2),
        Stroke(((low, y - cap), (low, y + cap)), "text", 2),
        Stroke(((high, y - cap), (high, y + cap)), "text", 2),
    ]
    if row.best.total is not None:
        best = place(row.best.total)
        shapes.append(Stroke(((best, y - half * 1.4), (best, y + half * 1.4)), "muted", 2, (2, 2)))
        shapes.append(Dot(best, y - half * 1.4, 3, "muted", "diamond"))
    shapes.append(Text(right + 8, y, percent(row.rate), "text"))
    return shapes


# Proof, in words


def words_of_walk(walked: Walked) -> str:
    """Return how far a proof is."""
    return (
        f"Walking every line as Player {walked.seat + 1}: {walked.positions:,} positions and "
        f"{walked.slips:,} slips found up to move {walked.ply + 1}."
    )


def words_of_stop(walked: Walked | None) -> str:
    """Return what a proof says that was stopped when it had *walked* so far."""
    if walked is None or not walked.slips:
        return "The proof was stopped before it could say anything."
    return (
        f"The proof was stopped, but this bot is not perfect: as Player {walked.seat + 1} it can "
        f"throw a win away with {walked.slips:,} moves in the {walked.positions:,} positions "
        "looked at."
    )


def words_of_proof(name: str, proof: Proof) -> str:
    """Return what the proof of the bot *name* found."""
    if not proof.slips:
        return (
            f"{name}: proven. 0 slips in {proof.positions:,} positions, every line that it "
            "allows, in both seats. Nobody can beat it as Player 2."
        )
    text = (
        f"{name} can throw a win away with {proof.slips:,} moves in {proof.positions:,} positions."
    )
    if proof.slips > proof.positions:
        text += " It holds many moves for equal, and each of those counts."
    if proof.second.slips == 0:
        text += " As Player 2 it never does, so nobody can beat it there."
    if proof.counterexample is not None:
        moves = " ".join(format_cell(action) for action in proof.counterexample)
        text += f" The shortest game that beats it: {moves}."
    return text
