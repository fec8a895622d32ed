"""Solving puzzles: a puzzle with what came of it, the player's results, and the next puzzle.

`PuzzleRecord` holds the results of a player as a value, and `PuzzleSource` makes the next puzzle
from it.

>>> puzzle = Attempt(parse_position("1002/0100/0000"), move=10, tries=2)
>>> PuzzleRecord().counted(puzzle, "2026-11-23").solved
1
"""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date
from typing import Final, Self

from traffic_lights.board.rules import Action, State
from traffic_lights.board.symmetry import canonical
from traffic_lights.board.tablebase import shared_tablebase
from traffic_lights.play.game import format_position, parse_position
from traffic_lights.play.puzzles import HARDEST, PuzzleMaker, puzzle_of_the_day
from traffic_lights.play.verdicts import solutions, wins_in
from traffic_lights.storage.kinds import Flag, ListOf, Matching, TextLine, Whole, member

FIRST_DIFFICULTY: Final = 2
"""The difficulty of the first puzzle: a win in 2 moves."""
TO_RISE: Final = 2
"""After so many puzzles in a row, solved at the first try and without a hint, they get harder."""
DAYS_TO_SOLVE: Final = 2
"""A mistake of the player comes back until it is solved on so many different days."""
MOST_MISTAKES: Final = 200
"""So many of the mistakes are kept, the latest ones."""
OWN_EVERY: Final = 3
"""Every third puzzle is a mistake of the player, if one is left."""
OWN_LONGER: Final = 2
"""A mistake returns once its win takes at most so many moves more than the other puzzles."""


@dataclass(slots=True, eq=False)
class Attempt:
    """A position where the player looks for a winning move, and what came of it so far."""

    start: State
    """A position that the player to move wins."""
    day: str = ""
    """The day that the puzzle is for, as YYYY-MM-DD; empty unless it is the puzzle of a day."""
    is_own: bool = False
    """Whether the player has thrown this win away in a game."""
    is_easier: bool = False
    """Whether it is easier than the puzzle before, which the player did not solve at once."""
    lesson: int = 0
    """Which lesson it is, from 1; 0 if it is a puzzle."""
    move: Action | None = None
    """The winning move that was found or shown; None before."""
    tries: int = 0
    hints: int = 0
    """How many steps of help were given."""
    is_shown: bool = False
    """Whether the player asked for the solution."""
    steps_before: int = 0
    """How many of its tries and hints an earlier attempt made, which is in the results."""
    is_counted: bool = False
    """Whether this attempt, or one at the same puzzle, is in the results."""

    @property
    def is_over(self) -> bool:
        """Whether the move was found or shown."""
        return self.move is not None

    @property
    def is_begun(self) -> bool:
        """Whether it counts as tried if the player leaves it."""
        return self.tries + self.hints > self.steps_before or self.is_shown

    @property
    def is_clean(self) -> bool:
        """Whether it was solved at the first try and without help."""
        return self.is_over and self.tries == 1 and not self.hints and not self.is_shown


# --- results ---


@dataclass(frozen=True, slots=True)
class OwnMistake:
    """A position where the player threw a win away."""

    position: str = member(Matching("[0-3]{4}/[0-3]{4}/[0-3]{4}"))
    days: tuple[str, ...] = member(ListOf(TextLine(10)), ())
    """The days on which it was solved since."""

    @property
    def state(self) -> State:
        return parse_position(self.position)

    def is_due(self, today: str) -> bool:
        return len(self.days) < DAYS_TO_SOLVE and today not in self.days


@dataclass(frozen=True, slots=True)
class DailyResult:
    """What became of the puzzle of *day*."""

    day: str = member(TextLine(10), "")
    tries: int = member(Whole(), 0)
    hints: int = member(Whole(0, 3), 0)
    is_solved: bool = member(Flag(), False)
    is_shown: bool = member(Flag(), False)


