"""Own tables on the disk: kept, renamed, replaced, deleted, imported, and mended after a kill."""

from __future__ import annotations

import errno
import os
import tempfile
import unittest
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from unittest import mock

from tests.kit.faults import HELD, Disk
from traffic_lights.board.rules import parse_board
from traffic_lights.learning.qtable import QTable
from traffic_lights.learning.tablefile import read_table, write_table
from traffic_lights.storage.files import StorageError
from traffic_lights.storage.lock import FileLock, LockedError
from traffic_lights.training.own_tables import Facts, OwnTable, OwnTables, RunNote, cleaned
from traffic_lights.training.table_files import (
    export_table,
    import_table,
    keep_only_playing,
    size_of,
    spare_of,
)


def small_table(games: int = 12) -> QTable:
    table = QTable()
    table.set_value(0, 3, -1.0)
    table.meta = {"games": games}
    return table


class OwnTablesTests(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.tables = OwnTables(self.folder)

    def run_with(self, games: int, name: str = "One", base: str = "") -> RunNote:
        """Begin a run and let it have learned something."""
        note = self.tables.begin_run(name, base)
        note.folder.mkdir(parents=True, exist_ok=True)
        write_table(note.folder / "qtable.json", small_table(games))
        return note

    def games_of(self, key: str) -> int:
        table = self.tables.get(key)
        assert table is not None
        return int(read_table(table.path).meta["games"])

    def test_a_run_is_kept_under_its_name(self) -> None:
        self.run_with(5)
        kept = self.tables.keep_run(Facts(games=5, decided=3, origin="self-play"))
        self.assertEqual((kept.key, kept.name), ("table-1", "One"))
        again = OwnTables(self.folder).all()
        self.assertEqual(again, [kept])
        self.assertIsNone(OwnTables(self.folder).run())
        self.assertEqual(self.tables.free_name("One"), "One 2")

    def test_a_run_that_goes_on_from_a_table_replaces_it_only_when_kept(self) -> None:
        self.run_with(5)
        first = self.tables.keep_run(Facts())
        self.run_with(9, base=first.key)
        self.tables.discard_run()
        self.assertEqual(self.games_of("table-1"), 5)
        self.run_with(9, base=first.key)
        self.tables.keep_run(Facts())
        self.assertEqual(self.games_of("table-1"), 9)
        self.assertEqual([p.name for p in self.tables.folder.iterdir()], ["table-1"])

    def test_a_table_that_another_program_has_open_is_kept_when_that_lets_go(self) -> None:
        self.run_with(0)
        key = self.tables.keep_run(Facts()).key
        for games, at in enumerate(range(30), 1):
            self.run_with(games, base=key)
            with Disk(at, HELD[0]) as disk:
                self.tables.keep_run(Facts())
            self.assertEqual(self.games_of(key), games)
        self.assertLess(disk.count, 30, "each effect had its turn")

    def test_a_table_that_another_program_keeps_open_stays_and_so_does_the_run(self) -> None:
        self.run_with(0)
        key = self.tables.keep_run(Facts()).key
        refused = 0
        for games, at in enumerate(range(30), 1):
            self.run_with(games, base=key)
            try:
                with Disk(at, HELD[1]):
                    self.tables.keep_run(Facts())
            except StorageError as error:
                refused += 1
                self.assertIn("another program has it open", str(error))
                self.tables = OwnTables(self.folder)
                if self.tables.run() is not None:
                    self.assertEqual(self.games_of(key), games - 1)
                    self.tables.keep_run(Facts())
            self.assertEqual(self.games_of(key), games)
        self.assertGreater(refused, 5)

    def test_a_kill_while_a_table_is_replaced_loses_neither(self) -> None:
        self.run_with(5)
        self.tables.keep_run(Facts())
        current = self.tables.folder / "table-1"
        current.rename(current.with_name("table-1.old"))
        self.assertEqual(self.games_of("table-1"), 5, "killed between the two renames")
        old = self.tables.folder / "table-1.old"
        old.mkdir()
        self.assertEqual(len(self.tables.all()), 1, "killed before the old one was deleted")
        self.assertFalse(old.exists())

    def test_rename_and_delete(self) -> None:
        self.run_with(5)
        self.tables.keep_run(Facts(games=5))
        self.tables.rename("table-1", "  Another \n name  ")
        self.assertEqual([table.name for table in self.tables.all()], ["Another name"])
        self.assertEqual(self.tables.all()[0].facts.games, 5)
        self.tables.delete("table-1")
        self.assertEqual(self.tables.all(), [])

    def test_a_deleted_table_s_number_is_never_given_again(self) -> None:
        def kept() -> str:
            folder = self.tables.new_folder()
            write_table(folder / "qtable.json", small_table())
            return self.tables.add(folder, "Mine", Facts()).key

        keys = [kept() for _ in range(3)]
        for key in (keys[2], keys[0]):
            self.tables.delete(key)
        self.tables = OwnTables(self.folder)
        keys += [kept(), kept()]
        self.assertEqual(len(set(keys)), 5)
        for text in ("[]", "{", '{"highest": "x"}', '{"highest": 1e9}', '{"highest": -7}'):
            (self.tables.folder / "retired.json").write_text(text)
            keys.append(kept())
        self.assertEqual(len(set(keys)), 10, "a damaged note stops nothing")

    def test_an_interrupted_run_is_found_unless_it_is_at_work(self) -> None:
        note = self.run_with(5)
        (note.folder / "qtable_checkpoint.json").write_text('{"games": 84000}')
        again = OwnTables(self.folder)
        self.assertEqual(again.interrupted_games(), 84_000)
        with FileLock(note.folder / "qtable.lock"):
            self.assertIsNone(again.interrupted_games())
            with self.assertRaises(StorageError):
                again.begin_run("Two")
        self.assertEqual(self.tables.run(), note)

    def test_a_run_that_cannot_be_reached_is_none_and_that_is_said(self) -> None:
        longest = self.folder / ("x" * 5000)
        for folder, code, words in (
            (longest, None, "" if os.name == "nt" else "cannot look into"),
            (self.folder / "gone", None, ""),
            (self.folder / "nul\0", None, ""),
            (self.folder, errno.EACCES, "not allowed"),
            (self.folder, errno.EIO, "cannot look into"),
            (self.folder, errno.ENOTCONN, "cannot look into"),
        ):
            with self.subTest(folder=folder.name[:9], code=code):
                self.tables.note_run(RunNote("My QBot", folder))
                again = OwnTables(self.folder)
                self.assertIsNotNone(again.run())
                error = OSError(code, os.strerror(code)) if code is not None else None
                stat = mock.Mock(side_effect=error) if error else os.stat
                with mock.patch.object(os, "stat", stat):
                    self.assertIsNone(again.interrupted_games())
                    trouble = again.unreachable_run()
                self.assertIn(words, trouble)
                self.assertEqual(bool(trouble), bool(words))
                self.assertLess(len(trouble), 400, "it stands below the board")

    def test_a_run_moves_to_another_folder_and_is_kept_from_there(self) -> None:
        self.run_with(7)
        elsewhere = Path(self.enterContext(tempfile.TemporaryDirectory()))
        moved = self.tables.move_run(elsewhere)
        self.assertEqual(OwnTables(self.folder).run(), moved)
        self.assertEqual(moved.folder.parent, elsewhere)
        self.tables.keep_run(Facts())
        self.assertEqual(self.games_of("table-1"), 7)

    def test_a_run_in_a_folder_that_became_read_only_can_be_discarded(self) -> None:
        note = self.tables.begin_elsewhere(self.folder, "My QBot")
        note.folder.mkdir(parents=True)
        forbidden = StorageError("cannot write qtable.lock: this user is not allowed to")
        with mock.patch.object(FileLock, "acquire", side_effect=forbidden):
            self.tables.discard_run()
        self.assertIsNone(self.tables.run())

    def test_a_run_at_work_elsewhere_is_not_discarded(self) -> None:
        note = self.tables.begin_elsewhere(self.folder, "My QBot")
        note.folder.mkdir(parents=True)
        with FileLock(note.folder / "qtable.lock"), self.assertRaises(LockedError):
            self.tables.discard_run()
        self.assertIsNotNone(self.tables.run())

    def test_damaged_notes_stop_nothing(self) -> None:
        self.run_with(5)
        self.tables.keep_run(Facts())
        for text in ("", "[]", '{"format": "traffic-lights-own-table", "games": "many"}', "\xff"):
            (self.tables.folder / "table-1" / "table.json").write_text(text, "latin-1")
            self.assertEqual(len(self.tables.all()), 1, text)
            (self.folder / "run.json").write_text(text, "latin-1")
            self.assertIsNone(OwnTables(self.folder).run())

    def test_names_are_one_short_line(self) -> None:
        self.assertEqual(cleaned("  a\tb  "), "a b")
        self.assertEqual(cleaned(" \n "), "My QBot")
        self.assertEqual(cleaned("\x1b\0"), "My QBot")
        self.assertEqual(len(cleaned("x" * 99)), 40)

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

    def test_a_name_names_one_table(self) -> None:
        for _ in range(2):
            self.run_with(5)
            self.tables.keep_run(Facts())
        self.assertEqual([table.name for table in self.tables.all()], ["One", "One 2"])
        with self.assertRaisesRegex(StorageError, "another table called “ONE”"):
            self.tables.rename("table-2", " ONE ")
        self.tables.rename("table-1", "ONE")  # it may have its own name
        self.run_with(9, base="table-1", name="One")
        self.assertEqual(self.tables.keep_run(Facts()).name, "One")
        long = "x" * 40
        self.tables.rename("table-1", long)
        self.assertEqual(self.tables.free_name(long), "x" * 36 + " 2")

    def test_day_and_score_are_kept_with_a_table(self) -> None:
        self.run_with(5)
        kept = self.tables.keep_run(Facts())
        self.assertRegex(kept.facts.date, r"^\d{4}-\d\d-\d\d$")
        self.tables.note_score(kept.key, 0.25)
        again = self.tables.get(kept.key)
        assert again is not None
        self.assertEqual(again.facts, replace(kept.facts, score=0.25))

    def test_used_logs_go_when_a_run_is_kept(self) -> None:
        note = self.run_with(5)
        for name in ("qtable_deltas.jsonl.done", "qtable_deltas.jsonl.done.2"):
            (note.folder / name).write_bytes(b"x" * 1000)
        (note.folder / "qtable_deltas.jsonl").write_bytes(b"still needed")
        kept = self.tables.keep_run(Facts(is_finished=False))
        names = {path.name for path in kept.folder.iterdir()}
        self.assertEqual(names, {"qtable.json", "qtable_deltas.jsonl", "table.json"})


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
        self.assertEqual({p.name for p in again.folder.iterdir()}, {"qtable.json", "table.json"})

    def test_a_kill_at_any_step_leaves_what_plays(self) -> None:
        for step in ("pathlib.Path.unlink", "traffic_lights.training.table_files.replace"):
            table = self.kept()
            before = table.playing_path.read_bytes()
            with mock.patch(step, side_effect=OSError), suppress(StorageError):
                keep_only_playing(table)
            self.assertEqual(table.playing_path.read_bytes(), before, step)

    def test_a_table_whose_run_is_not_finished_needs_everything(self) -> None:
        self.assertEqual(spare_of(self.kept(is_finished=False)), 0)

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
