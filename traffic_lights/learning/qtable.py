"""The learner's knowledge: a table of Q-values, and the policy that reads it.

Q(s, a) is how the game ends for the player who plays action a in state s, from
-1 to +1 (Watkins 1989). The table holds canonical states only and answers for
all their mirror images; a value that is absent was never tried, and counts as 0.

A *proof* is exactly +1 or -1: a forced win, because the action completed a line
or led to a position in which every action is a proven loss, or a forced loss,
because it led to one with a proven win. Anything between is an *estimate*, which
moves towards what games have shown to follow. See `episodes` and `lessons` for
how they are learned.

*Chances*: in a lost position all actions are proven losses, and yet some of them
win more often, against an opponent that errs. Practice (see `practice`) finds
out how often, from 0 to 1; of proven losses the one of the best chance is played.

>>> table = QTable()
>>> table.set_value(0, 5, -1.0)
>>> table.value(0, 5), table.value(0, 0), table.best_actions(0)[:5]
(-1.0, 0.0, (0, 1, 2, 3, 4))
>>> table.concede(0)
>>> table.set_chance(0, 7, 0.994)
>>> table.value(0, 7), table.chance(0, 7), table.best_actions(0)
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
from traffic_lights.learning.chances import NONE, as_dict, best_actions, chance_of, with_chance

CONCEDED: Final = ALL_CELLS
"""The row of signs in which every action is closed and none wins."""
WINS_SHIFT: Final = CELLS
_STRETCH: Final = 4096
"""The states that have the first half of their board in common."""


class SparseRows(dict[State, int]):
    """Ints by state, few of them: a state without one reads as 0 and stays without."""

    # Read by [], as an array is: the loops that train need not know which of both they have. And
    # unlike a defaultdict it does not grow by being asked.
    def __missing__(self, state: State) -> int:
        return 0


class QTable:
    """Q-values by canonical state and action.

    ``signs[state]`` packs what is proven into one int: bit a is set when action
    a is *closed*, illegal or exactly -1, and bit 12 + a when it is exactly +1.
    So a row equal to CONCEDED is a conceded position, a greater one has a
    winning action, and a smaller one is undecided. A row 0 proves nothing; rows
    of states in training may hold illegal actions alone.

    A value that is not exactly -1, 0 or +1 is an estimate, and is kept in
    ``graded``, by ``state << 4 | action``.

    A dense table takes 64 MB and serves training; a sparse one takes about
    100 bytes a row and serves play.
    """

    def __init__(self, *, dense: bool = False) -> None:
        self.signs: array[int] | SparseRows = (
            array("i", [0]) * STATE_CODES if dense else SparseRows()
        )
        self.graded: MutableMapping[int, float] = {}
        self.chances: MutableMapping[State, int] = {}
        """The row of chances of each canonical lost state that has any (see `chances`)."""
        self.meta: dict[str, Any] = {}

    def value(self, state: State, action: Action) -> float:
        """Return Q for a legal *action* of any *state*, from -1 to +1 for its mover."""
        image, mirror = to_canonical(state)
        return self._canonical_value(image, map_action(action, mirror))

    def _canonical_value(self, state: State, action: Action) -> float:
        row = self.signs[state]
        sign = (row >> WINS_SHIFT >> action & 1) - (row >> action & 1)
        # Where no estimate is, the sign is the value: proofs, nearly all that a complete table has,
        # take no room beside their bits.
        return self.graded.get(state << 4 | action, float(sign))

    def implied_value(self, state: State, action: Action) -> float:
        """Return what the values after a legal *action* say of it, for the mover of *state*.

        From -1 to +1: what is best for the opponent there is worst for the mover.
        0 if the action ends the game, of which the table holds nothing.
        """
        after = state + STEPS[action]
        if is_terminal(after):
            return 0.0
        values = self.row(after)
        # An untried reply may be better for the opponent than all known ones, so nothing good can
        # be concluded for the mover.
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
        if self.signs[state] & ~red:
            return True
        return bool(self.graded) and any(
            state << 4 | action in self.graded for action in ACTIONS_OF[red ^ ALL_CELLS]
        )

    def is_decided(self, state: State) -> bool:
        """Return whether *state* has a winning action or is conceded."""
        image, _ = to_canonical(state)
        return self.signs[image] | red_cells(image) >= CONCEDED

    def best_actions(self, state: State) -> tuple[Action, ...]:
        """Return the legal actions of highest value in *state*, ascending; never empty."""
        image, mirror = to_canonical(state)
        best = self.best_canonical_actions(image)
        return best if not mirror else tuple(sorted(map_action(a, mirror) for a in best))

    def best_canonical_actions(self, state: State) -> tuple[Action, ...]:
        """Return the legal actions of highest value in the canonical *state*, ascending."""
        red = red_cells(state)
        row = self.signs[state] | red
        if row > CONCEDED:
            best = ACTIONS_OF[row >> WINS_SHIFT]
        # Undecided: no value is positive, so what is not closed, of value 0, is best.
        elif row < CONCEDED:
            best = ACTIONS_OF[row ^ ALL_CELLS]
        elif self.chances and (chances := self.chances.get(state)):
            return best_actions(chances)
        else:
            best = ACTIONS_OF[red ^ ALL_CELLS]
        # Signs alone do not tell a value of 0.3 from one of 0.9; with α = 1 there is nothing to
        # tell.
        if self.graded and len(best) > 1:
            values = [self._canonical_value(state, action) for action in best]
            highest = max(values)
            best = tuple(a for a, v in zip(best, values, strict=True) if v == highest)
        return best

    def set_value(self, state: State, action: Action, value: float) -> None:
        """Set Q of a legal *action* in the canonical *state*; 0 removes it, ±1 is a proof."""
        bit = 1 << action
        # The row takes its illegal actions in, so that from now on all actions closed means
        # conceded.
        row = (self.signs[state] | red_cells(state)) & ~(bit | bit << WINS_SHIFT)
        if value == 1:
            row |= bit << WINS_SHIFT
        elif value == -1:
            row |= bit
        self.signs[state] = row
        if value in (-1.0, 0.0, 1.0):
            if self.graded:
                self.graded.pop(state << 4 | action, None)
        else:
            self.graded[state << 4 | action] = value

    def chance(self, state: State, action: Action) -> float | None:
        """Return how often a legal *action* of the lost *state* has still won in practice.

        From 0 to 1; None if it was never practised.
        """
        image, mirror = to_canonical(state)
        return chance_of(self.chances.get(image, NONE), map_action(action, mirror))

    def count_chances(self) -> int:
        """Return how many chances the table holds, of all states."""
        return sum([len(as_dict(row)) for row in self.chances.values()])

    def concede(self, state: State) -> None:
        """Make every legal action of the canonical *state* a proven loss."""
        for action in ACTIONS_OF[red_cells(state) ^ ALL_CELLS]:
            self.set_value(state, action, -1.0)

    def set_chance(self, state: State, action: Action, chance: float) -> None:
        """Set the *chance*, from 0 to 1, of a legal *action* in the canonical lost *state*."""
        self.chances[state] = with_chance(self.chances.get(state, NONE), action, chance)

    def is_lost(self, state: State) -> bool:
        """Return whether every legal action of the canonical *state* is exactly -1."""
        return self.signs[state] | red_cells(state) == CONCEDED

    def rows(self) -> Iterator[tuple[State, int]]:
        """Yield each canonical state that has a proof with the signs of its legal actions.

        In ascending order, each about 0.25 µs.
        """
        signs = self.signs
        # Masks by half boards: 4,096 serve all 16 million states.
        legal_low = [~red_cells(low) for low in range(_STRETCH)]
        for first, filled in self._stretches():
            legal = ~red_cells(first)
            yield from [
                (state, row)
                for state in filled
                if (row := signs[state] & legal & legal_low[state - first])
            ]

    def states(self) -> Iterator[State]:
        """Yield the canonical states that have a value, in ascending order."""
        proven = (state for state, _ in self.rows())
        if not self.graded:
            return proven
        return iter(sorted({move >> 4 for move in self.graded}.union(proven)))

    def conceded_states(self) -> Iterator[State]:
        """Yield the canonical states all of whose actions are closed, in ascending order."""
        signs = self.signs
        for _, filled in self._stretches():
            yield from [state for state in filled if signs[state] == CONCEDED]

    def copy_row(self, source: QTable, state: State) -> None:
        """Take over what *source* holds of the canonical *state*, which has no row here yet."""
        for action, value in source.canonical_row(state).items():
            self.set_value(state, action, value)
        if state in source.chances:
            self.chances[state] = source.chances[state]

    def _stretches(self) -> Iterator[tuple[State, Iterable[State]]]:
        """Yield (first state, those with any signs) for each first half of a board, ascending."""
        signs = self.signs
        if isinstance(signs, dict):
            for half, filled in groupby(sorted(signs), lambda state: state // _STRETCH):
                yield half * _STRETCH, filled
            return
        # Compared as bytes, an empty stretch is passed over without looking at its 4,096 states.
        nothing = bytes(signs.itemsize * _STRETCH)
        for first in range(0, STATE_CODES, _STRETCH):
            stretch = signs[first : first + _STRETCH]
            if stretch.tobytes() != nothing:
                yield first, compress(range(first, first + _STRETCH), stretch)

    def make_dense(self) -> None:
        """Make a sparse table dense."""
        if isinstance(self.signs, dict):
            signs = array("i", [0]) * STATE_CODES
            for state, row in self.signs.items():
                signs[state] = row
            self.signs = signs

    def canonical_row(self, state: State) -> dict[Action, float]:
        """Return the stored values of the canonical *state*, by ascending action."""
        red = red_cells(state)
        row = self.signs[state] & ~red
        if self.graded:
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
    """The chance of exploring, from *start*, multiplied by *decay* per game, down to *end*."""

    start: float
    end: float
    decay: float

    def after(self, epsilon: float) -> float:
        """Return ε of the game that follows one with *epsilon*."""
        return max(self.end, epsilon * self.decay)
