"""Own tables on the disk: kept, renamed, replaced, deleted, and mended after a kill."""

from __future__ import annotations

import errno
import os
import tempfile
import unittest
from dataclasses import replace
from pathlib import Path
from unittest import mock

from tests.kit.faults import ERRORS, HELD, Disk, Effect, power_cuts
from tests.kit.trained import small_table
from traffic_lights.learning.tablefile import read_table, write_table
from traffic_lights.storage.files import StorageError, make_folder, write_atomically
from traffic_lights.storage.lock import FileLock, LockedError
from traffic_lights.training.notes import Facts, RunNote, cleaned
from traffic_lights.training.own_tables import OwnTables
from traffic_lights.training.run_folder import copy_run


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
        old = self.tables.folder / f"table-1.{16 * 'a'}.old"
        current.rename(old)
        self.assertEqual(self.games_of("table-1"), 5, "the same, under the name of today")
        old.mkdir()
        self.assertEqual(len(self.tables.all()), 1, "killed before the old one was deleted")
        self.assertFalse(old.exists())

    def test_a_copy_that_a_person_made_is_not_deleted(self) -> None:
        self.run_with(5)
        self.tables.keep_run(Facts())
        (self.tables.folder / "table-notes").mkdir()
        copies = [self.tables.folder / name for name in ("table-1.old", "table-notes.old")]
        for copy in copies:
            copy.mkdir()
            (copy / "diary").write_text("mine", "utf-8")
        self.run_with(6, base="table-1")
        kept = self.tables.keep_run(Facts())
        kept.folder.rename(kept.folder.with_name(f"table-1.{16 * 'a'}.old"))
        self.assertEqual(self.games_of("table-1"), 6, "killed between the two renames")
        self.assertEqual([(copy / "diary").read_text("utf-8") for copy in copies], ["mine"] * 2)
        self.assertEqual(list(self.tables.folder.glob("table-1.*.old")), [])

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
                again.begin_run("Two", replaces=True)
        with self.assertRaises(StorageError):
            again.begin_run("Two")
        self.assertEqual(self.tables.run(), note)
        self.assertEqual(again.interrupted_games(), 84_000)
        again.begin_run("Two", replaces=True)
        self.assertIsNone(again.interrupted_games())

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


