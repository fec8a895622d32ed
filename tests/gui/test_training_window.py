"""The training window: a run from start to table, and every row of "what happens"."""

from __future__ import annotations

import os
import signal
import sys
import tkinter as tk
import unittest
from collections.abc import Iterator
from contextlib import contextmanager
from tkinter import ttk
from typing import Any

from tests.kit.guests import is_running
from tests.kit.windows import WindowTestCase, forget_run
from traffic_lights.gui.game.own_bots import register_tables
from traffic_lights.gui.kit.dialog import Dialog
from traffic_lights.gui.training.chart_files import save_charts
from traffic_lights.gui.training.form_model import RECOMMENDED
from traffic_lights.gui.training.model import RunPhase
from traffic_lights.gui.training.offer import offer_interrupted_run
from traffic_lights.gui.training.window import TrainingWindow
from traffic_lights.learning.tablefile import read_table
from traffic_lights.session.session import Phase
from traffic_lights.storage.lock import FileLock
from traffic_lights.training.own_tables import OwnTables
from traffic_lights.workers.training import Trouble

LONG: dict[str, str] = {"programme": "selfplay"}
SHORT: dict[str, str] = {"programme": "myopic", "games": "3,000"}


def buttons_in(widget: tk.Misc) -> dict[str, ttk.Button]:
    """Return the buttons in *widget*, at any depth, by their words."""
    found: dict[str, ttk.Button] = {}
    for child in widget.winfo_children():
        if isinstance(child, ttk.Button):
            found[str(child.cget("text"))] = child
        found.update(buttons_in(child))
    return found


class TrainingWindowTestCase(WindowTestCase):
    def setUp(self) -> None:
        super().setUp()
        forget_run(self.app)
        self.window = self.app.windows.train()
        self.addCleanup(self._clear_up)
        self.app.root.update()

    def _clear_up(self) -> None:
        control = self.app.windows.training
        if control.model.is_active:
            control.discard()
        forget_run(self.app)
        if self.window.winfo_exists():
            self.window.destroy()
        self.app.desk.dialogs.close_all()
        for child in self.app.root.winfo_children():
            if isinstance(child, Dialog):
                child.close()

    @property
    def control(self) -> Any:
        return self.app.windows.training

    @property
    def said(self) -> str:
        return str(self.window.outcome.said.cget("text")).replace("\N{NO-BREAK SPACE}", " ")

    def reopen(self) -> TrainingWindow:
        """Return the window, opened again."""
        self.window = self.app.windows.train()
        return self.window

    def fill(self, **texts: str) -> None:
        self.window.form.fill({**RECOMMENDED, **texts})

    def press(self, words: str, where: tk.Misc | None = None) -> None:
        """Press the button with these *words*, in the window or a question over it."""
        places = [where] if where is not None else [*self.questions(), self.window]
        button = next(b[words] for place in places if words in (b := buttons_in(place)))
        button.invoke()
        self.app.root.update()

    def questions(self) -> list[Dialog]:
        """Return the questions that are asked."""
        parents = [self.app.root] + ([self.window] if self.window.winfo_exists() else [])
        children = [child for parent in parents for child in parent.winfo_children()]
        return [child for child in children if isinstance(child, Dialog)]

    def begin(self, **texts: str) -> None:
        """Start a run and wait until it plays."""
        self.fill(**(texts or LONG))
        self.press("Start")
        self.wait(lambda: self.control.model.games > 0)

    def wait_for(self, phase: RunPhase) -> None:
        self.wait(lambda: self.control.model.phase is phase)
        self.wait(lambda: self.control.pid is None or self.control.model.is_active)


