"""The own tables: what they are, and what can be done with them."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from pathlib import Path
from tkinter import filedialog, ttk
from typing import Final, Literal

from traffic_lights.gui.game.desk import Desk
from traffic_lights.gui.game.own_bots import forget_table, play_table, register_table
from traffic_lights.gui.kit.dialog import Dialog, confirm
from traffic_lights.storage.files import StorageError
from traffic_lights.training.own_tables import OwnTable, OwnTables
from traffic_lights.training.table_import import Taken, import_table

_COLUMNS: Final[tuple[tuple[str, str, int, Literal["w", "e"]], ...]] = (
    ("name", "Table", 46, "w"),
    ("games", "Games", 26, "e"),
    ("decided", "Decided", 22, "e"),
    ("origin", "Trained", 48, "w"),
)
_POSITIONS: Final = 2_266_543
NONE_YET: Final = "No table yet: train one, or import one from a file."


class TablesDialog(Dialog):
    """A list of the kept tables, and buttons for the one that is chosen."""

    def __init__(
        self,
        desk: Desk,
        parent: tk.Tk | tk.Toplevel,
        train: Callable[[str], object],
        evaluate: Callable[[str], object],
    ) -> None:
        super().__init__(parent, desk.theme, "Your tables", resizable=True)
        self._desk = desk
        self._train_table = train
        self._evaluate_table = evaluate
        self.tables = OwnTables(desk.keeper.folder)
        self._shown: dict[str, OwnTable] = {}
        theme = desk.theme
        ttk.Label(self.body, text="Your tables", style="Title.TLabel").grid(
            sticky="w", pady=(0, theme.px(3))
        )
        self.list = ttk.Treeview(
            self.body,
            columns=[name for name, *_ in _COLUMNS],
            show="headings",
            height=7,
            selectmode="browse",
        )
        for name, heading, width, anchor in _COLUMNS:
            self.list.heading(name, text=heading, anchor=anchor)
            self.list.column(name, width=theme.px(width), anchor=anchor)
        self.list.grid(sticky="nsew")
        self.body.rowconfigure(1, weight=1)
        self.said = ttk.Label(self.body, style="Muted.TLabel", wraplength=theme.px(140))
        self.said.grid(sticky="w", pady=(theme.px(2), 0))
        self.list.bind("<<TreeviewSelect>>", lambda _: self._enable())
        self.list.bind("<Double-Button-1>", lambda _: self._with_chosen(self._play))
        self.list.bind("<Delete>", lambda _: self._with_chosen(self._ask_to_delete))
        self.choices = {
            words: self.add_button(words, lambda a=act: self._with_chosen(a), words == "Play")  # type: ignore[misc]
            for words, act in (
                ("Play", self._play),
                ("Evaluate…", self._evaluate),
                ("Train Further…", self._train),
                ("Rename…", self._ask_for_name),
                ("Delete…", self._ask_to_delete),
            )
        }
        self.add_button("Import…", self._ask_for_file)
        self.add_button("Close", self.close)
        self.fill()
        self.appear(self.list)

    def fill(self, chosen: str = "") -> None:
        """Show the tables, with the one of key *chosen* selected, or else the last."""
        self._shown = {table.key: table for table in self.tables.all()}
        self.list.delete(*self.list.get_children())
        for key, table in self._shown.items():
            facts = table.facts
            # Rounded down: 100 % is said when it is true.
            decided = f"{100 * facts.decided // _POSITIONS} %" if facts.decided else "–"
            origin = facts.origin if facts.is_finished else f"{facts.origin}, unfinished"
            values = (table.name, f"{facts.games:,}" if facts.games else "–", decided, origin)
            self.list.insert("", "end", iid=key, values=values)
        if self._shown:
            key = chosen if chosen in self._shown else list(self._shown)[-1]
            self.list.selection_set(key)
            self.list.focus(key)
            self.list.see(key)
        self.said.configure(text="" if self._shown else NONE_YET)
        self._enable()

    def _enable(self) -> None:
        state = tk.NORMAL if self.list.selection() else tk.DISABLED
        for button in self.choices.values():
            button.configure(state=state)

    def _with_chosen(self, act: Callable[[OwnTable], object]) -> None:
        table = self._shown.get(next(iter(self.list.selection()), ""))
        if table is not None:
            act(table)

    def _say(self, text: str) -> None:
        self.said.configure(text=text)

    # --- what can be done ---

    def _play(self, table: OwnTable) -> None:
        self.close()
        play_table(self._desk, table)

    def _evaluate(self, table: OwnTable) -> None:
        self.close()
        self._evaluate_table(table.key)

    def _train(self, table: OwnTable) -> None:
        self.close()
        self._train_table(table.key)

    def _ask_for_name(self, table: OwnTable) -> None:
        NameDialog(self, table.name, lambda name: self.rename(table, name))

    def rename(self, table: OwnTable, name: str) -> None:
        """Give *table* another name."""
        try:
            self.tables.rename(table.key, name)
        except StorageError as error:
            self._say(f"{error}.")
            return
        self.fill(table.key)
        register_table(self._desk, self._shown[table.key])

    def _ask_to_delete(self, table: OwnTable) -> None:
        confirm(
            self,
            self.theme,
            "Delete",
            f"Delete “{table.name}” for good?",
            {"Keep It": lambda: None, "Delete": lambda: self.delete(table)},
        )

    def delete(self, table: OwnTable) -> None:
        """Delete *table*."""
        try:
            self.tables.delete(table.key)
        except StorageError as error:
            self._say(f"{error}.")
            return
        forget_table(self._desk, table)
        self.fill()

    def _ask_for_file(self) -> None:
        name = filedialog.askopenfilename(
            parent=self,
            title="Import a table",
            filetypes=(("Q-table", "*.json"), ("All files", "*")),
        )
        if name:
            self.import_path(Path(name))

    def import_path(self, path: Path) -> None:
        """Import the table in the file *path*, in the background, or say why not."""
        self._say(f"Reading {path.name}…")
        self._desk.jobs.run(
            lambda: import_table(self.tables, path), self._imported, self._not_imported
        )

    def _imported(self, taken: Taken) -> None:
        register_table(self._desk, taken.table)
        if self.winfo_exists():
            self.fill(taken.table.key)
            self._say(str(taken))

    def _not_imported(self, error: Exception) -> None:
        if not isinstance(error, StorageError):
            self._desk.failed(error)
        elif self.winfo_exists():
            self._say(f"Not imported: {error}.")


class NameDialog(Dialog):
    """Asks for a name."""

    def __init__(self, parent: tk.Toplevel | tk.Tk, name: str, take: Callable[[str], None]) -> None:
        assert isinstance(parent, Dialog)
        super().__init__(parent, parent.theme, "Rename")
        self._take = take
        self.variable = tk.StringVar(self, name)
        entry = ttk.Entry(self.body, textvariable=self.variable, width=32, font=self.theme.body)
        entry.grid(sticky="ew")
        entry.select_range(0, tk.END)
        entry.icursor(tk.END)
        self.add_button("Rename", self._rename, is_default=True)
        self.add_button("Cancel", self.close)
        self.appear(entry)

    def _rename(self) -> None:
        name = self.variable.get().strip()
        if name:
            self.close()
            self._take(name)


def open_tables(
    desk: Desk,
    parent: tk.Tk | tk.Toplevel,
    train: Callable[[str], object],
    evaluate: Callable[[str], object],
) -> Dialog:
    """Show the own tables over *parent*; *train* and *evaluate* are given the key of a table."""
    return desk.dialogs.show("tables", lambda: TablesDialog(desk, parent, train, evaluate))
