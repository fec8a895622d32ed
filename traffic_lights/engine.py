"""Play for another program: ``python3 -m traffic_lights.engine``, lines in and lines out.

It follows the protocol `tlp 1`, which the README of the players explains, on the standard
streams until it reads ``quit`` or the end of its input.
"""

import sys
from pathlib import Path

if not __package__:  # started as a file, such as by an editor: find the package from its parent
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import random
from collections.abc import Iterable, Iterator, Sequence

from traffic_lights.board.games import Bot
from traffic_lights.board.rules import (
    EMPTY_BOARD,
    RulesError,
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
    conversation,
    read_line,
    say,
    typed,
)
from traffic_lights.players.roster import users_roster
from traffic_lights.storage.kinds import Whole
from traffic_lights.storage.words import fit_name, listed
from traffic_lights.training.folder import default_table


def answers(lines: Iterable[str], name: str, bot: Bot, rng: random.Random | None) -> Iterator[str]:
    """Yield the answers of *bot*, called *name*, to the *lines* of a host, until it says quit.

    The bot draws from *rng*, which ``seed`` sets; None keeps a seed that the user has chosen.
    """
    state: State | None = EMPTY_BOARD
    for line in lines:
        word, _, rest = " ".join(line.split()).partition(" ")
        if (word, rest) == ("tlp", "1"):
            yield f"id name {fit_name(name)}"
            yield "ready"
        elif word == "seed" and rest.isdecimal():
            if rng is not None:
                rng.seed(int(rest))
        elif (word, rest) == ("new", ""):
            state = EMPTY_BOARD
        elif word == "position":
            state = None  # after an error, no move answers the old position
            try:
                state = parse_board(rest)
            except RulesError as error:
                yield f"error {error}"
        elif word == "go":
            if state is None:
                yield "error set up a position first"
            elif is_terminal(state):
                yield f"error {format_board(state)} is the end of a game"
            else:
                yield f"move {format_cell(bot.choose(state))}"
        elif (word, rest) == ("quit", ""):
            return
        elif word and (word, rest) not in (("result", "win"), ("result", "loss")):
            yield f"error {line.strip()[:60]!a} is not a command of tlp 1"


@command("engine")
def main(arguments: Sequence[str]) -> int:
    """Run the command, and return the exit status when the input ends."""
    roster = users_roster()
    keys = [entry.key for entry in roster.entries()]
    parser = Parser("engine", "Play for another program, which uses the protocol tlp 1.")
    parser.add_argument(
        "--player",
        metavar="PLAYER",
        help=f"a player of the roster, {listed(keys, 'or')}, another horizon-N, or the file of a "
        "Q-table (default: your own QBot; without one, the complete one)",
    )
    parser.add_argument(
        "--seed",
        type=typed(Whole()),
        metavar="S",
        help="random seed (default: that of the host, or different every time)",
    )
    options = parser.parse_args(arguments)
    rng = random.Random(options.seed)
    name = options.player
    player = name
    if name is None:
        name = f"QBot of {default_table().name}"
        player = str(default_table())
    bot = roster.resolve(player).bot(rng)
    _, output = conversation()
    output.reconfigure(encoding="ascii", errors="replace", newline="\n")  # type: ignore[attr-defined]
    for answer in answers(iter(read_line, ""), name, bot, rng if options.seed is None else None):
        say(answer)
    return SUCCESS


if __name__ == "__main__":
    sys.exit(main())
