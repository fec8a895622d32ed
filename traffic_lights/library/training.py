"""Train a bot from a script: `train`, with the settings of the command line."""

import re
import tempfile
import textwrap
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from difflib import get_close_matches
from typing import Any

from traffic_lights.learning import qtable, rowtable
from traffic_lights.library import arguments
from traffic_lights.library.players import QBot, Source
from traffic_lights.storage.files import StorageError
from traffic_lights.training.run import Training
from traffic_lights.training.settings import SETTINGS, SettingsError


class TrainingPoint:
    """A bot in training, as `train` reports it."""

    def __init__(self, games: int, table: qtable.QTable, seed: int) -> None:
        self.games = games
        """How many games it has played."""
        self._table = table
        self._seed = seed
        self._bot: QBot | None = None

    @property
    def bot(self) -> QBot:
        """The bot as it was after these games; it does not change any more."""
        if self._bot is None:
            self._bot = QBot(rowtable.copy_of(self._table), self._seed)
        return self._bot

    def __getstate__(self) -> dict[str, Any]:
        """Return what a copy keeps: the bot of this moment, and not the table that still learns."""
        return {**vars(self), "_bot": self.bot, "_table": self.bot.table}

    def __repr__(self) -> str:
        return f"<training point after {self.games:,} games>"


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
    """Train a bot against *opponent*, or by a plan such as "reverse", and return it.

    *on_progress* gets a TrainingPoint after *every* so many games, by default about twenty in all,
    and one at the end. Games are played in batches of 1,000, so points are at least that far apart.
    With a *folder* the run can be interrupted and continued, as on the command line; *fresh* starts
    over there and renames the old files to ``.bak``. The same arguments give the same bot.

    Raise TypeError for an unknown setting, ValueError for a value that it cannot have, and
    StorageError if the folder cannot be used.
    """
    between = None if every is None else arguments.whole("every", every, 1)
    arguments.callback("on_progress", on_progress, "one TrainingPoint")
    given = {"opponent": opponent, "seed": seed, **settings}
    if games is not None:
        given["games"] = games
    wanted = dict(_setting(name, value) for name, value in given.items())
    place: Any = nullcontext(folder)
    if folder is None:
        place = tempfile.TemporaryDirectory()
    with (
        place as where,
        _named_as_here(),
        Training(arguments.path("folder", where), wanted, fresh=fresh) as training,
    ):
        # A plan that ends when it is done has millions of games.
        step = between or (training.run.settings.games or 10**7) // 20 or 1
        due = step
        reported = 0
        for moment in training.play():
            if on_progress is not None and moment.games >= due:
                reported = moment.games
                _report(on_progress, reported, training.table, wanted["seed"])
                due = (reported // step + 1) * step
        if on_progress is not None and training.games > reported:
            _report(on_progress, training.games, training.table, wanted["seed"])
        return QBot(training.table, wanted["seed"])


def _setting(name: str, value: object) -> tuple[str, Any]:
    """Return the name and the value of the setting *name* as `RunSettings` takes them.

    Raise TypeError if the setting is unknown or its value has a wrong type, and ValueError for any
    other value that it cannot have.
    """
    names = ["opponent", *(name for name in SETTINGS if name != "plan")]
    if name not in names:
        likely = ["opponent"] if name == "plan" else get_close_matches(name, names, 1)
        hint = f"did you mean {likely[0]}?" if likely else f"the settings are {', '.join(names)}"
        raise TypeError(f"unknown setting {name!r:.60}; {hint}")
    inner_name = "plan" if name == "opponent" else name
    return inner_name, arguments.checked(name, value, SETTINGS[inner_name].kind)


@contextmanager
def _named_as_here() -> Iterator[None]:
    """Turn a SettingsError into a ValueError, and name the arguments of `train` in all errors."""
    try:
        yield
    except StorageError as error:
        error.args = (str(error).replace("--fresh", "fresh=True"),)
        raise
    except SettingsError as error:
        text = str(error).replace("--fresh", "fresh=True")
        for name, setting in SETTINGS.items():
            # The folder may be named after a setting.
            text = re.sub(rf"(?<!\S){setting.option}(?![\w-])", name, text)
        raise ValueError(text) from None


def _report(
    on_progress: Callable[[TrainingPoint], object], games: int, table: qtable.QTable, seed: int
) -> None:
    """Call *on_progress* with a new point."""
    point = TrainingPoint(games, table, seed)
    kept = weakref.ref(point)
    on_progress(point)
    del point
    # A point that was kept must have its bot before the table changes. All others cost nothing.
    held = kept()
    if held is not None:
        _ = held.bot


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
