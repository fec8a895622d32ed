"""The exact solution contradicts no proof of any table that the learner makes."""

import unittest

from tests.kit.samples import IS_SLOW_RUN, tablebase
from tests.kit.trained import shipped, sparse, trained
from traffic_lights.board.positions import POSITIONS
from traffic_lights.board.rules import legal_actions
from traffic_lights.judging.accuracy import check_table
from traffic_lights.training.settings import OPPONENTS, RunSettings

GAMES = 20_000 if IS_SLOW_RUN else 1500


class SignTests(unittest.TestCase):
    def check(self, settings: RunSettings) -> None:
        with self.subTest(settings=settings):
            table = trained(settings)
            check = check_table(table)
            self.assertEqual(check.wrong, 0)
            self.assertEqual(check.positions, POSITIONS)
            values = [v for s in table.states() for v in table.canonical_row(s).values()]
            proofs = [value for value in values if abs(value) == 1]
            estimates = len(values) - len(proofs)
            self.assertEqual((check.values, check.estimates), (len(proofs), estimates))
            self.assertGreater(len(values), 20)
            self.assertTrue(any(value < 0 for value in values))
            self.assertTrue(all(0 < abs(value) <= 1 for value in values))
            learns_proofs_alone = settings.plan in ("reverse", "selfplay")
            self.assertEqual(learns_proofs_alone, len(proofs) == len(values))

    def test_no_plan_and_no_learning_rate_teaches_a_wrong_proof(self) -> None:
        plans = (*OPPONENTS, "reverse", "selfplay", "baselines")
        for number, plan in enumerate(plans):
            alpha = (1.0, 0.5)[number % 2]
            self.check(RunSettings(plan=plan, games=GAMES, alpha=alpha, seed=3))

    def test_lost_and_decided_positions_are_counted(self) -> None:
        table = shipped("complete")
        check = check_table(table)
        decided = [s for s in table.states() if table.is_proven(s)]
        lost = [s for s in decided if not tablebase().is_won(s)]
        self.assertEqual((check.decided, check.lost), (len(decided), len(lost)))
        self.assertGreater(check.lost, 0)
        held = [table.win_rate(s, a) for s in lost for a in legal_actions(s)]
        self.assertEqual(check.win_rates, sum(chance is not None for chance in held))
        self.assertGreater(check.win_rates, 0)

    def test_the_check_finds_a_planted_wrong_sign(self) -> None:
        table = sparse(trained(RunSettings(plan="self", games=GAMES, seed=6)))
        state = next(s for s in table.states() if tablebase().is_won(s))
        for action in tablebase().winning_actions(state):
            table.set_value(state, action, -1.0)
        self.assertEqual(check_table(table).wrong, len(tablebase().winning_actions(state)))
