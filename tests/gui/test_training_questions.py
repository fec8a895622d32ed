"""What the training window asks before a run is lost, and that nothing in it moves."""

from __future__ import annotations

import unittest
from functools import partial
from tkinter import ttk

from tests.gui.test_training_window import LONG, SHORT, TrainingWindowTestCase, buttons_in
from traffic_lights.gui.kit.dialog import Dialog
from traffic_lights.gui.kit.keys import focused_widget
from traffic_lights.gui.training.form_model import RECOMMENDED, programmes
from traffic_lights.gui.training.model import RunPhase
from traffic_lights.gui.training.offer import offer_interrupted_run
from traffic_lights.training.events import Stop
from traffic_lights.training.old_run import OldTraining as Training
from traffic_lights.training.own_tables import OwnTables


class QuestionTests(TrainingWindowTestCase):
    def leave_one_behind(self) -> int:
        """Have a run that is neither at work nor kept; return its games."""
        self.begin(**LONG)
        self.control.save_and_leave(lambda: None)
        self.wait(lambda: self.control.pid is None)
        self.window.show_end()
        self.fill(**SHORT)
        games = OwnTables(self.app.desk.keeper.folder).interrupted_games()
        assert games is not None
        return games

    def question(self) -> Dialog:
        (question,) = self.questions()
        return question

    def answer_by_return(self) -> None:
        """Answer the question with Return, whatever that means."""
        question = self.question()
        (default,) = (
            button for button in buttons_in(question).values()
            if str(button.cget("style")) == "Accent.TButton"
        )  # fmt: skip
        self.key("<Return>", widget=default)
        self.assertFalse(question.winfo_exists())

    def assert_still_there(self) -> None:
        self.assertIsNotNone(OwnTables(self.app.desk.keeper.folder).interrupted_games())

    def test_a_run_at_work_leaves_the_keyboard_on_pause(self) -> None:
        self.fill(**LONG)
        self.key("<Return>", widget=self.window.form.widgets["games"])
        pause = self.window.run_buttons["Pause"]
        self.assertIs(self.app.root.focus_get(), pause)
        self.wait(lambda: self.control.model.games > 0)
        self.assertIs(self.app.root.focus_get(), pause)
        self.assertTrue(pause.instate(["!disabled"]))

    def test_discard_of_a_run_at_work_asks_and_return_keeps_it(self) -> None:
        self.begin()
        self.press("Discard…")
        self.assertIn("cannot be undone", str(_text(self.question())))
        self.answer_by_return()
        self.assertTrue(self.control.model.is_active)

    def test_discard_of_a_run_left_behind_asks_and_return_keeps_it(self) -> None:
        games = self.leave_one_behind()
        self.press("Discard…")
        self.assertIn(f"{games:,} games", str(_text(self.question())))
        self.answer_by_return()
        self.assert_still_there()
        self.press("Discard…")
        self.press("Discard", self.question())
        self.assertIsNone(self.control.note)

    def test_discard_counts_from_the_kept_table_which_stays(self) -> None:
        self.begin(**LONG)
        self.press("Stop and Keep")
        self.wait_for(RunPhase.STOPPED)
        kept = self.control.kept
        self.window.form.choose_table(kept.key)
        self.press("Start")
        self.wait(lambda: self.control.model.games > kept.facts.games)
        self.press("Pause")
        self.wait_for(RunPhase.PAUSED)
        for is_at_work in (True, False):
            more = self.control.model.games - kept.facts.games
            self.press("Discard…", self.window)
            text = str(_text(self.question()))
            self.assertIn(f"{more:,} games?", text)
            self.assertIn(f"“{kept.name}” stays", text)
            self.question().close()
            if is_at_work:
                self.control.save_and_leave(lambda: None)
                self.wait(lambda: self.control.pid is None)
                self.window.show_end()
        self.press("Discard…", self.window)
        self.press("Discard", self.question())
        self.assertEqual(self.control.tables.get(kept.key), kept)

    def test_discard_of_what_follows_a_finished_run_counts_all_of_it(self) -> None:
        self.begin(**SHORT)
        self.wait_for(RunPhase.FINISHED)
        self.window.form.choose_table(self.control.kept.key)
        self.begin(programme="random", games="2,000")
        self.wait_for(RunPhase.FINISHED)
        self.press("Discard…", self.window)
        self.assertIn("2,000 games?", str(_text(self.question())))

    def test_a_run_that_is_paused_can_be_kept_paused(self) -> None:
        self.begin(**LONG)
        self.press("Pause")
        self.wait_for(RunPhase.PAUSED)
        self.key("<Escape>", widget=self.window.run_buttons["Pause"])
        self.assertIn("paused in the background", str(_text(self.question())))
        self.press("Keep It Paused")
        self.assertFalse(self.window.winfo_exists())
        self.assertIs(self.control.model.phase, RunPhase.PAUSED)

    def test_the_window_of_a_run_left_behind_gives_the_keyboard_to_resume(self) -> None:
        self.leave_one_behind()
        self.window.close()
        window = self.reopen()
        self.wait(lambda: focused_widget(window) is buttons_in(window)["Resume"])

    def test_discard_at_the_start_of_the_program_asks_and_return_keeps_it(self) -> None:
        self.leave_one_behind()
        for answer in ("return", "Discard"):
            offer_interrupted_run(self.app.desk, lambda: self.control)
            self.press("Discard…", self.question())
            if answer == "return":
                self.answer_by_return()
                self.assert_still_there()
            else:
                self.press(answer, self.question())
        self.assertIsNone(self.control.note)

    def test_a_question_about_a_run_that_waits_goes_when_one_is_at_work(self) -> None:
        self.leave_one_behind()
        for is_sure in (False, True):
            offer_interrupted_run(self.app.desk, lambda: self.control)
            if is_sure:
                self.press("Discard…", self.question())
            self.press("Resume", self.window)
            self.assertEqual(self.questions(), [])
            self.assertTrue(self.control.model.is_active)
            self.control.save_and_leave(self.window.show_end)
            self.wait(lambda: self.control.pid is None)

    def test_what_was_played_since_the_question_is_not_discarded(self) -> None:
        asked = self.leave_one_behind()
        for offer in (partial(offer_interrupted_run, self.app.desk, lambda: self.control), None):
            if offer is not None:
                offer()
            self.press("Discard…", self.question() if offer is not None else self.window)
            with Training(self.control.tables.run_folder, {}) as training:
                list(training.run(lambda: Stop.COMMIT))  # as another program may do
            self.press("Discard", self.question())
            games = OwnTables(self.app.desk.keeper.folder).interrupted_games()
            assert games is not None
            self.assertGreater(games, asked)
            self.assertIn(f"{games:,}", str(_text(self.question())), "asked anew")
            self.question().close()
            asked = games

    def test_what_was_played_since_the_question_is_not_deleted_for_another_run(self) -> None:
        self.leave_one_behind()
        self.press("Start")
        with Training(self.control.tables.run_folder, {}) as training:
            list(training.run(lambda: Stop.COMMIT))  # as another program may do
        self.press("Delete It and Start", self.question())
        self.assert_still_there()
        self.assertFalse(self.control.model.is_active)
        self.press("Delete It and Start", self.question())
        self.wait_for(RunPhase.FINISHED)

    def test_a_run_that_ends_takes_the_questions_about_it_along(self) -> None:
        self.begin(**SHORT)
        self.press("Discard…")
        self.wait_for(RunPhase.FINISHED)
        self.assertEqual(self.questions(), [])
        self.assertEqual(len(self.control.tables.all()), 1)

    def test_starting_while_a_run_waits_may_keep_it_first(self) -> None:
        games = self.leave_one_behind()
        self.press("Start")
        self.assertEqual(
            list(buttons_in(self.question())),
            ["Keep It and Start", "Delete It and Start", "Cancel"],
        )
        self.answer_by_return()
        self.wait(lambda: len(self.control.tables.all()) == 2)
        self.wait_for(RunPhase.FINISHED)
        kept = [table.facts.games for table in self.control.tables.all()]
        self.assertGreaterEqual(kept[0], games)
        self.assertEqual(kept[1], 3000)

    def test_starting_while_a_finished_run_waits_may_keep_that_first(self) -> None:
        self.begin(**SHORT)
        self.wait_for(RunPhase.FINISHED)
        self.window.form.choose_table(self.control.kept.key)
        self.fill(programme="random", games="2000")
        self.press("Start")
        self.wait_for(RunPhase.FINISHED)
        self.window.form.offer_tables(self.control.tables.all())
        self.window.form.variables["name"].set("Another")
        self.fill(**SHORT)
        self.press("Start")
        self.press("Keep It and Start", self.question())
        self.wait(lambda: len(self.control.tables.all()) == 2)
        self.assertEqual([t.facts.games for t in self.control.tables.all()], [5000, 3000])

    def test_starting_while_a_run_waits_may_delete_it_or_be_thought_better_of(self) -> None:
        self.leave_one_behind()
        self.press("Start")
        self.press("Cancel", self.question())
        self.assert_still_there()
        self.press("Start")
        self.press("Delete It and Start", self.question())
        self.wait_for(RunPhase.FINISHED)
        self.assertEqual([t.facts.games for t in self.control.tables.all()], [3000])


