"""The snapshots of a bot on the disk: they are what the bot was, and they never stay too long."""

import tempfile
import unittest
from pathlib import Path
from unittest import mock

from tests.kit.samples import PROJECT
from traffic_lights.learning.tablefile import read_meta, read_table
from traffic_lights.training import snapshots as module
from traffic_lights.training.bots import Bots
from traffic_lights.training.history import milestones, table_after
from traffic_lights.training.settings import SettingsError
from traffic_lights.training.snapshots import (
    expected,
    kept_snapshots,
    make_snapshots,
    settings_of_last_run,
)
from traffic_lights.training.state import snapshot_path

TABLE = PROJECT / "qtables" / "myopic-200.json"


class SnapshotTests(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.meta = read_meta(TABLE)

    def test_each_file_is_the_table_after_so_many_games(self) -> None:
        made = list(make_snapshots(self.folder, self.meta))
        self.assertEqual([one.games for one in made], milestones(200))
        self.assertEqual(len(made), expected(self.meta))
        for games in (1, 70):
            table = read_table(snapshot_path(self.folder, games))
            then = table_after(self.meta, games)
            self.assertEqual(list(table.states()), list(then.states()))
            self.assertEqual(settings_of_last_run(table.meta), settings_of_last_run(self.meta))
            for state in then.states():
                self.assertEqual(table.canonical_row(state), then.canonical_row(state))

    def test_they_are_kept_until_the_bot_has_learned_more(self) -> None:
        self.assertEqual(kept_snapshots(self.folder, self.meta), [])
        made = list(make_snapshots(self.folder, self.meta))
        self.assertEqual(kept_snapshots(self.folder, self.meta), made)
        runs = self.meta["runs"]
        more = {**self.meta, "runs": [*runs, {**runs[0], "games": 1}]}
        self.assertEqual(kept_snapshots(self.folder, more), [])
        (self.folder / "history" / "index.json").write_text("{")
        self.assertEqual(kept_snapshots(self.folder, self.meta), [])

    def test_too_large_ones_are_thinned_and_the_last_one_stays(self) -> None:
        with mock.patch.object(module, "MOST_BYTES", 40_000):
            made = list(make_snapshots(self.folder, self.meta))
        kept = kept_snapshots(self.folder, self.meta)
        self.assertLess(len(kept), len(made))
        self.assertEqual(kept[-1], made[-1])
        files = {path.name for path in (self.folder / "history").iterdir()} - {"index.json"}
        self.assertEqual(files, {f"{one.games}.json" for one in kept})
        size = sum((self.folder / "history" / name).stat().st_size for name in files)
        self.assertLessEqual(size, 40_000)

    def test_the_bot_of_the_command_takes_them_with_it(self) -> None:
        command = self.folder / "command"
        command.mkdir()
        (command / "qtable.json").write_bytes(TABLE.read_bytes())
        list(make_snapshots(command, self.meta))
        bots = Bots(self.folder, command)
        bots.delete(bots.all()[0])
        self.assertEqual(list(command.iterdir()), [])

    def test_a_bot_of_unknown_origin_is_refused_in_one_sentence(self) -> None:
        for act in (expected, lambda meta: list(make_snapshots(self.folder, meta))):
            with self.assertRaisesRegex(SettingsError, "cannot be made again"):
                act({"imported": {}})


if __name__ == "__main__":
    unittest.main()
