"""How fast the judge is: ``python -m tests.bench.evaluation [TABLE]``.

Plays 10,000 games of QBot against Myopic in one process and in two, proves the
table, and checks every value of it. TABLE is the shipped complete table by default;
each time is of one run on this machine.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from tests.kit.trained import proof_of
from traffic_lights.judging.accuracy import check_table
from traffic_lights.judging.evaluation import Row, evaluate
from traffic_lights.learning.tablefile import read_table
from traffic_lights.players.policies import shared_tablebase
from traffic_lights.players.roster import Entry, Group, Roster
from traffic_lights.system.folders import shipped_tables

T = TypeVar("T")
GAMES = 10_000


def timed(name: str, work: Callable[[], T]) -> T:
    """Return what *work* returns, and print how long it took."""
    started_s = time.perf_counter()
    result = work()
    print(f"{name:44} {time.perf_counter() - started_s:8.3f} s", flush=True)
    return result


def play(source: Path, jobs: int) -> Row:
    """Return the result of all games of the table *source*, in so many processes."""
    bot = Entry("qbot", "QBot", "", Group.TABLE, table=source)
    rows = evaluate(bot, [Roster().entry("myopic")], GAMES, jobs=jobs)
    return list(rows)[-1]


def main() -> None:
    """Measure and print."""
    source = Path(sys.argv[1] if len(sys.argv) > 1 else str(shipped_tables() / "complete.json"))
    table = timed("reading the table", lambda: read_table(source))
    timed("solving the game", shared_tablebase)
    one = timed(f"{GAMES:,} games against Myopic, 1 process", lambda: play(source, 1))
    two = timed(f"{GAMES:,} games against Myopic, 2 processes", lambda: play(source, 2))
    assert one == two
    proof = timed("proof", lambda: proof_of(table))
    check = timed("check of every value", lambda: check_table(table))
    print(f"\n{one.both.wins:,} of {one.games:,} games won, {one.both.slips:,} slips; "
          f"proof: {proof.slips:,} slips in {proof.positions:,} "
          f"positions; {check.wrong:,} of {check.values:,} values "
          "wrong")  # fmt: skip


if __name__ == "__main__":
    main()
