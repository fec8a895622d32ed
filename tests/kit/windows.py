"""Windows of their own, for the tests of one widget."""

import tkinter as tk
from collections.abc import Callable
from typing import Final

from tests.kit.samples import wait_until
from traffic_lights.gui.kit.theme import Theme
from traffic_lights.play.settings import Settings

KEPT: Final[list[object]] = []
"""What stays for the whole run: a Tk that another thread deletes ends the process, and a font that
one deletes waits a second for its window.
"""


def new_root() -> tk.Tk:
    """Return the Tk of a new program, without what asks the screen hundreds of times."""
    root = tk.Tk(className="Traffic-lights")
    root.tk.call("tk", "useinputmethods", False)  # which each widget has; keys need none here
    if not KEPT:  # the colours of all pictures, which Tk lets go of with the last picture
        keeper = tk.Tk()
        keeper.withdraw()
        picture = tk.PhotoImage(master=keeper, width=1, height=1)
        KEPT.extend((picture, tk.Label(keeper, image=picture)))
    KEPT.append(root)
    return root


def new_window() -> tuple[tk.Tk, Theme]:
    """Return a window that has nothing yet, and the usual theme of it."""
    root = new_root()
    root.tk.eval("proc ::bgerror args {}")  # Tk would print what was due when a window went
    theme = Theme(root, **Settings(theme="light").look)
    KEPT.append(theme)
    return root, theme


def loop_until(root: tk.Misc, is_true: Callable[[], object]) -> None:
    """Run the Tk loop of *root* until *is_true*."""
    wait_until(is_true, "what the window does", root.update)
    root.update()
