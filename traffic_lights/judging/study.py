"""The study: which update rule and which teacher are worth how many games and seconds.

Rules are compared fairly. For each teacher each rule is first tried at every
setting of the GRID, on the TUNING_SEEDS, and then shown at its own best one, on
other seeds, SEEDS of them, so that one sees how far chance spreads the results.
The programmes that need no teacher follow, each until it is done. Their scores
are exact. Settings are compared, and the points of the learning curves made, by
SAMPLED games, since young tables allow millions of positions; the curves go by
games and by seconds of the processor, the scoring left out.

The runs of a teacher are independent, and are spread over as many processes as
the machine has cores: some twenty minutes on two. The stream of outcomes can be
stopped after any.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path
from statistics import mean
from typing import Any, Final, TypeVar

from traffic_lights.board.exact import ExactScore
from traffic_lights.judging import reports
from traffic_lights.judging.evaluation import evaluate, serve_the_parent
from traffic_lights.judging.expectation import exact_score
from traffic_lights.learning.qtable import QTable
from traffic_lights.learning.tablefile import read_table
from traffic_lights.pictures.curves import Curve, Panel
from traffic_lights.pictures.shares import percent
from traffic_lights.players.contestants import Contestant
from traffic_lights.system.folders import table_in
from traffic_lights.system.pools import process_pool
from traffic_lights.system.signals import held
from traffic_lights.system.words import listed
from traffic_lights.training.events import Progressed, Started
from traffic_lights.training.old_run import OldTraining as Training
from traffic_lights.training.settings import PROVING, UPDATES, RunSettings

T = TypeVar("T")
TEACHERS: Final = ("myopic", "alternate", "self", "random")
RULES: Final = UPDATES
PROGRAMMES: Final = ("reverse", "selfplay", "baselines")
"""The runs that are shown beside, with the settings that everybody gets, on the first seed."""
OUTCOMES: Final = len(TEACHERS) * len(RULES) + len(PROGRAMMES)
"""How many outcomes the whole study has."""
GAMES: Final = 50_000
TUNING_GAMES: Final = 20_000
ALPHAS: Final = (0.1, 0.2, 0.4, 1.0)
EPSILONS: Final = ((0.03, 0.005), (0.2, 0.15))
"""Chances of exploring, from and to: small ones, and those that everybody gets."""
GRID: Final = tuple(product(ALPHAS, EPSILONS))
"""The learning rates and chances of exploring that each rule is tried at."""
SEEDS: Final = 5
"""How many seeds are shown, from the one that is asked for on."""
TUNING_SEEDS: Final = (1001, 1002)
SAMPLED: Final = 1000
"""The games against Myopic by which a table is scored on its way."""
CHECKPOINTS: Final = (5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000)
"""The games after which a learning curve has a point."""
JUDGES: Final = ("myopic", "exact")
"""Against whom a table is scored exactly at the end."""


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """What a table scored on its way."""

    games: int
    seconds: float
    """Of the processor, for the training alone."""
    score: float
    """The share of the SAMPLED games won against Myopic, from 0 to 1."""


@dataclass(frozen=True, slots=True)
class Course:
    """One training run from nothing."""

    settings: RunSettings
    games: int
    seconds: float
    curve: tuple[CurvePoint, ...]
    """The last point is the end of the training."""
    scores: dict[str, ExactScore | None]
    """Against the JUDGES; without any if none were asked for."""


@dataclass(frozen=True, slots=True)
class StudyOutcome:
    """What came of one teacher and rule, or of one programme."""

    courses: tuple[Course, ...]
    """One for each seed."""

    @property
    def settings(self) -> RunSettings:
        """The settings of the first course; the others differ by their seed."""
        return self.courses[0].settings

    @property
    def label(self) -> str:
        """What the table and the pictures call it."""
        return self.settings.update if self.settings.plan in TEACHERS else "–"

    @property
    def title(self) -> str:
        """What the progress calls it."""
        return f"{self.settings.plan}, {self.label}"

    def scores(self, judge: str) -> list[ExactScore]:
        """Return the exact scores against *judge*, by seed."""
        return [score for c in self.courses if (score := c.scores.get(judge)) is not None]


class StudyError(Exception):
    """The study cannot be made, or cannot go on; the text says why."""


def study(
    seed: int = 1,
    games: int = GAMES,
    jobs: int | None = None,
    teachers: Sequence[str] = TEACHERS,
    programmes: Sequence[str] = PROGRAMMES,
) -> Iterator[StudyOutcome]:
    """Yield the outcome of each teacher and rule after *games* games, and of each programme.

    *jobs* is the number of processes, by default one for each core. Raise
    StudyError if the seeds from *seed* on are those of the tuning, or if one of
    the processes is ended, StorageError if the folder for temporary files
    cannot be used.
    """
    if set(shown_seeds(seed)) & set(TUNING_SEEDS):
        raise StudyError(
            f"{SEEDS} seeds are shown from {seed} on, and those that settings are found on, "
            f"{listed([str(number) for number in TUNING_SEEDS])}, are not to be among them"
        )
    pool = process_pool(jobs or os.cpu_count() or 1, serve_the_parent)
    each = map if pool is None else partial(_in_pool, pool)
    is_whole = False
    try:
        for teacher in teachers:
            tuned = [list(_tunings(teacher, rule, games)) for rule in RULES]
            courses = iter(list(each(train, [s for group in tuned for s in group])))
            best = [_best([next(courses) for _ in group]) for group in tuned]
            wanted = [s for chosen in best for s in _seeded(chosen, seed, games)]
            shown = list(each(train, wanted, [JUDGES] * len(wanted)))
            for start in range(0, len(shown), SEEDS):
                yield StudyOutcome(tuple(shown[start : start + SEEDS]))
        for name in programmes:
            settings = RunSettings(plan=name, seed=seed).checked()
            yield StudyOutcome(tuple(each(train, [settings], [JUDGES])))
        is_whole = True
    except BrokenProcessPool as error:
        raise StudyError(
            "one of the processes was ended, by somebody or for want of memory: "
            "fewer of them, with --jobs, need less"
        ) from error
    finally:
        if pool is not None:
            pool.shutdown(wait=is_whole, cancel_futures=True)


def _in_pool(
    pool: ProcessPoolExecutor, work: Callable[..., T], *columns: Sequence[Any]
) -> Iterator[T]:
    """Return what `map` would, from the processes of *pool*, which leave interrupts to this one."""
    with held("SIGINT"):
        return pool.map(work, *columns)


def shown_seeds(seed: int) -> range:
    """Return the seeds that a study from *seed* on shows."""
    return range(seed, seed + SEEDS)


def _tunings(teacher: str, rule: str, games: int) -> Iterator[RunSettings]:
    """Yield the runs by which the setting of *rule* is found, those of each setting together."""
    for alpha, (start, end) in GRID:
        for seed in TUNING_SEEDS:
            yield RunSettings(
                plan=teacher, games=min(games, TUNING_GAMES), seed=seed, alpha=alpha,
                epsilon_start=start, epsilon_end=end, update=rule,
            ).checked()  # fmt: skip


def _best(courses: Sequence[Course]) -> RunSettings:
    """Return the setting whose mean score is the highest, the first of equal ones."""
    pairs = range(0, len(courses), len(TUNING_SEEDS))
    groups = [courses[start : start + len(TUNING_SEEDS)] for start in pairs]
    return max(groups, key=lambda group: mean(c.curve[-1].score for c in group))[0].settings


def _seeded(settings: RunSettings, seed: int, games: int) -> Iterator[RunSettings]:
    """Yield *settings* for each of the seeds that are shown."""
    for number in shown_seeds(seed):
        value = settings.as_json() | {"seed": number, "games": games}
        yield RunSettings.from_json(value)


def train(settings: RunSettings, judges: Sequence[str] = ()) -> Course:
    """Train a table from nothing; score it at the checkpoints, and exactly by *judges*.

    Without judges it is scored at its end alone, by the sample.
    """
    wanted = {name: value for name, value in settings.as_json().items() if name != "shares"}
    with tempfile.TemporaryDirectory(prefix="traffic-lights-study-") as name:
        folder = Path(name)
        curve: list[CurvePoint] = []
        with Training(folder, wanted) as training:
            seconds, since = 0.0, time.process_time()
            for event in training.run():
                if isinstance(event, Started):
                    since = time.process_time()
                elif isinstance(event, Progressed):
                    seconds += time.process_time() - since
                    if judges and _is_due(event.games, settings):
                        curve.append(_point(event.games, seconds, training.table))
                    since = time.process_time()
            seconds += time.process_time() - since
            games = training.state.progress.games
        table = read_table(table_in(folder))
    curve.append(_point(games, seconds, table))
    bot = Contestant("learner", table)
    scores = {judge: exact_score(bot, Contestant(judge)) for judge in judges}
    return Course(settings, games, seconds, tuple(curve), scores)


def _is_due(games: int, settings: RunSettings) -> bool:
    """Return whether a curve has a point here, before the end."""
    return settings.plan in TEACHERS and games in CHECKPOINTS and games != settings.games


def _point(games: int, seconds: float, table: QTable) -> CurvePoint:
    opponents = [Contestant("myopic")]
    *_, row = evaluate(Contestant("learner", table), opponents, SAMPLED, jobs=1)
    return CurvePoint(games, seconds, row.rate)


COLUMNS: Final = (
    "teacher", "update", "α", "ε", "games", "games/s", "Myopic", "lowest–highest",
    "as Player 1", "as Player 2", "exact, as 2",
)  # fmt: skip
EXPLANATION: Final = (
    f"Exact scores after so many games, the mean of {SEEDS} seeds; the lowest and the highest of "
    "them against Myopic; by seat against Myopic; against the exact player as Player 2. α and ε "
    f"are each rule's own best of {len(GRID)} pairs, with γ = 1, found by {TUNING_GAMES:,} games "
    f"from each of {len(TUNING_SEEDS)} other seeds. Games a second are those of the training, by "
    "processor time. The programmes below need no teacher, and were run once."
)


def cells(outcome: StudyOutcome) -> tuple[str, ...]:
    """Return the texts of *outcome* under COLUMNS."""
    settings, courses = outcome.settings, outcome.courses
    myopic = outcome.scores("myopic")
    totals = [score.total for score in myopic]
    epsilons = sorted({settings.epsilon_start, settings.epsilon_end}, reverse=True)
    tuned = f"{settings.alpha:g}", " to ".join(f"{epsilon:g}" for epsilon in epsilons)
    return (
        settings.plan,
        outcome.label,
        # Proofs know neither.
        *(("–", "–") if settings.plan in PROVING else tuned),
        f"{mean(c.games for c in courses):,.0f}",
        f"{sum(c.games for c in courses) / sum(c.seconds for c in courses):,.0f}",
        percent(_mean(totals), 2),
        f"{percent(min(totals), 1)}–{percent(max(totals), 1)}" if totals else "–",
        percent(_mean([score.first for score in myopic]), 2),
        percent(_mean([score.second for score in myopic]), 2),
        percent(_mean([score.second for score in outcome.scores("exact")]), 2),
    )


def _mean(values: Sequence[float]) -> float | None:
    return mean(values) if values else None


def to_markdown(outcomes: Sequence[StudyOutcome]) -> str:
    """Return *outcomes* as a table in Markdown, with what its columns mean."""
    return reports.markdown(COLUMNS, map(cells, outcomes)) + "\n\n" + EXPLANATION


def as_json(outcome: StudyOutcome) -> dict[str, Any]:
    """Return *outcome* as plain values."""
    return {
        "programme": outcome.settings.plan,
        "update": outcome.settings.update,
        "courses": [
            {
                "command": course.settings.command(),
                "games": course.games,
                "seconds": round(course.seconds, 2),
                "curve": [[p.games, round(p.seconds, 2), p.score] for p in course.curve],
                "exact": {
                    judge: score and {"first": score.first, "second": score.second}
                    for judge, score in course.scores.items()
                },
            }
            for course in outcome.courses
        ],
    }


def panels(outcomes: Sequence[StudyOutcome]) -> list[Panel]:
    """Return the learning curves of each teacher, by games and by seconds: means of the seeds."""
    found: list[Panel] = []
    for teacher in TEACHERS:
        taught = [outcome for outcome in outcomes if outcome.settings.plan == teacher]
        for unit in ("games", "seconds"):
            drawn = [Curve(o.label, _mean_curve(o, unit)) for o in taught]
            if drawn:
                name = "itself" if teacher == "self" else teacher.capitalize()
                title = f"Games won against Myopic, taught by {name}"
                found.append(Panel(title, drawn, unit))
    return found


def _mean_curve(outcome: StudyOutcome, unit: str) -> list[tuple[float, float]]:
    """Return the mean points of *outcome* over its seeds, by the *unit* games or seconds."""
    by_checkpoint = zip(*(course.curve for course in outcome.courses), strict=True)
    return [
        (max(0.01, mean(getattr(p, unit) for p in points)), mean(p.score for p in points))
        for points in by_checkpoint
    ]
