"""Whole training runs, small and fast, that a test can kill, starve and compare.

A *script* is a list of sessions, each a call of the trainer on the same
folder. What must hold, whatever happens on the way: the files at the end are
those of a script that nothing happened to, and no session starts before a game
that was reported as saved.
"""

from __future__ import annotations

import hashlib
import os
import signal
import tempfile
import warnings
from array import array
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from threading import Timer
from typing import Any, Final
from unittest import mock

from tests.kit.faults import DIED, Disk, power_cuts
from traffic_lights.board import positions
from traffic_lights.board.rules import (
    LONGEST_GAME,
    STEPS,
    State,
    is_terminal,
    legal_actions,
    parse_board,
    ply,
)
from traffic_lights.board.symmetry import canonical
from traffic_lights.storage.files import StorageError
from traffic_lights.training import folder as runfiles
from traffic_lights.training.events import Noted, Saved, Started, Stop
from traffic_lights.training.old_run import OldTraining as Training
from traffic_lights.training.paths import LOG, TABLE

BATCH: Final = 6
LATE: Final = parse_board("021331323130")
"""A canonical position with 248 after it; 8 of all are lost, 5 of them in one ply."""
RESULTS: Final = ("qtable.json", "qbot.json")
FAST_FOLDER: Final = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


@dataclass(frozen=True, slots=True)
class Session:
    """One call of the trainer."""

    wanted: dict[str, Any]
    fresh: bool = False
    commit_every: int = BATCH
    """The games after which the run commits, at the next batch boundary."""


Script = tuple[Session, ...]

OPPONENTS: Final = tuple(
    (Session({"programme": name, "games": 3 * BATCH, "seed": 3, "epsilon_start": 0.5}),)
    for name in ("random", "alternate", "myopic", "self")
)
GRADED: Final = (
    (Session({"programme": "self", "games": 3 * BATCH, "alpha": 0.3, "explore": "least-visited"}),),
    (Session({"programme": "myopic", "games": 3 * BATCH, "update": "bootstrap", "alpha": 0.5}),),
    (Session({"programme": "self", "games": 3 * BATCH, "update": "monte-carlo", "gamma": 0.9}),),
)
PROGRAMMES: Final = (
    (Session({"programme": "selfplay", "games": 4 * BATCH}),),
    (Session({"programme": "baselines", "games": 5 * BATCH, "shares": (1, 1, 1, 2)}),),
)
LIMITED: Final = (Session({"programme": "reverse", "games": 12 * BATCH}),)
"""A run that is over before every position is decided."""
REVERSE: Final = (
    Session({"programme": "reverse", "games": 5800, "practice": "random"}, commit_every=10 * BATCH),
)
"""A run over LATE and what follows, of fewer games than it may have.

They are so few that a batch practises in three positions, and Random is an
opponent against whom most chances are neither 0 nor 1.
"""
CHAIN: Final = (
    Session({"programme": "random", "games": 3 * BATCH}),
    Session({"programme": "myopic", "games": 2 * BATCH}),
    Session({"programme": "myopic", "games": 4 * BATCH}),
)
"""A run, another on its table, and that one extended."""
EXTENDED: Final = tuple(
    (
        Session({"programme": name, "games": 2 * BATCH - 2, **more}),
        Session({"programme": name, "games": 2 * BATCH - 1, **more}),
        Session({"programme": name, "games": 4 * BATCH + 1, **more}),
    )
    for name in ("random", "alternate", "myopic", "self")
    for more in ({}, {"update": "bootstrap", "alpha": 0.5})
)
"""Runs extended twice in the middle of a batch."""
SMALL: Final = (Session({"programme": "random", "games": 3 * BATCH, "seed": 5}),)
"""A run whose log is small enough to try each bit of it."""
AFRESH: Final = (
    Session({"programme": "random", "games": 2 * BATCH}),
    Session({"programme": "random", "games": 2 * BATCH, "seed": 2}, fresh=True),
)
PUT_AWAY: Final = (*SMALL, *LIMITED)
"""A table of estimates that goes on with proofs alone."""
SCRIPTS: Final = (
    *OPPONENTS, *GRADED, *PROGRAMMES, LIMITED, REVERSE, CHAIN, EXTENDED[0], AFRESH, PUT_AWAY,
)  # fmt: skip


@dataclass(slots=True)
class Told:
    """What the sessions so far were told, and what broke the promise."""

    saved: int = 0
    """The game up to which this session's run was reported as saved."""
    session: int = 0
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    stopped: int = 0
    """How many sessions ended with a sentence."""


