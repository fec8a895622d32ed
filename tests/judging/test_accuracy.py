import random
import unittest

from tests.kit.samples import played_states, tablebase
from tests.kit.trained import shipped, sparse
from traffic_lights.board.rules import ALL_CELLS, legal_actions
from traffic_lights.board.symmetry import canonical
from traffic_lights.judging.accuracy import (
    SAMPLE_SIZE,
    found_share,
    known_share,
    rate_of,
    sample,
    winning_mask,
)
from traffic_lights.learning.qtable import QBot, QTable

SAMPLES = ("random", "myopic")


def perfect_on_the_samples() -> QTable:
    """Return a table that knows one winning action of every question."""
    table = QTable()
    for name in SAMPLES:
        for state, _ in sample(name):
            table.set_value(state, tablebase().winning_actions(state)[-1], 1.0)
    return table


class SampleTests(unittest.TestCase):
    def test_each_question_has_a_winning_and_a_losing_move(self) -> None:
        for name in SAMPLES:
            self.assertEqual(len(sample(name)), SAMPLE_SIZE)
            for state, mask in sample(name):
                wins = {a for a in legal_actions(state) if mask >> a & 1}
                self.assertEqual(wins, set(tablebase().winning_actions(state)))
                self.assertTrue(0 < len(wins) < len(legal_actions(state)))
                self.assertEqual(canonical(state), state)

    def test_the_samples_stay_the_same(self) -> None:
        again = sample.__wrapped__("random", 100)
        self.assertEqual(again, sample("random")[:100])
        # Both have 4,000 positions, so shares can be compared between releases.
        wins = [sum(mask.bit_count() for _, mask in sample(name)) for name in SAMPLES]
        self.assertEqual(wins, [12_682, 13_733])

    def test_winning_masks_equal_the_tablebase(self) -> None:
        for state in played_states(random.Random(5), 500):
            wins = tablebase().winning_actions(state)
            self.assertEqual(winning_mask(tablebase(), state), sum(1 << a for a in wins))
            self.assertEqual(winning_mask(tablebase(), state) & ~ALL_CELLS, 0)


class FoundTests(unittest.TestCase):
    def test_a_perfect_table_finds_all_and_its_opposite_nothing(self) -> None:
        table = perfect_on_the_samples()
        wrong = QTable()
        for state in table.states():
            for action in set(legal_actions(state)) - set(tablebase().winning_actions(state)):
                wrong.set_value(state, action, 1.0)
        for name in SAMPLES:
            self.assertEqual(found_share(table, sample(name)), 1.0)
            self.assertEqual(found_share(wrong, sample(name)), 0.0)
            self.assertEqual(known_share(table, sample(name)), 1.0)
            self.assertEqual(known_share(QTable(), sample(name)), 0.0)

    def test_ties_count_by_their_chance(self) -> None:
        questions = sample("myopic")[:50]
        self.assertEqual(rate_of(0b1010, (0, 1, 2, 3)), 0.5)
        expected = sum(
            len(tablebase().winning_actions(state)) / len(legal_actions(state))
            for state, _ in questions
        )
        self.assertAlmostEqual(found_share(QTable(), questions), expected / 50)
        first = QTable()
        first.meta = {"ties": "first"}
        wins = sum(
            legal_actions(state)[0] in tablebase().winning_actions(state) for state, _ in questions
        )
        self.assertAlmostEqual(found_share(first, questions), wins / 50)

    def test_the_share_is_what_the_bot_really_finds(self) -> None:
        for ties in ("first", "random"):
            table = sparse(shipped("selfplay-100000"))
            table.meta["ties"] = ties
            bot = QBot(table, random.Random(11))
            questions = sample("random")
            found = sum(mask >> bot.choose(state) & 1 for state, mask in questions)
            share = found_share(table, questions)
            # Four standard errors of 4,000 draws.
            self.assertAlmostEqual(found / len(questions), share, delta=0.032)
