"""What lies over the lamps: coordinates, brackets, hints, values, the winning line."""

from __future__ import annotations

import math
import tkinter as tk
from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from traffic_lights.board.rules import COLUMNS, ROWS
from traffic_lights.gui.kit.lamp_art import HOUSING_INSET, HOUSING_RADIUS, Look, rounded_rectangle
from traffic_lights.gui.kit.palette import mixed

SMALLEST_TEXT: Final = 11
"""Pixels at 96 dpi below which no text on the board goes."""
HINT_RADIUS: Final = 0.41
PILL_WIDTH: Final = 0.37
PILL_HEIGHT: Final = 0.23


class Place(NamedTuple):
    """A cell on the canvas: its middle and its side, in pixels."""

    x: float
    y: float
    side: float


class OverlayPainter:
    """Draws marks over the lamps on *canvas*."""

    def __init__(self, canvas: tk.Canvas, look: Look) -> None:
        self._canvas = canvas
        self._look = look

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
        x, y, side = place
        radius = side * HINT_RADIUS
        # Arcs, not dashes: Tk's dash patterns do not scale on every system.
        for part in range(10):
            self._canvas.create_arc(
                x - radius, y - radius, x + radius, y + radius,
                start=36 * part, extent=22, style=tk.ARC,
                outline=self._look.colours.hint,
                width=max(2.5, side * 0.036),
            )  # fmt: skip

    def line(self, places: Sequence[Place]) -> None:
        """Ring the lamps of a winning line and join the rings, so that the letters stay."""
        side = places[0].side
        radius = side * HINT_RADIUS
        step_x, step_y = places[1].x - places[0].x, places[1].y - places[0].y
        length = math.hypot(step_x, step_y)
        inner_x, inner_y = step_x * radius / length, step_y * radius / length
        mark = self._look.colours.mark
        # The one in between softens the steps of an edge that a canvas draws hard.
        for width, more, fill in ((0.11, 0, "#0b0d10"), (0.06, 1.4, "#85868a"), (0.06, 0, mark)):
            pixels = max(2.0, side * width + more)
            for start, end in pairwise(places):
                self._canvas.create_line(
                    start.x + inner_x, start.y + inner_y, end.x - inner_x, end.y - inner_y,
                    fill=fill, width=pixels,
                )  # fmt: skip
            for x, y, _ in places:
                self._canvas.create_oval(
                    x - radius, y - radius, x + radius, y + radius, outline=fill, width=pixels
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
            self._canvas.create_polygon(shape, fill="", outline=fill, width=pixels)

    def pill(
        self, place: Place, text: str, best: bool, unknown: bool, at_top: bool = False
    ) -> None:
        """Write a value over the lower, or upper, edge of the lamp."""
        x, y, side = place
        colours = self._look.colours
        y += side * (-0.325 if at_top else 0.325)
        pixels = self._pixels(side * 0.145)
        width = max(side * PILL_WIDTH, pixels * (0.62 * len(text) + 0.7))
        height = max(side * PILL_HEIGHT, pixels * 1.35)
        shape = rounded_rectangle(
            x - width / 2, y - height / 2, x + width / 2, y + height / 2, height / 2
        )
        fill, ink = (colours.housing, colours.mark) if unknown else (colours.pill, colours.on_pill)
        self._canvas.create_polygon(
            shape,
            fill=fill,
            outline=colours.accent if best else mixed(fill, ink, 0.55 if unknown else 0.25),
            width=max(2.0, side * 0.026) if best else 1,
            dash=(3, 3) if unknown else (),
        )
        self._canvas.create_text(
            x, y, text=text, fill=ink, font=(self._look.family, -pixels, "bold")
        )
