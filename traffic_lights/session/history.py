"""The history of a session: one line of games through which undo and redo move.

Nothing is ever removed, so redo still reaches the line of play that a new move leaves.

>>> game = Game()
>>> history = History([game, game.played(0)])
>>> history.add(game.played(5))
>>> [one.actions for one in history.games], history.at
([(), (5,), (0,)], 1)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

from traffic_lights.board.rules import EMPTY_BOARD, Action
from traffic_lights.players.game import Game

Lines: TypeAlias = tuple[Game, ...]

MOST_LINES: Final = 50
"""So many lines of earlier and of later games are saved; those furthest away are forgotten."""


@dataclass(slots=True)
class History:
    """A snapshot of the game after every change, and the place of the present one."""

    games: list[Game]
    at: int = 0

    @property
    def present(self) -> Game:
        return self.games[self.at]

    def add(self, game: Game) -> None:
        """Make *game* the present one; if redo would bring just this one, redo."""
        self.at += 1
        if self.games[self.at : self.at + 1] != [game]:
            self.games.insert(self.at, game)

    def put(self, game: Game) -> None:
        """Do the same, but in place of a game without moves, which needs no step of undo."""
        if not self.present.actions and self.present.start == EMPTY_BOARD:
            self.games[self.at] = game
        else:
            self.add(game)

    def note(self, **help_taken: Any) -> None:
        """Record help in every snapshot of this game, so that undo hides none of it."""
        identity = self.present.identity
        self.games = [
            replace(game, **help_taken) if game.identity == identity else game
            for game in self.games
        ]

    @property
    def undo_place(self) -> int:
        """Return the place that undo goes to: against a bot, a full round back."""
        places = reversed(range(self.at))
        return next((place for place in places if self._is_stop(self.games[place])), self.at)

    @property
    def redo_place(self) -> int:
        """Return the place that redo goes to."""
        last = len(self.games) - 1
        for place in range(self.at + 1, last):
            game, after = self.games[place : place + 2]
            if self._is_stop(game) or not after.continues(game):
                return place
        return last

    def _is_stop(self, game: Game) -> bool:
        """Return whether undo and redo stop at *game*: a choice of a human, or another game."""
        is_other = game.identity != self.present.identity or not game.has_person
        return is_other or game.is_over or game.players[game.mover].is_human

    def place_of(self, game: Game) -> int:
        """Return the last place of *game* before the present one; if it has none, make one."""
        places = [place for place in range(self.at) if self.games[place] == game]
        if not places:  # other players sat there, or the snapshot was not saved
            places = [self.at]
            self.games.insert(self.at, game)
            self.at += 1
        return places[-1]

    @property
    def taken_back(self) -> tuple[Action, ...]:
        """The moves of this game that redo would play again, in order."""
        game = self.present
        for later in self.games[self.at + 1 :]:
            if not later.continues(game) or len(later.actions) != len(game.actions) + 1:
                break
            game = later
        return game.actions[len(self.present.actions) :]

    def saved(self) -> tuple[Game, Lines, Lines]:
        """Return the present game, and lines of earlier and later ones: the next one last."""
        *earlier, game = _lines_of(self.games[: self.at + 1])
        later = _lines_of(self.games[self.at + 1 :])[:MOST_LINES]
        return game, tuple(earlier[-MOST_LINES:]), tuple(reversed(later))


def restored(game: Game, earlier: Lines = (), later: Lines = ()) -> History:
    """Return the history that `History.saved` took together."""
    past = _snapshots_of([*earlier, game])
    return History(past + _snapshots_of(reversed(later)), len(past) - 1)


def _lines_of(snapshots: Iterable[Game]) -> list[Game]:
    """Return one game for each run of single moves: its last one, with the start in `since`."""
    lines: list[Game] = []
    for game in snapshots:
        if lines and game.actions and game.until(-1) == lines[-1]:
            lines[-1] = replace(game, since=lines[-1].since)
        else:
            lines.append(replace(game, since=len(game.actions)))
    return lines


def _snapshots_of(lines: Iterable[Game]) -> list[Game]:
    return [game.until(n) for game in lines for n in range(game.since, len(game.actions) + 1)]
