"""What the rules of the game say against a proof, for all that reads proofs from the disk.

A move that completes a line and a threat are seen without the exact solution, so a proof that
contradicts them is refused: in training, one wrong proof would make others.

>>> fault_of(0b0101, ruled_out=1 << 9, wins=0)
'a loss for an action that wins at once'
"""

import sys
from array import array
from collections.abc import Iterator
from typing import Final

from traffic_lights.board.baselines import winning_actions
from traffic_lights.board.positions import (
    SLAB_BITS,
    SLAB_SHIFT,
    SLABS,
    advancing_into,
    contains,
    finished,
    finished_positions,
    one_move_from_the_end,
    predecessors,
)
from traffic_lights.board.rules import ACTIONS_OF, ALL_CELLS, CELLS, STEPS, State, red_cells
from traffic_lights.learning.qtable import WINS_SHIFT, Rows, SparseRows

_DIGIT_OF_BIT: Final = [
    bytes(ord("1") if byte >> bit & 1 else ord("0") for byte in range(256)) for bit in range(8)
]
"""The binary digit that each byte has, by the number of the bit."""


def fault_of(state: State, *, ruled_out: int, wins: int) -> str:
    """Return what is wrong with the proofs of a live *state*; empty if nothing is.

    Bit a of *ruled_out* and *wins* is set if action a is a proven loss or win for the mover.
    """
    if (ruled_out | wins) & red_cells(state):
        return "a value for a red cell"
    if ruled_out & wins:
        return "a win and a loss for one action"
    completing = winning_actions(state)
    if any(ruled_out >> action & 1 for action in completing):
        return "a loss for an action that wins at once"
    for action in ACTIONS_OF[wins]:
        if action not in completing and winning_actions(state + STEPS[action]):
            return "a win for an action after which the opponent wins at once"
    return ""


def first_fault(proofs: Rows) -> tuple[State, str] | None:
    """Return a live state whose row in *proofs* (see `QTable`) is wrong, and what is wrong there.

    That takes 0.6 µs a row of a sparse table, and 0.5 s for a dense one.
    """
    suspects = _suspects_of_few(proofs) if isinstance(proofs, dict) else _suspects_of_many(proofs)
    for state in suspects:
        row = proofs[state] & ~red_cells(state)
        fault = fault_of(state, ruled_out=row & ALL_CELLS, wins=row >> WINS_SHIFT)
        if fault:
            return state, fault
    return None


def _suspects_of_few(proofs: SparseRows) -> Iterator[State]:
    """Yield the states with a loss where a move completes a line, or a win that allows one."""
    decided_at_once = one_move_from_the_end()
    ended = finished()
    for state, row in proofs.items():
        # A row also rules out the red cells, so only then look for losses among the others.
        if contains(decided_at_once, state) and row & ALL_CELLS & ~red_cells(state):
            yield state
        for action in ACTIONS_OF[row >> WINS_SHIFT]:
            after = state + STEPS[action]
            if contains(decided_at_once, after) and not contains(ended, after):
                yield state


def _suspects_of_many(proofs: "array[int]") -> Iterator[State]:
    """Yield a state of each slab with proofs of finished lines or threats that are wrong."""
    ended = finished_positions()
    threatened = [before & ~end for before, end in zip(predecessors(ended), ended, strict=True)]
    nothing = bytes(SLAB_BITS * proofs.itemsize)
    for number in range(SLABS):
        first = number << SLAB_SHIFT
        # The last row comes first, as the highest digit of a number does.
        stretch = proofs[first : first + SLAB_BITS][::-1]
        if sys.byteorder == "big":
            stretch.byteswap()
        data = stretch.tobytes()
        if data == nothing:
            continue
        # The same bit of all rows becomes an int, by its binary digits.
        bits: list[int] = []
        for byte in range(2 * CELLS // 8):
            column = data[byte :: stretch.itemsize]
            bits += [int(column.translate(digit_of), 2) for digit_of in _DIGIT_OF_BIT]
        for action in range(CELLS):
            loses = bits[action]
            wins = bits[action + WINS_SHIFT]
            wrong = loses & advancing_into(ended, number, action)
            wrong |= wins & advancing_into(threatened, number, action)
            if wrong:
                yield first + (wrong & -wrong).bit_length() - 1
