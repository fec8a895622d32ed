"""Places of windows on the screen."""

import re
import tkinter as tk
from typing import Final, TypeAlias

TITLE_AND_BAR: Final = 40
"""The pixels of a screen that are left for the title of a window and the bar of the desktop."""
Place: TypeAlias = tuple[int, int, int, int]
"""The width, height, left and top of a window, in pixels."""


def on_screen(window: tk.Misc, above: int, wanted: Place) -> Place:
    """Return the place that is *wanted* for *window*, moved and made smaller if need be.

    It stays on the monitors, on Windows on the first one. *above* are the pixels of the title and
    menu of *window*, which its height does not count.
    """
    width, height, x, y = wanted
    left = window.winfo_vrootx()
    top = window.winfo_vrooty()
    wide = max(window.winfo_vrootwidth(), window.winfo_screenwidth())
    high = max(window.winfo_vrootheight(), window.winfo_screenheight()) - above
    width = min(width, wide)
    height = min(height, high)
    return (
        width,
        height,
        max(left, min(x, left + wide - width)),
        max(top, min(y, top + high - height)),
    )


def place_window(
    window: tk.Tk | tk.Toplevel,
    remembered: str,
    size: tuple[int, int],
    least: tuple[int, int],
    above: int,
) -> tuple[int, int]:
    """Give *window* its *remembered* place, or *size* in the middle; return its width and height.

    *above* is the same as in `on_screen`.
    """
    x = (window.winfo_screenwidth() - size[0]) // 2
    y = max(0, (window.winfo_screenheight() - above - size[1]) // 2)
    wanted = *size, x, y
    if re.fullmatch(r"\d{1,5}x\d{1,5}(\+-?\d{1,5}){2}", remembered):
        width, height, left, top = map(int, re.findall(r"-?\d+", remembered))
        if width >= least[0] and height >= least[1]:
            wanted = width, height, left, top
    width, height, x, y = on_screen(window, above, wanted)
    window.wm_minsize(min(least[0], width), min(least[1], height))
    window.wm_geometry(f"{width}x{height}+{x}+{y}")
    return width, height


def is_maximized(window: tk.Tk | tk.Toplevel) -> bool:
    """Return whether *window* is maximized, which X11 calls otherwise than the other systems."""
    if window.tk.call("tk", "windowingsystem") == "x11":
        return bool(window.wm_attributes("-zoomed"))
    return window.wm_state() == "zoomed"


def show_maximized(window: tk.Tk | tk.Toplevel) -> None:
    """Show *window* maximized; it keeps its own place for later."""
    if window.tk.call("tk", "windowingsystem") == "x11":
        window.wm_attributes("-zoomed", True)
        window.wm_deiconify()
    else:
        window.wm_state("zoomed")
