"""Traps: the move in a lost position that is hardest to answer.

An opponent who looks a single move ahead takes a win at once. Otherwise it draws a *safe reply*,
which does not let the other side win at once, and only some of these keep its win. The *chance* of
a lost position is how often such an opponent throws the win away within its next few replies, if
the loser sets the best traps:

    chance(s) = max over a of chance(s, a), 0 after the last reply
    chance(s, a) = mean over the safe replies to a, or 0 if a allows a win at once, of
                   1 if the reply gives the win away, otherwise chance(the position after it)

>>> trapper = traps(Tablebase())
>>> trapper.best_actions(0), trapper.kept(0, 0)
((0, 3, 8, 11), Kept(winning=6, safe=6))
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from traffic_lights.board.baselines import safe_actions, winning_actions
from traffic_lights.board.rules import STEPS, Action, State, legal_actions
from traffic_lights.board.solver import Tablebase
from traffic_lights.board.symmetry import canonical, map_action, to_canonical

REPLIES: Final = 3
"""How many of the opponent's replies it looks at; a position takes 2 ms, at most 15."""
_DIGITS: Final = 9
"""Chances that differ only after so many digits are equal, apart from rounding."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What an opponent who sees one move ahead may reply to a losing action."""

    winning: int
    """Its safe replies that keep its win, 1 or more."""
    safe: int
    """All of its safe replies; 0 if it wins at once."""


class Traps:
    """The best defence in lost positions; it remembers chances, 10 MB after an evaluation."""

    def __init__(self, tablebase: Tablebase) -> None:
        self._tablebase = tablebase
        self._chances: dict[tuple[State, int], float] = {}

    def best_actions(self, state: State) -> tuple[Action, ...]:
        """Return the fastest wins, or if the live *state* is lost, the best traps, ascending.

        The best traps are the actions of the highest chance, and of these the longest
        defences.
        """
        # A player who can win sets no traps, because a fast win leaves little to go wrong.
        if self._tablebase.get_distance(state) & 1:
            return self._tablebase.optimal_actions(state)
        # Using the canonical image, one entry in the memory serves four positions.
        image, mirror = to_canonical(state)
        distances = self._tablebase.action_distances(image)
        ranks = {a: (self.chance_after(image, a), n) for a, n in distances.items()}
        best = max(ranks.values())
        return tuple(sorted(map_action(a, mirror) for a, rank in ranks.items() if rank == best))

    def chance_after(self, state: State, action: Action, replies: int = REPLIES) -> float:
        """Return the chance, from 0 to 1, that *action* still wins the lost *state*.

        The opponent sees one move ahead, and throws its win away within its next *replies*.
        """
        safe, keeping = self._replies_to(state + STEPS[action])
        if not safe:
            return 0.0
        lost = 0.0
        for after in keeping:
            lost += 1 - self._chance(after, replies - 1)
        return round(1 - lost / safe, _DIGITS)

    def kept(self, state: State, action: Action) -> Kept:
        """Return how many safe replies to *action*, in the lost *state*, keep the win."""
        safe, keeping = self._replies_to(state + STEPS[action])
        return Kept(len(keeping), safe)

    def _chance(self, state: State, replies: int) -> float:
        """Return the chance of the lost canonical *state* within so many *replies*."""
        if not replies:
            return 0.0
        key = state, replies
        if key not in self._chances:
            actions = legal_actions(state)
            self._chances[key] = max([self.chance_after(state, a, replies) for a in actions])
        return self._chances[key]

    def _replies_to(self, state: State) -> tuple[int, list[State]]:
        """Return how many replies are safe in the won *state*, and where those that win lead.

        To canonical positions. 0 replies if one wins at once.
        """
        if winning_actions(state):
            return 0, []
        safe = [state + STEPS[action] for action in safe_actions(state)]
        is_won = self._tablebase.is_won
        return len(safe), [canonical(after) for after in safe if not is_won(after)]


@lru_cache(maxsize=2)
def traps(tablebase: Tablebase) -> Traps:
    """Return the one Traps of *tablebase*, made at the first call."""
    return Traps(tablebase)
