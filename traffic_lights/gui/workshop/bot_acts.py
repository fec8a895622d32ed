"""What a user can do with a bot besides training and playing it, such as renaming it."""

import tkinter as tk
from collections.abc import Callable
from enum import StrEnum
from functools import partial
from pathlib import Path
from tkinter import filedialog, ttk
from typing import Final

from traffic_lights.gui.kit.dialog import Dialog, confirm
from traffic_lights.gui.kit.jobs import run_job
from traffic_lights.gui.kit.saving import ALL_FILES, ask_to_save
from traffic_lights.gui.kit.widgets import put
from traffic_lights.gui.main.context import Context
from traffic_lights.gui.main.seats import bot_deleted, remove_program
from traffic_lights.gui.workshop.shared import Act, OnText, as_sentence
from traffic_lights.players.roster import Entry
from traffic_lights.storage.files import StorageError
from traffic_lights.training.own_bots import Bots, OwnBot

_QTABLE: Final = ("Q-table", "*.json")


class BotAct(StrEnum):
    """What can be done with a bot: the entries of its menu."""

    RENAME = "Rename…"
    EXPORT = "Export…"
    SAVE_CURVE = "Save Curve…"
    DELETE = "Delete…"


class BotActs:
    """Asks what it must, and gives *report* what is and was done; long work is done in a thread.

    Afterwards *changed* gets the key of the bot to choose, or an empty text. Before that, *renamed*
    gets the old and the new key of a bot that has another name now.
    """

    def __init__(
        self,
        window: tk.Toplevel,
        context: Context,
        *,
        report: OnText,
        changed: OnText,
        renamed: Callable[[str, str], object],
    ) -> None:
        self._window = window
        self._context = context
        self._report = report
        self._changed = changed
        self._renamed = renamed

    @property
    def bots(self) -> Bots:
        """The bots of the user, in their folder."""
        assert self._context.roster.bots is not None
        return self._context.roster.bots

    def possible(self, entry: Entry) -> dict[BotAct, Act]:
        """Return what is possible with the player of *entry*, and how it is done."""
        bots = self.bots
        bot = entry.own
        name = f"“{entry.name}”"
        if entry.is_program:
            question = f"Remove {name} from the list? Its files stay where they are."
            remove = partial(remove_program, self._context, entry.key)
            return {
                BotAct.DELETE: lambda: self._ask("Remove", question, remove, f"{name} was removed.")
            }
        if bot is None:
            return {}
        delete = f"Delete {name} for good?"
        forget = partial(bot_deleted, self._context, bot.key)
        return {
            BotAct.RENAME: lambda: self._rename(bot),
            BotAct.EXPORT: lambda: self._export(bot),
            BotAct.DELETE: lambda: self._ask(
                "Delete", delete, lambda: bots.delete(bot), f"{name} was deleted.", forget
            ),
        }

    def import_table(self) -> None:
        """Ask for a file with a Q-table, and make a bot of it."""
        if found := filedialog.askopenfilename(
            parent=self._window, title="Import a Table", filetypes=(_QTABLE, ALL_FILES)
        ):
            path = Path(found)
            name = self.bots.free_name(path.stem)
            self._work(lambda: self.bots.import_table(path, name), f"Reading {path.name}…")

    def _rename(self, bot: OwnBot) -> None:
        theme = self._context.theme
        dialog = Dialog(self._window, theme, "Rename")
        field = put(ttk.Entry(dialog.body, width=36, font=theme.body), sticky="ew")
        field.insert(0, bot.name)
        field.select_range(0, tk.END)
        problem = ttk.Label(dialog.body, text=" ", style="Warning.TLabel", wraplength=theme.px(80))
        problem.grid(sticky="w", pady=(theme.px(1), 0))

        def accept() -> None:
            try:
                self.bots.checked_name(field.get(), but=bot.name)
                key = self.bots.rename(bot, field.get()).key
            except StorageError as error:
                problem.configure(text=as_sentence(error))
            else:
                dialog.close()
                self._renamed(bot.key, key)
                self._changed(key)

        dialog.appear({"Rename": accept, "Cancel": dialog.close}, field)

    def _export(self, bot: OwnBot) -> None:
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
