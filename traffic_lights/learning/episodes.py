"""Play many training games quickly and prove values from the end of each.

All boards are canonical: after each move the board is turned to the smallest of its images. The
loops are long because they run millions of times. The tests compare each with a short reference
implementation.
"""

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from mmap import mmap
from typing import Final, TypeAlias

from traffic_lights.board.baselines import Choices, Policy
from traffic_lights.board.positions import (
    byte_flags,
    contains,
    finished,
    finished_positions,
)
from traffic_lights.board.rules import (
    ACTIONS_OF,
    ALL_CELLS,
    HALF_REDS,
    LONGEST_GAME,
    STATE_CODES,
    STEPS,
    Action,
    State,
    ply,
    red_cells,
)
from traffic_lights.board.symmetry import HALF_IMAGES, canonical, orbit, to_canonical
from traffic_lights.learning.deltas import MIDDLES, STARTS, Change, format_records, proof_end
from traffic_lights.learning.qtable import (
    LOST,
    WINS_SHIFT,
    QTable,
    Rows,
    SparseRows,
    dense_rows,
)

FINISHED: Final = 5
"""Marks a terminal state among the numbers of mirrors."""
TURN_HIGH: Final = ((), *(high for high, _ in HALF_IMAGES))
"""The images of the first half of a board, by one more than the mirror."""
TURN_LOW: Final = ((), *(low for _, low in HALF_IMAGES))
"""The images of the second half of a board, by one more than the mirror."""

ORDERS: Final = 8
"""How many orders a sweep knows of the same actions."""
_ORDER_OF_BYTE: Final = bytes(byte % ORDERS for byte in range(256))
_Attempts: TypeAlias = tuple[tuple[int, ...], tuple[int, ...], tuple[tuple[bytes, ...], ...]]
"""What a sweep needs to know of one order of actions. First, the step of each action. Then, by how
many of them lose before one wins, the row of the table, which is LOST if all of them lose; and also
by that number, the ends of the records."""


@dataclass(frozen=True, slots=True)
class EpsilonSchedule:
    """The probability of exploring, from *start*, multiplied by *decay* per game, down to *end*."""

    start: float
    end: float
    decay: float

    def after(self, epsilon: float) -> float:
        """Return ε of the game that follows one with *epsilon*."""
        return max(self.end, epsilon * self.decay)


@dataclass(slots=True)
class Batch:
    """What a number of games changed, in order.

    A loop that changes millions of values writes their records itself, and leaves no *updates*.
    """

    games: int = 0
    epsilon: float = 0.0
    """ε of the next game."""
    updates: list[Change] = field(default_factory=list)
    written: bytes = b""
    """The records that the loop has written itself."""
    written_changes: int = 0
    """How many those are."""
    moved: float = 0.0
    """How far estimates were moved in all; of a loop that only proves, 0."""

    @property
    def changes(self) -> int:
        return len(self.updates) + self.written_changes

    def records(self) -> bytes:
        """Return the records of what changed, for the log."""
        return self.written or format_records(self.updates)


