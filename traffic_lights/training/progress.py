"""A run, and how far it is: `Progress` is what a plan advances, files keep and windows show.

The meta of a table lists the runs that made it, and says how far the last one is.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import timedelta
from types import MappingProxyType
from typing import Any, Final, Self

from traffic_lights.board.rules import LONGEST_GAME
from traffic_lights.storage.kinds import (
    KindError,
    Number,
    Whole,
    member,
    record_of,
)
from traffic_lights.storage.words import counted
from traffic_lights.training.settings import RunSettings, SettingsError

LEARNER: Final = 4
"""The number of the rules by which this program learns.

It grows when the same settings and seed make another table. Files of version 1.3 have the number 2.
Those of version 1.2 and before have none, which counts as 1.
"""
ENOUGH: Final = 0.01
"""Before so much of a run is done, the time that is left cannot be told."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is at the end of a batch.

    With the table and the settings, this is all that continuing the run depends on. It is in the
    bytes of every table, so a new field must be left out of the meta at its default.
    """

    epsilon: float = member(Number())
    """The exploration rate of the next game, from 0 to 1."""
    batch: int = member(Whole(), 0)
    """The number of the next batch."""
    games: int = member(Whole(), 0)
    """Of the run, those before a resume included."""
    stage: int = member(Whole(0, 1), 0)
    """0 while it plays games, 1 while it practises."""
    stage_games: int = member(Whole(), 0)
    """The games of that stage."""
    ply: int = member(Whole(-1, LONGEST_GAME), -1)
    """The ply that the stage works on; -1 before it begins, or if it does not go by ply."""
    index: int = member(Whole(), 0)
    """How many of that ply's positions are done."""

    @property
    def practice_games(self) -> int:
        """How many games of the run were practice."""
        return self.stage_games if self.stage else 0


@dataclass(frozen=True, slots=True)
class Run:
    """A run on a table, and how far it is. Files hold it as the *meta* of the table."""

    settings: RunSettings
    progress: Progress
    earlier: Sequence[Mapping[str, Any]] = ()
    """The runs before it, as files hold them."""
    practised: str = ""
    """Against whom the table practised before this run, if it did."""
    is_finished: bool = False
    learner: int = LEARNER
    """By which rules it learned, LEARNER or an earlier number."""

    @classmethod
    def begun(cls, settings: RunSettings, before: Mapping[str, Any] = MappingProxyType({})) -> Self:
        """Return a run that has played no game, on a table with the meta *before*."""
        start = Progress(settings.epsilon_start)
        return cls(settings, start, tuple(before.get("runs", ())), before.get("practice", ""))

    @property
    def earlier_games(self) -> int:
        """The games of the runs before."""
        return sum(run["games"] for run in self.earlier)

    @property
    def all_games(self) -> int:
        """The games of this run and of those before."""
        return self.earlier_games + self.progress.games

    @property
    def meta(self) -> dict[str, Any]:
        """The meta of its table now, of which `run_in` makes the run again."""
        settings = self.settings
        # Time, host and folder stay out, because the bytes of a table must follow from its
        # settings, seed and games alone.
        this = {
            "command": settings.command(),
            "games": self.progress.games,
            "settings": settings.as_json(),
            "learner": self.learner,
        }
        meta = {
            "games": self.all_games,
            "seed": settings.seed,
            "alpha": settings.alpha,
            "runs": [*self.earlier, this],
            "progress": asdict(self.progress),
            "finished": self.is_finished,
        }
        practised = settings.practice if self.progress.practice_games else self.practised
        return {**meta, "practice": practised} if practised else meta


def run_in(meta: Mapping[str, Any]) -> Run | None:
    """Return the last run of the table with *meta*; None if it has no run that can be told.

    Raise SettingsError if it is unfinished and this version cannot continue it.
    """
    if "progress" not in meta:
        return None
    *earlier, last = meta["runs"]
    is_finished = meta["finished"]
    try:
        run = Run(
            RunSettings.from_json(last.get("settings")),
            record_of(Progress).check(meta["progress"]),
            tuple(earlier),
            meta.get("practice", ""),
            is_finished,
            last.get("learner", 1),
        )
    except (KindError, SettingsError) as error:
        if is_finished:  # by a plan of an earlier version
            return None
        raise SettingsError(f"it does not say how far it is: {error}") from error
    if not is_finished and run.learner != LEARNER:
        raise SettingsError("another version of this program began it")
    return run


def settings_of_last_run(meta: Mapping[str, Any]) -> RunSettings:
    """Return the last settings of the table with *meta*, or the usual ones."""
    # The snapshots of version 1.4 have no runs, but the settings of the last one.
    *_, last = meta.get("runs", [meta])
    try:
        return RunSettings.from_json(last.get("settings"))
    except SettingsError:
        return RunSettings()


@dataclass(frozen=True, slots=True)
class Moment:
    """What a run reports after a batch, and while it writes a table."""

    progress: Progress
    doing: str
    """What the run does: what it plays, or that it writes its tables or measures."""
    decided_by_ply: tuple[int, ...]
    """How many canonical positions the table has decided, by ply."""
    saved_games: int
    """The games of the run that are on the disk."""
    share: float | None
    """How much of the run is done, from 0 to 1; None if that is unknown."""
    note: str = ""
    """A sentence for the user, mostly empty."""
    is_kept: bool = False
    """Whether a snapshot of the bot was kept after these games."""
    earlier_games: int = 0
    """The games of the runs before."""

    @property
    def run_games(self) -> int:
        """The games of the run so far, those before a resume included."""
        return self.progress.games

    @property
    def decided(self) -> int:
        """How many canonical positions the table has decided."""
        return sum(self.decided_by_ply)


def progress_text(now: Moment, before: Moment, passed_s: float) -> str:
    """Return how far a run is *now*, *passed_s* seconds after the moment *before*.

    The most important comes first, because a line may be cut.

    >>> before, now = (
    ...     Moment(Progress(0.0, games=n, ply=7), "from the end backwards", (n,), n, n / 4000,
    ...            earlier_games=500)
    ...     for n in (1000, 2000)
    ... )
    >>> progress_text(now, before, 10.0)  # doctest: +NORMALIZE_WHITESPACE
    '50 % of this run done, 00:20 left, from the end backwards, positions after 7 moves,
    2,500 games, 100 a second, 2,000 positions proven won or lost'
    """
    words = []
    # When all games are played, something else is done, and how long that takes is not known.
    if now.share is not None and now.share < 1:
        words.append(f"{int(100 * now.share)} % of this run done")
        gained = now.share - (before.share or 0.0)
        if gained >= ENOUGH:
            left = timedelta(seconds=int(passed_s * (1 - now.share) / gained))
            words.append(f"{str(left).removeprefix('0:')} left")
    words.append(now.doing)
    if now.progress.ply >= 0:
        words.append(f"positions after {counted(now.progress.ply, 'move')}")
    tries = now.progress.practice_games
    of_them = f", {tries:,} of them tries" if tries else ""
    words.append(f"{now.earlier_games + now.run_games:,} games{of_them}")
    if passed_s > 0:
        words.append(f"{(now.run_games - before.run_games) / passed_s:,.0f} a second")
    words.append(f"{now.decided:,} positions proven won or lost")
    return ", ".join(words)
