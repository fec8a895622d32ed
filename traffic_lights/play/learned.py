"""What a bot has learned about moves, as texts."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from traffic_lights.board.rules import STEPS, Action, State, format_cell, is_terminal
from traffic_lights.board.symmetry import canonical, same_actions
from traffic_lights.learning.qtable import QTable
from traffic_lights.play.verdicts import Verdict
from traffic_lights.storage.words import percent

NEVER_HERE: Final = "its own games never come here"
"""Why a bot that keeps only what its own play needs has no value, or no move."""
NOTHING_LEARNED: Final = "Only trained bots have learned values, and none plays in this game."
UNKNOWN: Final = "?"
"""What stands in the place of a value that nothing tells."""
PROMISING: Final = 0.1
"""From this value on, a lost move looks good."""


class LearnedValue(NamedTuple):
    """What a table holds of an action: a proof, an estimate or a win rate."""

    text: str
    """Such as ``win``, ``−0.50``, ``99.9 %``."""
    value: float
    """From −1, lost, to +1, won; 0 if unknown. A move with a win rate loses to perfect play."""

    @property
    def is_proven(self) -> bool:
        return self.text in ("win", "loss")


def learned_value(table: QTable, state: State, action: Action) -> LearnedValue:
    """Return what *table* has learned of an action, from the view of the player to move."""
    # A table may have only one of the moves that are the same in a symmetric position.
    same = same_actions(state, action)
    win_rate = max(table.win_rate(state, one) or 0.0 for one in same)
    if win_rate:
        return LearnedValue(percent(win_rate), -1.0)
    row = table.row(state)
    value = next((row[one] for one in (action, *same) if one in row), None)
    after = state + STEPS[action]
    if value is None and not is_terminal(after):
        # One proven win decides a position, so its other moves may have no values of their own.
        value = -table.proven_result(canonical(after)) or None
    if value is None:
        return LearnedValue(UNKNOWN, 0.0)
    return LearnedValue(known_value_text(value), value)


def replayed_value(table: QTable, state: State, action: Action, known: float) -> str:
    """Return what a replay shows of an action with the value *known*: an estimate or a proof."""
    is_unknown = not known and learned_value(table, state, action).text == UNKNOWN
    return UNKNOWN if is_unknown else known_value_text(known)


def known_value_text(value: float) -> str:
    """Return a learned *value*, from -1 to 1, in a few characters; exactly ±1 is a proof."""
    if abs(value) == 1:
        return "win" if value > 0 else "loss"
    # Keep estimates off 1, because even the best estimate is not a proof. Only 0 has no sign.
    text = f"{max(-0.99, min(0.99, value)):+.2f}"
    return text.replace("-", "−") if value else "0.00"


def why_promising(table: QTable, state: State, moves: Sequence[Verdict]) -> str:
    """Return why a value clearly above 0 stands next to a lost move; empty if that is not so."""
    lost = {
        move.action: learned_value(table, state, move.action) for move in moves if not move.wins
    }
    action = max(lost, key=lambda one: lost[one].value, default=None)
    if action is None or not PROMISING < lost[action].value < 1:
        return ""
    return (
        f"{format_cell(action)} has {lost[action].text} but loses against best play: in training, "
        "the other side often did not find the win."
    )


def legend(name: str, table: QTable) -> str:
    """Return how to read the values in *table*, of the bot *name*."""
    text = (
        f"Values of {name}, for the player to move: the result that it expects, from −1 (loss) to "
        "+1 (win); +0.50 is like winning three games in four. “win” and “loss” are proven, numbers "
        f"are estimates. “{UNKNOWN}”: "
    )
    text += f"{NEVER_HERE}." if table.is_pruned else "nothing learned yet, which counts as 0."
    if practised := table.meta.get("practice"):
        text += f" Percentages: lost to best play, but won so often against {practised.title()}."
    return text
