"""Line charts as drawings of any size.

A chart joins its points by straight lines, so it never shows a value that was not measured. Each
line has its own colour and dash, and its name at its end. Figures on the axes go by steps of 1, 2
or 5, and the words "(log)" stand at an axis that is logarithmic.

>>> ticks(1_000_000, 5)
[0.0, 200000.0, 400000.0, 600000.0, 800000.0, 1000000.0]
>>> chart = Chart("Score", [ChartLine("One", [(10, 0.2), (100, 0.9)])])
>>> shapes = draw(chart, Room(400, 200, 16, 8))
>>> [shape.text for shape in shapes if isinstance(shape, Text)][:3]
['0 %', '20 %', '40 %']
"""

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from textwrap import wrap
from typing import Final, NamedTuple

from traffic_lights.drawing.palette import roles
from traffic_lights.storage.words import counted, fitted, interval_percent, percent
from traffic_lights.workshop.drawings import (
    READING,
    Area,
    Point,
    Room,
    Shape,
    Stroke,
    Text,
    bar,
    fits,
    heading,
    short,
    svg_element,
)

COLOURS: Final = 6
"""How many colours the lines of a chart have; more lines differ in their dashes too."""
_DASHES: Final[tuple[tuple[int, ...], ...]] = ((), (7, 3), (2, 3), (9, 3, 2, 3), (14, 4))
"""As many as are coprime to the colours: only the 31st line looks like the first."""
_DOTS: Final = ((12, 0.0, 1.0), (4, 0.5, 1.4), (3, 0.0, 1.25), (4, 0.0, 1.25))
"""The dots on lines: the number of their corners, by what share of a corner they are turned, and
how large they are."""
_DOTTED: Final = (1, 4)
"""The dash of the lines at milestones."""
_MILESTONES: Final = 1.2
"""The height of the row of milestones, in lines of text."""
_LEAST_PLOT: Final = 4
"""With milestones, the plot has at least so many lines of text."""
_FEW: Final = 60
"""A line of more points has smaller dots."""


class Sampled(NamedTuple):
    """The games that a share was estimated from, and its 95 % interval."""

    games: int
    low: float
    high: float


class ChartLine(NamedTuple):
    """One line of a chart."""

    name: str
    points: Sequence[Point]
    """The games, ascending, and a share from 0 to 1."""
    style: int = 0
    """The number of its colour, dash and dot."""
    samples: Mapping[float, Sampled] | None = None
    """The points that are not exact, by their games; None if that is not known of any.

    They have an upright line that shows their interval.
    """
    milestones: Sequence[tuple[float, str]] = ()
    """What happened first after how many games, ascending, in a word or two."""


_Near = tuple[ChartLine, Point]
"""A line, and its point that is read."""


@dataclass(frozen=True, slots=True)
class Chart:
    """Lines over the number of games, with a title and two axes."""

    title: str
    """What is measured: the figures of the axis upwards are shares of it."""
    lines: Sequence[ChartLine]
    is_log: bool = False
    """Whether the axis across is logarithmic; it then begins at the first point above 0 games."""
    mark: float | None = None
    """The number of games that an upright line marks."""
    note: str = ""
    """A sentence in the middle while no point is above 0."""
    caption: str = ""
    """What the points are; it stands where a point is read while none is."""
    before_milestones: str = ""
    """A word before the milestones of the first line that has some."""


