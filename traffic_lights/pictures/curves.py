"""Learning curves as an SVG picture, readable in light and dark and without colour.

The x axis is the number of games, or of another unit, logarithmic; the y axis a
share from 0 to 100 %. Curves differ by dash and by the label at their end as well as by colour.

>>> picture = svg([Panel("Found", [Curve("reverse", [(1000, 0.3), (10_000, 0.5)])])])
>>> picture.startswith("<svg "), picture.count("<polyline ")
(True, 1)
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final
from xml.sax.saxutils import escape

_WIDTH: Final = 860
_HEIGHT: Final = 330
"""Of one panel; panels stand one below the other."""
_LEFT: Final = 60
_RIGHT: Final = 150
"""Room for the labels at the ends of curves."""
_TOP: Final = 44
_BOTTOM: Final = 46
_LABEL_STEP: Final = 17
_DASHES: Final = ("", "9 5", "2 4", "12 4 2 4", "16 6", "5 2")
_LIGHT: Final = ("#0072b2", "#a6410a", "#00745a", "#8c3f76", "#5c5c00", "#444c56")
_DARK: Final = ("#6cb8ee", "#f29a5f", "#3fd0a8", "#e79ccb", "#e0d54f", "#c3cad4")
_STYLE: Final = """\
text { font: 13px system-ui, 'Segoe UI', Helvetica, Arial, sans-serif; fill: #1c2128; }
.title { font-size: 15px; font-weight: 600; }
.paper { fill: #ffffff; }
.grid { stroke: #d8dde3; stroke-width: 1; }
.label { font-weight: 600; paint-order: stroke; stroke: #ffffff; stroke-width: 5px; }
polyline { stroke-width: 2.5; stroke-linejoin: round; }
"""
_DARK_STYLE: Final = """\
text { fill: #e8ebef; }
.paper { fill: #15181d; }
.label { stroke: #15181d; }
.grid { stroke: #39414b; }
"""


@dataclass(frozen=True, slots=True)
class Curve:
    """A line of the picture: (games, above 0, and share from 0 to 1), by ascending games."""

    label: str
    points: Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Panel:
    """A chart with its title."""

    title: str
    curves: Sequence[Curve]
    unit: str = "games"


def svg(panels: Sequence[Panel]) -> str:
    """Return *panels*, one below the other, as an SVG document; each has a curve with a point."""
    height = _HEIGHT * len(panels)
    description = "; ".join(panel.title for panel in panels)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" '
        f'width="{_WIDTH}" height="{height}" role="img" aria-label="{escape(description)}">',
        f"<style>\n{_STYLE}{_colour_rules(_LIGHT)}@media (prefers-color-scheme: dark) {{\n"
        f"{_DARK_STYLE}{_colour_rules(_DARK)}}}\n</style>",
        f'<rect class="paper" width="{_WIDTH}" height="{height}"/>',
    ]
    for number, panel in enumerate(panels):
        lines.append(f'<g transform="translate(0 {number * _HEIGHT})">')
        lines.extend(_Drawing(panel).elements())
        lines.append("</g>")
    return "\n".join([*lines, "</svg>", ""])


def _colour_rules(colours: Sequence[str]) -> str:
    return "".join(
        f".c{number} {{ stroke: {colour}; }} .t{number} {{ fill: {colour}; }}\n"
        for number, colour in enumerate(colours)
    )


class _Drawing:
    """One panel and its scales."""

    def __init__(self, panel: Panel) -> None:
        self._panel = panel
        games = [x for curve in panel.curves for x, _ in curve.points]
        self._low = math.floor(math.log10(min(games)))
        self._high = max(self._low + 1, math.ceil(math.log10(max(games))))

    def _x(self, games: float) -> float:
        share = (math.log10(games) - self._low) / (self._high - self._low)
        return _LEFT + share * (_WIDTH - _LEFT - _RIGHT)

    def _y(self, share: float) -> float:
        return _TOP + (1 - share) * (_HEIGHT - _TOP - _BOTTOM)

    def elements(self) -> Iterator[str]:
        """Yield the elements of the panel, the back ones first."""
        yield f'<text class="title" x="{_LEFT}" y="24">{escape(self._panel.title)}</text>'
        yield from self._grid()
        for number, curve in enumerate(self._panel.curves):
            style = number % len(_LIGHT)
            points = " ".join(f"{self._x(x):.1f},{self._y(y):.1f}" for x, y in curve.points)
            dash = f' stroke-dasharray="{_DASHES[style]}"' if _DASHES[style] else ""
            yield f'<polyline class="c{style}" fill="none"{dash} points="{points}"/>'
        yield from self._labels()

    def _grid(self) -> Iterator[str]:
        right, bottom = _WIDTH - _RIGHT, _HEIGHT - _BOTTOM
        for percent in range(0, 101, 25):
            y = self._y(percent / 100)
            yield f'<line class="grid" x1="{_LEFT}" y1="{y:.1f}" x2="{right}" y2="{y:.1f}"/>'
            yield f'<text x="{_LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{percent} %</text>'
        for power in range(self._low, self._high + 1):
            x = self._x(10**power)
            yield f'<line class="grid" x1="{x:.1f}" y1="{_TOP}" x2="{x:.1f}" y2="{bottom}"/>'
            yield f'<text x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{10**power:,}</text>'
        middle = (_LEFT + right) / 2
        unit = escape(self._panel.unit)
        yield f'<text x="{middle:.1f}" y="{bottom + 38}" text-anchor="middle">{unit}</text>'

    def _labels(self) -> Iterator[str]:
        """Yield the label of each curve right of its end, those that would touch moved apart."""
        ends = [(self._x(c.points[-1][0]), self._y(c.points[-1][1])) for c in self._panel.curves]
        order = sorted(range(len(ends)), key=lambda number: ends[number][1])
        placed: list[tuple[float, float]] = []
        for number in order:
            x, y = ends[number]
            style = number % len(_LIGHT)
            yield f'<circle class="t{style}" cx="{x:.1f}" cy="{y:.1f}" r="4"/>'
            for other_x, other_y in placed:
                if abs(other_x - x) < _RIGHT and y - other_y < _LABEL_STEP:
                    y = other_y + _LABEL_STEP
            placed.append((x, y))
            label = escape(self._panel.curves[number].label)
            yield f'<text class="label t{style}" x="{x + 9:.1f}" y="{y + 4:.1f}">{label}</text>'
