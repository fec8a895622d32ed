"""The smooth pictures of the board: lamps, and lines with round ends.

A lamp in its housing is a *field*, a square of bytes. Each says how far its point lies on the way
from outside the housing to the bright middle of the lamp:

    0            outside            BAND .. HOUSING   the housing's edge, by depth
    HOUSING      the housing        .. GLOW           light on the housing
    RIM          the lamp's rim     FACE_DARK .. 255  its face, dark to bright

A point that an edge crosses gets a number in between: that smooths it. `palette` gives the colour
of each number, so a theme or a wash needs no new field. It takes about 2 µs a point; the left half
is computed, and mirrored. Lengths are fractions of the side of a cell.
"""

import math
import struct
import tkinter as tk
import zlib
from collections.abc import Callable, Hashable
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from traffic_lights.board.rules import EMPTY, GREEN, RED, YELLOW
from traffic_lights.drawing import shapes
from traffic_lights.drawing.palette import (
    LAMPS,
    THEMES,
    Colours,
    Lamps,
    lamp_colours,
    mixed,
    rgb,
)

_ACROSS: Final = math.sqrt(0.75)
_DIAGONAL: Final = math.sqrt(0.5)
KEPT: Final = 100
"""The pictures kept on a canvas, those last used: more than a board has."""
BAND: Final = 8
BAND_DEPTH: Final = 0.04
"""How deep the numbers from BAND to HOUSING reach."""
HOUSING: Final = 40
GLOW: Final = 112
RIM: Final = 136
FACE_DARK: Final = 176
FACE: Final = 216
SHADING: Final = {EMPTY: (0.12, 0.1), GREEN: (0.2, 0.6), YELLOW: (0.2, 0.6), RED: (0.2, 0.42)}
"""How dark a face is at its edge and how bright in its middle, by the colour of the lamp."""
LIT: Final = 0.17
"""How far the light of a lamp falls on its housing."""


class Tile(NamedTuple):
    """Which picture a cell shows."""

    colour: int
    is_hovered: bool = False
    is_won: bool = False
    dim: float = 0.0
    """The share of its light that it lacks."""
    wash: int | None = None
    """The value of the move here in quarters, from -4 to 4, which colours the housing."""


# How far a point, seen from the middle of the cell, lies outside a lamp; negative inside.


def _triangle(x: float, y: float) -> float:
    rounding = 2 * shapes.TRIANGLE_CORNER
    y -= shapes.TRIANGLE_DROP
    near = abs(x) * _ACROSS - y / 2
    far = -abs(x) * _ACROSS - y / 2
    slope = near + max(rounding - near + far, 0.0) ** 2 / (4 * rounding)
    apart = abs(slope - y)
    nearest = max(slope, y) + max(rounding - apart, 0.0) ** 2 / (4 * rounding)
    return nearest - shapes.TRIANGLE_INRADIUS


def _octagon(x: float, y: float) -> float:
    return max(abs(x), abs(y), (abs(x) + abs(y)) * _DIAGONAL) - shapes.OCTAGON_INRADIUS


def _disc(x: float, y: float) -> float:
    return math.hypot(x, y) - shapes.DISC_RADIUS


