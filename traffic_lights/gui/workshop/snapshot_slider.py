"""The slider under the curve: it shows and plays a bot as it was after fewer games."""

import tkinter as tk
from collections.abc import Sequence
from functools import partial
from tkinter import ttk
from typing import Final

from traffic_lights.gui.kit.charts import Axes
from traffic_lights.gui.kit.jobs import watch
from traffic_lights.gui.kit.widgets import put, wrapping
from traffic_lights.gui.main.context import Context
from traffic_lights.gui.workshop import model
from traffic_lights.gui.workshop.model import Act
from traffic_lights.learning.tablefile import read_meta
from traffic_lights.storage.files import StorageError
from traffic_lights.system.processes import Ended, Worker
from traffic_lights.training.gauge import Measured
from traffic_lights.training.own_bots import OwnBot, playing_path
from traffic_lights.training.replay import expected_snapshots
from traffic_lights.training.settings import SettingsError
from traffic_lights.training.snapshots import kept_snapshots
from traffic_lights.training.worker import snapshot_process

NOW: Final = "Drag the slider to see the bot as it was."
LATER: Final = "After the training, a slider here shows the bot as it was at any time."

THUMB: Final = 6
"""The length of the thumb, in steps of the grid; the theme has the same."""
SHORTEST: Final = 24
"""The least length of the trough, in steps of the grid: a bot may have few games for the chart."""


