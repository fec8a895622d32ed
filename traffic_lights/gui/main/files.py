"""Open, save, copy and paste games, and open the data folder."""

import os
import subprocess
import sys
import tkinter as tk
from contextlib import suppress
from pathlib import Path
from typing import Final

from traffic_lights.board.rules import RulesError
from traffic_lights.gui.kit.saving import ALL_FILES, ask_to_save
from traffic_lights.gui.main.context import Context
from traffic_lights.play.commands import paste as paste_text
from traffic_lights.play.commands import shown_game, to_copy
from traffic_lights.play.game import format_record
from traffic_lights.storage.files import StorageError, read_text, write_atomically
from traffic_lights.storage.words import free_name

SUFFIX: Final = ".tlg"
_KINDS: Final = (("Traffic Lights game", f"*{SUFFIX}"), ("Text", "*.txt"))


def open_game(context: Context) -> None:
    """Let the player choose a file, and open the game in it or report why that is impossible."""
    from tkinter import filedialog

    name = filedialog.askopenfilename(
        parent=context.root, title="Open a Game", initialdir=Path.home(),
        filetypes=(*_KINDS, ALL_FILES),
    )  # fmt: skip
    if not name:
        return
    path = Path(name)
    try:
        paste_text(context.session, read_text(path))
    except (StorageError, RulesError) as error:
        context.say(f"{path.name} was not opened: {error}.")
    else:
        context.changed(f"Opened {path.name}.")


def save_game(context: Context) -> None:
    """Let the player choose a name, and save the shown game there."""
    record = format_record(shown_game(context.session))
    name = dated_name(context)
    path = ask_to_save(context.root, "Save the Game", name, _KINDS)
    if path is None:
        return
    try:
        write_atomically(path, [record.encode("utf-8")])
        context.say(f"Saved as {path}.")
    except StorageError as error:
        context.say(f"{path.name} was not saved: {error}.")


def dated_name(context: Context) -> str:
    """Return a name that no file of the documents has: ``Traffic Lights 2026-01-31.tlg``."""
    stem = f"Traffic Lights {context.session.now.game.day or context.session.today}"
    folder = Path.home()
    return free_name(stem, lambda name: os.path.lexists(folder / f"{name}{SUFFIX}")) + SUFFIX


def copy_game(context: Context) -> None:
    """Put the record of the shown game on the clipboard, or the puzzle."""
    text, what = to_copy(context.session)
    context.root.clipboard_clear()
    context.root.clipboard_append(text)
    context.say(f"{what} is on the clipboard.")


def paste(context: Context) -> None:
    """Open the game or position on the clipboard, or report why that is impossible."""
    text = ""
    with suppress(tk.TclError):  # a picture, or nothing
        text = context.root.clipboard_get()
    if not text.strip():
        context.say("The clipboard has no text.")
        return
    try:
        paste_text(context.session, text)
    except RulesError as error:
        context.say(f"Not pasted: {error}.")
    else:
        now = context.session.now
        way_back = ""
        if not now.has_players:
            way_back = " Done returns to your game."
        elif now.setups:
            way_back = " Undo brings the old position back."
        elif now.before is not None:
            way_back = " Your last game is among the recent games."
        context.changed(f"Pasted.{way_back}")


def open_data_folder(context: Context) -> None:
    """Show the data folder in the file manager, and its path in the message line."""
    folder = context.userdata.folder
    with suppress(OSError):
        if sys.platform == "win32":
            os.startfile(folder)
        else:
            opener = "open" if sys.platform == "darwin" else "xdg-open"
            subprocess.Popen([opener, str(folder)], start_new_session=True)
    context.say(f"The data folder is {folder}.")
