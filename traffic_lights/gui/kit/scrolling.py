"""A frame that scrolls where room is short."""

from __future__ import annotations

import tkinter as tk
from tkinter import ttk
from typing import Any

from traffic_lights.gui.kit.widgets import add_bar, put, stretch


class ScrollFrame(ttk.Frame):
    """Shows its `body`, with a bar at the right that scrolls it.

    The wheel scrolls it too, and what Tab comes to is moved into sight.
    """

    def __init__(self, parent: tk.Misc, **look: Any) -> None:
        super().__init__(parent, **look)
        stretch(self)
        self.view = put(tk.Canvas(self, width=1, height=1, highlightthickness=0), sticky="nsew")
        add_bar(self.view)
        self._page = ttk.Frame(self.view)
        """Is as high as the body, but at least as the room."""
        stretch(self._page)
        self.body = put(ttk.Frame(self._page), sticky="nsew")
        self._place = self.view.create_window(0, 0, anchor="nw", window=self._page)
        for widget in (self.view, self._page):
            widget.bind("<Configure>", lambda _: self._fit())
        window = self.winfo_toplevel()
        for event in ("<MouseWheel>", "<Button-4>", "<Button-5>"):  # the wheel is buttons on X11
            window.bind(event, self._scroll, add="+")
        window.bind("<<TraverseIn>>", lambda e: self._see(e.widget), add="+")

    def _fit(self) -> None:
        self._page.rowconfigure(0, minsize=self.view.winfo_height())
        self.view.itemconfigure(self._place, width=self.view.winfo_width())
        self.view.configure(scrollregion=(0, 0, 1, self._page.winfo_height()))

    def _scroll(self, event: tk.Event[tk.Misc]) -> None:
        is_up = event.delta > 0 or event.num == 4
        if str(event.widget).startswith(str(self.body)):
            self.view.yview_scroll(-1 if is_up else 1, "units")

    def _see(self, widget: tk.Misc) -> None:
        """Scroll no more than needed to see *widget*, to which Tab has come."""
        if str(widget).startswith(f"{self.body}."):
            top = widget.winfo_rooty() - self.body.winfo_rooty()
            bottom = top + widget.winfo_height() - self.view.winfo_height()
            place = min(max(self.view.canvasy(0), bottom), top)
            self.view.yview_moveto(place / self.body.winfo_height())
