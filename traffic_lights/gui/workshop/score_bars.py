"""The picture of the scores of a pair of players, next to others."""

import tkinter as tk
from collections.abc import Sequence

from traffic_lights.gui.kit.theme import Theme
from traffic_lights.gui.workshop import comparing
from traffic_lights.gui.workshop.chart import EDGE, Chart
from traffic_lights.judging.evaluation import Row
from traffic_lights.storage.words import fitted


class ScoreBars(Chart):
    """Scores as bars under each other, with their intervals."""

    def __init__(self, parent: tk.Misc, theme: Theme) -> None:
        super().__init__(parent, theme)
        self.title = ""
        self.rows: Sequence[tuple[str, Row]] = ()
        self.chosen: Row | None = None

    def show(self, title: str, rows: Sequence[tuple[str, Row]], chosen: Row | None) -> None:
        """Show the scores of *rows*, each with the name of its bar, under a *title*."""
        self.title = title
        self.rows = rows
        self.chosen = chosen
        self.redraw_if(rows)

    def draw(self) -> None:
        """Draw the bars."""
        c = self.theme.colours
        strong = self.theme.strong
        width = self.winfo_width()
        has_intervals = any(row.exact is None for _, row in self.rows)
        top = self.head(self.title, "Thin lines: 95 % intervals" if has_intervals else "")
        self.configure(height=round(top + 1.5 * len(self.rows) * self.line))
        left = min(max((strong.measure(name) for name, _ in self.rows), default=0), width // 3) + 20
        right = width - strong.measure("≈ 100.00 %") - 24
        half = 0.28 * self.line
        for number, (name, row) in enumerate(self.rows):
            y = top + (0.8 + 1.5 * number) * self.line
            font = strong if row is self.chosen else self.theme.body
            self.write(EDGE, y, fitted(name, font.measure, left - 20), font=font, fill=c.text)
            low, end, high = (
                left + (right - left) * share
                for share in sorted((*comparing.bounds(row), comparing.score_of(row) or 0.0))
            )
            self.bar((left, y - half, right, y + half), (left, y - half, end, y + half))
            if low < high:
                self.create_line(low, y, high, y, fill=c.text)
                for x in (low, high):
                    self.create_line(x, y - 1.5 * half, x, y + 1.5 * half, fill=c.text)
            score = comparing.score_text(row)
            self.write(width - EDGE, y, score, anchor="e", font=font, fill=c.text)
