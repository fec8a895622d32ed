"""The program behind the windows: it joins the session, the window, the bots and the files.

What other windows may use of it is `App`'s public part: `play_against`,
`show_game`, `say`, `register_background` and `ask_before_quitting`.
"""

from __future__ import annotations

import random
import signal
import sys
import time
import tkinter as tk
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from traffic_lights.board.rules import Action, State
from traffic_lights.board.solver import Tablebase
from traffic_lights.gui.game import presenter
from traffic_lights.gui.game.appearance import Appearance
from traffic_lights.gui.game.bot_driver import BotDriver
from traffic_lights.gui.game.commands import Commands
from traffic_lights.gui.game.demonstration import Demonstration
from traffic_lights.gui.game.opponents import Opponents
from traffic_lights.gui.game.own_bots import register_tables
from traffic_lights.gui.kit import geometry
from traffic_lights.gui.kit.dialog import Dialogs, bind_field_keys
from traffic_lights.gui.kit.errors import ErrorReporter, append_to_log
from traffic_lights.gui.kit.icon import set_icon
from traffic_lights.gui.kit.jobs import Jobs
from traffic_lights.gui.main.main_window import (
    ABOVE,
    FIRST_SIZE,
    LEAST_SIZE,
    MainWindow,
    focused_widget,
)
from traffic_lights.gui.main.menus import MenuBar
from traffic_lights.gui.training.offer import offer_interrupted_run
from traffic_lights.players.game import HUMAN, Game, Player
from traffic_lights.session import texts
from traffic_lights.session.keeper import Keeper
from traffic_lights.session.session import BotRequest, Outcome, Phase, Session
from traffic_lights.system import folders

if TYPE_CHECKING:
    from traffic_lights.learning.qtable import QTable

LOG_NAME: Final = "log.txt"
INTERRUPTED: Final = 130
PAUSES_MS: Final = {"instant": 0, "quick": 250, "normal": 600, "slow": 1200}
"""How long a bot takes at least, by the speed that is set."""
TROUBLES_AFTER_MS: Final = 250
"""How long after a change it is asked whether saving went well."""


