"""Pictures of lamps.

A lamp in its housing is a *field*, a square of bytes. Each says how far its point lies on the way
from outside the housing to the bright middle of the lamp:

    0            outside            BAND .. HOUSING   the housing's edge, by depth
    HOUSING      the housing        .. GLOW           light on the housing
    RIM          the lamp's rim     FACE_DARK .. 255  its face, dark to bright

A point that an edge crosses gets a number in between: that smooths it. `ramp` gives the colour of
each number, so a theme or a wash needs no new field. It takes about 2 µs a point; the left half is
computed, and mirrored. Lengths are fractions of the side of a cell.
"""

import math
import tkinter as tk
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from operator import itemgetter
from typing import Final, NamedTuple

from traffic_lights.board.rules import EMPTY, GREEN, RED, YELLOW
from traffic_lights.drawing import shapes
from traffic_lights.drawing.palette import (
    LAMPS,
    THEMES,
    Colours,
    Lamps,
    mixed,
    rgb,
    rim_colour,
    washed,
)
from traffic_lights.gui.kit.smooth import Distance, disc, interleaved

BAND: Final = 8
BAND_DEPTH: Final = 0.04
"""How deep the numbers from BAND to HOUSING reach."""
HOUSING: Final = 40
GLOW: Final = 112
RIM: Final = 136
FACE_DARK: Final = 176
FACE: Final = 216


@dataclass(frozen=True, slots=True)
class Look:
    """What pictures depend on besides the position."""

    colours: Colours
    lamps: Lamps
    letters: bool = True
    coordinates: bool = True
    scale: float = 1.0
    """Pixels for each 1/96 inch, with the enlargement that the user has chosen."""
    family: str = "TkDefaultFont"


class Tile(NamedTuple):
    """Which picture a cell shows."""

    colour: int
    is_hovered: bool = False
    is_won: bool = False
    dim: float = 0.0
    """The share of its light that it lacks."""
    wash: int | None = None
    """The value of the move here in quarters, from -4 to 4, which colours the housing."""


def _triangle(side: float) -> Distance:
    inradius = shapes.TRIANGLE_INRADIUS * side
    rounding = 2 * shapes.TRIANGLE_CORNER * side
    across = math.cos(math.pi / 6)
    up = math.sin(math.pi / 6)

    def distance(dx: float, dy: float) -> float:
        dy -= shapes.TRIANGLE_DROP * side
        near = abs(dx) * across - dy * up
        far = -abs(dx) * across - dy * up
        slope = near + max(rounding - near + far, 0.0) ** 2 / (4 * rounding)
        apart = abs(slope - dy)
        return max(slope, dy) + max(rounding - apart, 0.0) ** 2 / (4 * rounding) - inradius

    return distance


def _octagon(side: float) -> Distance:
    inradius = shapes.OCTAGON_INRADIUS * side
    slope = math.sqrt(0.5)
    return lambda dx, dy: max(abs(dx), abs(dy), (abs(dx) + abs(dy)) * slope) - inradius


def _levels(colour: int, side: int) -> Callable[[float, float], float]:
    """Return what gives the number of a point in the left half, seen from the cell's middle."""
    outlines: dict[int, Callable[[float], Distance]] = {YELLOW: _triangle, RED: _octagon}
    outline = disc(shapes.DISC_RADIUS * side)
    if colour in outlines:
        outline = outlines[colour](side)
    corner = shapes.HOUSING_RADIUS * side
    straight = (0.5 - shapes.HOUSING_INSET) * side - corner
    rim = max(1.2, shapes.RIM_WIDTHS[colour] * side)
    band = BAND_DEPTH * side
    reach = 0.17 * side  # how far the light of the lamp falls on the housing

    def level(dx: float, dy: float) -> float:
        right = -dx - straight
        down = abs(dy) - straight
        outward = math.hypot(right, down) if right > 0 and down > 0 else max(right, down)
        depth = corner - outward
        if depth < 0.5:
            return BAND * max(0.0, depth + 0.5)
        if depth < band:
            return BAND + (HOUSING - BAND) * depth / band
        on_housing: float = HOUSING
        outside = outline(dx, dy)
        if colour != EMPTY and outside < reach:
            # The second factor rounds the light off at the corners of a shape.
            share = 1.0 - max(0.0, outside) / reach
            share *= min(1.0, max(0.0, 2.3 - 5.0 * math.hypot(dx, dy) / side))
            on_housing += (GLOW - HOUSING) * share * share
        inside = 0.5 - outside
        if inside < 1:
            return on_housing + (RIM - on_housing) * max(0.0, inside)
        if inside < rim:
            return RIM
        # The face is brightest in its middle, and has a reflection above that.
        light = 0.6 - 0.42 * (dx * dx + dy * dy) / (0.33 * side) ** 2
        away = dy + 0.15 * side
        light += 0.34 * math.exp(-(dx * dx * 0.45 + away * away * 1.6) / (2 * (0.1 * side) ** 2))
        face = FACE_DARK + (255 - FACE_DARK) * min(1.0, max(0.0, light))
        return RIM + (face - RIM) * min(1.0, inside - rim)

    return level


