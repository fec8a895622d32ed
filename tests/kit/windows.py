"""Windows of their own, for the tests of one widget."""

import time
import tkinter as tk
from collections.abc import Callable
from functools import cache

from tests.kit.samples import PATIENCE_S
from traffic_lights.gui.kit.theme import Theme
from traffic_lights.play.settings import Settings

_kept: list[tuple[tk.Tk, Theme]] = []
"""Kept for the whole run: a Tk that another thread deletes ends the process, and a font that one
deletes waits a second for its window.
"""


def new_root() -> tk.Tk:
    """Return the Tk of a new program, without what asks the screen hundreds of times."""
    root = tk.Tk(className="Traffic-lights")
    root.tk.call("tk", "useinputmethods", False)  # which each widget has; keys need none here
    _keep_colours()
    return root


@cache
def _keep_colours() -> tuple[object, ...]:
    """Keep what the pictures of all windows share; Tk lets go of it with the last picture."""
    root = tk.Tk()
    root.withdraw()
    picture = tk.PhotoImage(master=root, width=1, height=1)
    return root, picture, tk.Label(root, image=picture)


def new_window() -> tuple[tk.Tk, Theme]:
    """Return a window that has nothing yet, and the usual theme of it."""
    root = new_root()
    root.tk.eval("proc ::bgerror args {}")  # Tk would print what was due when a window went
    theme = Theme(root, **Settings(theme="light").look)
    _kept.append((root, theme))
    return root, theme


def loop_until(root: tk.Misc, is_true: Callable[[], object]) -> None:
    """Run the Tk loop of *root* until *is_true*; raise TimeoutError if it never is."""
    until = time.monotonic() + PATIENCE_S
    pause_s = 0.0005
    while not is_true():
        if time.monotonic() > until:
            raise TimeoutError("waited in vain")
        root.update()
        time.sleep(pause_s)
        pause_s = min(2 * pause_s, 0.02)  # to look at everything takes a while too
    root.update()
