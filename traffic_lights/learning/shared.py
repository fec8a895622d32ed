"""The Q-table of a learner that estimates: actions that lead to one position share one value.

What an action is worth is what the position after it is worth, whatever led
there. So an estimate is kept once for that position, and a position that is
decided decides every action that leads there, in all rows that there are:

    Q(s, a) = worth of the position after a, if the learner ever acted in s

A worth is a whole number of steps, for the player who moved into the position:
0 if nothing is known, exactly PROVEN or REFUTED if it is proven to win or to
lose, anything between is an estimate.

A position that is proven to lose keeps the estimate that it had, its *hope*:
an opponent that errs may be beaten there all the same. Its worth is then
DOUBTED more than the hope, above PROVEN, so that the highest worth of a row
tells whether there is any. In an undecided row a hope stands where the proof
would, which follows from the row of the position after the action; in a lost
row it is a chance. So all that is kept follows from the rows, and a table that
was written and read again learns on as if it had not been.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, MutableMapping
from itertools import compress
from typing import Final
from weakref import proxy

from traffic_lights.board.rules import (
    ACTIONS_OF,
    ALL_CELLS,
    SHIFTS,
    STATE_CODES,
    STEPS,
    Action,
    State,
    red_cells,
)
from traffic_lights.board.symmetry import canonical, orbit
from traffic_lights.learning import chances
from traffic_lights.learning.qtable import CONCEDED, WINS_SHIFT, QTable, SparseRows

PROVEN: Final = 10_000
"""The steps from 0 to the value 1, and so the worth of a proven win."""
REFUTED: Final = -PROVEN
"""The worth of a proven loss that leaves no hope."""
MOST_ESTIMATED: Final = PROVEN - 1
DOUBTED: Final = 2 * PROVEN
"""What a worth is more than the hope that it stands for."""
_CANONICAL: Final = 2
_STEPS_INTO: Final = tuple(
    tuple(
        # An empty cell cannot have been the last one advanced.
        tuple(STEPS[cell] for cell in cells if code << low >> SHIFTS[cell] & 3)
        for code in range(4096)
    )
    for cells, low in ((range(6), 12), (range(6, 12), 0))
)
"""What the moves that can lead to each content of a half board add to the state."""
_TO_FLAGS: Final = bytes((0, 0, 1))


def hope_of(worth: int) -> int:
    """Return the estimate in *worth*, in steps, whatever is proven; 0 if there is none."""
    if worth > PROVEN:
        return worth - DOUBTED
    return worth if REFUTED < worth < PROVEN else 0


def _doubted(hope: int) -> int:
    """Return the worth of a position that is proven to lose, with *hope*, not 0."""
    # Even and away from the ends, so that a chance in whole steps holds it and tells it from none.
    return (max(2 - PROVEN, hope & ~1) or 2) + DOUBTED


class SharedEstimates(MutableMapping[int, float]):
    """The estimates of a `SharedTable` by ``state << 4 | action``, as `QTable.graded` has them."""

    def __init__(self, table: SharedTable) -> None:
        self._table = proxy(table)

    def __getitem__(self, move: int) -> float:
        """Return the estimate of *move*; raise KeyError if there is none."""
        table, state = self._table, move >> 4
        if not table.acted[state] or table.signs[state] == CONCEDED:
            raise KeyError(move)
        if not (hope := hope_of(table.worths[state + STEPS[move & 15]])):
            raise KeyError(move)
        return hope / PROVEN

    def __setitem__(self, move: int, value: float) -> None:
        """Give *value*, and not quite a proof, to each action that leads where *move* does."""
        table, state = self._table, move >> 4
        table.keep_row(state)
        after = state + STEPS[move & 15]
        if table.worths[after] != PROVEN:
            table.estimate(after, round(value * PROVEN))

    def __delitem__(self, move: int) -> None:
        """Raise KeyError: what is proven has no estimate, and no other is taken back."""
        raise KeyError(move)

    def __iter__(self) -> Iterator[int]:
        """Yield the moves that have an estimate, in ascending order."""
        return (
            state << 4 | action
            for state in self._table.states()
            for action in ACTIONS_OF[ALL_CELLS ^ red_cells(state)]
            if state << 4 | action in self
        )

    def __len__(self) -> int:
        """Return how many moves have an estimate."""
        return sum(1 for _ in self)

    def __bool__(self) -> bool:
        """Return True: there may be estimates."""
        return True


class SharedChances(MutableMapping[State, int]):
    """The hopes of a `SharedTable` in its lost rows, as rows of chances."""

    def __init__(self, table: SharedTable) -> None:
        self._table = proxy(table)

    def __getitem__(self, state: State) -> int:
        """Return the row of chances of the canonical *state*; raise KeyError if it has none."""
        table, row = self._table, chances.NONE
        if table.acted[state] and table.signs[state] == CONCEDED:
            for action in ACTIONS_OF[ALL_CELLS ^ red_cells(state)]:
                if hope := hope_of(table.worths[state + STEPS[action]]):
                    row = chances.with_chance(row, action, (hope + PROVEN) / DOUBTED)
        if row == chances.NONE:
            raise KeyError(state)
        return row

    def __setitem__(self, state: State, row: int) -> None:
        """Give each action of the lost *state* its chance in *row*, and not quite 0 or 1."""
        for action, chance in chances.as_dict(row).items():
            after = state + STEPS[action]
            self._table.estimate(after, round(chance * DOUBTED) - PROVEN)

    def __delitem__(self, state: State) -> None:
        """Raise KeyError: no chance is taken back."""
        raise KeyError(state)

    def __iter__(self) -> Iterator[State]:
        """Yield the states that have a row of chances, in ascending order."""
        return (state for state in self._table.states() if state in self)

    def __len__(self) -> int:
        """Return how many states have a row of chances."""
        return sum(1 for _ in self)

    def __bool__(self) -> bool:
        """Return True: there may be chances."""
        return True


class SharedTable(QTable):
    """A table of proofs and shared estimates.

    ``worths`` holds the worth by position, for each image of it: 32 MB if
    dense. ``acted`` says in which positions the learner has acted, 2 for the
    canonical image and 1 for the others: these have rows.
    """

    def __init__(self, *, dense: bool = False) -> None:
        super().__init__(dense=dense)
        self.worths: array[int] | SparseRows = (
            # Two bytes hold whole steps, doubted ones of -30,000 too; floats would take 4 or 8.
            array("h", [0]) * STATE_CODES if dense else SparseRows()
        )
        self.acted: bytearray | SparseRows = bytearray(STATE_CODES) if dense else SparseRows()
        # Weak ones, or the arrays would stay until the collector comes by, which few objects bring.
        self.graded = SharedEstimates(self)
        self.chances = SharedChances(self)

    @classmethod
    def of(cls, source: QTable) -> SharedTable:
        """Return a table of what *source* holds, as dense; estimates alone if nothing is proven."""
        table = cls(dense=not isinstance(source.signs, dict))
        table.meta = source.meta
        proves = not source.meta.get("estimates")
        for state in source.states():
            for action, value in source.canonical_row(state).items():
                if proves:
                    table.set_value(state, action, value)
                else:
                    table.graded[state << 4 | action] = value
        for state in list(table.states()):
            table.settle([state])
        table.chances.update(source.chances)
        return table

    def set_value(self, state: State, action: Action, value: float) -> None:
        """Set Q of a legal *action* in the canonical *state*; what is proven stays so."""
        if abs(value) != 1.0:
            self.graded[state << 4 | action] = value
            return
        row = self.signs[state]
        self.keep_row(state)
        self.signs[state] |= 1 << (action + WINS_SHIFT if value > 0 else action)
        self.mark(state + STEPS[action], round(value * PROVEN))
        if row < CONCEDED <= self.signs[state]:
            self.mark(state, PROVEN if self.signs[state] == CONCEDED else REFUTED)

    def estimate(self, after: State, steps: int) -> int:
        """Set the estimate of the position *after*, not proven to win; return it, never 0."""
        if not REFUTED < steps < PROVEN:
            steps = MOST_ESTIMATED if steps > 0 else -MOST_ESTIMATED
        worth = steps = steps or 1
        worths, (one, two, three, four) = self.worths, orbit(after)
        if not REFUTED < worths[one] < PROVEN:
            worth = _doubted(steps)
            steps = worth - DOUBTED
        worths[one] = worths[two] = worths[three] = worths[four] = worth
        return steps

    def mark(self, after: State, steps: int) -> None:
        """Note that each image of *after* is proven; a loss keeps the estimate as a hope."""
        worths = self.worths
        if steps == REFUTED and (hope := hope_of(worths[after])):
            steps = _doubted(hope)
        one, two, three, four = orbit(after)
        worths[one] = worths[two] = worths[three] = worths[four] = steps

    def keep_row(self, state: State) -> None:
        """Give the canonical *state* a row, if it has none."""
        if self.acted[state]:
            return
        acted, (one, two, three, four) = self.acted, orbit(state)
        acted[two] = acted[three] = acted[four] = 1
        acted[one] = _CANONICAL
        # So that a row with all bits closed means conceded, and illegal actions need no second
        # look.
        self.signs[state] |= red_cells(state)

    def settle(self, states: list[State]) -> list[tuple[State, Action, int]]:
        """Prove in the canonical *states* with rows what the positions after them prove.

        A state that is decided by that decides those before it in turn. Return
        what was proven, as (state, action, 1 or -1), in order; *states* ends empty.
        """
        proven: list[tuple[State, Action, int]] = []
        signs, worths, steps = self.signs, self.worths, STEPS
        while states:
            state = states.pop()
            row = signs[state]
            # Decided meanwhile, by another of the positions after it.
            if row >= CONCEDED:
                continue
            for action in ACTIONS_OF[row ^ CONCEDED]:
                worth = worths[state + steps[action]]
                if REFUTED < worth < PROVEN:
                    continue
                wins = worth == PROVEN
                row |= 1 << (action + WINS_SHIFT if wins else action)
                proven.append((state, action, 1 if wins else -1))
            signs[state] = row
            if row >= CONCEDED:
                self.mark(state, PROVEN if row == CONCEDED else REFUTED)
                states += self.before(state)
        return proven

    def before(self, after: State) -> list[State]:
        """Return the canonical states with rows of which some action leads to *after*."""
        acted = self.acted
        return [
            canonical(after - step)
            for step in _STEPS_INTO[0][after >> 12] + _STEPS_INTO[1][after & 4095]
            if acted[after - step]
        ]

    def states(self) -> Iterator[State]:
        """Yield the canonical states that have a row, in ascending order."""
        if isinstance(self.acted, bytearray):
            # Turned into zeros and ones, and picked, in C: in Python 16 million bytes would take
            # about a second.
            flags: Iterable[int] = self.acted.translate(_TO_FLAGS.ljust(256, b"\0"))
            return compress(range(STATE_CODES), flags)
        return iter(sorted(state for state, mark in self.acted.items() if mark == _CANONICAL))

    def canonical_row(self, state: State) -> dict[Action, float]:
        """Return the stored values of the canonical *state*, by ascending action."""
        if not self.acted[state]:
            return {}
        row, worths, red = self.signs[state], self.worths, red_cells(state)
        values: dict[Action, float] = {}
        for action in ACTIONS_OF[red ^ ALL_CELLS]:
            hope = hope_of(worths[state + STEPS[action]])
            if row >> WINS_SHIFT >> action & 1:
                values[action] = 1.0
            elif hope and row != CONCEDED:
                values[action] = hope / PROVEN
            elif row >> action & 1:
                values[action] = -1.0
        return values

    def best_canonical_actions(self, state: State) -> tuple[Action, ...]:
        """Return the legal actions of highest value in the canonical *state*, ascending."""
        if self.signs[state] >= CONCEDED:
            return super().best_canonical_actions(state)
        legal = ACTIONS_OF[red_cells(state) ^ ALL_CELLS]
        if not self.acted[state]:
            return legal
        values = self.canonical_row(state)
        highest = max([values.get(action, 0.0) for action in legal])
        return tuple(action for action in legal if values.get(action, 0.0) == highest)

    def has_values(self, state: State) -> bool:
        """Return whether any action of the canonical *state* has a value."""
        return bool(self.acted[state])

    def make_dense(self) -> None:
        """Make a sparse table dense."""
        if isinstance(self.acted, dict):
            sparse_worths, sparse_acted = self.worths, self.acted
            super().make_dense()
            self.worths = array("h", [0]) * STATE_CODES
            self.acted = bytearray(STATE_CODES)
            assert isinstance(sparse_worths, dict)
            for state, steps in sparse_worths.items():
                self.worths[state] = steps
            for state, mark in sparse_acted.items():
                self.acted[state] = mark


def proofs_of(source: QTable) -> QTable:
    """Return a sparse table of what *source* has proven, without its estimates."""
    table = QTable()
    table.meta, table.chances = source.meta, dict(source.chances)
    for state in () if source.meta.get("estimates") else source.states():
        for action, value in source.canonical_row(state).items():
            if abs(value) == 1.0:
                table.set_value(state, action, value)
    return table
