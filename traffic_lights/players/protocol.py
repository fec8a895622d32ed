"""The bot's side of the protocol `tlp 1`, which the README of this folder explains.

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
from collections.abc import Iterator
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
from traffic_lights.system.words import fit_name

LONGEST_LINE: Final = 4096
"""The most characters of a line."""


class Engine:
    """Answers the lines of a host for *bot*.

    The bot draws from *rng*, which ``seed`` sets; None keeps a seed that the user has chosen.
    """

    def __init__(self, name: str, bot: Bot, rng: random.Random | None = None) -> None:
        self._name, self._bot, self._rng = fit_name(name), bot, rng
        self._state: State | None = EMPTY_BOARD
        self.is_over = False
        """Whether the host has sent ``quit``."""

    def hear(self, line: str) -> list[str]:
        """Return the answers to the host's *line*, which are lines of ASCII."""
        return [text.encode("ascii", "replace").decode("ascii") for text in self._answers(line)]

    def _answers(self, line: str) -> Iterator[str]:
        if len(line.rstrip("\r\n")) > LONGEST_LINE:
            yield f"error a line has more than {LONGEST_LINE:,} characters"
            return
        match line.split():
            case [] | ["result", "win" | "loss"]:
                pass
            case ["tlp", "1"]:
                yield f"id name {self._name}"
                yield "ready"
            case ["seed", number] if number.isdecimal():
                if self._rng is not None:
                    self._rng.seed(int(number))
            case ["new"]:
                self._state = EMPTY_BOARD
            case ["position", *rest]:
                self._state = None  # after an error the next move is not one in the old position
                try:
                    self._state = parse_board(" ".join(rest))
                except BoardTextError as error:
                    yield f"error {error}"
            case ["go", *_]:
                yield self._move()
            case ["quit"]:
                self.is_over = True
            case _:
                yield f"error {line.strip()[:60]!a} is not a command of tlp 1"

    def _move(self) -> str:
        if self._state is None:
            return "error set up a position first"
        if is_terminal(self._state):
            return f"error {format_board(self._state)} is the end of a game"
        return f"move {format_cell(self._bot.choose(self._state))}"
