"""Win rates of the moves in a lost position, packed into one int.

All moves of a lost position lose against perfect play, and yet some of them win
more often against an imperfect opponent. The win rates say how often, measured
by practice games.

A row has 14 bits for each action, lowest first: its win rate in STEPS plus one,
or 0 if it was never played. So a hundred thousand rows stay small.

>>> row = with_rate(with_rate(NONE, 0, 0.961), 5, 0.25)
>>> as_dict(row), best_actions(row)
({0: 0.961, 5: 0.25}, (0,))
"""

from __future__ import annotations

from typing import Final

from traffic_lights.board.rules import CELLS, Action

NONE: Final = 0
"""The row of a position without win rates."""
STEPS: Final = 10_000
"""The steps from a win rate of 0 to 1, so that four digits write each."""
# Enough for 10,002 values: the steps from 0 to 10,000, and "never played".
_BITS: Final = 14
SHIFTS: Final = tuple(_BITS * action for action in range(CELLS))
"""The place of each action's lowest bit."""
MASK: Final = (1 << _BITS) - 1
"""The bits of one action."""


def with_rate(row: int, action: Action, rate: float) -> int:
    """Return *row* with the *rate* of *action*, from 0 to 1, rounded to whole STEPS."""
    shift = SHIFTS[action]
    return row & ~(MASK << shift) | (round(rate * STEPS) + 1) << shift


def rate_of(row: int, action: Action) -> float | None:
    """Return the rate of *action*, from 0 to 1; None if it was never played."""
    steps = (row >> SHIFTS[action] & MASK) - 1
    return None if steps < 0 else steps / STEPS


def as_dict(row: int) -> dict[Action, float]:
    """Return the rate of each action that was played, by ascending action."""
    return {
        action: (steps - 1) / STEPS
        for action, shift in enumerate(SHIFTS)
        if (steps := row >> shift & MASK)
    }


def best_actions(row: int) -> tuple[Action, ...]:
    """Return the actions of the highest win rate, ascending; none of an empty row."""
    steps = [row >> shift & MASK for shift in SHIFTS]
    highest = max(steps)
    return tuple(action for action, n in enumerate(steps) if n == highest) if highest else ()


def highest(row: int) -> float:
    """Return the rate of the best action, from 0 to 1; 0 of an empty row."""
    return max(max([row >> shift & MASK for shift in SHIFTS]) - 1, 0) / STEPS
