"""The sentences about a bot that has learned: they are true, and say no more than is known."""

import unittest

from tests.kit.samples import measured
from traffic_lights.board.positions import POSITIONS
from traffic_lights.gui.workshop import learning_texts


class SentenceTests(unittest.TestCase):
    def test_what_came_of_a_bot_is_one_or_two_true_sentences(self) -> None:
        self.assertIn("not been trained", learning_texts.result_text(0, True, ()))
        text = learning_texts.result_text(20_000, True, [measured(20_000, 0.6)])
        self.assertEqual(
            text, "Stopped after 20,000 games. It wins 60.00 % of its games against Myopic."
        )
        older = learning_texts.result_text(30_000, False, [measured(20_000, 0.6)])
        self.assertEqual(older, "After 20,000 games, it won 60.00 % against Myopic.")
        almost = learning_texts.result_text(
            9, False, [measured(9, 0.9999999, decided=POSITIONS - 1)]
        )
        self.assertNotIn("100", almost)
        whole = learning_texts.result_text(9, False, [measured(9, 0.9999, decided=POSITIONS)])
        self.assertIn("Every position is solved.", whole)