@cache
def reached_from(state: State) -> tuple[array[int], ...]:
    """Return the canonical live *state* and what can follow it, as `starting_positions` does."""
    by_ply = [array("i") for _ in range(LONGEST_GAME + 1)]
    layer = {state}
    while layer:
        by_ply[ply(min(layer))].extend(sorted(layer))
        after = {one + STEPS[action] for one in layer for action in legal_actions(one)}
        layer = {canonical(one) for one in after if not is_terminal(one)}
    return tuple(by_ply)


@contextmanager
def tiny() -> Iterator[None]:
    """Make batches, and the log from which a table is written, so small that much happens.

    No table is dense, which would take 0.1 s to make: killed commands have such ones.
    """
    with ExitStack() as stack:
        for name, value in (
            ("training.plans.GAMES_A_BATCH", BATCH),
            ("training.plans.STARTS_A_BATCH", BATCH),
            ("training.plans.starting_positions", lambda: reached_from(LATE)),
            ("learning.episodes.finished_positions", cache(positions.finished_positions)),
            ("learning.episodes.byte_flags", cache(positions.byte_flags)),
            ("training.folder.FOLD_FROM", 1000),
            ("training.old_run.OldTraining._is_small", lambda _: True),
        ):
            stack.enter_context(mock.patch(f"traffic_lights.{name}", value))
        yield


@contextmanager
def folder() -> Iterator[Path]:
    """Yield a folder for one run that does not exist yet, in memory where the system can."""
    with tempfile.TemporaryDirectory(dir=FAST_FOLDER) as name:
        yield Path(name).resolve() / "runs" / "one"


def attend(
    where: Path, session: Session, told: Told, mark: Callable[[str], None] = lambda _: None
) -> None:
    """Run *session* in *where*, watching that nothing reported as saved is missing.

    Raise StorageError if the trainer does.
    """
    with Training(
        where,
        session.wanted,
        fresh=session.fresh,
        now=lambda: 0.0,
        commit_every_games=session.commit_every,
    ) as training:
        for event in training.run():
            if isinstance(event, Started):
                if event.resumed_at < told.saved and not session.fresh:
                    problem = f"lost: saved {told.saved}, began at {event.resumed_at}"
                    told.problems.append(problem)
                    mark(f"problem {problem}")
                told.notes.extend(event.notes)
            elif isinstance(event, Saved):
                told.saved = event.games
                mark(f"saved {event.games}")
            elif isinstance(event, Noted):
                told.notes.append(event.text)


def play(
    where: Path, script: Script, told: Told, mark: Callable[[str], None] = lambda _: None
) -> None:
    """Run the sessions of *script* from ``told.session`` on; raise StorageError if one does."""
    while told.session < len(script):
        mark(f"session {told.session}")
        attend(where, script[told.session], told, mark)
        told.session, told.saved = told.session + 1, 0


def digest(where: Path) -> dict[str, str]:
    """Return a checksum of each result in *where*."""
    return {
        name: hashlib.sha256((where / name).read_bytes()).hexdigest()
        for name in RESULTS
        if (where / name).exists()
    }


def undisturbed(script: Script) -> tuple[dict[str, str], int, Disk]:
    """Return the results of *script*, the number of its effects, and what was recorded."""
    with folder() as where, Disk(root=where) as disk:
        play(where, script, Told(), disk.mark)
        return digest(where), disk.count, disk


def finish(where: Path, script: Script, told: Told, expected: dict[str, str]) -> None:
    """Play on to the end, undisturbed; note in *told* what is not as it should be."""
    try:
        play(where, script, told)
    except StorageError as error:
        told.problems.append(f"refused: {error}")
        return
    except Exception as error:
        told.problems.append(f"traceback: {error!r}")
        return
    if digest(where) != expected:
        told.problems.append("different: the results are not those of an undisturbed run")


def disturbed(script: Script, at: int, failure: str, expected: dict[str, str]) -> Told:
    """Play *script* with *failure* at effect *at*, then on to the end; return what came of it."""
    told = Told()
    with folder() as where:
        if failure.startswith("die"):
            if in_child(where, script, told, Disk(at, failure)) not in (0, DIED):
                told.problems.append("traceback in the child")
        else:
            with Disk(at, failure):
                try:
                    play(where, script, told)
                except StorageError:
                    told.stopped += 1
                except Exception as error:  # a traceback, in the command
                    told.problems.append(f"traceback: {error!r}")
        finish(where, script, told, expected)
    told.problems = [f"{failure} at effect {at}: {problem}" for problem in told.problems]
    return told


