"""The own tables: what they are, and what can be done with them."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from tkinter import filedialog, ttk
from typing import Final

from traffic_lights.board.positions import POSITIONS
from traffic_lights.gui.dialogs.name_dialog import NameDialog
from traffic_lights.gui.game.desk import Desk
from traffic_lights.gui.game.own_bots import forget_table, play_table, register_table
from traffic_lights.gui.kit.dialog import Dialog, confirm
from traffic_lights.gui.kit.keys import last_focused
from traffic_lights.gui.kit.scroll import Column
from traffic_lights.judging.evaluation import score_of
from traffic_lights.pictures.shares import percent, percent_done
from traffic_lights.players.roster import Roster
from traffic_lights.storage.files import StorageError
from traffic_lights.training.own_tables import OwnTable, OwnTables
from traffic_lights.training.table_files import (
    Taken,
    export_table,
    import_table,
    keep_only_playing,
    size_of,
    size_text,
    spare_of,
)

_COLUMNS: Final[tuple[Column, ...]] = (
    ("name", "Table", 46, "w"),
    ("origin", "Trained", 48, "w"),
    ("date", "Kept on", 24, "e"),
    ("games", "Games", 26, "e"),
    ("decided", "Decided", 20, "e"),
    ("score", "Against Myopic", 32, "e"),
    ("size", "Size", 20, "e"),
)
_ONLY_PLAYS: Final = "Keep Only What Plays…"
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
        self._scoring = ""
        """The key of the table whose score is being computed; empty if none is."""
        self._tried: set[str] = set()
        theme = desk.theme
        self.list = self.add_list("Your tables", _COLUMNS, height=7)
        # Three lines are kept free: what is said moves nothing.
        self.said = ttk.Label(self.body, style="Muted.TLabel", anchor="nw", justify=tk.LEFT)
        self.said.grid(row=2, sticky="new", pady=(theme.px(2), 0))
        self.body.rowconfigure(2, minsize=3 * theme.body.metrics("linespace") + theme.px(2))
        self.body.bind(
            "<Configure>", lambda event: self.said.configure(wraplength=max(100, event.width - 60))
        )
        self.list.bind("<<TreeviewSelect>>", lambda _: self._enable())
        self.list.bind("<Double-Button-1>", self._clicked_twice)
        self.list.bind("<Delete>", lambda _: self._with_chosen(self._ask_to_delete))
        self.choices: dict[str, ttk.Button] = {}
        self._make_choices()
        self.add_button("Import…", self._ask_for_file)
        self.add_button("Close", self.close)
        play = self.choices["Play"]
        play.configure(style="Accent.TButton")
        self.bind("<Return>", lambda event: self._default(event, play))
        self.fill()
        self.appear(self.list)

    def _make_choices(self) -> None:
        """Make the buttons for the table that is chosen."""
        frame = ttk.Frame(self.body)
        frame.grid(row=3, sticky="ew", pady=(self.theme.px(1), 0))
        frame.columnconfigure((0, 1, 2, 3), weight=1, uniform="choices")
        for number, (words, act) in enumerate(
            (
                ("Play", self._play),
                ("Evaluate…", self._evaluate),
                ("Train Further…", self._train),
                ("Rename…", self._ask_for_name),
                ("Export…", self._ask_where),
                (_ONLY_PLAYS, self._ask_to_keep_only),
                ("Delete…", self._ask_to_delete),
            )
        ):
            button = self.choices[words] = ttk.Button(
                frame,
                text=words,
                command=lambda a=act: self._with_chosen(a),  # type: ignore[misc]
            )
            row, column = divmod(number, 4)
            button.bind("<Return>", lambda _, b=button: b.invoke())  # type: ignore[misc]
            gap = self.theme.px(1)
            span = 2 if words == _ONLY_PLAYS else 1
            column += words == "Delete…"  # the one before it is wide
            button.grid(
                row=row, column=column, columnspan=span, sticky="ew", padx=(0, gap), pady=gap / 2
            )

    def fill(self, chosen: str = "") -> None:
        """Show the tables, with the one of key *chosen* selected, or else the last."""
        self._shown = {table.key: table for table in self.tables.all()}
        self.list.delete(*self.list.get_children())
        for key, table in self._shown.items():
            facts = table.facts
            decided = percent_done(facts.decided, POSITIONS) if facts.decided else "–"
            values = (
                table.name,
                facts.origin if facts.is_finished else f"{facts.origin}, unfinished",
                facts.date or "–",
                f"{facts.games:,}" if facts.games else "–",
                decided,
                _score_text(facts.score),
                size_text(size_of(table)),
            )
            self.list.insert("", "end", iid=key, values=values)
        if self._shown:
            key = chosen if chosen in self._shown else list(self._shown)[-1]
            self.list.selection_set(key)
            self.list.focus(key)
            self.list.see(key)
        self._size_names()
        self._say("" if self._shown else NONE_YET)
        self._enable()
        self._compute_next_score()

    def _size_names(self) -> None:
        """Give the names the room that they need."""
        measure, room = self.theme.body.measure, self.theme.px(4)
        for column in ("name", "origin"):
            cells = (str(self.list.set(row, column)) for row in self.list.get_children())
            least = int(self.list.column(column, "minwidth"))
            width = max([least, *(measure(cell) + room for cell in cells)])
            self.list.column(column, width=width, minwidth=width)

    def _enable(self) -> None:
        table = self._chosen()
        for words, button in self.choices.items():
            can = table is not None and (words != _ONLY_PLAYS or spare_of(table) > 0)
            button.configure(state=tk.NORMAL if can else tk.DISABLED)
            if not can and last_focused(self) is button:
                self.list.focus_set()

    def _chosen(self) -> OwnTable | None:
        return self._shown.get(next(iter(self.list.selection()), ""))

    # --- the exact score, computed beside the window ---

    def _compute_next_score(self) -> None:
        """Have the score of the next table without one be computed, unless one is under way."""
        if self._scoring or not self.winfo_exists():
            return
        waiting = (
            t for t in self._shown.values() if t.facts.score < 0 and t.key not in self._tried
        )
        table = next(waiting, None)
        if table is not None:
            self._scoring = table.key
            self._tried.add(table.key)
            self.list.set(table.key, "score", "…")
            self._desk.jobs.run(
                lambda: exact_score(table.playing_path), self._scored, lambda _: self._scored(None)
            )

    def _scored(self, score: float | None) -> None:
        key, self._scoring = self._scoring, ""
        if score is not None:
            with suppress(StorageError):
                self.tables.note_score(key, score)
        if self.winfo_exists():
            if key in self._shown:
                self.list.set(key, "score", _score_text(-1.0 if score is None else score))
            self._compute_next_score()

    def _with_chosen(self, act: Callable[[OwnTable], object]) -> None:
        table = self._chosen()
        if table is not None:
            act(table)

    def _clicked_twice(self, event: tk.Event[ttk.Treeview]) -> None:
        if self.list.identify_row(event.y):  # not a heading, and not below the last
            self._with_chosen(self._play)

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

    def rename(self, table: OwnTable, name: str) -> str:
        """Give *table* another name; return why not, in a sentence, or an empty text."""
        try:
            self.tables.rename(table.key, name)
        except StorageError as error:
            text = str(error)
            return f"{text[:1].upper()}{text[1:]}."
        self.fill(table.key)
        register_table(self._desk, self._shown[table.key])
        return ""

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

    def _ask_to_keep_only(self, table: OwnTable) -> None:
        words = (
            f"Delete what “{table.name}” does not need to play? That frees "
            f"{size_text(spare_of(table))}. It plays the same moves afterwards, but what it has "
            "learned beyond them is gone, and training it further begins from less."
        )
        confirm(
            self,
            self.theme,
            "Keep only what plays",
            words,
            {
                "Keep Everything": lambda: None,
                "Keep Only What Plays": lambda: self.keep_only_playing(table),
            },
        )

    def keep_only_playing(self, table: OwnTable) -> None:
        """Delete what *table* does not need to play, and say what it takes now."""
        try:
            keep_only_playing(table)
        except StorageError as error:
            self._say(f"{error}.")
            return
        self.fill(table.key)
        register_table(self._desk, self._shown[table.key])
        self._say(f"“{table.name}” takes {size_text(size_of(self._shown[table.key]))} now.")

    def _ask_where(self, table: OwnTable) -> None:
        name = filedialog.asksaveasfilename(
            parent=self,
            title="Export the table",
            initialfile=f"{table.name}.json",
            defaultextension=".json",
            filetypes=(("Q-table", "*.json"), ("All files", "*")),
        )
        if name:
            self.export_to(table, Path(name))

    def export_to(self, table: OwnTable, path: Path) -> None:
        """Write *table* to the file *path*, in the background, and say so, or why not."""
        self._say(f"Writing {path.name}…")
        self._desk.jobs.run(
            lambda: export_table(table, path),
            lambda size: self._exported(f"“{table.name}” is in {path}, {size_text(size)}."),
            self._not_exported,
        )

    def _exported(self, text: str) -> None:
        if self.winfo_exists():
            self._say(text)

    def _not_exported(self, error: Exception) -> None:
        if not isinstance(error, StorageError):
            self._desk.failed(error)
        elif self.winfo_exists():
            self._say(f"Not exported: {error}.")

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


def exact_score(path: Path) -> float | None:
    """Return the exact score, from 0 to 1, of the table in *path* against Myopic; takes seconds.

    It is None for a table that allows too many positions. Raise StorageError.
    """
    roster = Roster()
    found = score_of(roster.resolve(str(path)), roster.entry("myopic"))
    return None if found is None else found.total


def _score_text(score: float) -> str:
    return percent(None if score < 0 else score, 2)


def open_tables(
    desk: Desk,
    parent: tk.Tk | tk.Toplevel,
    train: Callable[[str], object],
    evaluate: Callable[[str], object],
) -> Dialog:
    """Show the own tables over *parent*; *train* and *evaluate* are given the key of a table."""
    return desk.dialogs.show("tables", lambda: TablesDialog(desk, parent, train, evaluate))