class App:
    """One running game program; everything happens in the Tk loop of *root*."""

    def __init__(self, root: tk.Tk, keeper: Keeper | None = None) -> None:
        self.root = root
        self.keeper = keeper or Keeper(folders.data_folder())
        self.jobs = Jobs(root)
        self.dialogs = Dialogs()
        self.session = Session(random.Random(), time.time)
        self.shown = presenter.Shown()
        self.appearance = Appearance(self)
        self.theme = self.appearance.theme
        self.reporter = ErrorReporter(root, self.theme, self.dialogs, self.keeper.folder / LOG_NAME)
        self.opponents = Opponents(self)
        self.commands = Commands(self)
        self.demonstration = Demonstration(self)
        self._said: tuple[int, str] = (-1, "")
        self._guards: list[Callable[[Callable[[], None]], bool]] = []
        self._is_closing = False
        self._trouble_timer: str | None = None
        self.window = MainWindow(
            root, self.theme, self.appearance.look(), self.commands.table,
            self.click, self.other_click, self.commands.jump, lambda: self.refresh(),
        )  # fmt: skip
        self.menus = MenuBar(
            root, self.commands.table, self.appearance.variables, self.appearance.changed
        )
        self.commands.bind_board_keys(self.window.board)
        self.driver = BotDriver(
            root, self.jobs, self.session, self.opponents.choose,
            lambda: PAUSES_MS[self.keeper.settings.speed], self._bot_played, self._bot_failed,
        )  # fmt: skip
        register_tables(self)  # before the game that one of them may be playing
        self._restore()
        self.appearance.take_settings()
        self.place_window(self.keeper.settings.geometry)
        self.changed(save=False)
        root.protocol("WM_DELETE_WINDOW", self.quit)
        bind_field_keys(root)

    # --- start ---

    def _restore(self) -> None:
        if not self.keeper.restore_session(self.session):
            self.session.new_game((HUMAN, self.opponents.preferred()))
        if self.keeper.settings.is_first_start:
            self.window.show_welcome(self.commands.welcome_choices())

    def least_size(self) -> tuple[int, int]:
        """Return the least width and height of the window, in pixels, whatever the zoom."""
        scale = self.theme.scale / self.theme.zoom
        return round(LEAST_SIZE[0] * scale), round(LEAST_SIZE[1] * scale)

    def place_window(self, wanted: str) -> geometry.Placement:
        """Give the window the place *wanted*, as Tk writes it, or the first one; on the screen."""
        scale = self.theme.scale
        self.root.wm_minsize(*self.least_size())
        return geometry.place(
            self.root, wanted, round(FIRST_SIZE[0] * scale), round(FIRST_SIZE[1] * scale),
            self.least_size(), round(ABOVE * scale),
        )  # fmt: skip

    def open(self) -> None:
        """Show the window; what the first picture does not need is loaded afterwards."""
        set_icon(self.root)
        self.root.deiconify()
        self.window.board.focus_set()
        self.root.after(30, self._load_rest)

    def _load_rest(self) -> None:
        offer_interrupted_run(self)
        self.jobs.run(Tablebase, self._solved, self.failed)
        self.opponents.fill_menu()
        self.menus.submenus["Bot"].configure(postcommand=self.opponents.check)

    def _solved(self, tablebase: Tablebase) -> None:
        self.session.tablebase = self.opponents.ladder.tablebase = tablebase
        self.refresh()

    def failed(self, error: Exception) -> None:
        """Report an error in a thread as one in the window."""
        self.reporter.report(type(error), error, error.__traceback__)

    # --- what happens ---

    def click(self, cell: Action) -> None:
        """Do what choosing *cell* means now."""
        if self.demonstration.stop():
            self.refresh()
            return
        outcome = self.session.play(cell)
        text = texts.outcome_text(outcome, self.session, cell)
        if outcome in (Outcome.PLAYED, Outcome.PLAYED_ON):
            self.end_welcome()
        self.changed()
        if text:
            self.say(text)

    def other_click(self, cell: Action) -> None:
        """Do what choosing *cell* with the other button means: back, in set-up."""
        if self.session.phase is Phase.SETUP:
            outcome = self.session.cycle_setup(cell, back=True)
            self.changed()
            self.say(texts.outcome_text(outcome, self.session, cell))

    def changed(self, save: bool = True) -> None:
        """Draw, save and go on after any change of the session."""
        self.demonstration.stop()
        self.refresh()
        result = self.session.take_result()
        if result is not None:
            self.keeper.count_result(result)
            self._focus_on_end()
        if save:
            self.keeper.save_session(self.session)
        self.driver.drive()
        if self._trouble_timer is None:
            self._trouble_timer = self.root.after(TROUBLES_AFTER_MS, self._say_trouble)

    def _say_trouble(self) -> None:
        self._trouble_timer = None
        trouble = self.keeper.take_trouble()
        if trouble:
            self.say(trouble)

    def _focus_on_end(self) -> None:
        if focused_widget(self.root) is self.window.board:
            self.window.buttons["play_again"].focus_set()

    def refresh(self) -> None:
        """Draw everything as it is."""
        session, window = self.session, self.window
        if self.shown.values and session.tablebase is not None:
            session.note_values_seen()
        if self.shown.beliefs or window.panel.is_analysing:
            self.opponents.need_beliefs()
        table = self.opponents.belief_table
        window.board.show(presenter.picture_of(session, self.shown, table))
        phase = session.phase
        window.show_banner(texts.banner(session), self._aside(), presenter.badge_of(session))
        self.root.title(texts.title(session))
        names, disabled = presenter.buttons_of(session)
        if self.demonstration.verdict() is not None:
            names = (*names, "why")
        window.show_buttons(names, disabled)
        generation, text = self._said
        if generation != session.generation:
            text = presenter.status_of(session, self.shown)
        window.show_status(text)
        marks = (self.shown.marks or phase is Phase.OVER) and phase is not Phase.REVIEW
        players = session.players
        window.panel.show_moves(
            (presenter.column_name(players, 0), presenter.column_name(players, 1)),
            presenter.move_entries(session.game, session.tablebase, marks),
            session.index,
        )
        if window.panel.is_analysing:
            session.note_values_seen()
            window.panel.show_analysis(*presenter.analysis_of(session, table))
        self.commands.enable_menus()
        self.opponents.show_choice()

    def _aside(self) -> str:
        if self.session.phase in (Phase.YOUR_TURN, Phase.BOT_TURN):
            return f"Move {self.session.game.present + 1}"
        return ""

    def _bot_played(self, request: BotRequest) -> None:
        self.changed()
        if self.opponents.is_guessing(request.level, request.state):
            self.say(texts.guess_text(request.name))

    def _bot_failed(self, request: BotRequest, error: Exception) -> None:
        """Give the seat of a bot that cannot play to a person, and say why."""
        append_to_log(self.keeper.folder / LOG_NAME, f"{request.name} failed: {error!r}\n")
        self.opponents.replace_by_human(request.level)
        self.changed()
        self.say(f"{request.name} cannot play: {error}. You move for it now.")

    def end_welcome(self) -> None:
        """Replace the first start's choices by the panel."""
        if self.window.welcome is not None:
            self.keeper.change(is_first_start=False)
            self.window.show_welcome(None)
            self.refresh()

    # --- for other windows ---

    def say(self, text: str) -> None:
        """Show *text* in the status line until the next change."""
        self._said = (self.session.generation, text)
        self.window.show_status(text)

    def play_against(
        self,
        name: str,
        key: str,
        choose: Callable[[State], Action],
        table: QTable | None = None,
    ) -> None:
        """Start a new game, a person first, against a bot that is not on the ladder.

        *key* (small letters, digits, hyphens) stands for it in saved games;
        *choose* is called in a thread; *table* is what it plays by, if its
        beliefs can be shown. The main window comes to the front.
        """
        self.opponents.add_guest(key, name, choose)
        if table is not None:
            self.opponents.guest_tables[key] = table
        one, other = self.session.players
        me = one if one.is_human else other if other.is_human else Player()
        self.end_welcome()
        self.session.new_game((me, Player(key, name)))
        self.changed()
        self.to_front()

    def show_game(self, game: Game) -> None:
        """Put *game* on the board, looking at its start; undo brings the present one back."""
        self.end_welcome()
        self.session.open_game(game)
        self.session.go_to(0)
        self.changed()
        self.to_front()

    def to_front(self) -> None:
        """Bring the main window to the front and give the board the keyboard."""
        self.root.deiconify()
        self.root.lift()
        self.window.board.focus_set()

    def register_background(self, text: str, reopen: Callable[[], None] | None) -> None:
        """Show *text* with a way to *reopen* at the right of the status line; "" removes it."""
        button = self.window.background
        if not text or reopen is None:
            button.grid_remove()
            return
        button.configure(text=text, command=reopen)
        button.grid(row=0, column=1, sticky="e")

    def ask_before_quitting(self, guard: Callable[[Callable[[], None]], bool]) -> None:
        """Have *guard* asked at every quit.

        It gets a function that goes on quitting. It returns True to hold the
        quit up (and may call the function later), False if it has no objection.
        """
        self._guards.append(guard)

    def forget_guard(self, guard: Callable[[Callable[[], None]], bool]) -> None:
        """Ask *guard* no more."""
        if guard in self._guards:
            self._guards.remove(guard)

    # --- end ---

    def quit(self) -> None:
        """Quit, unless a guard holds it up; everything is saved."""
        for guard in list(self._guards):
            if guard(lambda g=guard: self._guard_agreed(g)):  # type: ignore[misc]
                return
        self.close()

    def _guard_agreed(self, guard: Callable[[Callable[[], None]], bool]) -> None:
        self.forget_guard(guard)
        self.quit()

    def close(self) -> None:
        """Save, and end without asking anybody."""
        if self._is_closing:
            return
        self._is_closing = True
        self.driver.stop()
        self.demonstration.stop()
        self.appearance.remember_geometry()
        self.keeper.save_session(self.session)
        self.keeper.finish()
        self.jobs.stop()
        if self._trouble_timer is not None:
            self.root.after_cancel(self._trouble_timer)
        self.root.destroy()


def run() -> int:
    """Open the window, play, and return the exit status; raise TclError without a display."""
    _ask_for_sharp_pixels()
    root = tk.Tk(className="Traffic-lights")
    root.withdraw()
    app = App(root)
    interrupts: list[int] = []

    def interrupted(number: int, _: object) -> None:
        interrupts.append(number)
        root.after_idle(app.close)

    if sys.platform == "darwin":
        root.createcommand("tk::mac::Quit", app.quit)
    signal.signal(signal.SIGINT, interrupted)
    app.open()
    root.mainloop()
    return INTERRUPTED if interrupts else 0


def _ask_for_sharp_pixels() -> None:
    """Tell Windows that the program scales itself; it would stretch the picture otherwise."""
    if sys.platform == "win32":
        import ctypes

        with suppress(OSError, AttributeError):  # before Windows 8.1
            ctypes.windll.shcore.SetProcessDpiAwareness(1)
