"""How the games against the bots ended."""

from __future__ import annotations

from tkinter import ttk
from typing import Final

from traffic_lights.gui.kit.dialog import Dialog, confirm
from traffic_lights.gui.kit.scroll import Column, ScrollList
from traffic_lights.gui.main.context import Context
from traffic_lights.pictures.shares import percent_done
from traffic_lights.userdata.statistics import Record

_COLUMNS: Final[tuple[Column, ...]] = (
    ("opponent", "Opponent", 38, "w"),
    ("won", "Won", 11, "e"),
    ("lost", "Lost", 11, "e"),
    ("rate", "Rate", 12, "e"),
    ("unhelped", "Won unaided", 24, "e"),
    ("streak", "In a row", 18, "e"),
    ("longest", "Most won", 20, "e"),
    ("first", "First", 22, "e"),
    ("last", "Last", 22, "e"),
)


class StatisticsDialog(Dialog):
    """A table by opponent: rate, streaks and days."""

    def __init__(self, context: Context) -> None:
        super().__init__(
            context.root, context.theme, "Statistics", context.focus_board, resizable=True
        )
        self._context = context
        title = ttk.Label(self.body, text="Your games against the bots", style="Title.TLabel")
        title.grid(sticky="w", pady=(0, self.theme.px(3)))
        frame = ScrollList(self.body, self.theme, _COLUMNS, height=8)
        frame.grid(sticky="nsew")
        self.body.rowconfigure(1, weight=1)
        self.table = frame.list
        self.summary = ttk.Label(self.body, style="Muted.TLabel")
        self.summary.grid(sticky="w", pady=(self.theme.px(2), 0))
        self.fill()
        close = self.add_button("Close", self.close, is_default=True)
        self.add_button("Start Over…", self._ask_to_clear)
        self.appear(close)

    def fill(self) -> None:
        """Show what has been counted."""
        self.table.delete(*self.table.get_children())
        rows = self._context.userdata.statistics.records()
        for record in rows:
            self.table.insert("", "end", values=self._cells(record))
        wins, losses = sum(row.wins for row in rows), sum(row.losses for row in rows)
        self.summary.configure(
            text=f"{wins:,} won and {losses:,} lost. Games that were changed half-way, opened or "
            "set up do not count."
            if rows
            else "No finished game yet. Games between two people are not counted."
        )

    def _cells(self, record: Record) -> tuple[str, ...]:
        """Return the line of one opponent, under the name that it has today."""
        games = record.wins + record.losses
        name = self._context.roster.name_of(record.opponent, record.name)
        counts = (f"{record.wins:,}", f"{record.losses:,}", percent_done(record.wins, games))
        streak = f"{abs(record.streak):,} {'won' if record.streak > 0 else 'lost'}"
        days = record.first_day, record.last_day
        return (name, *counts, f"{record.unhelped:,}", streak, f"{record.longest:,}", *days)

    def _ask_to_clear(self) -> None:
        answers = {"Keep Them": lambda: None, "Start Over": self._clear}
        confirm(self, self.theme, "Statistics", "Forget all games counted so far?", answers)

    def _clear(self) -> None:
        self._context.userdata.clear_statistics()
        self.fill()
