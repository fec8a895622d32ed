"""A Q-table for learning estimates: moves that lead to the same position share one value.

The table stores the value of each *afterstate*, the position right after a move (Sutton & Barto,
2nd ed., section 6.8). So a position that is proven decides all moves into it.

Afterstate values are whole numbers for the player who moved: 0 if nothing is known, exactly
PROVEN_WIN or PROVEN_LOSS if the result is proven, and estimates between. A move that is proven to
lose keeps its last estimate, because an imperfect opponent may still go wrong. It is stored as
``estimate + OFFSET``, which is larger than PROVEN_WIN, so that the maximum of a row shows whether
it has any. The file holds such an estimate in place of the proof, which follows from the row of the
next position. In a lost row the file holds it as a win rate. So a table that was written and read
again learns on as if it had never been written.
"""

from collections.abc import Iterator
from itertools import product
from typing import Final, Self

from traffic_lights.board.rules import (
    ACTIONS_OF,
    EMPTY,
    HALVES,
    RED,
    STEPS,
    Action,
    State,
    legal_actions,
)
from traffic_lights.board.symmetry import canonical, orbit
from traffic_lights.learning.qtable import (
    LOST,
    WINS_SHIFT,
    QTable,
    Rows,
    SparseRows,
    dense_rows,
    filled,
    sparse_rows,
)

PROVEN_WIN: Final = 10_000
"""The value of a proven win; the value 1 of Q is this many steps from 0."""
PROVEN_LOSS: Final = -PROVEN_WIN
"""The value of a proven loss without an estimate."""
OFFSET: Final = 2 * PROVEN_WIN
"""Added to the estimate of a move that is proven to lose."""
_CANONICAL: Final = 2
"""What ``visited`` holds for a canonical state that has a row; for its other images it holds 1."""


_STEPS_INTO: Final = tuple(
    tuple(
        # One move leads to each colour but "off".
        tuple(STEPS[cell] for cell, colour in zip(half, colours, strict=True) if colour != EMPTY)
        for colours in product(range(RED + 1), repeat=len(half))
    )
    for half in HALVES
)
"""For each content of a half board, what the moves that can lead to it add to the state."""


def estimate_in(value: int) -> int:
    """Return the estimate that an afterstate *value* holds, in steps; 0 if it holds none."""
    if value > PROVEN_WIN:
        return value - OFFSET
    return value if PROVEN_LOSS < value < PROVEN_WIN else 0


def _with_offset(estimate: int) -> int:
    """Return the value of a move that is proven to lose and had *estimate*, not 0."""
    # The file stores it as a win rate in whole steps, so it must be even, and neither an end of the
    # range nor 0, which means "no estimate".
    even = max(PROVEN_LOSS + 2, estimate & ~1) or 2
    return even + OFFSET


