"""The table whose beliefs are shown, read in the background when somebody asks to see them."""

from __future__ import annotations

from functools import partial

from traffic_lights.gui.game.desk import Desk
from traffic_lights.learning.qtable import QTable
from traffic_lights.players.ladder import STRONGEST, LadderError


class BeliefTable:
    """The opponent's table, or the complete QBot's if the opponent has none."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._key = ""
        self.table: QTable | None = None
        """None while it is being read, or if it cannot be."""

    def need(self) -> None:
        """Read the table that belongs to the game as it is now, unless it is there."""
        desk = self._desk
        bots = [player.bot for player in desk.session.players if player.bot is not None]
        key = next((bot for bot in bots if desk.opponents.has_table(bot)), STRONGEST)
        if key != self._key:
            self._key, self.table = key, None
            desk.jobs.run(lambda: desk.opponents.table(key), partial(self._show, key), self._failed)

    def _show(self, key: str, table: QTable | None) -> None:
        if key == self._key:
            self.table = table
            self._desk.refresh()

    def _failed(self, error: Exception) -> None:
        if not isinstance(error, LadderError):
            self._desk.failed(error)
        elif self._desk.shown.beliefs:
            self._desk.say(f"QBot's beliefs cannot be shown: {error}.")
