"""The small curves under the form, which explain the curve of a bot."""

import tkinter as tk
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from traffic_lights.gui.kit.theme import Theme
from traffic_lights.gui.workshop.chart import Chart
from traffic_lights.gui.workshop.curve_chart import CurveChart, Plot
from traffic_lights.storage.words import fitted, short
from traffic_lights.training.gauge import Measured


class SmallCurve(NamedTuple):
    """What a small curve shows."""

    value: Callable[[Measured], float | None]
    """That of a point, if it is known."""
    text: Callable[[float], str]
    """How its numbers are written."""
    top: float
    """The value at its top unless one is higher, above 0: with 1, a share of 0.01 looks small."""


SMALL_CURVES: Final = {
    "ε: the share of exploring moves": SmallCurve(
        lambda point: point.epsilon, "{:.2g}".format, top=0.1
    ),
    "How much one game changes all values": SmallCurve(
        lambda point: point.moved, lambda n: f"{n:.2g}" if n < 10 else short(n), top=0.01
    ),
}
"""The small curves under their titles."""
STRIP: Final = 3.2
"""The height of a small curve with its title, in lines of text."""


class SmallCurves(Chart):
    """What explains the first curve of *chart*, on the same axis, as far as it is known."""

    def __init__(self, parent: tk.Misc, theme: Theme, chart: CurveChart) -> None:
        super().__init__(parent, theme)
        self._chart = chart
        self.strips: dict[str, tuple[SmallCurve, Sequence[tuple[int, float]]]] = {}
        """The small curves that are known, with their values by the games, under their titles."""

    def show(self) -> None:
        """Show what is known of the first curve."""
        curves = self._chart.curves
        points = curves[0].points if curves else ()
        whose = f"{curves[0].name}, " if len(curves) > 1 else ""
        self.strips = {}
        for title, small in SMALL_CURVES.items():
            values = [(p.games, value) for p in points if (value := small.value(p)) is not None]
            if values:
                self.strips[whose + title] = small, values
        self.redraw_if(self.strips)

    def draw(self) -> None:
        """Draw them under each other."""
        bottom = 0.4 * self.line
        for title, (small, points) in self.strips.items():
            top = bottom
            bottom += STRIP * self.line
            self._draw_strip(self._chart.plot(top, bottom), title, small, points)
        self.configure(height=round(bottom))

    def _draw_strip(
        self, plot: Plot, title: str, small: SmallCurve, points: Sequence[tuple[int, float]]
    ) -> None:
        """Draw *points* from 0 to the top."""
        highest = max(small.top, *(value for _, value in points))
        title = fitted(title, self.theme.body.measure, self.winfo_width() - plot.left)
        self.write(plot.left, plot.top + 0.6 * self.line, title)
        bottom = plot.bottom - 0.5 * self.line
        plot = plot._replace(top=plot.top + 1.4 * self.line, bottom=bottom)
        self.write(plot.left - 8, plot.top, small.text(highest), anchor="e")
        self.write(plot.left - 8, bottom, small.text(0), anchor="e")
        self.create_line(plot.left, bottom, plot.right, bottom, fill=self.theme.colours.border)
        places = [(plot.x(games), plot.y(value / highest)) for games, value in points]
        self.curve(places, self._chart.curves[0].style)
