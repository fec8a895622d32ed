"""A pruned table plays every game on few rows, and its distances are exact."""

import random
import unittest
from collections import Counter
from functools import cache
from itertools import islice
from unittest import mock

from tests.kit.runs import reached_from
from tests.kit.samples import tablebase
from traffic_lights.board.baselines import MYOPIC
from traffic_lights.board.rules import EMPTY_BOARD, State, is_terminal, legal_actions, mover, play
from traffic_lights.learning.afterstates import AfterstateTable
from traffic_lights.learning.exploration import EpsilonSchedule
from traffic_lights.learning.learner import Learner
from traffic_lights.learning.proving import Sweep
from traffic_lights.learning.prune import prune
from traffic_lights.learning.qtable import QTable, TableBot
from traffic_lights.learning.rowtable import RowTable
from traffic_lights.learning.tablefile import table_text

SCHEDULE = EpsilonSchedule(0.01, 0.999)
GAMES = 150
MANY_LOST = 7_569_789
"""A position of ply 18 with lost positions after it where some losses are slower than others."""


@cache
def estimated() -> QTable:
    """Return a table of proofs and estimates from some games against Myopic."""
    table = AfterstateTable()
    learner = Learner(table, MYOPIC, "terminal", alpha=0.1, gamma=1.0, schedule=SCHEDULE)
    learner.play(range(GAMES), 0.1, random.Random(5))
    return table


@cache
def swept() -> RowTable:
    """Return a table that has decided the end of games, and practised every other lost row."""
    table, rng = RowTable(), random.Random(9)
    sweep = Sweep(table)
    for states in reversed(reached_from(MANY_LOST)):
        sweep.play(states, rng)
    for state in islice(table.lost_states(), 0, None, 2):
        for action in legal_actions(state):
            table.set_win_rate(state, action, rng.random())
    return table


@cache
def pruned(table: QTable, start: State) -> QTable:
    """Return what games from *start* need of *table*, as if it were large."""
    with mock.patch.multiple("traffic_lights.learning.prune", EMPTY_BOARD=start, WHOLE_UP_TO=0):
        return prune(table)


class PruneTests(unittest.TestCase):
    def test_it_has_every_row_that_its_policy_meets_and_the_table_knows(self) -> None:
        table = estimated()
        small = pruned(table, EMPTY_BOARD)
        again, rng = pruned(small, EMPTY_BOARD), random.Random(6)
        self.assertEqual(*(list(table_text(one)) for one in (again, small)))
        self.assertLess(len(list(small.states())), len(list(table.states())))
        for number in range(20):
            bot, state = TableBot(small, rng), EMPTY_BOARD
            while not is_terminal(state):
                if mover(state) == number % 2:
                    self.assertEqual(bool(small.row(state)), bool(table.row(state)))
                    state = play(state, bot.choose(state))
                else:
                    state = play(state, rng.choice(legal_actions(state)))

    def test_each_row_keeps_what_plays_best_and_proofs_stay_facts(self) -> None:
        seen = Counter[str]()
        for table, start in ((estimated(), EMPTY_BOARD), (swept(), MANY_LOST)):
            small = pruned(table, start)
            for state in small.states():
                row, exact = small.canonical_row(state), tablebase().action_distances(state)
                self.assertEqual(small.proven_result(state), table.proven_result(state))
                for action, value in row.items():
                    if abs(value) == 1:
                        self.assertEqual(value > 0, exact[action] % 2 == 1)
                if not small.proven_result(state):
                    kind = "undecided"
                    self.assertEqual(row, table.canonical_row(state))
                elif max(row.values()) > 0:
                    kind = "won"
                    self.assertEqual(list(row.values()), [1.0])
                    if table is swept():
                        (action,) = row
                        self.assertEqual(exact[action], min(n for n in exact.values() if n % 2))
                else:
                    (action,) = small.best_canonical_actions(state)
                    self.assertEqual([action], list(small.win_rate_row(state)))
                    kind = "practised" if table.win_rate_row(state) else "lost"
                    if kind == "practised" or table is estimated():
                        self.assertIn(action, table.best_canonical_actions(state))
                    else:
                        self.assertEqual(exact[action], max(exact.values()), "the slowest loss")
                        seen["slower"] += len(set(exact.values())) > 1
                seen[kind] += 1
        kinds = ("won", "lost", "slower", "practised", "undecided")
        self.assertGreater(min(seen[kind] for kind in kinds), 0, seen)
