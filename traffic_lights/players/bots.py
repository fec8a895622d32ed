"""The baseline bots: players that need nothing but the rules.

A bot is anything that chooses an action in a live state; each takes the random
source that breaks its ties, so the same seed plays the same games.

>>> from traffic_lights.board.rules import parse_board
>>> MyopicBot(random.Random(7)).choose(parse_board("122000000000"))
0
"""

from __future__ import annotations

import random
from typing import Final, Protocol

from traffic_lights.board.rules import Action, State, legal_actions, ply
from traffic_lights.board.threats import myopic_actions


class Bot(Protocol):
    """A player that is not a person."""

    def choose(self, state: State) -> Action:
        """Return a legal action of *state*, which must be live."""
        ...


class RandomBot:
    """Plays any legal action with equal chance."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def choose(self, state: State) -> Action:
        """Return a legal action of *state*, each with equal chance."""
        return self._rng.choice(legal_actions(state))


class MyopicBot:
    """Wins at once if it can, else avoids losing at once if it can: one ply of foresight."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def choose(self, state: State) -> Action:
        """Return one of `myopic_actions`, each with equal chance."""
        return self._rng.choice(myopic_actions(state))


FORESIGHT: Final = (10, 20)
"""The range from which Alternate draws how many own moves it plays as Myopic."""


class AlternateBot:
    """Plays as Myopic for a number of its own moves drawn anew for each game, then at random.

    A state before anyone's second move (ply 0 or 1) opens a game, so the bot
    needs no word that one has begun.
    """

    def __init__(self, rng: random.Random, foresight: tuple[int, int] = FORESIGHT) -> None:
        self._rng = rng
        self._foresight = foresight
        self._myopic = MyopicBot(rng)
        self._random = RandomBot(rng)
        self._myopic_moves = rng.randint(*foresight)

    def choose(self, state: State) -> Action:
        """Return Myopic's choice while the foresight of this game lasts, then Random's."""
        moves_made = ply(state) // 2
        if moves_made == 0:
            self._myopic_moves = self._rng.randint(*self._foresight)
        bot = self._myopic if moves_made < self._myopic_moves else self._random
        return bot.choose(state)


BASELINES: Final = {"random": RandomBot, "alternate": AlternateBot, "myopic": MyopicBot}
"""The baseline bots by the name that commands and windows use, weakest first."""
