"""Undo and redo without limit: within a game, and from one game or line to another.

The timeline is the present `Game` between two stacks of games: `earlier` ones
that undo brings back once no move is left to take back, and `later` ones that
redo brings back once no move is left to replay. So a new game is undone like a
move. A move that departs from moves taken back puts the old line on the later
stack, where redo finds it: nothing that was played is lost by one key. So does
a change of seats, and who played the old line stays with it.

Undo always shortens the game or the earlier stack, redo lengthens the game or
shortens the later stack, so repeating either ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from traffic_lights.board.rules import EMPTY_BOARD, Action, State, mover
from traffic_lights.players.game import Game, Player

MOST_GAMES: Final = 50
"""Each stack keeps this many games and forgets the oldest beyond."""


class Timeline:
    """The present game, and what undo and redo can bring back."""

    def __init__(
        self, game: Game, earlier: Iterable[Game] = (), later: Iterable[Game] = ()
    ) -> None:
        self.game = game
        self._earlier = list(earlier)[-MOST_GAMES:]
        self._later = list(later)[-MOST_GAMES:]

    @property
    def earlier(self) -> tuple[Game, ...]:
        """Return the games that undo can still bring back, the next one last."""
        return tuple(self._earlier)

    @property
    def later(self) -> tuple[Game, ...]:
        """Return the games that redo can still bring back, the next one last."""
        return tuple(self._later)

    def begin(self, game: Game) -> None:
        """Make *game* the present one; undo brings the old one back, then what redo had.

        Nothing is to be redone afterwards. Games without a move are forgotten.
        """
        for left in (*self._later, self.game):
            if left.actions or left.start != EMPTY_BOARD:
                self._push(self._earlier, left)
        self._later.clear()
        self.game = game

    def play(self, action: Action, index: int) -> bool:
        """Play the legal *action* after the first *index* moves; return whether a line was left.

        A line left goes on the later stack. Repeating the move that was taken
        back there leaves nothing.
        """
        game = self.game
        if game.actions[index : index + 1] == (action,):
            self.game = replace(game, present=index + 1)
            return False
        has_left = index < len(game.actions)
        if has_left:
            # Looked back at, the line stands as it stood; taken back, as it was before.
            present = game.present if game.present > index else len(game.actions)
            self._push(self._later, replace(game, present=present))
        self.game = replace(
            self._taken_back_to(index),
            actions=(*game.actions[:index], action),
            present=index + 1,
            seated=(min(game.seated[0], index), min(game.seated[1], index)),
        )
        return has_left

    def seat(self, players: tuple[Player, Player]) -> None:
        """Let *players* go on from the moves that stand; a line taken back goes on the later stack.

        Once a move was made, the result of such a game counts for nobody.
        """
        game, here = self.game, self.game.present
        if players == game.players:
            return
        if game.taken_back:
            self._push(self._later, replace(game, present=len(game.actions)))
        stays = [old == new for old, new in zip(game.players, players, strict=True)]
        one, other = (min(game.seated[seat], here) if stays[seat] else here for seat in (0, 1))
        self.game = replace(game, players=players, actions=game.standing, seated=(one, other))
        if here > 0:
            self.game = replace(self.game, is_counted=True, is_unrated=True)

    def undo_target(self) -> int | None:
        """Return how many moves would stand after an undo within the game; None if none could.

        Against a bot that is the last position in which the person chose; of
        two persons, or two bots, one move.
        """
        game = self.game
        for index in range(game.present - 1, -1, -1):
            if self._is_stop(index):
                return index
        return None

    def redo_target(self) -> int | None:
        """Return how many moves would stand after a redo within the game; None if none could."""
        game = self.game
        for index in range(game.present + 1, len(game.actions) + 1):
            if index == len(game.actions) or self._is_stop(index):
                return index
        return None

    def _is_stop(self, index: int) -> bool:
        players = self.game.players
        seat = mover(self.game.start) ^ (index & 1)
        return players[seat].is_human or not any(player.is_human for player in players)

    @property
    def can_undo(self) -> bool:
        """Return whether `undo` would do something."""
        return self.undo_target() is not None or bool(self._earlier)

    @property
    def can_redo(self) -> bool:
        """Return whether `redo` would do something."""
        return self.redo_target() is not None or bool(self._later)

    def undo(self) -> bool:
        """Take back to the person's last choice, else bring the earlier game back."""
        target = self.undo_target()
        if target is not None:
            self.game = self._taken_back_to(target)
        elif self._earlier:
            self._push(self._later, self.game)
            self.game = _sharing_help(self._earlier.pop(), self.game)
        else:
            return False
        return True

    def redo(self) -> bool:
        """Replay up to the person's next choice, else bring the later game or line back."""
        target = self.redo_target()
        if target is not None:
            self.game = replace(self.game, present=target)
        elif self._later:
            self._push(self._earlier, self.game)
            self.game = _sharing_help(self._later.pop(), self.game)
        else:
            return False
        return True

    def stand_at(self, index: int) -> None:
        """Let only the first *index* moves stand; the others can be redone."""
        self.game = self._taken_back_to(index)

    def _taken_back_to(self, index: int) -> Game:
        """Return the game with *index* moves standing; fewer count as taken back by a person."""
        game = self.game
        is_help = index < game.present and any(player.is_human for player in game.players)
        return replace(game, present=index, takebacks=game.takebacks + is_help)

    @staticmethod
    def _push(stack: list[Game], game: Game) -> None:
        stack.append(game)
        del stack[:-MOST_GAMES]


def renumbered(games: Iterable[Game], identities: Iterator[int]) -> list[Game]:
    """Return *games* with new *identities*; those of one game, whose number is not 0, share one."""
    known: dict[int, int] = {}
    found: list[Game] = []
    for game in games:
        identity = known.get(game.identity) or next(identities)
        if game.identity:
            known[game.identity] = identity
        found.append(replace(game, identity=identity))
    return found


def _sharing_help(game: Game, other: Game) -> Game:
    """Return *game* with the help and the count of *other*, if both are lines of one game.

    Otherwise leaving a line would hide the hints that were asked in it.
    """
    if game.identity != other.identity:
        return game
    steps: dict[State, int] = dict(game.hinted)
    for state, step in other.hinted:
        steps[state] = max(step, steps.get(state, 0))
    return replace(
        game,
        hinted=tuple(steps.items()),
        takebacks=max(game.takebacks, other.takebacks),
        bot_moves=max(game.bot_moves, other.bot_moves),
        values_seen=game.values_seen or other.values_seen,
        is_counted=game.is_counted or other.is_counted,
        is_unrated=game.is_unrated or other.is_unrated,
    )
