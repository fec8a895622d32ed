"""Evaluate a player: ``python3 -m traffic_lights.evaluate``.

Without arguments your QBot plays against the baseline bots and the exact player. If you have
not trained one, the shipped QBot plays. Exit status 0: done; 2: bad usage or a table that
cannot be read; 130: interrupted, after printing what there is.
"""

import sys
from pathlib import Path

if not __package__:  # started as a file, such as by an editor: find the package from its parent
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import json
import random
from argparse import Namespace
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

from traffic_lights.board.exact_score import BUDGET
from traffic_lights.console.shell import (
    INTERRUPTED,
    SUCCESS,
    CommandError,
    Parser,
    Ticker,
    add_flags,
    command,
    remark,
    say,
    typed,
)
from traffic_lights.judging import reports
from traffic_lights.judging.evaluation import STANDARD_OPPONENTS, Row, evaluate, prove_bot
from traffic_lights.judging.proof import Proof
from traffic_lights.players.external import Program, external_bot
from traffic_lights.players.roster import Entry, Group, users_roster
from traffic_lights.players.tables import TableFile
from traffic_lights.storage.kinds import Whole
from traffic_lights.storage.words import counted
from traffic_lights.training.folder import PRUNED, TABLE, default_table, snapshot_path
from traffic_lights.training.snapshots import snapshot_games

_GAMES = 2000


def _parser() -> Parser:
    parser = Parser("evaluate", "Play a bot against others, and judge its moves exactly.")
    add = parser.add_argument
    add("--bot", "--table", metavar="PLAYER",
        help="the bot to evaluate: a name (myopic, horizon-5), the file of a Q-table, the "
        "folder of a training, or the command of an external bot (default: that of the train "
        "command without --dir; if there is none, the shipped QBot)")  # fmt: skip
    add("--opponent", action="append", metavar="PLAYER",
        help=f"an opponent, named as for --bot; repeat the option for several (default "
        f"{', '.join(STANDARD_OPPONENTS)})")  # fmt: skip
    add("--move-time", type=typed(Whole(1, 3_600_000)), default=5000, metavar="MS",
        help="milliseconds that an external bot has for a move (default 5000)")  # fmt: skip
    add("--games", type=typed(Whole(1, 10**7)), metavar="N",
        help=f"games against each opponent, half of them in each seat (default {_GAMES:,})"
        )  # fmt: skip
    add("--seed", type=typed(Whole()), default=1, metavar="S",
        help="seed of all random choices (default 1)")  # fmt: skip
    add("--budget", type=typed(Whole(0, 10**9)), default=BUDGET, metavar="N",
        help="compute the exact score if it needs at most N positions in each seat "
        f"(default {BUDGET:,}; 0: never)")  # fmt: skip
    add_flags(
        add,
        show_protocol="print every line between this program (>) and an external bot (<)",
        proof="follow every line of play that the bot allows and count its blunders",
        history="evaluate the bot also as it was at the snapshots of its training",
        json="print one JSON object",
        quiet="show no progress",
    )
    return parser


