"""Train a bot, or resume a run: ``python3 -m traffic_lights.train``.

Without options it plays the plan *reverse* until every position is solved. The options that set up
a run are made from the fields of `RunSettings`.
"""

import sys
from pathlib import Path

if not __package__:  # started as a file, such as by an editor: find the package from its parent
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import json
import os
import time
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final

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
    remark,
    say,
    shell_command,
    stop_signals,
    typed,
)
from traffic_lights.learning.older_tables import origin
from traffic_lights.learning.prune import prune
from traffic_lights.learning.qtable import QTable
from traffic_lights.learning.tablefile import read_table, write_table
from traffic_lights.storage.files import explained
from traffic_lights.storage.folders import parse_path, training_folder
from traffic_lights.storage.kinds import Whole
from traffic_lights.storage.words import counted
from traffic_lights.storage.words import whole_number as parse_number
from traffic_lights.training.folder import table_in
from traffic_lights.training.progress import Moment, Run, progress_text
from traffic_lights.training.run import Training
from traffic_lights.training.settings import OPPONENTS, PLANS, SETTINGS, Setting, written
from traffic_lights.training.store import Store


def _parser() -> Parser:
    parser = Parser("train", "Train a bot, or resume a run that was interrupted.")
    add = parser.add_argument
    plan = parser.add_mutually_exclusive_group().add_argument
    existing = parser.add_mutually_exclusive_group().add_argument
    instead = parser.add_mutually_exclusive_group().add_argument
    folder = str(training_folder()).replace("%", "%%")  # argparse formats every help text
    add("--dir", type=parse_path, metavar="D", help=f"training folder (default: {folder})")
    _add_plan(plan)
    for name, setting in SETTINGS.items():
        if name != "plan":
            _add_setting(add, setting)
    add_flags(
        existing,
        fresh="start over; the old files are renamed to .bak",
        resume="resume a run, and fail if there is none",
        repair="if the log or the checkpoint is damaged, continue from the last table",
    )
    add_flags(
        instead,
        cut="do not train; prune the table and write qbot.json",
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
    add("--save-every", type=typed(Whole(1)), metavar="N",
        help="save also every N games, rounded to batches of 1000 (by default once a second)"
        )  # fmt: skip
    return parser


def _add_plan(add: Callable[..., object]) -> None:
    """Add the two options that name the plan."""
    usual = SETTINGS["plan"].default
    together = [key for key in reversed(list(PLANS)) if key not in OPPONENTS]
    texts = []
    for key in together:
        default = " (default)" if key == usual else ""
        texts.append(f"{key}{default}: {PLANS[key].help}")
    add("--plan", "--programme", choices=together, help=". ".join(texts))
    add("--opponent", dest="plan", choices=OPPONENTS, help="train against one opponent")


def _add_setting(add: Callable[..., object], setting: Setting) -> None:
    """Add the option of *setting*; `_wanted` parses it."""
    text = setting.help
    if setting.default is not None:
        text += f" (default {written(setting.default)})"
    text += setting.about_choices
    metavar = "{" + ",".join(setting.choices) + "}" if setting.choices else "N"
    nargs = len(setting.default) if isinstance(setting.default, tuple) else None
    add(f"--{setting.option}", nargs=nargs, metavar=metavar, help=text)


@command("train")
def main(arguments: Sequence[str]) -> int:
    options = _parser().parse_args(arguments)
    folder: Path = options.dir or training_folder()
    wanted = _wanted(options)
    if wanted and (options.cut or options.source or options.menu):
        option = SETTINGS[next(iter(wanted))].option
        raise CommandError(f"--cut, --import and --menu do not train: leave out --{option}")
    with explained("use the folder", folder):
        is_there = folder.is_dir()
    if (options.cut or options.repair or options.resume) and not is_there:
        raise CommandError(f"folder not found: {folder}")
    if is_there and not os.access(folder, os.W_OK):
        raise CommandError(f"{folder} is read-only: name another folder with --dir")
    if options.menu:
        return _run_menu(folder)
    if options.cut:
        return _cut(folder, options)
    if options.source:
        return _import(options.source, folder, options)
    return _train(folder, wanted, options)


_LEAVES: Final = ("q", "quit")
"""The answers that leave the menu."""


def _run_menu(folder: Path) -> int:
    """Offer what can be done with the bot in *folder* until the user quits."""
    offered = _offered()
    while True:
        say(f"\nTraffic Lights: the QBot in {folder}\n")
        for number, choice in enumerate(offered, start=1):
            say(f"{number:>4}  {choice.title}")
        try:
            answer = ask(f"\nYour choice, 1 to {len(offered)}, or q to quit: ")
            if answer.casefold() in _LEAVES:
                return SUCCESS
            place = parse_number(answer, 1, len(offered))
            if place is None:
                say(f"{answer[:40]!r} is not a number from 1 to {len(offered)}.")
                continue
            chosen = offered[place - 1]
            if chosen.command is None:
                return SUCCESS
            words = chosen.words
            if chosen.games is not None:
                games = ask(f"How many games in all? (Return: {chosen.games}) ")
                if games.casefold() in _LEAVES:
                    return SUCCESS
                words = (*words, "--games", games or str(chosen.games))
        except (EOFError, KeyboardInterrupt):  # the input has ended
            say("")
            return SUCCESS
        if chosen.command is main:
            chosen.command([f"--dir={folder}", *words])
        else:
            chosen.command([f"--table={table_in(folder)}", *words])


@dataclass(frozen=True, slots=True)
class _Choice:
    """An entry of the menu: a command, and the words that it gets."""

    title: str
    command: Callable[[list[str]], int] | None = None
    """None ends the menu."""
    words: tuple[str, ...] = ()
    games: int | None = None
    """The default number of games, if the menu asks for one."""


def _offered() -> list[_Choice]:
    """Return the menu: every plan, a resume, and an evaluation against every standard opponent."""
    from traffic_lights.evaluate import main as evaluate

    choices = []
    together = [key for key in PLANS if key not in OPPONENTS]
    for key in (*OPPONENTS, *together):
        plan = PLANS[key]
        option = "--opponent" if key in OPPONENTS else "--plan"
        choices.append(_Choice(f"Train {plan.help}", main, (option, key), plan.games))
    choices.append(_Choice("Resume the run that was interrupted", main, ("--resume",)))
    names = {**{bot.key: bot.name for bot in BASELINES.values()}, "exact": "the exact player"}
    for key, name in names.items():
        choices.append(_Choice(f"Evaluate against {name}", evaluate, ("--opponent", key)))
    choices.append(_Choice("Quit"))
    return choices


def _wanted(options: Namespace) -> dict[str, Any]:
    """Return the settings that were given, by name; raise SettingsError."""
    wanted = {}
    for name, setting in SETTINGS.items():
        given = getattr(options, name)
        if given is not None:
            text = given if isinstance(given, str) else " ".join(given)
            wanted[name] = setting.read(text)
    return wanted


def _train(folder: Path, wanted: dict[str, Any], options: Namespace) -> int:
    started_s = time.monotonic()
    with Ticker(quiet=options.quiet) as ticker:
        ticker.tell("reading the folder")  # a complete table takes three seconds
        training = Training(
            folder,
            wanted,
            fresh=options.fresh,
            resume=options.resume,
            repair=options.repair,
            keep_log=options.keep_log,
            save_every=options.save_every,
        )
    with training, stop_signals() as is_stopped:
        before = training.games
        playing_s = time.monotonic()
        if training.run.is_finished:
            remark(f"this run is already finished, after {played_text(training.run)}")
        elif before:
            plan = training.run.settings.plan
            remark(f"resuming plan {plan} after {played_text(training.run)}")
        with Ticker(quiet=options.quiet) as ticker:
            _show(training.play(is_stopped), ticker)
        played_s = time.monotonic() - playing_s
        if not training.run.is_finished:
            training.compact()  # so that the bot can be played as it is
        rate = (training.games - before) / max(played_s, 0.001)
        report = {
            "table": str(training.store.table_path),
            "programme": training.run.settings.plan,
            "games": training.games,
            "practice_games": training.run.practice_games,
            "seconds": round(time.monotonic() - started_s, 3),
            "games_per_second": round(rate, 1),
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
            say(_finished_text(report, training.run))
        else:
            resume = shell_command("train", "--dir", folder)
            played = played_text(training.run)
            say(f"Stopped after {played}; everything is saved. To resume: {resume}")
        return SUCCESS if training.run.is_finished else INTERRUPTED


def _show(moments: Iterator[Moment], ticker: Ticker) -> None:
    started_s = time.monotonic()
    first = next(moments)
    for moment in chain([first], moments):
        if moment.note:
            ticker.clear()
            remark(moment.note)
        ticker.tell(progress_text(moment, first, time.monotonic() - started_s))


def played_text(run: Run) -> str:
    """Return how many games *run* has played, and how many tries, which it counts as games.

    >>> from traffic_lights.training.progress import Progress
    >>> from traffic_lights.training.settings import RunSettings
    >>> progress = Progress(0.2, games=16_000, stage=1, stage_games=6_000)
    >>> played_text(Run(0, RunSettings(), progress))
    '10,000 games and 6,000 tries of practice against Myopic'
    """
    tries = run.practice_games
    games = counted(run.progress.games - tries, "game")
    if not tries:
        return games
    return (
        f"{games} and {tries:,} tries of practice against {BASELINES[run.settings.practice].name}"
    )


def _finished_text(report: dict[str, Any], run: Run) -> str:
    result = f"Finished: {report['decided']:,} of {POSITIONS:,} positions are solved"
    if report["complete"]:
        result = f"Complete: every one of the {POSITIONS:,} positions is solved"
    rows = counted(report["rows"], "row")
    evaluate = shell_command("evaluate", "--table", Path(report["table"]))
    return (
        f"{result}, after {played_text(run)}; {report['seconds']:.1f} s for this session. "
        f"{rows} in {report['table']}\nTo evaluate it: {evaluate}"
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
            raise CommandError(
                f"{folder} has no table with all games of its run: train there without --cut first"
            )
        note = store.set_aside_foreign()
        if note:
            remark(note)
        return _write(store.pruned_path, prune(whole), options)


def _import(source: Path, folder: Path, options: Namespace) -> int:
    table = read_table(source)
    with closing(Store(folder)) as store:
        names = store.set_aside() if options.fresh else ""
        if names:
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
    text = f"{path}: {counted(rows, 'row')}"
    if source:
        text += f", from {source}"
    say(json.dumps({"table": str(path), "rows": rows}) if options.json else text)
    return SUCCESS


if __name__ == "__main__":
    sys.exit(main())
