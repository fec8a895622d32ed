"""What can be done with bots besides training: add, rename, duplicate, export, shrink, delete."""

from __future__ import annotations

import sys
import tkinter as tk
from collections.abc import Callable, Mapping
from pathlib import Path
from tkinter import filedialog, ttk
from typing import Final, TypeVar

from traffic_lights.board.rules import EMPTY_BOARD
from traffic_lights.gui.kit.dialog import Dialog, confirm
from traffic_lights.gui.main.context import Context
from traffic_lights.gui.workshop.model import OnText, sentence, size_text
from traffic_lights.players.bots import PlayerError
from traffic_lights.players.external import ExternalBot, Program, standing_command
from traffic_lights.players.roster import Entry
from traffic_lights.storage.files import StorageError, write_atomically
from traffic_lights.system.words import fit_name
from traffic_lights.training.bots import Bots, OwnBot

ALL_FILES: Final = ("All files", "*")
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
        if not isinstance(error, (StorageError, PlayerError)):
            context.failed(error)
        if window.winfo_exists():
            failed(sentence(error))

    context.jobs.run(work, arrived, refused)


def ask_to_save(parent: tk.Misc, title: str, name: str, kind: str) -> Path | None:
    """Ask for a file of a *kind*, by default called *name*; None if there is to be none."""
    suffix = Path(name).suffix
    found = filedialog.asksaveasfilename(
        parent=parent, title=title, initialfile=name, defaultextension=suffix,
        filetypes=((kind, f"*{suffix}"), ALL_FILES),
    )  # fmt: skip
    return Path(found) if found else None


def save_as(parent: tk.Misc, title: str, name: str, kind: str, content: str) -> str:
    """Ask for a file and write *content* to it; return what to report about that."""
    path = ask_to_save(parent, title, name, kind)
    if path is None:
        return ""
    try:
        write_atomically(path, [content.encode("utf-8")])
    except StorageError as error:
        return sentence(error)
    return f"Saved as {path.name}."


def ask_name(window: tk.Toplevel, context: Context, verb: str, name: str, take: OnText) -> None:
    """Ask for a name, beginning with *name*, until *take* raises no StorageError."""
    theme = context.theme
    dialog = Dialog(window, theme, verb)
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


class BotActions:
    """Acts on bots from *window*.

    *changed* shows the list again, with the bot of a key, and *report* shows a sentence.
    """

    def __init__(
        self, window: tk.Toplevel, context: Context, bots: Bots, changed: OnText, report: OnText
    ) -> None:
        self._window, self._context, self._bots = window, context, bots
        self._changed, self._report = changed, report
        self.by_label: Mapping[str, Callable[[OwnBot], None]] = {
            "Rename…": self._rename,
            "Duplicate…": self._duplicate,
            "Export…": self._export,
            "Shrink…": self._shrink,
            "Delete…": self._delete,
        }
        """What the menu can do with an own bot that is not in training."""

    def _rename(self, bot: OwnBot) -> None:
        def take(name: str) -> None:
            self._changed(self._bots.rename(bot, name).key)

        ask_name(self._window, self._context, "Rename", bot.name, take)

    def _duplicate(self, bot: OwnBot) -> None:
        def take(name: str) -> None:
            self._work("Copying…", lambda: self._bots.duplicate(bot, name))

        ask_name(self._window, self._context, "Duplicate", self._bots.free_name(bot.name), take)

    def import_table(self) -> None:
        """Ask for a file with a table and make a bot of it."""
        found = filedialog.askopenfilename(
            parent=self._window,
            title="Import a Table",
            filetypes=(("Q-table", "*.json"), ALL_FILES),
        )
        if found:
            path = Path(found)
            name = self._bots.free_name(path.stem)
            self._work(f"Reading {path.name}…", lambda: self._bots.import_table(path, name))

    def _export(self, bot: OwnBot) -> None:
        path = ask_to_save(self._window, "Export the Table", f"{bot.name}.json", "Q-table")
        if path is not None:
            self._work(
                f"Writing {path.name}…",
                lambda: self._bots.export(bot, path),
                lambda _: f"“{bot.name}” was exported to {path}.",
            )

    def _shrink(self, bot: OwnBot) -> None:
        self._ask(
            "Shrink",
            f"Shrink “{bot.name}”? It takes {size_text(bot.size)}. It plays exactly as before, but "
            "everything else it learned is deleted, so further training starts with less.",
            lambda: self._bots.shrink(bot),
            lambda small: f"“{bot.name}” takes {size_text(small.size)} now.",
        )

    def _delete(self, bot: OwnBot) -> None:
        self._ask(
            "Delete",
            f"Delete “{bot.name}” for good?",
            lambda: self._bots.delete(bot),
            lambda _: f"“{bot.name}” was deleted.",
        )

    def remove(self, program: Entry) -> None:
        """Ask, and take the external *program* from the list."""
        self._ask(
            "Remove",
            f"Remove “{program.name}” from the list? Its files stay where they are.",
            lambda: self._context.roster.remove_program(program.key),
            lambda _: "",
        )

    def _ask(
        self, verb: str, question: str, work: Callable[[], T], text: Callable[[T], str]
    ) -> None:
        """Ask a *question*, and do the *work* if the answer is *verb*."""
        answers = {"Cancel": lambda: None, verb: lambda: self._work("", work, text)}
        confirm(self._window, self._context.theme, verb, question, answers)

    def _work(
        self, doing: str, work: Callable[[], T], text: Callable[[T], str] = lambda _: ""
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
            self._report(f"The program did not start: {error}.", is_warning=True)
            self.command_line.focus_set()
            return
        program = Program(command, fit_name(self.name.get()), float(self.seconds.get()))
        bot = self._tried = ExternalBot(program)
        self.add.state(["disabled"])
        self._report("Starting the program…")

        def meet() -> Entry:
            name = bot.meet()
            bot.choose(EMPTY_BOARD)
            bot.close()
            return self._context.roster.add_program(name, command, program.move_s)

        in_background(self._context, self, meet, self._met, self._refused)

    def _met(self, entry: Entry) -> None:
        self.close()
        self._added(entry.key)

    def _refused(self, reason: str) -> None:
        self.add.state(["!disabled"])
        last = "\n".join(self._tried.last_lines[-_LAST_LINES:]) if self._tried else ""
        output = f"\nLast output:\n{last}" if last else ""
        self._report(f"{reason}{output}", is_warning=True)

    def _report(self, text: str, is_warning: bool = False) -> None:
        style = "Warning.TLabel" if is_warning else "TLabel"
        self.message.configure(text=text, style=style)

    def close(self) -> None:
        """Close the dialog; a program that is still being tried has to quit."""
        if self._tried is not None:
            self._tried.close()
        super().close()
