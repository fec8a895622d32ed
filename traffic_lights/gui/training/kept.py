"""The run that a kept table came of, to be looked at again."""

from __future__ import annotations

from contextlib import suppress

from traffic_lights.gui.training.model import RunModel, RunPhase
from traffic_lights.storage.files import StorageError, read_json
from traffic_lights.training.curves import read_curves
from traffic_lights.training.events import Progressed
from traffic_lights.training.own_tables import OwnTable
from traffic_lights.training.paths import CHECKPOINT
from traffic_lights.training.settings import RunSettings
from traffic_lights.workers.recorder import CURVES


def kept_run(table: OwnTable) -> RunModel:
    """Return the run of *table* with its curves, as far as they were kept."""
    model, curves = RunModel(), read_curves(table.folder, CURVES)
    model.phase = RunPhase.KEPT
    facts, model.name = table.facts, table.name
    model.note, share = (facts.origin, 1.0) if facts.is_finished else _how_far(table)
    model.games = facts.games
    model.progress = Progressed(facts.games, "", -1, 0.0, facts.decided, share)
    for name, series in model.series().items():
        series.points = list(curves.get(name, ()))
    return model


def _how_far(table: OwnTable) -> tuple[str, float]:
    """Return how the run of *table* came to its stop, and how much of it was played, if known."""
    origin = table.facts.origin
    with suppress(StorageError, LookupError, TypeError, ValueError):
        run = read_json(table.folder / CHECKPOINT)
        done, planned = int(run["games"]), RunSettings.from_json(run["settings"]).games
        if planned:
            whole = f"{planned:,} games"
            is_named = origin.startswith(whole)
            text = f"{done:,} of {origin}" if is_named else f"{origin}: {done:,} of {whole}"
            return text, min(done / planned, 1.0)
    return f"{origin}, unfinished", 0.0
