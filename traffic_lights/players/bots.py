"""Bots: what they have in common, one that plays a policy, and a game between two of them.

>>> from traffic_lights.board.baselines import MYOPIC, RANDOM
>>> rng = random.Random(7)
>>> play_game(PolicyBot(MYOPIC, rng), PolicyBot(RANDOM, rng)).winner
0
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from traffic_lights.board.baselines import Policy
from traffic_lights.board.rules import (
    EMPTY_BOARD,
    Action,
    State,
    is_terminal,
    legal_actions,
    mover,
    play,
    ply,
)


class PlayerError(Exception):
    """A bot cannot play, or is not known; the text is a sentence that says why."""


class Bot(Protocol):
    """Anything that chooses an action.

    If a bot has a method ``end_game(has_won)``, it is called after each game.
    """

    def choose(self, state: State) -> Action:
        """Return a legal action of the live *state*; raise PlayerError if that fails."""
        ...


class PolicyBot:
    """Plays a policy, with ties broken by *rng*. If it tires, each game draws a new moment."""

    def __init__(self, policy: Policy, rng: random.Random) -> None:
        self.policy = policy
        self._rng = rng
        self._begin_game()

    def _begin_game(self) -> None:
        fewest, most = self.policy.lasts
        self._lasts = self._rng.randint(fewest, most) if self.policy.tires else fewest

    def choose(self, state: State) -> Action:
        """Return one of the policy's actions, each with equal chance; once tired, any legal one."""
        moves_made = ply(state) // 2
        if moves_made == 0:
            self._begin_game()
        actions = self.policy.actions if moves_made < self._lasts else legal_actions
        return self._rng.choice(actions(state))


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """One finished game from the empty board."""

    actions: tuple[Action, ...]
    forfeit: str = ""
    """Why the other seat lost without a line on the board, in a sentence; mostly empty."""

    @property
    def winner(self) -> int:
        """The seat that made the last move."""
        return 1 - len(self.actions) % 2

    def states(self) -> Iterator[State]:
        """Yield the state before each move, in order."""
        state = EMPTY_BOARD
        for action in self.actions:
            yield state
            state = play(state, action)


def play_game(first: Bot, second: Bot) -> PlayedGame:
    """Return the game that *first* (seat 0) and *second* (seat 1) play.

    A bot that raises PlayerError has lost. Raise RulesError if a bot chooses an
    illegal action.
    """
    bots = (first, second)
    state, forfeit = EMPTY_BOARD, ""
    actions: list[Action] = []
    while not is_terminal(state):
        try:
            action = bots[mover(state)].choose(state)
        except PlayerError as error:
            forfeit = str(error)
            break
        state = play(state, action)
        actions.append(action)
    game = PlayedGame(tuple(actions), forfeit)
    for seat, bot in enumerate(bots):
        tell_result(bot, seat == game.winner)
    return game


def tell_result(bot: Bot, has_won: bool) -> None:
    """Report to *bot* how its game ended, if it has the method for it."""
    end_game = getattr(bot, "end_game", None)
    if end_game is not None:
        end_game(has_won)
