"""Make the page that compares the update rules: ``python -m tests.make.study``.

Each rule learns from each training opponent. Its learning rate and chance of exploring are
chosen first, by sampled games on TUNING_SEEDS. The scores come from SEEDS other seeds, so
they also show how much chance matters. The plans without an opponent are run once. Final
scores are exact; the points of the curves are sampled, because young tables allow millions
of positions. Takes twenty minutes on two cores; Ctrl-C prints what there is so far.
"""

import argparse
import platform
import sys
import sysconfig
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import asdict, dataclass, replace
from itertools import product
from pathlib import Path
from statistics import mean
from typing import Final

import traffic_lights as tl
from traffic_lights.api import TrainingPoint
from traffic_lights.board.exact import ExactScore
from traffic_lights.gui.kit.charts import Chart, to_svg
from traffic_lights.judging.reports import markdown
from traffic_lights.storage.files import write_atomically
from traffic_lights.system.processes import end_with_parent
from traffic_lights.system.words import percent
from traffic_lights.training.settings import PROVING, UPDATES, RunSettings

OPPONENTS: Final = ("myopic", "alternate", "self", "random")
PLANS: Final = ("reverse", "selfplay", "baselines")
"""The plans without an opponent, run with their default settings on the first seed."""
GAMES: Final = 50_000
TUNING_GAMES: Final = 20_000
ALPHAS: Final = (0.1, 0.2, 0.4, 1.0)
EPSILONS: Final = ((0.03, 0.005), (0.2, 0.15))
"""Chances of exploring, from and to: small ones, and the default."""
GRID: Final = tuple(product(ALPHAS, EPSILONS))
SEEDS: Final = 5
TUNING_SEEDS: Final = (1001, 1002)
SAMPLED: Final = 1000
"""The games against Myopic that score a table at a point of its curve."""
POINTS: Final = (5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000)
"""The games after which a learning curve has a point."""


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """A score during the training."""

    games: int
    seconds: float
    """Processor time of the training alone."""
    score: float


@dataclass(frozen=True, slots=True)
class Course:
    """One training run."""

    settings: RunSettings
    curve: tuple[CurvePoint, ...]
    """The last point is the end of the training."""
    myopic: ExactScore | None = None
    exact: ExactScore | None = None


def train(settings: RunSettings, is_shown: bool) -> Course:
    """Train a table; only if *is_shown*, score it exactly and at every point of its curve."""
    curve: list[CurvePoint] = []
    scoring_s, started_s = 0.0, time.process_time()

    def add_point(games: int, bot: tl.QBot) -> None:
        nonlocal scoring_s
        now_s = time.process_time()
        rate = tl.evaluate(bot, "myopic", SAMPLED).rate
        curve.append(CurvePoint(games, now_s - started_s - scoring_s, rate))
        scoring_s += time.process_time() - now_s

    def report(point: TrainingPoint) -> None:
        if is_shown and settings.plan in OPPONENTS and point.games in POINTS:
            add_point(point.games, point.bot)

    wanted = {name: value for name, value in asdict(settings).items() if name != "shares"}
    bot = tl.train(wanted.pop("plan"), every=POINTS[0], on_progress=report, **wanted)
    games = bot.table.meta["games"]
    if not curve or curve[-1].games < games:
        add_point(games, bot)
    if not is_shown:
        return Course(settings, tuple(curve))
    scores = tl.exact_score(bot, "myopic"), tl.exact_score(bot, "exact")
    return Course(settings, tuple(curve), *scores)


def study(pool: Executor, seed: int, games: int) -> Iterator[tuple[Course, ...]]:
    """Yield the courses of each opponent and rule, one for each seed, and of each plan."""
    for opponent, rule in product(OPPONENTS, UPDATES):
        tried = [
            RunSettings(plan=opponent, games=min(games, TUNING_GAMES), seed=tuning, alpha=alpha,
                        epsilon_start=start, epsilon_end=end, update=rule).checked()
            for alpha, (start, end) in GRID for tuning in TUNING_SEEDS
        ]  # fmt: skip
        courses = list(pool.map(train, tried, [False] * len(tried)))
        count = len(TUNING_SEEDS)
        groups = [courses[n : n + count] for n in range(0, len(courses), count)]
        best = max(groups, key=lambda group: mean(c.curve[-1].score for c in group))[0].settings
        shown = [replace(best, seed=seed + number, games=games) for number in range(SEEDS)]
        yield tuple(pool.map(train, shown, [True] * SEEDS))
    for plan in PLANS:
        yield (train(RunSettings(plan=plan, seed=seed).checked(), True),)


