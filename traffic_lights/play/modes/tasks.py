"""What a review, a puzzle and a lesson share: the player looks for a move, or asks to see it."""

from typing import ClassVar, Final

from traffic_lights.board.rules import STEPS, Action, State, is_terminal
from traffic_lights.play import texts
from traffic_lights.play.game import Game
from traffic_lights.play.mode import Command, Mode
from traffic_lights.play.session import Session
from traffic_lights.play.solving import Attempt
from traffic_lights.play.verdicts import (
    Hint,
    Verdict,
    judge,
    puzzle_hint,
    ranked_moves,
    solutions,
)


class Task(Mode):
    """The player looks for a good move in the position on the board, until it `is_done`."""

    name: ClassVar[str]
    """How a sentence begins that says that it is done: ``This puzzle is solved.``"""
    first: ClassVar[str] = ""
    """That no other task comes before the first."""
    last: ClassVar[str] = ""
    """That no other task follows the last."""
    number = 0
    """Which of the tasks is on the board, from 0."""

    @property
    def is_last(self) -> bool:
        """Whether no other task follows."""
        return False

    @property
    def solutions(self) -> tuple[Action, ...]:
        """The moves that the player looks for."""
        return solutions(self.state)

    @property
    def done_text(self) -> str:
        """Return that the task is done, and what follows."""
        return f"{self.name} {'Your game is waiting.' if self.is_last else 'Next shows another.'}"

    @property
    def next_command(self) -> str:
        if not self.is_done:
            return ""
        return "leave" if self.is_last else "next_task"

    @property
    def mistake(self) -> Verdict | None:
        """The move that was tried, if it is wrong here; other moves are right."""
        return self.tried if self.tried is not None and self.tried.is_mistake else None

    @property
    def invites(self) -> bool:
        return not self.is_done

    @property
    def hides_values(self) -> bool:
        return not self.is_done

    def click(self, cell: Action) -> str | Verdict:
        if self.is_done:
            return self.done_text
        if reason := texts.illegal_text(self.state, cell):
            return reason
        return self.answer(cell)

    def why_not(self, name: str) -> str:
        if name in ("reveal", "hint") and self.is_done:
            return self.done_text
        if name == "next_task" and self.is_last:
            return self.last
        if name == "previous_task" and not self.number:
            return self.first
        if name in ("undo", "redo", "swap") and self.waiting:
            return self.waiting
        return super().why_not(name)

    def answer(self, action: Action) -> str | Verdict:
        """Try the legal *action*; return what `click` does."""
        raise NotImplementedError

    def reveal(self) -> None:
        """Show a good move."""
        raise NotImplementedError

    def step(self, steps: int) -> None:
        """Go to the next task (1), or to the previous one (-1)."""
        raise NotImplementedError


class WinningMove(Task):
    """The player looks for a winning move: a right one is made, a wrong one is only judged.

    It is over after one right move, unless it says otherwise. The game waits unchanged behind it.
    """

    waiting = "Leave this first. Your game is waiting."
    is_of_game = False
    has_players = False
    attempt: Attempt

    def __init__(self, session: Session, attempt: Attempt) -> None:
        super().__init__(session)
        self.attempt = attempt
        self.refuted: tuple[Action, ...] = ()
        """The wrong moves that were tried in the position on the board."""

    @property
    def is_done(self) -> bool:
        return self.attempt.is_over

    @property
    def moves(self) -> tuple[Action, ...]:
        """The moves that were found or shown, and the replies to them."""
        return () if self.attempt.move is None else (self.attempt.move,)

    @property
    def state(self) -> State:
        return self.attempt.start + sum(STEPS[action] for action in self.moves)

    @property
    def last_action(self) -> Action | None:
        return self.moves[-1] if self.moves else None

    @property
    def shown_game(self) -> Game:
        return Game(self.attempt.start, self.moves, self.session.players)

    @property
    def mistake(self) -> Verdict | None:
        return self.tried if self.refuted else None

    @property
    def solution(self) -> Verdict | None:
        return self.tried if self.is_done and not is_terminal(self.state) else None

    def answer(self, action: Action) -> Verdict:
        self.attempt.tries += 1
        self.attempt.is_shown = False  # it can be true only in a lesson, of the move before
        return self._try(action)

    def reveal(self) -> None:
        """Make the best move for the player."""
        self.attempt.is_shown = True
        self._try(ranked_moves(self.state)[0].action)

    def _try(self, action: Action) -> Verdict:
        self.tried = tried = judge(self.state, action)
        if action in self.solutions:
            self.refuted = ()
            self.accept(action)
        else:
            self.refuted += (action,)
        return tried

    def accept(self, action: Action) -> None:
        """Make the right *action*, which has become `tried`."""
        self.attempt.move = action

    def hint(self) -> Hint:
        """Give the next step of help."""
        self.attempt.hints = min(self.attempt.hints + 1, 3)
        return puzzle_hint(self.state, self.attempt.hints, self.solutions, self.refuted)


def _task(session: Session) -> Task:
    """Return the task on the board: only modes of this kind offer the commands below."""
    assert isinstance(session.mode, Task)
    return session.mode


_NO_TASK: Final = "There is nothing to solve here."
TASKS: Final = (
    Command(
        "reveal", "Show the Solution", lambda session: _task(session).reveal(),
        elsewhere=_NO_TASK,
        typed="solution", about="show the move that you look for",
    ),
    Command(
        "next_task", "Next Mistake, Puzzle or Lesson", lambda session: _task(session).step(1),
        keys=("F6",), elsewhere=_NO_TASK,
        typed="next", about="go to the next mistake, puzzle or lesson",
    ),
    Command(
        "previous_task", "Previous Mistake or Lesson", lambda session: _task(session).step(-1),
        keys=("Shift+F6",), elsewhere="There is nothing to go back to here.",
        typed="previous", about="go to the previous mistake or lesson",
    ),
)  # fmt: skip
