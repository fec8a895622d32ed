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
from typing import Any, Final

from traffic_lights.board.tablebase import Tablebase, shared_tablebase
from traffic_lights.gui import dialogs
from traffic_lights.gui.kit.jobs import run_job
from traffic_lights.gui.kit.keys import bind_class_keys, bind_keys, shown_key
from traffic_lights.gui.kit.lamps import set_icon
from traffic_lights.gui.kit.places import show_maximized
from traffic_lights.gui.main import files
from traffic_lights.gui.main.bot_turns import ask_bot
from traffic_lights.gui.main.context import Context
from traffic_lights.gui.main.results import count_result
from traffic_lights.gui.main.seats import bot_player, has_trained_bot, next_game
from traffic_lights.gui.main.window import MainWindow
from traffic_lights.play import learned, texts
from traffic_lights.play.commands import COMMANDS, Command, no_start, no_two_bots
from traffic_lights.play.game import HUMAN, Game
from traffic_lights.play.session import Session
from traffic_lights.play.settings import CHOICES, LABELS
from traffic_lights.play.userdata import UserData
from traffic_lights.play.verdicts import BEST_PLAY, LEARNED, MISTAKES, NOTHING
from traffic_lights.play.view import view
from traffic_lights.storage import folders

SIGNALLED: Final = 128
"""What a shell adds to the number of a signal that has ended a program."""
LOOK_EVERY_MS: Final = 200
"""How often the program checks whether saving went well."""
RECENT: Final = "Recent Games"
MENUS: Final = {
    "Game": (
        "new_game", "undo", "redo", "", "swap", "take_turns", "set_up", "", RECENT, "open_game",
        "save_game", "copy", "paste", "", "statistics", "", "quit",
    ),
    "Learn": ("hint", "review", "", "lessons", "puzzle"),
    "Bots": ("workshop", "strength", "add_program"),
    "View": (
        "theme", "lamps", "size", "speed", "", "letters", "side_panel", "full_screen",
    ),
    "Help": ("how_to_play", "keys", "data_folder", "about"),
}  # fmt: skip
"""The commands, settings and submenus of each menu, by name; "" is a line between them.

A setting is a submenu of its choices. Without choices, it is a command with a tick.
"""
SWITCH_KEYS: Final = {"side_panel": ("F9",)}
"""The keys of settings with a tick."""
MOST_RECENT: Final = 20
"""The games in the submenu of recent ones."""


