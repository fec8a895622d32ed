"""Games that only prove: of the learner against itself, and of one move from each position.

The two loops are long because they run millions of times. The tests compare them with the same
games in plain words.
"""

import random
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Final, NamedTuple

from traffic_lights.board.positions import byte_flags, contains, finished, finished_positions
from traffic_lights.board.rules import (
    ACTIONS_OF,
    ALL_CELLS,
    HALF_REDS,
    STEPS,
    Action,
    State,
    ply,
    red_cells,
)
from traffic_lights.board.symmetry import canonical, orbit
from traffic_lights.learning.batches import Batch, EpsilonSchedule, TrainingState
from traffic_lights.learning.deltas import MIDDLES, STARTS, proof_end
from traffic_lights.learning.exploration import Explore, at_random
from traffic_lights.learning.rowtable import LOST, WINS_SHIFT

ORDERS: Final = 8
"""How many orders a sweep knows of the same actions."""
_ORDER_OF_BYTE: Final = bytes(byte % ORDERS for byte in range(256))


class _Attempts(NamedTuple):
    """What a sweep needs to know of the actions that it tries in one order."""

    steps: tuple[int, ...]
    """What each action adds to the state."""
    rows: tuple[int, ...]
    """The row of the table, by how many actions lose before one wins."""
    ends: tuple[tuple[bytes, ...], ...]
    """By the same number: nothing, and then the end of the record of each game."""


def until_decided(training: TrainingState, starts: Iterable[State]) -> Iterator[State]:
    """Yield each of *starts* again and again until it is decided, then the next."""
    proofs = training.proofs
    for state in starts:
        # The game just played may have decided this state.
        while proofs[state] < LOST:
            yield state


# --- self-play ---


def self_play(
    training: TrainingState,
    starts: Iterable[State],
    schedule: EpsilonSchedule,
    epsilon: float,
    rng: random.Random,
    *,
    explore: Explore = at_random,
) -> Batch:
    """Play one game of the learner against itself from each undecided canonical state of *starts*.

    All actions that are not proven losses have the same value, 0. So the best action is any of
    them, and exploring at random makes no difference. Any other rule *explore*s with
    rate ε. A game ends with a line, or where the table has decided the position.
    """
    batch = Batch(epsilon=epsilon)
    proofs = training.proofs
    draw = rng.random
    # Visits are counted per batch, because no file stores them and a resumed run must count alike.
    visits: dict[State, int] = {}
    explores = explore is not at_random
    for start in starts:
        batch.games += 1
        state = start
        game: list[tuple[State, Action]] = []
        while True:
            actions = ACTIONS_OF[(proofs[state] | red_cells(state)) ^ LOST]
            if explores and draw() < epsilon:
                actions = (explore(state, actions, visits, rng),)
            # This is `one_of`, in place because it runs for every move.
            ways = len(actions)
            action = actions[int(draw() * ways)] if ways > 1 else actions[0]
            game.append((state, action))
            state = canonical(state + STEPS[action])
            is_finished = bool(contains(finished(), state))
            if is_finished or proofs[state] >= LOST:
                break
            if explores:
                visits[state] = visits.get(state, 0) + 1
        _prove(training, game, is_finished or proofs[state] == LOST, batch)
        epsilon = schedule.after(epsilon)
    batch.epsilon = epsilon
    return batch


def _prove(
    training: TrainingState, game: Sequence[tuple[State, Action]], has_won: bool, batch: Batch
) -> None:
    """Prove what the end of a *game* proves of its moves.

    The last one is a proven win if it *has_won*, otherwise a proven loss. As long as that decides
    its position, the move before it is proven in turn.
    """
    proofs = training.proofs
    for state, action in reversed(game):
        proofs[state] |= red_cells(state) | 1 << (action + WINS_SHIFT if has_won else action)
        batch.deltas.append((state, action, 1.0 if has_won else -1.0))
        if proofs[state] < LOST:
            break
        training.decided_by_ply[ply(state)] += 1
        has_won = proofs[state] == LOST


# --- games of one move ---


class Sweep:
    """Decides the positions of one ply after the other, from the end of the game backwards."""

    def __init__(self, training: TrainingState) -> None:
        self._training = training
        self.has_lost = bytearray().join(byte_flags(slab) for slab in finished_positions())
        """One byte a board: 1 if it is finished or a proven loss for the player to move."""
        # It has every mirror image, because turning each board would cost more than its 16 MB.
        for state in training.table.lost_states():
            self._mark_lost(state)
        self._attempts = cache(_attempts)  # 20 MB after all positions, which end with the sweep

    def _mark_lost(self, state: State) -> None:
        for image in orbit(state):
            self.has_lost[image] = 1

    def play(self, starts: Sequence[State], budget: int, rng: random.Random) -> Batch:
        """Decide the canonical live states of *starts*, of one ply, whose successors all are.

        From each state that is not decided, games of one move try its open actions, in one of eight
        random orders, until one of them wins. After *budget* games it stops, wherever that is.
        """
        batch = Batch()
        training = self._training
        proofs = training.proofs
        has_lost = self.has_lost
        attempts = self._attempts
        record_starts = STARTS
        record_middles = MIDDLES
        reds_high, reds_low = HALF_REDS
        records: list[bytes] = []
        games = 0
        decided = 0
        numbers = rng.randbytes(len(starts)).translate(_ORDER_OF_BYTE)
        for state, number in zip(starts, numbers, strict=True):
            row = proofs[state]
            if row >= LOST:
                continue
            high = state >> 12
            low = state & 4095
            ruled_out = (row | reds_high[high] | reds_low[low]) & ALL_CELLS
            steps, rows, ends = attempts(ruled_out)[number]
            losses = 0
            for step in steps:
                if has_lost[state + step]:
                    break
                losses += 1
            ends_of_games = ends[losses]
            games += len(ends_of_games) - 1
            if games > budget:  # it stops before the last of these games, so all of them are lost
                left = budget - (games - len(ends_of_games) + 1)
                tried = orders(ruled_out)[number][:left]
                proofs[state] = ruled_out | sum(1 << action for action in tried)
                ends_of_games = ends_of_games[: left + 1]
                games = budget
            else:
                proofs[state] = rows[losses]
                decided += 1
                if losses == len(steps):
                    self._mark_lost(state)
            records.append((record_starts[high] + record_middles[low]).join(ends_of_games))
            if games == budget:
                break
        # Every game of a sweep ends with one proof.
        batch.games = batch.written_changes = games
        batch.written = b"".join(records)
        if starts:
            training.decided_by_ply[ply(starts[0])] += decided
        return batch


def orders(ruled_out: int) -> tuple[tuple[Action, ...], ...]:
    """Return the random orders of the actions that a sweep tries: those not in *ruled_out*."""
    # A position that drew an order of its own would take twice the time of all else in the sweep.
    rng = random.Random(f"orders/{ruled_out}")
    actions = ACTIONS_OF[ruled_out ^ ALL_CELLS]
    return tuple(tuple(rng.sample(actions, len(actions))) for _ in range(ORDERS))


def _attempts(ruled_out: int) -> tuple[_Attempts, ...]:
    """Return the attempts in each of the `orders`."""
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
        found.append(_Attempts(steps, (*rows, LOST), (*ends, tuple(losses))))
    return tuple(found)
