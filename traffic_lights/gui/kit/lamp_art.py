"""The pictures of housings and lamps, as shapes on a canvas.

Everything is measured in cell sides, so a lamp is right at any size. A lit
lamp is drawn from the outside in: a glow on the housing, a dark rim, the face,
a brighter middle and a small reflection. Shape, letter, lightness and hue each
tell the colours apart on their own.
"""

from __future__ import annotations

import math
import tkinter as tk
from dataclasses import dataclass
from typing import Final

from traffic_lights.board.rules import COLOUR_LETTERS, EMPTY, GREEN, RED, YELLOW
from traffic_lights.gui.kit.palette import Colours, Lamps, mixed

HOUSING_INSET: Final = 0.045
HOUSING_RADIUS: Final = 0.14
LAMP_RADIUS: Final = 0.31
TRIANGLE_RADIUS: Final = 0.38
TRIANGLE_DROP: Final = 0.07
"""How far the triangle's centroid lies below the middle, so that it looks centred."""
OCTAGON_RADIUS: Final = 0.335
_GLOW: Final = ((0.445, 0.06), (0.42, 0.11), (0.395, 0.17), (0.365, 0.24))


@dataclass(frozen=True, slots=True)
class Look:
    """What the pictures depend on besides the position."""

    colours: Colours
    lamps: Lamps
    letters: bool = True
    coordinates: bool = True
    scale: float = 1.0
    """Pixels for each 1/96 inch, the person's own enlargement included."""
    family: str = "TkDefaultFont"


def rounded_rectangle(x0: float, y0: float, x1: float, y1: float, radius: float) -> list[float]:
    """Return the polygon points of a rounded rectangle, to be drawn without smoothing."""
    points: list[float] = []
    steps = 6
    for corner, (cx, cy) in enumerate(
        (
            (x1 - radius, y0 + radius),
            (x1 - radius, y1 - radius),
            (x0 + radius, y1 - radius),
            (x0 + radius, y0 + radius),
        )
    ):
        for step in range(steps + 1):
            angle = math.pi / 2 * (corner - 1 + step / steps)
            points += (cx + radius * math.cos(angle), cy + radius * math.sin(angle))
    return points


def regular_polygon(cx: float, cy: float, radius: float, sides: int, turn: float) -> list[float]:
    """Return the corners of a regular polygon, the first at *turn* radians from the top."""
    points: list[float] = []
    for corner in range(sides):
        angle = turn + 2 * math.pi * corner / sides - math.pi / 2
        points += (cx + radius * math.cos(angle), cy + radius * math.sin(angle))
    return points


def letter_place(colour: int, cx: float, cy: float, side: float) -> tuple[float, float]:
    """Return where the letter of a lamp is centred."""
    return (cx, cy + side * TRIANGLE_DROP) if colour == YELLOW else (cx, cy)


class LampPainter:
    """Draws housings and lamps on *canvas*; sizes in pixels, *side* is that of a cell."""

    def __init__(self, canvas: tk.Canvas, look: Look) -> None:
        self._canvas = canvas
        self._look = look

    def housing(self, cx: float, cy: float, side: float, hovered: bool) -> None:
        """Draw the housing of a cell centred at (*cx*, *cy*)."""
        half = side * (0.5 - HOUSING_INSET)
        colours = self._look.colours
        edge = colours.housing_hover if hovered else colours.housing_edge
        self._canvas.create_polygon(
            rounded_rectangle(cx - half, cy - half, cx + half, cy + half, side * HOUSING_RADIUS),
            fill=colours.housing,
            outline=edge,
            width=max(1.0, side * (0.03 if hovered else 0.014)),
        )

    def lamp(self, cx: float, cy: float, side: float, colour: int, grown: float = 1.0) -> None:
        """Draw the lamp of *colour*, at *grown* (0 to 1) of its full size."""
        if colour == EMPTY:
            self._unlit(cx, cy, side)
            return
        face = self._look.lamps.faces[colour - 1]
        housing = self._look.colours.housing
        for radius, share in _GLOW:
            self._disc(cx, cy, side * radius, mixed(housing, face, share * grown))
        rim = "#ffffff" if colour == RED else mixed(face, "#000000", 0.45)
        self._shape(colour, cx, cy, side, grown, rim)
        inner = grown * (0.87 if colour == RED else 0.93)
        shades = ((0.0, 0.16), (0.06, 0.08), (0.13, 0.0))
        for less, dark in shades:
            self._shape(colour, cx, cy, side, inner - less * grown, mixed(face, "#000000", dark))
        if colour != RED:
            for less, light in ((0.30, 0.10), (0.42, 0.20), (0.55, 0.30)):
                tone = mixed(face, "#ffffff", light)
                self._shape(colour, cx, cy, side, inner - less * grown, tone)
        self.sign(cx, cy, side, colour, grown)

    def _unlit(self, cx: float, cy: float, side: float) -> None:
        radius = side * LAMP_RADIUS
        self._canvas.create_oval(
            cx - radius,
            cy - radius,
            cx + radius,
            cy + radius,
            fill=self._look.colours.glass,
            outline=self._look.colours.ring,
            width=max(1.5, side * 0.026),
        )

    def _disc(self, cx: float, cy: float, radius: float, fill: str) -> None:
        self._canvas.create_oval(
            cx - radius, cy - radius, cx + radius, cy + radius, fill=fill, width=0
        )

    def _shape(
        self, colour: int, cx: float, cy: float, side: float, size: float, fill: str
    ) -> None:
        if size <= 0:
            return
        if colour == GREEN:
            self._disc(cx, cy, side * LAMP_RADIUS * size, fill)
        elif colour == YELLOW:
            points = regular_polygon(
                cx, cy + side * TRIANGLE_DROP, side * TRIANGLE_RADIUS * size, 3, 0.0
            )
            # A joined outline of the same colour rounds the corners a little.
            self._canvas.create_polygon(
                points, fill=fill, outline=fill, width=side * 0.03 * size, joinstyle=tk.ROUND
            )
        else:
            points = regular_polygon(cx, cy, side * OCTAGON_RADIUS * size, 8, math.pi / 8)
            self._canvas.create_polygon(points, fill=fill, width=0)

    def sign(self, cx: float, cy: float, side: float, colour: int, grown: float = 1.0) -> None:
        """Write the letter of a lit lamp; without letters, red has a bar."""
        if colour == EMPTY:
            return
        look = self._look
        if look.letters:
            x, y = letter_place(colour, cx, cy, side)
            pixels = max(1, round(side * (0.2 if colour == YELLOW else 0.24) * grown))
            self._canvas.create_text(
                x,
                y,
                text=COLOUR_LETTERS[colour],
                fill=look.lamps.letters[colour - 1],
                font=(look.family, -pixels, "bold"),
            )
        elif colour == RED:
            half, high = side * 0.17 * grown, side * 0.04 * grown
            self._canvas.create_rectangle(
                cx - half, cy - high, cx + half, cy + high, fill="#ffffff", width=0
            )
