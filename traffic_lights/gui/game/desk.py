"""What everything in the windows shares: the session, the theme, the files, and a few verbs.

The parts of the program get the desk and nothing else of each other: they read
the session, change it, and tell the desk, which tells whoever listens. The
program (`gui.app`) makes the parts and joins them; no part knows it.
"""

from __future__ import annotations

import time
import tkinter as tk
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

from traffic_lights.gui.game.presenter import Shown
from traffic_lights.gui.kit.dialog import Dialogs
from traffic_lights.gui.kit.errors import ErrorReporter, append_to_log
from traffic_lights.gui.kit.jobs import Jobs
from traffic_lights.gui.kit.theme import Theme
from traffic_lights.gui.main.main_window import MainWindow
from traffic_lights.players.game import HUMAN, Game, Player
from traffic_lights.players.roster import Roster
from traffic_lights.session.session import Session
from traffic_lights.session.status import StatusLine
from traffic_lights.system.folders import training_folder
from traffic_lights.userdata.store import UserData

LOG_NAME: Final = "log.txt"

Guard = Callable[[Callable[[], None]], bool]


class Desk:
    """One game on one window's desk; everything happens in the Tk loop of *root*."""

    window: MainWindow
    """The main window, put on the desk by the program before anything is drawn."""

    def __init__(self, root: tk.Tk, keeper: UserData) -> None:
        self.root = root
        self.keeper = keeper
        self.jobs = Jobs(root)
        self.dialogs = Dialogs()
        self.session = Session(time.time)
        self.shown = Shown()
        settings = keeper.settings
        self.theme = Theme(root, settings.theme, settings.lamps, settings.zoom)
        self.reporter = ErrorReporter(root, self.theme, self.dialogs, self.log_path)
        self.roster = Roster(keeper.folder, command_folder=training_folder())
        self.on_refresh: list[Callable[[], object]] = []
        """Called, in this order, to draw everything as it is."""
        self.on_change: list[Callable[[], object]] = []
        """Called, in this order, after any change of the session, before it is saved."""
        self.on_bots: list[Callable[[], object]] = []
        """Called, in this order, when there are other own bots, or other names of them."""
        self.on_quit: list[Callable[[], object]] = []
        """Called, in this order, when nobody objects to a quit."""
        self._status = StatusLine()
        self._guards: list[Guard] = []

    @property
    def log_path(self) -> Path:
        """Where what went wrong is written."""
        return self.keeper.folder / LOG_NAME

    def log(self, text: str) -> None:
        """Add *text* to the log, as far as the disk allows; never raises."""
        append_to_log(self.log_path, text)

    def failed(self, error: Exception) -> None:
        """Report an error in a thread as one in the window."""
        self.reporter.report(type(error), error, error.__traceback__)

    def hear_of_bots(self, window: tk.Misc, act: Callable[[], object]) -> None:
        """Have *act* called whenever `on_bots` is, as long as there is *window*."""
        self.on_bots.append(act)

        def forget(event: tk.Event[tk.Misc]) -> None:
            if event.widget is window:
                self.on_bots.remove(act)

        window.bind("<Destroy>", forget, add="+")

    # --- what is shown ---

    def refresh(self) -> None:
        """Draw everything as it is."""
        for draw in self.on_refresh:
            draw()

    def changed(self, save: bool = True, by_bot: bool = False) -> None:
        """Draw, save and go on after any change of the session; a bot's move keeps warnings."""
        if by_bot:
            self._status.bot_moved(self.session.generation)
        else:
            self._status.acted(self.session.generation)
        self.shown = replace(self.shown, hint=None)  # or it came back with its position, unasked
        for listener in self.on_change:
            listener()
        if save:
            self.keeper.save_session(self.session)

    def say(self, text: str) -> None:
        """Show *text* in the status line until the next change."""
        self._status.say(text, self.session.generation)
        self.window.show_status(text)

    def warn(self, text: str) -> None:
        """Show *text* in the status line until a person acts."""
        self._status.warn(text, self.session.generation)
        self.window.show_status(text)

    def unsay(self, text: str) -> None:
        """Take *text* back if it is what was said last."""
        if self.said == text:
            self._status.forget()

    @property
    def said(self) -> str | None:
        """What was said and still fits the session; None if nothing does."""
        return self._status.text(self.session.generation)

    def end_welcome(self) -> None:
        """Replace the first start's choices by the panel."""
        if self.window.welcome is not None:
            self.keeper.change(is_first_start=False)
            self.window.show_welcome(None)
            self.refresh()

    def to_front(self) -> None:
        """Bring the main window to the front and give the board the keyboard."""
        self.root.deiconify()
        self.root.lift()
        self.focus_board()

    def focus_board(self) -> None:
        """Give the board the keyboard."""
        self.window.board.focus_set()

    def register_background(self, text: str, reopen: Callable[[], None] | None) -> None:
        """Show *text* with a way to *reopen* at the right of the status line; "" removes it."""
        button = self.window.background
        if not text or reopen is None:
            button.grid_remove()
            return
        button.configure(text=text, command=reopen)
        button.grid(row=0, column=1, sticky="e")

    # --- who plays ---

    def find(self, key: str) -> Player | None:
        """Return the bot *key*; None if there is none, or it cannot play."""
        entries = self.roster.entries()
        found = (Player(e.key, e.name) for e in entries if e.key == key and not e.problem)
        return next(found, None)

    def first(self) -> Player:
        """Return the opponent of a first game, the weakest level."""
        weakest = self.roster.levels()[0]
        return Player(weakest.key, weakest.name)

    def bots_changed(self) -> None:
        """Report that there are other bots, or other names of them."""
        for listener in tuple(self.on_bots):
            listener()

    def preferred(self) -> Player:
        """Return the bot that was chosen last, or the strongest."""
        strongest = self.roster.levels()[-1]
        return self.find(self.keeper.settings.opponent) or Player(strongest.key, strongest.name)

    def prefer(self, key: str) -> None:
        """Prefer the bot *key* from now on."""
        self.keeper.change(opponent=key)

    def play_against(self, key: str) -> None:
        """Start a new game of the user against the bot *key*, in the main window."""
        bot = Player(key, self.roster.name_of(key, key))
        one, other = self.session.players
        me = one if one.is_human else other if other.is_human else HUMAN
        self.prefer(key)
        self.end_welcome()
        self.session.new_game((me, bot))
        self.changed()
        self.to_front()

    def show_game(self, game: Game) -> None:
        """Put *game* on the board, looking at its start; undo brings the present one back."""
        self.end_welcome()
        self.session.open_game(game)
        self.session.go_to(0)
        self.changed()
        self.to_front()

    # --- the end ---

    def ask_before_quitting(self, guard: Guard) -> None:
        """Have *guard* asked at every quit.

        It gets a function that goes on quitting. It returns True to hold the
        quit up (and may call the function later), False if it has no objection.
        """
        self._guards.append(guard)

    def forget_guard(self, guard: Guard) -> None:
        """Ask *guard* no more."""
        if guard in self._guards:
            self._guards.remove(guard)

    def quit(self) -> None:
        """Quit, unless a guard holds it up; everything is saved."""
        for guard in list(self._guards):
            if guard(lambda g=guard: self._guard_agreed(g)):  # type: ignore[misc]
                return
        for act in self.on_quit:
            act()

    def _guard_agreed(self, guard: Guard) -> None:
        self.forget_guard(guard)
        self.quit()
