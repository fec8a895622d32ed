"""The bots that a person can choose: the ladder, and guests that other windows bring.

Bots are made and asked in threads. A level that cannot play is shown greyed
with the reason; its place is never taken by another bot.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from traffic_lights.board.rules import Action, State
from traffic_lights.learning.qtable import QTable
from traffic_lights.players.game import HUMAN, Player
from traffic_lights.players.ladder import STRONGEST, Ladder, LadderError, Level
from traffic_lights.session.phases import Phase
from traffic_lights.system import folders

if TYPE_CHECKING:
    from traffic_lights.gui.app import App

NO_BOT: Final = "human"
"""The menu's word for a person in the other seat."""
EASY: Final = "qbot-500000"
"""A bot with weaknesses that a beginner soon finds."""
_MENU: Final = "Opponent"
_TELLS_NOTHING: Final = 0.02
"""The score against Myopic below which levels are told apart by the one against Random."""


@dataclass(frozen=True, slots=True)
class Opponent:
    """One opponent as the menu and the dialog show it."""

    label: str
    player: Player
    is_ready: bool


class Opponents:
    """Who can sit in the other seat."""

    def __init__(self, app: App) -> None:
        self._app = app
        self.ladder = Ladder(random.Random(), own_table=folders.table_in(folders.training_folder()))
        self.belief_table: QTable | None = None
        self._guests: dict[str, tuple[str, Callable[[State], Action]]] = {}
        self.guest_tables: dict[str, QTable] = {}
        """What guests play by, if their beliefs can be shown."""
        self._was_checked = False
        self._beliefs_of = ""

    # --- lists ---

    def all(self) -> list[Opponent]:
        """Return every bot, the weakest first, then the guests."""
        known = [
            Opponent(label_of(level), Player(level.key, level.name), not level.problem)
            for level in self.ladder.levels()
        ]
        return known + [
            Opponent(name, Player(key, name), True) for key, (name, _) in self._guests.items()
        ]

    def fill_menu(self) -> None:
        """Fill the submenu of opponents."""
        options = [(NO_BOT, "Another person", True)]
        options += [(o.player.bot or "", o.label, o.is_ready) for o in self.all()]
        self._app.menus.fill(_MENU, "opponent", options)

    def check(self) -> None:
        """Read all tables once, in the background, and grey what cannot play."""
        if not self._was_checked:
            self._was_checked = True
            self._app.jobs.run(self.ladder.check, lambda _: self.fill_menu(), self._app.failed)

    def show_choice(self) -> None:
        """Mark in the menu who sits in the other seat."""
        bots = [player.bot for player in self._app.session.players if player.bot is not None]
        self._app.appearance.variables["opponent"].set(bots[-1] if bots else NO_BOT)

    # --- seats ---

    def preferred(self) -> Player:
        """Return the bot that was chosen last, or the strongest."""
        return self._player(self._app.keeper.settings.opponent) or Player(STRONGEST, "QBot")

    def remember(self, key: str) -> None:
        """Prefer the bot *key* from now on; a guest is gone with the program."""
        if key not in self._guests:
            self._app.keeper.change(opponent=key)

    def _player(self, key: str) -> Player | None:
        return next((o.player for o in self.all() if o.player.bot == key and o.is_ready), None)

    def choose_opponent(self, key: str) -> None:
        """Seat the bot *key*, or a person, against the person who plays.

        The game goes on, or if it is over, a new one begins.
        """
        app = self._app
        players = list(app.session.players)
        seats = [seat for seat in (1, 0) if not players[seat].is_human]
        bot = self._player(key)
        if bot is None:
            players = [HUMAN, HUMAN]
        else:
            players[seats[0] if seats else 1] = bot
            self.remember(key)
        app.end_welcome()
        if app.session.phase is Phase.OVER:
            app.session.new_game((players[0], players[1]))
        else:
            app.session.set_players((players[0], players[1]))
        app.changed()

    def replace_by_human(self, key: str) -> None:
        """Give the seats of the bot *key* to persons."""
        one, other = (HUMAN if p.bot == key else p for p in self._app.session.players)
        self._app.session.set_players((one, other))

    # --- play ---

    def choose(self, key: str, state: State) -> Action:
        """Return what the bot *key* plays; called in threads. Raise LadderError if it cannot."""
        guest = self._guests.get(key)
        return self.ladder.choose(key, state) if guest is None else guest[1](state)

    def is_guessing(self, key: str, state: State) -> bool:
        """Return whether the bot *key* has played in *state* without a row of its table for it."""
        return key not in self._guests and self.ladder.is_guessing(key, state)

    def add_guest(self, key: str, name: str, choose: Callable[[State], Action]) -> None:
        """Let a bot that is not on the ladder play, under *key*, until the program ends."""
        self._guests[key] = (name, choose)
        self.fill_menu()

    def remove_guest(self, key: str) -> None:
        """Let the guest *key* be chosen no more; a game against it goes on until it must choose."""
        self._guests.pop(key, None)
        self.fill_menu()

    # --- beliefs ---

    def need_beliefs(self) -> None:
        """Read, in the background, the table whose beliefs are shown, unless it is there.

        It is the opponent's, or the complete QBot's if the opponent has none.
        """
        app = self._app
        bots = [player.bot for player in app.session.players if player.bot is not None]
        key = next((bot for bot in bots if self._has_table(bot)), STRONGEST)
        if key != self._beliefs_of:
            self._beliefs_of, self.belief_table = key, None
            app.jobs.run(
                lambda: self._table(key), partial(self._show_beliefs, key), self._no_beliefs
            )

    def _has_table(self, key: str) -> bool:
        return key in self.guest_tables if key in self._guests else key.startswith("qbot")

    def _table(self, key: str) -> QTable | None:
        return self.guest_tables.get(key) if key in self._guests else self.ladder.table(key)

    def _show_beliefs(self, key: str, table: QTable | None) -> None:
        if key == self._beliefs_of:
            self.belief_table = table
            self._app.refresh()

    def _no_beliefs(self, error: Exception) -> None:
        if not isinstance(error, LadderError):
            self._app.failed(error)
        elif self._app.shown.beliefs:
            self._app.say(f"QBot's beliefs cannot be shown: {error}.")


def label_of(level: Level) -> str:
    """Return how a list shows *level*: with its measured score, or why it cannot play."""
    if level.problem:
        return f"{level.label} – {level.problem}"
    if level.score is None:
        return level.label
    against = f"{level.score.rate:.0%} against Myopic"
    if level.score.rate < _TELLS_NOTHING:
        against += f", {level.score.random_rate:.0%} against Random"
    return f"{level.label} – {against}"
