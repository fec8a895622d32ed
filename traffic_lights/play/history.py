"""The games of a session: their moves, and in the present game those that were taken back.

>>> history = History()
>>> history.play(5), history.play(6)
(False, False)
>>> history.undo(), history.present.actions, history.taken_back
(False, (5,), (6,))
>>> history.begin(Game()), history.undo(), history.present.actions
(None, True, (5, 6))
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, Final

from traffic_lights.board.rules import EMPTY_BOARD, Action
from traffic_lights.play.game import Game, Player

MOST_GAMES: Final = 50
"""So many games are kept besides the present one; the oldest are forgotten."""


class History:
    """A list of games, the present one last. Undo and redo go through its moves."""

    def __init__(self) -> None:
        self.games: tuple[Game, ...] = (Game(),)
        self.taken_back: tuple[Action, ...] = ()
        """The moves of the present game that redo would play again, in order."""
        self._undone: Game | None = None
        """The new game that undo has just left for the one before; redo brings it back."""
        self.changes = 0
        """How often anything changed, so that only changes are saved."""

    @property
    def present(self) -> Game:
        """The game as it is now."""
        return self.games[-1]

    @property
    def saved(self) -> tuple[Game, tuple[Game, ...], tuple[Action, ...]]:
        """What `restore` takes."""
        return self.present, self.games[:-1], self.taken_back

    def restore(
        self, game: Game, others: Iterable[Game] = (), taken_back: Iterable[Action] = ()
    ) -> None:
        """Make *game* the present one, with *others* before it, and moves *taken_back*."""
        self._put(*others, game, taken_back=tuple(taken_back))

    def _put(
        self, *games: Game, taken_back: tuple[Action, ...] = (), undone: Game | None = None
    ) -> None:
        self.games = games[-MOST_GAMES - 1 :]
        self.taken_back = taken_back
        self._undone = undone
        self.changes += 1

    @property
    def _whole(self) -> Game:
        """The present game with the moves that were taken back."""
        return replace(self.present, actions=self.present.actions + self.taken_back)

    @property
    def _left(self) -> tuple[Game, ...]:
        """All games, as they are kept when another becomes the present one."""
        whole = self._whole
        is_empty = not whole.actions and whole.start == EMPTY_BOARD
        return self.games[:-1] if is_empty else (*self.games[:-1], whole)

    # --- games ---

    def begin(self, game: Game) -> None:
        """Make *game* the present one."""
        self._put(*self._left, game)

    def note(self, **changes: Any) -> None:
        """Change what is noted of the present game, such as the help in it."""
        present = replace(self.present, **changes)
        self._put(*self.games[:-1], present, taken_back=self.taken_back, undone=self._undone)

    def change_players(self, changed: Callable[[Player], Player]) -> None:
        """Put what *changed* returns of each player of all games in its place."""

        def seated(game: Game) -> Game:
            one, other = map(changed, game.players)
            return replace(game, players=(one, other))

        undone = None if self._undone is None else seated(self._undone)
        self._put(*map(seated, self.games), taken_back=self.taken_back, undone=undone)

    @property
    def others(self) -> list[Game]:
        """The other games that have a move, the one that was left last first."""
        return [game for game in reversed(self.games[:-1]) if game.actions]

    def bring_back(self, game: Game) -> None:
        """Make *game*, one of `others`, the present one."""
        self._put(*(other for other in self._left if other is not game), game)

    # --- moves ---

    def play(self, action: Action) -> bool:
        """Make the move *action*; return whether a finished game that it leaves is kept."""
        played = self.present.played(action)
        if self.taken_back[:1] == (action,):
            self._put(*self.games[:-1], played, taken_back=self.taken_back[1:])
            return False
        is_kept = bool(self.taken_back) and self._whole.is_over
        self._put(*(self._left if is_kept else self.games[:-1]), played)
        return is_kept

    def branch(self, index: int) -> None:
        """Go on after *index* moves; the game as it is becomes another game."""
        self._put(*self._left, self._taken_back_to(index))

    def _taken_back_to(self, index: int) -> Game:
        game = self.present
        return replace(game.until(index), takebacks=game.takebacks + game.has_person)

    def _is_stop(self, index: int) -> bool:
        """Return whether undo and redo stop after *index* moves: a human chooses there."""
        game = self._whole
        return not game.has_person or game.players[game.until(index).mover].is_human

    @property
    def _undo_to(self) -> int | None:
        """How many moves undo leaves, against a bot a full round less; None if there are none."""
        indices = reversed(range(len(self.present.actions)))
        return next((index for index in indices if self._is_stop(index)), None)

    @property
    def can_undo(self) -> bool:
        """Whether there is a move to take back, or a game before one without a choice so far."""
        is_new = not self.taken_back and len(self.games) > 1
        return is_new or self._undo_to is not None

    def undo(self) -> bool:
        """Take back a round; straight after New Game, bring the last game back, and return True."""
        index = self._undo_to
        if index is None:
            self._put(*self.games[:-1], undone=self.present)
            return True
        taken_back = self._whole.actions[index:]
        self._put(*self.games[:-1], self._taken_back_to(index), taken_back=taken_back)
        return False

    @property
    def can_redo(self) -> bool:
        """Whether there is something that redo would bring back."""
        return bool(self.taken_back) or self._undone is not None

    def redo(self) -> None:
        """Play again what was taken back, up to the next choice of a human."""
        if self._undone is not None:
            self._put(*self.games, self._undone)
            return
        actions = self._whole.actions
        indices = range(len(self.present.actions) + 1, len(actions))
        index = next((index for index in indices if self._is_stop(index)), len(actions))
        present = replace(self.present, actions=actions[:index])
        self._put(*self.games[:-1], present, taken_back=actions[index:])
