"""What all pictures of the windows share: they draw themselves again on a canvas."""

import tkinter as tk
from typing import Any

from traffic_lights.gui.kit.theme import Theme


class Drawing(tk.Canvas):
    """A canvas that draws itself again at each size and theme, once for all changes of a moment.

    While it is left out of the grid, nothing is drawn. What has the tag "kept" stays on it.
    """

    ground = "surface"
    """The name of the colour behind the picture."""

    def __init__(self, parent: tk.Misc, theme: Theme, **look: Any) -> None:
        super().__init__(parent, {"width": 1, "height": 1, "highlightthickness": 0, **look})
        self.theme = theme
        self._drawing = ""
        """What will draw it when Tk has nothing else to do; empty if it is drawn."""
        for event in ("<Configure>", "<<ThemeChanged>>"):
            self.bind(event, lambda _: self.redraw())
        self.bind("<Destroy>", lambda _: self.after_cancel(self._drawing or "none"), add=True)

    def redraw(self) -> None:
        """Draw everything again as soon as nothing else happens."""
        if not self._drawing:
            self._drawing = self.after_idle(self._draw)

    def _draw(self) -> None:
        self._drawing = ""
        self.configure(background=getattr(self.theme.colours, self.ground))
        if self.winfo_manager() and self.winfo_width() > 1:  # otherwise it has no place yet
            self.draw()
        self.delete("drawn")  # at last, because Tk lets go of a font with its last text
        self.addtag_all("drawn")
        self.dtag("kept", "drawn")

    def draw(self) -> None:
        """Draw everything; what was drawn before goes afterwards."""
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
