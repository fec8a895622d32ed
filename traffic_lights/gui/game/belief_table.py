"""The table whose beliefs are shown, read in the background when somebody asks to see them."""

from __future__ import annotations

from contextlib import suppress
from functools import partial

from traffic_lights.gui.game.desk import Desk
from traffic_lights.learning.qtable import QTable
from traffic_lights.players.bots import PlayerError
from traffic_lights.players.game import Player
from traffic_lights.session.learned import bots_at_board
from traffic_lights.storage.files import StorageError


class BeliefTable:
    """The table of the bot at the board: of two, that of the one to move comes first."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self.owner: Player | None = None
        """The bot whose beliefs they are; None if no bot at the board has any."""
        self.table: QTable | None = None
        """None while it is being read, or if it cannot be."""
        self._read: object = None
        """What reads, or has read, the table; what an earlier one brings comes too late."""
        desk.on_bots.append(self._forget)

    def need(self) -> None:
        """Read the table that belongs to the game as it is now, unless it is there."""
        desk = self._desk
        owner = believer(desk)
        if owner == self.owner:
            return
        self.owner, self.table, self._read = owner, None, None
        if owner is not None and owner.bot is not None:
            self._read = read = partial(desk.roster.table, owner.bot)
            desk.jobs.run(read, partial(self._show, read), partial(self._failed, read, owner))

    def _forget(self) -> None:
        """Have the table read anew: its bot may play by another now."""
        if self.owner is not None:
            self.owner = self.table = self._read = None
            self._desk.refresh()

    def _show(self, read: object, table: QTable | None) -> None:
        if read is self._read:
            self.table = table
            self._desk.refresh()

    def _failed(self, read: object, owner: Player, error: Exception) -> None:
        if not isinstance(error, (PlayerError, StorageError)):
            self._desk.failed(error)
        elif read is self._read and self._desk.shown.beliefs:
            self._desk.say(f"What {owner.name} has learned cannot be shown: {error}.")


def believer(desk: Desk) -> Player | None:
    """Return the bot at the board whose table can be shown, that of the player to move first."""
    for bot in bots_at_board(desk.session.players, desk.session.mover):
        with suppress(PlayerError):
            if desk.roster.entry(bot.bot or "").table is not None:
                return bot
    return None
