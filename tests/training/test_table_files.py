"""Files of own tables: imported, exported, and made less on the disk."""

from __future__ import annotations

import tempfile
import unittest
from contextlib import suppress
from pathlib import Path
from unittest import mock

from tests.kit.trained import small_table
from traffic_lights.board.rules import parse_board
from traffic_lights.learning.tablefile import read_table, write_table
from traffic_lights.storage.files import StorageError
from traffic_lights.storage.lock import FileLock, LockedError
from traffic_lights.training.notes import Facts
from traffic_lights.training.own_tables import OwnTable, OwnTables
from traffic_lights.training.table_files import (
    export_table,
    import_table,
    keep_only_playing,
    size_of,
    spare_of,
)


class TableFilesTests(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.tables = OwnTables(self.folder)

    def kept(self, *, is_finished: bool = True) -> OwnTable:
        """Return a kept table whose small one plays what the whole one does."""
        folder = self.tables.new_folder()
        whole = small_table()
        for action in range(12):
            whole.set_value(1, action, -1.0)
        write_table(folder / "qtable.json", whole)
        write_table(folder / "qbot.json", small_table())
        (folder / "qtable_checkpoint.json").write_text("{}")
        return self.tables.add(folder, "One", Facts(is_finished=is_finished))

    def test_only_what_plays_stays_and_plays_the_same(self) -> None:
        table = self.kept()
        before, spare = table.playing_path.read_bytes(), spare_of(table)
        size = size_of(table)
        keep_only_playing(table)
        again = self.tables.get(table.key)
        assert again is not None
        self.assertEqual(again.playing_path.read_bytes(), before)
        self.assertEqual(size - size_of(again), spare)
        self.assertEqual(spare_of(again), 0)
        names = {path.name for path in again.folder.iterdir()}
        self.assertEqual(names, {"qtable.json", "table.json", "qtable.lock"})

    def test_a_kill_at_any_step_leaves_what_plays(self) -> None:
        for step in ("pathlib.Path.unlink", "traffic_lights.training.table_files.replace"):
            table = self.kept()
            before = table.playing_path.read_bytes()
            with mock.patch(step, side_effect=OSError), suppress(StorageError):
                keep_only_playing(table)
            self.assertEqual(table.playing_path.read_bytes(), before, step)

    def test_a_table_that_is_being_trained_further_keeps_everything(self) -> None:
        table = self.kept()
        before = {path.name: path.read_bytes() for path in table.folder.iterdir()}
        with FileLock(table.folder / "qtable.lock"), self.assertRaises(LockedError):
            keep_only_playing(table)
        before |= {"qtable.lock": b"", "qtable_deltas.jsonl": b"three thousand games"}
        (table.folder / "qtable_deltas.jsonl").write_bytes(before["qtable_deltas.jsonl"])
        self.assertEqual(spare_of(table), 0)
        with self.assertRaisesRegex(StorageError, "is not over"):
            keep_only_playing(table)
        self.assertEqual({path.name: path.read_bytes() for path in table.folder.iterdir()}, before)

    def test_a_table_whose_run_is_not_finished_needs_everything(self) -> None:
        self.assertEqual(spare_of(self.kept(is_finished=False)), 0)

    def test_a_file_is_imported_and_a_bad_one_leaves_nothing(self) -> None:
        path = self.folder / "friend's table.json"
        write_table(path, small_table())
        taken = import_table(self.tables, path)
        self.assertEqual(str(taken), "“friend's table” was imported: 1 row.")
        table = taken.table
        self.assertEqual((table.name, table.facts.games), ("friend's table", 12))
        self.assertEqual(read_table(table.path).value(0, 3), -1.0)
        path.write_text("nonsense")
        with self.assertRaises(StorageError):
            import_table(self.tables, path)
        self.assertEqual(len(list(self.tables.folder.iterdir())), 1)

    def test_what_was_taken_of_an_older_table_is_told_and_why_not_the_rest(self) -> None:
        path = self.folder / "q_table.json"
        path.write_text(
            '{"0000/0000/0000|1": {"0,0": -0.25, "1,2": 0.5}, "1000/0000/0000|2": {"0,0": 0.5},'
            ' "0001/0000/0000|2": {"0,3": 0.25}, "0000/0100/0000|2": {}}'
        )
        taken = import_table(self.tables, path)
        self.assertEqual(
            str(taken),
            "“q_table” was imported: 2 rows of 4: 1 mirror images folded, 1 empty, "
            "1 values in conflict, the larger kept.",
        )
        self.assertEqual(taken.table.facts.decided, 0)
        self.assertEqual(read_table(taken.table.path).value(0, 6), 0.5)

    def test_rows_that_the_rules_do_not_allow_are_left_out_and_counted(self) -> None:
        path = self.folder / "q_table.json"
        good = [f'"{board}": {{"2,2": 0.5}}' for board in (
            "0000/0000/0000|1", "1000/0000/0000|2", "0100/0000/0000|2", "0000/1000/0000|2",
            "0000/0100/0000|2", "2100/0000/0000|2", "1100/0000/0000|1", "1200/0000/0000|2",
        )]  # fmt: skip
        bad = (
            '"1110/0000/0000|2": {"2,2": 0.5}',
            '"0000/0000/0030|2": {"0,0": 0.5, "2,2": 0.5}',
            '"1001/0000/0000|1": {"0,0": 0.5, "0,1": 1.5}',
        )
        path.write_text("{" + ", ".join([*good[:4], *bad, *good[4:]]) + "}")
        taken = import_table(self.tables, path)
        self.assertIn("3 refused, since the rules do not allow what they say", str(taken))
        table = read_table(taken.table.path)
        self.assertEqual(table.value(0, 10), 0.5)
        for board in ("000000000030", "100100000000"):
            self.assertEqual(table.value(parse_board(board), 0), 0.0, "of a bad row nothing counts")
        path.write_text("{" + ", ".join([good[0], *bad]) + "}")
        with self.assertRaisesRegex(StorageError, "row 2 has moves on .*, a finished board"):
            import_table(self.tables, path)

    def test_what_was_exported_comes_back_as_it_was(self) -> None:
        table = self.kept()
        path = self.folder / "for a friend.json"
        size = export_table(table, path)
        self.assertEqual((path.read_bytes(), size), (table.path.read_bytes(), path.stat().st_size))
        taken = import_table(self.tables, path)
        self.assertEqual(taken.table.path.read_bytes(), table.path.read_bytes())

    def test_what_cannot_be_exported_is_said(self) -> None:
        with self.assertRaises(StorageError):
            export_table(self.kept(), self.folder / "nowhere" / "at all.json")


if __name__ == "__main__":
    unittest.main()
