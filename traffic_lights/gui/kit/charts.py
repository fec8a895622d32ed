"""Line charts, the strip of solved positions and the heat map, as drawings of any size.

A drawing is a list of shapes, the back ones first; a canvas shows the same as an SVG file.
Coordinates are pixels from the upper left corner. A shape names its colour by its *role*, and the
painter knows the colour of each role. Nothing here needs a display.

A chart joins its points by straight lines, so it never shows a value that was not measured. Each
line has its own colour and dash, and its name at its end.

>>> ticks(1_000_000, 4)
[0.0, 250000.0, 500000.0, 750000.0, 1000000.0]
>>> short(1_250_000), short(84_000), short(900)
('1.25 M', '84 k', '900')
>>> chart = Chart("Score", [("One", [(10, 0.2), (100, 0.9)])])
>>> shapes = draw(chart, Room(400, 200, 16, 8))
>>> [shape.text for shape in shapes if isinstance(shape, Text)][:3]
['0 %', '25 %', '50 %']
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final, Literal

from traffic_lights.gui.kit.palette import SERIES_COLOURS
from traffic_lights.system.words import percent, percent_done

Point = tuple[float, float]
Form = Literal["round", "square", "triangle", "diamond"]
Anchor = Literal["w", "e", "center"]


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line through two points or more."""

    points: tuple[Point, ...]
    role: str = "text"
    width: float = 1.0
    """In pixels at 96 dpi; a window draws it as much thicker as its type is larger."""
    dash: tuple[int, ...] = ()
    """Lengths in pixels, drawn and left out in turn; empty: solid."""


@dataclass(frozen=True, slots=True)
class Box:
    """A filled rectangle."""

    x0: float
    y0: float
    x1: float
    y1: float
    role: str


@dataclass(frozen=True, slots=True)
class Dot:
    """A small filled sign around a point."""

    x: float
    y: float
    radius: float
    """In pixels at 96 dpi, too."""
    role: str
    form: Form = "round"


@dataclass(frozen=True, slots=True)
class Text:
    """One line of text, at the height of its middle."""

    x: float
    y: float
    text: str
    role: str = "text"
    anchor: Anchor = "w"
    strong: bool = False


Shape = Stroke | Box | Dot | Text


_CORNERS: Final[dict[Form, tuple[Point, ...]]] = {
    "round": ((-1, -1), (1, 1)),
    "square": ((-1, -1), (1, -1), (1, 1), (-1, 1)),
    "triangle": ((0, -1.15), (1.1, 0.85), (-1.1, 0.85)),
    "diamond": ((0, -1.25), (1.25, 0), (0, 1.25), (-1.25, 0)),
}
_ANCHORS: Final = {"w": "start", "e": "end", "center": "middle"}


def corners(dot: Dot, scale: float = 1) -> tuple[Point, ...]:
    """Return the corners of *dot*, enlarged by *scale*; those of its box if it is round."""
    radius = dot.radius * scale
    return tuple((dot.x + radius * x, dot.y + radius * y) for x, y in _CORNERS[dot.form])


def to_svg(
    drawings: Sequence[Sequence[Shape]],
    size: tuple[int, int],
    light: Mapping[str, str],
    dark: Mapping[str, str],
    title: str,
) -> str:
    """Return *drawings* of one *size*, one below the other, as an SVG document.

    *light* and *dark* are the colours by role; a viewer shows those that its user prefers. *title*
    describes the picture to screen readers.
    """
    width, height = size[0], size[1] * len(drawings)
    body: list[str] = []
    for number, shapes in enumerate(drawings):
        elements = (_element(shape, light[shape.role]) for shape in shapes)
        body += [f'<g transform="translate(0 {number * size[1]})">', *elements, "</g>"]
    label = escape(title, quote=False).replace('"', "&quot;")
    roles = {"back", *(shape.role for shapes in drawings for shape in shapes)}
    rules = (  # a rule has precedence over the attributes of an element
        f".{role} {{ fill: {dark[role]}; }} .line-{role} {{ stroke: {dark[role]}; }}"
        for role in sorted(roles)
    )
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" font-family="system-ui, sans-serif" font-size="13" '
            f'role="img" aria-label="{label}">',
            "<style>", "@media (prefers-color-scheme: dark) {", *rules, "}", "</style>",
            f'<rect width="{width}" height="{height}" class="back" fill="{light["back"]}"/>',
            *body,
            "</svg>",
        ]
    )  # fmt: skip


