"""A Q-table in training: moves that lead to the same position share one value.

The table stores what is known of each *afterstate*, the position right after a move (Sutton &
Barto, 2nd ed., section 6.8), as `learner.py` does: its value, and whether it is proven. The names
of the methods are the same too. A table that was written and read again learns on as if it had
never been written.
"""

import re
from collections.abc import Iterator
from typing import Final, Self

from traffic_lights.board.rules import (
    ALL_CELLS,
    STEPS,
    Action,
    State,
    by_mask,
    legal_actions,
    red_cells,
)
from traffic_lights.board.symmetry import map_action, orbit, to_canonical
from traffic_lights.learning.deltas import Delta
from traffic_lights.learning.learner import LOSS, WIN
from traffic_lights.learning.qtable import QTable
from traffic_lights.learning.state_ints import SparseInts, StateInts, dense_ints

UNTRIED: Final = 0
TRIED: Final = 1
LOSES: Final = 2
"""A move to the position is proven to lose."""
WINS: Final = 3
"""A move to the position is proven to win."""
IMAGE: Final = 1
"""A mirror image of a position that has a row."""
ROW: Final = 2
"""The canonical image of such a position."""
_ROWS: Final = re.compile(bytes([ROW]))
STEPS_OF: Final = by_mask(STEPS)
"""For each mask of actions, what they add to the state."""