@dataclass(frozen=True, slots=True)
class PuzzleRecord:
    """The results of a player with puzzles, and their mistakes, which return as puzzles."""

    tried: int = member(Whole(), 0)
    solved: int = member(Whole(), 0)
    streak: int = member(Whole(), 0)
    """How many puzzles in a row were solved at the first try and without a hint."""
    best_streak: int = member(Whole(), 0)
    difficulty: int = member(Whole(1, HARDEST), FIRST_DIFFICULTY)
    """The difficulty of the next puzzle, from 1 to HARDEST."""
    risen: int = member(Whole(0, TO_RISE), 0)
    """How many puzzles of this difficulty were solved at the first try since it changed."""
    has_fallen: bool = member(Flag(), False)
    """Whether the difficulty fell with the last puzzle that can change it."""
    daily: DailyResult = DailyResult()
    mistakes: tuple[OwnMistake, ...] = ()
    """The latest last."""
    lessons: tuple[int, ...] = member(ListOf(Whole(1)), ())
    """The lessons that are done, each by its number from 1."""

    def counted(self, attempt: Attempt, today: str) -> Self:
        """Return the results with those of *attempt*, which is over or was left."""
        if attempt.lesson:
            return replace(self, lessons=tuple(sorted({*self.lessons, attempt.lesson})))
        is_solved = attempt.is_over and not attempt.is_shown
        # Today's puzzle may have been left before, and the results cleared since.
        is_new = not attempt.day or attempt.day != self.daily.day
        streak = self.streak + 1 if attempt.is_clean else 0
        record = replace(
            self,
            tried=self.tried + 1 if is_new else self.tried,
            solved=self.solved + 1 if is_solved else self.solved,
            streak=streak,
            best_streak=max(self.best_streak, streak),
        )
        if attempt.day:
            daily = DailyResult(
                day=attempt.day,
                tries=attempt.tries,
                hints=attempt.hints,
                is_solved=is_solved,
                is_shown=attempt.is_shown,
            )
            return replace(record, daily=daily)
        if attempt.is_own:
            return record._with_solved(attempt.start, today) if is_solved else record
        return record._graded(attempt.is_clean)

    def _graded(self, is_clean: bool) -> Self:
        """Return the results with harder puzzles after a few clean ones, or easier after others."""
        if not is_clean:
            easier = max(1, self.difficulty - 1)
            return replace(self, difficulty=easier, risen=0, has_fallen=easier < self.difficulty)
        if self.risen + 1 < TO_RISE:
            return replace(self, risen=self.risen + 1, has_fallen=False)
        harder = min(HARDEST, self.difficulty + 1)
        return replace(self, difficulty=harder, risen=0, has_fallen=False)

    def _with_solved(self, state: State, today: str) -> Self:
        position = format_position(state)
        kept = []
        for one in self.mistakes:
            mistake = one
            if one.position == position and today not in one.days:
                mistake = replace(one, days=(*one.days, today))
            if len(mistake.days) < DAYS_TO_SOLVE:
                kept.append(mistake)
        return replace(self, mistakes=tuple(kept))

    def with_mistakes(self, states: Iterable[State]) -> Self:
        """Return the record with wins that were thrown away in *states*, as the latest mistakes.

        A mistake that is made again has to be solved on two more days.
        """
        mistakes = list(self.mistakes)
        for state in states:
            image = canonical(state)
            mistakes = [one for one in mistakes if canonical(one.state) != image]
            mistakes.append(OwnMistake(format_position(state)))
        return replace(self, mistakes=tuple(mistakes[-MOST_MISTAKES:]))

    def cleared(self) -> Self:
        """Return the record without the counts; the difficulty and the mistakes stay."""
        return replace(self, tried=0, solved=0, streak=0, best_streak=0, daily=DailyResult())


# --- the next puzzle ---


class PuzzleSource:
    """Makes the puzzles of one player, from a *seed*."""

    def __init__(self, seed: int) -> None:
        self._maker = PuzzleMaker(seed)
        self._own: deque[State] = deque(maxlen=MOST_MISTAKES)
        """The mistakes of the player that were shown, the latest last."""
        self._number: int | None = None
        """How many puzzles were tried before the first one of these, and shown since."""

    def next(self, record: PuzzleRecord, today: str) -> Attempt:
        """Return the next puzzle, of the difficulty in *record*, or a mistake in it.

        Takes 1 to 20 ms.
        """
        if self._number is None:
            self._number = record.tried
        self._number += 1
        if self._number % OWN_EVERY == 0:
            due = self._due(record, today)
            if due is not None:
                return due
        found = self._maker.next(lambda puzzle: puzzle.difficulty == record.difficulty)
        return Attempt(found.state, is_easier=record.has_fallen)

    def _due(self, record: PuzzleRecord, today: str) -> Attempt | None:
        """Return the mistake that was shown longest ago; of new ones, the nearest win."""
        tablebase = shared_tablebase()
        # A player who learns to see a win in 2 moves cannot see one in 12 yet.
        longest = 1 + record.difficulty // 2 + OWN_LONGER
        if record.difficulty == HARDEST:
            longest = tablebase.longest
        due = [one.state for one in record.mistakes if one.is_due(today)]
        # A file that was changed by hand may have positions that are not won.
        states = [state for state in due if 0 < wins_in(state) <= longest]
        if not states:
            return None
        last_shown = {state: place for place, state in enumerate(self._own)}

        def order(state: State) -> tuple[int, int]:
            return last_shown.get(state, -1), tablebase.get_distance(state)

        state = min(states, key=order)
        self._own.append(state)
        return Attempt(state, is_own=True)

    def of_the_day(self, record: PuzzleRecord, today: str) -> Attempt:
        """Return the puzzle of *today*, as far as it was tried already."""
        puzzle = puzzle_of_the_day(date.fromisoformat(today))
        attempt = Attempt(puzzle.state, day=today)
        if record.daily.day == today:
            done = record.daily
            attempt.tries = done.tries
            attempt.hints = done.hints
            attempt.is_shown = done.is_shown
            attempt.steps_before = done.tries + done.hints
            if done.is_solved or done.is_shown:
                (attempt.move,) = solutions(attempt.start)
                attempt.is_counted = True
        return attempt
