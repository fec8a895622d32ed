"""Tasks: positions where the player looks for a good move, as values; results; the next puzzle.

A puzzle, a lesson and a mistake under review are the same value: a right move is made, a wrong one
is judged. `PuzzleRecord` holds the results of a player, and `PuzzleSource` makes the next puzzle.

>>> puzzle = puzzle_task(parse_position("1002/0100/0000"), CountsAs.PUZZLE)
>>> wrong, right = puzzle.answered(0), puzzle.answered(10)
>>> wrong.is_over, wrong.refuted, right.is_over, right.is_clean
(False, (0,), True, True)
>>> PuzzleRecord().counted(right).streak
1
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from enum import Enum
from typing import Any, Final, Self

from traffic_lights.board.rules import STEPS, Action, State, format_cell, is_terminal
from traffic_lights.board.symmetry import canonical
from traffic_lights.board.tablebase import shared_tablebase
from traffic_lights.play import texts
from traffic_lights.play.game import format_position, parse_position, tidied
from traffic_lights.play.lessons import LESSONS
from traffic_lights.play.puzzles import HARDEST, PuzzleMaker, puzzle_of_the_day
from traffic_lights.play.verdicts import (
    Hint,
    Verdict,
    hint,
    judge,
    puzzle_hint,
    recommended,
    solutions,
    wins_in,
)
from traffic_lights.storage import words
from traffic_lights.storage.kinds import Flag, ListOf, Matching, TextLine, Whole, member, record_of

TO_RISE: Final = 2
"""After so many puzzles in a row, solved at the first try and without a hint, they get harder."""
MOST_MISTAKES: Final = 200
"""So many of the mistakes are kept, the latest ones."""
OWN_EVERY: Final = 3
"""Every third puzzle is a mistake of the player, if one is left."""
OWN_LONGER: Final = 2
"""A mistake returns once its win takes at most so many moves more than the other puzzles."""


class CountsAs(Enum):
    """What the results make of a task."""

    PUZZLE = "a puzzle of the player's level"
    OWN = "a mistake of the player"
    TODAY = "the puzzle of the day"
    LESSON = "a lesson"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Task:
    """A position where the player looks for a good move, and what came of it so far.

    The position is won, unless a mistake is under review. A wrong move is not made.
    """

    start: State
    title: str
    """What stands over it: ``You win in 2. Find the winning move.``"""
    text: str = ""
    """What there is to add before the first try."""
    learned: str = ""
    """What is said at the end of a lesson."""
    counts_as: CountsAs = CountsAs.NOTHING
    first: str = "todays_puzzle"
    """The command of the first button."""
    then: str = "puzzle"
    """The command that follows, which Next runs too: one that begins another task, *next_task* for
    the next in a list, or *leave*."""
    day: str = ""
    """The day of the puzzle of a day, as YYYY-MM-DD."""
    number: int = 0
    """Which lesson it is, or after how many moves of the game the mistake was made; from 0."""
    slip: Verdict | None = None
    """The mistake of the game that is under review."""
    is_played_out: bool = False
    """Whether the player goes on to the end of the game, against best play.

    Then it is over at the end alone, and each move has its own hints.
    """
    reply: Action | None = None
    """The reply of best play to the first move that shows it best; None if any does."""
    moves: tuple[Action, ...] = ()
    """The moves that were found or shown, and the replies to them."""
    tried: Verdict | None = None
    """The last move that was tried or shown."""
    refuted: tuple[Action, ...] = ()
    """The wrong moves that were tried in the position on the board."""
    tries: int = 0
    hints: int = 0
    """How many steps of help were given; in a lesson, for the present move."""
    is_shown: bool = False
    """Whether the player asked for the solution."""
    is_last_shown: bool = False
    """Whether the last move that was made was shown, and not found."""
    is_counted: bool = False
    """Whether it is in the results."""

    @property
    def state(self) -> State:
        """The position on the board."""
        return self.start + sum(STEPS[action] for action in self.moves)

    @property
    def is_over(self) -> bool:
        """Whether the move was found or shown; a lesson goes on to the end of the game."""
        return is_terminal(self.state) if self.is_played_out else bool(self.moves)

    @property
    def is_answered(self) -> bool:
        """Whether the opponent has replied to the last move, as in a lesson."""
        return bool(self.moves) and len(self.moves) % 2 == 0

    @property
    def has_result(self) -> bool:
        """Whether it asked for a single move, which was found or shown."""
        return self.is_over and not self.is_played_out

    @property
    def done_text(self) -> str:
        """That it is done, and what follows; empty before."""
        follows = "Your game is waiting." if self.then == "leave" else "Next shows another."
        return f"This is done. {follows}" if self.is_over else ""

    @property
    def has_to_count(self) -> bool:
        """Whether it is to be counted now, or would be if it were left."""
        return not self.is_counted and bool(self.is_over or self.tries or self.hints)

    @property
    def is_clean(self) -> bool:
        """Whether it was solved at the first try and without help."""
        return self.is_over and self.tries == 1 and not self.hints and not self.is_shown

    @property
    def solutions(self) -> tuple[Action, ...]:
        """The moves that the player looks for, or has found."""
        return solutions(self.start if self.is_over else self.state)

    def answered(self, action: Action) -> Self:
        """Return the task after the legal *action* was tried; a right one is made."""
        tried = judge(self.state, action)
        task = replace(self, tried=tried, tries=self.tries + 1, is_last_shown=False)
        if tried.is_mistake:
            return replace(task, refuted=(*self.refuted, action))
        return task._made(tried)

    def revealed(self) -> Self:
        """Return the task after the recommended move was shown and made."""
        shown = replace(self, is_shown=True, is_last_shown=True)
        return shown._made(recommended(self.state))

    def _made(self, move: Verdict) -> Self:
        reply = move.replies[:1] if self.is_played_out else ()
        if self.reply is not None and not self.moves:
            reply = (self.reply,)
        hints = 0 if self.is_played_out else self.hints
        moves = (*self.moves, move.action, *reply)
        return replace(self, tried=move, moves=moves, refuted=(), hints=hints)

    def hinted(self) -> Self:
        """Return the task with one more step of help given."""
        return replace(self, hints=min(self.hints + 1, 3))

    @property
    def hint(self) -> Hint:
        """The step of help that was given last."""
        if not wins_in(self.state):
            return hint(self.state, self.hints)
        slips = () if self.slip is None else (self.slip.action,)
        return puzzle_hint(self.state, self.hints, (*slips, *self.refuted))


# --- results ---


@dataclass(frozen=True, slots=True)
class Daily:
    """What became of the puzzle of *day*."""

    day: str = member(TextLine(10), "")
    tries: int = member(Whole(), 0)
    is_over: bool = member(Flag(), False)
    is_shown: bool = member(Flag(), False)


@dataclass(frozen=True, slots=True)
class PuzzleRecord:
    """The results of a player with puzzles, and their mistakes, which return as puzzles."""

    streak: int = member(Whole(), 0)
    """How many puzzles in a row were solved at the first try and without a hint."""
    difficulty: int = member(Whole(1, HARDEST), 1)
    """The difficulty of the next puzzle, from 1 to HARDEST."""
    is_easier: bool = member(Flag(), False)
    """Whether the next puzzle is easier than the one before, which was not solved at once."""
    daily: Daily = member(record_of(Daily), Daily())
    mistakes: tuple[str, ...] = member(ListOf(Matching("[0-3]{4}/[0-3]{4}/[0-3]{4}")), ())
    """The positions where the player threw a win away, the latest last."""
    lessons: tuple[int, ...] = member(ListOf(Whole(0, len(LESSONS) - 1)), ())
    """The lessons that are done, each by its number from 0."""

    def counted(self, task: Task) -> Self:
        """Return the results with those of *task*, which is over or was left."""
        is_solved = task.is_over and not task.is_shown
        if task.counts_as is CountsAs.TODAY:
            daily = Daily(task.day, task.tries, task.is_over, task.is_shown)
            return replace(self, daily=daily)
        if task.counts_as is CountsAs.PUZZLE:
            streak = self.streak + 1 if task.is_clean else 0
            step = int(streak % TO_RISE == 0) if streak else -1
            difficulty = min(max(1, self.difficulty + step), HARDEST)
            is_easier = difficulty < self.difficulty
            return replace(self, streak=streak, difficulty=difficulty, is_easier=is_easier)
        if task.counts_as is CountsAs.LESSON and is_solved:
            return replace(self, lessons=tuple(sorted({*self.lessons, task.number})))
        if task.counts_as is CountsAs.OWN and is_solved:
            solved = format_position(task.start)
            left = tuple(one for one in self.mistakes if one != solved)
            return replace(self, mistakes=left)
        return self

    def with_mistakes(self, states: Iterable[State]) -> Self:
        """Return the record with wins that were thrown away in *states*, as the latest mistakes."""
        mistakes = list(self.mistakes)
        for state in states:
            image = canonical(state)
            mistakes = [one for one in mistakes if canonical(parse_position(one)) != image]
            mistakes.append(format_position(state))
        return replace(self, mistakes=tuple(mistakes[-MOST_MISTAKES:]))


# --- the next task ---


class PuzzleSource:
    """Makes the puzzles of one player, from a *seed*."""

    def __init__(self, seed: int) -> None:
        self._maker = PuzzleMaker(seed)
        self._shown: list[State] = []
        """The mistakes of the player that were shown."""
        self._number = 0
        """How many puzzles were made."""

    def next(self, record: PuzzleRecord) -> Task:
        """Return the next puzzle, of the difficulty in *record*, or a mistake in it.

        Takes 1 to 20 ms.
        """
        self._number += 1
        own = self._own_mistake(record) if self._number % OWN_EVERY == 0 else None
        if own is not None:
            return puzzle_task(own, CountsAs.OWN, text="You threw this win away in a game.")
        found = self._maker.next(lambda puzzle: puzzle.difficulty == record.difficulty)
        task = puzzle_task(found.state, CountsAs.PUZZLE)
        return replace(task, text=f"This one is easier. {task.text}") if record.is_easier else task

    def _own_mistake(self, record: PuzzleRecord) -> State | None:
        """Return the nearest win of those that were not shown yet; once all were, begin again."""
        # A player who learns to see a win in 2 moves cannot see one in 12 yet.
        longest = 1 + record.difficulty // 2 + OWN_LONGER
        if record.difficulty == HARDEST:
            longest = shared_tablebase().longest
        # A file that was changed by hand may have positions that are not won.
        states = [
            one for one in map(parse_position, record.mistakes) if 0 < wins_in(one) <= longest
        ]
        new = [state for state in states if state not in self._shown]
        if not new:
            self._shown.clear()
        state = min(new or states, key=wins_in, default=None)
        if state is not None:
            self._shown.append(state)
        return state


def todays_puzzle(record: PuzzleRecord, today: str) -> Task:
    """Return the puzzle of *today*, as far as it was tried already."""
    text = f"Today's puzzle, {today}. Everyone has the same one today."
    state = puzzle_of_the_day(date.fromisoformat(today)).state
    task = puzzle_task(state, CountsAs.TODAY, text=text, first="copy", day=today)
    done = record.daily
    if done.day != today:
        return task
    if done.is_over:
        task = replace(task.revealed(), is_counted=True)
    return replace(task, tries=done.tries, is_shown=done.is_shown)


def lesson_tasks() -> tuple[Task, ...]:
    """Return the lessons, in their order."""
    return tuple(
        Task(
            one.start,
            title=f"Lesson {number} of {len(LESSONS)}: {one.title}",
            text=one.task,
            learned=f"Done. {one.learned}",
            number=number - 1,
            is_played_out=True,
            reply=one.reply,
            counts_as=CountsAs.LESSON,
            first="previous_task",
            then="next_task" if number < len(LESSONS) else "puzzle",
        )
        for number, one in enumerate(LESSONS, 1)
    )


def review_tasks(mistakes: Mapping[int, Verdict]) -> tuple[Task, ...]:
    """Return the tasks to find a better move than each of *mistakes*, by the moves before them."""
    return tuple(
        Task(
            slip.state,
            title=f"Move {index + 1}: {format_cell(slip.action)} {texts.deed(slip)}. Find "
            f"{texts.winning_move(slip.winning) if slip.was_won else 'a better defence'}.",
            text=f"Mistake {number} of {len(mistakes)}.",
            number=index,
            slip=slip,
            first="previous_task",
            then="next_task" if number < len(mistakes) else "leave",
        )
        for number, (index, slip) in enumerate(mistakes.items(), 1)
    )


def puzzle_task(state: State, counts_as: CountsAs = CountsAs.NOTHING, **more: Any) -> Task:
    """Return the task to find a winning move of *state*, which is won."""
    moves = wins_in(state)
    winning = len(solutions(state))
    aim = "You can win at once" if moves == 1 else f"You win in {moves}"
    if winning == 1:
        only = "completes a line" if moves == 1 else "wins, whatever the opponent replies"
        more.setdefault("text", f"Exactly one move {only}.")
    return Task(
        state, title=f"{aim}. Find {texts.winning_move(winning)}.", counts_as=counts_as, **more
    )


# --- texts ---


def tries_text(task: Task) -> str:
    """Return ``2 tries, 1 hint``."""
    hints = f", {words.counted(task.hints, 'hint')}" if task.hints else ""
    return f"{task.tries} {'try' if task.tries == 1 else 'tries'}{hints}"


_SHARED: Final = re.compile(r"(?si)Traffic\s+Lights.{1,300}win\s+(?:at\s+once|in\s+\d+):\s*(.{14})")


def puzzle_to_share(task: Task) -> str:
    """Return three lines for a friend, who need not know the game, without the solution."""
    if not task.has_result:
        result = "Can you solve it?"
    elif task.is_shown:
        result = "I did not find the move. Can you?"
    else:
        result = f"I solved it in {tries_text(task).replace(', ', ' with ')}. Can you?"
    moves = wins_in(task.start)
    aim = "Win at once" if moves == 1 else f"Win in {moves}"
    return (
        f"Traffic Lights, {f'puzzle of {task.day}' if task.day else 'a puzzle'}\n"
        f"{result}\n"
        "A move turns one lamp: off 0, green 1, yellow 2, red 3. Three of one colour in a row win. "
        f"{aim}: {format_position(task.start)}"
    )


def parse_puzzle(text: str) -> State | None:
    """Return the position of a puzzle that `puzzle_to_share` has written; None in other texts."""
    found = _SHARED.search(tidied(text))
    return None if found is None else parse_position(found[1])


def puzzle_figures(record: PuzzleRecord) -> tuple[str, ...]:
    """Return the results of a player with puzzles, in lines."""
    return (
        f"Your level: {record.difficulty} of {HARDEST}",
        f"Streak at the first try: {record.streak:,}",
    )