class TrainingState:
    """A Q-table in training, its learning rate, and look-up tables that make it fast."""

    def __init__(self, table: QTable, alpha: float = 1.0) -> None:
        self.table = table
        self.alpha = alpha
        self.decided_by_ply = [0] * (LONGEST_GAME + 1)
        """How many canonical positions are decided, by ply."""
        for state in table.states():
            if table.result(state):
                self.decided_by_ply[ply(state)] += 1
        self._choices: dict[Choices, SparseRows | memoryview] = {}

    @cached_property
    def mirrors(self) -> Rows:
        """What was met, by state: 16 MB next to a dense table.

        FINISHED if the state is terminal, 0 if it was not met yet, and otherwise one more than
        the mirror that takes it to its canonical state. So one look-up a ply serves the rules
        and the symmetry.
        """
        return dense_rows("B") if self.table.is_dense else SparseRows()

    @cached_property
    def lost(self) -> bytearray:
        """One byte a state, 1 if it or a mirror image is terminal or proven lost: 16 MB."""
        lost = bytearray().join(byte_flags(slab) for slab in finished_positions())
        for state in self.table.lost_states():
            for image in orbit(state):
                lost[image] = 1
        return lost

    def choices(self, policy: Policy) -> SparseRows | memoryview:
        """Return the mask of what *policy* chooses among, by canonical state, 0 if not met yet.

        Next to a dense table up to 32 MB. Alternate and Myopic choose alike, so they share it.
        """
        if policy.actions not in self._choices:
            # These zeros take no memory before they are written; most states are never met.
            zeros = memoryview(mmap(-1, 2 * STATE_CODES)).cast("H")
            self._choices[policy.actions] = zeros if self.table.is_dense else SparseRows()
        return self._choices[policy.actions]

    def free_memory(self) -> None:
        """Forget what only made training fast, before the table is written or pruned."""
        self._choices = {}
        self.__dict__.pop("mirrors", None)
        self.forget_lost()

    def forget_lost(self) -> None:
        """Forget what only a sweep reads: the bytes of `lost`, and 20 MB of attempts."""
        self.__dict__.pop("lost", None)
        _attempts.cache_clear()
        orders.cache_clear()

    def register(self, state: State) -> int:
        """Return what ``mirrors[state]`` is from now on."""
        # A run meets a million states, so look them up in a set instead of testing each line.
        if contains(finished(), state):
            self.mirrors[state] = FINISHED
            return FINISHED
        _, mirror = to_canonical(state)
        self.mirrors[state] = mirror + 1
        return mirror + 1

    def register_choices(self, policy: Policy, state: State) -> int:
        """Return the mask of what *policy* chooses among in *state*, and remember it."""
        mask = sum([1 << action for action in policy.actions(state)])
        self.choices(policy)[state] = mask
        return mask

    def mark_lost(self, state: State) -> None:
        for image in orbit(state):
            self.lost[image] = 1

    def prove(self, moves: Sequence[int], has_won: bool, batch: Batch) -> None:
        """Prove what the end of a game proves of its *moves*, each ``state << 4 | action``.

        The last one is a proven win if it *has_won*, otherwise a proven loss; as
        long as that decides its position, the move before it is proven in turn.
        """
        proofs = self.table.proofs
        for move in reversed(moves):
            state = move >> 4
            action = move & 15
            proofs[state] |= red_cells(state) | 1 << (action + WINS_SHIFT if has_won else action)
            batch.updates.append((state, action, 1.0 if has_won else -1.0))
            if proofs[state] < LOST:
                break
            self.decided_by_ply[ply(state)] += 1
            has_won = proofs[state] == LOST
            if has_won and "lost" in self.__dict__:
                self.mark_lost(state)


def until_decided(training: TrainingState, starts: Iterable[State]) -> Iterator[State]:
    """Yield each of *starts* again and again until it is decided, then the next."""
    proofs = training.table.proofs
    for state in starts:
        # The game just played may have decided this state.
        while proofs[state] < LOST:
            yield state


def least_visited_action(
    state: State, actions: Sequence[Action], visits: dict[State, int], rng: random.Random
) -> Action:
    """Return the one of *actions* in *state* whose successor was visited least, ties at random."""
    # Count successors, not actions: two ways into the same position are one thing to explore.
    counts = [visits.get(canonical(state + STEPS[action]), 0) for action in actions]
    fewest = min(counts)
    least = [a for a, n in zip(actions, counts, strict=True) if n == fewest]
    return least[int(rng.random() * len(least))]


