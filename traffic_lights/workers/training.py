"""The process that trains: what it is told, what it tells, and how it ends.

It is spawned with one end of a two-way pipe. Up go messages: a *snapshot* at
most twenty times a second, everything else when it happens. The window says
which snapshot it has seen, and while it is a few behind no more are sent, so
the training never waits for the window. Down go the commands.

When the program at the other end is gone, however it went, the trainer saves
what it has and leaves.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
import traceback
from dataclasses import dataclass, field
from enum import Enum
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final

from traffic_lights.board.positions import POSITIONS
from traffic_lights.judging.gauge import Gauge, Measurement
from traffic_lights.storage.files import StorageError, explain, pieces, write_atomically
from traffic_lights.storage.lock import LockedError
from traffic_lights.storage.patience import heard
from traffic_lights.system.memory import NO_MEMORY
from traffic_lights.training import paths
from traffic_lights.training.curves import Curves, read_curves, write_curves
from traffic_lights.training.events import (
    Event,
    Finished,
    Noted,
    Progressed,
    Saved,
    Started,
    Stop,
    Stopped,
)
from traffic_lights.training.old_run import OldTraining as Training
from traffic_lights.training.settings import RunSettings, SettingsError
from traffic_lights.training.troubles import (
    DamagedRunError,
    GoneError,
    StoppedError,
    UnkeptRunError,
)
from traffic_lights.workers.recorder import CURVES, DECIDED, Recorder

SNAPSHOT_EVERY_S: Final = 0.05
MOST_UNSEEN: Final = 4
"""The snapshots on their way at a time, before the last: less than a pipe of Windows holds."""
LEAVE_AFTER_S: Final = 1.5
"""How long the trainer may still save when the program is gone; leaving is safe at any time."""


class Order(Enum):
    """What the window asks for."""

    PAUSE = "save, and wait"
    RESUME = "go on"
    STOP = "save, write the table and leave"
    LEAVE = "save and leave"


@dataclass(frozen=True, slots=True)
class Task:
    """What to train."""

    folder: Path
    wanted: dict[str, Any]
    """The settings asked for; empty: those of the run in the folder."""
    base: Path | None = None
    """A table that is copied into the folder first, if the folder has none."""
    stop_at_once: bool = False
    """Whether what was saved is only to be written as a table."""
    repair: bool = False
    """Whether a damaged log is cut off where the damage begins."""


@dataclass(frozen=True, slots=True)
class Began:
    """The run begins, or goes on."""

    settings: RunSettings
    resumed_at: int
    notes: tuple[str, ...]
    decided_by_ply: tuple[int, ...]
    curves: Curves = field(default_factory=dict)
    """How a run that goes on went before; of another, what there is before its first game."""


@dataclass(frozen=True, slots=True)
class RunSnapshot:
    """How far the run is."""

    number: int
    progress: Progressed
    decided_by_ply: tuple[int, ...]
    saved_games: int
    points: tuple[Measurement, ...] = ()


@dataclass(frozen=True, slots=True)
class Paused:
    """The run waits, and everything is saved."""

    games: int


@dataclass(frozen=True, slots=True)
class Writing:
    """The table is being written; there is nothing to see meanwhile."""


@dataclass(frozen=True, slots=True)
class Done:
    """The run is finished, or stopped and saved; the process leaves."""

    games: int
    is_finished: bool
    is_complete: bool
    all_games: int = 0
    """The games of all runs on the table, this one's among them."""


class Trouble(Enum):
    """Why a run cannot go on."""

    SETTINGS = "settings that cannot be"
    STORAGE = "a file or folder"
    BUSY = "another program at work on it"
    UNKEPT = "a run of another program that waits to be kept"
    GONE = "files that somebody took away"
    DAMAGE = "a log that can be cut off where it is damaged"
    MEMORY = "too little memory"
    PROGRAM = "a mistake in the program"


