"""Judge QBot: ``python -m traffic_lights.evaluate``.

Without arguments it plays your QBot, or else the shipped one, against the
baseline bots and the exact player. Exit status 0: done; 2: bad usage or a
table that cannot be read; 130: interrupted, after printing what there is.
"""

from __future__ import annotations

import json
import os
import platform
import sys
import sysconfig
import time
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from typing import Any

from traffic_lights.board.exact import BUDGET
from traffic_lights.board.rules import format_cell
from traffic_lights.console.progress import Ticker
from traffic_lights.console.shell import (
    INTERRUPTED,
    SUCCESS,
    CommandError,
    Parser,
    conclude,
    file_path,
    refuse_idle,
    remark,
    run,
    say,
    whole_number,
)
from traffic_lights.judging import best_response as best_scores
from traffic_lights.judging import reports, study
from traffic_lights.judging.accuracy import (
    TableCheck,
    check_table,
    found_share,
    known_share,
    sample,
)
from traffic_lights.judging.evaluation import Row, evaluate
from traffic_lights.judging.expectation import table_strategy
from traffic_lights.judging.proof import Proof, SeatProof, Walked, prove
from traffic_lights.learning.oldtable import origin
from traffic_lights.learning.qtable import QTable
from traffic_lights.learning.tablefile import read_table
from traffic_lights.pictures import curves
from traffic_lights.pictures.shares import exact_percent
from traffic_lights.players.bots import PlayerError
from traffic_lights.players.contestants import (
    Contestant,
    ContestantNameError,
    dismiss_guests,
    parse_contestant,
    shared_guest,
    standard_opponents,
)
from traffic_lights.players.external import Program
from traffic_lights.storage.files import write_atomically
from traffic_lights.system.folders import default_table
from traffic_lights.system.typed_numbers import MOST_SEED
from traffic_lights.system.words import counted

