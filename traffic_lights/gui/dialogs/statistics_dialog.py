"""How the games against the bots ended."""

from __future__ import annotations

from tkinter import ttk
from typing import Literal

from traffic_lights.gui.game.desk import Desk
from traffic_lights.gui.kit.dialog import Dialog, confirm


class StatisticsDialog(Dialog):
    """A table by opponent, seat and help."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.root, desk.theme, "Statistics", desk.focus_board, resizable=True)
        self._desk = desk
        theme = desk.theme
        ttk.Label(self.body, text="Your games against the bots", style="Title.TLabel").grid(
            sticky="w", pady=(0, theme.px(3))
        )
        columns: tuple[tuple[str, str, int, Literal["w", "e"]], ...] = (
            ("opponent", "Opponent", 62, "w"),
            ("seat", "You were", 24, "w"),
            ("help", "Help", 20, "w"),
            ("won", "Won", 14, "e"),
            ("lost", "Lost", 14, "e"),
        )
        self.table = ttk.Treeview(
            self.body, columns=[name for name, *_ in columns], show="headings", height=8,
            selectmode="browse",
        )  # fmt: skip
        for name, heading, width, anchor in columns:
            self.table.heading(name, text=heading, anchor=anchor)
            self.table.column(name, width=theme.px(width), anchor=anchor)
        self.table.grid(sticky="nsew")
        self.body.rowconfigure(1, weight=1)
        self.summary = ttk.Label(self.body, style="Muted.TLabel")
        self.summary.grid(sticky="w", pady=(theme.px(2), 0))
        self.fill()
        close = self.add_button("Close", self.close, is_default=True)
        self.add_button("Start over…", self._ask_to_clear)
        self.appear(close)

    def fill(self) -> None:
        """Show what has been counted."""
        labels = {level.key: level.label for level in self._desk.opponents.ladder.levels()}
        self.table.delete(*self.table.get_children())
        rows = self._desk.keeper.tally.rows()
        for row in rows:
            entry = row.entry
            values = (
                labels.get(entry.opponent, entry.opponent),
                f"Player {entry.seat + 1}",
                "with help" if entry.is_helped else "none",
                row.wins,
                row.losses,
            )
            self.table.insert("", "end", values=values)
        wins, losses = sum(row.wins for row in rows), sum(row.losses for row in rows)
        self.summary.configure(
            text=f"{wins:,} won and {losses:,} lost. Games that were changed half-way, opened or "
            "set up do not count."
            if rows
            else "No finished game yet. Games between two people are not counted."
        )

    def _ask_to_clear(self) -> None:
        confirm(
            self, self.theme, "Statistics", "Forget all games counted so far?",
            {"Start over": self._clear, "Keep them": lambda: None},
        )  # fmt: skip

    def _clear(self) -> None:
        self._desk.keeper.clear_statistics()
        self.fill()
