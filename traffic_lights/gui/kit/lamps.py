"""The pictures of lamps in their housings: the board, the help page and the icon show the same.

A canvas draws with jagged edges, so a picture is computed point by point. A *field* is a square
of bytes. Each says how far its point lies on the way from outside the housing to the bright
middle of the lamp:

    0            outside            BAND .. HOUSING   the housing's edge, by depth
    HOUSING      the housing        .. GLOW           light on the housing
    RIM          the lamp's rim     FACE_DARK .. 255  its face, dark to bright

Neighbouring stages have neighbouring numbers, so a point that an edge crosses gets a number in
between: that is what smooths it. A field has no colours; `ramp` gives the colour of each number.
So a theme, a wash or a lamp that is dimmed needs no new field. It takes about 2 µs a point; the
left half is computed, and mirrored. Lengths are fractions of the side of a cell.
"""

from __future__ import annotations

import math
import time
import tkinter as tk
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from operator import itemgetter
from typing import Final, NamedTuple

from traffic_lights.board.rules import COLOUR_LETTERS, EMPTY, GREEN, RED, YELLOW
from traffic_lights.gui.kit.palette import LAMPS, THEMES, Colours, Lamps, mixed, rgb, wash
from traffic_lights.gui.kit.smooth import Distance, disc

HOUSING_INSET: Final = 0.045
HOUSING_RADIUS: Final = 0.14
_TRIANGLE_DROP: Final = 0.07
"""How far the triangle's centroid lies below the middle, so that it looks centred."""
_RIM_WIDTHS: Final = {EMPTY: 0.026, GREEN: 0.02, YELLOW: 0.02, RED: 0.036}
BAND: Final = 8
BAND_DEPTH: Final = 0.04
"""How deep the numbers from BAND to HOUSING reach."""
HOUSING: Final = 40
GLOW: Final = 112
RIM: Final = 136
FACE_DARK: Final = 176
FACE: Final = 216
DIM_SHARE: Final = 0.5
_ROUGH: Final = 48
"""The side of the field that is enlarged when there is no other."""
_ICON_SIDE: Final = 32


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
    """Whether the lamp shines because it is in the row that wins."""
    is_dim: bool = False
    wash: int | None = None
    """The value of the move here in quarters, from -4 to 4, which colours the housing."""


def _outline(colour: int, side: float) -> Distance:
    """Return the outline of the lamp of *colour* in a cell of *side* pixels."""
    if colour == YELLOW:
        return _triangle(side)
    if colour != RED:
        return disc(0.31 * side)
    inradius, slope = 0.335 * side * math.cos(math.pi / 8), math.sqrt(0.5)
    return lambda dx, dy: max(abs(dx), abs(dy), (abs(dx) + abs(dy)) * slope) - inradius


def _triangle(side: float) -> Distance:
    inradius, rounding = 0.19 * side, 0.045 * side
    across, up = math.cos(math.pi / 6), math.sin(math.pi / 6)

    def distance(dx: float, dy: float) -> float:
        dy -= _TRIANGLE_DROP * side
        near, far = abs(dx) * across - dy * up, -abs(dx) * across - dy * up
        slope = near + max(rounding - near + far, 0.0) ** 2 / (4 * rounding)
        apart = abs(slope - dy)
        return max(slope, dy) + max(rounding - apart, 0.0) ** 2 / (4 * rounding) - inradius

    return distance


def _levels(colour: int, side: int) -> Callable[[float, float], float]:
    """Return the function that gives the number of a point, seen from the middle of its cell.

    The point has to lie in the left half.
    """
    outline = _outline(colour, side)
    corner = HOUSING_RADIUS * side
    straight = (0.5 - HOUSING_INSET) * side - corner
    rim, band = max(1.2, _RIM_WIDTHS[colour] * side), BAND_DEPTH * side
    reach = 0.17 * side  # how far the light falls on the housing
    is_lit = colour != EMPTY

    def face(dx: float, dy: float) -> float:
        """Return how bright the face is: most in its middle, with a reflection above that."""
        light = 0.6 - 0.42 * (dx * dx + dy * dy) / (0.33 * side) ** 2
        away = dy + 0.15 * side
        light += 0.34 * math.exp(-(dx * dx * 0.45 + away * away * 1.6) / (2 * (0.1 * side) ** 2))
        return FACE_DARK + (255 - FACE_DARK) * min(1.0, max(0.0, light))

    def level(dx: float, dy: float) -> float:
        right, down = -dx - straight, abs(dy) - straight
        depth = corner - (math.hypot(right, down) if right > 0 < down else max(right, down))
        if depth < 0.5:
            return BAND * max(0.0, depth + 0.5)
        if depth < band:
            return BAND + (HOUSING - BAND) * depth / band
        on_housing: float = HOUSING
        outside = outline(dx, dy)
        if is_lit and outside < reach:
            # The second factor rounds the light off at the corners of a shape.
            share = 1.0 - max(0.0, outside) / reach
            share *= min(1.0, max(0.0, 2.3 - 5.0 * math.hypot(dx, dy) / side))
            on_housing += (GLOW - HOUSING) * share * share
        inside = 0.5 - outside
        if inside <= 0:
            return on_housing
        if inside < 1:
            return on_housing + (RIM - on_housing) * inside
        if inside < rim:
            return RIM
        return RIM + (face(dx, dy) - RIM) * min(1.0, inside - rim)

    return level


