"""What the training window says of a run that cannot go on: what is lost or safe, and only that."""

from __future__ import annotations

import sys
import unittest

from tests.gui.test_training_window import LONG, TrainingWindowTestCase, buttons_in
from traffic_lights.gui.training.model import RunPhase
from traffic_lights.learning.tablefile import read_table
from traffic_lights.storage.files import NoRoomError, StorageError
from traffic_lights.training.paths import TABLE
from traffic_lights.training.troubles import GoneError, StoppedError
from traffic_lights.workers.training import Trouble, failed_by

FULL = NoRoomError("cannot write /run/log: the disk is full")
SAFE = "is lost"


class WordsTests(TrainingWindowTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.begin(**LONG)
        self.control.save_and_leave(self.window.show_end)
        self.wait(lambda: self.control.pid is None)

    def said_of(self, error: StorageError) -> str:
        self.control.model.take(failed_by(error))
        self.window.show_end()
        return self.said

    def test_a_full_disk_is_told_once_with_what_is_safe(self) -> None:
        said = self.said_of(StoppedError(FULL, 84_000))
        self.assertEqual(
            said, "Cannot write /run/log: the disk is full. Nothing up to game 84,000 is lost."
        )
        self.assertIn("Try Again", buttons_in(self.window))

    def test_nothing_is_promised_that_nobody_has_seen_to(self) -> None:
        for error in (FULL, StoppedError(FULL, 0), GoneError("the run is gone")):
            self.assertNotIn(SAFE, self.said_of(error))


class EndingTests(TrainingWindowTestCase):
    def test_nothing_begins_while_the_process_of_a_run_that_failed_is_still_there(self) -> None:
        self.begin(**LONG)
        at_work = self.control.pid
        self.control.model.take(failed_by(FULL))
        self.assertIs(self.control.model.phase, RunPhase.FAILED)
        for begin in (
            self.control.resume,
            self.control.keep_as_it_is,
            lambda: self.control.start("Other", None, {"programme": "selfplay"}),
            lambda: self.control.keep_and_then(self.fail),
            lambda: self.control.choose_folder(self.app.desk.keeper.folder),
        ):
            begin()
            self.assertEqual(self.control.pid, at_work)
            self.assertIs(self.control.model.phase, RunPhase.FAILED)


class GoneTests(TrainingWindowTestCase):
    @unittest.skipIf(sys.platform == "win32", "there what is open cannot be taken away")
    def test_a_folder_that_is_taken_away_is_told_with_where_the_table_is(self) -> None:
        self.begin(**LONG)
        self.wait(lambda: self.control.model.saved_games > 0)
        folder = self.control.tables.run_folder
        folder.rename(folder.with_name("elsewhere"))
        self.wait_for(RunPhase.FAILED)
        failure = self.control.model.failure
        self.assertIs(failure.trouble, Trouble.GONE)
        self.assertEqual(failure.rescue, folder.with_name("run-rescued"))
        self.assertIn(f"games are in {failure.rescue} now", self.said)
        self.assertIn("Tables…", self.said)
        self.assertNotIn(SAFE, self.said)
        self.assertNotIn("Try Again", buttons_in(self.window))
        self.assertGreater(read_table(failure.rescue / TABLE).meta["games"], 0)


if __name__ == "__main__":
    unittest.main()