class SnapshotSlider(ttk.Frame):
    """A slider over the snapshots of one bot, its score then, and a button that plays it.

    It stands along the part of the axis above it that this bot has played, so the thumb is below
    its curve at that time.
    """

    def __init__(self, parent: tk.Misc, context: Context, on_change: Act) -> None:
        super().__init__(parent)
        self._context = context
        self._on_change = on_change
        self._bot: OwnBot | None = None
        self._points: list[Measured] = []
        """The snapshots that are ready; the last of all is the bot as it is."""
        self._count = 0
        """How many snapshots there will be."""
        self.point: Measured | None = None
        """The snapshot that is shown; None at the end of the slider, or if none is ready."""
        self._axes: Axes | None = None
        """Those of the chart above; while it is hidden, None: the snapshots stand evenly."""
        self._end = 0.0
        """The pixels from the left of the chart to the place of the bot as it is."""
        self._padding = (0, 0)
        """The pixels left and right of the trough."""
        self._is_moved = False
        """Whether the thumb waits where the user has dragged it, while snapshots are made."""
        self._worker: Worker | None = None
        self._problem = ""
        self._place = tk.DoubleVar(self, 1.0)
        """Where the thumb is, from 0 to 1 along the axis."""
        self.columnconfigure(0, weight=1)
        scale = ttk.Scale(self, variable=self._place, command=lambda _: self._drag())
        self.scale = put(scale, row=0, column=0, columnspan=2, sticky="ew")
        for key, steps in (("Left", -1), ("Right", 1), ("Home", -(10**9)), ("End", 10**9)):
            self.scale.bind(f"<{key}>", partial(self._step, steps))
        self.text = put(wrapping(ttk.Label(self, style="Muted.TLabel")), row=1, sticky="ew")
        button = ttk.Button(
            self, text="Play It as It Was", command=lambda: context.play_against(self.key)
        )
        self.button = put(button, row=1, column=1, padx=(context.theme.px(2), 0))

    @property
    def key(self) -> str:
        """The key of the bot as it was; empty while it is shown as it is."""
        if self._bot is None or self.point is None:
            return ""
        return f"{self._bot.key}:{self.point.games}"

    def show(self, bot: OwnBot | None, note: str = "") -> None:
        """Show the slider of *bot*; without one, only the *note*."""
        if bot is not None and bot == self._bot:
            return
        self.stop()
        self._bot = bot
        self._points = []
        self._problem = note if bot is None else ""
        count = 0
        if bot is not None:
            try:
                meta = read_meta(playing_path(bot))
                self._points = kept_snapshots(bot.folder, meta)
                count = len(self._points) or expected_snapshots(meta)
            except (StorageError, SettingsError) as error:
                self._problem = model.as_sentence(error)
        self._count = count
        self._choose(None)

    def stop(self) -> None:
        """End the process that makes snapshots, if there is one, without what it has made."""
        if self._worker is not None:
            self._worker.end()
            self._worker = None
            self._points = []
            self._choose(None)

    def stand_along(self, axes: Axes | None, width: int) -> None:
        """Stand below the axis across of *axes* in a picture of *width* pixels."""
        self._axes = axes
        self._padding = (0, 0)
        if axes is not None and self._bot is not None:
            px = self._context.theme.px
            self._end = max(axes.x(self._bot.games), axes.left + px(SHORTEST))
            # The middle of the thumb shows the place, so the trough is half a thumb longer.
            half = px(THUMB) / 2
            before = round(axes.left - half)
            after = round(width - self._end - half)
            self._padding = max(0, before), max(0, after)
        if self.scale.winfo_manager():
            self.scale.grid(padx=self._padding)
        if not self._is_moved:
            self._place.set(self._place_of(self.point))

    # --- which snapshot ---

    @property
    def _past(self) -> Sequence[Measured]:
        """The snapshots that are ready, without the bot as it is."""
        return self._points[: self._count - 1]

    def _place_of(self, point: Measured | None) -> float:
        """Return where the thumb stands for *point*, from 0 to 1."""
        if point is None:
            return 1.0
        if self._axes is None:
            return self._points.index(point) / max(1, self._count - 1)
        axes = self._axes
        return (axes.x(point.games) - axes.left) / (self._end - axes.left)

    def _drag(self) -> None:
        """Show the snapshot nearest to the thumb; make all of them first if need be."""
        self._is_moved = True
        if not self._points and self._worker is None and self._bot is not None:
            self._worker = Worker(snapshot_process, self._bot)
            watch(self._context.root, self._worker, self._take)
        self._choose(self._nearest())

    def _nearest(self) -> Measured | None:
        """Return the snapshot nearest to the thumb; None for the bot as it is."""
        thumb = self._place.get()

        def distance(point: Measured | None) -> float:
            return abs(self._place_of(point) - thumb)

        return min((None, *self._past), key=distance)

    def _step(self, steps: int, _: object) -> str:
        """Go so many snapshots on from the one that is shown."""
        past = self._past
        if self._worker is not None or not past:
            # Not all snapshots are there yet, so the thumb goes to where one will be.
            place = self._place.get() + steps / max(1, self._count - 1)
            self._place.set(min(max(place, 0.0), 1.0))
            self._drag()
        else:
            index = len(past) if self.point is None else past.index(self.point)
            index = min(max(index + steps, 0), len(past))
            self._is_moved = False
            self._choose(past[index] if index < len(past) else None)
        return "break"

    def _choose(self, point: Measured | None) -> None:
        self.point = point
        if self._worker is None:
            self._is_moved = False
        if not self._is_moved:
            self._place.set(self._place_of(point))
        self._draw()

    def _take(self, message: object) -> None:
        match message:
            case Measured():
                self._points.append(message)
            case Ended(""):
                self._worker = None
                self._count = len(self._points)
            case Ended(problem):
                self.stop()
                self._problem = model.as_sentence(problem)
        self._choose(self._nearest() if self._is_moved else self.point)

    # --- what is shown ---

    def _draw(self) -> None:
        has_slider = self._count > 1 and not self._problem
        if has_slider:
            self.scale.grid(padx=self._padding)
            self.button.grid()
        else:
            self.scale.grid_remove()
            self.button.grid_remove()
        self.button.state(["!disabled" if self.key else "disabled"])
        text = NOW if has_slider else self._problem
        if self.point is not None:
            text = model.snapshot_text(self.point)
        elif self._worker is not None:
            text = "The bot plays its games again."
        if self._worker is not None:
            text += f" {len(self._points)} of about {self._count} snapshots are ready."
        self.text.configure(text=text)
        self._on_change()
