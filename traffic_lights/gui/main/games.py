"""The list of recent games, which lies over the board until one is chosen."""

import tkinter as tk
from functools import partial
from tkinter import ttk

from traffic_lights.gui.kit.charts import fitted
from traffic_lights.gui.kit.widgets import focused_widget, put, stretch
from traffic_lights.gui.main.context import Context
from traffic_lights.play import texts


class GameList(ttk.Frame):
    """The other games with their days and results, the newest first.

    A click or Return brings one back. Escape, or a click elsewhere, closes the list.
    """

    def __init__(self, context: Context) -> None:
        theme = context.theme
        super().__init__(context.root, style="Card.TFrame", padding=theme.px(2))
        self._context = context
        stretch(self, row=1)
        label = ttk.Label(self, text="Recent games", style="SurfaceStrong.TLabel")
        put(label, row=0, sticky="w", pady=(0, theme.px(1)))
        rows = ttk.Treeview(self, show="tree", selectmode="browse", style="Bots.Treeview")
        self.rows = put(rows, row=1, sticky="nsew")
        bar = put(ttk.Scrollbar(self, command=self.rows.yview), row=1, column=1, sticky="ns")
        self.rows.configure(yscrollcommand=bar.set)
        self._texts = [texts.game_text(game) for game in context.session.history.others]
        for number in range(len(self._texts)):
            self.rows.insert("", tk.END, str(number))
        self.rows.bind("<Configure>", lambda event: self._fit_texts(event.width))
        self.rows.bind("<ButtonRelease-1>", lambda e: self._take(self.rows.identify_row(e.y)))
        for key in ("<Return>", "<KP_Enter>", "<space>"):
            self.rows.bind(key, lambda _: self._take(self.rows.focus()))
        self.rows.bind("<Home>", lambda _: self._go_to(0))
        self.rows.bind("<End>", lambda _: self._go_to(len(self._texts) - 1))
        self.rows.bind("<Escape>", lambda _: self.close())
        self.rows.bind("<FocusOut>", lambda _: context.root.after_idle(self._look_for_focus))
        self.rows.configure(height=min(len(self._texts), 8))
        self.place(in_=context.board, relx=0.5, rely=0, relwidth=1.0, anchor="n")
        self.lift()
        self._go_to(0)
        self.rows.focus_set()

    def _fit_texts(self, width: int) -> None:
        """Show the texts in a list of *width*; long names lose their middle rather than the end."""
        theme = self._context.theme
        room = width - theme.px(4)
        for number, text in enumerate(self._texts):
            shown = fitted(text, theme.body.measure, room, keeps_end=True)
            self.rows.item(str(number), text=shown)

    def _go_to(self, number: int) -> str:
        row = str(number)
        self.rows.selection_set(row)
        self.rows.focus(row)
        self.rows.see(row)
        return "break"

    def _take(self, row: str) -> str:
        if row:
            self.close()
            self._context.do(partial(self._context.session.go_to_game, int(row)))
        return "break"

    def _look_for_focus(self) -> None:
        if self.winfo_exists() and focused_widget(self) is not self.rows:
            self.destroy()

    def close(self) -> str:
        """Close the list and give the keyboard to the board."""
        # The focus moves first, because Tk 8.6 can crash if what is destroyed has it.
        self._context.board.focus_set()
        self.destroy()
        return "break"
