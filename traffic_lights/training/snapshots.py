"""The snapshots of a bot: how it played after some of its games, kept in its folder.

They are a cache: history/index.json, history/1.json, history/2.json, ... are made again if they
are missing, or if the bot has learned more.
"""

import shutil
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final

from traffic_lights.board.baselines import BASELINES
from traffic_lights.learning.prune import prune
from traffic_lights.learning.tablefile import write_table
from traffic_lights.storage.files import StorageError, explained, make_folder, write_json
from traffic_lights.storage.kinds import KindError, ListOf, Record
from traffic_lights.storage.records import read_record
from traffic_lights.training.folder import SNAPSHOTS, snapshot_index, snapshot_path
from traffic_lights.training.gauge import Gauge, Measured
from traffic_lights.training.progress import runs_in
from traffic_lights.training.replay import recorded_runs, replayed

_INDEX: Final = Record(
    {
        "runs": ListOf(),
        "points": ListOf(),
    }
)


def kept_snapshots(folder: Path, meta: Mapping[str, Any]) -> list[Measured]:
    """Return the snapshots that the bot in *folder* keeps; none if they are not those of *meta*."""
    with suppress(StorageError, KindError):
        index = read_record(snapshot_index(folder), _INDEX)
        if list(index["runs"]) == runs_in(meta):
            return list(map(Measured.from_json, index["points"]))
    return []


def make_snapshots(folder: Path, meta: Mapping[str, Any]) -> Iterator[Measured]:
    """Make the snapshots of the bot with *meta*, and yield each when it is in *folder*.

    Raise SettingsError if the bot cannot be made again, StorageError if they cannot be kept. A
    folder of snapshots that is a link is refused. All the games of the bot are played again.
    """
    settings, _ = recorded_runs(meta)[-1]
    own = Gauge(settings.plan)
    others = [Gauge(key) for key in BASELINES if key != own.policy.key]
    kept = folder / SNAPSHOTS
    # A link may lead to a folder with other files of these names.
    if kept.is_symlink():
        raise StorageError(f"cannot delete {kept}: it is a link")
    with explained("delete", kept), suppress(FileNotFoundError):
        shutil.rmtree(kept)
    make_folder(kept)
    points: list[Measured] = []
    for games, decided, table in replayed(meta):
        table.meta = {"games": games, "settings": settings.as_json()}
        small = prune(table)
        write_table(snapshot_path(folder, games), small)
        against = tuple(gauge.measure(small, games, decided) for gauge in others)
        point = replace(own.measure(small, games, decided), others=against)
        points.append(point)
        yield point
    content = {"runs": runs_in(meta), "points": list(map(asdict, points))}
    write_json(snapshot_index(folder), content)