@command("evaluate")
def main(arguments: Sequence[str]) -> int:
    options = _parser().parse_args(arguments)
    roster = users_roster()
    source = str(options.bot or default_table())
    (bot,) = _introduced([roster.resolve(source)], options)
    names = options.opponent or STANDARD_OPPONENTS
    if options.proof and not (options.opponent or options.games or options.history):
        names = ()
    opponents = _introduced([roster.resolve(name) for name in names], options)
    if options.show_protocol and not any(player.is_program for player in (bot, *opponents)):
        raise CommandError("--show-protocol needs an external bot, and none plays here")
    if options.history and not bot.has_table:
        raise CommandError(f"--history needs a Q-table, and {bot.name} has none")
    bots = _ages(bot) if options.history else [bot]
    rows: dict[tuple[str, str], Row] = {}
    proof = None
    is_interrupted = False
    with Ticker(quiet=options.quiet) as ticker:
        try:
            pairs = product(bots, opponents)
            games = options.games or _GAMES
            for row in evaluate(pairs, games, seed=options.seed, budget=options.budget):
                rows[row.bot.key, row.opponent.key] = row
                ticker.tell(
                    f"{row.bot.name} against {row.opponent.name}: "
                    f"{row.games:,} of {row.planned:,} games"
                )
            if options.proof:
                proof = _proof(bot, ticker)
        except KeyboardInterrupt:
            is_interrupted = True
            remark("evaluate: interrupted; these are the results so far")
    results = list(rows.values())
    if options.json:
        facts: dict[str, Any] = {"table" if bot.has_table else "bot": source}
        if is_interrupted:
            facts["interrupted"] = True
        if opponents:
            facts |= {"results": [*map(reports.as_json, results)], "seed": options.seed}
        if proof is not None:
            facts["proof"] = proof.as_json()
        say(json.dumps(facts))
    else:
        texts = [_heading(bot, source)]
        if results:
            texts.append(reports.to_text(results))
        if proof is not None:
            texts.append(proof.text(bot.name))
        say("\n\n".join(texts))
    return INTERRUPTED if is_interrupted else SUCCESS


def _introduced(players: Iterable[Entry], options: Namespace) -> list[Entry]:
    """Return *players*, each once; external bots are started. Raise PlayerError.

    A player that is a file or a program gets its name as its key, unless two have that name. Games
    and results then do not depend on where the file is.
    """
    once = {player.key: player for player in players}
    started = [_started(player, options) for player in once.values()]
    names = Counter(player.name for player in started)
    return [
        replace(player, key=player.name)
        if player.group in (Group.TABLE, Group.PROGRAM) and names[player.name] == 1
        else player
        for player in started
    ]


def _started(player: Entry, options: Namespace) -> Entry:
    """Return *player*, if it is an external bot with the name that it tells; raise PlayerError."""
    if not isinstance(player.plays_by, Program):
        return player
    program = replace(player.plays_by, move_s=options.move_time / 1000)
    external = external_bot(program, random.Random(options.seed))
    if options.show_protocol:
        show = remark if options.json else say
        external.on_line = lambda line: show(f"{external.name} {line}")
    return replace(player, name=external.meet(), plays_by=program)


def _ages(bot: Entry) -> list[Entry]:
    """Return what *bot* was after some of its games, by the snapshots in its folder, and itself."""
    assert isinstance(bot.plays_by, TableFile)
    path = bot.plays_by.path
    folder = path if path.is_dir() else path.parent
    total = bot.q_table().meta.get("games", 0)
    tables = {
        games: replace(bot.plays_by, path=snapshot_path(folder, games))
        for games in snapshot_games(folder)
        if games < total
    }
    # A folder may also have tables of other trainings, which have no snapshots.
    if not tables or path.name not in (folder.name, TABLE, PRUNED):
        raise CommandError(f"--history needs the snapshots of a training, and {path} has none")
    tables[total] = bot.plays_by
    return [
        replace(bot, key=str(games), name=counted(games, "game"), plays_by=table)
        for games, table in tables.items()
    ]


def _proof(bot: Entry, ticker: Ticker) -> Proof | None:
    proof = None
    for event in prove_bot(bot):
        if isinstance(event, Proof):
            proof = event
        else:
            ticker.tell(
                f"Player {event.seat + 1}, move {event.ply + 1}: "
                f"{event.positions:,} positions, {event.blunders:,} blunders"
            )
    return proof


def _heading(bot: Entry, source: str) -> str:
    name = f"QBot of {source}" if bot.group is Group.TABLE else bot.name
    if bot.is_program:
        return f"{name}, {source}"
    if not isinstance(bot.plays_by, TableFile) or bot.plays_by.elsewhere is not None:
        return name
    rows = counted(sum(1 for _ in bot.q_table().states()), "row")
    return f"{name}, {rows}"


if __name__ == "__main__":
    sys.exit(main())