@lru_cache(32)
def lamp_field(colour: int, side: int) -> bytes:
    """Return the field of a lamp of *colour* in a cell of *side* pixels, row by row."""
    outline = {YELLOW: _triangle, RED: _octagon}.get(colour, _disc)
    straight = 0.5 - shapes.HOUSING_INSET - shapes.HOUSING_RADIUS
    rim = max(1.2, shapes.RIM_WIDTHS[colour] * side)

    def number(x: float, y: float) -> float:
        """Return the number of a point in the left half, seen from the middle of the cell."""
        right = -x - straight
        down = abs(y) - straight
        outward = math.hypot(right, down) if right > 0 and down > 0 else max(right, down)
        depth = shapes.HOUSING_RADIUS - outward
        if depth * side < 0.5:
            return BAND * max(0.0, depth * side + 0.5)
        if depth < BAND_DEPTH:
            return BAND + (HOUSING - BAND) * depth / BAND_DEPTH
        on_housing: float = HOUSING
        outside = outline(x, y)
        if colour != EMPTY and outside < LIT:
            # The second factor rounds the light off at the corners of a shape.
            share = 1.0 - max(0.0, outside) / LIT
            share *= min(1.0, max(0.0, 2.3 - 5.0 * math.hypot(x, y)))
            on_housing += (GLOW - HOUSING) * share * share
        inside = 0.5 - outside * side
        if inside < 1:
            return on_housing + (RIM - on_housing) * max(0.0, inside)
        if inside < rim:
            return RIM
        # The face is brightest in its middle, and has a reflection above that.
        light = 0.6 - 3.86 * (x * x + y * y)
        away = y + 0.15
        light += 0.34 * math.exp(-22.5 * x * x - 80 * away * away)
        face = FACE_DARK + (255 - FACE_DARK) * min(1.0, max(0.0, light))
        return RIM + (face - RIM) * min(1.0, inside - rim)

    places = [(n + 0.5) / side - 0.5 for n in range(side)]
    field = b""
    for y in places:
        left = bytes([round(number(x, y)) for x in places[: (side + 1) // 2]])
        field += left + left[side // 2 - 1 :: -1]
    return field


def palette(tile: Tile, side: int, colours: Colours, lamps: Lamps) -> bytes:
    """Return the red, green and blue of each number of a field."""
    colour = tile.colour
    value = None if tile.wash is None else tile.wash / 4
    housing, rim, face = lamp_colours(colours, lamps, colour, value)
    shade, shine = SHADING[colour]
    dark = mixed(face, "#000000", shade)
    light = mixed(face, "#ffffff", shine if face != colours.housing else 0.0)
    glow = housing
    if colour != EMPTY and not tile.dim:
        glow = mixed(housing, face, 0.95 if tile.is_won else 0.5)
    rim, dark, face, light = (mixed(one, housing, tile.dim) for one in (rim, dark, face, light))
    edge = colours.housing_hover if tile.is_hovered else colours.housing_edge
    # The edge ends in a pixel that is half covered, which smooths its inner side.
    pixel = (HOUSING - BAND) / (BAND_DEPTH * side)
    width = max(1.3, side * (0.03 if tile.is_hovered else shapes.HOUSING_EDGE))
    turn = min(HOUSING - 2, round(BAND + pixel * (width - 0.5)))
    end_of_edge = min(HOUSING - 1, round(turn + pixel))
    stops = (
        (0, colours.window), (BAND, edge), (turn, edge), (end_of_edge, housing), (HOUSING, housing),
        (GLOW, glow), (RIM, rim), (FACE_DARK, dark), (FACE, face), (255, light), (256, light),
    )  # fmt: skip
    values: list[int] = []
    for (low, start), (high, end) in pairwise(stops):
        pairs = [*zip(rgb(start), rgb(end), strict=True)]
        for number in range(low, high):
            share = (number - low) / (high - low)
            values += [round(one + (other - one) * share) for one, other in pairs]
    return bytes(values)


def lamp_picture(tile: Tile, side: int, colours: Colours, lamps: Lamps) -> bytes:
    """Return the cell *tile* of *side* × *side* points as a picture."""
    return _png(side, lamp_field(tile.colour, side), palette(tile, side, colours, lamps))


def stroke_picture(dx: float, dy: float, width: float, colour: str) -> bytes:
    """Return a picture of a line with round ends, from (-*dx*, -*dy*) to (*dx*, *dy*).

    Tk draws lines with jagged edges. A line is also the pill that a number stands on.
    """
    wide, high = (2 * math.ceil(abs(half) + width / 2) + 2 for half in (dx, dy))
    length = dx * dx + dy * dy or 1.0

    def covered(x: float, y: float) -> int:
        share = min(1.0, max(-1.0, (x * dx + y * dy) / length))
        distance = math.hypot(x - share * dx, y - share * dy) - width / 2
        return round(255 * min(1.0, max(0.0, 0.5 - distance)))

    # The picture looks the same upside down.
    places = [n + 0.5 - wide / 2 for n in range(wide)]
    upper = bytes([covered(x, row + 0.5 - high / 2) for row in range(high // 2) for x in places])
    return _png(wide, upper + upper[::-1], 256 * rgb(colour), bytes(range(256)))


def _png(wide: int, points: bytes, colours: bytes, opacity: bytes = 256 * b"\xff") -> bytes:
    """Return a PNG picture of *points*, which are numbers of *colours*, *wide* of them in a row.

    *opacity* says from 0 to 255 how much each colour covers; by default all cover everything.
    """
    rows = b"".join(b"\0" + points[at : at + wide] for at in range(0, len(points), wide))
    png = b"\x89PNG\r\n\x1a\n"
    for name, body in (
        (b"IHDR", struct.pack(">IIBBBBB", wide, len(points) // wide, 8, 3, 0, 0, 0)),
        (b"PLTE", colours), (b"tRNS", opacity), (b"IDAT", zlib.compress(rows, 0)), (b"IEND", b""),
    ):  # fmt: skip
        checksum = zlib.crc32(name + body)
        png += struct.pack(">I", len(body)) + name + body + struct.pack(">I", checksum)
    return png


class CanvasPictures:
    """The smooth pictures on *canvas*, which are kept while they may be needed again."""

    def __init__(self, canvas: tk.Canvas) -> None:
        @lru_cache(KEPT)
        def picture(make: Callable[..., bytes], *values: Hashable) -> tk.PhotoImage:
            return tk.PhotoImage(master=canvas, data=make(*values))

        self._canvas = canvas
        self._picture = picture
        # Pictures must be deleted in the thread of Tk, which runs this.
        canvas.bind("<Destroy>", lambda _: picture.cache_clear(), add=True)

    def _draw(self, x: float, y: float, make: Callable[..., bytes], *values: Hashable) -> None:
        """Draw around a point the picture that *make* returns for *values*."""
        self._canvas.create_image(round(x), round(y), image=self._picture(make, *values))

    def stroke(
        self, start: tuple[float, float], end: tuple[float, float], width: float, colour: str
    ) -> None:
        """Draw a line with round ends."""
        x, y = start
        x2, y2 = end
        half = (x2 - x) / 2, (y2 - y) / 2
        self._draw((x + x2) / 2, (y + y2) / 2, stroke_picture, *half, width, colour)

    def lamp(
        self, x: float, y: float, tile: Tile, side: int, colours: Colours, lamps: Lamps
    ) -> None:
        """Draw a cell around a point."""
        self._draw(x, y, lamp_picture, tile, side, colours, lamps)


def set_icon(root: tk.Tk) -> None:
    """Give *root* and all windows under it the icon: a board of four."""
    side = 32
    light = THEMES["light"]
    colours = replace(light, window=light.housing)
    image = tk.PhotoImage(master=root, width=2 * side, height=2 * side)
    for colour, x, y in ((GREEN, 0, 0), (YELLOW, 1, 0), (EMPTY, 0, 1), (RED, 1, 1)):
        data = lamp_picture(Tile(colour), side, colours, LAMPS["signal"])
        tile = tk.PhotoImage(master=root, data=data)
        root.tk.call(str(image), "copy", str(tile), "-to", x * side, y * side)
    root.iconphoto(True, image)
    # Tk keeps no reference to the picture, and Python's would go with this frame.
    root._icon = image  # type: ignore[attr-defined]
