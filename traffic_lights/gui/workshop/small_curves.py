"""The small curves under the form, which explain the curve of a bot."""

import tkinter as tk
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from traffic_lights.gui.kit.theme import Theme
from traffic_lights.gui.workshop.chart import Chart
from traffic_lights.gui.workshop.curve_chart import CurveChart, Plot
from traffic_lights.storage.words import fitted, short
from traffic_lights.training.gauge import Measured

SMALL_CURVES: Final[Mapping[str, Callable[[Measured], float | None]]] = {
    "ε: the share of exploring moves": lambda point: point.epsilon,
    "How much one game changes all values": lambda point: point.moved,
}
"""The titles of the small curves, and what each shows of a point, if that is known."""
STRIP: Final = 3.2
"""The height of a small curve with its title, in lines of text."""


class SmallCurves(Chart):
    """What explains the first curve of *chart*, on the same axis, as far as it is known."""

    def __init__(self, parent: tk.Misc, theme: Theme, chart: CurveChart) -> None:
        super().__init__(parent, theme)
        self._chart = chart
        self.strips: dict[str, Sequence[tuple[int, float]]] = {}
        """The values of the small curves by the games, under their titles."""

    def show(self) -> None:
        """Show what is known of the first curve."""
        curves = self._chart.curves
        points = curves[0].points if curves else ()
        whose = f"{curves[0].name}, " if len(curves) > 1 else ""
        self.strips = {}
        for title, shown in SMALL_CURVES.items():
            values = [(one.games, value) for one in points if (value := shown(one)) is not None]
            if values:
                self.strips[whose + title] = values
        self.redraw_if(self.strips)

    def draw(self) -> None:
        """Draw them under each other."""
        bottom = 0.4 * self.line
        for title, points in self.strips.items():
            top = bottom
            bottom += STRIP * self.line
            self._draw_strip(self._chart.plot(top, bottom), title, points)
        self.configure(height=round(bottom))

    def _draw_strip(self, plot: Plot, title: str, points: Sequence[tuple[int, float]]) -> None:
        """Draw *points* from 0 to the highest."""
        highest = max(value for _, value in points)
        title = fitted(title, self.theme.body.measure, self.winfo_width() - plot.left)
        self.write(plot.left, plot.top + 0.6 * self.line, title)
        bottom = plot.bottom - 0.5 * self.line
        plot = plot._replace(top=plot.top + 1.4 * self.line, bottom=bottom)
        written = f"{highest:.2g}" if highest < 10 else short(round(highest))
        self.write(plot.left - 8, plot.top, written if highest else "", anchor="e")
        self.write(plot.left - 8, bottom, "0", anchor="e")
        self.create_line(plot.left, bottom, plot.right, bottom, fill=self.theme.colours.border)
        places = [(plot.x(games), plot.y(value / (highest or 1))) for games, value in points]
        self.curve(places, self._chart.curves[0].style)