class RunTests(TrainingWindowTestCase):
    def test_a_run_becomes_a_table_that_plays(self) -> None:
        self.fill(**SHORT)
        self.press("Start")
        self.assertEqual(self.window.form.widgets["name"].instate(["disabled"]), True)
        self.wait_for(RunPhase.FINISHED)
        self.assertIn("Kept as “My QBot”", self.said)
        self.assertEqual(read_table(self.control.kept.path).meta["games"], 3000)
        self.assertIsNone(self.control.note)
        self.press("Play It")
        self.assertEqual(self.app.session.players[1].name, "My QBot")
        self.click(5)
        self.wait(lambda: len(self.app.session.game.actions) == 2)
        self.assertEqual(self.app.session.phase, Phase.YOUR_TURN)

    def test_wrong_input_marks_its_field_and_start_is_greyed(self) -> None:
        form = self.window.form
        form.variables["alpha"].set("2")
        self.app.root.update()
        self.assertTrue(form.is_wide, "a wrong field must not stay hidden")
        self.assertEqual(form.widgets["alpha"].cget("style"), "Wrong.TEntry")
        self.assertIn("above 0", form.complaints["alpha"].cget("text"))
        self.assertTrue(self.window.run_buttons["Start"].instate(["disabled"]))
        self.press("Recommended")
        self.assertEqual(form.complaints["alpha"].cget("text"), " ")
        self.assertFalse(self.window.run_buttons["Start"].instate(["disabled"]))

    def test_pause_holds_and_resume_goes_on(self) -> None:
        self.begin()
        self.press("Pause")
        self.wait_for(RunPhase.PAUSED)
        games = self.control.model.games
        self.assertEqual(self.control.model.saved_games, games)
        with self.assertRaises(AssertionError):
            self.wait(lambda: self.control.model.games != games, 0.4)
        self.press("Resume")
        self.wait(lambda: self.control.model.games > games)

    def test_stop_keeps_and_training_can_go_on_from_there(self) -> None:
        self.begin()
        self.press("Stop and Keep")
        self.wait_for(RunPhase.STOPPED)
        kept = self.control.kept
        self.assertFalse(kept.facts.is_finished)
        before = kept.path.read_bytes()
        self.window.form.choose_table(kept.key)
        self.press("Start")
        self.wait(lambda: self.control.model.games > kept.facts.games)
        self.assertEqual(kept.path.read_bytes(), before, "training goes on in a copy")
        self.press("Stop and Keep")
        self.wait_for(RunPhase.STOPPED)
        self.assertEqual(self.control.kept.key, kept.key)
        self.assertGreater(self.control.kept.facts.games, kept.facts.games)

    def test_a_finished_copy_takes_the_place_of_its_table_only_when_kept(self) -> None:
        self.fill(**SHORT)
        self.press("Start")
        self.wait_for(RunPhase.FINISHED)
        kept = self.control.kept
        for answer, games in (("Discard…", 3000), ("Keep", 5000)):
            self.window.form.choose_table(kept.key)
            self.fill(programme="random", games="2000")
            self.press("Start")
            self.wait_for(RunPhase.FINISHED)
            self.press(answer)
            if answer == "Discard…":
                self.press("Discard")
            self.assertEqual(read_table(kept.path).meta["games"], games)

    def test_discard_forgets_the_run(self) -> None:
        self.begin()
        self.assert_discarded()

    def test_discard_waits_for_what_still_saves(self) -> None:
        self.begin(programme="reverse")
        self.assert_discarded()

    def assert_discarded(self) -> None:
        pid = self.control.pid
        self.press("Discard…")
        self.press("Discard")
        self.assertIs(self.control.model.phase, RunPhase.NONE)
        self.assertFalse(self.control.tables.run_folder.exists())
        self.assertFalse(is_running(pid))

    def test_the_pictures_follow_the_run_and_can_be_saved(self) -> None:
        self.fill(**SHORT)
        self.press("Start")
        self.wait_for(RunPhase.FINISHED)
        self.app.root.update()
        view, model = self.window.view, self.control.model
        self.assertEqual(sum(view.filling.decided), model.decided)
        self.assertTrue(view.charts[0].find_all())
        view.charts[0].event_generate("<Motion>", x=120, y=40)
        self.app.root.update()
        self.assertTrue(str(view.charts[0].reading()).startswith("game "))
        for name, start in (("run.svg", "<svg "), ("run.csv", "bot,settings,chart,series,games")):
            path = self.app.desk.keeper.folder / name
            save_charts(path, model, self.app.desk.theme, model.charts())
            text = path.read_text("utf-8")
            self.assertTrue(text.startswith(start))
            self.assertIn("My QBot", text)
            self.assertIn("--opponent myopic --games 3000", text)


