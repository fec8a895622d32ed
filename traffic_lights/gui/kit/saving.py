"""Ask for a file, and write it."""

import tkinter as tk
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from traffic_lights.storage.files import StorageError, write_atomically

FileKinds = Sequence[tuple[str, str]]
"""Kinds of files that a file dialog offers: the name of each, and a pattern."""
ALL_FILES: Final = ("All files", "*")


def ask_to_save(parent: tk.Misc, title: str, name: str, kinds: FileKinds) -> Path | None:
    """Ask for a file in the user's documents, by default called *name*; None if there is none."""
    from tkinter import filedialog

    found = filedialog.asksaveasfilename(
        parent=parent, title=title, initialdir=Path.home(), initialfile=name,
        filetypes=(*kinds, ALL_FILES), defaultextension=Path(name).suffix,
    )  # fmt: skip
    return Path(found) if found else None


def save_as(parent: tk.Misc, title: str, name: str, kinds: FileKinds, content: str) -> str:
    """Ask for a file and write *content* to it; return what to report, a failure too."""
    path = ask_to_save(parent, title, name, kinds)
    if path is None:
        return ""
    try:
        write_atomically(path, [content.encode("utf-8")])
    except StorageError as error:
        return f"{path.name} was not saved: {error}."
    return f"Saved as {path}."