@dataclass(frozen=True, slots=True)
class Failed:
    """The run cannot go on; the process leaves. What was reported as saved is kept."""

    trouble: Trouble
    text: str
    details: str = ""
    safe_games: int = 0
    """The games up to which nothing is lost, as far as that was seen to."""
    rescue: Path | None = None
    """Where the whole table is of a run whose folder is gone."""


Message = Began | RunSnapshot | Paused | Writing | Noted | Done | Failed


@dataclass(slots=True)
class _Worker:
    """The trainer's loop, and what was asked of it."""

    pipe: Connection
    task: Task
    asked: Stop = Stop.NO
    wants_pause: bool = False
    _points: list[Measurement] = field(default_factory=list)
    _last: Progressed | None = None
    _sent: int = 0
    _seen: int = 0
    _sent_s: float = 0.0
    _saved_games: int = 0
    recorder: Recorder = field(init=False)

    def __post_init__(self) -> None:
        self.recorder = Recorder(self.task.folder)

    def run(self) -> None:
        failed = self._failure()
        if failed is not None:
            self._send(failed)

    def _failure(self) -> Failed | None:
        """Train; return why it failed, when what it took of the memory is free again."""
        task = self.task
        try:
            with heard(lambda text: self._send(Noted(text))):
                self._copy_base()
                with Training(task.folder, task.wanted, repair=task.repair) as training:
                    self._train(training)
        except SettingsError as error:
            return Failed(Trouble.SETTINGS, str(error))
        except StorageError as error:
            return failed_by(error)
        except MemoryError:
            return Failed(Trouble.MEMORY, NO_MEMORY)
        except Exception as error:
            return Failed(Trouble.PROGRAM, repr(error), traceback.format_exc())
        return None

    def _copy_base(self) -> None:
        """Begin with a copy of the base: what is there stays as it is until it is replaced."""
        target = self.task.folder / paths.TABLE
        if self.task.base is None or target.exists():
            return
        try:
            self.task.folder.mkdir(parents=True, exist_ok=True)
            write_atomically(target, pieces(self.task.base))
            write_curves(self.task.folder, read_curves(self.task.base.parent, CURVES))
        except OSError as error:
            raise StorageError(explain(error, "copy", self.task.base)) from error

    def _train(self, training: Training) -> None:
        programme = training.state.settings.plan
        gauge = Gauge(training.table, programme.capitalize())
        if self.task.stop_at_once:
            self.asked = Stop.FOLD
        for event in training.run(self._stop):
            match event:
                case Progressed():
                    self._listen()
                    at_part = gauge.at_part(event.share or 0.0)
                    self._points += [*gauge.turn(), *at_part]
                    self._last = event
                    self._show(training, at_once=bool(at_part))
                    if self.asked is Stop.FOLD:
                        self._send(Writing())
                case Saved(games):
                    self._saved_games = games
                    self.recorder.save(is_due=False)
                    if training.is_all_saved and training.state.is_finished:
                        self._points += gauge.at_once()
                        self._show(training, is_last=True)
                        self._send(Writing())
                    if training.is_all_saved and self.wants_pause:
                        self._pause(games)
                case _:
                    self._tell(event, training, gauge)

    def _stop(self) -> Stop:
        """Return how the training is asked to stop."""
        return Stop.PAUSE if self.wants_pause and self.asked is Stop.NO else self.asked

    def _tell(self, event: Event, training: Training, gauge: Gauge) -> None:
        match event:
            case Started(settings, resumed_at, notes):
                self._saved_games = resumed_at
                decided = tuple(training.learner.decided_by_ply)
                curves = self.recorder.begin(
                    resumed_at, lambda: _beginning(resumed_at, decided, gauge)
                )
                self._send(Began(settings, resumed_at, notes, decided, curves))
            case Noted():
                self._send(event)
            case Stopped(games):
                self.recorder.save()
                self._send(Done(games, False, False, _all_games(training)))
            case Finished(games, _, is_complete):
                self.recorder.save()
                self._send(Done(games, True, is_complete, _all_games(training)))
            case _:
                pass

    def _show(self, training: Training, *, at_once: bool = False, is_last: bool = False) -> None:
        """Send a snapshot if one is due, or *at_once*, and the window keeps up, or it *is_last*."""
        now_s = time.monotonic()
        is_due = at_once or now_s - self._sent_s >= SNAPSHOT_EVERY_S
        is_wanted = is_due and self._sent - self._seen < MOST_UNSEEN
        if self._last is None or not (is_last or is_wanted):
            return
        self._sent += 1
        self._sent_s = now_s
        decided = tuple(training.learner.decided_by_ply)
        points, self._points = tuple(self._points), []
        self.recorder.note(self._last, points)
        self._send(RunSnapshot(self._sent, self._last, decided, self._saved_games, points))

    def _pause(self, games: int) -> None:
        """Wait until the window wants to go on; it may also want to stop, or be gone."""
        self.recorder.save()
        self._send(Paused(games))
        while self.wants_pause and self.asked is Stop.NO:
            self._listen(patience_s=0.5)

    def _listen(self, patience_s: float = 0.0) -> None:
        """Take what the window said; wait for it as long as *patience_s*."""
        try:
            while self.asked is not Stop.COMMIT and self.pipe.poll(patience_s):
                self._obey(self.pipe.recv())
                patience_s = 0.0
        except (EOFError, OSError):
            self.asked = Stop.COMMIT

    def _obey(self, said: Order | int) -> None:
        match said:
            case Order.PAUSE:
                self.wants_pause = True
            case Order.RESUME:
                self.wants_pause = False
            case Order.STOP:
                self.asked = Stop.FOLD
            case Order.LEAVE:
                self.asked = Stop.COMMIT
            case int():
                self._seen = said

    def _send(self, message: Message) -> None:
        try:
            self.pipe.send(message)
        except OSError:
            self.asked = Stop.COMMIT