class PlacesTests(TrainingWindowTestCase):
    def places(self) -> dict[str, tuple[int, int]]:
        """Return where the fields and buttons are."""
        self.app.root.update()
        widgets = {**self.window.form.widgets, **self.window.run_buttons}
        return {
            name: (widget.winfo_rootx(), widget.winfo_rooty())
            for name, widget in widgets.items() if widget.winfo_viewable()
        }  # fmt: skip

    def test_no_mistake_and_no_programme_moves_anything(self) -> None:
        form = self.window.form
        before = self.places()
        for name in ("games", "name"):
            form.variables[name].set("")
            form.variables["games"].set("1.5")
            self.assertEqual(self.places(), before, name)
        for programme in programmes():
            form.fill({**RECOMMENDED, "programme": programme})
            self.assertEqual(self.places(), before, programme)

    def test_buttons_keep_their_places_and_words_in_every_state_of_a_run(self) -> None:
        before = {name: at for name, at in self.places().items() if name in self.window.run_buttons}

        def assert_unmoved() -> None:
            now = self.places()
            self.assertEqual({name: now[name] for name in before}, before)

        self.begin()
        assert_unmoved()
        self.press("Pause")
        self.wait_for(RunPhase.PAUSED)
        assert_unmoved()
        self.press("Stop and Keep")
        self.wait_for(RunPhase.STOPPED)
        assert_unmoved()

    def test_nothing_is_promised_of_what_cannot_be_started(self) -> None:
        self.assertIn("complete QBot", self.said)
        self.window.form.variables["games"].set("1.5")
        self.assertEqual(self.said, "")
        self.window.show_end()
        self.assertEqual(self.said, "")
        self.fill(programme="myopic")
        self.assertIn("against Myopic", self.said)

    def test_a_name_that_another_table_has_is_a_mistake(self) -> None:
        self.begin(**SHORT)
        self.wait_for(RunPhase.FINISHED)
        form = self.window.form
        form.variables["name"].set("my qbot")
        self.assertIn("Another table", form.complaints["name"].cget("text"))
        form.choose_table(self.control.kept.key)
        self.assertEqual(form.complaints["name"].cget("text"), " ", "it may have its own")


def _text(question: Dialog) -> str:
    labels = (child for child in question.body.winfo_children() if isinstance(child, ttk.Label))
    return " ".join(str(label.cget("text")) for label in labels)


if __name__ == "__main__":
    unittest.main()
