"""A bot as it was: the same table as that of a run that ended then, kept on the disk or not."""

import math
import os
import random
import tempfile
import unittest
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest import mock

from tests.kit.runs import reached_from, train_in
from tests.kit.samples import PROJECT, all_starts
from tests.kit.trained import shipped
from traffic_lights.board.baselines import BASELINES, MYOPIC, Policy
from traffic_lights.board.exact_score import exact_score
from traffic_lights.board.positions import POSITIONS
from traffic_lights.board.rules import EMPTY_BOARD, parse_board
from traffic_lights.learning.qtable import QTable, TableBot
from traffic_lights.learning.rowtable import RowTable
from traffic_lights.learning.tablefile import read_meta, read_table, write_table
from traffic_lights.storage.files import StorageError
from traffic_lights.training import plans
from traffic_lights.training import rerun as module
from traffic_lights.training.folder import snapshot_path
from traffic_lights.training.gauge import Gauge
from traffic_lights.training.progress import Run, meta_of
from traffic_lights.training.rerun import (
    SHARES,
    SnapshotTimes,
    expected_snapshots,
    milestones,
    rerun,
    settings_of_last_run,
    table_after,
)
from traffic_lights.training.settings import RunSettings, SettingsError
from traffic_lights.training.snapshots import kept_snapshots, make_snapshots

GAUGE = "traffic_lights.training.gauge"
TABLE = PROJECT / "qtables" / "myopic-200.json"


def contents(table: QTable) -> dict[int, dict[int, float]]:
    return {state: table.canonical_row(state) for state in table.states()}


def trained(*runs: dict[str, Any]) -> QTable:
    """Return the table of *runs* one after the other."""
    with tempfile.TemporaryDirectory() as folder:
        for wanted in runs:
            train_in(Path(folder), wanted)
        return read_table(Path(folder) / "qtable.json")


