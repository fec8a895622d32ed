"""The one training run of the program: its process, its folder, and what becomes of it.

The run outlives its window. A `TrainingControl` drains the messages of the
process ten times a second, keeps what is finished, and asks before the program
quits.
"""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Protocol

from traffic_lights.gui.game.desk import Desk
from traffic_lights.gui.game.own_bots import register_table
from traffic_lights.gui.training.form import Draft
from traffic_lights.gui.training.form_model import describe
from traffic_lights.gui.training.model import STOPPABLE, RunModel, RunPhase, headline
from traffic_lights.gui.training.questions import DISCARD, QUIT, TRAINING, ask, close_questions
from traffic_lights.pictures.shares import percent_so_far
from traffic_lights.storage.files import StorageError
from traffic_lights.training.notes import Facts, RunNote
from traffic_lights.training.own_tables import OwnTable, OwnTables
from traffic_lights.workers.link import WorkerLink
from traffic_lights.workers.training import (
    Failed,
    Order,
    RunSnapshot,
    Task,
    Trouble,
    died,
    failed_by,
    train_process,
)

DRAIN_EVERY_MS: Final = 100

Wish = tuple[str, OwnTable | None, dict[str, Any]]
"""A run that is asked for: its name, the table that it goes on from, its settings."""


class Viewer(Protocol):
    """The window of the run, while it is open."""

    def show(self) -> None:
        """Show the run as it is now."""

    def show_end(self) -> None:
        """Show what became of the run."""

    def to_front(self) -> None:
        """Bring the window to the front."""


