"""Training in a process of its own, for a window: it is started, asked, and stopped here.

Up the pipe come a `Moment` at most twenty times a second and a `Measured` score now and then. Down
the pipe goes only the request to stop.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final

from traffic_lights.learning.tablefile import read_table
from traffic_lights.storage.files import StorageError
from traffic_lights.system.processes import reported_end
from traffic_lights.training.bots import Measured, note_training, read_curve, write_curve
from traffic_lights.training.measure import Gauge
from traffic_lights.training.run import Moment, Training
from traffic_lights.training.settings import SettingsError
from traffic_lights.training.state import PRUNED

MOMENT_EVERY_S: Final = 0.05
LEAVE_AFTER_S: Final = 1.5
"""How long the process may still save when the pipe has closed; leaving is safe at any time."""
MEASURE_EVERY_S: Final = 0.25
_SHARE_OF_TIME: Final = 0.1
"""How much of its time the process measures at most."""
_POINTS: Final = 40
"""The points that a curve has at least, before they are further apart than MEASURE_EVERY_S."""


def train_process(pipe: Connection, task: tuple[Path, dict[str, Any], bool]) -> None:
    """Train in a folder with the settings wanted, as `Training` does, perhaps with a repair."""
    # Ctrl-C in the terminal is for the program, which then closes the pipe.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    window = _Window(pipe)
    threading.Thread(target=window.listen, daemon=True).start()
    folder, wanted, repair = task
    with (
        reported_end(pipe, StorageError, SettingsError),
        Training(folder, wanted, repair=repair) as training,
    ):
        _train(window, training)


def _train(window: _Window, training: Training) -> None:
    folder, run = training.store.folder, training.run
    gauge = Gauge(training.run.settings.plan, stop=lambda: window.wants_stop)
    points = read_curve(folder, run.all_games)
    began_s = time.monotonic()
    tell_at_s = measure_at_s = 0.0
    for moment in training.play(lambda: window.wants_stop):
        now_s = time.monotonic()
        if moment.note or now_s >= tell_at_s:
            window.tell(moment)
            tell_at_s = now_s + MOMENT_EVERY_S
        if now_s >= measure_at_s:
            points.append(gauge.measure(training.table, run.all_games, moment.decided))
            window.tell(points[-1])
            write_curve(folder, points)
            took_s = time.monotonic() - now_s
            pause_s = max(took_s / _SHARE_OF_TIME, (now_s - began_s) / _POINTS, MEASURE_EVERY_S)
            measure_at_s = now_s + pause_s
    window.tell(moment)
    if window.is_closed:
        return
    if not training.run.is_finished:
        training.compact()  # so that the bot plays what it has learned
    if not points or points[-1].games != run.all_games:
        points.append(gauge.measure(training.table, run.all_games, moment.decided))
    note_training(folder, points[-1])
    if training.run.is_finished:
        table = read_table(folder / PRUNED)
        points[-1] = gauge.measure(table, run.all_games, moment.decided, is_last=True)
        note_training(folder, points[-1])
    window.tell(points[-1])
    write_curve(folder, points)


class _Window:
    """The other end of the pipe."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe
        self.wants_stop = self.is_closed = False

    def listen(self) -> None:
        """Wait for the request to stop, or for the end of the pipe."""
        with suppress(EOFError, OSError):
            while self._pipe.recv():
                self.wants_stop = True
        self.is_closed = self.wants_stop = True
        time.sleep(LEAVE_AFTER_S)
        os._exit(0)

    def tell(self, message: Moment | Measured) -> None:
        """Send *message*, unless the pipe has closed."""
        with suppress(OSError):
            self._pipe.send(message)
