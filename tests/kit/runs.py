"""Whole training runs, small and fast, that a test can kill, starve and compare.

A *script* is a list of sessions, each a call of the trainer on the same folder. Two things must
hold, whatever happens on the way. The files at the end are those of a script that nothing happened
to. And no session starts before a game that was reported as saved.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from array import array
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, Final
from unittest import mock

from tests.kit.disk import DiedError, Disk, power_cuts
from traffic_lights.board import positions, rules
from traffic_lights.board.baselines import BASELINES
from traffic_lights.board.symmetry import canonical
from traffic_lights.storage.files import StorageError
from traffic_lights.storage.kinds import MOST
from traffic_lights.training import store
from traffic_lights.training.folder import LOG, PRUNED, TABLE
from traffic_lights.training.run import Training
from traffic_lights.training.settings import SELF, Setting, SettingsError

BATCH: Final = 6
LATE: Final = rules.parse_board("021331323130")
"""A canonical position with 248 after it; 8 of all are lost, 5 of them in one ply."""


@dataclass(frozen=True, slots=True, eq=False)
class Session:
    """One call of the trainer."""

    wanted: dict[str, Any]
    fresh: bool = False


Script = tuple[Session, ...]
Stop = Callable[[Training], bool]
Mark = Callable[["Told"], object]

REVERSE: Final = (Session({"plan": "reverse", "practice": "random"}),)
"""A run over LATE and what follows; against Random, most chances are neither 0 nor 1."""
CHAIN: Final = (
    Session({"plan": "random", "games": 3 * BATCH}),
    Session({"plan": "myopic", "games": 2 * BATCH}),
    Session({"plan": "myopic", "games": 4 * BATCH}),
)
"""A run, and two others on its table, the last of them with more games than the one before."""
SMALL: Final = (Session({"plan": "random", "games": 3 * BATCH, "epsilon_start": 0.5}),)
"""A run whose log is small enough to try each bit of it."""
AFRESH: Final = (
    Session({"plan": "random", "games": 2 * BATCH}),
    Session({"plan": "random", "games": 2 * BATCH, "seed": 2}, fresh=True),
)
PUT_AWAY: Final = (*SMALL, *REVERSE)
"""A run that continues a table of estimates with proofs alone."""
SCRIPTS: Final[tuple[Script, ...]] = (
    *((Session({"plan": name, "games": 3 * BATCH, "seed": 3, "epsilon_start": 0.5}),)
      for name in (*BASELINES, SELF)),
    (Session({"plan": "self", "games": 3 * BATCH, "alpha": 0.3, "explore": "least-visited"}),),
    (Session({"plan": "myopic", "games": 3 * BATCH, "update": "q-learning", "alpha": 0.5}),),
    (Session({"plan": "self", "games": 3 * BATCH, "update": "monte-carlo", "gamma": 0.9}),),
    REVERSE, CHAIN, AFRESH, PUT_AWAY,
)  # fmt: skip


@dataclass(slots=True)
class Told:
    """What was printed in the sessions so far, and what broke the promise."""

    saved: int = 0
    """The game up to which this session's run was reported as saved."""
    session: int = 0
    problems: list[str] = field(default_factory=list)
    sentences: list[str] = field(default_factory=list)
    """What ended a session early."""
    notes: list[str] = field(default_factory=list)
    """What a run said of files that were damaged or missing."""


def values_of(setting: Setting) -> Iterator[Any]:
    """Yield values that *setting* accepts, its limits among them."""
    numbers = 0, 1, 0.5, 1e-9, 9_999, 10_000, 10**12, MOST
    for value in (setting.default, *setting.choices, *numbers):
        with suppress(SettingsError):
            yield setting.check(value)


@cache
def reached_from(state: rules.State) -> tuple[array[int], ...]:
    """Return the canonical live *state* and what can follow it, as `starting_positions` does."""
    by_ply = [array("i") for _ in range(rules.LONGEST_GAME + 1)]
    layer = {state}
    while layer:
        by_ply[rules.ply(min(layer))].extend(sorted(layer))
        after = {one + rules.STEPS[action] for one in layer for action in rules.legal_actions(one)}
        layer = {canonical(one) for one in after if not rules.is_terminal(one)}
    return tuple(by_ply)


@contextmanager
def tiny(batch: int = BATCH, kept_every: int = BATCH) -> Iterator[None]:
    """Make batches, and the log from which a table is written, so small that much happens."""
    with ExitStack() as stack:
        for name, value in (
            ("training.plans.BATCH", batch),
            ("training.plans.starting_positions", lambda: reached_from(LATE)),
            ("training.snapshots.QUARTER", sum(map(len, reached_from(LATE))) // 4),
            ("training.snapshots.MILESTONES", range(0, 10**6, kept_every)),
            ("learning.proving.finished_positions", cache(positions.finished_positions)),
            ("learning.proving.byte_flags", cache(positions.byte_flags)),
            ("training.store.COMPACT_FROM", 1000),
            ("training.store.PIECE", 300),
            # It would take 0.1 s; killed commands have dense tables.
            ("learning.rowtable.RowTable.make_dense", lambda _: None),
            ("training.run.SAVE_EVERY_S", 0.0),
        ):
            stack.enter_context(mock.patch(f"traffic_lights.{name}", value))
        yield


@contextmanager
def folder() -> Iterator[Path]:
    """Yield a folder for one run that does not exist yet, in memory where the system can."""
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=memory) as name:
        yield Path(name).resolve() / "runs" / "one"


