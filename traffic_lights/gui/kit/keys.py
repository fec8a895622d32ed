"""Keys as people name them, such as ``Ctrl+Shift+N``, and as Tk does."""

from __future__ import annotations

import sys
from collections.abc import Sequence
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
        # With Shift named, Tk matches the more specific sequence first; without it,
        # the upper-case letter can only come from Caps Lock.
        names: tuple[str, ...] = (name.lower(), name.upper())
    else:
        names = _KEYSYMS.get(name, (name,))
    return tuple(f"<{'-'.join([*words, n])}>" for n in names)


def shown_key(keys: Sequence[str], platform: str = sys.platform) -> str:
    """Return how the menu shows the first of *keys*."""
    if not keys:
        return ""
    return keys[0].replace("Ctrl", "Command") if platform == "darwin" else keys[0]
