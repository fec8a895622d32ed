"""Compare training games with the reference, and learning on from a table read back."""

from __future__ import annotations

import gc
import random
import sys
import tempfile
import unittest
import weakref
from dataclasses import replace
from itertools import product
from pathlib import Path
from unittest import mock

from tests.kit.samples import tablebase
from tests.kit.slow_learner import SlowPupil
from traffic_lights.board.baselines import ALTERNATE, MYOPIC, RANDOM, Policy
from traffic_lights.board.rules import EMPTY_BOARD, STEPS, State, legal_actions
from traffic_lights.learning.afterstates import AfterstateTable
from traffic_lights.learning.deltas import apply_records, format_deltas
from traffic_lights.learning.episodes import Batch, Learner
from traffic_lights.learning.qtable import EpsilonSchedule, QTable
from traffic_lights.learning.tablefile import TableText, read_table, write_table
from traffic_lights.learning.update_rules import RULES, TrainingGames
from traffic_lights.learning.win_rates import as_dict

SCHEDULE = EpsilonSchedule(0.3, 0.05, 0.99)
TIRING = replace(ALTERNATE, lasts=(2, 5))
NARROW = Policy("narrow", "Narrow", "Plays a low cell.", lambda state: legal_actions(state)[:2])
"""Meets the same positions so often that what is proven to lose has estimates."""
LATE: State = 2_347_969
"""A position of ply 16: games from it come back to where they have proven a loss."""
OPPONENTS = (None, RANDOM, TIRING, MYOPIC)
ALPHA, GAMMA = 0.25, 0.9


