"""Plans: the tables that they make, what they solve, and when they end."""

import hashlib
import tempfile
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

from tests.kit.runs import LATE, reached_from
from tests.kit.samples import all_starts
from tests.kit.trained import trained
from traffic_lights.board.rules import (
    LONGEST_GAME,
    STEPS,
    is_terminal,
    legal_actions,
    parse_board,
)
from traffic_lights.board.symmetry import canonical
from traffic_lights.learning import prune
from traffic_lights.learning.batches import TrainingState
from traffic_lights.learning.qtable import QTable
from traffic_lights.learning.rowtable import RowTable, copy_of
from traffic_lights.training import plans
from traffic_lights.training.plans import (
    make_stages,
    played,
    table_for,
)
from traffic_lights.training.progress import Progress, Run
from traffic_lights.training.run import Training
from traffic_lights.training.settings import PROVING, SETTINGS, RunSettings

LATER = 8_193_699
"""A position of ply 18, after which little can follow."""
OTHER = {"games": 240, "alpha": 0.4}
GOLDEN: tuple[tuple[dict[str, Any], str], ...] = (
    ({"plan": "reverse", "games": 600}, "4bab0bcc0c7a27bc"),
    ({"plan": "selfplay", "games": 300}, "7813eed41e3c2a4b"),
    ({"plan": "selfplay", "games": 300, "explore": "least-visited"}, "e7213c293222e8ad"),
    ({"plan": "baselines", "games": 400}, "3d62fce23a676074"),
    ({"plan": "random", "games": 240}, "8ed03819499f08fe"),
    ({"plan": "alternate", "games": 240}, "dc8683817672c7e7"),
    ({"plan": "myopic", "games": 240}, "f7fc0cd690044688"),
    ({"plan": "self", "games": 240}, "ceddf7687f03f548"),
    ({"plan": "myopic", "update": "last-action", **OTHER}, "4ff478305d267d9d"),
    ({"plan": "myopic", "update": "bootstrap", "gamma": 0.9, **OTHER}, "70442ac2ae9445cd"),
    ({"plan": "myopic", "update": "monte-carlo", "gamma": 0.9, **OTHER}, "8950201e29c1c02c"),
)
"""Settings and the SHA-256 of the table that they make, the same since version 1.4."""


def progress_of(settings: RunSettings) -> list[Progress]:
    """Return how far a run is after each of its batches."""
    learner = TrainingState(table_for(settings, RowTable()))
    stages = make_stages(settings, learner)
    return [run.progress for _, run in played(Run.begun(settings), stages)]


class GoldenTests(unittest.TestCase):
    def test_stopped_after_every_batch_each_run_makes_its_golden_table(self) -> None:
        self.enterContext(mock.patch.object(plans, "starting_positions", all_starts))
        self.enterContext(mock.patch.object(plans, "BATCH", 200))
        for wanted, golden in GOLDEN:
            with self.subTest(**wanted), tempfile.TemporaryDirectory() as folder:
                is_finished, starts = False, 0
                while not is_finished:
                    with Training(Path(folder), wanted) as training:
                        list(training.play(lambda: True))
                        is_finished = training.run.is_finished
                    starts += 1
                self.assertGreater(starts, 1)
                for name in ("qtable.json", "qbot.json"):
                    found = hashlib.sha256((Path(folder) / name).read_bytes()).hexdigest()
                    self.assertEqual(found[:16], golden)


class PlanTests(unittest.TestCase):
    def test_the_table_that_a_plan_goes_on_with_keeps_its_proofs_and_what_the_plan_learns(
        self,
    ) -> None:
        before = copy_of(trained(RunSettings("myopic", games=100)))
        self.assertTrue(before.proofs and before.estimates)
        for plan in SETTINGS["plan"].choices:
            after = table_for(RunSettings(plan), before)
            self.assertEqual(isinstance(after, RowTable), plan in PROVING, plan)
            for state in before.states():
                row = before.canonical_row(state)
                if plan in PROVING:
                    row = {action: value for action, value in row.items() if abs(value) == 1}
                self.assertEqual(after.canonical_row(state), row, plan)
        before.estimates.clear()
        before.meta["estimates"] = True
        for plan in PROVING:
            self.assertFalse(list(table_for(RunSettings(plan), before).states()), "all are guesses")

    def test_baselines_divides_its_games_by_its_shares(self) -> None:
        settings = RunSettings("baselines", games=410, shares=(3, 0, 1, 1), seed=5)
        games = {at.stage: at.stage_games for at in progress_of(settings)}
        self.assertEqual(games, {0: 246, 1: 82, 2: 82})

    def test_the_reverse_curriculum_never_leaves_an_undecided_position_behind(self) -> None:
        self.enterContext(mock.patch.object(plans, "starting_positions", all_starts))
        learner = TrainingState(RowTable(dense=True))
        settings = RunSettings("reverse", games=20_000)
        stages = make_stages(settings, learner)
        *_, (_, run) = played(Run.begun(settings), stages)
        at = run.progress
        by_ply = all_starts()
        self.assertTrue(15 < at.ply < LONGEST_GAME - 5, at.ply)
        for states in by_ply[at.ply + 1 :]:
            self.assertTrue(all(learner.table.is_proven(state) for state in states))


