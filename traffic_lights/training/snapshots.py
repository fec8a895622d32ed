"""The snapshots of a bot: small tables of what it knew on its way, and how well they play.

They are made from the seed when someone first looks at them, because nothing is stored while a bot
learns. In the folder of the bot they are a cache, which can be deleted at any time:

    history/index.json, history/1.json, history/2.json, history/4.json, ...
"""

from __future__ import annotations

import random
import shutil
import signal
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final

from traffic_lights.learning.prune import prune
from traffic_lights.learning.tablefile import read_meta, write_table
from traffic_lights.storage.files import StorageError, make_folder, read_json, write_json
from traffic_lights.system.processes import end_with_parent
from traffic_lights.system.words import NO_MEMORY
from traffic_lights.training.bots import Measured, OwnBot, playing_path
from traffic_lights.training.history import SHARES, history, milestones, runs_of
from traffic_lights.training.settings import PROVING, RunSettings, SettingsError
from traffic_lights.training.state import HISTORY, runs_in, snapshot_path
from traffic_lights.training.worker import measure

MOST_BYTES: Final = 10_000_000
"""The size of all snapshots of a bot together."""
WHOLE_UP_TO: Final = 20_000
"""A table of so many rows is kept whole; a larger one is pruned to what its own play needs."""
_INDEX: Final = "index.json"
_FORMAT: Final = "traffic-lights-history"


def snapshot_key(bot_key: str, games: int) -> str:
    """Return the key, in the roster, of the bot *bot_key* as it was after *games* games."""
    return f"{bot_key}:{games}"


def settings_of_last_run(meta: Mapping[str, Any]) -> RunSettings:
    """Return the settings by which the table with *meta*, perhaps a snapshot, learned last.

    If they are not known, they are the usual ones.
    """
    try:
        return RunSettings.from_json([meta, *runs_in(dict(meta))][-1].get("settings"))
    except SettingsError:
        return RunSettings().checked()


def expected(meta: Mapping[str, Any]) -> int:
    """Return about how many snapshots the bot with *meta* has.

    Raise SettingsError, a sentence, if it cannot be made again.
    """
    runs = runs_of(meta)
    is_proving = runs[0][0].plan in PROVING
    return SHARES if is_proving else len(milestones(sum(games for _, games in runs)))


def kept_snapshots(folder: Path, meta: Mapping[str, Any]) -> list[Measured]:
    """Return the snapshots that the bot in *folder* keeps, if they are those of *meta*."""
    try:
        plain = read_json(folder / HISTORY / _INDEX)
        if plain["format"] == _FORMAT and plain["runs"] == runs_in(dict(meta)):
            points = plain["points"]
            return [Measured(**{**one, "opening": tuple(one["opening"])}) for one in points]
    except (StorageError, TypeError, LookupError):
        pass
    return []


def delete_snapshots(folder: Path) -> None:
    """Delete the snapshots of the bot in *folder*."""
    shutil.rmtree(folder / HISTORY, ignore_errors=True)


def make_snapshots(folder: Path, meta: Mapping[str, Any]) -> Iterator[Measured]:
    """Make the snapshots of the bot with *meta*, and yield each when it is in *folder*.

    If they need more than MOST_BYTES, every second one is deleted. Raise SettingsError if the bot
    cannot be made again, StorageError if the snapshots cannot be kept.
    """
    runs = runs_of(meta)
    plan, rng = runs[-1][0].plan, random.Random("history")
    delete_snapshots(folder)
    make_folder(folder / HISTORY)
    points: list[Measured] = []
    for one in history(meta):
        one.table.meta = {"games": one.games, "settings": runs[-1][0].as_json()}
        small = prune(one.table, WHOLE_UP_TO)
        write_table(snapshot_path(folder, one.games), small)
        points.append(measure(small, plan, rng, one.games, one.decided))
        yield points[-1]
        while _size(folder, points) > MOST_BYTES and len(points) > 1:
            for late in points[-2::-2]:
                snapshot_path(folder, late.games).unlink(missing_ok=True)
            del points[-2::-2]
    plain = [asdict(point) for point in points]
    content = {"format": _FORMAT, "runs": runs_in(dict(meta)), "points": plain}
    write_json(folder / HISTORY / _INDEX, content)


def _size(folder: Path, points: list[Measured]) -> int:
    return sum(snapshot_path(folder, point.games).stat().st_size for point in points)


def snapshot_process(pipe: Connection, bot: OwnBot) -> None:
    """Make the snapshots of *bot* in this process, and send each as a `Measured`.

    The last message is a text: why it ended early, or empty. It can be killed at any time.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()
    with suppress(OSError):  # the window has been closed
        try:
            for point in make_snapshots(bot.folder, read_meta(playing_path(bot))):
                pipe.send(point)
            pipe.send("")
        except (StorageError, SettingsError) as error:
            pipe.send(str(error))
        except MemoryError:
            pipe.send(NO_MEMORY)
    pipe.close()
