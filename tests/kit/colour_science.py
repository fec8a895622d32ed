"""How different colours look, to all eyes: written from the papers, for tests only.

Contrast is that of WCAG 2. The difference of two colours is CIEDE2000 (Sharma,
Wu, Dalal 2005). Colour blindness is simulated after Machado, Oliveira,
Fernandes 2009, at full severity, in linear light.
"""

from __future__ import annotations

import math
from typing import Final

from traffic_lights.gui.kit.palette import rgb

Vector = tuple[float, float, float]
Matrix = tuple[Vector, Vector, Vector]

SIMULATED: Final[dict[str, Matrix]] = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deutan": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritan": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
    "grey": ((0.2126, 0.7152, 0.0722),) * 3,
}
_TO_XYZ: Final[Matrix] = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)
_WHITE: Final[Vector] = (0.95047, 1.0, 1.08883)


def _linear(channel: int) -> float:
    share = channel / 255
    return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4


def linear_light(colour: str) -> Vector:
    """Return the red, green and blue light of ``#rrggbb``, each from 0 to 1."""
    red, green, blue = (_linear(channel) for channel in rgb(colour))
    return red, green, blue


def _times(matrix: Matrix, vector: Vector) -> Vector:
    first, second, third = (sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix)
    return first, second, third


def contrast(colour: str, other: str) -> float:
    """Return the contrast of two colours, from 1 to 21."""
    weights = (0.2126, 0.7152, 0.0722)
    low, high = sorted(
        sum(w * v for w, v in zip(weights, linear_light(c), strict=True)) for c in (colour, other)
    )
    return (high + 0.05) / (low + 0.05)


def lab(light: Vector) -> Vector:
    """Return CIE L*a*b* of linear *light* under D65."""

    def bent(t: float) -> float:
        return t ** (1 / 3) if t > (6 / 29) ** 3 else t / (3 * (6 / 29) ** 2) + 4 / 29

    x, y, z = (bent(v / w) for v, w in zip(_times(_TO_XYZ, light), _WHITE, strict=True))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def seen_as(colour: str, eyes: str) -> Vector:
    """Return L*a*b* of *colour* as the named *eyes* see it."""
    light = _times(SIMULATED[eyes], linear_light(colour))
    red, green, blue = (min(1.0, max(0.0, v)) for v in light)
    return lab((red, green, blue))


def difference(one: Vector, other: Vector) -> float:
    """Return CIEDE2000 of two colours in L*a*b*: about 1 is just noticeable."""
    l1, a1, b1 = one
    l2, a2, b2 = other
    mean_chroma = (math.hypot(a1, b1) + math.hypot(a2, b2)) / 2
    g = 0.5 * (1 - math.sqrt(mean_chroma**7 / (mean_chroma**7 + 25**7)))
    a1, a2 = a1 * (1 + g), a2 * (1 + g)
    c1, c2 = math.hypot(a1, b1), math.hypot(a2, b2)
    h1 = math.degrees(math.atan2(b1, a1)) % 360
    h2 = math.degrees(math.atan2(b2, a2)) % 360
    turn = 0.0 if not c1 * c2 else (h2 - h1 + 180) % 360 - 180
    delta_h = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn / 2))
    mean_l, mean_c = (l1 + l2) / 2, (c1 + c2) / 2
    if not c1 * c2:
        mean_h = h1 + h2
    elif abs(h1 - h2) <= 180:
        mean_h = (h1 + h2) / 2
    else:
        mean_h = ((h1 + h2 + 360) / 2) % 360
    t = (
        1
        - 0.17 * math.cos(math.radians(mean_h - 30))
        + 0.24 * math.cos(math.radians(2 * mean_h))
        + 0.32 * math.cos(math.radians(3 * mean_h + 6))
        - 0.20 * math.cos(math.radians(4 * mean_h - 63))
    )
    s_l = 1 + 0.015 * (mean_l - 50) ** 2 / math.sqrt(20 + (mean_l - 50) ** 2)
    s_c, s_h = 1 + 0.045 * mean_c, 1 + 0.015 * mean_c * t
    rotation = 30 * math.exp(-(((mean_h - 275) / 25) ** 2))
    r_c = 2 * math.sqrt(mean_c**7 / (mean_c**7 + 25**7))
    r_t = -math.sin(math.radians(2 * rotation)) * r_c
    dl, dc, dh = (l2 - l1) / s_l, (c2 - c1) / s_c, delta_h / s_h
    return math.sqrt(dl * dl + dc * dc + dh * dh + r_t * dc * dh)
