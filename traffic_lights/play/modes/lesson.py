"""How to Win: a lesson is on the board, and the player finds its moves to the end of the game."""

from collections.abc import Mapping

from traffic_lights.board.rules import Action, format_cell, is_terminal
from traffic_lights.play import texts
from traffic_lights.play.lessons import LESSONS
from traffic_lights.play.mode import Command, Sheet, not_solved
from traffic_lights.play.modes.tasks import WinningMove
from traffic_lights.play.session import Session
from traffic_lights.play.solving import Attempt, PuzzleRecord
from traffic_lights.play.verdicts import wins_in


class LessonMode(WinningMove):
    """The lesson *number*, from 0: each move that wins gets the exact reply, to the end."""

    rows = (
        {
            "previous_task": "Back", "next_task": "Next", "reveal": "Solution", "hint": "Hint",
            "leave": "Done",
        },
        {
            "previous_task": "Back", "puzzle": "Puzzle", "reveal": "Solution", "hint": "Hint",
            "leave": "Done",
        },
    )  # fmt: skip
    commands = (
        Command(
            "lessons", "How to Win", lambda session: session.begin(LessonMode(session)),
            not_solved, is_begin=True,
            typed="lesson", about="how to win, in five short lessons",
        ),
    )  # fmt: skip
    name = "This lesson is done."
    first = "This is the first lesson."
    last = "This is the last lesson. Now try a puzzle."
    offers = frozenset(("hint", "reveal", "next_task", "previous_task"))

    def __init__(self, session: Session, number: int = 0) -> None:
        self.number = number
        self.lesson = LESSONS[number]
        super().__init__(session, Attempt(self.lesson.start, lesson=number + 1))
        self._moves: tuple[Action, ...] = ()

    @property
    def moves(self) -> tuple[Action, ...]:
        return self._moves

    @property
    def is_done(self) -> bool:
        return is_terminal(self.state)

    @property
    def is_last(self) -> bool:
        return self.number + 1 == len(LESSONS)

    @property
    def buttons(self) -> Mapping[str, str]:
        usual, of_the_last = self.rows  # the first puzzle follows it
        return of_the_last if self.is_last else usual

    @property
    def next_command(self) -> str:
        return "puzzle" if self.is_done and self.is_last else super().next_command

    @property
    def done_text(self) -> str:
        return f"{self.name} Now try a puzzle." if self.is_last else super().done_text

    def heading(self) -> str:
        return f"Lesson {self.number + 1} of {len(LESSONS)}: {self.lesson.title}"

    def detail(self) -> str:
        tried = self.tried
        if self.is_done:
            more = " Now try a puzzle." if self.is_last else ""
            return f"Done. {self.lesson.learned}{more}"
        if tried is None:
            return self.lesson.task
        if tried.is_mistake:
            return texts.refutation(tried)
        reply = format_cell(self._moves[-1])
        task = "Complete the line." if wins_in(self.state) == 1 else "Find the next move."
        move = f"The move is {format_cell(tried.action)}." if self.attempt.is_shown else "Right."
        return f"{move} The opponent plays {reply}. {task}"

    def sheet(self, record: PuzzleRecord) -> Sheet:
        rows = []
        for number, lesson in enumerate(LESSONS, 1):
            is_learned = number in record.lessons
            rows.append(f"{lesson.title} ✓" if is_learned else lesson.title)
        return Sheet("How to Win", tuple(rows), self.number)

    def choose_row(self, number: int) -> None:
        self.session.begin(LessonMode(self.session, number))

    def accept(self, action: Action) -> None:
        assert self.tried is not None
        prepared = self.lesson.reply
        is_first = not self._moves
        reply = (prepared,) if is_first and prepared is not None else self.tried.replies[:1]
        self._moves += (action, *reply)
        self.attempt.hints = 0
        if self.is_done:
            self.attempt.move = action
            self.session.attempts.append(self.attempt)

    def step(self, steps: int) -> None:
        self.choose_row(self.number + steps)
