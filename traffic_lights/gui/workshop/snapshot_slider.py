"""The slider under the curve: it shows and plays a bot as it was after fewer games."""

import tkinter as tk
from collections.abc import Sequence
from functools import partial
from tkinter import ttk
from typing import Final

from traffic_lights.gui.kit.widget_styles import THUMB
from traffic_lights.gui.kit.widgets import put, unbroken, wrapping
from traffic_lights.gui.main.context import Context
from traffic_lights.gui.workshop.past import Past
from traffic_lights.training.gauge import Measured
from traffic_lights.training.own_bots import OwnBot
from traffic_lights.workshop import learning_texts
from traffic_lights.workshop.charts import Axes
from traffic_lights.workshop.shared import Act

LATER: Final = "After the training, a slider here shows the bot as it was at any time."
ELSEWHERE: Final = (
    "Not all of its training was here. To see the bot as it was, let it play its games again."
)
ALONE: Final = "Untick the other bots to read what it had learned, and when."
AS_IT_WAS: Final = "Play It as It Was"
AGAIN: Final = "Play Its Games Again"
"""What the one button is called: with snapshots, and without any."""

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
        self.past = Past(context.root, self._changed)
        self._note = ""
        """The text in place of a slider."""
        self._curve: Sequence[Measured] = ()
        """The scores of the bot."""
        self._is_brief = False
        self.point: Measured | None = None
        """The snapshot that is shown; None at the end of the slider."""
        self._axes: Axes | None = None
        """Those of the chart above; while it is hidden, None: the snapshots stand evenly."""
        self._end = 0.0
        """The pixels from the left of the chart to the place of the bot as it is."""
        self._padding = (0, 0)
        """The pixels left and right of the trough."""
        self._place = tk.DoubleVar(self, 1.0)
        """Where the thumb is, from 0 to 1 along the axis."""
        self.columnconfigure(0, weight=1)
        # It asks for no length of its own: with the padding, that could widen the chart for ever.
        scale = ttk.Scale(self, length=1, variable=self._place, command=lambda _: self._drag())
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
        bot = self.past.bot
        return "" if bot is None or self.point is None else f"{bot.key}:{self.point.games}"

    def show(
        self,
        bot: OwnBot | None,
        note: str = "",
        curve: Sequence[Measured] = (),
        *,
        is_brief: bool = False,
    ) -> None:
        """Show the slider of *bot*, whose scores are *curve*; without a bot, only the *note*.

        If it *is_brief*, what the bot had learned is left out.
        """
        before = self.past.bot, self._note, self._curve, self._is_brief
        if before == (bot, note, curve, is_brief):
            return
        self._note = note
        self._curve = curve
        self._is_brief = is_brief
        if bot != self.past.bot:
            self.past.stop()
            self.past = Past(self._context.root, self._changed, bot)
            self.point = None
        self._draw()

    def stop(self) -> None:
        """Make no more snapshots."""
        if self.past.is_being_made:
            self.past.stop()
            self._choose(None)

    def stand_along(self, axes: Axes | None, width: int) -> None:
        """Stand below the axis across of *axes* in a picture of *width* pixels."""
        self._axes = axes
        self._padding = (0, 0)
        bot = self.past.bot
        if axes is not None and bot is not None:
            px = self._context.theme.px
            self._end = max(axes.x(bot.games), axes.left + px(SHORTEST))
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
            return self.past.points.index(point) / len(self.past.points)
        axes = self._axes
        return (axes.x(point.games) - axes.left) / (self._end - axes.left)

    def _drag(self) -> None:
        """Show the snapshot nearest to the thumb."""
        thumb = self._place.get()

        def distance(point: Measured | None) -> float:
            return abs(self._place_of(point) - thumb)

        self._choose(min((None, *self.past.points), key=distance))

    def _jump(self, x: int, y: int) -> str:
        """Have the thumb go to a click at a point, and follow the pointer from there."""
        if self.scale.instate(["!disabled"]):
            self.scale.focus_set()  # the arrow keys go on from there
            self.tk.call("ttk::scale::Jump", self.scale, x, y)
        return "break"

    def _step(self, steps: int, _: object) -> str:
        """Go so many snapshots on from the one that is shown."""
        past = self.past.points
        index = len(past) if self.point is None else past.index(self.point)
        index = min(max(index + steps, 0), len(past))
        self._choose(past[index] if index < len(past) else None)
        return "break"

    def _choose(self, point: Measured | None) -> None:
        self.point = point
        self._changed()

    def _press(self) -> None:
        """Play the bot as it was, or have it play its games again."""
        if self.past.points:
            self._context.play_against(self.key)
        else:
            self.past.make()
            self._changed()

    # --- what is shown ---

    def _changed(self) -> None:
        self._draw()
        self._on_change()

    def _draw(self) -> None:
        past = self.past
        has_slider = (past.points or past.count > 1) and not past.problem
        if has_slider:
            self.scale.grid(padx=self._padding)
        else:
            self.scale.grid_remove()
        # The bot as it is has a button of its own, and its text needs the room.
        has_button = has_slider and (self.key or not past.points)
        self.button.grid() if has_button else self.button.grid_remove()
        self.scale.state(["!disabled" if past.points else "disabled"])
        self.button.configure(text=AS_IT_WAS if past.points else AGAIN)
        self.button.state(["disabled" if past.is_being_made else "!disabled"])
        text = past.problem
        if past.bot is None:
            text = self._note
        elif past.is_being_made:
            text = (
                f"The bot plays its games again. {len(past.made)} of about {past.count} "
                "snapshots are ready."
            )
        elif has_slider:
            text = self._history() if past.points else ELSEWHERE
        self.text.configure(text=unbroken(text))
        self._place.set(self._place_of(self.point))

    def _history(self) -> str:
        """Return what the bot had learned at the place of the thumb, and when."""
        past = self.past
        if self._is_brief:
            return f"{learning_texts.stops_text(past.points)} {ALONE}"
        points = sorted((*past.known, *self._curve), key=lambda one: one.games)
        if self.point is None:
            return f"{learning_texts.stops_text(past.points)} {learning_texts.history_text(points)}"
        games = self.point.games
        return learning_texts.history_text([one for one in points if one.games <= games])
