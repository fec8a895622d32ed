"""What a Q-table believes of the moves in a position, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from traffic_lights.board.rules import Action, State, format_cell, legal_actions
from traffic_lights.learning.qtable import QTable
from traffic_lights.players.game import Player

UNKNOWN: Final = "?"
NOBODY: Final = "No bot is at the board that could have learned anything."


def legend(name: str) -> str:
    """Return how to read the beliefs of the bot *name*."""
    signs = "+ wins, − loses, ? unknown; in brackets, from the position after it."
    return f"What {name} has learned: {signs}"


def nothing_learned(players: Sequence[Player]) -> str:
    """Return why none of *players* has beliefs to show."""
    names = list(dict.fromkeys(player.name for player in players if not player.is_human))
    plays = "plays" if len(names) == 1 else "play"
    who = " and ".join(names)
    return f"{who} {plays} without a table: nothing was learned." if names else NOBODY


def bots_at_board(players: Sequence[Player], mover: int) -> list[Player]:
    """Return the bots among the two *players*: the one in the seat *mover* first."""
    return [player for player in (players[mover], players[1 - mover]) if not player.is_human]


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
