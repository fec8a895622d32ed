"""The policies of the two weakest levels, which make mistakes on purpose.

They draw from a tuple that may hold an action several times, which makes it more likely. So
their exact scores are computed like those of every policy.

>>> from traffic_lights.board.rules import EMPTY_BOARD
>>> set(BEGINNER.actions(EMPTY_BOARD)) == set(range(12))
True
"""

from __future__ import annotations

from math import gcd
from typing import Final

from traffic_lights.board.policy import Policy
from traffic_lights.board.rules import Action, State, legal_actions
from traffic_lights.board.threats import safe_actions, winning_actions


def beginner_actions(state: State) -> tuple[Action, ...]:
    """Return what Beginner draws from: it blocks in one case out of two."""
    return _partly_blocking(state, 1, 1)


def casual_actions(state: State) -> tuple[Action, ...]:
    """Return what Casual draws from: it blocks in eight cases out of nine."""
    return _partly_blocking(state, 8, 1)


def _partly_blocking(state: State, careful: int, careless: int) -> tuple[Action, ...]:
    """Return the winning actions, or those of a player that often forgets to block.

    To block is to play an action after which the opponent cannot complete a line at once.
    In *careless* cases of *careful* + *careless* any legal action is played instead.
    """
    wins = winning_actions(state)
    if wins:
        return wins
    every, safe = legal_actions(state), safe_actions(state)
    if not safe or len(safe) == len(every):
        return every
    # Repeat both tuples until their lengths have the wanted proportion.
    safe_times, every_times = careful * len(every), careless * len(safe)
    shared = gcd(safe_times, every_times)
    return tuple(sorted(safe * (safe_times // shared) + every * (every_times // shared)))


BEGINNER: Final = Policy(
    "beginner",
    "Beginner",
    "Completes a line when it can, but watches out for yours only half of the time.",
    beginner_actions,
)
CASUAL: Final = Policy(
    "casual",
    "Casual",
    "Completes a line when it can, and usually watches out for yours.",
    casual_actions,
)
