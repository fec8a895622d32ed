"""Which widget has the keyboard, asked in ways that never fail.

tkinter raises KeyError where one has it that Tk made for itself: a menu, or the list of a combobox.
"""

from __future__ import annotations

import tkinter as tk


def focused_widget(near: tk.Misc) -> tk.Misc | None:
    """Return the widget of the program of *near* that has the keyboard.

    None if none has, or one that Tk made for itself.
    """
    try:
        return near.focus_get()
    except KeyError:
        return None


def last_focused(window: tk.Misc) -> tk.Misc:
    """Return the widget in *window* that had the keyboard last; the window if Tk made that one."""
    try:
        return window.focus_lastfor() or window
    except KeyError:
        return window
