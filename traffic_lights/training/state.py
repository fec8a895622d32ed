"""The files of a training folder, how far a run is, and how the meta of a table names its runs.

What a file says is read as strictly as it is written: settings and progress by name, within
their limits, and no others.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, Final

from traffic_lights.board.rules import LONGEST_GAME
from traffic_lights.storage.files import DamagedFileError

# The names come from there, because players look for tables and know nothing of training.
from traffic_lights.system.folders import PRUNED as PRUNED
from traffic_lights.system.folders import TABLE as TABLE
from traffic_lights.training.settings import (
    PRACTICE_STAGE,
    RunSettings,
    SettingsError,
    check_setting,
)

LOG: Final = "qtable_deltas.jsonl"
CHECKPOINT: Final = "qtable_checkpoint.json"
POINTS: Final = "curves.json"
NOTE: Final = "bot.json"
LOCK: Final = "qtable.lock"
HISTORY: Final = "history"
"""The folder of the snapshots."""
WRITTEN: Final = (CHECKPOINT, LOG, NOTE, POINTS, PRUNED, TABLE)
"""The files that a run writes; what it sets aside is called after them."""
MOST_RUNS: Final = 1000
"""The runs that a table lists at most, because a reader takes a header of 1 MB at most."""
# A resume draws as many words as the file says, so a damaged number must not take all memory.
_BOUNDS: Final = {"epsilon": (0, 1), "ply": (-1, LONGEST_GAME), "drawn": (0, 10**6)}


def is_ours(name: str) -> bool:
    """Return whether a run calls a file *name*.

    >>> [is_ours(name) for name in ("qbot.json", "qtable.json.bak.2", "quotes.json")]
    [True, True, False]
    """
    set_aside = tuple(one + ending for one in WRITTEN for ending in (".bak", ".done"))
    return name in (*WRITTEN, LOCK) or name.startswith(set_aside)


def snapshot_path(folder: Path, games: int) -> Path:
    """Return where the bot in *folder* keeps its table after *games* games."""
    return folder / HISTORY / f"{games}.json"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is, at a batch boundary: with the table and the settings, all of its state."""

    epsilon: float
    batch: int = 0
    games: int = 0
    stage: int = 0
    stage_games: int = 0
    ply: int = -1
    """The ply that the stage works on; -1 where stages do not go by ply."""
    index: int = 0
    """How many of that ply's starting positions are done."""
    changes: int = 0
    """How many values the run has changed."""
    drawn: int = 0
    """The 32-bit random words that the batch used before the end of the run cut it short."""

    def as_json(self) -> dict[str, Any]:
        """Return the progress as plain values, by field name; of drawn words only if there are."""
        values = asdict(self)
        if not self.drawn:
            # Few runs end within a batch; the files of all others stay as in earlier versions.
            del values["drawn"]
        return values

    @classmethod
    def from_json(cls, value: object) -> Progress:
        """Return the progress that `as_json` made *value* of; raise SettingsError otherwise."""
        names = {one.name for one in fields(cls)}
        # Version 1.0 did not count changes.
        if not isinstance(value, dict) or not names - {"drawn", "changes"} <= set(value) <= names:
            raise SettingsError("it does not say how far the run is")
        for name, number in value.items():
            lowest, highest = _BOUNDS.get(name, (0, 10**15))
            is_number = type(number) is int or (name == "epsilon" and type(number) is float)
            is_within = is_number and lowest <= number <= highest
            check_setting(name, is_within, number, f"a number from {lowest} to {highest}")
        return cls(**value)


@dataclass(slots=True)
class RunState:
    """A run as its folder has it."""

    number: int
    """How many runs the table had before it."""
    settings: RunSettings
    progress: Progress
    earlier_games: int = field(compare=False)
    """The games of the runs before."""
    is_finished: bool = False

    @property
    def all_games(self) -> int:
        """The games of this run and of those before."""
        return self.earlier_games + self.progress.games

    @property
    def practice_games(self) -> int:
        """How many of the run's games were practice."""
        settings, progress = self.settings, self.progress
        is_practice = progress.stage == PRACTICE_STAGE.get(settings.plan)
        return progress.stage_games if is_practice and settings.practice != "none" else 0


def meta_of(run: RunState, before: Mapping[str, Any]) -> dict[str, Any]:
    """Return the meta of the table that *run* trains, which had the meta *before*.

    Its ``practice`` names the opponent of the last practice.
    """
    settings = run.settings
    # Time, host and folder stay out, because the bytes of a table must follow from its settings,
    # seed and games alone.
    this = {
        "command": settings.command().replace("--plan", "--programme"),
        "games": run.progress.games,
        "settings": settings.as_json(),
    }
    if run.practice_games:
        this["practice"] = settings.practice
    runs = [*runs_in(before)[: run.number], this]
    meta = {
        "games": run.all_games,
        "seed": settings.seed,
        "alpha": settings.alpha,
        "runs": runs,
        "progress": run.progress.as_json(),
        "finished": run.is_finished,
    }
    practised = [one["practice"] for one in runs if "practice" in one]
    if practised:
        meta["practice"] = practised[-1]
    return meta


def runs_in(meta: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the runs that a table's *meta* lists, in order."""
    runs = meta.get("runs", [])
    is_sound = isinstance(runs, list) and all(
        # Compare types, because JSON has true, which isinstance takes for an int.
        isinstance(run, dict) and type(run.get("games")) is int
        for run in runs
    )
    return runs if is_sound else []


def run_of_meta(meta: dict[str, Any], path: Path) -> RunState | None:
    """Return the last run that the *meta* of the table *path* names, if it names one."""
    runs = runs_in(meta)
    if not runs or "progress" not in meta:
        return None
    try:
        settings = RunSettings.from_json(runs[-1].get("settings"))
        progress = Progress.from_json(meta["progress"])
    except SettingsError as error:
        raise DamagedFileError(
            f"{path} has a run that this program cannot continue: {error}"
        ) from error
    earlier_games = sum(run["games"] for run in runs[:-1])
    is_finished = meta.get("finished") is True
    return RunState(len(runs) - 1, settings, progress, earlier_games, is_finished)
