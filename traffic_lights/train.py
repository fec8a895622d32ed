"""Train QBot, or resume what was begun: ``python -m traffic_lights.train``.

Without arguments it plays the best programme, the reverse curriculum, until
every position is decided. Exit status 0: the run is finished; 2: bad usage,
bad input or a disk that refuses; 130: interrupted, and everything saved.
"""

from __future__ import annotations

import json
import re
import sys
import time
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from traffic_lights.board.positions import POSITIONS
from traffic_lights.console.interrupts import stop_signals
from traffic_lights.console.progress import ProgressLine
from traffic_lights.console.remedies import with_remedy
from traffic_lights.console.shell import (
    INTERRUPTED,
    SUCCESS,
    CommandError,
    Parser,
    conclude,
    file_path,
    fraction,
    python_command,
    refuse_idle,
    run,
    whole_number,
)
from traffic_lights.console.upkeep import cut_table, import_table, repair
from traffic_lights.session.wording import counted
from traffic_lights.storage.patience import heard
from traffic_lights.system.folders import training_folder
from traffic_lights.system.typed_numbers import MOST_SEED
from traffic_lights.training.events import (
    Event,
    Finished,
    Noted,
    Progressed,
    Started,
    Stopped,
)
from traffic_lights.training.old_run import OldTraining as Training
from traffic_lights.training.run_folder import problem_of
from traffic_lights.training.settings import (
    EXPLORATIONS,
    PRACTICE_STAGE,
    PROGRAMMES,
    UPDATES,
    RunSettings,
    SettingsError,
    opponents,
    practices,
)
from traffic_lights.training.troubles import (
    DamagedRunError,
    GoneError,
    OtherSettingsError,
    StoppedError,
)

_USUAL = RunSettings()
_KIB = 1024
_SETTINGS = (
    "games",
    "seed",
    "alpha",
    "epsilon_start",
    "epsilon_end",
    "epsilon_decay",
    "update",
    "gamma",
    "explore",
    "shares",
    "practice",
)
_INSTEAD = {
    "cut": {"dir", "json", "quiet"},
    "import": {"dir", "json", "quiet", "fresh"},
    "menu": {"dir"},
}
"""What trains nothing, with the options that say something about it."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command with *arguments*, or those of the process; return its exit status."""
    return run("train", train_command, arguments)


def _parser() -> Parser:
    parser = Parser("train", "Train QBot, or resume a run that was interrupted.")
    add = parser.add_argument
    folder = str(training_folder()).replace("%", "%%")  # argparse formats every help text
    add(
        "--dir",
        type=file_path,
        metavar="D",
        help=f"folder of qtable.json and its log (default: {folder})",
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--plan",
        "--programme",
        dest="programme",
        choices=PROGRAMMES,
        help="reverse (the default): from the end of the game backwards, until "
        "every position is decided; selfplay: from the empty board until both seats "
        "are proven; baselines: Random, Alternate, itself, Myopic",
    )
    what.add_argument("--opponent", choices=opponents(), help="train against one opponent")
    add(
        "--games",
        type=whole_number(1, 10**12),
        metavar="N",
        help="games of the run in all, those before a resume included; default 100000 against "
        "an opponent, 400000 for baselines, and else until it is done",
    )
    add("--seed", type=whole_number(0, MOST_SEED), metavar="S", help="default 1")
    add(
        "--alpha",
        type=fraction(above_zero=True),
        metavar="A",
        help=f"learning rate of estimates, {_USUAL.alpha:g}",
    )
    add(
        "--epsilon-start",
        type=fraction(),
        metavar="E",
        help=f"first chance to explore, {_USUAL.epsilon_start:g}, or a larger last one",
    )
    add("--epsilon-end", type=fraction(), metavar="E",
        help=f"last one, {_USUAL.epsilon_end:g}, or a smaller first one")  # fmt: skip
    add(
        "--epsilon-decay",
        type=fraction(above_zero=True),
        metavar="D",
        help=f"factor of that chance per game, {_USUAL.epsilon_decay:g}",
    )
    add("--update", choices=UPDATES, help="learning rule, default terminal")
    add(
        "--gamma",
        type=fraction(),
        metavar="G",
        help="discount of bootstrap and monte-carlo, default 1",
    )
    add("--explore", choices=EXPLORATIONS, help="how to explore, default random")
    add(
        "--practice",
        choices=practices(),
        help="the opponent of the practice in lost positions that ends reverse and selfplay, "
        "default myopic",
    )
    add(
        "--shares",
        type=whole_number(0, 10**6),
        nargs=4,
        metavar="N",
        help="how baselines divides its games among these four, by default 1 1 1 17",
    )
    what_is_there = parser.add_mutually_exclusive_group()
    what_is_there.add_argument(
        "--fresh", action="store_true", help="start over; what is there is renamed to .bak"
    )
    what_is_there.add_argument(
        "--resume", action="store_true", help="go on with the run there, or refuse without one"
    )
    add(
        "--repair",
        action="store_true",
        help="cut a damaged log off where the damage begins, and go on with the run",
    )
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument(
        "--cut",
        action="store_true",
        help="train nothing; write the table, cut to what plays, to qbot.json",
    )
    instead.add_argument(
        "--import",
        type=file_path,
        metavar="FILE",
        help="train nothing; take the table FILE, of the older program or this "
        "one, as the folder's",
    )
    instead.add_argument(
        "--menu", action="store_true", help="choose from a menu instead of options"
    )
    add(
        "--save-every",
        type=whole_number(1),
        metavar="N",
        help="save every N games, in whole batches of 1000, beside once a second",
    )
    add("--keep-log", action="store_true",
        help="keep the log of what changed, as .done, when it is in the table")  # fmt: skip
    add("--json", action="store_true", help="print one JSON object at the end")
    add("--quiet", action="store_true", help="show no progress")
    return parser


