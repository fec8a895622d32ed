"""What a process does for a window: train a bot, or make its snapshots.

A process that trains sends a `Moment` at most twenty times a second and a `Measured` score now and
then. The window sends only the request to stop.
"""

import signal
import time
from bisect import bisect
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final

from traffic_lights.learning.qtable import QTable
from traffic_lights.learning.tablefile import read_meta, read_table
from traffic_lights.storage.files import StorageError
from traffic_lights.system.processes import end_with_parent, reported_end
from traffic_lights.training.bot_note import read_note, write_curve
from traffic_lights.training.folder import PRUNED
from traffic_lights.training.gauge import Gauge, Measured
from traffic_lights.training.own_bots import OwnBot, playing_path
from traffic_lights.training.progress import Moment
from traffic_lights.training.run import MEASURING, SAVING, Training
from traffic_lights.training.settings import PROVING, SettingsError
from traffic_lights.training.snapshots import RunSnapshots, make_snapshots

MOMENT_EVERY_S: Final = 0.05
MEASURE_EVERY_S: Final = 1.0
MARKS: Final = (0.001, 0.002, 0.005, 0.01, 0.02, *(n / 20 for n in range(1, 21)))
"""The shares of a run after which its bot is measured quickly, so that every curve has a shape."""


def train_process(pipe: Connection, task: tuple[Path, dict[str, Any], bool]) -> None:
    """Train in a folder with the settings wanted, as `Training` does, perhaps with a repair."""
    # Ctrl-C in the terminal is for the program, which then closes the pipe.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    folder, wanted, repair = task
    with (
        reported_end(pipe, StorageError, SettingsError),
        Training(folder, wanted, repair=repair) as training,
    ):
        _train(training, _Reporter(pipe, training))


class _Reporter:
    """Tells the window how *training* goes, and keeps the curve of its scores in its folder."""

    def __init__(self, pipe: Connection, training: Training) -> None:
        settings = training.run.settings
        self._pipe = pipe
        self._training = training
        self._is_proving = settings.plan in PROVING
        self._has_epsilon = settings.matters("epsilon_start")
        self._gauge = Gauge(settings.plan)
        self._points = read_note(training.folder).points
        self._games_before = training.run.all_games
        self._moved_before = 0.0
        """How far estimates had been moved after those games."""

    def is_asked_to_stop(self) -> bool:
        try:
            return self._pipe.poll()
        except OSError:  # the window has ended
            return True

    def send(self, message: Moment | Measured) -> bool:
        """Send *message*; return False if the window has ended."""
        try:
            self._pipe.send(message)
        except OSError:
            return False
        return True

    def measure(self, table: QTable, moment: Moment, **how: bool) -> None:
        """Measure the bot, which plays by *table* at this *moment*; *how* is for the gauge."""
        games = self._training.run.all_games
        self.add(self._gauge.measure(table, games, moment.decided, **how), moment)

    def add(self, point: Measured, moment: Moment) -> None:
        """Add *point* to the curve, or put it in the place of the one after as many games."""
        point = replace(point, moved=self._moved_until(point))
        if self._has_epsilon:
            point = replace(point, epsilon=self._training.run.progress.epsilon)
        self._points = [earlier for earlier in self._points if earlier.games < point.games]
        self._points.append(point)
        self.send(point)
        solved = moment.decided_by_ply if self._is_proving else ()
        write_curve(self._training.folder, self._points, solved)

    def _moved_until(self, point: Measured) -> float | None:
        """Return how far a game moved the estimates between the point before and this one."""
        if self._points and self._points[-1].games == point.games:
            return self._points[-1].moved
        games = point.games - self._games_before
        moved = self._training.moved - self._moved_before
        if self._is_proving or not games:
            return None
        self._games_before += games
        self._moved_before += moved
        return moved / games


def _train(training: Training, reporter: _Reporter) -> None:
    began_s = time.monotonic()
    send_at_s = 0.0
    measure_at_s = 0.0
    marks_passed = 0
    snapshots = RunSnapshots(training)
    for moment in training.play(reporter.is_asked_to_stop, pauses=snapshots.pauses):
        now_s = time.monotonic()
        if moment.note or now_s >= send_at_s:
            reporter.send(moment)
            send_at_s = now_s + MOMENT_EVERY_S
        passed = bisect(MARKS, moment.share or 0.0)
        if point := snapshots.take(moment):
            reporter.add(point, moment)
        elif now_s >= measure_at_s:
            reporter.measure(training.table, moment)
            took_s = time.monotonic() - now_s
            # Measure for a tenth of the time at most, and more seldom in a run that takes hours.
            measure_at_s = now_s + max(10 * took_s, (now_s - began_s) / 100, MEASURE_EVERY_S)
        elif passed > marks_passed:
            reporter.measure(training.table, moment, is_quick=True)
        marks_passed = passed
    doing = MEASURING if training.run.is_finished else SAVING
    if not reporter.send(replace(moment, doing=doing)):
        return  # the end of the window may wait for this process
    if training.run.is_finished:
        table = read_table(training.folder / PRUNED)
        snapshots.take_end(table, moment)
        snapshots.note()
        reporter.measure(table, moment, is_last=True)
    else:
        training.compact()  # so that the bot plays what it has learned
        snapshots.note()
        reporter.measure(training.table, moment)


def snapshot_process(pipe: Connection, bot: OwnBot) -> None:
    """Make the snapshots of *bot*, and send each, until the pipe is closed."""
    end_with_parent(pipe)
    with reported_end(pipe, StorageError, SettingsError):
        for point in make_snapshots(bot.folder, read_meta(playing_path(bot))):
            pipe.send(point)
