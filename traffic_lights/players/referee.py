"""The referee, which plays one game between two bots.

>>> import random
>>> from traffic_lights.board.baselines import MYOPIC, RANDOM
>>> from traffic_lights.players.bots import PolicyBot
>>> rng = random.Random(7)
>>> play_game(PolicyBot(MYOPIC, rng), PolicyBot(RANDOM, rng)).winner
0
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from traffic_lights.board.rules import EMPTY_BOARD, Action, State, is_terminal, mover, play
from traffic_lights.players.bots import Bot, PlayerError, tell_result


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """One finished game."""

    start: State
    actions: tuple[Action, ...]
    winner: int
    """The seat that made the last move: 0 moves in states of even ply, 1 in odd."""
    forfeit: str = ""
    """Why the other seat lost without a line on the board, in a sentence; mostly empty."""

    def states(self) -> Iterator[State]:
        """Yield the state before each move, in order."""
        state = self.start
        for action in self.actions:
            yield state
            state = play(state, action)


def play_game(first: Bot, second: Bot, start: State = EMPTY_BOARD) -> PlayedGame:
    """Return the game that *first* (seat 0) and *second* (seat 1) play from *start*.

    A bot that raises PlayerError has lost. Raise IllegalActionError if a bot chooses an
    illegal action.
    """
    bots = (first, second)
    state, forfeit = start, ""
    actions: list[Action] = []
    while not is_terminal(state):
        try:
            action = bots[mover(state)].choose(state)
        except PlayerError as error:
            forfeit = str(error)
            break
        state = play(state, action)
        actions.append(action)
    winner = 1 - mover(state)
    for seat, bot in enumerate(bots):
        tell_result(bot, seat == winner)
    return PlayedGame(start, tuple(actions), winner, forfeit)
