"""The bots that a person can choose: the ladder, and guests that other windows bring.

Bots are made and asked in threads. A level that cannot play is listed with the
reason; its place is never taken by another bot.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from traffic_lights.board.rules import Action, State
from traffic_lights.learning.qtable import QTable
from traffic_lights.players.game import Player
from traffic_lights.players.ladder import STRONGEST, Ladder, Level
from traffic_lights.system import folders

EASY: Final = "qbot-500000"
"""A bot with weaknesses that a beginner soon finds."""
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

    def __init__(self) -> None:
        self.ladder = Ladder(random.Random(), own_table=folders.table_in(folders.training_folder()))
        self._guests: dict[str, tuple[str, Callable[[State], Action]]] = {}
        self.guest_tables: dict[str, QTable] = {}
        """What guests play by, if their beliefs can be shown."""
        self.on_change: list[Callable[[], object]] = []
        """Called when a guest has come or gone."""

    def all(self) -> list[Opponent]:
        """Return every bot, the weakest first, then the guests."""
        known = [
            Opponent(label_of(level), Player(level.key, level.name), not level.problem)
            for level in self.ladder.levels()
        ]
        return known + [
            Opponent(name, Player(key, name), True) for key, (name, _) in self._guests.items()
        ]

    def find(self, key: str) -> Player | None:
        """Return the bot *key*; None if there is none, or it cannot play."""
        return next((o.player for o in self.all() if o.player.bot == key and o.is_ready), None)

    def preferred(self, key: str) -> Player:
        """Return the bot *key*, or the strongest if that one cannot play."""
        return self.find(key) or Player(STRONGEST, "QBot")

    def is_guest(self, key: str) -> bool:
        """Return whether the bot *key* is not on the ladder."""
        return key in self._guests

    # --- play ---

    def choose(self, key: str, state: State) -> Action:
        """Return what the bot *key* plays; called in threads. Raise LadderError if it cannot."""
        guest = self._guests.get(key)
        return self.ladder.choose(key, state) if guest is None else guest[1](state)

    def is_guessing(self, key: str, state: State) -> bool:
        """Return whether the bot *key* has played in *state* without a row of its table for it."""
        return key not in self._guests and self.ladder.is_guessing(key, state)

    def has_table(self, key: str) -> bool:
        """Return whether the bot *key* plays by a table whose beliefs can be shown."""
        return key in self.guest_tables if key in self._guests else key.startswith("qbot")

    def table(self, key: str) -> QTable | None:
        """Return the table of the bot *key*; called in threads. Raise LadderError."""
        return self.guest_tables.get(key) if key in self._guests else self.ladder.table(key)

    # --- guests ---

    def add_guest(self, key: str, name: str, choose: Callable[[State], Action]) -> None:
        """Let a bot that is not on the ladder play, under *key*, until the program ends."""
        self._guests[key] = (name, choose)
        self._tell()

    def remove_guest(self, key: str) -> None:
        """Let the guest *key* be chosen no more; a game against it goes on until it must choose."""
        self._guests.pop(key, None)
        self._tell()

    def _tell(self) -> None:
        for listener in self.on_change:
            listener()


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
