"""The submenu of opponents: who can be chosen, and what choosing does."""

from __future__ import annotations

import tkinter as tk
from typing import Final

from traffic_lights.gui.game.desk import Desk
from traffic_lights.gui.main.menus import MenuBar, MenuChoice
from traffic_lights.pictures.shares import exact_percent
from traffic_lights.players.game import HUMAN, Player
from traffic_lights.players.roster import Entry, Group

NO_BOT: Final = "human"
"""The menu's word for a person in the other seat."""
_MENU: Final = "Opponent"
LISTED: Final = (Group.LEVEL, Group.OWN, Group.PROGRAM)
"""The groups of players in the menu."""


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
        desk.on_bots.append(self.fill)

    def fill(self) -> None:
        """List the levels and the user's bots; the Workshop has all other players."""
        choices = [MenuChoice(NO_BOT, "Another person")]
        entries = [one for one in self._desk.roster.entries() if one.group in LISTED]
        self._about = {one.name: one.problem or one.about for one in entries}
        group = None
        for one in entries:
            heading = one.group.value if one.group is not group else ""
            group = one.group
            score = score_text(one)
            choices.append(MenuChoice(one.key, one.name, not one.problem, score, heading))
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
        bot = desk.find(key)
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


def score_text(entry: Entry) -> str:
    """Return how often the player of *entry* wins, for every player against the same opponent."""
    return "" if entry.score is None else f"{exact_percent(entry.score.rate)} against Myopic"
