"""The Q-table, and the greedy policy that reads it.

Q(s, a) is the result that the player to move in state s can expect from action a, from -1 to +1
(Watkins 1989). The table holds canonical states and answers for all their mirror images. An action
without a value was never tried and counts as 0. The page of this folder explains proofs, estimates
and win rates.

>>> table = QTable()
>>> table.set_value(0, 5, -1.0)
>>> table.value(0, 5), table.value(0, 0), table.best_actions(0)[:5]
(-1.0, 0.0, (0, 1, 2, 3, 4))
>>> table.set_lost(0)
>>> table.set_win_rate(0, 7, 0.994)
>>> table.value(0, 7), table.win_rate(0, 7), table.best_actions(0)
(-1.0, 0.994, (7,))
"""

from __future__ import annotations

import math
import random
from array import array
from collections.abc import Iterable, Iterator, Mapping
from itertools import compress
from typing import Any, Final, Self, TypeAlias

from traffic_lights.board.baselines import Policy, safe_actions
from traffic_lights.board.rules import (
    ACTIONS_OF,
    ALL_CELLS,
    CELLS,
    HALF_REDS,
    STATE_CODES,
    STEPS,
    Action,
    State,
    is_terminal,
    legal_actions,
    red_cells,
)
from traffic_lights.board.symmetry import canonical, map_action, orbit, to_canonical

LOST: Final = ALL_CELLS
"""The row of a lost position: every action is ruled out and none wins."""
WINS_SHIFT: Final = CELLS
RATE_STEPS: Final = 20_000
"""The steps from a win rate of 0 to 1: as many as an estimate has from -1 to 1."""
NO_RATES: Final = array("h", [-1]) * CELLS
"""The win rates of a row before any action was played."""
NO_ESTIMATES: Final = array("d", [math.nan]) * CELLS
"""The estimates of a row before any action was tried."""
_STRETCH: Final = 4096
"""The states that are looked through at a time."""


class SparseRows(dict[State, int]):
    """Ints by state for small tables; a state without one reads as 0."""

    # Supports the same [] access as an array, so the training loops work with either. Unlike a
    # defaultdict, a look-up does not add an entry.
    def __missing__(self, state: State) -> int:
        return 0


Rows: TypeAlias = "array[int] | SparseRows"
"""An int for each state."""


def dense_rows(kind: str, rows: Rows | None = None) -> array[int]:
    """Return *rows*, or 0 everywhere, as an array with items of the type code *kind*."""
    if isinstance(rows, array):
        return rows
    found = array(kind, [0]) * STATE_CODES
    if rows is not None:
        for state, row in rows.items():
            found[state] = row
    return found


def sparse_rows(rows: Rows) -> SparseRows:
    """Return a copy of *rows* without those that are 0."""
    return SparseRows({state: rows[state] for states in filled(rows) for state in states})


def filled(rows: Rows) -> Iterator[Iterable[State]]:
    """Yield the states whose int is not 0, ascending, a part of them at a time."""
    if isinstance(rows, dict):
        yield sorted(rows)
        return
    # Comparing bytes passes over an empty stretch without looking at its 4,096 states.
    nothing = bytes(rows.itemsize * _STRETCH)
    for first in range(0, STATE_CODES, _STRETCH):
        stretch = rows[first : first + _STRETCH]
        if stretch.tobytes() != nothing:
            yield compress(range(first, first + _STRETCH), stretch)


