"""The submenu of opponents: who can be chosen, and what choosing does."""

from __future__ import annotations

import tkinter as tk
from typing import Final

from traffic_lights.gui.game.desk import Desk
from traffic_lights.gui.main.menus import MenuBar, MenuChoice
from traffic_lights.players.game import HUMAN, Player

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
        self._about: dict[str, str] = {}
        """What each does, by the words of its entry: too long to stand there."""
        # Tk shows copies of the menus that hang from a bar: only their class reaches those.
        desk.root.bind_class("Menu", "<<MenuSelect>>", self._explain, add="+")
        desk.opponents.on_change.append(self.fill)

    def fill(self) -> None:
        """List everyone."""
        choices = [MenuChoice(NO_BOT, "Another person")]
        self._about = {one.player.name: one.about for one in self._desk.opponents.all()}
        group = None
        for one in self._desk.opponents.all():
            heading = one.group.value if one.group is not group else ""
            group = one.group
            key = one.player.bot or ""
            choices.append(MenuChoice(key, one.player.name, one.is_ready, one.score, heading))
        self._menus.fill(_MENU, "opponent", choices)

    def _explain(self, event: tk.Event[tk.Misc]) -> None:
        """Say in the status line what the entry that would be chosen does, or nothing more."""
        call, menu = self._desk.root.tk.call, self._seen(str(event.widget))
        is_bot = str(call(menu, "type", tk.ACTIVE)) == "radiobutton"
        words = str(call(menu, "entrycget", tk.ACTIVE, "-label")) if is_bot else ""
        self._desk.window.explain(self._about.get(words, ""))

    def _seen(self, menu: str) -> str:
        """Return what is seen of *menu*: of one on a bar a copy, in place of which Tk names it."""
        call = self._desk.root.tk.call
        copies = self._desk.root.tk.splitlist(
            call("info", "commands", "*" + menu.replace(".", "#"))
        )
        shown = [each for each in (menu, *copies) if str(call(each, "type", tk.ACTIVE))]
        return shown[0] if shown else menu

    def check(self) -> None:
        """Read all tables once, in the background, and grey what cannot play."""
        if not self._was_checked:
            self._was_checked = True
            desk = self._desk
            desk.jobs.run(desk.roster.find_problems, lambda _: self.fill(), desk.failed)

    def show_choice(self) -> None:
        """Mark who sits in the other seat."""
        bots = [player.bot for player in self._desk.session.players if player.bot is not None]
        self._variable.set(bots[-1] if bots else NO_BOT)

    def choose(self, key: str) -> None:
        """Seat the bot *key*, or a person, against the person who plays.

        The game goes on, or if it is over, a new one begins; a position being set up stays.
        """
        desk = self._desk
        bot = desk.opponents.find(key)
        if bot is None:
            bot = HUMAN
        else:
            desk.prefer(key)
        desk.end_welcome()
        desk.session.play_against(bot)
        desk.changed()

    def with_bot(self, bot: Player) -> tuple[Player, Player]:
        """Return the players of the game with *bot* in the place of the bot, or of a person."""
        one, other = self._desk.session.players
        return (bot, other) if other.is_human and not one.is_human else (one, bot)