class Axes:
    """Where the plot of *chart* lies in *room* and which games its edges stand for.

    The axis upwards always goes from 0 to 100 %, so that a low curve does not look like success.
    """

    def __init__(self, chart: Chart, room: Room) -> None:
        games = [x for line in chart.lines for x, _ in line.points]
        self.is_log = chart.is_log
        self.low = 0.0
        self.high = max([*games, 1.0])
        if chart.is_log:
            first = min((x for x in games if x > 0), default=1.0)
            self.high = max([*games, 10 * first])
            self.low = first
        self.unit = "games (log)" if chart.is_log else "games"
        # The names of the lines stand at the right, and below them the unit.
        names = max((len(line.name) for line in chart.lines), default=0) + 5
        letters = max(names, len(self.unit) + 4)
        margin = min(letters * room.letter, room.width / 3)
        self.left = room.line / 2 + 6 * room.letter
        self.right = max(room.width - room.line - margin, self.left + 20)
        self.bottom = room.height - 1.6 * room.line
        self.reading_lines = _reading_lines(chart, room, self.bottom)
        """The lines under the title that are kept for what is read at the pointer."""
        self.top = (1.9 + READING * self.reading_lines) * room.line
        # They stand where the plot would begin without them.
        self.milestone_shapes = _milestone_shapes(chart, room, self)
        if self.milestone_shapes:
            self.top += _MILESTONES * room.line

    def x(self, games: float) -> float:
        """Return the distance from the left of a number of *games*, at least that of the axis."""
        if self.is_log:
            share = math.log(max(games, self.low) / self.low) / math.log(self.high / self.low)
        else:
            share = games / self.high
        return self.left + min(share, 1.0) * (self.right - self.left)

    def y(self, share: float) -> float:
        """Return the distance from the top of a *share* from 0 to 1."""
        return self.bottom - share * (self.bottom - self.top)

    def upright(self, x: float, role: str) -> Stroke:
        """Return a line over the whole height at *x*."""
        return Stroke(((x, self.top), (x, self.bottom)), role)

    def figures(self, letter: float) -> list[float]:
        """Return the numbers of games to write at the axis, in steps of 1, 2 or 5, ascending."""
        width = self.right - self.left
        if not self.is_log:
            return ticks(self.high, max(2, int(width / (9 * letter))))
        decade = width / math.log10(self.high / self.low)
        # The steps from 1 to 2 and from 5 to 10 are the shortest, three tenths of a decade.
        steps = (1, 2, 5) if 0.3 * decade >= 6 * letter else (1,)
        every = math.ceil(6 * letter / decade)
        return [games for games in self._multiples(steps, every) if self.low <= games <= self.high]

    def _multiples(self, steps: Sequence[int], every: int = 1) -> list[float]:
        """Return the *steps* times each power of ten around the axis, or times one of *every*."""
        first = math.floor(math.log10(self.low))
        last = math.ceil(math.log10(self.high))
        powers = [power for power in range(first, last + 1) if power % every == 0]
        return [10.0**power * step for power in powers for step in steps]

    def fine_marks(self) -> list[float]:
        """Return where a logarithmic axis has a mark; they stand closer towards each power."""
        if not self.is_log:
            return []
        return [games for games in self._multiples(range(1, 10)) if self.low <= games <= self.high]


def ticks(high: float, count: int) -> list[float]:
    """Return at most *count* steps of 1, 2 or 5 times a power of ten, from 0 to *high*.

    The steps are whole numbers, so a small *high* may have fewer.
    """
    rough = high / count
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * m for m in (1, 2, 5, 10) if power * m >= rough * 0.999)
    step = math.ceil(step - 1e-9)
    return [float(n * step) for n in range(math.floor(high / step + 1e-9) + 1)]


def stops(chart: Chart, room: Room) -> list[float]:
    """Return the x coordinates of the points of *chart*, ascending, for going along by keys."""
    axes = Axes(chart, room)
    return sorted({axes.x(games) for line in chart.lines for games, _ in line.points})


def draw(chart: Chart, room: Room, pointer: float | None = None) -> list[Shape]:
    """Return *chart* drawn to fit *room*; *pointer* is the x coordinate that is pointed at.

    The figures of the point of each line that is nearest to the pointer are at the title.
    """
    axes = Axes(chart, room)
    shapes: list[Shape] = [*_grid(chart, room, axes)]
    if chart.mark is not None:
        shapes.append(axes.upright(axes.x(chart.mark), "accent"))
    near: list[_Near] = []
    if pointer is not None:
        at = min(max(pointer, axes.left), axes.right)
        near = [(line, _nearest(line.points, axes, at)) for line in chart.lines if line.points]
        rings = [(axes.x(games), axes.y(share)) for _, (games, share) in near]
        shapes.append(axes.upright(at, "border"))
        shapes += _dots(0, rings, 0.32 * room.line, "text")
    for line in chart.lines:
        places = _places(line.points, axes)
        radius = (0.18 if len(places) <= _FEW else 0.09) * room.line
        dots = _apart_from_the_end(places, 2 * radius)
        shapes += _intervals(line, axes, {x for x, _ in dots})
        shapes += _line(line.style, places, dots, radius)
    shapes += axes.milestone_shapes
    shapes += _names(chart, room, axes)
    if chart.note and not any(share for line in chart.lines for _, share in line.points):
        shapes.append(_note(chart.note, room, axes))
    kept = axes.reading_lines

    def has_room(text: str) -> bool:
        return len(wrap(text, room.letters)) <= kept if kept else fits(chart.title, text, room)

    reading = _reading(near, chart)
    while len(near) > 1 and not has_room(reading):
        near.pop()
        reading = f"{_reading(near, chart)}, …"
    if reading:
        return [*shapes, *heading(chart.title, reading, room, axes.reading_lines)]
    caption = chart.caption
    if not axes.reading_lines and not fits(chart.title, caption, room):
        caption = ""
    return [*shapes, *heading(chart.title, caption, room, axes.reading_lines, "muted")]


