"""Puzzles: the player looks for the one winning move of a position, or of the position of a day."""

from collections.abc import Mapping
from typing import Final

from traffic_lights.board.rules import format_cell
from traffic_lights.play import texts
from traffic_lights.play.mode import Command, Sheet, not_solved
from traffic_lights.play.modes.tasks import WinningMove
from traffic_lights.play.session import Session
from traffic_lights.play.solving import Attempt, PuzzleRecord
from traffic_lights.play.verdicts import judge, wins_in

_ONE_WINS: Final = "Exactly one move wins, whatever the opponent replies."
_ONE_COMPLETES: Final = "Exactly one move completes a line."


def begin_puzzle(session: Session) -> None:
    """Put another puzzle on the board; making it takes a few milliseconds."""
    puzzle = session.puzzles.next(session.puzzle_record(), session.today)
    session.begin(PuzzleMode(session, puzzle))


def begin_todays_puzzle(session: Session) -> None:
    """Put the puzzle of the day on the board, as far as it was tried already."""
    puzzle = session.puzzles.of_the_day(session.puzzle_record(), session.today)
    session.begin(PuzzleMode(session, puzzle))


class PuzzleMode(WinningMove):
    """A puzzle is on the board, perhaps that of a day; it counts tries and help in the puzzle."""

    rows = (
        {
            "todays_puzzle": "Today's Puzzle", "next_task": "Next", "reveal": "Solution",
            "hint": "Hint", "leave": "Done",
        },
        {
            "copy": "Copy Puzzle", "next_task": "Next", "reveal": "Solution", "hint": "Hint",
            "leave": "Done",
        },
        {
            "copy": "Copy Result", "next_task": "Next", "reveal": "Solution", "hint": "Hint",
            "leave": "Done",
        },
    )  # fmt: skip
    commands = (
        Command(
            "puzzle", "Puzzle", begin_puzzle, not_solved,
            keys=("F12",), letter="p", is_begin=True,
            typed="puzzle", about="find the winning move; a cell tries one",
        ),
        Command(
            "todays_puzzle", "Today's Puzzle", begin_todays_puzzle, not_solved, is_begin=True,
            typed="today", about="the puzzle of the day, the same for everyone",
        ),
    )  # fmt: skip
    name = "This puzzle is solved."
    offers = frozenset(("hint", "reveal", "next_task"))

    def __init__(self, session: Session, attempt: Attempt) -> None:
        super().__init__(session, attempt)
        if attempt.move is not None:
            self.tried = judge(attempt.start, attempt.move)
        session.attempts.append(attempt)

    @property
    def buttons(self) -> Mapping[str, str]:
        usual, todays, solved = self.rows  # today's puzzle and its result can be shared
        if self.attempt.day != self.session.today:
            return usual
        return solved if self.is_done else todays

    def heading(self) -> str:
        attempt = self.attempt
        if attempt.move is None:
            moves = wins_in(attempt.start)
            task = "You can win at once" if moves == 1 else f"You win in {moves}"
            return f"{task}. Find {texts.winning_move(self.solutions)}."
        if attempt.is_shown:
            return f"The solution is {format_cell(attempt.move)}"
        if attempt.is_clean:
            return "Right at the first try"
        return f"Solved – {texts.tries_text(attempt)}"

    def detail(self) -> str:
        attempt = self.attempt
        if self.tried is not None:
            return (texts.why_it_wins if attempt.is_over else texts.refutation)(self.tried)
        if attempt.day == self.session.today:
            return f"Today's puzzle, {attempt.day}. Everyone has the same one today."
        if attempt.day:
            return f"The puzzle of {attempt.day}. Today has another one."
        if attempt.is_own:
            return "You threw this win away in a game. Solve it on two different days."
        if len(self.solutions) > 1:  # as in a position that was pasted
            return ""
        easier = "This one is easier. " if attempt.is_easier else ""
        return easier + (_ONE_COMPLETES if wins_in(attempt.start) == 1 else _ONE_WINS)

    def sheet(self, record: PuzzleRecord) -> Sheet:
        figures = texts.puzzle_figures(record).items()
        return Sheet("Puzzles", tuple(f"{label}: {value}" for label, value in figures))

    def text_to_share(self) -> str:
        return texts.puzzle_to_share(self.attempt)

    def step(self, steps: int) -> None:
        assert steps == 1  # it does not offer the puzzle before
        begin_puzzle(self.session)

    def why_not(self, name: str) -> str:
        if name == "todays_puzzle" and self.attempt.day == self.session.today:
            return "This is today's puzzle."
        return super().why_not(name)
