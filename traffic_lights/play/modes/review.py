"""The review: the player solves each mistake of the game with a move that is not a mistake."""

from typing import Final

from traffic_lights.board.rules import Action, format_cell
from traffic_lights.play import texts
from traffic_lights.play.mode import Command, not_solved
from traffic_lights.play.modes.tasks import Task
from traffic_lights.play.session import Session
from traffic_lights.play.verdicts import NOTHING, Hint, Verdict, hint, judge, puzzle_hint

AFTER_THE_END: Final = "While nothing is shown of the moves, the review comes after the end."


def _nothing_to_review(session: Session) -> str:
    if reason := not_solved(session):
        return reason
    if not session.game.actions:
        return "You can review a game after its first move."
    if session.wanted_values() == NOTHING and not session.game.is_over:
        return AFTER_THE_END  # whether there is a mistake would be a hint
    return "" if session.mistakes() else texts.NO_MISTAKES


class Review(Task):
    """The mistakes of the game, one after the other; there is at least one."""

    rows = (
        {
            "previous_task": "Back", "next_task": "Next", "reveal": "Solution", "hint": "Hint",
            "leave": "Done",
        },
    )  # fmt: skip
    commands = (
        Command(
            "review", "Review Mistakes", lambda session: session.begin(Review(session)),
            _nothing_to_review, keys=("F4",), is_begin=True,
            typed="review", about="go through your mistakes; a cell tries a better move",
        ),
    )  # fmt: skip
    judges_moves = False
    name = "This mistake is solved."
    first = "This is the first mistake."
    last = "This is the last mistake."
    offers = frozenset(("hint", "reveal", "next_task", "previous_task"))
    can_undo = True  # it leaves the review
    can_redo = False

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.mistakes = session.mistakes()
        """By the number of moves before them."""
        self._solved: set[int] = set()
        """The numbers of the mistakes for which a better move was found or shown."""
        self._hints = 0
        """How many steps of help were given for this one."""

    @property
    def index(self) -> int:
        return list(self.mistakes)[self.number]

    @property
    def verdict(self) -> Verdict:
        """What was wrong with the move that is shown."""
        return self.mistakes[self.index]

    @property
    def is_done(self) -> bool:
        return self.number in self._solved

    @property
    def is_last(self) -> bool:
        return self.number + 1 == len(self.mistakes)

    @property
    def marks(self) -> frozenset[Action]:
        return frozenset(self.solutions if self.is_done else ())

    @property
    def mistake(self) -> Verdict | None:
        return super().mistake or (self.verdict if self.is_done else None)

    def heading(self) -> str:
        verdict = self.verdict
        text = f"Move {self.index + 1}: {format_cell(verdict.action)} {texts.deed(verdict)}."
        if self.is_done:
            return text
        sought = texts.winning_move(self.solutions) if verdict.was_won else "a better defence"
        return f"{text} Find {sought}."

    def detail(self) -> str:
        tried = self.tried
        players = self.session.players
        if tried is None and self.is_done:
            return f"The solution: {texts.cells(self.solutions, 'or')}."
        if tried is None:
            return f"Mistake {self.number + 1} of {len(self.mistakes)}."
        if not tried.is_mistake:
            return f"Right: {texts.judged_text(tried, players)}"
        return texts.refutation(tried, players)

    def answer(self, action: Action) -> str:
        self.tried = judge(self.state, action)
        if self.mistake is None:
            self._solved.add(self.number)
        return ""

    def reveal(self) -> None:
        self.tried = None
        self._solved.add(self.number)

    def step(self, steps: int) -> None:
        self.number += steps
        self.tried = None
        self._hints = 0

    def hint(self) -> Hint:
        """Return the next step of help; it does not count, because the game is played."""
        self._hints = min(self._hints + 1, 3)
        if self.verdict.was_won:
            return puzzle_hint(self.state, self._hints, self.solutions, (self.verdict.action,))
        return hint(self.state, self._hints)

    def undo(self) -> str:
        self.session.leave()
        return ""
