"""Bots, a game between two of them, and the policies of the levels and of the stronger players.

>>> from traffic_lights.board.baselines import MYOPIC, RANDOM
>>> rng = random.Random(7)
>>> play_game(PolicyBot(MYOPIC, rng), PolicyBot(RANDOM, rng)).winner
0
>>> set(LEVELS[0].actions(EMPTY_BOARD)) == set(range(12))
True
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import accumulate
from math import gcd
from typing import Final, Protocol

from traffic_lights.board.baselines import MYOPIC, Policy, safe_actions, winning_actions
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
from traffic_lights.board.tablebase import shared_tablebase
from traffic_lights.board.traps import exact_actions


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
    while not is_terminal(state):
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


# --- policies ---


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
        safe = safe_actions(state)
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