class AfterstateTable(QTable):
    """A table of proofs and shared estimates.

    ``values`` holds what a move to each position is worth to a player whose opponent may fail: WIN
    if it is proven to win, its estimate if it was tried, LOSS if it is only proven to lose, and 0
    if nothing is known. ``status`` says which of these it is. ``has_row`` marks the positions with
    a row. Each has all four mirror images of a position, so that no board has to be turned: 64 MB
    together if dense.
    """

    def __init__(self, *, dense: bool = False) -> None:
        super().__init__()
        self.values: StateInts = SparseInts()
        self.status: StateInts = SparseInts()
        self.has_row: StateInts = SparseInts()
        self.deltas: list[Delta] = []
        """What was proven or estimated, in order, since somebody last took it."""
        self.decided: list[State] = []
        """The positions with a row that were proven since then."""
        self.keeps_estimates = True
        """Whether an estimate stays beside a proven loss: an opponent may not find the win."""
        self.moved = 0
        """How far estimates were moved in all since then, in steps of 1 / WIN."""
        if dense:
            self.make_dense()

    @classmethod
    def of(cls, source: QTable) -> Self:
        """Return a table with the values of *source*, dense if *source* is."""
        table = cls(dense=source.is_dense)
        table.meta = source.meta
        for state in source.states():
            for action, value in source.canonical_row(state).items():
                table._take(state, action, value, is_proof=source.proves and abs(value) == 1.0)
            for action, rate in source.win_rate_row(state).items():
                table.set_win_rate(state, action, rate)
        return table

    # --- change ---

    def set_value(self, state: State, action: Action, value: float) -> None:
        """Set Q of a legal *action* in the canonical *state*; a proven win is never removed."""
        self._take(state, action, value, is_proof=abs(value) == 1.0)

    def _take(self, state: State, action: Action, value: float, *, is_proof: bool) -> None:
        self.add_row(state)
        if is_proof:
            self.prove(state + STEPS[action], WINS if value > 0 else LOSES)
        else:
            self.set_estimate(state + STEPS[action], round(value * WIN))
        # A change belongs to a game, and these came from a file or followed from it.
        self.deltas = []
        self.decided = []

    def set_win_rate(self, state: State, action: Action, rate: float) -> None:
        self.set_estimate(state + STEPS[action], round(rate * (WIN - LOSS)) + LOSS)

    def set_estimate(self, after: State, value: int) -> int:
        """Set the estimate of the position *after*, unless it is proven to win; return it."""
        # The values WIN and LOSS are those of proofs.
        value = max(LOSS + 1, min(value, WIN - 1))
        before = self.status[after]
        if before == WINS:
            return WIN
        one, two, three, four = orbit(after)
        values = self.values
        values[one] = values[two] = values[three] = values[four] = value
        if before == UNTRIED:
            status = self.status
            status[one] = status[two] = status[three] = status[four] = TRIED
        return value

    def add_row(self, state: State) -> None:
        """Give the canonical *state* a row, with what the positions after it prove."""
        if self.has_row[state]:
            return
        has_row = self.has_row
        one, two, three, four = orbit(state)
        has_row[two] = has_row[three] = has_row[four] = IMAGE
        has_row[one] = ROW
        after = self._statuses_after(state)
        # Nothing is proven of the positions after most new ones.
        if max(after) >= LOSES:
            for action, proof in zip(legal_actions(state), after, strict=True):
                if proof >= LOSES:
                    self.deltas.append((state, action, 1.0 if proof == WINS else -1.0))
            if self.status[state] >= LOSES:
                self.decided.append(state)
            else:
                self.decide(state)

    def _statuses_after(self, state: State) -> list[int]:
        status = self.status
        return [status[state + step] for step in STEPS_OF[ALL_CELLS ^ red_cells(state)]]

    def decide(self, state: State) -> None:
        """Prove the result of the canonical *state*, if the positions after it prove one."""
        after = self._statuses_after(state)
        if WINS in after:
            self.prove(state, LOSES)
        elif min(after) == LOSES:
            self.prove(state, WINS)

    def prove(self, after: State, proof: int) -> None:
        """Note that a move to the position *after* WINS or LOSES, and what follows from that."""
        before = self.status[after]
        if before >= LOSES:
            return
        status = self.status
        one, two, three, four = orbit(after)
        status[one] = status[two] = status[three] = status[four] = proof
        if self.has_row[after]:
            self.decided.append(after)
        if proof == WINS or before == UNTRIED or not self.keeps_estimates:
            values = self.values
            value = WIN if proof == WINS else LOSS
            values[one] = values[two] = values[three] = values[four] = value
        rows = self._rows_into(after)
        sign = 1.0 if proof == WINS else -1.0
        self.deltas += [(state, action, sign) for state, action in rows]
        for state, _ in rows:
            self.decide(state)

    def _rows_into(self, after: State) -> list[tuple[State, Action]]:
        """Return the rows with an action that leads to *after*, and that action."""
        has_row = self.has_row
        found = []
        for cell, step in enumerate(STEPS):
            # A move to a cell that is still empty now cannot have led here.
            if after & 3 * step and has_row[after - step]:
                state, mirror = to_canonical(after - step)
                found.append((state, map_action(cell, mirror)))
        return found

    # --- read ---

    @property
    def is_dense(self) -> bool:
        return not isinstance(self.values, dict)

    def proven_result(self, state: State) -> int:
        proof = self.status[state]
        # A proof belongs to the player who moved to the position.
        return (proof == LOSES) - (proof == WINS)

    def canonical_row(self, state: State) -> dict[Action, float]:
        if not self.has_row[state]:
            return {}
        if self.proven_result(state) < 0:
            return dict.fromkeys(legal_actions(state), -1.0)
        after = {action: state + STEPS[action] for action in legal_actions(state)}
        # WIN and LOSS become exactly 1.0 and -1.0.
        return {a: self.values[s] / WIN for a, s in after.items() if self.status[s] != UNTRIED}

    def win_rate_steps(self, state: State) -> dict[Action, int]:
        if not self.has_row[state] or self.proven_result(state) >= 0:
            return {}
        values = {action: self.values[state + STEPS[action]] for action in legal_actions(state)}
        return {action: value - LOSS for action, value in values.items() if value > LOSS}

    def states(self) -> Iterator[State]:
        has_row = self.has_row
        if isinstance(has_row, dict):
            return iter(sorted(state for state in has_row if has_row[state] == ROW))
        # The search passes over sixteen million states in a twentieth of a second.
        return (found.start() for found in _ROWS.finditer(has_row))

    def lost_states(self) -> Iterator[State]:
        return (state for state in self.states() if self.proven_result(state) < 0)

    def make_dense(self) -> None:
        # Two bytes hold all values; floats would take four or eight.
        self.values = dense_ints("h", self.values)
        self.status = dense_ints("b", self.status)
        self.has_row = dense_ints("b", self.has_row)
