"""What a training folder may hold when a run begins, and what becomes of it."""

import json
import os
import shutil
import unittest
import zlib
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any
from unittest import mock

from tests.kit.runs import BATCH, SMALL, digest, folder, tiny, train_in, undisturbed
from traffic_lights.learning.tablefile import read_meta, read_table, write_table
from traffic_lights.storage.files import StorageError
from traffic_lights.training import store
from traffic_lights.training.folder import CHECKPOINT, LOG, NOTE, PRUNED, TABLE
from traffic_lights.training.progress import Moment
from traffic_lights.training.run import Training
from traffic_lights.training.settings import SettingsError

GAMES = 3 * BATCH
WANTED = SMALL[0].wanted


def after_one_batch() -> bool:
    return True


class RunTestCase(unittest.TestCase):
    def setUp(self) -> None:
        self.enterContext(tiny())
        self.folder = self.enterContext(folder())
        self.table, self.log = self.folder / TABLE, self.folder / LOG

    def run_in(
        self, wanted: dict[str, Any], stop: Callable[[], bool] = lambda: False, **options: Any
    ) -> list[Moment]:
        with Training(self.folder, wanted, **options) as training:
            return list(training.play(stop))

    def files(self) -> dict[str, bytes]:
        paths = self.folder.iterdir() if self.folder.exists() else ()
        return {path.name: path.read_bytes() for path in paths if path.is_file()}

    def change_checkpoint(self, change: Callable[[dict[str, Any]], object]) -> None:
        """Have *change* change what the checkpoint holds, and seal it again."""
        path = self.folder / CHECKPOINT
        plain = json.loads(path.read_text())
        del plain["crc"]
        change(plain)
        crc = f"{zlib.crc32(json.dumps(plain).encode()):08x}"
        path.write_text(json.dumps({**plain, "crc": crc}))

    def assert_ends_as_undisturbed(self) -> None:
        self.assertEqual(digest(self.folder), undisturbed(SMALL)[0])


class ResumeTests(RunTestCase):
    def test_a_finished_run_changes_nothing(self) -> None:
        self.run_in(WANTED)
        before = digest(self.folder)
        moments = self.run_in(WANTED)
        self.assertEqual([(m.games, m.saved_games) for m in moments], [(GAMES, GAMES)])
        self.assertEqual(digest(self.folder), before)
        for spoiled in (b"", (self.folder / PRUNED).read_bytes()[:-5]):
            (self.folder / PRUNED).write_bytes(spoiled)
            self.run_in(WANTED)
            self.assertEqual(digest(self.folder), before)

    def test_what_a_folder_holds_and_what_is_asked_decide_how_a_run_begins(self) -> None:
        for asked, runs, games in (
            (WANTED, 1, GAMES),
            (WANTED, 1, GAMES),  # nothing is played
            ({**WANTED, "games": 2 * BATCH}, 2, 2 * BATCH),  # another run follows
            ({**WANTED, "games": 2 * BATCH + 1}, 3, 2 * BATCH + 1),
            ({"plan": "myopic", "games": BATCH}, 4, BATCH),
        ):
            moments = self.run_in(asked)
            self.assertEqual(moments[-1].games, games)
            self.assertEqual(len(read_table(self.table).meta["runs"]), runs)

    def test_an_unfinished_run_with_other_games_ends_as_if_it_had_had_them_all_along(self) -> None:
        wanted = {"plan": "myopic", "explore": "least-visited", "games": 5 * BATCH}
        self.run_in({**wanted, "games": 10**12}, after_one_batch)
        self.run_in({"games": 5 * BATCH})
        with folder() as whole:
            train_in(whole, wanted)
            self.assertEqual(digest(self.folder), digest(whole))

    def test_what_an_unfinished_run_cannot_have_is_refused(self) -> None:
        many = {"plan": "random", "games": 40 * BATCH}
        for wanted, games, words in (
            (many, BATCH, f"{40 * BATCH}, not {BATCH}"),
            ({"plan": "reverse"}, 90 * BATCH, "games without limit, not 540"),
        ):
            with folder() as self.folder:
                self.run_in(wanted, after_one_batch)
                with self.assertRaisesRegex(SettingsError, words):
                    self.run_in({"games": games})

    def test_a_damaged_table_is_refused_in_a_sentence_and_stays_as_it_is(self) -> None:
        self.run_in(WANTED)
        self.table.write_bytes(self.table.read_bytes()[:-90])
        before = self.files()
        with self.assertRaisesRegex(StorageError, "qtable.json .* put a good copy in its place"):
            self.run_in(WANTED)
        self.assertEqual(self.files(), before)

    def test_no_room_for_a_table_is_reported_and_the_run_continues(self) -> None:
        wanted = {**WANTED, "games": 12 * BATCH}

        def no_room(path: Path, _: Any) -> None:
            raise StorageError(f"cannot write {path}: the disk is full")

        with (
            mock.patch.object(store, "write_table", no_room),
            Training(self.folder, wanted) as training,
        ):
            moments = training.play()
            notes = [next(moments).note for _ in range(14)]
            self.assertIn("the log still holds everything", "".join(notes))
            self.assertLess(sum(map(bool, notes)), 5)
            with self.assertRaisesRegex(StorageError, f"all games up to {12 * BATCH} are saved"):
                list(moments)
        self.assertEqual(self.run_in(wanted)[0].games, 12 * BATCH)

    def test_the_share_of_a_run_without_a_number_of_games_grows_to_1(self) -> None:
        moments = self.run_in({"plan": "reverse", "practice": "myopic"})
        shares = [moment.share or 0.0 for moment in moments]
        self.assertEqual(shares, sorted(shares))
        self.assertEqual((shares[0], shares[-1], shares[-3]), (0.0, 1.0, 1.0))
        self.assertLess(shares[-4], 1)
        self.assertGreater(moments[-1].progress.practice_games, 0)


