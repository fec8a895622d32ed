"""Smooth shapes for a canvas, which itself draws with jagged edges.

A shape is given by the distance of a point from its outline, in pixels, negative inside, seen
from the middle of the picture. Its picture is transparent outside, and a point that the outline
crosses is covered in part. It takes about 1 µs a point, once for each shape, size and colour.

>>> [row.hex(" ") for row in alpha_rows(2, 6, pill(9.0, 4.0))]
['00 00', 'ff ff', 'ff ff', 'ff ff', 'ff ff', '00 00']
"""

from __future__ import annotations

import math
import struct
import tkinter as tk
import zlib
from collections.abc import Callable, Hashable
from itertools import pairwise
from typing import Final

from traffic_lights.gui.kit.palette import rgb

Distance = Callable[[float, float], float]
_KEPT: Final = 60
"""So many pictures of one canvas are kept; the oldest go first."""


def disc(radius: float) -> Distance:
    """Return a full circle."""
    return lambda x, y: math.hypot(x, y) - radius


def dashed_ring(radius: float, width: float, dashes: int) -> Distance:
    """Return a ring of so many *dashes* with round ends, as long as the gaps and a half."""
    turn = 2 * math.pi / dashes
    half = turn * 0.3
    end_x, end_y = radius * math.cos(half), radius * math.sin(half)

    def distance(x: float, y: float) -> float:
        far = math.hypot(x, y)
        if abs(far - radius) > width:
            return abs(far - radius) - width / 2
        angle = abs((math.atan2(y, x) + turn / 2) % turn - turn / 2)
        if angle <= half:
            return abs(far - radius) - width / 2
        return math.hypot(far * math.cos(angle) - end_x, far * math.sin(angle) - end_y) - width / 2

    return distance


def pill(width: float, height: float, radius: float | None = None) -> Distance:
    """Return a box of *width* and *height* with round corners; by default its ends are round."""
    corner = height / 2 if radius is None else radius
    straight, upright = width / 2 - corner, height / 2 - corner

    def distance(x: float, y: float) -> float:
        right, down = abs(x) - straight, abs(y) - upright
        return math.hypot(max(right, 0.0), max(down, 0.0)) + min(max(right, down), 0.0) - corner

    return distance


def strokes(points: tuple[tuple[float, float], ...], width: float) -> Distance:
    """Return the lines from each of *points* to the next, with round ends."""

    def distance(x: float, y: float) -> float:
        nearest = math.inf
        for (x0, y0), (x1, y1) in pairwise(points):
            dx, dy = x1 - x0, y1 - y0
            share = min(1.0, max(0.0, ((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy)))
            nearest = min(nearest, math.hypot(x - x0 - share * dx, y - y0 - share * dy))
        return nearest - width / 2

    return distance


def alpha_rows(
    width: int, height: int, distance: Distance, is_symmetric: bool = False
) -> list[bytes]:
    """Return how much each point is covered, from 0 to 255, row by row.

    A shape that looks the same after half a turn, *is_symmetric*, takes half the time.
    """
    xs = [x + 0.5 - width / 2 for x in range(width)]
    rows: list[bytes] = []
    for y in range((height + 1) // 2 if is_symmetric else height):
        dy = y + 0.5 - height / 2
        rows.append(bytes(int(255 * min(1.0, max(0.0, 0.5 - distance(dx, dy)))) for dx in xs))
    return rows + [row[::-1] for row in reversed(rows[: height - len(rows)])]


def portable_graphic(width: int, rows: list[bytes], colour: str) -> bytes:
    """Return a PNG picture of one *colour*, as opaque as *rows* say."""
    data = bytearray()
    for row in rows:
        line = bytearray(4 * width)
        for channel, value in enumerate(rgb(colour)):
            line[channel::4] = bytes([value]) * width
        line[3::4] = row
        data += b"\0" + line
    head = struct.pack(">IIBBBBB", width, len(rows), 8, 6, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(bytes(data), 1)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
        for name, body in chunks
    )


_SYMMETRIC: Final = (disc, dashed_ring, pill)
"""The shapes that look the same after half a turn; a ring does if its dashes are even in number."""


class SmoothShapes:
    """Draws smooth shapes on *canvas* and keeps their pictures."""

    def __init__(self, canvas: tk.Canvas) -> None:
        self._canvas = canvas
        self._images: dict[Hashable, tk.PhotoImage] = {}
        canvas.bind("<Destroy>", lambda _: self._images.clear(), add=True)

    def draw(
        self,
        at: tuple[float, float],
        size: tuple[float, float],
        colour: str,
        make: Callable[..., Distance],
        *values: object,
    ) -> None:
        """Draw the shape that *make* makes of *values*, centred *at* a point, in *colour*.

        *size* is the width and height that it needs, in pixels.
        """
        width, height = (2 * math.ceil(length / 2) + 2 for length in size)
        key = (make, values, width, height, colour)
        image = self._images.get(key)
        if image is None:
            rows = alpha_rows(width, height, make(*values), make in _SYMMETRIC)
            data = portable_graphic(width, rows, colour)
            image = tk.PhotoImage(master=self._canvas, data=data, format="png")
            if len(self._images) >= _KEPT:
                del self._images[next(iter(self._images))]
            self._images[key] = image
        self._canvas.create_image(round(at[0]), round(at[1]), image=image)
