"""The pictures of the Workshop, which draw themselves on a canvas.

A curve is drawn over the games of its bot. The axis is linear, unless half of what a bot has won
comes in the first twentieth of the games: only a logarithmic axis then shows the points.
"""

import math
import tkinter as tk
from collections.abc import Mapping, Sequence
from functools import partial
from tkinter import ttk
from typing import Any, Final, NamedTuple

from traffic_lights.board.positions import POSITIONS_BY_PLY
from traffic_lights.drawing.palette import SERIES_COLOURS
from traffic_lights.gui.kit.theme import Theme
from traffic_lights.gui.workshop.learning_texts import interval, score_text
from traffic_lights.gui.workshop.shared import COLOURS, OnGames
from traffic_lights.storage.words import counted, fitted, percent_done
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


class Drawing(tk.Canvas):
    """A canvas that draws itself again at each size and theme, and where the mouse points."""

    def __init__(self, parent: tk.Misc, theme: Theme, height: float) -> None:
        super().__init__(parent, width=1, height=height, highlightthickness=0)
        self.theme = theme
        self.pointer: int | None = None
        """Where the mouse points, from the left."""
        self._drawing = ""
        """What will draw it when Tk has nothing else to do; empty if it is drawn."""
        for event in ("<Configure>", "<<ThemeChanged>>"):
            self.bind(event, lambda _: self.redraw())
        self.bind("<Motion>", lambda event: self._point(event.x))
        self.bind("<Leave>", lambda _: self._point(None))
        self.bind("<Destroy>", lambda _: self.after_cancel(self._drawing or "none"))

    def _point(self, x: int | None) -> None:
        self.pointer = x
        self.redraw()

    def redraw(self) -> None:
        """Draw everything again as soon as nothing else happens."""
        if not self._drawing:
            self._drawing = self.after_idle(self._draw)

    def _draw(self) -> None:
        self._drawing = ""
        self.delete("drawn")
        self.configure(background=self.theme.colours.surface)
        if self.winfo_width() > 1:
            self.draw()
        self.addtag_all("drawn")
        self.dtag("kept", "drawn")

    def draw(self) -> None:
        """Draw everything on the empty canvas."""
        raise NotImplementedError

    @property
    def line(self) -> int:
        """The height of a line of text."""
        return self.theme.line

    def write(self, x: float, y: float, text: str, **look: Any) -> None:
        """Write *text*, by default to the right of a point, in the type of the theme."""
        usual: dict[str, Any] = {"anchor": "w", "font": self.theme.body}
        self.create_text(x, y, text=text, **{"fill": self.theme.colours.muted, **usual, **look})

    def head(self, title: str, reading: str) -> None:
        """Write the *title* at the top, and at its right what is read at the pointer."""
        bold, measure = self.theme.strong, self.theme.body.measure
        self.write(8, self.line, title, font=bold, fill=self.theme.colours.text)
        room = self.winfo_width() - bold.measure(title) - 32
        text = fitted(reading, measure, max(room, 0))
        self.write(self.winfo_width() - 8, self.line, text, anchor="e")


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


def axis_of(curves: Sequence[Curve]) -> Axis:
    """Return the axis on which all points of *curves* can be seen.

    >>> def curve(*found): return Curve("", [Measured(n, "myopic", s, s, 0) for n, s in found])
    >>> axis_of([curve((10, 0.0), (500, 0.4), (1000, 0.8))])
    Axis(low=0, high=1000, is_log=False)
    >>> axis_of([curve((10, 0.0), (20, 0.8), (1000, 0.8))]).is_log
    True
    """
    games = [point.games for curve in curves for point in curve.points if point.games]
    high = max(games, default=1)
    for curve in curves:
        first = curve.points[0].score
        best = max(point.score for point in curve.points)
        half = next(p.games for p in curve.points if p.score >= (first + best) / 2)
        if best > first and half < EARLY * high:
            return Axis(min(games), high, True)
    return Axis(0, high)


