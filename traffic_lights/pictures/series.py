"""The points of one line of a chart, few enough to draw however long they are collected.

>>> series = Series("score", [(0, 0.0), (10, 0.4), (20, 0.2), (30, 0.6)])
>>> [(games, round(value, 2)) for games, value in trend(series.points, 3)]
[(0, 0.2), (10, 0.2), (20, 0.4), (30, 0.4)]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Final

from traffic_lights.pictures.drawing import Point

MOST_POINTS: Final = 1500
"""Beyond as many points a series forgets every second one."""


@dataclass(slots=True)
class Series:
    """One line of a chart: points of games and a value, by ascending games."""

    name: str
    points: list[Point] = field(default_factory=list)
    reference: float | None = None
    """The best value there can be, drawn dotted."""
    _stride: int = 1
    _skipped: int = 0

    def add(self, games: float, value: float) -> None:
        """Add a point; a series that grows long keeps every second of its points."""
        self._skipped += 1
        if self._skipped < self._stride:
            return
        self._skipped = 0
        self.points.append((games, value))
        if len(self.points) > MOST_POINTS:
            self.points = self.points[::2]
            self._stride *= 2

    def forget_after(self, games: float) -> None:
        """Drop the points beyond *games*: what they tell of was not saved."""
        self.points = [point for point in self.points if point[0] <= games]


def trend(points: Sequence[Point], width: int) -> list[Point]:
    """Return *points* with each value the mean of the *width* values around it, an odd number.

    Near the ends it is the mean of those that there are.
    """
    sums = list(accumulate((value for _, value in points), initial=0.0))
    half, last = width // 2, len(points)
    means = []
    for index, (games, _) in enumerate(points):
        low, high = max(0, index - half), min(last, index + half + 1)
        means.append((games, (sums[high] - sums[low]) / (high - low)))
    return means
