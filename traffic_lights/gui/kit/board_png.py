"""A board as a PNG picture: put together from the lamps of the windows, and written by Tk.

Tk cannot write text into a picture, so the letters are lines here.
"""

import math
import tkinter as tk
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final

from traffic_lights.board.rules import (
    CELLS,
    COLOUR_LETTERS,
    COLUMN_NAMES,
    COLUMNS,
    EMPTY,
    RED,
    ROWS,
    Action,
    State,
    colour_of,
    complete_lines,
)
from traffic_lights.drawing import shapes
from traffic_lights.drawing.palette import DIM, JOIN_EDGE
from traffic_lights.gui.kit.lamps import (
    Distance,
    Look,
    Tile,
    lamp_field,
    lamp_picture,
    pill,
    shape_png,
    strokes,
)

SIDE: Final = 160
"""The side of a cell, in pixels."""
_BOLD: Final = 0.14
_NORMAL: Final = 0.09
"""How thick the lines of a letter are, as a share of the height of its type."""
Points = tuple[tuple[float, float], ...]


def _arc(x: float, y: float, right: float, down: float, start: float, end: float) -> Points:
    """Return an arc around (*x*, *y*); angles are in degrees, from the right and downwards."""
    turns = [math.radians(start + (end - start) * step / 16) for step in range(17)]
    return tuple((x + right * math.cos(turn), y + down * math.sin(turn)) for turn in turns)


_BOWL: Final = _arc(0.0, 0.11, 0.22, 0.25, 0, 360)
GLYPHS: Final[dict[str, tuple[Points, ...]]] = {
    "G": ((*_arc(0, 0, 0.31, 0.36, -42, -360), (0.31, 0.05), (0.06, 0.05)),),
    "Y": (((-0.3, -0.36), (0, 0.02), (0.3, -0.36)), ((0, 0.02), (0, 0.36))),
    "R": (
        ((-0.24, 0.36), (-0.24, -0.36), (0.04, -0.36), *_arc(0.06, -0.16, 0.2, 0.2, -90, 90),
         (-0.24, 0.04)),
        ((0.04, 0.04), (0.27, 0.36)),
    ),
    "a": (_BOWL, ((0.22, -0.14), (0.22, 0.36))),
    "b": (_BOWL, ((-0.22, -0.4), (-0.22, 0.36))),
    "c": (_arc(0.0, 0.11, 0.22, 0.25, -50, -310),),
    "d": (_BOWL, ((0.22, -0.4), (0.22, 0.36))),
    "1": (((-0.16, -0.22), (0.04, -0.36), (0.04, 0.36)), ((-0.14, 0.36), (0.22, 0.36))),
    "2": ((*_arc(0, -0.15, 0.22, 0.21, -170, 20), (-0.22, 0.36), (0.24, 0.36)),),
    "3": (
        (*_arc(0, -0.19, 0.19, 0.17, -160, 90), *_arc(0, 0.17, 0.22, 0.19, -90, 160)[1:]),
    ),
}  # fmt: skip
"""The lines of each letter and figure, in heights of the type from its middle, y downwards."""


def board_png(root: tk.Misc, state: State, last: Action | None, look: Look) -> bytes:
    """Return a picture of *state* in *look*, after the move *last*; a complete line is drawn.

    Computing the lamps takes about a quarter of a second.
    """
    return _Drawing(root, look).board(state, last)


