"""A canvas that shows a drawing in the colours and fonts of the theme."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Mapping
from dataclasses import replace

from traffic_lights.gui.kit.palette import ON_WASH, mixed, wash
from traffic_lights.gui.kit.theme import Theme
from traffic_lights.pictures.charts import SERIES_COLOURS, VESSEL_SHARE, Room
from traffic_lights.pictures.drawing import Box, Dot, Drawing, Shape, Stroke, corners


def roles(theme: Theme) -> Mapping[str, str]:
    """Return the colour of each role in *theme*."""
    c = theme.colours
    series = SERIES_COLOURS[theme.name]
    return {
        "back": c.surface,
        "text": c.text,
        "muted": c.muted,
        "grid": c.hairline,
        "axis": c.border,
        "accent": c.accent,
        "vessel": mixed(c.surface, c.border, VESSEL_SHARE),
        "filled": c.accent,
        "on wash": ON_WASH,
        **{f"wash {step}": wash(step / 4) for step in range(-4, 5)},
        **{f"series {number}": colour for number, colour in enumerate(series)},
    }


def room_of(theme: Theme, width: int, height: int) -> Room:
    """Return the room that shapes have in a picture of this size."""
    return Room(width, height, theme.body.metrics("linespace"), theme.body.measure("0"))


class CanvasView(tk.Canvas):
    """Shows what *draw* makes of a width and height; repaints when the size or the theme changes.

    A drawing that depends on the mouse reads `pointer` and sets *follows_pointer*.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        draw: Callable[[int, int], Drawing],
        size: tuple[int, int],
        follows_pointer: bool = False,
    ) -> None:
        super().__init__(parent, width=size[0], height=size[1], highlightthickness=0, borderwidth=0)
        self.theme = theme
        self._draw = draw
        self._is_due = False
        self.pointer: float | None = None
        """The x coordinate of the mouse pointer, if the view follows it."""
        if follows_pointer:
            self.bind("<Motion>", lambda event: self._point(event.x))
            self.bind("<Leave>", lambda _: self._point(None))
        self.bind("<Configure>", lambda _: self.refresh())
        self.bind("<<ThemeChanged>>", lambda _: self.refresh())

    def refresh(self) -> None:
        """Paint again when the window is idle; several calls before that paint once."""
        if not self._is_due:
            self._is_due = True
            self.after_idle(self.paint)

    def _point(self, x: float | None) -> None:
        self.pointer = x
        self.refresh()

    def paint(self) -> None:
        """Paint again at once."""
        self._is_due = False
        if not self.winfo_exists():
            return
        width, height = self.winfo_width(), self.winfo_height()
        self.delete("all")
        colours = roles(self.theme)
        self.configure(background=colours["back"])
        if width > 1 and height > 1:
            for shape in self._draw(width, height).shapes:
                self._put(shape, colours[shape.role])

    def _put(self, shape: Shape, colour: str) -> None:
        scale = self.theme.scale
        if isinstance(shape, Stroke):
            points = [value for point in shape.points for value in point]
            width, dash = shape.width * scale, shape.dash or ""
            self.create_line(*points, fill=colour, width=width, dash=dash, joinstyle=tk.ROUND)
        elif isinstance(shape, Box):
            self.create_rectangle(shape.x0, shape.y0, shape.x1, shape.y1, fill=colour, width=0)
        elif isinstance(shape, Dot):
            larger = replace(shape, radius=shape.radius * scale)
            draw = self.create_oval if shape.form == "round" else self.create_polygon
            draw(*corners(larger), fill=colour, outline="")
        else:
            font = self.theme.strong if shape.strong else self.theme.body
            self.create_text(
                shape.x, shape.y, text=shape.text, fill=colour, anchor=shape.anchor, font=font
            )
