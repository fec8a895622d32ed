"""Smooth pictures of lamps, computed point by point, since a canvas draws with jagged edges.

A *field* is a square of bytes that says for each point how far it lies on the
way from outside the housing to the bright middle of the lamp:

    0            outside            BAND .. HOUSING   the housing's edge, by depth
    HOUSING      the housing        .. GLOW           light on the housing
    RIM          the lamp's rim     FACE_DARK .. 255  its face, dark to bright

Neighbouring stages have neighbouring numbers, so a point that an edge crosses
gets a number in between: that is what smooths it. A field knows no colours;
`ramp` gives the colour of each number, so a change of theme computes nothing
anew. It takes about 2 µs a point; the left half is computed, and mirrored.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from traffic_lights.board.rules import EMPTY, GREEN, RED, YELLOW
from traffic_lights.gui.kit.lamp_art import (
    HOUSING_INSET,
    HOUSING_RADIUS,
    LAMP_RADIUS,
    OCTAGON_RADIUS,
    TRIANGLE_DROP,
    TRIANGLE_RADIUS,
    Look,
)
from traffic_lights.gui.kit.palette import mixed, rgb
from traffic_lights.gui.kit.smooth import Distance

BAND: Final = 8
HOUSING: Final = 40
GLOW: Final = 112
RIM: Final = 136
FACE_DARK: Final = 176
FACE: Final = 216
BAND_DEPTH: Final = 0.04
"""How deep, in cell sides, the numbers from BAND to HOUSING reach."""
_RIM_WIDTHS: Final = {EMPTY: 0.026, GREEN: 0.02, YELLOW: 0.02, RED: 0.036}
_ROUNDING: Final = 0.045
"""How much the triangle's corners are rounded."""
_REACH: Final = 0.17
"""How far the light falls on the housing."""


def _lens(radius: float) -> Distance:
    return lambda dx, dy: math.hypot(dx, dy) - radius


def _octagon(circumradius: float) -> Distance:
    inradius = circumradius * math.cos(math.pi / 8)
    slope = math.sqrt(0.5)

    def distance(dx: float, dy: float) -> float:
        ax, ay = abs(dx), abs(dy)
        return max(ax, ay, (ax + ay) * slope) - inradius

    return distance


def _triangle(circumradius: float, drop: float, rounding: float) -> Distance:
    inradius = circumradius / 2
    across, up = math.cos(math.pi / 6), math.sin(math.pi / 6)

    def distance(dx: float, dy: float) -> float:
        dy -= drop
        near, far = abs(dx) * across - dy * up, -abs(dx) * across - dy * up
        side = near + max(rounding - near + far, 0.0) ** 2 / (4 * rounding)
        apart = abs(side - dy)
        return max(side, dy) + max(rounding - apart, 0.0) ** 2 / (4 * rounding) - inradius

    return distance


def shape_distance(colour: int, side: float) -> Distance:
    """Return the distance, in pixels, of a point from the lamp's outline; negative inside."""
    if colour == YELLOW:
        return _triangle(TRIANGLE_RADIUS * side, TRIANGLE_DROP * side, _ROUNDING * side)
    if colour == RED:
        return _octagon(OCTAGON_RADIUS * side)
    return _lens(LAMP_RADIUS * side)


