"""What stands next to the lamps of a board and on them: strokes and texts, in pixels.

The windows put them on a canvas, and the SVG drawing into its picture.
"""

import math
from collections.abc import Iterator
from typing import Final, NamedTuple, TypeAlias

from traffic_lights.board.rules import COLOUR_LETTERS, COLUMN_NAMES, COLUMNS, ROWS, YELLOW
from traffic_lights.drawing.palette import JOIN_EDGE, ON_WASH, label_edge, wash
from traffic_lights.drawing.shapes import HOUSING_INSET, TRIANGLE_DROP, line_width

SMALLEST_TEXT: Final = 11
LARGEST_COORDINATE: Final = 16
"""The limits of the height of type, in pixels at 96 dpi."""
JOIN_GAP: Final = 0.37
"""How far the line through a won row stays away from the middle of a lamp, and so of its letter."""
JOIN_WIDTH: Final = 0.028
JOIN_EDGE_WIDTH: Final = 0.055
BEST_RIM: Final = 0.022
"""The width of the edge of the number of a best move."""
LABEL_DROP: Final = 0.365
"""How far the middle of a number lies below the middle of its cell."""

Point: TypeAlias = tuple[float, float]


class Grid(NamedTuple):
    """Where the cells are: the side of each, and the left and top of the first, in pixels."""

    side: int
    left: float
    top: float

    def middle(self, cell: int) -> Point:
        """Return the middle of *cell*."""
        row, column = divmod(cell, COLUMNS)
        return self.left + (column + 0.5) * self.side, self.top + (row + 0.5) * self.side


class Stroke(NamedTuple):
    """A line with round ends."""

    start: Point
    end: Point
    width: float
    colour: str


class Text(NamedTuple):
    """A *text* around a point."""

    middle: Point
    text: str
    size: float
    """The height of the type."""
    colour: str
    weight: str = "bold"


Mark: TypeAlias = Stroke | Text


def letter(middle: Point, side: float, colour: int, fill: str) -> Text:
    """Return the letter of a lamp of *colour* in a cell of *side* pixels."""
    x, y = middle
    if colour == YELLOW:
        return Text((x, y + TRIANGLE_DROP * side), COLOUR_LETTERS[colour], 0.2 * side, fill)
    return Text(middle, COLOUR_LETTERS[colour], 0.24 * side, fill)


def coordinates(grid: Grid, scale: float, colour: str) -> Iterator[Mark]:
    """Yield the names of the columns and rows of *grid*; *scale* are the pixels for 1/96 inch."""
    size = max(round(SMALLEST_TEXT * scale), round(grid.side * 0.11))
    size = min(size, round(LARGEST_COORDINATE * scale))
    away = grid.side / 2 + 0.75 * size
    for column, name in enumerate(COLUMN_NAMES):
        x, y = grid.middle(column)
        yield Text((x, y - away), name, size, colour, "normal")
    for row in range(ROWS):
        x, y = grid.middle(row * COLUMNS)
        yield Text((x - away, y), str(row + 1), size, colour, "normal")


def joint(grid: Grid, one: int, other: int, colour: str) -> Iterator[Mark]:
    """Yield the line that joins two cells of a won row, which stays away from their letters."""
    x, y = grid.middle(one)
    x2, y2 = grid.middle(other)
    share = JOIN_GAP * grid.side / math.hypot(x2 - x, y2 - y)
    right = (x2 - x) * share
    down = (y2 - y) * share
    for thickness, fill in ((JOIN_EDGE_WIDTH, JOIN_EDGE), (JOIN_WIDTH, colour)):
        width = line_width(grid.side, thickness)
        yield Stroke((x + right, y + down), (x2 - right, y2 - down), width, fill)


def label(
    grid: Grid, cell: int, text: str, value: float, scale: float = 1, best_edge: str = ""
) -> Iterator[Mark]:
    """Yield the number *text* at the foot of *cell*, in the colour of *value* from -1 to 1.

    It fits between the brackets of the last move, unless the type would then be less than
    SMALLEST_TEXT high; but it never leaves its cell. That of a best move has a *best_edge*.
    """
    side = grid.side
    ems = 0.62 * len(text) + 0.7
    wanted = max(round(SMALLEST_TEXT * scale), round(side * min(0.115, 0.54 / ems)))
    size = min(wanted, side / ems)
    height = max(side * 0.17, size * 1.35)
    half = (max(side * 0.3, size * ems) - height) / 2
    x, y = grid.middle(cell)
    y += min(side * LABEL_DROP, side * (0.5 - HOUSING_INSET) - height / 2 - 1)
    rim = line_width(side, BEST_RIM) if best_edge else 1.0
    edges = (2 * rim, best_edge or label_edge(value)), (0.0, wash(value))
    for more, colour in edges:
        yield Stroke((x - half, y), (x + half, y), height + more, colour)
    yield Text((x, y), text, size, ON_WASH)
