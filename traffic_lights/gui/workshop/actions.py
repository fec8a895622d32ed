"""What can be done with bots besides training: add, rename, duplicate, export, shrink, delete."""

from __future__ import annotations

import sys
import tkinter as tk
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tkinter import filedialog, ttk
from typing import Final, TypeVar

from traffic_lights.board.rules import EMPTY_BOARD
from traffic_lights.gui.kit.dialog import ALL_FILES, Dialog, ask_to_save, confirm
from traffic_lights.gui.kit.jobs import run_job
from traffic_lights.gui.main.context import Context
from traffic_lights.gui.workshop.model import OnText, sentence
from traffic_lights.players.bots import PlayerError
from traffic_lights.players.external import ExternalBot, Program, standing_command
from traffic_lights.players.roster import Entry
from traffic_lights.storage.files import StorageError
from traffic_lights.system.words import fit_name
from traffic_lights.training.bots import Bots, OwnBot

OWN_BOT: Final = ("Rename…", "Duplicate…", "Export…", "Shrink…", "Delete…")
"""What the menu can do with an own bot that is not in training."""
QTABLE: Final = ("Q-table", "*.json")
SECONDS: Final = ("1", "2", "5", "10", "30", "60")
ABOUT: Final = (
    "Add your own bot, written in any language. It exchanges a few lines of text with the game: "
    "see “Write your own bot” in the README. The program runs only while it plays."
)
_LINES: Final = 6
"""The lines that are kept free for what is reported."""
_LAST_LINES: Final = 4
"""How many of the last lines that a failing program wrote are shown."""
T = TypeVar("T")


def in_background(
    context: Context,
    window: tk.Misc,
    work: Callable[[], T],
    done: Callable[[T], object],
    failed: OnText,
) -> None:
    """Do *work* in a thread, and then *done*, unless *window* is closed by then.

    If it was not possible, call *failed* with the reason, a sentence. Mistakes of the program are
    reported as such.
    """

    def arrived(result: T) -> None:
        if window.winfo_exists():
            done(result)

    def refused(error: Exception) -> None:
        if window.winfo_exists():
            failed(sentence(error))
        if not isinstance(error, (StorageError, PlayerError)):
            raise error

    run_job(context.root, work, arrived, refused)


def size_text(size: int) -> str:
    """Return *size*, in bytes, in a few characters.

    >>> [size_text(size) for size in (900, 2_340_000, 136_000_000)]
    ['0.1 MB', '2.3 MB', '136.0 MB']
    """
    return f"{max(0.1, size / 1_000_000):.1f} MB"


class BotActions:
    """Acts on bots from *window*.

    *changed* shows the list again, with the bot of a key, and *report* shows a sentence.
    """

    def __init__(
        self, window: tk.Toplevel, context: Context, bots: Bots, changed: OnText, report: OnText
    ) -> None:
        self._window, self._context, self._bots = window, context, bots
        self._changed, self._report = changed, report

    def act(self, label: str, bot: OwnBot) -> None:
        """Do with *bot*, which is not in training, what the menu calls *label*."""
        bots, name = self._bots, bot.name
        match label:
            case "Rename…":
                self._ask_name("Rename", name, lambda new: self._changed(bots.rename(bot, new).key))
            case "Duplicate…":
                self._ask_name(
                    "Duplicate",
                    bots.free_name(name),
                    lambda new: self._work(lambda: bots.duplicate(bot, new), "Copying…"),
                )
            case "Export…":
                path = ask_to_save(self._window, "Export the Table", f"{name}.json", [QTABLE])
                if path is not None:
                    report = f"“{name}” was exported to {path}."
                    work = partial(bots.export, bot, path)
                    self._work(work, f"Writing {path.name}…", lambda _: report)
            case "Shrink…":
                self._ask(
                    "Shrink",
                    f"Shrink “{name}”? It takes {size_text(bot.size)}. It plays exactly as before, "
                    "but everything else it learned is deleted, so further training starts with "
                    "less.",
                    lambda: bots.shrink(bot),
                    lambda small: f"“{name}” takes {size_text(small.size)} now.",
                )
            case "Delete…":
                self._ask(
                    "Delete",
                    f"Delete “{name}” for good?",
                    lambda: bots.delete(bot),
                    lambda _: f"“{name}” was deleted.",
                )

    def remove(self, program: Entry) -> None:
        """Ask, and take the external *program* from the list."""
        self._ask(
            "Remove",
            f"Remove “{program.name}” from the list? Its files stay where they are.",
            lambda: self._context.roster.remove_program(program.key),
        )

    def import_table(self) -> None:
        """Ask for a file with a table and make a bot of it."""
        found = filedialog.askopenfilename(
            parent=self._window, title="Import a Table", filetypes=(QTABLE, ALL_FILES)
        )
        if found:
            path = Path(found)
            name = self._bots.free_name(path.stem)
            self._work(lambda: self._bots.import_table(path, name), f"Reading {path.name}…")

    def _ask_name(self, verb: str, name: str, take: OnText) -> None:
        """Ask for a name, beginning with *name*, until *take* raises no StorageError."""
        theme = self._context.theme
        dialog = Dialog(self._window, theme, verb)
        field = ttk.Entry(dialog.body, width=36, font=theme.body)
        field.insert(0, name)
        field.select_range(0, tk.END)
        field.grid(sticky="ew")
        problem = ttk.Label(dialog.body, text=" ", style="Warning.TLabel", wraplength=theme.px(80))
        problem.grid(sticky="w", pady=(theme.px(1), 0))

        def accept() -> None:
            try:
                take(field.get().strip())
            except StorageError as error:
                problem.configure(text=sentence(error))
            else:
                dialog.close()

        dialog.add_button(verb, accept, is_default=True)
        dialog.add_button("Cancel", dialog.close)
        dialog.appear(field)

    def _ask(
        self,
        verb: str,
        question: str,
        work: Callable[[], T],
        text: Callable[[T], str] = lambda _: "",
    ) -> None:
        """Ask a *question*, and do the *work* if the answer is *verb*."""
        answers = {"Cancel": lambda: None, verb: lambda: self._work(work, "", text)}
        confirm(self._window, self._context.theme, verb, question, answers)

    def _work(
        self, work: Callable[[], T], doing: str, text: Callable[[T], str] = lambda _: ""
    ) -> None:
        """Report *doing* and do the *work* in a thread; then report the *text* about its result."""

        def done(result: T) -> None:
            self._changed(result.key if isinstance(result, OwnBot) else "")
            self._report(text(result))

        def failed(reason: str) -> None:
            self._changed("")
            self._report(reason)

        self._report(doing)
        in_background(self._context, self._window, work, done, failed)


