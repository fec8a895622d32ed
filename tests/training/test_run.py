"""What a training folder may hold when a run begins, and what becomes of it."""

import json
import os
import shutil
import tempfile
import threading
import unittest
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

from tests.kit.runs import (
    BATCH,
    CHAIN,
    SMALL,
    digest,
    folder,
    tiny,
    train_in,
    undisturbed,
)
from traffic_lights.learning.prune import prune
from traffic_lights.learning.qtable import QTable
from traffic_lights.learning.tablefile import read_checksum, read_meta, read_table, write_table
from traffic_lights.storage.files import LockedError, StorageError, append, lock_file
from traffic_lights.training import plans, run, store
from traffic_lights.training.folder import CHECKPOINT, LOCK, LOG, NOTE, PRUNED, TABLE
from traffic_lights.training.progress import Moment, Run
from traffic_lights.training.rerun import recorded_runs
from traffic_lights.training.run import Training
from traffic_lights.training.settings import RunSettings, SettingsError

GAMES = 3 * BATCH
IN_USE = "on Windows a folder with a file in use cannot be deleted"
WANTED = SMALL[0].wanted


def after_one_batch() -> bool:
    return True


class RunTestCase(unittest.TestCase):
    def setUp(self) -> None:
        self.enterContext(tiny())
        self.folder = self.enterContext(folder())
        self.table, self.log = self.folder / TABLE, self.folder / LOG

    def run_in(
        self,
        wanted: dict[str, Any],
        stop: Callable[[], bool] = lambda: False,
        **options: Any,
    ) -> list[Moment]:
        """Return the moments of a run in the folder."""
        with Training(self.folder, wanted, **options) as training:
            return list(training.play(stop))

    def files(self) -> dict[str, bytes]:
        paths = self.folder.iterdir() if self.folder.exists() else ()
        return {path.name: path.read_bytes() for path in paths}

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
    def test_a_run_says_how_far_it_is(self) -> None:
        moments = self.run_in(WANTED, save_every=1)
        self.assertEqual([m.games for m in moments], [0, *range(BATCH, GAMES + 1, BATCH), GAMES])
        self.assertEqual((moments[-1].saved_games, moments[-1].share), (GAMES, 1.0))
        saved = [moment.saved_games for moment in moments]
        self.assertEqual(saved, sorted(saved))
        self.assertTrue(all(m.saved_games <= m.games for m in moments))
        self.assertEqual(moments[1].doing, "against Random")

    def test_resume_means_to_go_on_and_never_to_begin(self) -> None:
        with self.assertRaisesRegex(SettingsError, "no unfinished run to resume"):
            self.run_in(WANTED, resume=True)
        self.run_in(WANTED, after_one_batch)
        self.run_in({}, resume=True)
        self.assert_ends_as_undisturbed()
        for wanted in ({**WANTED, "seed": 6}, {"alpha": 0.5}):
            with self.assertRaisesRegex(SettingsError, "no unfinished run to resume"):
                self.run_in(wanted, resume=True)

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

    def test_a_run_with_a_setting_of_a_later_version_is_refused_and_stays_as_it_is(self) -> None:
        self.run_in(WANTED, after_one_batch)
        self.change_checkpoint(
            lambda plain: plain["settings"].update(surprise=1, version="9.1"),
        )
        path = self.folder / CHECKPOINT
        before = path.read_bytes()
        for repair in (False, True):
            with self.assertRaises(StorageError) as caught:
                self.run_in(WANTED, repair=repair)
            self.assertIn(f"{path} has a run that this program cannot", str(caught.exception))
            self.assertIn("written by version 9.1; continue it with that", str(caught.exception))
        self.assertEqual(path.read_bytes(), before)

    def test_a_setting_that_makes_no_difference_is_refused_and_changes_no_file(self) -> None:
        refused = {"plan": "reverse", "games": 2 * BATCH, "alpha": 0.9}
        with self.assertRaisesRegex(SettingsError, "alpha makes no difference"):
            self.run_in(refused)
        self.assertFalse(self.folder.exists())
        self.run_in({"plan": "reverse", "games": 2 * BATCH})
        before = self.files()
        for fresh in (False, True):
            with self.assertRaisesRegex(SettingsError, "alpha makes no difference"):
                self.run_in(refused, fresh=fresh)
        self.assertEqual(self.files(), before)

    def test_an_unfinished_run_with_other_games_ends_as_if_it_had_had_them_all_along(self) -> None:
        for plan, more in (
            ({"plan": "random"}, {}),
            ({"plan": "myopic", "explore": "least-visited"}, {}),
            ({"plan": "reverse"}, {"practice": "none"}),
        ):
            wanted = {**plan, **more, "games": 5 * BATCH}
            with self.subTest(plan=plan), folder() as other, folder() as whole:
                with Training(other, {**wanted, "games": 10**12}) as training:
                    list(training.play(after_one_batch))
                train_in(other, {"games": 5 * BATCH})
                train_in(whole, wanted)
                self.assertEqual(digest(other), digest(whole))

    def test_who_stops_a_run_with_its_last_games_has_a_finished_run(self) -> None:
        wanted = {"plan": "random", "games": BATCH // 2}
        self.run_in(wanted, after_one_batch)
        with Training(self.folder, wanted) as training:
            self.assertTrue(training.run.is_finished)
        self.run_in({**wanted, "games": BATCH})
        runs = read_meta(self.table)["runs"]
        self.assertEqual([run["games"] for run in runs], [BATCH // 2, BATCH])

    def test_games_that_an_unfinished_run_cannot_have_are_refused(self) -> None:
        for plan, games in (("random", BATCH), ("baselines", 50 * BATCH)):
            self.folder = self.folder.with_name(plan)
            self.run_in({"plan": plan, "games": 40 * BATCH}, after_one_batch)
            with self.assertRaisesRegex(SettingsError, f"games {40 * BATCH}, not {games}"):
                self.run_in({"games": games})

    def test_a_repair_without_settings_plays_the_games_of_the_damaged_log_again(self) -> None:
        self.run_in(CHAIN[0].wanted)
        self.run_in(CHAIN[1].wanted, after_one_batch)
        self.log.write_bytes(b"damaged")
        with self.assertRaisesRegex(StorageError, "with --repair the run resumes"):
            self.run_in({})
        self.assertIn("continues from game 0", self.run_in({}, repair=True)[0].note)
        self.assertEqual(digest(self.folder), undisturbed(CHAIN[:2])[0])
        self.run_in({}, repair=True)  # with nothing to repair
        self.assertEqual(digest(self.folder), undisturbed(CHAIN[:2])[0])
        (self.folder / CHECKPOINT).write_bytes(b"damaged")
        self.run_in({}, repair=True)
        self.run_in(CHAIN[1].wanted)  # which finds the checkpoint repaired
        self.assertEqual(digest(self.folder), undisturbed(CHAIN[:2])[0])

    def test_no_room_for_a_table_is_reported_and_the_run_continues(self) -> None:
        wanted = {**WANTED, "games": 12 * BATCH}

        def no_room(path: Path, _: Any) -> None:
            raise StorageError(f"cannot write {path}: the disk is full")

        with (
            mock.patch.object(store, "writing_atomically", no_room),
            Training(self.folder, wanted, save_every=1) as training,
        ):
            moments = training.play()
            notes = [next(moments).note for _ in range(15)]
            self.assertIn("the log still holds everything", "".join(notes))
            self.assertLess(sum(map(bool, notes)), 5)
            with self.assertRaisesRegex(StorageError, f"all games up to {12 * BATCH} are saved"):
                list(moments)
        self.assertEqual(self.run_in(wanted)[0].games, 12 * BATCH)


@unittest.skipIf(os.name == "nt", "a folder in use cannot be deleted or moved there")
class ShareTests(RunTestCase):
    def test_the_share_of_a_run_without_a_number_of_games_grows_to_1(self) -> None:
        for practice in ("none", "myopic"):
            with self.subTest(practice=practice), tempfile.TemporaryDirectory() as folder:
                positions = sum(map(len, plans.starting_positions()))
                with (
                    mock.patch.object(run, "POSITIONS", positions),
                    Training(Path(folder), {"plan": "reverse", "practice": practice}) as training,
                ):
                    moments = list(training.play())
                shares = [moment.share or 0.0 for moment in moments]
                self.assertEqual(shares, sorted(shares))
                self.assertEqual((shares[-1], max(shares[:-2])), (1.0, shares[-3]))
                self.assertEqual(moments[-1].tries > 0, practice == "myopic")


class CompactionTests(RunTestCase):
    def test_a_table_that_another_program_replaced_ends_the_run(self) -> None:
        def replaced(path: Path, _: Any) -> None:
            path.write_bytes(b"theirs\n")
            raise StorageError("cannot write: the disk is full")

        wanted = {**WANTED, "games": 12 * BATCH}
        with (
            mock.patch.object(store, "writing_atomically", replaced),
            Training(self.folder, wanted, save_every=1) as training,
            self.assertRaisesRegex(StorageError, "^cannot write: the disk is full; all games up"),
        ):
            list(training.play())
        self.assertEqual(self.table.read_bytes(), b"theirs\n")

    def test_a_large_log_is_compacted_during_the_run_with_signs_of_life(self) -> None:
        with (
            mock.patch.object(store, "COMPACT_FROM", 0),
            mock.patch.object(store, "SIGN_EVERY_ROWS", 1),
            Training(self.folder, WANTED, save_every=1) as training,
        ):
            doing = [moment.doing for moment in training.play()]
        self.assertGreater(doing.count(run.SAVING), 3)
        self.assertEqual(set(doing), {"", "against Random", run.SAVING})
        self.assert_ends_as_undisturbed()


class LostFolderTests(RunTestCase):
    def assert_ends(self, taken: Callable[[], object], words: str, games: int = BATCH) -> None:
        """Check how a run ends when its folder or a file of it is *taken* away after *games*."""
        with Training(self.folder, WANTED, save_every=1) as training:
            moments = training.play()
            while training.store.saved_games < games:
                next(moments)
            training.store.save(training.run, wait=True)  # the thread writes nothing after this
            taken()
            before = self.files()
            with self.assertRaisesRegex(StorageError, words) as caught:
                list(moments)
        self.assertNotIn("saved", str(caught.exception))
        self.assertEqual(self.files(), before)

    @unittest.skipIf(os.name == "nt", IN_USE)
    def test_a_folder_that_went_away_is_not_made_again(self) -> None:
        gone = f"{self.folder} was deleted, moved or replaced"
        self.assert_ends(lambda: shutil.rmtree(self.folder), gone)
        self.assert_ends(lambda: self.folder.rename(self.folder.with_name("moved")), gone)
        self.folder = self.folder.with_name("moved")
        self.run_in(WANTED)
        self.assert_ends_as_undisturbed()

    def replace_folder(self) -> None:
        shutil.rmtree(self.folder)
        self.folder.mkdir()

    @unittest.skipIf(os.name == "nt", IN_USE)
    def test_nothing_is_written_into_a_folder_made_again(self) -> None:
        gone = f"{self.folder} was deleted, moved or replaced"
        for games in (BATCH, GAMES):  # before a save, and before the last table
            self.assert_ends(self.replace_folder, gone, games)

        def replace_and_prune(table: QTable) -> QTable:
            self.replace_folder()
            return prune(table)

        with (
            mock.patch("traffic_lights.training.run.prune", replace_and_prune),
            self.assertRaisesRegex(StorageError, gone),
        ):
            self.run_in(WANTED)
        self.assertEqual(list(self.folder.iterdir()), [])


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
        first, *_ = self.run_in({"plan": "reverse", "games": 12 * BATCH})
        self.assertEqual(self.folder.joinpath("qtable.json.bak").read_bytes(), estimates)
        self.assertIn("qtable.json.bak", first.note)

    def test_a_run_that_is_stopped_leaves_no_bot_that_plays_by_the_table_before(self) -> None:
        self.run_in(WANTED)
        self.assertTrue((self.folder / PRUNED).exists())
        with Training(self.folder, {**WANTED, "games": 4 * BATCH}) as training:
            list(training.play(after_one_batch))
            training.compact()
        self.assertFalse((self.folder / PRUNED).exists())

    def test_a_pruned_table_that_is_none_of_ours_is_set_aside(self) -> None:
        self.run_in(WANTED)
        pruned = self.folder / PRUNED
        for number, kind in enumerate(("text", "the older program", "nothing", "a folder"), 1):
            pruned.unlink()
            if kind == "a folder":
                pruned.mkdir()
                (pruned / "letter").write_text(kind)
            else:
                texts = {"text": kind, "the older program": '{"0000/0000/0000|1": {"0,1": 0.5}}'}
                pruned.write_text(texts.get(kind, ""))
            kept = self.folder / f"{PRUNED}.bak{'' if number == 1 else f'.{number}'}"
            self.assertIn(f"was renamed to {kept.name}", self.run_in(WANTED)[0].note)
            self.assertEqual(kept.is_dir(), kind == "a folder")
            self.assert_ends_as_undisturbed()
        self.assertEqual((self.folder / f"{PRUNED}.bak").read_text(), "text")

    def test_the_folder_is_held_until_everything_is_saved(self) -> None:
        may_go_on = threading.Event()

        def wait_and_append(path: Path, size: int, records: bytearray) -> None:
            may_go_on.wait(60)
            append(path, size, records)

        kept = store.Store(self.folder)
        with mock.patch.object(store, "append", wait_and_append):
            kept.add(b"records")
            kept.save(Run.begun(RunSettings()))
            closing = threading.Thread(target=kept.close)
            closing.start()
            closing.join(0.05)
            self.assertTrue(closing.is_alive())
            self.assertRaises(LockedError, lock_file, self.folder / LOCK)
            may_go_on.set()
            closing.join()
        self.assertEqual(self.log.read_bytes(), b"records")
        lock_file(self.folder / LOCK).close()

    def test_logs_go_unless_they_are_kept_and_none_is_overwritten(self) -> None:
        self.run_in(WANTED)
        self.assertEqual(list(self.folder.glob("*.jsonl*")), [])
        kept: list[bytes] = []
        for seed in (6, 7):
            self.run_in({**WANTED, "seed": seed}, after_one_batch, keep_log=True)
            kept.append(self.log.read_bytes())
            self.run_in({}, keep_log=True)
        logs = [self.folder / f"{LOG}.done", self.folder / f"{LOG}.done.2"]
        for log, start in zip(logs, kept, strict=True):
            self.assertTrue(log.read_bytes().startswith(start))


class LaterVersionTests(RunTestCase):
    def test_its_checkpoint_is_refused_in_a_sentence_and_stays_as_it_is(self) -> None:
        self.run_in(WANTED, after_one_batch)
        self.change_checkpoint(lambda plain: plain.update(version=99))
        before = self.files()
        with self.assertRaisesRegex(StorageError, "is not a checkpoint of version 3"):
            self.run_in(WANTED)
        self.assertEqual(self.files(), before)


class EarlierVersionTests(RunTestCase):
    """Versions 1.2 and 1.3 learned by other rules, so their runs cannot be continued alike."""

    def begun_by(self, learner: int, stop: Callable[[], bool] = lambda: False) -> None:
        """Leave what an earlier version left of a run: version 1.2 did not number its learner."""
        self.run_in(WANTED, stop)
        for name in (TABLE, PRUNED):
            if (self.folder / name).exists():
                table = read_table(self.folder / name)
                self.number(table.meta["runs"][0], learner)
                write_table(self.folder / name, table)

        def renumber(plain: dict[str, Any]) -> None:
            self.number(plain, learner)
            if plain["base"]:
                plain["base"] = read_checksum(self.table)

        self.change_checkpoint(renumber)

    def number(self, run: dict[str, Any], learner: int) -> None:
        run["learner"] = learner
        if learner == 1:
            del run["learner"]

    def test_an_unfinished_run_is_refused_and_stays_as_it_is(self) -> None:
        for learner in (1, 2):
            self.begun_by(learner, after_one_batch)
            before = self.files()
            for repair in (False, True):
                with self.assertRaisesRegex(StorageError, "finish it with that version, or start"):
                    self.run_in(WANTED, repair=repair)
                self.assertEqual(self.files(), before)
            self.run_in(WANTED, fresh=True)
            self.assert_ends_as_undisturbed()
            shutil.rmtree(self.folder)

    def test_a_finished_run_stays_and_another_follows_but_it_cannot_be_made_again(self) -> None:
        self.begun_by(2)
        before = self.files()
        self.run_in(WANTED)
        self.assertEqual(self.files()[TABLE], before[TABLE])
        longer = {**WANTED, "games": 2 * BATCH}
        self.run_in(longer, after_one_batch)
        self.assertEqual(self.run_in(longer)[-1].games, 2 * BATCH)
        meta = read_table(self.table).meta
        self.assertEqual(len(meta["runs"]), 2)
        with self.assertRaisesRegex(SettingsError, "an earlier version trained it"):
            recorded_runs(meta)
