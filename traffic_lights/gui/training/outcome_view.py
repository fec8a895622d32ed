"""What the training window says of a run, and under it the ways on."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk

from traffic_lights.gui.kit.keys import focused_widget
from traffic_lights.gui.kit.theme import Theme
from traffic_lights.gui.training.outcome import Actions
from traffic_lights.gui.training.run_buttons import pressable
from traffic_lights.system.words import unbroken


class OutcomeView(ttk.Frame):
    """A sentence, and two columns of buttons that come and go."""

    def __init__(self, parent: tk.Misc, theme: Theme) -> None:
        super().__init__(parent)
        self._theme = theme
        self.actions: tuple[str, ...] = ()
        """What the buttons say, the main one first."""
        self.main: ttk.Button | None = None
        """The first of them; None if there are none."""
        self.columnconfigure(0, weight=1)
        self.said = ttk.Label(self, justify=tk.LEFT, anchor="w")
        self.said.grid(row=0, column=0, sticky="ew")
        self._buttons = ttk.Frame(self)
        self._buttons.columnconfigure((0, 1), weight=1, uniform="ends")
        self._buttons.grid(row=1, column=0, sticky="ew", pady=(theme.px(1), 0))

    def show(
        self,
        text: str,
        actions: Actions,
        otherwise: Callable[[], tk.Misc],
        *,
        is_warning: bool = False,
    ) -> None:
        """Say *text* and offer *actions*; the first new one gets the keyboard.

        If buttons that had it are gone and there is none, the widget *otherwise* gets it.
        """
        self.said.configure(text=unbroken(text), style="Warning.TLabel" if is_warning else "TLabel")
        if tuple(actions) == self.actions:
            return
        self.actions = tuple(actions)
        self.main = None
        had_focus = focused_widget(self) in self._buttons.winfo_children()
        for child in self._buttons.winfo_children():
            child.destroy()
        self._make(actions)
        if actions or had_focus:
            first = self.main or otherwise()
            if focused_widget(self) is not None:
                first.focus_set()

    def _make(self, actions: Actions) -> None:
        gap = self._theme.px(0.5)
        for number, (words, act) in enumerate(actions.items()):
            style = "Accent.TButton" if number == 0 else "TButton"
            button = pressable(self._buttons, words, act, style)
            self.main = self.main or button
            row, column = divmod(number, 2)
            button.grid(row=row, column=column, sticky="ew", padx=(0, gap * 2), pady=gap)
