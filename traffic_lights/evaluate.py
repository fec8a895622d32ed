"""Evaluate a player: ``python -m traffic_lights.evaluate``.

Without arguments your QBot plays against the baseline bots and the exact player. If you have
not trained one, the shipped QBot plays. Exit status 0: done; 2: bad usage or a table that
cannot be read; 130: interrupted, after printing what there is.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from traffic_lights.board.baselines import BASELINES
from traffic_lights.board.exact import BUDGET
from traffic_lights.console.shell import (
    INTERRUPTED,
    SUCCESS,
    CommandError,
    Parser,
    Ticker,
    command,
    file_path,
    remark,
    say,
    whole_number,
)
from traffic_lights.judging import reports
from traffic_lights.judging.accuracy import check_table, sample, shares
from traffic_lights.judging.evaluation import Row, evaluate
from traffic_lights.judging.walks import Walked, compute_best_scores, prove
from traffic_lights.learning.oldtable import origin
from traffic_lights.learning.prune import prune
from traffic_lights.learning.qtable import QTable
from traffic_lights.learning.tablefile import write_table
from traffic_lights.players.bots import PlayerError
from traffic_lights.players.external import close_external_bots, external_bot
from traffic_lights.players.roster import Entry, Group, Roster
from traffic_lights.system.folders import data_folder, default_table
from traffic_lights.system.words import MOST_SEED, counted, exact_percent
from traffic_lights.training.history import history

STANDARD_OPPONENTS = (*BASELINES, "exact")
_GAMES = 2000
_HISTORY_GAMES = 200
_HISTORY_BUDGET = 100_000


def _parser() -> Parser:
    parser = Parser("evaluate", "Play a bot against others, and judge its moves exactly.")
    add = parser.add_argument
    add("--table", type=file_path, metavar="FILE",
        help="evaluate the QBot of this Q-table (default: your qbot.json if there is one, "
        "otherwise the shipped complete.json)")  # fmt: skip
    add("--bot", metavar="PLAYER",
        help="evaluate this player instead: a name (myopic, horizon-5), a table file, or the "
        "command of an external bot")  # fmt: skip
    add("--opponent", "--opponent-program", action="append", metavar="PLAYER",
        help=f"an opponent, given in the same way; may be repeated (default "
        f"{', '.join(STANDARD_OPPONENTS)})")  # fmt: skip
    add("--move-time", type=whole_number(1, 3_600_000), default=5000, metavar="MS",
        help="milliseconds that an external bot has for a move (default 5000)")  # fmt: skip
    add("--errors", action="store_true",
        help="show what an external bot wrote to its standard error before it first forfeited"
        )  # fmt: skip
    add("--games", type=whole_number(1, 10**7), metavar="N",
        help=f"games against each opponent, half of them in each seat (default {_GAMES:,})"
        )  # fmt: skip
    add("--seed", type=whole_number(0, MOST_SEED), default=1, metavar="S",
        help="seed of all random choices (default 1)")  # fmt: skip
    add("--jobs", type=whole_number(1, 61), metavar="N",
        help="number of processes (default: automatic); does not change the results")  # fmt: skip
    add("--budget", type=whole_number(0, 10**9), metavar="N",
        help="compute the exact score if it needs at most N positions in each seat "
        f"(default {BUDGET:,}; 0: never)")  # fmt: skip
    add("--proof", action="store_true",
        help="follow every line of play that the bot allows and count its blunders"
        )  # fmt: skip
    add("--check", action="store_true",
        help="compare every value of the table with the exact solution")  # fmt: skip
    add("--history", action="store_true",
        help="replay the training of the table and evaluate it after 1, 2, 4, 7, 10, ... games "
        f"(with defaults --games {_HISTORY_GAMES} and --budget {_HISTORY_BUDGET:,})")  # fmt: skip
    add("--best-possible", action="store_true",
        help="compute the best possible score against each opponent and print it as in "
        "best_scores.json; takes minutes")  # fmt: skip
    add("--json", action="store_true", help="print one JSON object")
    add("--quiet", action="store_true", help="show no progress")
    return parser


@command("evaluate")
def main(arguments: Sequence[str]) -> int:
    """Evaluate a player as *arguments* say; return the exit status."""
    options = _parser().parse_args(arguments)
    if options.best_possible:
        return _best_possible(quiet=options.quiet)
    plays = options.history or options.opponent or options.games
    texts = options.opponent or STANDARD_OPPONENTS
    if not plays and (options.proof or options.check):
        texts = ()
    if options.games is None:
        options.games = _HISTORY_GAMES if options.history else _GAMES
    if options.budget is None:
        options.budget = _HISTORY_BUDGET if options.history else BUDGET
    try:
        roster = Roster(data_folder())
        source, bot = _evaluated(options, roster)
        opponents = _named({text: _met(roster.resolve(text), options) for text in texts})
        for option in ("history", "check"):
            if getattr(options, option) and bot.table is None:
                raise CommandError(f"--{option} needs a Q-table, and {bot.name} has none")
        if options.proof and bot.strategy() is None:
            raise CommandError(
                f"--proof needs a player whose possible moves are known, unlike {bot.name}"
            )
        return _evaluate(options, source, bot, opponents)
    finally:
        close_external_bots()


def _evaluated(options: Namespace, roster: Roster) -> tuple[str, Entry]:
    """Return the text that names the player to evaluate, and the player.

    Raise CommandError or PlayerError.
    """
    if options.bot is not None and options.table:
        raise CommandError("--bot and --table both name the bot to evaluate: leave out one")
    default = default_table()
    source = str(options.table or default) if options.bot is None else options.bot
    # The shipped table may be inside an archive, and then it has no path of its own.
    is_shipped = options.bot is None and not options.table and not isinstance(default, Path)
    entry = roster.entry("qbot") if is_shipped else roster.resolve(source)
    return source, _named({source: _met(entry, options)})[0]


def _met(entry: Entry, options: Namespace) -> Entry:
    """Return *entry*; an external bot is started, because it tells its name. Raise PlayerError."""
    if entry.program is None:
        return entry
    program = replace(entry.program, move_s=options.move_time / 1000)
    external = external_bot(program, random.Random(options.seed))
    try:
        return replace(entry, name=external.meet(), program=program)
    except PlayerError:
        if options.errors:
            remark(reports.errors_text(external.last_lines))
        raise


def _named(entries: dict[str, Entry]) -> list[Entry]:
    """Return *entries*, given by these texts; tables and programs get short keys that differ."""
    counts = Counter(entry.name for entry in entries.values())
    return [
        replace(entry, key=entry.name if counts[entry.name] == 1 else text)
        if entry.group in (Group.TABLE, Group.PROGRAM)
        else entry
        for text, entry in entries.items()
    ]


def _best_possible(*, quiet: bool) -> int:
    scores = {}
    for key, score in compute_best_scores():
        if not quiet:
            remark(f"{key}: {score['first']}")
        scores[key] = score
    content = {
        "format": "traffic-lights-best-scores",
        "version": 1,
        "command": "python -m traffic_lights.evaluate --best-possible",
        "best": scores,
    }
    say(json.dumps(content, indent=1))
    return SUCCESS


def _evaluate(options: Namespace, source: str, bot: Entry, opponents: list[Entry]) -> int:
    """Do everything that the options ask for, print it, and return the exit status."""
    table = bot.q_table() if bot.table is not None else None
    facts: dict[str, Any] = {"table" if table else "bot": source}
    texts, status, ticker = [f"{bot.name}, {source}"], SUCCESS, Ticker(quiet=options.quiet)
    if table:
        rows, imported = counted(sum(1 for _ in table.states()), "row"), origin(table.meta)
        texts = [f"QBot of {source}, {rows}" + (f", from {imported}" if imported else "")]
    try:
        for found, text in _findings(options, bot, table, opponents, ticker):
            facts |= found
            texts.append(text)
    except KeyboardInterrupt:
        status, facts["interrupted"] = INTERRUPTED, True
    finally:
        ticker.clear()
    if status:
        remark("evaluate: interrupted; these are the results so far")
    say(json.dumps(facts) if options.json else "\n\n".join(filter(None, texts)))
    return status


def _findings(
    options: Namespace, bot: Entry, table: QTable | None, opponents: list[Entry], ticker: Ticker
) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield one finding after the other, in facts and in words."""
    if opponents:
        yield from _results(options, bot, table, opponents, ticker)
        if table is not None and not options.history:
            yield _single_moves(table)
    if options.check and table is not None:
        check = check_table(table)
        has_proofs = not table.meta.get("estimates")
        yield {"check": asdict(check)}, reports.check_text(check, has_proofs=has_proofs)
    if options.proof and (strategy := bot.strategy()) is not None:
        for event in prove(strategy):
            if isinstance(event, Walked):
                ticker.tell(
                    f"Player {event.seat + 1}, move {event.ply + 1}: "
                    f"{event.positions:,} positions, {event.blunders:,} blunders"
                )
            else:
                facts = {
                    "positions": event.positions,
                    "slips": event.blunders,
                    "first": {"positions": event.first.positions, "slips": event.first.blunders},
                    "second": {"positions": event.second.positions, "slips": event.second.blunders},
                    "counterexample": event.counterexample,
                }
                yield {"proof": facts}, event.text(bot.name)


