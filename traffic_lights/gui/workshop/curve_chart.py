"""The curves of bots over the games they have played.

The axis is linear, unless half of what a bot has won comes in the first twentieth of the games:
only a logarithmic axis then shows the points.
"""

import math
import tkinter as tk
from collections.abc import Sequence
from functools import partial
from tkinter import ttk
from typing import Final, NamedTuple

from traffic_lights.gui.kit.theme import Theme
from traffic_lights.gui.workshop.chart import Box, Chart
from traffic_lights.gui.workshop.learning_texts import interval, score_text
from traffic_lights.gui.workshop.shared import OnGames
from traffic_lights.storage.words import counted, fitted, short
from traffic_lights.training.gauge import Measured

EARLY: Final = 0.05
"""The axis is logarithmic if half of the gain comes in this share of the games."""
LEAST_LINES: Final = 5
LEAST_SHARE: Final = 0.22
"""The plot is at least so many lines of text high, and so much of the window; it takes what the
page has left."""


class Axis(NamedTuple):
    """The axis of the games."""

    low: float = 0
    high: float = 1
    is_log: bool = False

    def share(self, games: float) -> float:
        """Return where so many *games* are on it, from 0 to 1."""
        if not self.is_log:
            return games / self.high
        return math.log(max(games, self.low) / self.low) / math.log(self.high / self.low)

    def marks(self, most: float) -> list[int]:
        """Return the round numbers on it, if it is linear in at *most* so many steps.

        >>> Axis(0, 30_000).marks(7), Axis(0, 30_000).marks(2), Axis(20, 3_000, True).marks(7)
        ([0, 5000, 10000, 15000, 20000, 25000, 30000], [0, 20000], [100, 1000])
        """
        if self.is_log:
            powers = range(math.ceil(math.log10(self.low)), math.floor(math.log10(self.high)) + 1)
            return [10**power for power in powers]
        power = int(10 ** math.floor(math.log10(max(1.0, self.high / most))))
        step = next(n * power for n in (1, 2, 5, 10) if self.high / (n * power) <= most)
        return [*range(0, int(self.high) + 1, step)]


class Curve(NamedTuple):
    """The scores of one bot, against one opponent."""

    name: str
    points: Sequence[Measured]
    """By their games, ascending."""
    style: int = 0
    """The number of its look."""


def axis_of(curves: Sequence[Curve], most: int = 0) -> Axis:
    """Return the axis on which all points of *curves* can be seen, and the *most* games.

    >>> def curve(*found): return Curve("", [Measured(n, "myopic", s, s, 0) for n, s in found])
    >>> axis_of([curve((10, 0.0), (500, 0.4), (1000, 0.8))])
    Axis(low=0, high=1000, is_log=False)
    >>> axis_of([curve((10, 0.0), (20, 0.8), (1000, 0.8))]).is_log
    True
    """
    games = [point.games for curve in curves for point in curve.points if point.games]
    high = max([1, most, *games])
    for curve in curves:
        first = curve.points[0].score
        best = max(point.score for point in curve.points)
        half = next(p.games for p in curve.points if p.score >= (first + best) / 2)
        if best > first and half < EARLY * high:
            return Axis(min(games), high, True)
    return Axis(0, high)


class Plot(NamedTuple):
    """The part of a canvas where curves are, in pixels."""

    left: float
    top: float
    right: float
    bottom: float
    axis: Axis

    def x(self, games: float) -> float:
        """Return where so many *games* are."""
        return self.left + (self.right - self.left) * self.axis.share(games)

    def y(self, share: float) -> float:
        """Return where a *share* from 0 to 1 is."""
        return self.bottom - (self.bottom - self.top) * share

    def box(self, point: Measured, radius: float) -> Box:
        """Return the box of a circle around the score of *point*."""
        x = self.x(point.games)
        y = self.y(point.score)
        return x - radius, y - radius, x + radius, y + radius


