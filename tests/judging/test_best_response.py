"""Best possible scores: computed by a second implementation, and never exceeded."""

import json
import math
import random
import unittest
from itertools import pairwise
from unittest import mock

from tests.kit.samples import IS_SLOW_RUN, late_states, outcome
from traffic_lights.board.baselines import Choices, Policy, myopic_actions
from traffic_lights.board.rules import (
    EMPTY_BOARD,
    STEPS,
    State,
    is_terminal,
    legal_actions,
    mover,
)
from traffic_lights.evaluate import main
from traffic_lights.judging import best_response
from traffic_lights.judging.best_response import (
    FILE_NAME,
    HORIZONS,
    best_chance,
    best_first,
    best_score,
    compute_all,
)
from traffic_lights.judging.evaluation import evaluate
from traffic_lights.players.roster import Entry, Group, Roster
from traffic_lights.system.folders import shipped_tables

ROSTER = Roster()
KEYS = list(
    dict.fromkeys([*(e.key for e in ROSTER.entries()), *(f"horizon-{n}" for n in HORIZONS)])
)


def best(key: str) -> float:
    return best_score(ROSTER.entry(key)) or 0.0


def naive_chance(state: State, seat: int) -> float:
    """Return the best chance of *seat* against Random from *state*, by plain recursion."""
    values = []
    for action in legal_actions(state):
        successor = state + STEPS[action]
        if is_terminal(successor):
            values.append(float(mover(state) == seat))
        else:
            values.append(naive_chance(successor, seat))
    return max(values) if mover(state) == seat else sum(values) / len(values)


class StoredScoreTests(unittest.TestCase):
    def test_the_file_has_every_standard_opponent_as_the_command_writes_it(self) -> None:
        text = (shipped_tables() / FILE_NAME).read_text("utf-8")
        with mock.patch.object(best_response, "best_first", side_effect=map(best, KEYS)):
            self.assertEqual(outcome(main, "--best-possible", "--quiet"), (0, text, ""))
        for key in KEYS:
            self.assertTrue(0 <= best(key) <= 1)
            self.assertEqual(json.loads(text)["best"][key]["is_bound"], key == "alternate")
        self.assertEqual(best_score(ROSTER.entry("exact")), 0.0)
        self.assertIsNone(best_score(ROSTER.entry("horizon-30")))
        self.assertIsNone(best_score(Entry("exact", "exact", "", Group.TABLE)))

    def test_horizon_2_is_myopic_and_a_farther_horizon_leaves_less(self) -> None:
        firsts = [best(f"horizon-{depth}") for depth in range(1, 9)]
        self.assertEqual(firsts[1], best("myopic"))
        self.assertTrue(all(one >= other for one, other in pairwise(firsts)))

    def test_no_player_scores_better(self) -> None:
        for key in ("random", "myopic", "horizon-3"):
            *_, row = evaluate(ROSTER.entry("exact"), [ROSTER.entry(key)], 200, seed=2)
            first = best(key)
            most = 100 * first + 4 * math.sqrt(100 * first * (1 - first))
            self.assertLessEqual(row.first.wins, most)


class ComputedScoreTests(unittest.TestCase):
    def test_chances_equal_a_naive_recursion(self) -> None:
        rng = random.Random(7)
        for state in rng.sample(list(late_states(26)), 200):
            found = best_chance(legal_actions, state)
            self.assertAlmostEqual(found, naive_chance(state, mover(state)), places=12)
        if IS_SLOW_RUN:
            self.assertEqual(
                {k: row["first"] for k, row in compute_all()}, {k: best(k) for k in KEYS}
            )
            for opening in legal_actions(EMPTY_BOARD):
                self.assertEqual(best_chance(myopic_actions, STEPS[opening]), 1.0)

    def test_the_bound_is_the_mean_over_every_length_of_the_phase(self) -> None:
        def chance(opponent: Choices) -> float:
            return float(len(opponent(EMPTY_BOARD)))

        strategy = Policy(lambda _: (0,), lasts=(0, 3))
        with mock.patch.object(best_response, "best_chance", chance):
            # If it tires at once, it plays any of 12 moves on the empty board, otherwise one.
            self.assertEqual(best_first(strategy), (12 + 1 + 1 + 1) / 4)