class QTable:
    """Q-values by canonical state and action.

    ``proofs[state]`` packs what is proven into one int: bit a is set if action a is *ruled out*,
    because it is illegal or exactly -1, and bit 12 + a if it is exactly +1. So a row equal to LOST
    is a lost position, a greater one has a winning action, and a smaller one is undecided. In
    training, a row may have the bits of illegal actions only.

    A dense table takes 64 MB and serves training; a sparse one serves play.
    """

    def __init__(self, *, dense: bool = False) -> None:
        self.proofs: Rows = SparseRows()
        # A dict of floats would take eight times the memory of this array in a large table.
        self.estimates: dict[State, array[float]] = {}
        """By state, the values that are not exactly -1 or +1 by action, NaN where there is none."""
        self.win_rates: dict[State, array[int]] = {}
        """By lost state, the win rates by action in RATE_STEPS, -1 where there is none."""
        self.meta: dict[str, Any] = {}
        if dense:
            self.make_dense()

    # --- of any state ---

    def value(self, state: State, action: Action) -> float:
        """Return Q for a legal *action* of any *state*, from -1 to +1 for its mover."""
        return self.row(state).get(action, 0.0)

    def row(self, state: State) -> dict[Action, float]:
        """Return the values of *state*'s actions that have one; the others were never tried."""
        image, mirror = to_canonical(state)
        row = self.canonical_row(image)
        values: dict[Action, float] = {}
        for action in legal_actions(state):
            turned = map_action(action, mirror)
            if turned in row:
                values[action] = row[turned]
        return values

    def implied_value(self, state: State, action: Action) -> float:
        """Return what the best reply implies of a legal *action*; 0 if the action ends the game."""
        after = state + STEPS[action]
        if is_terminal(after):
            return 0.0
        values = self.row(after)
        implied = -max(values.values(), default=0.0)
        if len(values) < len(legal_actions(after)):
            # An untried reply may be better than all known ones, so nothing good follows.
            return min(0.0, implied)
        return implied

    def is_proven(self, state: State) -> bool:
        """Return whether *state* has a proven win or is a proven loss."""
        return self.result(canonical(state)) != 0

    def best_actions(self, state: State) -> tuple[Action, ...]:
        """Return the legal actions of highest value in *state*, ascending; never empty."""
        image, mirror = to_canonical(state)
        best = self.best_canonical_actions(image)
        if mirror == 0:
            return best
        return tuple(sorted(map_action(action, mirror) for action in best))

    def win_rate(self, state: State, action: Action) -> float | None:
        """Return the win rate of a legal *action* of the lost *state*; None if it has none."""
        image, mirror = to_canonical(state)
        return self.win_rate_row(image).get(map_action(action, mirror))

    # --- of canonical states ---

    def result(self, state: State) -> int:
        """Return 1 if the canonical *state* is proven won for its mover, -1 if lost, or 0."""
        row = self.proofs[state]
        return (row > LOST) - (row == LOST)

    def canonical_row(self, state: State) -> dict[Action, float]:
        """Return the stored values of the canonical *state*, by ascending action."""
        row = self.proofs[state] & ~red_cells(state)
        named = ACTIONS_OF[(row | row >> WINS_SHIFT) & ALL_CELLS]
        values = {a: 1.0 if row >> a + WINS_SHIFT & 1 else -1.0 for a in named}
        if state in self.estimates:
            # NaN stands for a missing value, and it is the one value that is not equal to itself.
            values |= {a: value for a, value in enumerate(self.estimates[state]) if value == value}
            values = dict(sorted(values.items()))
        return values

    def best_canonical_actions(self, state: State) -> tuple[Action, ...]:
        """Return the legal actions of highest value in the canonical *state*, ascending.

        Of several that are worth 0, those that were tried are better than the others.
        """
        legal = legal_actions(state)
        if self.result(state) < 0:
            return highest(self.win_rate_row(state)) or legal
        if not self.has_estimates:
            row = self.proofs[state] | red_cells(state)
            if row > LOST:
                return ACTIONS_OF[row >> WINS_SHIFT]
            # No action wins, so those that are not ruled out are best.
            return ACTIONS_OF[row ^ ALL_CELLS]
        values = self.canonical_row(state)
        untried = tuple([action for action in legal if action not in values])
        if untried and max(values.values(), default=-1.0) < 0:
            return untried
        return highest(values)

    def win_rate_row(self, state: State) -> dict[Action, float]:
        """Return the win rates that are known in the canonical *state*, by ascending action."""
        steps_of = self.win_rate_steps(state)
        return {action: steps / RATE_STEPS for action, steps in steps_of.items()}

    def win_rate_steps(self, state: State) -> dict[Action, int]:
        """Return the same in RATE_STEPS."""
        row = self.win_rates.get(state, ())
        return {action: steps for action, steps in enumerate(row) if steps >= 0}

    def set_value(self, state: State, action: Action, value: float) -> None:
        """Set Q of a legal *action* in the canonical *state*; ±1 is a proof."""
        self.mark_illegal(state)
        loses = 1 << action
        wins = 1 << action + WINS_SHIFT
        self.proofs[state] &= ~(loses | wins)
        if abs(value) == 1.0:
            self.proofs[state] |= wins if value > 0 else loses
            value = math.nan
        elif state not in self.estimates:
            self.estimates[state] = NO_ESTIMATES[:]
        if state in self.estimates:
            self.estimates[state][action] = value

    def mark_illegal(self, state: State) -> None:
        """Rule out the illegal actions of the canonical *state*, so that all bits mean lost."""
        self.proofs[state] |= red_cells(state)

    def set_lost(self, state: State) -> None:
        """Make every legal action of the canonical *state* a proven loss."""
        for action in legal_actions(state):
            self.set_value(state, action, -1.0)

    def set_win_rate(self, state: State, action: Action, rate: float) -> None:
        """Set the win *rate*, from 0 to 1, of a legal *action* in the canonical lost *state*."""
        self.win_rates.setdefault(state, NO_RATES[:])[action] = round(rate * RATE_STEPS)

    def copy_row(self, source: QTable, state: State) -> None:
        """Copy the row of the canonical *state* from *source*; there must be none here yet."""
        for action, value in source.canonical_row(state).items():
            self.set_value(state, action, value)
        for action, rate in source.win_rate_row(state).items():
            self.set_win_rate(state, action, rate)

    # --- of the whole table ---

    @property
    def is_pruned(self) -> bool:
        """Whether it keeps only the rows that its own play needs."""
        return self.meta.get("ties") == "first"

    @property
    def has_estimates(self) -> bool:
        return bool(self.estimates)

    def rows(self) -> Iterator[tuple[State, int]]:
        """Yield the canonical states with a proof, ascending, and the proofs of legal actions."""
        proofs = self.proofs
        reds_high, reds_low = HALF_REDS
        for states in filled(proofs):
            yield from [
                (state, row)
                for state in states
                if (row := proofs[state] & ~(reds_high[state >> 12] | reds_low[state & 4095]))
            ]

    @property
    def is_dense(self) -> bool:
        return isinstance(self.proofs, array)

    def states(self) -> Iterator[State]:
        """Yield the canonical states that have a value, in ascending order."""
        proven = (state for state, _ in self.rows())
        if not self.estimates:
            return proven
        return iter(sorted({*self.estimates, *proven}))

    def lost_states(self) -> Iterator[State]:
        """Yield the canonical lost states, in ascending order."""
        proofs = self.proofs
        for states in filled(proofs):
            yield from [state for state in states if proofs[state] == LOST]

    def make_dense(self) -> None:
        """Turn a sparse table into a dense one, which takes more memory and is faster to train."""
        self.proofs = dense_rows("i", self.proofs)

    def copy(self) -> Self:
        """Return a sparse table with the same content, which stays as it is."""
        other = type(self)()
        other.meta = dict(self.meta)
        other.proofs = sparse_rows(self.proofs)
        other.estimates = {state: row[:] for state, row in self.estimates.items()}
        other.win_rates = {state: row[:] for state, row in self.win_rates.items()}
        return other