class CurveChart(Chart):
    """The curves of bots over the games, and a slider whose handle stands under its mark.

    *go* is called with the stop of the slider that the user has moved to.
    """

    def __init__(self, parent: tk.Misc, theme: Theme, go: OnGames) -> None:
        super().__init__(parent, theme)
        self._go = go
        self._title = self._about = ""
        self.curves: Sequence[Curve] = ()
        self.axis = Axis()
        self._stops: Sequence[int] = ()
        """The games at which the slider stops, ascending."""
        self._mark = 0
        """The stop that an upright line marks."""
        self.slider = ttk.Scale(self, command=lambda place: self._dragged(float(place)))
        self._window = self.create_window(0, 0, anchor="nw", window=self.slider, tags="kept")
        self.slider.bind("<Button-1>", self._jump)
        for key, steps in (("Left", -1), ("Down", -1), ("Right", 1), ("Up", 1)):
            self.slider.bind(f"<{key}>", partial(self._step, steps))

    def show(
        self, title: str, about: str, curves: Sequence[Curve], stops: Sequence[int], mark: int
    ) -> None:
        """Show *curves* under a *title*, and a slider with *stops* if there are some to choose."""
        self._title = title
        self._about = about
        self.curves = curves
        self.axis = axis_of(curves, max(stops, default=0))
        self._stops = stops
        self._mark = mark
        self.redraw()

    def _dragged(self, place: float) -> None:
        nearest = min(self._stops, key=lambda games: abs(self.axis.share(games) - place))
        if nearest != self._mark:
            self._go(nearest)
        self.redraw()  # the handle stands at a stop

    def _jump(self, click: "tk.Event[tk.Misc]") -> str:
        """Have the handle come to a *click*, and follow the pointer from there."""
        self.slider.focus_set()  # the arrow keys go on from there
        self.tk.call("ttk::scale::Jump", self.slider, click.x, click.y)
        return "break"

    def _step(self, steps: int, _: object) -> str:
        place = self._stops.index(self._mark) + steps
        self._go(self._stops[min(max(place, 0), len(self._stops) - 1)])
        return "break"

    @property
    def _unit(self) -> str:
        return "games (log)" if self.axis.is_log else "games"

    def plot(self, top: float, bottom: float) -> Plot:
        """Return the part from *top* to *bottom*, with the room for the names at its right."""
        measure = self.theme.body.measure
        width = self.winfo_width()
        widest = max(map(measure, (self._unit, *(curve.name for curve in self.curves))))
        right = width - min(widest, width // 4) - 3.6 * self.line
        return Plot(measure("100 % ") + 12, top, right, bottom, self.axis)

    def draw(self) -> None:
        """Draw the curves, with the slider under them."""
        line = self.line
        has_slider = len(self._stops) > 1 and bool(self.curves)
        below = (3.4 if has_slider else 1.8) * line
        top = self.head(self._title, self._about) + line
        high = max(LEAST_LINES * line, LEAST_SHARE * self.winfo_toplevel().winfo_height())
        self.configure(height=round(top + high + below))
        # What is read of several curves at the mouse takes a line more, but a tick moves nothing.
        plot = self.plot(top + line * (len(self.curves) > 1), self.winfo_height() - below)
        self._draw_axes(plot)
        self.itemconfigure(self._window, state="normal" if has_slider else "hidden")
        if has_slider:
            self._put_slider(plot)
        for curve in self.curves:
            self._draw_curve(plot, curve)
        self._write_names(plot)
        if self.pointer is not None and self.curves:
            self._read_at(self.pointer, plot)

    def _read_at(self, pointer: int, plot: Plot) -> None:
        """Read the point of each curve that is nearest to the *pointer*, and ring it."""
        texts = []
        for curve in self.curves:
            near = min(curve.points, key=lambda point: abs(plot.x(point.games) - pointer))
            self.create_oval(plot.box(near, self.theme.px(1.5)), outline=self.theme.colours.text)
            after = counted(near.games, "game")
            texts.append(f"{curve.name} after {after}: {score_text(near)}")
        self.read("; ".join(texts))

    def _draw_axes(self, plot: Plot) -> None:
        c = self.theme.colours
        lines = (plot.bottom - plot.top) / self.line
        for percents in range(0, 101, 20 if lines > 6 else 50):
            y = plot.y(percents / 100)
            self.create_line(plot.left, y, plot.right, y, fill=c.hairline)
            self.write(plot.left - 8, y, f"{percents} %", anchor="e")
        if not self.curves:
            return
        below = plot.bottom + 0.9 * self.line
        most = (plot.right - plot.left) / self.theme.body.measure("1,000 k")
        for games in plot.axis.marks(min(7, max(1, most))):
            x = plot.x(games)
            self.create_line(x, plot.bottom, x, plot.bottom + 4, fill=c.border)
            self.write(x, below, short(games), anchor="center")
        self.write(plot.right + 3 * self.line, below, self._unit)

    def _put_slider(self, plot: Plot) -> None:
        """Put the slider so that its handle stands under the mark, wherever that is.

        The handle takes its own width from the way of the slider.
        """
        x = plot.x(self._mark)
        self.create_line(x, plot.top, x, plot.bottom, fill=self.theme.colours.text)
        handle = int(ttk.Style(self).lookup("Horizontal.TScale", "sliderlength"))
        wide = plot.right - plot.left + handle
        self.coords(self._window, plot.left - handle / 2, plot.bottom + 1.7 * self.line)
        self.itemconfigure(self._window, width=wide, height=self.theme.px(4))
        self.slider.configure(value=self.axis.share(self._mark))
        top = plot.bottom + 1.7 * self.line + self.theme.px(4.5)
        bottom = top + self.theme.px(1.5)
        for x in map(plot.x, self._stops):
            self.create_line(x, top, x, bottom, width=2, fill=self.theme.colours.border)

    def _draw_curve(self, plot: Plot, curve: Curve) -> None:
        """Draw *curve*, and the interval of each point."""
        colour = self.colour(curve.style)
        pitch = (plot.right - plot.left) / len(curve.points)
        radius = max(2, min(self.theme.px(1), pitch / 3))  # dots that touch would hide intervals
        self.curve([(plot.x(one.games), plot.y(one.score)) for one in curve.points], curve.style)
        for point in curve.points:
            x = plot.x(point.games)
            low, high = map(plot.y, interval(point))
            self.create_line(x, low, x, high, fill=colour)
            self.create_oval(plot.box(point, radius), fill=colour, width=0)

    def _write_names(self, plot: Plot) -> None:
        """Write the names of the curves next to their ends, each after a sample of its look.

        None covers another.
        """
        pitch = 0.9 * self.line
        lowest = plot.bottom - pitch * (len(self.curves) - 1)
        left = plot.right + self.line
        x = left + 2 * self.line
        after = 0.0
        for curve in sorted(self.curves, key=lambda curve: -curve.points[-1].score):
            y = max(after, min(plot.y(curve.points[-1].score), lowest))
            self.curve([(left, y), (left + 1.6 * self.line, y)], curve.style)
            name = fitted(curve.name, self.theme.body.measure, self.winfo_width() - x - 4)
            self.write(x, y, name, fill=self.colour(curve.style))
            after = y + pitch
            lowest += pitch
