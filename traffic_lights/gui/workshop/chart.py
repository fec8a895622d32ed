"""What all pictures of the Workshop share: the look of curves, and what is read at the mouse."""

import math
import tkinter as tk
from typing import Final

from traffic_lights.drawing.palette import series_colour
from traffic_lights.gui.kit.drawing import Drawing
from traffic_lights.gui.kit.theme import Theme
from traffic_lights.storage.words import fitted

DASHES: Final = ((), (7, 3), (2, 3), (9, 3, 2, 3), (14, 4))
"""As many as are coprime to the colours, so that only the 31st curve looks like the first."""
DOTS: Final = ((12, 0.0), (4, 0.5), (3, 0.75), (4, 0.0))
"""The dots on curves: the number of their corners, and by what share of one they are turned."""
DOT_RADIUS: Final = 4


class Chart(Drawing):
    """A drawing that shows what is read where the mouse points."""

    def __init__(self, parent: tk.Misc, theme: Theme, height: float) -> None:
        super().__init__(parent, theme, height=height)
        self.pointer: int | None = None
        """Where the mouse points, from the left."""
        self.bind("<Motion>", lambda event: self._point(event.x))
        self.bind("<Leave>", lambda _: self._point(None))

    def _point(self, x: int | None) -> None:
        self.pointer = x
        self.redraw()

    def colour(self, style: int) -> str:
        """Return the colour of the curves with the number *style*."""
        return series_colour(self.theme.name, style)

    def curve(self, places: list[tuple[float, float]], style: int, *, dots: bool = False) -> None:
        """Draw a curve through *places* in the look number *style*, perhaps with *dots*."""
        colour = self.colour(style)
        if len(places) > 1:
            self.create_line(places, fill=colour, width=2, dash=DASHES[style % len(DASHES)])
        count, turned = DOTS[style % len(DOTS)]
        angles = [math.tau * (corner + turned) / count for corner in range(count)]
        radius = DOT_RADIUS * self.theme.scale
        for x, y in places if dots else ():
            corners = [(x + radius * math.cos(a), y - radius * math.sin(a)) for a in angles]
            self.create_polygon(corners, fill=colour)

    def head(self, title: str, reading: str, longest: str = "") -> float:
        """Write the *title* at the top, and what is read at its right or, if need be, under it.

        Return how far down both go when the *longest* of all texts is read.
        """
        bold = self.theme.strong
        measure = self.theme.body.measure
        width = self.winfo_width() - 16
        title = fitted(title, bold.measure, max(width, 0))
        self.write(8, self.line, title, font=bold, fill=self.theme.colours.text)
        longest = max(longest, reading, key=len)
        if measure(longest) < width - bold.measure(title) - 16:
            self.write(8 + width, self.line, reading, anchor="e")
            return 1.6 * self.line
        below = 8, 1.6 * self.line
        text = self.write(*below, longest, anchor="nw", width=width)
        bottom = self.bbox(text)[3]
        self.itemconfigure(text, text=reading)
        return bottom
