"""Sets of positions, all 16,777,216 at once, at the speed of big integers.

A set of positions is a list of 256 *slabs*, one for each content of the first row. A slab is an int
of 65,536 bits: bit n is set when the state whose second and third rows have the code n is in the
set.

>>> sum(slab.bit_count() for slab in learnable_positions())
2266543
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import compress
from typing import Final, TypeAlias

from traffic_lights.board.rules import (
    CELLS,
    COLUMNS,
    LINES,
    RED,
    SHIFTS,
    STATE_CODES,
    STEPS,
    State,
    colour_of,
)

PositionSet: TypeAlias = list[int]
"""The slabs by their numbers."""

POSITIONS_BY_PLY: Final = (
    1, 4, 26, 95, 334, 947, 2463, 5597, 11705, 22146, 38775, 62559, 93966, 131121, 170984, 207677,
    235790, 249000, 244908, 222906, 187546, 144613, 101839, 64665, 36776, 18330, 7913, 2833, 820,
    173, 29, 2,
)  # fmt: skip
"""How many canonical live positions each ply has; counting them takes half a second."""
POSITIONS: Final = sum(POSITIONS_BY_PLY)

SLABS: Final = 4**COLUMNS
SLAB_SHIFT: Final = SHIFTS[COLUMNS - 1]
"""The number of a state's slab is the state, shifted down by so many bits."""
SLAB_BITS: Final = 1 << SLAB_SHIFT
WHOLE_SLAB: Final = (1 << SLAB_BITS) - 1
"""The slab that has all its states."""


def _bit_pattern(bit: int) -> int:
    """Return the part of a slab whose numbers have *bit* set: a period, doubled repeatedly."""
    width = 1 << bit
    pattern = ((1 << width) - 1) << width
    # Doubling takes sixteen steps; bit by bit it would take 65,536.
    length = 2 * width
    while length < SLAB_BITS:
        pattern |= pattern << length
        length *= 2
    return pattern


def _colour_patterns(cell: int) -> tuple[int, int, int, int]:
    """Return the parts of a slab where *cell*, of a lower row, has colour 0, 1, 2, 3."""
    low = _bit_pattern(SHIFTS[cell])
    high = _bit_pattern(SHIFTS[cell] + 1)
    both = low & high
    # The complement ~ of an int is negative, so use exclusive or with the whole slab.
    return WHOLE_SLAB ^ (low | high), low ^ both, high ^ both, both


_COLOURS: Final = {cell: _colour_patterns(cell) for cell in range(COLUMNS, CELLS)}
_MOVES: Final = tuple((WHOLE_SLAB ^ _COLOURS[cell][0], STEPS[cell]) for cell in _COLOURS)
"""The states where a cell of the lower rows is filled, and its step."""


def moves_within(target: int) -> int:
    """Return the part of a slab that leads into *target* by a move in the lower rows."""
    # A cell that was moved is filled; the mask also keeps the shift from borrowing from the next.
    sources = 0
    for filled, step in _MOVES:
        sources |= (target & filled) >> step
    return sources


def next_slabs(slab: int) -> tuple[int, ...]:
    """Return the slabs that a move in the first row leads to from slab number *slab*."""
    open_cells = [cell for cell in range(COLUMNS) if _colour_in(slab, cell) != RED]
    return tuple(slab + (STEPS[cell] >> SLAB_SHIFT) for cell in open_cells)


def _colour_in(slab: int, cell: int) -> int:
    """Return the colour that *cell*, of the first row, has in all states of slab number *slab*."""
    return colour_of(slab << SLAB_SHIFT, cell)


@cache
def finished_positions() -> PositionSet:
    """Return the positions with a complete line, reachable or not; play can reach all others."""
    slabs = [0] * SLABS
    for line in LINES:
        above = [cell for cell in line if cell < COLUMNS]
        for colour in (1, 2, 3):
            pattern = WHOLE_SLAB
            for cell in line:
                if cell >= COLUMNS:
                    pattern &= _COLOURS[cell][colour]
            for number in range(SLABS):
                if all(_colour_in(number, cell) == colour for cell in above):
                    slabs[number] |= pattern
    return slabs


