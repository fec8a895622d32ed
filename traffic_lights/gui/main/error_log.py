"""The log of errors in the data folder, and the dialog that shows an unexpected one."""

import platform
import sys
import time
import tkinter as tk
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from traffic_lights.gui.kit.dialog import Dialog, confirm
from traffic_lights.gui.kit.theme import Theme
from traffic_lights.storage.files import StorageError, append_line
from traffic_lights.version import __version__

LARGEST: Final = 256 << 10
"""Bytes after which the log becomes ``.1`` and a new one begins."""


class ErrorLog:
    """Gets every error that Tk meets in *root*; the log is in the data folder, *folder*."""

    def __init__(self, root: tk.Tk, theme: Theme, folder: Callable[[], Path]) -> None:
        self._root = root
        self._theme = theme
        self._folder = folder
        self.errors = 0
        """How many errors Tk has met."""
        self._dialog: Dialog | None = None
        root.report_callback_exception = self._report

    @property
    def file(self) -> Path:
        """The file of errors and their details."""
        return self._folder() / "log.txt"

    def add(self, text: str) -> None:
        """Add *text* to the log, as far as the disk allows; never raises."""
        path = self.file
        with suppress(OSError, StorageError):
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.exists() and path.stat().st_size > LARGEST:
                path.replace(path.with_name(path.name + ".1"))
            append_line(path, text.encode("utf-8", "backslashreplace"))

    def _report(self, _: type[BaseException], error: BaseException, __: object) -> None:
        """Log *error*, and show it in a dialog unless one is open: few players see a terminal."""
        root = self._root
        self.errors += 1
        now = time.strftime("%Y-%m-%d %H:%M:%S")
        tk_version = root.tk.call("info", "patchlevel")
        versions = f"Traffic Lights {__version__}, Python {platform.python_version()}"
        course = "".join(traceback.format_exception(error))
        details = f"{now} {versions}, Tk {tk_version}, {sys.platform}\n{course}\n"
        self.add(details)

        def copy() -> None:
            root.clipboard_clear()
            root.clipboard_append(details)

        with suppress(tk.TclError):  # the window may be going away
            if self._dialog is None or not self._dialog.winfo_exists():
                words = (
                    f"The program has met an error: {error!r}. You can play on, and nothing is "
                    f"lost.\n\nThe details are in {self.file}."
                )
                answers = {"Close": lambda: None, "Copy Details": copy}
                self._dialog = confirm(root, self._theme, "Error", words, answers)