def _element(shape: Shape, colour: str) -> str:
    fill = f'class="{shape.role}" fill="{colour}"'
    if isinstance(shape, Stroke):
        dash = f' stroke-dasharray="{",".join(map(str, shape.dash))}"' if shape.dash else ""
        return (
            f'<polyline points="{_listed(shape.points)}" class="line-{shape.role}" '
            f'fill="none" stroke="{colour}" stroke-width="{shape.width:g}" '
            f'stroke-linejoin="round"{dash}/>'
        )
    if isinstance(shape, Box):
        size = f'width="{shape.x1 - shape.x0:.4g}" height="{shape.y1 - shape.y0:.4g}"'
        return f'<rect x="{shape.x0:.4g}" y="{shape.y0:.4g}" {size} {fill}/>'
    if isinstance(shape, Dot):
        if shape.form == "round":
            return f'<circle cx="{shape.x:.5g}" cy="{shape.y:.5g}" r="{shape.radius:g}" {fill}/>'
        return f'<polygon points="{_listed(corners(shape))}" {fill}/>'
    weight = ' font-weight="bold"' if shape.strong else ""
    return (
        f'<text x="{shape.x:.5g}" y="{shape.y:.5g}" {fill} text-anchor="{_ANCHORS[shape.anchor]}" '
        f'dominant-baseline="middle"{weight}>{escape(shape.text, quote=False)}</text>'
    )


def _listed(points: Sequence[Point]) -> str:
    return " ".join(f"{x:.5g},{y:.5g}" for x, y in points)


POSITIONS_BY_PLY: Final = (
    1, 4, 26, 95, 334, 947, 2463, 5597, 11705, 22146, 38775, 62559, 93966, 131121, 170984, 207677,
    235790, 249000, 244908, 222906, 187546, 144613, 101839, 64665, 36776, 18330, 7913, 2833, 820,
    173, 29, 2,
)  # fmt: skip
"""How many canonical positions that are not terminal each ply has; counting takes half a second."""
_PAPER: Final = {
    "light": {"back": "#ffffff", "text": "#1c2128", "muted": "#4a5361", "grid": "#d8dde3",
              "axis": "#7f8894", "accent": "#0b63d6"},
    "dark": {"back": "#15181d", "text": "#e8ebef", "muted": "#b0b8c4", "grid": "#39414b",
             "axis": "#7d8896", "accent": "#6fb1ff"},
}  # fmt: skip
_DASHES: Final[tuple[tuple[int, ...], ...]] = ((), (7, 3), (2, 3), (9, 3, 2, 3), (14, 4))
"""As many as are coprime to the colours: only the 31st line looks like the first."""
_FORMS: Final[tuple[Form, ...]] = ("round", "square", "triangle", "diamond")


@dataclass(frozen=True, slots=True)
class Chart:
    """What one chart shows."""

    title: str
    lines: Sequence[tuple[str, Sequence[Point]]]
    """The name of each line and its points: the games, ascending, and a share from 0 to 1."""
    unit: str = "games"
    is_log: bool = False
    """Whether the axis across is logarithmic; games below the first power then stand at its end."""
    mark: float | None = None
    """The number of games that an upright line marks."""


@dataclass(frozen=True, slots=True)
class Room:
    """The size of a drawing and of its type, in pixels."""

    width: float
    height: float
    line: float
    """The height of a line of text."""
    letter: float
    """The width of a digit."""


