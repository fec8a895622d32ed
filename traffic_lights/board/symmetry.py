"""The four mirror images of the board, and the one that stands for all of them.

The images of a position share its value, because lines mirror to lines. Each *mirror* is a number
from 0 to 3 (0 is the identity) and its own inverse. The *canonical* state is the smallest image.

>>> [f"{image:06x}" for image in orbit(3)], canonical(3)
(['000003', '0000c0', '030000', 'c00000'], 3)
"""

from typing import Final

from traffic_lights.board.rules import (
    CELLS,
    COLUMNS,
    HALVES,
    ROWS,
    STEPS,
    Action,
    State,
    half_sums,
)


def _reflected(cell: int, left_right: bool, up_down: bool) -> int:
    row, column = divmod(cell, COLUMNS)
    if up_down:
        row = ROWS - 1 - row
    if left_right:
        column = COLUMNS - 1 - column
    return row * COLUMNS + column


MIRRORS: Final = tuple(
    tuple(_reflected(cell, left_right, up_down) for cell in range(CELLS))
    for up_down in (False, True)
    for left_right in (False, True)
)
"""MIRRORS[m][cell] is where mirror m takes the cell."""


def _half_images(mirror: int, half: range) -> tuple[int, ...]:
    """Return the image of each content of the cells of *half*."""
    steps = [STEPS[MIRRORS[mirror][cell]] for cell in half]
    return half_sums(*((0, step, 2 * step, 3 * step) for step in steps))


# Two tables of 4,096 ints, one for each half board, replace one table of 16 million.
HALF_IMAGES: Final = tuple(
    (_half_images(mirror, HALVES[0]), _half_images(mirror, HALVES[1])) for mirror in range(4)
)
"""By mirror: where it takes the contents of cells 0 to 5, and of cells 6 to 11."""
(_LEFT_RIGHT, _LEFT_RIGHT_LOW), (_UP_DOWN, _UP_DOWN_LOW), (_BOTH, _BOTH_LOW) = HALF_IMAGES[1:]


def orbit(state: State) -> tuple[State, State, State, State]:
    """Return the images of *state* under mirrors 0 to 3; a symmetric one repeats."""
    # A loop would be slower, and training calls this for every position that it meets.
    high = state >> 12
    low = state & 4095
    return (
        state,
        _LEFT_RIGHT[high] | _LEFT_RIGHT_LOW[low],
        _UP_DOWN[high] | _UP_DOWN_LOW[low],
        _BOTH[high] | _BOTH_LOW[low],
    )


def canonical(state: State) -> State:
    """Return the smallest of the mirror images of *state*, which stands for all four."""
    return min(orbit(state))


def to_canonical(state: State) -> tuple[State, int]:
    """Return the canonical state and the lowest mirror that leads to it, and back."""
    images = orbit(state)
    smallest = min(images)
    # A symmetric position takes the lowest mirror, so that it always goes the same way.
    return smallest, images.index(smallest)


def same_actions(state: State, action: Action) -> tuple[Action, ...]:
    """Return *action* and its mirror images that lead from *state* to the same position.

    >>> same_actions(0, 5), same_actions(1, 5)
    ((5, 6), (5,))
    """
    mirrors = [mirror for mirror, image in enumerate(orbit(state)) if image == state]
    return tuple(sorted({map_action(action, mirror) for mirror in mirrors}))


def map_action(action: Action, mirror: int) -> Action:
    """Return the action that does in the image under *mirror* what *action* does here."""
    return MIRRORS[mirror][action]
