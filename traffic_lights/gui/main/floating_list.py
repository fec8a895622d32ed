"""A list that lies over the window until one of its rows is taken.

Escape, or a click elsewhere, closes it; that click does nothing else.
"""

import time
import tkinter as tk
from tkinter import ttk
from typing import Any

from traffic_lights.gui.kit.widgets import focused_widget, put, stretch
from traffic_lights.gui.main.context import Context
from traffic_lights.storage.words import fitted


class FloatingList(ttk.Frame):
    """Rows over the main window; a kind of list says in `take` what a click, Return or Space means.

    When the list is closed, *heir* gets the keyboard. The rows stand in row 1 of the grid.
    """

    def __init__(self, context: Context, heir: tk.Misc, **look: Any) -> None:
        super().__init__(context.root, style="Card.TFrame", padding=context.theme.px(2))
        self._context = context
        self._heir = heir
        self._texts: dict[str, str] = {}
        """The whole texts of the rows."""
        self._holders: list[tk.Misc] = []
        """The widgets in the list that can have the keyboard."""
        stretch(self, row=1, column=1)
        rows = ttk.Treeview(self, show="tree", selectmode="browse", **look)
        self.rows = put(rows, row=1, columnspan=2, sticky="nsew")
        bar = put(ttk.Scrollbar(self, command=rows.yview), row=1, column=2, sticky="ns")
        rows.configure(yscrollcommand=bar.set)
        rows.bind("<ButtonRelease-1>", lambda e: self._clicked_row(rows.identify_row(e.y)))
        for key in ("<Return>", "<KP_Enter>", "<space>"):
            rows.bind(key, lambda _: self._taken(rows.focus()))
        rows.bind("<Home>", lambda _: self.go_to(rows.get_children()[0]))
        rows.bind("<End>", lambda _: self.go_to(rows.get_children()[-1]))
        rows.bind("<Configure>", lambda _: self._fit_texts())
        self.hold(rows)
        # Clicks elsewhere in the program come here, at a place outside. While a button of the mouse
        # is down, X11 allows this only for a list that is visible.
        self.bind("<Map>", lambda _: self.grab_set())
        self.bind("<Button>", self._clicked)

    def add(self, row: str, text: str, **look: Any) -> None:
        """Add *row*; if its *text* is too long, it loses its middle rather than the end."""
        self._texts[row] = text
        self.rows.insert("", tk.END, row, text=text, **look)

    def _fit_texts(self) -> None:
        columns = [self.rows.column(column, "width") for column in self.rows.cget("columns")]
        room = self.rows.winfo_width() - sum(columns) - self._context.theme.px(4)
        for row, text in self._texts.items():
            shown = fitted(text, self._context.theme.body.measure, room, keeps_end=True)
            self.rows.item(row, text=shown)

    def _clicked(self, event: "tk.Event[tk.Misc]") -> None:
        is_inside = 0 <= event.x < self.winfo_width() and 0 <= event.y < self.winfo_height()
        if not is_inside:
            self.left()
            self.close()

    def hold(self, widget: tk.Misc) -> None:
        """Stay open while *widget*, which is in the list, has the keyboard."""
        self._holders.append(widget)
        widget.bind("<Escape>", lambda _: self.close())
        widget.bind("<FocusOut>", lambda _: self.master.after_idle(self._look_for_focus))

    def take(self, row: str) -> None:
        """Close the list and do what *row* means."""
        raise NotImplementedError

    def left(self) -> None:
        """Keep what was entered; called before the list closes without a choice or Escape."""

    def _clicked_row(self, row: str) -> str:
        self._context.list_clicked_at = time.monotonic()
        return self._taken(row)

    def _taken(self, row: str) -> str:
        if row:
            self.take(row)
        return "break"

    def go_to(self, row: str) -> str:
        """Choose *row*, in sight."""
        self.rows.selection_set(row)
        self.rows.focus(row)
        self.rows.see(row)
        return "break"

    def _look_for_focus(self) -> None:
        if self.winfo_exists() and focused_widget(self) not in self._holders:
            # If another program has the keyboard now, the list would get it back with the window.
            # Tk 8.6 can crash if it gives the keyboard to a widget that is destroyed.
            if self.focus_lastfor() in self._holders:
                self._heir.focus_set()
            self.left()
            self.destroy()

    def close(self) -> str:
        """Close the list and give the keyboard to the heir."""
        self._heir.focus_set()  # before, because Tk 8.6 can crash if what is destroyed has it
        self.destroy()
        return "break"
