"""What the training window was asked to do later: done when it is meant, and else forgotten."""

from __future__ import annotations

import unittest
from unittest import mock

from tests.gui.test_training_window import LONG, SHORT, TrainingWindowTestCase, buttons_in
from traffic_lights.gui.training import control as training_control
from traffic_lights.gui.training.model import RunPhase
from traffic_lights.learning.tablefile import read_table
from traffic_lights.storage.lock import FileLock
from traffic_lights.training.events import Stop
from traffic_lights.training.old_run import OldTraining as Training
from traffic_lights.training.own_tables import OwnTables
from traffic_lights.training.paths import LOCK
from traffic_lights.workers.training import Trouble

WAITS = ["Keep It and Start", "Delete It and Start", "Cancel"]


class PlansTestCase(TrainingWindowTestCase):
    def another_leaves_a_run(self) -> int:
        """Have another program leave a run that is not kept; return its games."""
        note = OwnTables(self.app.desk.keeper.folder).begin_run("Theirs")
        with Training(note.folder, {"programme": "selfplay"}) as training:
            list(training.run(lambda: Stop.COMMIT))
            return training.state.progress.games

    def assert_kept_are(self, *names: str) -> None:
        """Assert that the kept tables are called *names*, and known for what they are."""
        tables = self.control.tables.all()
        self.assertEqual([table.name for table in tables], list(names))
        for table in tables:
            self.assertEqual(read_table(table.path).meta["games"], table.facts.games)

    def waiting_games(self) -> int | None:
        return OwnTables(self.app.desk.keeper.folder).interrupted_games()


class WishTests(PlansTestCase):
    """A start that failed because another program was at work on a run."""

    def setUp(self) -> None:
        super().setUp()
        self.games = self.another_leaves_a_run()
        self.fill(**SHORT)
        with FileLock(self.control.tables.run_folder / LOCK):
            self.press("Start")
        self.assertIs(self.control.model.failure.trouble, Trouble.BUSY)
        self.assertIn("in use by another training run", self.said)
        self.assertNotIn("Another Folder…", buttons_in(self.window), "theirs has the only note")

    def test_to_try_it_again_asks_what_becomes_of_theirs(self) -> None:
        self.press("Try Again")
        (question,) = self.questions()
        self.assertEqual(list(buttons_in(question)), WAITS)
        self.press("Cancel")
        self.assertEqual(self.waiting_games(), self.games)
        self.press("Try Again")
        self.press("Keep It and Start")
        self.wait(lambda: len(self.control.tables.all()) == 2)
        self.wait_for(RunPhase.FINISHED)
        self.assert_kept_are("Theirs", "My QBot")

    def test_theirs_may_be_deleted_if_that_is_said(self) -> None:
        self.press("Try Again")
        self.press("Delete It and Start")
        self.wait_for(RunPhase.FINISHED)
        self.assertEqual([table.facts.games for table in self.control.tables.all()], [3000])

    def test_given_up_it_is_forgotten_and_theirs_can_be_gone_on_with(self) -> None:
        self.press("Stop")
        self.assertIn(f"stopped at game {self.games:,}", self.said)
        self.press("Resume")
        self.wait(lambda: self.control.model.resumed_at)
        self.assertEqual(self.control.model.resumed_at, [self.games])

    def test_who_did_not_ask_deletes_nothing(self) -> None:
        self.control.start("Second", None, {"programme": "myopic"})
        self.assertIs(self.control.model.phase, RunPhase.FAILED)
        self.assertIn("is not kept yet. Try Again asks what becomes of it.", self.said)
        self.assertNotIn("in use", self.said)
        self.press("Try Again")
        (question,) = self.questions()
        self.assertEqual(list(buttons_in(question)), WAITS)
        self.assertEqual(self.waiting_games(), self.games)


class KeepAndStartTests(PlansTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.done: list[str] = []

    def plan(self) -> None:
        self.control.keep_and_then(lambda: self.done.append("started"))

    def play_one(self) -> None:
        """Play a run to its end, at which nothing is to happen."""
        self.begin(**SHORT)
        self.wait_for(RunPhase.FINISHED)
        self.assertEqual(self.done, [])

    def test_a_run_that_is_discarded_takes_the_plans_for_its_end_along(self) -> None:
        self.another_leaves_a_run()
        self.plan()
        self.control.discard()
        self.play_one()
        self.begin(**LONG)
        self.control.save_and_leave(lambda: self.done.append("quit"))
        self.control.discard()
        self.play_one()

    def test_nothing_is_planned_for_the_end_of_a_run_at_work(self) -> None:
        self.begin(**LONG)
        self.plan()
        self.press("Stop and Keep")
        self.wait_for(RunPhase.STOPPED)
        self.assertEqual(self.done, [])

    def test_what_could_not_be_kept_starts_nothing_later(self) -> None:
        self.another_leaves_a_run()
        with mock.patch.object(training_control, "WorkerLink", side_effect=OSError(11, "none")):
            self.plan()
        self.assertIs(self.control.model.phase, RunPhase.FAILED)
        self.press("Resume")
        self.wait(lambda: self.control.model.games > 0)
        self.press("Stop and Keep")
        self.wait_for(RunPhase.STOPPED)
        self.assertEqual(self.done, [])

    def test_the_run_of_another_program_is_kept_as_what_it_is(self) -> None:
        self.play_one()
        self.another_leaves_a_run()
        self.plan()
        self.wait(lambda: self.done)
        self.assert_kept_are("My QBot", "Theirs")


if __name__ == "__main__":
    unittest.main()
