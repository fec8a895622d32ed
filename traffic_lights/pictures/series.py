"""The points of one line of a chart, few enough to draw however long they are collected."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from traffic_lights.pictures.drawing import Point

MOST_POINTS: Final = 1500
"""Beyond as many points a series forgets every second one."""


@dataclass(slots=True)
class Series:
    """One line of a chart: points of games and a value, by ascending games."""

    name: str
    points: list[Point] = field(default_factory=list)
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