_DEFAULT_GAMES = 2000
_ABOUT_STUDY = ("games", "seed", "jobs", "picture", "json", "quiet")
_ABOUT_JUDGING = ("table", "proof", "check", "json", "quiet")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command with *arguments*, or those of the process; return its exit status."""
    return run("evaluate", evaluate_command, arguments)


def _parser() -> Parser:
    parser = Parser("evaluate", "Play QBot against other players, and judge its moves exactly.")
    add = parser.add_argument
    add("--table", type=file_path, metavar="FILE",
        help="the Q-table (default: your qbot.json, or else the shipped complete.json)"
        )  # fmt: skip
    add("--opponent", action="append", metavar="NAME",
        help="random, alternate, myopic, horizon-N, exact, or a table file; may be repeated "
        "(default: random, alternate, myopic and exact)")  # fmt: skip
    add("--bot", metavar="'COMMAND …'",
        help="judge, instead of a Q-table, a program that plays by lines of text (see the README)"
        )  # fmt: skip
    add("--opponent-program", action="append", default=[], metavar="'COMMAND …'",
        help="such a program as an opponent; may be repeated")  # fmt: skip
    add("--move-time", type=whole_number(1, 3_600_000), default=5000, metavar="MS",
        help="milliseconds that a program has for a move, default 5000")  # fmt: skip
    add("--errors", action="store_true",
        help="show what a program wrote to its standard error before it first forfeited a game"
        )  # fmt: skip
    add("--games", type=whole_number(1, 10**7), metavar="N",
        help=f"games against each opponent, default {_DEFAULT_GAMES:,}, half of them in each seat"
        )  # fmt: skip
    add("--seed", type=whole_number(0, MOST_SEED), default=1, metavar="S", help="default 1")
    add("--jobs", type=whole_number(1, 64), metavar="N",
        help="processes that play (default: as many as pay); the figures are the same")  # fmt: skip
    add("--budget", type=whole_number(0, 10**9), default=BUDGET, metavar="N",
        help="compute the exact score too if it takes no more than N positions in each seat "
        f"(default {BUDGET:,}; 0: never)")  # fmt: skip
    add("--proof", action="store_true",
        help="walk every line of play that QBot allows, in both seats, and count its slips"
        )  # fmt: skip
    add("--check", action="store_true",
        help="compare every value of the table with the exact solution")  # fmt: skip
    add("--best-possible", action="store_true",
        help="compute the best possible score against each opponent, which takes minutes, "
        "as the JSON file that comes with the program")  # fmt: skip
    add("--study", action="store_true",
        help="train by each update rule against each opponent, --games games (default "
        f"{study.GAMES:,}) from each of {study.SEEDS} seeds, each rule at its own best settings, "
        "and compare the exact scores, as Markdown; takes 20 minutes on two cores")  # fmt: skip
    add("--picture", type=file_path, metavar="FILE",
        help="with --study: draw the learning curves into this SVG file")  # fmt: skip
    add("--json", action="store_true", help="print one JSON object")
    add("--quiet", action="store_true", help="show no progress")
    return parser


def evaluate_command(arguments: Sequence[str]) -> int:
    """Do what *arguments* say; return the exit status, or raise what `shell.run` words."""
    options, given = _parser().parse_given(arguments)
    refuse_idle(given, "study", "trains and judges tables of its own", _ABOUT_STUDY)
    refuse_idle(given, "best_possible", "is about no QBot", {"json", "quiet"})
    about_program = [name for name in given if name in ("move_time", "errors")]
    if about_program and not {"bot", "opponent_program"} & set(given):
        option = about_program[0].replace("_", "-")
        raise CommandError(f"--{option} is about a program, and none plays")
    if options.picture and not options.study:
        raise CommandError("--picture draws what --study finds, and needs it")
    if options.picture and (options.picture.is_dir() or not options.picture.parent.is_dir()):
        raise CommandError(f"cannot write {options.picture}: expected a file in a folder")
    if _only_judged(options) and not options.bot:
        for judged in ("proof", "check"):
            refuse_idle(given, judged, "alone plays no game", _ABOUT_JUDGING)
    if options.study:
        return _study(options)
    if options.best_possible:
        return _best_possible(quiet=options.quiet)
    try:
        return _Evaluation(options, *_judged(options), _opponents(options)).run()
    finally:
        dismiss_guests()


def _judged(options: Namespace) -> tuple[str, Contestant]:
    """Return where it comes from and who is judged; raise CommandError or StorageError."""
    if options.bot is None:
        source = options.table or default_table()
        return str(source), Contestant(source.name, read_table(source))
    for option in ("table", "proof", "check"):
        if getattr(options, option):
            raise CommandError(f"--{option} is about a Q-table, and --bot about a program")
    return options.bot, _guest(options.bot, options)


def _guest(command: str, options: Namespace) -> Contestant:
    """Return the player that *command* starts; raise CommandError if it does not say ready."""
    program = Program(command, move_s=options.move_time / 1000)
    guest = shared_guest(program)
    try:
        return Contestant(guest.meet(), program=program)
    except PlayerError as error:
        if options.errors:
            remark(reports.errors_text(guest.last_lines))
        raise CommandError(str(error)) from error


def _only_judged(options: Namespace) -> bool:
    """Return whether a proof or a check is asked for, and no game."""
    plays = options.opponent or options.opponent_program or options.games
    return (options.proof or options.check) and not plays


def _opponents(options: Namespace) -> list[Contestant]:
    """Return whom to play, each once; nobody if only a proof or a check is asked for."""
    names = options.opponent or ()
    if not (names or options.opponent_program or _only_judged(options)):
        names = standard_opponents()
    try:
        found = {text: parse_contestant(text) for text in names}
    except ContestantNameError as error:
        raise CommandError(str(error)) from error
    found |= {command: _guest(command, options) for command in options.opponent_program}
    plain = Counter(contestant.name for contestant in found.values())
    return [
        contestant if plain[contestant.name] == 1 else replace(contestant, name=text)
        for text, contestant in found.items()
    ]


def _best_possible(*, quiet: bool) -> int:
    scores = {}
    for name, score in best_scores.compute_all():
        if not quiet:
            remark(f"{name}: {score.first}")
        scores[name] = score
    say(json.dumps(best_scores.as_json(scores), indent=1))
    return SUCCESS


def _study(options: Namespace) -> int:
    """Run the study, print it, and draw it if that was asked for."""
    outcomes: list[study.StudyOutcome] = []
    games = options.games or study.GAMES
    started_s, status = time.monotonic(), SUCCESS
    try:
        for outcome in study.study(options.seed, games, options.jobs):
            outcomes.append(outcome)
            if not options.quiet:
                remark(
                    f"{len(outcomes)} of {study.OUTCOMES}: {outcome.title}; "
                    f"{time.monotonic() - started_s:.0f} s so far"
                )
    except study.StudyError as error:
        raise CommandError(str(error)) from error
    except KeyboardInterrupt:
        status = INTERRUPTED
        remark("evaluate: interrupted; these are the results so far")
    seconds = time.monotonic() - started_s
    if options.json:
        text = json.dumps({"seed": options.seed, "study": [study.as_json(o) for o in outcomes]})
    else:
        command = f"python -m traffic_lights.evaluate --study --seed {options.seed} --games {games}"
        part = f"interrupted after {len(outcomes)} of {study.OUTCOMES}, " if status else ""
        jobs = options.jobs or os.cpu_count() or 1
        processes = f"at most {jobs} processes" if jobs > 1 else "one process"
        text = (
            f"{study.to_markdown(outcomes)}\n\n`{command}`, {part}"
            f"{seconds:.0f} s with {platform.python_implementation()} {platform.python_version()} "
            f"on {sysconfig.get_platform()}, in {processes}."
        )
    conclude(text, status)
    panels = study.panels(outcomes)
    if panels and options.picture:
        write_atomically(options.picture, [curves.svg(panels).encode("utf-8")])
    return status


class _Evaluation:
    """One call of the command: what it was asked, and what it has found so far."""

    def __init__(
        self,
        options: Namespace,
        source: str,
        bot: Contestant,
        opponents: list[Contestant],
    ) -> None:
        self._options, self._bot, self._opponents = options, bot, opponents
        self._rows: dict[str, Row] = {}
        self._ticker = Ticker(quiet=options.quiet)
        self._answer: dict[str, Any] = {"table" if bot.table else "bot": source}
        who = f"QBot of {source}, {_origin(bot.table)}" if bot.table else f"{bot.name}, {source}"
        self._texts: list[str] = [who]

    def run(self) -> int:
        """Do all that was asked, say it, and return the exit status."""
        status = SUCCESS
        try:
            if self._opponents:
                self._play()
            if self._options.check and self._bot.table is not None:
                self._check(self._bot.table)
            if self._options.proof and self._bot.table is not None:
                self._prove(self._bot.table)
        except KeyboardInterrupt:
            status = INTERRUPTED
            self._answer["interrupted"] = True
        finally:
            self._ticker.clear()
        if status:
            remark("evaluate: interrupted; these are the results so far")
        is_json = self._options.json
        return conclude(json.dumps(self._answer) if is_json else "\n\n".join(self._texts), status)

    def _play(self) -> None:
        options = self._options
        games = options.games or _DEFAULT_GAMES
        rows: Iterator[Row] = evaluate(
            self._bot, self._opponents, games, options.seed, options.jobs, options.budget
        )
        try:
            for row in rows:
                self._rows[row.opponent] = row
                self._ticker.tell(f"{row.opponent}: {row.games:,} of {games:,} games")
        finally:
            shown = list(self._rows.values())
            self._answer["results"] = [reports.as_json(row) for row in shown]
            self._answer["seed"] = options.seed
            if shown:
                self._texts.append(reports.to_text(shown))
                if options.errors:
                    self._texts += [
                        reports.errors_text(row.forfeits.last_words)
                        for row in shown
                        if row.forfeits
                    ]
        if self._bot.table is not None:
            self._find(self._bot.table)

    def _find(self, table: QTable) -> None:
        """Judge single moves, in the samples of positions in which one can go wrong."""
        found, known = {}, {}
        lines = ["Of positions with a winning and a losing move, QBot finds a winning one in"]
        for name in ("random", "myopic"):
            questions = sample(name)
            found[name] = found_share(table, questions)
            known[name] = known_share(table, questions)
            lines.append(
                f"  {exact_percent(found[name])} of those from {name.capitalize()} games; "
                f"its table has a row for {exact_percent(known[name])} of them"
            )
        if table.meta.get("ties") == "first":
            lines.append("  (a cut table has no rows but those that its own games need)")
        self._answer |= {"found": found, "known": known}
        self._texts.append("\n".join(lines))

    def _check(self, table: QTable) -> None:
        check = check_table(table)
        self._answer["check"] = asdict(check)
        self._texts.append(_words_of_check(check, table))

    def _prove(self, table: QTable) -> None:
        proof: Proof | None = None
        for event in prove(table_strategy(table)):
            if isinstance(event, Walked):
                self._ticker.tell(
                    f"Player {event.seat + 1}, move {event.ply + 1}: "
                    f"{event.positions:,} positions, {event.slips:,} slips"
                )
            else:
                proof = event
        assert proof is not None, "a walk ends with its proof"
        self._answer["proof"] = _proof_json(proof)
        self._texts.append(_words_of_proof(proof))


def _origin(table: QTable) -> str:
    """Return how many rows *table* has, and what it was made of if another program made it."""
    rows = counted(sum(1 for _ in table.states()), "row")
    source = origin(table.meta)
    return f"{rows}, from {source}" if source else rows


def _words_of_check(check: TableCheck, table: QTable) -> str:
    if table.meta.get("estimates"):
        return (
            f"Its {check.values:,} values are estimates, which decide no position; the exact "
            f"solution contradicts the sign of {check.wrong:,}."
        )
    others = {"estimates": check.estimates, "chances in lost positions": check.win_rates}
    kinds = " and ".join(f"{count:,} {kind}" for kind, count in others.items() if count)
    beside = f" Beside them are {kinds}." if kinds else ""
    return (
        f"{check.decided:,} of {check.positions:,} canonical positions are decided, "
        f"{check.lost:,} of them as lost. Of {check.values:,} proofs the exact solution "
        f"contradicts {check.wrong:,}.{beside}"
    )


def _words_of_proof(proof: Proof) -> str:
    lines = [
        f"As Player {number} QBot can meet {seat.positions:,} positions, and can slip "
        + ("in none of them." if not seat.slips else f"by {seat.slips:,} moves.")
        for number, seat in ((1, proof.first), (2, proof.second))
    ]
    if proof.counterexample is None:
        lines.append("No game was found in which QBot throws a win away: it never slips.")
    else:
        cells = " ".join(format_cell(action) for action in proof.counterexample)
        seat = 1 + (proof.beaten_seat or 0)
        lines.append(f"The shortest game that beats it after a slip, as Player {seat}: {cells}")
    if not proof.second.slips:
        lines.append("Nobody can beat it as Player 2.")
    return "\n".join(lines)


def _proof_json(proof: Proof) -> dict[str, Any]:
    def seat(part: SeatProof) -> dict[str, int]:
        return {"positions": part.positions, "slips": part.slips}

    counterexample = proof.counterexample
    return {
        "positions": proof.positions,
        "slips": proof.slips,
        "first": seat(proof.first),
        "second": seat(proof.second),
        "counterexample": None if counterexample is None else list(counterexample),
    }


if __name__ == "__main__":
    sys.exit(main())
