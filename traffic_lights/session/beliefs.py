"""What a Q-table believes of the moves in a position, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from traffic_lights.board.baselines import BASELINES
from traffic_lights.board.rules import Action, State, format_cell, legal_actions
from traffic_lights.learning.qtable import QTable
from traffic_lights.players.game import Player

UNKNOWN: Final = "?"
PROVEN: Final = "proven "
"""What stands before a win or a loss that is proven."""
NOBODY: Final = "No bot is at the board that could have learned anything."


def legend(name: str, practice: str = "") -> str:
    """Return how to read the beliefs of the bot *name*; *practice* is its `practice_text`."""
    signs = "win and loss are proven, numbers estimates; in brackets, from the position after it."
    return f"What {name} has learned: {signs} {practice}".rstrip()


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
    """Return what *table* holds of *action*: a proof, an estimate, a chance, or ``?`` if nothing.

    Such as ``proven win``, ``−0.5`` or ``99.9 %``. In brackets is what it holds only of the
    position after the action.
    """
    chance = _chance(table, state, action)
    if chance:
        # Rounded down: what can fail is not certain.
        return f"{int(1000 * chance + 1e-6) / 10} %"
    value = table.value(state, action)
    if value:
        return _value_text(value)
    implied = table.implied_value(state, action)
    return f"({_value_text(implied).removeprefix(PROVEN)})" if implied else UNKNOWN


def practice_text(table: QTable, state: State) -> str:
    """Return against whom the chances of the moves in *state* are; "" if *table* has none there."""
    if not any(_chance(table, state, action) for action in legal_actions(state)):
        return ""
    return f"Percentages: the chance against {_practised_with(table)}."


def _chance(table: QTable, state: State, action: Action) -> float:
    """Return the chance that practice has found; 0 if none."""
    return (table.chance(state, action) or 0.0) if _practised_with(table) else 0.0


def _practised_with(table: QTable) -> str:
    """Return the name of the opponent that *table* has practised with; "" if nobody."""
    opponent = table.meta.get("practice")
    policy = BASELINES.get(opponent) if isinstance(opponent, str) else None
    return "" if policy is None else policy.name


def _value_text(value: float) -> str:
    if abs(value) == 1:
        return PROVEN + ("win" if value > 0 else "loss")
    # Held off 1: however good, an estimate is no proof.
    return f"{max(-0.99, min(0.99, value)):+.2g}".replace("-", "−")


def beliefs_text(table: QTable, state: State) -> str:
    """Return the beliefs of *table* about each legal action, as ``a1 −0.5, b2 ?``."""
    believed = (f"{format_cell(a)} {belief_text(table, state, a)}" for a in legal_actions(state))
    return ", ".join(believed)
