"""Pictures as lists of shapes: what a canvas shows and an SVG file holds, made once.

Coordinates are pixels from the upper left corner. A shape names its colour by
its *role*; who paints it knows the colours of the theme. Nothing here needs a
display.

>>> print(to_svg([Text(4, 12, "ε")], (20, 16), {"text": "#000000", "back": "#ffffff"}))
<svg xmlns="http://www.w3.org/2000/svg" width="20" height="16" viewBox="0 0 20 16">
<rect width="20" height="16" fill="#ffffff"/>
<text x="4" y="12" fill="#000000" text-anchor="start" dominant-baseline="middle">ε</text>
</svg>
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
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
    shapes: Iterable[Shape],
    size: tuple[float, float],
    colours: Mapping[str, str],
    font: tuple[str, int] | None = None,
) -> str:
    """Return *shapes* as an SVG document of *size*; *font* is a family and its pixels."""
    width, height = (round(side) for side in size)
    style = (
        f' font-family="{escape(font[0], {chr(34): ""})}, sans-serif" font-size="{font[1]}"'
        if font
        else ""
    )
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}"{style}>',
        f'<rect width="{width}" height="{height}" fill="{colours["back"]}"/>',
    ]
    lines += [_element(shape, colours) for shape in shapes]
    return "\n".join([*lines, "</svg>"])


def _element(shape: Shape, colours: Mapping[str, str]) -> str:
    colour = colours[shape.role]
    if isinstance(shape, Stroke):
        dash = f' stroke-dasharray="{",".join(map(str, shape.dash))}"' if shape.dash else ""
        return (
            f'<polyline points="{_listed(shape.points)}" fill="none" stroke="{colour}" '
            f'stroke-width="{shape.width:g}" stroke-linejoin="round"{dash}/>'
        )
    if isinstance(shape, Box):
        return (
            f'<rect x="{shape.x0:.4g}" y="{shape.y0:.4g}" width="{shape.x1 - shape.x0:.4g}" '
            f'height="{shape.y1 - shape.y0:.4g}" fill="{colour}"/>'
        )
    if isinstance(shape, Dot):
        if shape.form == "round":
            return (
                f'<circle cx="{shape.x:.5g}" cy="{shape.y:.5g}" r="{shape.radius:g}" '
                f'fill="{colour}"/>'
            )
        return f'<polygon points="{_listed(corners(shape))}" fill="{colour}"/>'
    weight = ' font-weight="bold"' if shape.strong else ""
    return (
        f'<text x="{shape.x:.5g}" y="{shape.y:.5g}" fill="{colour}" '
        f'text-anchor="{_ANCHORS[shape.anchor]}" dominant-baseline="middle"{weight}>'
        f"{escape(shape.text)}</text>"
    )


def _listed(points: Sequence[Point]) -> str:
    return " ".join(f"{x:.5g},{y:.5g}" for x, y in points)
