"""Asks for another name, and says in its place why one cannot be had."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk

from traffic_lights.gui.kit.dialog import Dialog


class NameDialog(Dialog):
    """Asks for a name."""

    def __init__(self, parent: tk.Toplevel | tk.Tk, name: str, take: Callable[[str], str]) -> None:
        assert isinstance(parent, Dialog)
        super().__init__(parent, parent.theme, "Rename")
        self._take = take
        self.variable = tk.StringVar(self, name)
        entry = ttk.Entry(self.body, textvariable=self.variable, width=32, font=self.theme.body)
        entry.grid(sticky="ew")
        self.complaint = ttk.Label(self.body, text=" ", style="Warning.TLabel")
        self.complaint.grid(sticky="w")
        entry.select_range(0, tk.END)
        entry.icursor(tk.END)
        self.add_button("Rename", self._rename, is_default=True)
        self.add_button("Cancel", self.close)
        self.appear(entry)

    def _rename(self) -> None:
        name = self.variable.get().strip()
        if name:
            problem = self._take(name)
            if problem:
                self.complaint.configure(text=problem)
            else:
                self.close()
