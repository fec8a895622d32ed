"""Load Tk and open its first window, on which all others depend.

Both can fail on a computer where all else works. The reason then comes with what to do about it.
"""

import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import tkinter

_GET_TK: Final = {
    "win32": "Run the Python installer again, choose Modify, and tick 'tcl/tk and IDLE'.",
    "darwin": "Install Python from python.org, or run 'brew install python-tk'.",
    "linux": "Install it with 'sudo apt install python3-tk', 'sudo dnf install python3-tkinter' "
    "or 'sudo pacman -S tk'.",
}
"""What to do about a Python without a Tk that works, by platform."""


class NoWindowError(Exception):
    """A window cannot be opened; the text says why and what to do about it."""


def open_root() -> "tkinter.Tk":
    """Return the first window, not shown yet; raise NoWindowError if there can be none."""
    get_tk = _GET_TK.get(sys.platform, _GET_TK["linux"])
    try:
        import tkinter
        import tkinter.font
        import tkinter.ttk
    except ImportError as error:
        raise NoWindowError(f"Tk, which the window needs, is missing ({error}). {get_tk}") from None
    _prepare_windows()
    try:
        # The base name is otherwise that of the started file, which Tcl may not be able to read.
        root = tkinter.Tk(baseName="traffic-lights", className="Traffic-lights")
        root.withdraw()
        # If the system has no font, this line fails, and otherwise a later one would.
        tkinter.font.nametofont("TkDefaultFont", root).actual()
    except tkinter.TclError as error:
        reason = " ".join(str(error).split())[:200]
        remedy = get_tk
        if "display" in reason:
            remedy = "Start it from a desktop."
        elif "font" in reason:
            remedy = "Install a font, such as DejaVu Sans."
        raise NoWindowError(f"Tk cannot open a window ({reason}). {remedy}") from None
    with suppress(tkinter.TclError):  # the dialogs for files are Tk's own on X11 alone
        root.tk.eval("auto_load ::tk::dialog::file::")  # which would set the next two again
        root.setvar("::tk::dialog::file::showHiddenBtn", "1")
        root.setvar("::tk::dialog::file::showHiddenVar", "0")
    return root


def _prepare_windows() -> None:
    """Tell Windows, before the first window, that this is a program that scales by itself."""
    if sys.platform == "win32":
        import ctypes

        # The task bar would show the icon of Python.
        ctypes.windll.shell32.SetCurrentProcessExplicitAppUserModelID("TrafficLights")
        # Windows would stretch the picture of a program that does not scale.
        with suppress(OSError, AttributeError):  # before Windows 8.1
            ctypes.windll.shcore.SetProcessDpiAwareness(1)
