"""The two pictures of the Learning tab: the curves of scores, and how much a plan has proven."""

import math
import tkinter as tk
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from traffic_lights.board.positions import POSITIONS_BY_PLY
from traffic_lights.drawing.palette import SERIES_COLOURS
from traffic_lights.gui.kit.theme import Theme
from traffic_lights.gui.kit.widgets import show_if
from traffic_lights.gui.workshop.learning_texts import interval, score_text
from traffic_lights.gui.workshop.shared import COLOURS
from traffic_lights.storage.words import counted, fitted, percent_done
from traffic_lights.training.gauge import Measured

DASHES: Final = ((), (7, 3), (2, 3), (9, 3, 2, 3))


class Curve(NamedTuple):
    """The scores of one bot, against one opponent."""

    name: str
    points: Sequence[Measured]
    """By their games, ascending."""
    style: int = 0
    """The number of its colour and dash."""


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

    def __init__(self, parent: tk.Misc, theme: Theme, lines: int) -> None:
        height = lines * theme.body.metrics("linespace")
        super().__init__(parent, width=1, height=height, highlightthickness=0)
        self.theme = theme
        self.pointer: int | None = None
        """Where the mouse points, from the left."""
        for event in ("<Configure>", "<<ThemeChanged>>"):
            self.bind(event, lambda _: self.draw())
        self.bind("<Motion>", lambda event: self._point(event.x))
        self.bind("<Leave>", lambda _: self._point(None))

    def _point(self, x: int | None) -> None:
        self.pointer = x
        self.draw()

    def draw(self) -> None:
        """Draw everything again; a kind of picture goes on from here."""
        self.delete("all")
        self.configure(background=self.theme.colours.surface)

    def write(self, x: float, y: float, text: str, **look: Any) -> None:
        """Write *text*, by default to the right of a point, in the type of the theme."""
        usual: dict[str, Any] = {"anchor": "w", "font": self.theme.body}
        self.create_text(x, y, text=text, **{"fill": self.theme.colours.muted, **usual, **look})

    def head(self, title: str, reading: str) -> None:
        """Write the *title* at the top, and below it what is read at the pointer."""
        line = self.theme.body.metrics("linespace")
        self.write(8, line, title, font=self.theme.strong, fill=self.theme.colours.text)
        room = self.winfo_width() - 16
        self.write(8, 2 * line, fitted(reading, self.theme.body.measure, room))


class CurveChart(Drawing):
    """The curves of bots over the number of games, which is logarithmic as learning is."""

    def __init__(self, parent: tk.Misc, theme: Theme) -> None:
        super().__init__(parent, theme, 12)
        self.title = ""
        self.curves: Sequence[Curve] = ()
        self.mark: int | None = None
        """The games that an upright line marks."""

    def show(self, title: str, curves: Sequence[Curve], mark: int | None) -> None:
        self.title = title
        self.curves = curves
        self.mark = mark
        self.draw()

    def draw(self) -> None:
        super().draw()
        c = self.theme.colours
        measure = self.theme.body.measure
        line = self.theme.body.metrics("linespace")
        games = [one.games for curve in self.curves for one in curve.points if one.games]
        low = min(games, default=1)
        high = max([10 * low, *games])
        names = max(measure(name) for name in ("games", *(curve.name for curve in self.curves)))
        left = measure("100 % ") + 6
        right = self.winfo_width() - min(names + 2 * line, self.winfo_width() // 3)
        top = 3.6 * line
        bottom = self.winfo_height() - 1.5 * line

        def x(games: float) -> float:
            return left + (right - left) * math.log(max(games, low) / low) / math.log(high / low)

        def y(share: float) -> float:
            return bottom - (bottom - top) * share

        for percents in range(0, 101, 20):
            height = y(percents / 100)
            self.create_line(left, height, right, height, fill=c.hairline)
            self.write(left - 6, height, f"{percents} %", anchor="e")
        for power in range(math.ceil(math.log10(low)), math.floor(math.log10(high)) + 1):
            self.write(x(10**power), bottom + 0.8 * line, short(10**power), anchor="center")
        self.write(self.winfo_width() - 8, bottom + 0.8 * line, "games", anchor="e")
        if self.mark is not None:
            self.create_line(x(self.mark), top, x(self.mark), bottom, fill=c.accent)
        readings = []
        free = top
        for curve in sorted(self.curves, key=lambda curve: -curve.points[-1].score):
            colour = SERIES_COLOURS[self.theme.name][curve.style % COLOURS]
            places = [(x(one.games), y(one.score)) for one in curve.points]
            if len(places) > 1:
                dash = DASHES[curve.style // COLOURS % len(DASHES)]
                self.create_line(places, fill=colour, width=2, dash=dash)
            for (across, down), one in zip(places, curve.points, strict=True):
                self.create_oval(across - 3, down - 3, across + 3, down + 3, fill=colour, width=0)
                if one.sampled:
                    lowest, highest = interval(one)
                    self.create_line(across, y(lowest), across, y(highest), fill=colour)
            free = max(free, places[-1][1])
            self.write(right + line / 2, free, curve.name, fill=colour)
            free += line
            if self.pointer is not None:
                pointer = self.pointer
                near = min(curve.points, key=lambda one: abs(x(one.games) - pointer))
                after = counted(near.games, "game")
                readings.append(f"{curve.name} {score_text(near)} after {after}")
                across, down = x(near.games), y(near.score)
                self.create_oval(across - 6, down - 6, across + 6, down + 6, outline=c.text)
        usual = "Dots: games without exploring. Upright: 95 % intervals."
        self.head(self.title, ", ".join(readings) or usual if self.curves else "")


class SolvedBars(Drawing):
    """A bar for each number of moves made, filled as its positions are proven."""

    def __init__(self, parent: tk.Misc, theme: Theme) -> None:
        super().__init__(parent, theme, 8)
        self.solved: Sequence[int] = ()

    def show(self, solved: Sequence[int]) -> None:
        """Show how many positions of each ply are *solved*; without any, take no room."""
        self.solved = solved
        show_if(solved, self, self)
        self.draw()

    def draw(self) -> None:
        super().draw()
        c = self.theme.colours
        line = self.theme.body.metrics("linespace")
        top = 3 * line
        bottom = self.winfo_height() - 1.5 * line
        pitch = (self.winfo_width() - 16) / len(POSITIONS_BY_PLY)
        reading = "Proven won or lost. A bar: the positions after so many moves."
        for ply, (part, total) in enumerate(zip(self.solved, POSITIONS_BY_PLY, strict=False)):
            left = 8 + ply * pitch
            right = left + 0.84 * pitch
            filled = (bottom - top) * part / total
            self.create_rectangle(left, top, right, bottom, fill=c.pressed, width=0)
            self.create_rectangle(left, bottom - filled, right, bottom, fill=c.accent, width=0)
            if ply % 5 == 0:
                self.write(left, bottom + 0.8 * line, str(ply))
            if self.pointer is not None and left <= self.pointer < left + pitch:
                reading = f"After {counted(ply, 'move')}: {part:,} of {total:,}"
        share = percent_done(sum(self.solved), sum(POSITIONS_BY_PLY))
        self.head(f"Positions solved: {share}", reading)
