"""The exact player: it never turns a won position into a lost one.

>>> from traffic_lights.board.rules import parse_board
>>> ExactBot(random.Random(7)).choose(parse_board("1100/0000/0000"))
2
"""

from __future__ import annotations

import random
from functools import cache

from traffic_lights.board.rules import Action, State
from traffic_lights.board.solver import Tablebase
from traffic_lights.board.traps import traps


@cache
def shared_tablebase() -> Tablebase:
    """Return the one tablebase of this process, solved at the first call in about 0.1 s."""
    return Tablebase()


class ExactBot:
    """Wins as fast as it can and sets the best traps in lost positions; ties at random."""

    def __init__(self, rng: random.Random) -> None:
        self._traps = traps(shared_tablebase())
        self._rng = rng

    def choose(self, state: State) -> Action:
        """Return one of the best actions of `Traps`, each with equal chance."""
        return self._rng.choice(self._traps.best_actions(state))
