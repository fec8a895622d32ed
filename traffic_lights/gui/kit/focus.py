"""Which widget has the keyboard, asked in the one way that never fails."""

from __future__ import annotations

import tkinter as tk


def focused_widget(near: tk.Misc) -> tk.Misc | None:
    """Return the widget of the program of *near* that has the keyboard.

    None if none has, or one that Tk made for itself: a menu, or the list of a combobox.
    """
    try:
        return near.focus_get()
    except KeyError:  # tkinter does not know the widgets that Tk makes for itself
        return None
