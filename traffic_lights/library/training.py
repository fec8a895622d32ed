"""Train a bot from a script: `train`, with the settings of the command line."""

import re
import sys
import tempfile
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any

from traffic_lights.console.shell import Ticker
from traffic_lights.learning.rowtable import RowTable
from traffic_lights.library import arguments
from traffic_lights.library.players import QBot, Source
from traffic_lights.storage.files import StorageError
from traffic_lights.training.plans import BATCH
from traffic_lights.training.run import Training
from traffic_lights.training.settings import SETTINGS, SettingsError


@dataclass(frozen=True, slots=True)
class TrainingPoint:
    """A bot in training, as `train` reports it."""

    games: int
    """How many games it has played."""
    bot: QBot
    """The bot as it was after these games; it does not change any more."""


def train(
    opponent: str = "myopic",
    games: int | None = None,
    seed: int = 1,
    *,
    every: int | None = None,
    on_progress: Callable[[TrainingPoint], object] | None = None,
    folder: Source | None = None,
    fresh: bool = False,
    **settings: Any,
) -> QBot:
    """Train a bot, by default for 100,000 games against Myopic (the command: until it is perfect).

    *opponent* may also be "reverse": from the end of the game backwards, until all is solved. The
    same arguments give the same bot. On a terminal it shows how far it is.

    *on_progress* gets a TrainingPoint after *every* so many games, at least 1,000, by default about
    twenty in all, and one at the end. With a *folder* the run can be interrupted and continued, as
    on the command line; *fresh* starts over there and renames the old files to ``.bak``.

    Raise TypeError for an unknown setting, ValueError for a value that it cannot have, and
    StorageError if the folder cannot be used.
    """
    tell = arguments.listener("on_progress", on_progress)
    between = None if every is None else arguments.whole("every", every, BATCH)
    given = {"opponent": opponent, "seed": seed, **settings}
    if games is not None:
        given["games"] = games
    wanted = dict(_setting(name, value) for name, value in given.items())
    place: Any = tempfile.TemporaryDirectory() if folder is None else nullcontext(folder)
    with (
        place as where,
        _named_as_here(),
        Training(arguments.path("folder", where), wanted, fresh=fresh) as training,
        Ticker(quiet=not (sys.stderr and sys.stderr.isatty())) as ticker,
    ):
        # The plan that ends when it is done has millions of games.
        step = between or (training.run.settings.games or 10**7) // 20 or 1
        reported = 0
        for moment in ticker.follow(training.play()):
            is_due = moment.run_games // step > reported // step or training.run.is_finished
            if on_progress is not None and is_due and moment.run_games > reported:
                reported = moment.run_games
                table = RowTable.of(training.table)
                table.meta = training.run.meta
                tell(TrainingPoint(reported, QBot(table, wanted["seed"])))
        return QBot(training.table, wanted["seed"])


def _setting(name: str, value: object) -> tuple[str, Any]:
    """Return the name and the value of the setting *name* as `RunSettings` takes them.

    Raise TypeError if the setting is unknown or its value has a wrong type, and ValueError for any
    other value that it cannot have.
    """
    inner_name = {"opponent": "plan", "plan": ""}.get(name, name)
    if inner_name not in SETTINGS:
        known = ", ".join(name for name in SETTINGS if name != "plan")
        raise TypeError(f"unknown setting {name!r:.60}; the settings are opponent, {known}")
    return inner_name, arguments.checked(name, value, SETTINGS[inner_name].kind)


@contextmanager
def _named_as_here() -> Iterator[None]:
    """Turn a SettingsError into a ValueError, and name the arguments of `train` in all errors."""
    try:
        yield
    except (SettingsError, StorageError) as error:
        text = str(error).replace("--fresh", "fresh=True")
        for setting in SETTINGS.values():  # after which the folder may be named, too
            named = setting.option.replace("-", "_")
            text = re.sub(rf"(?<!\S){setting.option}\b", named, text)
        kind_of_error = StorageError if isinstance(error, StorageError) else ValueError
        raise kind_of_error(text) from None


def _settings_text() -> str:
    """Return what the help of `train` says of each setting."""
    lines = []
    for name, setting in SETTINGS.items():
        # The setting plan is the parameter opponent, whose default is that of this function.
        text = f"{name}: {setting.description}"
        if name == "plan":
            text = f"opponent: {setting.help}; one of {', '.join(setting.choices)}"
        lines.append(textwrap.fill(text, 96, initial_indent="    ", subsequent_indent=" " * 8))
    return "\n".join(lines)


# Python drops the docstring of the function if it runs with -OO.
train.__doc__ = f"{train.__doc__ or ''}\n    The settings:\n\n{_settings_text()}\n    "
