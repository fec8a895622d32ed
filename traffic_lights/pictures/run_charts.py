"""The charts of the old training window: removed together with it."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final

from traffic_lights.pictures.charts import Room, fitted, short, thinned, ticks
from traffic_lights.pictures.drawing import Box, Dot, Form, Point, Shape, Stroke, Text
from traffic_lights.pictures.series import Series, trend
from traffic_lights.pictures.shares import whole_percent

_RESUMED: Final = "resumed"
_FEW: Final = 30
"""Up to so many measurements have signs of full size."""
_DASHES: Final[tuple[tuple[int, ...], ...]] = ((), (7, 3), (2, 3), (9, 3, 2, 3))
_FORMS: Final[tuple[Form, ...]] = ("round", "square", "triangle", "diamond")


@dataclass(slots=True)
class RunChart:
    """What one chart shows."""

    title: str
    series: list[Series]
    form: Callable[[float], str] = whole_percent
    """How a value is written."""
    is_count: bool = False
    """Whether the values are whole numbers."""
    top: float | None = 1.0
    """The highest value that there can be; None: there is no such."""
    with_dots: bool = False
    """Whether each point has a sign, and the line is their trend: for scattered measurements."""
    resumed_at: list[int] = field(default_factory=list)
    """The games at which the run was continued after a stop."""
    across: Series | None = None
    """A series whose games the axis has to span too, for charts to be compared."""
    others: list[Series] = field(default_factory=list)
    """The same of another run, drawn thin: one for each of *series*, in their order."""
    other_name: str = ""
    """Whose run that is."""
    brief: str = ""
    """The title where another run has to be named beside it."""

    def span(self) -> tuple[float, float]:
        """Return the lowest and highest games shown."""
        spanned = [*self.series, *self.others]
        if self.across is not None:
            spanned.append(self.across)
        lasts = [s.points[-1][0] for s in spanned if s.points]
        firsts = [s.points[0][0] for s in spanned if s.points]
        low, last = min([*firsts, *self.resumed_at], default=0.0), max(lasts, default=0.0)
        is_single = low == last and not self.resumed_at
        return (0.0 if is_single or low < 0.4 * last else low), max(last, low + 1)

    def height(self) -> float:
        """Return the highest value of the axis."""
        if self.top is not None:
            return self.top
        shown = (*self.series, *self.others)
        most = max((value for s in shown for _, value in s.points), default=0.0)
        if self.is_count:
            most = math.ceil(most)  # a mean of counts may be below 1
        step = ticks(0, most * 1.05, 3, is_whole=self.is_count)[1] if most > 0 else 1.0
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


def plot(room: Room, chart: RunChart) -> tuple[float, float, float, float]:
    """Return left, top, right, bottom of the part with the lines of *chart*."""
    labels = max((len(s.name) for s in chart.series), default=0) if len(chart.series) > 1 else 0
    edge = room.line * 0.5
    left = edge + room.letter * 5.5
    right = room.width - edge - (labels * room.letter + room.line * 1.5 if labels else edge)
    return left, room.line * 1.9, max(right, left + 20), room.height - room.line * 1.6


def shapes_of(chart: RunChart, room: Room, hover: float | None = None) -> list[Shape]:
    """Return *chart* drawn to fit *room*; *hover* is the share of the axis pointed at."""
    left, top, right, bottom = plot(room, chart)
    low, high = chart.span()
    most = chart.height()

    def place(games: float, value: float) -> Point:
        x = left + (games - low) / (high - low) * (right - left)
        return x, bottom - min(max(value / most, 0.0), 1.0) * (bottom - top)

    shapes: list[Shape] = []
    rows = max(1, min(4, int((bottom - top) / (room.line * 1.7))))
    has_points = any(s.points for s in (*chart.series, *chart.others))
    values = ticks(0, most, rows, is_whole=chart.is_count)
    for value in values if has_points or chart.top else [0.0]:
        y = place(low, value)[1]
        shapes.append(Stroke(((left, y), (right, y)), "grid"))
        shapes.append(Text(left - room.letter * 0.7, y, chart.form(value), "muted", "e"))
    if has_points:
        shapes += _games_axis(chart, room)
    shapes.append(Stroke(((left, bottom), (right, bottom)), "axis"))
    for games in chart.resumed_at:
        x, _ = place(games, 0)
        shapes.append(Stroke(((x, top), (x, bottom)), "axis", dash=(1, 3)))
        has_room = x + 3 + len(_RESUMED) * room.letter <= right
        y = top + room.line * 0.45
        shapes.append(
            Text(x + 3, y, _RESUMED, "muted")
            if has_room
            else Text(x - 3, y, _RESUMED, "muted", "e")
        )
    for number, series in enumerate(chart.others):
        role = f"series {number % 4}" if len(chart.others) > 1 else "muted"
        shapes += _thin_series(series, number, role, place)
    for number, series in enumerate(chart.series):
        shapes += _series(chart, series, number, place, right)
    shapes += _labels(chart, room, hover)
    shapes += _heading(chart, room, hover)
    if hover is not None and chart.near(hover):
        x = left + hover * (right - left)
        shapes.append(Stroke(((x, top), (x, bottom)), "axis"))
    return shapes


def _games_axis(chart: RunChart, room: Room) -> Iterable[Shape]:
    """Return the marks of the games with their figures: those of both ends if few have room."""
    left, _, right, bottom = plot(room, chart)
    low, high = chart.span()
    is_wide = right - left > room.letter * 16
    columns = max(1, int((right - left) / (room.letter * 9)))
    marks = {
        left + (games - low) / (high - low) * (right - left): short(games)
        for games in ticks(low, high, columns, is_whole=True)
    }
    named = {x: text for x, text in marks.items() if x < right - room.letter * 9}
    unit = "games"
    if not is_wide or len(named) < 2:
        named, marks = {left: short(low)}, {left: short(low), right: short(high)}
        unit = f"{short(high)} games" if is_wide else short(high)
    for x in marks:
        yield Stroke(((x, bottom), (x, bottom + room.line * 0.25)), "axis")
    for x, text in named.items():
        yield Text(x, bottom + room.line * 0.85, text, "muted", "center")
    yield Text(right, bottom + room.line * 0.85, unit, "muted", "e")


def _heading(chart: RunChart, room: Room, hover: float | None) -> Iterable[Shape]:
    """Return the title, and what the pointer is told if there is room for both, or instead.

    While nothing is pointed at, the run that is laid over is named there, as far as it fits.
    """
    edge, y = room.line * 0.5, room.line * 0.8
    other = f"thin: {chart.other_name}" if chart.other_name else ""

    def left_beside(title: str) -> int:
        return int((room.width - 2 * edge) / room.letter - len(title) * 1.15 - 3)

    is_short = bool(other) and left_beside(chart.title) < len(other)
    words = chart.brief if is_short and chart.brief else chart.title
    left, title = left_beside(words), Text(edge, y, words, "text", strong=True)
    found = chart.near(hover) if hover is not None else []
    if not found:
        if not other or left < 6:
            return [title]
        return [title, Text(room.width - edge, y, fitted(other, left), "muted", "e")]
    said = f"game {short(found[0][1])}" if len(chart.series) > 1 else chart.reading(hover or 0.0)
    heading: list[Shape] = [Text(room.width - edge, y, said, "text", "e")]
    return [*heading, title] if len(said) <= left else heading


def _series(
    chart: RunChart,
    series: Series,
    number: int,
    place: Callable[[float, float], Point],
    right: float,
) -> Iterable[Shape]:
    role = f"series {number % 4}"
    low, most = chart.span()[0], chart.height()
    if series.reference is not None and series.points and series.reference <= most:
        left, y = place(low, series.reference)
        yield Stroke(((left, y), (right, y)), role, 1, (1, 4))
    values = trend(series.points, _calm(len(series.points))) if chart.with_dots else series.points
    points = thinned([place(*point) for point in values])
    if len(points) > 1:
        yield Stroke(tuple(points), role, 2, _DASHES[number % 4])
    form = _FORMS[number % 4]
    if chart.with_dots:
        # Many measurements are a cloud: smaller signs keep its lines to be seen.
        radius = 3.0 if len(series.points) <= _FEW else 1.5
        yield from (Dot(*place(*point), radius, role, form) for point in series.points)
    elif points:
        yield Dot(*points[-1], 3, role, form)


def _thin_series(
    series: Series, number: int, role: str, place: Callable[[float, float], Point]
) -> Iterable[Shape]:
    """Yield the line of another run, thin and under this one's, with the same dash and signs."""
    points = thinned([place(*p) for p in trend(series.points, _calm(len(series.points)))])
    if len(points) > 1:
        yield Stroke(tuple(points), role, 1, _DASHES[number % 4])
    if len(series.points) <= _FEW:
        yield from (Dot(*place(*p), 2, role, _FORMS[number % 4]) for p in series.points)