class SelfPlayTests(unittest.TestCase):
    """Plan selfplay from a late position, so that it comes to its end."""

    def begin_at(self, start: int) -> None:
        for module in (plans, prune):
            self.enterContext(mock.patch.object(module, "EMPTY_BOARD", start))

    def test_it_ends_when_all_that_its_policy_can_reach_is_proven(self) -> None:
        for start, seed in ((LATE, 7), *((LATER, seed) for seed in range(10))):
            with self.subTest(start=start, seed=seed):
                self.begin_at(start)
                learner = TrainingState(RowTable())
                settings = RunSettings("selfplay", seed=seed, practice="none")
                *_, (_, run) = played(Run.begun(settings), make_stages(settings, learner))
                self.assertEqual(run.progress.stage, 1)
                self.assertGreater(run.progress.stage_games, 0)
                for seat in (0, 1):
                    self.check_reach(learner.table, start, seat)

    def check_reach(self, table: QTable, start: int, seat: int) -> None:
        """Go through all that the policy can reach from *start* when it plays *seat*."""
        layer = {start}
        number = 0
        while layer:
            is_own = number % 2 == seat
            if is_own:
                self.assertTrue(all(table.is_proven(state) for state in layer))
            choose = table.best_canonical_actions if is_own else legal_actions
            after = {state + STEPS[a] for state in layer for a in choose(state)}
            layer = {canonical(state) for state in after if not is_terminal(state)}
            number += 1
        self.assertGreater(number, 4)

    def test_stopped_after_every_batch_it_makes_the_same_tables(self) -> None:
        self.begin_at(LATE)
        self.enterContext(mock.patch("traffic_lights.training.run._is_small", return_value=True))
        made = []
        for stop in (lambda: False, lambda: True):
            with tempfile.TemporaryDirectory() as folder, mock.patch.object(plans, "BATCH", 10):
                is_finished = False
                while not is_finished:
                    with Training(Path(folder), {"plan": "selfplay", "seed": 7}) as training:
                        list(training.play(stop))
                        is_finished = training.run.is_finished
                files = [Path(folder) / name for name in ("qtable.json", "qbot.json")]
                made.append([file.read_bytes() for file in files])
        self.assertEqual(made[0], made[1])


class PracticeStageTests(unittest.TestCase):
    def setUp(self) -> None:
        starts = reached_from(parse_board("0231/2023/3303"))
        self.enterContext(mock.patch.object(plans, "starting_positions", return_value=starts))
        self.enterContext(mock.patch.object(plans, "BATCH", 2))

    def test_every_legal_action_of_every_lost_position_gets_its_chance(self) -> None:
        for opponent in ("myopic", "random"):
            learner = learned(RunSettings("reverse", practice=opponent))
            lost = set(learner.table.lost_states())
            for state in lost:
                self.assertEqual(tuple(learner.table.win_rate_row(state)), legal_actions(state))
            rates = {rate for s in lost for rate in learner.table.win_rate_row(s).values()}
            self.assertGreater(len(rates), 1)

    def test_it_is_over_when_the_games_of_the_run_are(self) -> None:
        games = progress_of(RunSettings("reverse"))[-1].games
        fewer = progress_of(RunSettings("reverse", games=games - 1))
        self.assertEqual(fewer[-1].stage, 1)
        self.assertLess(fewer[-1].games, games)


def learned(settings: RunSettings) -> TrainingState:
    """Return the learner of a whole run with *settings*."""
    learner = TrainingState(RowTable())
    for _ in played(Run.begun(settings), make_stages(settings, learner)):
        pass
    return learner


class LimitTests(unittest.TestCase):
    def test_a_limit_of_games_only_ends_a_run_earlier(self) -> None:
        self.enterContext(mock.patch.object(plans, "starting_positions", all_starts))
        self.enterContext(mock.patch.object(plans, "BATCH", 100))
        for plan in ("reverse", "selfplay", "myopic"):
            longer, _ = self.log_of(RunSettings(plan, games=400))
            for games in (1, 27, 236):  # the last two are within a position of the sweep
                with self.subTest(plan=plan, games=games):
                    log, run = self.log_of(RunSettings(plan, games=games))
                    self.assertTrue(longer.startswith(log))
                    self.assertEqual(log.count(b"\n"), run.progress.changes)
                    self.assertEqual((run.progress.games, run.is_finished), (games, True))

    def log_of(self, settings: RunSettings) -> tuple[bytes, Run]:
        """Return all records of a run with *settings*, and the run as it is then."""
        learner = TrainingState(table_for(settings, RowTable()))
        batches = list(played(Run.begun(settings), make_stages(settings, learner)))
        return b"".join(batch.records() for batch, _ in batches), batches[-1][1]
