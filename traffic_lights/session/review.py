"""Review: go through the mistakes of a game, and find a better move for each.

A mistake is a move that threw a win away or overlooked a win at once. In a lost
position, it is a move that let the opponent win at once or lost three moves too early.
A winning move solves it (the win at once, if there was one); in a lost position any
move does that is not such a mistake.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from traffic_lights.board.rules import STEPS, Action, mover
from traffic_lights.board.solver import Tablebase
from traffic_lights.players.game import Game
from traffic_lights.session.verdicts import Verdict, best_moves, judge


@dataclass(frozen=True, slots=True)
class Mistake:
    """One mistake of a game."""

    index: int
    """How many moves of the game led to the position before it."""
    verdict: Verdict


def find_mistakes(game: Game, tablebase: Tablebase) -> tuple[Mistake, ...]:
    """Return the mistakes of the persons in *game*; of both bots if no person plays."""
    mistakes: list[Mistake] = []
    state = game.start
    for index, action in enumerate(game.actions):
        if game.players[mover(state)].is_human or not game.has_person:
            verdict = judge(tablebase, state, action)
            if verdict.is_mistake:
                mistakes.append(Mistake(index, verdict))
        state += STEPS[action]
    return tuple(mistakes)


@dataclass(slots=True)
class Review:
    """The mistakes of one game, one or more, and which of them is on the board."""

    tablebase: Tablebase
    mistakes: tuple[Mistake, ...]
    number: int = 0
    """Which of the mistakes is on the board, from 0."""
    tried: Verdict | None = None
    """The last move tried there, with its refutation; None before the first."""
    _is_found: dict[int, bool] = field(default_factory=dict)
    """For each mistake that is solved: whether the player found the better move."""

    @property
    def mistake(self) -> Mistake:
        return self.mistakes[self.number]

    @property
    def index(self) -> int:
        """Return how many moves of the game led to the position on the board."""
        return self.mistake.index

    @property
    def is_solved(self) -> bool:
        """Return whether a better move was found or shown, so that nothing is spoiled any more."""
        return self.number in self._is_found

    @property
    def was_revealed(self) -> bool:
        """Return whether the solution was shown rather than found."""
        return self._is_found.get(self.number) is False

    @property
    def is_last(self) -> bool:
        return self.number + 1 == len(self.mistakes)

    @property
    def is_right(self) -> bool:
        """Return whether the last move tried solves the mistake on the board."""
        return self.tried is not None and not self.tried.is_mistake

    @property
    def solutions(self) -> tuple[Action, ...]:
        """Return the better moves: all winning ones, or the best defences."""
        state, wanted = self.mistake.verdict.state, self.mistake.verdict.best_distance
        winning = () if wanted == 1 else self.tablebase.winning_actions(state)
        return winning or tuple(move.action for move in best_moves(self.tablebase, state))

    def attempt(self, action: Action) -> bool:
        """Try the legal *action*; return whether it solves the mistake."""
        self.tried = judge(self.tablebase, self.mistake.verdict.state, action)
        if self.is_right:
            self._is_found.setdefault(self.number, True)
        return self.is_right

    def reveal(self) -> None:
        """Give up the mistake on the board: its solutions may be shown."""
        self._is_found.setdefault(self.number, False)

    def step(self, steps: int) -> bool:
        """Go *steps* mistakes on, or back if negative; return False if there is none."""
        if not 0 <= self.number + steps < len(self.mistakes):
            return False
        self.number += steps
        self.tried = None
        return True
