"""Measure what each kind of training reaches: ``python -m tests.make.figures``.

Each row of the table is a kind of training, for each of ten seeds. It shows the mean and the
range of the exact scores against Myopic, and the processor time. All rows take hours, so there
are options for less:

    python -m tests.make.figures --seeds 2 --share 0.05 --rows myopic
"""

import argparse
import time
from collections.abc import Sequence
from statistics import mean
from typing import Any, Final

import traffic_lights as tl
from traffic_lights.judging.reports import markdown
from traffic_lights.storage.words import percent

FIRST_SEED: Final = 201
"""The seeds are others than those with which the settings below were found."""
BOOTSTRAP: Final = {"update": "bootstrap", "alpha": 0.4, "epsilon_start": 0.1, "epsilon_end": 0.1}
ALMOST_GREEDY: Final = {"alpha": 1.0, "epsilon_start": 0.01, "epsilon_end": 0.01}
RUNS: Final[tuple[tuple[str, str, int | None, dict[str, Any]], ...]] = (
    ("myopic", "myopic", 20_000, {}),
    ("myopic", "myopic", 50_000, {}),
    ("myopic", "myopic", 100_000, {}),
    ("myopic", "myopic", 500_000, {}),
    ("alternate", "alternate", 100_000, {}),
    ("random", "random", 100_000, {}),
    ("itself", "self", 200_000, {}),
    ("plan baselines", "baselines", 200_000, {}),
    ("myopic, bootstrap", "myopic", 20_000, BOOTSTRAP),
    ("myopic, bootstrap", "myopic", 100_000, BOOTSTRAP),
    ("myopic, last-action", "myopic", 100_000, {"update": "last-action", **ALMOST_GREEDY}),
    ("myopic, monte-carlo", "myopic", 100_000,
     {"update": "monte-carlo", "gamma": 0.8, **ALMOST_GREEDY}),
    ("plan selfplay", "selfplay", None, {}),
    ("plan reverse, without practice", "reverse", None, {"practice": "none"}),
    ("plan reverse", "reverse", None, {}),
)  # fmt: skip
"""The name of a row, the opponent or plan, the games (None: until it is done), and settings."""
HEADINGS: Final = ("trained against", "games", "as Player 1", "as Player 2", "total", "time")


def cells(name: str, plan: str, games: int | None, seeds: range, settings: Any) -> list[str]:
    """Train once for each of the *seeds*, and return the texts under the HEADINGS."""
    counts, scores, seconds = [], [], 0.0
    for seed in seeds:
        started_s = time.process_time()
        bot = tl.train(plan, games, seed, **settings)
        seconds += time.process_time() - started_s
        counts.append(bot.table.meta["games"])
        score = tl.exact_score(bot, "myopic", budget=10**7)
        assert score is not None
        scores.append(score)
    columns = ([s.first for s in scores], [s.second for s in scores], [s.total for s in scores])
    return [name, f"{mean(counts):,.0f}", *map(_span, columns), f"{seconds / len(seeds):,.1f} s"]


def _span(rates: Sequence[float]) -> str:
    return f"{percent(mean(rates))} ({percent(min(rates))}–{percent(max(rates))})"


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description="Measure what each kind of training reaches.")
    parser.add_argument("--seeds", type=int, default=10, help="how many seeds (default 10)")
    parser.add_argument("--share", type=float, default=1.0, help="play this share of the games")
    parser.add_argument("--rows", default="", help="only rows whose name contains this text")
    options = parser.parse_args()
    seeds = range(FIRST_SEED, FIRST_SEED + options.seeds)
    lines = []
    for name, plan, games, settings in RUNS:
        if options.rows in name and (games or options.share == 1):
            count = round(games * options.share) if games else None
            lines.append(cells(name, plan, count, seeds, settings))
            print(*lines[-1], flush=True)
    print(markdown([HEADINGS, *lines]))


if __name__ == "__main__":
    main()
