"""The figures of one pair of players, in a list: those that matter most, or all of them."""

import tkinter as tk
from collections.abc import Iterable
from tkinter import ttk
from typing import Final

from traffic_lights.gui.kit.theme import Theme
from traffic_lights.judging import reports
from traffic_lights.judging.evaluation import Row

WIDEST: Final = "99.9–100.0 %"
"""What the values have room for at least."""
PLAYED: Final = ("rate", "interval", "first.rate", "second.rate")
EXACT: Final = ("exact.total", "exact.first", "exact.second", "best.total")
"""The keys of the columns that matter most: of a score from games, and of an exact one."""


class PairFacts(ttk.Treeview):
    """A line for each figure: what it is called, its value, and a sentence about it."""

    def __init__(self, parent: tk.Misc, theme: Theme) -> None:
        super().__init__(
            parent, columns=("fact", "value", "about"), show="", selectmode="none",
            style="Facts.Treeview",
        )  # fmt: skip
        self._theme = theme
        for column in reports.SHOWN:
            self.insert("", "end", iid=column.key, values=(column.heading, "", column.about))

    def dress(self) -> None:
        """Give the columns the widths that the font of the theme asks for."""
        self._widen("fact", [column.heading for column in reports.SHOWN])
        self._widen("value", [WIDEST])
        self._widen("about", [self.set(key, "about") for key in self.get_children()])

    def _widen(self, column: str, texts: Iterable[str]) -> None:
        """Make a *column* as wide as the longest of *texts*."""
        width = max(map(self._theme.body.measure, texts)) + self._theme.px(2.5)
        self.column(column, width=width, minwidth=width, stretch=column == "about")

    def show(self, row: Row | None, *, has_all: bool) -> None:
        """Show the figures of *row*, if there is one; a dash stands for what is not known."""
        for column in reports.SHOWN:
            self.set(column.key, "value", "–" if row is None else column.show(row))
        keys = [column.key for column in reports.SHOWN]
        if not has_all:
            keys = [*(PLAYED if row is None or row.exact is None else EXACT)]
        self.set_children("", *keys)
        self.dress()
        self.configure(height=len(keys))
