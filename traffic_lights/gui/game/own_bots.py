"""The user's own bots and programs as opponents in the window."""

from __future__ import annotations

from functools import partial
from typing import Any

from traffic_lights.gui.game.desk import Desk
from traffic_lights.players.roster import Group, Roster
from traffic_lights.training.bots import COMMAND_KEY


def register_bots(desk: Desk) -> None:
    """Let the own bots and the programs that there are now be chosen as opponents."""
    roster = Roster(desk.keeper.folder)
    groups = (Group.OWN, Group.PROGRAM)
    found = {entry.key: entry for entry in roster.entries() if entry.group in groups}
    for opponent in desk.opponents.all():
        key = opponent.player.bot or ""
        if key.startswith(("bot:", "program-")) and key not in found:
            desk.opponents.remove(key)
    for key, entry in found.items():
        if key != COMMAND_KEY:
            table: Any = None if entry.program is not None else partial(roster.table, key)
            desk.opponents.add(key, entry.name, partial(roster.choose, key), table)