def field_rows(colour: int, side: int) -> Iterator[bytes]:
    """Yield the rows of the field of a lamp of *colour* in a cell of *side* pixels."""
    shape = shape_distance(colour, side)
    middle = side / 2
    corner = HOUSING_RADIUS * side
    straight = (0.5 - HOUSING_INSET) * side - corner
    rim = max(1.2, _RIM_WIDTHS[colour] * side)
    band = BAND_DEPTH * side
    reach = _REACH * side
    radius = 0.33 * side
    spread = 2 * (0.1 * side) ** 2
    is_lit = colour != EMPTY
    half = (side + 1) // 2
    for y in range(side):
        row = bytearray(half)
        dy = y + 0.5 - middle
        qy = abs(dy) - straight
        for x in range(half):
            dx = x + 0.5 - middle
            qx = -dx - straight
            depth = corner - (math.hypot(qx, qy) if qx > 0 < qy else max(qx, qy))
            if depth < 0.5:
                if depth > -0.5:
                    row[x] = int(BAND * (depth + 0.5))
                continue
            if depth < band:
                row[x] = int(BAND + (HOUSING - BAND) * depth / band)
                continue
            level: float = HOUSING
            outside = shape(dx, dy)
            if is_lit and outside < reach:
                # The second factor rounds the light off at the corners of a shape.
                share = 1.0 - max(0.0, outside) / reach
                share *= min(1.0, max(0.0, 2.3 - 5.0 * math.hypot(dx, dy) / side))
                level += (GLOW - HOUSING) * share * share
            inside = 0.5 - outside
            if inside > 0:
                if inside < 1:
                    level += (RIM - level) * inside
                elif inside < rim:
                    level = RIM
                else:
                    # Bright in the middle, with a reflection above it.
                    light = 0.6 - 0.42 * (dx * dx + dy * dy) / (radius * radius)
                    away = dy + 0.15 * side
                    light += 0.34 * math.exp(-(dx * dx * 0.45 + away * away * 1.6) / spread)
                    face = FACE_DARK + (255 - FACE_DARK) * min(1.0, max(0.0, light))
                    level = RIM + (face - RIM) * min(1.0, inside - rim)
            row[x] = int(level)
        left = bytes(row)
        yield left + left[side // 2 - 1 :: -1]


def ramp(look: Look, colour: int, hovered: bool, side: int) -> tuple[bytes, bytes, bytes]:
    """Return the red, green and blue of each number of a field."""
    c = look.colours
    edge = c.housing_hover if hovered else c.housing_edge
    width = max(1.0, side * (0.03 if hovered else 0.013)) / (BAND_DEPTH * side)
    turn = BAND + (HOUSING - BAND) * min(0.95, width)
    if colour == EMPTY:
        rim, dark, face, light, glow = c.ring, c.glass, c.glass, c.glass, c.housing
        if c.glass != c.housing:
            dark, light = mixed(c.glass, "#000000", 0.12), mixed(c.glass, "#ffffff", 0.10)
    else:
        face = look.lamps.faces[colour - 1]
        glow = mixed(c.housing, face, 0.5)
        rim = "#ffffff" if colour == RED else mixed(face, "#000000", 0.35)
        dark = mixed(face, "#000000", 0.2)
        light = mixed(face, "#ffffff", 0.42 if colour == RED else 0.6)
    stops = (
        (0, c.window),
        (BAND, edge),
        (turn, edge),
        (min(HOUSING, turn + 1.5), c.housing),
        (HOUSING, c.housing),
        (GLOW, glow),
        (RIM, rim),
        (FACE_DARK, dark),
        (FACE, face),
        (255, light),
    )
    channels = (bytearray(256), bytearray(256), bytearray(256))
    for (low, start), (high, end) in pairwise(stops):
        for number in range(math.ceil(low), math.floor(high) + 1):
            share = (number - low) / (high - low) if high > low else 1.0
            for channel, value in zip(channels, rgb(mixed(start, end, share)), strict=True):
                channel[number] = value
    red, green, blue = (bytes(channel) for channel in channels)
    return red, green, blue


def portable_pixmap(field: bytes, side: int, colours: tuple[bytes, bytes, bytes]) -> bytes:
    """Return *field* in *colours* as a binary PPM picture, which Tk reads."""
    pixels = bytearray(3 * len(field))
    for channel, table in enumerate(colours):
        pixels[channel::3] = field.translate(table)
    return b"P6 %d %d 255\n" % (side, side) + bytes(pixels)