class Axes:
    """Where the plot of *chart* lies in *room* and which values its edges stand for."""

    def __init__(self, chart: Chart, room: Room) -> None:
        games = [x for _, points in chart.lines for x, _ in points]
        self.is_log = chart.is_log
        self.low = min((x for x in games if x > 0), default=1.0) if chart.is_log else 0.0
        self.high = max([*games, self.low * 10 if chart.is_log else 1.0])
        margin = 0.0
        if len(chart.lines) > 1:  # the names of the lines stand at the right
            letters = max(len(name) for name, _ in chart.lines) + 8
            margin = min(letters * room.letter, room.width / 3)
        self.left = room.line / 2 + 6 * room.letter
        self.right = max(room.width - room.line - margin, self.left + 20)
        self.top, self.bottom = 1.9 * room.line, room.height - 1.6 * room.line

    def x(self, games: float) -> float:
        """Return the place of *games* across."""
        if self.is_log:
            share = math.log(max(games, self.low) / self.low) / math.log(self.high / self.low)
        else:
            share = (games - self.low) / (self.high - self.low)
        return self.left + share * (self.right - self.left)

    def y(self, share: float) -> float:
        """Return the place of *share*."""
        return self.bottom - share * (self.bottom - self.top)

    def marks(self, count: int) -> list[float]:
        """Return about *count* round numbers of games on the axis."""
        if not self.is_log:
            return ticks(self.high, count)
        powers = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
        steps = (1,) if len(powers) > 3 else (1, 2, 5)
        found = [10.0**power * step for power in powers for step in steps]
        found = [games for games in found if self.low <= games <= self.high]
        return found[:: max(1, math.ceil(len(found) / count))]


def short(value: float) -> str:
    """Return *value*, a number below 10**15, in a few characters."""
    rounded = float(f"{value:.3g}")  # before the unit is chosen: 999,999 is 1 M
    for unit, letter in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if rounded >= unit:
            return f"{rounded / unit:.3g} {letter}"
    return f"{value:.0f}" if value >= 1 or not value else f"{value:.2g}"


def ticks(high: float, count: int) -> list[float]:
    """Return about *count* round whole numbers from 0 to *high*, ascending."""
    rough = high / count
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * m for m in (1, 2, 2.5, 5, 10) if power * m >= rough * 0.999)
    step = math.ceil(step - 1e-9)
    return [float(n * step) for n in range(math.floor(high / step + 1e-9) + 1)]


