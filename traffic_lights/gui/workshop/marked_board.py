"""A board with frames around cells and the numbers of moves, joined by arrows."""

import math
import tkinter as tk
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from traffic_lights.board.rules import Action
from traffic_lights.drawing import shapes
from traffic_lights.gui.kit.board_view import BoardView

_FRAME: Final = 0.495
"""How far a frame reaches from the middle of its cell, as a share of the cell's side."""
_CORNER: Final = 0.36
"""How far the number of a move is from the middle of its cell, to the left and upwards."""


class MarkedBoard(BoardView):
    """A board that also frames cells and shows the numbers of moves, joined in their order."""

    framed: frozenset[Action] = frozenset()
    numbered: Sequence[tuple[int, Action]] = ()
    """The numbers of moves and their cells; an arrow leads to each from the next."""

    def mark(self, framed: frozenset[Action], numbered: Sequence[tuple[int, Action]] = ()) -> None:
        """Frame the cells *framed* of the next picture, and show the moves *numbered*."""
        self.framed = framed
        self.numbered = numbered

    def redraw(self) -> None:
        """Draw the whole board again."""
        super().redraw()
        side, _, _ = self.grid_place()
        width = max(2.5, 0.03 * side)
        colour = self._theme.colours.accent  # the edges of the best values are white
        for cell in self.framed:
            middle = self.cell_centre(cell)
            self._pictures.draw_frame(middle, _FRAME * side, 0.17 * side, width, colour)
        places = {cell: self._corner(cell, side) for _, cell in self.numbered}
        for (_, cell), (_, later) in pairwise(self.numbered):
            if cell != later:
                self._draw_arrow(places[later], places[cell], side)
        numbers: dict[Action, list[str]] = {}
        for number, cell in self.numbered:
            numbers.setdefault(cell, []).append(str(number))
        for cell, found in numbers.items():
            self._draw_disc(*places[cell], side, " ".join(found))

    def _corner(self, cell: Action, side: int) -> tuple[float, float]:
        x, y = self.cell_centre(cell)
        return x - _CORNER * side, y - _CORNER * side

    def _draw_arrow(self, start: tuple[float, float], end: tuple[float, float], side: int) -> None:
        """Draw an arrow that ends at the edge of the number at *end*."""
        length = math.dist(start, end)
        share = (length - 0.15 * side) / length
        tip = start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])
        colours = self._theme.colours
        head = (0.1 * side, 0.12 * side, 0.05 * side)
        for width, colour in ((0.05 * side, colours.housing), (0.022 * side, colours.mark)):
            self.create_line(
                start, tip, fill=colour, width=max(2.0, width), arrow=tk.LAST, arrowshape=head
            )

    def _draw_disc(self, x: float, y: float, side: int, text: str) -> None:
        size = max(round(shapes.SMALLEST_TEXT * self._theme.scale), round(0.12 * side))
        radius = 0.75 * size
        half = max(0.0, 0.3 * size * len(text) - radius / 2)
        # Several numbers begin where one would, so that they stay in their cell.
        x += half
        colours = self._theme.colours
        self.create_line(
            x - half, y, x + max(0.1, half), y,
            width=2 * radius, capstyle=tk.ROUND, fill=colours.text,
        )  # fmt: skip
        font = (self._theme.look.family, -size, "bold")
        self.create_text(x, y, text=text, fill=colours.window, font=font)
