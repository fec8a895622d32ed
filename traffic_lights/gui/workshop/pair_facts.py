"""The facts about one pair of players, in a list: comparisons first, then the columns of a row."""

import tkinter as tk
from collections.abc import Iterable, Sequence
from tkinter import ttk
from typing import Final

from traffic_lights.gui.kit.theme import Theme
from traffic_lights.judging import reports
from traffic_lights.judging.evaluation import Row
from traffic_lights.workshop import comparing
from traffic_lights.workshop.form_values import settings_known

WIDEST: Final = "99.9–100.0 %"
"""What the values have room for at least."""


class PairFacts(ttk.Treeview):
    """A line for each fact: what it is called, its value, and a sentence about it."""

    def __init__(self, parent: tk.Misc, theme: Theme) -> None:
        super().__init__(
            parent, columns=("fact", "value", "about"), show="", selectmode="none",
            height=len(comparing.UNKNOWN) + len(reports.SHOWN), style="Facts.Treeview",
        )  # fmt: skip
        self._theme = theme
        self.more = ""
        """Sentences that have no room in the list."""
        for heading, fact in comparing.UNKNOWN.items():
            self.insert("", "end", iid=heading, values=(heading, *fact))
        for column in reports.SHOWN:
            self.insert("", "end", iid=column.key, values=(column.heading, "", column.about))

    def dress(self) -> None:
        """Give the columns the widths that the font of the theme asks for."""
        headings = [column.heading for column in reports.SHOWN]
        self._widen("fact", [*comparing.UNKNOWN, *headings])
        self._widen("value", [WIDEST])

    def _widen(self, column: str, texts: Iterable[str]) -> None:
        """Make a *column* as wide as the longest of *texts*."""
        width = max(map(self._theme.body.measure, texts)) + self._theme.px(2.5)
        self.column(column, width=width, minwidth=width, stretch=column == "about")

    def show(self, row: Row | None, rows: Sequence[Row], looked_at: str) -> None:
        """Show the facts of *row*, if there is one, and compare it with the other *rows*.

        The Workshop shows the bot with the key *looked_at*, with which another is compared.
        """
        for column in reports.SHOWN:
            self.set(column.key, "value", "–" if row is None else column.show(row))
        facts = dict(comparing.UNKNOWN)
        self.more = ""
        if row is not None and row.games and row.bot != row.opponent:
            facts[comparing.DIRECT] = comparing.against_opponent(row)
            # A bot against itself wins half, which says nothing.
            rows = [one for one in rows if one.opponent == row.opponent != one.bot]
            others = [one for one in rows if one.bot not in (row.bot, row.opponent)]
            chosen = [one for one in others if one.bot.key == looked_at]
            facts[comparing.DIFFERENCE] = comparing.against_other(row, chosen or others)
            settings = {one.bot.key: settings_known(one.bot.own) for one in rows if one.bot.own}
            facts[comparing.SETTINGS], self.more = comparing.by_settings(row, rows, settings)
        for heading, fact in facts.items():
            self.set(heading, "value", fact.value)
            self.set(heading, "about", fact.about)
        self._widen("about", [str(self.set(key, "about")) for key in self.get_children()])
