"""What a training folder may look like when a run begins, and what becomes of it."""

import errno
import os
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

from tests.kit.faults import Disk
from tests.kit.runs import (
    BATCH,
    CHAIN,
    EXTENDED,
    OPPONENTS,
    SMALL,
    Told,
    attend,
    digest,
    finish,
    folder,
    play,
    tiny,
    undisturbed,
)
from tests.kit.trained import trained
from traffic_lights.learning.tablefile import read_table
from traffic_lights.storage import files as storage
from traffic_lights.storage import log as deltalog
from traffic_lights.storage.files import (
    DamagedFileError,
    NoRoomError,
    StorageError,
    SyncError,
)
from traffic_lights.training import commits
from traffic_lights.training import folder as runfiles
from traffic_lights.training import state as runstate
from traffic_lights.training.events import Finished, Noted, Saved, Started, Stop
from traffic_lights.training.old_run import OldTraining as Training
from traffic_lights.training.paths import CHECKPOINT, CURVES, CUT, TABLE
from traffic_lights.training.settings import RunSettings, SettingsError
from traffic_lights.training.state import run_of_meta
from traffic_lights.training.troubles import (
    DamagedRunError,
    OtherSettingsError,
    Remedy,
    StoppedError,
)

GAMES = 3 * BATCH
UNUSED = {
    "reverse": {"alpha", "gamma", "shares", "epsilon_start"},
    "selfplay": {"alpha", "gamma", "shares", "epsilon_start"},
    "random": {"gamma", "shares"},
    "baselines": {"gamma"},
}
"""The settings that make no difference, by programme."""


class ResumeTestCase(unittest.TestCase):
    def setUp(self) -> None:
        self.enterContext(tiny())
        self.folder = self.enterContext(folder())
        self.table, self.log, self.checkpoint = (
            self.folder / name
            for name in ("qtable.json", "qtable_deltas.jsonl", "qtable_checkpoint.json")
        )

    def events(self, wanted: dict[str, Any], **options: Any) -> list[Any]:
        """Return the events of training with *wanted*, started with *options*."""
        stop = options.pop("stop", lambda: Stop.NO)
        with Training(
            self.folder, wanted, now=lambda: 0.0, commit_every_games=BATCH, **options
        ) as training:
            return list(training.run(stop))

    def stop_after_one_batch(self, how: Stop = Stop.COMMIT) -> None:
        self.events(SMALL[0].wanted, stop=lambda: how)

    def assert_ends_as_undisturbed(self) -> None:
        self.assertEqual(digest(self.folder), undisturbed(SMALL)[0])


