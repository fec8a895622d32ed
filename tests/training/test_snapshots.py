"""A bot as it was: the snapshots that every run keeps, and what their scores are."""

import random
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
from traffic_lights.learning.tablefile import read_table, table_text, write_table
from traffic_lights.storage.files import StorageError
from traffic_lights.training import gauge, snapshots
from traffic_lights.training.bot_note import read_note, write_note
from traffic_lights.training.folder import snapshot_path
from traffic_lights.training.gauge import Gauge, Measured
from traffic_lights.training.plans import BATCH
from traffic_lights.training.progress import run_in, settings_of_last_run
from traffic_lights.training.run import Training
from traffic_lights.training.settings import RunSettings
from traffic_lights.training.snapshots import MILESTONES, measured_snapshots, snapshot_games

SEVENTY: dict[str, Any] = {"plan": "random", "games": 70}


class SnapshotTests(FolderTestCase):
    def setUp(self) -> None:
        self.enterContext(tiny(batch=10, kept_every=20))

    def test_each_is_the_table_of_a_run_of_so_many_games(self) -> None:
        with Training(self.folder, SEVENTY) as training:
            metas = [training.table.meta for moment in training.play() if moment.is_kept]
        self.assertFalse([meta for meta in metas if "decided" in meta], "that of the run stays")
        self.assertEqual(snapshot_games(self.folder), [20, 40, 60])
        for games in (20, 40, 60):
            table = read_table(snapshot_path(self.folder, games))
            with folder() as other:
                train_in(other, {**SEVENTY, "games": games})
                whole = read_table(other / "qtable.json")
            self.assertEqual([*table_text(table)][1:-1], [*table_text(whole)][1:-1])
            self.assertIsNone(run_in(table.meta), "no run goes on from it")
            self.assertEqual(settings_of_last_run(table.meta), RunSettings(**SEVENTY))
        of_1_4 = {"games": 20, "settings": RunSettings(**SEVENTY).as_json(), "decided": 0}
        self.assertEqual(settings_of_last_run(of_1_4), RunSettings(**SEVENTY))

    def test_the_end_of_a_run_has_one_when_another_follows(self) -> None:
        train_in(self.folder, {"plan": "random", "games": 40})
        self.assertEqual(snapshot_games(self.folder), [20])
        train_in(self.folder, {"plan": "myopic", "games": 35})
        self.assertEqual(snapshot_games(self.folder), [20, 40, 60])
        for path, plan in (
            (snapshot_path(self.folder, 40), "random"),
            (snapshot_path(self.folder, 60), "myopic"),
            (self.folder / "qtable.json", "myopic"),
        ):
            self.assertEqual(settings_of_last_run(read_table(path).meta).plan, plan)

    def test_the_milestones_are_at_ends_of_batches(self) -> None:
        self.assertFalse([games for games in MILESTONES if games % BATCH])

    def test_a_run_that_stops_after_every_batch_keeps_the_same(self) -> None:
        for wanted in (SEVENTY, {"plan": "reverse", "practice": "none"}):
            kept = []
            for is_stopped in (False, True):
                with folder() as where:
                    train_in(where, wanted, lambda _: is_stopped)  # noqa: B023
                    kept.append(snapshot_games(where))
            self.assertTrue(kept[0])
            self.assertEqual(kept[0], kept[1])

    def test_a_full_disk_does_not_disturb_the_training(self) -> None:
        def write(path: Path, table: QTable) -> None:
            if path == snapshot_path(self.folder, 40):
                raise StorageError("full")
            write_table(path, table)

        with mock.patch.object(snapshots, "write_table", write):
            self.assertEqual(len(train_in(self.folder, SEVENTY)), 1)
        self.assertEqual(snapshot_games(self.folder), [20, 60])

    def test_what_is_of_no_more_use_goes_and_the_files_of_others_stay(self) -> None:
        train_in(self.folder, {"plan": "random", "games": 50})
        half, mine = (self.folder / "history" / f"{name}.{16 * '0'}.tmp"
                      for name in ("20.json.gz", "notes.txt"))  # fmt: skip
        for path in (half, mine, snapshot_path(self.folder, 100)):  # the last of a killed run
            path.write_bytes(b"half")
        train_in(self.folder, {"plan": "random", "games": 30})
        self.assertEqual((half.exists(), mine.exists()), (False, True))
        self.assertEqual(snapshot_games(self.folder), [20, 40, 60])
        Training(self.folder, {}, fresh=True).store.close()
        self.assertEqual((snapshot_games(self.folder), mine.exists()), ([], True))

    def test_what_has_no_score_yet_is_measured_once(self) -> None:
        train_in(self.folder, SEVENTY)
        self.enterContext(mock.patch.object(gauge, "SAMPLED_GAMES", 20))
        write_note(self.folder, solved=[1, 2])
        kept = measured_snapshots(self.folder)
        self.assertEqual([(one.games, one.opponent) for one in kept],
                         [(games, "random") for games in (20, 40, 60)])  # fmt: skip
        note = read_note(self.folder)
        self.assertEqual((list(note.points), note.solved), (kept, (1, 2)))
        snapshot_path(self.folder, 40).write_text("damaged")
        self.assertEqual(measured_snapshots(self.folder), kept, "its score is known")


class GaugeTests(unittest.TestCase):
    def test_the_last_score_is_exact_if_the_bot_reaches_few_positions(self) -> None:
        table = shipped("complete")
        found = Gauge("myopic").measure(table, 100, 9, is_last=True)
        exact = exact_score(Policy(TableBot(table, random.Random(1)).choices), MYOPIC, 150_000)
        assert exact is not None
        self.assertEqual(found, Measured(100, "myopic", exact.first, exact.second, 9, opening=5))

    def test_a_quick_score_tells_the_seats_and_is_again_the_same(self) -> None:
        measure, table = Gauge("myopic").measure, shipped("myopic-8000")
        found, again = (measure(table, 8000, 9, is_quick=True) for _ in range(2))
        self.assertTrue(found.first < 0.2 < 0.6 < found.second, found)
        self.assertEqual((found, found.sampled), (again, gauge.SAMPLED_GAMES))
