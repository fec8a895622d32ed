"""The form of the evaluation window: which bots, against whom, how many games."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence
from tkinter import ttk
from typing import Final

from traffic_lights.gui.evaluation.model import MOST_GAMES
from traffic_lights.gui.kit.scroll import ScrollFrame
from traffic_lights.gui.kit.theme import Theme
from traffic_lights.players.contestants import standard_opponents
from traffic_lights.system.typed_numbers import MOST_SEED, whole_number
from traffic_lights.workers.evaluation import Contender, EvaluationTask

GAMES: Final = "2,000"
_COMPLAINTS: Final = {
    "games": f"A whole number from 1 to {MOST_GAMES:,}.",
    "seed": "A whole number from 0, below 2^63.",
}


class CheckList(ScrollFrame):
    """Check boxes under one another, which scroll: one stop of Tab, within which arrows move."""

    def __init__(self, parent: tk.Misc, theme: Theme, on_change: Callable[[], None]) -> None:
        super().__init__(parent, theme, across=True)
        self.canvas.configure(width=theme.px(56), height=theme.px(20))
        self._on_change = on_change
        self.variables: dict[str, tk.BooleanVar] = {}
        self.boxes: dict[str, ttk.Checkbutton] = {}

    def offer(self, contenders: Sequence[Contender], chosen: Sequence[str]) -> None:
        """Show *contenders*, those of the keys *chosen* checked."""
        for box in self.boxes.values():
            box.destroy()
        self.variables = {c.key: tk.BooleanVar(self, c.key in chosen) for c in contenders}
        self.boxes = {}
        for contender in contenders:
            box = ttk.Checkbutton(
                self.inside,
                text=contender.label,
                variable=self.variables[contender.key],
                command=self._on_change,
            )
            box.grid(sticky="w")
            box.bind("<FocusIn>", lambda _, b=box: self._stop_at(b))  # type: ignore[misc]
            for key, steps in (("<Up>", -1), ("<Down>", 1)):
                box.bind(key, lambda _, b=box, n=steps: self._move(b, n))  # type: ignore[misc]
            self.boxes[contender.key] = box
        if self.boxes:
            self._stop_at(next(iter(self.boxes.values())))

    def _stop_at(self, here: ttk.Checkbutton) -> None:
        """Let Tab come to the box *here* alone."""
        for box in self.boxes.values():
            box.configure(takefocus="" if box is here else 0)

    def _move(self, here: ttk.Checkbutton, steps: int) -> None:
        """Give the keyboard to the box *steps* below *here*, from the last to the first."""
        boxes = list(self.boxes.values())
        boxes[(boxes.index(here) + steps) % len(boxes)].focus_set()

    def chosen(self) -> list[str]:
        """Return the keys that are checked, in their order."""
        return [key for key, variable in self.variables.items() if variable.get()]

    def choose(self, keys: Sequence[str]) -> None:
        """Check *keys* and no others."""
        for key, variable in self.variables.items():
            variable.set(key in keys)
        self._on_change()

    def enable(self, is_enabled: bool) -> None:
        """Allow or forbid changes."""
        for box in self.boxes.values():
            box.configure(state=tk.NORMAL if is_enabled else tk.DISABLED)


class EvaluationForm(ttk.Frame):
    """Bots, opponents, games, seed."""

    def __init__(self, parent: tk.Misc, theme: Theme, on_change: Callable[[], None]) -> None:
        super().__init__(parent)
        self._theme = theme
        self._on_change = on_change
        self._contenders: dict[str, Contender] = {}
        self.variables: dict[str, tk.StringVar] = {}
        self.widgets: dict[str, ttk.Entry] = {}
        self.complaints: dict[str, ttk.Label] = {}
        self.columnconfigure(1, weight=1)
        ttk.Label(self, text="Bots", style="Strong.TLabel").grid(columnspan=2, sticky="w")
        self.bots = CheckList(self, theme, self.check)
        self.bots.grid(row=1, column=0, columnspan=2, sticky="nsew", pady=(0, theme.px(2)))
        self.rowconfigure(1, weight=2)
        ttk.Label(self, text="Against", style="Strong.TLabel").grid(
            row=2, column=0, columnspan=2, sticky="w"
        )
        self.opponents = CheckList(self, theme, self.check)
        self.opponents.grid(row=3, column=0, columnspan=2, sticky="nsew", pady=(0, theme.px(2)))
        self.rowconfigure(3, weight=3)
        self._add(4, "games", "Games each", GAMES)
        self._add(6, "seed", "Seed", "1")

    def _add(self, row: int, name: str, text: str, value: str) -> None:
        theme = self._theme
        ttk.Label(self, text=text).grid(
            row=row, column=0, sticky="w", padx=(0, theme.px(2)), pady=theme.px(0.5)
        )
        self.variables[name] = variable = tk.StringVar(self, value)
        entry = ttk.Entry(self, textvariable=variable, width=12, font=theme.body)
        entry.grid(row=row, column=1, sticky="ew", pady=theme.px(0.5))
        # Its line is kept free: a complaint moves nothing.
        complaint = ttk.Label(self, text=" ", style="Warning.TLabel")
        complaint.grid(row=row + 1, column=0, columnspan=2, sticky="w")
        self.widgets[name], self.complaints[name] = entry, complaint
        variable.trace_add("write", lambda *_: self.check())

    def offer(self, contenders: Sequence[Contender]) -> None:
        """Offer *contenders*; what was chosen before stays chosen."""
        first = next((c.key for c in contenders if c.has_table), "")
        bots = self.bots.chosen() or [first]
        opponents = self.opponents.chosen() or list(standard_opponents())
        self._contenders = {contender.key: contender for contender in contenders}
        with_tables = [c for c in contenders if c.has_table]
        others = [c for c in contenders if not c.has_table]
        self.bots.offer([*with_tables, *others], bots)
        self.opponents.offer([*reversed(others), *reversed(with_tables)], opponents)
        self.check()

    def choose_bot(self, key: str) -> None:
        """Choose the bot of *key* alone."""
        self.bots.choose([key])

    def numbers(self) -> tuple[int | None, int | None]:
        """Return games and seed; None for each that is no such number."""
        games = whole_number(self.variables["games"].get(), 1, MOST_GAMES)
        return games, whole_number(self.variables["seed"].get(), 0, MOST_SEED)

    def check(self) -> None:
        """Mark what is wrong, and say so."""
        for name, value in zip(("games", "seed"), self.numbers(), strict=True):
            is_wrong = value is None
            self.widgets[name].configure(style="Wrong.TEntry" if is_wrong else "TEntry")
            self.complaints[name].configure(text=_COMPLAINTS[name] if is_wrong else " ")
        self._on_change()

    def task(self) -> EvaluationTask | None:
        """Return what to evaluate; None if that is not said, or wrong."""
        games, seed = self.numbers()
        bots = tuple(self._contenders[key] for key in self.bots.chosen())
        opponents = tuple(self._contenders[key] for key in self.opponents.chosen())
        if games is None or seed is None or not bots or not opponents:
            return None
        return EvaluationTask(bots, opponents, games, seed)

    def bot_to_prove(self) -> Contender | None:
        """Return the first chosen bot that has a table."""
        chosen = (self._contenders[key] for key in self.bots.chosen())
        return next((bot for bot in chosen if bot.has_table), None)

    def enable(self, is_enabled: bool) -> None:
        """Allow or forbid changes."""
        self.bots.enable(is_enabled)
        self.opponents.enable(is_enabled)
        for entry in self.widgets.values():
            entry.configure(state=tk.NORMAL if is_enabled else tk.DISABLED)