def lamp_field(colour: int, side: int) -> bytes:
    """Return the field of a lamp of *colour* in a cell of *side* pixels, row by row."""
    level = _levels(colour, side)
    middle = side / 2
    places = [n + 0.5 - middle for n in range(side)]
    left_places = places[: (side + 1) // 2]
    field = b""
    for y in places:
        left = bytes([int(level(x, y)) for x in left_places])
        field += left + left[side // 2 - 1 :: -1]
    return field


def ramp(look: Look, tile: Tile, side: int) -> tuple[bytes, bytes, bytes]:
    """Return the red, green and blue of each number of a field."""
    c = look.colours
    colour = tile.colour
    housing = c.housing
    if tile.wash is not None:
        housing = washed(housing, tile.wash / 4)
    if colour == EMPTY:
        glow = housing
        rim = c.ring
        face = c.glass
        shade = 0.12
        shine = 0.10 if face != c.housing else 0.0
    else:
        face = look.lamps.faces[colour - 1]
        glow = mixed(housing, face, 0.95 if tile.is_won else 0.5)
        rim = rim_colour(face, colour)
        shade = 0.2
        shine = 0.42 if colour == RED else 0.6
    dark = mixed(face, "#000000", shade)
    light = mixed(face, "#ffffff", shine)
    if tile.dim:
        glow = housing
        rim = mixed(rim, housing, tile.dim)
        dark = mixed(dark, housing, tile.dim)
        face = mixed(face, housing, tile.dim)
        light = mixed(light, housing, tile.dim)
    edge = c.housing_hover if tile.is_hovered else c.housing_edge
    # The edge ends in a pixel that is half covered, which smooths its inner side.
    pixel = (HOUSING - BAND) / (BAND_DEPTH * side)
    width = max(1.3, side * (0.03 if tile.is_hovered else shapes.HOUSING_EDGE))
    turn = min(HOUSING - 2, round(BAND + pixel * (width - 0.5)))
    end_of_edge = min(HOUSING - 1, round(turn + pixel))
    table = b""
    for (low, start), (high, end) in pairwise((
        (0, c.window), (BAND, edge), (turn, edge), (end_of_edge, housing), (HOUSING, housing),
        (GLOW, glow), (RIM, rim), (FACE_DARK, dark), (FACE, face), (255, light),
    )):  # fmt: skip
        shares = ((number - low) / (high - low) for number in range(low, high))
        table += b"".join(rgb(mixed(start, end, share)) for share in shares)
    table += rgb(light)
    return table[0::3], table[1::3], table[2::3]


def enlarged(field: bytes, size: int, side: int) -> bytes:
    """Return the *field* of *size* × *size* points as one of *side*: rough, and at once."""
    places = [x * size // side for x in range(side)]
    pick = itemgetter(*places)
    rows = [bytes(pick(field[y * size : (y + 1) * size])) for y in range(size)]
    return b"".join(rows[y] for y in places)


def lamp_picture(field: bytes, tile: Tile, side: int, look: Look) -> bytes:
    """Return the *field* of *side* × *side* points in the colours of *tile*, as a PPM picture."""
    colours = [field.translate(table) for table in ramp(look, tile, side)]
    return b"P6 %d %d 255\n" % (side, side) + interleaved(colours)


def set_icon(root: tk.Tk) -> None:
    """Give *root* and all windows under it the icon: a board of four."""
    side = 32
    colours = THEMES["light"]
    image = tk.PhotoImage(master=root, width=2 * side, height=2 * side)
    look = Look(replace(colours, window=colours.housing), LAMPS["signal"])
    for colour, x, y in ((GREEN, 0, 0), (YELLOW, 1, 0), (EMPTY, 0, 1), (RED, 1, 1)):
        data = lamp_picture(lamp_field(colour, side), Tile(colour), side, look)
        tile = tk.PhotoImage(master=root, data=data)
        root.tk.call(str(image), "copy", str(tile), "-to", x * side, y * side)
    root.iconphoto(True, image)
    # Tk keeps no reference to the picture, and Python's would go with this frame.
    root._icon = image  # type: ignore[attr-defined]