def heard(text: str, told: Told | None = None) -> Told:
    """Return *told* with what the marks in *text*, a line each, add to it."""
    told = told or Told()
    for line in text.splitlines():
        name, _, rest = line.partition(" ")
        if name == "problem":
            told.problems.append(rest)
        elif name == "saved":
            told.saved = int(rest)
        elif int(rest) != told.session:
            told.session, told.saved = int(rest), 0
    return told


def fork() -> int:
    """Return what `os.fork` does; for a child that works, leaves and uses no thread's lock.

    Python cannot know that of it, and warns where this process has threads.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()


def in_child(
    where: Path,
    script: Script,
    told: Told,
    disk: AbstractContextManager[object] | None = None,
    kill_after_s: float = -1,
) -> int:
    """Go on with *script* in a child, on *disk* or killed; return its status, -9 if killed.

    What it told before its end is added to *told*.
    """
    reading, writing = os.pipe()
    write = os.write
    child = fork()
    if child == 0:
        status = 1
        try:
            with disk or nullcontext():
                play(where, script, told, lambda text: _tell(write, writing, text))
            _tell(write, writing, f"session {len(script)}")
            status = 0
        finally:
            os._exit(status)
    os.close(writing)
    killer = Timer(kill_after_s, os.kill, (child, signal.SIGKILL))
    if kill_after_s >= 0:
        killer.start()
    with os.fdopen(reading, "r", encoding="utf-8") as lines:
        heard(lines.read(), told)
    killer.cancel()
    if killer.is_alive():
        killer.join()
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _tell(write: Callable[[int, bytes], int], descriptor: int, text: str) -> None:
    write(descriptor, f"{text}\n".encode())


def after_power_cuts(script: Script, disk: Disk, expected: dict[str, str]) -> Iterator[list[str]]:
    """Recover from each state that a power cut may leave of what *disk* recorded of *script*.

    Yield for each what went wrong, mostly nothing.
    """
    seen: set[tuple[int, int, frozenset[tuple[str, bytes]]]] = set()
    for done, files in power_cuts(disk.effects):
        told = heard("\n".join(e.paths[0] for e in disk.effects[:done] if e.kind == "mark"))
        state = told.session, told.saved, frozenset(files.items())
        if state in seen:
            continue
        seen.add(state)
        with folder() as where:
            for path, data in files.items():
                target = where / Path(path).relative_to(disk.root)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(data)
            finish(where, script, told, expected)
        yield [f"power cut after effect {done}: {problem}" for problem in told.problems]


def log_of(script: Script) -> bytes:
    """Return the log of a run of *script*'s session that was left after its third commit."""
    with folder() as where, mock.patch.object(runfiles, "FOLD_FROM", 1 << 30):
        with Training(where, script[0].wanted, now=lambda: 0.0, commit_every_games=1) as training:
            saved = (event for event in training.run() if isinstance(event, Saved))
            for _ in range(3):
                next(saved)
        return (where / LOG).read_bytes()


def left_in_practice() -> dict[str, bytes]:
    """Return table and log of a run of REVERSE that was left after two commits of practice."""
    with folder() as where, mock.patch.object(runfiles, "FOLD_FROM", 1 << 30):
        with Training(where, REVERSE[0].wanted, now=lambda: 0.0) as training:
            state = training.state
            list(training.run(lambda: Stop.FOLD if state.practice_games else Stop.NO))
        with Training(where, REVERSE[0].wanted, now=lambda: 0.0, commit_every_games=1) as training:
            saved = (event for event in training.run() if isinstance(event, Saved))
            for _ in range(2):
                next(saved)
        return {name: (where / name).read_bytes() for name in (TABLE, LOG)}


def flipped(data: bytes, bit: int) -> bytes:
    """Return *data* with one *bit* flipped."""
    damaged = bytearray(data)
    damaged[bit // 8] ^= 1 << bit % 8
    return bytes(damaged)


def ending(
    left: dict[str, bytes], expected: dict[str, str], script: Script = SMALL
) -> tuple[str, str]:
    """Return how a run of *script* that goes on from the files *left* ends, and what was said.

    "same", "different", "traceback", "refused", or "repaired": refused with the
    offer of a repair, and the same after it.
    """
    with folder() as where:
        where.mkdir(parents=True)
        for name, data in left.items():
            (where / name).write_bytes(data)
        message = ""
        for repair in (False, True):
            try:
                with Training(where, script[0].wanted, repair=repair) as training:
                    for _ in training.run():
                        pass
            except StorageError as error:
                message = str(error)
                remedy = getattr(error, "remedy", None)
                if repair or remedy is None or not remedy.is_repair:
                    return "refused", message
            except Exception as error:
                return "traceback", repr(error)
            else:
                same = "repaired" if repair else "same"
                return (same if digest(where) == expected else "different"), message
    raise AssertionError("unreachable")
