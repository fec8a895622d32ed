"""What can be done with a bot besides training it: rename, duplicate, export, shrink, delete."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Mapping
from pathlib import Path
from tkinter import filedialog, ttk
from typing import Final, TypeVar

from traffic_lights.gui.kit.dialog import Dialog, confirm
from traffic_lights.gui.main.context import Context
from traffic_lights.gui.workshop.model import sentence, size_text
from traffic_lights.storage.files import StorageError
from traffic_lights.training.bots import Bots, OwnBot

TABLE_FILES: Final = (("Q-table", "*.json"), ("All files", "*"))
T = TypeVar("T")


class NameDialog(Dialog):
    """Asks for a name; *take* returns what is wrong with it, or an empty text."""

    def __init__(
        self,
        parent: tk.Tk | tk.Toplevel,
        context: Context,
        verb: str,
        name: str,
        take: Callable[[str], str],
    ) -> None:
        super().__init__(parent, context.theme, verb)
        self._take = take
        self.name = ttk.Entry(self.body, width=36, font=context.theme.body)
        self.name.insert(0, name)
        self.name.select_range(0, tk.END)
        self.name.grid(sticky="ew")
        wrap = context.theme.px(80)
        self.problem = ttk.Label(self.body, text=" ", style="Warning.TLabel", wraplength=wrap)
        self.problem.grid(sticky="w", pady=(context.theme.px(1), 0))
        self.add_button(verb, self._accept, is_default=True)
        self.add_button("Cancel", self.close)
        self.appear(self.name)

    def _accept(self) -> None:
        problem = self._take(self.name.get().strip())
        if problem:
            self.problem.configure(text=problem)
        else:
            self.close()


class BotActions:
    """Acts on own bots from *window*; *changed* shows the list again, *report* shows a sentence."""

    def __init__(
        self,
        window: tk.Toplevel,
        context: Context,
        bots: Bots,
        changed: Callable[[str], object],
        report: Callable[[str], object],
    ) -> None:
        self._window, self._context, self.bots = window, context, bots
        self._changed, self._report = changed, report
        self.by_label: Mapping[str, Callable[[OwnBot], None]] = {
            "Rename…": self.rename,
            "Duplicate…": self.duplicate,
            "Export…": self.export,
            "Shrink…": self.shrink,
            "Delete…": self.delete,
        }
        """What the menu can do with a bot."""

    def rename(self, bot: OwnBot) -> None:
        """Ask for another name of *bot*."""

        def take(name: str) -> str:
            return self._attempt(lambda: self._changed(self.bots.rename(bot, name).key))

        NameDialog(self._window, self._context, "Rename", bot.name, take)

    def duplicate(self, bot: OwnBot) -> None:
        """Ask for the name of a copy of *bot*, and make it in the background."""

        def take(name: str) -> str:
            self._work("Copying…", lambda: self.bots.duplicate(bot, name), self._appeared)
            return ""

        name = self.bots.free_name(bot.name)
        NameDialog(self._window, self._context, "Duplicate", name, take)

    def import_table(self) -> None:
        """Ask for a file with a table and make a bot of it."""
        found = filedialog.askopenfilename(
            parent=self._window, title="Import a Table", filetypes=TABLE_FILES
        )
        if not found:
            return
        path = Path(found)
        name = self.bots.free_name(path.stem)
        self._work(
            f"Reading {path.name}…", lambda: self.bots.import_table(path, name), self._appeared
        )

    def export(self, bot: OwnBot) -> None:
        """Ask for a file and write the table of *bot* to it."""
        found = filedialog.asksaveasfilename(
            parent=self._window,
            title="Export the Table",
            initialfile=f"{bot.name}.json",
            defaultextension=".json",
            filetypes=TABLE_FILES,
        )
        path = Path(found)

        def done(_: object) -> None:
            self._report(f"“{bot.name}” was exported to {path}.")

        if found:
            self._work(f"Writing {path.name}…", lambda: self.bots.export(bot, path), done)

    def shrink(self, bot: OwnBot) -> None:
        """Ask, and delete what *bot* does not need to play."""

        def act() -> None:
            self._work("Shrinking…", lambda: self.bots.shrink(bot), self._shrunk)

        confirm(
            self._window,
            self._context.theme,
            "Shrink",
            f"Shrink “{bot.name}”? It takes {size_text(bot.size)}. It plays exactly as before, but "
            "everything else it learned is deleted, so further training starts with less.",
            {"Cancel": lambda: None, "Shrink": act},
        )

    def _shrunk(self, bot: OwnBot) -> None:
        self._changed(bot.key)
        self._report(f"“{bot.name}” takes {size_text(bot.size)} now.")

    def delete(self, bot: OwnBot) -> None:
        """Ask, and delete *bot*."""

        def act() -> None:
            problem = self._attempt(lambda: self.bots.delete(bot))
            self._changed("")
            self._report(problem or f"“{bot.name}” was deleted.")

        confirm(
            self._window,
            self._context.theme,
            "Delete",
            f"Delete “{bot.name}” for good?",
            {"Cancel": lambda: None, "Delete": act},
        )

    def _appeared(self, bot: OwnBot) -> None:
        self._report("")
        self._changed(bot.key)

    @staticmethod
    def _attempt(act: Callable[[], object]) -> str:
        """Do *act*; return why it was not possible, as a sentence."""
        try:
            act()
        except StorageError as error:
            return sentence(error)
        return ""

    def _work(self, text: str, work: Callable[[], T], done: Callable[[T], object]) -> None:
        """Report *text*, do *work* in a thread, and then *done* with what came of it."""

        def failed(error: Exception) -> None:
            if not isinstance(error, StorageError):
                self._context.failed(error)
            elif self._window.winfo_exists():
                self._report(sentence(error))

        def arrived(result: T) -> None:
            if self._window.winfo_exists():
                done(result)

        self._report(text)
        self._context.jobs.run(work, arrived, failed)
