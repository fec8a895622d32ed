"""The slider under the curve: it shows and plays a bot as it was after fewer games."""

import tkinter as tk
from collections.abc import Sequence
from tkinter import ttk
from typing import Final

from traffic_lights.gui.kit.widgets import put, show_if, unbroken, wrapping
from traffic_lights.gui.main.context import Context
from traffic_lights.gui.main.seats import play_against
from traffic_lights.gui.workshop.learning_texts import snapshot_text
from traffic_lights.gui.workshop.shared import Act
from traffic_lights.training.gauge import Measured
from traffic_lights.training.own_bots import OwnBot
from traffic_lights.training.snapshots import kept_snapshots

LATER: Final = "After the training, a slider here shows the bot as it was."
DRAG: Final = "Drag to see it as it was."


class SnapshotSlider(ttk.Frame):
    """A slider over the snapshots of one bot, the last stop for the bot as it is, and a button."""

    def __init__(self, parent: tk.Misc, context: Context, on_change: Act) -> None:
        super().__init__(parent)
        self._on_change = on_change
        self._bot: OwnBot | None = None
        self.known: Sequence[Measured] = ()
        """The snapshots of the bot; the last one may be the bot as it is."""
        self.point: Measured | None = None
        """The snapshot that is shown; None at the end of the slider."""
        self.columnconfigure(0, weight=1)
        self.scale = ttk.Scale(self, command=lambda place: self.drag(float(place)))
        self.scale.grid(columnspan=2, sticky="ew")
        self.text = put(wrapping(ttk.Label(self, style="Muted.TLabel")), row=1, sticky="new")
        play = ttk.Button(self, text="Play It as It Was")
        play.configure(command=lambda: play_against(context, self.key))
        self.button = put(play, row=1, column=1, pady=(context.theme.px(1), 0))

    @property
    def key(self) -> str:
        """The key of the bot as it was; empty while it is shown as it is."""
        bot = self._bot
        return "" if bot is None or self.point is None else f"{bot.key}:{self.point.games}"

    def show(self, bot: OwnBot | None, note: str = "") -> None:
        """Show the slider of *bot*; without a bot, only the *note*."""
        if bot != self._bot:
            self._bot = bot
            self.point = None
            self.known = kept_snapshots(bot.folder) if bot is not None else ()
            self.scale.configure(to=len(self._stops) - 1, value=len(self._stops) - 1)
        if self.point is not None:
            note = snapshot_text(self.point)
        elif len(self._stops) > 1:
            note = DRAG
        self.text.configure(text=unbroken(note))
        show_if(len(self._stops) > 1, self.scale, self)
        show_if(self.key, self.button, self)

    @property
    def _stops(self) -> list[Measured | None]:
        games = self._bot.games if self._bot is not None else 0
        return [*(point for point in self.known if point.games < games), None]

    def drag(self, place: float) -> None:
        """Show the bot as it was at a *place* of the slider."""
        point = self._stops[round(place)]
        if point is not self.point:
            self.point = point
            self._on_change()
