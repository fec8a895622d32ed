"""A game between two bots, and many of them with the seats in turn.

>>> from traffic_lights.board.baselines import MYOPIC, RANDOM
>>> rng = random.Random(7)
>>> games = play_games(PolicyBot(MYOPIC, rng), PolicyBot(RANDOM, rng), range(4))
>>> [(seat, game.winner) for seat, game in games]
[(0, 0), (1, 1), (0, 0), (1, 1)]
"""

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import Protocol

from traffic_lights.board.baselines import Policy
from traffic_lights.board.positions import contains, finished
from traffic_lights.board.rules import (
    EMPTY_BOARD,
    Action,
    State,
    legal_actions,
    mover,
    play,
    ply,
)


class PlayerError(ValueError):
    """A bot cannot play, or is not known; the text is a sentence that says why."""


class Bot(Protocol):
    """Anything that chooses an action; a method ``end_game(has_won)`` is called after each game."""

    def choose(self, state: State) -> Action:
        """Return a legal action of the live *state*; raise PlayerError if that fails."""
        ...


class PolicyBot:
    """Plays a policy, with ties broken by *rng*. If it tires, each game draws a new moment."""

    def __init__(self, policy: Policy, rng: random.Random) -> None:
        self.policy = policy
        self._rng = rng
        self._last_ply = 0
        self._begin_game()

    def _begin_game(self) -> None:
        fewest, most = self.policy.lasts
        self._lasts = self._rng.randint(fewest, most) if self.policy.tires else fewest

    def choose(self, state: State) -> Action:
        here = ply(state)
        moves_made = here // 2
        # A game may begin at a board near its end, so a smaller number of moves shows a new one.
        if moves_made == 0 or here <= self._last_ply:
            self._begin_game()
        self._last_ply = here
        actions = self.policy.actions if moves_made < self._lasts else legal_actions
        return self._rng.choice(actions(state))


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A finished game."""

    actions: tuple[Action, ...]
    forfeit: str = ""
    """Why the other seat lost without a line on the board, in a sentence; mostly empty."""
    start: State = EMPTY_BOARD

    @property
    def winner(self) -> int:
        """The seat, which made the last move."""
        return 1 - (mover(self.start) + len(self.actions)) % 2

    def states(self) -> Iterator[State]:
        """Return the state before each move, in order."""
        return accumulate(self.actions[:-1], play, initial=self.start)


def play_game(first: Bot, second: Bot, start: State = EMPTY_BOARD) -> PlayedGame:
    """Return the game that *first* (seat 0) and *second* (seat 1) play from the live *start*.

    A bot that raises PlayerError has lost. Raise RulesError if a bot chooses an illegal action.
    """
    bots = (first, second)
    state = start
    forfeit = ""
    actions: list[Action] = []
    while not contains(finished(), state):
        try:
            action = bots[mover(state)].choose(state)
        except PlayerError as error:
            forfeit = str(error)
            break
        state = play(state, action)
        actions.append(action)
    game = PlayedGame(tuple(actions), forfeit, start)
    for seat, bot in enumerate(bots):
        if end_game := getattr(bot, "end_game", None):
            end_game(seat == game.winner)
    return game


def play_games(
    one: Bot, other: Bot, numbers: Iterable[int], start: State = EMPTY_BOARD
) -> Iterator[tuple[int, PlayedGame]]:
    """Play a game for each of *numbers* as `play_game` does, and yield the seat of *one* and it.

    *one* has seat 0 in the games of even numbers.
    """
    for number in numbers:
        seat = number % 2
        bots = (other, one) if seat else (one, other)
        yield seat, play_game(*bots, start)
