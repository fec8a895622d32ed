"""A pruned table plays every game on few rows, and its distances are exact."""

import random
import unittest
from collections import Counter
from itertools import islice
from unittest import mock

from tests.kit.runs import reached_from
from tests.kit.samples import tablebase
from traffic_lights.board.baselines import MYOPIC
from traffic_lights.board.rules import EMPTY_BOARD, State, is_terminal, legal_actions, mover, play
from traffic_lights.learning.afterstates import AfterstateTable
from traffic_lights.learning.learner import Learner
from traffic_lights.learning.proving import Sweep
from traffic_lights.learning.prune import prune
from traffic_lights.learning.qtable import QTable, TableBot
from traffic_lights.learning.rowtable import RowTable
from traffic_lights.learning.tablefile import table_text

MANY_LOST = 7_569_789
"""A position of ply 18 with lost positions after it where some losses are slower than others."""


class PruneTests(unittest.TestCase):
    def pruned(self, table: QTable, start: State) -> QTable:
        """Return what games from *start* need of *table*, as if it were large."""
        with mock.patch.multiple("traffic_lights.learning.prune", EMPTY_BOARD=start, WHOLE_UP_TO=0):
            return prune(table)

    def check_facts(self, table: QTable, small: QTable, seen: Counter[str]) -> None:
        """Check that each row of *small* keeps what plays best, and count the kinds *seen*."""
        is_swept = isinstance(table, RowTable)
        for state in small.states():
            row, exact = small.canonical_row(state), tablebase().action_distances(state)
            proofs = {action: value > 0 for action, value in row.items() if abs(value) == 1}
            self.assertEqual(proofs, {action: exact[action] % 2 == 1 for action in proofs})
            result = small.proven_result(state)
            self.assertEqual(result, table.proven_result(state))
            if not result:
                kind = "undecided"
                self.assertEqual(row, table.canonical_row(state))
            elif result > 0:
                kind = "won"
                ((action, value),) = row.items()
                self.assertEqual(value, 1.0)
                if is_swept:
                    self.assertEqual(exact[action], min(n for n in exact.values() if n % 2))
            else:
                (action,) = small.best_canonical_actions(state)
                self.assertEqual([action], [*small.win_rate_row(state)])
                kind = "practised" if table.win_rate_row(state) else "lost"
                if kind == "practised" or not is_swept:
                    self.assertIn(action, table.best_canonical_actions(state))
                else:
                    self.assertEqual(exact[action], max(exact.values()), "the slowest loss")
                    seen["slower"] += len(set(exact.values())) > 1
            seen[kind] += 1

    def test_it_has_what_its_policy_meets_and_each_row_keeps_what_plays_best(self) -> None:
        seen, rng = Counter[str](), random.Random(5)
        learned = AfterstateTable()
        learner = Learner(learned, MYOPIC, "terminal", alpha=0.1, gamma=1.0)
        learner.play(range(150), 0.1, rng)
        small = self.pruned(learned, EMPTY_BOARD)
        self.assertLess(len([*small.states()]), len([*learned.states()]))
        self.assertEqual(
            *([*table_text(each)] for each in (small, self.pruned(small, EMPTY_BOARD)))
        )
        self.check_facts(learned, small, seen)
        for number in range(20):
            bot, state = TableBot(small, rng), EMPTY_BOARD
            while not is_terminal(state):
                if mover(state) == number % 2:
                    self.assertEqual(bool(small.row(state)), bool(learned.row(state)))
                    state = play(state, bot.choose(state))
                else:
                    state = play(state, rng.choice(legal_actions(state)))
        swept, rng = RowTable(), random.Random(9)
        sweep = Sweep(swept)
        for states in reversed(reached_from(MANY_LOST)):
            sweep.play(states, rng)
        for state in islice(swept.lost_states(), 0, None, 2):  # every other one was practised
            for action in legal_actions(state):
                swept.set_win_rate(state, action, rng.random())
        self.check_facts(swept, self.pruned(swept, MANY_LOST), seen)
        self.assertEqual({*+seen}, {"won", "lost", "slower", "practised", "undecided"})
