"""Lessons against the same games in slow words, and that a table read back learns on the same."""

from __future__ import annotations

import random
import tempfile
import unittest
from dataclasses import replace
from itertools import product
from pathlib import Path

from tests.kit.samples import tablebase
from tests.kit.slow_learner import SlowPupil
from traffic_lights.board.baselines import ALTERNATE, MYOPIC, RANDOM
from traffic_lights.board.policy import Policy
from traffic_lights.board.rules import State
from traffic_lights.learning.deltas import apply_records, format_deltas
from traffic_lights.learning.episodes import Batch, Learner
from traffic_lights.learning.lessons import RULES, Lessons
from traffic_lights.learning.qtable import EpsilonSchedule, QTable
from traffic_lights.learning.shared import SharedTable
from traffic_lights.learning.tablefile import TableText, read_table, write_table

SCHEDULE = EpsilonSchedule(0.3, 0.05, 0.99)
TIRING = replace(ALTERNATE, lasts=(2, 5))
OPPONENTS = (None, RANDOM, TIRING, MYOPIC)
ALPHA, GAMMA = 0.25, 0.9


def lessons(
    table: SharedTable, rule: str, policy: Policy | None, *, least_visited: bool = False
) -> Lessons:
    """Return lessons of *table* by *rule*."""
    return Lessons(
        Learner(table, ALPHA), rule, GAMMA, SCHEDULE, policy, least_visited=least_visited
    )


Rows = dict[State, dict[int, float]]


def rows(table: QTable) -> Rows:
    """Return all rows of *table*."""
    return {state: table.canonical_row(state) for state in table.states()}


def text(table: QTable) -> bytes:
    """Return the file of *table*."""
    return b"".join(TableText(table).chunks())


class LessonsEqualSlowWordsTests(unittest.TestCase):
    def test_the_same_games_teach_the_same(self) -> None:
        for rule, policy in (*product(RULES, (None, TIRING)), ("terminal", MYOPIC)):
            with self.subTest(rule=rule, policy=policy):
                table = SharedTable(dense=policy == MYOPIC)
                slow = SlowPupil(rule, ALPHA, GAMMA, SCHEDULE)
                batch = lessons(table, rule, policy).play(range(30), 0.3, random.Random(5))
                rng = random.Random(5)
                for number in range(30):
                    seats = (0, 1) if policy is None else (number % 2,)
                    slow.play_game(seats, policy, rng)
                self.compare(rows(table), {s: slow.shown(s) for s in sorted(slow.acted)})
                self.assertEqual((batch.games, batch.epsilon), (30, slow.epsilon))

    def compare(self, table: Rows, slow: Rows) -> None:
        """Compare rows; of one that is won, the table need not know all that is known of it."""
        for state, row in table.items():
            if 1.0 in row.values():
                self.assertIn(1.0, slow[state].values())
                slow[state] = {a: v for a, v in slow[state].items() if a in row}
        self.assertEqual(table, slow)


class ContinuedTests(unittest.TestCase):
    def setUp(self) -> None:
        folder = self.enterContext(tempfile.TemporaryDirectory())
        self.path = Path(folder) / "table.json"

    def check(self, rule: str, policy: Policy | None, least_visited: bool) -> None:
        """Learn in three batches, in one go, and with the table read back or replayed between."""
        straight, replayed, read = SharedTable(), SharedTable(), SharedTable()
        for number in range(3):
            seed, epsilon = f"{rule}/{number}", 0.2
            numbers = range(40 * number, 40 * number + 40)
            batches: list[Batch] = []
            for table in (straight, replayed, read):
                course = lessons(table, rule, policy, least_visited=least_visited)
                batches.append(course.play(numbers, epsilon, random.Random(seed)))
            self.assertEqual(batches[0], batches[1])
            self.assertEqual(batches[0], batches[2])
            self.assertEqual(text(straight), text(replayed))
            replayed = self.replay(straight, batches[0], SharedTable.of(self.before(number)))
            self.assertEqual(text(straight), text(replayed))
            write_table(self.path, straight)
            read = SharedTable.of(read_table(self.path))

    def before(self, number: int) -> QTable:
        return read_table(self.path) if number else QTable()

    def replay(self, straight: SharedTable, batch: Batch, base: SharedTable) -> SharedTable:
        """Return *base* with the records of *batch* applied, which made *straight* of it."""
        apply_records(base, format_deltas(batch.deltas, batch.values), "the log")
        self.assertEqual(base.worths, straight.worths)
        self.assertEqual(base.acted, straight.acted)
        return base

    def test_whatever_the_rule_and_the_opponent(self) -> None:
        for rule, policy in product(RULES, (None, TIRING)):
            with self.subTest(rule=rule, policy=policy):
                self.check(rule, policy, least_visited=False)

    def test_exploring_the_least_visited(self) -> None:
        self.check("terminal", MYOPIC, least_visited=True)


class ProofTests(unittest.TestCase):
    def test_the_solver_contradicts_no_proof_and_there_are_estimates(self) -> None:
        for policy in OPPONENTS:
            table = SharedTable()
            lessons(table, "terminal", policy).play(range(800), 0.1, random.Random(1))
            proofs = estimates = 0
            for state, row in rows(table).items():
                distances = tablebase().action_distances(state)
                for action, value in row.items():
                    if abs(value) == 1:
                        self.assertEqual(value > 0, distances[action] % 2 == 1)
                        proofs += 1
                    else:
                        estimates += 1
            self.assertGreater(min(proofs, estimates), 200, policy)

    def test_the_rules_to_compare_with_prove_nothing(self) -> None:
        for rule in set(RULES) - {"terminal"}:
            table = SharedTable()
            lessons(table, rule, MYOPIC).play(range(300), 0.1, random.Random(1))
            values = [abs(value) for row in rows(table).values() for value in row.values()]
            self.assertTrue(all(0 < value < 1 for value in values))

    def test_an_old_table_of_estimates_is_no_proof(self) -> None:
        source = QTable()
        source.meta["estimates"] = True
        source.set_value(0, 5, 1.0)
        self.assertEqual(SharedTable.of(source).value(0, 5), 0.9999)


if __name__ == "__main__":
    unittest.main()
