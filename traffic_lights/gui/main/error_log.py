"""The log of errors in the data folder, and the dialog that shows an unexpected one."""

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
from traffic_lights.storage.files import StorageError, make_folder
from traffic_lights.version import __version__

LARGEST: Final = 256 << 10
"""Bytes after which a new log begins."""


class ErrorLog:
    """Gets every error that Tk meets in *root*; the log is in the data folder, *folder*."""

    def __init__(self, root: tk.Tk, theme: Theme, folder: Callable[[], Path]) -> None:
        self._root = root
        self._theme = theme
        self._folder = folder
        self._dialog: Dialog | None = None
        root.report_callback_exception = self._report

    @property
    def file(self) -> Path:
        """The file of errors and their details."""
        return self._folder() / "log.txt"

    def add(self, text: str) -> None:
        """Add *text* to the log, as far as the disk allows; never raises."""
        with suppress(OSError, StorageError):
            if self.file.exists() and self.file.stat().st_size > LARGEST:
                self.file.unlink()
            make_folder(self.file.parent)
            with self.file.open("a", encoding="utf-8", errors="backslashreplace") as log:
                log.write(text)

    def _report(self, _: type[BaseException], error: BaseException, __: object) -> None:
        """Log *error*, and show it in a dialog unless one is open: few players see a terminal."""
        now = time.strftime("%Y-%m-%d %H:%M:%S")
        versions = f"Traffic Lights {__version__}, Python {sys.version}, Tk {tk.TkVersion}"
        course = "".join(traceback.format_exception(error))
        details = f"{now} {versions}, {sys.platform}\n{course}\n"
        self.add(details)

        def copy() -> None:
            self._root.clipboard_clear()
            self._root.clipboard_append(details)

        words = (
            f"The program has met an error: {error!r}. You can play on, and nothing is lost.\n\n"
            f"The details are in {self.file}."
        )
        with suppress(tk.TclError):  # the window may be going away
            if self._dialog is None or not self._dialog.winfo_exists():
                answers = {"Close": lambda: None, "Copy Details": copy}
                self._dialog = confirm(self._root, self._theme, "Error", words, answers)
