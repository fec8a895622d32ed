"""The training of the program: one bot at a time, in a process that outlives the window.

The trainer asks the process ten times a second what is new. A quit of the program waits until the
bot is saved.
"""

import math
import time
from collections.abc import Callable

from traffic_lights.board.rules import State
from traffic_lights.gui.kit.jobs import watch
from traffic_lights.gui.main.context import Context
from traffic_lights.gui.workshop.curves import Curves
from traffic_lights.gui.workshop.form_values import NextRun
from traffic_lights.gui.workshop.shared import OnText, as_sentence
from traffic_lights.system.processes import Ended, Worker
from traffic_lights.training.gauge import Measured
from traffic_lights.training.own_bots import OwnBot
from traffic_lights.training.progress import Moment, progress_text
from traffic_lights.training.settings import REVERSE
from traffic_lights.training.worker import STOP, Seen, train_process


class Trainer:
    """Trains one bot at a time, and adds its scores to *curves*.

    *show* is called after each change, at the end with the news for the main window.
    """

    def __init__(self, context: Context, curves: Curves, show: OnText) -> None:
        self._context = context
        self._curves = curves
        self._show = show
        self.on_seen: list[Callable[[Seen], object]] = []
        """Each gets what the bot in training has learned of a position that was asked for."""
        self.ended_at_s = -math.inf
        """When a training ended last, by the monotonic clock."""
        self.problem = ("", "")
        """The key of the bot whose training ended early, if the last one did, and why."""
        self.bot: OwnBot | None = None
        """The bot in training; None while no process is at work."""
        self.run: NextRun | None = None
        """The run of the training."""
        self.moment: Moment | None = None
        """How far the training is; None before the first report."""
        self.is_stopping = False
        """Whether the process saves, because it was asked to end."""
        self._worker: Worker | None = None
        self._first: tuple[float, Moment] | None = None
        """When the first report came, by the monotonic clock, and what it said."""
        self._then: Callable[[], None] | None = None
        """The quit of the program, which waits for the end of the training."""
        context.guard = self._may_quit

    @property
    def key(self) -> str:
        """The key of the bot in training; empty if there is none."""
        return "" if self.bot is None else self.bot.key

    def progress(self) -> str:
        """Return how far the training is, in a sentence."""
        if self._first is None or self.moment is None:
            return "Getting ready…"
        began_s, first = self._first
        return as_sentence(progress_text(self.moment, first, time.monotonic() - began_s))

    def start(self, bot: OwnBot, run: NextRun) -> None:
        """Begin or continue the *run* of *bot*.

        Precondition: no bot is in training.
        """
        self.problem = ("", "")
        self._worker = Worker(train_process, (bot.folder, dict(run.given)))
        self.bot = bot
        self.run = run
        self.moment = None
        self.is_stopping = False
        self._first = None
        self._context.userdata.change(training=bot.name)
        watch(self._context.root, self._worker, self._take)

    def stop(self) -> None:
        """Have the process save and end."""
        if self._worker is not None:
            self.is_stopping = True
            self._worker.send(STOP)
            self._show("")

    def look(self, state: State) -> None:
        """Ask the process what the bot has learned of *state*."""
        if self._worker is not None:
            self._worker.send(state)

    def _take(self, message: object) -> None:
        assert self.bot is not None
        assert self.run is not None
        match message:
            case Moment():
                self.moment = message
                self._first = self._first or (time.monotonic(), message)
                if self.run.texts["plan"] == REVERSE:
                    self._curves.solved_by_ply[self.bot.key] = message.decided_by_ply
            case Measured():
                self._curves.add(self.bot.key, message)
            case Seen():
                for take in self.on_seen:
                    take(message)
                return
            case Ended(error, details):
                if details:
                    self._context.log.add(details)
                self._end(self.bot, as_sentence(error))
                return
        self._show("")

    def _end(self, bot: OwnBot, error: str) -> None:
        """Let go of a process that has ended; *error* is the reason if it was not asked to."""
        self._worker = self.bot = None
        self.ended_at_s = time.monotonic()
        then = self._then
        self._then = None
        is_finished = not error and self.moment is not None and self.moment.share == 1
        if then is None or is_finished:
            self._context.userdata.change(training="")
        if error:
            self.problem = bot.key, error
            self._context.log.add(f"The training of {bot.name} ended: {error}\n")
        self._context.bots_changed()
        news = "has finished its training" if is_finished else "is saved"
        self._show(error or f"“{bot.name}” {news}.")
        if then is not None:
            then()

    def _may_quit(self, go_on: Callable[[], None]) -> bool:
        """Hold up a quit until the bot in training is saved; a second quit does not wait."""
        if self._worker is None or self._then is not None:
            return False
        self._then = go_on
        self.stop()
        return True
