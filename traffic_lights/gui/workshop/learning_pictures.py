"""The pictures of the Learning tab, one below the other."""

import tkinter as tk
from collections.abc import Mapping
from tkinter import ttk
from typing import Any, Final

from traffic_lights.gui.kit.theme import Theme
from traffic_lights.gui.kit.widgets import add_tip
from traffic_lights.gui.workshop.canvas_view import CanvasView
from traffic_lights.workshop.bars import draw_plies, draw_scores, ply_stops
from traffic_lights.workshop.charts import Axes, draw, draw_small, stops
from traffic_lights.workshop.learning_page import LARGE_SIZE, Heights, Pictures

SMALL_TIP: Final = (
    "Left: how often it tries another move than the best it knows. Right: the changes of all "
    "values in one game, added up; they fall when a game brings little new."
)
"""The tip of the small curves."""


class LearningPictures(ttk.Frame):
    """Shows scores, curves, what explains them, and how much a plan has proven."""

    def __init__(self, parent: tk.Misc, theme: Theme) -> None:
        super().__init__(parent)
        self._theme = theme
        self.columnconfigure(0, weight=1)
        self.scores = CanvasView(self, theme, draw_scores)
        self.chart = CanvasView(self, theme, draw, stops)
        self.small = CanvasView(self, theme, draw_small)
        self.strip = CanvasView(self, theme, draw_plies, ply_stops)
        self._views: Mapping[str, CanvasView[Any]] = {
            "scores": self.scores, "chart": self.chart, "small": self.small, "strip": self.strip,
        }  # fmt: skip
        for row, view in enumerate(self._views.values()):
            view.grid(row=row, sticky="nsew")
            view.grid_remove()
        add_tip(self.small, theme, SMALL_TIP)

    @property
    def axes(self) -> Axes | None:
        """The axes of the chart; None while it is hidden."""
        return Axes(self.chart.value, self.chart.room) if self.chart.value else None

    def dress(self) -> None:
        """Ask for the least width that the theme gives the pictures."""
        width = round(LARGE_SIZE[0] * self._theme.scale)
        for view in self._views.values():
            view.configure(width=width)

    def draw(self, pictures: Pictures, heights: Heights) -> None:
        """Show *pictures*, which are so high."""
        values = pictures.by_name()
        for row, (name, view) in enumerate(self._views.items()):
            least, weight = heights.pictures[name]
            view.show(values[name] if least else None)
            self.rowconfigure(row, weight=weight, minsize=least)
