"""The curves of bots over the games they have played, and what explains them.

The axis is linear, unless half of what a bot has won comes in the first twentieth of the games:
only a logarithmic axis then shows the points.
"""

import math
import tkinter as tk
from collections.abc import Mapping, Sequence
from functools import partial
from tkinter import ttk
from typing import Final, NamedTuple

from traffic_lights.drawing.palette import SERIES_COLOURS
from traffic_lights.gui.kit.theme import Theme
from traffic_lights.gui.workshop.drawing import Drawing
from traffic_lights.gui.workshop.learning_texts import interval, score_text
from traffic_lights.gui.workshop.shared import COLOURS, OnGames
from traffic_lights.storage.words import counted, fitted
from traffic_lights.training.gauge import Measured

EARLY: Final = 0.05
"""The axis is logarithmic if half of the gain comes in this share of the games."""
DASHES: Final = ((), (7, 3), (2, 3), (9, 3, 2, 3))


def short(games: float) -> str:
    """Return a number of *games* in a few characters.

    >>> short(1_250_000), short(84_000), short(900)
    ('1.25 M', '84 k', '900')
    """
    for unit, letter in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if games >= unit:
            return f"{games / unit:.3g}{letter}"
    return f"{games:.0f}"


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

    def marks(self) -> list[int]:
        """Return the round numbers on it.

        >>> Axis(0, 30_000).marks(), Axis(20, 3_000, True).marks()
        ([0, 5000, 10000, 15000, 20000, 25000, 30000], [100, 1000])
        """
        if self.is_log:
            powers = range(math.ceil(math.log10(self.low)), math.floor(math.log10(self.high)) + 1)
            return [10**power for power in powers]
        power = int(10 ** math.floor(math.log10(max(1.0, self.high / 4))))
        step = next(n * power for n in (1, 2, 5, 10) if self.high / (n * power) <= 7)
        return [*range(0, int(self.high) + 1, step)]


class Curve(NamedTuple):
    """The scores of one bot, against one opponent."""

    name: str
    points: Sequence[Measured]
    """By their games, ascending."""
    style: int = 0
    """The number of its colour and dash."""


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


