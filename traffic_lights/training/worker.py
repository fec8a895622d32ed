"""Training in a process of its own, for a window: it is started, asked, and stopped here.

Up the pipe come a `Moment` at most twenty times a second, a `Measured` score now and then, and
`Ended` at last. Down the pipe goes only the wish to stop. When the pipe closes, because the program
at the other end has ended, the process saves and ends within two seconds.
"""

from __future__ import annotations

import os
import random
import signal
import threading
import time
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final

from traffic_lights.board.baselines import BASELINES
from traffic_lights.board.exact import Strategy, exact_score
from traffic_lights.board.policy import Policy
from traffic_lights.board.positions import contains
from traffic_lights.board.rules import CELLS, EMPTY_BOARD, STEPS, Action, State, legal_actions
from traffic_lights.board.threats import finished
from traffic_lights.learning.qtable import QBot, QTable
from traffic_lights.learning.tablefile import read_table
from traffic_lights.storage.files import StorageError
from traffic_lights.system.processes import Worker
from traffic_lights.system.words import NO_MEMORY
from traffic_lights.training.bots import (
    Measured,
    note_training,
    read_curve,
    write_curve,
)
from traffic_lights.training.run import Moment, Training
from traffic_lights.training.settings import SettingsError
from traffic_lights.training.state import CUT

MOMENT_EVERY_S: Final = 0.05
LEAVE_AFTER_S: Final = 1.5
"""How long the process may still save when the pipe has closed; leaving is safe at any time."""
MEASURE_EVERY_S: Final = 0.25
_SHARE_OF_TIME: Final = 0.1
"""How much of its time the process measures at most."""
_POINTS: Final = 40
"""The points that a curve has at least, before they are further apart than MEASURE_EVERY_S."""
_SAMPLED_GAMES: Final = 200
# A bot that knows little can reach a million positions, and their exact score takes seconds.
_KNOWS_MUCH: Final = 0.3
"""The sampled score above which an exact one is tried."""
_BUDGET: Final = 40_000
"""The positions for each seat up to which a score is computed rather than sampled in training."""
_LAST_BUDGET: Final = 150_000
"""The same when a run is finished; beyond it, ten times as many games are sampled."""
_STOP: Final = "stop"


@dataclass(frozen=True, slots=True)
class Ended:
    """The process is done; always its last message."""

    error: str = ""
    """Why training could not continue, in a sentence; empty if it was finished or stopped."""
    details: str = ""
    """The traceback of a mistake in the program."""


class TrainingJob:
    """The training of one bot at a time, seen from a window; nothing here waits."""

    def __init__(self) -> None:
        self.state = "idle"
        """One of idle, running and stopping."""
        self._worker: Worker | None = None

    @property
    def pid(self) -> int:
        """The number of the process; 0 if there is none."""
        return self._worker.pid if self._worker is not None else 0

    def start(
        self, folder: Path, wanted: Mapping[str, Any], *, fresh: bool = False, repair: bool = False
    ) -> None:
        """Train in *folder* with the settings *wanted*, as `Training` does.

        Raise OSError if the system cannot start a process. Precondition: the job is idle.
        """
        self._worker = Worker(train_process, _Task(folder, dict(wanted), fresh, repair))
        self.state = "running"

    def stop(self) -> None:
        """Ask the process to save and end; `Ended` says when it has."""
        if self._worker is not None:
            self._worker.send(_STOP)
            self.state = "stopping"

    def poll(self) -> list[Moment | Measured | Ended]:
        """Return what was reported since the last call."""
        worker = self._worker
        if worker is None:
            return []
        messages = worker.poll()
        if worker.is_over and not any(isinstance(message, Ended) for message in messages):
            messages.append(
                Ended(
                    f"the training process ended unexpectedly (status {worker.exit_code()}); "
                    "everything that was saved is kept, and Start continues from there"
                )
            )
        if any(isinstance(message, Ended) for message in messages):
            self.close()
        return messages

    def close(self) -> None:
        """Let go of the process; if it still trains, it saves and ends."""
        if self._worker is not None:
            self._worker.close()
        self._worker, self.state = None, "idle"


