"""Charts as shapes: series over the games of a run, drawn at any size.

>>> ticks(0, 1_000_000, 4)
[0.0, 250000.0, 500000.0, 750000.0, 1000000.0]
>>> short(1_250_000), short(84_000), short(900)
('1.25 M', '84 k', '900')
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from traffic_lights.pictures.drawing import Box, Dot, Form, Line, Point, Shape, Text

MOST_POINTS: Final = 1500
"""Beyond as many points a series forgets every second one."""
SERIES_COLOURS: Final = {
    "light": ("#0b63d6", "#a14a00", "#00695c", "#7a2e8e"),
    "dark": ("#6fb1ff", "#ffb36b", "#5fd3bd", "#d9a3ec"),
    "high-contrast": ("#66d9ff", "#ffd166", "#7dffb2", "#ffb3ff"),
}
"""The colours of the lines of a chart; dashes, signs and labels tell them apart too."""
_FEW: Final = 30
"""Up to so many measurements have signs of full size."""
_DASHES: Final[tuple[tuple[int, ...], ...]] = ((), (7, 3), (2, 3), (9, 3, 2, 3))
_FORMS: Final[tuple[Form, ...]] = ("round", "square", "triangle", "diamond")


def short(value: float) -> str:
    """Return *value*, a count, in a few characters."""
    for unit, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= unit:
            return f"{value / unit:.3g} {letter}"
    return f"{value:.0f}"


def percent(value: float) -> str:
    """Return *value*, from 0 to 1, in whole percent."""
    return f"{100 * value:.0f} %"


def ticks(low: float, high: float, count: int) -> list[float]:
    """Return about *count* round numbers from *low* to *high*, ascending."""
    span = high - low
    if span <= 0 or count < 1:
        return [low]
    rough = span / count
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * m for m in (1, 2, 2.5, 5, 10) if power * m >= rough * 0.999)
    first = math.ceil(low / step - 1e-9)
    return [n * step for n in range(first, math.floor(high / step + 1e-9) + 1)]


@dataclass(slots=True)
class Series:
    """One line of a chart: points of games and a value, by ascending games."""

    name: str
    points: list[Point] = field(default_factory=list)
    reference: float | None = None
    """The best value there can be, drawn dotted."""
    _stride: int = 1
    _skipped: int = 0

    def add(self, games: float, value: float) -> None:
        """Add a point; a series that grows long keeps every second of its points."""
        self._skipped += 1
        if self._skipped < self._stride:
            return
        self._skipped = 0
        self.points.append((games, value))
        if len(self.points) > MOST_POINTS:
            self.points = self.points[::2]
            self._stride *= 2

    def forget_after(self, games: float) -> None:
        """Drop the points beyond *games*: what they tell of was not saved."""
        self.points = [point for point in self.points if point[0] <= games]


@dataclass(slots=True)
class Chart:
    """What one chart shows."""

    title: str
    series: list[Series]
    form: Callable[[float], str] = percent
    """How a value is written."""
    top: float | None = 1.0
    """The highest value of the axis; None: what the points need."""
    with_dots: bool = False
    """Whether each point has a sign: for measurements, few and scattered."""
    resumed_at: list[int] = field(default_factory=list)
    """The games at which the run was continued after a stop."""
    across: Series | None = None
    """A series whose games the axis has to span too, for charts to be compared."""

    def span(self) -> tuple[float, float]:
        """Return the lowest and highest games shown."""
        spanned = [*self.series, self.across] if self.across is not None else self.series
        lasts = [s.points[-1][0] for s in spanned if s.points]
        firsts = [s.points[0][0] for s in spanned if s.points]
        low = min([*firsts, *self.resumed_at], default=0.0)
        return (0.0 if low < 0.4 * max(lasts, default=0.0) else low), max([*lasts, low + 1])

    def height(self) -> float:
        """Return the highest value of the axis."""
        if self.top is not None:
            return self.top
        most = max((value for s in self.series for _, value in s.points), default=0.0)
        step = ticks(0, most * 1.05, 3)[1] if most > 0 else 1.0
        return step * math.ceil(most * 1.001 / step) or step

    def near(self, share: float) -> list[tuple[str, float, float]]:
        """Return (name, games, value) of each series at the point nearest to *share* of the axis.

        *share* goes from 0 at the left end to 1 at the right.
        """
        low, high = self.span()
        games = low + share * (high - low)
        return [
            (s.name, *min(s.points, key=lambda point: abs(point[0] - games)))
            for s in self.series
            if s.points
        ]

    def reading(self, share: float) -> str:
        """Return what the chart says at *share* of its axis; empty if nothing."""
        found = self.near(share)
        if not found:
            return ""
        values = ", ".join(
            (f"{name} " if len(self.series) > 1 else "") + self.form(value)
            for name, _, value in found
        )
        return f"game {short(found[0][1])}: {values}"


@dataclass(frozen=True, slots=True)
class Room:
    """The size of a chart and of its type, in pixels."""

    width: float
    height: float
    line: float
    """The height of a line of text."""
    letter: float
    """The width of an average letter."""

    def plot(self, chart: Chart) -> tuple[float, float, float, float]:
        """Return left, top, right, bottom of the part with the lines of *chart*."""
        labels = max((len(s.name) for s in chart.series), default=0) if len(chart.series) > 1 else 0
        edge = self.line * 0.5
        left = edge + self.letter * 5.5
        right = self.width - edge - (labels * self.letter + self.line * 0.6 if labels else edge)
        return left, self.line * 1.9, max(right, left + 20), self.height - self.line * 1.6


def shapes_of(chart: Chart, room: Room, hover: float | None = None) -> list[Shape]:
    """Return *chart* drawn to fit *room*; *hover* is the share of the axis pointed at."""
    left, top, right, bottom = room.plot(chart)
    low, high = chart.span()
    most = chart.height()

    def place(games: float, value: float) -> Point:
        x = left + (games - low) / (high - low) * (right - left)
        return x, bottom - min(max(value / most, 0.0), 1.0) * (bottom - top)

    shapes: list[Shape] = []
    rows = max(1, min(4, int((bottom - top) / (room.line * 1.7))))
    has_points = any(s.points for s in chart.series)
    for value in ticks(0, most, rows) if has_points or chart.top else [0.0]:
        y = place(low, value)[1]
        shapes.append(Line(((left, y), (right, y)), "grid"))
        shapes.append(Text(left - room.letter * 0.7, y, chart.form(value), "muted", "e"))
    if has_points:
        columns = max(3, int((right - left) / (room.letter * 9)))
        is_wide = right - left > room.letter * 12
        last = right - room.letter * (9 if is_wide else 2)
        for games in ticks(low, high, columns):
            x, _ = place(games, 0)
            shapes.append(Line(((x, bottom), (x, bottom + room.line * 0.25)), "axis"))
            if x < last:
                shapes.append(Text(x, bottom + room.line * 0.85, short(games), "muted", "center"))
        if is_wide:
            shapes.append(Text(right, bottom + room.line * 0.85, "games", "muted", "e"))
    shapes.append(Line(((left, bottom), (right, bottom)), "axis"))
    for games in chart.resumed_at:
        x, _ = place(games, 0)
        shapes.append(Line(((x, top), (x, bottom)), "axis", dash=(1, 3)))
        shapes.append(Text(x + 3, top + room.line * 0.45, "resumed", "muted"))
    for number, series in enumerate(chart.series):
        shapes += _series(chart, series, number, place, right)
    shapes += _end_labels(chart, room, place, right, hover)
    shapes += _heading(chart, room, hover)
    if hover is not None and chart.near(hover):
        x = left + hover * (right - left)
        shapes.append(Line(((x, top), (x, bottom)), "axis"))
    return shapes


def _heading(chart: Chart, room: Room, hover: float | None) -> Iterable[Shape]:
    """Return the title, and what the pointer is told if there is room for both, or instead."""
    edge, y = room.line * 0.5, room.line * 0.8
    found = chart.near(hover) if hover is not None else []
    if not found:
        return [Text(edge, y, chart.title, "text", strong=True)]
    said = f"game {short(found[0][1])}" if len(chart.series) > 1 else chart.reading(hover or 0.0)
    heading: list[Shape] = [Text(room.width - edge, y, said, "text", "e")]
    if (len(chart.title) * 1.15 + len(said) + 2) * room.letter < room.width:
        heading.append(Text(edge, y, chart.title, "text", strong=True))
    return heading


def _series(
    chart: Chart,
    series: Series,
    number: int,
    place: Callable[[float, float], Point],
    right: float,
) -> Iterable[Shape]:
    role = f"series {number % 4}"
    if series.reference is not None and series.points:
        y = place(0, series.reference)[1]
        left = place(chart.span()[0], 0)[0]
        yield Line(((left, y), (right, y)), role, 1, (1, 4))
    points = thinned([place(*point) for point in series.points])
    if len(points) > 1:
        yield Line(tuple(points), role, 2, _DASHES[number % 4])
    if chart.with_dots:
        # Many measurements are a cloud: smaller signs keep its lines to be seen.
        radius = 3.0 if len(points) <= _FEW else 1.5
        yield from (Dot(x, y, radius, role, _FORMS[number % 4]) for x, y in points)
    elif points:
        yield Dot(*points[-1], 3, role, _FORMS[number % 4])


def thinned(points: Sequence[Point]) -> list[Point]:
    """Return *points* without those within half a pixel of the one before; the last stays."""
    kept: list[Point] = []
    for point in points:
        if not kept or abs(point[0] - kept[-1][0]) + abs(point[1] - kept[-1][1]) >= 0.5:
            kept.append(point)
    if points and kept[-1] != points[-1]:
        kept.append(points[-1])
    return kept


def _end_labels(
    chart: Chart,
    room: Room,
    place: Callable[[float, float], Point],
    right: float,
    hover: float | None,
) -> Iterable[Shape]:
    """Name each line beside its end, none over another; with its value at the pointer."""
    if len(chart.series) < 2:
        return
    values = {name: value for name, _, value in chart.near(hover)} if hover is not None else {}
    ends = [
        (place(*series.points[-1])[1], number, series.name)
        for number, series in enumerate(chart.series)
        if series.points
    ]
    least = room.line * 0.95
    heights = spread([y for y, _, _ in ends], least, room.line * 2, room.height - room.line)
    for y, (_, number, name) in zip(heights, ends, strict=True):
        x, text, role = right + room.line * 0.5, name, f"series {number % 4}"
        if name in values:
            text = f"{name} {chart.form(values[name])}"
            x = min(x, room.width - room.line * 0.3 - len(text) * room.letter)
            yield Box(x - 3, y - least / 2, room.width, y + least / 2, "back")
        yield Text(x, y, text, role)


def spread(wanted: Sequence[float], least: float, low: float, high: float) -> list[float]:
    """Return places near *wanted*, in the same order, at least *least* apart.

    They lie from *low* to *high* as far as there is room.
    """
    order = sorted(range(len(wanted)), key=lambda i: (wanted[i], i))
    places = [0.0] * len(wanted)
    before = low - least
    for i in order:
        before = places[i] = max(wanted[i], before + least)
    after = high + least
    for i in reversed(order):
        after = places[i] = min(places[i], after - least)
    return places


def to_csv(charts: Iterable[Chart]) -> str:
    """Return every point of *charts* as CSV: chart, series, games, value."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("chart", "series", "games", "value"))
    for chart in charts:
        for series in chart.series:
            for games, value in series.points:
                writer.writerow((chart.title, series.name, round(games), repr(float(value))))
    return text.getvalue()
