"""What can be done with the pictures of a run: see the rest, lay another run over, save them."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence
from pathlib import Path
from tkinter import filedialog, ttk
from typing import Final

from traffic_lights.gui.kit.theme import Theme
from traffic_lights.gui.training.chart_files import save_charts
from traffic_lights.gui.training.run_buttons import pressable
from traffic_lights.gui.training.view import TrainingView
from traffic_lights.storage.files import StorageError
from traffic_lights.training.curves import FILE_NAME, read_curves
from traffic_lights.training.own_tables import OwnTable
from traffic_lights.workers.recorder import CURVES

NOTHING: Final = "Compare with…"


class PictureBar(ttk.Frame):
    """A row of controls under *view*."""

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        view: TrainingView,
        complain: Callable[[str], object],
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._view = view
        self._complain = complain
        self._tables: list[OwnTable] = []
        self._other = ""
        """The key of the table whose run is laid over; empty if none is."""
        gap = theme.px(1.5)
        self.columnconfigure(1, weight=1)
        self.shows_all = tk.BooleanVar(self, False)
        self.all_charts = ttk.Checkbutton(
            self,
            text="All Charts",
            variable=self.shows_all,
            command=lambda: view.show_all(self.shows_all.get()),
        )
        self.all_charts.grid(row=0, column=0, sticky="w")
        self.compare = ttk.Combobox(self, state="readonly", width=14, font=theme.body)
        self.compare.grid(row=0, column=1, sticky="ew", padx=gap)
        self.compare.bind("<<ComboboxSelected>>", lambda _: self._chosen())
        self.save = pressable(self, "Save Charts…", self._save)
        self.save.grid(row=0, column=2, sticky="e")
        self.offer(())

    def offer(self, tables: Sequence[OwnTable]) -> None:
        """Offer the runs of *tables* to be laid over, as far as their curves are known."""
        self._tables = [table for table in tables if (table.folder / FILE_NAME).is_file()]
        keys = [table.key for table in self._tables]
        self.compare.configure(values=[NOTHING, *(table.name for table in self._tables)])
        self.compare.current(keys.index(self._other) + 1 if self._other in keys else 0)
        self.compare.configure(state="readonly" if keys else "disabled")
        if self._other:  # it may be gone, or have another name
            self._chosen()

    def _chosen(self) -> None:
        self.compare.selection_clear()
        index = self.compare.current()
        self._other = ""
        if index <= 0:
            self._view.lay_over({}, "")
            return
        table = self._tables[index - 1]
        self._other = table.key
        self._view.lay_over(read_curves(table.folder, CURVES), table.name)

    def show(self) -> None:
        """Allow to save what is there to be saved."""
        has_charts = bool(self._view.model.share.points)
        self.save.configure(state=tk.NORMAL if has_charts else tk.DISABLED)

    def _save(self) -> None:
        """Ask for a file and save the charts in it, as numbers or as a picture."""
        name = filedialog.asksaveasfilename(
            parent=self,
            title="Save the charts",
            initialfile="training.svg",
            filetypes=(("Picture", "*.svg"), ("Numbers", "*.csv")),
        )
        if name:
            view = self._view
            try:
                save_charts(Path(name), view.model, self._theme, view.shown_charts())
            except StorageError as error:
                self._complain(f"{error}.")
