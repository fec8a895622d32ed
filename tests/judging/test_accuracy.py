import random
import unittest
from statistics import fmean

from tests.kit.samples import tablebase
from tests.kit.trained import shipped, sparse
from traffic_lights.board.rules import legal_actions
from traffic_lights.board.symmetry import canonical
from traffic_lights.judging.accuracy import SAMPLE_SIZE, sample, shares
from traffic_lights.learning.qtable import QBot, QTable

SAMPLES = ("random", "myopic")


class SampleTests(unittest.TestCase):
    def test_each_question_has_a_winning_and_a_losing_move_and_they_stay_the_same(self) -> None:
        for name in SAMPLES:
            self.assertEqual(len(sample(name)), SAMPLE_SIZE)
            for state, wins in sample(name):
                self.assertEqual(wins, tablebase().winning_actions(state))
                self.assertTrue(0 < len(wins) < len(legal_actions(state)))
                self.assertEqual(canonical(state), state)
        self.assertEqual(sample.__wrapped__("random", 100), sample("random")[:100])
        # Both have 4,000 positions, so shares can be compared between releases.
        counts = [sum(len(wins) for _, wins in sample(name)) for name in SAMPLES]
        self.assertEqual(counts, [12_682, 13_733])


class FoundTests(unittest.TestCase):
    def test_a_perfect_table_finds_all_and_its_opposite_nothing(self) -> None:
        table, wrong = QTable(), QTable()
        for state, wins in sample("random") + sample("myopic"):
            table.set_value(state, wins[-1], 1.0)
            for action in set(legal_actions(state)) - set(wins):
                wrong.set_value(state, action, 1.0)
        for name in SAMPLES:
            self.assertEqual(shares(table, sample(name)), (1.0, 1.0))
            self.assertEqual(shares(wrong, sample(name)), (0.0, 1.0))
            self.assertEqual(shares(QTable(), sample(name))[1], 0.0)

    def test_ties_count_by_their_chance(self) -> None:
        questions = sample("myopic")[:50]
        chances = [len(wins) / len(legal_actions(state)) for state, wins in questions]
        self.assertAlmostEqual(shares(QTable(), questions)[0], fmean(chances))
        first = QTable()
        first.meta = {"ties": "first"}
        found = sum(legal_actions(state)[0] in wins for state, wins in questions)
        self.assertAlmostEqual(shares(first, questions)[0], found / 50)

    def test_the_share_is_what_the_bot_really_finds(self) -> None:
        for ties in ("first", "random"):
            table = sparse(shipped("selfplay-10000"))
            table.meta["ties"] = ties
            bot = QBot(table, random.Random(11))
            found = sum(bot.choose(state) in wins for state, wins in sample("random"))
            share, _ = shares(table, sample("random"))
            # Four standard errors of 4,000 draws.
            self.assertAlmostEqual(found / SAMPLE_SIZE, share, delta=0.032)