class ProgramDialog(Dialog):
    """Adds a program to the roster; *added* is called with its key."""

    def __init__(self, parent: tk.Tk | tk.Toplevel, context: Context, added: OnText) -> None:
        super().__init__(parent, context.theme, "Add a Program")
        self._context, self._added = context, added
        self._tried: ExternalBot | None = None
        theme, body = context.theme, self.body
        wrap = theme.px(110)
        about = ttk.Label(body, text=ABOUT, wraplength=wrap, justify=tk.LEFT)
        about.grid(columnspan=3, sticky="w", pady=(0, theme.px(3)))
        self.name = ttk.Entry(body, font=theme.body, width=34)
        self.command_line = ttk.Entry(body, font=theme.body, width=44)
        self.seconds = ttk.Combobox(
            body, font=theme.body, width=8, values=SECONDS, state="readonly"
        )
        self.seconds.set("5")
        fields = {"Name": self.name, "Command": self.command_line, "Seconds a move": self.seconds}
        for row, (text, field) in enumerate(fields.items(), start=1):
            label = ttk.Label(body, text=text)
            label.grid(row=row, column=0, sticky="w", padx=(0, theme.px(4)), pady=theme.px(1))
            field.grid(row=row, column=1, sticky="w" if row == 3 else "ew", pady=theme.px(1))
        browse = ttk.Button(body, text="Browse…", command=self._browse)
        browse.grid(row=2, column=2, padx=(theme.px(2), 0))
        self.message = ttk.Label(body, wraplength=wrap, justify=tk.LEFT, anchor="nw")
        self.message.grid(row=4, columnspan=3, sticky="nw", pady=(theme.px(2), 0))
        body.rowconfigure(4, minsize=_LINES * theme.body.metrics("linespace"))
        self.add = self.add_button("Add", self._try, is_default=True)
        self.add_button("Cancel", self.close)
        self.appear(self.name)

    def _browse(self) -> None:
        """Ask for a file, and put the command that runs it into its field."""
        path = filedialog.askopenfilename(parent=self, title="Choose the Program")
        if path:
            command = f'"{path}"' if " " in path else path
            if path.endswith(".py"):  # Python scripts are seldom executable
                command = f'"{sys.executable}" {command}'
            self.command_line.delete(0, tk.END)
            self.command_line.insert(0, command)

    def _try(self) -> None:
        """Start the program and have it choose a move, in a thread."""
        try:
            command = standing_command(self.command_line.get())
        except PlayerError as error:
            self._warn(f"The program did not start: {error}.")
            self.command_line.focus_set()
            return
        program = Program(command, fit_name(self.name.get()), float(self.seconds.get()))
        bot = self._tried = ExternalBot(program)
        self.add.state(["disabled"])
        self.message.configure(text="Starting the program…", style="TLabel")

        def meet() -> Entry:
            name = bot.meet()
            bot.choose(EMPTY_BOARD)
            bot.close()
            return self._context.roster.add_program(name, command, program.move_s)

        def met(entry: Entry) -> None:
            self.close()
            self._added(entry.key)

        def refused(reason: str) -> None:
            self.add.state(["!disabled"])
            last = "\n".join(bot.last_lines[-_LAST_LINES:])
            self._warn(f"{reason}\nLast output:\n{last}" if last else reason)

        in_background(self._context, self, meet, met, refused)

    def _warn(self, text: str) -> None:
        self.message.configure(text=text, style="Warning.TLabel")

    def close(self) -> None:
        """Close the dialog; a program that is still being tried has to quit."""
        if self._tried is not None:
            self._tried.close()
        super().close()