class CurveChart(Drawing):
    """The curves of bots over the games, and a slider whose handle stands under its mark.

    *go* is called with the stop of the slider that the user has moved to.
    """

    def __init__(self, parent: tk.Misc, theme: Theme, go: OnGames) -> None:
        super().__init__(parent, theme, theme.px(65))
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
        for key, steps in (("Left", -1), ("Down", -1), ("Right", 1), ("Up", 1)):
            self.slider.bind(f"<{key}>", partial(self._step, steps))

    def show(
        self, title: str, about: str, curves: Sequence[Curve], stops: Sequence[int], mark: int
    ) -> None:
        """Show *curves* under a *title*, and a slider with *stops* if there are some to choose.

        What it is *about* can be read while the mouse points nowhere.
        """
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

    def _step(self, steps: int, _: object) -> str:
        place = self._stops.index(self._mark) + steps
        self._go(self._stops[min(max(place, 0), len(self._stops) - 1)])
        return "break"

    def draw(self) -> None:
        """Draw the curves, and put the slider under them."""
        measure = self.theme.body.measure
        line = self.line
        has_slider = len(self._stops) > 1 and bool(self.curves)
        widest = max(map(measure, ("games", *(curve.name for curve in self.curves))))
        right = self.winfo_width() - min(widest, self.winfo_width() // 4) - 2 * line
        bottom = self.winfo_height() - (3.4 if has_slider else 1.8) * line
        plot = Plot(measure("100 % ") + 12, 2.6 * line, right, bottom, self.axis)
        self._draw_axes(plot)
        self.itemconfigure(self._window, state="normal" if has_slider else "hidden")
        if has_slider:
            self._put_slider(plot)
        readings = [self._draw_curve(plot, curve) for curve in self.curves]
        self._write_names(plot)
        self.head(self._title, ", ".join(filter(None, readings)) or self._about)

    def _draw_axes(self, plot: Plot) -> None:
        c = self.theme.colours
        for percents in range(0, 101, 20):
            y = plot.y(percents / 100)
            self.create_line(plot.left, y, plot.right, y, fill=c.hairline)
            self.write(plot.left - 8, y, f"{percents} %", anchor="e")
        below = plot.bottom + 0.9 * self.line
        for games in plot.axis.marks() if self.curves else ():
            x = plot.x(games)
            self.create_line(x, plot.bottom, x, plot.bottom + 4, fill=c.border)
            self.write(x, below, short(games), anchor="center")
        self.write(plot.right + 2 * self.line, below, "games" if self.curves else "")

    def _put_slider(self, plot: Plot) -> None:
        """Put the slider so that its handle stands under the mark, wherever that is.

        The handle takes its own width from the way of the slider.
        """
        x = plot.x(self._mark)
        self.create_line(x, plot.top, x, plot.bottom, fill=self.theme.colours.accent, width=2)
        handle = int(ttk.Style(self).lookup("Horizontal.TScale", "sliderlength"))
        wide = plot.right - plot.left + handle
        self.coords(self._window, plot.left - handle / 2, plot.bottom + 1.7 * self.line)
        self.itemconfigure(self._window, width=wide, height=self.theme.px(4))
        self.slider.configure(value=self.axis.share(self._mark))

    def _colour(self, curve: Curve) -> str:
        return SERIES_COLOURS[self.theme.name][curve.style % COLOURS]

    def _draw_curve(self, plot: Plot, curve: Curve) -> str:
        """Draw *curve*, and return what is read of it at the pointer."""
        colour = self._colour(curve)
        dash = DASHES[curve.style // COLOURS % len(DASHES)]
        places = [(plot.x(point.games), plot.y(point.score)) for point in curve.points]
        if len(places) > 1:
            self.create_line(places, fill=colour, width=2, dash=dash)
        for (x, y), point in zip(places, curve.points, strict=True):
            self.create_oval(x - 3, y - 3, x + 3, y + 3, fill=colour, width=0)
            if point.sampled:
                low, high = interval(point)
                self.create_line(x, plot.y(low), x, plot.y(high), fill=colour)
        if self.pointer is None:
            return ""
        pointer = self.pointer
        near = min(curve.points, key=lambda point: abs(plot.x(point.games) - pointer))
        x, y = plot.x(near.games), plot.y(near.score)
        self.create_oval(x - 6, y - 6, x + 6, y + 6, outline=self.theme.colours.text)
        return f"{curve.name}: {score_text(near)} after {counted(near.games, 'game')}"

    def _write_names(self, plot: Plot) -> None:
        """Write the names of the curves at their ends, so that none covers another."""
        pitch = 0.9 * self.line
        lowest = plot.bottom - pitch * (len(self.curves) - 1)
        x = plot.right + self.line
        after = 0.0
        for curve in sorted(self.curves, key=lambda curve: -curve.points[-1].score):
            end = curve.points[-1]
            y = max(after, min(plot.y(end.score), lowest))
            colour = self._colour(curve)
            self.create_line(plot.x(end.games) + 6, plot.y(end.score), x - 3, y, fill=colour)
            room = self.winfo_width() - x - 4
            self.write(x, y, fitted(curve.name, self.theme.body.measure, room), fill=colour)
            after = y + pitch
            lowest += pitch


class SmallCurves(Drawing):
    """Curves side by side that explain a large one, each over the same games."""

    def __init__(self, parent: tk.Misc, theme: Theme) -> None:
        super().__init__(parent, theme, 4.6 * theme.line)
        self.curves: Mapping[str, Sequence[tuple[int, float]]] = {}
        self.axis = Axis()

    def show(self, curves: Mapping[str, Sequence[tuple[int, float]]], axis: Axis) -> None:
        """Show *curves*, each under its title."""
        self.curves = curves
        self.axis = axis
        self.redraw()

    def draw(self) -> None:
        """Draw each curve from 0 to its highest value."""
        c = self.theme.colours
        pitch = self.winfo_width() / max(1, len(self.curves))
        top = 1.9 * self.line
        bottom = self.winfo_height() - 0.8 * self.line
        for number, (title, points) in enumerate(self.curves.items()):
            highest = max(value for _, value in points) or 1.0
            left = pitch * number + self.theme.body.measure("0.000 ") + 12
            right = pitch * (number + 1) - 24
            self.write(pitch * number + 8, 0.8 * self.line, title)
            self.write(left - 8, top, f"{highest:.2g}", anchor="e")
            self.write(left - 8, bottom, "0", anchor="e")
            self.create_line(left, bottom, right, bottom, fill=c.border)
            places = [
                (left + (right - left) * self.axis.share(games),
                 bottom - (bottom - top) * value / highest)
                for games, value in points
            ]  # fmt: skip
            if len(places) > 1:
                self.create_line(places, fill=c.accent, width=2)
