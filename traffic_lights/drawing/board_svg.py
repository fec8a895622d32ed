"""A board as an SVG picture: text made by hand, which browsers, notebooks and editors show.

The picture has the colours, shapes and letters of the windows. It holds no scripts, styles or
identifiers, so it changes nothing else on a page, and several fit on one page.

>>> picture = board_svg(1 << 12, last=5, numbers={0: "W 3"}, values={0: 1.0})
>>> picture.partition(" height")[0], picture[-6:]
('<svg xmlns="http://www.w3.org/2000/svg" width="317"', '</svg>')
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from html import escape
from itertools import pairwise
from types import MappingProxyType
from typing import Final

from traffic_lights.board.rules import (
    CELL_NAMES,
    CELLS,
    COLOUR_LETTERS,
    COLUMN_NAMES,
    COLUMNS,
    EMPTY,
    RED,
    ROWS,
    STATE_CODES,
    Action,
    Line,
    State,
    colour_of,
    complete_lines,
    draw_board,
)
from traffic_lights.drawing import shapes
from traffic_lights.drawing.palette import (
    DIM,
    JOIN_EDGE,
    LAMPS,
    ON_WASH,
    THEMES,
    label_edge,
    mixed,
    rim_colour,
    wash,
    washed,
)

SMALLEST_SIDE: Final = 8
LARGEST_SIDE: Final = 2000
FONT: Final = "Helvetica, Arial, sans-serif"
_BASELINE: Final = 0.36
"""How far the foot of a capital letter lies below its middle, as a share of the type's height."""
_GLOW_WIDTHS: Final = (0.16, 0.1, 0.05)
"""The widths of the faint edges that make a lit lamp glow, as shares of a cell's side."""


def board_svg(
    state: State,
    *,
    last: Action | None = None,
    numbers: Mapping[Action, str] = MappingProxyType({}),
    values: Mapping[Action, float] = MappingProxyType({}),
    best: Collection[Action] = (),
    side: int = shapes.SIDE,
    theme: str = "light",
    lamps: str = "signal",
    letters: bool = True,
    coordinates: bool = True,
    title: str = "",
) -> str:
    """Return a picture of *state* as the text of an SVG document.

    A complete line is drawn through its lamps, and the other lamps are dimmed. White corners mark
    the cell of the *last* move. *numbers* are short texts for cells, such as ``{5: "W 3"}``.
    *values*, from -1 (the move loses) to 1 (it wins), colour the housings and the labels of the
    numbers; the labels of the *best* cells have a white edge. A cell has *side* pixels, 8 to 2,000.
    A screen reader says the *title*, by default the board in text.

    Raise ValueError for anything out of range, and for an unknown *theme* or set of *lamps*. The
    cost is about a millisecond.
    """
    if state not in range(STATE_CODES):
        raise ValueError(f"state is {state!r}; expected a board")
    marked = {*numbers, *values, *best}
    if last is not None:
        marked.add(last)
    for cell in marked:
        if cell not in range(CELLS):
            raise ValueError(f"{cell!r} is not a cell; expected 0 to {CELLS - 1}")
    for value in values.values():
        if not -1 <= value <= 1:
            raise ValueError(f"a value is {value!r}; expected -1 to 1")
    if not SMALLEST_SIDE <= side <= LARGEST_SIDE:
        raise ValueError(f"side is {side!r}; expected {SMALLEST_SIDE} to {LARGEST_SIDE:,} pixels")
    for name, known in ((theme, THEMES), (lamps, LAMPS)):
        if name not in known:
            raise ValueError(f"{name!r} is unknown; expected one of {', '.join(known)}")
    drawing = _Drawing(side, theme, lamps, letters, coordinates)
    lines = complete_lines(state)
    won = {cell for line in lines for cell in line}
    parts = [drawing.paper()]
    for cell in range(CELLS):
        # A small cell has no room for both, so the number replaces the letter.
        has_sign = cell not in numbers or side >= shapes.SIGN_AND_NUMBER
        is_dim = bool(won) and cell not in won
        colour = colour_of(state, cell)
        parts += drawing.lamp(cell, colour, values.get(cell), is_dim=is_dim, has_sign=has_sign)
    if last is not None:
        parts.append(drawing.brackets(last))
    for line in lines:
        parts += drawing.won_line(line)
    for cell, text in sorted(numbers.items()):
        parts += drawing.label(cell, text, values.get(cell, 0.0), is_best=cell in best)
    return drawing.document(title or f"Traffic Lights\n{draw_board(state)}", parts)


