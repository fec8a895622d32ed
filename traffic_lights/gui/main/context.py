"""Shared state and services for all windows: the session, theme, user data and a few actions.

Each part of the windows gets the context, and knows no other part. It reads or changes the
session, and then calls `changed`, which redraws, saves and lets the bots play.
"""

from __future__ import annotations

import time
import tkinter as tk
from collections import Counter
from collections.abc import Callable
from typing import Final, NamedTuple

from traffic_lights.gui.kit.board_view import BoardView
from traffic_lights.gui.kit.dialog import ErrorReporter, append_to_log
from traffic_lights.gui.kit.jobs import Jobs
from traffic_lights.gui.kit.theme import Theme
from traffic_lights.players.bots import PlayerError
from traffic_lights.players.game import HUMAN, Game, Player
from traffic_lights.players.roster import Roster
from traffic_lights.session.session import Phase, Session
from traffic_lights.session.verdicts import Hint
from traffic_lights.system.folders import training_folder
from traffic_lights.userdata.store import UserData

LOG_NAME: Final = "log.txt"
Choice = tuple[str, Callable[[], object]]
"""A button in the message: its words, and what it does."""


class ShownMessage(NamedTuple):
    """The last thing reported, with the buttons that answer it."""

    text: str = ""
    choices: tuple[Choice, ...] = ()
    stays: bool = False
    """Whether it stays until the player acts; other messages go with the next change."""


class Context:
    """One game in one main window; everything happens in the Tk loop of *root*."""

    board: BoardView
    """Set by the main window, like the next two."""
    show_background: Callable[[str, Callable[[], object]], object]
    """Shows a button with this text in the status line, which calls the function."""
    refresh: Callable[[], object]
    """Draws everything as it is."""
    after_change: Callable[[], object]
    """Called after each change of the session, before it is saved; set by the program."""
    close: Callable[[], None]
    """Saves everything and ends the program."""

    def __init__(self, root: tk.Tk, userdata: UserData) -> None:
        self.root = root
        self.userdata = userdata
        self.jobs = Jobs(root)
        self.session = Session(time.time)
        self.roster = Roster(userdata.folder, command_folder=training_folder())
        self.wins: Counter[object] = Counter()
        """The games won since the program started; `win_key` makes the keys."""
        self.message = ShownMessage()
        self.hint: Hint | None = None
        """What the board shows of the last hint; None after any change."""
        self.is_full_screen = False
        settings = userdata.settings
        self.theme = Theme(root, settings.theme, settings.lamps, settings.zoom)
        self.reporter = ErrorReporter(root, self.theme, userdata.folder / LOG_NAME)
        self.on_bots: list[Callable[[], object]] = []
        """Called when a bot was added, removed, renamed or trained."""
        self.guard: Callable[[Callable[[], None]], bool] | None = None
        """Called before the program quits, with the function that does it.

        It returns True to stop that for now, and may call the function later.
        """

    def log(self, text: str) -> None:
        """Add *text* to the log, if the disk allows it; never raises."""
        append_to_log(self.userdata.folder / LOG_NAME, text)

    def failed(self, error: Exception) -> None:
        """Report an error in a thread like one in the window."""
        self.reporter.report(type(error), error, error.__traceback__)

    # --- what is shown ---

    def changed(self, by_bot: bool = False) -> None:
        """Draw, save and let the bots play after a change of the session."""
        if not (by_bot and self.message.stays):
            self.message = ShownMessage()
        self.hint = None
        self.after_change()
        self.userdata.save_session(self.session)

    def say(self, text: str, *choices: Choice) -> None:
        """Show *text* under the cards until the next change."""
        self.message = ShownMessage(text, choices)
        self.refresh()

    def warn(self, text: str, *choices: Choice) -> None:
        """Show *text* under the cards until the player acts."""
        self.message = ShownMessage(text, choices, stays=True)
        self.refresh()

    def change(self, **settings: object) -> None:
        """Change *settings*, by name, and draw everything."""
        self.userdata.change(**settings)
        self.refresh()

    # --- who plays ---

    def player(self, key: str) -> Player:
        """Return the bot *key* as a player, or the first level if that bot is unknown or broken."""
        try:
            entry = self.roster.entry(key)
        except PlayerError:
            entry = self.roster.levels()[0]
        return Player(entry.key, entry.name)

    def seat(self, seat: int, player: Player) -> None:
        """Let *player* take over *seat*."""
        one, other = self.session.players
        if player.bot is not None:
            self.userdata.change(opponent=player.bot)
        self.set_players((player, other) if seat == 0 else (one, player))

    def set_players(self, players: tuple[Player, Player]) -> None:
        """Let *players* continue the game; after its end, a new one begins."""
        if self.session.game.is_over and self.session.phase is not Phase.SETUP:
            self.session.new_game(players)
        else:
            self.session.set_players(players)
        self.changed()

    def play_against(self, key: str) -> None:
        """Start a new game of the player against the bot *key*, in front of all windows."""
        person = next((p for p in self.session.players if p.is_human), HUMAN)
        self.userdata.change(opponent=key)
        self.session.new_game((person, self.player(key)))
        self._begin()

    def show_game(self, game: Game) -> None:
        """Put *game* on the board, looking at its start; undo brings the present one back."""
        self.session.open_game(game)
        self.session.go_to(0)
        self._begin()

    def _begin(self) -> None:
        self.changed()
        self.root.deiconify()
        self.root.lift()
        self.board.focus_set()

    def bots_changed(self) -> None:
        """Notify all windows that a bot was added, removed, renamed or trained."""
        for listener in tuple(self.on_bots):
            listener()

    def quit(self) -> None:
        """Save everything and quit, unless the guard holds it up."""
        if self.guard is None or not self.guard(self.close):
            self.close()


def win_key(players: tuple[Player, Player], seat: int) -> object:
    """Return the key that counts the games between *players* that the player of *seat* won.

    The seats distinguish two equal players, such as two people without names.
    """
    one, other = players
    return frozenset(players), seat if one == other else players[seat]