def _milestone_shapes(chart: Chart, room: Room, axes: Axes) -> list[Shape]:
    """Return the milestones of the first line that has some, in a row at the top of *axes*.

    They are left out if not all of them fit.
    """
    line = next((line for line in chart.lines if line.milestones), None)
    if line is None or axes.bottom - axes.top < (_MILESTONES + _LEAST_PLOT) * room.line:
        return []
    role = f"series-{line.style % COLOURS}"
    texts = [f"{name} from {short(games)}" for games, name in line.milestones]
    texts[0] = f"{chart.before_milestones} {texts[0]}"
    texts[-1] += " games"
    places = [axes.x(games) for games, _ in line.milestones]
    sizes = [(len(text) + 2) * room.letter for text in texts]
    lefts = _apart(places, sizes, room.width)
    if lefts[0] < axes.left:
        return []
    y = axes.top + 0.2 * room.line
    top = axes.top + _MILESTONES * room.line
    shapes: list[Shape] = []
    for x, left, text in zip(places, lefts, texts, strict=True):
        shapes.append(Stroke(((x, top), (x, axes.bottom)), role, 1, _DOTTED))
        shapes.append(Text(left, y, text, role))
    return shapes


def _intervals(line: ChartLine, axes: Axes, dots: Collection[float]) -> Iterator[Shape]:
    """Yield an upright line for each point of *line* that is not exact and has one of the *dots*.

    Those are x coordinates.
    """
    samples = line.samples or {}
    for games, _ in line.points:
        x = axes.x(games)
        sample = samples.get(games)
        if sample and x in dots:
            ends = (x, axes.y(sample.low)), (x, axes.y(sample.high))
            yield Stroke(ends, f"series-{line.style % COLOURS}")


@dataclass(frozen=True, slots=True)
class SmallCurves:
    """Small curves below a *chart* of one line, which they explain."""

    chart: Chart
    curves: Mapping[str, Sequence[Point]]
    """The points of each, over the same games, by its title."""


def draw_small(below: SmallCurves, room: Room, pointer: float | None = None) -> list[Shape]:
    """Return the curves *below* a chart side by side, each upwards from 0, over all the games.

    What they are at the games that *pointer* is over is under each of them.
    """
    axes = Axes(below.chart, room)
    length = axes.right - axes.left
    wide = room.width / len(below.curves)
    plot = wide - axes.left - room.line
    top = 1.5 * room.line
    bottom = room.height - 1.3 * room.line
    y_below = room.height - 0.5 * room.line
    shapes: list[Shape] = []
    for place, (name, points) in enumerate(below.curves.items()):
        start = place * wide
        left = start + axes.left
        title = fitted(name, len, (wide - room.line) / room.letter)
        shapes.append(Text(start + room.line / 2, 0.6 * room.line, title))
        shapes.append(Stroke(((left, bottom), (left + plot, bottom)), "border"))
        highest = max(value for _, value in points)
        labels = ((bottom, 0.0), (top, highest)) if highest else ((bottom, 0.0),)
        for y, value in labels:
            shapes.append(Text(left - 0.7 * room.letter, y, f"{value:.2g}", "muted", "e"))
        places = [
            (
                left + plot * (axes.x(games) - axes.left) / length,
                bottom - (bottom - top) * value / (highest or 1.0),
            )
            for games, value in points
        ]
        shapes += _line(below.chart.lines[0].style, places, (), 0)
        if pointer is None:
            shapes.append(Text(left, y_below, short(axes.low), "muted"))
            end = f"{short(axes.high)} {axes.unit}"
            shapes.append(Text(left + plot, y_below, end, "muted", "e"))
        else:
            at = axes.left + length * (pointer % wide - axes.left) / plot
            games, value = _nearest(points, axes, at)
            text = f"{counted(round(games), 'game')}: {value:.3g}"
            shapes.append(Text(left, y_below, fitted(text, len, plot / room.letter)))
    return shapes


