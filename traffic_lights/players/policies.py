"""The policies of the levels and of the stronger players, next to the baselines.

>>> from traffic_lights.board.rules import EMPTY_BOARD, parse_board
>>> set(BEGINNER.actions(EMPTY_BOARD)) == set(range(12))
True
>>> exact_actions(parse_board("1100/0000/0000")), Horizon(4)(parse_board("110000000000"))
((2,), (2,))
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from math import gcd
from typing import Final

from traffic_lights.board.baselines import MYOPIC, Policy, safe_actions, winning_actions
from traffic_lights.board.rules import Action, State, legal_actions
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
    """The choices of a player who looks *depth* plies ahead, 1 or more.

    It sees exactly the ends that are *depth* plies away or nearer: it takes the fastest win
    that it sees, avoids the losses that it sees, and if every action loses, it delays. What a
    search would find is read off the exact distances, so any depth answers at once.
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


def horizon(depth: int) -> Policy:
    """Return the policy that looks *depth* plies ahead."""
    own, others = (depth + 1) // 2, depth // 2
    about = f"Looks {depth} turns ahead: sees its own wins in {own} moves, yours in {others}."
    return Policy(Horizon(depth), key=f"horizon-{depth}", name=f"Horizon {depth}", about=about)


@dataclass(frozen=True, slots=True)
class Forgetful:
    """The choices of a player who completes a line if possible, but often forgets to block.

    To block is to play an action after which the opponent cannot complete a line at once.
    In *careless* cases of *careful* + *careless* any legal action is played instead.
    """

    careful: int
    careless: int

    def __call__(self, state: State) -> tuple[Action, ...]:
        """Return what it draws from; an action that is there several times is more likely."""
        wins = winning_actions(state)
        if wins:
            return wins
        every, safe = legal_actions(state), safe_actions(state)
        if not safe or len(safe) == len(every):
            return every
        # Repeat both tuples until their lengths have the wanted proportion.
        safe_times, every_times = self.careful * len(every), self.careless * len(safe)
        shared = gcd(safe_times, every_times)
        return tuple(sorted(safe * (safe_times // shared) + every * (every_times // shared)))


BEGINNER: Final = Policy(
    Forgetful(careful=1, careless=1),
    key="beginner",
    name="Beginner",
    about="Completes a line when it can, but watches out for yours only half of the time.",
)
CASUAL: Final = Policy(
    Forgetful(careful=8, careless=1),
    key="casual",
    name="Casual",
    about="Completes a line when it can, and usually watches out for yours.",
)
CAREFUL: Final = replace(
    MYOPIC,
    key="careful",
    name="Careful",
    about="Completes every line that it can and always watches out for yours, but does not plan.",
)
PLANNER: Final = Policy(
    Horizon(7), key="planner", name="Planner", about="Plans its next four moves."
)
EXPERT: Final = Policy(
    Horizon(15), key="expert", name="Expert", about="Plans its next eight moves."
)
EXACT_PLAYER: Final = Policy(
    exact_actions,
    key="exact",
    name="Exact player",
    about="Plays by the exact solution: wins as fast as it can, and sets traps if it is lost.",
)
