"""A bot as it was after fewer games: which of its snapshots is shown, and a button to play it."""

from collections.abc import Sequence
from tkinter import ttk

from traffic_lights.gui.kit.widgets import put, show_if, unbroken, wrapping
from traffic_lights.gui.main.context import Context
from traffic_lights.gui.main.seats import play_against
from traffic_lights.gui.workshop.learning_texts import snapshot_text
from traffic_lights.gui.workshop.shared import Act
from traffic_lights.training.gauge import Measured
from traffic_lights.training.own_bots import OwnBot
from traffic_lights.training.snapshots import kept_snapshots


class Past(ttk.Frame):
    """Says what the bot was at the place of the slider; *on_change* is called at another place."""

    def __init__(self, parent: ttk.Frame, context: Context, on_change: Act) -> None:
        super().__init__(parent)
        self._on_change = on_change
        self._bot: OwnBot | None = None
        self._known: Sequence[Measured] = ()
        """The snapshots of the bot before it was as it is."""
        self._point: Measured | None = None
        """The snapshot that is shown; None if the bot is shown as it is."""
        self.columnconfigure(0, weight=1)
        self.text = put(wrapping(ttk.Label(self)), sticky="ew")
        play = ttk.Button(self, text="Play It as It Was")
        play.configure(command=lambda: play_against(context, self.key))
        self.button = put(play, row=0, column=1)
        self.rowconfigure(0, minsize=play.winfo_reqheight())

    def take(self, bot: OwnBot | None) -> None:
        """Have the slider of *bot*, which is shown as it is unless it was shown before."""
        if bot != self._bot:
            self._bot = bot
            self._point = None
            known = kept_snapshots(bot.folder) if bot is not None else ()
            self._known = [point for point in known if bot and point.games < bot.games]

    def say(self, result: str, style: str) -> None:
        """Show the *result* of the bot, or what it was at the place of the slider."""
        text = result if self._point is None else snapshot_text(self._point)
        self.text.configure(text=unbroken(text), style=style)
        show_if(self._point, self.button, self)

    @property
    def stops(self) -> list[int]:
        """The games of the snapshots, and those of the bot as it is at their end."""
        bot = self._bot
        return [*(point.games for point in self._known), bot.games] if bot is not None else []

    @property
    def games(self) -> int:
        """The games of the bot as it is shown."""
        if self._point is not None:
            return self._point.games
        return self._bot.games if self._bot is not None else 0

    @property
    def key(self) -> str:
        """The key of the bot as it was; empty while it is shown as it is."""
        bot = self._bot
        return "" if bot is None or self._point is None else f"{bot.key}:{self._point.games}"

    def go(self, games: int) -> None:
        """Show the bot as it was after so many *games*."""
        found = (point for point in self._known if point.games == games)
        self._point = next(found, None)
        self._on_change()
