"""What a process does for the Workshop: it trains a bot.

It sends a `Moment` at most twenty times a second and a `Measured` score now and then. The window
sends the request to stop, or a position, and gets what the bot has learned of it as `Seen`.
"""

import signal
import time
from bisect import bisect
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final, NamedTuple

from traffic_lights.board.rules import STEPS, State, is_terminal, legal_actions
from traffic_lights.board.symmetry import canonical
from traffic_lights.learning.qtable import QTable
from traffic_lights.learning.rowtable import RowTable
from traffic_lights.learning.tablefile import read_table
from traffic_lights.storage.files import StorageError
from traffic_lights.system.processes import reported_end
from traffic_lights.training.bot_note import read_note, write_curve
from traffic_lights.training.folder import PRUNED
from traffic_lights.training.gauge import Gauge, Measured
from traffic_lights.training.progress import Moment
from traffic_lights.training.run import Training
from traffic_lights.training.settings import REVERSE, SettingsError

MOMENT_EVERY_S: Final = 0.05
MEASURE_EVERY_S: Final = 1.0
MARKS: Final = (0.001, 0.002, 0.005, 0.01, 0.02, *(n / 20 for n in range(1, 21)))
"""The shares of a run after which its bot is measured quickly, so that every curve has a shape."""
STOP: Final = "stop"
ENDING: Final = "saving it and measuring its score"


class Seen(NamedTuple):
    """What a bot in training has learned of a position and of those that follow."""

    state: State
    table: QTable


def seen_of(table: QTable, state: State) -> Seen:
    """Return what *table* has of *state*, and of the positions after its moves."""
    afters = [] if is_terminal(state) else [state + STEPS[each] for each in legal_actions(state)]
    return Seen(state, RowTable.of(table, {canonical(each) for each in (state, *afters)}))


def train_process(pipe: Connection, task: tuple[Path, dict[str, Any]]) -> None:
    """Train in a folder with the settings wanted, as `Training` does."""
    # Ctrl-C in the terminal is for the program, which then closes the pipe.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    folder, wanted = task
    with (
        reported_end(pipe, StorageError, SettingsError),
        Training(folder, wanted) as training,
    ):
        _train(training, _Reporter(pipe, training))


class _Reporter:
    """Tells the window how *training* goes, and keeps the curve of its scores in its folder."""

    def __init__(self, pipe: Connection, training: Training) -> None:
        self._pipe = pipe
        self._has_to_stop = False
        self._training = training
        self._is_proving = training.run.settings.plan == REVERSE
        self._gauge = Gauge(training.run.settings.plan)
        self._points = read_note(training.folder).points
        self._before = training.run.all_games, 0.0
        """The games at the last point, and how far estimates had been moved then."""

    def is_asked_to_stop(self) -> bool:
        """Answer what the window asks, and return whether it has asked to stop."""
        try:
            while not self._has_to_stop and self._pipe.poll():
                wanted = self._pipe.recv()
                if wanted == STOP:
                    self._has_to_stop = True
                else:
                    self.send(seen_of(self._training.table, wanted))
        except (EOFError, OSError):  # the window has ended
            self._has_to_stop = True
        return self._has_to_stop

    def send(self, message: Moment | Measured | Seen) -> bool:
        """Send *message*; return False if the window has ended."""
        try:
            self._pipe.send(message)
        except OSError:
            return False
        return True

    def measure(self, **how: bool) -> None:
        """Measure the bot as *how* says, and add its score to the curve."""
        training = self._training
        run = training.run
        table = read_table(training.folder / PRUNED) if run.is_finished else training.table
        point = self._gauge.measure(table, run.all_games, training.table.decided, **how)
        if self._points and self._points[-1].is_as_good_as(point):
            return  # a run that begins, or goes on, has the table that was measured last
        if not self._is_proving:
            games, moved = self._before
            if point.games > games:
                point = replace(point, moved=(training.moved - moved) / (point.games - games))
                self._before = point.games, training.moved
            elif self._points:
                point = replace(point, moved=self._points[-1].moved)
            point = replace(point, epsilon=run.progress.epsilon)
        # A point after as many games or more gives way: these games were played again.
        self._points = [earlier for earlier in self._points if earlier.games < point.games]
        self._points.append(point)
        self.send(point)
        solved = training.table.decided_by_ply if self._is_proving else ()
        write_curve(training.folder, self._points, solved=solved)


def _train(training: Training, reporter: _Reporter) -> None:
    began_s = time.monotonic()
    send_at_s = measure_at_s = 0.0
    marks_passed = 0
    for moment in training.play(reporter.is_asked_to_stop):
        now_s = time.monotonic()
        if moment.note or now_s >= send_at_s:
            reporter.send(moment)
            send_at_s = now_s + MOMENT_EVERY_S
        passed = bisect(MARKS, moment.share or 0.0)
        if moment.is_kept:
            reporter.measure(is_quick=True)
        elif now_s >= measure_at_s:
            reporter.measure()
            took_s = time.monotonic() - now_s
            # Measure for a tenth of the time at most, and more seldom in a run that takes hours.
            measure_at_s = now_s + max(10 * took_s, (now_s - began_s) / 100, MEASURE_EVERY_S)
        elif passed > marks_passed:
            reporter.measure(is_quick=True)
        marks_passed = passed
    if not reporter.send(replace(moment, doing=ENDING)):
        return  # the end of the window may wait for this process
    if not training.run.is_finished:
        training.compact()  # so that the bot plays what it has learned
    reporter.measure(is_last=training.run.is_finished)