class App:
    """One running game program; everything happens in the Tk loop of *root*."""

    def __init__(self, root: tk.Tk, userdata: UserData | None = None) -> None:
        self.context = context = Context(root, userdata or UserData(folders.data_folder()))
        self.root = root
        self.session = context.session
        self.is_mac = root.tk.call("tk", "windowingsystem") == "aqua"
        self.window = MainWindow(context, self.run, self.why_not)
        self._troubles: deque[str] = deque()
        """What the user should know and was not shown yet, in sentences."""
        self.table = COMMANDS | {command.name: command for command in self._window_commands()}
        self._add_menus()
        self._bind_keys()
        context.on_change = self._changed
        if not context.userdata.restore_session(self.session):
            opponent = bot_player(context, context.userdata.settings.opponent)
            self.session.new_game((HUMAN, opponent))
        context.changed()
        root.protocol("WM_DELETE_WINDOW", context.quit)
        if self.is_mac:
            self.serve_mac()

    def _changed(self) -> None:
        count_result(self.context)
        ask_bot(self.context)

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
        userdata = self.context.userdata
        name = userdata.settings.training
        if name and userdata.may_save_game:  # it was in training when the program ended
            self._troubles.append(f"“{name}” is still in training: Bots ▸ Workshop… continues.")
            userdata.change(training="")

    def _look_for_trouble(self) -> None:
        """Report what could not be saved, once nothing else stays to be read; look again later.

        Python handles a signal only when it runs a step of its own. In an idle window this is the
        only step: without it, Ctrl-C would wait for the next move of the mouse.
        """
        context = self.context
        self._troubles.extend(iter(context.userdata.take_trouble, ""))
        if self._troubles and not context.staying.text:
            context.warn(self._troubles.popleft())
        self.root.after(LOOK_EVERY_MS, self._look_for_trouble)

    # --- commands ---

    def _window_commands(self) -> list[Command]:
        """Return the commands that only the windows have."""
        context = self.context
        window = self.window

        def make(
            name: str, label: str, act: Callable[[], object], *keys: str, **more: Any
        ) -> Command:
            def run(_: Session) -> None:
                act()

            return Command(name, label, run, keys=keys, **more)

        def of(act: Callable[[Context], object]) -> Callable[[], object]:
            return partial(act, context)

        def switch(name: str) -> None:
            context.change(**{name: not getattr(context.userdata.settings, name)})

        def is_on(name: str) -> bool:
            return bool(getattr(context.userdata.settings, name))

        def no_trained_bot(_: Session) -> str:
            return "" if has_trained_bot(context) else learned.NOTHING_LEARNED

        return [
            make("new_game", "New Game", lambda: next_game(context, self.session.now.game.players),
                 "Ctrl+N", "F2", letter="n"),
            make("open_game", "Open…", of(files.open_game), "Ctrl+O"),
            make("save_game", "Save As…", of(files.save_game), "Ctrl+S", why_not=no_start),
            make("copy", "Copy", of(files.copy_game), "Ctrl+C", why_not=no_start),
            make("paste", "Paste", of(files.paste), "Ctrl+V"),
            make("statistics", "Statistics…", of(dialogs.statistics)),
            make("quit", "Quit", context.quit, "Ctrl+Q"),
            make("nothing", "Show Nothing", partial(context.change, shown=NOTHING), "Ctrl+1"),
            make("mistakes", "Show Mistakes", partial(context.change, shown=MISTAKES), "Ctrl+2"),
            make("best_play", "Show Best Play", partial(self._show, BEST_PLAY), "F7", "Ctrl+3"),
            make("learned", "Show What the Bot Has Learned", partial(self._show, LEARNED), "F8",
                 why_not=no_trained_bot),
            make("speed", "Speed", self._next_speed, "Shift+F5", why_not=no_two_bots),
            make("workshop", "Workshop…", self._workshop, "Ctrl+T"),
            make("strength", "Strength…", partial(self._workshop, "strength"), "Ctrl+E"),
            make("add_program", "Add a Program…", self._add_program),
            make("full_screen", "Full Screen", window.toggle_full_screen, "F11",
                 is_on=lambda: window.is_full_screen),
            make("larger", "Larger", partial(self._resize, 1), "Ctrl++", "Ctrl+="),
            make("smaller", "Smaller", partial(self._resize, -1), "Ctrl+-"),
            make("normal_size", "Normal Size", partial(context.change, size=100), "Ctrl+0"),
            make("how_to_play", "How to Play", of(dialogs.how_to_play), "F1"),
            make("keys", "Keys", self._show_keys),
            make("data_folder", "Data Folder", of(files.open_data_folder)),
            make("about", "About", of(dialogs.about)),
            *(
                make(name, LABELS[name], partial(switch, name), *SWITCH_KEYS.get(name, ()),
                     is_on=partial(is_on, name))
                for name in LABELS if name not in CHOICES
            ),
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

    def _show(self, values: str) -> None:
        """Show *values* of every move on the board, or the mistakes if they are shown."""
        is_shown = self.context.userdata.settings.shown == values
        self.context.change(shown=MISTAKES if is_shown else values)

    def _resize(self, steps: int) -> None:
        """Make everything larger by *steps*, or smaller if they are negative."""
        sizes = [*CHOICES["size"]]
        place = sizes.index(self.context.userdata.settings.size) + steps
        if 0 <= place < len(sizes):
            self.context.change(size=sizes[place])

    def _next_speed(self) -> None:
        speeds = [*CHOICES["speed"]]
        place = speeds.index(self.context.userdata.settings.speed) + 1
        speed = speeds[place % len(speeds)]
        self.context.userdata.change(speed=speed)
        self.context.say(f"Speed: {CHOICES['speed'][speed]}.")

    def _recent_games(self) -> list[Game]:
        return self.context.userdata.saved.recent_games(self.session.now.game)

    def _show_keys(self) -> None:
        rows = [
            (", ".join([*map(shown_key, command.keys), *command.letter.upper()]), command.label)
            for command in self.table.values()
            if command.keys
        ]
        dialogs.keys(self.context, rows)

    def _workshop(self, tab: str = "") -> Any:
        # Most games end without the Workshop, and it is large.
        from traffic_lights.gui.workshop.window import open_workshop

        return open_workshop(self.context, tab)

    def _add_program(self) -> None:
        from traffic_lights.gui.workshop.program_dialog import ProgramDialog

        def added(_: str) -> None:
            self.context.bots_changed()
            self.context.say("You can choose the program on a card now.")

        ProgramDialog(self.root, self.context, added)

    # --- keys ---

    def _bind_keys(self) -> None:
        bind_class_keys(self.root)
        bind_keys(self.root, self._press)
        board = self.window.board
        for command in self.table.values():
            if command.letter:
                board.acts[command.letter] = partial(self.run, command.name)
        board.acts["Return"] = self._return_on_board

    def _press(self, key: str) -> None:
        """Do what a *key* means that the widget with the keyboard has left."""
        if key == "Escape":
            self._escape()
        for command in self.table.values():
            if key in command.keys:
                self.run(command.name)
        if len(key) == 1:  # a letter or a digit, as on the board
            self.window.board.focus_set()
            self.window.board.press(key)

    def _return_on_board(self) -> None:
        if name := view(self.session).follows:
            self.run(name)
        else:
            self.window.board.choose_cursor()

    def _escape(self) -> None:
        """Step back out of whatever is going on; this never quits."""
        context = self.context
        self.window.board.focus_set()
        if context.shown.picture is not None:
            context.say("")
        elif not self.session.now.is_end:
            self.run("leave")
        elif context.shown.text:
            context.changed()
        elif self.window.is_full_screen:
            self.run("full_screen")

    # --- menus ---

    def _add_menus(self) -> None:
        bar = tk.Menu(self.root, tearoff=False)
        self.menus: dict[str, tk.Menu] = {}
        self._choice = tk.StringVar(self.root)
        """The choice with the mark in the submenu that is open."""
        for title in MENUS:
            if self.is_mac and title == "Help":  # a Mac adds its own entries to both
                bar.add_cascade(label="Window", menu=tk.Menu(bar, tearoff=False, name="window"))
            self._add_menu(bar, title, title, name=title.lower())
        self.root.configure(menu=bar)

    def _add_menu(self, parent: tk.Menu, label: str, title: str, **named: Any) -> None:
        """Add to *parent* the menu with the *title*, which is filled whenever it opens."""
        if title not in self.menus:
            menu = self.menus[title] = tk.Menu(parent, named, tearoff=False)
            menu.configure(postcommand=partial(self._fill_menu, title))
            self._fill_menu(title)  # some systems do not open a menu without entries
        is_empty = title == RECENT and not self._recent_games()
        parent.add_cascade(label=label, menu=self.menus[title], underline=0)
        parent.entryconfigure(tk.END, state="disabled" if is_empty else "normal")

    def _fill_menu(self, title: str) -> None:
        menu = self.menus[title]
        menu.delete(0, tk.END)
        for name in MENUS.get(title, ()):
            if not name:
                menu.add_separator()
            elif name == RECENT or name in CHOICES:
                self._add_menu(menu, LABELS.get(name, name), name)
            else:
                self._add_command(menu, self.table[name])
        if title == RECENT:
            for game in self._recent_games()[:MOST_RECENT]:
                act = partial(self.session.open_game, game, counts=game.counts)
                menu.add_command(label=texts.game_text(game), command=partial(self.context.do, act))
        for value, text in CHOICES.get(title, {}).items():
            self._choice.set(str(getattr(self.context.userdata.settings, title)))
            act = partial(self.context.change, **{title: value})
            menu.add_radiobutton(label=text, variable=self._choice, value=value, command=act)

    def _add_command(self, menu: tk.Menu, command: Command) -> None:
        look: dict[str, Any] = {}
        add: Callable[..., None] = menu.add_command
        if command.is_on is not None:
            self.root.setvar(command.name, str(int(command.is_on())))
            look = {"variable": command.name}
            add = menu.add_checkbutton
        add(
            label=command.label,
            accelerator=next(map(shown_key, command.keys), ""),
            command=partial(self.run, command.name),
            state=tk.DISABLED if command.why_not(self.session) else tk.NORMAL,
            **look,
        )

    def serve_mac(self) -> None:
        """Answer the menu that a Mac makes for each program, and let Command-W close a window."""
        for command, name in (
            ("tkAboutDialog", "about"), ("::tk::mac::Quit", "quit"),
            ("::tk::mac::ShowHelp", "how_to_play"),
        ):  # fmt: skip
            self.root.createcommand(command, partial(self.run, name))
        for sequence in ("<Command-w>", "<Command-W>"):
            close = "eval [wm protocol [winfo toplevel %W] WM_DELETE_WINDOW]"
            self.root.tk.call("bind", "all", sequence, close)


def run(root: tk.Tk) -> int:
    """Show the game in *root*, play, and return the exit status."""
    app = App(root)
    interrupts: list[int] = []

    def interrupted(number: int, _: object) -> None:
        interrupts.append(number)
        root.after_idle(app.context.close)

    for name in ("SIGINT", "SIGTERM", "SIGHUP"):  # Windows has no SIGHUP
        if number := getattr(signal, name, None):
            signal.signal(number, interrupted)
    app.open()
    root.mainloop()
    return SIGNALLED + interrupts[0] if interrupts else 0