class _Drawing:
    """One picture as it is put together, from the back to the front."""

    def __init__(self, root: tk.Misc, look: Look) -> None:
        self._root = root
        self._look = look
        self._scale = SIDE / shapes.SIDE
        before = shapes.PADDING if look.coordinates else shapes.BESIDE
        self._before = round(before * self._scale)
        after = round(shapes.BESIDE * self._scale)
        width = self._before + COLUMNS * SIDE + after
        height = self._before + ROWS * SIDE + after
        self._image = tk.PhotoImage(master=root, width=width, height=height)
        self._fields: dict[int, bytes] = {}
        self._image.put(look.colours.window, to=(0, 0, width, height))

    def board(self, state: State, last: Action | None) -> bytes:
        lines = complete_lines(state)
        won = {cell for line in lines for cell in line}
        if self._look.coordinates:
            self._draw_coordinates()
        for cell in range(CELLS):
            is_won = cell in won
            dim = DIM if won and not is_won else 0.0
            self._draw_lamp(cell, Tile(colour_of(state, cell), is_won=is_won, dim=dim))
        if last is not None:
            self._draw_brackets(last)
        for line in lines:
            for one, other in pairwise(line):
                ends = shapes.joint(self._middle(one), self._middle(other), SIDE)
                self._draw_line(ends, shapes.JOIN_EDGE_WIDTH * SIDE, JOIN_EDGE)
                self._draw_line(ends, shapes.JOIN_WIDTH * SIDE, self._look.colours.mark)
        found = self._root.tk.call(str(self._image), "data", "-format", "png")
        return bytes(found)

    def _middle(self, cell: int) -> tuple[float, float]:
        row, column = divmod(cell, COLUMNS)
        return self._before + (column + 0.5) * SIDE, self._before + (row + 0.5) * SIDE

    def _paste(self, data: bytes, x: float, y: float) -> None:
        """Put the picture *data* with its middle at the point (*x*, *y*)."""
        layer = tk.PhotoImage(master=self._root, data=data)
        left = round(x - layer.width() / 2)
        top = round(y - layer.height() / 2)
        self._root.tk.call(str(self._image), "copy", str(layer), "-to", left, top)

    def _draw_shape(
        self,
        x: float,
        y: float,
        size: tuple[float, float],
        colour: str,
        shape: Callable[..., Distance],
        *values: object,
    ) -> None:
        width, height = (2 * math.ceil(length / 2) + 2 for length in size)
        self._paste(shape_png(width, height, colour, shape, *values), x, y)

    def _draw_line(self, points: Sequence[tuple[float, float]], width: float, colour: str) -> None:
        """Draw the lines from each of *points* to the next."""
        xs = [x for x, _ in points]
        ys = [y for _, y in points]
        x = (min(xs) + max(xs)) / 2
        y = (min(ys) + max(ys)) / 2
        size = max(xs) - min(xs) + width, max(ys) - min(ys) + width
        moved = tuple((px - x, py - y) for px, py in points)
        self._draw_shape(x, y, size, colour, strokes, moved, width)

    def _draw_letter(
        self, x: float, y: float, letter: str, size: float, colour: str, pen: float
    ) -> None:
        for points in GLYPHS[letter]:
            placed = [(x + size * right, y + size * down) for right, down in points]
            self._draw_line(placed, pen * size, colour)

    def _draw_coordinates(self) -> None:
        size = shapes.coordinate_size(SIDE, self._scale)
        away = shapes.coordinate_distance(SIDE, size)
        colour = self._look.colours.coordinate
        for column in range(COLUMNS):
            x, y = self._middle(column)
            self._draw_letter(x, y - away, COLUMN_NAMES[column], size, colour, _NORMAL)
        for row in range(ROWS):
            x, y = self._middle(row * COLUMNS)
            self._draw_letter(x - away, y, str(row + 1), size, colour, _NORMAL)

    def _draw_lamp(self, cell: int, tile: Tile) -> None:
        x, y = self._middle(cell)
        colour = tile.colour
        if colour not in self._fields:
            self._fields[colour] = lamp_field(colour, SIDE)
        self._paste(lamp_picture(self._fields[colour], tile, SIDE, self._look), x, y)
        if self._look.letters and colour != EMPTY:
            drop, size = shapes.letter_place(colour)
            fill = self._look.lamps.letters[colour - 1]
            if tile.dim:
                fill = self._look.colours.mark
            self._draw_letter(x, y + drop * SIDE, COLOUR_LETTERS[colour], size * SIDE, fill, _BOLD)
        elif colour == RED:
            width, height = (length * SIDE for length in shapes.BAR)
            self._draw_shape(x, y, (width, height), "#ffffff", pill, width, height, 0.0)

    def _draw_brackets(self, cell: int) -> None:
        x, y = self._middle(cell)
        for points in shapes.bracket_corners(x, y, SIDE):
            self._draw_line(points, shapes.BRACKET_WIDTH * SIDE, self._look.colours.mark)