class TrainingControl:
    """What the training window and the program can do with the run."""

    def __init__(self, desk: Desk, open_window: Callable[[], object]) -> None:
        self.desk = desk
        self._open_window = open_window
        self.tables = OwnTables(desk.keeper.folder)
        self.model = RunModel()
        self.viewer: Viewer | None = None
        self.kept: OwnTable | None = None
        """The table that came of the last run."""
        self.draft: Draft | None = None
        """What was in the form of the window when it was closed."""
        self._link: WorkerLink | None = None
        self._timer: str | None = None
        self._task: Task | None = None
        self._when_over: Callable[[], object] | None = None
        self._when_kept: Callable[[], object] | None = None
        self.wish: Wish | None = None
        """What was to be started in a folder that could not be used."""
        desk.ask_before_quitting(self._may_quit)

    @property
    def pid(self) -> int | None:
        """The number of the process at work; None if there is none."""
        return self._link.pid if self._link is not None else None

    @property
    def note(self) -> RunNote | None:
        """The run that is not kept yet."""
        return self.tables.run()

    @property
    def has_run(self) -> bool:
        """Whether there is a run to go on with, or one that could not begin yet."""
        return self.note is not None or self.wish is not None

    @property
    def is_busy(self) -> bool:
        """Whether a process is at work on a run, or has not ended yet."""
        return self.model.is_active or self._link is not None

    # --- what a person asks for ---

    def start(
        self, name: str, base: OwnTable | None, wanted: dict[str, Any], *, replaces: bool = False
    ) -> None:
        """Begin a run; *base* is the table it goes on from, which stays until the run is kept.

        A run that waits to be kept is in its way, unless it *replaces* that.
        """
        if self.is_busy:
            return
        self._forget_plans()
        self.model = RunModel()
        self.model.name = name
        self.kept = None
        self.wish = (name, base, wanted)
        key = base.key if base is not None else ""
        try:
            note = self.tables.begin_run(name, key, replaces=replaces)
        except StorageError as error:
            self._fail(failed_by(error))
            return
        self._launch(Task(note.folder, wanted, base.path if base is not None else None))

    def resume(self, *, repair: bool = False) -> None:
        """Go on with the run that is not kept, from the last game saved.

        *repair* cuts a damaged log off where the damage begins.
        """
        note = self.note
        if note is None or self.is_busy:
            return
        # A run that never came to its first save is begun as it was asked for.
        task = self._task
        wanted = task.wanted if task is not None and task.folder == note.folder else {}
        base = self.tables.get(note.base) if note.base else None
        path = base.path if base is not None else None
        self._launch(Task(note.folder, wanted, path, repair=repair))

    def keep_as_it_is(self) -> None:
        """Write what an interrupted run has saved as a table, and keep it."""
        note = self.note
        if note is not None and not self.is_busy:
            self._launch(Task(note.folder, {}, stop_at_once=True))

    def pause(self) -> None:
        """Have the run save and wait."""
        if self.model.phase is RunPhase.RUNNING:
            self.model.pausing()
            self._say(Order.PAUSE)

    def go_on(self) -> None:
        """Have a run that waits go on."""
        if self.model.phase in (RunPhase.PAUSED, RunPhase.PAUSING):
            self.model.resumed()
            self._say(Order.RESUME)

    def stop(self) -> None:
        """Have the run save and write its table, which is then kept."""
        if self.model.phase in STOPPABLE:
            self.model.stopping()
            self._say(Order.STOP)

    def leave_failed(self) -> None:
        """Leave a run that failed as it was saved, to be resumed some time."""
        self.wish = None
        self.model.phase = RunPhase.NONE
        if self.viewer is not None:
            self.viewer.show_end()

    def discard(self) -> None:
        """End the run at once and delete what it has learned; the table it began from stays."""
        self._drop_link(kill=True)
        self._forget_plans()
        close_questions(self.desk)
        try:
            self.tables.discard_run()
        except StorageError as error:
            self.desk.say(f"{error}.")
        self.model = RunModel()
        self._task = self.wish = None
        self._tell_background()
        if self.viewer is not None:
            self.viewer.show_end()

    def keep(self) -> None:
        """Keep a finished run that goes on from a table, in its place."""
        if self.note is not None and not self.is_busy:
            self._keep()
            self._end()

    def keep_and_then(self, start: Callable[[], object]) -> None:
        """Keep the run that is not kept yet, as it is, and then *start* another.

        If it cannot be kept, nothing is started.
        """
        if self.is_busy:
            return
        if self.note is None:  # another program has kept it, or deleted it
            start()
            return
        is_ended = self.model.phase is RunPhase.FINISHED and self.kept is None
        self.kept, self._when_kept = None, start
        if is_ended:
            self._keep()
            self._end()
        else:
            self.keep_as_it_is()

    def choose_folder(self, parent: Path) -> None:
        """Go on in a new folder under *parent*, with what was saved."""
        if self.is_busy:
            return
        try:
            if self.wish is not None:
                name, base, wanted = self.wish
                begun = self.tables.begin_elsewhere(parent, name, base.key if base else "")
                self._launch(Task(begun.folder, wanted, base.path if base else None))
                return
            moved = self.tables.move_run(parent)
        except StorageError as error:
            self._fail(failed_by(error))
            return
        if self._task is not None:
            self._task = Task(moved.folder, self._task.wanted, self._task.base)
        self.resume()

    # --- the process ---

    def _launch(self, task: Task) -> None:
        self._task, self.wish = task, None
        close_questions(self.desk)
        if self.note is not None:
            self.model.name = self.note.name
        self.model.start()
        try:
            self._link = WorkerLink(train_process, task)
        except OSError as error:
            self._fail(Failed(Trouble.PROGRAM, f"No process could be started: {error.strerror}"))
            return
        if self._timer is None:
            self._timer = self.desk.root.after(1, self._drain)
        self._show()

    def _say(self, order: Order) -> None:
        if self._link is not None:
            self._link.say(order)
        self._show()

    def _drain(self) -> None:
        """Take what the process said; ask again in a while, as long as there is one."""
        self._timer = None
        link = self._link
        if link is None:
            return
        self._timer = self.desk.root.after(DRAIN_EVERY_MS, self._drain)
        for message in link.take():
            if isinstance(message, RunSnapshot):
                link.say(message.number)
            self.model.take(message)
            if isinstance(message, Failed):
                self._log(message)
        if link.is_over:
            self._process_ended(link)
        else:
            self._show()

    def _process_ended(self, link: WorkerLink) -> None:
        if not link.wait(0.2):  # it has closed its pipe, and is about to be gone
            return
        self._drop_link()
        model = self.model
        if model.is_active:
            self._fail(died(link.exit_code()))
        elif model.phase in (RunPhase.STOPPED, RunPhase.FINISHED):
            note = self.note
            is_quitting = self._when_over is not None and model.phase is RunPhase.STOPPED
            is_new = note is not None and not note.base
            if not is_quitting and (model.phase is RunPhase.STOPPED or is_new):
                self._keep()
        self._end()

    def _end(self) -> None:
        self._tell_background()
        close_questions(self.desk, (TRAINING, DISCARD))  # who wants to quit may still want it
        then, self._when_over = self._when_over, None
        start, self._when_kept = self._when_kept, None
        if start is not None and self.kept is not None:
            start()
            return
        if then is not None:
            then()
        elif self.viewer is not None:
            self.viewer.show_end()
        elif self.model.phase is RunPhase.FAILED:
            self.open_window()
        else:
            self.desk.say(f"Training: {headline(self.model)}.")

    def _drop_link(self, kill: bool = False) -> None:
        link, self._link = self._link, None
        if link is not None:
            if kill:
                link.kill()
            link.close()
        if self._timer is not None:
            self.desk.root.after_cancel(self._timer)
            self._timer = None

    def _forget_plans(self) -> None:
        """Forget what was to be done once the run of now is kept, or over."""
        self._when_over = self._when_kept = None

    def _fail(self, failed: Failed) -> None:
        self._when_kept = None
        self.model.take(failed)
        self._log(failed)
        self._tell_background()
        if self.viewer is not None:
            self.viewer.show_end()

    def _log(self, failed: Failed) -> None:
        text = f"Training failed: {failed.text}\n{failed.details}"
        self.desk.log(text.rstrip() + "\n")

    def _keep(self) -> None:
        """Make the run a table that can play."""
        model = self.model
        origin = describe(model.settings) if model.settings is not None else ""
        is_finished = model.phase is RunPhase.FINISHED
        facts = Facts(model.all_games, model.decided, is_finished, origin)
        try:
            self.kept = self.tables.keep_run(facts)
        except StorageError as error:
            self._fail(failed_by(error))
            return
        self._task = None
        register_table(self.desk, self.kept)

    # --- shown ---

    def _show(self) -> None:
        if self.viewer is not None:
            self.viewer.show()
        else:
            self._tell_background()

    def _tell_background(self) -> None:
        """Show in the main window that there is a run, if it has no window of its own."""
        model = self.model
        if self.viewer is not None or not model.is_active:
            self.desk.register_background("", None)
            return
        share = model.done_share()
        what = "paused" if model.phase is RunPhase.PAUSED else "training"
        done = percent_so_far(share) if share is not None else f"game {model.games:,}"
        self.desk.register_background(f"QBot {what}: {done}", self.open_window)

    def open_window(self) -> None:
        """Open the window of the run."""
        self._open_window()

    def viewed_by(self, viewer: Viewer | None) -> None:
        """Note which window shows the run, if any."""
        self.viewer = viewer
        self._tell_background()

    # --- the end of the program ---

    def _may_quit(self, go_on: Callable[[], None]) -> bool:
        """Hold up a quit while there is a run, and ask."""
        if not self.model.is_active:
            return False
        desk = self.desk
        parent = self.viewer if isinstance(self.viewer, tk.Toplevel) else desk.root
        answers: dict[str, Callable[[], object]] = {
            "Stop and Quit": lambda: self.save_and_leave(go_on),
            "Cancel": lambda: None,
        }
        text = "Stop training, keep what was learned, and quit? At the next start it can go on."
        ask(desk, parent, QUIT, text, answers)
        return True

    def save_and_leave(self, then: Callable[[], None]) -> None:
        """Have the run save and end, not kept; call *then* when it has."""
        if self._link is None:
            then()
            return
        self._when_over = lambda: self._quit(then)
        self.model.stopping()
        self._say(Order.LEAVE)

    def _quit(self, then: Callable[[], None]) -> None:
        self.desk.forget_guard(self._may_quit)
        then()

    def abandon(self) -> None:
        """Let go of everything without asking, at the end of the program."""
        self._drop_link()
        self.desk.forget_guard(self._may_quit)
        self.desk.register_background("", None)
