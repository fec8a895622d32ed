"""Train a bot, or resume a run: ``python3 -m traffic_lights.train``.

Without options it goes from the end of the game backwards until every position is solved. The
options that set up a run are made from the fields of `RunSettings`.
"""

import sys
from pathlib import Path

if not __package__:  # started as a file, such as by an editor: find the package from its parent
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import json
import os
import time
from argparse import Namespace
from collections.abc import Callable, Sequence
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
    remark,
    say,
    shell_command,
    stop_signals,
)
from traffic_lights.storage.files import explained
from traffic_lights.storage.folders import parse_path, training_folder
from traffic_lights.storage.words import counted
from traffic_lights.storage.words import whole_number as parse_number
from traffic_lights.training.folder import table_in
from traffic_lights.training.progress import Run
from traffic_lights.training.run import Training
from traffic_lights.training.settings import GAMES, PLANS, SETTINGS


def _parser() -> Parser:
    parser = Parser("train", "Train a bot, or resume a run that was interrupted.")
    add = parser.add_argument
    folder = str(training_folder()).replace("%", "%%")  # argparse formats every help text
    add("--dir", type=parse_path, metavar="D", help=f"training folder (default: {folder})")
    for name, setting in SETTINGS.items():
        metavar = "{" + ",".join(setting.choices) + "}" if setting.choices else "N"
        add(f"--{setting.option}", dest=name, metavar=metavar, help=setting.description)
    add_flags(
        add,
        fresh="start over; the old files are renamed to .bak",
        menu="choose what to do from a menu",
        json="print one JSON object at the end",
        quiet="show no progress",
    )
    return parser


@command("train")
def main(arguments: Sequence[str]) -> int:
    options = _parser().parse_args(arguments)
    folder: Path = options.dir or training_folder()
    wanted = _wanted(options)
    with explained("use the folder", folder):
        if folder.is_dir() and not os.access(folder, os.W_OK):
            raise CommandError(f"{folder} is read-only: name another folder with --dir")
    if not options.menu:
        return _train(folder, wanted, options)
    if wanted:
        raise CommandError("--menu asks for everything: leave out the other options")
    return _run_menu(folder)


def _wanted(options: Namespace) -> dict[str, Any]:
    """Return the settings that were given, by name; raise SettingsError."""
    wanted = {}
    for name, setting in SETTINGS.items():
        text = getattr(options, name)
        if text is not None:
            if not text.strip():
                raise CommandError(f"--{setting.option} needs a value")
            wanted[name] = setting.read(text)
    return wanted


def _run_menu(folder: Path) -> int:
    """Offer what can be done with the bot in *folder* until the user quits."""
    from traffic_lights.evaluate import main as evaluate

    offered: list[tuple[str, Callable[[], object]]] = [
        ("Train until it is perfect, or go on with its run", lambda: main(["--dir", str(folder)])),
        ("Train against Myopic", lambda: _train_against("myopic", folder)),
        ("Train against itself", lambda: _train_against("self", folder)),
        ("Evaluate it", lambda: evaluate(["--table", str(table_in(folder))])),
        ("Quit", lambda: None),
    ]
    while True:
        say(f"\nTraffic Lights: the QBot in {folder}\n")
        for number, (title, _) in enumerate(offered, start=1):
            say(f"{number:>4}  {title}")
        try:
            place = parse_number(ask(f"\nYour choice, 1 to {len(offered)}: "), 1, len(offered))
            if place == len(offered):
                return SUCCESS
            if place is None:
                say(f"Type a number from 1 to {len(offered)}.")
                continue
            _, act = offered[place - 1]
            act()
        except (EOFError, KeyboardInterrupt):  # the input has ended
            say("")
            return SUCCESS


def _train_against(opponent: str, folder: Path) -> None:
    games = ask(f"How many games? (Return: {GAMES:,}) ") or str(GAMES)
    main(["--dir", str(folder), "--opponent", opponent, "--games", games])


def _train(folder: Path, wanted: dict[str, Any], options: Namespace) -> int:
    started_s = time.monotonic()
    with Ticker(quiet=options.quiet) as ticker:
        ticker.tell("reading the folder")  # a complete table takes three seconds
        training = Training(folder, wanted, fresh=options.fresh)
    with training, stop_signals() as is_stopped:
        before = training.games
        playing_s = time.monotonic()
        if training.run.is_finished:
            remark(f"this run is already finished, after {played_text(training.run)}")
        elif before:
            plan = PLANS[training.run.settings.plan].help
            remark(f"resuming {plan} after {played_text(training.run)}")
        with Ticker(quiet=options.quiet) as ticker:
            for moment in ticker.follow(training.play(is_stopped)):
                if moment.note:
                    ticker.clear()
                    remark(moment.note)
        played_s = time.monotonic() - playing_s
        if not training.run.is_finished:
            training.compact()  # so that the bot can be played as it is
        rate = (training.games - before) / max(played_s, 0.001)
        report = {
            "table": str(training.store.table_path),
            "plan": training.run.settings.plan,
            "games": training.games,
            "practice_games": training.run.progress.practice_games,
            "seconds": round(time.monotonic() - started_s, 3),
            "games_per_second": round(rate, 1),
            "rows": sum(1 for _ in training.table.states()),
            "proven": training.table.decided,
            "complete": training.table.decided == POSITIONS,
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


def played_text(run: Run) -> str:
    """Return how many games *run* has played, and how many of them were tries of practice.

    >>> from traffic_lights.training.progress import Progress
    >>> from traffic_lights.training.settings import RunSettings
    >>> progress = Progress(0.2, games=16_000, stage=1, stage_games=6_000)
    >>> played_text(Run(RunSettings(), progress))
    '16,000 games, 6,000 of them tries of practice against Myopic'
    """
    tries = run.progress.practice_games
    games = counted(run.progress.games, "game")
    if not tries:
        return games
    opponent = BASELINES[run.settings.practice].name
    return f"{games}, {tries:,} of them tries of practice against {opponent}"


def _finished_text(report: dict[str, Any], run: Run) -> str:
    result = f"Finished: {report['proven']:,} of {POSITIONS:,} positions are solved"
    if report["complete"]:
        result = f"Complete: every one of the {POSITIONS:,} positions is solved"
    rows = counted(report["rows"], "row")
    evaluate = shell_command("evaluate", "--table", Path(report["table"]))
    of_run = " of this run" if run.earlier else ""
    return (
        f"{result}, after {played_text(run)}{of_run}; {report['seconds']:.1f} s for this session. "
        f"{rows} in {report['table']}\nTo evaluate it: {evaluate}"
    )


def peak_memory_mb() -> float | None:
    """Return the most memory that this process had, in MB, 10**6 bytes; None if unknown."""
    if sys.platform == "win32":
        return None
    import resource

    unit = 1 if sys.platform == "darwin" else 1024
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6, 1)


if __name__ == "__main__":
    sys.exit(main())
