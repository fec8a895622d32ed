"""Puzzles: positions with exactly one winning move, from games that are played when wanted.

The games are played between Random and Myopic, so their positions look natural. A seed decides
all of them. How hard a puzzle is follows from two exact numbers: how many moves the win takes,
and how many other moves look safe.

>>> from traffic_lights.board.rules import format_board, format_cell
>>> puzzle = next(puzzles(seed=1))
>>> format_board(puzzle.state), format_cell(puzzle.best), puzzle.wins_in
('133132032032', 'd3', 2)
>>> puzzle == next(puzzles(seed=1)), puzzle_of_the_day(date(2026, 11, 23)).wins_in
(True, 4)
"""

import random
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Final

from traffic_lights.board.baselines import myopic_actions, quiet_actions
from traffic_lights.board.rules import (
    EMPTY_BOARD,
    STEPS,
    Action,
    State,
    is_terminal,
    legal_actions,
)
from traffic_lights.board.symmetry import canonical
from traffic_lights.board.tablebase import moves_of_winner, shared_tablebase

LONGEST_WIN: Final = 12
"""The most moves to the win that a puzzle takes."""
HARDEST: Final = 11
"""The highest difficulty; 1 is the lowest."""
DAILY: Final = range(5, 8)
"""The difficulties of the puzzle of the day, which wins in 3 or 4 moves."""
APART: Final = 200
"""Of so many puzzles in a row, no two are the same or mirror images."""
_PATIENCE: Final = 20
"""After so many repeated puzzles in a row all are allowed again, because few others may exist."""


@dataclass(frozen=True, slots=True)
class PuzzlePosition:
    """A position with exactly one winning move."""

    state: State
    best: Action
    """The one move that wins."""
    wins_in: int
    """How many moves the winner needs, from 1 to LONGEST_WIN."""
    decoys: int
    """How many other moves look safe: the opponent cannot complete a line right after them."""

    @property
    def difficulty(self) -> int:
        """How hard it is, from 1 to HARDEST.

        There are two grades for each length of the win up to 6 moves: few decoys, and many.
        Wins at once have one grade, because a line that can be completed has no decoys.
        """
        length = min(self.wins_in, 1 + HARDEST // 2)
        has_many = self.decoys >= length - 1
        return 2 * (length - 1) + int(has_many)


def puzzle_at(state: State) -> PuzzlePosition | None:
    """Return the puzzle that the live *state* is; None if not exactly one move wins."""
    tablebase = shared_tablebase()
    winning = tablebase.winning_actions(state)
    if len(winning) != 1:
        return None
    distance = tablebase.get_distance(state)
    # The winning move looks safe too, unless it ends the game: then nothing else is looked at.
    decoys = len(quiet_actions(state)) - 1 if distance > 1 else 0
    return PuzzlePosition(state, winning[0], moves_of_winner(distance), decoys)


def natural_puzzles(seed: int) -> Iterator[list[PuzzlePosition]]:
    """Yield the puzzles of each game of an endless row, in the order of play.

    In each game, a lot decides for each seat whether Random or Myopic plays. The same seed gives
    the same puzzles with every version of Python.
    """
    # Python guarantees this of `random.random` alone, and of no other method that draws.
    draw = random.Random(seed).random
    policies = (legal_actions, myopic_actions)
    while True:
        mover = policies[int(2 * draw())]
        opponent = policies[int(2 * draw())]
        state = EMPTY_BOARD
        found = []
        while not is_terminal(state):
            puzzle = puzzle_at(state)
            if puzzle is not None:
                found.append(puzzle)
            actions = mover(state)
            state += STEPS[actions[int(len(actions) * draw())]]
            mover, opponent = opponent, mover
        yield found


class PuzzleMaker:
    """An endless supply of puzzles from one seed; of 200 in a row, all are different.

    Each comes from another game, because two of one game look alike. A puzzle takes 1 to 20 ms, or
    0.3 s if it wins in 12 moves. Puzzles that win in 10 moves or more are so few that they come
    again earlier.
    """

    def __init__(self, seed: int) -> None:
        self._found = natural_puzzles(seed)
        self._recent: deque[State] = deque(maxlen=APART - 1)

    def next(self, fits: Callable[[PuzzlePosition], bool]) -> PuzzlePosition:
        """Return the next puzzle that *fits*, which must hold for some."""
        repeated = 0
        for game in self._found:
            puzzle = next(filter(fits, game), None)
            if puzzle is None:
                continue
            image = canonical(puzzle.state)
            if image in self._recent:
                repeated += 1
                if repeated <= _PATIENCE:
                    continue
                self._recent.clear()
            self._recent.append(image)
            return puzzle
        raise AssertionError("the games are endless")


def puzzles(seed: int, wins_in: int | None = None) -> Iterator[PuzzlePosition]:
    """Yield the puzzles of *seed*, endlessly; with *wins_in*, 1 to LONGEST_WIN, those alone."""
    maker = PuzzleMaker(seed)
    while True:
        yield maker.next(lambda puzzle: wins_in in (None, puzzle.wins_in))


def puzzle_of_the_day(day: date) -> PuzzlePosition:
    """Return the puzzle of *day*, the same on every machine; takes about 5 ms."""
    return PuzzleMaker(day.toordinal()).next(lambda puzzle: puzzle.difficulty in DAILY)
