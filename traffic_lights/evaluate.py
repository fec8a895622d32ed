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
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
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
from traffic_lights.judging.proof import Finding, Proof, check_table, judge_moves
from traffic_lights.players.external import Program, external_bot
from traffic_lights.players.roster import Entry, Group, Roster
from traffic_lights.players.tables import TableFile
from traffic_lights.storage.folders import data_folder, parse_path
from traffic_lights.storage.kinds import Whole
from traffic_lights.storage.words import MOST_SEED, counted
from traffic_lights.training.folder import default_table, snapshot_path
from traffic_lights.training.snapshots import snapshot_games

_GAMES = 2000
_HISTORY_GAMES = 200
_HISTORY_BUDGET = 100_000


def _parser() -> Parser:
    parser = Parser("evaluate", "Play a bot against others, and judge its moves exactly.")
    add = parser.add_argument
    who = parser.add_mutually_exclusive_group()
    who.add_argument("--table", type=parse_path, metavar="FILE",
        help="evaluate the bot of this Q-table (default: that of the train command without "
        "--dir; if there is none, the shipped complete.json)")  # fmt: skip
    who.add_argument("--bot", metavar="PLAYER",
        help="evaluate this player instead: a name (myopic, horizon-5), a table file, or the "
        "command of an external bot")  # fmt: skip
    add("--opponent", "--opponent-program", action="append", metavar="PLAYER",
        help=f"an opponent, named as for --bot; repeat the option for several (default "
        f"{', '.join(STANDARD_OPPONENTS)})")  # fmt: skip
    add("--move-time", type=typed(Whole(1, 3_600_000)), default=5000, metavar="MS",
        help="milliseconds that an external bot has for a move (default 5000)")  # fmt: skip
    add("--games", type=typed(Whole(1, 10**7)), metavar="N",
        help=f"games against each opponent, half of them in each seat (default {_GAMES:,})"
        )  # fmt: skip
    add("--seed", type=typed(Whole(0, MOST_SEED)), default=1, metavar="S",
        help="seed of all random choices (default 1)")  # fmt: skip
    add("--budget", type=typed(Whole(0, 10**9)), metavar="N",
        help="compute the exact score if it needs at most N positions in each seat "
        f"(default {BUDGET:,}; 0: never)")  # fmt: skip
    add_flags(
        add,
        show_protocol="print every line between this program (>) and an external bot (<)",
        proof="follow every line of play that the bot allows and count its blunders",
        check="compare each proof of the table with the exact solution",
        history="replay the training of the table and evaluate it after 1, 2, 4, 7, 10, ... games "
        f"(with defaults --games {_HISTORY_GAMES} and --budget {_HISTORY_BUDGET:,})",
        json="print one JSON object",
        quiet="show no progress",
    )
    return parser


@command("evaluate")
def main(arguments: Sequence[str]) -> int:
    options = _parser().parse_args(arguments)
    _set_defaults(options)
    roster = Roster(data_folder())
    source, bot = _named_bot(roster, options)
    (bot,) = _introduced([bot], options)
    opponents = _introduced([roster.resolve(text) for text in options.opponent], options)
    for option in ("history", "check"):
        if getattr(options, option) and not bot.has_table:
            raise CommandError(f"--{option} needs a Q-table, and {bot.name} has none")
    if options.show_protocol and not any(player.is_program for player in (bot, *opponents)):
        raise CommandError("--show-protocol needs an external bot, and none plays here")
    report = Report(source=source, bot=bot, opponents=opponents, seed=options.seed)
    with Ticker(quiet=options.quiet) as ticker:
        try:
            _play(report, options, ticker)
            _judge(report, options, ticker)
        except KeyboardInterrupt:
            report.is_interrupted = True
    if report.is_interrupted:
        remark("evaluate: interrupted; these are the results so far")
    if options.json:
        say(json.dumps(report.as_json()))
    else:
        say(report.text())
    return INTERRUPTED if report.is_interrupted else SUCCESS


def _set_defaults(options: Namespace) -> None:
    """Set those of *options* that were not given and depend on others."""
    is_judged_only = (options.proof or options.check) and not (options.history or options.games)
    if options.opponent is None:
        options.opponent = [] if is_judged_only else STANDARD_OPPONENTS
    if options.games is None:
        options.games = _HISTORY_GAMES if options.history else _GAMES
    if options.budget is None:
        options.budget = _HISTORY_BUDGET if options.history else BUDGET


