"""The learner, on its table and on one of dicts; what it learns from a game stands in the pages."""

import random
import unittest
from dataclasses import replace
from itertools import product
from typing import Any
from unittest import mock

from traffic_lights.board.baselines import ALTERNATE, MYOPIC, RANDOM, Policy
from traffic_lights.board.rules import State, legal_actions, play
from traffic_lights.board.symmetry import canonical, orbit
from traffic_lights.learning.afterstates import LOSS, LOST, TRIED, WIN, WON, AfterstateTable
from traffic_lights.learning.exploration import EXPLORATION_RULES, EpsilonSchedule
from traffic_lights.learning.learner import Learner
from traffic_lights.learning.update_rules import UPDATE_RULES

TIRING = replace(ALTERNATE, lasts=(2, 5))
NARROW = Policy(lambda state: legal_actions(state)[:2])
"""Meets the same positions so often that what is proven to lose has estimates."""
LATE: State = 2_347_969
"""A position of ply 16: games from it come back to where they have proven a loss."""


class Shared(dict[State, int]):
    """A number for each position and its mirror images; 0 if none was set."""

    def __getitem__(self, state: State) -> int:
        return self.get(canonical(state), 0)

    def __setitem__(self, state: State, number: int) -> None:
        super().__setitem__(canonical(state), number)


class PlainTable:
    """What a learner asks an `AfterstateTable` for, with nothing that is there for speed."""

    opponent_may_fail = True

    def __init__(self) -> None:
        self.values, self.status = Shared(), Shared()
        self.rows: dict[State, set[State]] = {}
        """The positions after the moves of each row."""
        self.deltas: list[object] = []

    def has_estimate(self, after: State) -> bool:
        return self.status[after] != 0 and abs(self.values[after]) < WIN

    def set_estimate(self, after: State, value: int) -> int:
        if self.status[after] != LOST:
            self.values[after] = max(LOSS + 1, min(value, WIN - 1))
            self.status[after] = self.status[after] or TRIED
        return self.values[after]

    def add_row(self, state: State) -> None:
        if state not in self.rows:
            self.rows[state] = {canonical(play(state, action)) for action in legal_actions(state)}
            self.decide(state)

    def decide(self, state: State) -> None:
        statuses = {self.status[after] for after in self.rows[state]}
        if LOST in statuses:
            self.prove(state, WON)
        elif statuses == {WON}:
            self.prove(state, LOST)

    def prove(self, after: State, proof: int) -> None:
        if (before := self.status[after]) in (WON, LOST):
            return
        self.status[after] = proof
        if proof == LOST or not before or not self.opponent_may_fail:
            self.values[after] = WIN if proof == LOST else LOSS
        for state in [each for each, afters in self.rows.items() if canonical(after) in afters]:
            self.decide(state)


def new_learner(table: Any, rule: str, policy: Policy | None, explore: str = "random") -> Learner:
    return Learner(
        table, policy, rule, alpha=0.25, gamma=0.9,
        explore=EXPLORATION_RULES[explore].explore, schedule=EpsilonSchedule(0.05, 0.99),
    )  # fmt: skip


class LearnerTests(unittest.TestCase):
    def check(
        self, rules: tuple[str, ...], policy: Policy | None, games: int, explore: str = "random"
    ) -> PlainTable:
        """Learn by one rule after the other, on both tables; return the plain one."""
        table, plain = AfterstateTable(), PlainTable()
        for rule, each in product(rules, (table, plain)):
            learner = new_learner(each, rule, policy, explore)
            batch = learner.play(range(games), 0.3, random.Random(5))
            self.assertEqual((batch.games, batch.moved > 0), (games, True))
            self.assertAlmostEqual(batch.epsilon, max(0.05, 0.3 * 0.99**games))
            self.assertEqual(learner.play((), 0.3, random.Random(5)).moved, 0)
            plain.deltas.clear()
        self.assertEqual([*table.states()], sorted(plain.rows))
        for after in {*plain.rows}.union(*plain.rows.values()):
            for image in orbit(after):
                self.assertEqual(table.status[image], plain.status[after])
                self.assertEqual(table.values[image], plain.values[after])
        self.assertEqual(table.decided, sum(plain.status[state] >= WON for state in plain.rows))
        for state in plain.rows:
            is_lost = plain.status[state] == LOST
            row = {action: -1.0 if is_lost else plain.values[after] / WIN
                   for action in legal_actions(state)
                   if plain.status[after := play(state, action)]}  # fmt: skip
            self.assertEqual(table.canonical_row(state), row)
        return plain

    def test_whatever_the_rule_the_opponent_and_the_exploration(self) -> None:
        self.check(("terminal",), NARROW, 60)
        for policy, explore in product((None, TIRING, MYOPIC), EXPLORATION_RULES):
            for rule in UPDATE_RULES if explore == "random" else ("terminal",):
                with self.subTest(rule=rule, policy=policy, explore=explore):
                    self.check((rule,), policy, 30, explore)

    @mock.patch("traffic_lights.learning.learner.EMPTY_BOARD", LATE)
    def test_where_losses_keep_estimates_and_where_the_rule_changes(self) -> None:
        for policy in (None, MYOPIC):
            plain = self.check(("terminal",), policy, 200)
            lost = [after for after in plain.status if plain.status[after] == WON]
            kept = list(filter(plain.has_estimate, lost))
            self.assertEqual(len(kept) > 5, policy is not None, "it finds its own wins")
            tried = [after for after in plain.status if plain.status[after] == TRIED]
            self.assertIn(0, map(plain.values.get, tried), "a tried move may stand at 0")
        for before in UPDATE_RULES:
            with self.subTest(before=before):
                self.check((before, "terminal"), MYOPIC, 30)

    def test_a_bot_plays_by_its_table_what_it_would_play_without_exploring(self) -> None:
        for rule in UPDATE_RULES:
            table = AfterstateTable()
            learner = new_learner(table, rule, RANDOM)
            learner.play(range(80), 0.3, random.Random(6))
            for state in [*table.states()][::7]:
                if table.proven_result(state) >= 0:  # else it plays what has won most often
                    source = random.Random(state)
                    drawn = {learner.choose(state, 0, source) for _ in range(100)}
                    best = table.best_canonical_actions(state)
                    self.assertEqual(tuple(sorted(drawn)), best, rule)

    def test_the_other_rules_move_estimates_towards_what_the_page_says(self) -> None:
        game = [(n, 0, n + 1) for n in range(4)]
        learner = mock.Mock(highest_value=lambda n: 100 * n)
        for rule, targets in (
            ("last-action", [(3, WIN), (2, LOSS)]),
            ("q-learning", [(0, 100), (1, 150), (2, LOSS), (3, WIN)]),
            ("monte-carlo", [(3, WIN), (2, LOSS), (1, WIN / 2), (0, LOSS / 2)]),
        ):
            find = UPDATE_RULES[rule].targets
            assert find is not None
            found = find(game, WIN, 0.5, learner)
            self.assertEqual([(state, target) for (state, *_), target in found], targets, rule)
