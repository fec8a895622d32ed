"""What drawings of any size are made of: lines, areas and texts, and text that fits a room.

A drawing is a list of shapes, the back ones first. A canvas and an SVG file show the same.
Coordinates are pixels from the upper left corner. A shape names its colour by its *role*, and
`roles` gives the colour of each. Nothing here needs a display.

>>> short(1_250_000), short(84_000), short(900)
('1.25 M', '84 k', '900')
"""

from collections.abc import Iterator, Sequence
from html import escape
from textwrap import wrap
from typing import Final, Literal, NamedTuple

from traffic_lights.storage.words import fitted

Point = tuple[float, float]

READING: Final = 1.2
"""The height of a line of the readout at the pointer, in lines of text."""
_ANCHORS: Final = {"w": "start", "e": "end", "center": "middle"}


class Stroke(NamedTuple):
    """A line through two points or more."""

    points: Sequence[Point]
    role: str
    width: int = 1
    """In pixels at 96 dpi; a window draws it as much thicker as its type is larger."""
    dash: tuple[int, ...] = ()
    """Lengths in pixels, drawn and left out in turn; empty: solid."""


class Area(NamedTuple):
    """A filled polygon."""

    points: Sequence[Point]
    role: str


class Text(NamedTuple):
    """One line of text, at the height of its middle."""

    x: float
    y: float
    text: str
    role: str = "text"
    anchor: Literal["w", "e", "center"] = "w"
    strong: bool = False


Shape = Stroke | Area | Text


class Room(NamedTuple):
    """The size of a drawing and of its type, in pixels."""

    width: float
    height: float
    line: float
    """The height of a line of text."""
    letter: float
    """The width of a digit."""

    @property
    def letters(self) -> int:
        """How many letters fit across it."""
        return max(1, int((self.width - self.line) / self.letter))


def bar(x0: float, y0: float, x1: float, y1: float, role: str) -> Area:
    return Area(((x0, y0), (x1, y0), (x1, y1), (x0, y1)), role)


def short(value: float) -> str:
    """Return *value*, a number below 10**15, in a few characters."""
    rounded = float(f"{value:.3g}")  # before the unit is chosen: 999,999 is 1 M
    for unit, letter in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if rounded >= unit:
            return f"{rounded / unit:.3g} {letter}"
    return f"{value:.0f}" if value >= 1 or not value else f"{value:.2g}"


def fits(title: str, reading: str, room: Room) -> bool:
    """Return whether *reading* fits in one line with the *title*, which is in strong type."""
    return not reading or 1.15 * len(title) + 3 + len(reading) <= room.letters


def heading(
    title: str, reading: str, room: Room, lines: int = 0, role: str = "text"
) -> Iterator[Shape]:
    """Yield the title and what is read at the pointer: in *lines* below it, or at its right."""
    left = room.line / 2
    y = 0.8 * room.line
    yield Text(left, y, title, strong=True)
    if not lines and reading:
        free = room.letters - 1.15 * len(title) - 3
        yield Text(room.width - left, y, fitted(reading, len, free), role, "e")
        return
    for text in wrap(reading, room.letters, max_lines=lines, placeholder="…") if reading else ():
        y += READING * room.line
        yield Text(left, y, text, role)


def svg_element(shape: Shape, colour: str) -> str:
    look = f'class="{shape.role}" color="{colour}"'
    if isinstance(shape, Text):
        weight = "bold" if shape.strong else "normal"
        return (
            f'<text x="{shape.x:.5g}" y="{shape.y:.5g}" {look} fill="currentColor" '
            f'text-anchor="{_ANCHORS[shape.anchor]}" dominant-baseline="middle" '
            f'font-weight="{weight}">{escape(shape.text)}</text>'
        )
    points = " ".join(f"{x:.5g},{y:.5g}" for x, y in shape.points)
    if isinstance(shape, Area):
        return f'<polygon points="{points}" {look} fill="currentColor"/>'
    dash = ",".join(map(str, shape.dash)) or "none"
    return (
        f'<polyline points="{points}" {look} fill="none" stroke="currentColor" '
        f'stroke-width="{shape.width}" stroke-dasharray="{dash}" stroke-linejoin="round"/>'
    )
