"""A list with headings and a bar, whose columns are as wide as their longest text."""

import tkinter as tk
from collections.abc import Mapping, Sequence
from tkinter import ttk

from traffic_lights.gui.kit.theme import Theme
from traffic_lights.gui.kit.widgets import focused_widget, put, stretch

CHOSEN = "chosen"
"""The tag of a row in strong type."""


class ColumnList(ttk.Frame):
    """Rows of texts under the headings of *columns*, which name the longest text of each."""

    def __init__(self, parent: tk.Misc, theme: Theme, columns: Mapping[str, str]) -> None:
        super().__init__(parent)
        self._theme = theme
        self._columns = columns
        stretch(self)
        self.rows = ttk.Treeview(
            self, columns=list(columns), show="headings", height=6, selectmode="browse"
        )
        put(self.rows, row=0, column=0, sticky="nsew")
        # It looks empty if all rows can be seen.
        bar = put(ttk.Scrollbar(self, command=self.rows.yview), row=0, column=1, sticky="ns")
        self.rows.configure(yscrollcommand=bar.set)
        self.rows.bind("<FocusIn>", lambda _: self._choose_first())
        self.bind("<<ThemeChanged>>", lambda _: self._dress())
        self._dress()

    def _dress(self) -> None:
        strong = self._theme.strong
        for heading, longest in self._columns.items():
            width = max(map(strong.measure, (heading, longest))) + self._theme.px(3.5)
            self.rows.heading(heading, text=heading, anchor="w")
            self.rows.column(heading, width=width, minwidth=width)
        self.rows.tag_configure(CHOSEN, font=strong)

    def add(self, row: str, cells: Sequence[str], *, is_chosen: bool = False) -> None:
        """Add the *row* with its *cells* at the end, perhaps in strong type."""
        tags = (CHOSEN,) if is_chosen else ()
        self.rows.insert("", "end", iid=row, values=tuple(cells), tags=tags)

        if focused_widget(self) is self.rows:
            self._choose_first()

    def _choose_first(self) -> None:
        """Have the arrow keys begin at the first row, if none is chosen."""
        if not self.rows.selection():
            for first in self.rows.get_children()[:1]:
                self.rows.selection_set(first)
                self.rows.focus(first)

    def clear(self) -> None:
        self.rows.delete(*self.rows.get_children())
