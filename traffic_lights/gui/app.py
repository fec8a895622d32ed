"""The program behind the windows: it makes the parts, lays them on the desk, and joins them."""

from __future__ import annotations

import signal
import sys
import tkinter as tk
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from traffic_lights.board.rules import Action, mover
from traffic_lights.board.solver import Tablebase
from traffic_lights.gui.game import presenter
from traffic_lights.gui.game.appearance import Appearance
from traffic_lights.gui.game.belief_table import BeliefTable
from traffic_lights.gui.game.bot_driver import BotDriver
from traffic_lights.gui.game.commands import Commands
from traffic_lights.gui.game.demonstration import Demonstration
from traffic_lights.gui.game.desk import Desk
from traffic_lights.gui.game.offers import Offers
from traffic_lights.gui.game.opponent_menu import OpponentMenu
from traffic_lights.gui.kit.dialog import end_file_dialogs
from traffic_lights.gui.kit.keys import bind_field_keys, focused_widget
from traffic_lights.gui.kit.lamps import set_icon
from traffic_lights.gui.main.main_window import MainWindow
from traffic_lights.gui.main.menus import MenuBar
from traffic_lights.gui.windows import Windows
from traffic_lights.players.bots import PlayerError
from traffic_lights.players.game import HUMAN
from traffic_lights.session import texts
from traffic_lights.session.learned import notes_text
from traffic_lights.session.session import BotRequest, Outcome, Phase
from traffic_lights.system import folders
from traffic_lights.userdata.store import UserData

INTERRUPTED: Final = 130
PAUSES_MS: Final = {"instant": 0, "quick": 250, "normal": 600, "slow": 1200}
"""How long a bot takes at least, by the speed that is set."""
NOT_SAVED: Final = "Not everything is saved"
LEAVE_MS: Final = 20
TROUBLES_AFTER_MS: Final = 250
"""How long after a change it is asked whether saving went well."""


