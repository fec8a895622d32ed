"""The charts of a run as files: numbers as CSV, a picture as SVG."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from traffic_lights.gui.kit.canvas_view import roles
from traffic_lights.gui.kit.theme import Theme
from traffic_lights.gui.training.model import RunModel, RunPhase
from traffic_lights.pictures import vessels as filling
from traffic_lights.pictures.charts import POSITIONS_BY_PLY, Room
from traffic_lights.pictures.drawing import Drawing, Shape, Text, moved, to_svg
from traffic_lights.pictures.run_charts import RunChart, shapes_of, to_csv
from traffic_lights.storage.files import write_atomically

WIDTH: Final = 1000
_HEAD: Final = 64
_FILLING: Final = 300
_CHART: Final = 240
_TYPE: Final = 14


def save_charts(path: Path, model: RunModel, theme: Theme, shown: list[RunChart]) -> None:
    """Write the charts *shown* of *model* to *path*: CSV if it ends so, else SVG.

    Both say whose they are, and with which settings the bot was trained. Raise StorageError.
    """
    if path.suffix.lower() == ".csv":
        text = to_csv(shown, (model.name, model.settings_text))
    else:
        text = to_svg(
            Drawing(WIDTH, _height(model, shown), picture(model, shown)),
            roles(theme),
            font=(theme.family, _TYPE),
        )
    write_atomically(path, [text.encode("utf-8")])


def _vessels_height(model: RunModel) -> int:
    """Return the room of the vessels; of a run that was kept nobody knows how they filled."""
    return 0 if model.phase is RunPhase.KEPT else _FILLING


def _height(model: RunModel, shown: list[RunChart]) -> int:
    return _HEAD + _vessels_height(model) + (len(shown) + 1) // 2 * _CHART


def picture(model: RunModel, shown: list[RunChart]) -> list[Shape]:
    """Return name and settings, the vessels and the charts *shown* of a run on one sheet.

    Without the vessels if nobody knows them.
    """
    filled = _vessels_height(model)
    line, letter = _TYPE * 1.25, _TYPE * 0.56
    shapes: list[Shape] = [Text(line / 2, line, model.name or "QBot", "text", strong=True)]
    shapes.append(Text(line / 2, line * 2.3, model.settings_text, "muted"))
    if filled:
        vessels = filling.shapes_of(
            POSITIONS_BY_PLY, model.decided_by_ply, -1, Room(WIDTH, filled, line, letter)
        )
        shapes += [moved(shape, 0, _HEAD) for shape in vessels]
    for number, chart in enumerate(shown):
        part = shapes_of(chart, Room(WIDTH / 2, _CHART, line, letter))
        across, down = number % 2 * WIDTH / 2, _HEAD + filled + number // 2 * _CHART
        shapes += [moved(shape, across, down) for shape in part]
    return shapes
