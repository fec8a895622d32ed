"""The bots that a person can choose, made when first needed, away from the window."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from traffic_lights.bots import BASELINES, Bot
from traffic_lights.game import HUMAN, Player
from traffic_lights.qlearning import QTable
from traffic_lights.rules import Action, State

if TYPE_CHECKING:
    from traffic_lights.gui.app import App


@dataclass(frozen=True, slots=True)
class Choice:
    label: str
    player: Player
    is_ready: bool


class Opponents:
    def __init__(self, app: App) -> None:
        self._app = app
        self.belief_table: QTable | None = None
        self._bots: dict[str, Bot] = {}
        self._guests: dict[str, Callable[[State], Action]] = {}
        self._lock = threading.Lock()

    def levels(self) -> list[Choice]:
        return [Choice(name.title(), Player(name, name.title()), True) for name in BASELINES]

    def helper(self) -> Player:
        return self.levels()[-1].player

    def choose(self, level: str, state: State) -> Action:
        with self._lock:
            if level in self._guests:
                return self._guests[level](state)
            if level not in self._bots:
                self._bots[level] = BASELINES[level](random.Random())
            return self._bots[level].choose(state)

    def add_guest(self, key: str, choose: Callable[[State], Action]) -> None:
        self._guests[key] = choose

    def load_menu(self) -> None:
        self._app.menus.fill("Opponent", "opponent", [("human", "Another person", True), *((c.player.bot or "", c.label, c.is_ready) for c in self.levels())])

    def load_beliefs(self) -> None:
        pass

    def choose_opponent(self, key: str) -> None:
        app = self._app
        player = next((c.player for c in self.levels() if c.player.bot == key), HUMAN)
        players = app.session.players
        seat = next((s for s in (1, 0) if not players[s].is_human), 1)
        new = list(players)
        new[seat] = player
        app.session.set_players((new[0], new[1]))
        app.end_welcome()
        app.changed()

    def replace_by_human(self, level: str) -> None:
        players = [HUMAN if p.bot == level else p for p in self._app.session.players]
        self._app.session.set_players((players[0], players[1]))
