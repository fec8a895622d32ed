"""A Q-table that has the values of each position in a row, as a file has them.

>>> table = RowTable()
>>> table.set_value(0, 5, -1.0)
>>> table.row(0), table.best_actions(0)[:5]
({5: -1.0}, (0, 1, 2, 3, 4))
>>> table.set_lost(0)
>>> table.set_win_rate(0, 7, 0.994)
>>> table.row(0)[7], table.win_rate(0, 7), table.best_actions(0)
(-1.0, 0.994, (7,))
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Iterator
from itertools import chain, compress
from typing import Final, TypeAlias

from traffic_lights.board.rules import (
    ACTIONS_OF,
    ALL_CELLS,
    CELLS,
    HALF_REDS,
    LONGEST_GAME,
    STATE_CODES,
    Action,
    State,
    ply,
    red_cells,
)
from traffic_lights.learning.qtable import RATE_STEPS, QTable

ALL_LOSE: Final = ALL_CELLS
"""The proofs of a lost position: every action is ruled out and none wins."""
WINS_SHIFT: Final = CELLS
NO_RATES: Final = array("h", [-1]) * CELLS
"""The win rates of a row before any action was played."""
NO_ESTIMATES: Final = array("d", [math.nan]) * CELLS
"""The estimates of a row before any action was tried."""

_STRETCH: Final = 4096
"""The states that are looked through at a time."""


class SparseInts(dict[State, int]):
    """Ints by state; a state without one reads as 0."""

    # Supports the same [] access as an array, so the training loops work with either. Unlike a
    # defaultdict, a look-up does not add an entry.
    def __missing__(self, state: State) -> int:
        return 0


StateInts: TypeAlias = "array[int] | SparseInts"


def filled(ints: StateInts) -> Iterator[Iterable[State]]:
    """Yield the states whose int is not 0, ascending, a part of them at a time."""
    if isinstance(ints, dict):
        yield sorted(ints)
        return
    # Comparing bytes passes over an empty stretch without looking at its 4,096 states.
    nothing = bytes(ints.itemsize * _STRETCH)
    for first in range(0, STATE_CODES, _STRETCH):
        stretch = ints[first : first + _STRETCH]
        if stretch.tobytes() != nothing:
            yield compress(range(first, first + _STRETCH), stretch)


class RowTable(QTable):
    """Proofs, estimates and win rates by canonical state and action.

    ``proofs[state]`` packs what is proven into one int: bit a is set if action a is *ruled out*,
    because it is illegal or exactly -1, and bit 12 + a if it is exactly +1. So proofs equal to
    ALL_LOSE are those of a lost position, a greater int has a winning action, and a smaller one is
    undecided. In training, it may have the bits of illegal actions only.

    A dense table takes 64 MB and serves training; a sparse one serves play.
    """

    def __init__(self, *, dense: bool = False) -> None:
        super().__init__()
        self.proofs: StateInts = SparseInts()
        # A dict of floats would take eight times the memory of this array in a large table.
        self.estimates: dict[State, array[float]] = {}
        """By state, the values that are not exactly -1 or +1 by action, NaN where there is none."""
        self.win_rates: dict[State, array[int]] = {}
        """By lost state, the win rates by action in RATE_STEPS, -1 where there is none."""
        if dense:
            self.make_dense()

    # --- of canonical states ---

    def proven_result(self, state: State) -> int:
        row = self.proofs[state]
        return (row > ALL_LOSE) - (row == ALL_LOSE)

    def canonical_row(self, state: State) -> dict[Action, float]:
        row = self.proofs[state] & ~red_cells(state)
        named = ACTIONS_OF[(row | row >> WINS_SHIFT) & ALL_CELLS]
        values = {a: 1.0 if row >> a + WINS_SHIFT & 1 else -1.0 for a in named}
        if state in self.estimates:
            # NaN stands for a missing value, and it is the one value that is not equal to itself.
            values |= {a: value for a, value in enumerate(self.estimates[state]) if value == value}
            values = dict(sorted(values.items()))
        return values

    def best_canonical_actions(self, state: State) -> tuple[Action, ...]:
        row = self.proofs[state] | red_cells(state)
        if self.estimates or row == ALL_LOSE:
            return super().best_canonical_actions(state)
        # A fifth of the time. If no action wins, those that are not ruled out are best.
        return ACTIONS_OF[row >> WINS_SHIFT or row ^ ALL_CELLS]

    def win_rate_steps(self, state: State) -> dict[Action, int]:
        row = self.win_rates.get(state, ())
        return {action: steps for action, steps in enumerate(row) if steps >= 0}

    def set_value(self, state: State, action: Action, value: float) -> None:
        proofs = {1.0: 1 << action + WINS_SHIFT, -1.0: 1 << action}
        others = (self.proofs[state] | red_cells(state)) & ~sum(proofs.values())
        self.proofs[state] = others | proofs.get(value, 0)
        if value not in proofs:
            self.estimates.setdefault(state, NO_ESTIMATES[:])[action] = value
        elif state in self.estimates:
            self.estimates[state][action] = math.nan

    def set_win_rate(self, state: State, action: Action, rate: float) -> None:
        self.win_rates.setdefault(state, NO_RATES[:])[action] = round(rate * RATE_STEPS)

    # --- of the whole table ---

    def count_decided(self) -> None:
        """Count the positions that are proven, before training counts on."""
        self.decided_by_ply = [0] * (LONGEST_GAME + 1)
        for state in self.states():
            if self.proven_result(state):
                self.decided_by_ply[ply(state)] += 1

    def make_dense(self) -> None:
        """Make room for all states, which is faster to train."""
        if isinstance(self.proofs, dict):
            sparse = self.proofs
            self.proofs = array("i", [0]) * STATE_CODES
            for state, row in sparse.items():
                self.proofs[state] = row

    def states(self) -> Iterator[State]:
        proofs = self.proofs
        reds_high, reds_low = HALF_REDS
        proven = (
            [s for s in states if proofs[s] & ~(reds_high[s >> 12] | reds_low[s & 4095])]
            for states in filled(proofs)
        )
        if not self.estimates:
            return chain.from_iterable(proven)
        return iter(sorted(self.estimates.keys() | chain.from_iterable(proven)))

    def lost_states(self) -> Iterator[State]:
        proofs = self.proofs
        for states in filled(proofs):
            yield from [state for state in states if proofs[state] == ALL_LOSE]
