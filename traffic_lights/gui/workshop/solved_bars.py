"""The picture of how much a plan has proven."""

import tkinter as tk
from collections.abc import Sequence
from typing import Final

from traffic_lights.board.positions import POSITIONS_BY_PLY
from traffic_lights.gui.kit.theme import Theme
from traffic_lights.gui.workshop.chart import EDGE, Chart
from traffic_lights.storage.words import counted, percent_done

HIGH: Final = 2.7
"""The height of a bar, in lines of text."""
WIDE: Final = 0.84
"""The width of a bar; the rest of its share is free."""


class SolvedBars(Chart):
    """A bar for each number of moves made, filled as its positions are proven."""

    def __init__(self, parent: tk.Misc, theme: Theme) -> None:
        super().__init__(parent, theme)
        self.solved: Sequence[int] = ()

    def show(self, solved: Sequence[int]) -> None:
        """Show how many positions of each ply are *solved*, if any are known."""
        self.solved = solved
        self.redraw_if(solved)

    def draw(self) -> None:
        """Draw the bars of all plies."""
        share = percent_done(sum(self.solved), sum(POSITIONS_BY_PLY))
        top = self.head(f"Positions solved: {share}", "By the moves made") + self.line / 2
        bottom = top + HIGH * self.line
        self.configure(height=round(bottom + 1.6 * self.line))  # with the numbers under them
        pitch = (self.winfo_width() - 2 * EDGE) / len(POSITIONS_BY_PLY)
        reading = ""
        for ply, (part, total) in enumerate(zip(self.solved, POSITIONS_BY_PLY, strict=False)):
            left = EDGE + ply * pitch
            right = left + WIDE * pitch
            filled = (bottom - top) * part / total
            self.bar((left, top, right, bottom), (left, bottom - filled, right, bottom))
            if ply % 5 == 0:
                self.write(left, bottom + 0.8 * self.line, str(ply))
            if self.pointer is not None and left <= self.pointer < left + pitch:
                reading = f"After {counted(ply, 'move')}: {part:,} of {total:,}"
        if reading:
            self.read(reading)
