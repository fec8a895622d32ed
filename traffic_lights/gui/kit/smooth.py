"""Smooth pictures of simple shapes, because a canvas draws with jagged edges.

A shape is given by the distance of a point from its outline, in pixels, negative inside, seen
from the middle of the picture. It takes about 1 µs a point, once for each shape and size.

>>> opacity(2, 6, pill, 9.0, 4.0).hex(" ", 2)
'0000 ffff ffff ffff ffff 0000'
"""

import math
import struct
import zlib
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

from traffic_lights.drawing.palette import rgb

Distance = Callable[[float, float], float]
KEPT: Final = 100
"""The pictures kept, those last used: more than a drawing has."""


def disc(radius: float) -> Distance:
    """Return the distance to a disc around the middle."""
    return lambda x, y: math.hypot(x, y) - radius


def dashed_ring(radius: float, width: float, dashes: int) -> Distance:
    """Return a ring of so many *dashes* with round ends, as long as the gaps and a half."""
    turn = 2 * math.pi / dashes
    half = turn * 0.3
    end_x = radius * math.cos(half)
    end_y = radius * math.sin(half)

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
    straight = width / 2 - corner
    upright = height / 2 - corner

    def distance(x: float, y: float) -> float:
        right = abs(x) - straight
        down = abs(y) - upright
        return math.hypot(max(right, 0.0), max(down, 0.0)) + min(max(right, down), 0.0) - corner

    return distance


def corner(radius: float, width: float, right: int, down: int) -> Distance:
    """Return a quarter of a ring, whose middle is in the corner to the *right* and *down*, ±1."""
    middle = radius / 2

    def distance(x: float, y: float) -> float:
        far = math.hypot(x - right * middle, y - down * middle)
        return abs(far - radius + width / 2) - width / 2

    return distance


def strokes(points: tuple[tuple[float, float], ...], width: float) -> Distance:
    """Return the lines from each of *points* to the next, with round ends."""

    def distance(x: float, y: float) -> float:
        nearest = math.inf
        for (x0, y0), (x1, y1) in pairwise(points):
            dx = x1 - x0
            dy = y1 - y0
            share = min(1.0, max(0.0, ((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy)))
            nearest = min(nearest, math.hypot(x - x0 - share * dx, y - y0 - share * dy))
        return nearest - width / 2

    return distance


def stroke_place(
    points: Sequence[tuple[float, float]], width: float
) -> tuple[tuple[float, float], tuple[float, float], tuple[tuple[float, float], ...]]:
    """Return the middle and the size of lines through *points*, and the points seen from there.

    >>> stroke_place([(10, 10), (30, 10), (30, 20)], 2)
    ((20.0, 15.0), (22, 12), ((-10.0, -5.0), (10.0, -5.0), (10.0, 5.0)))
    """
    xs, ys = zip(*points, strict=True)
    x = (min(xs) + max(xs)) / 2
    y = (min(ys) + max(ys)) / 2
    size = max(xs) - min(xs) + width, max(ys) - min(ys) + width
    return (x, y), size, tuple((px - x, py - y) for px, py in points)


def whole_size(size: tuple[float, float]) -> tuple[int, int]:
    """Return the width and height of a picture for a shape of *size*: even, with a free edge.

    >>> whole_size((22, 12.5))
    (24, 16)
    """
    width, height = (2 * math.ceil(length / 2) + 2 for length in size)
    return width, height


@lru_cache(KEPT)
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


def shape_png(
    width: int, height: int, colour: str, shape: Callable[..., Distance], *values: object
) -> bytes:
    """Return a PNG picture of the *shape* of *values* in *colour*."""
    covered = opacity(width, height, shape, *values)
    points = interleaved([*(bytes([value]) * len(covered) for value in rgb(colour)), covered])
    rows = b"".join(b"\0" + points[at : at + 4 * width] for at in range(0, len(points), 4 * width))
    head = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    start = b"\x89PNG\r\n\x1a\n" + _png_chunk(b"IHDR", head)
    return start + _png_chunk(b"IDAT", zlib.compress(rows, 1)) + _png_chunk(b"IEND", b"")


def _png_chunk(name: bytes, body: bytes) -> bytes:
    checksum = zlib.crc32(name + body)
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", checksum)
