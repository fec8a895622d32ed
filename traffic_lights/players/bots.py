"""Bots, and the one that plays a policy.

A bot is anything that chooses an action in a live state. Each takes the random source
that breaks its ties, so that the same seed plays the same games.

>>> from traffic_lights.board.baselines import MYOPIC
>>> from traffic_lights.board.rules import parse_board
>>> PolicyBot(MYOPIC, random.Random(7)).choose(parse_board("122000000000"))
0
"""

from __future__ import annotations

import random
from typing import Protocol

from traffic_lights.board.policy import Policy
from traffic_lights.board.rules import Action, State, legal_actions, ply


class PlayerError(Exception):
    """A bot cannot play, or is not known; the text is a sentence that says why."""


class Bot(Protocol):
    """Anything that chooses an action.

    If a bot has a method ``end_game(has_won)``, it is called after each game.
    """

    def choose(self, state: State) -> Action:
        """Return a legal action of the live *state*; raise PlayerError if that fails."""
        ...


def tell_result(bot: Bot, has_won: bool) -> None:
    """Report to *bot* how its game ended, if it has the method for it."""
    end_game = getattr(bot, "end_game", None)
    if end_game is not None:
        end_game(has_won)


class PolicyBot:
    """Plays a policy. If the policy tires, the bot draws for each game when.

    A state of ply 0 or 1 opens a game, so the bot need not be told that one has begun.
    """

    def __init__(self, policy: Policy, rng: random.Random) -> None:
        self.policy = policy
        self._rng = rng
        self._lasts = self._drawn()

    def _drawn(self) -> int:
        policy = self.policy
        return self._rng.randint(*policy.lasts) if policy.tires else policy.lasts[0]

    def choose(self, state: State) -> Action:
        """Return one of the policy's actions, each with equal chance; once tired, any legal one."""
        moves_made = ply(state) // 2
        if moves_made == 0 and self.policy.tires:
            self._lasts = self._drawn()
        actions = self.policy.actions if moves_made < self._lasts else legal_actions
        return self._rng.choice(actions(state))
