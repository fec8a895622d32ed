"""Keys by their names, on every keyboard and system, and the keys of all buttons and fields."""

from __future__ import annotations

import re
import sys
import tkinter as tk
from collections.abc import Callable
from string import ascii_uppercase
from tkinter import ttk
from typing import Final

_KEYSYMS: Final = {
    "PageUp": ("Prior", "KP_Prior"),
    "PageDown": ("Next", "KP_Next"),
    "+": ("plus", "KP_Add"),
    "=": ("equal",),
    "-": ("minus", "KP_Subtract"),
    # Tk takes a plain 1 for a button of the mouse.
    **{digit: (f"Key-{digit}", f"KP_{digit}") for digit in "0123"},
}
_ROWS: Final = {24: "qwertyuiop", 38: "asdfghjkl", 52: "zxcvbnm"}
"""The rows of letters of a keyboard, by X11's key code of the first."""
_LETTERS: Final = {code + n: key for code, row in _ROWS.items() for n, key in enumerate(row)}
_OTHER_ALPHABETS: Final = (
    range(0x400, 0x1000), range(0x1000370, 0x1001E00), range(0x1002C00, 0x1110000)
)  # fmt: skip
"""X11's keysyms of alphabets other than Latin: those with a name, and those of Unicode."""
_SHIFT: Final = 0x1
_CONTROL: Final = 0x4
_ALT: Final = 0x20000 if sys.platform == "win32" else 0x8
"""Bits in the state of an event; 0x8 is Num Lock on Windows."""
MODIFIERS: Final = _CONTROL | _ALT
"""The bits of Control, Alt and Command."""


def sequences(key: str, platform: str = sys.platform) -> tuple[str, ...]:
    """Return the Tk events for a shown key such as ``Ctrl+Shift+N``, whatever Caps Lock says."""
    modifiers, _, name = key.rpartition("+")
    if not name:  # the key itself is the plus
        modifiers = key[:-2]
        name = "+"
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
    """Return *key* as the keyboards of this system name it."""
    return key.replace("Ctrl", "Command") if platform == "darwin" else key


def bind_sequence(
    widget: tk.Misc, sequence: str, act: Callable[[tk.Event[tk.Misc]], object]
) -> None:
    """Have the keys *sequence*, such as ``<Control-n>``, call *act*.

    They become a virtual event, which `bind_other_alphabets` can send when Tk does not know the
    letter.
    """
    widget.event_add(f"<{sequence}>", sequence)
    widget.bind(f"<{sequence}>", act)


def latin_key(event: tk.Event[tk.Misc]) -> str:
    """Return the Latin letter on the key of a letter of another alphabet, or the digit on it.

    The result is empty if the key types a Latin letter, or anything else that Tk knows.
    """
    if len(event.char) == 1 and event.char.isdecimal() and not event.char.isascii():
        return str(int(event.char))
    if sys.platform == "win32":
        letter = chr(event.keycode).lower() if chr(event.keycode) in ascii_uppercase else ""
        return letter if letter != event.keysym.lower() else ""
    if event.char in ("\u0644\u0627", "\u0644\u0622"):
        return "b"  # this key types two letters in Arabic, and then X11 reports no key code
    if any(event.keysym_num in alphabet for alphabet in _OTHER_ALPHABETS):
        return _LETTERS.get(event.keycode, "")
    return ""


def bind_other_alphabets(root: tk.Misc) -> None:
    """Let the keys of a Russian, Greek, Hebrew or Arabic layout do what their Latin letters do.

    Tk knows keys only by what they type. So a key that types another alphabet sends every virtual
    event of its Latin letter, ours and those with which Tk copies and pastes in fields.
    """
    if root.tk.call("tk", "windowingsystem") == "aqua":  # its menus know the keys
        return
    was_latin = True

    def key_came(event: tk.Event[tk.Misc]) -> None:
        nonlocal was_latin
        key = latin_key(event)
        state = int(event.state)
        # With Control, a Latin letter types a sign of its own, and only its name shows it.
        if key or event.char.isalpha() or re.fullmatch("[A-Za-z]", event.keysym):
            was_latin = not key
        elif not was_latin and state & _CONTROL:
            key = _LETTERS.get(event.keycode, "")  # Hebrew and Greek have signs on some keys
        if not key or state & _ALT:
            return
        words = ("Control", "Shift") if state & _SHIFT else ("Control",)
        sequence = "-".join([*(words if state & _CONTROL else ()), "Key", key])
        root.event_add("<<Latin>>", f"<{sequence}>")
        wanted = root.event_info("<<Latin>>")[0]  # as Tk writes it
        root.event_delete("<<Latin>>")
        for name in [name for name in root.event_info() if wanted in root.event_info(name)]:
            root.tk.call("event", "generate", event.widget, name)

    root.bind_all("<Key>", key_came, add="+")


def bind_class_keys(root: tk.Misc) -> None:
    """Let Return press a button, and Ctrl+A select all of a field, where Tk goes to the start.

    Home and End go to the ends of the open list of a field, where Tk does nothing.
    """

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
    keys = *sequences("Ctrl+A"), "<Control-Lock-A>"
    for virtual in ("<<LineStart>>", "<<SelectLineStart>>"):
        root.event_delete(virtual, *keys)
    root.event_add("<<SelectAll>>", *keys)
    for kind in ("TEntry", "TCombobox"):
        root.bind_class(kind, "<<SelectAll>>", select_all)
    for key, place in (("Home", "0"), ("End", "end")):
        # Tk makes these lists itself, so tkinter has no widget for them.
        root.tk.eval(
            f"bind ComboboxListbox <{key}> {{ %W selection clear 0 end; "
            f"%W selection set {place}; %W activate {place}; %W see {place}; break }}"
        )
