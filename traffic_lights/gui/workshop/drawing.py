"""What all pictures of the Workshop share: they draw themselves again on a canvas."""

import tkinter as tk
from typing import Any

from traffic_lights.gui.kit.theme import Theme
from traffic_lights.storage.words import fitted


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

    def write(self, x: float, y: float, text: str, **look: Any) -> None:
        """Write *text*, by default to the right of a point, in the type of the theme."""
        usual: dict[str, Any] = {"anchor": "w", "font": self.theme.body}
        self.create_text(x, y, text=text, **{"fill": self.theme.colours.muted, **usual, **look})

    def head(self, title: str, reading: str) -> None:
        """Write the *title* at the top, and at its right what is read at the pointer."""
        bold, measure = self.theme.strong, self.theme.body.measure
        title = fitted(title, bold.measure, max(self.winfo_width() - 16, 0))
        self.write(8, self.line, title, font=bold, fill=self.theme.colours.text)
        room = self.winfo_width() - bold.measure(title) - 32
        text = fitted(reading, measure, max(room, 0))
        self.write(self.winfo_width() - 8, self.line, text, anchor="e")
