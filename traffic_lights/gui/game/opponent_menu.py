"""The submenu of opponents: who can be chosen, and what choosing does."""

from __future__ import annotations

import tkinter as tk
from typing import Final

from traffic_lights.gui.game.desk import Desk
from traffic_lights.gui.main.menus import MenuBar
from traffic_lights.players.game import HUMAN
from traffic_lights.session.phases import Phase

NO_BOT: Final = "human"
"""The menu's word for a person in the other seat."""
_MENU: Final = "Opponent"


class OpponentMenu:
    """Fills the submenu, shows in it who sits in the other seat, and seats another."""

    def __init__(self, desk: Desk, menus: MenuBar, variable: tk.StringVar) -> None:
        self._desk = desk
        self._menus = menus
        self._variable = variable
        self._was_checked = False
        desk.opponents.on_change.append(self.fill)

    def fill(self) -> None:
        """List everyone."""
        options = [(NO_BOT, "Another person", True)]
        options += [(o.player.bot or "", o.label, o.is_ready) for o in self._desk.opponents.all()]
        self._menus.fill(_MENU, "opponent", options)

    def check(self) -> None:
        """Read all tables once, in the background, and grey what cannot play."""
        if not self._was_checked:
            self._was_checked = True
            desk = self._desk
            desk.jobs.run(desk.opponents.ladder.check, lambda _: self.fill(), desk.failed)

    def show_choice(self) -> None:
        """Mark who sits in the other seat."""
        bots = [player.bot for player in self._desk.session.players if player.bot is not None]
        self._variable.set(bots[-1] if bots else NO_BOT)

    def choose(self, key: str) -> None:
        """Seat the bot *key*, or a person, against the person who plays.

        The game goes on, or if it is over, a new one begins.
        """
        desk = self._desk
        players = list(desk.session.players)
        seats = [seat for seat in (1, 0) if not players[seat].is_human]
        bot = desk.opponents.find(key)
        if bot is None:
            players = [HUMAN, HUMAN]
        else:
            players[seats[0] if seats else 1] = bot
            desk.prefer(key)
        desk.end_welcome()
        if desk.session.phase is Phase.OVER:
            desk.session.new_game((players[0], players[1]))
        else:
            desk.session.set_players((players[0], players[1]))
        desk.changed()
