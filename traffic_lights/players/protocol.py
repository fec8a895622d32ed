"""The protocol in which a bot of any language plays: lines of ASCII, `tlp 1`.

    host says                   bot answers
    tlp 1                       id name NAME, and then: ready
    new
    position 000000000123
    go 5000                     move b2
    quit

A position is twelve digits, row by row, from which follows who moves. `go`
asks for a move in it, within so many milliseconds if a number is there. Lines
that the other does not know are ignored by both, so that this can grow.

>>> import random
>>> from traffic_lights.board.baselines import RANDOM
>>> from traffic_lights.players.bots import PolicyBot
>>> engine = Engine("Random", PolicyBot(RANDOM, random.Random(7)))
>>> for line in ("tlp 1", "new", "position 333333333332", "go"):
...     for answer in engine.hear(line):
...         print(answer)
id name Random
ready
error 333333333332 is the end of a game
"""

from __future__ import annotations

from typing import Final

from traffic_lights.board.rules import (
    EMPTY_BOARD,
    BoardTextError,
    State,
    format_board,
    format_cell,
    is_terminal,
    parse_board,
)
from traffic_lights.players.bots import Bot
from traffic_lights.system.names import fit_name

HELLO: Final = "tlp 1"
READY: Final = "ready"
NEW: Final = "new"
QUIT: Final = "quit"


def question(state: State, move_s: float) -> str:
    """Return the lines that ask for a move in the live *state* within *move_s* seconds."""
    return f"position {format_board(state)}\ngo {round(1000 * move_s)}\n"


def name_in(line: str) -> str | None:
    """Return the name that a bot's *line* gives it; None if it gives none."""
    if not line.startswith("id name "):
        return None
    return fit_name(line[8:]) or None


def move_in(line: str) -> str | None:
    """Return the text of the cell in a bot's *line*, perhaps empty; None if it is no move."""
    words = line.split()
    return None if words[:1] != ["move"] else " ".join(words[1:2])


class Engine:
    """The bot's side of the protocol, for a bot of ours."""

    def __init__(self, name: str, bot: Bot) -> None:
        self._name, self._bot = fit_name(name), bot
        self._state: State | None = EMPTY_BOARD
        self.is_over = False
        """Whether the host has said that it needs the bot no more."""

    def hear(self, line: str) -> tuple[str, ...]:
        """Return what the bot answers to the host's *line*: lines of ASCII, whatever that holds."""
        answers = self._answers(line)
        return tuple(answer.encode("ascii", "replace").decode("ascii") for answer in answers)

    def _answers(self, line: str) -> tuple[str, ...]:
        word, _, rest = line.strip().partition(" ")
        match word:
            case "tlp":
                return f"id name {self._name}", READY
            case "new":
                self._state = EMPTY_BOARD
            case "position":
                return self._set_up(rest.strip())
            case "go":
                return self._answer()
            case "quit":
                self.is_over = True
        return ()

    def _set_up(self, text: str) -> tuple[str, ...]:
        try:
            self._state = parse_board(text)
        except BoardTextError as error:
            self._state = None  # or the next move would be one in a position that nobody asked for
            return (f"error {error}",)
        return ()

    def _answer(self) -> tuple[str, ...]:
        if self._state is None:
            return ("error there is no position to move in",)
        if is_terminal(self._state):
            return (f"error {format_board(self._state)} is the end of a game",)
        return (f"move {format_cell(self._bot.choose(self._state))}",)
