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

LATER: Final = "After the training, a slider here shows the bot as it was at any time."
ELSEWHERE: Final = (
    "Not all of its training was here. To see the bot as it was, let it play its games again."
)
AS_IT_WAS: Final = "Play It as It Was"
AGAIN: Final = "Play Its Games Again"
"""What the one button is called: with snapshots, and without any."""

THUMB: Final = 6
"""The length of the thumb, in steps of the grid; the theme has the same."""
SHORTEST: Final = 24
"""The least length of the trough, in steps of the grid: a bot may have few games for the chart."""


class SnapshotSlider(ttk.Frame):
    """A slider over the snapshots of one bot, what it had learned, and a button that plays it.

    It stands along the part of the axis above it that this bot has played, so the thumb is below
    its curve at that time.
    """

    def __init__(self, parent: tk.Misc, context: Context, on_change: Act) -> None:
        super().__init__(parent)
        self._context = context
        self._on_change = on_change
        self._bot: OwnBot | None = None
        self._curve: Sequence[Measured] = ()
        """Its scores."""
        self.past: list[Measured] = []
        """Its snapshots, without the bot as it is; none until all are there."""
        self.end: Measured | None = None
        """The scores of the bot as it is, if they are kept with the snapshots."""
        self._made: list[Measured] = []
        """Those that are made now."""
        self._count = 0
        """About how many will be made."""
        self.point: Measured | None = None
        """The snapshot that is shown; None at the end of the slider."""
        self._axes: Axes | None = None
        """Those of the chart above; while it is hidden, None: the snapshots stand evenly."""
        self._end = 0.0
        """The pixels from the left of the chart to the place of the bot as it is."""
        self._padding = (0, 0)
        """The pixels left and right of the trough."""
        self._worker: Worker | None = None
        self._problem = ""
        self._place = tk.DoubleVar(self, 1.0)
        """Where the thumb is, from 0 to 1 along the axis."""
        self.columnconfigure(0, weight=1)
        scale = ttk.Scale(self, variable=self._place, command=lambda _: self._drag())
        self.scale = put(scale, row=0, column=0, columnspan=2, sticky="ew")
        # The thumb goes to the click. Tk would move it by one unit, which is the whole axis.
        self.scale.bind("<Button-1>", lambda click: self._jump(click.x, click.y))
        for key, steps in (("Left", -1), ("Right", 1), ("Home", -(10**9)), ("End", 10**9)):
            self.scale.bind(f"<{key}>", partial(self._step, steps))
        self.text = put(wrapping(ttk.Label(self, style="Muted.TLabel")), row=1, sticky="ew")
        button = ttk.Button(self, command=self._press)
        self.button = put(button, row=1, column=1, padx=(context.theme.px(2), 0))

    @property
    def key(self) -> str:
        """The key of the bot as it was; empty while it is shown as it is."""
        if self._bot is None or self.point is None:
            return ""
        return f"{self._bot.key}:{self.point.games}"

    def show(self, bot: OwnBot | None, note: str = "", curve: Sequence[Measured] = ()) -> None:
        """Show the slider of *bot*, whose scores are *curve*; without a bot, only the *note*."""
        if bot is not None and bot == self._bot:
            return
        self.stop()
        self._bot = bot
        self._curve = curve
        self.past = []
        self.end = None
        self._count = 0
        self._problem = note if bot is None else ""
        if bot is not None:
            try:
                meta = read_meta(playing_path(bot))
                kept = kept_snapshots(bot.folder, meta)
                self._keep(kept or ())
                if kept is None:
                    self._count = expected_snapshots(meta)
            except (StorageError, SettingsError) as error:
                self._problem = model.as_sentence(error)
        self._choose(None)

    def _keep(self, points: Sequence[Measured]) -> None:
        """Take *points* for the snapshots; the last one may be the bot as it is."""
        assert self._bot is not None
        games = self._bot.games
        self.past = [point for point in points if point.games < games]
        self.end = next((point for point in points if point.games == games), None)

    def stop(self) -> None:
        """End the process that makes snapshots, if there is one, without what it has made."""
        if self._worker is not None:
            self._worker.end()
            self._worker = None
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
        self._place.set(self._place_of(self.point))

    # --- which snapshot ---

    def _place_of(self, point: Measured | None) -> float:
        """Return where the thumb stands for *point*, from 0 to 1."""
        if point is None:
            return 1.0
        if self._axes is None:
            return self.past.index(point) / len(self.past)
        axes = self._axes
        return (axes.x(point.games) - axes.left) / (self._end - axes.left)

    def _drag(self) -> None:
        """Show the snapshot nearest to the thumb."""
        thumb = self._place.get()

        def distance(point: Measured | None) -> float:
            return abs(self._place_of(point) - thumb)

        self._choose(min((None, *self.past), key=distance))

    def _jump(self, x: int, y: int) -> str:
        """Have the thumb go to a click at a point, and follow the pointer from there."""
        if self.scale.instate(["!disabled"]):
            self.scale.focus_set()  # the arrow keys go on from there
            self.tk.call("ttk::scale::Jump", self.scale, x, y)
        return "break"

    def _step(self, steps: int, _: object) -> str:
        """Go so many snapshots on from the one that is shown."""
        past = self.past
        index = len(past) if self.point is None else past.index(self.point)
        index = min(max(index + steps, 0), len(past))
        self._choose(past[index] if index < len(past) else None)
        return "break"

    def _choose(self, point: Measured | None) -> None:
        self.point = point
        self._place.set(self._place_of(point))
        self._draw()

    def _press(self) -> None:
        """Play the bot as it was, or have it play its games again."""
        if self.past:
            self._context.play_against(self.key)
        elif self._bot is not None:
            self._made = []
            self._worker = Worker(snapshot_process, self._bot)
            watch(self._context.root, self._worker, self._take)
            self._draw()

    def _take(self, message: object) -> None:
        match message:
            case Measured():
                self._made.append(message)
            case Ended(problem):
                self._worker = None
                self._problem = model.as_sentence(problem)
                self._keep([] if problem else self._made)
        self._draw()

    # --- what is shown ---

    def _draw(self) -> None:
        past = self.past
        is_busy = self._worker is not None
        has_slider = (past or self._count > 1) and not self._problem
        if has_slider:
            self.scale.grid(padx=self._padding)
        else:
            self.scale.grid_remove()
        # The bot as it is has a button of its own, and its text needs the room.
        has_button = has_slider and (self.key or not past)
        self.button.grid() if has_button else self.button.grid_remove()
        self.scale.state(["!disabled" if past else "disabled"])
        self.button.configure(text=AS_IT_WAS if past else AGAIN)
        self.button.state(["disabled" if is_busy else "!disabled"])
        text = self._problem
        if is_busy:
            text = (
                f"The bot plays its games again. {len(self._made)} of about {self._count} "
                "snapshots are ready."
            )
        elif has_slider:
            text = self._history() if past else ELSEWHERE
        self.text.configure(text=text)
        self._on_change()

    def _history(self) -> str:
        """Return what the bot had learned at the place of the thumb, and when."""
        end = () if self.end is None else (self.end,)
        points = sorted((*self.past, *self._curve, *end), key=lambda one: one.games)
        if self.point is None:
            return f"{model.stops_text(self.past)} {model.history_text(points)}"
        games = self.point.games
        return model.history_text([one for one in points if one.games <= games])
