"""What lies over the lamps: coordinates, brackets, hints, values, the winning line."""

from __future__ import annotations

import math
import tkinter as tk
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple

from traffic_lights.board.rules import COLUMNS, ROWS
from traffic_lights.gui.kit.lamp_art import HOUSING_INSET, HOUSING_RADIUS, Look, rounded_rectangle
from traffic_lights.gui.kit.palette import mixed
from traffic_lights.gui.kit.smooth import SmoothShapes, dashed_ring, ring, strokes
from traffic_lights.gui.kit.smooth import pill as smooth_pill

SMALLEST_TEXT: Final = 11
"""Pixels at 96 dpi below which no text on the board goes."""
HINT_RADIUS: Final = 0.41
PILL_WIDTH: Final = 0.37
PILL_HEIGHT: Final = 0.23
HINT_DASHES: Final = 10
PILL_LINE: Final = 1.35
"""The least height of a label, in sizes of its type."""
MOST_OF_CELL: Final = 0.28
BETWEEN_BRACKETS: Final = 0.54


@dataclass(frozen=True, slots=True)
class Pill:
    """A value written on a cell."""

    text: str
    best: bool = False
    """Drawn with the accent's edge."""
    lost: bool = False
    """Drawn light on dark: the move loses."""
    unknown: bool = False
    """Drawn without an edge: nothing is known here."""


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
        outer, length = side * 0.395, side * 0.1
        for across in (-1, 1):
            for down in (-1, 1):
                corner_x, corner_y = x + across * outer, y + down * outer
                points = [
                    (corner_x - across * length, corner_y),
                    (corner_x, corner_y),
                    (corner_x, corner_y - down * length),
                ]
                self._canvas.create_line(
                    points,
                    fill=self._look.colours.mark,
                    width=max(2.0, side * 0.024),
                    capstyle=tk.ROUND,
                    joinstyle=tk.ROUND,
                )

    def hint(self, place: Place) -> None:
        """Draw a dashed ring round the lamp."""
        radius, width = place.side * HINT_RADIUS, max(2.5, place.side * 0.036)
        size = 2 * radius + width
        self._shapes.draw(
            (place.x, place.y),
            (size, size),
            self._look.colours.hint,
            dashed_ring,
            radius,
            width,
            HINT_DASHES,
        )

    def line(self, places: Sequence[Place]) -> None:
        """Ring the lamps of a winning line and join the rings, so that the letters stay."""
        side = places[0].side
        radius = side * HINT_RADIUS
        for share, colour in ((0.11, "#0b0d10"), (0.06, self._look.colours.mark)):
            width = max(2.0, side * share)
            size = 2 * radius + width
            for start, end in pairwise(places):
                self._join(start, end, radius, width, colour)
            for x, y, _ in places:
                self._shapes.draw((x, y), (size, size), colour, ring, radius, width)

    def _join(self, start: Place, end: Place, radius: float, width: float, colour: str) -> None:
        """Draw what lies between the rings round *start* and *end*."""
        half_x, half_y = (end.x - start.x) / 2, (end.y - start.y) / 2
        share = 1 - radius / math.hypot(half_x, half_y)
        x, y = half_x * share, half_y * share
        self._shapes.draw(
            (start.x + half_x, start.y + half_y),
            (2 * abs(x) + width, 2 * abs(y) + width),
            colour,
            strokes,
            ((-x, -y), (x, y)),
            width,
        )

    def cursor(self, place: Place) -> None:
        """Draw the keyboard cursor just outside the housing."""
        x, y, side = place
        width = max(3.0, side * 0.03)
        half = side * (0.5 - HOUSING_INSET) + width * 0.55
        shape = rounded_rectangle(x - half, y - half, x + half, y + half, side * HOUSING_RADIUS)
        colours = self._look.colours
        soft = mixed(colours.window, colours.cursor, 0.5)
        for pixels, fill in ((width + 1.4, soft), (width, colours.cursor)):
            self._canvas.create_polygon(shape, fill="", outline=fill, width=pixels, tags="cursor")

    def fit(self, side: float, pills: Iterable[Pill]) -> bool:
        """Return whether each of *pills* stays in its cell, and two leave the lamp visible."""
        is_low = self._pixels(0) * PILL_LINE <= side * MOST_OF_CELL
        return is_low and all(self._pill_width(side, pill) <= side for pill in pills)

    def _pill_text(self, side: float, pill: Pill) -> int:
        """Return the pixels of its text: where that can be read, it stays between the brackets."""
        return self._pixels(side * min(0.145, BETWEEN_BRACKETS / _ems(pill)))

    def _pill_width(self, side: float, pill: Pill) -> float:
        return max(side * PILL_WIDTH, self._pill_text(side, pill) * _ems(pill))

    def pill(self, place: Place, pill: Pill, at_top: bool = False) -> None:
        """Write a value over the lower, or upper, edge of the lamp: a win dark on light."""
        x, y, side = place
        colours = self._look.colours
        y += side * (-0.325 if at_top else 0.325)
        pixels = self._pill_text(side, pill)
        width = self._pill_width(side, pill)
        height = max(side * PILL_HEIGHT, pixels * PILL_LINE)
        is_dark = pill.lost or pill.unknown
        fill, ink = (colours.housing, colours.mark) if is_dark else (colours.pill, colours.on_pill)
        edge = mixed(fill, ink, 0.35 if pill.unknown else 0.7 if pill.lost else 0.25)
        rim = 1.2
        if pill.best:
            edge, rim = colours.accent, max(2.0, side * 0.026)
        for more, colour in ((2 * rim, edge), (0.0, fill)):
            size = round(width + more), round(height + more)
            self._shapes.draw((x, y), size, colour, smooth_pill, *size)
        self._canvas.create_text(
            round(x),
            round(y),
            text=pill.text,
            fill=ink,
            font=(self._look.family, -pixels, "bold"),
        )


def _ems(pill: Pill) -> float:
    """Return the width of *pill* in sizes of its type."""
    return 0.62 * len(pill.text) + 0.7
