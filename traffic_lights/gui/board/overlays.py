"""What lies over the lamps: coordinates, brackets, hints, values, the row that wins."""

from __future__ import annotations

import math
import tkinter as tk
from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from traffic_lights.board.rules import COLUMNS, ROWS
from traffic_lights.gui.kit.lamps import HOUSING_INSET, HOUSING_RADIUS, Look
from traffic_lights.gui.kit.palette import ON_WASH, mixed, wash
from traffic_lights.gui.kit.smooth import SmoothShapes, dashed_ring, strokes
from traffic_lights.gui.kit.smooth import pill as smooth_pill

SMALLEST_TEXT: Final = 11
"""Pixels at 96 dpi below which no text on the board goes."""


class Place(NamedTuple):
    """A cell on the canvas: its middle and its side, in pixels."""

    x: float
    y: float
    side: float


class OverlayPainter:
    """Draws marks over the lamps on *canvas*."""

    def __init__(self, canvas: tk.Canvas, look: Look, shapes: SmoothShapes) -> None:
        self._canvas = canvas
        self._look = look
        self._shapes = shapes

    def _pixels(self, wanted: float) -> int:
        return max(round(SMALLEST_TEXT * self._look.scale), round(wanted))

    def coordinates(self, places: Sequence[Place]) -> None:
        """Write a to d above the columns and 1 to 3 left of the rows."""
        side = places[0].side
        pixels = min(self._pixels(side * 0.11), round(16 * self._look.scale))
        font = (self._look.family, -pixels)
        away = side / 2 + pixels * 0.75
        fill = self._look.colours.coordinate
        for column in range(COLUMNS):
            place = places[column]
            self._canvas.create_text(
                place.x, place.y - away, text="abcd"[column], font=font, fill=fill
            )
        for row in range(ROWS):
            place = places[row * COLUMNS]
            self._canvas.create_text(
                place.x - away, place.y, text=str(row + 1), font=font, fill=fill
            )

    def brackets(self, place: Place) -> None:
        """Draw four corner brackets inside the housing."""
        x, y, side = place
        outer, inner = side * 0.395, side * 0.295
        for across, down in ((-1, -1), (1, -1), (-1, 1), (1, 1)):
            corner_x, corner_y = x + across * outer, y + down * outer
            corner = [(x + across * inner, corner_y), (corner_x, corner_y),
                      (corner_x, y + down * inner)]  # fmt: skip
            self._canvas.create_line(
                corner,
                fill=self._look.colours.mark,
                width=max(2.0, side * 0.024),
                capstyle=tk.ROUND,
                joinstyle=tk.ROUND,
            )

    def hint(self, place: Place) -> None:
        """Draw a dashed ring round the lamp."""
        radius, width = place.side * 0.41, max(2.5, place.side * 0.036)
        size, colour = 2 * radius + width, self._look.colours.hint
        shape = (dashed_ring, radius, width, 10)
        self._shapes.draw((place.x, place.y), (size, size), colour, *shape)

    def line(self, places: Sequence[Place]) -> None:
        """Join the lamps of the row that wins by a thin line, so that their letters stay free."""
        for share, colour in ((0.055, "#0b0d10"), (0.028, self._look.colours.mark)):
            for start, end in pairwise(places):
                side, width = start.side, max(2.0, start.side * share)
                half_x, half_y = (end.x - start.x) / 2, (end.y - start.y) / 2
                # The line stays away from the middles of the lamps.
                part = 1 - side * 0.37 / math.hypot(half_x, half_y)
                x, y = half_x * part, half_y * part
                size = 2 * abs(x) + width, 2 * abs(y) + width
                middle = start.x + half_x, start.y + half_y
                self._shapes.draw(middle, size, colour, strokes, ((-x, -y), (x, y)), width)

    def cursor(self, place: Place) -> None:
        """Draw the keyboard cursor just outside the housing."""
        x, y, side = place
        width = max(3.0, side * 0.03)
        half = side * (0.5 - HOUSING_INSET) + width * 0.55
        shape = _rounded_square(x, y, half, side * HOUSING_RADIUS)
        colours = self._look.colours
        soft = mixed(colours.window, colours.accent, 0.5)
        for pixels, fill in ((width + 1.4, soft), (width, colours.accent)):
            self._canvas.create_polygon(shape, fill="", outline=fill, width=pixels, tags="cursor")

    def number(self, place: Place, text: str, value: float, is_best: bool) -> None:
        """Write *text* on the wash of *value* at the lower edge of the housing."""
        x, y, side = place
        # The label fits between the brackets of the last move.
        size = self._pixels(min(side * 0.115, side * 0.54 / _ems(text)))
        width, height = max(side * 0.3, size * _ems(text)), max(side * 0.17, size * 1.35)
        edge = self._look.colours.mark if is_best else mixed(wash(value), "#000000", 0.35)
        rim = max(2.0, side * 0.022) if is_best else 1.0
        y = min(y + side * 0.365, y + side * (0.5 - HOUSING_INSET) - height / 2 - 1)
        for more, colour in ((2 * rim, edge), (0.0, wash(value))):
            outer = round(width + more), round(height + more)
            self._shapes.draw((x, y), outer, colour, smooth_pill, *outer)
        font = (self._look.family, -size, "bold")
        self._canvas.create_text(round(x), round(y), text=text, fill=ON_WASH, font=font)


def _ems(text: str) -> float:
    """Return the width of the label of *text* in sizes of its type."""
    return 0.62 * len(text) + 0.7


def _rounded_square(cx: float, cy: float, half: float, radius: float) -> list[float]:
    """Return the polygon points of a square with round corners."""
    points: list[float] = []
    inner, steps = half - radius, 6
    for corner, (across, down) in enumerate(((1, -1), (1, 1), (-1, 1), (-1, -1))):
        for step in range(steps + 1):
            angle = math.pi / 2 * (corner - 1 + step / steps)
            points.append(cx + across * inner + radius * math.cos(angle))
            points.append(cy + down * inner + radius * math.sin(angle))
    return points
