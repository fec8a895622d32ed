"""How fast the learner learns: `python -m tests.bench.training`.

First it counts the games a second of processor time for each opponent and plan,
with nothing saved. A plain learner of thirty lines plays in the same run, because
machines are noisy: look at the ratio. Then the whole default plan runs and is
saved, in a process of its own. It shows the time, the peak memory, and how long
its table takes to be written and read.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path
from typing import Final

from traffic_lights.board.baselines import MYOPIC, RANDOM
from traffic_lights.board.rules import EMPTY_BOARD, State, is_terminal, legal_actions, play
from traffic_lights.board.symmetry import canonical
from traffic_lights.learning.episodes import Learner
from traffic_lights.learning.qtable import QTable
from traffic_lights.learning.tablefile import read_table, write_table
from traffic_lights.players.bots import Bot, PolicyBot
from traffic_lights.training.plans import Progress, make_stages, played, table_for
from traffic_lights.training.settings import RunSettings

ALPHA: Final = 0.3
EPSILON: Final = 0.01
"""The settings of the plain learner; the program has its usual ones."""
GAMES: Final = 20_000
"""Learners are compared over as many: games grow longer as they are played better."""
LEAST_SECONDS: Final = 3.0


class PlainLearner:
    """The reference: one-step Q-learning, a dict of dicts, nothing remembered, nothing proven."""

    def __init__(self, seed: int) -> None:
        self.q: dict[State, dict[int, float]] = {}
        self.rng = random.Random(seed)
        self.bots: dict[str, Bot] = {p.key: PolicyBot(p, self.rng) for p in (RANDOM, MYOPIC)}

    def values(self, state: State) -> dict[int, float]:
        row = self.q.get(state, {})
        return {action: row.get(action, 0.0) for action in legal_actions(state)}

    def choose(self, state: State) -> int:
        values = self.values(state)
        if self.rng.random() < EPSILON:
            return self.rng.choice(list(values))
        best = max(values.values())
        return self.rng.choice([action for action, value in values.items() if value == best])

    def game(self, opponent: str, number: int) -> None:
        state = EMPTY_BOARD
        moves: list[tuple[State, int, bool]] = []
        while not is_terminal(state):
            own = opponent == "self" or len(moves) % 2 == number % 2
            action = self.choose(state) if own else self.bots[opponent].choose(state)
            moves.append((state, action, own))
            state = canonical(play(state, action))
        goals = [max(self.values(state).values()) for state, _, _ in moves[2:]] + [-1.0, 1.0]
        for (state, action, own), goal in zip(moves, goals, strict=True):
            if own:
                row = self.q.setdefault(state, {})
                row[action] = row.get(action, 0.0) + ALPHA * (goal - row.get(action, 0.0))


def plain_rate(opponent: str) -> float:
    """Return the games a second of processor time of the plain learner, in its first GAMES."""
    learner, started = PlainLearner(1), time.process_time()
    for number in range(GAMES):
        learner.game(opponent, number)
    return GAMES / (time.process_time() - started)


def rate(settings: RunSettings) -> float:
    """Return the games a second of processor time of the program, in its first GAMES at least."""
    learner = Learner(table_for(settings, QTable(dense=True)), settings.alpha)
    stages = make_stages(settings, learner)
    games, started = 0, time.process_time()
    for batch, _ in played(settings, stages, Progress(settings.epsilon_start), 0):
        games += batch.games
        if games >= GAMES and time.process_time() - started > LEAST_SECONDS:
            break
    return games / (time.process_time() - started)


def bench_rates() -> None:
    """Print games a second, with the ratio to the plain learner against the same opponent."""
    print(f"{'games a second':<34}{'program':>12}{'plain':>10}{'ratio':>8}")
    many = 10**9
    for opponent in ("self", "random", "myopic"):
        plain = plain_rate(opponent)
        for update in ("bootstrap", "terminal"):
            fast = rate(RunSettings(opponent, games=many, update=update))
            name = f"against {opponent}, {update}"
            print(f"{name:<34}{fast:>12,.0f}{plain:>10,.0f}{fast / plain:>8.1f}")
    for settings in (
        RunSettings("alternate", games=many),
        RunSettings("self", games=many, update="monte-carlo", alpha=0.5, gamma=0.9),
        RunSettings("reverse"),
    ):
        name = f"{settings.plan}, {settings.update}, alpha {settings.alpha}"
        print(f"{name:<34}{rate(settings):>12,.0f}")


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
