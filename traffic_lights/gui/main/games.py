"""The list of recent games, which lies over the board until one is chosen."""

import tkinter as tk
from functools import partial
from tkinter import ttk

from traffic_lights.gui.kit.widgets import put
from traffic_lights.gui.main.context import Context
from traffic_lights.gui.main.floating_list import FloatingList
from traffic_lights.play import texts
from traffic_lights.storage.words import fitted


class GameList(FloatingList):
    """The other games with their days and results, the newest first; taking one brings it back."""

    def __init__(self, context: Context) -> None:
        theme = context.theme
        super().__init__(context.root, theme, context.board, style="Bots.Treeview")
        self._context = context
        label = ttk.Label(self, text="Recent games", style="SurfaceStrong.TLabel")
        put(label, row=0, columnspan=2, sticky="w", pady=(0, theme.px(1)))
        self._texts = [texts.game_text(game) for game in context.session.history.others]
        for number in range(len(self._texts)):
            self.rows.insert("", tk.END, str(number))
        self.rows.bind("<Configure>", lambda event: self._fit_texts(event.width))
        self.rows.configure(height=min(len(self._texts), 8))
        self.place(in_=context.board, relx=0.5, rely=0, relwidth=1.0, anchor="n")
        self.lift()
        self.go_to("0")
        self.rows.focus_set()

    def _fit_texts(self, width: int) -> None:
        """Show the texts in a list of *width*; long names lose their middle rather than the end."""
        theme = self._context.theme
        room = width - theme.px(4)
        for number, text in enumerate(self._texts):
            shown = fitted(text, theme.body.measure, room, keeps_end=True)
            self.rows.item(str(number), text=shown)

    def take(self, row: str) -> None:
        self.close()
        self._context.do(partial(self._context.session.go_to_game, int(row)))