class ClosingTests(TrainingWindowTestCase):
    def test_closing_may_leave_it_running_in_the_background(self) -> None:
        self.begin()
        self.window.ask_to_close()
        self.press("Keep Running")
        self.assertFalse(self.window.winfo_exists())
        background = self.app.window.background
        self.wait(lambda: background.winfo_viewable())
        self.assertIn("training", str(background.cget("text")))
        background.invoke()
        self.reopen()
        self.assertTrue(self.control.model.is_active)
        self.wait(lambda: not background.winfo_viewable())

    def test_closing_may_stop_and_keep(self) -> None:
        self.begin()
        self.window.ask_to_close()
        self.press("Stop and Keep", self.questions()[0])
        self.assertFalse(self.window.winfo_exists())
        self.wait_for(RunPhase.STOPPED)
        self.assertEqual(len(self.control.tables.all()), 1)
        self.assertIn("Stopped", self.status)

    def test_closing_may_be_thought_better_of(self) -> None:
        self.begin()
        self.window.event_generate("<Escape>")
        self.window.ask_to_close()
        self.app.root.update()
        self.assertEqual(len(self.questions()), 1, "a question is asked once")
        self.press("Cancel")
        self.assertTrue(self.window.winfo_exists())
        self.assertTrue(self.control.model.is_active)

    def test_quitting_saves_first_and_the_next_start_offers_to_go_on(self) -> None:
        closed: list[bool] = []
        self.enterContext(_replaced(self.app.desk, "on_quit", [lambda: closed.append(True)]))
        self.begin()
        self.app.desk.quit()
        self.assertFalse(closed)
        self.press("Stop and Quit")
        self.wait(lambda: closed)
        games = self.control.model.games
        self._start_again()
        question = self.questions()[0]
        self.assertIn(f"stopped at game {games:,}", _words_of(question))
        self.press("Resume", question)
        self.reopen()
        self.wait(lambda: self.control.model.games > games)
        self.assertEqual(self.control.model.resumed_at, [games])

    def test_what_a_killed_program_left_can_be_kept_or_discarded(self) -> None:
        for answer, kept in (("Keep as It Is", 1), ("Discard…", 1)):
            self.begin()
            self.wait(lambda: self.control.model.saved_games > 0)
            os.kill(self.control.pid, signal.SIGTERM)
            self.wait(lambda: self.control.pid is None)
            self._start_again()
            question = self.questions()[0]
            self.press(answer, question)
            if answer == "Discard…":
                self.press("Discard", self.questions()[0])
            # A table is kept once the process that wrote it is gone, after its last word.
            self.wait(lambda: self.control.pid is None)
            self.assertFalse(self.control.model.is_active)
            self.reopen()
            self.assertEqual(len(self.control.tables.all()), kept)
            self.assertIsNone(self.control.note)

    def _start_again(self) -> None:
        """Do what a new start of the program does."""
        forget_run(self.app)
        if self.window.winfo_exists():
            self.window.destroy()
        for question in self.questions():
            question.close()
        register_tables(self.app.desk)
        offer_interrupted_run(self.app.desk, lambda: self.app.windows.training)
        self.app.root.update()


