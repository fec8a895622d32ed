"""What a process does for a window: train a bot, or make its snapshots.

A process that trains sends a `Moment` at most twenty times a second and a `Measured` score now and
then. The window sends only the request to stop.
"""

import signal
import time
from bisect import bisect
from contextlib import suppress
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
        _train(pipe, training)


def _train(pipe: Connection, training: Training) -> None:
    def must_stop() -> bool:
        try:
            return pipe.poll()
        except OSError:  # the window has ended
            return True

    def send(message: Moment | Measured) -> None:
        with suppress(OSError):  # the window may have ended
            pipe.send(message)

    games_before = training.run.all_games
    moved_before = 0.0

    def add(new: Measured, moment: Moment) -> None:
        nonlocal games_before, moved_before
        if settings.matters("epsilon_start"):
            new = replace(new, epsilon=training.run.progress.epsilon)
        if not is_proving and new.games > games_before:
            moved = (training.moved - moved_before) / (new.games - games_before)
            new = replace(new, moved=moved)
            games_before = new.games
            moved_before = training.moved
        elif points and points[-1].games == new.games:
            new = replace(new, moved=points[-1].moved)  # which it replaces
        points[:] = [*(point for point in points if point.games < new.games), new]
        send(new)
        write_curve(folder, points, moment.decided_by_ply if is_proving else ())

    def measure(table: QTable, moment: Moment, **how: bool) -> None:
        add(gauge.measure(table, training.run.all_games, moment.decided, **how), moment)

    folder = training.folder
    settings = training.run.settings
    is_proving = settings.plan in PROVING
    gauge = Gauge(settings.plan)
    points = read_note(folder).points
    began_s = time.monotonic()
    send_at_s = 0.0
    measure_at_s = 0.0
    marks_passed = 0
    snapshots = RunSnapshots(training)
    for moment in training.play(must_stop, pauses=snapshots.pauses):
        now_s = time.monotonic()
        if moment.note or now_s >= send_at_s:
            send(moment)
            send_at_s = now_s + MOMENT_EVERY_S
        passed = bisect(MARKS, moment.share or 0.0)
        if point := snapshots.take(moment):
            add(point, moment)
        elif now_s >= measure_at_s:
            measure(training.table, moment)
            took_s = time.monotonic() - now_s
            # Measure for a tenth of the time at most, and more seldom in a run that takes hours.
            measure_at_s = now_s + max(10 * took_s, (now_s - began_s) / 100, MEASURE_EVERY_S)
        elif passed > marks_passed:
            measure(training.table, moment, is_quick=True)
        marks_passed = passed
    try:
        pipe.send(replace(moment, stage=MEASURING if training.run.is_finished else SAVING))
    except OSError:  # the window has ended, and its end may wait for this process
        return
    if training.run.is_finished:
        table = read_table(folder / PRUNED)
        snapshots.take_end(table, moment)
        snapshots.note()
        measure(table, moment, is_last=True)
    else:
        training.compact()  # so that the bot plays what it has learned
        snapshots.note()
        measure(training.table, moment)


def snapshot_process(pipe: Connection, bot: OwnBot) -> None:
    """Make the snapshots of *bot*, and send each, until the pipe is closed."""
    end_with_parent(pipe)
    with reported_end(pipe, StorageError, SettingsError):
        for point in make_snapshots(bot.folder, read_meta(playing_path(bot))):
            pipe.send(point)
