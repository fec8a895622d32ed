"""How long conceded positions hold out, by what a table has proven.

In a conceded position every action loses, so their signs do not tell which to
play. But they do not lose equally fast: the loser may delay, the winner may
hurry. Where the table knows every win, as a complete one does, the plies found
here are the exact distances of the game.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from traffic_lights.board.positions import (
    PositionSet,
    difference,
    finished_positions,
    intersection,
    live_positions,
    numbered,
    position_set,
    predecessors,
)
from traffic_lights.board.rules import STEPS, Action, State, legal_actions
from traffic_lights.board.symmetry import orbit
from traffic_lights.learning.qtable import QTable


class Endurance:
    """The plies that won and lost positions last, by a table of proofs; 16 MB, made in 1 s.

    The winner takes the fastest of the wins that the table has proven, the
    loser the slowest of its losses.
    """

    def __init__(self, table: QTable) -> None:
        """Go backwards from the end of the game through what *table* concedes."""
        conceded = position_set(
            image for state in table.conceded_states() for image in orbit(state)
        )
        # No game is longer than 32 plies, so a byte numbers the layers with room to spare.
        self._after: Final = numbered(_by_plies(conceded))
        """The plies from the position before to the end, by state: 0 if nobody has proven any."""

    def plies_after_losing(self, state: State) -> dict[Action, int]:
        """Return the plies from the conceded *state* to the end after each legal action."""
        return {a: self._after[state + STEPS[a]] for a in legal_actions(state)}

    def plies_after_winning(self, state: State) -> dict[Action, int]:
        """Return the plies from *state* to the end after each action that is proven to win."""
        plies = self.plies_after_losing(state)
        return {action: n for action, n in plies.items() if n & 1}


def _by_plies(conceded: PositionSet) -> Iterator[PositionSet]:
    """Yield the positions that are lost in 0 plies, won in 1, lost in 2, and so on.

    Lost are the terminal ones and, of *conceded*, those all of whose moves lead
    to positions won in fewer plies.
    """
    lost, not_won = finished_positions(), live_positions()
    left = intersection(conceded, not_won)
    yield lost
    # An empty layer of lost positions ends it: nothing could be won through it further back.
    while any(lost):
        won = intersection(not_won, predecessors(lost))
        yield won
        not_won = difference(not_won, won)
        left = difference(left, won)
        # Who can move to what is not yet won for the opponent has not lost yet.
        lost = difference(left, predecessors(not_won))
        left = difference(left, lost)
        yield lost
