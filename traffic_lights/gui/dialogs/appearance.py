"""The sheet of View > Appearance: how everything looks, made from the descriptions of settings.

Each choice applies at once, so the sheet has no button to confirm anything.
"""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from functools import partial
from tkinter import ttk
from typing import Any, Final

from traffic_lights.gui.kit.dialog import Dialog
from traffic_lights.gui.main.context import Context
from traffic_lights.userdata.settings import CHOICES, LABELS, LIMITS

CHOSEN: Final = ("theme", "lamps", "speed")
SWITCHED: Final = ("letters", "coordinates", "animations")


class AppearanceSheet(Dialog):
    """Shows the settings; *change* gets the name and the new value of one."""

    def __init__(self, context: Context, change: Callable[[str, Any], object]) -> None:
        super().__init__(context.root, context.theme, "Appearance", context.focus_board)
        self._userdata = context.userdata
        self._change = change
        self.boxes: dict[str, ttk.Combobox] = {}
        self.switches: dict[str, tk.BooleanVar] = {}
        self.body.columnconfigure(1, weight=1)
        for name in CHOSEN:
            box = self.boxes[name] = ttk.Combobox(self.body, state="readonly", width=16)
            box.configure(values=list(CHOICES[name].values()))
            box.bind("<<ComboboxSelected>>", lambda _, n=name: self._chosen(n))  # type: ignore[misc]
            self._add_row(name, box)
        size = ttk.Frame(self.body)
        self.size_label = ttk.Label(size, anchor="center", width=7)
        self.size_label.grid(row=0, column=1)
        for column, (text, steps) in enumerate((("−", -1), ("+", 1))):
            button = ttk.Button(size, text=text, style="Tight.TButton", width=3)
            button.configure(command=partial(self._resize, steps))
            button.grid(row=0, column=2 * column)
        self._add_row("zoom", size)
        for name in SWITCHED:
            switch = self.switches[name] = tk.BooleanVar(self)
            tick = ttk.Checkbutton(self.body, text=LABELS[name], variable=switch)
            tick.configure(command=lambda n=name: change(n, self.switches[n].get()))  # type: ignore[misc]
            tick.grid(columnspan=2, sticky="w", pady=(self.theme.px(1), 0))
        self.add_button("Close", self.close, is_default=True)
        self._fill()
        self.appear(self.boxes[CHOSEN[0]])

    def _add_row(self, name: str, widget: tk.Widget) -> None:
        row, gap = self.body.grid_size()[1], self.theme.px(1)
        ttk.Label(self.body, text=LABELS[name]).grid(row=row, sticky="w", pady=gap)
        widget.grid(row=row, column=1, sticky="w", padx=(self.theme.px(4), 0), pady=gap)

    def close(self) -> None:
        """Close the sheet, and let go of its variables here: no other thread may delete them."""
        self.switches.clear()
        super().close()

    def _fill(self) -> None:
        """Show the settings as they are now."""
        settings = self._userdata.settings
        for name, box in self.boxes.items():
            box.set(CHOICES[name][getattr(settings, name)])
        for name, switch in self.switches.items():
            switch.set(getattr(settings, name))
        self.size_label.configure(text=f"{round(100 * self.theme.zoom)} %")

    def _chosen(self, name: str) -> None:
        box = self.boxes[name]
        box.selection_clear()
        self._change(name, list(CHOICES[name])[box.current()])

    def _resize(self, steps: int) -> None:
        wanted = self._userdata.settings.zoom + steps
        if wanted in LIMITS["zoom"]:
            self._change("zoom", wanted)
            self._fill()
