"""What a run's curves are made of, collected by the process that trains."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from traffic_lights.board.positions import POSITIONS
from traffic_lights.judging.gauge import SCORES, SLIPS, Measurement
from traffic_lights.pictures.series import Series
from traffic_lights.training.curves import Curves, read_curves, write_curves
from traffic_lights.training.events import Progressed

DECIDED: Final = "decided"
EPSILON: Final = "ε"
CURVES: Final = (DECIDED, EPSILON, SLIPS, *SCORES)
"""What is recorded, by the names in the file."""
SAVE_EVERY_S: Final = 5.0


class Recorder:
    """The curves of the run in *folder*; *now* is a clock in seconds."""

    def __init__(self, folder: Path, now: Callable[[], float] = time.monotonic) -> None:
        self._folder = folder
        self._now = now
        self._saved_s = now()
        self._series = {name: Series(name) for name in CURVES}

    def begin(self, games: int, first: Callable[[], Curves]) -> Curves:
        """Go on from the curves up to *games*, from *first* if there are none; return them."""
        curves = (read_curves(self._folder, CURVES, games) if games else {}) or first()
        for name, points in curves.items():
            self._series[name].points = list(points)
        return curves

    def note(self, progress: Progressed, points: tuple[Measurement, ...]) -> None:
        """Add how far the run is, and what was measured."""
        self._series[DECIDED].add(progress.games, progress.decided / POSITIONS)
        self._series[EPSILON].add(progress.games, progress.epsilon)
        for point in points:
            self._series[point.name].add(progress.games, point.value)

    def save(self, *, is_due: bool = True) -> None:
        """Write the curves, at once if it *is_due*, else if the last time is a while ago."""
        if is_due or self._now() - self._saved_s >= SAVE_EVERY_S:
            self._saved_s = self._now()
            write_curves(self._folder, {name: s.points for name, s in self._series.items()})