def train_in(where: Path, wanted: dict[str, Any], stop: Stop = lambda _: False) -> list[Training]:
    """Train in the folder *where* to the end, in parts if they are to *stop*; return the parts."""
    parts: list[Training] = []
    while not (parts and parts[-1].run.is_finished):
        with Training(where, wanted) as training:
            list(training.play(lambda: stop(training)))
        parts.append(training)
    return parts


def play(where: Path, script: Script, told: Told, mark: Mark = lambda _: None) -> None:
    """Run the sessions of *script* from ``told.session`` on; raise StorageError if one does.

    *told* and *mark* get what each moment says, also when something reported as saved is missing.
    """
    while told.session < len(script):
        session = script[told.session]
        mark(replace(told))
        with Training(where, session.wanted, fresh=session.fresh) as training:
            if training.games < told.saved and not session.fresh:
                told.problems.append(f"lost: saved {told.saved}, began at {training.games}")
            for moment in training.play():
                told.saved = moment.saved_games
                told.notes += [moment.note] * ("; the files are kept" in moment.note)
                mark(replace(told))
        told.session += 1
        told.saved = 0
    mark(replace(told))


def digest(where: Path) -> dict[str, str]:
    """Return a checksum of each result in *where*."""
    paths = [path for path in (where / TABLE, where / PRUNED) if path.exists()]
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}


@cache
def undisturbed(script: Script) -> tuple[dict[str, str], Disk]:
    """Return the `digest` of *script*, made once as `tiny` does, and the disk that recorded it."""
    with folder() as where, Disk(root=where) as disk:
        play(where, script, Told(), disk.mark)
        return digest(where), disk


def play_on(disk: AbstractContextManager[object], where: Path, script: Script, told: Told) -> None:
    """Go on with *script* on *disk* until it ends or fails; note in *told* what came of it."""
    with disk, suppress(DiedError):
        try:
            play(where, script, told)
        except StorageError as error:
            told.sentences.append(str(error))
        except Exception as error:  # a traceback, in the command
            told.problems.append(f"traceback: {error!r}")


def finish(where: Path, script: Script, told: Told) -> None:
    """Play on to the end, undisturbed; note in *told* what is not as it should be."""
    before = len(told.sentences)
    play_on(nullcontext(), where, script, told)
    told.problems += [f"refused: {sentence}" for sentence in told.sentences[before:]]
    if not told.problems and digest(where) != undisturbed(script)[0]:
        told.problems.append("different: the results are not those of an undisturbed run")
    left = [*where.rglob("*.tmp"), *where.glob(LOG)]
    told.problems += [f"left behind: {path.name}" for path in left]
    if not store.last_meta(where).get("finished"):
        told.problems.append("unfinished: the next call would train again")


def recovered(script: Script, files: dict[str, bytes], told: Told) -> Told:
    """Finish *script* in a folder with these *files*; note in *told* what came of it."""
    with folder() as where:
        for name, data in files.items():
            (where / name).parent.mkdir(parents=True, exist_ok=True)
            (where / name).write_bytes(data)
        finish(where, script, told)
    return told


def after_power_cuts(script: Script, disk: Disk, step: int = 1) -> Iterator[list[str]]:
    """Recover from each state that a power cut may leave of what *disk* recorded of *script*.

    Yield for each, or for one of so many as *step* says, what went wrong, mostly nothing.
    """
    seen: set[tuple[int, int, frozenset[tuple[str, bytes]]]] = set()
    for done, files in power_cuts(disk.effects):
        marks = [effect.mark for effect in disk.effects[:done] if effect.kind == "mark"]
        told = Told(marks[-1].saved, marks[-1].session) if marks else Told()
        files = {os.path.relpath(path, disk.root): data for path, data in files.items()}
        known = len(seen)
        seen.add((told.session, told.saved, frozenset(files.items())))
        if len(seen) == known or len(seen) % step:
            continue
        recovered(script, files, told)
        yield [f"power cut after effect {done}: {problem}" for problem in told.problems]


def left_behind(script: Script, is_enough: Stop, *, has_table: bool = False) -> dict[str, bytes]:
    """Return the files of a run of *script*'s first session that was left when it *is_enough*.

    If it *has_table*, that was written then, and the run was left two batches later.
    """
    never = mock.patch.object(store, "COMPACT_FROM", 1 << 30)
    with never, folder() as where, Training(where, script[0].wanted) as training:
        list(training.play(lambda: is_enough(training)))
        if has_table:
            training.compact()
            stops = iter((False, True))
            list(training.play(lambda: next(stops)))
        return {path.name: path.read_bytes() for path in where.iterdir() if path.is_file()}


def flipped(data: bytes, bit: int) -> bytes:
    """Return *data* with one *bit* flipped."""
    damaged = bytearray(data)
    damaged[bit // 8] ^= 1 << bit % 8
    return bytes(damaged)
