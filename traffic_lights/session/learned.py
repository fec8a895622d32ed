"""Learned values: what the Q-table of a bot holds of the moves in a position, in words."""

from __future__ import annotations

from typing import Final, NamedTuple

from traffic_lights.board.baselines import BASELINES
from traffic_lights.board.rules import (
    EMPTY_BOARD,
    Action,
    State,
    format_cell,
    is_terminal,
    legal_actions,
)
from traffic_lights.learning.qtable import QTable
from traffic_lights.system.words import percent

UNKNOWN: Final = "?"
NOTHING_LEARNED: Final = "Only trained bots have learned values, and none plays in this game."


class LearnedValue(NamedTuple):
    """What a table holds of an action: a proof, an estimate or a win rate."""

    text: str
    """Such as ``win``, ``−0.50``, ``99.9 %``; in brackets if only of the position after it."""
    value: float
    """From −1, lost, to +1, won; 0 if unknown. A move with a win rate loses to perfect play."""
    is_proven: bool = False


def learned_value(table: QTable, state: State, action: Action) -> LearnedValue:
    """Return what *table* holds of *action*, or of the position after it."""
    win_rate = table.win_rate(state, action)
    if win_rate:
        # Round a win rate of 0.1 % or more down, because the bot wins at least so often.
        down = f"{int(1000 * win_rate + 1e-6) / 10} %"
        return LearnedValue(percent(win_rate) if win_rate < 0.001 else down, -1.0)
    value = table.value(state, action)
    if value:
        return LearnedValue(_value_text(value), value, abs(value) == 1)
    implied = table.implied_value(state, action)
    if implied:
        return LearnedValue(f"({_value_text(implied)})", implied)
    return LearnedValue(UNKNOWN, 0.0)


def _value_text(value: float) -> str:
    if abs(value) == 1:
        return "win" if value > 0 else "loss"
    # Keep estimates off 1, because even the best estimate is not a proof. 0.00 has no sign.
    text = f"{max(-0.99, min(0.99, value)):+.2f}"
    return "0.00" if text.endswith("0.00") else text.replace("-", "−")


def learned_text(table: QTable, state: State) -> str:
    """Return the learned value of each legal action, as ``a1 −0.50, b2 proven loss, c3 ?``."""
    words: list[str] = []
    for action in legal_actions(state):
        value = learned_value(table, state, action)
        words.append(f"{format_cell(action)} {'proven ' * value.is_proven}{value.text}")
    return ", ".join(words)


def legend(name: str, table: QTable | None = None, state: State = EMPTY_BOARD) -> str:
    """Return how to read the values that *table*, of the bot *name*, has for *state*."""
    text = f'{name}\'s values: "win" and "loss" are proven, numbers are estimates.'
    if table is None or is_terminal(state):
        return text
    shown = "".join(learned_value(table, state, action).text for action in legal_actions(state))
    if "(" in shown:
        text += " Values in brackets are taken from the position after the move."
    if "%" in shown:
        practised = table.meta.get("practice")
        names = [policy.name for policy in BASELINES.values() if policy.key == practised]
        text += f" Percentages are win rates against {names[0] if names else 'another bot'}."
    return text
