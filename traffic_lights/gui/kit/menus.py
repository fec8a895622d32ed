"""Menus that open under a button, and are filled each time they open."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from functools import partial
from tkinter import ttk
from typing import Any


class MenuButton(ttk.Menubutton):
    """A button that opens a menu, which *fill* fills for the moment, under itself or *under*."""

    def __init__(
        self,
        parent: tk.Misc,
        fill: Callable[[tk.Menu], object],
        under: tk.Misc | None = None,
        **look: Any,
    ) -> None:
        super().__init__(parent, **look)
        self._fill = fill
        self._under = under or self
        self._menu = tk.Menu(self, tearoff=False, postcommand=self._refill)
        self.configure(menu=self._menu)

    def _refill(self) -> None:
        """Fill the menu, in columns if it would be higher than the screen."""
        menu = self._menu
        menu.delete(0, tk.END)
        self._fill(menu)
        last = menu.index(tk.END) or 0
        rows = last * (self.winfo_screenheight() - 40) // max(1, menu.yposition(last))
        for place in range(rows, last + 1, max(1, rows)):
            menu.entryconfigure(place, columnbreak=True)

    def open(self) -> None:
        """Open the menu, unless the button is grey."""
        if self.instate(["!disabled"]):
            place = self._under
            self._menu.tk_popup(place.winfo_rootx(), place.winfo_rooty() + place.winfo_height())


def bind_menu_buttons(root: tk.Misc) -> None:
    """Have every menu button open its menu by Return, Space, and when the mouse is released.

    In a menu, Home and End go to the first and the last entry, which Tk leaves out.
    Tk opens it when the mouse goes down. Where the screen leaves it no room but over the button,
    the release would then choose what lies under the pointer.
    """

    def show(is_held: bool, event: tk.Event[tk.Misc]) -> None:
        event.widget.state(["pressed" if is_held else "!pressed"])  # type: ignore[attr-defined]

    def opened(event: tk.Event[tk.Misc]) -> str:
        if isinstance(event.widget, MenuButton):
            event.widget.open()
        return "break"

    def released(event: tk.Event[tk.Misc]) -> None:
        is_held = isinstance(event.widget, MenuButton) and event.widget.instate(["pressed"])
        show(False, event)
        if is_held:
            opened(event)

    def activate(entry: int | str, event: tk.Event[tk.Misc]) -> None:
        root.tk.call(event.widget, "activate", entry)

    root.bind_class("TMenubutton", "<Button-1>", partial(show, True))
    root.bind_class("TMenubutton", "<ButtonRelease-1>", released)
    root.bind_class("TMenubutton", "<B1-Leave>", partial(show, False))
    for key in ("<Return>", "<space>", "<Down>"):
        root.bind_class("TMenubutton", key, opened)
    for key, entry in (("<Home>", 0), ("<End>", tk.END)):
        root.bind_class("Menu", key, partial(activate, entry))
