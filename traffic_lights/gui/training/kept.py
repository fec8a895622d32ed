"""The run that a kept table came of, to be looked at again."""

from __future__ import annotations

from traffic_lights.gui.training.model import RunModel, RunPhase
from traffic_lights.training.curves import read_curves
from traffic_lights.training.own_tables import OwnTable
from traffic_lights.workers.recorder import CURVES


def kept_run(table: OwnTable) -> RunModel:
    """Return the run of *table* with its curves, as far as they were kept."""
    model, curves = RunModel(), read_curves(table.folder, CURVES)
    model.phase = RunPhase.KEPT
    model.name, model.note = table.name, table.facts.origin
    model.games = table.facts.games
    for name, series in model.series().items():
        series.points = list(curves.get(name, ()))
    return model