class CurveChart(Drawing):
    """The curves of bots over the games, and a slider whose handle stands under its mark.

    *go* is called with the stop of the slider that the user has moved to.
    """

    def __init__(self, parent: tk.Misc, theme: Theme, go: OnGames) -> None:
        super().__init__(parent, theme, theme.px(65))
        self._go = go
        self.title = self.about = ""
        self.curves: Sequence[Curve] = ()
        self.axis = Axis()
        self.stops: Sequence[int] = ()
        """The games at which the slider stops, ascending."""
        self.mark = 0
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
        self.title = title
        self.about = about
        self.curves = curves
        self.axis = axis_of(curves)
        self.stops = stops
        self.mark = mark
        self.redraw()

    def _dragged(self, place: float) -> None:
        nearest = min(self.stops, key=lambda games: abs(self.axis.share(games) - place))
        if nearest != self.mark:
            self._go(nearest)
        self.redraw()  # the handle stands at a stop

    def _step(self, steps: int, _: object) -> str:
        place = self.stops.index(self.mark) + steps
        self._go(self.stops[min(max(place, 0), len(self.stops) - 1)])
        return "break"

    def draw(self) -> None:
        """Draw the curves, and put the slider under them."""
        c = self.theme.colours
        measure = self.theme.body.measure
        line = self.line
        has_slider = len(self.stops) > 1 and bool(self.curves)
        widest = max(map(measure, ("games", *(curve.name for curve in self.curves))))
        left = measure("100 % ") + 12
        right = self.winfo_width() - min(widest, self.winfo_width() // 4) - 2 * line
        top = 2.6 * line
        bottom = self.winfo_height() - (3.4 if has_slider else 1.8) * line

        def at(point: Measured) -> tuple[float, float]:
            return left + (right - left) * self.axis.share(point.games), y(point.score)

        def y(share: float) -> float:
            return bottom - (bottom - top) * share

        for percents in range(0, 101, 20):
            self.create_line(left, y(percents / 100), right, y(percents / 100), fill=c.hairline)
            self.write(left - 8, y(percents / 100), f"{percents} %", anchor="e")
        self.itemconfigure(self._window, state="normal" if has_slider else "hidden")
        if not self.curves:
            self.head(self.title, "")
            return
        for games in self.axis.marks():
            across = left + (right - left) * self.axis.share(games)
            self.create_line(across, bottom, across, bottom + 4, fill=c.border)
            self.write(across, bottom + 0.9 * line, short(games), anchor="center")
        self.write(right + 2 * line, bottom + 0.9 * line, "games")
        if has_slider:
            across = left + (right - left) * self.axis.share(self.mark)
            self.create_line(across, top, across, bottom, fill=c.accent, width=2)
            self._put_slider(left, right, bottom + 1.7 * line)
        readings = []
        ends = []
        for curve in self.curves:
            colour = SERIES_COLOURS[self.theme.name][curve.style % COLOURS]
            dash = DASHES[curve.style // COLOURS % len(DASHES)]
            places = [at(point) for point in curve.points]
            if len(places) > 1:
                self.create_line(places, fill=colour, width=2, dash=dash)
            for (across, down), point in zip(places, curve.points, strict=True):
                self.create_oval(across - 3, down - 3, across + 3, down + 3, fill=colour, width=0)
                if point.sampled:
                    low, high = interval(point)
                    self.create_line(across, y(low), across, y(high), fill=colour)
            ends.append((places[-1], curve.name, colour))
            if self.pointer is not None:
                pointer = self.pointer
                near = min(curve.points, key=lambda point: abs(at(point)[0] - pointer))
                after = counted(near.games, "game")
                readings.append(f"{curve.name}: {score_text(near)} after {after}")
                across, down = at(near)
                self.create_oval(across - 6, down - 6, across + 6, down + 6, outline=c.text)
        self._write_names(ends, right + line, bottom)
        self.head(self.title, ", ".join(readings) or self.about)

    def _put_slider(self, left: float, right: float, top: float) -> None:
        """Put the slider so that its handle can stand under each point between *left* and *right*.

        The handle takes its own width from the way of the slider.
        """
        handle = int(ttk.Style(self).lookup("Horizontal.TScale", "sliderlength"))
        self.coords(self._window, left - handle / 2, top)
        self.itemconfigure(self._window, width=right - left + handle, height=self.theme.px(4))
        self.slider.configure(value=self.axis.share(self.mark))

    def _write_names(
        self, ends: Sequence[tuple[tuple[float, float], str, str]], x: float, bottom: float
    ) -> None:
        """Write the names of curves at their *ends*, so that none covers another."""
        free = bottom - 0.9 * self.line * (len(ends) - 1)
        after = 0.0
        for (across, down), name, colour in sorted(ends, key=lambda end: end[0][1]):
            place = max(after, min(down, free))
            self.create_line(across + 6, down, x - 3, place, fill=colour)
            room = self.winfo_width() - x - 4
            self.write(x, place, fitted(name, self.theme.body.measure, room), fill=colour)
            after = place + 0.9 * self.line
            free += 0.9 * self.line


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


class SolvedBars(Drawing):
    """A bar for each number of moves made, filled as its positions are proven."""

    def __init__(self, parent: tk.Misc, theme: Theme) -> None:
        super().__init__(parent, theme, 6.5 * theme.line)
        self.solved: Sequence[int] = ()

    def show(self, solved: Sequence[int]) -> None:
        """Show how many positions of each ply are *solved*."""
        self.solved = solved
        self.redraw()

    def draw(self) -> None:
        """Draw the bars of all plies."""
        c = self.theme.colours
        top = 2 * self.line
        bottom = self.winfo_height() - 1.6 * self.line
        pitch = (self.winfo_width() - 16) / len(POSITIONS_BY_PLY)
        reading = "A bar: the positions after so many moves"
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
        self.head(f"Positions solved: {share}", reading)


class ScoreBar(NamedTuple):
    """One score of a pair of players."""

    name: str
    score: float
    bounds: tuple[float, float] | None
    """Its 95 % interval; None if it is exact."""
    text: str
    is_chosen: bool = False


class ScoreBars(Drawing):
    """Scores as bars under each other, with their intervals."""

    def __init__(self, parent: tk.Misc, theme: Theme) -> None:
        super().__init__(parent, theme, 8 * theme.line)
        self.title = ""
        self.bars: Sequence[ScoreBar] = ()

    def show(self, title: str, bars: Sequence[ScoreBar]) -> None:
        """Show *bars* under a *title*, as far as there is room."""
        self.title = title
        self.bars = bars
        self.redraw()

    def draw(self) -> None:
        """Draw the bars."""
        c = self.theme.colours
        widths = [self.theme.strong.measure(bar.name) for bar in self.bars]
        left = min(max(widths, default=0), self.winfo_width() // 3) + 20
        right = self.winfo_width() - self.theme.strong.measure("≈ 100.00 %") - 24
        half = 0.28 * self.line
        for number, bar in enumerate(self.bars):
            y = (2.7 + 1.5 * number) * self.line
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
        has_intervals = any(bar.bounds for bar in self.bars)
        self.head(self.title, "Thin lines: 95 % intervals" if has_intervals else "")
