"""The slider of the Learning tab: the bot as it was after some of its games.

Its snapshots are made by a process when the slider is first dragged.
"""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk
from typing import Final

from traffic_lights.gui.kit.theme import Theme
from traffic_lights.gui.workshop import model
from traffic_lights.learning.tablefile import read_meta
from traffic_lights.storage.files import StorageError
from traffic_lights.system.processes import Worker
from traffic_lights.system.words import counted
from traffic_lights.training.bots import Measured, OwnBot, playing_path
from traffic_lights.training.history import (
    expected,
    kept_snapshots,
    snapshot_key,
    snapshot_process,
)
from traffic_lights.training.settings import SettingsError

POLL_MS: Final = 100
NOW: Final = "Drag the slider to see the bot as it was."


class HistoryBar(ttk.Frame):
    """A slider over the snapshots of one bot, its score then, and a button that plays it.

    *on_change* is called when it stands at another snapshot, *play* with the key of the bot then.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        on_change: Callable[[], object],
        play: Callable[[str], object],
    ) -> None:
        super().__init__(parent)
        self._on_change = on_change
        self._bot: OwnBot | None = None
        self._points: list[Measured] = []
        self._count = 0
        """How many snapshots there will be."""
        self._worker: Worker | None = None
        self._timer, self._problem = "", ""
        self._place = tk.DoubleVar(self)
        self.columnconfigure(0, weight=1)
        self.scale = ttk.Scale(self, variable=self._place, command=lambda _: self._moved())
        self.scale.grid(row=0, column=0, sticky="ew")
        self.button = ttk.Button(self, text="Play It as It Was", command=lambda: play(self.key))
        self.button.grid(row=0, column=1, padx=(theme.px(2), 0))
        self.text = ttk.Label(self, style="Muted.TLabel", anchor="w", width=1)
        self.text.grid(row=1, column=0, columnspan=2, sticky="ew")
        self.bind("<Destroy>", lambda _: self.stop())

    @property
    def point(self) -> Measured | None:
        """The snapshot at which the slider stands; None at its end, or if it is not made yet."""
        index = round(self._place.get())
        is_past = index < min(len(self._points), self._count - 1)
        return self._points[index] if is_past else None

    @property
    def key(self) -> str:
        """The key of the bot as it was; empty while it is shown as it is."""
        bot, point = self._bot, self.point
        return "" if bot is None or point is None else snapshot_key(bot.key, point.games)

    def show(self, bot: OwnBot | None) -> None:
        """Show the slider of *bot*, or nothing."""
        if bot is not None and bot == self._bot:
            return
        self.stop()
        self._bot, self._points, self._count, self._problem = bot, [], 0, ""
        if bot is not None:
            try:
                meta = read_meta(playing_path(bot))
                self._points = kept_snapshots(bot.folder, meta)
                self._count = len(self._points) or expected(meta)
            except (StorageError, SettingsError) as error:
                self._problem = model.sentence(error)
        self.scale.configure(to=max(1, self._count - 1))
        self._place.set(self._count - 1)
        self._draw()

    def stop(self) -> None:
        """End the process that makes snapshots, if there is one, without what it has made."""
        if self._worker is not None:
            self._worker.end()
            self._worker, self._points = None, []
            self.after_cancel(self._timer)

    def _moved(self) -> None:
        """Show the snapshot at which the slider stands; make all of them first if need be."""
        if not self._points and self._worker is None and self._bot is not None:
            try:
                self._worker = Worker(snapshot_process, self._bot)
                self._timer = self.after(POLL_MS, self._poll)
            except OSError as error:
                self._problem = f"The process could not be started: {error.strerror}."
        self._draw()
        self._on_change()

    def _poll(self) -> None:
        """Take the snapshots that the process has made."""
        worker, before = self._worker, self.point
        assert worker is not None
        self._timer = self.after(POLL_MS, self._poll)
        messages = worker.poll()
        self._points += [message for message in messages if isinstance(message, Measured)]
        if messages and isinstance(messages[-1], str):
            self._ended(messages[-1])
        elif worker.is_over:
            self._ended("the process that made the snapshots ended unexpectedly")
        self._draw()
        if self.point != before:
            self._on_change()

    def _ended(self, problem: str) -> None:
        point, bot = self.point, self._bot
        self.stop()
        self._problem = model.sentence(problem)
        if not problem:
            # Those that were too large are deleted by now.
            self._bot = None
            self.show(bot)
            if point in self._points:
                self._place.set(self._points.index(point))

    def _draw(self) -> None:
        """Show what there is to the slider's place."""
        has_slider = self._count > 1 and not self._problem
        for widget in (self.scale, self.button):
            widget.grid() if has_slider else widget.grid_remove()
        self.button.state(["!disabled" if self.key else "disabled"])
        point, text = self.point, NOW if has_slider else self._problem
        if point is not None:
            won = f"{model.score_text(point)} of its games"
            opponent = model.opponent_name(point.opponent)
            text = f"After {counted(point.games, 'game')}, the bot won {won} against {opponent}."
        if self._worker is not None:
            text = text if point is not None else "The bot plays its games again."
            text += f" {len(self._points)} of about {self._count} snapshots are ready."
        self.text.configure(text=text)
        self.grid() if text else self.grid_remove()
