"""The program behind the windows: it makes the parts of the main window and connects them."""

from __future__ import annotations

import signal
import sys
import tkinter as tk
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Final

from traffic_lights.board.solver import Tablebase
from traffic_lights.gui import dialogs
from traffic_lights.gui.kit.lamps import set_icon
from traffic_lights.gui.kit.widgets import bind_class_keys, bind_scrolling
from traffic_lights.gui.main.bot_driver import drive_bots
from traffic_lights.gui.main.commands import Commands
from traffic_lights.gui.main.context import Context, win_key
from traffic_lights.gui.main.menus import add_menus, bind_keys
from traffic_lights.gui.main.window import MainWindow
from traffic_lights.players.game import HUMAN
from traffic_lights.players.policies import shared_tablebase
from traffic_lights.session import texts
from traffic_lights.system import folders
from traffic_lights.userdata.store import UserData

if TYPE_CHECKING:
    from traffic_lights.gui.workshop.window import WorkshopWindow

INTERRUPTED: Final = 130
FILE_DIALOGS: Final = ("TkFDialog", "TkChooseDir", "TkMotifFDialog")
"""The classes of Tk's own dialogs for files, on X11."""
LEAVE_MS: Final = 20
LOOK_EVERY_MS: Final = 200
"""How often the program checks whether saving went well."""


class App:
    """One running game program; everything happens in the Tk loop of *root*."""

    def __init__(self, root: tk.Tk, userdata: UserData | None = None) -> None:
        self.context = context = Context(root, userdata or UserData(folders.data_folder()))
        self.root, self.session = root, context.session
        self._is_closing = False
        self.commands = Commands(context, self._acts())
        self.window = MainWindow(context, self.commands)
        self.menus = add_menus(context, self.commands)
        bind_keys(context, self.commands)
        context.after_change, context.close = self._go_on, self.close
        if not context.userdata.restore_session(self.session):
            if context.userdata.settings.is_first_start:
                weakest = context.roster.levels()[0].key
                context.userdata.change(opponent=weakest, is_first_start=False)
            self.session.new_game((HUMAN, context.player(context.userdata.settings.opponent)))
        self.window.apply()
        self.window.place(context.userdata.settings.geometry)
        context.changed()
        root.protocol("WM_DELETE_WINDOW", context.quit)
        bind_class_keys(root)
        bind_scrolling(root)

    def _acts(self) -> dict[str, Callable[[], object]]:
        """Return what the window and the other windows do, by the name of its command."""
        context = self.context
        return {
            "panel": lambda: self.window.switch("side_panel"),
            "full_screen": lambda: self.window.toggle_full_screen(),
            "larger": lambda: self.window.larger(),
            "smaller": lambda: self.window.zoom(-1),
            "normal_size": lambda: self.window.zoom(0),
            "workshop": self._workshop,
            "train": self._workshop,
            "evaluate": lambda: self._workshop("strength"),
            "add_program": lambda: self._workshop().add_program(),
            "appearance": lambda: dialogs.appearance(context, self.window),
            "statistics": partial(dialogs.statistics, context),
            "how_to_play": partial(dialogs.how_to_play, context),
            "keys": lambda: dialogs.keys(context, self.commands.table.values()),
            "about": partial(dialogs.about, context),
        }

    def _workshop(self, tab: str = "learning") -> WorkshopWindow:
        # Most games end without the Workshop, and it is large.
        from traffic_lights.gui.workshop.window import open_workshop

        return open_workshop(self.context, tab)

    def open(self) -> None:
        """Show the window; what the first picture does not need is loaded afterwards."""
        set_icon(self.root)
        self.root.deiconify()
        self.window.board.focus_set()
        self.root.after(30, self._load_rest)
        self._look_for_trouble()

    def _load_rest(self) -> None:
        self.context.jobs.run(shared_tablebase, self._solved, self.context.failed)
        userdata = self.context.userdata
        name = userdata.settings.training  # a bot that was in training when the program ended
        if name:
            self.context.warn(f"“{name}” is still in training: Bots ▸ Train… continues.")
            userdata.change(training="")

    def _solved(self, tablebase: Tablebase) -> None:
        self.session.tablebase = tablebase
        self.context.refresh()

    def _go_on(self) -> None:
        """Do what follows every change of the session."""
        self.commands.refutation.stop()
        self._count_result()
        self.context.refresh()
        drive_bots(self.context)

    def _count_result(self) -> None:
        """Count a game that has just ended.

        Offer the next level after wins in a row, or the one below after losses.
        """
        game, context = self.session.take_result(), self.context
        if game is None or game.winner is None:
            return
        context.userdata.count_result(game)
        context.roster.end_game(game)
        context.wins[win_key(game.players, game.winner)] += 1
        key, streak = context.userdata.statistics.streak_after(game)
        offer, seat = context.roster.offer(key, streak), self.session.only_human
        if offer is not None and seat is not None:
            level, text = offer
            context.warn(
                f"{texts.result_text(game)} {text}",
                (f"Play {level.name}", lambda: context.seat(1 - seat, context.player(level.key))),
            )

    def _look_for_trouble(self) -> None:
        """Report what could not be saved, and look again after a while.

        Python handles a signal only when it runs a step of its own. In an idle window this is the
        only step: without it, Ctrl-C would wait for the next move of the mouse.
        """
        trouble = self.context.userdata.take_trouble()
        if trouble:
            self.context.warn(trouble)
        self.root.after(LOOK_EVERY_MS, self._look_for_trouble)

    def close(self) -> None:
        """Save everything and end; asking for it again changes nothing."""
        if self._is_closing:
            return
        call = self.root.tk.call
        asking = str(call("grab", "current", "."))
        if asking and str(call("winfo", "class", asking)) in FILE_DIALOGS:
            # Without its windows, the program would wait for ever for an answer in this dialog.
            call("set", "::tk::Priv(selectFilePath)", "")
            self.root.after(LEAVE_MS, self.close)
            return
        self._is_closing = True
        self.commands.refutation.stop()
        self.window.remember_geometry()
        self.root.withdraw()  # a file that another program holds may take a while
        self.context.userdata.save_session(self.session)
        self.context.userdata.finish()
        self.root.destroy()


def run() -> int:
    """Open the window, play, and return the exit status; raise TclError without a display."""
    if sys.platform == "win32":  # it would stretch the picture of a program that does not scale
        import ctypes

        with suppress(OSError, AttributeError):  # before Windows 8.1
            ctypes.windll.shcore.SetProcessDpiAwareness(1)
    root = tk.Tk(className="Traffic-lights")
    root.withdraw()
    app = App(root)
    interrupts: list[int] = []

    def interrupted(number: int, _: object) -> None:
        interrupts.append(number)
        root.after_idle(app.close)

    if sys.platform == "darwin":
        root.createcommand("tk::mac::Quit", app.context.quit)
    signal.signal(signal.SIGINT, interrupted)
    app.open()
    root.mainloop()
    return INTERRUPTED if interrupts else 0
