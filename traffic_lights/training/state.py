"""How the meta of a table names the runs that made it.

It is read as strictly as it is written: settings and progress by name, within their limits, and
no others.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from traffic_lights.storage.files import DamagedFileError
from traffic_lights.training.settings import (
    PRACTICE_STAGE,
    Progress,
    RunSettings,
    SettingsError,
)

MOST_LISTED: Final = 200
"""The entries for runs that a table lists: 150 KB at most, so that its header stays readable."""
_MOST_RUNS: Final = 10**12


@dataclass(slots=True)
class RunState:
    """A run as its folder has it."""

    number: int
    """How many runs the table had before it."""
    settings: RunSettings
    progress: Progress
    is_finished: bool = False

    @property
    def practice_games(self) -> int:
        """How many of the run's games were practice."""
        settings, progress = self.settings, self.progress
        is_practice = progress.stage == PRACTICE_STAGE.get(settings.plan)
        return progress.stage_games if is_practice and settings.practice != "none" else 0


def meta_of(run: RunState, earlier: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the meta of the table that *run* trains, after the *earlier* runs on it.

    Its ``practice`` names the opponent of the last practice.
    """
    settings = run.settings
    # No time, host or folder: the bytes of a table are to follow from its settings, seed and games
    # alone.
    this = {
        "command": settings.command().replace("--plan", "--programme"),
        "games": run.progress.games,
        "settings": settings.as_json(),
    }
    if run.practice_games:
        this["practice"] = settings.practice
    meta = {
        "games": sum(past["games"] for past in earlier) + run.progress.games,
        "seed": settings.seed,
        "alpha": settings.alpha,
        "runs": [*_shortened(earlier), this],
        "progress": run.progress.as_json(),
        "finished": run.is_finished,
    }
    practised = [past["practice"] for past in (*earlier, this) if "practice" in past]
    if practised:
        meta["practice"] = practised[-1]
    return meta


def earlier_runs(meta: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the runs that a table's *meta* lists, the first perhaps a sum of several."""
    runs = meta.get("runs", [])
    sound = isinstance(runs, list) and all(
        isinstance(run, dict)
        # By type, not isinstance: JSON has true, and Python takes it for an int.
        and type(run.get("games")) is int
        and type(run.get("runs", 1)) is int
        and 1 <= run.get("runs", 1) <= _MOST_RUNS
        for run in runs
    )
    return runs if sound else []


def count_runs(runs: list[dict[str, Any]]) -> int:
    """Return how many runs *runs* stands for."""
    return sum(run.get("runs", 1) for run in runs)


def runs_before(runs: list[dict[str, Any]], number: int) -> list[dict[str, Any]]:
    """Return those of *runs* that come before the run of that *number*."""
    earlier = list(runs)
    # Counted, not indexed: the first entry may stand for many runs.
    while count_runs(earlier) > number:
        earlier.pop()
    return earlier


def _shortened(earlier: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return *earlier* with the oldest runs added up, if one more would be too many to list."""
    if len(earlier) < MOST_LISTED:
        return earlier
    oldest, rest = earlier[: 2 - MOST_LISTED], earlier[2 - MOST_LISTED :]
    games = sum(run["games"] for run in oldest)
    return [{"runs": count_runs(oldest), "games": games}, *rest]


def run_of_meta(meta: dict[str, Any], path: Path) -> RunState | None:
    """Return the last run that the *meta* of the table *path* names, if it names one."""
    runs = earlier_runs(meta)
    if not runs or "progress" not in meta:
        return None
    try:
        settings = RunSettings.from_json(runs[-1].get("settings"))
        progress = Progress.from_json(meta["progress"])
    except SettingsError as error:
        raise DamagedFileError(
            f"{path} has a run that this program cannot continue: {error}"
        ) from error
    return RunState(count_runs(runs) - 1, settings, progress, meta.get("finished") is True)
