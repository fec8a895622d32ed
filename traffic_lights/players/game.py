"""One game as an immutable value: where it starts, the moves, who plays, what help was taken.

The moves that stand come first; those that were taken back follow and wait
for redo.

>>> game = Game(actions=(5, 6, 0), present=2)
>>> game.standing, game.taken_back
((5, 6), (0,))
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Final

from traffic_lights.board.rules import EMPTY_BOARD, STEPS, Action, State, is_terminal, mover


@dataclass(frozen=True, slots=True)
class Player:
    """Who sits in a seat: a person, or the bot of one level of the ladder."""

    bot: str | None = None
    """The key of the ladder's level; None for a person."""
    name: str = ""
    """What people call the bot; empty for a person."""

    @property
    def is_human(self) -> bool:
        """Return whether a person plays this seat."""
        return self.bot is None


HUMAN: Final = Player()


@dataclass(frozen=True, slots=True)
class Game:
    """One game as it stands, with the moves taken back and the help counted."""

    start: State = EMPTY_BOARD
    """A live state."""
    actions: tuple[Action, ...] = ()
    """Every move, legal in its turn: first those that stand, then those taken back."""
    present: int = 0
    """How many of the actions stand."""
    players: tuple[Player, Player] = (HUMAN, HUMAN)
    """Who plays seat 0, which moves in states of even ply, and seat 1."""
    hinted: tuple[tuple[State, int], ...] = ()
    """The states in which a person asked for a hint, and the last step given, 1 to 3."""
    takebacks: int = 0
    """How often a person took a move back."""
    values_seen: bool = False
    """Whether the values of the moves were shown while a person had to choose."""
    bot_moves: int = 0
    """How many moves a bot chose for a person, who asked for it."""
    day: str = ""
    """When the game began, as YYYY-MM-DD; empty if unknown."""
    identity: int = field(default=0, compare=False)
    """Equal for the lines of one game among the games saved together; 0 if unknown."""
    is_counted: bool = False
    """Whether its result is in the statistics already, or must never be."""
    is_unrated: bool = False
    """Whether its result must never be: it is from a record, or a seat changed half-way."""
    seated: tuple[int, int] = (0, 0)
    """How many moves were made before each of the players sat down."""

    @property
    def standing(self) -> tuple[Action, ...]:
        """Return the moves that stand."""
        return self.actions[: self.present]

    @property
    def taken_back(self) -> tuple[Action, ...]:
        """Return the moves that redo would play again, in order."""
        return self.actions[self.present :]

    @property
    def hints(self) -> int:
        """Return for how many positions a hint was asked: its three steps count once."""
        return len(self.hinted)

    @property
    def is_helped(self) -> bool:
        """Return whether a person had help: hints, values, moves taken back or by a bot."""
        return bool(self.hinted or self.takebacks or self.bot_moves or self.values_seen)

    @property
    def state(self) -> State:
        """Return the state in which the game stands."""
        return self.state_at(self.present)

    def state_at(self, index: int) -> State:
        """Return the state after the first *index* actions, from 0 to len(actions)."""
        return self.start + sum(STEPS[action] for action in self.actions[:index])

    @property
    def is_over(self) -> bool:
        """Return whether somebody has completed a line."""
        return is_terminal(self.state)

    @property
    def winner(self) -> int | None:
        """Return the seat that made the last move of a finished game, else None."""
        return 1 - mover(self.state) if self.is_over else None


def today(now: float) -> str:
    """Return the local day of *now*, in seconds since 1970, as a game's `day`."""
    return time.strftime("%Y-%m-%d", time.localtime(now))
