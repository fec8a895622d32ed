"""What happens when a handler fails: a log entry, one dialog, and the game continues."""

from __future__ import annotations

import platform
import sys
import time
import tkinter as tk
import traceback
from contextlib import suppress
from pathlib import Path
from tkinter import ttk
from types import TracebackType
from typing import Final

from traffic_lights import __version__
from traffic_lights.gui.kit.dialog import Dialog, Dialogs
from traffic_lights.gui.kit.theme import Theme

LARGEST_LOG: Final = 256 << 10
"""Bytes after which the log becomes ``.1`` and a new one begins."""


def append_to_log(path: Path, text: str) -> None:
    """Add *text* to the log, as far as the disk allows; never raises."""
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and path.stat().st_size > LARGEST_LOG:
            path.replace(path.with_name(path.name + ".1"))
        with path.open("a", encoding="utf-8", errors="backslashreplace") as log:
            log.write(text)


class ErrorReporter:
    """Replaces Tk's own reporter, which prints to a terminal that few players see."""

    def __init__(self, root: tk.Tk, theme: Theme, dialogs: Dialogs, log: Path) -> None:
        self._root = root
        self._theme = theme
        self._dialogs = dialogs
        self._log = log
        self.count = 0
        root.report_callback_exception = self.report

    def report(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        """Log the error and show it, once, in a dialog that locks nothing."""
        self.count += 1
        details = (
            f"{time.strftime('%Y-%m-%d %H:%M:%S')} Traffic Lights {__version__}, "
            f"Python {platform.python_version()}, Tk {self._root.tk.call('info', 'patchlevel')}, "
            f"{sys.platform}\n" + "".join(traceback.format_exception(kind, error, trace)) + "\n"
        )
        append_to_log(self._log, details)
        is_memory = issubclass(kind, MemoryError)
        trouble = "There is not enough memory." if is_memory else "The program has met an error."
        with suppress(tk.TclError):  # the window may be going away
            self._dialogs.show("error", lambda: self._dialog(trouble, details))

    def _dialog(self, trouble: str, details: str) -> Dialog:
        theme = self._theme
        dialog = Dialog(self._root, theme, "Error")
        words = f"{trouble} You can play on, and nothing is lost.\nThe details are in {self._log}."
        label = ttk.Label(dialog.body, text=words, wraplength=theme.px(110))
        label.grid(sticky="w", pady=(0, theme.px(3)))
        text = tk.Text(dialog.body, width=78, height=10, wrap=tk.NONE)
        text.insert("1.0", details)
        text.see(tk.END)
        text.configure(font=theme.fixed, state=tk.DISABLED)
        text.grid(sticky="nsew")

        def copy() -> None:
            self._root.clipboard_clear()
            self._root.clipboard_append(details)

        close = dialog.add_button("Close", dialog.close, is_default=True)
        dialog.add_button("Copy Details", copy)
        dialog.appear(close)
        return dialog
