"""The exact player: it never turns a won position into a lost one.

>>> from traffic_lights.board.rules import parse_board
>>> ExactBot(Tablebase(), random.Random(7)).choose(parse_board("1100/0000/0000"))
2
"""

from __future__ import annotations

import random

from traffic_lights.board.rules import Action, State
from traffic_lights.board.solver import Tablebase


class ExactBot:
    """Wins as fast as it can, or loses as late as it can, ties at random."""

    def __init__(self, tablebase: Tablebase, rng: random.Random) -> None:
        self._tablebase = tablebase
        self._rng = rng

    def choose(self, state: State) -> Action:
        """Return one of the tablebase's optimal actions, each with equal chance."""
        return self._rng.choice(self._tablebase.optimal_actions(state))