class App:
    """One running game program; everything happens in the Tk loop of *root*."""

    def __init__(self, root: tk.Tk, keeper: UserData | None = None) -> None:
        self.desk = desk = Desk(root, keeper or UserData(folders.data_folder()))
        self.root, self.session = root, desk.session
        self.appearance = Appearance(desk)
        self.beliefs = BeliefTable(desk)
        self.demonstration = Demonstration(desk)
        self.windows = Windows(desk)
        self.offers = Offers(desk)
        self.commands = Commands(
            desk, self.appearance, self.demonstration, self.offers, self.windows.commands()
        )
        self._is_closing = False
        self._ended: object = None
        """The game on the board, by identity and moves, if it has been seen to end."""
        self._trouble_timer: str | None = None
        self.window = desk.window = MainWindow(
            root,
            desk.theme,
            self.appearance.look(),
            self.commands.table,
            self.click,
            self.other_click,
            self.commands.jump,
            desk.refresh,
        )
        variables = self.appearance.variables
        self.menus = MenuBar(
            root, self.commands.table, variables, self._variable_changed, desk.theme
        )
        self.opponent_menu = OpponentMenu(desk, self.menus, variables["opponent"])
        self.commands.bind_board_keys(self.window.board)
        self.driver = BotDriver(
            root,
            desk.jobs,
            self.session,
            lambda key, state: desk.roster.choose(key, state),
            lambda: PAUSES_MS[desk.keeper.settings.speed],
            self._bot_played,
            self._bot_failed,
        )
        self._join()
        self._restore()
        self.appearance.take_settings()
        self.window.place(desk.keeper.settings.geometry)
        desk.changed(save=False)
        root.protocol("WM_DELETE_WINDOW", desk.quit)
        bind_field_keys(root)

    def _join(self) -> None:
        """Have the parts told what happens, in the order that they need."""
        desk = self.desk
        desk.on_refresh.append(self._draw)
        desk.on_change += [
            self.demonstration.stop,
            self._count_result,
            desk.refresh,
            self.driver.drive,
            self._await_trouble,
            self._focus_on_end,
        ]
        desk.on_quit.append(self.close)

    # --- start ---

    def _restore(self) -> None:
        keeper = self.desk.keeper
        if not keeper.restore_session(self.session):
            if keeper.settings.is_first_start:
                self.desk.prefer(self.desk.first().bot or "")
            self.session.new_game((HUMAN, self.desk.preferred()))
        if keeper.settings.is_first_start:
            self.window.show_welcome(self.commands.welcome_choices())

    def open(self) -> None:
        """Show the window; what the first picture does not need is loaded afterwards."""
        set_icon(self.root)
        self.root.deiconify()
        is_over = self.session.phase is Phase.OVER
        (self.window.buttons["play_again"] if is_over else self.window.board).focus_set()
        self.root.after(30, self._load_rest)

    def _load_rest(self) -> None:
        # The solver comes first: nothing that fails may cost what everything true needs.
        self.desk.jobs.run(Tablebase, self._solved, self.desk.failed)
        self._await_trouble()
        self._attempt(self.opponent_menu.fill)
        self.menus.submenus["Bot"].configure(postcommand=self.opponent_menu.check)
        self._attempt(self._report_unfinished)

    def _report_unfinished(self) -> None:
        """Say once that a bot was in training when the program ended."""
        keeper = self.desk.keeper
        if keeper.settings.training:
            name = keeper.settings.training
            self.desk.say(f"“{name}” is still in training: Bot ▸ Train… continues.")
            keeper.change(training="")

    def _attempt(self, step: Callable[[], object]) -> None:
        """Take a *step* of the start that the rest can do without; report if it fails."""
        try:
            step()
        except Exception as error:
            self.desk.failed(error)

    def _solved(self, tablebase: Tablebase) -> None:
        self.session.tablebase = tablebase
        self.desk.refresh()

    # --- what happens ---

    def click(self, cell: Action) -> None:
        """Do what choosing *cell* means now."""
        desk = self.desk
        if self.demonstration.stop():
            desk.refresh()
            return
        outcome = self.session.play(cell)
        text = texts.outcome_text(outcome, self.session, cell)
        if outcome in (Outcome.PLAYED, Outcome.PLAYED_ON):
            desk.end_welcome()
        desk.changed()
        if text:
            desk.say(text)

    def other_click(self, cell: Action) -> None:
        """Do what choosing *cell* with the other button means: back, in set-up."""
        if self.session.phase is Phase.SETUP:
            outcome = self.session.cycle_setup(cell, back=True)
            self.desk.changed()
            self.desk.say(texts.outcome_text(outcome, self.session, cell))

    def _variable_changed(self, name: str) -> None:
        """Do what the menu's variable *name* says now."""
        if name == "opponent":
            self.opponent_menu.choose(self.appearance.variables[name].get())
        else:
            self.appearance.changed(name)

    def _count_result(self) -> None:
        """Count a game that has just ended, and find what to offer after it."""
        result = self.session.take_result()
        if result is not None:
            self.desk.keeper.count_result(result)
            self.desk.roster.end_game(result.game)
        self.offers.look()

    def _focus_on_end(self) -> None:
        """Give the keyboard of the board to the button of the next game, once for each end."""
        game = self.session.game
        played = game.identity, game.actions
        if played == self._ended:  # looked at again, or taken back
            return
        is_over = self.session.phase is Phase.OVER
        self._ended = played if is_over else None
        if is_over and focused_widget(self.root) is self.window.board:
            self.window.buttons["play_again"].focus_set()

    def _await_trouble(self) -> None:
        if self._trouble_timer is None:
            self._trouble_timer = self.root.after(TROUBLES_AFTER_MS, self._say_trouble)

    def _say_trouble(self) -> None:
        self._trouble_timer = None
        is_saving = self.desk.keeper.is_saving
        trouble = self.desk.keeper.take_trouble()
        if trouble:
            self.desk.warn(trouble)
            self.desk.refresh()
        if is_saving:
            self._await_trouble()
        self._show_notice()

    def _show_notice(self) -> None:
        self.window.show_notice(NOT_SAVED if self.desk.keeper.has_failed else "")

    def _draw(self) -> None:
        """Draw everything as it is."""
        session, window, shown = self.session, self.window, self.desk.shown
        if shown.values and session.tablebase is not None:
            session.note_values_seen()
        if shown.beliefs or window.panel.is_analysing:
            self.beliefs.need()
        table = self.beliefs.table
        picture = presenter.picture_of(session, shown, table)
        window.board.show(picture)
        phase = session.phase
        is_welcome = window.welcome is not None  # who moves first is still to be chosen
        if is_welcome:
            window.show_banner(texts.PROGRAM, "", "")
        else:
            window.show_banner(texts.banner(session), self._aside(), presenter.badge_of(session))
        self.root.title(texts.PROGRAM if is_welcome else texts.title(session))
        names = presenter.buttons_of(session, self.offers.current)
        if self.demonstration.verdict() is not None and not {"pause", "resume"} & set(names):
            names = (*(n for n in names if n not in ("harder", "easier")), "why")
        window.show_buttons(names, presenter.greyed(session, window.is_board_covered))
        said = self.desk.said
        is_first_game = not self.desk.keeper.statistics.records()
        if said is None and is_welcome:
            said = texts.welcome_text(self.desk.first().name, not window.is_board_covered)
        elif said is None:
            said = presenter.status_of(session, shown, self.offers.current, is_first_game)
        if picture.beliefs and table is not None:
            said = f"{said} {notes_text(table, session.state)}".strip()
        window.show_status(said)
        marks = session.shows_marks or (shown.marks and phase is not Phase.REVIEW)
        players = session.players
        window.panel.show_moves(
            (presenter.column_name(players, 0), presenter.column_name(players, 1)),
            presenter.move_entries(session.game, session.taken_back, session.tablebase, marks),
            session.index,
        )
        if window.panel.is_analysing:
            session.note_values_seen()
            owner = "" if self.beliefs.owner is None else self.beliefs.owner.name
            window.panel.show_analysis(*presenter.analysis_of(session, table), owner)
        self._show_notice()
        self.commands.enable(self.menus)
        self.opponent_menu.show_choice()

    def _aside(self) -> str:
        if self.session.phase in (Phase.YOUR_TURN, Phase.BOT_TURN):
            return f"Move {len(self.session.game.actions) + 1}"
        return ""

    # --- bots ---

    def _bot_played(self, request: BotRequest) -> None:
        self.desk.changed(by_bot=True)
        if self.session.players[mover(request.state)].is_human:
            self.desk.say(texts.stand_in_text(request, self.session.last_action))
        if self.desk.roster.is_guessing(request.player.bot or "", request.state):
            self.desk.say(texts.guess_text(request.player.name))

    def _bot_failed(self, request: BotRequest, error: Exception) -> None:
        """Wait for a decision of the player, and report why the bot cannot choose."""
        name = request.player.name
        self.desk.log(f"{name} failed: {error!r}\n")
        for line in self.desk.roster.last_lines(request.player.bot or ""):
            self.desk.log(f"{name}: {line}\n")
        is_stand_in = self.session.mover_is_human
        self.session.fail_bot(request.token, str(error))
        self.desk.changed()
        text = str(error)
        if not isinstance(error, PlayerError) and " cannot play: " not in text:
            text = f"{name} cannot play: {text}"
        then = "The move is yours again" if is_stand_in else "Choose another opponent, or undo"
        self.desk.warn(f"{text}. {then}.")

    # --- end ---

    def close(self) -> None:
        """Save, and end without asking anybody; to ask for it again changes nothing."""
        if self._is_closing:
            return
        self._is_closing = True
        self.driver.stop()
        self.demonstration.stop()
        self.appearance.remember_geometry()
        # A file that another program holds may take a while. But a dialog that belongs to a window
        # withdrawn would never come up, and so never return.
        if not end_file_dialogs(self.root):
            self.root.withdraw()
        self.desk.keeper.save_session(self.session)
        self.desk.keeper.finish()
        self.desk.jobs.stop()
        if self._trouble_timer is not None:
            self.root.after_cancel(self._trouble_timer)
        self._leave()

    def _leave(self) -> None:
        """Destroy the window, once a dialog for files has returned: it is asked until it does."""
        if end_file_dialogs(self.root):
            self.root.after(LEAVE_MS, self._leave)
        else:
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
        root.createcommand("tk::mac::Quit", app.desk.quit)
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
