"""Measure the learning figures of the README: ``python -m tests.make.figures``.

Every row is a training command, run from nothing in a folder of its own for each of ten
seeds. The table shows the mean and the range of the exact scores of qbot.json against
Myopic, and its rows. It also shows the size of the folder at its peak and at the end, and
the processor time. All rows take hours, so there are options for less:

    python -m tests.make.figures --seeds 2 --share 0.05 --rows myopic

Each run is also written to standard error as one line of JSON.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import mean
from typing import Final

from tests.kit.samples import PROJECT
from traffic_lights.judging import reports
from traffic_lights.judging.evaluation import score_of
from traffic_lights.pictures.shares import percent
from traffic_lights.players.roster import Roster

SEEDS: Final = 10
FIRST_SEED: Final = 201
"""The seeds are others than those with which the settings below were found."""
LOOK_EVERY_S: Final = 0.1
Q_LEARNING: Final = "--update bootstrap --alpha 0.4 --epsilon-start 0.1 --epsilon-end 0.1"
LAST_ACTION: Final = "--update last-action --alpha 1 --epsilon-start 0.01 --epsilon-end 0.01"
MONTE_CARLO: Final = (
    "--update monte-carlo --alpha 1 --gamma 0.8 --epsilon-start 0.01 --epsilon-end 0.01"
)
RUNS: Final = (
    ("myopic", 20_000, "--opponent myopic"),
    ("myopic", 50_000, "--opponent myopic"),
    ("myopic", 100_000, "--opponent myopic"),
    ("myopic", 500_000, "--opponent myopic"),
    ("alternate", 100_000, "--opponent alternate"),
    ("random", 100_000, "--opponent random"),
    ("self", 200_000, "--opponent self"),
    ("baselines", 200_000, "--plan baselines"),
    ("myopic, one-step Q-learning", 20_000, f"--opponent myopic {Q_LEARNING}"),
    ("myopic, one-step Q-learning", 100_000, f"--opponent myopic {Q_LEARNING}"),
    ("myopic, last action only", 100_000, f"--opponent myopic {LAST_ACTION}"),
    ("myopic, Monte Carlo", 100_000, f"--opponent myopic {MONTE_CARLO}"),
    ("selfplay", None, "--plan selfplay"),
    ("reverse, without practice", None, "--practice none"),
    ("reverse", None, ""),
)
"""What it learns from, the games (None: until the plan is done), and the other options."""
HEADINGS: Final = (
    "learns from", "games", "as Player 1", "as Player 2", "exact score", "range", "rows",
    "disk at peak", "disk at end", "processor time",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class RunFigures:
    """One run of a training command."""

    name: str
    seed: int
    games: int
    first: float | None
    """The exact score of qbot.json as Player 1 against Myopic, like `second` as Player 2."""
    second: float | None
    rows: int
    """The rows of qbot.json."""
    peak: int
    """The most bytes that the folder held at any look."""
    end: int
    """The bytes that it holds at the end."""
    cpu_s: float
    """Processor time of the command and its processes."""
    rss_mb: float


def measure(name: str, options: Sequence[str], seed: int) -> RunFigures:
    """Run the training command in a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="traffic-lights-figures-") as text:
        folder, peak = Path(text), 0
        words = ["--dir", text, "--seed", str(seed), "--json", "--quiet", *options]
        before = _processor_s()
        process = subprocess.Popen(
            [sys.executable, "-m", "traffic_lights.train", *words],
            cwd=PROJECT, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        while process.poll() is None:
            peak = max(peak, _size(folder))
            time.sleep(LOOK_EVERY_S)
        assert process.stdout is not None
        answer = json.loads(process.stdout.read())
        cpu_s = _processor_s() - before
        roster = Roster()
        bot = roster.resolve(str(folder / "qbot.json"))
        score = score_of(bot, roster.entry("myopic"), budget=10**7)
        rows = sum(1 for _ in bot.q_table().states())
        first, second = (None, None) if score is None else (score.first, score.second)
        end = _size(folder)
        return RunFigures(name, seed, answer["games"], first, second, rows, max(peak, end), end,
                          cpu_s, answer["peak_rss_mb"])  # fmt: skip


def _processor_s() -> float:
    times = os.times()
    return times.children_user + times.children_system


def _size(folder: Path) -> int:
    total = 0
    for path in folder.iterdir():
        try:
            total += path.stat().st_size
        except OSError:  # a temporary file that has just been renamed
            continue
    return total


def cells(runs: Sequence[RunFigures]) -> list[str]:
    """Return the texts of *runs*, which differ by their seed, under the HEADINGS."""
    firsts = [run.first for run in runs if run.first is not None]
    seconds = [run.second for run in runs if run.second is not None]
    totals = [(one + other) / 2 for one, other in zip(firsts, seconds, strict=True)]
    return [
        runs[0].name,
        _span([run.games for run in runs]),
        *(percent(mean(shares) if shares else None, 1) for shares in (firsts, seconds, totals)),
        f"{percent(min(totals))}–{percent(max(totals))}" if totals else "–",
        _span([run.rows for run in runs]),
        *(f"{max(sizes) / 1e6:,.0f} MB" for sizes in ([r.peak for r in runs],
                                                       [r.end for r in runs])),
        f"{mean(run.cpu_s for run in runs):,.0f} s",
    ]  # fmt: skip


def _span(numbers: Sequence[int]) -> str:
    least, most = min(numbers), max(numbers)
    return f"{least:,}" if least == most else f"{least:,}–{most:,}"


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description="Measure the learning figures of the README.")
    add = parser.add_argument
    add("--seeds", type=int, default=SEEDS, help=f"how many seeds (default {SEEDS})")
    add("--first-seed", type=int, default=FIRST_SEED, help=f"default {FIRST_SEED}")
    add("--share", type=float, default=1.0, help="play only this share of the games")
    add("--rows", default="", help="only rows whose name contains this text")
    options = parser.parse_args()
    lines = []
    for name, games, words in RUNS:
        if options.rows not in name or (games is None and options.share < 1):
            continue
        count = [] if games is None else ["--games", str(round(games * options.share))]
        runs = []
        for seed in range(options.first_seed, options.first_seed + options.seeds):
            run = measure(name, [*words.split(), *count], seed)
            print(json.dumps(asdict(run)), file=sys.stderr, flush=True)
            runs.append(run)
        lines.append(cells(runs))
    print(reports.markdown(HEADINGS, lines))
    print(f"\nMean and range of {options.seeds} seeds from {options.first_seed}.")


if __name__ == "__main__":
    main()
