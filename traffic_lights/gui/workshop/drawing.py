"""What all pictures of the Workshop share: they draw themselves again on a canvas."""

import math
import tkinter as tk
from typing import Any, Final

from traffic_lights.drawing.palette import series_colour
from traffic_lights.gui.kit.theme import Theme
from traffic_lights.storage.words import fitted

DASHES: Final = ((), (7, 3), (2, 3), (9, 3, 2, 3), (14, 4))
"""As many as are coprime to the colours, so that only the 31st curve looks like the first."""
DOTS: Final = ((12, 0.0), (4, 0.5), (3, 0.75), (4, 0.0))
"""The dots on curves: the number of their corners, and by what share of one they are turned."""
DOT_RADIUS: Final = 4


class Drawing(tk.Canvas):
    """A canvas that draws itself again at each size and theme, and where the mouse points."""

    def __init__(self, parent: tk.Misc, theme: Theme, height: float) -> None:
        super().__init__(parent, width=1, height=height, highlightthickness=0)
        self.theme = theme
        self.pointer: int | None = None
        """Where the mouse points, from the left."""
        self._drawing = ""
        """What will draw it when Tk has nothing else to do; empty if it is drawn."""
        for event in ("<Configure>", "<<ThemeChanged>>"):
            self.bind(event, lambda _: self.redraw())
        self.bind("<Motion>", lambda event: self._point(event.x))
        self.bind("<Leave>", lambda _: self._point(None))
        self.bind("<Destroy>", lambda _: self.after_cancel(self._drawing or "none"))

    def _point(self, x: int | None) -> None:
        self.pointer = x
        self.redraw()

    def redraw(self) -> None:
        """Draw everything again as soon as nothing else happens."""
        if not self._drawing:
            self._drawing = self.after_idle(self._draw)

    def _draw(self) -> None:
        self._drawing = ""
        self.delete("drawn")
        self.configure(background=self.theme.colours.surface)
        if self.winfo_width() > 1:
            self.draw()
        self.addtag_all("drawn")
        self.dtag("kept", "drawn")

    def draw(self) -> None:
        """Draw everything on the empty canvas."""
        raise NotImplementedError

    @property
    def line(self) -> int:
        """The height of a line of text."""
        return self.theme.line

    def write(self, x: float, y: float, text: str, **look: Any) -> int:
        """Write *text*, by default to the right of a point; return its number on the canvas."""
        usual = {"anchor": "w", "font": self.theme.body, "fill": self.theme.colours.muted}
        shown: dict[str, Any] = {**usual, **look}
        return self.create_text(x, y, text=text, **shown)

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
        bold, measure = self.theme.strong, self.theme.body.measure
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
