"""Tk's own dialogs for files, which wait inside Tk: what ends that wait.

While such a dialog is open, a program that destroys its windows is left with a
wait that nothing can end, and stays as a process without a window.
"""

from __future__ import annotations

import tkinter as tk
from collections.abc import Iterator
from typing import Final

_KINDS: Final = {"TkFDialog", "TkChooseDir", "TkMotifFDialog"}


def end_file_dialogs(root: tk.Tk) -> bool:
    """Let an open dialog for files return without a name; return whether there was one.

    It returns when the event under way is handled, so windows may be destroyed
    only after that; one that does not wait yet has to be asked again. The
    dialogs of Windows and macOS are not Tk's, and lock the window that would
    have to be closed.
    """
    call = root.tk.call
    # Not whether it is mapped: it goes out of sight with the window that it belongs to. It keeps
    # the grab until it returns.
    waiting = str(call("grab", "current", "."))
    is_open = any(
        str(call("winfo", "class", name)) in _KINDS
        and (name == waiting or str(call("wm", "state", name)) == "normal")
        for name in _windows(root, ".")
    )
    if is_open:
        call("set", "::tk::Priv(selectFilePath)", "")
    return is_open


def _windows(root: tk.Tk, name: str) -> Iterator[str]:
    """Yield the windows under *name* that have a frame of their own, and those under them."""
    for child in root.tk.splitlist(root.tk.call("winfo", "children", name)):
        if str(root.tk.call("winfo", "toplevel", child)) == str(child):
            yield str(child)
            yield from _windows(root, str(child))
