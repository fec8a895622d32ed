"""How long conceded positions hold out, by what a table has proven.

In a conceded position every action loses, so their signs do not tell which to
play. But they do not lose equally fast: the loser may delay, the winner may
hurry. Where the table knows every win, as a complete one does, the plies found
here are the exact distances of the game.
"""

from __future__ import annotations

from typing import Final

from traffic_lights.positions import byte_flags, finished_positions, predecessors
from traffic_lights.qlearning import CONCEDED, QTable
from traffic_lights.rules import (
    ACTIONS_OF,
    ALL_CELLS,
    EMPTY,
    STEPS,
    Action,
    State,
    legal_actions,
    ply,
    red_cells,
)
from traffic_lights.symmetry import orbit

_NOT_LOST: Final = 255
_FILLED: Final = tuple(
    sum((half >> 10 - 2 * i & 3 != EMPTY) << i for i in range(6)) for half in range(4096)
)


class Endurance:
    """The plies that won and lost positions last, by a table of proofs; 32 MB.

    The winner takes the fastest of the wins that the table has proven, the
    loser the slowest of its losses.
    """

    def __init__(self, table: QTable) -> None:
        """Go through *table*'s conceded rows by descending ply, about 10 µs each."""
        finished = finished_positions()
        last_moves = predecessors(finished)
        self._won_in = bytearray().join(byte_flags(slab) for slab in last_moves)
        self._lost_in = bytearray().join(
            byte_flags(slab).translate(bytes([_NOT_LOST, 0]) + bytes(254)) for slab in finished
        )
        conceded = [state for state in table.states() if table.signs[state] == CONCEDED]
        conceded.sort(key=ply, reverse=True)
        for state in conceded:
            self._note_lost(state)

    def _note_lost(self, state: State) -> None:
        """Note how long the conceded *state* lasts, and that moves into it win in one ply more."""
        won_in, lost_in, steps = self._won_in, self._lost_in, STEPS
        actions = ACTIONS_OF[ALL_CELLS ^ red_cells(state)]
        plies = 1 + max([won_in[state + steps[action]] for action in actions])
        for image in set(orbit(state)):
            lost_in[image] = plies
            for cell in _filled_cells(image):
                known = won_in[image - steps[cell]]
                if not known or known > plies:
                    won_in[image - steps[cell]] = plies + 1

    def plies_after_losing(self, state: State) -> dict[Action, int]:
        """Return the plies from the conceded *state* to the end after each legal action."""
        return {a: 1 + self._won_in[state + STEPS[a]] for a in legal_actions(state)}

    def plies_after_winning(self, state: State) -> dict[Action, int]:
        """Return the plies from *state* to the end after each action that is proven to win."""
        after = {a: self._lost_in[state + STEPS[a]] for a in legal_actions(state)}
        return {action: 1 + plies for action, plies in after.items() if plies != _NOT_LOST}


def _filled_cells(state: State) -> tuple[int, ...]:
    return ACTIONS_OF[_FILLED[state >> 12] | _FILLED[state & 4095] << 6]
