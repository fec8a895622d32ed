"""Keeps the smooth pictures of lamps in the size and colours that a board needs now.

A size that is not there yet is computed in small pieces between other events,
once the size has stood still for a moment; until then `get` returns None and
the board draws plain shapes.
"""

from __future__ import annotations

import time
import tkinter as tk
from collections.abc import Callable, Iterator
from typing import Final

from traffic_lights.board.rules import COLOUR_NAMES
from traffic_lights.gui.kit.lamp_art import Look
from traffic_lights.gui.kit.lamp_field import field_rows, portable_pixmap, ramp

STILL_MS: Final = 60
PIECE_S: Final = 0.005
AT_ONCE: Final = 190
"""The first size is computed at once if a cell has no more pixels than this: about 50 ms."""
_SIZES_KEPT: Final = 3
_COLOURS: Final = range(len(COLOUR_NAMES))


class LampTiles:
    """Pictures of whole cells on *canvas*; *ready* is called when a new size is complete."""

    def __init__(self, canvas: tk.Canvas, ready: Callable[[], None]) -> None:
        self._canvas = canvas
        self._ready = ready
        self._fields: dict[int, list[bytes]] = {}
        self._images: dict[tuple[int, bool], tk.PhotoImage] = {}
        self._shown_for: tuple[int, Look] | None = None
        self._timer: str | None = None
        self._wanted = 0
        canvas.bind("<Destroy>", lambda _: self._forget(), add=True)

    def get(self, colour: int, hovered: bool, side: int, look: Look) -> tk.PhotoImage | None:
        """Return the picture of a cell, or None while its size is being computed."""
        if side not in self._fields:
            self._want(side)
            if side not in self._fields:
                return None
        if self._shown_for != (side, look):
            self._shown_for = (side, look)
            self._images = {}
        image = self._images.get((colour, hovered))
        if image is None:
            field = self._fields[side][colour]
            data = portable_pixmap(field, side, ramp(look, colour, hovered, side))
            image = tk.PhotoImage(master=self._canvas, data=data, format="PPM")
            self._images[colour, hovered] = image
        return image

    def _want(self, side: int) -> None:
        if self._wanted == side:
            return
        self._stop()
        self._wanted = side
        pieces = self._pieces(side)
        if not self._fields and side <= AT_ONCE:
            for _ in pieces:
                pass
            self._keep_few()
            return
        self._timer = self._canvas.after(STILL_MS, self._work, pieces)

    def _pieces(self, side: int) -> Iterator[None]:
        """Compute the fields of *side*, pausing after each row."""
        fields: list[bytes] = []
        for colour in _COLOURS:
            rows: list[bytes] = []
            for row in field_rows(colour, side):
                rows.append(row)
                yield
            fields.append(b"".join(rows))
        self._fields[side] = fields

    def _work(self, pieces: Iterator[None]) -> None:
        self._timer = None
        until = time.perf_counter() + PIECE_S
        for _ in pieces:
            if time.perf_counter() > until:
                self._timer = self._canvas.after(1, self._work, pieces)
                return
        self._keep_few()
        self._ready()

    def _keep_few(self) -> None:
        self._wanted = 0
        while len(self._fields) > _SIZES_KEPT:
            del self._fields[next(iter(self._fields))]

    def _forget(self) -> None:
        """Let the pictures go while this is the Tk thread: another must not delete them."""
        self._stop()
        self._images.clear()

    def _stop(self) -> None:
        if self._timer is not None:
            self._canvas.after_cancel(self._timer)
            self._timer = None
        self._wanted = 0
