"""What a training folder may hold when a run begins, and what becomes of it."""

import json
import os
import shutil
import unittest
import zlib
from collections.abc import Callable
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


class RunTestCase(unittest.TestCase):
    def setUp(self) -> None:
        self.enterContext(tiny())
        self.folder = self.enterContext(folder())

    def run_in(self, wanted: dict[str, Any], *, stop: bool = False, fresh: bool = False) -> Moment:
        """Run to the end or for one batch; return the first moment, whose note says all."""
        with Training(self.folder, wanted, fresh=fresh) as training:
            return next(iter(list(training.play(lambda: stop))))

    def files(self) -> dict[str, bytes]:
        paths = self.folder.iterdir() if self.folder.exists() else ()
        return {path.name: path.read_bytes() for path in paths if path.is_file()}

    def change_checkpoint(self, **changes: Any) -> None:
        """Change what the checkpoint holds, and seal it again."""
        path = self.folder / CHECKPOINT
        plain = {**json.loads(path.read_text()), **changes}
        del plain["crc"]
        crc = f"{zlib.crc32(json.dumps(plain).encode()):08x}"
        path.write_text(json.dumps({**plain, "crc": crc}))

    def assert_ends_as_undisturbed(self) -> None:
        self.assertEqual(digest(self.folder), undisturbed(SMALL)[0])


class LogTests(unittest.TestCase):
    def test_a_table_and_its_log_are_the_table_that_was_in_training(self) -> None:
        for plan in ("myopic", "self"):
            stops = iter([False, False, True])
            with folder() as one, Training(one, {"plan": plan}) as training:
                list(training.play(lambda stops=stops: next(stops)))  # type: ignore[misc]
                training.store.close()
                with Training(one, {}) as again:
                    tables = training.table, again.table
                    rows, others = ({s: t.canonical_row(s) for s in t.states()} for t in tables)
                    self.assertGreater(len(rows), 1000)
                    self.assertTrue(rows == others, plan)


class FolderTests(RunTestCase):
    def test_what_a_folder_holds_and_what_is_asked_decide_how_a_run_begins(self) -> None:
        self.run_in(WANTED)
        for spoil in (lambda _: None, Path.unlink, lambda path: path.write_bytes(b"{")):
            spoil(self.folder / PRUNED)
            moment = self.run_in(WANTED)  # nothing is played
            self.assertEqual(
                (moment.run_games, moment.saved_games, moment.share), (GAMES, GAMES, 1)
            )
            self.assert_ends_as_undisturbed()
        asked: tuple[dict[str, Any], ...] = (
            {**WANTED, "games": 2 * BATCH},
            {**WANTED, "games": 2 * BATCH + 1},
            {"plan": "myopic", "games": 2 * BATCH},
        )
        for number, wanted in enumerate(asked, 1):
            with Training(self.folder, wanted) as training:
                list(training.play(lambda: True))
                training.compact()
            self.assertFalse((self.folder / PRUNED).exists(), "it plays by the table before")
            self.run_in({})
            _, *runs = read_meta(self.folder / TABLE)["runs"]
            games = [one["games"] for one in asked[:number]]
            self.assertEqual([run["games"] for run in runs], games)
        estimates = self.files()[TABLE]
        self.assertIn("qtable.json.bak", self.run_in({"plan": "reverse"}).note)
        self.assertEqual(self.files()["qtable.json.bak"], estimates, "it learns only proofs")

    def test_an_unfinished_run_can_have_more_games_or_less_as_if_from_the_start(self) -> None:
        wanted = {"plan": "myopic", "explore": "least-visited", "games": 5 * BATCH}
        self.run_in({**wanted, "games": 10**12}, stop=True)
        with self.assertRaisesRegex(SettingsError, f"games is {BATCH}; it must be above the [0-9]"):
            self.run_in({"games": BATCH})
        self.run_in({"games": 5 * BATCH})
        with folder() as whole:
            train_in(whole, wanted)
            self.assertEqual(digest(self.folder), digest(whole))
        with folder() as self.folder:
            self.run_in({"plan": "reverse"}, stop=True)
            with self.assertRaisesRegex(SettingsError, "games without limit, not 540"):
                self.run_in({"games": 540})

    def test_a_damaged_table_or_the_run_of_another_version_is_refused_and_stays(self) -> None:
        self.run_in(WANTED, stop=True)
        with Training(self.folder, WANTED) as training:
            training.compact()
        for spoil, words in (
            (lambda: self.change_checkpoint(version=99), "finish it with that version, or start"),
            (lambda: (self.folder / TABLE).write_bytes(self.files()[TABLE][:-90]),
             "qtable.json .* put a good copy in its place"),
        ):  # fmt: skip
            spoil()
            before = self.files()
            self.assertRaisesRegex(StorageError, words, self.run_in, WANTED)
            self.assertEqual(self.files(), before)
        self.run_in(WANTED, fresh=True)
        self.assert_ends_as_undisturbed()

    def test_a_table_of_a_finished_run_of_another_version_is_trained_on(self) -> None:
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
                self.change_checkpoint(version=3, finished=True)
                left = self.files()
                self.run_in(WANTED)
                self.assertEqual(self.files() == left, plan == "random", "nothing is left to do")
                self.run_in({**WANTED, "games": 2 * BATCH})
                self.assertEqual(len(read_meta(self.folder / TABLE)["runs"]), runs)

    def test_a_file_of_another_program_with_one_of_our_names_is_renamed(self) -> None:
        for name, make in (
            (TABLE, Path.touch), (TABLE, Path.mkdir), (PRUNED, Path.touch), (CHECKPOINT, Path.touch)
        ):  # fmt: skip
            with self.subTest(name=name, make=make), folder() as self.folder:
                self.folder.mkdir(parents=True)
                make(self.folder / name)
                (self.folder / LOG).write_text("text")
                self.assertIn(f"{name}.bak", self.run_in(WANTED).note)
                self.assertTrue((self.folder / f"{name}.bak").exists())
                self.assertEqual(self.files()[f"{LOG}.bak"], b"text")
                self.assert_ends_as_undisturbed()

    def test_each_fresh_start_sets_the_files_aside_together(self) -> None:
        names = (TABLE, PRUNED, CHECKPOINT, NOTE)
        for seed, ending in enumerate(("", ".bak", ".bak.2")):
            before = self.files()
            note = self.run_in({**WANTED, "seed": seed}, fresh=True).note
            (self.folder / NOTE).write_bytes(b"%d" % seed)
            for name in names if ending else ():
                self.assertEqual(self.files()[name + ending], before[name])
                self.assertIn(name + ending, note)
        for name in names:
            (self.folder / (name + ".bak.2")).replace(self.folder / name)
        self.run_in({**WANTED, "seed": 1})
        self.assertEqual(self.files()[TABLE], before[TABLE])


