"""The chances of a lost position: how often each of its losing actions has still won in practice.

A row of chances is one int, so that a hundred thousand of them stay small:
14 bits for each action, lowest first, holding its chance in STEPS plus one, or
0 if it was never played.

>>> row = with_chance(with_chance(NONE, 0, 0.961), 5, 0.25)
>>> as_dict(row), best_actions(row)
({0: 0.961, 5: 0.25}, (0,))
"""

from __future__ import annotations

from typing import Final

from traffic_lights.board.rules import CELLS, Action

NONE: Final = 0
"""The row in which nothing was played."""
STEPS: Final = 10_000
"""How many steps there are from the chance 0 to 1; so fine that four digits write each."""
# They hold 10,002 values: the steps from 0 to 10,000, and "never played".
_BITS: Final = 14
SHIFTS: Final = tuple(_BITS * action for action in range(CELLS))
"""Where in a row the lowest bit of each action is."""
MASK: Final = (1 << _BITS) - 1
"""The bits of an action, there."""


def with_chance(row: int, action: Action, chance: float) -> int:
    """Return *row* with the *chance* of *action*, from 0 to 1, rounded to whole STEPS."""
    shift = SHIFTS[action]
    return row & ~(MASK << shift) | (round(chance * STEPS) + 1) << shift


def chance_of(row: int, action: Action) -> float | None:
    """Return the chance of *action*, from 0 to 1; None if it was never played."""
    steps = (row >> SHIFTS[action] & MASK) - 1
    return None if steps < 0 else steps / STEPS


def as_dict(row: int) -> dict[Action, float]:
    """Return the chance of each action that was played, by ascending action."""
    return {
        action: (steps - 1) / STEPS
        for action, shift in enumerate(SHIFTS)
        if (steps := row >> shift & MASK)
    }


def best_actions(row: int) -> tuple[Action, ...]:
    """Return the actions of the highest chance, ascending; none of a row without chances."""
    steps = [row >> shift & MASK for shift in SHIFTS]
    highest = max(steps)
    return tuple(action for action, n in enumerate(steps) if n == highest) if highest else ()


def highest(row: int) -> float:
    """Return the chance of the best action, from 0 to 1; 0 of a row without chances."""
    return max(max([row >> shift & MASK for shift in SHIFTS]) - 1, 0) / STEPS
