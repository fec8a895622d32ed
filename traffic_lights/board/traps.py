"""Traps: the move in a lost position that is hardest to answer.

An opponent who looks a single move ahead takes a win at once. Otherwise it draws a *safe reply*,
which does not let the other side win at once, and only some of these keep its win. The *chance* of
a lost position is how often such an opponent throws the win away within its next few replies, if
the loser sets the best traps:

    chance(s) = max over a of chance(s, a), 0 after the last reply
    chance(s, a) = mean over the safe replies to a, or 0 if a allows a win at once, of
                   1 if the reply gives the win away, otherwise chance(the position after it)

>>> exact_actions(0), kept_after(0, 0)
((0, 3, 8, 11), Kept(winning=6, safe=6))
"""

from functools import cache
from typing import Final, NamedTuple

from traffic_lights.board.baselines import quiet_actions, winning_actions
from traffic_lights.board.rules import STEPS, Action, State, legal_actions
from traffic_lights.board.symmetry import canonical, map_action, to_canonical
from traffic_lights.board.tablebase import shared_tablebase

REPLIES: Final = 3
"""How many of the opponent's replies it looks at; a position takes 2 ms, at most 15."""
_DIGITS: Final = 9
"""Chances that differ only after so many digits are equal, apart from rounding."""


class Kept(NamedTuple):
    """What an opponent who sees one move ahead may reply to a losing action."""

    winning: int
    """Its safe replies that keep its win, 1 or more."""
    safe: int
    """All of its safe replies; 0 if it wins at once."""


def exact_actions(state: State) -> tuple[Action, ...]:
    """Return the fastest wins or, if the live *state* is lost, the best traps, ascending.

    The best traps are the actions of the highest chance, and of these the longest defences.
    """
    # A player who can win sets no traps, because a fast win leaves little to go wrong.
    if shared_tablebase().is_won(state):
        return shared_tablebase().optimal_actions(state)
    # Using the canonical image, one remembered chance serves four positions.
    image, mirror = to_canonical(state)
    distances = shared_tablebase().action_distances(image)
    ranks = {a: (chance_after(image, a), n) for a, n in distances.items()}
    best = max(ranks.values())
    return tuple(sorted(map_action(a, mirror) for a, rank in ranks.items() if rank == best))


def chance_after(state: State, action: Action, replies: int = REPLIES) -> float:
    """Return the chance, from 0 to 1, that *action* still wins the lost *state*.

    The opponent sees one move ahead, and throws its win away within its next *replies*.
    """
    safe, keeping = _replies_to(state + STEPS[action])
    if not safe:
        return 0.0
    lost = 0.0
    for after in keeping:
        lost += 1 - _chance(after, replies - 1)
    return round(1 - lost / safe, _DIGITS)


def kept_after(state: State, action: Action) -> Kept:
    """Return how many safe replies to *action*, in the lost *state*, keep the win."""
    safe, keeping = _replies_to(state + STEPS[action])
    return Kept(len(keeping), safe)


@cache
def _chance(state: State, replies: int) -> float:
    """Return the chance of the lost canonical *state*; 10 MB of them after an evaluation."""
    if not replies:
        return 0.0
    return max([chance_after(state, action, replies) for action in legal_actions(state)])


def _replies_to(state: State) -> tuple[int, list[State]]:
    """Return how many replies are safe in the won *state*, and where those that keep the win lead.

    The latter are canonical positions. If a reply wins at once, none counts as safe.
    """
    if winning_actions(state):
        return 0, []
    safe = [state + STEPS[action] for action in quiet_actions(state)]
    is_won = shared_tablebase().is_won
    return len(safe), [canonical(after) for after in safe if not is_won(after)]
