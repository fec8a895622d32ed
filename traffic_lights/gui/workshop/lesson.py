"""The replay of a lesson: the user's last game, and then what the bot learns from it, backwards."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk
from typing import Final

from traffic_lights.board.rules import EMPTY_BOARD, Action, format_cell
from traffic_lights.gui.main.context import Context
from traffic_lights.learning.lesson import LessonStep, lesson
from traffic_lights.learning.qtable import QTable
from traffic_lights.training.history import settings_of_last_run
from traffic_lights.training.settings import RunSettings

NO_GAME: Final = (
    "Finish a game in the main window first. Then see here what the bot learns from it."
)
NOTHING: Final = "The bot has solved this game already, so it learns nothing from it."
READY: Final = "Replay My Game shows your last game, and then what the bot learns from it."


class LessonBar(ttk.Frame):
    """Steps through a game and its lesson; *show* puts moves from the empty board on a board."""

    def __init__(
        self, parent: tk.Misc, context: Context, show: Callable[[list[Action]], object]
    ) -> None:
        super().__init__(parent)
        self._context, self._show = context, show
        self._table: QTable | None = None
        self._frames: list[tuple[list[Action], str]] = []
        """The moves on the board at each step, and the sentence about it."""
        self._at = 0
        self.start = ttk.Button(self, text="Replay My Game", command=self.replay)
        self.back = ttk.Button(self, text="Step Back", command=lambda: self.step(-1))
        self.next = ttk.Button(self, text="Step", command=lambda: self.step(1))
        for number, button in enumerate((self.start, self.back, self.next)):
            button.grid(row=0, column=number, padx=(0, context.theme.px(2)))
        self.columnconfigure(3, weight=1)
        self.text = ttk.Label(self, anchor="w", width=1)
        self.text.grid(row=1, column=0, columnspan=4, sticky="ew", pady=(context.theme.px(1), 0))
        self.use(None)

    def use(self, table: QTable | None) -> None:
        """Give lessons to the bot of *table*; without a table there are none."""
        self._table, self._frames = table, []
        self._draw(READY if table is not None else "")

    def replay(self) -> None:
        """Begin with the game in the main window."""
        game, table = self._context.session.game, self._table
        if table is None or game.start != EMPTY_BOARD or not game.is_over:
            self._draw(NO_GAME)
            return
        seat = next((n for n, player in enumerate(game.players) if not player.is_human), 1)
        settings = settings_of_last_run(table.meta)
        rule, alpha, gamma = settings.update, settings.alpha, settings.gamma

        def done(steps: list[LessonStep]) -> None:
            if table is self._table and self.winfo_exists():
                self._take(list(game.actions), steps, settings)

        self._context.jobs.run(
            lambda: lesson(table, game.actions, seat, rule, alpha, gamma),
            done,
            self._context.failed,
        )

    def _take(self, actions: list[Action], steps: list[LessonStep], settings: RunSettings) -> None:
        self._frames = [
            (actions[: number + 1], f"Move {number + 1}: {format_cell(action)}.")
            for number, action in enumerate(actions)
        ]
        self._frames += [(actions[: s.number + 1], s.text(settings.alpha)) for s in steps]
        if not steps:
            self._frames.append((actions, NOTHING))
        self._at = 0
        self.step(0)

    def step(self, by: int) -> None:
        """Go *by* steps on."""
        self._at = min(max(self._at + by, 0), len(self._frames) - 1)
        moves, text = self._frames[self._at]
        self._show(list(moves))
        self._draw(text)

    def _draw(self, text: str) -> None:
        self.text.configure(text=text)
        last = len(self._frames) - 1
        for button, can in (
            (self.start, self._table is not None),
            (self.back, self._at > 0 and last > 0),
            (self.next, self._at < last),
        ):
            button.state(["!disabled" if can else "disabled"])
