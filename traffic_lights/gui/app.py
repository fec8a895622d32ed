"""The program behind the windows: its commands, menus and keys, start and end.

Menus, buttons, keys and the Keys page are made from one table: the commands of the session and
those of the windows. `App.run` asks a command why it does not apply now. If there is a reason,
the window shows it; otherwise the command runs. So it may be called at any time.
"""

import signal
import tkinter as tk
from collections import deque
from collections.abc import Callable
from functools import partial
from tkinter import ttk
from typing import Any, Final

from traffic_lights.board.tablebase import Tablebase, shared_tablebase
from traffic_lights.gui import dialogs
from traffic_lights.gui.kit.jobs import run_job
from traffic_lights.gui.kit.keys import (
    MODIFIERS,
    bind_class_keys,
    bind_other_alphabets,
    bind_sequence,
    latin_key,
    sequences,
    shown_key,
)
from traffic_lights.gui.kit.lamps import set_icon
from traffic_lights.gui.kit.places import show_maximized
from traffic_lights.gui.kit.scrolling import bind_scrolling
from traffic_lights.gui.main import files
from traffic_lights.gui.main.context import PAUSES_MS, Context
from traffic_lights.gui.main.games import GameList
from traffic_lights.gui.main.window import MainWindow
from traffic_lights.play import texts
from traffic_lights.play.commands import COMMANDS, NOT_YOUR_TURN, no_other_game, no_two_bots
from traffic_lights.play.game import HUMAN
from traffic_lights.play.mode import Command
from traffic_lights.play.session import Session
from traffic_lights.play.userdata import Settings, UserData
from traffic_lights.play.verdicts import BEST_PLAY, LEARNED, MISTAKES, NOTHING
from traffic_lights.storage import folders

INTERRUPTED: Final = 130
LOOK_EVERY_MS: Final = 200
"""How often the program checks whether saving went well."""
MENUS: Final = {
    "Game": (
        "new_game", "undo", "redo", "recent_games", "", "set_up", "open_game", "save_game", "",
        "copy", "paste", "save_picture", "", "statistics", "", "quit",
    ),
    "Learn": (
        "hint", "best_play", "learned", "review", "", "lessons", "puzzle", "", "bot_plays",
    ),
    "Bots": ("workshop", "add_program"),
    "View": ("appearance", "panel", "full_screen"),
    "Help": ("how_to_play", "keys", "", "about"),
}  # fmt: skip
"""The commands of each menu, by name; "" is a line between them."""


