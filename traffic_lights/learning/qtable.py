"""The Q-table, and the greedy policy that reads it.

Q(s, a) is the result that the player to move in state s can expect from action a,
from -1 to +1 (Watkins 1989). The table holds canonical states only and answers for
all their mirror images. A value that is absent was never tried and counts as 0.

A *proof* is exactly +1 or -1. An action is a proven win if it completes a line or
leads to a position where every action is a proven loss. It is a proven loss if
it leads to a position with a proven win. All values between are *estimates*, which
move towards the results of games. `episodes` and `update_rules` learn them.

In a lost position every action is a proven loss, but some of them win more often
against an imperfect opponent. `practice` measures these *win rates*, from 0 to 1,
and the policy plays the action with the best one.

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

import random
from array import array
from collections.abc import Iterable, Iterator, MutableMapping
from dataclasses import dataclass
from itertools import compress, groupby
from typing import Any, Final

from traffic_lights.board.rules import (
    ACTIONS_OF,
    ALL_CELLS,
    CELLS,
    STATE_CODES,
    STEPS,
    Action,
    State,
    is_terminal,
    legal_actions,
    red_cells,
)
from traffic_lights.board.symmetry import map_action, orbit, to_canonical
from traffic_lights.board.threats import safe_actions
from traffic_lights.learning.win_rates import NONE, as_dict, best_actions, rate_of, with_rate

LOST: Final = ALL_CELLS
"""The row of a lost position: every action is ruled out and none wins."""
WINS_SHIFT: Final = CELLS
_STRETCH: Final = 4096
"""How many states share the first half of their board."""


class SparseRows(dict[State, int]):
    """Ints by state for small tables; a state without one reads as 0."""

    # Supports the same [] access as an array, so the training loops work with either. Unlike a
    # defaultdict, a look-up does not add an entry.
    def __missing__(self, state: State) -> int:
        return 0


class QTable:
    """Q-values by canonical state and action.

    ``proofs[state]`` packs what is proven into one int: bit a is set if action a is
    *ruled out*, because it is illegal or exactly -1, and bit 12 + a if it is exactly
    +1. So a row equal to LOST is a lost position, a greater one has a winning action,
    and a smaller one is undecided. A row of 0 proves nothing; in training, a row may
    have the bits of illegal actions only.

    A value that is not exactly -1, 0 or +1 is an estimate. It is in ``estimates``, by
    ``state << 4 | action``.

    A dense table takes 64 MB and serves training. A sparse one takes about 100 bytes
    a row and serves play.
    """

    def __init__(self, *, dense: bool = False) -> None:
        self.proofs: array[int] | SparseRows = (
            array("i", [0]) * STATE_CODES if dense else SparseRows()
        )
        self.estimates: MutableMapping[int, float] = {}
        self.win_rates: dict[State, int] = {}
        """The row of win rates of each canonical lost state that has one (see `win_rates`)."""
        self.meta: dict[str, Any] = {}

    def value(self, state: State, action: Action) -> float:
        """Return Q for a legal *action* of any *state*, from -1 to +1 for its mover."""
        image, mirror = to_canonical(state)
        return self._canonical_value(image, map_action(action, mirror))

    def _canonical_value(self, state: State, action: Action) -> float:
        row = self.proofs[state]
        sign = (row >> WINS_SHIFT >> action & 1) - (row >> action & 1)
        # Without an estimate the bits are the value, so proofs take no other memory.
        return self.estimates.get(state << 4 | action, float(sign))

    def implied_value(self, state: State, action: Action) -> float:
        """Return the value of a legal *action* as the row of the next position implies it.

        From -1 to +1 for the mover of *state*, because the best value of the opponent is
        the worst for the mover. 0 if the action ends the game.
        """
        after = state + STEPS[action]
        if is_terminal(after):
            return 0.0
        values = self.row(after)
        # An untried reply may be better than all known ones, so nothing good follows for the mover.
        if len(values) < len(legal_actions(after)):
            return min(0.0, -max(values.values(), default=0.0))
        return -max(values.values())

    def row(self, state: State) -> dict[Action, float]:
        """Return the values of *state*'s actions that have one; those absent are 0."""
        image, mirror = to_canonical(state)
        values = {
            action: self._canonical_value(image, map_action(action, mirror))
            for action in legal_actions(state)
        }
        return {action: value for action, value in values.items() if value}

    def knows(self, state: State) -> bool:
        """Return whether any action of *state* has a value."""
        image, _ = to_canonical(state)
        return self.has_values(image)

    def has_values(self, state: State) -> bool:
        """Return whether any action of the canonical *state* has a value."""
        red = red_cells(state)
        if self.proofs[state] & ~red:
            return True
        return bool(self.estimates) and any(
            state << 4 | action in self.estimates for action in ACTIONS_OF[red ^ ALL_CELLS]
        )

    def is_proven(self, state: State) -> bool:
        """Return whether *state* has a proven win or is a proven loss."""
        image, _ = to_canonical(state)
        return self.proofs[image] | red_cells(image) >= LOST

    def best_actions(self, state: State) -> tuple[Action, ...]:
        """Return the legal actions of highest value in *state*, ascending; never empty."""
        image, mirror = to_canonical(state)
        best = self.best_canonical_actions(image)
        return best if not mirror else tuple(sorted(map_action(a, mirror) for a in best))

    def best_canonical_actions(self, state: State) -> tuple[Action, ...]:
        """Return the legal actions of highest value in the canonical *state*, ascending."""
        red = red_cells(state)
        row = self.proofs[state] | red
        if row > LOST:
            best = ACTIONS_OF[row >> WINS_SHIFT]
        # Undecided, so no proof is positive: the actions that are not ruled out are best.
        elif row < LOST:
            best = ACTIONS_OF[row ^ ALL_CELLS]
        elif rates := self.win_rate_row(state):
            return best_actions(rates)
        else:
            best = ACTIONS_OF[red ^ ALL_CELLS]
        # The bits do not tell an estimate of 0.3 from one of 0.9.
        if self.estimates and len(best) > 1:
            values = [self._canonical_value(state, action) for action in best]
            highest = max(values)
            best = tuple(a for a, v in zip(best, values, strict=True) if v == highest)
        return best

    def set_value(self, state: State, action: Action, value: float) -> None:
        """Set Q of a legal *action* in the canonical *state*; 0 removes it, ±1 is a proof."""
        bit = 1 << action
        # Illegal actions count as ruled out, so that a row with all bits set means lost.
        row = (self.proofs[state] | red_cells(state)) & ~(bit | bit << WINS_SHIFT)
        if value == 1:
            row |= bit << WINS_SHIFT
        elif value == -1:
            row |= bit
        self.proofs[state] = row
        if value in (-1.0, 0.0, 1.0):
            if self.estimates:
                self.estimates.pop(state << 4 | action, None)
        else:
            self.estimates[state << 4 | action] = value

    def win_rate(self, state: State, action: Action) -> float | None:
        """Return the win rate of a legal *action* of the lost *state*; None if it has none."""
        image, mirror = to_canonical(state)
        return rate_of(self.win_rate_row(image), map_action(action, mirror))

    def win_rate_row(self, state: State) -> int:
        """Return the win rates of the canonical *state* as a row; NONE if it has none."""
        return self.win_rates.get(state, NONE)

    @property
    def has_estimates(self) -> bool:
        """Whether there may be estimates."""
        return bool(self.estimates)

    def count_win_rates(self) -> int:
        """Return how many win rates the table holds."""
        return sum([len(as_dict(self.win_rate_row(state))) for state in self.lost_states()])

    def set_lost(self, state: State) -> None:
        """Make every legal action of the canonical *state* a proven loss."""
        for action in ACTIONS_OF[red_cells(state) ^ ALL_CELLS]:
            self.set_value(state, action, -1.0)

    def set_win_rate(self, state: State, action: Action, rate: float) -> None:
        """Set the win *rate*, from 0 to 1, of a legal *action* in the canonical lost *state*."""
        self.win_rates[state] = with_rate(self.win_rates.get(state, NONE), action, rate)

    def is_lost(self, state: State) -> bool:
        """Return whether every legal action of the canonical *state* is exactly -1."""
        return self.proofs[state] | red_cells(state) == LOST

    def rows(self) -> Iterator[tuple[State, int]]:
        """Yield each canonical state that has a proof, and the proofs of its legal actions.

        In ascending order, each about 0.25 µs.
        """
        proofs = self.proofs
        # 4,096 masks by half boards serve all 16 million states.
        legal_low = [~red_cells(low) for low in range(_STRETCH)]
        for first, filled in self._stretches():
            legal = ~red_cells(first)
            yield from [
                (state, row)
                for state in filled
                if (row := proofs[state] & legal & legal_low[state - first])
            ]

    def states(self) -> Iterator[State]:
        """Yield the canonical states that have a value, in ascending order."""
        proven = (state for state, _ in self.rows())
        if not self.estimates:
            return proven
        return iter(sorted({move >> 4 for move in self.estimates}.union(proven)))

    def lost_states(self) -> Iterator[State]:
        """Yield the canonical lost states, in ascending order."""
        proofs = self.proofs
        for _, filled in self._stretches():
            yield from [state for state in filled if proofs[state] == LOST]

    def copy_row(self, source: QTable, state: State) -> None:
        """Copy the row of the canonical *state* from *source*; there must be none here yet."""
        for action, value in source.canonical_row(state).items():
            self.set_value(state, action, value)
        if row := source.win_rate_row(state):
            self.win_rates[state] = row

    def _stretches(self) -> Iterator[tuple[State, Iterable[State]]]:
        """Yield (first state, states with a row) for each first half of a board, ascending."""
        proofs = self.proofs
        if isinstance(proofs, dict):
            for half, filled in groupby(sorted(proofs), lambda state: state // _STRETCH):
                yield half * _STRETCH, filled
            return
        # Comparing bytes passes over an empty stretch without looking at its 4,096 states.
        nothing = bytes(proofs.itemsize * _STRETCH)
        for first in range(0, STATE_CODES, _STRETCH):
            stretch = proofs[first : first + _STRETCH]
            if stretch.tobytes() != nothing:
                yield first, compress(range(first, first + _STRETCH), stretch)

    def make_dense(self) -> None:
        """Make a sparse table dense."""
        if isinstance(self.proofs, dict):
            proofs = array("i", [0]) * STATE_CODES
            for state, row in self.proofs.items():
                proofs[state] = row
            self.proofs = proofs

    def canonical_row(self, state: State) -> dict[Action, float]:
        """Return the stored values of the canonical *state*, by ascending action."""
        red = red_cells(state)
        row = self.proofs[state] & ~red
        if self.estimates:
            values = {a: self._canonical_value(state, a) for a in ACTIONS_OF[red ^ ALL_CELLS]}
            return {action: value for action, value in values.items() if value}
        return {
            action: self._canonical_value(state, action)
            for action in ACTIONS_OF[(row | row >> WINS_SHIFT) & ALL_CELLS]
        }


class QBot:
    """Plays greedily what a table says: no exploration, no look-ahead, no writing.

    Ties are broken at random, unless the table's meta has another rule: with
    ``"ties": "first"`` the bot plays the lowest action of the canonical board;
    with ``"safe"``, the rule of the older program, it draws among those tied
    actions after which the opponent cannot win at once, if there are any.
    """

    def __init__(self, table: QTable, rng: random.Random) -> None:
        self.table = table
        self._rng = rng

    def choices(self, state: State) -> tuple[Action, ...]:
        """Return the actions that `choose` may return in *state*."""
        ties = self.table.meta.get("ties")
        if ties == "first":
            return self._first_choices(state)
        best = self.table.best_actions(state)
        if ties == "safe" and len(best) > 1:
            safe = safe_actions(state)
            return tuple(action for action in best if action in safe) or best
        return best

    def _first_choices(self, state: State) -> tuple[Action, ...]:
        images = orbit(state)
        smallest = min(images)
        first = self.table.best_canonical_actions(smallest)[0]
        # Several mirrors lead from a symmetric position to the same image. Each of them gives an
        # action that is as good.
        actions = {map_action(first, m) for m, image in enumerate(images) if image == smallest}
        return tuple(sorted(actions))

    def choose(self, state: State) -> Action:
        """Return an action of highest value in *state*."""
        # Draw only if there is a choice, so that a table without ties plays the same from any seed.
        choices = self.choices(state)
        return choices[0] if len(choices) == 1 else self._rng.choice(choices)


@dataclass(frozen=True, slots=True)
class EpsilonSchedule:
    """The probability of exploring, from *start*, multiplied by *decay* per game, down to *end*."""

    start: float
    end: float
    decay: float

    def after(self, epsilon: float) -> float:
        """Return ε of the game that follows one with *epsilon*."""
        return max(self.end, epsilon * self.decay)
