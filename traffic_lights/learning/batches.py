"""A batch of training games: how much they explore, what they changed, and what makes them fast.

All boards are canonical: after each move the board is turned to the smallest of its images.
"""

from dataclasses import dataclass, field
from functools import cached_property
from mmap import mmap
from typing import Final, Literal

from traffic_lights.board.baselines import Choices, Policy
from traffic_lights.board.positions import contains, finished
from traffic_lights.board.rules import LONGEST_GAME, STATE_CODES, State, ply
from traffic_lights.board.symmetry import canonical
from traffic_lights.learning.deltas import Delta, format_records
from traffic_lights.learning.qtable import QTable
from traffic_lights.learning.rowtable import RowTable
from traffic_lights.learning.state_ints import SparseInts, StateInts

FINISHED: Final = -1
"""Stands for every position where the game is over."""


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
    """A Q-table in training, and look-up tables that make it fast."""

    def __init__(self, table: QTable) -> None:
        self.table = table
        self.decided_by_ply = [0] * (LONGEST_GAME + 1)
        """How many canonical positions are decided, by ply."""
        for state in table.states():
            if table.proven_result(state):
                self.decided_by_ply[ply(state)] += 1
        self._choices: dict[Choices, SparseInts | memoryview] = {}

    @property
    def proofs(self) -> StateInts:
        """The proofs of a table that learns only these."""
        assert isinstance(self.table, RowTable)
        return self.table.proofs

    @cached_property
    def canonical_of(self) -> SparseInts | memoryview:
        """The canonical image of each board, FINISHED where the game is over, 0 if not met yet.

        The empty board, which is 0, is never met after a move. So one look-up a move serves the
        rules and the symmetry.
        """
        return self._zeros(4, "i")

    def choices(self, policy: Policy) -> SparseInts | memoryview:
        """Return the mask of what *policy* chooses among, by canonical state, 0 if not met yet.

        Alternate and Myopic choose alike, so they share it.
        """
        if policy.actions not in self._choices:
            self._choices[policy.actions] = self._zeros(2, "H")
        return self._choices[policy.actions]

    def _zeros(self, size: int, kind: Literal["i", "H"]) -> SparseInts | memoryview:
        """Return a 0 for each state, in a dense table of *size* bytes, of the type code *kind*."""
        if not self.table.is_dense:
            return SparseInts()
        # These zeros take no memory before they are written; most states are never met.
        return memoryview(mmap(-1, size * STATE_CODES)).cast(kind)

    def free_memory(self) -> None:
        """Forget what only made training fast, before the table is written or pruned."""
        self._choices = {}
        self.__dict__.pop("canonical_of", None)

    def register(self, played: State) -> State:
        """Return what ``canonical_of[played]`` is from now on."""
        # A run meets a million boards, so look them up in a set instead of testing each line.
        image = FINISHED if contains(finished(), played) else canonical(played)
        self.canonical_of[played] = image
        return image

    def register_choices(self, policy: Policy, state: State) -> int:
        """Return the mask of what *policy* chooses among in *state*, and remember it."""
        mask = sum([1 << action for action in policy.actions(state)])
        self.choices(policy)[state] = mask
        return mask
