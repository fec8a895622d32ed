"""Keys by their names, on every keyboard and system, and the keys of all buttons and fields.

Tk knows a key by what it types. `key_name` returns what a menu calls it: ``Ctrl+Shift+Z``, ``F2``,
``PageUp`` or ``b``. A letter of another alphabet has the name of the Latin letter on its key, and
Caps Lock makes no difference. The keys of the keypad do what the grey ones do, in every window.
"""

from __future__ import annotations

import sys
import tkinter as tk
from collections.abc import Callable
from functools import partial
from string import ascii_uppercase
from tkinter import ttk
from typing import Final

_NAMES: Final = {
    "Prior": "PageUp", "Next": "PageDown",
    "plus": "+", "KP_Add": "+", "minus": "-", "KP_Subtract": "-", "equal": "=",
    **{f"KP_{digit}": digit for digit in "0123456789"},
}  # fmt: skip
_KEYPAD: Final = {
    "KP_Enter": "Return",
    **{f"KP_{key}": key for key in ("Left", "Right", "Up", "Down", "Home", "End", "Prior", "Next")},
}
"""The keys of the keypad without Num Lock, and the grey ones."""
_ROWS: Final = {24: "qwertyuiop", 38: "asdfghjkl", 52: "zxcvbnm"}
"""The rows of letters of a keyboard, by X11's key code of the first."""
_LETTERS: Final = {code + n: key for code, row in _ROWS.items() for n, key in enumerate(row)}
_OTHER_ALPHABETS: Final = (
    range(0x400, 0x1000), range(0x1000370, 0x1001E00), range(0x1002C00, 0x1110000)
)  # fmt: skip
"""X11's keysyms of alphabets other than Latin: those with a name, and those of Unicode."""
_IN_FIELDS: Final = {"c": "<<Copy>>", "v": "<<Paste>>", "x": "<<Cut>>", "a": "<<SelectAll>>"}
_SHIFT: Final = 0x1
_CONTROL: Final = 0x4
_ALT: Final = 0x20000 if sys.platform == "win32" else 0x8
"""Bits in the state of an event. A Mac has Command in the place of Alt."""


def shown_key(key: str, platform: str = sys.platform) -> str:
    """Return *key* as the keyboards of this system name it."""
    return key.replace("Ctrl", "Command") if platform == "darwin" else key


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


def key_name(event: tk.Event[tk.Misc]) -> str:
    """Return the name of the key that *event* reports; empty if it has none here, as with Alt."""
    state = int(event.state)
    main, other = (_ALT, _CONTROL) if sys.platform == "darwin" else (_CONTROL, _ALT)
    name = latin_key(event) or _NAMES.get(event.keysym, event.keysym)
    if state & other:
        return ""
    is_sign = len(name) == 1 and not name.isalpha()  # which may need Shift itself
    shift = "Shift+" if state & _SHIFT and not is_sign else ""
    if state & main:
        return f"Ctrl+{shift}{name.upper() if len(name) == 1 else name}"
    return name.lower() if len(name) == 1 else f"{shift}{name}"


def bind_keys(window: tk.Tk | tk.Toplevel, press: Callable[[str], object]) -> None:
    """Have *press* called with the name of each key in *window* but those that a field takes."""

    def came(event: tk.Event[tk.Misc]) -> None:
        name = key_name(event)
        is_typed = isinstance(event.widget, ttk.Entry) and len(name) == 1
        if name and not is_typed:
            press(name)

    window.bind("<Key>", came)


def bind_class_keys(root: tk.Misc) -> None:
    """Let Return press a button, Ctrl+A select all of a field, and the keypad do what keys do.

    In a menu, Home and End go to the first and the last entry, which Tk leaves out.
    """

    def press(event: tk.Event[tk.Misc]) -> str:
        if isinstance(event.widget, (ttk.Button, ttk.Radiobutton)):
            event.widget.invoke()
        return "break"  # a dialog would press its default button

    def grey(key: str, event: tk.Event[tk.Misc]) -> None:
        # Tk itself makes menus and the lists of fields, for which tkinter has no widget.
        root.tk.call("event", "generate", event.widget, f"<{key}>", "-state", event.state)

    def edit(event: tk.Event[tk.Misc]) -> None:
        if act := _IN_FIELDS.get(latin_key(event)):
            event.widget.event_generate(act)

    for kind in ("TButton", "TRadiobutton"):
        root.bind_class(kind, "<Return>", press)
    for name, key in _KEYPAD.items():
        root.bind_all(f"<{name}>", partial(grey, key), add="+")
    for kind in ("TEntry", "TCombobox"):
        root.bind_class(kind, "<Control-Key>", edit)
    for name, entry in (("Home", "0"), ("End", "end")):
        root.tk.call("bind", "Menu", f"<{name}>", f"%W activate {entry}")
    root.event_delete("<<LineStart>>", "<Control-a>")  # otherwise Tk goes to the start
    root.event_add("<<SelectAll>>", "<Control-a>", "<Control-A>")
