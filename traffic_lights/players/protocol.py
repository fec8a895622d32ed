"""The protocol of external bots, `tlp 1`: lines of text over standard input and output.

    the host writes             the bot answers
    tlp 1                       id name NAME (if it likes), then: ready
    seed N
    new
    position 000000000123
    go 5000                     move b2
    result win
    quit

A line ends with LF; a CR before it is ignored. Keywords are lower case. A line has at most
4,096 characters, and at most 10,000 lines may wait to be read. `ready` must come within 30
seconds. One process plays all games, one after the other. `new` begins a game on the empty
board. `position` has twelve digits, row by row (0 empty, 1 green, 2 yellow, 3 red); the first
player moves if their sum is even. `go` asks for a move in that position, within so many
milliseconds if it has a number. It may follow `new` directly, and it may be repeated.

A bot may ignore `seed`, with which it can repeat its games. It may also ignore `result win`
and `result loss` at the end of a game, with which it can learn. The host ignores lines that it
does not know. The engine of this program answers a line that it cannot obey with `error TEXT`.

>>> import random
>>> from traffic_lights.board.baselines import RANDOM
>>> from traffic_lights.players.bots import PolicyBot
>>> rng = random.Random(7)
>>> engine = Engine("Random", PolicyBot(RANDOM, rng), rng)
>>> for line in ("tlp 1", "new", "position 333333333332", "go", "GO"):
...     for answer in engine.hear(line):
...         print(answer)
id name Random
ready
error 333333333332 is the end of a game
error 'GO' is not a command of tlp 1
"""

from __future__ import annotations

import random
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
from traffic_lights.system.typed import fit_name

LONGEST_LINE: Final = 4096
"""The most characters of a line."""


class Engine:
    """The bot's side of the protocol, for *bot*.

    The bot draws from *rng*, which ``seed`` sets; None keeps a seed that the user has chosen.
    """

    def __init__(self, name: str, bot: Bot, rng: random.Random | None = None) -> None:
        self._name, self._bot, self._rng = fit_name(name), bot, rng
        self._state: State | None = EMPTY_BOARD
        self.is_over = False
        """Whether the host has sent ``quit``."""

    def hear(self, line: str) -> tuple[str, ...]:
        """Return the answers to the host's *line*, which are lines of ASCII."""
        answers = self._answers(line)
        return tuple(answer.encode("ascii", "replace").decode("ascii") for answer in answers)

    def _answers(self, line: str) -> tuple[str, ...]:
        words = line.split()
        if len(line.rstrip("\r\n")) > LONGEST_LINE:
            return (f"error a line has more than {LONGEST_LINE:,} characters",)
        match words:
            case [] | ["result", "win" | "loss"]:
                pass
            case ["tlp", "1"]:
                return f"id name {self._name}", "ready"
            case ["seed", number] if number.isdecimal():
                if self._rng is not None:
                    self._rng.seed(int(number))
            case ["new"]:
                self._state = EMPTY_BOARD
            case ["position", *rest]:
                return self._set_up(" ".join(rest))
            case ["go", *_]:
                return self._answer()
            case ["quit"]:
                self.is_over = True
            case _:
                return (f"error {line.strip()[:60]!a} is not a command of tlp 1",)
        return ()

    def _set_up(self, text: str) -> tuple[str, ...]:
        try:
            self._state = parse_board(text)
        except BoardTextError as error:
            self._state = None  # otherwise the next move would be one in the old position
            return (f"error {error}",)
        return ()

    def _answer(self) -> tuple[str, ...]:
        if self._state is None:
            return ("error set up a position first",)
        if is_terminal(self._state):
            return (f"error {format_board(self._state)} is the end of a game",)
        return (f"move {format_cell(self._bot.choose(self._state))}",)
