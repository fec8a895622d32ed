"""Review: go through the mistakes of a game, and find a better move for each.

A mistake is a move that threw a win away, overlooked a win at once, or in a
lost position let the opponent win at once or lost three moves too early. A
winning move solves it; if a line could have been completed, completing one
does; in a lost position any move does that is not such a mistake.
"""

from __future__ import annotations

from dataclasses import dataclass

from traffic_lights.board.rules import STEPS, Action, mover
from traffic_lights.board.solver import Tablebase
from traffic_lights.players.game import Game
from traffic_lights.session.verdicts import Verdict, best_moves, judge


@dataclass(frozen=True, slots=True)
class Mistake:
    """One mistake of a game."""

    index: int
    """How many moves of the game led to the position in which it was made."""
    verdict: Verdict


def find_mistakes(game: Game, tablebase: Tablebase) -> tuple[Mistake, ...]:
    """Return the mistakes of the persons in the moves that stand; of both bots if none plays."""
    mistakes: list[Mistake] = []
    state = game.start
    for index, action in enumerate(game.actions):
        if game.players[mover(state)].is_human or not game.has_person:
            verdict = judge(tablebase, state, action)
            if verdict.is_mistake:
                mistakes.append(Mistake(index, verdict))
        state += STEPS[action]
    return tuple(mistakes)


class Review:
    """The mistakes of one game, the one on the board, and what was tried there."""

    def __init__(self, tablebase: Tablebase, mistakes: tuple[Mistake, ...]) -> None:
        """Begin at the first of *mistakes*, of which there must be one."""
        self._tablebase = tablebase
        self.mistakes = mistakes
        self.number = 0
        """Which of the mistakes is on the board, from 0."""
        self.tried: Verdict | None = None
        """The last move tried there, with its refutation; None before the first."""
        self._solved: set[int] = set()
        self._revealed: set[int] = set()

    @property
    def mistake(self) -> Mistake:
        """Return the mistake on the board."""
        return self.mistakes[self.number]

    @property
    def index(self) -> int:
        """Return how many moves of the game led to the position on the board."""
        return self.mistake.index

    @property
    def is_solved(self) -> bool:
        """Return whether a better move was found or shown: nothing can be spoiled any more."""
        return self.number in self._solved or self.number in self._revealed

    @property
    def is_last(self) -> bool:
        """Return whether no mistake comes after the one on the board."""
        return self.number + 1 == len(self.mistakes)

    @property
    def was_revealed(self) -> bool:
        """Return whether the solution was shown rather than found."""
        return self.number in self._revealed

    @property
    def is_complete(self) -> bool:
        """Return whether every mistake is solved or shown."""
        return len(self._solved | self._revealed) == len(self.mistakes)

    @property
    def solutions(self) -> tuple[Action, ...]:
        """Return the moves that were better than the mistake; show them only when it is solved.

        They are the winning moves, or those that win at once if there are any, or
        the best moves of a lost position.
        """
        state, wanted = self.mistake.verdict.state, self.mistake.verdict.best_distance
        winning = () if wanted == 1 else self._tablebase.winning_actions(state)
        return winning or tuple(move.action for move in best_moves(self._tablebase, state))

    @property
    def is_right(self) -> bool:
        """Return whether the last move tried solves the mistake on the board."""
        return self.tried is not None and not self.tried.is_mistake

    def attempt(self, action: Action) -> bool:
        """Try the legal *action*; return whether it solves the mistake."""
        self.tried = judge(self._tablebase, self.mistake.verdict.state, action)
        if self.is_right and self.number not in self._revealed:
            self._solved.add(self.number)
        return self.is_right

    def reveal(self) -> None:
        """Give the mistake on the board up: its solutions may be shown."""
        self._revealed.add(self.number)

    def step(self, steps: int) -> bool:
        """Go *steps* mistakes on, or back if negative; return False if there is none."""
        if not 0 <= self.number + steps < len(self.mistakes):
            return False
        self.number += steps
        self.tried = None
        return True
