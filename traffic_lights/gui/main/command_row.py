"""The row of buttons under the board; the view says what each runs and is called."""

import tkinter as tk
from collections.abc import Callable
from functools import partial
from tkinter import ttk

from traffic_lights.gui.kit.widgets import enable, focused_widget
from traffic_lights.gui.main.context import Context
from traffic_lights.play.view import PLACES, View


class CommandRow(ttk.Frame):
    """Buttons that *run* a command by its name, unless *why_not* returns why it does not apply.

    That reason is given to *explain* while the pointer is on the button; then it gets "".
    """

    def __init__(
        self,
        parent: tk.Misc,
        context: Context,
        *,
        run: Callable[[str], object],
        why_not: Callable[[str], str],
        explain: Callable[[str], object],
    ) -> None:
        super().__init__(parent)
        self._context = context
        self._run = run
        self._why_not = why_not
        self._explain = explain
        self.names: list[str] = []
        """The command that the button in each place runs now."""
        self.buttons = [
            ttk.Button(self, command=partial(self._press, place)) for place in range(PLACES)
        ]
        for place, button in enumerate(self.buttons):
            button.grid(row=0, column=place, sticky="nsew", padx=(2 * (place > 0), 0))
            self.columnconfigure(place, weight=1)
            for event in ("<Enter>", "<Button-1>"):
                button.bind(event, partial(self._point, place), add=True)
            button.bind("<Leave>", lambda _: explain(""))

    def show(self, shown: View) -> None:
        """Have the buttons that are *shown*; those whose commands do not apply are grey."""
        self.names = list(shown.buttons)
        for button, (name, text) in zip(self.buttons, shown.buttons.items(), strict=True):
            is_main = name == shown.main
            style = "Tight.Accent.TButton" if is_main else "Tight.TButton"
            button.configure(text=text, style=style)
            is_off = bool(self._why_not(name))
            enable(button, not is_off)
            if is_off and focused_widget(button) is button:  # where no key does anything
                self._context.window.board.focus_set()

    def _press(self, place: int) -> None:
        self._run(self.names[place])

    def _point(self, place: int, _: object) -> None:
        self._explain(self._why_not(self.names[place]))
