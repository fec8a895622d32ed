"""Drawings as lists of shapes, the back ones first: a canvas shows the same as an SVG file.

Coordinates are pixels from the upper left corner. A shape names its colour by its *role*, and
the painter knows the colour of each role. Nothing here needs a display.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final, Literal

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
