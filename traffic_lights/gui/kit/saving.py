"""Ask for the file to write."""

import tkinter as tk
from collections.abc import Sequence
from pathlib import Path
from typing import Final

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
