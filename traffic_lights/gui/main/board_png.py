"""A board as a PNG picture: put together from the lamps of the windows, and written by Tk.

Tk cannot write text into a picture, so it has no letters. The shape of a lamp tells its colour.
"""

import tkinter as tk
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final

from traffic_lights.board.rules import (
    CELLS,
    COLUMNS,
    RED,
    ROWS,
    Action,
    State,
    colour_of,
    complete_lines,
)
from traffic_lights.drawing import shapes
from traffic_lights.drawing.palette import DIM, JOIN_EDGE
from traffic_lights.gui.kit.lamps import Look, Tile, lamp_field, lamp_picture
from traffic_lights.gui.kit.smooth import (
    Distance,
    pill,
    shape_png,
    stroke_place,
    strokes,
    whole_size,
)

SIDE: Final = 160
"""The side of a cell, in pixels."""


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
        self._before = round(shapes.BESIDE * SIDE / shapes.SIDE)
        width = COLUMNS * SIDE + 2 * self._before
        height = ROWS * SIDE + 2 * self._before
        self._image = tk.PhotoImage(master=root, width=width, height=height)
        self._fields: dict[int, bytes] = {}
        self._image.put(look.colours.window, to=(0, 0, width, height))

    def board(self, state: State, last: Action | None) -> bytes:
        lines = complete_lines(state)
        won = {cell for line in lines for cell in line}
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
        self._paste(shape_png(*whole_size(size), colour, shape, *values), x, y)

    def _draw_line(self, points: Sequence[tuple[float, float]], width: float, colour: str) -> None:
        """Draw the lines from each of *points* to the next."""
        (x, y), size, lines = stroke_place(points, width)
        self._draw_shape(x, y, size, colour, strokes, lines, width)

    def _draw_lamp(self, cell: int, tile: Tile) -> None:
        x, y = self._middle(cell)
        colour = tile.colour
        if colour not in self._fields:
            self._fields[colour] = lamp_field(colour, SIDE)
        self._paste(lamp_picture(self._fields[colour], tile, SIDE, self._look), x, y)
        if colour == RED:
            width, height = (length * SIDE for length in shapes.BAR)
            self._draw_shape(x, y, (width, height), "#ffffff", pill, width, height, 0.0)

    def _draw_brackets(self, cell: int) -> None:
        x, y = self._middle(cell)
        for points in shapes.bracket_corners(x, y, SIDE):
            self._draw_line(points, shapes.BRACKET_WIDTH * SIDE, self._look.colours.mark)