class AfterstateTable(QTable):
    """A table of proofs and shared estimates.

    ``after_values`` holds the value of each position for all its mirror images, 32 MB
    if dense. ``visited`` marks the positions where the learner has moved: 2 for the
    canonical image, which has a row, and 1 for the others.
    """

    def __init__(self, *, dense: bool = False) -> None:
        self.after_values: Rows = SparseRows()
        self.visited: Rows = SparseRows()
        super().__init__(dense=dense)

    @classmethod
    def of(cls, source: QTable) -> Self:
        """Return a table with the values of *source*, dense if *source* is."""
        table = cls(dense=not isinstance(source.proofs, dict))
        table.meta = source.meta
        take = table.set_estimate if source.meta.get("estimates") else table.set_value
        for state in source.states():
            for action, value in source.canonical_row(state).items():
                take(state, action, value)
            for action, rate in source.win_rate_row(state).items():
                table.set_win_rate(state, action, rate)
        for state in list(table.states()):
            table.propagate([state])
        return table

    def set_value(self, state: State, action: Action, value: float) -> None:
        """Set Q of a legal *action* in the canonical *state*; a proof is never removed."""
        if abs(value) != 1.0:
            self.set_estimate(state, action, value)
            return
        row = self.proofs[state]
        self.ensure_row(state)
        self.proofs[state] |= 1 << (action + WINS_SHIFT if value > 0 else action)
        self.mark_proven(state + STEPS[action], round(value * PROVEN_WIN))
        if row < LOST <= self.proofs[state]:
            self.mark_proven(state, PROVEN_WIN if self.proofs[state] == LOST else PROVEN_LOSS)

    def set_estimate(self, state: State, action: Action, value: float) -> None:
        """Set the estimate of *action*, and of every action that leads to the same position."""
        self.ensure_row(state)
        after = state + STEPS[action]
        if self.after_values[after] != PROVEN_WIN:
            self.estimate(after, round(value * PROVEN_WIN))

    def set_win_rate(self, state: State, action: Action, rate: float) -> None:
        self.estimate(state + STEPS[action], round(rate * OFFSET) - PROVEN_WIN)

    def win_rate_steps(self, state: State) -> dict[Action, int]:
        if not self.visited[state] or self.proofs[state] != LOST:
            return {}
        estimates = {
            a: estimate_in(self.after_values[state + STEPS[a]]) for a in legal_actions(state)
        }
        # These estimates are even, and a win rate has half as many steps.
        return {action: (n + PROVEN_WIN) // 2 for action, n in estimates.items() if n}

    @property
    def has_estimates(self) -> bool:
        """Always true: a table of this kind is made for estimates."""
        return True

    def estimate(self, after: State, steps: int) -> int:
        """Set the estimate of the position *after*, not proven to win; return it, never 0."""
        if not PROVEN_LOSS < steps < PROVEN_WIN:
            steps = PROVEN_WIN - 1 if steps > 0 else PROVEN_LOSS + 1
        # 0 means "no estimate".
        steps = steps or 1
        value = steps
        if not PROVEN_LOSS < self.after_values[after] < PROVEN_WIN:
            value = _with_offset(steps)
            steps = value - OFFSET
        values = self.after_values
        one, two, three, four = orbit(after)
        values[one] = values[two] = values[three] = values[four] = value
        return steps

    def mark_proven(self, after: State, value: int) -> None:
        """Note that *after* is proven, PROVEN_WIN or PROVEN_LOSS; a loss keeps its estimate."""
        if value == PROVEN_LOSS and (estimate := estimate_in(self.after_values[after])):
            value = _with_offset(estimate)
        values = self.after_values
        one, two, three, four = orbit(after)
        values[one] = values[two] = values[three] = values[four] = value

    def ensure_row(self, state: State) -> None:
        """Give the canonical *state* a row, if it has none."""
        if self.visited[state]:
            return
        visited = self.visited
        one, two, three, four = orbit(state)
        visited[two] = visited[three] = visited[four] = 1
        visited[one] = _CANONICAL
        self.mark_illegal(state)

    def propagate(self, states: list[State]) -> list[tuple[State, Action, int]]:
        """Prove in the rows of the canonical *states* what the positions after them prove.

        A state that this decides leads on to the states before it. Return what was
        proven as (state, action, 1 or -1), in order; *states* ends empty.
        """
        proven: list[tuple[State, Action, int]] = []
        proofs = self.proofs
        after_values = self.after_values
        steps = STEPS
        while states:
            state = states.pop()
            row = proofs[state]
            # Another of the positions after it may have decided it meanwhile.
            if row >= LOST:
                continue
            for action in ACTIONS_OF[row ^ LOST]:
                value = after_values[state + steps[action]]
                if PROVEN_LOSS < value < PROVEN_WIN:
                    continue
                wins = value == PROVEN_WIN
                row |= 1 << (action + WINS_SHIFT if wins else action)
                proven.append((state, action, 1 if wins else -1))
            proofs[state] = row
            if row >= LOST:
                self.mark_proven(state, PROVEN_WIN if row == LOST else PROVEN_LOSS)
                states += self.before(state)
        return proven

    def before(self, after: State) -> list[State]:
        """Return the canonical states with rows that have an action leading to *after*."""
        visited = self.visited
        return [
            canonical(after - step)
            for step in _STEPS_INTO[0][after >> 12] + _STEPS_INTO[1][after & 4095]
            if visited[after - step]
        ]

    def states(self) -> Iterator[State]:
        """Yield the canonical states that have a row, in ascending order."""
        visited = self.visited
        for states in filled(visited):
            yield from [state for state in states if visited[state] == _CANONICAL]

    def canonical_row(self, state: State) -> dict[Action, float]:
        if not self.visited[state]:
            return {}
        row = self.proofs[state]
        after_values = self.after_values
        legal = legal_actions(state)
        if row == LOST:
            return dict.fromkeys(legal, -1.0)
        values: dict[Action, float] = {}
        for action in legal:
            value = after_values[state + STEPS[action]]
            if value > PROVEN_WIN:
                value -= OFFSET
            if row >> WINS_SHIFT >> action & 1:
                values[action] = 1.0
            elif value and PROVEN_LOSS < value < PROVEN_WIN:
                values[action] = value / PROVEN_WIN
            elif row >> action & 1:
                values[action] = -1.0
        return values

    def copy(self) -> Self:
        """Return a sparse table with the same content, which stays as it is."""
        other = super().copy()
        other.after_values = sparse_rows(self.after_values)
        other.visited = sparse_rows(self.visited)
        return other

    def make_dense(self) -> None:
        super().make_dense()
        # Two bytes hold all values, up to 30,000; floats would take four or eight.
        self.after_values = dense_rows("h", self.after_values)
        self.visited = dense_rows("b", self.visited)
