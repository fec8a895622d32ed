"""How the games against the bots ended."""

from __future__ import annotations

from tkinter import ttk
from typing import Final

from traffic_lights.gui.kit.dialog import Dialog, confirm
from traffic_lights.gui.kit.scroll import Column, ScrollList
from traffic_lights.gui.main.context import Context
from traffic_lights.pictures.shares import percent_done

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
        self._rows = ScrollList(self.body, self.theme, _COLUMNS, height=8)
        self._rows.grid(sticky="nsew")
        self.body.rowconfigure(1, weight=1)
        self._summary = ttk.Label(self.body, style="Muted.TLabel")
        self._summary.grid(sticky="w", pady=(self.theme.px(2), 0))
        self._fill()
        close = self.add_button("Close", self.close, is_default=True)
        self.add_button("Start Over…", self._ask_to_clear)
        self.appear(close)

    def _fill(self) -> None:
        """Show what has been counted, each opponent under the name that it has today."""
        table = self._rows.list
        table.delete(*table.get_children())
        records = self._context.userdata.statistics.records()
        for record in records:
            streak = f"{abs(record.streak):,} {'won' if record.streak > 0 else 'lost'}"
            table.insert("", "end", values=(
                self._context.roster.name_of(record.opponent, record.name),
                f"{record.wins:,}", f"{record.losses:,}",
                percent_done(record.wins, record.wins + record.losses), f"{record.unhelped:,}",
                streak, f"{record.longest:,}", record.first_day, record.last_day,
            ))  # fmt: skip
        wins, losses = sum(r.wins for r in records), sum(r.losses for r in records)
        self._summary.configure(
            text=f"{wins:,} won and {losses:,} lost. Games that were changed half-way, opened or "
            "set up do not count."
            if records
            else "No finished game yet. Games between two people are not counted."
        )

    def _ask_to_clear(self) -> None:
        answers = {"Keep Them": lambda: None, "Start Over": self._clear}
        confirm(self, self.theme, "Statistics", "Forget all games counted so far?", answers)

    def _clear(self) -> None:
        self._context.userdata.clear_statistics()
        self._fill()
