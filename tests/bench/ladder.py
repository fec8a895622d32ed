"""Measure every level of the ladder against Myopic and Random: ``python -m tests.bench.ladder``.

``--write`` stores the scores beside the tables, in ``qtables/ladder.json``,
where the ladder reads them. The same seed and tables give the same file.
"""

from __future__ import annotations

import argparse
import random
import time

from traffic_lights.board.baselines import MYOPIC, RANDOM
from traffic_lights.players.bots import Bot, PolicyBot
from traffic_lights.players.ladder import SCORES_FILE, Ladder, LadderError, Score, scores_to_plain
from traffic_lights.players.referee import play_match
from traffic_lights.storage.files import write_json
from traffic_lights.system.folders import PACKAGE_FOLDER


def measured(bot: Bot, rng: random.Random, games: int, seed: int) -> Score:
    """Return the score of *bot* in *games* games each, its seat changing every game."""
    wins = [0, 0]
    for seat, game in play_match(bot, PolicyBot(MYOPIC, rng), games):
        wins[seat] += game.winner == seat
    against_random = play_match(bot, PolicyBot(RANDOM, rng), games)
    random_wins = sum(game.winner == seat for seat, game in against_random)
    return Score(games, sum(wins), wins[0], random_wins, seed)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--write", action="store_true", help=f"write qtables/{SCORES_FILE}")
    options = parser.parse_args()
    scores: dict[str, Score] = {}
    for level in Ladder(random.Random(0)).levels():
        # A source of its own, so that no level's score depends on the others.
        rng = random.Random(f"{options.seed} {level.key}")
        started = time.perf_counter()
        try:
            bot = Ladder(rng).bot(level.key)
        except LadderError as error:
            print(error)
            continue
        score = measured(bot, rng, options.games, options.seed)
        scores[level.key] = score
        print(
            f"{level.label:26} Myopic {score.rate:6.1%},"
            f" as Player 1 {2 * score.first / score.games:6.1%};"
            f" Random {score.random_rate:6.1%}   {time.perf_counter() - started:5.1f} s"
        )
    if options.write:
        folder = PACKAGE_FOLDER.parent / "qtables"
        write_json(folder / SCORES_FILE, scores_to_plain(scores))
        print(f"wrote {folder / SCORES_FILE}")


if __name__ == "__main__":
    main()
