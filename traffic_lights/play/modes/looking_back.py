"""Looking back: an earlier position of the game is on the board."""

from traffic_lights.board.rules import LONGEST_GAME, Action
from traffic_lights.play import texts
from traffic_lights.play.mode import Command, Mode
from traffic_lights.play.session import LINE_KEPT, Session


def go_to(session: Session, index: int) -> None:
    """Look at the position after *index* moves, which are limited; the last is the game's."""
    index = max(index, 0)
    session.begin(LookingBack(session, index) if index < len(session.game.actions) else None)


def _at_the_start(session: Session) -> str:
    return "" if session.mode.index else "This is the start of the game."


def _at_the_end(session: Session) -> str:
    is_last = session.mode.index == len(session.game.actions)
    return "This is the last move." if is_last else ""


class LookingBack(Mode):
    """The position after so many moves is on the board; a move plays on from there."""

    rows = (
        {
            "new_game": "New Game", "previous": "Back", "next": "Next", "hint": "Hint",
            "leave": "Done",
        },
    )  # fmt: skip
    commands = (
        Command(
            "first", "First Move", lambda session: go_to(session, 0), _at_the_start,
            keys=("Ctrl+Home",), is_of_game=True,
        ),
        Command(
            "previous", "Previous Move", lambda session: go_to(session, session.mode.index - 1),
            _at_the_start, keys=("PageUp",), is_of_game=True,
        ),
        Command(
            "next", "Next Move", lambda session: go_to(session, session.mode.index + 1),
            _at_the_end, keys=("PageDown",), is_of_game=True,
        ),
        Command(
            "last", "Last Move", lambda session: go_to(session, LONGEST_GAME), _at_the_end,
            keys=("Ctrl+End",), is_of_game=True,
        ),
    )  # fmt: skip

    def __init__(self, session: Session, index: int) -> None:
        super().__init__(session)
        self._index = index

    @property
    def index(self) -> int:
        return self._index

    def heading(self) -> str:
        move = f"move {self.index}" if self.index else "the start, move 0"
        return f"Looking at {move} of {len(self.session.game.actions)}"

    def detail(self) -> str:
        session = self.session
        name = texts.seat_name(session.players, session.mover)
        if not session.game.has_person:
            return f"{name} is to move here, in a game of two bots."
        if not session.mover_is_human:
            return f"{name} moves here. You can play on from a position where it is your turn."
        return "You can play on from here. The game as it is stays among the recent games."

    def click(self, cell: Action) -> str:
        session = self.session
        if not session.mover_is_human:
            return ""
        if reason := texts.illegal_text(self.state, cell):
            return reason
        if session.game.actions[self.index] == cell:
            go_to(session, self.index + 1)
            return ""
        session.history.branch(self.index)
        session.play_on(cell)
        return LINE_KEPT