class FolderTests(ResumeTestCase):
    def test_a_stopped_run_goes_on_without_being_told_its_settings(self) -> None:
        for how in (Stop.COMMIT, Stop.FOLD):
            self.stop_after_one_batch(how)
        started, *_ = self.events({})
        self.assertEqual(started.resumed_at, 2 * BATCH)
        self.assert_ends_as_undisturbed()

    def test_who_wants_to_resume_begins_no_run(self) -> None:
        with self.assertRaisesRegex(SettingsError, "no unfinished run to resume"):
            self.events({}, resume=True)
        # One that is killed before its first commit is a run.
        with Training(self.folder, SMALL[0].wanted) as training:
            self.assertIsInstance(next(training.run()), Started)
        self.events({}, resume=True)
        self.assert_ends_as_undisturbed()
        before = digest(self.folder)
        for wanted in ({}, {**SMALL[0].wanted, "seed": 6}):
            with self.assertRaisesRegex(SettingsError, "no unfinished run to resume"):
                self.events(wanted, resume=True)
        self.events(SMALL[0].wanted, resume=True)
        self.assertEqual(digest(self.folder), before)

    def test_settings_that_differ_are_refused_by_name(self) -> None:
        self.stop_after_one_batch()
        before = self.log.read_bytes()
        for name, value in (
            ("programme", "myopic"), ("games", 7), ("seed", 6), ("alpha", 0.5),
            ("epsilon_start", 0.9), ("update", "bootstrap"),
        ):  # fmt: skip
            with self.subTest(name=name), self.assertRaises(SettingsError) as caught:
                self.events({**SMALL[0].wanted, name: value})
            self.assertIn(name.replace("_", "-"), str(caught.exception))
            assert isinstance(caught.exception, OtherSettingsError)
            self.assertIs(caught.exception.remedy, Remedy.SAME_SETTINGS)
        self.assertEqual(self.log.read_bytes(), before)

    def test_a_finished_run_says_so_and_changes_nothing(self) -> None:
        self.events(SMALL[0].wanted)
        before = digest(self.folder)
        events = self.events(SMALL[0].wanted)
        self.assertEqual([type(event) for event in events], [Started, Finished])
        self.assertEqual((events[0].resumed_at, digest(self.folder)), (GAMES, before))

    def test_settings_that_make_no_difference_make_no_other_run(self) -> None:
        other: dict[str, Any] = {
            "alpha": 0.9, "gamma": 0.5, "shares": (1, 2, 3, 4), "epsilon_start": 0.9,
        }  # fmt: skip
        for programme in ("reverse", "selfplay", "random", "baselines"):
            self.folder = self.folder.with_name(programme)
            wanted: dict[str, Any] = {"programme": programme, "games": 2 * BATCH, "seed": 5}
            self.events(wanted)
            rows = read_table(self.folder / TABLE)
            for name, value in other.items():
                with self.subTest(programme=programme, name=name):
                    usual = RunSettings.wanted(wanted).checked()
                    asked = RunSettings.wanted({**wanted, name: value}).checked()
                    makes_none = asked.effective() == usual.effective()
                    self.assertIs(makes_none, name in UNUSED[programme])
                    if makes_none:
                        self.events({**wanted, name: value})
                        self.assertEqual(read_table(self.folder / TABLE).meta, rows.meta)
                        learned = trained(asked)
                        self.assertEqual(list(learned.states()), list(rows.states()))
                        for state in rows.states():
                            found = learned.canonical_row(state)
                            self.assertEqual(found, rows.canonical_row(state))

    def test_a_finished_run_makes_its_cut_anew(self) -> None:
        self.events(SMALL[0].wanted)
        cut = self.folder / "qbot.json"
        text = cut.read_bytes()
        for spoiled in (text[:-5], b""):
            cut.write_bytes(spoiled)
            self.events(SMALL[0].wanted)
            self.assertEqual(cut.read_bytes(), text)

    def test_a_table_stays_readable_after_many_runs(self) -> None:
        with mock.patch.object(runstate, "MOST_LISTED", 3):
            for seed in range(6):
                self.events({"programme": "random", "games": 2, "seed": seed})
                meta = read_table(self.table).meta
                run = run_of_meta(meta, self.table)
                assert run is not None
                self.assertEqual((run.number, run.settings.seed), (seed, seed))
                self.assertEqual(meta["games"], 2 * (seed + 1))
                self.assertLessEqual(len(meta["runs"]), 3)
        self.assertEqual(meta["runs"][0], {"runs": 4, "games": 8})
        self.assertEqual([run["games"] for run in meta["runs"]], [8, 2, 2])

    def test_a_fresh_start_keeps_the_old_files(self) -> None:
        self.events(SMALL[0].wanted)
        table = self.table.read_bytes()
        self.events({"programme": "myopic", "games": BATCH}, fresh=True)
        self.assertEqual(self.folder.joinpath("qtable.json.bak").read_bytes(), table)
        self.assertTrue(self.folder.joinpath("qtable_checkpoint.json.bak").exists())
        self.assertEqual(read_table(self.table).meta["games"], BATCH)

    def test_each_fresh_start_sets_the_files_aside_together_and_says_how_to_go_back(self) -> None:
        written: list[dict[str, bytes]] = []
        for seed in range(3):
            wanted = {**SMALL[0].wanted, "seed": seed}
            started, *_ = self.events(wanted, fresh=True)
            (self.folder / CURVES).write_bytes(b"drawn by the window, %d" % seed)
            names = (TABLE, CUT, CHECKPOINT, CURVES)
            written.append({name: (self.folder / name).read_bytes() for name in names})
        for seed, ending in ((0, ".bak"), (1, ".bak.2")):
            for name, data in written[seed].items():
                self.assertEqual((self.folder / (name + ending)).read_bytes(), data)
                self.assertIn(name + ".bak.2", started.notes[0])
        for name in written[1]:
            (self.folder / (name + ".bak.2")).replace(self.folder / name)
        started, *_ = self.events({**SMALL[0].wanted, "seed": 1})
        self.assertEqual((started.resumed_at, started.notes), (GAMES, ()))

    @unittest.skipIf(os.name == "nt", "links of POSIX")
    def test_a_link_to_nothing_does_not_stop_a_fresh_start(self) -> None:
        self.folder.mkdir(parents=True)
        self.table.symlink_to(self.folder / "nowhere")
        with self.assertRaisesRegex(StorageError, "it is a link"):
            self.events(SMALL[0].wanted)
        self.events(SMALL[0].wanted, fresh=True)
        self.assert_ends_as_undisturbed()

    def test_what_a_killed_trainer_left_half_written_is_removed(self) -> None:
        self.stop_after_one_batch()
        for name in ("qtable.json.1.tmp", "qtable_checkpoint.json.22.tmp", "qbot.json.1.tmp"):
            (self.folder / name).write_bytes(b"half")
        self.folder.joinpath("qtable_deltas.jsonl.done").write_bytes(b"of long ago")
        self.folder.joinpath("mine.tmp").write_bytes(b"not ours")
        self.events({})
        self.assert_ends_as_undisturbed()
        self.assertEqual([path.name for path in self.folder.glob("*.tmp")], ["mine.tmp"])

    def test_logs_that_the_table_holds_go_unless_they_are_kept_and_none_is_overwritten(
        self,
    ) -> None:
        self.events(SMALL[0].wanted)
        self.assertEqual([path.name for path in self.folder.glob("*.jsonl*")], [])
        kept: list[bytes] = []
        for seed in (6, 7, 8):
            self.events({**SMALL[0].wanted, "seed": seed}, stop=lambda: Stop.COMMIT, keep_log=True)
            kept.append(self.log.read_bytes())
            self.events({}, keep_log=True)
        names = [f"{self.log.name}.done{number}" for number in ("", ".2", ".3", ".4", ".5", ".6")]
        logs = [(self.folder / name).read_bytes() for name in names]
        self.assertEqual(len(list(self.folder.glob("*.done*"))), len(names))
        self.assertEqual(logs[::2], kept)

    def test_a_torn_tail_is_cut_off_and_said(self) -> None:
        self.stop_after_one_batch()
        with self.log.open("ab") as file:
            file.write(b'{"s":"0000')
        started, *_ = self.events({})
        self.assertEqual(started.notes, ("10 bytes of an unfinished write were cut off",))
        self.assert_ends_as_undisturbed()

    def test_without_its_log_a_table_goes_on_from_where_it_is(self) -> None:
        self.stop_after_one_batch(Stop.FOLD)
        self.log.unlink()
        self.events({})
        self.assert_ends_as_undisturbed()

    def test_without_its_table_a_log_that_continues_one_is_refused(self) -> None:
        self.stop_after_one_batch(Stop.FOLD)
        self.table.unlink()
        with self.assertRaisesRegex(DamagedFileError, "a table that is gone"):
            self.events({})

    def test_a_log_of_another_table_is_refused_and_put_aside_by_a_repair(self) -> None:
        self.stop_after_one_batch(Stop.FOLD)
        stranger = self.log.read_bytes()
        self.events(SMALL[0].wanted, fresh=True, stop=lambda: Stop.COMMIT)
        self.stop_after_one_batch(Stop.FOLD)
        self.log.write_bytes(stranger)
        with self.assertRaisesRegex(DamagedRunError, "does not belong to") as caught:
            self.events({})
        self.assertIs(caught.exception.remedy, Remedy.PUT_ASIDE)
        started, *_ = self.events({}, repair=True)
        self.assertIn("put aside", started.notes[0])
        self.assertEqual(self.folder.joinpath(f"{self.log.name}.bak").read_bytes(), stranger)
        self.assert_ends_as_undisturbed()

    def test_a_damaged_header_is_put_aside_by_a_repair_if_there_is_a_table(self) -> None:
        self.stop_after_one_batch(Stop.FOLD)
        self.log.write_bytes(b"x" + self.log.read_bytes()[1:])
        with self.assertRaises(DamagedRunError) as caught:
            self.events({})
        self.assertIs(caught.exception.remedy, Remedy.PUT_ASIDE)
        self.events({}, repair=True)
        self.assert_ends_as_undisturbed()

    def test_a_checkpoint_is_written_anew_by_a_repair(self) -> None:
        self.stop_after_one_batch()
        self.checkpoint.write_bytes(b"{")
        with self.assertRaises(DamagedRunError) as caught:
            self.events({})
        self.assertIs(caught.exception.remedy, Remedy.WRITE_ANEW)
        self.events({}, repair=True)
        self.assert_ends_as_undisturbed()

    def test_a_checkpoint_that_knows_more_is_said_and_the_log_counts(self) -> None:
        self.stop_after_one_batch()
        log = self.log.read_bytes()
        self.stop_after_one_batch()
        self.table.unlink(missing_ok=True)
        self.log.write_bytes(log)
        started, *_ = self.events({})
        self.assertIn(f"names game {2 * BATCH}", started.notes[0])
        self.assertEqual(started.resumed_at, BATCH)
        self.assert_ends_as_undisturbed()


