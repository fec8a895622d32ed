"""Policies: how a player that needs only the rules chooses.

A policy maps each live state to a tuple of actions and plays each of them with
equal probability. So the program can play it, train against it and compute the
exact score against it. `board.baselines` lists the policies for training.

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