def _nearest(points: Sequence[Point], axes: Axes, at: float) -> Point:
    """Return the one of *points* that is nearest to the x coordinate *at*."""
    return min(points, key=lambda point: abs(axes.x(point[0]) - at))


def _places(points: Sequence[Point], axes: Axes) -> list[Point]:
    """Return where *points* stand, without those that lie on the one before.

    A long training measures more points than there are pixels.
    """
    places: list[Point] = []
    for games, share in points:
        place = axes.x(games), axes.y(share)
        if not places or math.dist(place, places[-1]) >= 0.5:
            places.append(place)
    return places


def _apart_from_the_end(places: Sequence[Point], least: float) -> list[Point]:
    """Return those of *places* that are at least so far apart: the last one, and others before."""
    apart: list[Point] = []
    for place in reversed(places):
        if not apart or math.dist(place, apart[-1]) >= least:
            apart.append(place)
    return apart


def _note(note: str, room: Room, axes: Axes) -> Text:
    """Return the *note* near the middle of the plot, between two lines of the grid."""
    x = (axes.left + axes.right) / 2
    lines = [axes.y(percents / 100) for percents in _percents(room, axes)]
    below = (len(lines) - 1) // 2
    y = (lines[below] + [*lines, axes.top][below + 1]) / 2
    most = (axes.right - axes.left) / room.letter
    return Text(x, y, fitted(note, len, most), "muted", "center")


def _reading_lines(chart: Chart, room: Room, bottom: float) -> int:
    """Return how many lines the longest reading of *chart* needs; 0 if it fits after the title.

    They leave enough of the height, down to *bottom*, for the names of the lines.
    """
    reading = _reading(
        [(line, (line.points[-1][0], 1.0)) for line in chart.lines if line.points], chart
    )
    most = room.letters
    if fits(chart.title, reading, room):
        return 0
    names = max(3, len(chart.lines))
    free = int((bottom / room.line - 1.9 - names) / READING)
    return max(0, min(math.ceil(len(reading) / most), 2, free))


def _reading(near: Sequence[_Near], chart: Chart) -> str:
    """Return the figures of the points in *near*, with the games of each, or of all if they agree.

    It is empty if there are none.
    """
    texts = [f"{line.name} {_share(line, point, chart)}" for line, point in near]
    games = [games for _, (games, _) in near]
    if len(set(games)) == 1:
        return f"{counted(round(games[0]), 'game')}: {', '.join(texts)}"
    pairs = zip(texts, games, strict=True)
    return ", ".join(f"{text} at {counted(round(number), 'game')}" for text, number in pairs)


def _share(line: ChartLine, point: Point, chart: Chart) -> str:
    """Return the share of a *point* of *line* in *chart*, and how far it can be trusted."""
    games, share = point
    if line.samples is None:
        return percent(share)
    sample = line.samples.get(games)
    if sample is None:
        return f"{percent(share)} (exact)"
    if len(chart.lines) > 1:  # so that two fit next to the title
        bounds = f"{math.floor(100 * sample.low)}–{math.ceil(100 * sample.high)} %"
        return f"{percent(share, 0)} ({bounds})"
    interval = interval_percent(sample.low, sample.high)
    return f"{percent(share)} ({interval} from {sample.games:,} games)"


def _grid(chart: Chart, room: Room, axes: Axes) -> Iterator[Shape]:
    """Yield the lines and figures of both axes; figures that would touch are left out."""
    for percents in _percents(room, axes):
        y = axes.y(percents / 100)
        yield Stroke(((axes.left, y), (axes.right, y)), "hairline" if percents else "border")
        yield Text(axes.left - 0.7 * room.letter, y, f"{percents:.0f} %", "muted", "e")
    if not any(line.points for line in chart.lines):
        return
    y = axes.bottom + 0.85 * room.line
    end = room.width - room.line / 2
    # A letter is narrower than a digit on average.
    free = end - (0.9 * len(axes.unit) + 0.5) * room.letter
    before = -math.inf
    for games in axes.fine_marks():
        x = axes.x(games)
        yield Stroke(((x, axes.bottom), (x, axes.bottom + 0.12 * room.line)), "border")
    for games in axes.figures(room.letter):
        x = axes.x(games)
        text = short(games)
        half = room.letter * len(text) / 2
        yield Stroke(((x, axes.bottom), (x, axes.bottom + 0.25 * room.line)), "border")
        if before + room.letter <= x - half and x + half <= free:
            yield Text(x, y, text, "muted", "center")
            before = x + half
    yield Text(end, y, axes.unit, "muted", "e")