class BroughtTests(unittest.TestCase):
    """A run that learned in a folder of the person's, and is kept among the tables."""

    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory())).resolve()

    def run_elsewhere(self, part: str, base: str = "") -> tuple[OwnTables, dict[str, bytes]]:
        """Return the tables under *part* with a run elsewhere, and the files of that run."""
        tables = OwnTables(self.folder / part)
        note = tables.begin_elsewhere(self.folder / f"{part} elsewhere", "One", base)
        make_folder(note.folder)
        write_table(note.folder / "qtable.json", small_table(9))
        write_atomically(note.folder / "qtable_deltas.jsonl", [b"what no table has yet"])
        return tables, {path.name: path.read_bytes() for path in note.folder.iterdir()}

    @unittest.skipIf(os.name == "nt", "there names are safe without being synced")
    def test_whatever_a_power_cut_or_a_kill_leaves_the_run_is_whole_and_no_part_is_listed(
        self,
    ) -> None:
        with Disk() as disk:
            tables, run = self.run_elsewhere("data")
            disk.mark("saved")
            begun = len(disk.effects)
            tables.keep_run(Facts())
        # It may be another disk, and a quicker one: there what is deleted is gone at once.
        theirs = str(self.folder / "data elsewhere" / "traffic-lights-run")
        effects = disk.effects[:begun]
        for effect in disk.effects[begun:]:
            effects += [effect, Effect("sync names", (theirs,))]
        states = 0
        for done, files in power_cuts(effects):
            if done < begun:
                continue
            states += 1
            parts: dict[str, dict[str, bytes]] = {}
            for path, data in files.items():
                parts.setdefault(Path(path).parent.name, {})[Path(path).name] = data
            whole = {name for name, part in parts.items() if run.items() <= part.items()}
            self.assertTrue(whole - {"coming"}, f"effect {done}: nobody looks there")
            if "table-1" in parts:
                self.assertIn("table-1", whole)
                self.assertIn("table.json", parts["table-1"])
        self.assertGreater(states, 100)

    def test_whatever_fails_the_run_is_kept_or_stays_where_it_is(self) -> None:
        kept = refused = at = 0
        while True:
            tables, run = self.run_elsewhere(f"data {at}")
            note = tables.run()
            assert note is not None
            with Disk(at, ERRORS[at % len(ERRORS)]) as disk:
                try:
                    table = tables.keep_run(Facts())
                except StorageError:
                    refused += 1
                    where = note.folder
                else:
                    where = table.folder
                    kept += where != note.folder
            self.assertEqual({n: (where / n).read_bytes() for n in run}, run, f"effect {at}")
            for listed in tables.all():
                self.assertEqual({n: (listed.folder / n).read_bytes() for n in run}, run)
            if disk.count <= at:
                break
            at += 1
        self.assertEqual(where.name, "table-1")
        self.assertGreater(min(at - kept, refused), 3, "the disk failed where it matters")

    def test_it_takes_the_place_of_the_table_that_it_goes_on_from(self) -> None:
        tables, _ = self.run_elsewhere("data")
        first = tables.keep_run(Facts())
        tables, run = self.run_elsewhere("data", first.key)
        (tables.folder / "coming").mkdir()  # a kill left it
        self.assertEqual(tables.keep_run(Facts(games=20)).key, first.key)
        (again,) = tables.all()
        self.assertEqual((again.name, again.facts.games), ("One", 20))
        self.assertEqual({n: (again.folder / n).read_bytes() for n in run}, run)
        self.assertEqual(list((self.folder / "data elsewhere").iterdir()), [])

    def test_nobody_takes_the_half_copy_of_another_program_away(self) -> None:
        tables, run = self.run_elsewhere("data")
        note, coming = tables.run(), tables.folder / "coming"
        assert note is not None
        coming.mkdir(parents=True)
        (coming / "qtable.json").touch()
        with FileLock(tables.folder / "coming.lock"):
            kept = tables.keep_run(Facts())
        self.assertEqual(kept.folder, note.folder)
        self.assertEqual({n: (note.folder / n).read_bytes() for n in run}, run)
        self.assertEqual([path.name for path in coming.iterdir()], ["qtable.json"])
        self.assertEqual(tables.all(), [])

    def test_a_half_copy_that_a_kill_left_goes_unless_somebody_is_at_work_on_it(self) -> None:
        tables, run = self.run_elsewhere("data")
        note, coming = tables.run(), tables.folder / "coming"
        assert note is not None
        coming.mkdir(parents=True)
        (coming / "qtable.json").touch()
        with FileLock(tables.folder / "coming.lock"):
            self.assertEqual(tables.all(), [])
            self.assertTrue(coming.exists())
        self.assertEqual(tables.all(), [])
        self.assertFalse(coming.exists())
        self.assertEqual({n: (note.folder / n).read_bytes() for n in run}, run)

    def test_a_run_elsewhere_goes_when_another_replaces_it_unless_somebody_is_at_work_on_it(
        self,
    ) -> None:
        tables, run = self.run_elsewhere("data")
        note = tables.run()
        assert note is not None
        with FileLock(note.folder / "qtable.lock"), self.assertRaises(LockedError):
            tables.begin_run("Two", replaces=True)
        self.assertEqual({n: (note.folder / n).read_bytes() for n in run}, run)
        self.assertEqual(tables.begin_run("Two", replaces=True).folder, tables.run_folder)
        self.assertFalse(note.folder.exists())

    def test_a_folder_that_somebody_else_made_is_not_what_a_failed_copy_removes(self) -> None:
        theirs = self.folder / "theirs"
        theirs.mkdir()
        (theirs / "letter.txt").touch()
        with self.assertRaises(StorageError):
            copy_run(self.folder, theirs)
        self.assertTrue((theirs / "letter.txt").exists())


if __name__ == "__main__":
    unittest.main()