def train_command(arguments: Sequence[str]) -> int:
    """Do what *arguments* say; return the exit status, or raise what `shell.run` words."""
    options, given = _parser().parse_given(arguments)
    for instead, useful in _INSTEAD.items():
        refuse_idle(given, instead, "trains nothing", useful)
    if options.fresh and options.repair:
        raise CommandError("--fresh starts over: leave out --repair")
    folder: Path = options.dir or training_folder()
    needs_folder = options.cut or options.repair or options.resume
    if needs_folder and problem_of(folder) == "":
        raise CommandError(f"there is no folder {folder}")
    if options.menu:
        if None in (sys.stdin, sys.stdout, sys.stderr):  # `input` needs all three
            raise CommandError("--menu has no terminal to ask in")
        if hasattr(sys.stdin, "reconfigure"):
            sys.stdin.reconfigure(errors="replace")  # what cannot be read is no number
        from traffic_lights.console.menu import run_menu
        from traffic_lights.evaluate import evaluate_command

        return run_menu(folder, {"train": train_command, "evaluate": evaluate_command})
    if options.cut:
        return cut_table(folder, options)
    if source := getattr(options, "import"):
        return import_table(source, folder, options)
    wanted = _wanted(options)
    # A repair that is asked for alone begins no run of its own.
    if options.repair and not (wanted or options.resume):
        own = repair(folder, options)
        return SUCCESS if own is None else train(folder, own, options)
    return train(folder, wanted, options)


def _wanted(options: Namespace) -> dict[str, Any]:
    """Return the settings that were given, and no others."""
    wanted = {name: getattr(options, name) for name in _SETTINGS}
    wanted["programme"] = options.opponent or options.programme
    if options.shares is not None:
        wanted["shares"] = tuple(options.shares)
    programme = wanted["programme"]
    if wanted["practice"] and programme and programme not in PRACTICE_STAGE:
        raise CommandError("--practice follows programme reverse or selfplay, and no other")
    if wanted["shares"] and programme and programme != "baselines":
        raise CommandError("--shares divides the games of programme baselines, and no others")
    return {name: value for name, value in wanted.items() if value is not None}


