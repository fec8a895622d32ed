"""How a player that needs nothing but the rules chooses: a policy, as values.

A policy names a set of actions for each live state and plays each of them with
equal chance. So whoever knows the set can play the bot, train against it, and
compute what is to be expected against it. All of them are in the register of
`board.baselines`.

>>> from traffic_lights.board.rules import legal_actions
>>> Policy("any", "Any", "Plays anything.", legal_actions).actions(0)[:3]
(0, 1, 2)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from traffic_lights.board.rules import CELLS, Action, State

Choices: TypeAlias = Callable[[State], tuple[Action, ...]]
"""The actions that a player chooses among in a live state, each with equal chance."""

FOR_EVER: Final = (CELLS * 3, CELLS * 3)
"""More own moves than a game can have."""


@dataclass(frozen=True, slots=True)
class Policy:
    """A player by its choices; after a while it may tire, and then plays any legal action."""

    key: str
    """What commands, settings and records call it: small letters, digits, hyphens."""
    name: str
    """What sentences and lists call it."""
    about: str
    """What it does, in one sentence for people."""
    actions: Choices
    """In ascending order, never empty."""
    lasts: tuple[int, int] = FOR_EVER
    """The range from which it is drawn for each game after how many own moves it tires."""
    is_symmetric: bool = True
    """Whether in a mirror image it chooses among the mirror images; exact scores need that."""

    @property
    def tires(self) -> bool:
        """Return whether it may come to play any legal action."""
        # Nothing is drawn for a bot that never tires, so its games need the source for its moves
        # alone.
        return self.lasts != FOR_EVER
