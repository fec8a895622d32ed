"""Compute the exact scores of the players: `python3 -m tests.make.ladder [KEY...]`.

They go into `qtables/ladder.json`, where the roster reads them. Without keys, all are
computed, which takes some minutes: the weaker two players are, the more positions they allow.
"""

import sys
import time

from tests.make.qtables import QTABLES
from traffic_lights.board.exact_score import exact_score
from traffic_lights.players.roster import SCORES_FILE, Entry, Roster, read_scores
from traffic_lights.storage.files import write_json

ALL_POSITIONS = 10**7
DIGITS = 12


def computed(entry: Entry) -> dict[str, float]:
    """Return the exact scores of *entry*: by seat against Myopic, and against Random."""
    player = entry.strategy()
    opponents = [Roster().entry(key).strategy() for key in ("myopic", "random")]
    assert player is not None
    scores = [exact_score(player, one, ALL_POSITIONS) for one in opponents if one is not None]
    myopic, weak = [score for score in scores if score is not None]
    row = {"first": myopic.first, "second": myopic.second, "random_rate": weak.total}
    return {name: round(chance, DIGITS) for name, chance in row.items()}


def main() -> None:
    """Compute, print and write."""
    scores = read_scores()
    entries = {entry.key: entry for entry in Roster().entries()}
    for key in sys.argv[1:] or entries:
        started_s = time.perf_counter()
        scores[key] = computed(entries[key])
        print(
            entries[key].name, scores[key], f"{time.perf_counter() - started_s:.1f} s", flush=True
        )
    rows = {key: scores[key] for key in entries if key in scores}
    plain = {"format": "traffic-lights-ladder", "version": 2, "opponent": "myopic", "levels": rows}
    write_json(QTABLES / SCORES_FILE, plain)


if __name__ == "__main__":
    main()
