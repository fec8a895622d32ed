"""A bot as it was after fewer games: which of its snapshots is shown, and a button to play it."""

from collections.abc import Mapping
from tkinter import ttk

from traffic_lights.gui.kit.widgets import paragraph, put, show_if, unbroken
from traffic_lights.gui.main.context import Context
from traffic_lights.gui.main.seats import play_against
from traffic_lights.gui.workshop.curves import Curves
from traffic_lights.gui.workshop.shared import Act
from traffic_lights.training.gauge import Measured
from traffic_lights.training.own_bots import OwnBot
from traffic_lights.training.snapshots import measured_snapshots


class Past(ttk.Frame):
    """Says what the bot was at the place of the slider; *on_change* is called at another place."""

    def __init__(self, parent: ttk.Frame, context: Context, curves: Curves, on_change: Act) -> None:
        super().__init__(parent)
        self._curves = curves
        self._on_change = on_change
        self._bot: OwnBot | None = None
        self.stops: Mapping[int, Measured | None] = {}
        """The snapshots of the bot by their games, ascending; None stands for the bot as it is."""
        self.games = 0
        """The stop at which the bot is shown."""
        self.columnconfigure(0, weight=1)
        self.text = paragraph(self)
        play = ttk.Button(self, text="Play It as It Was")
        play.configure(command=lambda: play_against(context, self.key))
        self.button = put(play, row=0, column=1)
        self.rowconfigure(0, minsize=play.winfo_reqheight())

    def take(self, bot: OwnBot | None) -> None:
        """Have the slider of *bot*, which is shown as it is unless it was shown before."""
        if bot != self._bot:
            self._bot = bot
            self.stops = {}
            if bot is not None:
                known = measured_snapshots(bot.folder)
                self._curves.see(bot)  # what has just been measured may be all of its curve
                before = {one.games: one for one in known if one.games < bot.games}
                self.stops = {**before, bot.games: None}
            self.games = max(self.stops, default=0)

    @property
    def point(self) -> Measured | None:
        """The score of the snapshot that is shown; None if that is the bot as it is, or none is."""
        return self.stops.get(self.games)

    def say(self, text: str, style: str) -> None:
        """Show *text*, and the button while the bot is shown as it was."""
        self.text.configure(text=unbroken(text), style=style)
        show_if(self.point, self.button, self)

    @property
    def key(self) -> str:
        """The key of the bot as it was; empty while it is shown as it is."""
        return f"{self._bot.key}:{self.games}" if self._bot and self.point else ""

    def go(self, games: int) -> None:
        """Show the bot as it was after so many *games*."""
        self.games = games
        self._on_change()
