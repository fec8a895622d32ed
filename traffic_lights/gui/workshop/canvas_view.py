"""A canvas that shows a drawing of a value, and what the mouse or the keys point at in it."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence
from functools import partial
from typing import Generic, TypeVar

from traffic_lights.drawing.palette import roles
from traffic_lights.gui.kit.theme import Theme
from traffic_lights.gui.kit.widgets import focused_widget
from traffic_lights.workshop.drawings import Area, Room, Shape, Stroke

V = TypeVar("V")


class CanvasView(tk.Canvas, Generic[V]):
    """Shows what *draw* makes of a value in a room; *draw* also gets where the mouse points.

    With *stops*, which returns x coordinates, it takes the focus: the keys Left, Right, Home and
    End then point from one stop to the next. It must lie in a grid, where it takes no room if the
    value is empty.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        draw: Callable[[V, Room, float | None], Sequence[Shape]],
        stops: Callable[[V, Room], Sequence[float]] | None = None,
    ) -> None:
        super().__init__(parent, width=1, height=1, highlightthickness=0, borderwidth=0)
        # Without this, Tk gives the focus to whatever has a tip.
        self.configure(takefocus=stops is not None)
        self._theme = theme
        self._draw = draw
        self._stops = stops
        self._is_due = False
        self.value: V | None = None
        self._pointer: float | None = None
        """The x coordinate that the mouse or the keys point at."""
        self.bind("<Motion>", lambda event: self._point(event.x))
        self.bind("<Leave>", lambda _: self._point(None))
        self.bind("<Configure>", lambda _: self._refresh())
        self.bind("<<ThemeChanged>>", lambda _: self._refresh())
        if stops is not None:
            self.bind("<FocusIn>", lambda _: self._refresh())
            self.bind("<FocusOut>", lambda _: self._point(None))
            for key, step in (("Left", -1), ("Right", 1), ("Home", -(10**9)), ("End", 10**9)):
                self.bind(f"<{key}>", partial(self._go, step))

    @property
    def room(self) -> Room:
        """The size of the canvas and of its type now."""
        body = self._theme.body
        line = body.metrics("linespace")
        return Room(self.winfo_width(), self.winfo_height(), line, body.measure("0"))

    def show(self, value: V | None) -> None:
        if value != self.value:
            self.value = value
            self.grid() if value else self.grid_remove()
            self._refresh()

    def _refresh(self) -> None:
        """Paint again when the window is idle; several calls before that paint once."""
        if not self._is_due:
            self._is_due = True
            self.after_idle(self._paint)

    def _point(self, x: float | None) -> None:
        self._pointer = x
        self._refresh()

    def _go(self, steps: int, _: object) -> str:
        """Point so many stops further; the first time, at the last stop."""
        found = self._stops(self.value, self.room) if self._stops and self.value else ()
        if found:
            index = len(found) - 1
            pointer = self._pointer
            if pointer is not None:
                index = min(range(len(found)), key=lambda n: abs(found[n] - pointer)) + steps
            self._point(found[min(max(index, 0), len(found) - 1)])
        return "break"

    def _paint(self) -> None:
        self._is_due = False
        if not self.winfo_exists():
            return
        room = self.room
        self.delete("all")
        colours = roles(self._theme.name)
        self.configure(background=colours["surface"])
        if self.value and room.width > 1 and room.height > 1:
            for shape in self._draw(self.value, room, self._pointer):
                self._put(shape, colours[shape.role])
        if self._stops and focused_widget(self) is self:
            ring = self._theme.ring
            edge = ring / 2
            self.create_rectangle(
                edge, edge, room.width - edge, room.height - edge,
                outline=colours["accent"], width=ring,
            )  # fmt: skip

    def _put(self, shape: Shape, colour: str) -> None:
        if isinstance(shape, Stroke):
            width = shape.width * self._theme.scale
            dash = shape.dash or ""
            points = list(shape.points)
            self.create_line(points, fill=colour, width=width, dash=dash, joinstyle=tk.ROUND)
        elif isinstance(shape, Area):
            self.create_polygon(list(shape.points), fill=colour)
        else:
            font = self._theme.strong if shape.strong else self._theme.body
            self.create_text(
                shape.x, shape.y, text=shape.text, fill=colour, anchor=shape.anchor, font=font
            )
