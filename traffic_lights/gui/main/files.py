"""Open, save, copy and paste games; open the data folder and create the shortcut."""

from __future__ import annotations

import os
import subprocess
import sys
import tkinter as tk
from pathlib import Path
from typing import Any, Final

from traffic_lights.board.rules import format_board, is_terminal
from traffic_lights.gui.main.context import Context
from traffic_lights.players.game import Game
from traffic_lights.session import texts
from traffic_lights.session.notation import (
    RecordError,
    format_position,
    format_record,
    parse_pasted,
)
from traffic_lights.session.session import Phase
from traffic_lights.storage.files import StorageError, read_text, write_atomically

SUFFIX: Final = ".tlg"
_KINDS: Final = (("Traffic Lights game", f"*{SUFFIX}"), ("Text", "*.txt"), ("All files", "*"))
LARGEST_RECORD: Final = 64 << 10


class GameFiles:
    """The commands that move games in and out."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def open(self) -> None:
        from tkinter import filedialog

        name = filedialog.askopenfilename(
            parent=self._context.root, title="Open a Game", filetypes=_KINDS
        )
        if not name:
            return
        path = Path(name)
        try:
            self._take(read_text(path, LARGEST_RECORD))
        except (StorageError, RecordError) as error:
            self._context.say(f"{path.name} was not opened: {error}.")
        else:
            self._context.say(f"Opened {path.name}.")

    def save(self) -> None:
        """Ask for a file and save the game in it; in set-up, one that starts there."""
        from tkinter import filedialog

        game = self._game()
        if game is None:
            self._context.say(texts.SETUP_FINISHED)
            return
        name = filedialog.asksaveasfilename(
            parent=self._context.root,
            title="Save the Game",
            filetypes=_KINDS,
            defaultextension=SUFFIX,
            initialfile=f"game{SUFFIX}",
        )
        if not name:
            return
        path = Path(name)
        try:
            write_atomically(path, [format_record(game).encode("utf-8")])
        except StorageError as error:
            self._context.say(f"{path.name} was not saved: {error}.")
        else:
            self._context.say(f"Saved as {path.name}.")

    def _game(self) -> Game | None:
        """Return the game that is seen: in set-up, one that starts there.

        None if a line is complete in the set-up, so that no game can start there.
        """
        session = self._context.session
        if session.phase is not Phase.SETUP:
            return session.game
        state = session.state
        return None if is_terminal(state) else Game(start=state, players=session.players)

    def _take(self, text: str) -> None:
        """Continue with the game or position that *text* holds; raise RecordError if none."""
        session = self._context.session
        found = parse_pasted(text)
        if isinstance(found, Game):
            session.open_game(found)
        elif session.phase is Phase.SETUP:
            session.set_setup(found)
        elif is_terminal(found):
            raise RecordError(f"in the position {format_board(found)} the game is over")
        else:
            session.new_game(start=found)
        self._context.changed()

    def copy_game(self) -> None:
        """Put the record of the game on the clipboard; in set-up, of one that starts there."""
        game = self._game()
        if game is None:
            self.copy_position()
            return
        is_set_up = self._context.session.phase is Phase.SETUP
        what = "A game from this position" if is_set_up else "The game"
        self._copy(format_record(game), what)

    def copy_position(self) -> None:
        text = format_position(self._context.session.state)
        self._copy(text, text)

    def _copy(self, text: str, what: str) -> None:
        self._context.root.clipboard_clear()
        self._context.root.clipboard_append(text)
        self._context.say(f"{what} is on the clipboard.")

    def paste(self) -> None:
        context = self._context
        try:
            text = context.root.clipboard_get()
        except tk.TclError:
            context.say("The clipboard has no text.")
            return
        try:
            self._take(text)
        except RecordError as error:
            context.say(f"Not pasted: {error}.")
        else:
            undo = " Undo leads back to what was there before." if context.session.can_undo else ""
            context.say(f"Pasted.{undo}")

    def open_data_folder(self) -> None:
        """Show the data folder in the system's file manager, or say where it is."""
        folder = self._context.userdata.folder
        opener = "open" if sys.platform == "darwin" else "xdg-open"
        apart: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if sys.platform == "win32":
                os.startfile(folder)
            else:
                subprocess.Popen([opener, str(folder)], start_new_session=True, **apart)
        except OSError:
            self._context.say(f"The data folder is {folder}.")
        else:
            self._context.say(f"Opening {folder}")

    def create_shortcut(self) -> None:
        """Write an entry for the system's menu, or say how to make one."""
        from traffic_lights.system.desktop import install_shortcut

        try:
            self._context.say(f"Traffic Lights is in the menu now ({install_shortcut()}).")
        except StorageError as error:
            self._context.say(str(error))
