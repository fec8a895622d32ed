"""Pictures of bars: how much a plan has proven, and the scores of a pair of players."""

import tkinter as tk
from collections.abc import Sequence
from typing import NamedTuple

from traffic_lights.board.positions import POSITIONS_BY_PLY
from traffic_lights.gui.kit.theme import Theme
from traffic_lights.gui.workshop.chart import Chart
from traffic_lights.storage.words import counted, fitted, percent_done


class SolvedBars(Chart):
    """A bar for each number of moves made, filled as its positions are proven."""

    def __init__(self, parent: tk.Misc, theme: Theme) -> None:
        super().__init__(parent, theme, 7.5 * theme.line)
        self.solved: Sequence[int] = ()

    def show(self, solved: Sequence[int]) -> None:
        """Show how many positions of each ply are *solved*."""
        self.solved = solved
        self.redraw()

    def draw(self) -> None:
        """Draw the bars of all plies."""
        c = self.theme.colours
        top = 3 * self.line
        bottom = self.winfo_height() - 1.6 * self.line
        pitch = (self.winfo_width() - 16) / len(POSITIONS_BY_PLY)
        reading = ""
        for ply, (part, total) in enumerate(zip(self.solved, POSITIONS_BY_PLY, strict=False)):
            left = 8 + ply * pitch
            right = left + 0.84 * pitch
            filled = (bottom - top) * part / total
            self.create_rectangle(left, top, right, bottom, fill=c.pressed, width=0)
            self.create_rectangle(left, bottom - filled, right, bottom, fill=c.accent, width=0)
            if ply % 5 == 0:
                self.write(left, bottom + 0.8 * self.line, str(ply))
            if self.pointer is not None and left <= self.pointer < left + pitch:
                reading = f"After {counted(ply, 'move')}: {part:,} of {total:,}"
        share = percent_done(sum(self.solved), sum(POSITIONS_BY_PLY))
        self.head(f"Positions solved: {share}", "By the moves made")
        if reading:
            self.read(reading)


class ScoreBar(NamedTuple):
    """One score of a pair of players."""

    name: str
    score: float
    bounds: tuple[float, float] | None
    """Its 95 % interval; None if it is exact."""
    text: str
    is_chosen: bool = False


class ScoreBars(Chart):
    """Scores as bars under each other, with their intervals."""

    def __init__(self, parent: tk.Misc, theme: Theme) -> None:
        super().__init__(parent, theme, 8 * theme.line)
        self.title = ""
        self.bars: Sequence[ScoreBar] = ()

    def show(self, title: str, bars: Sequence[ScoreBar]) -> None:
        """Show *bars* under a *title*."""
        self.title = title
        self.bars = bars
        self.configure(height=(4.5 + 1.5 * len(bars)) * self.line)
        self.redraw()

    def draw(self) -> None:
        """Draw the bars."""
        c = self.theme.colours
        widths = [self.theme.strong.measure(bar.name) for bar in self.bars]
        left = min(max(widths, default=0), self.winfo_width() // 3) + 20
        right = self.winfo_width() - self.theme.strong.measure("≈ 100.00 %") - 24
        half = 0.28 * self.line
        has_intervals = any(bar.bounds for bar in self.bars)
        top = self.head(self.title, "Thin lines: 95 % intervals" if has_intervals else "")
        for number, bar in enumerate(self.bars):
            y = top + (1 + 1.5 * number) * self.line
            end = left + (right - left) * bar.score
            font = self.theme.strong if bar.is_chosen else self.theme.body
            name = fitted(bar.name, font.measure, left - 20)
            self.write(8, y, name, font=font, fill=c.text)
            self.create_rectangle(left, y - half, right, y + half, fill=c.pressed, width=0)
            self.create_rectangle(left, y - half, end, y + half, fill=c.accent, width=0)
            if bar.bounds is not None:
                low, high = (left + (right - left) * bound for bound in bar.bounds)
                self.create_line(low, y, high, y, fill=c.text)
                for x in (low, high):
                    self.create_line(x, y - 1.5 * half, x, y + 1.5 * half, fill=c.text)
            self.write(self.winfo_width() - 8, y, bar.text, anchor="e", font=font, fill=c.text)
