"""What all pictures of the Workshop share: the look of curves, and what is read at the mouse."""

import tkinter as tk
from typing import Final

from traffic_lights.drawing.palette import series_colour
from traffic_lights.gui.kit.drawing import Drawing
from traffic_lights.gui.kit.theme import Theme
from traffic_lights.gui.kit.widgets import show_if
from traffic_lights.storage.words import fitted

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""
DASHES: Final = ((), (7, 3), (2, 3), (9, 3, 2, 3), (14, 4))
"""As many as are coprime to the colours, so that only the 31st curve looks like the first."""


EDGE: Final = 8
"""The pixels that stay free at the left and the right of a picture."""


class Chart(Drawing):
    """A drawing that shows what is read where the mouse points."""

    def __init__(self, parent: tk.Misc, theme: Theme) -> None:
        super().__init__(parent, theme)
        self.pointer: int | None = None
        """Where the mouse points, from the left."""
        self._under_title = 0
        """The number of the text that says what the picture is about."""
        self.bind("<Motion>", lambda event: self._point(event.x))
        self.bind("<Leave>", lambda _: self._point(None))

    def _point(self, x: int | None) -> None:
        self.pointer = x
        self.redraw()

    def redraw_if(self, known: object) -> None:
        """Draw everything again if anything is *known* to show; otherwise leave out the picture."""
        show_if(known, self, self.master)
        self.redraw()

    def colour(self, style: int) -> str:
        """Return the colour of the curves with the number *style*."""
        return series_colour(self.theme.name, style)

    def curve(self, places: list[tuple[float, float]], style: int) -> None:
        """Draw a curve through *places* in the look number *style*."""
        if len(places) > 1:
            dash = DASHES[style % len(DASHES)]
            self.create_line(places, fill=self.colour(style), width=2, dash=dash)

    def bar(self, whole: Box, filled: Box) -> None:
        """Draw a bar in the place *whole*, of which the part in *filled* is reached."""
        c = self.theme.colours
        self.create_rectangle(whole, fill=c.pressed, width=0)
        left, top, right, bottom = filled
        if left < right and top < bottom:  # Tk draws a line for nothing, too
            self.create_rectangle(filled, fill=c.accent, width=0)

    def head(self, title: str, about: str = "") -> float:
        """Write the *title*, and under it what the picture is *about*; return where to go on.

        The line under the title stays free even without *about*: what is read there needs it.
        """
        width = self.winfo_width() - 2 * EDGE
        bold = self.theme.strong
        title = fitted(title, bold.measure, max(width, 0))
        self.write(EDGE, self.line, title, font=bold, fill=self.theme.colours.text)
        place = EDGE, 1.7 * self.line
        self._under_title = self.write(*place, about, anchor="nw", width=width)
        return self.bbox(self._under_title)[3]

    def read(self, text: str) -> None:
        """Write what is read at the mouse over all else, in the place of what it is about."""
        self.itemconfigure(self._under_title, text=text)
        _, top, _, bottom = self.bbox(self._under_title)
        bottom += self.line // 2  # so that no number is half covered
        ground = self["background"]
        self.create_rectangle(0, top, self.winfo_width(), bottom, fill=ground, width=0)
        self.tag_raise(self._under_title)