class _Drawing:
    """The elements of one picture, each as text; the size and the colours are fixed."""

    def __init__(self, side: int, theme: str, lamps: str, letters: bool, coordinates: bool) -> None:
        self.side = side
        self.colours = THEMES[theme]
        self.lamps = LAMPS[lamps]
        self.letters = letters
        self.coordinates = coordinates
        self.before = shapes.PADDING if coordinates else shapes.BESIDE
        self.width = self.before + COLUMNS * side + shapes.BESIDE
        self.height = self.before + ROWS * side + shapes.BESIDE

    def document(self, title: str, parts: list[str]) -> str:
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" height="{self.height}" '
            f'viewBox="0 0 {self.width} {self.height}" role="img" font-family="{FONT}" '
            'text-anchor="middle">'
        )
        return "\n".join([head, f"<title>{escape(title)}</title>", *parts, "</svg>"])

    def middle(self, cell: int) -> tuple[float, float]:
        row, column = divmod(cell, COLUMNS)
        return self.before + (column + 0.5) * self.side, self.before + (row + 0.5) * self.side

    def text(
        self, x: float, y: float, text: str, *, size: float, fill: str, weight: str = "bold"
    ) -> str:
        foot = y + _BASELINE * size
        return (
            f'<text x="{x:.5g}" y="{foot:.5g}" font-size="{size:.4g}" font-weight="{weight}" '
            f'fill="{fill}">{escape(text)}</text>'
        )

    def box(
        self, x: float, y: float, look: str, *, width: float, height: float, corner: float = 0
    ) -> str:
        """Return a box around the point (*x*, *y*), with corners of the radius *corner*."""
        left = x - width / 2
        top = y - height / 2
        return (
            f'<rect x="{left:.5g}" y="{top:.5g}" width="{width:.5g}" height="{height:.5g}" '
            f'rx="{corner:.4g}" {look}/>'
        )

    def paper(self) -> str:
        """Return the background, with the names of columns and rows if they are shown."""
        paper = f'fill="{self.colours.window}"'
        parts = [
            self.box(self.width / 2, self.height / 2, paper, width=self.width, height=self.height)
        ]
        if self.coordinates:
            size = shapes.coordinate_size(self.side, 1)
            away = shapes.coordinate_distance(self.side, size)
            name = partial(self.text, size=size, fill=self.colours.coordinate, weight="normal")
            for column in range(COLUMNS):
                x, y = self.middle(column)
                parts.append(name(x, y - away, COLUMN_NAMES[column]))
            for row in range(ROWS):
                x, y = self.middle(row * COLUMNS)
                parts.append(name(x - away, y, str(row + 1)))
        return "\n".join(parts)

    def lamp(
        self, cell: int, colour: int, value: float | None, *, is_dim: bool, has_sign: bool
    ) -> Iterator[str]:
        """Yield the housing of *cell*, its lamp, and the letter, or the bar of a red lamp."""
        side = self.side
        x, y = self.middle(cell)
        housing = self.colours.housing
        if value is not None:
            housing = washed(housing, value)
        face = self.colours.glass
        rim = self.colours.ring
        letter = self.colours.mark
        if colour != EMPTY:
            face = self.lamps.faces[colour - 1]
            rim = rim_colour(face, colour)
            if not is_dim:
                letter = self.lamps.letters[colour - 1]
        if is_dim:
            face = mixed(face, housing, DIM)
            rim = mixed(rim, housing, DIM)
        yield f'<g data-cell="{CELL_NAMES[cell]}">'
        inner = side * (1 - 2 * shapes.HOUSING_INSET)
        edge_width = max(1, shapes.HOUSING_EDGE * side)
        edge = f'stroke="{self.colours.housing_edge}" stroke-width="{edge_width:.4g}"'
        corner = side * shapes.HOUSING_RADIUS
        fill = f'fill="{housing}" {edge}'
        yield self.box(x, y, fill, width=inner, height=inner, corner=corner)
        if colour != EMPTY and not is_dim:
            for width in _GLOW_WIDTHS:
                look = f'stroke="{face}" stroke-width="{width * side:.4g}" stroke-opacity="0.13"'
                yield self.outline(cell, colour, 0, f'fill="none" stroke-linejoin="round" {look}')
        rim_width = max(1.2, shapes.RIM_WIDTHS[colour] * side)
        yield self.outline(cell, colour, 0, f'fill="{rim}"')
        yield self.outline(cell, colour, rim_width, f'fill="{face}"')
        if has_sign and self.letters and colour != EMPTY:
            drop, size = shapes.letter_place(colour)
            sign = COLOUR_LETTERS[colour]
            yield self.text(x, y + drop * side, sign, size=size * side, fill=letter)
        elif has_sign and colour == RED:
            width, height = shapes.BAR
            yield self.box(x, y, 'fill="#ffffff"', width=width * side, height=height * side)
        yield "</g>"

    def outline(self, cell: int, colour: int, shrink: float, look: str) -> str:
        """Return the shape of a lamp of *colour*, smaller by *shrink* pixels on all sides."""
        x, y = self.middle(cell)
        if colour not in shapes.CORNERS:
            radius = shapes.DISC_RADIUS * self.side - shrink
            return f'<circle cx="{x:.5g}" cy="{y:.5g}" r="{radius:.4g}" {look}/>'
        corners = shapes.polygon(colour, shrink / self.side)
        points = [
            f"{x + right * self.side:.5g},{y + down * self.side:.5g}" for right, down in corners
        ]
        return f'<polygon points="{" ".join(points)}" {look}/>'

    def stroke(self, points: Sequence[tuple[float, float]], width: float, colour: str) -> str:
        """Return the lines from each of *points* to the next, with round ends."""
        words = " ".join(f"{x:.5g},{y:.5g}" for x, y in points)
        return (
            f'<polyline points="{words}" fill="none" stroke="{colour}" stroke-width="{width:.4g}" '
            'stroke-linecap="round" stroke-linejoin="round"/>'
        )

    def brackets(self, cell: int) -> str:
        """Return the white corners around the lamp of the last move."""
        x, y = self.middle(cell)
        width = max(2.0, shapes.BRACKET_WIDTH * self.side)
        corners = [
            self.stroke(points, width, self.colours.mark)
            for points in shapes.bracket_corners(x, y, self.side)
        ]
        return f'<g data-last="{CELL_NAMES[cell]}">' + "\n".join([*corners, "</g>"])

    def won_line(self, line: Line) -> Iterator[str]:
        """Yield the line through a won row; it stays away from the letters of its lamps."""
        yield f'<g data-line="{CELL_NAMES[line[0]]}-{CELL_NAMES[line[-1]]}">'
        for one, other in pairwise(line):
            ends = shapes.joint(self.middle(one), self.middle(other), self.side)
            for share, colour in (
                (shapes.JOIN_EDGE_WIDTH, JOIN_EDGE),
                (shapes.JOIN_WIDTH, self.colours.mark),
            ):
                yield self.stroke(ends, max(2.0, share * self.side), colour)
        yield "</g>"

    def label(self, cell: int, text: str, value: float, *, is_best: bool) -> Iterator[str]:
        """Yield the label of a number at the foot of *cell*."""
        x, y = self.middle(cell)
        size, width, height = shapes.label_size(text, self.side, shapes.SMALLEST_TEXT)
        y += shapes.label_drop(self.side, height)
        edge = label_edge(value)
        rim = 1.0
        if is_best:
            edge = self.colours.mark
            rim = max(2.0, shapes.BEST_RIM * self.side)
        for colour, more in ((edge, 2 * rim), (wash(value), 0.0)):
            look = f'fill="{colour}"'
            corner = (height + more) / 2
            yield self.box(x, y, look, width=width + more, height=height + more, corner=corner)
        yield self.text(x, y, text, size=size, fill=ON_WASH)
