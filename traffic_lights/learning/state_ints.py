"""An int for each state: in an array, or in a dict if few states have one."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from itertools import compress
from typing import TypeAlias

from traffic_lights.board.rules import STATE_CODES, State

_STRETCH = 4096
"""The states that are looked through at a time."""


class SparseInts(dict[State, int]):
    """Ints by state; a state without one reads as 0."""

    # Supports the same [] access as an array, so the training loops work with either. Unlike a
    # defaultdict, a look-up does not add an entry.
    def __missing__(self, state: State) -> int:
        return 0


StateInts: TypeAlias = "array[int] | SparseInts"


def dense_ints(kind: str, ints: StateInts) -> array[int]:
    """Return *ints* as an array with items of the type code *kind*."""
    if isinstance(ints, array):
        return ints
    found = array(kind, [0]) * STATE_CODES
    for state, number in ints.items():
        found[state] = number
    return found


def filled(ints: StateInts) -> Iterator[Iterable[State]]:
    """Yield the states whose int is not 0, ascending, a part of them at a time."""
    if isinstance(ints, dict):
        yield sorted(ints)
        return
    # Comparing bytes passes over an empty stretch without looking at its 4,096 states.
    nothing = bytes(ints.itemsize * _STRETCH)
    for first in range(0, STATE_CODES, _STRETCH):
        stretch = ints[first : first + _STRETCH]
        if stretch.tobytes() != nothing:
            yield compress(range(first, first + _STRETCH), stretch)