def fitted(text: str, most: int) -> str:
    """Return *text* in at most *most* characters; what is left out of its middle is marked.

    >>> fitted("QBot of 20,000 games against Myopic", 20)
    'QBot of 20…st Myopic'
    """
    if len(text) <= most:
        return text
    tail = max(0, (most - 1) // 2)
    return text[: max(0, most - 1 - tail)].rstrip() + "…" + text[len(text) - tail :]


def draw(chart: Chart, room: Room, pointer: float | None = None) -> list[Shape]:
    """Return *chart* drawn to fit *room*; *pointer* is the x coordinate that is pointed at."""
    axes = Axes(chart, room)
    shapes = [*_grid(chart, room, axes)]
    if chart.mark is not None:
        x = axes.x(chart.mark)
        shapes.append(Stroke(((x, axes.top), (x, axes.bottom)), "accent"))
    near: dict[str, Point] = {}
    if pointer is not None:
        at = min(max(pointer, axes.left), axes.right)
        shapes.append(Stroke(((at, axes.top), (at, axes.bottom)), "axis"))
        for name, points in chart.lines:
            if points:
                near[name] = min(points, key=lambda point: abs(axes.x(point[0]) - at))
    values = {name: percent(share, 0) for name, (_, share) in near.items()}
    for number, (_, points) in enumerate(chart.lines):
        shapes += _line(points, number, axes)
    shapes += _names(chart, room, axes, values)
    reading = ""
    if near:
        games, _ = next(iter(near.values()))
        words = ", ".join(f"{name} {value}" for name, value in values.items())
        reading = f"{short(games)} {chart.unit}: {words}"
    return [*shapes, *_heading(chart.title, reading, room)]


def _heading(title: str, reading: str, room: Room) -> Iterator[Shape]:
    """Yield the title and, at the right or instead of it, what is read at the pointer."""
    left, y, most = room.line / 2, 0.8 * room.line, (room.width - room.line) / room.letter
    if len(reading) > most:
        reading = reading.partition(":")[0]
    if not reading or 1.15 * len(title) + 3 + len(reading) <= most:
        yield Text(left, y, title, strong=True)
    if reading:
        yield Text(room.width - left, y, reading, anchor="e")


def _grid(chart: Chart, room: Room, axes: Axes) -> Iterator[Shape]:
    """Yield the lines and figures of both axes; figures that would touch are left out."""
    rows = max(1, min(4, int((axes.bottom - axes.top) / (1.7 * room.line))))
    for percents in ticks(100, rows):
        y = axes.y(percents / 100)
        yield Stroke(((axes.left, y), (axes.right, y)), "grid")
        yield Text(axes.left - 0.7 * room.letter, y, f"{percents:.0f} %", "muted", "e")
    yield Stroke(((axes.left, axes.bottom), (axes.right, axes.bottom)), "axis")
    if not any(points for _, points in chart.lines):
        return
    y = axes.bottom + 0.85 * room.line
    free = axes.right - (len(chart.unit) + 2) * room.letter
    before = -math.inf
    wide = 6 if axes.is_log else 9
    for games in axes.marks(max(1, int((axes.right - axes.left) / (wide * room.letter)))):
        x, text = axes.x(games), short(games)
        half = room.letter * len(text) / 2
        yield Stroke(((x, axes.bottom), (x, axes.bottom + 0.25 * room.line)), "axis")
        if before + room.letter <= x - half and x + half <= free:
            yield Text(x, y, text, "muted", "center")
            before = x + half
    yield Text(axes.right, y, chart.unit, "muted", "e")


def _line(points: Sequence[Point], number: int, axes: Axes) -> Iterator[Shape]:
    role = f"series-{number % 6}"
    places: list[Point] = []
    for games, share in points:
        place = axes.x(games), axes.y(share)
        # A long training measures more points than there are pixels.
        if not places or math.dist(place, places[-1]) >= 0.5:
            places.append(place)
    if len(places) > 1:
        yield Stroke(tuple(places), role, 2, _DASHES[number % len(_DASHES)])
    radius = 3.0 if len(places) <= 60 else 1.5
    yield from (Dot(x, y, radius, role, _FORMS[number % len(_FORMS)]) for x, y in places)


def _names(chart: Chart, room: Room, axes: Axes, values: Mapping[str, str]) -> Iterator[Shape]:
    """Yield the name of each line at the height of its end, after the value of the line if known.

    Names that would lie over each other are moved apart, in the order of their heights.
    """
    if len(chart.lines) < 2:
        return
    ends = sorted(
        (axes.y(points[-1][1]) if points else axes.bottom, number)
        for number, (_, points) in enumerate(chart.lines)
    )
    pitch = min(1.15 * room.line, (axes.bottom - axes.top) / len(ends))
    x, sample = axes.right + 0.6 * room.line, room.line
    most = int((room.width - x - sample - 0.4 * room.line) / room.letter)
    heights = _apart([y for y, _ in ends], pitch, axes.bottom)
    for y, (_, number) in zip(heights, ends, strict=True):
        name, role = chart.lines[number][0], f"series-{number % 6}"
        text = f"{values.get(name, '')} {name}".strip()
        yield Stroke(((x, y), (x + sample, y)), role, 2, _DASHES[number % len(_DASHES)])
        yield Dot(x + sample / 2, y, 3, role, _FORMS[number % len(_FORMS)])
        yield Text(x + sample + 0.3 * room.line, y, fitted(text, max(1, most)), role)


def _apart(heights: Sequence[float], pitch: float, lowest: float) -> list[float]:
    """Return the ascending *heights*, moved to be a *pitch* apart and to end above *lowest*.

    >>> _apart([0, 1, 50], 10, 50), _apart([40, 50, 50], 10, 50)
    ([0, 10, 50], [30, 40, 50])
    """
    moved = list(heights)
    for n in range(1, len(moved)):
        moved[n] = max(moved[n], moved[n - 1] + pitch)
    for n in reversed(range(len(moved))):
        moved[n] = min(moved[n], lowest - (len(moved) - 1 - n) * pitch)
    return moved


def draw_strip(solved: Sequence[int], room: Room, pointer: float | None = None) -> list[Shape]:
    """Return one bar a ply that fills as its positions are *solved*; two lines of text high.

    *pointer* is the x coordinate of the bar whose numbers are written at the right.
    """
    totals = POSITIONS_BY_PLY
    left, pitch = room.line / 2, (room.width - room.line) / len(totals)
    top, bottom = 1.5 * room.line, room.height - 1.4 * room.line
    shapes: list[Shape] = []
    for ply, (part, total) in enumerate(zip(solved, totals, strict=True)):
        x0, x1 = left + ply * pitch, left + (ply + 1) * pitch - max(1.0, 0.16 * pitch)
        shapes.append(Box(x0, top, x1, bottom, "empty"))
        if part:
            shapes.append(Box(x0, bottom - (bottom - top) * part / total, x1, bottom, "filled"))
    y_below = bottom + 0.75 * room.line
    shapes.append(Text(left, y_below, "empty board", "muted"))
    shapes.append(Text(room.width - left, y_below, "end of the game", "muted", "e"))
    reading = ""
    if pointer is not None:
        ply = min(max(int((pointer - left) / pitch), 0), len(totals) - 1)
        share = percent_done(solved[ply], totals[ply])
        moves = f"{ply} {'move' if ply == 1 else 'moves'}"
        reading = f"after {moves}: {solved[ply]:,} of {totals[ply]:,} ({share})"
    title = f"Positions solved: {percent_done(sum(solved), sum(totals))}"
    return [*shapes, *_heading(title, reading, room)]


def draw_heat_map(values: Sequence[float], room: Room) -> list[Shape]:
    """Return a small board with the value of each cell, from -1 to 1, as colour and number."""
    side = min(room.width / 4, room.height / 3)
    left, top = (room.width - 4 * side) / 2, (room.height - 3 * side) / 2
    shapes: list[Shape] = []
    for cell, value in enumerate(values):
        x, y = left + cell % 4 * side, top + cell // 4 * side
        role = f"wash-{round(4 * value)}"
        shapes.append(Box(x + 1, y + 1, x + side - 1, y + side - 1, role))
        if side > 4.5 * room.letter:
            shapes.append(Text(x + side / 2, y + side / 2, signed(value), "on-wash", "center"))
    return shapes


def signed(value: float) -> str:
    """Return *value* from -1 to 1 in at most five characters, with its sign.

    >>> signed(1), signed(-0.254), signed(0), signed(0.999)
    ('+1', '−0.25', '0', '+0.99')
    """
    if value in (-1, 0, 1):
        return {-1: "−1", 0: "0", 1: "+1"}[int(value)]
    amount = min(0.99, max(0.01, abs(value)))
    return f"{'+' if value > 0 else '−'}{amount:.2f}"


def to_page(charts: Sequence[Chart]) -> str:
    """Return *charts*, one below the other, as an SVG picture for light and dark pages."""
    size = 860, 330
    pages = [draw(chart, Room(*size, 17, 7.5)) for chart in charts]
    light, dark = (
        {**_PAPER[name], **{f"series-{n}": c for n, c in enumerate(SERIES_COLOURS[name])}}
        for name in ("light", "dark")
    )
    return to_svg(pages, size, light, dark, ". ".join(chart.title for chart in charts))
