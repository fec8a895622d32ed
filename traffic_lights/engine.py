"""Play for another program: ``python -m traffic_lights.engine``, lines in and lines out.

It follows the protocol `tlp 1`, which the README of the players explains, on the standard
streams until it reads ``quit`` or the end of its input.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Sequence

from traffic_lights.board.rules import (
    EMPTY_BOARD,
    BoardTextError,
    State,
    format_board,
    format_cell,
    is_terminal,
    parse_board,
)
from traffic_lights.console.shell import (
    SUCCESS,
    Parser,
    command,
    file_path,
    say,
    whole_number,
)
from traffic_lights.learning.qtable import QBot
from traffic_lights.learning.tablefile import read_table
from traffic_lights.players.bots import Bot
from traffic_lights.players.external import LONGEST_LINE
from traffic_lights.players.roster import Roster
from traffic_lights.system.folders import default_table
from traffic_lights.system.words import MOST_SEED, fit_name, listed


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


@command("engine")
def main(arguments: Sequence[str]) -> int:
    """Play as the player that *arguments* name until the host needs it no longer."""
    roster = Roster()
    keys = [entry.key for entry in roster.entries()]
    parser = Parser("engine", "Play for another program, which writes tlp 1, position and go.")
    who = parser.add_mutually_exclusive_group()
    who.add_argument(
        "--player",
        metavar="NAME",
        help=f"a player of the roster: {listed(keys, 'or')}; or another horizon-N",
    )
    who.add_argument(
        "--table",
        type=file_path,
        metavar="FILE",
        help="the QBot of a Q-table (default: your own; without one, the complete one)",
    )
    parser.add_argument(
        "--seed",
        type=whole_number(0, MOST_SEED),
        metavar="S",
        help="random seed (default: that of the host, or different every time)",
    )
    options = parser.parse_args(arguments)
    rng = random.Random(options.seed)
    if options.player is not None:
        name, bot = options.player, roster.resolve(options.player).bot(rng)
    else:
        table = options.table or default_table()
        name, bot = f"QBot of {table.name}", QBot(read_table(table), rng)
    engine = Engine(name, bot, rng if options.seed is None else None)
    sys.stdout.reconfigure(newline="\n")  # type: ignore[union-attr]  # also on Windows
    is_new = True
    while not engine.is_over and (line := sys.stdin.buffer.readline(LONGEST_LINE + 2)):
        # The engine reads only the beginning of a line that is too long.
        for answer in engine.hear(line.decode("ascii", "replace")) if is_new else ():
            say(answer)
        is_new = line.endswith(b"\n")
    return SUCCESS


if __name__ == "__main__":
    sys.exit(main())
