"""Play for another program: ``python -m traffic_lights.engine``, lines in and lines out.

It speaks `tlp 1` (see `players.protocol`) on the standard streams until it
reads ``quit`` or the end of its input.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Sequence

from traffic_lights.console.shell import (
    SUCCESS,
    CommandError,
    Parser,
    file_path,
    run,
    say,
    whole_number,
)
from traffic_lights.learning.qtable import QBot
from traffic_lights.learning.tablefile import read_table
from traffic_lights.players.bots import Bot
from traffic_lights.players.contestants import ContestantNameError, parse_contestant
from traffic_lights.players.ladder import Ladder, LadderError
from traffic_lights.players.protocol import Engine
from traffic_lights.session.wording import listed
from traffic_lights.system.folders import default_table
from traffic_lights.system.typed_numbers import MOST_SEED

_LONGEST_LINE = 4096


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command with *arguments*, or those of the process; return its exit status."""
    return run("engine", engine_command, arguments)


def engine_command(arguments: Sequence[str]) -> int:
    """Speak for the player that *arguments* name until the host needs it no more."""
    keys = [level.key for level in Ladder(random.Random()).levels()]
    parser = Parser("engine", "Play for another program, which says tlp 1, position and go.")
    who = parser.add_mutually_exclusive_group()
    who.add_argument(
        "--player",
        metavar="NAME",
        help=f"a player of the ladder: {listed(keys, 'or')}; or another horizon-N",
    )
    who.add_argument(
        "--table",
        type=file_path,
        metavar="FILE",
        help="the QBot of a Q-table (default: your own, or else the complete one)",
    )
    parser.add_argument(
        "--seed",
        type=whole_number(0, MOST_SEED),
        metavar="S",
        help="of what the player leaves to chance (default: a new one each time)",
    )
    options = parser.parse_args(arguments)
    rng = random.Random(options.seed)
    if options.player is not None:
        name, bot = options.player, _player(options.player, rng)
    else:
        table = options.table or default_table()
        name, bot = f"QBot of {table.name}", QBot(read_table(table), rng)
    _serve(Engine(name, bot))
    return SUCCESS


def _player(name: str, rng: random.Random) -> Bot:
    """Return the player *name* of the ladder, or any other that has a name; raise CommandError."""
    ladder = Ladder(rng)
    if name in (level.key for level in ladder.levels()):
        try:
            return ladder.bot(name)
        except LadderError as error:
            raise CommandError(str(error)) from error
    try:
        return parse_contestant(name).make_bot(rng)
    except ContestantNameError as error:
        raise CommandError(f"{error}; --help names the other players of the ladder") from error


def _serve(engine: Engine) -> None:
    for line in _lines():
        for answer in engine.hear(line):
            say(answer)
        if engine.is_over:
            return


def _lines() -> Iterator[str]:
    """Yield the lines of the standard input, those that are too long in parts."""
    if sys.stdin is not None:
        while line := sys.stdin.buffer.readline(_LONGEST_LINE):
            yield line.decode("ascii", "replace")


if __name__ == "__main__":
    sys.exit(main())
