"""What a Q-table believes of the moves in a position, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from traffic_lights.board.baselines import BASELINES
from traffic_lights.board.rules import Action, State, format_cell, legal_actions
from traffic_lights.learning.qtable import QTable
from traffic_lights.pictures.shares import percent_at_least
from traffic_lights.players.game import Player

UNKNOWN: Final = "?"
NOBODY: Final = "No bot is at the board that could have learned anything."

IN_BRACKETS: Final = "In brackets: what the table holds of the position after the move."


def legend(name: str, notes: str = "") -> str:
    """Return how to read the beliefs of the bot *name*; *notes* is its `notes_text`."""
    return f"What {name} has learned: win and loss are proven, numbers estimates. {notes}".rstrip()


def nothing_learned(players: Sequence[Player]) -> str:
    """Return why none of *players* has beliefs to show."""
    names = list(dict.fromkeys(player.name for player in players if not player.is_human))
    plays = "plays" if len(names) == 1 else "play"
    who = " and ".join(names)
    return f"{who} {plays} without a table: nothing was learned." if names else NOBODY


def bots_at_board(players: Sequence[Player], mover: int) -> list[Player]:
    """Return the bots among the two *players*: the one in the seat *mover* first."""
    return [player for player in (players[mover], players[1 - mover]) if not player.is_human]


class Belief(NamedTuple):
    """What a table holds of an action: a proof, an estimate or a chance."""

    text: str
    """Such as ``win``, ``−0.50``, ``99.9 %``; in brackets if only of the position after it."""
    value: float
    """From −1, lost, to +1, won; 0 if the table holds nothing. An action with a chance is lost."""
    is_proven: bool = False


def belief(table: QTable, state: State, action: Action) -> Belief:
    """Return what *table* holds of *action*, or of the position after it."""
    chance = _chance(table, state, action)
    if chance:
        return Belief(percent_at_least(chance), -1.0)  # what can fail is not certain
    value = table.value(state, action)
    if value:
        return Belief(_value_text(value), value, abs(value) == 1)
    implied = table.implied_value(state, action)
    return Belief(f"({_value_text(implied)})", implied) if implied else Belief(UNKNOWN, 0.0)


def belief_text(table: QTable, state: State, action: Action) -> str:
    """Return the text of a belief, with ``proven`` before it where it is that."""
    found = belief(table, state, action)
    return f"proven {found.text}" if found.is_proven else found.text


def notes_text(table: QTable, state: State) -> str:
    """Return what brackets and percentages say, as far as *table* has any for *state*."""
    told = [belief(table, state, action).text for action in legal_actions(state)]
    brackets = IN_BRACKETS if any(text.startswith("(") for text in told) else ""
    return " ".join(filter(None, [brackets, practice_text(table, state)]))


def practice_text(table: QTable, state: State) -> str:
    """Return against whom the chances of the moves in *state* are; "" if *table* has none there."""
    if not any(_chance(table, state, action) for action in legal_actions(state)):
        return ""
    return f"Percentages: the chance against {_practised_with(table)}."


def _chance(table: QTable, state: State, action: Action) -> float:
    """Return the chance that practice has found; 0 if none."""
    return (table.win_rate(state, action) or 0.0) if _practised_with(table) else 0.0


def _practised_with(table: QTable) -> str:
    """Return the name of the opponent that *table* has practised with; "" if nobody."""
    opponent = table.meta.get("practice")
    policy = BASELINES.get(opponent) if isinstance(opponent, str) else None
    return "" if policy is None else policy.name


def _value_text(value: float) -> str:
    if abs(value) == 1:
        return "win" if value > 0 else "loss"
    # Held off 1: however good, an estimate is no proof. One that is nothing yet has no sign.
    text = f"{max(-0.99, min(0.99, value)):+.2f}"
    return "0.00" if text.endswith("0.00") else text.replace("-", "−")


def beliefs_text(table: QTable, state: State) -> str:
    """Return the beliefs of *table* about each legal action, as ``a1 −0.50, b2 ?``."""
    believed = (f"{format_cell(a)} {belief_text(table, state, a)}" for a in legal_actions(state))
    return ", ".join(believed)
