"""One program of which pictures are taken and speed is measured; windows of their own for tests."""

import tempfile
import time
import tkinter as tk
from collections.abc import Callable
from pathlib import Path

from tests.kit.samples import PATIENCE_S
from traffic_lights.gui.app import App
from traffic_lights.gui.kit.theme import Theme
from traffic_lights.play.game import Game, parse_moves
from traffic_lights.play.settings import Settings
from traffic_lights.play.userdata import UserData
from traffic_lights.players.roster import Roster

# Removed when the run ends: a program saves into the last of its folders until then.
_FOLDERS = tempfile.TemporaryDirectory(prefix="traffic-lights-", ignore_cleanup_errors=True)
_roots: list[tk.Tk] = []
"""Kept for the whole run, because a Tk that another thread deletes ends the process."""


def new_folder() -> Path:
    """Return a data folder that nothing was saved in yet."""
    return Path(tempfile.mkdtemp(dir=_FOLDERS.name))


def new_window() -> tuple[tk.Tk, Theme]:
    """Return a window that has nothing yet, and the usual theme of it."""
    root = tk.Tk()
    root.tk.eval("proc ::bgerror args {}")  # Tk would print what was due when a window went
    _roots.append(root)
    return root, Theme(root, **Settings(theme="light").look)


def open_app() -> App:
    """Return a program, its window shown."""
    root = tk.Tk(className="Traffic-lights")
    root.withdraw()
    app = App(root, UserData(new_folder()))
    app.session.is_solved = True
    app.open()
    loop_until(root, root.winfo_viewable)
    return app


def start_afresh(app: App, **settings: object) -> None:
    """Have *app* be as after a first start that is over, with *settings*."""
    context = app.context
    context.userdata.finish()
    context.userdata = UserData(new_folder())
    context.roster = Roster(context.userdata.folder, command_folder=new_folder())
    context.userdata.change(**{"opponent": "qbot", "speed": "instant", **settings})
    app.session.restore(Game())
    app.session.is_solved = True
    context.changed()
    app.root.wm_geometry("900x640+40+40")
    loop_until(app.root, lambda: abs(app.root.winfo_width() - 900) < 2)
    app.window.board.cursor_cell = 0
    app.window.board.focus_force()
    app.root.update()


def load_moves(app: App, moves: str) -> None:
    """Put the game of *moves* on the board, as if it had just been played."""
    app.session.restore(Game(actions=parse_moves(moves)))
    app.context.changed()
    app.root.update()


def loop_until(root: tk.Misc, is_true: Callable[[], object], timeout_s: float = PATIENCE_S) -> None:
    """Run the Tk loop of *root* until *is_true*; raise AssertionError after *timeout_s*."""
    until = time.monotonic() + timeout_s
    while not is_true():
        if time.monotonic() > until:
            raise AssertionError("waited in vain")
        root.update()
        time.sleep(0.002)
    root.update()
