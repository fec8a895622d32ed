"""What the player does now: a `Mode`, and the `Command` that a player gives.

A mode says what the board shows, what a click means, which buttons there are and which commands
apply. `play/modes/` has one file for each.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple

from traffic_lights.board.rules import (
    Action,
    RulesError,
    State,
    format_board,
    is_terminal,
    mover,
)
from traffic_lights.play.game import Game
from traffic_lights.play.solving import Attempt, PuzzleRecord
from traffic_lights.play.verdicts import Hint, Verdict

if TYPE_CHECKING:  # the session has a mode
    from traffic_lights.play.session import Session

STILL_SOLVING: Final = "Still solving the game – one moment…"
GAME_BEFORE: Final = "This is the previous game again."


@dataclass(frozen=True, slots=True)
class Command:
    """Something that a player can do, besides a click on the board."""

    name: str
    label: str
    act: Callable[[Session], str | Hint | None]
    """Does it, and returns a hint or a remark for the player, if there is one."""
    missing: Callable[[Session], str] = lambda _: ""
    """Returns what it still needs, in a sentence; empty if it has all."""
    keys: tuple[str, ...] = ()
    """``Ctrl+Shift+N`` or ``F2``; the menu shows the first."""
    letter: str = ""
    """A key that does the same while the board has the keyboard."""
    elsewhere: str = ""
    """Why it does not apply in a mode that does not offer it; empty if every mode has it."""
    is_of_game: bool = False
    """Whether it is about the game, which waits behind some modes."""
    is_begin: bool = False
    """Whether something new begins, so that the board gets the keyboard."""
    is_on: Callable[[], bool] | None = None
    """Returns whether its menu entry has a tick; None if it never has one."""
    typed: str = ""
    """What a player types for it in the text mode; empty if that has another way."""
    short: str = ""
    """A shorter word for the same."""
    about: str = ""
    """What the help of the text mode says about it."""

    def why_not(self, session: Session) -> str:
        """Return why the command does not apply now, in a sentence; empty if it does."""
        mode = session.mode
        if self.elsewhere and self.name not in mode.offers:
            return self.elsewhere
        if self.is_of_game and mode.waiting:
            return mode.waiting
        return mode.why_not(self.name) or self.missing(session)


def not_solved(session: Session) -> str:
    """Return that the game is still being solved; empty if it is solved."""
    return "" if session.is_solved else STILL_SOLVING


class Sheet(NamedTuple):
    """What the panel shows in place of the moves."""

    title: str
    rows: tuple[str, ...]
    chosen: int | None = None
    """Which of the rows is on the board, if a click chooses another; None if it does nothing."""


class Mode:
    """What the player does now, in *session*. A kind of mode overrides what differs in it."""

    rows: ClassVar[tuple[Mapping[str, str], ...]]
    """The rows of buttons that it can have: each command, and its words, in their places."""
    commands: ClassVar[tuple[Command, ...]] = ()
    """The commands that begin it, or that only it has."""
    waiting: ClassVar[str] = ""
    """Why commands of the game do not apply; empty if they do."""
    is_of_game: ClassVar[bool] = True
    """Whether a position of the game is on the board."""
    has_players: ClassVar[bool] = True
    """Whether the two players matter; a puzzle or a lesson leaves their room to the board."""
    judges_moves: ClassVar[bool] = True
    """Whether the list of moves may show verdicts."""
    allows_red: ClassVar[bool] = False
    """Whether a click on a red lamp means something."""
    stays_with_new_players: ClassVar[bool] = False
    """Whether it stays when others take the seats."""
    tried: Verdict | None = None
    """The last move that was tried; None before the first."""
    attempt: Attempt | None = None
    """The puzzle on the board; None if there is none."""

    def __init__(self, session: Session) -> None:
        self.session = session

    @property
    def is_done(self) -> bool:
        """Whether what it asked the player for is found or shown."""
        return False

    # --- what is shown ---

    @property
    def index(self) -> int:
        """How many moves of the game led to the position on the board."""
        return len(self.session.game.actions)

    @property
    def state(self) -> State:
        """The position on the board."""
        return self.session.game.state_at(self.index)

    @property
    def last_action(self) -> Action | None:
        """The move that led to it; None if none did."""
        return self.session.game.actions[self.index - 1] if self.index else None

    @property
    def marked_seat(self) -> int | None:
        """The seat whose card is marked: who is to move in the game, or has won it."""
        return mover(self.state) if self.is_of_game else None

    @property
    def marks(self) -> frozenset[Action]:
        """The cells that are marked on the board."""
        return frozenset()

    @property
    def invites(self) -> bool:
        """Whether the board waits for a click."""
        return True

    @property
    def hides_values(self) -> bool:
        """Whether values and verdicts would give away what the player looks for."""
        return False

    @property
    def mistake(self) -> Verdict | None:
        """The mistake on the board, which may be explained; None if there is none."""
        return self._mistake_at(self.index)

    def _mistake_at(self, index: int) -> Verdict | None:
        verdict = self.session.shown_verdict(index)
        return verdict if verdict is not None and verdict.is_mistake else None

    @property
    def solution(self) -> Verdict | None:
        """The winning move, if the board can play out what follows it."""
        return None

    def heading(self) -> str:
        """Return whose turn it is, who has won, or what the player looks for."""
        raise NotImplementedError

    def detail(self) -> str:
        """Return what there is to add to the heading; may be empty."""
        raise NotImplementedError

    def title(self) -> str:
        """Return the heading for the title of the window."""
        return self.heading().partition(" – ")[0]

    @property
    def buttons(self) -> Mapping[str, str]:
        """The row of buttons that it has now, one of `rows`, perhaps with a shorter word in it."""
        return self.rows[0]

    @property
    def next_command(self) -> str:
        """The command that follows when nothing is left to do here; empty before."""
        return ""

    @property
    def main_button(self) -> str:
        """The command whose button stands out; empty if none does."""
        return self.next_command

    def sheet(self, _: PuzzleRecord) -> Sheet | None:
        """Return what the panel shows in place of the moves; None if it shows the moves.

        It may need the player's results with puzzles.
        """
        return None

    def choose_row(self, number: int) -> None:
        """Put on the board what the row *number* of the sheet, from 0, names."""

    @property
    def shown_game(self) -> Game:
        """The game to save: one that starts on the board, unless that shows the game."""
        if self.is_of_game:
            return self.session.game
        return Game(start=self.state, players=self.session.players)

    def text_to_share(self) -> str:
        """Return the text that is copied in place of the game; empty if it is the game."""
        return ""

    # --- what the player can do ---

    def click(self, cell: Action) -> str | Verdict:
        """Do what a click on *cell*, from 0 to 11, means; return a remark, mostly an empty one.

        A mode without players returns the verdict on a try, which the board plays out.
        """
        raise NotImplementedError

    def click_back(self, _: Action) -> bool:
        """Do what a click with the other button means; return whether it means something."""
        return False

    @property
    def offers(self) -> frozenset[str]:
        """The commands that only some modes have, and this one has now, by name."""
        return frozenset()

    def why_not(self, name: str) -> str:
        """Return why this mode does not allow the command *name* now; empty if it does."""
        if name == "undo" and not self.can_undo:
            return "There is nothing to undo."
        if name == "redo" and not self.can_redo:
            return "There is nothing to redo."
        return ""

    @property
    def can_undo(self) -> bool:
        """Whether there is something to undo."""
        return self.session.history.can_undo

    @property
    def can_redo(self) -> bool:
        """Whether there is something to redo."""
        return self.session.history.can_redo

    def undo(self) -> str:
        """Take back a change, against a bot a full round; return a remark."""
        is_other = self.session.history.undo()
        self.session.wait()
        return GAME_BEFORE if is_other else ""

    def redo(self) -> None:
        """Play again what was taken back."""
        self.session.history.redo()
        self.session.wait()

    def hint(self) -> Hint:
        """Return the next step of help, and count it."""
        raise NotImplementedError

    def paste_position(self, state: State) -> None:
        """Begin a game in *state*; raise RulesError if a line is complete in it."""
        if is_terminal(state):
            raise RulesError(f"in the position {format_board(state)} the game is over")
        self.session.new_game(start=state)
