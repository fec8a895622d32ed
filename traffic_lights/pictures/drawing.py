"""Drawings as lists of shapes: a canvas shows the same one that an SVG file holds.

Coordinates are pixels from the upper left corner. A shape names its colour by its *role*, and
the painter knows the colour of each role. Nothing here needs a display.

>>> print(to_svg([Drawing(20, 16, [Text(4, 12, "ε")])], {"text": "#000000", "back": "#ffffff"}))
<svg xmlns="http://www.w3.org/2000/svg" width="20" height="16" viewBox="0 0 20 16">
<rect width="20" height="16" class="back" fill="#ffffff"/>
<g transform="translate(0 0)">
<text x="4" y="12" class="text" fill="#000000" text-anchor="start" dominant-baseline="middle">\
ε</text>
</g>
</svg>
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal
from xml.sax.saxutils import escape

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


@dataclass(frozen=True, slots=True)
class Drawing:
    """Shapes, the back ones first, and the size that they were made for."""

    width: float
    height: float
    shapes: Sequence[Shape]


def corners(dot: Dot) -> tuple[Point, ...]:
    """Return the corners of *dot*; those of its box if it is round."""
    x, y, r = dot.x, dot.y, dot.radius
    if dot.form == "triangle":
        return (x, y - r * 1.15), (x + r * 1.1, y + r * 0.85), (x - r * 1.1, y + r * 0.85)
    if dot.form == "diamond":
        return (x, y - r * 1.25), (x + r * 1.25, y), (x, y + r * 1.25), (x - r * 1.25, y)
    if dot.form == "square":
        return (x - r, y - r), (x + r, y - r), (x + r, y + r), (x - r, y + r)
    return (x - r, y - r), (x + r, y + r)


_ANCHORS: Final = {"w": "start", "e": "end", "center": "middle"}


def to_svg(
    drawings: Sequence[Drawing],
    colours: Mapping[str, str],
    dark: Mapping[str, str] | None = None,
    font: tuple[str, int] | None = None,
    title: str = "",
) -> str:
    """Return *drawings*, one below the other, as an SVG document in *colours*, by role.

    Viewers that prefer dark pages show it in the *dark* colours; *font* is a family and its
    pixels; *title* describes the picture to screen readers.
    """
    width = round(max(drawing.width for drawing in drawings))
    body: list[str] = []
    height = 0
    for drawing in drawings:
        elements = (_element(shape, colours[shape.role]) for shape in drawing.shapes)
        body += [f'<g transform="translate(0 {height})">', *elements, "</g>"]
        height += round(drawing.height)
    face = ""
    if font:
        face = f' font-family="{escape(font[0], {chr(34): ""})}, sans-serif" font-size="{font[1]}"'
    label = f' role="img" aria-label="{escape(title, {chr(34): "&quot;"})}"' if title else ""
    style: list[str] = []
    if dark:  # a rule has precedence over the attributes of an element
        used = {shape.role for drawing in drawings for shape in drawing.shapes}
        rules = [
            f".{_class(role)} {{ fill: {dark[role]}; }} .{_class(role, 'line-')} "
            f"{{ stroke: {dark[role]}; }}"
            for role in sorted({*used, "back"})
        ]
        style = ["<style>", "@media (prefers-color-scheme: dark) {", *rules, "}", "</style>"]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}"{face}{label}>',
            *style,
            f'<rect width="{width}" height="{height}" class="back" fill="{colours["back"]}"/>',
            *body,
            "</svg>",
        ]
    )


def _class(role: str, before: str = "") -> str:
    return before + role.replace(" ", "-")


def _element(shape: Shape, colour: str) -> str:
    fill = f'class="{_class(shape.role)}" fill="{colour}"'
    if isinstance(shape, Stroke):
        dash = f' stroke-dasharray="{",".join(map(str, shape.dash))}"' if shape.dash else ""
        return (
            f'<polyline points="{_listed(shape.points)}" class="{_class(shape.role, "line-")}" '
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
        f'dominant-baseline="middle"{weight}>{escape(shape.text)}</text>'
    )


def _listed(points: Sequence[Point]) -> str:
    return " ".join(f"{x:.5g},{y:.5g}" for x, y in points)