def lessons(
    table: AfterstateTable, rule: str, policy: Policy | None, *, least_visited: bool = False
) -> TrainingGames:
    """Return lessons of *table* by *rule*."""
    return TrainingGames(
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
        cases = ("terminal", MYOPIC), ("terminal", NARROW)
        for rule, policy in (*product(RULES, (None, TIRING)), *cases):
            games = 60 if policy is NARROW else 30
            with self.subTest(rule=rule, policy=policy):
                table = AfterstateTable(dense=policy == MYOPIC)
                slow = SlowPupil(rule, ALPHA, GAMMA, SCHEDULE)
                batch = lessons(table, rule, policy).play(range(games), 0.3, random.Random(5))
                rng = random.Random(5)
                for number in range(games):
                    seats = (0, 1) if policy is None else (number % 2,)
                    slow.play_game(seats, policy, rng)
                self.compare(rows(table), {s: slow.shown(s) for s in sorted(slow.visited)})
                self.assertEqual((batch.games, batch.epsilon), (games, slow.epsilon))

    # As from the empty board, but what is possible is soon tried.
    @mock.patch("traffic_lights.learning.update_rules.EMPTY_BOARD", LATE)
    @mock.patch("tests.kit.slow_learner.EMPTY_BOARD", LATE)
    def test_the_same_games_teach_the_same_where_there_are_kept(self) -> None:
        for policy in (None, MYOPIC):
            table, slow = AfterstateTable(), SlowPupil("terminal", ALPHA, GAMMA, SCHEDULE)
            lessons(table, "terminal", policy).play(range(120), 0.3, random.Random(5))
            rng = random.Random(5)
            for number in range(120):
                slow.play_game((0, 1) if policy is None else (number % 2,), policy, rng)
            self.assertGreater(len(slow.estimate), 5, policy)
            self.compare(rows(table), {s: slow.shown(s) for s in sorted(slow.visited)})

    @mock.patch("traffic_lights.learning.update_rules.EMPTY_BOARD", LATE)
    @mock.patch("tests.kit.slow_learner.EMPTY_BOARD", LATE)
    def test_a_finished_position_is_proven_whatever_another_rule_has_made_of_it(self) -> None:
        for before in RULES:
            with self.subTest(before=before):
                table, slow = AfterstateTable(), SlowPupil(before, ALPHA, GAMMA, SCHEDULE)
                for slow.rule in (before, "terminal"):
                    lessons(table, slow.rule, MYOPIC).play(range(60), 0.3, random.Random(5))
                    slow.epsilon, rng = 0.3, random.Random(5)
                    for number in range(60):
                        slow.play_game((number % 2,), MYOPIC, rng)
                self.compare(rows(table), {s: slow.shown(s) for s in sorted(slow.visited)})

    def compare(self, table: Rows, slow: Rows) -> None:
        """Compare rows; of one that is won, the table need not know all that is known of it."""
        self.assertEqual(table.keys(), slow.keys())
        for state, row in table.items():
            if 1.0 in row.values():
                self.assertIn(1.0, slow[state].values())
                slow[state] = {a: v for a, v in slow[state].items() if a in row}
        self.assertEqual(table, slow)

    def test_a_table_that_wrongly_proves_a_win_of_the_first_player_can_be_trained(self) -> None:
        for policy in OPPONENTS:
            table = AfterstateTable()
            table.set_value(EMPTY_BOARD, 4, 1.0)
            batch = lessons(table, "terminal", policy).play(range(6), 0.3, random.Random(5))
            self.assertEqual((batch.games, bool(batch.deltas)), (6, policy is not None))


class ContinuedTests(unittest.TestCase):
    def setUp(self) -> None:
        folder = self.enterContext(tempfile.TemporaryDirectory())
        self.path = Path(folder) / "table.json"

    def check(self, rule: str, policy: Policy | None, least_visited: bool) -> None:
        """Learn in three batches, in one go, and with the table read back or replayed between."""
        straight, replayed, read = AfterstateTable(), AfterstateTable(), AfterstateTable()
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
            replayed = self.replay(straight, batches[0], AfterstateTable.of(self.before(number)))
            self.assertEqual(text(straight), text(replayed))
            write_table(self.path, straight)
            read = AfterstateTable.of(read_table(self.path))

    def before(self, number: int) -> QTable:
        return read_table(self.path) if number else QTable()

    def replay(
        self, straight: AfterstateTable, batch: Batch, base: AfterstateTable
    ) -> AfterstateTable:
        """Return *base* with the records of *batch* applied, which made *straight* of it."""
        apply_records(base, format_deltas(batch.deltas, batch.values), "the log")
        self.assertEqual(base.after_values, straight.after_values)
        self.assertEqual(base.visited, straight.visited)
        return base

    def test_whatever_the_rule_and_the_opponent(self) -> None:
        for rule, policy in (*product(RULES, (None, TIRING)), ("terminal", NARROW)):
            with self.subTest(rule=rule, policy=policy):
                self.check(rule, policy, least_visited=False)

    def test_exploring_the_least_visited(self) -> None:
        self.check("terminal", MYOPIC, least_visited=True)


class HopeTests(unittest.TestCase):
    def setUp(self) -> None:
        self.table = AfterstateTable()
        lessons(self.table, "terminal", MYOPIC).play(range(5000), 0.1, random.Random(1))

    def kept(self, state: State) -> dict[int, float]:
        """Return the estimates of the actions that lose for certain in *state*."""
        row = self.table.canonical_row(state)
        return {
            action: value
            for action, value in row.items()
            if abs(value) < 1 and 1.0 in self.table.row(state + STEPS[action]).values()
        }

    def test_what_is_proven_to_lose_keeps_its_estimate_and_may_be_played(self) -> None:
        kept = {s: found for s in self.table.states() if (found := self.kept(s))}
        self.assertGreater(len(kept), 20)
        chosen = [s for s in kept if set(self.table.best_actions(s)) & set(kept[s])]
        self.assertGreater(len(chosen), 0)

    def test_lost_positions_have_win_rates_that_a_file_keeps(self) -> None:
        rows = [self.table.win_rate_row(state) for state in self.table.lost_states()]
        self.assertGreater(sum(len(as_dict(row)) for row in rows), 5)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "table.json"
            write_table(path, self.table)
            again = AfterstateTable.of(read_table(path))
        for state in self.table.lost_states():
            self.assertEqual(again.win_rate_row(state), self.table.win_rate_row(state))
        for table in (again, self.table):
            lessons(table, "terminal", MYOPIC).play(range(300), 0.1, random.Random(2))
        self.assertEqual(text(again), text(self.table))

    def test_what_practice_found_is_taken_over(self) -> None:
        source = QTable()
        source.set_lost(27)
        for action, rate in enumerate((0.0, 0.25, 1.0)):
            source.set_win_rate(27, action, rate)
        table = AfterstateTable.of(source)
        self.assertEqual(as_dict(table.win_rate_row(27)), {0: 0.0001, 1: 0.25, 2: 0.9999})


class KnowledgeTests(unittest.TestCase):
    def test_all_that_is_known_of_a_position_follows_from_the_rows(self) -> None:
        for policy in OPPONENTS:
            table = AfterstateTable()
            lessons(table, "terminal", policy).play(range(2000), 0.1, random.Random(1))
            again = AfterstateTable.of(table)
            with self.subTest(policy=policy and policy.key):
                self.assertEqual(after_values(again), after_values(table))


def after_values(table: AfterstateTable) -> dict[State, int]:
    """Return what the sparse *table* knows of positions."""
    assert isinstance(table.after_values, dict)
    return {after: after_value for after, after_value in table.after_values.items() if after_value}


class MemoryTests(unittest.TestCase):
    @unittest.skipUnless(sys.implementation.name == "cpython", "elsewhere nothing is counted")
    def test_a_table_that_nobody_holds_is_given_back_at_once(self) -> None:
        table: AfterstateTable | None = AfterstateTable()
        assert table is not None
        course: TrainingGames | None = lessons(table, "terminal", MYOPIC)
        assert course is not None
        course.play(range(2), 0.1, random.Random(1))
        held = weakref.ref(table)
        # Cycles wait for the collector, and it may be long in coming: it counts objects, not bytes.
        gc.disable()
        try:
            table = course = None
            self.assertIsNone(held())
        finally:
            gc.enable()


class ProofTests(unittest.TestCase):
    def test_the_solver_contradicts_no_proof_and_there_are_estimates(self) -> None:
        for policy in OPPONENTS:
            table = AfterstateTable()
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
            table = AfterstateTable()
            lessons(table, rule, MYOPIC).play(range(300), 0.1, random.Random(1))
            values = [abs(value) for row in rows(table).values() for value in row.values()]
            self.assertGreater(len(values), 100, rule)
            self.assertTrue(all(0 < value < 1 for value in values))

    def test_an_old_table_of_estimates_is_no_proof(self) -> None:
        source = QTable()
        source.meta["estimates"] = True
        source.set_value(0, 5, 1.0)
        self.assertEqual(AfterstateTable.of(source).value(0, 5), 0.9999)


if __name__ == "__main__":
    unittest.main()