@dataclass(frozen=True, slots=True)
class _Task:
    folder: Path
    wanted: dict[str, Any]
    fresh: bool
    repair: bool


def train_process(pipe: Connection, task: _Task) -> None:
    """Train in this process, which was started for it."""
    # Ctrl-C in the terminal is for the program, which then closes the pipe.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    link = _Link(pipe)
    threading.Thread(target=link.listen, daemon=True).start()
    sender = threading.Thread(target=link.send_all, daemon=True)
    sender.start()
    link.tell(_ended(link, task))
    sender.join()
    pipe.close()


def _ended(link: _Link, task: _Task) -> Ended:
    """Train; return how that ended, when the folder is free again."""
    try:
        with Training(task.folder, task.wanted, fresh=task.fresh, repair=task.repair) as training:
            _train(link, training)
    except (StorageError, SettingsError) as error:
        return Ended(str(error))
    except MemoryError:
        return Ended(NO_MEMORY)
    except Exception as error:
        return Ended(f"a mistake in the program stopped the training: {error!r}",
                     traceback.format_exc())  # fmt: skip
    return Ended()


def _train(link: _Link, training: Training) -> None:
    gauge = _Gauge(training, lambda: link.wants_stop)
    folder = training.store.folder
    points = read_curve(folder, training.store.earlier_games + training.games)
    for moment in training.play(lambda: link.wants_stop):
        link.tell(moment)
        if gauge.is_due():
            points.append(gauge.measure())
            link.tell(points[-1])
            write_curve(folder, points)
    if link.is_closed:
        return
    games = training.store.earlier_games + training.games
    if not training.is_finished:
        training.compact()  # so that the bot plays what it has learned
    if not points or points[-1].games != games:
        points.append(gauge.sampled(training.table))
    note_training(folder, games, points[-1])
    if training.is_finished:
        points[-1] = gauge.measure_last(read_table(folder / CUT), points[-1])
        note_training(folder, games, points[-1])
    link.tell(points[-1])
    write_curve(folder, points)


@dataclass(slots=True)
class _Link:
    """The end of the pipe in the process, with a thread for each direction.

    Training never waits for a window that does not read.
    """

    pipe: Connection
    wants_stop: bool = False
    is_closed: bool = False
    _moment: Moment | None = None
    _others: list[Measured | Ended] = field(default_factory=list)
    _news: threading.Event = field(default_factory=threading.Event)

    def listen(self) -> None:
        """Wait for the wish to stop, or for the end of the pipe."""
        with suppress(EOFError, OSError):
            while True:
                self.wants_stop = self.pipe.recv() == _STOP
        self.is_closed = self.wants_stop = True
        time.sleep(LEAVE_AFTER_S)
        os._exit(0)

    def tell(self, message: Moment | Measured | Ended) -> None:
        """Have *message* sent; of several moments only the last, unless they say something."""
        if isinstance(message, Moment):
            note = self._moment.note if self._moment is not None else ""
            self._moment = message if message.note or not note else self._moment
        else:
            self._others.append(message)
        self._news.set()

    def send_all(self) -> None:
        """Send what there is, until the end was sent or the pipe is closed."""
        with suppress(OSError):
            while True:
                self._news.wait()
                self._news.clear()
                moment, self._moment = self._moment, None
                others, self._others = self._others, []
                for message in (moment, *others):
                    if message is not None:
                        self.pipe.send(message)
                    if isinstance(message, Ended):
                        return
                time.sleep(MOMENT_EVERY_S)


