"""Compare the learner with a second one that keeps its values in dicts, and with the solver."""

import random
import unittest
from dataclasses import replace
from itertools import product
from unittest import mock

from tests.learning import plain_learner
from tests.learning.plain_learner import moves_of
from traffic_lights.board.baselines import ALTERNATE, MYOPIC, RANDOM, Policy
from traffic_lights.board.rules import State, format_board, legal_actions
from traffic_lights.learning.afterstates import LOSS, LOST, WIN, WON, AfterstateTable
from traffic_lights.learning.exploration import (
    EXPLORATION_RULES,
    EpsilonSchedule,
    Explore,
    at_random,
)
from traffic_lights.learning.learner import Learner
from traffic_lights.learning.update_rules import UPDATE_RULES

SCHEDULE = EpsilonSchedule(0.05, 0.99)
TIRING = replace(ALTERNATE, lasts=(2, 5))
NARROW = Policy(lambda state: legal_actions(state)[:2])
"""Meets the same positions so often that what is proven to lose has estimates."""
LATE: State = 2_347_969
"""A position of ply 16: games from it come back to where they have proven a loss."""
ALPHA, GAMMA = 0.25, 0.9


def new_learner(
    table: AfterstateTable, rule: str, policy: Policy | None, explore: Explore = at_random
) -> Learner:
    return Learner(
        table, policy, rule, alpha=ALPHA, gamma=GAMMA, explore=explore, schedule=SCHEDULE
    )


class GreedyTests(unittest.TestCase):
    def test_a_bot_plays_by_its_table_what_it_would_play_without_exploring(self) -> None:
        for rule in UPDATE_RULES:
            table = AfterstateTable()
            learner = new_learner(table, rule, RANDOM)
            learner.play(range(80), 0.3, random.Random(6))
            for state in [*table.states()][::7]:
                if table.proven_result(state) < 0:
                    continue  # then it plays what has won most often
                source = random.Random(state)
                drawn = {learner.choose(state, 0, source) for _ in range(100)}
                self.assertEqual(tuple(sorted(drawn)), table.best_canonical_actions(state), rule)


class SecondLearnerTests(unittest.TestCase):
    """Games teach the table what they teach the second learner."""

    def check(
        self,
        rules: tuple[str, ...],
        policy: Policy | None,
        games: int,
        explore: Explore = at_random,
    ) -> plain_learner.Learner:
        """Learn from the games by one rule after the other, on the same table."""
        table = AfterstateTable()
        plain = plain_learner.Learner(policy, rules[0], ALPHA, GAMMA, explore=explore)
        for plain.rule in rules:
            learner = new_learner(table, plain.rule, policy, explore)
            batch = learner.play(range(games), 0.3, random.Random(5))
            self.assertGreater(batch.moved, 0)
            self.assertEqual(learner.play((), 0.3, random.Random(5)).moved, 0)
            plain.visits.clear()
            epsilon, source = 0.3, random.Random(5)
            for number in range(games):
                plain.play_game(number, epsilon, source)
                epsilon = SCHEDULE.after(epsilon)
            self.assertEqual((batch.games, batch.epsilon), (games, epsilon))
        only_one_has = sorted(set(table.states()) ^ plain.rows)
        self.assertEqual([format_board(state) for state in only_one_has[:5]], [])
        for after in {after for state in plain.rows for after in moves_of(state).values()}:
            value, proof = table.values[after], plain.proofs.get(after)
            self.assertEqual({WON: LOSS, LOST: WIN}.get(table.status[after]), proof)
            if proof != WIN:
                has_estimate = table.has_estimate(after)
                self.assertEqual(value if has_estimate else None, plain.estimates.get(after))
        for state in plain.rows:
            if plain.proofs.get(state) != WIN:  # where all moves lose, the table has win rates
                for action, after in moves_of(state).items():
                    found = table.row(state).get(action, 0.0)
                    self.assertEqual(found, plain.value(after) / WIN)
        return plain

    def test_whatever_the_rule_and_the_opponent(self) -> None:
        cases = ("terminal", MYOPIC), ("terminal", NARROW)
        for rule, policy in (*product(UPDATE_RULES, (None, TIRING)), *cases):
            with self.subTest(rule=rule, policy=policy):
                self.check((rule,), policy, 60 if policy is NARROW else 30)

    def test_whatever_is_explored(self) -> None:
        for name, policy in product(EXPLORATION_RULES, (None, TIRING)):
            with self.subTest(explore=name, policy=policy):
                self.check(("terminal",), policy, 30, EXPLORATION_RULES[name].explore)

    # Games begin late, so that every possible move is soon tried.
    @mock.patch("traffic_lights.learning.learner.EMPTY_BOARD", LATE)
    @mock.patch("tests.learning.plain_learner.EMPTY_BOARD", LATE)
    def test_where_losses_keep_estimates_and_where_the_rule_changes(self) -> None:
        for policy in (None, MYOPIC):
            plain = self.check(("terminal",), policy, 200)
            kept = [after for after in plain.estimates if plain.proofs.get(after) == LOSS]
            self.assertEqual(len(kept) > 5, policy is not None, "it finds its own wins")
            self.assertIn(0, plain.estimates.values(), "a move that was tried may stand at 0")
        for before in UPDATE_RULES:
            with self.subTest(before=before):
                self.check((before, "terminal"), MYOPIC, 30)

    def test_the_other_rules_move_estimates_towards_what_the_page_says(self) -> None:
        game = [(n, 0, n + 1) for n in range(4)]
        expected = {
            "last-action": [(3, WIN), (2, LOSS)],
            "q-learning": [(0, 100), (1, 150), (2, LOSS), (3, WIN)],
            "monte-carlo": [(3, WIN), (2, LOSS), (1, WIN / 2), (0, LOSS / 2)],
        }
        for rule, targets in expected.items():
            find = UPDATE_RULES[rule].targets
            assert find is not None
            with mock.patch.object(Learner, "highest_value", lambda _, n: 100 * n):
                found = find(game, WIN, 0.5, new_learner(AfterstateTable(), rule, MYOPIC))
                self.assertEqual([(state, target) for (state, *_), target in found], targets, rule)
