"""The training of the program: one bot at a time, in a process that outlives the window.

The trainer asks the process ten times a second what is new. A quit of the program waits until the
bot is saved.
"""

import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import replace
from enum import Enum, auto
from typing import Any

from traffic_lights.gui.kit.jobs import watch
from traffic_lights.gui.main.context import Context
from traffic_lights.system.processes import Ended, Worker
from traffic_lights.training.gauge import Measured
from traffic_lights.training.own_bots import OwnBot
from traffic_lights.training.progress import Moment, progress_text
from traffic_lights.training.settings import PROVING, RunSettings
from traffic_lights.training.worker import train_process
from traffic_lights.workshop.curves import Curves
from traffic_lights.workshop.form_values import trained_of
from traffic_lights.workshop.shared import OnText, as_sentence


class Activity(Enum):
    """What the training process does."""

    IDLE = auto()
    """There is none."""
    RUNNING = auto()
    STOPPING = auto()
    """It saves, because it was asked to end."""


class Trainer:
    """Trains one bot at a time, and adds its scores to *curves*.

    *show* is called after each change, at the end with the news.
    """

    def __init__(self, context: Context, curves: Curves, show: OnText) -> None:
        self._context = context
        self._curves = curves
        self._show = show
        self.bot: OwnBot | None = None
        """The bot in training; None while no process is at work."""
        self.settings: RunSettings | None = None
        """The settings of the training, as far as they are known."""
        self.moment: Moment | None = None
        self.problems: dict[str, str] = {}
        """Why the last training of a bot ended early, by the key of the bot."""
        self.activity = Activity.IDLE
        self._worker: Worker | None = None
        self._recent: deque[tuple[float, Moment]] = deque(maxlen=60)
        """How far the training was in the last three seconds or so, with the times."""
        self._then: Callable[[], None] | None = None
        """The quit of the program, which waits for the end of the training."""
        context.guard = self._may_quit

    @property
    def key(self) -> str:
        """The key of the bot in training; empty if there is none."""
        return self.bot.key if self.bot is not None else ""

    def progress(self) -> str:
        """Return how far the training is, in a sentence with the speed of the last seconds."""
        if not self._recent:
            return "Getting ready…"
        began_s, first = self._recent[0]
        ended_s, last = self._recent[-1]
        return as_sentence(progress_text(last, first, ended_s - began_s))

    def start(self, bot: OwnBot, wanted: Mapping[str, Any]) -> None:
        """Train *bot* with the settings *wanted*; without any, its last run continues.

        Damaged files are repaired after a failure. Precondition: no bot is in training.
        """
        repair = self.problems.pop(bot.key, "") != ""
        self._worker = Worker(train_process, (bot.folder, dict(wanted), repair))
        self.bot = bot
        self.moment = None
        self.activity = Activity.RUNNING
        last = trained_of(bot).last
        if bot.is_training and last is not None:  # only its games may be others
            self.settings = replace(last, **wanted)
        else:
            self.settings = RunSettings.wanted(wanted) if wanted else last
        self._recent.clear()
        self._context.userdata.change(training=bot.name)
        watch(self._context.root, self._worker, self._take)

    def stop(self) -> None:
        """Have the process save and end."""
        if self._worker is not None:
            self.activity = Activity.STOPPING
            self._worker.send("stop")
            self._show("")

    def _take(self, message: object) -> None:
        match message:
            case Moment():
                self.moment = message
                self._recent.append((time.monotonic(), message))
                if self.settings is not None and self.settings.plan in PROVING:
                    self._curves.note_solved(self.key, message.decided_by_ply)
            case Measured():
                self._curves.add(self.key, message)
            case Ended(error, details):
                if details:
                    self._context.log.add(details)
                self._end(as_sentence(error))
                return
        self._show("")

    def _end(self, error: str) -> None:
        """Let go of a process that has ended; *error* is the reason if it was not asked to."""
        bot = self.bot
        self.bot = None
        self._worker = None
        self.activity = Activity.IDLE
        then = self._then
        self._then = None
        assert bot is not None
        is_finished = not error and self.moment is not None and self.moment.share == 1
        if then is None or is_finished:
            self._context.userdata.change(training="")
        if error:
            self.problems[bot.key] = error
            self._context.log.add(f"The training of {bot.name} ended: {error}\n")
        self._context.bots_changed()
        news = "has finished its training" if is_finished else "is saved"
        self._show(error or f"“{bot.name}” {news}.")
        if then is not None:
            then()

    def _may_quit(self, go_on: Callable[[], None]) -> bool:
        """Hold up a quit until the bot in training is saved; a second quit does not wait."""
        if self.bot is None or self._then is not None:
            return False
        self._then = go_on
        self.stop()
        return True
