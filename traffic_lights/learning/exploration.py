"""Exploration: which moves a bot tries when it does not play the best that it knows.

A rule is written here and nowhere else: a function and its entry in `EXPLORATION_RULES`. It may
choose by visits, but does not get what the bot has learned; that would need more parameters.

It must not use `math.exp` or its like, whose last digit differs between machines: the same settings
make the same bytes on each of them.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias, TypeVar

from traffic_lights.board.rules import STEPS, Action, State
from traffic_lights.board.symmetry import canonical

_Item = TypeVar("_Item")
Explore: TypeAlias = Callable[[State, Sequence[Action], Mapping[State, int], random.Random], Action]
"""Returns one of some actions in a canonical state. The mapping says how often each canonical
position was met in this batch of games."""


def one_of(items: Sequence[_Item], source: random.Random) -> _Item:
    """Return one of *items*, each as likely as the others; draw only if there is a choice."""
    return items[int(source.random() * len(items))] if len(items) > 1 else items[0]


def at_random(
    _: State, actions: Sequence[Action], _visits: Mapping[State, int], source: random.Random
) -> Action:
    return one_of(actions, source)


def least_visited(
    state: State, actions: Sequence[Action], visits: Mapping[State, int], source: random.Random
) -> Action:
    """Return the one of *actions* whose successor was visited least, ties at random."""
    # Count successors, not actions: two ways into the same position are one thing to explore.
    counts = [visits.get(canonical(state + STEPS[action]), 0) for action in actions]
    fewest = min(counts)
    least = [a for a, n in zip(actions, counts, strict=True) if n == fewest]
    # It draws even from one, on which the bytes of all tables depend.
    return least[int(source.random() * len(least))]


@dataclass(frozen=True, slots=True)
class EpsilonSchedule:
    """The probability of exploring, multiplied by *decay* after each game, down to *end*.

    No ε of a later game is below *end*.
    """

    end: float = 0.0
    decay: float = 1.0

    def after(self, epsilon: float) -> float:
        """Return ε of the game that follows one with *epsilon*."""
        return max(self.end, epsilon * self.decay)


@dataclass(frozen=True, slots=True)
class ExplorationRule:
    """Which moves an exploring bot tries."""

    label: str
    """What the form calls it."""
    about: str
    """The same in sentences; the form shows the first."""
    explore: Explore


EXPLORATION_RULES: Final[Mapping[str, ExplorationRule]] = {
    "random": ExplorationRule(
        "Random moves",
        "Any move that is not proven to lose, each with the same probability.",
        at_random,
    ),
    "least-visited": ExplorationRule(
        "Least visited moves",
        "The move whose position it has met least. Every 1,000 games it counts anew.",
        least_visited,
    ),
}
"""All rules, by the names on the command line, in the order of the form."""
