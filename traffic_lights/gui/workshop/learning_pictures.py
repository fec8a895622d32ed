"""The pictures of the Learning tab, one below the other; the large one gets the room."""

import tkinter as tk
from collections.abc import Mapping
from tkinter import ttk
from typing import Final

from traffic_lights.board.positions import POSITIONS, POSITIONS_BY_PLY
from traffic_lights.gui.kit.theme import Theme
from traffic_lights.gui.kit.widgets import add_tip
from traffic_lights.gui.workshop.canvas_view import CanvasView
from traffic_lights.players.roster import Entry
from traffic_lights.training.gauge import Measured
from traffic_lights.workshop import learning_chart
from traffic_lights.workshop.bars import (
    draw_plies,
    draw_scores,
    ply_stops,
)
from traffic_lights.workshop.charts import Axes, Chart, draw, draw_small, stops
from traffic_lights.workshop.curves import Curves
from traffic_lights.workshop.shared import NEW_BOT, learns

LARGE_SIZE: Final = (240, 165)
"""The least size of the large picture, in pixels at 96 dpi."""
UNFOLDED: Final = 1.3
COMPARED: Final = 1.8
"""How much larger it is at least while the rarer settings are open, as all scrolls then anyway:
with one curve, and with several."""
STRIP_LINES: Final = 4.2
"""The height of the strip of solved positions under a curve, in lines of text."""
SMALL_LINES: Final = 4.2
"""The least height of the two small curves under a curve, in lines of text."""
SCORE_LINES: Final = 9
"""The height of the facts about a player over the curves of others, in lines of text."""
SMALL_TIP: Final = (
    "The changes of all values in one game, added up, fall when a game brings little new."
)
"""The tip of the small curves."""


class LearningPictures(ttk.Frame):
    """Shows the scores of a player that does not train, curves, and how much a plan has proven."""

    def __init__(self, parent: tk.Misc, theme: Theme, curves: Curves) -> None:
        super().__init__(parent)
        self._theme = theme
        self._curves = curves
        self._entry = NEW_BOT
        self.names: Mapping[str, str] = {}
        """Those of the bots whose curves are shown, by key."""
        self._styles: Mapping[str, int] = {}
        self._then: Measured | None = None
        """The snapshot that is marked in the chart."""
        self.columnconfigure(0, weight=1)
        self.scores = CanvasView(self, theme, draw_scores)
        self.chart = CanvasView(self, theme, draw, stops)
        self.small = CanvasView(self, theme, draw_small)
        self.strip = CanvasView(self, theme, draw_plies, ply_stops)
        for row, picture in enumerate((self.scores, self.chart, self.small, self.strip)):
            picture.grid(row=row, sticky="nsew")
        add_tip(self.small, theme, SMALL_TIP)

    @property
    def axes(self) -> Axes | None:
        """The axes of the chart; None while it is hidden."""
        return Axes(self.chart.value, self.chart.room) if self.chart.value else None

    @property
    def is_comparing(self) -> bool:
        """Whether the curves of other bots are shown, which need the room of what explains one."""
        curves = self._curves.points
        return any(curves.get(key) for key in self.names if key != self._entry.key)

    @property
    def wins(self) -> Chart:
        """The chart of all curves that are to be seen."""
        return learning_chart.wins_chart(self._curves.points, self.names, self._styles, self._then)

    def look_at(self, entry: Entry, names: Mapping[str, str], styles: Mapping[str, int]) -> None:
        """Take what `draw` shows: the player of *entry*, and the curves of *names*, by key.

        *styles* has the numbers of the colours of the curves.
        """
        self._entry = entry
        self.names = names
        self._styles = styles

    def draw(self, then: Measured | None = None) -> None:
        """Show what is known by now, with a mark at the snapshot *then*."""
        self._then = then
        key = self._entry.key
        curves = self._curves.points
        is_perfect = any(point.decided == POSITIONS for point in curves.get(key, [])[-1:])
        solved = self._curves.solved.get(key, POSITIONS_BY_PLY if is_perfect else ())
        shown = [curves[one] for one in self.names if curves.get(one)]
        has_curve = bool(shown)
        if learns(self._entry):
            has_curve = not solved or any(map(learning_chart.is_telling, shown))
        scores = None if learns(self._entry) else learning_chart.known_scores(self._entry)
        self.scores.show(scores)
        self.chart.show(self.wins if has_curve else None)
        self.strip.show(solved)

    def dress(self) -> None:
        """Ask for the least width that the theme gives the pictures."""
        width = round(LARGE_SIZE[0] * self._theme.scale)
        for picture in (self.scores, self.chart, self.small, self.strip):
            picture.configure(width=width)

    def share_out(self, *, is_high: bool, is_unfolded: bool) -> None:
        """Give the picture that matters most the room that is left, and a quarter to small curves.

        Those are shown for one bot if there is room for all, so that *is_high*. While the rarer
        settings are open, so that all *is_unfolded*, the large picture may be larger.
        """
        points = self._curves.points.get(self._entry.key)
        small = None
        if is_high and self.chart.value and points and not self.is_comparing:
            small = learning_chart.small_curves(points, self.chart.value)
        self.small.show(small)
        line = self._theme.body.metrics("linespace")
        heights = {
            self.scores: SCORE_LINES * line,
            self.chart: LARGE_SIZE[1] * self._theme.scale,
            self.small: SMALL_LINES * line,
            self.strip: STRIP_LINES * line,
        }
        large = next((one for one in (self.chart, self.scores, self.strip) if one.value), None)
        for row, (picture, least) in enumerate(heights.items()):
            if picture is large:
                weight = 3
                if is_unfolded:
                    least *= COMPARED if self.is_comparing else UNFOLDED
            else:
                weight = int(picture is self.small and small is not None)
            self.rowconfigure(row, weight=weight, minsize=round(least) if picture.value else 0)
