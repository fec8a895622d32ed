"""Where a window stands: remembered as text, and pulled back onto the screen.

>>> Placement.parse("900x640+10+-20")
Placement(width=900, height=640, x=10, y=-20)
>>> Placement(900, 640, 5000, -20).on_screen(0, 0, 1920, 1080)
Placement(width=900, height=640, x=1020, y=0)
"""

from __future__ import annotations

import re
import tkinter as tk
from dataclasses import dataclass
from typing import Final

TITLE: Final = 32
"""Room that is left above a window for its title, in pixels at 96 dpi."""
_TEXT: Final = re.compile(r"(\d{1,5})x(\d{1,5})\+(-?\d{1,5})\+(-?\d{1,5})")


@dataclass(frozen=True, slots=True)
class Placement:
    """A window's size and the place of its corner, in pixels."""

    width: int
    height: int
    x: int
    y: int

    @classmethod
    def parse(cls, text: object) -> Placement | None:
        """Return the placement that *text* describes as Tk writes it, or None."""
        match = _TEXT.fullmatch(text) if isinstance(text, str) else None
        return cls(*map(int, match.groups())) if match else None

    def on_screen(self, left: int, top: int, width: int, height: int) -> Placement:
        """Return it moved, and made smaller if need be, to lie on the given screen."""
        w, h = min(self.width, width), min(self.height, height)
        x, y = min(self.x, left + width - w), min(self.y, top + height - h)
        return Placement(w, h, max(left, x), max(top, y))

    def __str__(self) -> str:
        return f"{self.width}x{self.height}+{self.x}+{self.y}"


def whole_screen(window: tk.Misc) -> tuple[int, int, int, int]:
    """Return left, top, width and height of all monitors together; of the first on Windows."""
    width = max(window.winfo_vrootwidth(), window.winfo_screenwidth())
    height = max(window.winfo_vrootheight(), window.winfo_screenheight())
    return window.winfo_vrootx(), window.winfo_vrooty(), width, height


def place(
    window: tk.Wm,
    remembered: object,
    width: int,
    height: int,
    least: tuple[int, int],
    above: int = 0,
) -> Placement:
    """Give *window* its *remembered* place, or *width* × *height* in the middle of the screen.

    *above* are the pixels of its title and menu, which its height does not count.
    Return the place that it is given.
    """
    assert isinstance(window, tk.Misc)
    left, top, whole, high = whole_screen(window)
    x = (window.winfo_screenwidth() - width) // 2
    y = max(0, (window.winfo_screenheight() - above - height) // 2)
    wanted = Placement.parse(remembered)
    if wanted is None or wanted.width < least[0] or wanted.height < least[1]:
        wanted = Placement(width, height, x, y)
    placed = wanted.on_screen(left, top, whole, high - above)
    window.wm_geometry(str(placed))
    return placed


def place_scrolling(
    window: tk.Wm, size: tuple[int, int], least: tuple[int, int], scale: float, zoom: float
) -> None:
    """Give *window*, whose content scrolls, its place in the middle of the screen.

    *size* and *least* are in pixels at 96 dpi. The window may be smaller than its content, so the
    least size does not grow with the *zoom* of the type.
    """
    smallest = round(least[0] * scale / zoom), round(least[1] * scale / zoom)
    window.wm_minsize(*smallest)
    width, height = round(size[0] * scale), round(size[1] * scale)
    place(window, "", width, height, smallest, round(TITLE * scale / zoom))


def placement_of(window: tk.Wm) -> str:
    """Return where *window* stands, as text to remember.

    The window manager was asked for this place, so asking for it again does not move the window
    by the width of its frame.
    """
    return str(window.wm_geometry())
