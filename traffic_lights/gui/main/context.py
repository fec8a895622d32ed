"""What all windows share: the session, the theme, the user's data, the bots and the messages.

Each part of the windows gets the context, and knows no other part. It reads or changes the
session, and then calls `changed`, which lets the bots play, draws everything, and saves.
"""

import time
import tkinter as tk
from collections.abc import Callable
from typing import Final, Protocol

from traffic_lights.gui.kit.board_view import BoardView
from traffic_lights.gui.kit.theme import Theme
from traffic_lights.gui.main.error_log import ErrorLog
from traffic_lights.gui.main.messages import Message
from traffic_lights.play import texts
from traffic_lights.play.session import Session
from traffic_lights.play.userdata import UserData
from traffic_lights.play.verdicts import Hint, Verdict
from traffic_lights.players.roster import Roster
from traffic_lights.storage.folders import training_folder

_LOOK_AGAIN_MS: Final = 20


class GameWindow(Protocol):
    """What the main window does for all others."""

    board: BoardView

    def draw(self) -> None:
        """Draw everything that may have changed."""

    def show_background(self, text: str, reopen: Callable[[], object]) -> None:
        """Show a *text* about work in another window, "" if there is none.

        A click on the text calls *reopen*.
        """

    def keep_place(self) -> None:
        """Take the place of the window into the settings."""


class Context:
    """One game in one main window; everything happens in the Tk loop of *root*."""

    window: GameWindow
    """Set by the main window."""

    def __init__(self, root: tk.Tk, userdata: UserData) -> None:
        self.root = root
        self.userdata = userdata
        self.session = Session(time.time)
        self.session.wanted_values = lambda: self.userdata.settings.shown
        self.session.puzzle_record = lambda: self.userdata.saved.puzzles
        self.roster = Roster(userdata.folder, command_folder=training_folder())
        self.roster.programs = lambda: self.userdata.saved.programs
        self.shown = Message()
        """What is reported over the board; nothing, if it has no text."""
        self.staying = Message()
        """What comes back there after a short message."""
        self.theme = Theme(root, **userdata.settings.look)
        self.log = ErrorLog(root, self.theme, lambda: self.userdata.folder)
        self.on_change: Callable[[], object] = lambda: None
        """Called when the session has changed, before that is drawn."""
        self.on_bots: list[Callable[[], object]] = []
        """Called when a bot was added, removed, renamed or trained."""
        self.show_try: Callable[[Verdict], object] = lambda _: None
        """Plays out on the board what a move that was tried leads to."""
        self.guard: Callable[[Callable[[], None]], bool] | None = None
        """Called before a quit, with the function that quits: True if it calls that later."""
        self._is_closing = False

    # --- what happens ---

    def changed(self, said: str | Message = "", *, by_bot: bool = False) -> None:
        """Show what is *said* after a change of the session, let the bots play, and save."""
        # The reply of a bot leaves what is still being read, unless the game is over with it.
        is_over = self.session.now.game.is_over
        is_being_read = self.staying.text or (self.shown.text and not is_over)
        if not by_bot or not is_being_read:
            self.staying = Message()
            self.show(said)
        self.on_change()
        self.window.draw()
        self.userdata.save_session(self.session)

    def do(self, act: Callable[[], str | Hint | Verdict | None]) -> None:
        """Change the session by *act*, and show what it returns: a remark, a hint, or a try."""
        session = self.session
        before = session.now
        answer = act() or ""
        if isinstance(answer, Verdict):
            self.show_try(answer)
        elif isinstance(answer, Hint):
            text = texts.hint_text(answer, session.now.game.players)
            self.changed(Message(text, hints=frozenset(answer.cells), stays=True))
        elif answer and before == session.now:
            self.say(answer)
        else:
            self.changed(answer)

    def change(self, **settings: object) -> None:
        """Change settings by name; the main window is drawn again, others if the look changes."""
        self.userdata.change(**settings)
        self.window.draw()

    def bots_changed(self) -> None:
        """Read the user's bots again, and tell all windows."""
        self.roster.refresh()
        for listener in tuple(self.on_bots):
            listener()
        self.window.draw()

    # --- what is said ---

    def say(self, said: str | Message) -> None:
        """Show under the cards what is *said*; a text alone is shown for a while."""
        self.show(said)
        self.window.draw()

    def warn(self, text: str) -> None:
        """Show *text* under the cards until the next change."""
        self.say(Message(text, stays=True))

    def show(self, said: str | Message) -> None:
        """Have *said* shown; in place of an empty message, and after a short one, what stays."""
        message = Message(said) if isinstance(said, str) else said

        def give_way() -> None:
            if self.shown is message:
                self.say("")

        if message.stays:
            self.staying = message
        self.shown = message if message.text else self.staying
        if message.lasts_ms is not None:
            self.root.after(message.lasts_ms, give_way)

    # --- the end ---

    def come_to_front(self) -> None:
        """Show the main window over all others, with the keyboard at the board."""
        self.root.deiconify()
        self.root.lift()
        self.window.board.focus_set()

    def quit(self) -> None:
        """Save everything and quit, unless the guard holds it up."""
        if self.guard is None or not self.guard(self.close):
            self.close()

    def close(self) -> None:
        """Save everything and end; asking for it again changes nothing."""
        if self._is_closing:
            return
        call = self.root.tk.call
        if waiting := call("grab", "current", "."):
            # A menu or a dialog for files waits; without windows it would wait for ever.
            if call("winfo", "class", waiting) == "Menu":
                call("grab", "release", waiting)
            call("set", "::tk::Priv(selectFilePath)", "")
            self.root.after(_LOOK_AGAIN_MS, self.close)
            return
        self._is_closing = True
        self.window.keep_place()
        self.root.withdraw()  # a file that another program holds may take a while
        self.userdata.close(self.session)
        self.root.destroy()
