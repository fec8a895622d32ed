"""Learned values: what the Q-table of a bot holds of the moves in a position, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from traffic_lights.board.baselines import BASELINES
from traffic_lights.board.rules import Action, State, format_cell, legal_actions
from traffic_lights.learning.qtable import QTable
from traffic_lights.pictures.shares import percent
from traffic_lights.players.game import Player
from traffic_lights.system.words import listed

UNKNOWN: Final = "?"
IN_BRACKETS: Final = "Values in brackets are taken from the position after the move."


class LearnedValue(NamedTuple):
    """What a table holds of an action: a proof, an estimate or a win rate."""

    text: str
    """Such as ``win``, ``−0.50``, ``99.9 %``; in brackets if only of the position after it."""
    value: float
    """From −1, lost, to +1, won; 0 if unknown. A move with a win rate loses to perfect play."""
    is_proven: bool = False

    @property
    def label(self) -> str:
        """Return the text, with ``proven`` before a proof."""
        return f"proven {self.text}" if self.is_proven else self.text


def learned_value(table: QTable, state: State, action: Action) -> LearnedValue:
    """Return what *table* holds of *action*, or of the position after it."""
    win_rate = _win_rate(table, state, action)
    if win_rate:
        # At least so much is known, so a win rate of 0.1 % or more is rounded down.
        down = f"{int(1000 * win_rate + 1e-6) / 10} %"
        return LearnedValue(percent(win_rate) if win_rate < 0.001 else down, -1.0)
    value = table.value(state, action)
    if value:
        return LearnedValue(_value_text(value), value, abs(value) == 1)
    implied = table.implied_value(state, action)
    if implied:
        return LearnedValue(f"({_value_text(implied)})", implied)
    return LearnedValue(UNKNOWN, 0.0)


def learned_text(table: QTable, state: State) -> str:
    """Return the learned value of each legal action, as ``a1 −0.50, b2 ?``."""
    actions = legal_actions(state)
    return ", ".join(f"{format_cell(a)} {learned_value(table, state, a).label}" for a in actions)


def legend(name: str, notes: str = "") -> str:
    """Return how to read the learned values of the bot *name*; *notes* is its `notes_text`."""
    text = f'{name}\'s values: "win" and "loss" are proven, numbers are estimates. {notes}'
    return text.rstrip()


def notes_text(table: QTable, state: State) -> str:
    """Return what brackets and percentages mean, if *table* has any for *state*."""
    actions = legal_actions(state)
    texts = [learned_value(table, state, action).text for action in actions]
    notes = [IN_BRACKETS] if any(text.startswith("(") for text in texts) else []
    if any(_win_rate(table, state, action) for action in actions):
        notes.append(f"Percentages are win rates against {_practised_with(table)}.")
    return " ".join(notes)


def nothing_learned(players: Sequence[Player]) -> str:
    """Return why none of *players* has learned values to show."""
    names = list(dict.fromkeys(player.name for player in players if not player.is_human))
    if not names:
        return "Neither player is a bot, so this game has no learned values."
    verbs = (
        "follows fixed rules, so it has"
        if len(names) == 1
        else ("follow fixed rules, so they have")
    )
    return f"{listed(names)} {verbs} no learned values."


def bots_at_board(players: Sequence[Player], mover: int) -> list[Player]:
    """Return the bots among the two *players*: the one in the seat *mover* first."""
    return [player for player in (players[mover], players[1 - mover]) if not player.is_human]


def _win_rate(table: QTable, state: State, action: Action) -> float:
    return (table.win_rate(state, action) or 0.0) if _practised_with(table) else 0.0


def _practised_with(table: QTable) -> str:
    """Return the name of the opponent that the win rates of *table* are against; "" if unknown."""
    opponent = table.meta.get("practice")
    policy = BASELINES.get(opponent) if isinstance(opponent, str) else None
    return "" if policy is None else policy.name


def _value_text(value: float) -> str:
    if abs(value) == 1:
        return "win" if value > 0 else "loss"
    # Keep estimates off 1, because even the best estimate is not a proof. 0.00 has no sign.
    text = f"{max(-0.99, min(0.99, value)):+.2f}"
    return "0.00" if text.endswith("0.00") else text.replace("-", "−")
