"""Horizon: a player that looks a number of plies ahead and knows nothing beyond.

What it would find by searching is read off the exact distances instead, so any depth
answers at once. At a depth of 26 plies, the longest distance there is, it plays exactly.

>>> from traffic_lights.board.rules import parse_board
>>> HorizonBot(random.Random(7), depth=4).choose(parse_board("1100/0000/0000"))
2
"""

from __future__ import annotations

import random

from traffic_lights.board.policy import Choices
from traffic_lights.board.rules import Action, State
from traffic_lights.board.solver import Tablebase
from traffic_lights.players.exact import shared_tablebase


class HorizonBot:
    """Plays as well as looking *depth* plies ahead lets it; ties at random."""

    def __init__(self, rng: random.Random, depth: int) -> None:
        self._choices = horizon_choices(shared_tablebase(), depth)
        self._rng = rng

    def choose(self, state: State) -> Action:
        """Return one of `horizon_choices`, each with equal chance."""
        return self._rng.choice(self._choices(state))


def horizon_choices(tablebase: Tablebase, depth: int) -> Choices:
    """Return the actions that look best *depth* plies ahead, in ascending order.

    Horizon sees exactly the ends that are *depth* plies away or nearer: it takes the
    fastest win that it sees, avoids the losses that it sees, and if every action loses,
    it delays. Raise ValueError if the depth is less than 1.
    """
    if depth < 1:
        raise ValueError(f"a depth of {depth} moves is not 1 or more")

    def choices(state: State) -> tuple[Action, ...]:
        distances = tablebase.action_distances(state)
        wins = [n for n in distances.values() if n & 1 and n <= depth]
        if wins:
            best = {min(wins)}
        else:
            unseen = {n for n in distances.values() if n > depth}
            best = unseen or {max(distances.values())}
        return tuple(action for action, n in distances.items() if n in best)

    return choices