def train(folder: Path, wanted: dict[str, Any], options: Namespace) -> int:
    """Train in *folder* until done or interrupted; return the exit status."""
    started_s = time.monotonic()
    try:
        training = Training(
            folder,
            wanted,
            fresh=options.fresh,
            resume=options.resume,
            repair=options.repair,
            commit_every_games=options.save_every,
            keep_log=options.keep_log,
        )
    except (DamagedRunError, OtherSettingsError) as error:
        raise CommandError(with_remedy(error)) from error
    except SettingsError as error:
        raise CommandError(str(error)) from error
    with training, stop_signals() as asked:
        line = ProgressLine(quiet=options.quiet)
        was_finished = training.state.is_finished
        try:
            with heard(line.note):
                last = _follow(training.run(asked), line, was_finished=was_finished)
        except (GoneError, StoppedError) as error:
            raise CommandError(with_remedy(error)) from error
        finally:
            line.end()
        seconds = time.monotonic() - started_s
        if options.json:
            words = json.dumps(_summary(training, line, seconds))
        else:
            words = _last_words(training, last, seconds)
        return conclude(words, SUCCESS if isinstance(last, Finished) else INTERRUPTED)


def _follow(events: Iterator[Event], line: ProgressLine, *, was_finished: bool) -> Event:
    """Show the *events* and return the last; *was_finished*: nothing was left to play."""
    event: Event | None = None
    for event in events:
        match event:
            case Started(settings, resumed_at, notes):
                for note in notes:
                    line.note(note)
                if was_finished:
                    line.note(f"this run was finished before, after {counted(resumed_at, 'game')}")
                elif resumed_at:
                    line.note(f"resuming {settings.plan} at game {resumed_at:,}")
                line.start(resumed_at)
            case Progressed():
                line.show(event)
            case Noted(text):
                line.note(text)
            case _:
                pass
    assert event is not None, "a run has at least one event"
    return event


def _last_words(training: Training, last: Event, seconds: float) -> str:
    path = training.files.table_path
    if isinstance(last, Stopped):
        return (
            f"Stopped after game {last.games:,}; everything is saved. The same command resumes: "
            + python_command("-m", "traffic_lights.train", "--dir", training.files.folder)
        )
    assert isinstance(last, Finished)
    if last.is_complete:
        result = f"Complete: every one of the {POSITIONS:,} positions is decided"
    else:
        result = f"Finished: {last.decided:,} of {POSITIONS:,} positions are decided"
    games = counted(last.games, "game")
    if last.practice_games:
        opponent = training.state.settings.practice.capitalize()
        games += f", {last.practice_games:,} of them practice against {opponent}"
    return (
        f"{result}, after {games}; {seconds:.1f} s for this session. "
        f"{counted(training.rows, 'row')} in {path}\n"
        f"To evaluate it: {python_command('-m', 'traffic_lights.evaluate', '--table', path)}"
    )


def _summary(training: Training, line: ProgressLine, seconds: float) -> dict[str, Any]:
    state = training.state
    decided = sum(training.learner.decided_by_ply)
    return {
        "table": str(training.files.table_path),
        "programme": state.settings.plan,
        "games": state.progress.games,
        "practice_games": state.practice_games,
        "seconds": round(seconds, 3),
        "games_per_second": round(line.rate(), 1),
        # Of a run that was stopped the log may hold rows that no table on the disk has.
        "rows": training.rows if state.is_finished else sum(1 for _ in training.table.states()),
        "decided": decided,
        "complete": decided == POSITIONS,
        "seed": state.settings.seed,
        "finished": state.is_finished,
        "peak_rss_mb": _peak_memory_mb(),
    }


def _peak_memory_mb() -> float | None:
    """Return the most memory that the trainer had, in MB, 10**6 bytes; None if nobody can tell."""
    with suppress(OSError):
        # Linux counts in the usage what ran in this process before the trainer, and here not.
        status = Path("/proc/self/status").read_text("utf-8")
        if found := re.search(r"VmHWM:\s*(\d+) kB", status):
            return round(int(found[1]) * _KIB / 1e6, 1)
    try:
        import resource
    except ImportError:
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(peak * (1 if sys.platform == "darwin" else _KIB) / 1e6, 1)


if __name__ == "__main__":
    sys.exit(main())
