"""Own tables as opponents: each is read when its bot first has to choose.

This is imported at every start, so it brings in little.
"""

from __future__ import annotations

import random
import threading
from typing import Final

from traffic_lights.board.rules import Action, State
from traffic_lights.gui.game.desk import Desk
from traffic_lights.learning.qtable import QBot
from traffic_lights.learning.tablefile import read_table
from traffic_lights.training.own_tables import OwnTable, OwnTables

PREFIX: Final = "own-"


class OwnBot:
    """The QBot of a kept table; raise StorageError when it is asked and cannot be read."""

    def __init__(self, table: OwnTable) -> None:
        self._path = table.playing_path
        self._lock = threading.Lock()
        self._bot: QBot | None = None

    def choose(self, state: State) -> Action:
        """Return what the table plays in the live *state*; called in threads."""
        with self._lock:
            if self._bot is None:
                self._bot = QBot(read_table(self._path), random.Random())
            return self._bot.choose(state)


def guest_key(table: OwnTable) -> str:
    """Return what saved games and settings call the bot of *table*."""
    return PREFIX + table.key


def register_table(desk: Desk, table: OwnTable) -> None:
    """Let the bot of *table* be chosen as an opponent, with what it knows now."""
    desk.opponents.add_guest(guest_key(table), table.name, OwnBot(table).choose)


def play_table(desk: Desk, table: OwnTable) -> None:
    """Start a game against the bot of *table*."""
    desk.play_against(table.name, guest_key(table), OwnBot(table).choose)


def register_tables(desk: Desk) -> None:
    """Let the bots of all kept tables be chosen."""
    for table in OwnTables(desk.keeper.folder).all():
        register_table(desk, table)


def forget_table(desk: Desk, table: OwnTable) -> None:
    """Have the bot of a deleted *table* be chosen no more."""
    desk.opponents.remove_guest(guest_key(table))
