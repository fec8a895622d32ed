"""A canvas that shows a drawing in the colours and fonts of the theme."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence
from typing import Any

from traffic_lights.gui.kit.palette import roles
from traffic_lights.gui.kit.theme import Theme
from traffic_lights.pictures.charts import Room
from traffic_lights.pictures.drawing import Box, Dot, Shape, Stroke, corners


class CanvasView(tk.Canvas):
    """Shows what *draw* makes of a value in a room; *draw* also gets where the mouse points.

    It repaints when the value, the size or the theme changes. It takes no room if the value is
    empty; it must lie in a grid.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        draw: Callable[[Any, Room, float | None], Sequence[Shape]],
    ) -> None:
        super().__init__(parent, width=1, height=1, highlightthickness=0, borderwidth=0)
        self._theme = theme
        self._draw = draw
        self._is_due = False
        self.value: Any = None
        self._pointer: float | None = None
        """The x coordinate of the mouse pointer over the canvas."""
        self.bind("<Motion>", lambda event: self._point(event.x))
        self.bind("<Leave>", lambda _: self._point(None))
        self.bind("<Configure>", lambda _: self._refresh())
        self.bind("<<ThemeChanged>>", lambda _: self._refresh())

    def show(self, value: object) -> None:
        """Show *value* from now on."""
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

    def _paint(self) -> None:
        self._is_due = False
        if not self.winfo_exists():
            return
        width, height = self.winfo_width(), self.winfo_height()
        self.delete("all")
        colours = roles(self._theme.name)
        self.configure(background=colours["back"])
        if self.value and width > 1 and height > 1:
            body = self._theme.body
            room = Room(width, height, body.metrics("linespace"), body.measure("0"))
            for shape in self._draw(self.value, room, self._pointer):
                self._put(shape, colours[shape.role])

    def _put(self, shape: Shape, colour: str) -> None:
        scale = self._theme.scale
        if isinstance(shape, Stroke):
            width, dash = shape.width * scale, shape.dash or ""
            self.create_line(
                list(shape.points), fill=colour, width=width, dash=dash, joinstyle=tk.ROUND
            )
        elif isinstance(shape, Box):
            self.create_rectangle(shape.x0, shape.y0, shape.x1, shape.y1, fill=colour, width=0)
        elif isinstance(shape, Dot):
            create = self.create_oval if shape.form == "round" else self.create_polygon
            create(list(corners(shape, scale)), fill=colour, outline="")
        else:
            font = self._theme.strong if shape.strong else self._theme.body
            self.create_text(
                shape.x, shape.y, text=shape.text, fill=colour, anchor=shape.anchor, font=font
            )
