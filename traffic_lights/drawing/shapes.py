"""The shapes of a board's parts, in fractions of the side of a cell.

The windows and the SVG drawing take every size from here and from `marks`, so both show the same
board. Points and distances are measured from the middle of a cell, x to the right and y downwards.
"""

import math
from collections.abc import Iterator
from typing import Final

from traffic_lights.board.rules import EMPTY, GREEN, RED, YELLOW

SIDE: Final = 72
"""The default side of a cell in a picture, in pixels."""
PADDING: Final = 21
BESIDE: Final = 8
"""The room at the coordinates, and that on the other sides, in pixels at 96 dpi."""
SIGN_AND_NUMBER: Final = 56
"""In a smaller cell, in pixels at 96 dpi, a number leaves no room for the letter of its lamp."""

HOUSING_INSET: Final = 0.045
"""How far the housing of a lamp stays inside its cell."""
HOUSING_RADIUS: Final = 0.14
"""The radius of the housing's corners."""
HOUSING_EDGE: Final = 0.013
"""The width of the housing's edge."""

DISC_RADIUS: Final = 0.31
"""The radius of a green lamp, and of one that is off."""
TRIANGLE_INRADIUS: Final = 0.19
"""The distance from the middle of a yellow lamp to its sides."""
TRIANGLE_CORNER: Final = 0.0225
"""The radius of its corners."""
TRIANGLE_DROP: Final = 0.07
"""How far the triangle's centroid lies below the middle, so that it looks centred."""
OCTAGON_INRADIUS: Final = 0.335 * math.cos(math.pi / 8)
"""The distance from the middle of a red lamp to its sides."""
RIM_WIDTHS: Final = {EMPTY: 0.026, GREEN: 0.02, YELLOW: 0.02, RED: 0.036}
"""The width of the rim of a lamp, by its colour."""

POLYGONS: Final = {
    YELLOW: (3, 0.0, TRIANGLE_INRADIUS - TRIANGLE_CORNER, TRIANGLE_DROP),
    RED: (8, 0.5, OCTAGON_INRADIUS, 0.0),
}
"""Of each lamp with corners: how many, the place of the first, the inradius and the drop.

The place counts corners from the top. Those of a triangle are the middles of its rounded corners.
"""

BAR: Final = (0.34, 0.08)
"""Width and height of the bar on a red lamp without a letter."""

BRACKET_OUTER: Final = 0.395
BRACKET_INNER: Final = 0.295
BRACKET_WIDTH: Final = 0.024
"""The corners around the last move: where they turn, where they end, and how thick they are."""

HINT_RADIUS: Final = 0.41
HINT_WIDTH: Final = 0.036
"""The dashed ring around a lamp that a hint marks."""


def line_width(side: float, share: float) -> float:
    """Return *share* of the *side* of a cell in pixels, but at least two of them."""
    return max(2.0, side * share)


def polygon(colour: int, shrink: float) -> list[tuple[float, float]]:
    """Return the corners of a yellow or red lamp, smaller by *shrink* on all sides."""
    count, first, inradius, drop = POLYGONS[colour]
    far = (inradius - shrink) / math.cos(math.pi / count)
    turns = (math.tau * (first + corner) / count for corner in range(count))
    return [(far * math.sin(turn), drop - far * math.cos(turn)) for turn in turns]


def bracket_corners(x: float, y: float, side: float) -> Iterator[list[tuple[float, float]]]:
    """Yield the start, the turn and the end of each corner that marks the last move.

    All are in pixels; the cell of *side* pixels has its middle at (*x*, *y*).
    """
    outer = BRACKET_OUTER * side
    inner = BRACKET_INNER * side
    for right, down in ((-1, -1), (1, -1), (-1, 1), (1, 1)):
        turn_x = x + right * outer
        turn_y = y + down * outer
        yield [(x + right * inner, turn_y), (turn_x, turn_y), (turn_x, y + down * inner)]
