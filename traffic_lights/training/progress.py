"""A run, and how far it is: `Progress` is what stages advance, files keep and windows show.

The meta of a table lists the runs that made it, and says how far the last one is.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from datetime import timedelta
from typing import Any, Final, Self

from traffic_lights.board.rules import LONGEST_GAME
from traffic_lights.storage.kinds import Absent, KindError, ListOf, Record, Whole
from traffic_lights.storage.words import counted
from traffic_lights.training.settings import RunSettings, SettingsError

_BOUNDS: Final = {"epsilon": (0, 1), "ply": (-1, LONGEST_GAME)}
_RUNS: Final = ListOf(Record({"games": Whole(), "learner": Absent(Whole(), 1)}))
"""The runs that a table lists."""
LEARNER: Final = 4
"""The number of the rules by which this program learns.

It grows when the same settings and seed make another table. Files of version 1.3 have the number 2.
Those of version 1.2 and before have none, which counts as 1.
"""
ENOUGH: Final = 0.01
"""Before so much of a run is done, the time that is left cannot be told."""
_PRACTICE_STAGE: Final = {"reverse": 1, "selfplay": 2}
"""The number of the stage of practice in the plans that have one."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is at the end of a batch.

    With the table and the settings, this is all that continuing the run depends on.
    """

    epsilon: float
    """The exploration rate of the next game, from 0 to 1."""
    batch: int = 0
    """The number of the next batch."""
    games: int = 0
    """Of the run, those before a resume included."""
    stage: int = 0
    """The number of the stage in the plan."""
    stage_games: int = 0
    """The games of that stage."""
    ply: int = -1
    """The ply that the stage works on; -1 before it begins, or if it does not go by ply."""
    index: int = 0
    """How many of that ply's starting positions are done."""
    changes: int = 0
    """How many values the run has changed."""

    def as_json(self) -> dict[str, Any]:
        """Return the plain values, as a checkpoint and the meta of a table hold them."""
        return asdict(self)

    @classmethod
    def from_json(cls, value: object) -> Self:
        """Return the progress that `as_json` made *value* of; raise SettingsError otherwise."""
        names = {each.name for each in fields(cls)}
        # Version 1.0 did not count changes. Versions 1.2 and 1.3 noted how many random words a run
        # had drawn in its last batch, if that was short.
        optional = {"changes", "drawn"}
        if not isinstance(value, dict) or not names - optional <= set(value) <= names | optional:
            raise SettingsError("it does not say how far the run is")
        value = {name: number for name, number in value.items() if name in names}
        for name, number in value.items():
            lowest, highest = _BOUNDS.get(name, (0, 10**15))
            kinds = (int, float) if name == "epsilon" else (int,)
            if type(number) not in kinds or not lowest <= number <= highest:
                raise SettingsError(
                    f"{name} is {number!r:.60}; it must be a number from {lowest} to {highest}"
                )
        return cls(**value)


@dataclass(frozen=True, slots=True)
class Run:
    """A run on a table: which one it is, and how far."""

    number: int
    """How many runs the table had before it."""
    settings: RunSettings
    progress: Progress
    earlier_games: int = 0
    """The games of the runs before."""
    is_finished: bool = False
    learner: int = LEARNER
    """By which rules it learned, LEARNER or an earlier number."""

    @classmethod
    def begun(cls, settings: RunSettings, number: int = 0, earlier_games: int = 0) -> Self:
        """Return a run with *settings* that has played no game."""
        return cls(
            number=number,
            settings=settings,
            progress=Progress(settings.epsilon_start),
            earlier_games=earlier_games,
        )

    @property
    def all_games(self) -> int:
        """The games of this run and of those before."""
        return self.earlier_games + self.progress.games

    @property
    def practice_games(self) -> int:
        """How many games of this run were practice."""
        settings = self.settings
        progress = self.progress
        is_practice = progress.stage == _PRACTICE_STAGE.get(settings.plan)
        return progress.stage_games if is_practice and settings.practice != "none" else 0


def meta_of(run: Run, before: Mapping[str, Any]) -> dict[str, Any]:
    """Return the meta of the table that *run* trains, which had the meta *before*."""
    settings = run.settings
    # Time, host and folder stay out, because the bytes of a table must follow from its settings,
    # seed and games alone.
    this = {
        "command": settings.command().replace("--plan", "--programme"),
        "games": run.progress.games,
        "settings": settings.as_json(),
    }
    if run.learner != 1:
        this["learner"] = run.learner
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
    practised = [listed["practice"] for listed in runs if "practice" in listed]
    if practised:
        meta["practice"] = practised[-1]
    return meta


def runs_in(meta: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the runs that a table's *meta* lists; none if something else is there."""
    runs: list[dict[str, Any]] = meta.get("runs", [])
    try:
        _RUNS.check(runs)
    except KindError:
        return []
    return runs


def learner_of(run: Mapping[str, Any]) -> int:
    """Return the number of the rules that *run* learned by, from the runs that a table lists."""
    number: int = run.get("learner", 1)
    return number


def last_run(meta: Mapping[str, Any]) -> Run | None:
    """Return the last run of the table with *meta*; None if the table has no run to continue.

    Raise SettingsError if this program cannot continue it.
    """
    runs = runs_in(meta)
    if not runs or "progress" not in meta:
        return None
    return Run(
        number=len(runs) - 1,
        settings=RunSettings.from_json(runs[-1].get("settings")),
        progress=Progress.from_json(meta["progress"]),
        earlier_games=sum(run["games"] for run in runs[:-1]),
        is_finished=meta.get("finished") is True,
        learner=learner_of(runs[-1]),
    )


@dataclass(frozen=True, slots=True)
class Moment:
    """What a run reports after a batch, and while it writes a table."""

    progress: Progress
    doing: str
    """What the run does: the name of its stage, or that it writes its tables or measures."""
    decided_by_ply: tuple[int, ...]
    """How many canonical positions the table has decided, by ply."""
    saved_games: int
    """The games of the run that are on the disk."""
    share: float | None
    """How much of the run is done, from 0 to 1; None if that is unknown."""
    note: str = ""
    """A sentence for the user, mostly empty."""
    tries: int = 0
    """How many of the games of the run are tries of practice."""

    @property
    def games(self) -> int:
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
    ...     Moment(Progress(0.0, games=n, ply=7), "from the end backwards", (n,), n, n / 4000)
    ...     for n in (1000, 2000)
    ... )
    >>> progress_text(now, before, 10.0)  # doctest: +NORMALIZE_WHITESPACE
    '50 % done, 00:20 left, from the end backwards, positions after 7 moves, 2,000 games,
    100 a second, 2,000 positions proven won or lost'
    """
    words = []
    # When all games are played, something else is done, and how long that takes is not known.
    if now.share is not None and now.share < 1:
        words.append(f"{int(100 * now.share)} % done")
        gained = now.share - (before.share or 0.0)
        if gained >= ENOUGH:
            left = timedelta(seconds=int(passed_s * (1 - now.share) / gained))
            words.append(f"{str(left).removeprefix('0:')} left")
    if now.doing:
        words.append(now.doing)
    if now.progress.ply >= 0:
        words.append(f"positions after {counted(now.progress.ply, 'move')}")
    words.append(f"{now.games - now.tries:,} games")
    if now.tries:
        words.append(f"{now.tries:,} tries")
    if passed_s > 0:
        words.append(f"{(now.games - before.games) / passed_s:,.0f} a second")
    words.append(f"{now.decided:,} positions proven won or lost")
    return ", ".join(words)