def field_rows(colour: int, side: int) -> Iterator[bytes]:
    """Yield the rows of the field of a lamp of *colour* in a cell of *side* pixels."""
    level, middle = _levels(colour, side), side / 2
    places = [x + 0.5 - middle for x in range((side + 1) // 2)]
    for y in range(side):
        dy = y + 0.5 - middle
        left = bytes([int(level(dx, dy)) for dx in places])
        yield left + left[side // 2 - 1 :: -1]


def _stages(look: Look, tile: Tile) -> tuple[str, ...]:
    """Return the colours of the housing, of the light on it, and of the lamp's rim and face.

    The face has three: where it is dark, its own colour, and where it is bright.
    """
    c, colour, housing = look.colours, tile.colour, look.colours.housing
    if tile.wash is not None:
        housing = mixed(housing, wash(tile.wash / 4), 0.55)
    glow, rim, face, dark, light = housing, c.ring, c.glass, c.glass, c.glass
    if colour != EMPTY:
        face = look.lamps.faces[colour - 1]
        glow = mixed(housing, face, 0.95 if tile.is_won else 0.5)
        rim = "#ffffff" if colour == RED else mixed(face, "#000000", 0.35)
        dark = mixed(face, "#000000", 0.2)
        light = mixed(face, "#ffffff", 0.42 if colour == RED else 0.6)
    elif face != c.housing:
        dark, light = mixed(face, "#000000", 0.12), mixed(face, "#ffffff", 0.10)
    if tile.is_dim:
        glow = housing
        rim, dark, face, light = (mixed(x, housing, DIM_SHARE) for x in (rim, dark, face, light))
    return housing, glow, rim, dark, face, light


def ramp(look: Look, tile: Tile, side: int) -> tuple[bytes, bytes, bytes]:
    """Return the red, green and blue of each number of a field."""
    c, (housing, glow, rim, dark, face, light) = look.colours, _stages(look, tile)
    edge = c.housing_hover if tile.is_hovered else c.housing_edge
    width = max(1.0, side * (0.03 if tile.is_hovered else 0.013)) / (BAND_DEPTH * side)
    turn = BAND + (HOUSING - BAND) * min(0.95, width)
    stops = (
        (0, c.window), (BAND, edge), (turn, edge), (min(HOUSING, turn + 1.5), housing),
        (HOUSING, housing), (GLOW, glow), (RIM, rim), (FACE_DARK, dark), (FACE, face), (255, light),
    )  # fmt: skip
    channels = (bytearray(256), bytearray(256), bytearray(256))
    for (low, start), (high, end) in pairwise(stops):
        for number in range(math.ceil(low), math.floor(high) + 1):
            share = (number - low) / (high - low) if high > low else 1.0
            for channel, value in zip(channels, rgb(mixed(start, end, share)), strict=True):
                channel[number] = value
    red, green, blue = (bytes(channel) for channel in channels)
    return red, green, blue


def pixels(field: bytes, colours: tuple[bytes, bytes, bytes]) -> bytes:
    """Return *field* in *colours*, three bytes a point."""
    found = bytearray(3 * len(field))
    for channel, table in enumerate(colours):
        found[channel::3] = field.translate(table)
    return bytes(found)


def _photo(master: tk.Misc, points: bytes, side: int) -> tk.PhotoImage:
    data = b"P6 %d %d 255\n" % (side, side) + points
    return tk.PhotoImage(master=master, data=data, format="PPM")


def enlarged(field: bytes, size: int, side: int) -> bytes:
    """Return the *field* of *size* × *size* points as one of *side*: rough, and at once."""
    places = [x * size // side for x in range(side)]
    pick = itemgetter(*places)
    rows = [bytes(pick(field[y * size : (y + 1) * size])) for y in range(size)]
    return b"".join(rows[y] for y in places)


def opened(before: bytes, after: bytes, side: int, share: float) -> bytes:
    """Return the pixels *after* inside a circle that has opened by *share*, *before* outside."""
    radius, middle = 0.72 * side * share, side / 2
    rows: list[bytes] = []
    for y in range(side):
        away = y + 0.5 - middle
        half = math.sqrt(max(0.0, radius * radius - away * away))
        start, end = max(0, int(middle - half)), min(side, math.ceil(middle + half))
        row, first, last = 3 * y * side, 3 * (y * side + start), 3 * (y * side + end)
        rows += (before[row:first], after[first:last], before[last : row + 3 * side])
    return b"".join(rows)


class LampPictures:
    """The pictures of cells on *canvas*; *ready* is called when a rough size has become smooth."""

    _fields: Final[dict[int, list[bytes]]] = {}
    """The fields of the four colours by their side, shared by all canvases."""

    def __init__(self, canvas: tk.Canvas, ready: Callable[[], None]) -> None:
        self._canvas = canvas
        self._ready = ready
        self._images: dict[Tile, tk.PhotoImage] = {}
        self._shown_for: tuple[int, Look, bool] | None = None
        self._opening: tk.PhotoImage | None = None
        """Kept because Tk would lose a picture that Python has forgotten."""
        self._timer: str | None = None
        self._wanted = 0
        canvas.bind("<Destroy>", lambda _: self._forget(), add=True)

    def get(self, tile: Tile, side: int, look: Look) -> tk.PhotoImage:
        """Return the picture of a cell of *side* pixels."""
        self._want(side)
        shown_for = side, look, side in self._fields
        if self._shown_for != shown_for:
            self._shown_for, self._images = shown_for, {}
        if tile not in self._images:
            self._images[tile] = _photo(self._canvas, self._pixels(tile, side, look), side)
        return self._images[tile]

    def opening(
        self, before: Tile, after: Tile, share: float, side: int, look: Look
    ) -> tk.PhotoImage:
        """Return the picture of a cell that has changed by *share* (0 to 1) to another."""
        old, new = (self._pixels(tile, side, look) for tile in (before, after))
        points = opened(old, new, side, 0.15 + 0.85 * share)
        self._opening = _photo(self._canvas, points, side)
        return self._opening

    def _pixels(self, tile: Tile, side: int, look: Look) -> bytes:
        return pixels(self._field(tile.colour, side), ramp(look, tile, side))

    def _field(self, colour: int, side: int) -> bytes:
        if side in self._fields:
            return self._fields[side][colour]
        if not self._fields:
            self._compute_all(_ROUGH)
        nearest = min(self._fields, key=lambda size: abs(size - side))
        return enlarged(self._fields[nearest][colour], nearest, side)

    def _want(self, side: int) -> None:
        """Have the fields of *side* computed: at once if they are the first, otherwise soon."""
        if side in self._fields or self._wanted == side:
            return
        self._stop()
        if not self._fields and side <= 190:  # about 50 ms
            self._compute_all(side)
            return
        self._wanted = side
        # A size is computed once it has stood still.
        self._timer = self._canvas.after(60, self._work, self._computing(side))

    def _compute_all(self, side: int) -> None:
        for _ in self._computing(side):
            pass

    def _computing(self, side: int) -> Iterator[None]:
        """Compute the fields of *side*, pausing after each row."""
        fields: list[bytes] = []
        for colour in range(len(COLOUR_LETTERS)):
            rows: list[bytes] = []
            for row in field_rows(colour, side):
                rows.append(row)
                yield
            fields.append(b"".join(rows))
        self._fields[side] = fields
        while len(self._fields) > 5:
            del self._fields[next(iter(self._fields))]

    def _work(self, computing: Iterator[None]) -> None:
        until = time.perf_counter() + 0.005  # longer would hold up other events
        for _ in computing:
            if time.perf_counter() > until:
                self._timer = self._canvas.after(1, self._work, computing)
                return
        self._timer, self._wanted = None, 0
        self._ready()

    def _forget(self) -> None:
        # Pictures must be deleted in the thread of Tk, which runs this.
        self._stop()
        self._images.clear()
        self._opening = None

    def _stop(self) -> None:
        if self._timer is not None:
            self._canvas.after_cancel(self._timer)
        self._timer, self._wanted = None, 0


def draw_sign(canvas: tk.Canvas, look: Look, tile: Tile, x: float, y: float, side: float) -> None:
    """Write the letter of a lit lamp centred at (*x*, *y*); without letters, red has a bar."""
    colour = tile.colour
    if colour == EMPTY:
        return
    if look.letters:
        size = max(1, round(side * (0.2 if colour == YELLOW else 0.24)))
        canvas.create_text(
            x,
            y + (side * _TRIANGLE_DROP if colour == YELLOW else 0),
            text=COLOUR_LETTERS[colour],
            fill=look.colours.mark if tile.is_dim else look.lamps.letters[colour - 1],
            font=(look.family, -size, "bold"),
        )
    elif colour == RED:
        half, high = side * 0.17, side * 0.04
        canvas.create_rectangle(x - half, y - high, x + half, y + high, fill="#ffffff", width=0)


def set_icon(root: tk.Tk) -> None:
    """Give *root* and all windows under it the icon: a board of four."""
    side = _ICON_SIDE
    image = tk.PhotoImage(master=root, width=2 * side, height=2 * side)
    look = Look(THEMES["light"], LAMPS["signal"])
    for colour, x, y in ((GREEN, 0, 0), (YELLOW, 1, 0), (EMPTY, 0, 1), (RED, 1, 1)):
        field = b"".join(field_rows(colour, side))
        points = pixels(field, ramp(look, Tile(colour), side))
        tile = _photo(root, points, side)
        root.tk.call(str(image), "copy", str(tile), "-to", x * side, y * side)
        for point in (n for n, level in enumerate(field) if level == 0):
            at = x * side + point % side, y * side + point // side
            root.tk.call(str(image), "transparency", "set", *at, True)
    root.iconphoto(True, image)
    # Tk keeps no reference to the picture, and Python's would go with this frame.
    root._icon = image  # type: ignore[attr-defined]
