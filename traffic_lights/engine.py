"""Play for another program: ``python -m traffic_lights.engine``, lines in and lines out.

It follows the protocol `tlp 1` (see `players.protocol`) on the standard streams until it
reads ``quit`` or the end of its input.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence

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
from traffic_lights.players.protocol import LONGEST_LINE, Engine
from traffic_lights.players.roster import Roster
from traffic_lights.system.folders import default_table
from traffic_lights.system.words import MOST_SEED, listed


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
