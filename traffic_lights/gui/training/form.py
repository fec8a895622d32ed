"""The form of the training window: what to train, and how."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from tkinter import ttk
from tkinter.font import Font
from typing import Any, Final

from traffic_lights.gui.kit.theme import Theme
from traffic_lights.gui.training.form_model import (
    EPSILONS,
    FIELDS,
    RECOMMENDED,
    UPDATES,
    about,
    programmes,
    promise,
    read,
    updates,
    uses_epsilon,
)
from traffic_lights.training.notes import LONGEST_NAME
from traffic_lights.training.own_tables import OwnTable

NEW_TABLE: Final = "A new table"
_MORE: Final = {"update", "alpha", *EPSILONS, "seed"}
"""The fields that are hidden until they are asked for."""
_UNFINISHED: Final = "It goes on as it was begun, with its own settings."


def lines_of(text: str, font: Font, width: int) -> int:
    """Return into how many lines a label of that *width* breaks *text* at most."""
    lines, left = 1, 0
    for word in text.split():
        size = font.measure(word + " ")
        if left and left + size > width:
            lines, left = lines + 1, 0
        left += size
    return lines


@dataclass(frozen=True, slots=True)
class Draft:
    """What was in a form when its window was closed."""

    texts: dict[str, str]
    name: str
    base: str
    """The key of the table to go on from; empty for a new one."""
    is_wide: bool


class TrainingForm(ttk.Frame):
    """Fields with a complaint under each that is wrong; *on_change* hears whether all is well."""

    def __init__(
        self, parent: tk.Misc, theme: Theme, on_change: Callable[[bool], None], free_name: str
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._on_change = on_change
        self._tables: list[OwnTable] = []
        self._row = 0
        self._is_enabled = True
        self._is_setting = False
        self.variables: dict[str, tk.StringVar] = {}
        self.widgets: dict[str, ttk.Entry | ttk.Combobox] = {}
        self.complaints: dict[str, ttk.Label] = {}
        self._labels: dict[str, ttk.Label] = {}
        self.columnconfigure(1, weight=1)
        self._add_choice("start", "Start from", [NEW_TABLE])
        self._add_entry("name", "Its name", free_name)
        self._add_choice("programme", "Programme", list(programmes().values()))
        self.about = ttk.Label(self, style="Muted.TLabel", justify=tk.LEFT, anchor="nw")
        self._about_row = self._next()
        self.about.grid(row=self._about_row, column=0, columnspan=2, sticky="nw")
        self._add_entry("games", "Games", "")
        self.more = ttk.Button(self, command=lambda: self.show_more(not self.is_wide))
        self.more.bind("<Return>", self._more_pressed)
        self.more.grid(row=self._next(), column=0, columnspan=2, sticky="w", pady=theme.px(1))
        self.is_wide = True
        """Whether the fields of lesser use are shown."""
        self._add_choice("update", "Update rule", list(UPDATES.values()))
        for field in FIELDS[1:]:
            self._add_entry(field.name, field.label, "")
        self.bind("<Configure>", lambda _: self._wrap())
        self.bind("<<ThemeChanged>>", lambda _: self._wrap())
        self.recommend()
        self.show_more(False)

    def _wrap(self) -> None:
        """Keep room for the longest of the texts about programmes: what is below stays in place."""
        width = max(100, self.winfo_width())
        lines = max(
            lines_of(text, self._theme.body, width)
            for text in (*map(about, programmes()), _UNFINISHED)
        )
        self.about.configure(wraplength=width)
        height = lines * self._theme.body.metrics("linespace")
        self.rowconfigure(self._about_row, minsize=height + self._theme.px(1))

    def _more_pressed(self, _: tk.Event[tk.Misc]) -> str:
        self.more.invoke()
        return "break"

    def show_more(self, is_wide: bool) -> None:
        """Show the fields of lesser use, or hide them."""
        self.is_wide = is_wide
        self.more.configure(text="Fewer Settings" if is_wide else "More Settings")
        for name in _MORE:
            for part in (self._labels[name], self.widgets[name], self.complaints[name]):
                part.grid() if is_wide else part.grid_remove()
        self.check()

    def _next(self) -> int:
        self._row += 1
        return self._row

    def _label(self, name: str, text: str, widget: ttk.Entry | ttk.Combobox) -> None:
        theme, row = self._theme, self._next()
        label = self._labels[name] = ttk.Label(self, text=text)
        label.grid(row=row, column=0, sticky="w", padx=(0, theme.px(2)), pady=theme.px(0.5))
        widget.grid(row=row, column=1, sticky="ew", pady=theme.px(0.5))
        # Its line is kept free: a complaint moves nothing.
        complaint = ttk.Label(self, style="Warning.TLabel", text=" ")
        complaint.grid(row=self._next(), column=0, columnspan=2, sticky="w")
        self.widgets[name] = widget
        self.complaints[name] = complaint

    def _add_entry(self, name: str, text: str, value: str) -> None:
        self.variables[name] = variable = tk.StringVar(self, value)
        entry = ttk.Entry(self, textvariable=variable, width=12, font=self._theme.body)
        self._label(name, text, entry)
        variable.trace_add("write", lambda *_: self.check())

    def _add_choice(self, name: str, text: str, values: list[str]) -> None:
        box = ttk.Combobox(self, values=values, state="readonly", width=22, font=self._theme.body)
        box.current(0)
        box.bind("<<ComboboxSelected>>", lambda _: self._chosen(name, box))
        self._label(name, text, box)

    def _chosen(self, name: str, box: ttk.Combobox) -> None:
        box.selection_clear()
        if name == "start":
            self._choose_start()
        self.check()

    # --- what it holds ---

    def offer_tables(self, tables: Sequence[OwnTable], chosen: str = "") -> None:
        """Offer to go on from *tables*; choose the one with the key *chosen*."""
        self._tables = list(tables)
        box = self._box("start")
        box.configure(values=[NEW_TABLE, *(table.name for table in tables)])
        keys = ["", *(table.key for table in tables)]
        box.current(keys.index(chosen) if chosen in keys else 0)

    def choose_table(self, key: str) -> None:
        """Choose to train the table *key* further."""
        self.offer_tables(self._tables, key)
        self._choose_start()
        self.check()

    def _choose_start(self) -> None:
        base = self.base
        if base is not None:
            self.variables["name"].set(base.name)

    @property
    def base(self) -> OwnTable | None:
        """The table to go on from; None for a new one."""
        index = self._box("start").current()
        return self._tables[index - 1] if 0 < index <= len(self._tables) else None

    @property
    def name(self) -> str:
        """What the table will be called."""
        return self.variables["name"].get().strip()

    def _is_taken(self) -> bool:
        others = (table for table in self._tables if table != self.base)
        return self.name.casefold() in {table.name.casefold() for table in others}

    def texts(self) -> dict[str, str]:
        """Return what the fields of the settings hold."""
        texts = {field.name: self.variables[field.name].get() for field in FIELDS}
        texts["programme"] = list(programmes())[max(0, self._box("programme").current())]
        texts["update"] = list(UPDATES)[max(0, self._box("update").current())]
        return texts

    def promise(self) -> str:
        """Return what comes of the run that the form describes."""
        return _UNFINISHED if self._goes_on() else promise(self.texts())

    def wanted(self) -> dict[str, Any] | None:
        """Return the settings asked for, none for a run to be continued; None if any is wrong."""
        if self._goes_on():
            return {}
        return read(self.texts())[0]

    def _goes_on(self) -> bool:
        base = self.base
        return base is not None and not base.facts.is_finished

    def recommend(self) -> None:
        """Put the recommended settings into the fields."""
        self.fill(dict(RECOMMENDED))

    def fill(self, texts: dict[str, str]) -> None:
        """Put *texts*, by field, into the fields of the settings."""
        self._is_setting = True
        for field in FIELDS:
            self.variables[field.name].set(texts[field.name])
        self._box("programme").current(list(programmes()).index(texts["programme"]))
        self._box("update").current(list(UPDATES).index(texts["update"]))
        self._is_setting = False
        self.check()

    def draft(self) -> Draft:
        """Return what the form holds."""
        return Draft(self.texts(), self.name, self.base.key if self.base else "", self.is_wide)

    def restore(self, draft: Draft) -> None:
        """Hold what was in *draft*, as far as its table is there and its name still free."""
        free_name = self.name
        self.offer_tables(self._tables, draft.base)
        self.variables["name"].set(draft.name)
        if self._is_taken():
            self.variables["name"].set(self.base.name if self.base is not None else free_name)
        self.fill(draft.texts)
        self.show_more(draft.is_wide)

    def _box(self, name: str) -> ttk.Combobox:
        box = self.widgets[name]
        assert isinstance(box, ttk.Combobox)
        return box

    # --- right and wrong ---

    def check(self) -> bool:
        """Mark what is wrong, say so, and return whether all is well."""
        if self._is_setting:
            return False
        complaints = {} if self._goes_on() else read(self.texts())[1]
        if not self.name:
            complaints["name"] = "A name, to find it again."
        elif len(self.name) > LONGEST_NAME:
            complaints["name"] = f"At most {LONGEST_NAME} letters."
        elif self._is_taken():
            complaints["name"] = "Another table has this name."
        if not self.is_wide and complaints.keys() & _MORE:
            self.show_more(True)  # nothing that is wrong stays out of sight
            return False
        for name, label in self.complaints.items():
            text = complaints.get(name, "")
            label.configure(text=text or " ")
            kind = "TCombobox" if isinstance(self.widgets[name], ttk.Combobox) else "TEntry"
            self.widgets[name].configure(style=f"Wrong.{kind}" if text else kind)
        self._show_about()
        self._enable_fields()
        self._on_change(not complaints)
        return not complaints

    def _show_about(self) -> None:
        programme = self.texts()["programme"]
        self.about.configure(text=_UNFINISHED if self._goes_on() else about(programme))
        box = self._box("update")
        chosen = max(0, box.current())
        box.configure(values=updates(programme))
        box.current(chosen)

    def enable(self, is_enabled: bool) -> None:
        """Allow or forbid changes."""
        self._is_enabled = is_enabled
        self._enable_fields()

    def _enable_fields(self) -> None:
        goes_on = self._goes_on()
        explores = uses_epsilon(self.texts()["programme"])
        for name, widget in self.widgets.items():
            can = self._is_enabled
            if name not in ("start", "name"):
                can = can and not goes_on
            if name in EPSILONS:
                can = can and explores
            normal = "readonly" if isinstance(widget, ttk.Combobox) else "normal"
            widget.configure(state=normal if can else "disabled")
