"""The buttons that every state of a run has, each always in its place."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Mapping
from tkinter import ttk

from traffic_lights.gui.kit.keys import focused_widget
from traffic_lights.gui.kit.theme import Theme
from traffic_lights.gui.training.model import STOPPABLE, RunModel, RunPhase


def pressable(
    parent: tk.Misc, words: str, act: Callable[[], object], style: str = "TButton"
) -> ttk.Button:
    """Return a button that Return presses too, and then means nothing else in its window."""
    button = ttk.Button(parent, text=words, command=act, style=style)

    def press(_: tk.Event[tk.Misc]) -> str:
        button.invoke()
        return "break"

    button.bind("<Return>", press)
    return button


class RunButtons(ttk.Frame):
    """Two columns of buttons that do *actions*, by their words; those of no use are greyed."""

    def __init__(
        self, parent: tk.Misc, theme: Theme, actions: Mapping[str, Callable[[], object]]
    ) -> None:
        super().__init__(parent)
        self.columnconfigure((0, 1), weight=1, uniform="run")
        self._is_active = False
        self.all: dict[str, ttk.Button] = {}
        gap = theme.px(0.5)
        for number, (words, act) in enumerate(actions.items()):
            button = self.all[words] = pressable(self, words, act)
            row, column = divmod(number, 2)
            button.grid(row=row, column=column, sticky="nsew", padx=(0, gap * 2), pady=gap)
        self._tallest = ttk.Button(self, text=" ", style="Accent.TButton")
        self.bind("<<ThemeChanged>>", lambda _: self._size(gap))
        self._size(gap)

    def _size(self, gap: int) -> None:
        """Make every row as high as the main button, which may be in any of them."""
        for row in range((len(self.all) + 1) // 2):
            self.rowconfigure(row, minsize=self._tallest.winfo_reqheight() + 2 * gap)

    def show(self, model: RunModel, *, can_start: bool, is_main: bool, has_run: bool) -> None:
        """Enable what can be done with the run of *model*, and mark Start if it *is_main*."""
        phase = model.phase
        is_active = self._is_active = model.is_active
        can = {
            "Start": can_start and not is_active,
            "Pause": phase in (RunPhase.RUNNING, RunPhase.PAUSING, RunPhase.PAUSED),
            "Stop and Keep": phase in STOPPABLE,
            "Discard…": is_active or has_run,
            "Recommended": not is_active,
        }
        had_focus = focused_widget(self) in self.all.values()
        for words, is_possible in can.items():
            self.all[words].configure(state=tk.NORMAL if is_possible else tk.DISABLED)
        waits = phase in (RunPhase.PAUSED, RunPhase.PAUSING)
        self.all["Pause"].configure(text="Resume" if waits else "Pause")
        style = "Accent.TButton" if is_main and not is_active else "TButton"
        self.all["Start"].configure(style=style)
        focused = focused_widget(self)
        if had_focus and isinstance(focused, ttk.Button) and focused.instate(["disabled"]):
            self.first_useful().focus_set()

    def first_useful(self) -> ttk.Button:
        """Return the first of the buttons that can be pressed now; Pause of a run at work.

        That one even in the moments in which it cannot, as those beside it end the run.
        """
        if self._is_active:
            return self.all["Pause"]
        buttons = self.all.values()
        return next(button for button in buttons if button.instate(["!disabled"]))
