"""Compute the exact scores of the players: `python -m tests.make.ladder [KEY...]`.

They go into `qtables/ladder.json`, where the roster reads them. Without keys, all are
computed, which takes some minutes: the weaker two players are, the more positions they allow.
"""

from __future__ import annotations

import json
import sys
import time
from dataclasses import asdict

from tests.make.qtables import QTABLES
from traffic_lights.board.exact import exact_score
from traffic_lights.players.roster import SCORES_FILE, Entry, Roster, Score, read_scores
from traffic_lights.storage.files import write_json

ALL_POSITIONS = 10**7
DIGITS = 12


def computed(entry: Entry) -> Score:
    """Return the exact score of *entry*."""
    player = entry.strategy()
    opponents = [Roster().entry(key).strategy() for key in ("myopic", "random")]
    assert player is not None
    scores = [exact_score(player, one, ALL_POSITIONS) for one in opponents if one is not None]
    myopic, weak = [score for score in scores if score is not None]
    return Score(
        round(myopic.first, DIGITS), round(myopic.second, DIGITS), round(weak.total, DIGITS)
    )


def main() -> None:
    """Compute, print and write."""
    scores = read_scores(QTABLES)
    entries = {entry.key: entry for entry in Roster().entries()}
    for key in sys.argv[1:] or entries:
        started_s = time.perf_counter()
        scores[key] = score = computed(entries[key])
        print(
            f"{entries[key].name:16} Myopic {score.rate:8.3%}, as Player 1 {score.first:8.3%}; "
            f"Random {score.random_rate:8.3%}   {time.perf_counter() - started_s:5.1f} s",
            flush=True,
        )
    rows = {key: asdict(scores[key]) for key in entries if key in scores}
    plain = {"format": "traffic-lights-ladder", "version": 2, "opponent": "myopic", "levels": rows}
    write_json(QTABLES / SCORES_FILE, plain)
    print(json.dumps(sorted(rows, key=lambda key: scores[key].rate)))


if __name__ == "__main__":
    main()
