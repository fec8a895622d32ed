"""A bot as it was: the snapshots that every run keeps, and what their scores are."""

import random
import tempfile
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

from tests.kit.runs import folder, tiny, train_in
from tests.kit.samples import FolderTestCase
from tests.kit.trained import shipped
from traffic_lights.board.baselines import MYOPIC, Policy
from traffic_lights.board.exact_score import exact_score
from traffic_lights.learning.qtable import QTable, TableBot
from traffic_lights.learning.tablefile import read_table, write_table
from traffic_lights.storage.files import StorageError
from traffic_lights.training import plans, snapshots
from traffic_lights.training.bot_note import read_note, write_note
from traffic_lights.training.folder import snapshot_path
from traffic_lights.training.gauge import Gauge
from traffic_lights.training.plans import BATCH
from traffic_lights.training.progress import run_in, settings_of_last_run
from traffic_lights.training.run import Training
from traffic_lights.training.settings import RunSettings
from traffic_lights.training.snapshots import MILESTONES, kept_snapshots, snapshot_games


def contents(table: QTable) -> dict[int, dict[int, float]]:
    return {state: table.canonical_row(state) for state in table.states()}


class SnapshotTests(FolderTestCase):
    def setUp(self) -> None:
        self.enterContext(mock.patch.object(plans, "BATCH", 10))
        self.enterContext(mock.patch.object(snapshots, "MILESTONES", range(0, 1000, 20)))

    def test_each_is_the_table_of_a_run_of_so_many_games(self) -> None:
        wanted: dict[str, Any] = {"plan": "myopic", "games": 70, "seed": 7}
        train_in(self.folder, wanted)
        self.assertEqual(snapshot_games(self.folder), [20, 40, 60])
        for games in (20, 40, 60):
            with tempfile.TemporaryDirectory() as other:
                train_in(Path(other), {**wanted, "games": games})
                whole = read_table(Path(other) / "qtable.json")
            table = read_table(snapshot_path(self.folder, games))
            self.assertEqual(contents(table), contents(whole))
            self.assertIsNone(run_in(table.meta), "no run goes on from it")
            of_run = RunSettings(**wanted)
            of_1_4 = {"games": games, "settings": of_run.as_json(), "decided": 0}
            for meta in (table.meta, of_1_4):
                self.assertEqual(settings_of_last_run(meta), of_run)

    def test_the_table_that_learns_on_keeps_its_own_meta(self) -> None:
        with Training(self.folder, {"plan": "random", "games": 50}) as training:
            before = training.table.meta
            metas = [training.table.meta for moment in training.play() if moment.is_kept]
        self.assertEqual(metas, [before, before])

    def test_the_end_of_a_run_has_one_when_another_follows(self) -> None:
        train_in(self.folder, {"plan": "random", "games": 40})
        self.assertEqual(snapshot_games(self.folder), [20])
        train_in(self.folder, {"plan": "myopic", "games": 35})
        self.assertEqual(snapshot_games(self.folder), [20, 40, 60])
        last = settings_of_last_run(read_table(snapshot_path(self.folder, 60)).meta)
        self.assertEqual((last and last.plan, last and last.games), ("myopic", 35))
        before = settings_of_last_run(read_table(snapshot_path(self.folder, 40)).meta)
        self.assertEqual((before and before.plan), "random")
        of_table = settings_of_last_run(read_table(self.folder / "qtable.json").meta)
        self.assertEqual(of_table, last)
        passed = {games for games in MILESTONES if games <= 100_000}
        thousands = 0, 1, 2, 5, 10, 15, 20, 30, 50, 70, 100
        self.assertEqual(passed, {1_000 * number for number in thousands})
        self.assertFalse([games for games in passed if games % BATCH], "taken at ends of batches")

    def test_a_run_that_stops_after_every_batch_keeps_the_same(self) -> None:
        self.enterContext(tiny())
        self.enterContext(mock.patch.object(snapshots, "MILESTONES", range(0, 1000, 20)))
        for wanted in ({"plan": "random", "games": 70}, {"plan": "reverse", "practice": "none"}):
            kept = []
            for stop in (mock.Mock(return_value=False), mock.Mock(return_value=True)):
                is_finished = False
                with folder() as where:
                    while not is_finished:
                        with Training(where, wanted) as training:
                            list(training.play(stop))
                            is_finished = training.run.is_finished
                    kept.append(snapshot_games(where))
            self.assertEqual(kept[0], kept[1])
            self.assertTrue(kept[0])

    def test_a_full_disk_does_not_disturb_the_training(self) -> None:
        def write(path: Path, table: QTable) -> None:
            if path == snapshot_path(self.folder, 40):
                raise StorageError("full")
            write_table(path, table)

        with mock.patch.object(snapshots, "write_table", write):
            training = train_in(self.folder, {"plan": "random", "games": 90})
        self.assertTrue(training.run.is_finished)
        self.assertEqual(snapshot_games(self.folder), [20, 60, 80])

    def test_what_is_of_no_more_use_goes_and_the_files_of_others_stay(self) -> None:
        train_in(self.folder, {"plan": "random", "games": 50})
        half, mine = (self.folder / "history" / f"{name}.{16 * '0'}.tmp"
                      for name in ("20.json.gz", "notes.txt"))  # fmt: skip
        of_a_killed_run = snapshot_path(self.folder, 100)
        for path in (half, mine, of_a_killed_run):
            path.write_bytes(b"half")
        train_in(self.folder, {"plan": "random", "games": 30})
        self.assertEqual((half.exists(), mine.exists()), (False, True))
        self.assertEqual(snapshot_games(self.folder), [20, 40, 60])
        with Training(self.folder, {}, fresh=True):
            pass
        self.assertEqual((snapshot_games(self.folder), mine.exists()), ([], True))

    def test_what_has_no_score_yet_is_measured_once(self) -> None:
        train_in(self.folder, {"plan": "random", "games": 70})
        self.enterContext(mock.patch("traffic_lights.training.gauge.SAMPLED_GAMES", 20))
        write_note(self.folder, solved=[1, 2])
        kept = kept_snapshots(self.folder)
        self.assertEqual(read_note(self.folder).solved, (1, 2))
        self.assertEqual(
            [(one.games, one.opponent) for one in kept],
            [(games, "random") for games in (20, 40, 60)],
        )
        self.assertEqual([one.games for one in read_note(self.folder).points], [20, 40, 60])
        with mock.patch.object(Gauge, "measure") as measure:
            again = kept_snapshots(self.folder)
        measure.assert_not_called()
        self.assertEqual([one.score for one in again], [one.score for one in kept])
        snapshot_path(self.folder, 40).write_text("damaged")
        self.assertEqual(len(kept_snapshots(self.folder)), 3, "its score is known")


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

    def test_a_bot_that_wins_in_one_seat_has_its_score_there_and_again_the_same(self) -> None:
        gauge = Gauge("myopic")
        found, again = (
            gauge.measure(shipped("myopic-8000"), 8000, 9, is_quick=True) for _ in range(2)
        )
        self.assertTrue(found.first < 0.2 < 0.6 < found.second, found)
        self.assertEqual(found, again)
