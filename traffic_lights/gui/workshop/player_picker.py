"""A list that opens over a tab and stays open while players are ticked."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Collection, Mapping
from functools import partial
from tkinter import ttk
from typing import Final

from traffic_lights.gui.kit.theme import Theme
from traffic_lights.gui.kit.widgets import (
    button_row,
    focused_widget,
    has_focus_inside,
    put,
    stretch,
)
from traffic_lights.gui.workshop.bot_list import BotList
from traffic_lights.players.roster import Entry, Group

TICKED_AT_ONCE: Final = (Group.LEVEL, Group.OWN, Group.BASELINE)
"""The kinds of players that a button ticks all of."""
SHOWN: Final = 14
"""The rows that the list shows at once, as far as there is room."""


class PlayerPicker(ttk.Frame):
    """Lists all players, each with a tick; *on_tick* is called with the ticked keys.

    A click or Space ticks a row, and a button ticks a kind of players, or takes those ticks away.
    Escape, a press on the button that has opened it, or a click elsewhere closes it.
    """

    def __init__(
        self, parent: tk.Misc, theme: Theme, on_tick: Callable[[set[str]], object]
    ) -> None:
        # It lies in the window, because a tab would scroll to show the widget with the focus.
        super().__init__(
            parent.winfo_toplevel(), style="Card.TFrame", padding=theme.px(2), takefocus=0
        )
        self._theme = theme
        self._on_tick = on_tick
        self._entries: Mapping[str, Entry] = {}
        self.ticked: set[str] = set()
        """The keys of the ticked players."""
        self._at = ""
        """The key of the row that Space ticks."""
        self._opener: ttk.Button | None = None
        stretch(self, row=1)
        acts: dict[str, Callable[[], object]] = {
            group.value: partial(self._toggle_group, group) for group in TICKED_AT_ONCE
        }
        row = put(ttk.Frame(self), row=0, columnspan=2, sticky="w", pady=(0, theme.px(1)))
        acts["All"] = partial(self._toggle_group, None)
        self.buttons = button_row(row, theme.px(1), acts)
        self.list = BotList(
            self, theme, self._go_to, lambda key: self._toggle([key]), only_ticks=True
        )
        self.list.grid(row=1, column=0, sticky="nsew")
        bar = put(ttk.Scrollbar(self, command=self.list.yview), row=1, column=1, sticky="ns")
        self.list.configure(yscrollcommand=bar.set)
        self.list.bind("<Return>", lambda _: self._toggle([self.list.chosen]))
        for widget in (self.list, *self.buttons):
            widget.bind("<Escape>", self._escape)
            widget.bind("<FocusOut>", lambda _: self.after_idle(self._close_if_left))

    @property
    def is_open(self) -> bool:
        """Whether the list is shown."""
        return bool(self.winfo_manager())

    def open(self, opener: ttk.Button, entries: Mapping[str, Entry], ticked: set[str]) -> None:
        """Show *entries* under the button *opener*, those with the keys *ticked* ticked."""
        self._opener = opener
        self._entries = entries
        self.ticked = set(ticked)
        self._go_to("")  # the first row
        holder = self.master
        x = opener.winfo_rootx() - holder.winfo_rootx()
        y = opener.winfo_rooty() + opener.winfo_height() - holder.winfo_rooty()
        self.list.configure(height=SHOWN)
        self.update_idletasks()
        height = min(self.winfo_reqheight(), max(holder.winfo_height() - y, 1))
        x = max(0, min(x, holder.winfo_width() - self.winfo_reqwidth()))
        self.place(x=x, y=y, height=height)
        self.lift()
        self.list.focus_set()

    def close(self) -> None:
        """Hide the list."""
        self.place_forget()

    def _escape(self, _: object) -> str:
        self.close()
        if self._opener is not None:
            self._opener.focus_set()
        return "break"  # the window would close

    def _close_if_left(self) -> None:
        """Close the list if the focus has gone elsewhere."""
        if self.is_open and focused_widget(self) is not None and not has_focus_inside(self):
            self.close()

    # --- the rows ---

    def _go_to(self, key: str) -> None:
        self._at = key
        self._draw()

    def _draw(self) -> None:
        """Show all players with their ticks, and their names whole."""
        ticked = self._theme.colours.accent
        boxes = {key: ticked if key in self.ticked else "" for key in self._entries}
        entries = self._entries.values()
        self.list.show(entries, boxes, self.ticked, self._at, has_whole_names=True)

    def _toggle(self, keys: Collection[str]) -> str:
        """Tick *keys*, or take their ticks away if all of them are ticked."""
        wanted = set(keys)
        all_ticked = wanted <= self.ticked
        self.ticked = self.ticked - wanted if all_ticked else self.ticked | wanted
        self._draw()
        self._on_tick(self.ticked)
        return "break"

    def _toggle_group(self, group: Group | None) -> None:
        """Tick all players of a *group*, or all there are; again: take the ticks away."""
        self._toggle([key for key, entry in self._entries.items() if group in (None, entry.group)])