def _percents(room: Room, axes: Axes) -> list[float]:
    """Return the percentages at the axis upwards, ascending from 0."""
    rows = max(1, min(5, int((axes.bottom - axes.top) / (1.7 * room.line))))
    return ticks(100, rows)


def _line(
    number: int, places: Sequence[Point], dots: Sequence[Point], radius: float
) -> Iterator[Shape]:
    role = f"series-{number % COLOURS}"
    if len(places) > 1:
        yield Stroke(places, role, 2, _DASHES[number % len(_DASHES)])
    yield from _dots(number, dots, radius, role)


def _dots(number: int, dots: Sequence[Point], radius: float, role: str) -> Iterator[Shape]:
    corners, turned, size = _DOTS[number % len(_DOTS)]
    turns = [2 * math.pi * (corner + turned) / corners for corner in range(corners)]
    dot = [(radius * size * math.sin(turn), -radius * size * math.cos(turn)) for turn in turns]
    for x, y in dots:
        yield Area([(x + right, y + down) for right, down in dot], role)


def _names(chart: Chart, room: Room, axes: Axes) -> Iterator[Shape]:
    """Yield the name of each line at the height of its end."""
    lines = sorted(chart.lines, key=lambda line: _end(line, axes))
    pitch = min(1.15 * room.line, (axes.bottom - axes.top) / max(1, len(lines)))
    x = axes.right + 0.6 * room.line
    end = x + room.line
    left = x + 1.3 * room.line
    most = max(1, (room.width - left - 0.1 * room.line) // room.letter)
    heights = _apart(
        [_end(line, axes) for line in lines], [pitch] * len(lines), axes.bottom + pitch
    )
    for y, line in zip(heights, lines, strict=True):
        role = f"series-{line.style % COLOURS}"
        is_whole = bool(line.points) and axes.x(line.points[-1][0]) >= axes.right
        if is_whole and y != _end(line, axes):  # other names have moved this one away
            yield Stroke(((axes.right, _end(line, axes)), (x, y)), role)
        yield from _line(line.style, [(x, y), (end, y)], [((x + end) / 2, y)], 0.18 * room.line)
        text = fitted(line.name, len, most, keeps_end=True)
        yield Text(left, y, text, role)


def _end(line: ChartLine, axes: Axes) -> float:
    """Return the height at which *line* ends."""
    return axes.y(line.points[-1][1]) if line.points else axes.bottom


def _apart(starts: Sequence[float], sizes: Sequence[float], end: float) -> list[float]:
    """Return the ascending *starts* of things of *sizes*, moved so that none touches the next.

    All of them end before *end*.

    >>> _apart([0, 1, 50], [10, 10, 10], 60), _apart([40, 50, 50], [10, 10, 10], 60)
    ([0, 10, 50], [30, 40, 50])
    """
    moved = list(starts)
    for n in range(1, len(moved)):
        moved[n] = max(moved[n], moved[n - 1] + sizes[n - 1])
    for n in reversed(range(len(moved))):
        end = moved[n] = min(moved[n], end - sizes[n])
    return moved


def to_svg(charts: Sequence[Chart]) -> str:
    """Return *charts*, one below the other, as an SVG picture for light and dark pages."""
    room = Room(860, 330, 17, 7.5)
    height = room.height * len(charts)
    colours = roles("light")
    # A rule has precedence over the attributes of an element.
    rules = (f".{role} {{ color: {colour}; }}" for role, colour in roles("dark").items())
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{room.width}" height="{height}" '
        f'viewBox="0 0 {room.width} {height}" font-family="system-ui, sans-serif" font-size="13" '
        f'role="img" aria-label="{escape(". ".join(chart.title for chart in charts))}">',
        "<style>", "@media (prefers-color-scheme: dark) {", *rules, "}", "</style>",
    ]  # fmt: skip
    paper = bar(0, 0, room.width, room.height, "surface")
    for number, chart in enumerate(charts):
        lines.append(f'<g transform="translate(0 {number * room.height})">')
        lines += [svg_element(shape, colours[shape.role]) for shape in (paper, *draw(chart, room))]
        lines.append("</g>")
    return "\n".join([*lines, "</svg>"])
