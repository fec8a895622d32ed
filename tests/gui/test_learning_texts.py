"""The sentences about a bot that has learned: they are true, and say no more than is known."""

import random
import unittest
from dataclasses import replace

from tests.kit.samples import measured
from traffic_lights.board.positions import POSITIONS
from traffic_lights.gui.workshop import learning_texts


class SentenceTests(unittest.TestCase):
    def test_what_came_of_a_bot_is_one_or_two_true_sentences(self) -> None:
        better = measured(20_000, 0.6)
        first = replace(better, opening=5)
        for games, is_stopped, point, words in (
            (0, True, None, "not been trained"),
            (20_000, True, better,
             r"^Stopped after 20,000 games. It wins 60.00 % \(exact\) against Myopic.$"),
            (30_000, False, better,
             r"^After 20,000 games, it won 60.00 % \(exact\) against Myopic.$"),
            (9, False, measured(9, 0.9999999, decided=POSITIONS - 1), "^((?!100).)*$"),
            (9, False, measured(9, 0.6, decided=1234), "Solved: 1,234 positions."),
            (9, False, measured(9, 0.9999, decided=POSITIONS), "Every position is solved."),
            (20_000, False, first, "against Myopic; its first move: b2.$"),
        ):  # fmt: skip
            self.assertRegex(learning_texts.result_text(games, is_stopped, point), words)
        self.assertRegex(learning_texts.snapshot_text(first), "Myopic; its first move: b2.$")

    def test_chance_is_not_called_progress_and_progress_is_seen(self) -> None:
        rng = random.Random(1)
        for gain, least, most in ((0.0, 0, 12), (1.0, 190, 200)):
            found = 0
            for _ in range(200):
                points = []
                for number in range(1, 41):
                    sample = 2000 if number == 40 else 200
                    chance = 0.2 + gain * number / 60 + rng.gauss(0, 0.03)
                    wins = rng.gauss(chance, (chance * (1 - chance) / sample) ** 0.5)
                    points.append(measured(500 * number, wins, sampled=sample))
                found += learning_texts.trend_text(points)[:7] in ("Still g", "Getting")
            self.assertTrue(least <= found <= most, (gain, found))
