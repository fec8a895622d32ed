"""The policies of the levels and of the stronger players.

>>> from traffic_lights.board.rules import EMPTY_BOARD
>>> set(LEVELS[0].actions(EMPTY_BOARD)) == set(range(12))
True
"""

from dataclasses import dataclass, replace
from math import gcd
from typing import Final

from traffic_lights.board.baselines import MYOPIC, Policy, quiet_actions, winning_actions
from traffic_lights.board.rules import (
    Action,
    State,
    legal_actions,
)
from traffic_lights.board.tablebase import shared_tablebase
from traffic_lights.board.traps import exact_actions


@dataclass(frozen=True, slots=True)
class Horizon:
    """The choices of a player who looks *depth* plies ahead, 1 or more.

    It sees exactly the ends that are *depth* plies away or nearer: it takes the fastest win
    that it sees, avoids the losses that it sees, and if every action loses, it delays. What a
    search would find is read off the exact distances, so any depth answers at once.
    """

    depth: int

    def __call__(self, state: State) -> tuple[Action, ...]:
        distances = shared_tablebase().action_distances(state)
        wins = [n for n in distances.values() if n % 2 == 1 and n <= self.depth]
        unseen = {n for n in distances.values() if n > self.depth}
        if wins:
            best = {min(wins)}
        elif unseen:
            best = unseen
        else:
            best = {max(distances.values())}
        return tuple(action for action, n in distances.items() if n in best)


def horizon(depth: int) -> Policy:
    """Return the player that looks *depth* plies ahead, 1 or more; see `Horizon`."""
    own = (depth + 1) // 2
    others = depth // 2
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
        if wins := winning_actions(state):
            return wins
        every = legal_actions(state)
        safe = quiet_actions(state)
        if not safe or len(safe) == len(every):
            return every
        # Repeat both tuples until their lengths have the wanted proportion.
        safe_times = self.careful * len(every)
        every_times = self.careless * len(safe)
        shared = gcd(safe_times, every_times)
        drawn = safe * (safe_times // shared) + every * (every_times // shared)
        return tuple(sorted(drawn))


LEVELS: Final = (
    Policy(
        Forgetful(careful=2, careless=1),
        key="beginner",
        name="Beginner",
        about="Completes a line when it can, but overlooks a third of your threats.",
    ),
    Policy(
        Forgetful(careful=8, careless=1),
        key="casual",
        name="Casual",
        about="Completes a line when it can, and notices most of your threats.",
    ),
    replace(
        MYOPIC,
        key="careful",
        name="Careful",
        about="Completes every line that it can and notices all your threats, but does not plan.",
    ),
    Policy(Horizon(10), key="planner", name="Planner", about="Plans its next five moves."),
    Policy(Horizon(17), key="expert", name="Expert", about="Plans its next nine moves."),
)
"""The weakest first; Perfect, the sixth level, plays by a table.

Each wins from 60 to 75 % of its games against the one before it (see the page about judging).
"""
EXACT_PLAYER: Final = Policy(
    exact_actions,
    key="exact",
    name="Exact player",
    about="Plays by the exact solution: wins as fast as it can, and sets traps if it is lost.",
)
