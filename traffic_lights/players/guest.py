"""A bot that somebody else wrote, as a player: its program is asked for each move.

Whatever the program does, `Guest.choose` returns a legal move in time or
raises ForfeitError, which says in one sentence who did what. The next game
begins with a new process, until too many games in a row went that way.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from traffic_lights.board.rules import (
    STEPS,
    Action,
    CellNameError,
    State,
    format_board,
    is_legal,
    parse_cell,
    ply,
)
from traffic_lights.players import programs, protocol
from traffic_lights.players.bots import ForfeitError
from traffic_lights.players.programs import Program
from traffic_lights.system.children import LONGEST_LINE, MOST_LINES, NOT_STARTED, Child, Silence

GRACE_S: Final = 0.5
"""How much later than asked an answer may come: the way takes time too."""
LEAVE_S: Final = 1.0
"""How long a program may take to leave when it is told to, or has closed its output."""
MOST_FORFEITS: Final = 5
"""The games forfeited in a row after which a program is started no more."""


class Guest:
    """The player that *program* is; its process is started when it is first asked.

    One thread asks at a time; `close` may come from any.
    """

    def __init__(self, program: Program, leave_s: float = LEAVE_S) -> None:
        self.program, self._leave_s = program, leave_s
        self._here = Path.cwd()
        self._child: Child | None = None
        self._own_name = ""
        self._expected: State | None = None
        """The state after the guest's last move in this game."""
        self._forfeits = 0
        """How many games in a row it has forfeited."""
        self._last_words: tuple[str, ...] = ()
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """What people call it: the name that they gave it, else its own, else its file's."""
        return self.program.name or self._own_name or programs.file_name(self.program.command)

    @property
    def last_words(self) -> tuple[str, ...]:
        """The last lines on the standard error of the process that forfeited last."""
        return self._last_words

    def meet(self) -> str:
        """Have the program run and say that it is ready; return its name. Raise ForfeitError."""
        with self._lock, self._forfeiting():
            self._forfeits = 0
            self._started()
        return self.name

    def choose(self, state: State) -> Action:
        """Return what the program plays in the live *state*; raise ForfeitError."""
        with self._lock, self._forfeiting():
            is_new = self._expected is None or not _continues(self._expected, state)
            if is_new:
                self._begin_game()
            child = self._started()
            child.forget()
            text = protocol.question(state, self.program.move_s)
            if not child.say(f"{protocol.NEW}\n{text}" if is_new else text):
                raise self._deaf(child)
            action = self._legal(self._answer(child), state)
            self._expected = state + STEPS[action]
            return action

    def close(self) -> None:
        """Tell the program to leave; end it, with what it has started, if it does not."""
        child, self._child, self._expected = self._child, None, None
        if child is not None:
            child.say(f"{protocol.QUIT}\n")
            child.end(self._leave_s)

    @contextmanager
    def _forfeiting(self) -> Iterator[None]:
        """End the process, and keep what it said last, if the block raises ForfeitError."""
        try:
            yield
        except ForfeitError:
            self._forfeits += 1
            child, self._child, self._expected = self._child, None, None
            if child is not None:
                child.end()
                self._last_words = child.errors()
            raise

    def _begin_game(self) -> None:
        """Raise ForfeitError if the guest has forfeited too many games in a row."""
        if self._expected is not None:
            self._forfeits = 0
        if self._forfeits >= MOST_FORFEITS:
            raise ForfeitError(
                f"{self.name} forfeited {MOST_FORFEITS} games in a row, and is asked no more"
            )

    def _started(self) -> Child:
        """Return the process, started and greeted."""
        child = self._child
        if child is None:
            try:
                words, folder = programs.located(self.program.command, self._here)
                child = self._child = Child(words, folder)
            except (OSError, ValueError) as error:
                raise ForfeitError(f"{self.name} cannot be started: {error}") from None
            self._greet(child)
        return child

    def _greet(self, child: Child) -> None:
        child.say(f"{protocol.HELLO}\n")
        deadline_s = time.monotonic() + self.program.start_s
        late = f"did not say ready within {self.program.start_s:g} s of its start"
        while (line := self._line(child, deadline_s, late)).split() != [protocol.READY]:
            self._own_name = protocol.name_in(line) or self._own_name

    def _answer(self, child: Child) -> str:
        """Return the text of the cell that *child* answers."""
        deadline_s = time.monotonic() + self.program.move_s + GRACE_S
        late = f"did not answer within {self.program.move_s:g} s"
        while (cell := protocol.move_in(self._line(child, deadline_s, late))) is None:
            pass
        return cell

    def _line(self, child: Child, deadline_s: float, late: str) -> str:
        """Return the next line of *child*; raise ForfeitError if none comes, *late* if in time."""
        line = child.line(deadline_s)
        if isinstance(line, Silence):
            raise self._fault(child, line, late)
        if not line.isascii():
            raise ForfeitError(f"{self.name} wrote text that is not ASCII: {_shown(line)}")
        return line.decode("ascii")

    def _fault(self, child: Child, silence: Silence, late: str) -> ForfeitError:
        match silence:
            case Silence.TIMEOUT:
                did = late
            case Silence.TOO_LONG:
                did = f"wrote a line of more than {LONGEST_LINE:,} characters"
            case Silence.TOO_MANY:
                did = f"wrote more than {MOST_LINES:,} lines at once"
            case Silence.TORN:
                did = "stopped writing in the middle of a line"
            case Silence.ENDED:
                did = self._end_of(child)
        return ForfeitError(f"{self.name} {did}")

    def _end_of(self, child: Child) -> str:
        """Return the words for how *child* ended by itself."""
        status = child.status(self._leave_s)
        match status:
            case None:
                return "closed its output"
            case _ if status == NOT_STARTED:
                child.end()
                return f"cannot be started: {' '.join(child.errors())}"
            case _:
                return f"ended, with exit status {status}"

    def _deaf(self, child: Child) -> ForfeitError:
        """Return what is wrong with *child*, which takes nothing any more."""
        deadline_s = time.monotonic() + self._leave_s
        while isinstance(line := child.line(deadline_s), bytes):
            pass
        return self._fault(child, line, "does not read what it is told")

    def _legal(self, text: str, state: State) -> Action:
        """Return the cell that *text* names; raise ForfeitError if it is no move in *state*."""
        try:
            action = parse_cell(text)
        except CellNameError:
            raise ForfeitError(f"{self.name} answered {_shown(text)}, which is no cell") from None
        if not is_legal(state, action):
            board = format_board(state)
            raise ForfeitError(f"{self.name} answered {text}, but {text} is red in {board}")
        return action


def _continues(expected: State, state: State) -> bool:
    """Return whether one move leads from *expected* to *state*."""
    return state - expected in STEPS and ply(state) == ply(expected) + 1


def _shown(text: str | bytes) -> str:
    """Return the beginning of what a stranger wrote, in quotes, harmless to a screen."""
    return ascii(text[:40]).removeprefix("b")
