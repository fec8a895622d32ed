"""The scores of bots against opponents, as a grid of cells that can be chosen."""

import tkinter as tk
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from tkinter import ttk

from traffic_lights.gui.kit.widgets import put
from traffic_lights.gui.workshop import comparing
from traffic_lights.gui.workshop.evaluator import Pair
from traffic_lights.judging.evaluation import Row
from traffic_lights.players.roster import Entry


class ScoreGrid(ttk.Frame):
    """A column for each bot and a row for each opponent; a cell can be chosen."""

    def __init__(self, parent: tk.Misc, on_choose: Callable[[Pair], object]) -> None:
        super().__init__(parent)
        self._on_choose = on_choose
        self._chosen = tk.StringVar(self)
        self._cells: dict[Pair, ttk.Radiobutton] = {}

    def fill(self, bots: Sequence[Entry], opponents: Sequence[Entry]) -> None:
        """Have the cells of *bots* and *opponents*, empty."""
        pairs = [(bot.key, other.key) for bot in bots for other in opponents]
        if pairs == [*self._cells]:
            return
        self._cells = {}
        for old in self.winfo_children():
            old.destroy()
        for column, bot in enumerate(bots, 1):
            put(ttk.Label(self, text=bot.name, style="Strong.TLabel"), row=0, column=column)
            for row, other in enumerate(opponents, 1):
                cell = ttk.Radiobutton(
                    self, style="Score.Toolbutton", variable=self._chosen,
                    value=f"{bot.key}/{other.key}",
                    command=partial(self._on_choose, (bot.key, other.key)),
                )  # fmt: skip
                self._cells[bot.key, other.key] = put(
                    cell, row=row, column=column, sticky="ew", padx=2, pady=1
                )
        for row, other in enumerate(opponents, 1):
            put(ttk.Label(self, text=other.name), row=row, column=0, sticky="w", padx=(2, 12))

    def show(self, rows: Mapping[Pair, Row], chosen: Pair) -> None:
        """Show the scores of *rows*, and which pair is *chosen*."""
        self._chosen.set("/".join(chosen))
        for pair, cell in self._cells.items():
            text = step = ""
            if row := rows.get(pair):
                text = comparing.score_text(row)
                # Half of the games is all that anybody can win against the exact player.
                most = 0.5 if row.opponent.key == "exact" else 1.0
                if (score := comparing.score_of(row)) is not None:
                    step = str(round(8 * min(1.0, score / most)))
            cell.configure(text=text, style=f"Score{step}.Toolbutton")
