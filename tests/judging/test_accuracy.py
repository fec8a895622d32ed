import unittest
from statistics import fmean

from tests.kit.samples import IS_SLOW_RUN, tablebase
from tests.kit.trained import shipped, sparse, trained
from traffic_lights.board.positions import POSITIONS
from traffic_lights.board.rules import legal_actions
from traffic_lights.board.symmetry import canonical
from traffic_lights.judging.accuracy import SAMPLE_SIZE, check_table, sample, shares
from traffic_lights.learning.qtable import QTable
from traffic_lights.training.settings import OPPONENTS, RunSettings

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


class CheckTests(unittest.TestCase):
    def test_no_plan_and_no_learning_rate_teaches_a_wrong_proof(self) -> None:
        plans = (*OPPONENTS, "reverse", "selfplay", "baselines")
        for number, plan in enumerate(plans):
            table = trained(settings(plan, alpha=(1.0, 0.5)[number % 2]))
            check = checked(table)
            self.assertEqual((check["wrong"], check["positions"]), (0, POSITIONS))
            values = [v for s in table.states() for v in table.canonical_row(s).values()]
            estimates = sum(0 < abs(value) < 1 for value in values)
            proofs = sum(abs(value) == 1 for value in values)
            self.assertEqual((check["values"], check["estimates"]), (proofs, estimates))
            self.assertEqual(len(values), proofs + estimates)
            self.assertGreater(sum(value < 0 for value in values), 0)
            self.assertEqual(plan in ("reverse", "selfplay"), estimates == 0)

    def test_lost_and_decided_positions_are_counted(self) -> None:
        table = shipped("complete")
        check = checked(table)
        decided = [s for s in table.states() if table.is_proven(s)]
        lost = [s for s in decided if not tablebase().is_won(s)]
        self.assertEqual((check["decided"], check["lost"]), (len(decided), len(lost)))
        held = [table.win_rate(s, a) for s in lost for a in legal_actions(s)]
        self.assertEqual(check["win_rates"], sum(chance is not None for chance in held))
        self.assertGreater(check["win_rates"], 0)

    def test_the_check_finds_a_planted_wrong_sign(self) -> None:
        table = sparse(trained(settings("myopic", alpha=1.0)))
        state = next(s for s in table.states() if tablebase().is_won(s))
        for action in tablebase().winning_actions(state):
            table.set_value(state, action, -1.0)
        self.assertEqual(checked(table)["wrong"], len(tablebase().winning_actions(state)))


def checked(table: QTable) -> dict[str, int]:
    check: dict[str, int] = check_table(table)[0]["check"]
    return check


def settings(plan: str, alpha: float) -> RunSettings:
    return RunSettings(plan=plan, games=20_000 if IS_SLOW_RUN else 1500, alpha=alpha, seed=3)