class FailureTests(ResumeTestCase):
    def test_after_a_failed_sync_a_log_takes_no_more(self) -> None:
        log = deltalog.DeltaLog.create(Path(self.enterContext(folder()).parent.parent, "log"), {})
        log.append(b"", 0, {"games": 1})
        size = log.path.stat().st_size
        with (
            mock.patch.object(deltalog, "sync", side_effect=OSError(errno.EIO, "bad")),
            self.assertRaisesRegex(SyncError, "did not confirm"),
        ):
            log.append(b"", 0, {"games": 2})
        with self.assertRaises(SyncError):
            log.append(b"", 0, {"games": 2})
        log.close()
        self.assertEqual(log.path.stat().st_size, size)

    def test_no_room_for_a_table_is_said_once_and_the_log_goes_on(self) -> None:
        write = storage.write_atomically

        def no_room(path: Path, chunks: Any) -> None:
            if path == self.table:
                raise NoRoomError(f"cannot write {path}: the disk is full")
            write(path, chunks)

        wanted = {**SMALL[0].wanted, "games": 12 * BATCH}
        with (
            mock.patch.object(runfiles, "write_atomically", no_room),
            Training(self.folder, wanted, now=lambda: 0.0, commit_every_games=1) as training,
        ):
            events: list[Any] = []
            with self.assertRaises(StoppedError) as caught:
                for event in training.run():
                    events.append(event)  # noqa: PERF402
        notes = [event for event in events if isinstance(event, Noted)]
        self.assertEqual(len(notes), 1)
        self.assertIn("the log goes on", notes[0].text)
        self.assertIn(f"nothing up to game {12 * BATCH} is lost", str(caught.exception))
        self.assertIsInstance(caught.exception.cause, NoRoomError)
        started, *_ = self.events(wanted)
        self.assertEqual(started.resumed_at, 12 * BATCH)

    def test_a_checkpoint_that_cannot_be_written_is_said_once_and_nothing_stops(self) -> None:
        write = storage.write_json

        def no_room(path: Path, value: object, patience: Any) -> None:
            if path == self.checkpoint:
                raise NoRoomError(f"cannot write {path}: the disk is full")
            write(path, value, patience)

        with mock.patch.object(commits, "write_json", no_room):
            events = self.events(SMALL[0].wanted)
        self.assertEqual(sum(isinstance(event, Noted) for event in events), 1)
        self.assertEqual([e.games for e in events if isinstance(e, Saved)][-1], GAMES)
        self.assert_ends_as_undisturbed()

    def test_a_full_disk_is_said_with_what_is_safe(self) -> None:
        told = Told()
        _, effects, _ = undisturbed(OPPONENTS[0])
        sentences = set()
        for at in range(effects):
            with folder() as where, Disk(at, "ENOSPC from then on"):
                try:
                    play(where, OPPONENTS[0], told)
                except StorageError as error:
                    self.assertIn(str(where.parent), str(error))
                    sentences.add(str(error))
            told.session = told.saved = 0
        self.assertTrue(any("the disk is full; nothing up to game" in s for s in sentences))
        for sentence in sentences:
            self.assertRegex(sentence, r"^cannot .+: the disk is full")
            self.assertNotIn("\n", sentence)

    def test_a_run_extended_ends_as_if_it_had_been_that_long_from_the_start(self) -> None:
        for script in EXTENDED:
            with self.subTest(wanted=script[-1].wanted):
                self.assertEqual(undisturbed(script)[0], undisturbed(script[-1:])[0])

    def test_a_run_that_forgets_where_it_was_is_followed_by_another(self) -> None:
        wanted = {"programme": "random", "explore": "least-visited"}
        for runs in (1, 2):
            self.events({**wanted, "games": runs * BATCH - 1})
            self.assertEqual(len(read_table(self.table).meta["runs"]), runs)

    def test_extending_a_run_that_was_killed_before_its_table_was_written(self) -> None:
        expected = undisturbed(CHAIN)[0]
        for session in CHAIN[:1]:
            attend(self.folder, session, Told())
        with mock.patch.object(runfiles.RunFiles, "fold", side_effect=StorageError("killed")):
            for session in CHAIN[1:2]:
                with self.assertRaises(StorageError):
                    attend(self.folder, session, Told())
        told = Told(session=2)
        finish(self.folder, CHAIN, told, expected)
        self.assertEqual(told.problems, [])
