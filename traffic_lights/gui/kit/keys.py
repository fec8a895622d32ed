"""The keyboard: the names of keys in menus and in Tk, and which widget has the focus."""

from __future__ import annotations

import sys
import tkinter as tk
from tkinter import ttk
from typing import Final

_KEYSYMS: Final = {
    "PageUp": ("Prior", "KP_Prior"),
    "PageDown": ("Next", "KP_Next"),
    "+": ("plus", "KP_Add"),
    "=": ("equal",),
    "-": ("minus", "KP_Subtract"),
    "0": ("Key-0", "KP_0"),
}


def sequences(key: str, platform: str = sys.platform) -> tuple[str, ...]:
    """Return the Tk events for a shown key such as ``Ctrl+Shift+N``, whatever Caps Lock says."""
    modifiers, _, name = key.rpartition("+")
    if not name:  # the key itself is the plus
        modifiers, name = key[:-2], "+"
    main = "Command" if platform == "darwin" else "Control"
    words = [main if word == "Ctrl" else word for word in modifiers.split("+") if word]
    if len(name) == 1 and name.isalpha():
        # Tk matches the more specific sequence first, so Shift has to be named. Without it, the
        # upper-case letter can only come from Caps Lock.
        names: tuple[str, ...] = (name.lower(), name.upper())
    else:
        names = _KEYSYMS.get(name, (name,))
    return tuple(f"<{'-'.join([*words, n])}>" for n in names)


def shown_key(key: str, platform: str = sys.platform) -> str:
    """Return how the menu shows *key*."""
    return key.replace("Ctrl", "Command") if platform == "darwin" else key


def bind_class_keys(root: tk.Misc) -> None:
    """Let Return press a button, and Ctrl+A select all of a field, where Tk goes to the start."""

    def press(event: tk.Event[tk.Misc]) -> str:
        if isinstance(event.widget, (ttk.Button, ttk.Radiobutton)):
            event.widget.invoke()
        return "break"  # a dialog would press its default button

    def select_all(event: tk.Event[tk.Misc]) -> str:
        if isinstance(event.widget, ttk.Entry):
            event.widget.select_range(0, tk.END)
            event.widget.icursor(tk.END)
        return "break"

    for kind in ("TButton", "TRadiobutton"):
        root.bind_class(kind, "<Return>", press)
    for kind in ("TEntry", "TCombobox", "TSpinbox"):
        for sequence in sequences("Ctrl+A"):
            root.bind_class(kind, sequence, select_all)


def focused_widget(near: tk.Misc) -> tk.Misc | None:
    """Return the widget of the program of *near* that has the focus.

    None if none has it, or a widget that Tk made for itself, such as a menu or the list of a
    combobox: tkinter raises KeyError for these.
    """
    try:
        return near.focus_get()
    except KeyError:
        return None
