"""One game as an immutable value: where it starts, its moves, who plays, what help was taken.

>>> game = Game(actions=(5, 6, 0))
>>> game.played(0).actions, game.until(1).actions, game.mover
((5, 6, 0, 0), (5,), 1)
"""

import time
from dataclasses import dataclass, field, replace
from typing import Final, Self

from traffic_lights.board.rules import EMPTY_BOARD, STEPS, Action, State, is_terminal, mover


@dataclass(frozen=True, slots=True)
class Player:
    """The player of one seat: a human, or a bot of the roster."""

    bot: str | None = None
    """The key of the bot; None for a human."""
    name: str = ""
    """The name of the bot or the human; empty for a human who has not given one."""

    @property
    def is_human(self) -> bool:
        return self.bot is None


HUMAN: Final = Player()


@dataclass(frozen=True, slots=True)
class Game:
    """One game as it stands, with the help counted."""

    start: State = EMPTY_BOARD
    """A state that is not terminal."""
    actions: tuple[Action, ...] = ()
    """Every move, legal in its turn."""
    players: tuple[Player, Player] = (HUMAN, HUMAN)
    """The players of seat 0, which moves in states of even ply, and of seat 1."""
    hinted: tuple[tuple[State, int], ...] = ()
    """The states for which a hint was asked, and the last step given, 1 to 3."""
    takebacks: int = 0
    """How often a human took a move back."""
    values_seen: bool = False
    """Whether the values of the moves were shown while a human had to choose."""
    bot_moves: int = 0
    """How many moves a bot chose for a human."""
    day: str = ""
    """When the game began, as YYYY-MM-DD; empty if unknown."""
    identity: int = 0
    """Equal for all snapshots and lines of one game in a session; 0 if unknown."""
    since: int = field(default=0, compare=False)
    """In a saved game: how many moves its line had when undo first stopped there."""
    is_counted: bool = False
    """Whether its result is already in the statistics."""
    is_unrated: bool = False
    """Whether its result must never count: it was opened, or a seat changed during the game."""

    @property
    def is_helped(self) -> bool:
        """Return whether a human had help: hints, values, moves taken back or by a bot."""
        return bool(self.hinted or self.takebacks or self.bot_moves or self.values_seen)

    @property
    def state(self) -> State:
        """Return the present state."""
        return self.state_at(len(self.actions))

    @property
    def mover(self) -> int:
        return mover(self.start) ^ len(self.actions) & 1

    def state_at(self, index: int) -> State:
        """Return the state after the first *index* actions, from 0 to len(actions)."""
        return self.start + sum(STEPS[action] for action in self.actions[:index])

    @property
    def is_over(self) -> bool:
        return is_terminal(self.state)

    @property
    def winner(self) -> int | None:
        """Return the seat that made the last move of a finished game; None before."""
        return 1 - self.mover if self.is_over else None

    @property
    def has_person(self) -> bool:
        """Return whether a human plays, rather than two bots."""
        return any(player.is_human for player in self.players)

    def continues(self, game: Self) -> bool:
        """Return whether this is the same game as *game*, and has all of its moves."""
        moves = self.actions[: len(game.actions)]
        return (self.identity, moves) == (game.identity, game.actions)

    def played(self, action: Action) -> Self:
        """Return the game after the legal *action*."""
        return replace(self, actions=(*self.actions, action))

    def until(self, index: int) -> Self:
        """Return the game with only its first *index* moves."""
        return replace(self, actions=self.actions[:index])


def today(now: float) -> str:
    """Return the local day of *now*, in seconds since 1970, as a game's `day`."""
    return time.strftime("%Y-%m-%d", time.localtime(now))
