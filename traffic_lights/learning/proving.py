"""Proving by games of one move: each position of a ply tries its actions until one of them wins."""

import random
from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from traffic_lights.board.positions import byte_flags, finished_positions
from traffic_lights.board.rules import ACTIONS_OF, ALL_CELLS, HALF_REDS, STEPS, Action, State, ply
from traffic_lights.board.symmetry import orbit
from traffic_lights.learning.deltas import MIDDLES, STARTS, Batch, proof_end
from traffic_lights.learning.rowtable import ALL_LOSE, WINS_SHIFT, RowTable

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


class Sweep:
    """Decides the positions of one ply after the other, from the end of the game backwards."""

    def __init__(self, table: RowTable) -> None:
        self._table = table
        self.has_lost = bytearray().join(byte_flags(slab) for slab in finished_positions())
        """One byte a board: 1 if it is finished or a proven loss for the player to move."""
        # It has every mirror image, because turning each board would cost more than its 16 MB.
        for state in table.lost_states():
            self._mark_lost(state)
        self._attempts = cache(_attempts)  # 20 MB after all positions, which end with the sweep

    def _mark_lost(self, state: State) -> None:
        for image in orbit(state):
            self.has_lost[image] = 1

    def play(self, starts: Sequence[State], rng: random.Random) -> Batch:
        """Decide the canonical live states of *starts*, of one ply, whose successors all are.

        From each state that is not decided, games of one move try its open actions, in one of eight
        random orders, until one of them wins.
        """
        # The loop is long and has its names before it, because it runs two million times.
        proofs = self._table.proofs
        has_lost = self.has_lost
        attempts = self._attempts
        record_starts = STARTS
        record_middles = MIDDLES
        reds_high, reds_low = HALF_REDS
        records: list[bytes] = []
        games = 0
        numbers = rng.randbytes(len(starts)).translate(_ORDER_OF_BYTE)
        for state, number in zip(starts, numbers, strict=True):
            row = proofs[state]
            if row >= ALL_LOSE:
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
            proofs[state] = rows[losses]
            if losses == len(steps):
                self._mark_lost(state)
            games += len(ends[losses]) - 1
            records.append((record_starts[high] + record_middles[low]).join(ends[losses]))
        if starts:
            self._table.decided_by_ply[ply(starts[0])] += len(records)
        return Batch(games, b"".join(records))


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
        found.append(_Attempts(steps, (*rows, ALL_LOSE), (*ends, tuple(losses))))
    return tuple(found)