class _Gauge:
    """Measures the bot of a training against the opponent that it learns to beat.

    The table is only read, and the random source is its own: what is learned does not depend on
    whether it is measured.
    """

    def __init__(self, training: Training, stop: Callable[[], bool]) -> None:
        self._training, self._stop = training, stop
        self._policy = opponent_of(training.settings.plan)
        self._rng = random.Random("gauge")
        self._began_s = time.monotonic()
        self._next_s = self._next_exact = 0.0

    def is_due(self) -> bool:
        """Return whether the last measurement is long enough ago."""
        return time.monotonic() >= self._next_s

    def measure(self) -> Measured:
        """Return the score of the table as it is, computed if that takes little time."""
        began_s = time.monotonic()
        measured = self.sampled(self._training.table)
        if measured.score >= _KNOWS_MUCH and measured.games >= self._next_exact:
            with suppress(InterruptedError):
                exact = exactly(measured, self._training.table, _BUDGET, self._stop)
                self._next_exact = 1.5 * measured.games if exact is None else 0.0
                measured = exact or measured
        now_s = time.monotonic()
        pause_s = max((now_s - began_s) / _SHARE_OF_TIME, (now_s - self._began_s) / _POINTS)
        self._next_s = now_s + max(MEASURE_EVERY_S, pause_s)
        return measured

    def measure_last(self, table: QTable, known: Measured) -> Measured:
        """Return the score of *table*, by which a finished bot plays.

        It takes seconds; if it is interrupted, the score remains as *known* from fewer games.
        """
        with suppress(InterruptedError):
            exact = exactly(known, table, _LAST_BUDGET, self._stop)
            return exact or self.sampled(table, 10 * _SAMPLED_GAMES)
        return known

    def sampled(self, table: QTable, sampled: int = _SAMPLED_GAMES) -> Measured:
        training = self._training
        games = training.store.earlier_games + training.games
        return by_games(table, self._policy, self._rng, games, training.decided, sampled)


def measure(table: QTable, plan: str, rng: random.Random, games: int, decided: int) -> Measured:
    """Return the score of *table*, after so many *games* of *plan*, within about a second."""
    measured = by_games(table, opponent_of(plan), rng, games, decided, _SAMPLED_GAMES)
    exact = exactly(measured, table, _BUDGET) if measured.score >= _KNOWS_MUCH else None
    return exact or measured


def opponent_of(plan: str) -> Policy:
    """Return the opponent against which the curve of a bot that trains by *plan* is measured."""
    return BASELINES[plan if plan in BASELINES else "myopic"]


def exactly(
    measured: Measured, table: QTable, budget: int, stop: Callable[[], bool] = lambda: False
) -> Measured | None:
    """Return *measured* with the exact score of *table*; None if it needs more than *budget*.

    Raise InterruptedError as soon as *stop* returns True.
    """
    policy, bot = BASELINES[measured.opponent], QBot(table, random.Random(0))

    def choices(state: State) -> tuple[Action, ...]:
        if stop():
            raise InterruptedError
        return bot.choices(state)

    other = Strategy(policy.actions, policy.lasts)
    score = exact_score(Strategy(choices), other, budget)
    if score is None:
        return None
    return replace(measured, first=score.first, second=score.second, sampled=0)


def by_games(
    table: QTable, policy: Policy, rng: random.Random, games: int, decided: int, sampled: int
) -> Measured:
    """Return the score of *table* in *sampled* games; *games* and *decided* only describe it."""
    bot = QBot(table, rng)
    first, second = _shares_won(bot, policy, sampled, rng)
    opening = tuple(table.value(EMPTY_BOARD, action) for action in range(CELLS))
    return Measured(games, policy.key, first, second, decided, sampled, opening)


def _shares_won(bot: QBot, policy: Policy, games: int, rng: random.Random) -> tuple[float, float]:
    """Return the share of *games* that *bot* wins against *policy*, by seat."""
    won = [0, 0]
    for game in range(games):
        state, seat, moves = EMPTY_BOARD, 0, 0
        tires_after = rng.randint(*policy.lasts)
        while not contains(finished(), state):
            if seat == game % 2:
                action = bot.choose(state)
            else:
                action = rng.choice(
                    (policy.actions if moves < tires_after else legal_actions)(state)
                )
                moves += 1
            state, seat = state + STEPS[action], 1 - seat
        won[game % 2] += seat != game % 2
    return 2 * won[0] / games, 2 * won[1] / games
