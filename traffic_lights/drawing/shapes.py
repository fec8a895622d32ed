"""The shapes of a board's parts, in fractions of the side of a cell.

The windows and the SVG drawing take every size from here, so both show the same board. Points and
distances are measured from the middle of a cell, x to the right and y downwards.
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
SMALLEST_TEXT: Final = 11
LARGEST_COORDINATE: Final = 16
"""The limits of the height of type, in pixels at 96 dpi."""
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

CORNERS: Final = {YELLOW: 3, RED: 8}
"""The number of corners of the lamps that have some."""

LETTER_SIZE: Final = 0.24
LETTER_SIZE_IN_TRIANGLE: Final = 0.2
BAR: Final = (0.34, 0.08)
"""Width and height of the bar on a red lamp without a letter."""

BRACKET_OUTER: Final = 0.395
BRACKET_INNER: Final = 0.295
BRACKET_WIDTH: Final = 0.024
"""The corners around the last move: where they turn, where they end, and how thick they are."""
JOIN_GAP: Final = 0.37
"""How far the line through a won row stays away from the middle of a lamp, and so of its letter."""
JOIN_WIDTH: Final = 0.028
JOIN_EDGE_WIDTH: Final = 0.055

HINT_RADIUS: Final = 0.41
HINT_WIDTH: Final = 0.036
"""The dashed ring around a lamp that a hint marks."""
BEST_RIM: Final = 0.022
"""The width of the edge of the number of a best move."""
LABEL_DROP: Final = 0.365
"""How far the middle of a number lies below the middle of its cell."""


def polygon(colour: int, shrink: float = 0.0) -> list[tuple[float, float]]:
    """Return the outline of a yellow or red lamp, smaller by *shrink* on all sides."""
    count = CORNERS[colour]
    inradius = OCTAGON_INRADIUS
    turned = math.pi / count
    rounding = 0.0
    drop = 0.0
    if colour == YELLOW:
        inradius = TRIANGLE_INRADIUS
        turned = 0.0
        rounding = TRIANGLE_CORNER
        drop = TRIANGLE_DROP
    half = math.pi / count
    far = (inradius - shrink - rounding) / math.cos(half)
    steps = range(-3, 4) if rounding else (0,)
    points: list[tuple[float, float]] = []
    for corner in range(count):
        turn = turned + 2 * half * corner
        for step in steps:
            round_turn = turn + half * step / 3
            right = far * math.sin(turn) + rounding * math.sin(round_turn)
            up = far * math.cos(turn) + rounding * math.cos(round_turn)
            points.append((right, drop - up))
    return points


def joint(
    one: tuple[float, float], other: tuple[float, float], side: float
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the ends of the line that joins two won lamps, in cells of *side* pixels."""
    x = other[0] - one[0]
    y = other[1] - one[1]
    share = JOIN_GAP * side / math.hypot(x, y)
    return (one[0] + x * share, one[1] + y * share), (other[0] - x * share, other[1] - y * share)


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


def letter_place(colour: int) -> tuple[float, float]:
    """Return how far the letter of *colour* lies below the middle, and how high it is."""
    if colour == YELLOW:
        return TRIANGLE_DROP, LETTER_SIZE_IN_TRIANGLE
    return 0.0, LETTER_SIZE


def label_size(text: str, side: float, smallest: float) -> tuple[float, float, float]:
    """Return the height of the type of a number *text*, and the width and height of its label.

    All are in pixels, in a cell of *side* pixels. The label fits between the brackets of the last
    move, unless the type would then be less than *smallest* high; but it never leaves its cell.
    """
    ems = 0.62 * len(text) + 0.7
    size = max(smallest, round(min(side * 0.115, side * 0.54 / ems)))
    size = min(size, side / ems)
    width = max(side * 0.3, size * ems)
    height = max(side * 0.17, size * 1.35)
    return size, width, height


def label_drop(side: float, height: float) -> float:
    """Return how far the middle of a label of *height* lies below that of its cell, in pixels."""
    lowest = side * (0.5 - HOUSING_INSET) - height / 2 - 1
    return min(side * LABEL_DROP, lowest)


def coordinate_size(side: float, scale: float) -> int:
    """Return the height of the type of the coordinates next to cells of *side* pixels.

    *scale* are the pixels for each 1/96 inch.
    """
    smallest = round(SMALLEST_TEXT * scale)
    largest = round(LARGEST_COORDINATE * scale)
    return min(max(smallest, round(side * 0.11)), largest)


def coordinate_distance(side: float, size: float) -> float:
    """Return how far coordinates of *size* are from the middle of the cell next to them."""
    return side / 2 + 0.75 * size