class TroubleTests(TrainingWindowTestCase):
    @unittest.skipUnless(hasattr(signal, "SIGKILL"), "sends a signal that Windows lacks")
    def test_a_worker_that_dies_can_be_resumed_from_what_was_saved(self) -> None:
        self.begin()
        self.wait(lambda: self.control.model.saved_games > 0)
        saved = self.control.model.saved_games
        os.kill(self.control.pid, signal.SIGKILL)
        self.wait_for(RunPhase.FAILED)
        self.assertIn("ended unexpectedly", self.said)
        self.press("Show Details")
        self.assertIn("signal 9", _words_of(self.questions()[0]))
        self.press("Close")
        self.press("Resume")
        self.wait(lambda: self.control.model.resumed_at)
        self.assertGreaterEqual(self.control.model.resumed_at[0], saved)

    @unittest.skipIf(sys.platform == "win32", "needs a limit on the size of files")
    def test_a_full_disk_stops_it_and_another_folder_helps(self) -> None:
        with _files_limited_to(200_000):
            self.fill(**LONG)
            self.press("Start")
            self.wait_for(RunPhase.FAILED)
        failure = self.control.model.failure
        self.assertIs(failure.trouble, Trouble.STORAGE)
        self.assertIn(str(self.control.tables.run_folder), self.said)
        self.assertEqual(self.window.outcome.actions, ("Try Again", "Another Folder…", "Stop"))
        saved = self.control.model.saved_games
        self.control.choose_folder(self.app.desk.keeper.folder)
        self.wait(lambda: self.control.model.games > saved)
        self.assertNotEqual(self.control.note.folder, self.control.tables.run_folder)
        self.press("Stop and Keep")
        self.wait_for(RunPhase.STOPPED)
        self.assertEqual(len(self.control.tables.all()), 1)

    def test_a_full_disk_may_have_room_again(self) -> None:
        if sys.platform == "win32":
            self.skipTest("needs a limit on the size of files")
        with _files_limited_to(200_000):
            self.fill(**LONG)
            self.press("Start")
            self.wait_for(RunPhase.FAILED)
        saved = self.control.model.saved_games
        self.press("Try Again")
        self.wait(lambda: self.control.model.games > saved)

    def test_a_folder_that_cannot_be_used_is_named(self) -> None:
        self.control.tables.run_folder.parent.mkdir(parents=True, exist_ok=True)
        self.control.tables.run_folder.write_text("a file is in the way")
        self.fill(**SHORT)
        self.press("Start")
        self.assertIn(str(self.control.tables.run_folder), self.said)
        self.assertIs(self.control.model.phase, RunPhase.FAILED)
        self.press("Try Again")
        self.assertIs(self.control.model.phase, RunPhase.FAILED)
        elsewhere = self.app.desk.keeper.folder / "elsewhere"
        elsewhere.mkdir()
        self.control.choose_folder(elsewhere)
        self.wait_for(RunPhase.FINISHED)
        self.assertEqual(self.control.kept.facts.games, 3000, "with the settings asked for")
        self.assertEqual(list(elsewhere.iterdir()), [], "nothing of ours stays behind")

    def test_a_run_that_another_program_is_at_work_on_is_left_alone(self) -> None:
        self.begin()
        self.control.save_and_leave(lambda: None)
        self.wait(lambda: self.control.pid is None)
        folder = self.control.tables.run_folder
        with FileLock(folder / "qtable.lock"):
            self.assertIsNone(OwnTables(self.app.desk.keeper.folder).interrupted_games())
            self.control.start("Second", None, {"programme": "myopic"})
            self.assertIn("in use by another", self.said)
            self.assertTrue((folder / "qtable_deltas.jsonl").exists())
            self.control.resume()
            self.wait_for(RunPhase.FAILED)
            self.assertIn("in use by another", self.said)
        self.press("Try Again")
        self.wait(lambda: self.control.model.phase is RunPhase.RUNNING)


def _words_of(widget: tk.Misc) -> str:
    """Return all texts in *widget*."""
    words = [
        str(child.cget("text")) for child in widget.winfo_children()
        if isinstance(child, ttk.Label)
    ]  # fmt: skip
    return " ".join(words + [_words_of(child) for child in widget.winfo_children()])


@contextmanager
def _replaced(thing: object, name: str, by: object) -> Iterator[None]:
    own = dict(vars(thing))
    setattr(thing, name, by)
    try:
        yield
    finally:
        vars(thing).update({name: own[name]}) if name in own else delattr(thing, name)


@contextmanager
def _files_limited_to(size: int) -> Iterator[None]:
    """Let no file of this process and those it starts grow beyond *size* bytes."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


if __name__ == "__main__":
    unittest.main()
