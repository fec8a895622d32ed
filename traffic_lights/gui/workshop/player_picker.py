"""A list that opens over a tab and stays open while players are ticked."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Collection, Mapping
from functools import partial
from tkinter import ttk
from typing import Final

from traffic_lights.gui.kit.theme import Theme
from traffic_lights.gui.kit.widgets import button_row, focused_widget, put, stretch
from traffic_lights.gui.workshop.bot_list import SECTIONS, TICK, draw_tick_box
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
        self._opener: ttk.Button | None = None
        self._images: dict[tuple[bool, bool], tk.PhotoImage] = {}
        """The boxes of rows, by whether they are ticked and chosen."""
        stretch(self, row=1)
        acts: dict[str, Callable[[], object]] = {
            group.value: partial(self._toggle_group, group) for group in TICKED_AT_ONCE
        }
        row = put(ttk.Frame(self), row=0, columnspan=2, sticky="w", pady=(0, theme.px(1)))
        acts["All"] = partial(self._toggle_group, None)
        self.buttons = button_row(row, theme.px(1), acts)
        self.list = ttk.Treeview(self, show="tree", selectmode="browse", style="Bots.Treeview")
        self.list.grid(row=1, column=0, sticky="nsew")
        bar = put(ttk.Scrollbar(self, command=self.list.yview), row=1, column=1, sticky="ns")
        self.list.configure(yscrollcommand=bar.set)
        self.list.bind("<Button-1>", self._clicked)
        self.list.bind("<space>", lambda _: self._toggle(self.list.selection()))
        self.list.bind("<Return>", lambda _: self._toggle(self.list.selection()))
        self.list.bind("<<TreeviewSelect>>", lambda _: self._draw())
        for widget in (self.list, *self.buttons):
            widget.bind("<Escape>", self._escape)
            widget.bind("<FocusOut>", lambda _: self.after_idle(self._close_if_left))
        # Pictures must be deleted in the thread of Tk, which runs this.
        self.bind("<Destroy>", lambda _: self._images.clear())

    @property
    def is_open(self) -> bool:
        """Whether the list is shown."""
        return bool(self.winfo_manager())

    def open(self, opener: ttk.Button, entries: Mapping[str, Entry], ticked: set[str]) -> None:
        """Show *entries* under the button *opener*, those with the keys *ticked* ticked."""
        self._opener = opener
        self._entries = entries
        self.ticked = set(ticked)
        self._fill()
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
        if self.is_open and not str(focused_widget(self) or self).startswith(str(self)):
            self.close()

    # --- the rows ---

    def _fill(self) -> None:
        """Show a row for each player, under the headings of the list of bots."""
        colours = self._theme.colours
        self.list.delete(*self.list.get_children())
        self.list.tag_configure("heading", foreground=colours.muted, font=self._theme.strong)
        for title, groups in SECTIONS.items():
            part = [entry for entry in self._entries.values() if entry.group in groups]
            if part:
                self.list.insert("", "end", iid=title, text=title, tags=("heading",))
            for entry in part:
                self.list.insert("", "end", iid=entry.key, text=entry.name)
        names = [entry.name for entry in self._entries.values()]
        width = max(map(self._theme.body.measure, names), default=0) + self._theme.px(14)
        self.list.column("#0", width=width, minwidth=width)
        for is_ticked in (False, True):
            for is_chosen in (False, True):
                self._images[is_ticked, is_chosen] = self._box(is_ticked, is_chosen)
        first = next((row for row in self.list.get_children() if row in self._entries), "")
        if first:
            self.list.selection_set(first)
            self.list.focus(first)
        self._draw()

    def _box(self, is_ticked: bool, is_chosen: bool) -> tk.PhotoImage:
        theme = self._theme
        side = theme.px(TICK)
        image = tk.PhotoImage(master=self, width=side + theme.px(2), height=side)
        colour = theme.colours.accent if is_ticked else ""
        draw_tick_box(image, theme, colour, is_chosen=is_chosen)
        return image

    def _draw(self) -> None:
        chosen = self.list.selection()
        for key in self._entries:
            self.list.item(key, image=self._images[key in self.ticked, key in chosen])

    def _clicked(self, event: tk.Event[tk.Misc]) -> str:
        key = self.list.identify_row(event.y)
        self.list.focus_set()
        if key in self._entries:
            self.list.selection_set(key)
            self.list.focus(key)
            self._toggle((key,))
        return "break"  # otherwise Tk would choose a heading

    def _toggle(self, keys: Collection[str]) -> str:
        """Tick *keys*, or take their ticks away if all of them are ticked."""
        known = {key for key in keys if key in self._entries}
        if known:
            self.ticked = self.ticked - known if known <= self.ticked else self.ticked | known
            self._draw()
            self._on_tick(self.ticked)
        return "break"

    def _toggle_group(self, group: Group | None) -> None:
        """Tick all players of a *group*, or all there are; again: take the ticks away."""
        self._toggle([key for key, entry in self._entries.items() if group in (None, entry.group)])