def _beginning(games: int, decided: tuple[int, ...], gauge: Gauge) -> Curves:
    """Return the first points of all curves: without them a run of a few games has only one."""
    return {
        DECIDED: [(games, sum(decided) / POSITIONS)],
        **{one.name: [(games, one.value)] for one in gauge.at_once()},
    }


def _all_games(training: Training) -> int:
    games = training.table.meta.get("games")
    return games if type(games) is int else training.state.progress.games


def failed_by(error: StorageError) -> Failed:
    """Return what the window is told of *error*; it words itself what can be done."""
    if isinstance(error, StoppedError):
        return Failed(Trouble.STORAGE, str(error.cause), safe_games=error.saved_games)
    if isinstance(error, GoneError):
        return Failed(Trouble.GONE, str(error), rescue=error.rescue)
    trouble = Trouble.STORAGE
    if isinstance(error, LockedError):
        trouble = Trouble.BUSY
    elif isinstance(error, UnkeptRunError):
        trouble = Trouble.UNKEPT
    elif isinstance(error, DamagedRunError) and error.remedy.is_repair:
        trouble = Trouble.DAMAGE
    return Failed(trouble, str(error))


def died(exit_code: int | None) -> Failed:
    """Return what the window is told of a process that ended with *exit_code*, unasked."""
    if exit_code is not None and exit_code < 0:
        how = f"it was ended by signal {-exit_code}"
    else:
        how = f"its exit status was {exit_code}"
    return Failed(
        Trouble.PROGRAM,
        "The training process has ended unexpectedly. Everything that was saved is kept.",
        f"The process of the trainer is gone: {how}.",
    )


def train_process(pipe: Connection, task: Task) -> None:
    """Train in this process, which was made for it, and return when it is done or over."""
    # An interrupt at the terminal is for the program, which then tells its trainer.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    worker = _Worker(pipe, task)
    threading.Thread(target=_outlive_shortly, args=(worker,), daemon=True).start()
    worker.run()
    pipe.close()


def _outlive_shortly(worker: _Worker) -> None:
    """Have *worker* save when the program is gone, and end the process soon after."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        worker.asked = Stop.COMMIT
        time.sleep(LEAVE_AFTER_S)
        os._exit(0)
