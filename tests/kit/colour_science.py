"""How different colours look, to all eyes: written from the papers, for tests only.

Contrast is that of WCAG 2. The difference of two colours is their distance in OKLab (Ottosson
2020). Colour blindness is simulated after Machado, Oliveira, Fernandes 2009, at full severity, in
linear light.
"""

import math
from typing import Final

from traffic_lights.drawing.palette import rgb

Vector = tuple[float, ...]
Matrix = tuple[Vector, ...]

LUMINANCE: Final[Vector] = (0.2126, 0.7152, 0.0722)
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
    "grey": (LUMINANCE,) * 3,
}
_TO_CONES: Final[Matrix] = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
_TO_OKLAB: Final[Matrix] = (
    (0.2104542553, 0.7936177850, -0.0040720468),
    (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660),
)


def _linear_light(colour: str) -> Vector:
    """Return the red, green and blue light of ``#rrggbb``, each from 0 to 1."""
    shares = (channel / 255 for channel in rgb(colour))
    return tuple(s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares)


def _times(matrix: Matrix, vector: Vector) -> Vector:
    return tuple(sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix)


def contrast(colour: str, other: str) -> float:
    """Return the contrast of two colours, from 1 to 21."""
    low, high = sorted(_times((LUMINANCE,), _linear_light(c))[0] for c in (colour, other))
    return (high + 0.05) / (low + 0.05)


def difference(colour: str, other: str, eyes: str = "normal") -> float:
    """Return how different two colours look to the named *eyes*: 100 for black and white."""
    return 100 * math.dist(_seen_as(colour, eyes), _seen_as(other, eyes))


def _seen_as(colour: str, eyes: str) -> Vector:
    light = _times(SIMULATED[eyes], _linear_light(colour))
    cones = _times(_TO_CONES, tuple(min(1.0, max(0.0, v)) for v in light))
    return _times(_TO_OKLAB, tuple(map(math.cbrt, cones)))
