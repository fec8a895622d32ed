"""What a Q-table believes of the moves in a position, in words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from traffic_lights.board.rules import Action, State, format_cell, legal_actions
from traffic_lights.learning.qtable import QTable
from traffic_lights.players.game import Player
from traffic_lights.players.ladder import STRONGEST, Ladder

UNKNOWN: Final = "?"
LEGEND: Final = (
    "What QBot has learned: + wins, − loses, ? unknown; in brackets, from the position after it."
)


def table_of(players: Iterable[Player], ladder: Ladder) -> QTable:
    """Return the table of the first of *players* that has one, or that of the complete QBot.

    Raise LadderError if it cannot be read.
    """
    levels = [player.bot for player in players if player.bot is not None]
    tables = (ladder.table(level) for level in [*levels, STRONGEST])
    return next(table for table in tables if table is not None)


def belief_text(table: QTable, state: State, action: Action) -> str:
    """Return what *table* holds of *action*: ``+1``, ``−0.5``, or ``?`` if nothing.

    In brackets is what it holds only of the position after the action.
    """
    value = table.value(state, action)
    if value:
        return _signed(value)
    implied = table.implied_value(state, action)
    return f"({_signed(implied)})" if implied else UNKNOWN


def _signed(value: float) -> str:
    return f"{value:+.2g}".replace("-", "−")


def beliefs_text(table: QTable, state: State) -> str:
    """Return the beliefs of *table* about each legal action: ``a1 +1, b2 (−1), c3 ?``."""
    believed = (f"{format_cell(a)} {belief_text(table, state, a)}" for a in legal_actions(state))
    return ", ".join(believed)
