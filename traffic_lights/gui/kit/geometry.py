"""Where a window stands: remembered as text, and pulled back onto the screen.

>>> on_screen((0, 0, 1920, 1080), 900, 640, 5000, -20)
(900, 640, 1020, 0)
"""

from __future__ import annotations

import re
import tkinter as tk
from typing import Final

TITLE: Final = 32
"""Room that is left above a window for its title, in pixels at 96 dpi."""
_PLACE: Final = re.compile(r"(\d{1,5})x(\d{1,5})\+(-?\d{1,5})\+(-?\d{1,5})")

Bounds = tuple[int, int, int, int]


def on_screen(screen: Bounds, width: int, height: int, x: int, y: int) -> Bounds:
    """Return the size and corner of a window, moved and made smaller if need be.

    *screen* is the left, top, width and height that it has to stay within.
    """
    left, top, whole, high = screen
    width, height = min(width, whole), min(height, high)
    x, y = min(x, left + whole - width), min(y, top + high - height)
    return width, height, max(left, x), max(top, y)


def whole_screen(window: tk.Misc, above: int) -> Bounds:
    """Return left, top, width and height of all monitors together; of the first on Windows.

    *above* are the pixels of the window's title and menu, which its height does not count.
    """
    width = max(window.winfo_vrootwidth(), window.winfo_screenwidth())
    height = max(window.winfo_vrootheight(), window.winfo_screenheight())
    return window.winfo_vrootx(), window.winfo_vrooty(), width, height - above


def place(
    window: tk.Tk | tk.Toplevel,
    remembered: str,
    size: tuple[int, int],
    least: tuple[int, int],
    above: int,
) -> tuple[int, int]:
    """Give *window* its *remembered* place, or *size* in the middle of the screen.

    *least* is its least size, and *above* are the pixels of its title and menu. Return its size.
    """
    x = (window.winfo_screenwidth() - size[0]) // 2
    y = max(0, (window.winfo_screenheight() - above - size[1]) // 2)
    wanted = *size, x, y
    match = _PLACE.fullmatch(remembered)
    if match and int(match[1]) >= least[0] and int(match[2]) >= least[1]:
        wanted = int(match[1]), int(match[2]), int(match[3]), int(match[4])
    width, height, x, y = on_screen(whole_screen(window, above), *wanted)
    window.wm_minsize(*least)
    window.wm_geometry(f"{width}x{height}+{x}+{y}")
    return width, height
