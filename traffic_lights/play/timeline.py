"""The games of a session as snapshots, for undo and redo across moves, games and seats.

>>> game = Game()
>>> timeline = Timeline([game, game.played(0)])
>>> timeline.add(game.played(5))
>>> [one.actions for one in timeline.games], timeline.at
([(), (5,), (0,)], 1)
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Final, Self

from traffic_lights.board.rules import EMPTY_BOARD, Action
from traffic_lights.play.game import Game

MOST_LINES: Final = 50
"""So many lines of earlier and of later games are saved; those furthest away are forgotten."""


@dataclass(slots=True)
class Timeline:
    """A snapshot of the game after every change, and the place of the present one.

    Nothing is ever removed, so redo still reaches the line of play that a new move leaves. Redo
    stays inside its game; the list of games leads to the others.
    """

    games: list[Game]
    at: int = 0

    @property
    def present(self) -> Game:
        """The game as it is now."""
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
        """Return the place that redo goes to, which is always one of the same game."""
        places = self._later_places()
        for place, following in pairwise(places):
            game = self.games[place]
            if self._is_stop(game) or not self.games[following].continues(game):
                return place
        return places[-1] if places else self.at

    def _later_places(self) -> list[int]:
        """Return the places of the present game after its present state."""
        later = range(self.at + 1, len(self.games))
        identity = self.present.identity
        return [place for place in later if self.games[place].identity == identity]

    @property
    def other_games(self) -> list[int]:
        """Return a place of each other game with a move, the newest game first.

        It is the last place where the game is over, or otherwise that of its most moves.
        """
        best: dict[int, int] = {}
        for place, game in enumerate(self.games):
            if not game.actions or game.identity == self.present.identity:
                continue
            before = best.get(game.identity)
            if before is None or _completeness(game) >= _completeness(self.games[before]):
                best[game.identity] = place
        return [best[identity] for identity in sorted(best, reverse=True)]

    def _is_stop(self, game: Game) -> bool:
        """Return whether undo and redo stop at *game*: a choice of a human, or another game."""
        is_other = game.identity != self.present.identity or not game.has_person
        return is_other or game.is_over or game.players[game.mover].is_human

    @property
    def has_changed_players(self) -> bool:
        """Whether others sat at the present game after its first move."""
        present = self.present
        same = [game for game in self.games if game.identity == present.identity]
        return any(game.actions and game.players != present.players for game in same)

    def place_of(self, game: Game) -> int:
        """Return the last place of *game* before the present one; if it has none, make one."""
        if game not in self.games[: self.at]:  # other players sat there, or it was not saved
            self.games.insert(self.at, game)
            self.at += 1
        return max(place for place in range(self.at) if self.games[place] == game)

    @property
    def taken_back(self) -> tuple[Action, ...]:
        """The moves of this game that redo would play again, in order."""
        game = self.present
        for place in self._later_places():
            later = self.games[place]
            if not later.continues(game) or len(later.actions) != len(game.actions) + 1:
                break
            game = later
        return game.actions[len(self.present.actions) :]

    @classmethod
    def restored(cls, game: Game, earlier: Sequence[Game], later: Sequence[Game]) -> Self:
        """Return the timeline whose `saved` returned these."""
        past = _snapshots_of([*earlier, game])
        return cls(past + _snapshots_of(reversed(later)), len(past) - 1)

    def saved(self) -> tuple[Game, list[Game], list[Game]]:
        """Return the present game, and lines of earlier and later ones: the next one last."""
        *earlier, game = _lines_of(self.games[: self.at + 1])
        later = _lines_of(self.games[self.at + 1 :])[:MOST_LINES]
        return game, earlier[-MOST_LINES:], later[::-1]


def _completeness(game: Game) -> tuple[bool, int]:
    return game.is_over, len(game.actions)


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
