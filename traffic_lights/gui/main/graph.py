"""The course of a game as bars: who was winning after each move, and how near the win was.

A bar points up where the only person wins with best play, or the first of two people or bots, and
down where the other player does. The nearer the win, the longer the bar. A mistake has a question
mark at the end of its bar.
"""

import tkinter as tk
from collections.abc import Callable, Sequence
from typing import Final

from traffic_lights.gui.kit.drawing import Drawing
from traffic_lights.gui.kit.theme import Theme
from traffic_lights.play.view import Bar
from traffic_lights.storage.words import fitted

FEWEST: Final = 16
"""The moves that the graph has room for at least, so that a short game has no wide bars."""


class Graph(Drawing):
    """The graph on a canvas; a click calls *go* with the number of a move."""

    def __init__(self, parent: tk.Misc, theme: Theme, go: Callable[[int], object]) -> None:
        super().__init__(parent, theme, cursor="hand2")
        self._bars: Sequence[Bar] = ()
        self._names = "", ""
        self._current = 0
        self._pitch = 1.0
        self.bind("<Button-1>", lambda e: go(min(int(e.x / self._pitch) + 1, len(self._bars))))

    def show(self, bars: Sequence[Bar], names: tuple[str, str], current: int) -> None:
        """Show *bars*, and that of the *current* move, from 1; the first of *names* is up."""
        self._bars = bars
        self._names = names
        self._current = current
        self.redraw()

    def draw(self) -> None:
        """Draw the bars, and who is winning above and below them."""
        c = self.theme.colours
        line = self.line
        middle = 4 * line
        self.configure(height=2 * middle)
        self._pitch = self.winfo_width() / max(FEWEST, len(self._bars))
        for place, (name, y) in enumerate(zip(self._names, (0, 7 * line), strict=True)):
            wins = f" {'are' if name == 'You' else 'is'} winning"
            measure = self.theme.body.measure
            shown = fitted(f"{'▲▼'[place]} {name}", measure, self.winfo_width() - measure(wins))
            self.write(0, y, shown + wins, anchor="nw")
        for number, bar in enumerate(self._bars, 1):
            left, right = (self._pitch * (number + side) for side in (-0.92, -0.08))
            end = middle - 1.8 * line * bar.height
            if number == self._current:
                box = left - 1, 2.1 * line, right + 1, 5.9 * line
                self.create_rectangle(box, fill=c.pressed, width=0)
            fill = c.accent if bar.height > 0 else c.muted
            self.create_rectangle(left, middle, right, end, fill=fill, width=0)
            if bar.is_mistake:
                beyond = end - 0.45 * line if bar.height > 0 else end + 0.5 * line
                look = {"anchor": "center", "font": self.theme.strong, "fill": c.warning}
                self.write((left + right) / 2, beyond, "?", **look)
        self.create_line(0, middle, self.winfo_width(), middle, fill=c.border)