def highest(values: Mapping[Action, float]) -> tuple[Action, ...]:
    """Return the actions of the highest of *values*, ascending; none of no values."""
    best = max(values.values(), default=0.0)
    return tuple([action for action, value in values.items() if value == best])


class TableBot:
    """Plays greedily what a table says: no exploration, no look-ahead, no writing.

    Ties are broken at random, unless the table's meta has another rule: with
    ``"ties": "first"`` the bot plays the lowest action of the canonical board;
    with ``"safe"``, the rule of the older program, it draws among those tied
    actions after which the opponent cannot win at once, if there are any.

    A pruned table has only the positions of its own games, but a player may swap seats in the
    middle of a game, or set a position up. There the bot plays by *elsewhere*, if it is given.
    """

    def __init__(self, table: QTable, rng: random.Random, elsewhere: Policy | None = None) -> None:
        self.table = table
        self._rng = rng
        self._elsewhere = elsewhere

    def comes_to(self, state: State) -> bool:
        """Return whether its own games come to *state*, as far as its table shows."""
        is_complete = not self.table.is_pruned or self._elsewhere is not None
        return is_complete or bool(self.table.row(state))

    def choices(self, state: State) -> tuple[Action, ...]:
        """Return the actions that `choose` may return in *state*."""
        if self._elsewhere is not None and not self.table.row(state):
            return self._elsewhere.actions(state)
        if self.table.is_pruned:
            images = orbit(state)
            smallest = min(images)
            first = self.table.best_canonical_actions(smallest)[0]
            # Several mirrors lead from a symmetric position to the same image. Each of them gives
            # an action that is as good.
            turned = [m for m, image in enumerate(images) if image == smallest]
            return tuple(sorted({map_action(first, mirror) for mirror in turned}))
        best = self.table.best_actions(state)
        if self.table.meta.get("ties") == "safe" and len(best) > 1:
            safe = safe_actions(state)
            return tuple(action for action in best if action in safe) or best
        return best

    def choose(self, state: State) -> Action:
        # Draw only if there is a choice, so that a table without ties plays the same from any seed.
        choices = self.choices(state)
        return choices[0] if len(choices) == 1 else self._rng.choice(choices)