@unittest.skipIf(os.name == "nt", "on Windows a folder with a file in use cannot be deleted")
class LostFolderTests(RunTestCase):
    def test_a_folder_that_was_deleted_moved_or_made_again_ends_the_run_and_stays_so(self) -> None:
        def replace_folder() -> None:
            shutil.rmtree(self.folder)
            self.folder.mkdir()

        for taken, games in (
            (lambda: shutil.rmtree(self.folder), BATCH),
            (lambda: self.folder.rename(self.folder.with_name("moved")), BATCH),
            (replace_folder, BATCH),
            (replace_folder, GAMES),  # before the last table
        ):
            with Training(self.folder, WANTED) as training:
                moments = training.play()
                while training.store.saved_games < games:
                    next(moments)
                taken()
                before = self.files()
                gone = f"{self.folder} was deleted, moved or replaced"
                with self.assertRaisesRegex(StorageError, gone) as caught:
                    list(moments)
            self.assertNotIn("saved", str(caught.exception))
            self.assertEqual(self.files(), before)
        self.folder = self.folder.with_name("moved")
        self.run_in(WANTED)
        self.assert_ends_as_undisturbed()


class FilesTests(RunTestCase):
    def test_each_fresh_start_sets_the_files_aside_together(self) -> None:
        written: list[dict[str, bytes]] = []
        names = (TABLE, PRUNED, CHECKPOINT, NOTE)
        for seed in range(3):
            first, *_ = self.run_in({**WANTED, "seed": seed}, fresh=True)
            (self.folder / NOTE).write_bytes(b"%d" % seed)
            written.append({name: (self.folder / name).read_bytes() for name in names})
        for seed, ending in ((0, ".bak"), (1, ".bak.2")):
            for name, data in written[seed].items():
                self.assertEqual((self.folder / (name + ending)).read_bytes(), data)
                self.assertIn(name + ".bak.2", first.note)
        for name in names:
            (self.folder / (name + ".bak.2")).replace(self.folder / name)
        self.run_in({**WANTED, "seed": 1})
        self.assertEqual(self.table.read_bytes(), written[1][TABLE])

    def test_a_table_of_estimates_is_copied_before_a_plan_of_proofs_replaces_it(self) -> None:
        self.run_in(WANTED)
        estimates = self.table.read_bytes()
        first, *_ = self.run_in({"plan": "reverse"})
        self.assertEqual(self.folder.joinpath("qtable.json.bak").read_bytes(), estimates)
        self.assertIn("qtable.json.bak", first.note)

    def test_a_run_that_is_stopped_leaves_no_bot_that_plays_by_the_table_before(self) -> None:
        self.run_in(WANTED)
        with Training(self.folder, {**WANTED, "games": 4 * BATCH}) as training:
            list(training.play(after_one_batch))
            training.compact()
        self.assertFalse((self.folder / PRUNED).exists())

    def test_a_file_of_another_program_with_one_of_our_names_is_renamed(self) -> None:
        kinds: tuple[Callable[[Path], object], ...] = (Path.touch, Path.mkdir)
        for name, make in (*product((PRUNED, TABLE), kinds), (CHECKPOINT, Path.touch)):
            with self.subTest(name=name, make=make), folder() as self.folder:
                self.folder.mkdir(parents=True)
                make(self.folder / name)
                (self.folder / LOG).write_text("text")
                note = self.run_in(WANTED)[0].note
                self.assertIn(f"{name}.bak", note)
                self.assertTrue((self.folder / f"{name}.bak").exists())
                self.assertEqual((self.folder / f"{LOG}.bak").read_text(), "text")
                self.assert_ends_as_undisturbed()


class OtherVersionTests(RunTestCase):
    def test_its_unfinished_run_is_refused_in_a_sentence_and_stays_as_it_is(self) -> None:
        self.run_in(WANTED, after_one_batch)
        self.change_checkpoint(lambda plain: plain.update(version=99))
        before = self.files()
        with self.assertRaisesRegex(StorageError, "finish it with that version, or start over"):
            self.run_in(WANTED)
        self.assertEqual(self.files(), before)
        self.run_in(WANTED, fresh=True)
        self.assert_ends_as_undisturbed()

    def test_a_table_of_its_finished_run_is_trained_on(self) -> None:
        for plan, runs in (("random", 2), ("baselines", 3)):  # the second plan has gone
            with self.subTest(plan=plan), folder() as self.folder:
                self.run_in(WANTED)
                for name in (TABLE, PRUNED):
                    table = read_table(self.folder / name)
                    (before,) = table.meta["runs"]
                    before["learner"] = 2
                    del before["settings"]["plan"]
                    before["settings"]["programme"] = plan
                    table.meta["progress"]["changes"] = 5
                    write_table(self.folder / name, table)
                self.change_checkpoint(lambda plain: plain.update(version=3, finished=True))
                left = self.files()
                self.run_in(WANTED)
                self.assertEqual(self.files() == left, plan == "random", "nothing is left to do")
                self.run_in({**WANTED, "games": 2 * BATCH}, after_one_batch)
                self.assertEqual(len(read_meta(self.folder / TABLE)["runs"]), runs)
