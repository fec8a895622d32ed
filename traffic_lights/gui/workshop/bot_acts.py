"""What a user can do with a bot besides training and playing it, such as renaming it."""

import tkinter as tk
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tkinter import filedialog
from typing import Any, Final

from traffic_lights.gui.kit.dialog import ask_text, confirm
from traffic_lights.gui.kit.jobs import run_job
from traffic_lights.gui.kit.saving import ALL_FILES, ask_to_save
from traffic_lights.gui.main.context import Context
from traffic_lights.gui.main.seats import bot_deleted, bot_renamed, remove_program
from traffic_lights.gui.workshop.program_dialog import ProgramDialog
from traffic_lights.gui.workshop.selection import Selection
from traffic_lights.gui.workshop.shared import Act, OnText, as_sentence
from traffic_lights.storage.files import StorageError
from traffic_lights.training.own_bots import Bots, OwnBot

_QTABLE: Final = ("Q-table", "*.json")


class BotActs:
    """Asks what it must, and gives *report* what is and was done; long work is done in a thread.

    Afterwards *changed* gets the key of the bot to choose, or an empty text. *is_used* tells
    whether the player with a key may be at work, so that it must stay as it is.
    """

    def __init__(
        self,
        window: tk.Toplevel,
        context: Context,
        selection: Selection,
        *,
        is_used: Callable[[str], bool],
        report: OnText,
        changed: OnText,
    ) -> None:
        self._window = window
        self._context = context
        self._selection = selection
        self._is_used = is_used
        self._report = report
        self._changed = changed

    @property
    def bots(self) -> Bots:
        """The bots of the user, in their folder."""
        assert self._context.roster.bots is not None
        return self._context.roster.bots

    def fill_add(self, menu: tk.Menu) -> None:
        """Fill the *menu* of what adds a bot."""
        menu.add_command(label="Import a Table…", command=self.import_table)
        add = partial(ProgramDialog, self._window, self._context, self._changed)
        menu.add_command(label="Add a Program…", command=add)

    def fill_bot(self, menu: tk.Menu) -> None:
        """Fill the *menu* of what can be done with the chosen bot."""
        entry = self._selection.entry
        is_free = not self._is_used(entry.key)
        for words, act, can in (
            ("Rename…", self._rename, entry.own),
            ("Export…", self._export, entry.own),
            ("Delete…", self.delete, entry.own or entry.is_program),
        ):
            state: Any = tk.NORMAL if can and is_free else tk.DISABLED
            menu.add_command(label=words, command=act, state=state)

    def delete(self) -> None:
        """Ask whether the chosen bot should be deleted, or a program removed; then do it."""
        entry = self._selection.entry
        bot = entry.own
        name = f"“{entry.name}”"
        if self._is_used(entry.key):
            return
        if bot is not None:
            forget = partial(bot_deleted, self._context, bot.key)
            delete = partial(self.bots.delete, bot)
            done = f"{name} was deleted."
            self._ask("Delete", f"Delete {name} for good?", delete, done, forget)
        elif entry.is_program:
            question = f"Remove {name} from the list? Its files stay where they are."
            remove = partial(remove_program, self._context, entry.key)
            self._ask("Remove", question, remove, f"{name} was removed.")

    def import_table(self) -> None:
        """Ask for a file with a Q-table, and make a bot of it."""
        if found := filedialog.askopenfilename(
            parent=self._window, title="Import a Table", filetypes=(_QTABLE, ALL_FILES)
        ):
            path = Path(found)
            name = self.bots.free_name(path.stem)
            self._work(lambda: self.bots.import_table(path, name), f"Reading {path.name}…")

    def _rename(self) -> None:
        bot = self._selection.entry.own
        assert bot is not None

        def accept(name: str) -> str:
            try:
                self.bots.checked_name(name, but=bot.name)
                key = self.bots.rename(bot, name).key
            except StorageError as error:
                return as_sentence(error)
            bot_renamed(self._context, bot.key, key)
            self._selection.rename(bot.key, key)
            self._changed(key)
            return ""

        ask_text(self._window, self._context.theme, "Rename", bot.name, "Rename", accept)

    def _export(self) -> None:
        bot = self._selection.entry.own
        assert bot is not None
        if path := ask_to_save(self._window, "Export the Table", f"{bot.name}.json", [_QTABLE]):
            report = f"“{bot.name}” was exported to {path}."
            self._work(lambda: self.bots.export(bot, path), f"Writing {path.name}…", report)

    def _ask(self, verb: str, question: str, work: Act, done: str, then: Act | None = None) -> None:
        """Ask a *question*, and do the *work* if the answer is the *verb*.

        Then do what is *then* to be done, and report what was *done*.
        """
        answers = {"Cancel": lambda: None, verb: lambda: self._work(work, "", done, then)}
        confirm(self._window, self._context.theme, verb, question, answers)

    def _work(self, work: Act, doing: str, report: str = "", then: Act | None = None) -> None:
        """Report *doing*, do the *work* in a thread and *then*; show the bots, and *report*."""

        def done(result: object) -> None:
            if then is not None:
                then()
            self._changed(result.key if isinstance(result, OwnBot) else "")
            self._report(report)

        def failed(reason: str) -> None:
            self._changed("")
            self._report(as_sentence(reason))

        self._report(doing)
        run_job(self._context.root, work, done, failed)
