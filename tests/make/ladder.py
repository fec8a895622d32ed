"""Compute the exact scores of the players: `python3 -m tests.make.ladder [KEY...]`.

They go into `qtables/ladder.json`, where the roster reads them. Without keys, all are
computed, which takes some minutes: the weaker two players are, the more positions they allow.
That of Alternate, which tires at a moment that it draws, stays as it is.
"""

import sys

import traffic_lights as tl
from tests.make.qtables import QTABLES
from traffic_lights.board.baselines import ALTERNATE
from traffic_lights.players.roster import SCORES_FILE, Entry, Roster, read_scores
from traffic_lights.storage.files import write_json

ALL_POSITIONS = 10**7
DIGITS = 12


def computed(entry: Entry) -> dict[str, float]:
    """Return the exact scores of *entry* against Myopic, by seat."""
    score = tl.exact_score(entry.key, "myopic", ALL_POSITIONS)
    return {"first": round(score.first, DIGITS), "second": round(score.second, DIGITS)}


def main() -> None:
    scores = read_scores()
    entries = {entry.key: entry for entry in Roster().entries()}
    for key in sys.argv[1:] or [key for key in entries if key != ALTERNATE.key]:
        scores[key] = computed(entries[key])
        print(key, scores[key], flush=True)
    rows = {key: scores[key] for key in entries if key in scores}
    plain = {"format": "traffic-lights-ladder", "version": 2, "opponent": "myopic", "levels": rows}
    write_json(QTABLES / SCORES_FILE, plain)


if __name__ == "__main__":
    main()
