"""The charts of a run as files: numbers as CSV, a picture as SVG."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Final

from traffic_lights.gui.kit.canvas_view import roles
from traffic_lights.gui.kit.theme import Theme
from traffic_lights.gui.training.model import RunModel, RunPhase
from traffic_lights.pictures import charts
from traffic_lights.pictures import vessels as filling
from traffic_lights.pictures.charts import Chart, Room
from traffic_lights.pictures.drawing import Box, Dot, Shape, Stroke, Text, to_svg
from traffic_lights.storage.files import write_atomically

WIDTH: Final = 1000
_HEAD: Final = 64
_FILLING: Final = 300
_CHART: Final = 240
_TYPE: Final = 14


def save_charts(path: Path, model: RunModel, theme: Theme, shown: list[Chart]) -> None:
    """Write the charts *shown* of *model* to *path*: CSV if it ends so, else SVG.

    Both say whose they are, and with which settings the bot was trained. Raise StorageError.
    """
    if path.suffix.lower() == ".csv":
        text = charts.to_csv(shown, (model.name, model.settings_text))
    else:
        text = to_svg(
            picture(model, shown),
            (WIDTH, _height(model, shown)),
            roles(theme),
            (theme.family, _TYPE),
        )
    write_atomically(path, [text.encode("utf-8")])


def _vessels_height(model: RunModel) -> int:
    """Return the room of the vessels; of a run that was kept nobody knows how they filled."""
    return 0 if model.phase is RunPhase.KEPT else _FILLING


def _height(model: RunModel, shown: list[Chart]) -> int:
    return _HEAD + _vessels_height(model) + (len(shown) + 1) // 2 * _CHART


def picture(model: RunModel, shown: list[Chart]) -> list[Shape]:
    """Return name and settings, the vessels and the charts *shown* of a run on one sheet.

    Without the vessels if nobody knows them.
    """
    filled = _vessels_height(model)
    line, letter = _TYPE * 1.25, _TYPE * 0.56
    shapes: list[Shape] = [Text(line / 2, line, model.name or "QBot", "text", strong=True)]
    shapes.append(Text(line / 2, line * 2.3, model.settings_text, "muted"))
    if filled:
        vessels = filling.shapes_of(
            filling.POSITIONS_BY_PLY, model.decided_by_ply, -1, Room(WIDTH, filled, line, letter)
        )
        shapes += moved(vessels, 0, _HEAD)
    for number, chart in enumerate(shown):
        part = charts.shapes_of(chart, Room(WIDTH / 2, _CHART, line, letter))
        shapes += moved(part, number % 2 * WIDTH / 2, _HEAD + filled + number // 2 * _CHART)
    return shapes


def moved(shapes: Iterable[Shape], x: float, y: float) -> list[Shape]:
    """Return *shapes* that much further right and down."""
    result: list[Shape] = []
    for shape in shapes:
        if isinstance(shape, Stroke):
            points = tuple((px + x, py + y) for px, py in shape.points)
            result.append(replace(shape, points=points))
        elif isinstance(shape, Box):
            result.append(Box(shape.x0 + x, shape.y0 + y, shape.x1 + x, shape.y1 + y, shape.role))
        elif isinstance(shape, Dot):
            result.append(replace(shape, x=shape.x + x, y=shape.y + y))
        else:
            result.append(replace(shape, x=shape.x + x, y=shape.y + y))
    return result
