"""The right half of the evaluation window: the rows, one sentence, the bars."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk
from typing import Final, Literal

from traffic_lights.gui.evaluation.model import COLUMNS, EvaluationModel, Pair
from traffic_lights.gui.kit.canvas_view import CanvasView, room_of
from traffic_lights.gui.kit.scroll import Column, ScrollFrame, ScrollList
from traffic_lights.gui.kit.theme import Theme
from traffic_lights.system.words import unbroken

SHOWN: Final = {
    "bot": ("Bot", 24),
    "opponent": ("Opponent", 24),
    "games": ("Games", 16),
    "as Player 1": ("As 1", 17),
    "as Player 2": ("As 2", 17),
    "total": ("Total", 17),
    "95 % interval": ("Interval", 24),
    "exact": ("Exact", 18),
    "best possible": ("Best", 19),
    "slips a game": ("Slips", 15),
    "moves": ("Moves", 14),
    "distinct": ("Distinct", 16),
}
"""Title and least width, in steps of the grid, of the columns that are shown.

The exact scores of the seats are in the sentence of a row, and in what is copied and saved.
"""


class EvaluationView(ttk.Frame):
    """Shows what *model* has; its columns sort it."""

    def __init__(self, parent: tk.Misc, theme: Theme, model: EvaluationModel) -> None:
        super().__init__(parent)
        self._theme = theme
        self._model = model
        self.columnconfigure(0, weight=1)
        self.rowconfigure(0, weight=2)
        self.rowconfigure(3, weight=3)
        self._make_list()
        self.bar = ttk.Progressbar(self, maximum=1000)
        self.bar.grid(row=1, column=0, sticky="ew", pady=theme.px(1.5))
        self.said = ttk.Label(self, justify=tk.LEFT, anchor="nw")
        self.said.grid(row=2, column=0, sticky="new", pady=(0, theme.px(1.5)))
        self.bind("<Configure>", self._wrap)
        # As many bars as there are: what does not fit scrolls.
        self.scroll = ScrollFrame(self, theme)
        self.scroll.grid(row=3, column=0, sticky="nsew")
        self.scroll.inside.columnconfigure(0, weight=1)
        self.scroll.inside.rowconfigure(0, weight=1)
        self.bars = CanvasView(
            self.scroll.inside,
            theme,
            lambda w, h: model.bars(room_of(theme, w, h), self.chosen),
            (1, 1),
        )
        self.bars.grid(sticky="nsew")
        self.show_rows()

    def _wrap(self, event: tk.Event[tk.Misc]) -> None:
        """Break the sentence where the window ends, and keep room for three lines of it."""
        self.said.configure(wraplength=max(100, event.width - 8))
        self.rowconfigure(2, minsize=3 * self._theme.body.metrics("linespace"))

    def _make_list(self) -> None:
        columns: list[Column] = [(name, title, 1, "e") for name, (title, _) in SHOWN.items()]
        frame = self._list_frame = ScrollList(self, self._theme, columns, height=5)
        frame.grid(row=0, column=0, sticky="nsew")
        frame.configure(width=1)
        frame.grid_propagate(False)  # the columns scroll: they do not widen the window
        self.list = frame.list
        for name in SHOWN:
            self.list.heading(name, command=self._sorter(name))
        self._size_columns()
        self.list.bind("<<ThemeChanged>>", lambda _: self._size_columns())
        self.list.bind("<<TreeviewSelect>>", lambda _: self._row_chosen())

    def _size_columns(self) -> None:
        """Give every column the room that its texts need in the size of type that is set."""
        theme = self._theme
        self._list_frame.configure(height=round(7 * 1.45 * theme.body.metrics("linespace")))
        for name, (title, width) in SHOWN.items():
            anchor: Literal["w", "e"] = "w" if name in ("bot", "opponent") else "e"
            texts = [f"{title} ▾", *self._names(name)]
            least = max(theme.px(width), max(map(theme.strong.measure, texts)) + theme.px(3))
            self.list.heading(name, anchor=anchor)
            self.list.column(name, width=least, minwidth=least, anchor=anchor)

    def _names(self, column: str) -> list[str]:
        """Return the names that stand in *column*; they are as long as people make them."""
        if column not in ("bot", "opponent"):
            return []
        index = 0 if column == "bot" else 1
        return [self._model.label(pair[index]) for pair in self._model.rows]

    def _sorter(self, column: str) -> Callable[[], None]:
        return lambda: self.sort_by(column)

    def say(self, text: str, *, is_warning: bool = False) -> None:
        """Show a sentence under the rows."""
        self.said.configure(text=unbroken(text), style="Warning.TLabel" if is_warning else "TLabel")

    @property
    def chosen(self) -> Pair | None:
        """The pairing of the chosen row."""
        selection = self.list.selection()
        if not selection:
            return None
        bot, _, opponent = selection[0].partition("|")
        return bot, opponent

    def _row_chosen(self) -> None:
        if self.chosen is not None:
            self.say(self._model.sentence(self.chosen))
        self.bars.refresh()

    def sort_by(self, column: str) -> None:
        """Sort the rows by *column*; again: the other way round."""
        self._model.sort_by(column)
        self.show_rows()

    def show_rows(self) -> None:
        """Show every row, in its order; the chosen one stays chosen."""
        model = self._model
        pairs = model.order()
        # The bot of every row is said once, in the form, if there is only one.
        columns = list(SHOWN)
        self.list.configure(displaycolumns=columns if model.has_several else columns[1:])
        names = ["|".join(pair) for pair in pairs]
        there = set(self.list.get_children())
        self.list.delete(*(there - set(names)))
        for index, (pair, name) in enumerate(zip(pairs, names, strict=True)):
            if name in there:
                self.list.item(name, values=self._cells(pair))
                self.list.move(name, "", index)
            else:
                self.list.insert("", index, iid=name, values=self._cells(pair))
        for column, (title, _) in SHOWN.items():
            arrow = " ▾" if model.is_descending else " ▴"
            is_sorted = column == model.sorted_by
            self.list.heading(column, text=title + arrow * is_sorted)
        self._size_columns()
        height = model.bars_height(self._theme.body.metrics("linespace"))
        self.scroll.least = (1, round(height))
        self.scroll.fit()
        self.bars.refresh()

    def _cells(self, pair: Pair) -> list[str]:
        texts = dict(zip(COLUMNS, self._model.cells(pair), strict=True))
        return [texts[name] for name in SHOWN]
