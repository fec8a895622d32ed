"""Set-up: the player changes the position on the board, and then a game begins in it."""

from typing import Final

from traffic_lights.board.rules import (
    EMPTY_BOARD,
    RED,
    SHIFTS,
    Action,
    State,
    colour_of,
    is_terminal,
)
from traffic_lights.play.mode import Command, Mode
from traffic_lights.play.session import Session

_FINISHED: Final = "A line is already complete here. Change a lamp first."
_NOT_HERE: Final = "You can do this while you set up a position."


def _clear(session: Session) -> None:
    session.mode.paste_position(EMPTY_BOARD)


class SetUp(Mode):
    """A position is set up by hand; undo and redo go through its changes."""

    rows = (
        {
            "finish_setup": "Start", "undo": "Undo", "redo": "Redo", "clear_setup": "All Off",
            "leave": "Cancel",
        },
    )  # fmt: skip
    commands = (
        Command("set_up", "Set Up Position…", lambda s: s.begin(SetUp(s)), is_begin=True),
        Command(
            "finish_setup", "Start Here", lambda session: session.new_game(start=session.state),
            elsewhere=_NOT_HERE, is_begin=True,
        ),
        Command("clear_setup", "Switch All Off", _clear, elsewhere=_NOT_HERE),
    )  # fmt: skip
    waiting = "Finish the set-up first, or cancel it."
    is_of_game = False
    allows_red = True
    stays_with_new_players = True
    main_button = "finish_setup"
    offers = frozenset(("finish_setup", "clear_setup"))

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._states = [session.state]
        self._at = 0
        """Which of the states is on the board."""

    @property
    def state(self) -> State:
        """The position on the board; a line may be complete in it."""
        return self._states[self._at]

    @property
    def last_action(self) -> None:
        return None

    def heading(self) -> str:
        return "Set up a position"

    def detail(self) -> str:
        if is_terminal(self.state):
            return _FINISHED
        seat = self.session.mover
        parity = "odd" if seat else "even"
        return f"Player {seat + 1} moves next, because the number of steps made is {parity}."

    def click(self, cell: Action) -> str:
        self._turn(cell, 1)
        return ""

    def click_back(self, cell: Action) -> bool:
        self._turn(cell, -1)
        return True

    def _turn(self, cell: Action, step: int) -> None:
        """Give *cell* its next colour, or the one before; empty comes after red."""
        colour = (colour_of(self.state, cell) + step) % (RED + 1)
        others = self.state & ~(RED << SHIFTS[cell])
        self.show(others | colour << SHIFTS[cell])

    def show(self, state: State) -> None:
        """Put *state* on the board; a line may be complete in it."""
        if state != self.state:
            self._states[self._at + 1 :] = [state]
            self._at += 1

    def paste_position(self, state: State) -> None:
        self.show(state)

    @property
    def can_undo(self) -> bool:
        return self._at > 0

    @property
    def can_redo(self) -> bool:
        return self._at + 1 < len(self._states)

    def undo(self) -> str:
        self._at -= 1
        return ""

    def redo(self) -> None:
        self._at += 1

    def why_not(self, name: str) -> str:
        if name == "review":
            return self.waiting
        if name in ("finish_setup", "save_game", "copy") and is_terminal(self.state):
            return _FINISHED
        return super().why_not(name)
