"""Open, save, copy and paste games; open the data folder and create the shortcut."""

import os
import subprocess
import sys
import tkinter as tk
from contextlib import suppress
from pathlib import Path
from typing import Final

from traffic_lights.board.rules import RulesError, format_board, is_terminal
from traffic_lights.gui.kit.dialog import ALL_FILES, save_as
from traffic_lights.gui.main.context import Context
from traffic_lights.session.game import Game, format_position, format_record, parse_pasted
from traffic_lights.session.session import SETUP_FINISHED, Phase, Session
from traffic_lights.storage.files import StorageError, read_text

SUFFIX: Final = ".tlg"
_KINDS: Final = (("Traffic Lights game", f"*{SUFFIX}"), ("Text", "*.txt"))
LARGEST_RECORD: Final = 64 << 10


def open_game(context: Context) -> None:
    from tkinter import filedialog

    name = filedialog.askopenfilename(
        parent=context.root, title="Open a Game", filetypes=(*_KINDS, ALL_FILES)
    )
    if not name:
        return
    path = Path(name)
    try:
        _take(context, read_text(path, LARGEST_RECORD))
    except (StorageError, RulesError) as error:
        context.say(f"{path.name} was not opened: {error}.")
    else:
        context.say(f"Opened {path.name}.")


def save_game(context: Context) -> None:
    """Ask for a file and save the game in it; in set-up, one that starts there."""
    game = _game(context.session)
    if game is None:
        context.say(SETUP_FINISHED)
    elif text := save_as(
        context.root, "Save the Game", f"game{SUFFIX}", _KINDS, format_record(game)
    ):
        context.say(text)


def copy_game(context: Context) -> None:
    """Put the record of the game on the clipboard; in set-up, of one that starts there."""
    game = _game(context.session)
    if game is None:
        copy_position(context)
    else:
        _copy(context, format_record(game), "The game")


def copy_position(context: Context) -> None:
    text = format_position(context.session.state)
    _copy(context, text, text)


def _copy(context: Context, text: str, what: str) -> None:
    context.root.clipboard_clear()
    context.root.clipboard_append(text)
    context.say(f"{what} is on the clipboard.")


def paste(context: Context) -> None:
    try:
        _take(context, context.root.clipboard_get())
    except tk.TclError:
        context.say("The clipboard has no text.")
    except RulesError as error:
        context.say(f"Not pasted: {error}.")
    else:
        context.say("Pasted. Undo leads back to what was there before.")


def _game(session: Session) -> Game | None:
    """Return the game that is seen: in set-up, one that starts there.

    None if a line is complete in the set-up, so that no game can start there.
    """
    if session.phase is not Phase.SETUP:
        return session.game
    state = session.state
    return None if is_terminal(state) else Game(start=state, players=session.players)


def _take(context: Context, text: str) -> None:
    """Continue with the game or position that *text* holds; raise RulesError if none."""
    session, found = context.session, parse_pasted(text)
    if isinstance(found, Game):
        session.open_game(found)
    elif session.phase is Phase.SETUP:
        session.set_setup(found)
    elif is_terminal(found):
        raise RulesError(f"in the position {format_board(found)} the game is over")
    else:
        session.new_game(start=found)
    context.changed()


def open_data_folder(context: Context) -> None:
    """Show the data folder in the system's file manager, and say where it is."""
    folder = context.userdata.folder
    with suppress(OSError):
        if sys.platform == "win32":
            os.startfile(folder)
        else:
            opener = "open" if sys.platform == "darwin" else "xdg-open"
            subprocess.Popen([opener, str(folder)], start_new_session=True)
    context.say(f"The data folder is {folder}.")


def create_shortcut(context: Context) -> None:
    """Write an entry for the system's menu, or say how to make one."""
    from traffic_lights.system.desktop import install_shortcut

    try:
        context.say(f"Traffic Lights is in the menu now ({install_shortcut()}).")
    except StorageError as error:
        context.say(str(error))
