"""Windows of their own, for the tests of one widget."""

import os
import sys
import tkinter as tk
import unittest
from collections.abc import Callable
from typing import Final

from tests.kit.samples import wait_until
from traffic_lights.gui.kit.theme import Theme
from traffic_lights.play.settings import Settings

HAS_DISPLAY: Final = not os.environ.get("TRAFFIC_LIGHTS_NO_DISPLAY") and (
    bool(os.environ.get("DISPLAY")) or sys.platform in ("win32", "darwin")
)
KEPT: Final[list[object]] = []
"""What stays: a Tk that another thread deletes ends the process, a font so deleted waits 1 s."""


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


@unittest.skipUnless(HAS_DISPLAY, "no display")
class WindowTestCase(unittest.TestCase):
    """A test of one widget, in a window that has nothing yet and the usual theme."""

    def setUp(self) -> None:
        self.root = new_root()
        self.addCleanup(self.root.destroy)
        self.root.tk.eval("proc ::bgerror args {}")  # Tk would print what was due when it went
        self.theme = Theme(self.root, **Settings(theme="light").look)
        KEPT.append(self.theme)


def loop_until(root: tk.Misc, is_true: Callable[[], object]) -> None:
    """Run the Tk loop of *root* until *is_true*."""
    wait_until(is_true, "what the window does", root.update)
    root.update()
