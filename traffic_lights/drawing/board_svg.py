"""A board as an SVG picture: text made by hand, which browsers, notebooks and editors show.

The picture has the colours, shapes and letters of the windows. It holds no scripts, styles or
identifiers, so it changes nothing else on a page, and several fit on one page.

>>> picture = board_svg(1 << 12, last=5, numbers={0: "W 3"}, values={0: 1.0})
>>> picture.partition(" height")[0], picture[-6:]
('<svg xmlns="http://www.w3.org/2000/svg" width="317"', '</svg>')
"""

from collections.abc import Iterator, Mapping
from html import escape
from itertools import pairwise
from types import MappingProxyType
from typing import Final

from traffic_lights.board.rules import (
    CELL_NAMES,
    CELLS,
    COLUMNS,
    EMPTY,
    ROWS,
    YELLOW,
    Action,
    State,
    colour_of,
    complete_lines,
    draw_board,
)
from traffic_lights.drawing import marks, shapes
from traffic_lights.drawing.palette import (
    DIM,
    LAMPS,
    THEMES,
    lamp_colours,
    mixed,
)
from traffic_lights.drawing.shapes import SIDE

_GRID: Final = marks.Grid(SIDE, shapes.PADDING, shapes.PADDING)
FONT: Final = "Helvetica, Arial, sans-serif"
_COLOURS: Final = THEMES["light"]
_LAMPS: Final = LAMPS["signal"]
_BASELINE: Final = 0.36
"""How far the foot of a capital letter lies below its middle, as a share of the type's height."""
_GLOW_WIDTHS: Final = (0.16, 0.1, 0.05)
"""The widths of the faint edges that make a lit lamp glow, as shares of a cell's side."""
_FAINT: Final = 'fill-opacity="0" stroke-opacity="0.13"'


def board_svg(
    state: State,
    *,
    last: Action | None = None,
    numbers: Mapping[Action, str] = MappingProxyType({}),
    values: Mapping[Action, float] = MappingProxyType({}),
) -> str:
    """Return a picture of *state* as the text of an SVG document.

    A complete line is drawn through its lamps, and the other lamps are dimmed. White corners mark
    the cell of the *last* move. *numbers* are short texts for cells, such as ``{5: "W 3"}``.
    *values*, from -1 (the move loses) to 1 (it wins), colour the housings and the labels of the
    numbers. A screen reader says the board in text.
    """
    lines = complete_lines(state)
    won = {cell for line in lines for cell in line}
    width = shapes.PADDING + COLUMNS * SIDE + shapes.BESIDE
    height = shapes.PADDING + ROWS * SIDE + shapes.BESIDE
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" font-family="{FONT}" text-anchor="middle">',
        f"<title>Traffic Lights\n{escape(draw_board(state))}</title>",
        f'<rect width="100%" height="100%" fill="{_COLOURS.window}"/>',
    ]
    parts += map(_mark, marks.coordinates(_GRID, 1, _COLOURS.coordinate))
    for cell in range(CELLS):
        is_dim = bool(won) and cell not in won
        parts.append(f'<g data-cell="{CELL_NAMES[cell]}">')
        parts += _lamp(*_GRID.middle(cell), colour_of(state, cell), values.get(cell), is_dim=is_dim)
        parts.append("</g>")
    if last is not None:
        parts.append(f'<g data-last="{CELL_NAMES[last]}">')
        for points in shapes.bracket_corners(*_GRID.middle(last), SIDE):
            thick = shapes.line_width(SIDE, shapes.BRACKET_WIDTH)
            parts.append(_line(points, thick, _COLOURS.mark))
        parts.append("</g>")
    for line in lines:
        parts.append(f'<g data-line="{CELL_NAMES[line[0]]}-{CELL_NAMES[line[-1]]}">')
        for one, other in pairwise(line):
            parts += map(_mark, marks.joint(_GRID, one, other, _COLOURS.mark))
        parts.append("</g>")
    for cell, text in sorted(numbers.items()):
        parts += map(_mark, marks.label(_GRID, cell, text, values.get(cell, 0.0)))
    return "\n".join([*parts, "</svg>"])


def _mark(mark: marks.Mark) -> str:
    if isinstance(mark, marks.Stroke):
        return _line([mark.start, mark.end], mark.width, mark.colour)
    x, y = mark.middle
    foot = y + _BASELINE * mark.size
    return (
        f'<text x="{x:.5g}" y="{foot:.5g}" font-size="{mark.size:.4g}" '
        f'font-weight="{mark.weight}" fill="{mark.colour}">{escape(mark.text)}</text>'
    )


def _lamp(x: float, y: float, colour: int, value: float | None, *, is_dim: bool) -> Iterator[str]:
    """Yield the housing of a cell, its lamp, and the letter."""
    housing, rim, face = lamp_colours(_COLOURS, _LAMPS, colour, value)
    if is_dim:
        rim = mixed(rim, housing, DIM)
        face = mixed(face, housing, DIM)
    inner = SIDE * (1 - 2 * shapes.HOUSING_INSET)
    yield (
        f'<rect x="{x - inner / 2:.5g}" y="{y - inner / 2:.5g}" width="{inner:.5g}" '
        f'height="{inner:.5g}" rx="{SIDE * shapes.HOUSING_RADIUS:.4g}" fill="{housing}" '
        f'stroke="{_COLOURS.housing_edge}"/>'
    )
    for width in _GLOW_WIDTHS if colour != EMPTY and not is_dim else ():
        yield _outline(x, y, colour, face, edge=width, look=_FAINT)
    yield _outline(x, y, colour, rim)
    yield _outline(x, y, colour, face, shapes.RIM_WIDTHS[colour])
    if colour != EMPTY:
        fill = _COLOURS.mark if is_dim else _LAMPS.letters[colour - 1]
        yield _mark(marks.letter((x, y), SIDE, colour, fill))


def _outline(
    x: float, y: float, colour: int, fill: str, shrink: float = 0, edge: float = 0, look: str = ""
) -> str:
    """Return the shape of a lamp of *colour*, smaller by *shrink* cells on all sides.

    It has an *edge* of as many cells, half of it outside. That also rounds the corners.
    """
    if colour == YELLOW:
        edge += 2 * shapes.TRIANGLE_CORNER
    look = f'fill="{fill}" stroke="{fill}" stroke-width="{edge * SIDE:.4g}" {look}'
    if colour not in shapes.POLYGONS:
        radius = (shapes.DISC_RADIUS - shrink) * SIDE
        return f'<circle cx="{x:.5g}" cy="{y:.5g}" r="{radius:.4g}" {look}/>'
    corners = shapes.polygon(colour, shrink)
    points = [f"{x + right * SIDE:.5g},{y + down * SIDE:.5g}" for right, down in corners]
    return f'<polygon points="{" ".join(points)}" stroke-linejoin="round" {look}/>'


def _line(points: list[marks.Point], width: float, colour: str) -> str:
    """Return the lines from each of *points* to the next, with round ends."""
    words = " ".join(f"{x:.5g},{y:.5g}" for x, y in points)
    return (
        f'<polyline points="{words}" fill="none" stroke="{colour}" stroke-linecap="round" '
        f'stroke-linejoin="round" stroke-width="{width:.4g}"/>'
    )
