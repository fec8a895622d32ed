"""The person's own bots at the board: each plays by a kept table, read when it is first asked.

The window and the terminal seat them under the same keys, so a game saved in
one goes on in the other. This is imported at every start, so it brings in little.
"""

from __future__ import annotations

import random
import threading
from pathlib import Path
from typing import Final

from traffic_lights.board.rules import Action, State
from traffic_lights.learning.qtable import QBot, QTable
from traffic_lights.learning.tablefile import read_table
from traffic_lights.players.bots import PlayerError
from traffic_lights.players.game import Player
from traffic_lights.storage.files import StorageError
from traffic_lights.training.own_tables import OwnTable, OwnTables

PREFIX: Final = "own-"
"""Begins the keys of own bots; the key of the table follows."""


def own_key(table: OwnTable) -> str:
    """Return what saved games, settings and statistics call the bot of *table*."""
    return PREFIX + table.key


class TableBot:
    """The QBot of a kept table; methods raise StorageError if it cannot be read.

    They may be called from several threads; the table is read once.
    """

    def __init__(self, table: OwnTable) -> None:
        self._path = table.playing_path
        self._lock = threading.Lock()
        self._bot: QBot | None = None

    def choose(self, state: State) -> Action:
        """Return what the table plays in the live *state*."""
        with self._lock:
            return self._ready().choose(state)

    def table(self) -> QTable:
        """Return what it plays by."""
        with self._lock:
            return self._ready().table

    def _ready(self) -> QBot:
        if self._bot is None:
            self._bot = QBot(read_table(self._path), random.Random())
        return self._bot


class OwnBots:
    """The own bots of the data *folder*, found when they are asked for."""

    def __init__(self, folder: Path) -> None:
        self._tables = OwnTables(folder)
        self._bots: dict[str, TableBot] = {}

    def players(self) -> list[Player]:
        """Return who can be seated, the oldest table first, under the names of today."""
        return [Player(own_key(table), table.name) for table in self._tables.all()]

    def choose(self, player: Player, state: State) -> Action:
        """Return what *player* plays in the live *state*; raise PlayerError if it cannot."""
        bot = self._bot(player)
        try:
            return bot.choose(state)
        except StorageError as error:
            raise PlayerError(f"{player.name} cannot play: {error}") from error

    def table(self, player: Player) -> QTable:
        """Return what *player* plays by; raise PlayerError if it cannot be read."""
        bot = self._bot(player)
        try:
            return bot.table()
        except StorageError as error:
            raise PlayerError(f"the table of {player.name} cannot be read: {error}") from error

    def _bot(self, player: Player) -> TableBot:
        key = player.bot or ""
        table = self._tables.get(key.removeprefix(PREFIX))
        if table is None:
            raise PlayerError(f"{player.name or key} is not among your bots any more")
        return self._bots.setdefault(key, TableBot(table))
