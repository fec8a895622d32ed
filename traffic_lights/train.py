"""Train a bot, or resume a run: ``python -m traffic_lights.train``.

Without options it plays the plan *reverse* until every position is solved. The options that set up
a run are made from the fields of `RunSettings`.
"""

if __name__ == "__main__":
    from traffic_lights.console.start import start

    start("train")

import json
import os
import sys
import time
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from itertools import chain
from pathlib import Path
from typing import Any

from traffic_lights.board.baselines import BASELINES
from traffic_lights.board.positions import POSITIONS
from traffic_lights.console.shell import (
    INTERRUPTED,
    SUCCESS,
    CommandError,
    Parser,
    Ticker,
    add_flags,
    ask,
    command,
    python_command,
    remark,
    say,
    stop_signals,
    whole_number,
)
from traffic_lights.learning.prune import prune
from traffic_lights.learning.qtable import QTable
from traffic_lights.learning.tablefile import origin, read_table, write_table
from traffic_lights.storage.folders import parse_path, training_folder
from traffic_lights.storage.words import counted
from traffic_lights.training.folder import table_in
from traffic_lights.training.progress import Moment, progress_text
from traffic_lights.training.run import Training
from traffic_lights.training.settings import (
    OPPONENTS,
    PLANS,
    SETTINGS,
    parse_setting,
)
from traffic_lights.training.store import Store


def _parser() -> Parser:
    parser = Parser("train", "Train a bot, or resume a run that was interrupted.")
    add = parser.add_argument
    plan, existing, instead = (parser.add_mutually_exclusive_group().add_argument for _ in range(3))
    folder = str(training_folder()).replace("%", "%%")  # argparse formats every help text
    add("--dir", type=parse_path, metavar="D", help=f"training folder (default: {folder})")
    plan("--plan", "--programme", choices=PLANS,
        help="reverse (default): from the end of the game backwards. selfplay: from the empty "
        "board until its play in both seats is proven. baselines: against Random, Alternate, "
        "itself, then Myopic")  # fmt: skip
    plan("--opponent", dest="plan", choices=OPPONENTS, help="train against one opponent")
    for name, info in list(SETTINGS.items())[1:]:
        values = info.default if isinstance(info.default, tuple) else (info.default,)
        text = " ".join(f"{v:g}" if isinstance(v, float) else str(v) for v in values)
        add(
            f"--{name.replace('_', '-')}",
            nargs=len(values) if len(values) > 1 else None,
            metavar="{" + ",".join(info.choices) + "}" if info.choices else "N",
            help=info.help + ("" if info.default is None else f" (default {text})"),
        )
    add_flags(
        existing,
        fresh="start over; the old files are renamed to .bak",
        resume="resume a run, and fail if there is none",
        repair="if the log or the checkpoint is damaged, continue from the last table",
    )
    add_flags(
        instead,
        cut="do not train; write the rows needed for play to qbot.json",
        menu="choose what to do from a menu",
    )
    instead("--import", dest="source", type=parse_path, metavar="FILE",
        help="do not train; import FILE, a table of this program or the older one, into --dir"
        )  # fmt: skip
    add_flags(
        add,
        keep_log="keep the log of a finished run as .done",
        json="print one JSON object at the end",
        quiet="show no progress",
    )
    add("--save-every", type=whole_number(1), metavar="N",
        help="also save every N games, rounded to batches of 1000 (usual: once a second)"
        )  # fmt: skip
    return parser


@command("train")
def main(arguments: Sequence[str]) -> int:
    options = _parser().parse_args(arguments)
    folder: Path = options.dir or training_folder()
    wanted = _wanted(options)
    if wanted and (options.cut or options.source or options.menu):
        name = next(iter(wanted)).replace("_", "-")
        raise CommandError(f"--cut, --import and --menu do not train: leave out --{name}")
    if (options.cut or options.repair or options.resume) and not folder.is_dir():
        raise CommandError(f"folder not found: {folder}")
    if options.menu:
        return _run_menu(folder)
    if options.cut:
        return _cut(folder, options)
    if options.source:
        return _import(options.source, folder, options)
    return _train(folder, wanted, options)


def _run_menu(folder: Path) -> int:
    from traffic_lights.evaluate import main as evaluate

    offered: list[tuple[str, Callable[[list[str]], int] | None, list[str]]] = [
        *((f"Train against {p.name}", main, ["--opponent", p.key]) for p in BASELINES.values()),
        ("Train against itself", main, ["--opponent", "self"]),
        ("Train until it is perfect", main, ["--plan", "reverse"]),
        ("Resume the run that was interrupted", main, ["--resume"]),
        *((f"Evaluate against {p.name}", evaluate, ["--opponent", p.key])
          for p in BASELINES.values()),
        ("Evaluate against the exact player", evaluate, ["--opponent", "exact"]),
        ("Quit", None, []),
    ]  # fmt: skip
    choices = {str(number): choice for number, choice in enumerate(offered, start=1)}
    while True:
        say(f"\nTraffic Lights: the QBot in {folder}\n")
        for answer, (title, _, _) in choices.items():
            say(f"{answer:>4}  {title}")
        try:
            answer = ask(f"\nYour choice, 1 to {len(choices)}: ")
            if answer not in choices:
                say(f"{answer[:40]!r} is not a number from 1 to {len(choices)}.")
                continue
            _, chosen, words = choices[answer]
            if chosen is None:
                return SUCCESS
            if chosen is main and "--opponent" in words:
                games = ask("How many games in all? (Return: 100000) ") or "100000"
                words = [*words, "--games", games]
        except (EOFError, KeyboardInterrupt):  # the input has ended
            say("")
            return SUCCESS
        place = ("--dir", folder) if chosen is main else ("--table", table_in(folder))
        chosen([*map(str, place), *words])


