import json
import math
import os
import random
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from tests.kit.samples import IS_SLOW_RUN, late_states, live_states, tablebase
from traffic_lights.board.rules import (
    EMPTY_BOARD,
    STEPS,
    State,
    is_terminal,
    legal_actions,
    mover,
    ply,
)
from traffic_lights.board.threats import myopic_actions
from traffic_lights.judging import best_response
from traffic_lights.judging.best_response import (
    FILE_NAME,
    HORIZONS,
    BestScore,
    as_json,
    best_chance,
    best_chances,
    best_score,
    compute_all,
    from_json,
)
from traffic_lights.judging.evaluation import evaluate
from traffic_lights.players.contestants import Contestant
from traffic_lights.players.horizon import horizon_actions, horizon_choices
from traffic_lights.system.folders import shipped_tables

SOUND = {"first": 0.5, "second": 1.0, "is_bound": False}
HOSTILE: list[object] = [
    1, {"a": 1}, {"a": {}}, {"a": {"first": 0.5}}, {"a": {**SOUND, "more": 1}},
    *({"a": {**SOUND, name: value}} for name, value in (
        ("first", "0.5"), ("first", True), ("first", 1.5), ("second", None), ("second", [1]),
        ("is_bound", 0), ("first", {}),
    )),
]  # fmt: skip


def naive_chance(state: State) -> float:
    """Return the best chance of Player 1 against Random from *state*, by plain recursion."""
    values = []
    for action in legal_actions(state):
        successor = state + STEPS[action]
        if is_terminal(successor):
            values.append(1.0 - mover(state))
        else:
            values.append(naive_chance(successor))
    return max(values) if mover(state) == 0 else sum(values) / len(values)


class StoredScoreTests(unittest.TestCase):
    def test_every_standard_opponent_has_one(self) -> None:
        for name in ("random", "alternate", "myopic", "exact", *(f"horizon-{n}" for n in HORIZONS)):
            best = best_score(name)
            assert best.first is not None
            assert best.total is not None
            self.assertTrue(0 <= best.first <= 1)
            self.assertEqual(best.second, 1.0)
            self.assertEqual(best.total, (best.first + 1) / 2)
            self.assertEqual(best.is_bound, name == "alternate")
        self.assertEqual(best_score("exact"), BestScore(0.0))

    def test_horizon_2_is_myopic_and_further_sight_leaves_less(self) -> None:
        firsts = [best_score(f"horizon-{depth}").first or 0.0 for depth in HORIZONS]
        self.assertEqual(firsts[1], best_score("myopic").first)
        self.assertEqual(firsts, sorted(firsts, reverse=True))

    def test_whom_nobody_computed_is_not_known(self) -> None:
        self.assertEqual(best_score("horizon-30"), BestScore(None))
        self.assertIsNone(best_score("qtable.json").total)

    def test_the_file_is_what_the_command_writes(self) -> None:
        text = (shipped_tables() / FILE_NAME).read_text("utf-8")
        scores = from_json(json.loads(text))
        self.assertEqual(json.dumps(as_json(scores), indent=1) + "\n", text)

    def test_other_values_are_refused(self) -> None:
        values: list[object] = [None, [], {}, {"format": "x"}]
        values += [{"format": "traffic-lights-best-scores", "best": best} for best in HOSTILE]
        for value in values:
            with self.assertRaises(ValueError):
                from_json(value)

    @unittest.skipUnless(hasattr(os, "mkfifo"), "needs what POSIX has for files")
    def test_a_shipped_file_that_is_none_counts_as_missing_and_holds_nobody_up(self) -> None:
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        path = folder / FILE_NAME
        for lay in (lambda: os.mkfifo(path), lambda: path.symlink_to("/dev/zero"), path.mkdir,
                    lambda: path.write_bytes(b" " * (1 << 20)), lambda: None):  # fmt: skip
            lay()
            with mock.patch.object(best_response, "shipped_tables", return_value=folder):
                self.assertEqual(best_response._stored.__wrapped__(), {})
            if path.is_dir():
                path.rmdir()
            else:
                path.unlink(missing_ok=True)

    def test_no_player_scores_better(self) -> None:
        for name in ("random", "myopic", "horizon-3"):
            *_, row = evaluate(Contestant("exact"), [Contestant(name)], 200, seed=2)
            first = best_score(name).first
            assert first is not None
            self.assertLessEqual(row.first.rate, first + 4 * math.sqrt(first * (1 - first) / 100))


class ComputedScoreTests(unittest.TestCase):
    def test_horizon_choices_are_those_of_the_search(self) -> None:
        rng = random.Random(6)
        states = live_states(rng, 150) + rng.sample(list(late_states(25)), 150)
        for depth in (1, 2, 3, 4, 5, 26):
            choices = horizon_choices(tablebase(), depth)
            for state in states:
                if depth < 20 or ply(state) > 18:
                    self.assertEqual(choices(state), horizon_actions(state, depth))

    def test_chances_equal_a_naive_recursion(self) -> None:
        chances = best_chances(legal_actions)
        self.assertAlmostEqual(chances[EMPTY_BOARD], best_score("random").first or 0.0, places=10)
        rng = random.Random(7)
        for state in rng.sample(list(late_states(26)), 200):
            self.assertAlmostEqual(chances[state], naive_chance(state), places=12)

    def test_whose_scores_are_computed_and_which_are_bounds_is_as_stored(self) -> None:
        with mock.patch.object(best_response, "best_chance", return_value=0.5):
            computed = dict(compute_all())
        self.assertEqual({score.first for score in computed.values()}, {0.5})
        stored = best_response._stored()
        self.assertEqual(
            {name: score.is_bound for name, score in computed.items()},
            {name: score.is_bound for name, score in stored.items()},
        )
        # The chances themselves take minutes; the normal run computes Random's, in the test above.
        if IS_SLOW_RUN:
            for name, score in compute_all():
                self.assertAlmostEqual(score.first or 0.0, stored[name].first or 0.0, places=10)
            self.assertEqual(best_chance(myopic_actions, seat=1), 1.0)
