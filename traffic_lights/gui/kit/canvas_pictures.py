"""The smooth pictures on a canvas, which keeps each while it may be needed again."""

import tkinter as tk
from collections.abc import Callable, Hashable
from functools import partial
from typing import Final

from traffic_lights.board.rules import COLOUR_LETTERS, EMPTY, RED
from traffic_lights.drawing import shapes
from traffic_lights.gui.kit.lamps import Look, Tile, enlarged, lamp_field, lamp_picture
from traffic_lights.gui.kit.smooth import KEPT, Distance, corner, shape_png, whole_size

_AT_ONCE: Final = 190
"""The largest side of fields for which the first picture waits; they take about 0.1 s."""
_COLOURS: Final = range(len(COLOUR_LETTERS))
_FIELDS: Final[dict[int, list[bytes]]] = {}
"""The fields of the four colours by their side, shared by all canvases."""


class CanvasPictures:
    """The smooth pictures on *canvas*; *redraw* is called when a rough lamp has become smooth."""

    def __init__(self, canvas: tk.Canvas, redraw: Callable[[], object]) -> None:
        self._canvas = canvas
        self._redraw = redraw
        self._kept: dict[Hashable, tk.PhotoImage] = {}
        self._timer = ""
        self._wanted = 0
        """The side whose fields are computed now."""
        canvas.bind("<Destroy>", self._end, add=True)

    def _get(self, key: Hashable, data: Callable[[], bytes]) -> tk.PhotoImage:
        """Return the picture that *key* stands for, made of *data* if there is none yet."""
        image = self._kept.pop(key, None) or tk.PhotoImage(master=self._canvas, data=data())
        self._kept[key] = image
        if len(self._kept) > KEPT:
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
        """Draw the *shape* of *values* around the point *at*; it needs *size*, in pixels."""
        width, height = whole_size(size)
        data = partial(shape_png, width, height, colour, shape, *values)
        image = self._get((width, height, colour, shape, values), data)
        self._canvas.create_image(round(at[0]), round(at[1]), image=image)

    def draw_frame(
        self, at: tuple[float, float], half: float, radius: float, width: float, colour: str
    ) -> None:
        """Draw a square frame around *at*; *half* a side and the *radius* reach to its outside.

        Only its corners need pictures: an upright or level edge has no steps.
        """
        left, top = (round(place - half) for place in at)
        side = round(2 * half)
        thick = round(width)
        turn = round(radius)
        canvas = self._canvas
        draw_box = partial(canvas.create_rectangle, fill=colour, width=0, tags="frame")
        for start in (0, side - thick):
            end = start + thick
            draw_box(left + turn, top + start, left + side - turn, top + end)
            draw_box(left + start, top + turn, left + end, top + side - turn)
        for right, down in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
            values = turn, thick, right, down
            data = partial(shape_png, turn, turn, colour, corner, *values)
            image = self._get((colour, corner, values), data)
            x = left if right > 0 else left + side - turn
            y = top if down > 0 else top + side - turn
            canvas.create_image(x, y, image=image, anchor="nw", tags="frame")

    def lamp(self, tile: Tile, side: int, look: Look) -> tk.PhotoImage:
        """Return the picture of a cell of *side* pixels: rough, if it is the first of its size."""
        if not _FIELDS:
            first = min(side, _AT_ONCE)
            _FIELDS[first] = [lamp_field(colour, first) for colour in _COLOURS]
        if side not in _FIELDS and side != self._wanted:
            self._stop()
            self._wanted = side
            # A size is computed once it has stood still.
            self._timer = self._canvas.after(60, self._compute, side, [])
        nearest = min(_FIELDS, key=lambda size: abs(size - side))

        def data() -> bytes:
            field = _FIELDS[nearest][tile.colour]
            if nearest != side:
                field = enlarged(field, nearest, side)
            return lamp_picture(field, tile, side, look)

        return self._get((tile, side, look, nearest), data)

    def draw_lamp(
        self, tile: Tile, look: Look, at: tuple[float, float], side: int, *, has_sign: bool = True
    ) -> None:
        """Draw a cell around the point *at*, with a letter; without letters, red has a bar."""
        x, y = at
        canvas = self._canvas
        colour = tile.colour
        image = self.lamp(tile, side, look)
        canvas.create_image(round(x - side / 2), round(y - side / 2), image=image, anchor="nw")
        if not has_sign:
            return
        if look.letters and colour != EMPTY:
            drop, size = shapes.letter_place(colour)
            canvas.create_text(
                x, y + side * drop, text=COLOUR_LETTERS[colour],
                fill=look.colours.mark if tile.dim else look.lamps.letters[colour - 1],
                font=(look.family, -max(1, round(side * size)), "bold"),
            )  # fmt: skip
        elif colour == RED:
            half, high = (side * length / 2 for length in shapes.BAR)
            canvas.create_rectangle(x - half, y - high, x + half, y + high, fill="#fff", width=0)

    def _compute(self, side: int, fields: list[bytes]) -> None:
        """Add one of the *fields* of *side*; other events are handled before the next."""
        fields.append(lamp_field(len(fields), side))
        if len(fields) < len(_COLOURS):
            self._timer = self._canvas.after(1, self._compute, side, fields)
            return
        _FIELDS[side] = fields
        if len(_FIELDS) > 5:
            del _FIELDS[next(iter(_FIELDS))]
        self._timer = ""
        self._wanted = 0
        self._redraw()

    def _stop(self) -> None:
        if self._timer:
            self._canvas.after_cancel(self._timer)

    def _end(self, _: object) -> None:
        self._stop()
        self._kept.clear()  # pictures must be deleted in the thread of Tk, which runs this
