"""The right half of the training window: how far the run is, and its pictures."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Iterable
from tkinter import ttk
from typing import Final

from traffic_lights.gui.kit.canvas_view import CanvasView, room_of
from traffic_lights.gui.kit.theme import Theme
from traffic_lights.gui.training.model import (
    RunModel,
    RunPhase,
    games_line,
    headline,
    time_line,
)
from traffic_lights.pictures import vessels as filling
from traffic_lights.pictures.charts import PLIES, POSITIONS_BY_PLY
from traffic_lights.pictures.drawing import Shape
from traffic_lights.pictures.run_charts import RunChart, plot, shapes_of
from traffic_lights.training.curves import Curves

INVITATION: Final = "These pictures fill while it learns."
BEGINNING: Final = "The trainer gets ready: it reads what there is, and tries the folder."
NO_CURVES: Final = "Its curves were not kept."
CHARTS_EVERY: Final = 3
"""The charts are drawn at every third picture of the vessels."""
_LEAST_CHART: Final = (230, 140)
"""The least size of a chart, in pixels at 96 dpi: without room for it the window scrolls."""


class ChartView(CanvasView):
    """One chart, which tells its values under the pointer."""

    def __init__(self, parent: tk.Misc, theme: Theme, chart: RunChart) -> None:
        self.chart = chart
        self._hover: float | None = None
        super().__init__(parent, theme, self._shapes, (1, 1))
        self.bind("<Motion>", self._moved)
        self.bind("<Leave>", lambda _: self._point_at(None))

    def _shapes(self, width: int, height: int) -> Iterable[Shape]:
        return shapes_of(self.chart, room_of(self.theme, width, height), self._hover)

    def reading(self) -> str:
        """Return what the chart says under the pointer; empty if that is elsewhere."""
        return self.chart.reading(self._hover) if self._hover is not None else ""

    def _moved(self, event: tk.Event[tk.Misc]) -> None:
        room = room_of(self.theme, self.winfo_width(), self.winfo_height())
        left, _, right, _ = plot(room, self.chart)
        share = (event.x - left) / (right - left)
        self._point_at(share if -0.02 <= share <= 1.02 else None)

    def _point_at(self, share: float | None) -> None:
        if share is not None:
            share = min(max(share, 0.0), 1.0)
        if share != self._hover:
            self._hover = share
            self.refresh()


class FillingView(CanvasView):
    """The vessels that fill, ply by ply."""

    def __init__(self, parent: tk.Misc, theme: Theme) -> None:
        self.decided: tuple[int, ...] = (0,) * PLIES
        self.working_on = -1
        self._hover: int | None = None
        super().__init__(parent, theme, self._shapes, (1, 1))
        self.bind("<Motion>", self._moved)
        self.bind("<Leave>", lambda _: self._point_at(None))

    def _shapes(self, width: int, height: int) -> Iterable[Shape]:
        room = room_of(self.theme, width, height)
        return filling.shapes_of(POSITIONS_BY_PLY, self.decided, self.working_on, room, self._hover)

    def _moved(self, event: tk.Event[tk.Misc]) -> None:
        room = room_of(self.theme, self.winfo_width(), self.winfo_height())
        self._point_at(filling.ply_at(room, event.x))

    def _point_at(self, ply: int | None) -> None:
        if ply != self._hover:
            self._hover = ply
            self.refresh()


class TrainingView(ttk.Frame):
    """Headline, bar, numbers, vessels and charts of a run."""

    def __init__(self, parent: tk.Misc, theme: Theme, model: RunModel) -> None:
        super().__init__(parent)
        self._theme = theme
        self.model = model
        self._pictures = 0
        self.columnconfigure(0, weight=1)
        self.title = ttk.Label(self, style="Title.TLabel", anchor="w")
        self.title.grid(row=0, column=0, sticky="ew")
        self.bar = ttk.Progressbar(self, maximum=1000)
        self.bar.grid(row=1, column=0, sticky="ew", pady=theme.px(1.5))
        self.numbers = ttk.Label(self, anchor="w")
        self.numbers.grid(row=2, column=0, sticky="ew")
        self.rate = ttk.Label(self, style="Muted.TLabel", anchor="w")
        self.rate.grid(row=3, column=0, sticky="ew", pady=(0, theme.px(2)))
        self.filling = FillingView(self, theme)
        self.filling.grid(row=4, column=0, sticky="nsew")
        self.rowconfigure(5, weight=1)
        self._grid = ttk.Frame(self)
        self._grid.grid(row=5, column=0, sticky="nsew", pady=(theme.px(2), 0))
        self.charts = [ChartView(self._grid, theme, chart) for chart in model.charts()]
        self._shows_all = False
        self._laid_over: tuple[Curves, str] = ({}, "")
        self._arranged = (0, 0)
        self._grid.bind("<Configure>", lambda _: self._arrange())
        self.bind("<Configure>", self._share_height)
        self._is_pulsing = False

    def use(self, model: RunModel) -> None:
        """Show another run; of one that was kept nobody knows how its vessels filled."""
        self.model = model
        if model.phase is RunPhase.KEPT:
            self.filling.grid_remove()
        else:
            self.filling.grid()
        self._share_vessels(self.winfo_height())
        self._take_charts()
        self.show(at_once=True)

    def _take_charts(self) -> None:
        """Show the charts of the run."""
        charts = self.model.charts()
        self.model.lay_over(charts, *self._laid_over)
        for view, chart in zip(self.charts, charts, strict=True):
            view.chart = chart
            view.refresh()

    def lay_over(self, curves: Curves, name: str) -> None:
        """Lay the run *name* over this one; no name takes it away."""
        self._laid_over = (curves, name)
        self._take_charts()

    def show_all(self, is_all: bool) -> None:
        """Show every chart, or the two that tell most."""
        self._shows_all = is_all
        self._share_vessels(self.winfo_height())
        self._arrange()

    def shown_charts(self) -> list[RunChart]:
        """Return what the charts show that are shown."""
        return [view.chart for view in self.charts[: len(self.charts) if self._shows_all else 2]]

    def _share_height(self, event: tk.Event[tk.Misc]) -> None:
        """Give the vessels a fair part of the height, the charts the rest; long lines wrap."""
        for label in (self.title, self.numbers, self.rate):
            label.configure(wraplength=event.width)
        self._share_vessels(event.height)

    def _share_vessels(self, height: int) -> None:
        if self.model.phase is RunPhase.KEPT:
            self.rowconfigure(4, minsize=0)
            return
        share = 0.28 if self._shows_all else 0.38
        self.rowconfigure(4, minsize=max(self._theme.px(36), round(height * share)))

    def _arrange(self) -> None:
        """Place the charts that are asked for side by side, or one below the other."""
        scale, gap = self._theme.scale, self._theme.px(1)
        count = len(self.shown_charts())
        columns = 2 if self._grid.winfo_width() >= 2 * _LEAST_CHART[0] * scale else 1
        if (columns, count) == self._arranged:
            return
        self._arranged = columns, count
        rows, least = count // columns, round(_LEAST_CHART[1] * scale)
        for number in range(len(self.charts)):
            has_column, has_row = number < columns, number < rows
            self._grid.columnconfigure(
                number, weight=int(has_column), uniform="charts" * has_column
            )
            self._grid.rowconfigure(number, weight=int(has_row), minsize=least * has_row)
        for number, view in enumerate(self.charts):
            row, column = divmod(number, columns)
            if number < count:
                view.grid(
                    row=row,
                    column=column,
                    sticky="nsew",
                    padx=(0 if column == 0 else gap, 0),
                    pady=(0 if row == 0 else gap, 0),
                )
            else:
                view.grid_remove()

    def show(self, *, at_once: bool = False) -> None:
        """Show the run as it is now; the charts now and then, or *at_once*."""
        model = self.model
        self.title.configure(text=headline(model))
        if model.phase is RunPhase.NONE:
            self.numbers.configure(text=INVITATION)
            self.rate.configure(text="")
        elif model.phase is RunPhase.KEPT:
            self.numbers.configure(text=f"{model.note} · {model.games:,} games in all")
            self.rate.configure(text="" if model.share.points else NO_CURVES)
        elif model.phase is RunPhase.STARTING and not model.games:
            self.numbers.configure(text=BEGINNING)
            self.rate.configure(text="")
        else:
            self.numbers.configure(text=games_line(model))
            self.rate.configure(text=time_line(model))
        self._show_bar()
        view = self.filling
        working_on = model.progress.ply if model.progress and model.is_active else -1
        if (view.decided, view.working_on) != (model.decided_by_ply, working_on):
            view.decided, view.working_on = model.decided_by_ply, working_on
            view.refresh()
        self._pictures += 1
        if at_once or (self._pictures % CHARTS_EVERY == 0 and model.phase is RunPhase.RUNNING):
            for chart in self.charts:
                chart.refresh()

    def _show_bar(self) -> None:
        """Fill the bar; if nobody knows how much is left, let it go to and fro."""
        share = self.model.done_share()
        is_unknown = share is None or self.model.phase in (RunPhase.WRITING, RunPhase.STARTING)
        pulses = is_unknown and self.model.phase in (
            RunPhase.RUNNING,
            RunPhase.WRITING,
            RunPhase.STARTING,
        )
        if pulses != self._is_pulsing:
            self._is_pulsing = pulses
            self.bar.configure(mode="indeterminate" if pulses else "determinate")
            if pulses:
                self.bar.start(40)
            else:
                self.bar.stop()
        if not pulses:
            self.bar.configure(value=1000 * (share or 0.0))
