"""One look for every window: its colours, two sizes of type, one grid.

A `Theme` belongs to one Tk root. It owns the fonts, so that a change of size
reaches every widget at once, and it hands out distances in steps of a grid.
"""

import tkinter as tk
from contextlib import suppress
from tkinter import font as tkfont
from typing import Any, Final

from traffic_lights.drawing.palette import LAMPS, THEMES
from traffic_lights.system.desktop import system_prefers_dark

BODY_POINTS: Final = 10


def _xft_dpi(screen: str) -> float:
    """Return the dots per inch that a desktop on X11 is set to; 0 if there is no such setting."""
    with suppress(ImportError, OSError, ValueError):
        import ctypes  # only this and Windows need it

        x11 = ctypes.CDLL("libX11.so.6")  # Tk has loaded it already
        x11.XOpenDisplay.restype = ctypes.c_void_p
        x11.XGetDefault.restype = ctypes.c_char_p
        if display := ctypes.c_void_p(x11.XOpenDisplay(screen.encode())):
            dpi = x11.XGetDefault(display, b"Xft", b"dpi")
            x11.XCloseDisplay(display)
            return float(dpi or 0)
    return 0.0


class Theme:
    """The colours, fonts and distances of every window under *root*."""

    def __init__(self, root: tk.Tk, **look: Any) -> None:
        """Make the theme of *root*; *look* is what `set` takes."""
        self._root = root
        system = root.tk.call("tk", "windowingsystem")
        if system == "x11" and (dpi := _xft_dpi(root.winfo_screen())):
            root.tk.call("tk", "scaling", dpi / 72)  # as Tk 9 does by itself
        # A Mac reports 72 points an inch on every screen, and draws fine lines by itself.
        least = 1.0 if system == "aqua" else 0.75
        self.screen_scale = max(least, root.winfo_fpixels("1i") / 96)
        """The resolution of the screen, in steps of 96 dpi."""
        self.edge, self.side = (round(n * self.screen_scale) for n in (16, 12))
        """The pixels that are free at an edge of a window, and beside a text in a list or on a tab.
        They do not grow with the text, which needs the room."""
        self.family: str = tkfont.nametofont("TkDefaultFont").actual("family")
        self.body = tkfont.Font(root, name="TLBody", family=self.family)
        self.strong = tkfont.Font(root, name="TLStrong", family=self.family, weight="bold")
        self.title = tkfont.Font(root, name="TLTitle", family=self.family, weight="bold")
        self._wanted = ""
        """The theme that was set, which may be "system"."""
        self.set(**look)

    def set(self, *, theme: str, lamps: str, letters: bool, size: int) -> None:
        """Take the settings of the look; the theme "system" is light or dark, as there."""
        if theme != self._wanted:  # asking the system takes a while
            self._wanted = self.name = theme
            if self.name == "system":
                self.name = "dark" if system_prefers_dark() else "light"
        self.colours = THEMES[self.name]
        self.scale = self.screen_scale * size / 100
        """Pixels for each 1/96 inch."""
        self.lamps = LAMPS[lamps]
        self.letters = letters
        # Negative sizes are pixels, which do not depend on Tk's own scaling.
        height = round(BODY_POINTS * 4 / 3 * self.scale)
        for font in ("TLBody", "TLStrong", "TkMenuFont", "TkTextFont", "TkIconFont"):
            tkfont.nametofont(font, self._root).configure(size=-height)
        self.title.configure(size=-round(20 * self.scale))
        self.line = min(self.body.metrics("linespace"), round(1.27 * height))
        """The height of a line in a list: some fonts have much room over and under the letters."""

    def px(self, steps: float) -> int:
        """Return *steps* of the grid, 4 pixels each at 96 dpi, in pixels of this screen."""
        return round(steps * 4 * self.scale)
