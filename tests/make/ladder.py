"""Compute the exact scores of every level of the ladder: `python -m tests.make.ladder [KEY...]`.

They go into `qtables/ladder.json`, where the ladder reads them; the levels of
the keys given are computed anew, by default all, which takes some minutes: the
weaker two players are, the more positions they allow.
"""

from __future__ import annotations

import random
import sys
import time

from tests.make.qtables import QTABLES
from traffic_lights.judging.expectation import exact_score
from traffic_lights.learning.tablefile import read_table
from traffic_lights.players.contestants import Contestant
from traffic_lights.players.ladder import (
    SCORES_FILE,
    Ladder,
    Level,
    Score,
    read_scores,
    scores_to_plain,
)
from traffic_lights.storage.files import write_json

ALL_POSITIONS = 10**7


def computed(level: Level) -> Score:
    """Return the exact score of *level*."""
    table = read_table(QTABLES / level.table) if level.table else None
    player = Contestant(level.key, table)
    myopic, weak = (
        exact_score(player, Contestant(name), ALL_POSITIONS) for name in ("myopic", "random")
    )
    assert myopic is not None
    assert weak is not None
    return Score(myopic.first, myopic.second, weak.total)


def main() -> None:
    """Compute, print and write."""
    scores = read_scores(QTABLES)
    levels = {level.key: level for level in Ladder(random.Random(0)).levels()}
    for key in sys.argv[1:] or levels:
        started_s = time.perf_counter()
        scores[key] = score = computed(levels[key])
        print(
            f"{levels[key].name:26} Myopic {score.rate:8.3%}, as Player 1 {score.first:8.3%}; "
            f"Random {score.random_rate:8.3%}   {time.perf_counter() - started_s:5.1f} s",
            flush=True,
        )
    kept = {key: scores[key] for key in levels if key in scores}
    write_json(QTABLES / SCORES_FILE, scores_to_plain(kept))


if __name__ == "__main__":
    main()