def _calm(count: int) -> int:
    """Return over how many of *count* scattered measurements their trend is a mean."""
    return min(15, count // 4) // 2 * 2 + 1


def _labels(chart: RunChart, room: Room, hover: float | None) -> Iterable[Shape]:
    """Name each line at the right, with its sign, in a place that it keeps.

    At the pointer the values stand beside the names.
    """
    if len(chart.series) < 2:
        return
    _, top, right, bottom = plot(room, chart)
    values = {name: value for name, _, value in chart.near(hover)} if hover is not None else {}
    pitch = min(room.line * 1.2, (bottom - top) / len(chart.series))
    x, sample = right + room.line * 0.3, room.line * 0.9
    for number, series in enumerate(chart.series):
        role, y = f"series {number % 4}", top + (number + 0.5) * pitch
        if series.name in values:
            text = f"{series.name} {chart.form(values[series.name])}"
            start = room.width - room.line * 0.3 - len(text) * room.letter
            yield Box(start - 3, y - pitch / 2, room.width, y + pitch / 2, "back")
            yield Text(start, y, text, role)
            continue
        yield Stroke(((x, y), (x + sample, y)), role, 2, _DASHES[number % 4])
        yield Dot(x + sample / 2, y, 3, role, _FORMS[number % 4])
        yield Text(x + sample + room.line * 0.2, y, series.name, role)


def to_csv(charts: Iterable[RunChart], whose: tuple[str, str] = ("", "")) -> str:
    """Return every point of *charts* as CSV: bot, settings, chart, series, games, value.

    *whose* are the bot and the settings; a run that is laid over has its name alone.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("bot", "settings", "chart", "series", "games", "value"))
    for chart in charts:
        named = [*((whose, s) for s in chart.series)]
        named += [((chart.other_name, ""), s) for s in chart.others]
        for who, series in named:
            for games, value in series.points:
                row = (*who, chart.title, series.name, round(games), repr(float(value)))
                writer.writerow(row)
    return text.getvalue()