def self_play(
    training: TrainingState,
    starts: Iterable[State],
    schedule: EpsilonSchedule,
    epsilon: float,
    rng: random.Random,
    *,
    least_visited: bool = False,
) -> Batch:
    """Play one game of the learner against itself from each undecided canonical state of *starts*.

    All actions that are not proven losses have the same value, 0, so the best action and one
    explored are both any of them, at random; only *least_visited* explores otherwise: with rate ε
    the action whose successor was visited least in this batch. A game ends with a line, or where
    the table has decided the position. Nothing is drawn for a single action, if exploring is at
    random.
    """
    batch = Batch(epsilon=epsilon)
    proofs = training.table.proofs
    mirrors = training.mirrors
    register = training.register
    choose_among = ACTIONS_OF
    steps = STEPS
    draw = rng.random
    turn_high = TURN_HIGH
    turn_low = TURN_LOW
    # Visits are counted per batch, because no file stores them and a resumed run must count alike.
    visits: dict[State, int] | None = {} if least_visited else None
    floor = schedule.end
    after = schedule.after
    for start in starts:
        batch.games += 1
        state = start
        moves = []
        while True:
            actions = choose_among[(proofs[state] | red_cells(state)) ^ LOST]
            if visits is not None and draw() < epsilon:
                actions = (least_visited_action(state, actions, visits, rng),)
            # This is one call into C; rng.choice makes several in Python. The bias is below 2**-49.
            ways = len(actions)
            action = actions[int(draw() * ways)] if ways > 1 else actions[0]
            moves.append(state << 4 | action)
            played = state + steps[action]
            mirror = mirrors[played] or register(played)
            if mirror == FINISHED:
                break
            state = turn_high[mirror][played >> 12] | turn_low[mirror][played & 4095]
            if proofs[state] >= LOST:
                break
            if visits is not None:
                visits[state] = visits.get(state, 0) + 1
        training.prove(moves, mirror == FINISHED or proofs[state] == LOST, batch)
        if epsilon > floor:
            epsilon = after(epsilon)
    batch.epsilon = epsilon
    return batch


@cache
def orders(ruled_out: int) -> tuple[tuple[Action, ...], ...]:
    """Return the random orders of the actions that a sweep tries: those not in *ruled_out*."""
    # A position that drew an order of its own would take twice the time of all else in the sweep.
    rng = random.Random(f"orders/{ruled_out}")
    actions = ACTIONS_OF[ruled_out ^ ALL_CELLS]
    return tuple(tuple(rng.sample(actions, len(actions))) for _ in range(ORDERS))


@cache
def _attempts(ruled_out: int) -> tuple[_Attempts, ...]:
    """Return for each of `orders` what a sweep needs to know of it."""
    found = []
    for order in orders(ruled_out):
        row = ruled_out
        losses = [b""]
        rows = []
        ends = []
        for action in order:
            rows.append(row | 1 << WINS_SHIFT + action)
            ends.append((*losses, proof_end(action, 1.0)))
            row |= 1 << action
            losses.append(proof_end(action, -1.0))
        steps = tuple(STEPS[action] for action in order)
        found.append((steps, (*rows, LOST), (*ends, tuple(losses))))
    return tuple(found)


def sweep(training: TrainingState, starts: Sequence[State], rng: random.Random) -> Batch:
    """Decide the canonical live states of *starts*, of one ply, whose successors all are.

    From each state that is not decided, games of one move try its open actions, in one of eight
    random orders, until one of them wins.
    """
    batch = Batch()
    proofs = training.table.proofs
    lost = training.lost
    reds_high, reds_low = HALF_REDS
    record_starts = STARTS
    record_middles = MIDDLES
    attempts = _attempts
    records: list[bytes] = []
    games = 0
    drawn = rng.randbytes(len(starts)).translate(_ORDER_OF_BYTE)
    for state, number in zip(starts, drawn, strict=True):
        row = proofs[state]
        if row >= LOST:
            continue
        high = state >> 12
        low = state & 4095
        steps, rows, ends = attempts((row | reds_high[high] | reds_low[low]) & ALL_CELLS)[number]
        losses = 0
        for step in steps:
            # This array has every mirror image, because turning each position would cost more
            # than its 16 MB.
            if lost[state + step]:
                break
            losses += 1
        else:
            training.mark_lost(state)
        proofs[state] = rows[losses]
        ending = ends[losses]
        games += len(ending) - 1
        records.append((record_starts[high] + record_middles[low]).join(ending))
    batch.games = games
    # Every game of a sweep ends with one proof.
    batch.written = b"".join(records)
    batch.written_changes = batch.games
    if starts:
        training.decided_by_ply[ply(starts[0])] += len(records)
    return batch