class PlayTests(RunTestCase):
    def test_no_room_for_a_table_is_reported_and_the_run_continues(self) -> None:
        wanted = {**WANTED, "games": 12 * BATCH}
        full = mock.patch.object(store, "write_table", side_effect=StorageError("the disk is full"))
        with full, Training(self.folder, wanted) as training:
            moments = training.play()
            notes = [next(moments).note for _ in range(14)]
            self.assertIn("the log still holds everything", "".join(notes))
            self.assertLess(sum(map(bool, notes)), 5)
            with self.assertRaisesRegex(StorageError, f"all games up to {12 * BATCH} are saved"):
                list(moments)
        self.assertEqual(self.run_in(wanted).run_games, 12 * BATCH)

    def test_the_share_of_a_run_without_a_number_of_games_grows_to_1(self) -> None:
        with Training(self.folder, {"plan": "reverse", "practice": "myopic"}) as training:
            shares = [moment.share or 0.0 for moment in training.play()]
            self.assertGreater(training.run.progress.practice_games, 0)
        self.assertEqual(shares, sorted(shares))
        self.assertEqual((shares[0], shares[-4] < 1, *shares[-3:]), (0, True, 1, 1, 1))

    @unittest.skipIf(os.name == "nt", "a folder with a file in use cannot be deleted there")
    def test_a_folder_that_was_deleted_moved_or_made_again_ends_the_run_and_stays_so(self) -> None:
        moved = self.folder.with_name("moved")

        def remake() -> None:
            shutil.rmtree(self.folder)
            self.folder.mkdir()

        taken: tuple[tuple[Callable[[], object], int], ...] = (
            (lambda: shutil.rmtree(self.folder), BATCH),
            (lambda: self.folder.rename(moved), BATCH),
            (remake, BATCH),
            (remake, GAMES),  # before the last table
        )
        for take, games in taken:
            with Training(self.folder, WANTED) as training:
                moments = training.play()
                while training.store.saved_games < games:
                    next(moments)
                take()
                before = self.files()
                gone = f"{self.folder} was deleted, moved or replaced"
                with self.assertRaisesRegex(StorageError, gone) as caught:
                    list(moments)
            self.assertNotIn("saved", str(caught.exception))
            self.assertEqual(self.files(), before)
        self.folder = moved
        self.run_in(WANTED)
        self.assert_ends_as_undisturbed()
