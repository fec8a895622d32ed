"""What the Workshop draws besides curves: solved positions, known scores, and first moves."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Final, NamedTuple, Self

from traffic_lights.board.positions import POSITIONS_BY_PLY
from traffic_lights.board.rules import COLUMNS, ROWS
from traffic_lights.storage.words import counted, fitted, percent_done
from traffic_lights.workshop.drawings import Room, Shape, Stroke, Text, bar, fits, heading

_LARGE: Final = 9
"""In as many lines of text, the bars of the plies have figures at their axes."""
SOLVED: Final = "Proven won or lost. A bar: the positions after so many moves"
"""The words next to the title of the bars while none is read."""


class _Bars(NamedTuple):
    """Where the bars of the plies stand: the first at *left*, each a *pitch* further."""

    left: float
    pitch: float
    top: float
    bottom: float
    is_large: bool
    """Whether there is room for figures at the axes."""

    @classmethod
    def within(cls, room: Room) -> Self:
        """Return where the bars stand in *room*."""
        is_large = room.height >= _LARGE * room.line
        left = room.line / 2 + 6 * room.letter if is_large else room.line / 2
        pitch = (room.width - room.line / 2 - left) / len(POSITIONS_BY_PLY)
        top = (1.9 if is_large else 1.5) * room.line
        return cls(left, pitch, top, room.height - 1.4 * room.line, is_large)


def ply_stops(_: Sequence[int], room: Room) -> list[float]:
    """Return the x coordinate of the middle of each bar that `draw_plies` draws in *room*."""
    bars = _Bars.within(room)
    return [bars.left + (ply + 0.5) * bars.pitch for ply in range(len(POSITIONS_BY_PLY))]


def draw_plies(solved: Sequence[int], room: Room, pointer: float | None = None) -> list[Shape]:
    """Return a bar a ply, filled as its positions are *solved*; *pointer* is over the one read."""
    totals = POSITIONS_BY_PLY
    bars = _Bars.within(room)
    gap = max(1.0, 0.16 * bars.pitch)
    shapes: list[Shape] = []
    for ply, (part, total) in enumerate(zip(solved, totals, strict=True)):
        x0 = bars.left + ply * bars.pitch
        x1 = bars.left + (ply + 1) * bars.pitch - gap
        filled = (bars.bottom - bars.top) * part / total
        shapes.append(bar(x0, bars.top, x1, bars.bottom, "pressed"))
        shapes.append(bar(x0, bars.bottom - filled, x1, bars.bottom, "accent"))
    y_below = bars.bottom + 0.75 * room.line
    if bars.is_large:
        shapes += _ply_figures(bars, room, y_below)
    else:
        right = room.width - room.line / 2
        shapes.append(Text(bars.left, y_below, "empty board", "muted"))
        shapes.append(Text(right, y_below, "end of the game", "muted", "e"))
    reading = ""
    if pointer is not None:
        ply = min(max(int((pointer - bars.left) / bars.pitch), 0), len(totals) - 1)
        share = percent_done(solved[ply], totals[ply])
        reading = f"after {counted(ply, 'move')}: {solved[ply]:,} of {totals[ply]:,} ({share})"
    title = f"Positions solved: {percent_done(sum(solved), sum(totals))}"
    if not reading and fits(title, SOLVED, room):
        return [*shapes, *heading(title, SOLVED, room, role="muted")]
    return [*shapes, *heading(title, reading, room)]


def _ply_figures(bars: _Bars, room: Room, y_below: float) -> Iterator[Shape]:
    """Yield the figures at both axes: shares of the positions, and moves made."""
    for share in (0, 50, 100):
        y = bars.bottom - (bars.bottom - bars.top) * share / 100
        yield Text(bars.left - 0.7 * room.letter, y, f"{share} %", "muted", "e")
    end = room.width - room.line / 2
    unit = "moves made"
    free = end - (len(unit) + 1) * room.letter
    for ply in range(0, len(POSITIONS_BY_PLY), 5):
        x = bars.left + (ply + 0.42) * bars.pitch
        if x + room.letter <= free:
            yield Text(x, y_below, str(ply), "muted", "center")
    yield Text(end, y_below, unit, "muted", "e")


class ScoreBar(NamedTuple):
    """One score of a picture of scores."""

    name: str
    share: float
    """From 0 to 1."""
    text: str
    """What is written of it."""
    interval: tuple[float, float] | None = None
    """Where the true score is with 95 % confidence; None if it is exact."""
    is_chosen: bool = False


@dataclass(frozen=True, slots=True)
class Scores:
    """Scores one below the other, and sentences about them."""

    title: str
    lines: Sequence[str] = ()
    """The sentences."""
    bars: Sequence[ScoreBar] = ()
    caption: str = ""
    """What the signs mean; it stands at the right of the title."""


_FIRST_BAR: Final = 2.3
_BAR_PITCH: Final = 1.5
"""The middle of the first bar of scores, if no sentence is over it, and the distance to the next
one, in lines of text."""
_BESIDE_NAME: Final = 17
"""What a name leaves free for a bar and its score, in widths of a digit."""


def bars_height(scores: Scores, line: float) -> int:
    """Return the pixels that the bars of *scores* need under the title, by those of a text line."""
    return round((_FIRST_BAR + _BAR_PITCH * len(scores.bars)) * line)


def draw_scores(scores: Scores, room: Room, _: float | None = None) -> list[Shape]:
    """Return the sentences and the bars of *scores*, from the top down, as many as fit *room*.

    A line across a bar shows its interval.
    """
    left = room.line / 2
    end = room.width - room.line / 2
    most = int((end - left) / room.letter)
    caption = scores.caption if fits(scores.title, scores.caption, room) else ""
    shapes: list[Shape] = [*heading(scores.title, caption, room, role="muted")]
    y = _FIRST_BAR * room.line
    for line in (part for text in scores.lines for part in wrap(text, max(most, 10))):
        shapes.append(Text(left, y, line, "muted"))
        y += 1.2 * room.line
    y += 0.5 * room.line if scores.lines else 0
    free = most - _BESIDE_NAME
    names = [fitted(one.name, len, free, keeps_end=True) for one in scores.bars]
    start = left + room.letter * (max(map(len, names), default=0) + 2)
    width = end - 9 * room.letter - start
    for name, one in zip(names, scores.bars, strict=True):
        if y + room.line > room.height or width < 0:
            break
        top = y - 0.3 * room.line
        bottom = y + 0.3 * room.line
        shapes.append(Text(left, y, name, strong=one.is_chosen))
        shapes.append(bar(start, top, start + width, bottom, "pressed"))
        shapes.append(bar(start, top, start + one.share * width, bottom, "accent"))
        if one.interval is not None:
            low, high = (start + share * width for share in one.interval)
            shapes.append(Stroke(((low, y), (high, y)), "text"))
            shapes += (Stroke(((x, top - 2), (x, bottom + 2)), "text") for x in (low, high))
        shapes.append(Text(end, y, one.text, anchor="e", strong=one.is_chosen))
        y += _BAR_PITCH * room.line
    return [shape for shape in shapes if not isinstance(shape, Text) or shape.y < room.height]


FIRST_MOVES: Final = "First moves"
"""What stands over their values."""
SCALE_DIGITS: Final = 5
"""The room at the right for the scale of their colours, in the widths of a digit."""


def draw_heat_map(values: Sequence[float], room: Room, _: float | None = None) -> list[Shape]:
    """Return a small board with the value of each first move, from -1 to 1, as its colour.

    The best moves are framed, unless all are alike. At the right is the scale.
    """
    if not values:
        return []
    right = room.width - SCALE_DIGITS * room.letter
    wide = right / COLUMNS
    high = (room.height - room.line) / ROWS
    shapes: list[Shape] = [Text(right / 2, room.line / 2, FIRST_MOVES, "muted", "center")]
    for cell, value in enumerate(values):
        row, column = divmod(cell, COLUMNS)
        x = column * wide
        y = room.line + row * high
        if min(values) < value == max(values):
            shapes.append(bar(x, y, x + wide, y + high, "text"))
        shapes.append(bar(x + 2, y + 2, x + wide - 2, y + high - 2, _wash(value)))
    step = (room.height - room.line - 4) / len(_SCALE)
    for place, value in enumerate(_SCALE):
        y = room.line + 2 + place * step
        x = right + room.letter
        shapes.append(bar(x, y, x + room.letter, y + step, _wash(value)))
    for y, text in ((1.5 * room.line, "+1"), (room.height - 0.5 * room.line, "−1")):
        shapes.append(Text(right + 2.4 * room.letter, y, text, "muted"))
    return shapes


_SCALE: Final = [step / 4 for step in range(4, -5, -1)]
"""A value for each colour, the best one first."""


def _wash(value: float) -> str:
    """Return the role of the colour of a *value* from -1 to 1."""
    return f"wash-{round(4 * value)}"
