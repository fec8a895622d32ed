"""Make the page that compares the update rules: `python -m tests.make.study [PICTURE]`.

Each rule learns from each training opponent. Its learning rate and chance of exploring are
chosen first, by sampled games on TUNING_SEEDS. The scores come from SEEDS, so they also show
how much chance matters. The plans without an opponent are run once. Final scores are exact;
the points of the curves, drawn into the SVG file PICTURE, are sampled, because young tables
allow millions of positions. Takes twenty minutes on two cores.
"""

import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import asdict, dataclass, replace
from itertools import chain, product
from pathlib import Path
from statistics import mean
from typing import Final

import traffic_lights as tl
from traffic_lights.board.exact_score import ExactScore
from traffic_lights.gui.kit.charts import Chart, to_svg
from traffic_lights.judging.reports import markdown
from traffic_lights.library.training import TrainingPoint
from traffic_lights.storage.words import percent
from traffic_lights.system.processes import end_with_parent
from traffic_lights.training.settings import PROVING, UPDATES, RunSettings

OPPONENTS: Final = ("myopic", "alternate", "self", "random")
PLANS: Final = ("reverse", "selfplay", "baselines")
GAMES: Final = 50_000
TUNING_GAMES: Final = 20_000
GRID: Final = tuple(product((0.1, 0.2, 0.4, 1.0), ((0.03, 0.005), (0.2, 0.15))))
"""Learning rates, with chances of exploring from and to: small ones, and the default."""
SEEDS: Final = (101, 102, 103, 104, 105)
TUNING_SEEDS: Final = (1001, 1002)
SAMPLED: Final = 1000
"""The games against Myopic that score a table at a point of its curve."""
POINTS: Final = (5_000, 10_000, 20_000, 50_000)
"""The games after which a learning curve has a point."""
HEADINGS: Final = (
    "trained against", "update", "α", "ε", "games", "games/s", "Myopic", "lowest–highest",
    "as Player 1", "as Player 2", "exact, as 2",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Course:
    """One training run."""

    settings: RunSettings
    curve: tuple[tuple[int, float, float], ...]
    """Games, seconds of processor time of the training alone, and score, to the end of it."""
    myopic: ExactScore | None = None
    exact: ExactScore | None = None


def train(settings: RunSettings, is_shown: bool) -> Course:
    """Train a table; only if *is_shown*, score it exactly and at every point of its curve."""
    curve: list[tuple[int, float, float]] = []
    scoring_s, started_s = 0.0, time.process_time()

    def add_point(games: int, bot: tl.QBot) -> None:
        nonlocal scoring_s
        now_s = time.process_time()
        rate = tl.evaluate(bot, "myopic", SAMPLED).rate
        curve.append((games, now_s - started_s - scoring_s, rate))
        scoring_s += time.process_time() - now_s

    def report(point: TrainingPoint) -> None:
        if is_shown and settings.plan in OPPONENTS and point.games in POINTS:
            add_point(point.games, point.bot)

    wanted = {n: value for n, value in asdict(settings).items() if settings.matters(n)}
    bot = tl.train(wanted.pop("plan"), every=POINTS[0], on_progress=report, **wanted)
    games = bot.table.meta["games"]
    if not curve or curve[-1][0] < games:
        add_point(games, bot)
    if not is_shown:
        return Course(settings, tuple(curve))
    scores = tl.exact_score(bot, "myopic"), tl.exact_score(bot, "exact")
    return Course(settings, tuple(curve), *scores)


def study(pool: Executor) -> Iterator[list[Course]]:
    """Yield the courses of each opponent and rule, one for each seed, and of each plan."""
    for opponent, rule in product(OPPONENTS, UPDATES):
        tried = [
            [RunSettings(opponent, TUNING_GAMES, seed, alpha, start, end, update=rule)
             for seed in TUNING_SEEDS]
            for alpha, (start, end) in GRID
        ]  # fmt: skip
        trained = pool.map(
            train, chain.from_iterable(tried), [False] * len(GRID) * len(TUNING_SEEDS)
        )
        scores = {course.settings: course.curve[-1][2] for course in trained}
        best = max(tried, key=lambda pair: mean(scores[settings] for settings in pair))[0]
        shown = [replace(best, seed=seed, games=GAMES) for seed in SEEDS]
        yield list(pool.map(train, shown, [True] * len(shown)))
    for plan in PLANS:
        yield [train(RunSettings(plan, seed=SEEDS[0]), True)]


def cells(courses: Sequence[Course]) -> list[str]:
    """Return the texts of *courses*, which differ by their seed, under the HEADINGS."""
    one = courses[0].settings
    myopic = [course.myopic for course in courses if course.myopic]
    totals = [score.total for score in myopic]
    epsilons = sorted({one.epsilon_start, one.epsilon_end}, reverse=True)
    tuned = f"{one.alpha:g}", " to ".join(f"{epsilon:g}" for epsilon in epsilons)
    games, seconds, _ = (mean(ends) for ends in zip(*(c.curve[-1] for c in courses), strict=True))
    return [
        one.plan if one.plan in OPPONENTS else f"plan {one.plan}",
        one.update if one.plan in OPPONENTS else "–",
        # Plans that only prove use neither.
        *(("–", "–") if one.plan in PROVING else tuned),
        f"{games:,.0f}",
        f"{games / seconds:,.0f}",
        mean_text(totals),
        f"{percent(min(totals))}–{percent(max(totals))}" if totals else "–",
        mean_text([score.first for score in myopic]),
        mean_text([score.second for score in myopic]),
        mean_text([course.exact.second for course in courses if course.exact]),
    ]


def mean_text(chances: Sequence[float]) -> str:
    return percent(mean(chances), 2) if chances else "–"


def charts(outcomes: Sequence[Sequence[Course]]) -> Iterator[Chart]:
    """Yield the learning curves against each opponent, by games and by seconds."""
    for opponent, (column, unit) in product(OPPONENTS, enumerate(("games", "seconds"))):
        lines = [
            (courses[0].settings.update, mean_curve(courses, column))
            for courses in outcomes
            if courses[0].settings.plan == opponent
        ]
        name = "itself" if opponent == "self" else opponent.capitalize()
        title = f"Games won against Myopic after training against {name}"
        yield Chart(title, lines, unit, is_log=True)


def mean_curve(courses: Sequence[Course], column: int) -> list[tuple[float, float]]:
    by_point = zip(*(course.curve for course in courses), strict=True)
    return [(mean(p[column] for p in points), mean(p[2] for p in points)) for points in by_point]


def main() -> None:
    """Train, and print the page."""
    outcomes: list[list[Course]] = []
    started_s = time.monotonic()
    with ProcessPoolExecutor(initializer=end_with_parent) as pool:
        for courses in study(pool):
            outcomes.append(courses)
            print(*cells(courses), f"{time.monotonic() - started_s:.0f} s", file=sys.stderr)
    print(markdown([HEADINGS, *map(cells, outcomes)]))
    for path in sys.argv[1:]:
        Path(path).write_text(to_svg(list(charts(outcomes))), "utf-8")


if __name__ == "__main__":
    main()