def _results(
    options: Namespace, bot: Entry, table: QTable | None, opponents: list[Entry], ticker: Ticker
) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield the results against the *opponents*; after an interrupt, those so far."""
    rows, interrupt = dict[tuple[str, str], Row](), None
    try:
        for one in _ages(bot, table) if options.history and table else (bot,):
            after = f"After {one.name}, " if options.history else ""
            for row in evaluate(
                one, opponents, options.games, options.seed, options.jobs, options.budget
            ):
                rows[one.key, row.opponent.key] = row
                so_far = f"{row.opponent.name}: {row.games:,} of {options.games:,} games"
                ticker.tell(f"{after}{so_far}")
    except KeyboardInterrupt as error:
        interrupt = error
    shown = list(rows.values())
    texts = [reports.to_text(shown)] if shown else []
    if options.errors:
        texts += [reports.errors_text(row.last_lines) for row in shown if row.forfeit]
    results = [reports.as_json(row) for row in shown]
    yield {"results": results, "seed": options.seed}, "\n\n".join(texts)
    if interrupt is not None:
        raise interrupt


def _ages(bot: Entry, table: QTable) -> Iterator[Entry]:
    """Yield what *bot* was in the course of its training."""
    with tempfile.TemporaryDirectory() as folder:
        for games, _, then in history(table.meta):
            path = Path(folder) / f"{games}.json"
            write_table(path, prune(then))
            yield replace(bot, key=str(games), name=counted(games, "game"), table=path)


def _single_moves(table: QTable) -> tuple[dict[str, Any], str]:
    """Judge single moves in samples of positions that have a winning and a losing move."""
    found, known = {}, {}
    lines = ["In positions with both winning and losing moves, QBot plays a winning one in"]
    for name in ("random", "myopic"):
        found[name], known[name] = shares(table, sample(name))
        lines.append(
            f"  {exact_percent(found[name])} of the positions from {name.capitalize()} games "
            f"(its table has a row for {exact_percent(known[name])} of them)"
        )
    if table.meta.get("ties") == "first":
        lines.append("A pruned table has only the rows that its own games need.")
    return {"found": found, "known": known}, "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
