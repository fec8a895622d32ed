"""Smooth shapes for a canvas, which itself draws with jagged edges.

A shape is given by the distance of a point from its outline, in pixels, negative inside, seen
from the middle of the picture. It takes about 1 µs a point, once for each shape and size.

>>> opacity(2, 6, pill, 9.0, 4.0).hex(" ", 2)
'0000 ffff ffff ffff ffff 0000'
"""

from __future__ import annotations

import math
import struct
import tkinter as tk
import zlib
from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache, partial
from itertools import pairwise
from typing import Final

from traffic_lights.gui.kit.palette import rgb

Distance = Callable[[float, float], float]
_KEPT: Final = 100
"""The pictures kept for one canvas, more than a drawing has."""


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
        angle = abs((math.atan2(y, x) + turn / 2) % turn - turn / 2)
        if angle <= half or abs(far - radius) > width:
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


@lru_cache(_KEPT)
def opacity(width: int, height: int, shape: Callable[..., Distance], *values: object) -> bytes:
    """Return how much the *shape* of *values* covers each point, from 0 to 255, row by row."""
    distance = shape(*values)
    xs = [x + 0.5 - width / 2 for x in range(width)]
    ys = [y + 0.5 - height / 2 for y in range(height)]
    return bytes(int(255 * min(1.0, max(0.0, 0.5 - distance(x, y)))) for y in ys for x in xs)


def interleaved(channels: Sequence[bytes]) -> bytes:
    """Return the first value of each of *channels*, then the second of each, and so on."""
    values = bytearray(len(channels) * len(channels[0]))
    for number, channel in enumerate(channels):
        values[number :: len(channels)] = channel
    return bytes(values)


def png(width: int, channels: Sequence[bytes]) -> bytes:
    """Return a PNG picture; *channels* are the red, green, blue and opacity of its points."""
    points, stride = interleaved(channels), 4 * width
    rows = b"".join(b"\0" + points[at : at + stride] for at in range(0, len(points), stride))
    head = struct.pack(">IIBBBBB", width, len(points) // stride, 8, 6, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(rows, 1)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
        for name, body in chunks
    )


def shape_png(
    width: int, height: int, colour: str, shape: Callable[..., Distance], *values: object
) -> bytes:
    """Return a PNG picture of the *shape* of *values* in *colour*."""
    covered = opacity(width, height, shape, *values)
    return png(width, [*(bytes([value]) * len(covered) for value in rgb(colour)), covered])


class CanvasImages:
    """The pictures on *canvas*; if there are many, those that were not used for longest go."""

    def __init__(self, canvas: tk.Canvas) -> None:
        self._canvas = canvas
        self._kept: dict[Hashable, tk.PhotoImage] = {}
        # Pictures must be deleted in the thread of Tk, which runs this.
        canvas.bind("<Destroy>", lambda _: self._kept.clear(), add=True)

    def get(self, key: Hashable, data: Callable[[], bytes]) -> tk.PhotoImage:
        """Return the picture that *key* stands for, made of *data* if there is none yet."""
        image = self._kept.pop(key, None) or tk.PhotoImage(master=self._canvas, data=data())
        self._kept[key] = image
        if len(self._kept) > _KEPT:
            del self._kept[next(iter(self._kept))]
        return image

    def draw_shape(
        self,
        at: tuple[float, float],
        size: tuple[float, float],
        colour: str,
        shape: Callable[..., Distance],
        *values: object,
    ) -> None:
        """Draw the *shape* of *values*, centred *at* a point, in *colour*.

        *size* is the width and height that it needs, in pixels.
        """
        width, height = (2 * math.ceil(length / 2) + 2 for length in size)
        data = partial(shape_png, width, height, colour, shape, *values)
        image = self.get((width, height, colour, shape, values), data)
        self._canvas.create_image(round(at[0]), round(at[1]), image=image)
