"""Policies, and the baseline bots, which can be played, trained against and measured.

A policy is a player that needs only the rules: it maps each live state to a tuple of actions and
plays each of them with equal probability. To add one, write its `Policy` here and name it below.

>>> Policy("any", "Any", "Plays anything.", legal_actions).actions(0)[:3]
(0, 1, 2)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from traffic_lights.board.rules import CELLS, Action, State, legal_actions
from traffic_lights.board.threats import myopic_actions

Choices: TypeAlias = Callable[[State], tuple[Action, ...]]
"""The actions among which a player chooses in a live state, all equally likely."""

FOR_EVER: Final = (CELLS * 3, CELLS * 3)
"""More own moves than a game can have."""


@dataclass(frozen=True, slots=True)
class Policy:
    """A player that may tire after some moves and then plays any legal action."""

    key: str
    """What commands, settings and records call it: small letters, digits, hyphens."""
    name: str
    """What sentences and lists call it."""
    about: str
    """What it does, in one sentence for people."""
    actions: Choices
    """In ascending order, never empty."""
    lasts: tuple[int, int] = FOR_EVER
    """It tires after a number of own moves, drawn for each game from this range."""
    is_symmetric: bool = True
    """Whether it treats mirror images alike; exact scores need that."""

    @property
    def tires(self) -> bool:
        """Return whether it may come to play any legal action."""
        return self.lasts != FOR_EVER


RANDOM: Final = Policy("random", "Random", "Plays random moves.", legal_actions)
ALTERNATE: Final = Policy(
    "alternate",
    "Alternate",
    "Plays like Myopic for 10 to 20 moves, then at random.",
    myopic_actions,
    lasts=(10, 20),
)
MYOPIC: Final = Policy(
    "myopic",
    "Myopic",
    "Wins if it can, blocks if it must, and otherwise plays at random.",
    myopic_actions,
)

BASELINES: Final = {policy.key: policy for policy in (RANDOM, ALTERNATE, MYOPIC)}
"""The baselines by key, weakest first."""
