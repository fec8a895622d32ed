"""Win rates of the moves in a lost position, packed into one int.

All moves of a lost position lose against perfect play, but some win more often against an
imperfect opponent. A row has 14 bits for each action, lowest first: its win rate in STEPS plus
one, or 0 if it was never played. So a hundred thousand rows stay small, and 0 is an empty row.

>>> row = with_rate(with_rate(0, 0, 0.961), 5, 0.25)
>>> as_dict(row), best_actions(row)
({0: 0.961, 5: 0.25}, (0,))
"""

from __future__ import annotations

from typing import Final

from traffic_lights.board.rules import CELLS, Action

STEPS: Final = 10_000
"""The steps from a win rate of 0 to 1, so that four digits write each."""
SHIFTS: Final = tuple(14 * action for action in range(CELLS))
"""The place of each action's lowest bit."""
MASK: Final = (1 << 14) - 1
"""The bits of one action."""


def with_rate(row: int, action: Action, rate: float) -> int:
    """Return *row* with the *rate* of *action*, from 0 to 1, rounded to whole STEPS."""
    shift = SHIFTS[action]
    return row & ~(MASK << shift) | (round(rate * STEPS) + 1) << shift


def as_dict(row: int) -> dict[Action, float]:
    """Return the rate of each action that was played, by ascending action."""
    return {
        action: (steps - 1) / STEPS
        for action, shift in enumerate(SHIFTS)
        if (steps := row >> shift & MASK)
    }


def best_actions(row: int) -> tuple[Action, ...]:
    """Return the actions of the highest win rate, ascending; none of an empty row."""
    rates = as_dict(row)
    highest = max(rates.values(), default=0.0)
    return tuple([action for action, rate in rates.items() if rate == highest])