class ReplayTests(unittest.TestCase):
    def test_each_snapshot_is_the_table_of_a_run_of_so_many_games(self) -> None:
        whole = trained({"plan": "myopic", "games": 600, "seed": 7})
        # The last snapshot is in a dense table.
        with mock.patch.object(module, "FEW_GAMES", 400):
            seen = {games: contents(table) for games, _, table in rerun(whole.meta)}
        self.assertEqual(list(seen), milestones(600))
        self.assertEqual(seen[600], contents(whole))
        self.assertEqual(seen[40], contents(trained({"plan": "myopic", "games": 40, "seed": 7})))
        self.assertEqual(contents(table_after(whole.meta, 40)), seen[40])

    def test_the_runs_on_one_table_follow_each_other(self) -> None:
        whole = trained(
            {"plan": "random", "games": 300, "seed": 1}, {"plan": "myopic", "games": 500, "seed": 2}
        )
        *_, (games, _, table) = rerun(whole.meta)
        self.assertEqual((games, contents(table)), (800, contents(whole)))

    def test_a_run_without_a_limit_is_practised_to_its_end(self) -> None:
        starts = reached_from(parse_board("0231/2023/3303"))
        self.enterContext(mock.patch.object(plans, "starting_positions", return_value=starts))
        self.enterContext(mock.patch.object(plans, "BATCH", 2))
        whole = trained({"plan": "reverse", "seed": 7})
        *_, (games, _, table) = rerun(whole.meta)
        self.assertEqual(games, whole.meta["games"])
        rates, again = (
            [one.win_rate_row(state) for state in whole.states()] for one in (whole, table)
        )
        self.assertTrue(any(rates))
        self.assertEqual(again, rates)

    def test_a_plan_that_proves_is_shown_by_share(self) -> None:
        self.enterContext(mock.patch.object(plans, "starting_positions", all_starts))
        whole = trained({"plan": "reverse", "games": 8_000, "seed": 7})
        with mock.patch.object(module, "SHARES", 1_000):
            shares = [
                (games, decided * 1_000 // POSITIONS) for games, decided, _ in rerun(whole.meta)
            ]
        self.assertEqual([share for _, share in shares[:-1]], [1, 2])
        self.assertEqual(shares[-1][0], 8_000)

    def test_a_run_with_an_unknown_setting_is_not_played_again_without_it(self) -> None:
        (run,) = meta_of(Run.begun(RunSettings()), {})["runs"]
        run["settings"]["surprise"] = 1
        expected = "cannot be made again: its setting 'surprise' is not known"
        with self.assertRaisesRegex(SettingsError, expected):
            table_after({"runs": [run]}, 3)

    def test_more_games_than_were_played_are_refused(self) -> None:
        for games in (0, 201):
            with self.assertRaisesRegex(SettingsError, "from 1 to the bot's 200"):
                table_after(read_meta(TABLE), games)


class MilestoneTests(unittest.TestCase):
    def test_a_student_finds_the_bot_in_every_part_of_a_long_curve(self) -> None:
        for games in (20_000, 40_000, 99_999, 100_000, 199_999, 3_000_000):
            steps = [later - one for one, later in pairwise(milestones(games))]
            self.assertLessEqual(max(steps), games / 4)


class GaugeTests(unittest.TestCase):
    def test_the_last_score_is_exact_if_the_bot_reaches_few_positions(self) -> None:
        table = shipped("complete")
        found = Gauge("myopic").measure(table, 100, 9, is_last=True)
        exact = exact_score(Policy(TableBot(table, random.Random(1)).choices), MYOPIC, 150_000)
        assert exact is not None
        self.assertEqual((found.first, found.second, found.sampled), (exact.first, exact.second, 0))
        self.assertEqual((found.games, found.decided, found.opponent), (100, 9, "myopic"))
        quick = Gauge("myopic").measure(table, 100, 9, is_quick=True)
        self.assertGreater(quick.sampled, 0)

    def test_a_student_reads_how_often_a_bot_takes_a_win_in_one_move_and_blocks_one(self) -> None:
        for table, least, most in ((shipped("complete"), 1.0, 1.0), (RowTable(), 0.05, 0.6)):
            found = Gauge("random").measure(table, 100, 9, is_quick=True)
            for share in (found.wins_taken, found.wins_blocked):
                assert share is not None
                self.assertTrue(least <= share <= most, share)

    def test_between_perfect_players_the_second_wins_every_sampled_game(self) -> None:
        table = shipped("complete")
        gauge = Gauge("myopic")
        gauge.policy = Policy(TableBot(table, random.Random(1)).choices)
        found = gauge.measure(table, 100, 9, is_quick=True)
        self.assertEqual((found.first, found.second, found.score), (0.0, 1.0, 0.5))
        self.assertEqual((found.games, found.decided, found.sampled), (100, 9, 200))
        opening = tuple(table.value(EMPTY_BOARD, action) for action in range(12))
        self.assertEqual((found.opening, found.others), (opening, ()))


class SnapshotTests(unittest.TestCase):
    def test_who_trains_a_proof_waits_for_no_snapshot_of_the_solved_game(self) -> None:
        times = SnapshotTimes()
        solved = [math.ceil(POSITIONS * part / SHARES) for part in range(1, SHARES + 1)]
        due = [count for count in solved if times.is_due("reverse", count, count)]
        self.assertEqual(due, solved[:-1])

    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.meta = read_meta(TABLE)

    def test_they_are_kept_until_the_bot_has_learned_more(self) -> None:
        self.assertIsNone(kept_snapshots(self.folder, self.meta))
        # This test does not look at scores.
        self.enterContext(mock.patch(f"{GAUGE}.SAMPLED_GAMES", 20))
        self.enterContext(mock.patch(f"{GAUGE}.exact_score", return_value=None))
        made = list(make_snapshots(self.folder, self.meta))
        self.assertEqual({one.opponent for one in (made[0], *made[0].others)}, set(BASELINES))
        self.assertEqual([one.games for one in made], milestones(200))
        self.assertEqual(len(made), expected_snapshots(self.meta))
        self.assertEqual(kept_snapshots(self.folder, self.meta), made)
        table = read_table(snapshot_path(self.folder, 70))
        self.assertEqual(contents(table), contents(table_after(self.meta, 70)))
        self.assertEqual(settings_of_last_run(table.meta), settings_of_last_run(self.meta))
        packed = snapshot_path(self.folder, 200)
        plain_path = packed.with_suffix("")
        write_table(plain_path, read_table(packed))
        self.assertLess(packed.stat().st_size, plain_path.stat().st_size / 4)
        self.assertEqual(snapshot_path(self.folder, 200), plain_path, "as version 1.3 wrote it")
        runs = self.meta["runs"]
        more = {**self.meta, "runs": [*runs, {**runs[0], "games": 1}]}
        self.assertIsNone(kept_snapshots(self.folder, more))
        (self.folder / "history" / "index.json").write_text("{")
        self.assertIsNone(kept_snapshots(self.folder, self.meta))

    @unittest.skipIf(os.name == "nt", "links of POSIX")
    def test_a_folder_of_photos_behind_a_link_is_left_alone(self) -> None:
        photos = self.folder / "photos"
        photos.mkdir()
        for name in ("1.json", "index.json"):
            (photos / name).write_text("precious")
        link = self.folder / "history"
        link.symlink_to(photos)
        with self.assertRaisesRegex(StorageError, f"cannot delete {link}: it is a link"):
            next(make_snapshots(self.folder, self.meta))
        kept = {path.name: path.read_text() for path in photos.iterdir()}
        self.assertEqual(kept, {"1.json": "precious", "index.json": "precious"})

    def test_a_bot_of_unknown_origin_is_refused_in_one_sentence(self) -> None:
        for meta in ({}, {"imported": {}, "runs": [{"games": 5}]}, {"runs": [{"games": 5}]}):
            for act in (expected_snapshots, lambda meta: list(make_snapshots(self.folder, meta))):
                with self.assertRaisesRegex(SettingsError, "cannot be made again"):
                    act(meta)
