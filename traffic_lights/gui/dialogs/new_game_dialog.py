"""Who plays, and who starts."""

from __future__ import annotations

from tkinter import ttk
from typing import Final

from traffic_lights.gui.game.desk import Desk
from traffic_lights.gui.kit.dialog import Dialog
from traffic_lights.players.game import HUMAN, Player
from traffic_lights.session.session import First

_STARTS: Final = {
    First.ALTERNATE: "Both in turn, game by game",
    First.FIRST: "Always the one",
    First.SECOND: "Always the other",
    First.RANDOM: "Decided by chance",
}


class NewGameDialog(Dialog):
    """Two seats, each a person or a bot, and who starts."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.root, desk.theme, "New Game", desk.focus_board)
        self._desk = desk
        theme = desk.theme
        self._players: list[tuple[str, Player]] = [("A person", HUMAN)]
        self._players += [(o.label, o.player) for o in desk.opponents.all() if o.is_ready]
        labels = [label for label, _ in self._players]
        ttk.Label(self.body, text="New game", style="Title.TLabel").grid(
            columnspan=2, sticky="w", pady=(0, theme.px(3))
        )
        self.seats: list[ttk.Combobox] = []
        players = desk.session.players
        if desk.keeper.settings.first == First.SECOND.value:
            players = players[::-1]
        for row, (text, player) in enumerate(zip(("One", "The other"), players, strict=True), 1):
            box = self._field(row, text, labels)
            keys = [p.bot for _, p in self._players]
            box.current(keys.index(player.bot) if player.bot in keys else 0)
            self.seats.append(box)
        self.first = self._field(3, "Who starts", list(_STARTS.values()))
        self.first.current(list(_STARTS).index(First(desk.keeper.settings.first)))
        self.add_button("Start", self._start, is_default=True)
        self.add_button("Cancel", self.close)
        self.appear(self.seats[1])

    def _field(self, row: int, text: str, values: list[str]) -> ttk.Combobox:
        theme = self.theme
        ttk.Label(self.body, text=text).grid(
            row=row, column=0, sticky="w", padx=(0, theme.px(4)), pady=theme.px(1)
        )
        box = ttk.Combobox(
            self.body, values=values, state="readonly", font=theme.body,
            width=max(34, *(len(value) for value in values)) if values else 34,
        )  # fmt: skip
        box.grid(row=row, column=1, sticky="ew", pady=theme.px(1))
        # The chosen text would otherwise stay marked as if it were to be overwritten.
        box.bind("<<ComboboxSelected>>", lambda _: box.selection_clear())
        return box

    def _start(self) -> None:
        one, other = (self._players[max(0, box.current())][1] for box in self.seats)
        first = list(_STARTS)[max(0, self.first.current())]
        desk = self._desk
        desk.keeper.change(first=first.value)
        self.close()
        desk.end_welcome()
        desk.session.new_game((one, other), first)
        desk.changed()