class App:
    """One running game program; everything happens in the Tk loop of *root*."""

    def __init__(self, root: tk.Tk, userdata: UserData | None = None) -> None:
        self.context = context = Context(root, userdata or UserData(folders.data_folder()))
        self.root = root
        self.session = context.session
        self.is_mac = root.tk.call("tk", "windowingsystem") == "aqua"
        self.window = MainWindow(context, self.run, self.why_not)
        self._shown_before = MISTAKES
        """What F7 and F8 go back to."""
        self._troubles: deque[str] = deque()
        """What the user should know and was not shown yet, in sentences."""
        self.table = COMMANDS | {command.name: command for command in self._window_commands()}
        self._add_menus()
        self._bind_keys()
        if not context.userdata.restore_session(self.session):
            self.session.new_game((HUMAN, context.player(context.userdata.settings.opponent)))
        context.changed()
        root.protocol("WM_DELETE_WINDOW", context.quit)
        bind_class_keys(root)
        bind_other_alphabets(root)
        bind_scrolling(root)
        if self.is_mac:
            self.serve_mac()

    def open(self) -> None:
        """Show the window; what the first picture does not need is loaded afterwards."""
        set_icon(self.root)
        if self.context.userdata.settings.is_maximized:
            show_maximized(self.root)
        else:
            self.root.deiconify()
        self.window.board.focus_set()
        self.root.after(30, self._load_rest)
        self._look_for_trouble()

    def _load_rest(self) -> None:
        def solved(_: Tablebase) -> None:
            self.session.is_solved = True
            self.context.window.draw()

        run_job(self.root, shared_tablebase, solved, self._troubles.append)
        self._leave_out_hidden_files()
        userdata = self.context.userdata
        name = userdata.settings.training
        if name and userdata.may_save_game:  # it was in training when the program ended
            self._troubles.append(f"“{name}” is still in training: Bots ▸ Workshop… continues.")
            userdata.change(training="")

    def _leave_out_hidden_files(self) -> None:
        """Have Tk's own dialogs for files, which X11 has, list no hidden ones until it is asked."""
        if self.root.tk.call("tk", "windowingsystem") == "x11":
            # Load it first, because loading sets a value of its own.
            self.root.tk.eval("auto_load ::tk::dialog::file::")
            self.root.setvar("::tk::dialog::file::showHiddenBtn", "1")
            self.root.setvar("::tk::dialog::file::showHiddenVar", "0")

    def _look_for_trouble(self) -> None:
        """Report what could not be saved, once nothing else stays to be read; look again later.

        Python handles a signal only when it runs a step of its own. In an idle window this is the
        only step: without it, Ctrl-C would wait for the next move of the mouse.
        """
        context = self.context
        self._troubles.extend(iter(context.userdata.take_trouble, ""))
        self._troubles.extend(context.roster.troubles)
        context.roster.troubles.clear()
        if self._troubles and not context.messages.has_lasting:
            context.warn(self._troubles.popleft())
        self.root.after(LOOK_EVERY_MS, self._look_for_trouble)

    def _window_commands(self) -> list[Command]:
        """Return the commands that only the windows have."""
        context = self.context
        window = self.window
        place = self.window.place

        def make(name: str, label: str, act: Callable[[], object], **more: Any) -> Command:
            def run(_: Session) -> None:
                act()

            return Command(name, label, run, **more)

        def settings() -> Settings:
            return context.userdata.settings

        def show(values: str) -> None:
            """Show *values* of every move on the board, or what was shown before them."""
            present = settings().shown
            if present in (NOTHING, MISTAKES):
                self._shown_before = present
            context.change(shown=self._shown_before if present == values else values)

        def no_trained_bot(_: Session) -> str:
            return "" if context.has_trained_bot else texts.NOTHING_LEARNED

        return [
            make("new_game", "New Game", lambda: context.next_game(self.session.players),
                    keys=("Ctrl+N", "F2"), letter="n"),
            make("recent_games", "Recent Games…", partial(GameList, context),
                    missing=no_other_game, keys=("Ctrl+G",)),
            make("open_game", "Open…", partial(files.open_game, context), keys=("Ctrl+O",)),
            make("save_game", "Save As…", partial(files.save_game, context), keys=("Ctrl+S",)),
            make("copy", "Copy", partial(files.copy_game, context), keys=("Ctrl+C",)),
            make("copy_position", "Copy the Position", partial(files.copy_position, context),
                    keys=("Ctrl+Shift+C",)),
            make("save_picture", "Save Picture…", partial(files.save_picture, context),
                    keys=("Ctrl+Shift+S",)),
            make("paste", "Paste", partial(files.paste, context), keys=("Ctrl+V",)),
            make("statistics", "Statistics…", partial(dialogs.statistics, context)),
            make("quit", "Quit", context.quit, keys=("Ctrl+Q",)),
            make("nothing", "Show Nothing", lambda: context.change(shown=NOTHING),
                    keys=("Ctrl+1",)),
            make("mistakes", "Show Mistakes", lambda: context.change(shown=MISTAKES),
                    keys=("Ctrl+2",)),
            make("best_play", "Show Best Play", lambda: show(BEST_PLAY), keys=("F7", "Ctrl+3"),
                    is_on=lambda: settings().shown == BEST_PLAY),
            make("learned", "Show What the Bot Has Learned", lambda: show(LEARNED),
                    missing=no_trained_bot, keys=("F8",),
                    is_on=lambda: settings().shown == LEARNED),
            make("bot_plays", "Bot Plays for Me", self._bot_plays, elsewhere=NOT_YOUR_TURN,
                    keys=("Ctrl+B",)),
            make("speed", "Speed", self._next_speed, missing=no_two_bots, keys=("Shift+F5",)),
            make("take_turns", "Alternate Who Starts",
                    lambda: context.change(take_turns=not settings().take_turns)),
            make("workshop", "Workshop…", self._workshop, keys=("Ctrl+T",)),
            make("strength", "Workshop: Strength", lambda: self._workshop("strength"),
                    keys=("Ctrl+E",)),
            make("add_program", "Add a Program…", lambda: self._workshop().add_program()),
            make("appearance", "Appearance…", partial(dialogs.appearance, context)),
            make("panel", "Panel", window.toggle_panel, keys=("F9",),
                    is_on=lambda: settings().side_panel),
            make("full_screen", "Full Screen",
                    lambda: self.root.wm_attributes("-fullscreen", not place.is_full_screen),
                    keys=("F11",), is_on=lambda: place.is_full_screen),
            make("larger", "Larger", place.larger, keys=("Ctrl++", "Ctrl+=")),
            make("smaller", "Smaller", partial(place.zoom, -1), keys=("Ctrl+-",)),
            make("normal_size", "Normal Size", partial(place.zoom, 0), keys=("Ctrl+0",)),
            make("how_to_play", "How to Play", partial(dialogs.how_to_play, context),
                    keys=("F1",)),
            make("keys", "Keys", self._show_keys),
            make("about", "About", partial(dialogs.about, context)),
        ]  # fmt: skip

    def run(self, name: str) -> None:
        """Run the command *name*, or show why it does not apply; raise KeyError if unknown."""
        command = self.table[name]
        if reason := command.why_not(self.session):
            self.context.say(reason)
        elif name in COMMANDS:
            self.context.do(partial(command.act, self.session))
        else:
            command.act(self.session)
        if command.is_begin and not reason:
            self.context.window.board.focus_set()

    def why_not(self, name: str) -> str:
        """Return why the command *name* does not apply now, in a sentence; empty if it does."""
        return self.table[name].why_not(self.session)

    # --- games ---

    def _bot_plays(self) -> None:
        preferred = self.context.player(self.context.userdata.settings.opponent)
        bot = next(iter(self.session.bots), preferred)
        self.context.do(partial(self.session.play_for_me, bot))

    def _next_speed(self) -> None:
        speeds = [*PAUSES_MS]
        present = speeds.index(self.context.userdata.settings.speed)
        speed = speeds[(present + 1) % len(speeds)]
        self.context.userdata.change(speed=speed)
        self.context.say(f"Speed: {speed}.")

    def _escape(self) -> None:
        """Step back out of whatever is going on; this never quits."""
        context = self.context
        context.window.board.focus_set()
        if context.messages.shown.picture is not None:
            context.say("")
        elif not self.session.is_playing:
            self.run("leave")
        elif context.messages.shown.text:
            context.dismiss()
        elif self.window.place.is_full_screen:
            self.run("full_screen")

    def _key_elsewhere(self, event: "tk.Event[tk.Misc]") -> None:
        """Let a letter or digit reach the board from every widget but an entry field."""
        board = self.context.window.board
        typed = latin_key(event) or event.char.lower()
        is_plain = typed.isascii() and typed.isalnum() and not int(event.state) & MODIFIERS
        if is_plain and event.widget is not board and not isinstance(event.widget, ttk.Entry):
            board.focus_set()
            board.event_generate(f"<Key-{typed}>")

    def _return_on_board(self) -> None:
        if name := self.session.mode.next_command:
            self.run(name)
        else:
            self.context.window.board.choose_cursor()

    def _show_keys(self) -> None:
        commands = [command for command in self.table.values() if command.keys]
        rows = [(", ".join(map(shown_key, command.keys)), command.label) for command in commands]
        dialogs.keys(self.context, rows)

    def _workshop(self, tab: str = "") -> Any:
        # Most games end without the Workshop, and it is large.
        from traffic_lights.gui.workshop.window import open_workshop

        return open_workshop(self.context, tab)

    # --- menus and keys ---

    def _add_menus(self) -> None:
        bar = tk.Menu(self.root, tearoff=False)
        self.menus: dict[str, tk.Menu] = {}
        for title in MENUS:
            named: dict[str, Any] = {}
            if self.is_mac and title == "Help":
                # A Mac adds its own entries to menus with these two names.
                bar.add_cascade(label="Window", menu=tk.Menu(bar, tearoff=False, name="window"))
                named = {"name": "help"}
            menu = self.menus[title] = tk.Menu(bar, named, tearoff=False)
            menu.configure(postcommand=partial(self._fill_menu, title))
            bar.add_cascade(label=title, menu=menu, underline=0)
            self._fill_menu(title)  # some systems do not open a menu without entries
        self.root.configure(menu=bar)

    def _fill_menu(self, title: str) -> None:
        styles = self.context.styles
        menu = self.menus[title]
        menu.delete(0, tk.END)
        for name in MENUS[title]:
            if not name:
                menu.add_separator()
                continue
            command = self.table[name]
            is_on = command.is_on is not None and command.is_on()
            tick = styles.tick if is_on else styles.no_tick
            look: dict[str, Any] = {"image": tick, "compound": tk.LEFT}
            add: Callable[..., None] = menu.add_command
            if self.is_mac:  # its menus may have the colour of our ticks
                look = {}
                if command.is_on is not None:
                    self.root.setvar(name, str(int(is_on)))
                    look = {"variable": name}
                    add = menu.add_checkbutton
            add(
                label=command.label,
                accelerator=next(map(shown_key, command.keys), ""),
                command=partial(self.run, name),
                state=tk.DISABLED if command.why_not(self.session) else tk.NORMAL,
                **look,
            )

    def serve_mac(self) -> None:
        """Answer the menu that a Mac makes for each program, and let Command-W close a window."""
        for command, name in (
            ("tkAboutDialog", "about"), ("::tk::mac::ShowPreferences", "appearance"),
            ("::tk::mac::ShowHelp", "how_to_play"), ("::tk::mac::Quit", "quit"),
        ):  # fmt: skip
            self.root.createcommand(command, partial(self.run, name))
        for sequence in ("<Command-w>", "<Command-W>"):
            close = "eval [wm protocol [winfo toplevel %W] WM_DELETE_WINDOW]"
            self.root.tk.call("bind", "all", sequence, close)

    def _bind_keys(self) -> None:
        def run(name: str, _: object = None) -> str:
            self.run(name)
            return "break"

        board = self.context.window.board
        for command in self.table.values():
            for key in command.keys:
                for sequence in sequences(key):
                    bind_sequence(self.root, sequence, partial(run, command.name))
            if command.letter:
                board.bind_key((command.letter, command.letter.upper()), partial(run, command.name))
        board.bind_key(("Return", "KP_Enter"), self._return_on_board)
        self.root.bind("<Key>", self._key_elsewhere)
        self.root.bind("<Escape>", lambda _: self._escape())


def run(root: tk.Tk) -> int:
    """Show the game in *root*, play, and return the exit status."""
    app = App(root)
    interrupts: list[int] = []

    def interrupted(number: int, _: object) -> None:
        interrupts.append(number)
        root.after_idle(app.context.close)

    signal.signal(signal.SIGINT, interrupted)
    app.open()
    root.mainloop()
    return INTERRUPTED if interrupts else 0
