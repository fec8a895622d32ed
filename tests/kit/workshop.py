"""A robot that clicks, types and reads in the Workshop, so that tests need no private name."""

import shutil
import tkinter as tk
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tkinter import filedialog, ttk
from typing import Final, TypeVar
from unittest import mock

from tests.kit.quick import FakeJob, ThreadWorker, threads_for_processes
from tests.kit.samples import PROJECT, measured
from tests.kit.windows import (
    WindowTestCase,
    new_folder,
    open_dialogs,
)
from traffic_lights.gui.kit import jobs
from traffic_lights.gui.kit.dialog import Dialog
from traffic_lights.gui.main.context import Context
from traffic_lights.gui.workshop import learning_tab
from traffic_lights.gui.workshop import trainer as trainer_module
from traffic_lights.gui.workshop.form_values import FORM_CHOICES
from traffic_lights.gui.workshop.shared import NEW
from traffic_lights.gui.workshop.trainer import Activity, Trainer
from traffic_lights.gui.workshop.window import WorkshopWindow, open_workshop
from traffic_lights.system.processes import Ended
from traffic_lights.training.bot_note import write_curve
from traffic_lights.training.own_bots import Bots, OwnBot
from traffic_lights.training.progress import Moment, Progress
from traffic_lights.training.settings import SETTINGS

V = TypeVar("V")
W = TypeVar("W", bound=tk.Misc)
MY_QBOT: Final = "bot:My QBot"
TABLE: Final = PROJECT / "qtables" / "myopic-1000.json"
SMALL: Final = PROJECT / "qtables" / "myopic-200.json"
ONE: Final = "bot:One"
PLANS: Final = SETTINGS["plan"].choices


def moment(games: int, share: float | None = None, ply: int = -1) -> Moment:
    return Moment(Progress(0.0, games=games, ply=ply), "stage", (0,) * 33, games, share)


def inside(widget: tk.Misc, kind: type[W]) -> Iterator[W]:
    """Yield the widgets of a *kind* in *widget*, at any depth."""
    for child in widget.winfo_children():
        if isinstance(child, kind):
            yield child
        yield from inside(child, kind)


@cache
def imported(name: str) -> Path:
    """Return the folder of a bot *name* that was imported once for all tests."""
    return Bots(new_folder()).import_table(TABLE, name).folder


def fresh_workshop(context: Context) -> WorkshopWindow:
    """Show the Workshop as if it had not been opened yet, with the bots that there are."""
    window = open_workshop(context, "learning")
    for known in (window.curves.points, window.curves.solved, window.trainer.problems):
        known.clear()
    window.inside.moves = ()
    if window.learning.form.advanced.cget("text").endswith("▾"):
        window.learning.form.advanced.invoke()
    window.wm_geometry("1060x680")
    window.choose("myopic")
    window.selection.ticked.clear()
    window.selection.chosen = ""
    context.bots_changed()
    window.update()
    return window


class WorkshopRobot(WindowTestCase):
    """Opens the Workshop with the bots *names*, without a training process of its own."""

    names: tuple[str, ...] = ()
    is_real = False
    """Whether threads train in place of processes; otherwise a test reports in their place."""

    def setUp(self) -> None:
        super().setUp()
        self.enterContext(mock.patch.object(jobs, "POLL_MS", 10))
        self.enterContext(threads_for_processes())
        self.enterContext(mock.patch.object(learning_tab, "JUST_ENDED_S", -1.0))
        worker = ThreadWorker if self.is_real else FakeJob
        self.enterContext(mock.patch.object(trainer_module, "Worker", worker))
        self.context = self.app.context
        self.path = self.context.userdata.folder / "chosen.json"
        """The file that every file dialog answers."""
        for dialog in ("askopenfilename", "asksaveasfilename"):
            answer = mock.patch.object(filedialog, dialog, side_effect=lambda **_: str(self.path))
            self.enterContext(answer)
        self.bots = Bots(self.context.userdata.folder)
        for number, name in enumerate(self.names):
            self.add_bot(name)
            points = [measured(100 * n, n / (11 + number)) for n in range(1, 11)]
            write_curve(self.own(name).folder, points)
        self.window = fresh_workshop(self.context)
        self.addCleanup(self.clear_up)

    def clear_up(self) -> None:
        self.trainer.stop()
        if self.trainer.key and not self.is_real:
            self.report(Ended(""))
        self.wait(lambda: not self.trainer.key)
        for dialog in [*open_dialogs(self.app.root), *open_dialogs(self.window)]:
            dialog.close()
        self.window.choose(NEW)
        self.window.close()

    @property
    def trainer(self) -> Trainer:
        return self.window.trainer

    @property
    def text(self) -> str:
        """The sentence about the chosen bot."""
        return str(self.window.learning.result.cget("text")).replace("\N{NO-BREAK SPACE}", " ")

    @property
    def reported(self) -> str:
        """The text under the name of the bot."""
        return str(self.window.about.cget("text"))

    @property
    def lines(self) -> dict[str, int]:
        """How many points the chart shows, by the names of its lines."""
        return {curve.name: len(curve.points) for curve in self.window.learning.chart.curves}

    def add_bot(self, name: str) -> None:
        shutil.copytree(imported(name), self.bots.folder / name)

    def open(self, tab: str = "learning", key: str = "") -> None:
        self.window = open_workshop(self.context, tab, key)
        self.app.root.update()

    def own(self, name: str) -> OwnBot:
        bot = self.bots.find(f"bot:{name}")
        assert bot is not None
        return bot

    def tick(self, key: str) -> None:
        """Choose the bot *key* and tick it, or take its tick away."""
        self.window.choose(key)
        self.key("<space>", widget=self.window.list)

    def fill(self, **texts: str) -> None:
        """Type *texts* into the fields of the form; a choice is taken from its list."""
        for name, text in texts.items():
            field = self.window.learning.form.fields[name]
            if isinstance(field, ttk.Combobox):
                field.current(list(FORM_CHOICES[name]).index(text))
                field.event_generate("<<ComboboxSelected>>")
            else:
                field.delete(0, tk.END)
                field.insert(0, text)
        self.app.root.update()

    def press(self, words: str, where: tk.Misc | None = None) -> None:
        """Click on the button with these *words*."""
        buttons = inside(where or self.window, ttk.Button)
        self.click_on(next(b for b in buttons if b.cget("text") == words))

    def dialog(self) -> Dialog:
        """Return the dialog that is open over the Workshop."""
        return next(inside(self.window, Dialog))

    @property
    def job(self) -> FakeJob:
        """The process of the training, for which a test speaks."""
        return FakeJob.last

    def report(self, *reports: object) -> None:
        """Have the process of the training report."""
        job = self.job
        job.reports += reports
        self.wait(lambda: not job.reports)

    def begin(self) -> None:
        """Start to train a new bot, in a process that a test speaks for."""
        self.press("Start")
        self.report(moment(10, 0.1))
        self.assertIs(self.trainer.activity, Activity.RUNNING)
