"""How fast the learner learns: `python3 -m tests.bench.training`.

First it counts the games a second of processor time for each opponent and plan,
with nothing saved. Plain random games are counted in the same run, because machines
are noisy: look at the ratio. Then the whole default plan runs and is saved, in a
process of its own. It shows the time, the peak memory, and how long its table takes
to be written and read.
"""

import json
import random
import subprocess
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path
from typing import Final

from traffic_lights.board.rules import EMPTY_BOARD, is_terminal, legal_actions, play
from traffic_lights.board.symmetry import canonical
from traffic_lights.learning.rowtable import RowTable
from traffic_lights.learning.tablefile import read_table, write_table
from traffic_lights.training.plans import played, table_for
from traffic_lights.training.progress import Run
from traffic_lights.training.settings import RunSettings

GAMES: Final = 20_000
"""So many are counted at least: games grow longer as they are played better."""
LEAST_SECONDS: Final = 3.0


def plain_rate() -> float:
    """Return the random games a second of processor time, by the rules alone."""
    rng, started = random.Random(1), time.process_time()
    for _ in range(GAMES):
        state = EMPTY_BOARD
        while not is_terminal(state):
            state = canonical(play(state, rng.choice(legal_actions(state))))
    return GAMES / (time.process_time() - started)


def rate(settings: RunSettings) -> float:
    """Return the games a second of processor time of the program, in its first GAMES at least."""
    table = table_for(settings, RowTable(dense=True))
    games, started = 0, time.process_time()
    for batch, *_ in played(Run.begun(settings), table):
        games += batch.games
        if games >= GAMES and time.process_time() - started > LEAST_SECONDS:
            break
    return games / (time.process_time() - started)


def bench_rates() -> None:
    """Print games a second, with the ratio to plain random games."""
    plain, many = plain_rate(), 10**9
    print(f"{'plain random games a second':<34}{plain:>12,.0f}{'ratio':>8}")
    for settings in (
        *(
            RunSettings(opponent, games=many, update=update)
            for opponent in ("self", "random", "myopic")
            for update in ("q-learning", "terminal")
        ),
        RunSettings("alternate", games=many),
        RunSettings("self", games=many, update="monte-carlo", alpha=0.5, gamma=0.9),
        RunSettings("reverse"),
    ):
        fast = rate(settings)
        print(f"{settings.plan + ', ' + settings.update:<34}{fast:>12,.0f}{fast / plain:>8.1f}")


def bench_complete() -> None:
    """Print what the default plan takes, and its table."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "traffic_lights.train", "--dir", folder, "--json"]
        started_s = time.perf_counter()
        report = json.loads(subprocess.check_output([*command, "--quiet"]))
        seconds = [time.perf_counter() - started_s]
        path = Path(folder) / "qtable.json"
        table = read_table(path)
        seconds.append(time.perf_counter() - started_s)
        write_table(path, table)
        seconds.append(time.perf_counter() - started_s)
        run_s, read_s, write_s = (b - a for a, b in pairwise([0.0, *seconds]))
        print(f"\ndefault plan: {run_s:.1f} s, {report['games']:,} games, complete: "
              f"{report['complete']}, peak {report['peak_rss_mb']} MB; its table, "
              f"{path.stat().st_size / 1e6:.0f} MB: read in {read_s:.2f} s, written in "
              f"{write_s:.2f} s")  # fmt: skip


if __name__ == "__main__":
    bench_rates()
    bench_complete()