def predecessors(target: PositionSet) -> PositionSet:
    """Return the positions, live or not, that lead into *target* by some move."""
    sources: PositionSet = []
    for number in range(SLABS):
        slab = moves_within(target[number])
        for following in next_slabs(number):
            slab |= target[following]
        sources.append(slab)
    return sources


def learnable_positions() -> PositionSet:
    """Return the live positions that are the smallest of their four images.

    Written by rows, the images of (r0, r1, r2) are, with each row reversed by
    the bar, (R0, R1, R2), (r2, r1, r0) and (R2, R1, R0). The first row decides
    unless it ties; then the second must not be above its own reversal.
    """
    reverse = [_reversed(row) for row in range(SLABS)]
    every = sum(1 << SLABS * row for row in range(SLABS))
    not_above = sum(1 << SLABS * row for row in range(SLABS) if row <= reverse[row])
    below = sum(1 << SLABS * row for row in range(SLABS) if row < reverse[row])
    slabs: PositionSet = []
    for first, finished_slab in enumerate(finished_positions()):
        slab = 0
        for third in range(SLABS):
            if first > min(reverse[first], third, reverse[third]):
                continue
            # If two images have the same first row, the second row decides.
            if first == reverse[first]:
                seconds = not_above if third <= reverse[third] else below
            elif first == reverse[third]:
                seconds = not_above
            else:
                seconds = every
            slab |= seconds << third
        slabs.append(slab & (WHOLE_SLAB ^ finished_slab))
    return slabs


def _reversed(row: int) -> int:
    """Return the content of a row, two bits a cell, with its four cells in the other order."""
    return (row & 3) << 6 | (row & 12) << 2 | row >> 2 & 12 | row >> 6


@cache
def finished() -> bytes:
    """Return the packed set of `finished_positions`."""
    return pack(finished_positions())


@cache
def one_move_from_the_end() -> bytes:
    """Return the packed set of positions where a move completes a line."""
    return pack(predecessors(finished_positions()))


_BITS_TO_BYTES: Final = bytes.maketrans(b"01", b"\x00\x01")


def byte_flags(slab: int) -> bytes:
    """Return *slab* with one byte, 0 or 1, for each bit, lowest first."""
    # bin takes linear time. The leading 1 keeps the zeros in front, and is cut off again.
    return bin(slab | 1 << SLAB_BITS)[:2:-1].encode("ascii").translate(_BITS_TO_BYTES)


def members(positions: PositionSet) -> Iterator[State]:
    """Yield the states of the set in ascending order."""
    for number, slab in enumerate(positions):
        if slab:
            first = number << SLAB_SHIFT
            yield from compress(range(first, first + SLAB_BITS), byte_flags(slab))


def position_set(states: Iterable[State]) -> PositionSet:
    """Return the set of *states*; 0.1 µs for each."""
    # Setting a bit of a slab would copy its 8 KiB each time, so set it in the packed set.
    packed = bytearray(STATE_CODES // 8)
    for state in states:
        packed[state >> 3] |= 1 << (state & 7)
    width = SLAB_BITS // 8
    return [
        int.from_bytes(packed[first : first + width], "little")
        for first in range(0, len(packed), width)
    ]


def pack(positions: Sequence[int]) -> bytes:
    """Return the set in 2 MiB, eight states a byte: `contains` looks a state up there."""
    # The lowest bit comes first, so that state n is bit n & 7 of byte n >> 3.
    return b"".join(slab.to_bytes(SLAB_BITS // 8, "little") for slab in positions)


def contains(packed: bytes, state: State) -> int:
    """Return 1 if *state* is in the set that `pack` made *packed* of, otherwise 0."""
    return packed[state >> 3] >> (state & 7) & 1
