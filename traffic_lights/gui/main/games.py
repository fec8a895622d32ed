"""The list of recent games, which lies over the board until one is chosen."""

from functools import partial
from tkinter import ttk

from traffic_lights.gui.kit.widgets import put
from traffic_lights.gui.main.context import Context
from traffic_lights.gui.main.floating_list import FloatingList
from traffic_lights.play import texts


class GameList(FloatingList):
    """The other games with their days and results, the newest first; taking one brings it back."""

    def __init__(self, context: Context) -> None:
        theme = context.theme
        super().__init__(context, context.window.board, style="Bots.Treeview")
        label = ttk.Label(self, text="Recent games", style="SurfaceStrong.TLabel")
        put(label, row=0, columnspan=2, sticky="w", pady=(0, theme.px(1)))
        others = context.session.history.others
        for number, game in enumerate(others):
            self.add(str(number), texts.game_text(game))
        self.rows.configure(height=min(len(others), 8))
        self.place(in_=context.window.board, relx=0.5, rely=0, relwidth=1.0, anchor="n")
        self.lift()
        self.go_to("0")
        self.rows.focus_set()

    def take(self, row: str) -> None:
        self.close()
        self._context.do(partial(self._context.session.go_to_game, int(row)))