def _wanted(options: Namespace) -> dict[str, Any]:
    """Return the settings that were given; raise SettingsError."""
    given = {name: getattr(options, name) for name in SETTINGS}
    return {
        name: parse_setting(name, value if isinstance(value, str) else " ".join(value))
        for name, value in given.items()
        if value is not None
    }


def _train(folder: Path, wanted: dict[str, Any], options: Namespace) -> int:
    started_s = time.monotonic()
    with (
        Training(
            folder,
            wanted,
            fresh=options.fresh,
            resume=options.resume,
            repair=options.repair,
            keep_log=options.keep_log,
            save_every=options.save_every,
        ) as training,
        stop_signals() as is_stopped,
    ):
        before = training.games
        playing_s = time.monotonic()
        if training.run.is_finished:
            remark(f"this run is already finished ({counted(before, 'game')})")
        elif before:
            remark(f"resuming plan {training.run.settings.plan} at game {before:,}")
        with Ticker(quiet=options.quiet) as ticker:
            _show(training.play(is_stopped), ticker)
        seconds = time.monotonic() - playing_s
        if not training.run.is_finished:
            training.compact()  # so that the bot can be played as it is
        report = {
            "table": str(training.store.table_path),
            "programme": training.run.settings.plan,
            "games": training.games,
            "practice_games": training.run.practice_games,
            "seconds": round(time.monotonic() - started_s, 3),
            "games_per_second": round((training.games - before) / max(seconds, 0.001), 1),
            "rows": training.rows,
            "decided": training.decided,
            "complete": training.decided == POSITIONS,
            "seed": training.run.settings.seed,
            "finished": training.run.is_finished,
            "peak_rss_mb": peak_memory_mb(),
        }
        if options.json:
            say(json.dumps(report))
        elif training.run.is_finished:
            say(_result_text(report, training.run.settings.practice))
        else:
            resume = python_command("-m", "traffic_lights.train", "--dir", folder)
            say(f"Stopped after game {training.games:,}; everything is saved. To resume: {resume}")
        return SUCCESS if training.run.is_finished else INTERRUPTED


def _show(moments: Iterator[Moment], ticker: Ticker) -> None:
    started_s = time.monotonic()
    first = next(moments)
    for moment in chain([first], moments):
        if moment.note:
            ticker.clear()
            remark(moment.note)
        ticker.tell(progress_text(moment, first, time.monotonic() - started_s))


def _result_text(report: dict[str, Any], practice: str) -> str:
    result = f"Finished: {report['decided']:,} of {POSITIONS:,} positions are solved"
    if report["complete"]:
        result = f"Complete: every one of the {POSITIONS:,} positions is solved"
    games = counted(report["games"], "game")
    if report["practice_games"]:
        games += f", {report['practice_games']:,} of them practice against {practice.capitalize()}"
    evaluate = python_command("-m", "traffic_lights.evaluate", "--table", report["table"])
    return (
        f"{result}, after {games}; {report['seconds']:.1f} s for this session. "
        f"{counted(report['rows'], 'row')} in {report['table']}\nTo evaluate it: {evaluate}"
    )


def peak_memory_mb() -> float | None:
    """Return the most memory that this process had, in MB, 10**6 bytes; None if unknown."""
    if sys.platform == "win32":
        return None
    import resource

    unit = 1 if sys.platform == "darwin" else 1024
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6, 1)


def _cut(folder: Path, options: Namespace) -> int:
    with closing(Store(folder)) as store:
        whole, run, _ = store.load()
        if whole is None or run != store.in_table:
            raise CommandError(f"{folder} has no finished run: train there without --cut")
        if note := store.set_aside_foreign():
            remark(note)
        return _write(store.pruned_path, prune(whole), options)


def _import(source: Path, folder: Path, options: Namespace) -> int:
    table = read_table(source)
    with closing(Store(folder)) as store:
        if options.fresh and (names := store.set_aside()):
            remark(f"the old files were renamed to {names}")
        if any(map(os.path.lexists, (store.table_path, store.checkpoint_path, store.log_path))):
            raise CommandError(
                f"{folder} already has a table or a run: choose another with --dir, or "
                "rename its files to .bak with --fresh"
            )
        return _write(store.table_path, table, options)


def _write(path: Path, table: QTable, options: Namespace) -> int:
    write_table(path, table)
    rows = sum(1 for _ in table.states())
    source = origin(table.meta)
    if options.json:
        say(json.dumps({"table": str(path), "rows": rows}))
    else:
        say(f"{path}: {counted(rows, 'row')}{', from ' + source if source else ''}")
    return SUCCESS
