"""The policies that read the exact solution: the exact player, and players that look ahead.

Horizon looks a number of plies ahead and knows nothing beyond. What it would find by searching
is read off the exact distances, so any depth answers at once. With a depth of 26 plies, the
longest distance there is, it plays exactly.

>>> from traffic_lights.board.rules import parse_board
>>> exact_actions(parse_board("1100/0000/0000")), Horizon(4)(parse_board("110000000000"))
((2,), (2,))
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from traffic_lights.board.rules import Action, State
from traffic_lights.board.solver import Tablebase
from traffic_lights.board.traps import traps


@cache
def shared_tablebase() -> Tablebase:
    """Return the one tablebase of this process, solved at the first call in about 0.1 s."""
    return Tablebase()


def exact_actions(state: State) -> tuple[Action, ...]:
    """Return the fastest wins of the live *state* or, if it is lost, the best traps."""
    return traps(shared_tablebase()).best_actions(state)


@dataclass(frozen=True, slots=True)
class Horizon:
    """How a player chooses that looks *depth* plies ahead, 1 or more.

    It sees exactly the ends that are *depth* plies away or nearer: it takes the fastest win
    that it sees, avoids the losses that it sees, and if every action loses, it delays.
    """

    depth: int

    def __call__(self, state: State) -> tuple[Action, ...]:
        """Return the actions that look best in the live *state*, in ascending order."""
        distances = shared_tablebase().action_distances(state)
        wins = [n for n in distances.values() if n & 1 and n <= self.depth]
        if wins:
            best = {min(wins)}
        else:
            unseen = {n for n in distances.values() if n > self.depth}
            best = unseen or {max(distances.values())}
        return tuple(action for action, n in distances.items() if n in best)
