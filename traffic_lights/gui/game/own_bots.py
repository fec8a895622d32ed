"""Own tables as opponents in the window.

This is imported at every start, so it brings in little.
"""

from __future__ import annotations

from traffic_lights.gui.game.desk import Desk
from traffic_lights.keeping.own_bots import TableBot, own_key
from traffic_lights.training.own_tables import OwnTable, OwnTables


def register_table(desk: Desk, table: OwnTable) -> None:
    """Let the bot of *table* be chosen as an opponent, with what it knows now."""
    bot = TableBot(table)
    desk.opponents.add(own_key(table), table.name, bot.choose, bot.table)
    _tell(desk)


def _tell(desk: Desk) -> None:
    for listener in tuple(desk.on_bots):
        listener()


def play_table(desk: Desk, table: OwnTable) -> None:
    """Start a game against the bot of *table*."""
    bot = TableBot(table)
    desk.play_against(table.name, own_key(table), bot.choose, bot.table)


def register_tables(desk: Desk) -> None:
    """Let the bots of all kept tables be chosen."""
    for table in OwnTables(desk.keeper.folder).all():
        register_table(desk, table)


def forget_table(desk: Desk, table: OwnTable) -> None:
    """Have the bot of a deleted *table* be chosen no more."""
    desk.opponents.remove(own_key(table))
    _tell(desk)