HEADINGS: Final = (
    "opponent or plan", "update", "α", "ε", "games", "games/s", "Myopic", "lowest–highest",
    "as Player 1", "as Player 2", "exact, as 2",
)  # fmt: skip
EXPLANATION: Final = (
    f"Exact scores after training, the mean of {SEEDS} seeds. *lowest–highest*: the range of the "
    "scores against Myopic. *exact, as 2*: the score against the exact player as Player 2. α and ε "
    f"are each rule's own best of {len(GRID)} pairs, with γ = 1, found with {TUNING_GAMES:,} games "
    f"from each of {len(TUNING_SEEDS)} other seeds. Games per second count the processor time of "
    "the training alone. The plans at the end need no opponent and were run once."
)


def cells(courses: Sequence[Course]) -> list[str]:
    """Return the texts of *courses*, which differ by their seed, under the HEADINGS."""
    settings = courses[0].settings
    myopic = [course.myopic for course in courses if course.myopic]
    totals = [score.total for score in myopic]
    epsilons = sorted({settings.epsilon_start, settings.epsilon_end}, reverse=True)
    tuned = f"{settings.alpha:g}", " to ".join(f"{epsilon:g}" for epsilon in epsilons)
    ends = [course.curve[-1] for course in courses]
    return [
        settings.plan,
        settings.update if settings.plan in OPPONENTS else "–",
        # Plans that only prove use neither.
        *(("–", "–") if settings.plan in PROVING else tuned),
        f"{mean(end.games for end in ends):,.0f}",
        f"{sum(end.games for end in ends) / sum(end.seconds for end in ends):,.0f}",
        percent(_mean(totals), 2),
        f"{percent(min(totals))}–{percent(max(totals))}" if totals else "–",
        percent(_mean([score.first for score in myopic]), 2),
        percent(_mean([score.second for score in myopic]), 2),
        percent(_mean([course.exact.second for course in courses if course.exact]), 2),
    ]


def _mean(values: Sequence[float]) -> float | None:
    return mean(values) if values else None


def charts(outcomes: Sequence[Sequence[Course]]) -> list[Chart]:
    """Return the learning curves against each opponent, by games and by seconds."""
    found: list[Chart] = []
    for opponent in OPPONENTS:
        trained = [courses for courses in outcomes if courses[0].settings.plan == opponent]
        for unit in ("games", "seconds") if trained else ():
            lines = [(cs[0].settings.update, mean_curve(cs, unit)) for cs in trained]
            name = "itself" if opponent == "self" else opponent.capitalize()
            title = f"Games won against Myopic after training against {name}"
            found.append(Chart(title, lines, unit, is_log=True))
    return found


def mean_curve(courses: Sequence[Course], unit: str) -> list[tuple[float, float]]:
    """Return the mean points of *courses*, by games or by seconds."""
    by_point = zip(*(course.curve for course in courses), strict=True)
    return [
        (max(0.01, mean(getattr(p, unit) for p in points)), mean(p.score for p in points))
        for points in by_point
    ]


def main() -> None:
    """Train, and print the page."""
    parser = argparse.ArgumentParser(description="Compare the update rules.")
    parser.add_argument("--seed", type=int, default=1, help="the first seed (default 1)")
    parser.add_argument("--games", type=int, default=GAMES, help=f"per run (default {GAMES:,})")
    parser.add_argument("--picture", type=Path, help="draw the learning curves into this SVG file")
    options = parser.parse_args()
    outcomes: list[tuple[Course, ...]] = []
    started_s = time.monotonic()
    with ProcessPoolExecutor(initializer=end_with_parent) as pool:
        try:
            for courses in study(pool, options.seed, options.games):
                outcomes.append(courses)
                seconds = time.monotonic() - started_s
                print(" ".join(cells(courses)), f"after {seconds:.0f} s", file=sys.stderr)
        except KeyboardInterrupt:
            print("Interrupted. These are the results so far.", file=sys.stderr)
            pool.shutdown(cancel_futures=True)
    print(markdown([HEADINGS, *map(cells, outcomes)]), EXPLANATION, sep="\n\n")
    print(
        f"\n`python -m tests.make.study --seed {options.seed} --games {options.games}`, "
        f"{time.monotonic() - started_s:.0f} s with {platform.python_implementation()} "
        f"{platform.python_version()} on {sysconfig.get_platform()}."
    )
    if options.picture:
        write_atomically(options.picture, [to_svg(charts(outcomes)).encode("utf-8")])


if __name__ == "__main__":
    main()
