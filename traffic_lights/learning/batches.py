"""A batch of training games: how much they explore, and what they changed."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from traffic_lights.board.rules import LONGEST_GAME, State, ply
from traffic_lights.learning.deltas import Delta, format_records
from traffic_lights.learning.qtable import QTable
from traffic_lights.learning.rowtable import RowTable, StateInts


@dataclass(frozen=True, slots=True)
class EpsilonSchedule:
    """The probability of exploring, from *start*, multiplied by *decay* per game, down to *end*."""

    start: float
    end: float
    decay: float

    def after(self, epsilon: float) -> float:
        """Return ε of the game that follows one with *epsilon*."""
        return max(self.end, epsilon * self.decay)


NO_EXPLORING: Final = EpsilonSchedule(0.0, 0.0, 1.0)


@dataclass(slots=True)
class Batch:
    """What a number of games changed, in order.

    A loop that changes millions of values writes their records itself, and leaves no *deltas*.
    """

    games: int = 0
    epsilon: float = 0.0
    """ε of the next game."""
    deltas: list[Delta] = field(default_factory=list)
    written: bytes = b""
    """The records that the loop has written itself."""
    written_changes: int = 0
    """How many those are."""
    decided: Sequence[State] = ()
    """The positions that it has decided, if its loop has not counted them."""
    moved: float = 0.0
    """How far estimates were moved in all; of a loop that only proves, 0."""
    is_divided: bool = False
    """Whether a pause comes here, and the rest after it."""

    @property
    def changes(self) -> int:
        return len(self.deltas) + self.written_changes

    def records(self) -> bytes:
        """Return the records of what changed, for the log."""
        return self.written or format_records(self.deltas)


class TrainingState:
    """A Q-table in training, and how much of the game it has decided."""

    def __init__(self, table: QTable) -> None:
        self.table = table
        self.decided_by_ply = [0] * (LONGEST_GAME + 1)
        """How many canonical positions are decided, by ply."""
        for state in table.states():
            if table.proven_result(state):
                self.decided_by_ply[ply(state)] += 1

    @property
    def proofs(self) -> StateInts:
        """The proofs of a table that learns only these."""
        assert isinstance(self.table, RowTable)
        return self.table.proofs
