"""Menus that open under a button, and are filled each time they open."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk


class MenuButton(ttk.Button):
    """A button that opens a menu, which *fill* fills for the moment, under itself or *under*.

    Tk's own Menubutton opens it when the mouse goes down. Where the screen leaves it no room but
    over the button, the release would then choose what lies under the pointer.
    """

    def __init__(
        self,
        parent: tk.Misc,
        fill: Callable[[tk.Menu], object],
        under: tk.Misc | None = None,
        text: str = "",
        style: str = "TMenubutton",
    ) -> None:
        super().__init__(parent, text=text, style=style, command=self.open)
        self._fill = fill
        self._under = under or self
        self.menu = tk.Menu(self, tearoff=False, postcommand=self._refill)
        self.bind("<Down>", lambda _: self.open())

    def _refill(self) -> None:
        """Fill the menu, in columns if it would be higher than the screen."""
        menu = self.menu
        menu.delete(0, tk.END)
        self._fill(menu)
        last = menu.index(tk.END) or 0
        rows = last * (self.winfo_screenheight() - 40) // max(1, menu.yposition(last))
        for place in range(rows, last + 1, max(1, rows)):
            menu.entryconfigure(place, columnbreak=True)

    def open(self) -> None:
        """Open the menu."""
        place = self._under
        self.menu.tk_popup(place.winfo_rootx(), place.winfo_rooty() + place.winfo_height())
