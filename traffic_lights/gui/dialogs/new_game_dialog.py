"""Who plays, and who starts."""

from __future__ import annotations

from tkinter import ttk
from typing import Final

from traffic_lights.gui.game.desk import Desk
from traffic_lights.gui.game.first import First, players_of_next_game
from traffic_lights.gui.game.opponent_menu import score_text
from traffic_lights.gui.kit.dialog import Dialog
from traffic_lights.players.game import HUMAN, Player
from traffic_lights.system.words import unbroken

_STARTS: Final = {
    First.ALTERNATE: "Take turns",
    First.FIRST: "You start",
    First.SECOND: "Opponent starts",
    First.RANDOM: "By lot",
}


class NewGameDialog(Dialog):
    """Two seats, each a person or a bot, and who starts."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.root, desk.theme, "Players", desk.focus_board)
        self._desk = desk
        theme = desk.theme
        ready = [entry for entry in desk.roster.entries() if not entry.problem]
        self._players = [HUMAN, *(Player(entry.key, entry.name) for entry in ready)]
        self._abouts = ["", *(f"{entry.about} {score_text(entry)}".strip() for entry in ready)]
        names = ["A person", *(f"{entry.name} – {entry.group.value.lower()}" for entry in ready)]
        ttk.Label(self.body, text="New game", style="Title.TLabel").grid(
            columnspan=2, sticky="w", pady=(0, theme.px(3))
        )
        self.seats: list[ttk.Combobox] = []
        players = desk.session.players
        if players[1].is_human and not players[0].is_human:
            players = players[::-1]  # the person is always "you"
        for row, (text, player) in enumerate(zip(("You", "Opponent"), players, strict=True)):
            box = self._field(2 * row + 1, text, names)
            keys = [p.bot for p in self._players]
            box.current(keys.index(player.bot) if player.bot in keys else 0)
            self.seats.append(box)
            self._about_line(2 * row + 2, box)
        self.first = self._field(5, "Who starts", list(_STARTS.values()))
        self.first.current(list(_STARTS).index(First(desk.keeper.settings.first)))
        self.add_button("Start", self._start, is_default=True)
        self.add_button("Cancel", self.close)
        self.appear(self.seats[1])

    def _about_line(self, row: int, box: ttk.Combobox) -> None:
        """Say under *box* what the one chosen does, in three lines kept for it."""
        theme = self.theme
        frame = ttk.Frame(self.body, height=3 * theme.body.metrics("linespace") + theme.px(1.5))
        frame.grid_propagate(False)
        frame.grid(row=row, column=1, sticky="ew", pady=(0, theme.px(1)))
        label = ttk.Label(frame, style="Muted.TLabel", wraplength=theme.px(76), justify="left")
        label.grid(sticky="w")

        def tell(_: object = None) -> None:
            label.configure(text=unbroken(self._abouts[max(0, box.current())]))

        box.bind("<<ComboboxSelected>>", tell, add=True)
        tell()

    def _field(self, row: int, text: str, values: list[str]) -> ttk.Combobox:
        theme = self.theme
        ttk.Label(self.body, text=text).grid(
            row=row, column=0, sticky="w", padx=(0, theme.px(4)), pady=theme.px(1)
        )
        box = ttk.Combobox(
            self.body,
            values=values,
            state="readonly",
            font=theme.body,
            width=44,
        )
        box.grid(row=row, column=1, sticky="ew", pady=theme.px(1))
        # The chosen text would otherwise stay marked as if it were to be overwritten.
        box.bind("<<ComboboxSelected>>", lambda _: box.selection_clear())
        return box

    def _start(self) -> None:
        one, other = (self._players[max(0, box.current())] for box in self.seats)
        first = list(_STARTS)[max(0, self.first.current())]
        desk = self._desk
        desk.keeper.change(first=first.value)
        self.close()
        desk.end_welcome()
        if first is First.RANDOM:
            one, other = players_of_next_game((one, other), first)
        elif first is First.SECOND or (
            first is First.ALTERNATE and desk.session.players == (one, other)
        ):
            one, other = other, one
        desk.session.new_game((one, other))
        desk.changed()
