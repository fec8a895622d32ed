"""A Q-table in training: moves that lead to the same position share one value.

The table stores what is known of each *afterstate*, the position right after a move (Sutton &
Barto, 2nd ed., section 6.8): its value, and whether it is proven. A table that was written and read
again learns on as if it had never been written.
"""

from collections.abc import Iterator
from copy import copy
from mmap import mmap
from typing import Any, Final, Literal

from traffic_lights.board.rules import (
    ALL_CELLS,
    STATE_CODES,
    STEPS,
    Action,
    State,
    by_mask,
    legal_actions,
    ply,
    red_cells,
)
from traffic_lights.board.symmetry import canonical, map_action, orbit, to_canonical
from traffic_lights.learning.deltas import Delta
from traffic_lights.learning.qtable import QTable
from traffic_lights.learning.rowtable import RowTable

WIN: Final = 10_000
"""The value of a win: values are whole numbers, so that a table holds them with four decimals."""
LOSS: Final = -WIN
UNTRIED: Final = 0
TRIED: Final = 1
WON: Final = 2
"""The player to move in the position is proven to win, so a move to it loses."""
LOST: Final = 3
"""The player to move in the position is proven to lose, so a move to it wins.

WON and what is above it are proofs.
"""
_STEPS_OF: Final = by_mask(STEPS)
"""For each mask of actions, what they add to the state."""


def legal_steps(state: State) -> tuple[int, ...]:
    """Return what each legal action adds to *state*, by ascending action."""
    return _STEPS_OF[ALL_CELLS ^ red_cells(state)]


def _zeros(size: int, kind: Literal["b", "h"]) -> memoryview:
    """Return a 0 of *size* bytes for each state, of the type code *kind*."""
    # They take no memory before they are written, and most states are never met.
    return memoryview(mmap(-1, size * STATE_CODES)).cast(kind)


def _fill(ints: memoryview, state: State, number: int) -> None:
    """Set the *number* of *state* and of its mirror images."""
    one, two, three, four = orbit(state)
    ints[one] = ints[two] = ints[three] = ints[four] = number


class AfterstateTable(QTable):
    """A table of proofs and shared estimates.

    ``values`` holds what a move to each position is worth to a player whose opponent may fail: WIN
    if it is proven to win, its estimate if it was tried, LOSS if it is only proven to lose, and
    otherwise UNTRIED_VALUE. ``status`` says which of these it is, but in the words of the player to
    move in the position: LOST where the value is WIN. Both have all four mirror images of a
    position, so that no board has to be turned.
    """

    def __init__(self) -> None:
        super().__init__()
        self.opponent_may_fail = True
        """Whether a move keeps its estimate when it is proven to lose."""
        self.values = _zeros(2, "h")  # UNTRIED_VALUE
        self.status = _zeros(1, "b")
        self.rows: set[State] = set()
        """The canonical positions in which a move was learned or proven."""
        self.deltas: list[Delta] = []
        """What was proven or estimated, in order, since somebody last took it."""

    # --- change ---

    def __reduce__(self) -> tuple[Any, ...]:
        # Its memory cannot be copied or pickled, so a RowTable stands for it.
        return copy, (RowTable.of(self),)

    def set_value(self, state: State, action: Action, value: float) -> None:
        """Set Q of a legal *action* in the canonical *state*; a proven win is never removed."""
        self.add_row(state)
        if abs(value) == 1.0:
            self.prove(state + STEPS[action], LOST if value > 0 else WON)
        else:
            self.set_estimate(state + STEPS[action], round(value * WIN))
        # A change belongs to a game, and these came from a file or followed from it.
        self.deltas = []

    def set_win_rate(self, state: State, action: Action, rate: float) -> None:
        self.set_estimate(state + STEPS[action], round(rate * (WIN - LOSS)) + LOSS)

    def has_estimate(self, after: State) -> bool:
        """Return whether a move to the position *after* was tried, and is not proven to win."""
        # An estimate is between LOSS and WIN, the values of proofs.
        return self.status[after] != UNTRIED and LOSS < self.values[after] < WIN

    def set_estimate(self, after: State, value: int) -> int:
        """Set the estimate of the position *after*, unless it is proven to win; return it."""
        before = self.status[after]
        if before == LOST:
            return WIN
        if not LOSS < value < WIN:  # these are the values of proofs
            value = max(LOSS + 1, min(value, WIN - 1))
        _fill(self.values, after, value)
        if before == UNTRIED:
            _fill(self.status, after, TRIED)
        return value

    def add_row(self, state: State) -> None:
        """Give the canonical *state* a row, with what the positions after it prove."""
        if state in self.rows:
            return
        self.rows.add(state)
        is_proven = self.status[state] >= WON  # from a file, by a row before it
        if is_proven:
            self.decided_by_ply[ply(state)] += 1
        after = self._statuses_after(state)
        # Nothing is proven of the positions after most new ones.
        if max(after) >= WON:
            for action, proof in zip(legal_actions(state), after, strict=True):
                if proof >= WON:
                    self.deltas.append((state, action, 1.0 if proof == LOST else -1.0))
            if not is_proven:
                self.decide(state)

    def _statuses_after(self, state: State) -> list[int]:
        status = self.status
        return [status[state + step] for step in legal_steps(state)]

    def decide(self, state: State) -> None:
        """Prove the result of the canonical *state*, if the positions after it prove one."""
        after = self._statuses_after(state)
        if LOST in after:
            self.prove(state, WON)
        elif min(after) == WON:
            self.prove(state, LOST)

    def prove(self, after: State, proof: int) -> None:
        """Note that the position *after* is WON or LOST, and what follows from that."""
        before = self.status[after]
        if before >= WON:
            return
        _fill(self.status, after, proof)
        if canonical(after) in self.rows:
            self.decided_by_ply[ply(after)] += 1
        value = WIN if proof == LOST else LOSS
        if value == WIN or before == UNTRIED or not self.opponent_may_fail:
            _fill(self.values, after, value)
        rows = self._rows_into(after)
        self.deltas += [(state, action, value / WIN) for state, action in rows]
        for state, _ in rows:
            self.decide(state)

    def _rows_into(self, after: State) -> list[tuple[State, Action]]:
        """Return the rows with an action that leads to *after*, and that action."""
        found = []
        for cell, step in enumerate(STEPS):
            # A move to a cell that is still empty now cannot have led here.
            if after & 3 * step:
                state, mirror = to_canonical(after - step)
                if state in self.rows:
                    found.append((state, map_action(cell, mirror)))
        return found

    # --- read ---

    def proven_result(self, state: State) -> int:
        proof = self.status[state]
        return (proof == WON) - (proof == LOST)

    def canonical_row(self, state: State) -> dict[Action, float]:
        if state not in self.rows:
            return {}
        if self.proven_result(state) < 0:
            return dict.fromkeys(legal_actions(state), -1.0)
        values = self.values
        status = self.status
        # WIN and LOSS become exactly 1.0 and -1.0.
        return {
            action: values[state + STEPS[action]] / WIN
            for action in legal_actions(state)
            if status[state + STEPS[action]]  # != UNTRIED
        }

    def win_rate_steps(self, state: State) -> dict[Action, int]:
        if state not in self.rows or self.proven_result(state) >= 0:
            return {}
        values = {action: self.values[state + STEPS[action]] for action in legal_actions(state)}
        return {action: value - LOSS for action, value in values.items() if value > LOSS}

    def states(self) -> Iterator[State]:
        return iter(sorted(self.rows))

    def lost_states(self) -> Iterator[State]:
        return (state for state in self.states() if self.proven_result(state) < 0)
