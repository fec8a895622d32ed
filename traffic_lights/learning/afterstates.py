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
from traffic_lights.learning.deltas import Change
from traffic_lights.learning.learner import LOSS, WIN
from traffic_lights.learning.qtable import QTable
from traffic_lights.learning.state_ints import SparseInts, StateInts, dense_ints, sparse_ints

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
    if nothing is known. ``known`` holds which of these it is. ``visited`` marks the positions with
    a row. Each has all four mirror images of a position, so that no board has to be turned: 64 MB
    together if dense.
    """

    def __init__(self, *, dense: bool = False) -> None:
        super().__init__()
        self.values: StateInts = SparseInts()
        self.known: StateInts = SparseInts()
        self.visited: StateInts = SparseInts()
        self.changes: list[Change] = []
        """What was proven or estimated, in order, since somebody last took it."""
        self.decided: list[State] = []
        """The positions with a row that were proven since then."""
        self.moved = 0
        """How far estimates were moved in all since then, in steps of 1 / WIN."""
        if dense:
            self.make_dense()

    @classmethod
    def of(cls, source: QTable) -> Self:
        """Return a table with the values of *source*, dense if *source* is."""
        table = cls(dense=source.is_dense)
        table.meta = source.meta
        take = table.set_estimate if source.meta.get("estimates") else table.set_value
        for state in source.states():
            for action, value in source.canonical_row(state).items():
                take(state, action, value)
            for action, rate in source.win_rate_row(state).items():
                table.set_win_rate(state, action, rate)
        return table

    # --- change ---

    def set_value(self, state: State, action: Action, value: float) -> None:
        """Set Q of a legal *action* in the canonical *state*; a proven win is never removed."""
        if abs(value) == 1.0:
            self.add_row(state)
            self.prove(state + STEPS[action], WINS if value > 0 else LOSES)
            self._forget_changes()
        else:
            self.set_estimate(state, action, value)

    def set_estimate(self, state: State, action: Action, value: float) -> None:
        """Set the estimate of *action*, and of every action that leads to the same position."""
        self.add_row(state)
        self.estimate(state + STEPS[action], round(value * WIN))
        self._forget_changes()

    def set_win_rate(self, state: State, action: Action, rate: float) -> None:
        self.estimate(state + STEPS[action], round(rate * (WIN - LOSS)) + LOSS)

    def estimate(self, after: State, value: int) -> int:
        """Set the estimate of the position *after*, unless it is proven to win; return it."""
        # The values WIN and LOSS are those of proofs.
        value = max(LOSS + 1, min(value, WIN - 1))
        known = self.known[after]
        if known == WINS:
            return WIN
        one, two, three, four = orbit(after)
        values = self.values
        values[one] = values[two] = values[three] = values[four] = value
        if known == UNTRIED:
            marks = self.known
            marks[one] = marks[two] = marks[three] = marks[four] = TRIED
        return value

    def add_row(self, state: State) -> None:
        """Give the canonical *state* a row, with what the positions after it prove."""
        if self.visited[state]:
            return
        visited = self.visited
        one, two, three, four = orbit(state)
        visited[two] = visited[three] = visited[four] = IMAGE
        visited[one] = ROW
        after = self._known_after(state)
        # Nothing is proven of the positions after most new ones.
        if max(after) >= LOSES:
            for action, known in zip(legal_actions(state), after, strict=True):
                if known >= LOSES:
                    self.changes.append((state, action, 1.0 if known == WINS else -1.0))
            if self.known[state] >= LOSES:
                self.decided.append(state)
            else:
                self.decide(state)

    def _known_after(self, state: State) -> list[int]:
        known = self.known
        return [known[state + step] for step in STEPS_OF[ALL_CELLS ^ red_cells(state)]]

    def decide(self, state: State) -> None:
        """Prove the result of the canonical *state*, if the positions after it prove one."""
        after = self._known_after(state)
        if WINS in after:
            self.prove(state, LOSES)
        elif min(after) == LOSES:
            self.prove(state, WINS)

    def prove(self, after: State, result: int) -> None:
        """Note that a move to the position *after* WINS or LOSES, and what follows from that."""
        before = self.known[after]
        if before >= LOSES:
            return
        marks = self.known
        one, two, three, four = orbit(after)
        marks[one] = marks[two] = marks[three] = marks[four] = result
        if self.visited[after]:
            self.decided.append(after)
        if result == WINS or before == UNTRIED:
            values = self.values
            value = WIN if result == WINS else LOSS
            values[one] = values[two] = values[three] = values[four] = value
        rows = self._rows_into(after)
        sign = 1.0 if result == WINS else -1.0
        self.changes += [(state, action, sign) for state, action in rows]
        for state, _ in rows:
            self.decide(state)

    def _rows_into(self, after: State) -> list[tuple[State, Action]]:
        """Return the rows with an action that leads to *after*, and that action."""
        visited = self.visited
        found = []
        for cell, step in enumerate(STEPS):
            # A move to a cell that is still empty now cannot have led here.
            if after & 3 * step and visited[after - step]:
                state, mirror = to_canonical(after - step)
                found.append((state, map_action(cell, mirror)))
        return found

    def _forget_changes(self) -> None:
        # A change belongs to a game, and these came from a file or followed from it.
        self.changes = []
        self.decided = []

    # --- read ---

    @property
    def is_dense(self) -> bool:
        return not isinstance(self.values, dict)

    def result(self, state: State) -> int:
        known = self.known[state]
        # A known result belongs to the player who moved to the position.
        return (known == LOSES) - (known == WINS)

    def canonical_row(self, state: State) -> dict[Action, float]:
        if not self.visited[state]:
            return {}
        if self.result(state) < 0:
            return dict.fromkeys(legal_actions(state), -1.0)
        after = {action: state + STEPS[action] for action in legal_actions(state)}
        # WIN and LOSS become exactly 1.0 and -1.0.
        return {a: self.values[s] / WIN for a, s in after.items() if self.known[s] != UNTRIED}

    def win_rate_steps(self, state: State) -> dict[Action, int]:
        if not self.visited[state] or self.result(state) >= 0:
            return {}
        values = {action: self.values[state + STEPS[action]] for action in legal_actions(state)}
        return {action: value - LOSS for action, value in values.items() if value > LOSS}

    def states(self) -> Iterator[State]:
        visited = self.visited
        if isinstance(visited, dict):
            return iter(sorted(state for state in visited if visited[state] == ROW))
        # The search passes over sixteen million states in a twentieth of a second.
        return (found.start() for found in _ROWS.finditer(visited))

    def lost_states(self) -> Iterator[State]:
        return (state for state in self.states() if self.result(state) < 0)

    def copy(self) -> Self:
        other = type(self)()
        other.meta = dict(self.meta)
        other.values = sparse_ints(self.values)
        other.known = sparse_ints(self.known)
        other.visited = sparse_ints(self.visited)
        return other

    def make_dense(self) -> None:
        # Two bytes hold all values; floats would take four or eight.
        self.values = dense_ints("h", self.values)
        self.known = dense_ints("b", self.known)
        self.visited = dense_ints("b", self.visited)