def _named_bot(roster: Roster, options: Namespace) -> tuple[str, Entry]:
    """Return the words that name the bot to evaluate, and the bot; raise PlayerError."""
    if options.bot is not None:
        return options.bot, roster.resolve(options.bot)
    table = options.table or default_table()
    if isinstance(table, Path):
        return str(table), roster.table_entry(str(table))
    # The shipped table is inside an archive, so it has no path of its own.
    return str(table), roster.entry("qbot")


def _introduced(players: Iterable[Entry], options: Namespace) -> list[Entry]:
    """Return *players*, each once; external bots are started. Raise PlayerError."""
    once = {player.key: player for player in players}
    started = [_started(player, options) for player in once.values()]
    names = Counter(player.name for player in started)
    return [_named(player) if names[player.name] == 1 else player for player in started]


def _named(player: Entry) -> Entry:
    """Return *player* with its name as the key if it has a path as the key.

    Games and results then do not depend on where the file is.
    """
    has_path = player.group in (Group.TABLE, Group.PROGRAM)
    return replace(player, key=player.name) if has_path else player


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


@dataclass(slots=True)
class Report:
    """What an evaluation of *bot* has found so far."""

    source: str
    """How the user named the bot."""
    bot: Entry
    opponents: Sequence[Entry]
    seed: int
    rows: dict[tuple[str, str], Row] = field(default_factory=dict)
    """The results by the keys of the bot, or of an age of it, and of the opponent."""
    findings: list[Finding] = field(default_factory=list)
    """What was judged without games."""
    is_interrupted: bool = False

    def as_json(self) -> dict[str, Any]:
        """Return everything as one object."""
        facts: dict[str, Any] = {"table" if self.bot.has_table else "bot": self.source}
        if self.is_interrupted:
            facts["interrupted"] = True
        if self.opponents:
            facts["results"] = [reports.as_json(row) for row in self.rows.values()]
            facts["seed"] = self.seed
        for found, _ in self.findings:
            facts |= found
        return facts

    def text(self) -> str:
        """Return everything in words."""
        rows = list(self.rows.values())
        texts = [self._heading()]
        if rows:
            texts.append(reports.to_text(rows))
        texts += [text for _, text in self.findings]
        return "\n\n".join(texts)

    def _heading(self) -> str:
        if not _plays_by_table_alone(self.bot):
            return f"{self.bot.name}, {self.source}"
        table = self.bot.q_table()
        rows = counted(sum(1 for _ in table.states()), "row")
        return f"QBot of {self.source}, {rows}"


def _play(report: Report, options: Namespace, ticker: Ticker) -> None:
    """Play the games of *report*, with every age of the bot if that was asked for."""
    bots = _ages(report.bot) if options.history else [report.bot]
    for bot in bots:
        rows = evaluate(
            bot,
            report.opponents,
            options.games,
            seed=options.seed,
            budget=options.budget,
        )
        for row in rows:
            report.rows[bot.key, row.opponent.key] = row
            ticker.tell(
                f"{bot.name} against {row.opponent.name}: {row.games:,} of {row.planned:,} games"
            )


def _judge(report: Report, options: Namespace, ticker: Ticker) -> None:
    """Judge the bot of *report* by the exact solution, as far as that was asked for."""
    bot = report.bot
    if report.opponents and _plays_by_table_alone(bot) and not options.history:
        report.findings.append(judge_moves(bot.q_table()))
    if options.check:
        report.findings.append(check_table(bot.q_table()))
    if options.proof:
        for event in prove_bot(bot):
            if isinstance(event, Proof):
                report.findings.append(({"proof": event.as_json()}, event.text(bot.name)))
            else:
                ticker.tell(
                    f"Player {event.seat + 1}, move {event.ply + 1}: "
                    f"{event.positions:,} positions, {event.blunders:,} blunders"
                )


def _plays_by_table_alone(bot: Entry) -> bool:
    return isinstance(bot.plays_by, TableFile) and bot.plays_by.elsewhere is None


def _ages(bot: Entry) -> Iterator[Entry]:
    """Yield what *bot* was after some of its games, by the snapshots in its folder, and itself."""
    assert isinstance(bot.plays_by, TableFile)
    folder = Path(bot.plays_by.path).parent
    total = bot.q_table().meta.get("games", 0)
    before = [games for games in snapshot_games(folder) if games < total]
    if not before:
        raise CommandError(f"--history needs the snapshots of a training, and {folder} has none")
    for games in before:
        table = TableFile(snapshot_path(folder, games))
        yield replace(bot, key=str(games), name=counted(games, "game"), plays_by=table)
    yield replace(bot, key=str(total), name=counted(total, "game"))


if __name__ == "__main__":
    sys.exit(main())
