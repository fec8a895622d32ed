"""The Learning tab: one curve, one sentence, and the form that trains a bot."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk
from typing import Any, Final

from traffic_lights.gui.kit.canvas_view import CanvasView, room_of
from traffic_lights.gui.kit.scroll import ScrollFrame
from traffic_lights.gui.kit.theme import Theme
from traffic_lights.gui.workshop import model
from traffic_lights.gui.workshop.history import HistoryBar
from traffic_lights.pictures.charts import Chart, draw, draw_heat_map, draw_strip
from traffic_lights.pictures.drawing import Drawing
from traffic_lights.training.settings import SETTINGS, RunSettings

CHART: Final = (300, 170)
"""The least size of the chart, in pixels at 96 dpi."""
STRIP_LINES: Final = 4.2
"""The height of the strip of solved positions, in lines of text."""
GAP: Final = 2
"""The room right of each field, in steps of the grid."""
HELP_LINES: Final = 3.4
"""The lines of text that are kept free for the help of a setting."""
STOP: Final = "Stop"
STOPPING: Final = "Stopping…"
"""What the one button is called while a bot is trained, and until that has ended."""


class TrainingForm(ttk.Frame):
    """The name of a bot and the settings of a run; the rarer ones are folded away.

    *on_change* is called after every change.
    """

    def __init__(self, parent: tk.Misc, theme: Theme, on_change: Callable[[], object]) -> None:
        super().__init__(parent)
        self._theme, self._on_change = theme, on_change
        self._is_filling = False
        self._note = ""
        """Why nothing can be changed; empty while everything can."""
        self._can_name = True
        self.fields: dict[str, ttk.Entry] = {}
        self._labels: dict[str, ttk.Label] = {}
        self._texts: dict[str, tk.StringVar] = {}
        self._is_open = tk.BooleanVar(self, False)
        self.columnconfigure((0, 1, 2, 3), weight=1, uniform="fields")
        labels = {name: setting.label for name, setting in SETTINGS.items()}
        for name, label in {"name": "Name", **labels, "plan": "Opponent"}.items():
            self._add(name, label)
        self._span = 1
        """How many of the four columns an advanced field takes."""
        for name, column, span in (("name", 0, 1), ("plan", 1, 2), ("games", 3, 1)):
            self._place(name, 0, column, span)
        self.help = ttk.Label(self, style="Muted.TLabel", justify=tk.LEFT, anchor="nw", width=1)
        self.help.grid(row=2, column=0, columnspan=3, sticky="new", pady=theme.px(1))
        self.start = ttk.Button(self, style="Accent.TButton", text=model.START)
        gap = (0, theme.px(GAP))
        self.start.grid(row=2, column=3, sticky="new", pady=theme.px(1.5), padx=gap)
        self.advanced = ttk.Checkbutton(
            self, text="Advanced", variable=self._is_open, command=self._changed
        )
        self.advanced.grid(row=3, column=0, sticky="w")
        self.bind("<Configure>", lambda event: self._wrap(event.width))
        self.bind("<<ThemeChanged>>", lambda _: self._wrap(self.winfo_width()))
        self._wrap(CHART[0])

    def _wrap(self, width: int) -> None:
        """Keep room for the longest help, so that none moves anything."""
        self.help.configure(wraplength=width * 3 // 4 - self._theme.px(3))
        self.rowconfigure(2, minsize=HELP_LINES * self._theme.body.metrics("linespace"))

    def _add(self, name: str, label: str) -> None:
        """Make the field *name*: a list if the setting has choices."""
        text, choices = tk.StringVar(self), model.choice_names(name)
        field: ttk.Entry
        if choices:
            field = ttk.Combobox(
                self, values=list(choices.values()), textvariable=text, font=self._theme.body
            )
            field.bind("<<ComboboxSelected>>", lambda _: field.selection_clear(), add="+")
        else:
            field = ttk.Entry(self, textvariable=text, font=self._theme.body)
        field.configure(width=8)
        field.bind("<FocusIn>", lambda _: self._show_help(name), add="+")
        text.trace_add("write", lambda *_: self._changed(name))
        self._texts[name], self.fields[name] = text, field
        self._labels[name] = ttk.Label(self, text=label)

    def _place(self, name: str, row: int, column: int, span: int) -> None:
        """Put the field *name* under its label, across *span* of the four columns."""
        gap, below = (0, self._theme.px(GAP)), (0, self._theme.px(1))
        where: dict[str, Any] = {"column": column, "columnspan": span, "padx": gap}
        self._labels[name].grid(row=row, sticky="w", **where)
        self.fields[name].grid(row=row + 1, sticky="ew", pady=below, **where)

    def fit(self, width: int) -> None:
        """Use the *width* that there is: two fields a row where four have no room."""
        widest = max(label.winfo_reqwidth() for label in self._labels.values())
        span = 1 if width >= 4 * (widest + self._theme.px(GAP)) else 2
        if span != self._span:
            self._span = span
            self._arrange()

    # --- what it holds ---

    @property
    def can_edit(self) -> bool:
        """Whether the settings can be changed."""
        return not self._note

    @property
    def name(self) -> str:
        """The name of the bot."""
        return self._texts["name"].get().strip()

    def texts(self) -> dict[str, str]:
        """Return what the fields of the settings hold, choices by their values."""
        found = {name: self._texts[name].get() for name in SETTINGS}
        for name, text in found.items():
            values = {words: value for value, words in model.choice_names(name).items()}
            found[name] = values.get(text, text)
        return found

    def fill(
        self, name: str, settings: RunSettings, note: str = "", *, can_name: bool = False
    ) -> None:
        """Hold *name* and *settings*.

        A *note* stands in the place of the help while nothing can be changed.
        """
        self._is_filling = True
        self._texts["name"].set(name)
        for setting, text in model.form_texts(settings).items():
            self._texts[setting].set(model.choice_names(setting).get(text, text))
        self._note, self._can_name = note, can_name
        self._is_filling = False
        self._changed()

    def _changed(self, name: str = "") -> None:
        """Take a change of the field *name*, or of what can be changed at all."""
        if self._is_filling:
            return
        if name == "plan" and self.texts()["games"] in model.USUAL_GAMES.values():
            self._is_filling = True  # games that were typed stay
            self._texts["games"].set(model.USUAL_GAMES[self.texts()["plan"]])
            self._is_filling = False
        self._arrange()
        self._show_help(name or "plan")
        self._on_change()

    def _arrange(self) -> None:
        """Show the settings that the plan uses, and mark the one that is wrong."""
        used = model.used_settings(self.texts()) if self._is_open.get() else []
        for name in SETTINGS:
            if name not in ("plan", "games", *used):
                self._labels[name].grid_remove()
                self.fields[name].grid_remove()
        for place, name in enumerate(used):
            row, column = divmod(place * self._span, 4)
            self._place(name, 4 + 2 * row, column, self._span)
        wrong = model.read_form(self.texts())[2] if self.can_edit else ""
        for name, field in self.fields.items():
            kind = field.winfo_class()
            can = self._can_name if name == "name" else self.can_edit
            rest = "readonly" if kind == "TCombobox" else "normal"
            field.configure(
                state=rest if can else "disabled", style=f"Wrong.{kind}" if name == wrong else kind
            )

    def _show_help(self, name: str) -> None:
        """Show what is wrong, or what the setting *name* means."""
        problem = model.read_form(self.texts())[1] if self.can_edit else ""
        if problem:
            text = problem
        elif self._note:
            text = self._note
        elif name in ("plan", "name"):
            text = model.plan_text(self.texts()["plan"])
        else:
            text = model.sentence(SETTINGS[name].help)
        self.help.configure(text=text, style="Warning.TLabel" if problem else "Muted.TLabel")


class LearningTab(ttk.Frame):
    """Shows how bots have learned; *start* trains with a name and settings, *stop* ends that."""

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        start: Callable[[str, dict[str, Any]], object],
        stop: Callable[[], object],
    ) -> None:
        super().__init__(parent)
        self._theme, self._start, self._stop = theme, start, stop
        self.chart_shown = Chart("", ())
        self._solved: tuple[int, ...] = ()
        self._opening: tuple[float, ...] = ()
        self._state = "idle"
        self._can_start = True
        self.columnconfigure(0, weight=1)
        self.rowconfigure(0, weight=1)
        body = ScrollFrame(self, theme, across=True)
        body.grid(sticky="nsew")
        inside = body.inside
        inside.columnconfigure(0, weight=1)
        inside.rowconfigure(0, weight=1)
        edge = theme.px(3)
        size = round(CHART[0] * theme.scale), round(CHART[1] * theme.scale)
        self.chart = CanvasView(inside, theme, self._draw_chart, size, follows_pointer=True)
        self.chart.grid(row=0, column=0, sticky="nsew", padx=edge, pady=(edge, 0))
        self.strip = CanvasView(inside, theme, self._draw_strip, (1, 1), follows_pointer=True)
        self.strip.grid(row=1, column=0, sticky="ew", padx=edge)
        self.strip.grid_remove()
        self.history = HistoryBar(inside, theme)
        self.history.grid(row=2, column=0, sticky="ew", padx=edge, pady=(theme.px(1), 0))
        self.result = ttk.Label(inside, justify=tk.LEFT, anchor="nw", style="Strong.TLabel")
        self.result.grid(row=3, column=0, sticky="new", padx=edge, pady=(theme.px(2), 0))
        self.opening = CanvasView(inside, theme, self._draw_opening, (1, 1))
        self.opening.grid(row=3, column=0, sticky="ne", padx=edge, pady=(theme.px(2), 0))
        self.opening.grid_remove()
        self._inside = inside
        self.form = TrainingForm(inside, theme, self._show_button)
        right = edge - theme.px(GAP)  # the last field ends where the chart does
        self.form.grid(row=4, column=0, sticky="ew", padx=(edge, right), pady=(0, edge))
        self.form.start.configure(command=self.press)
        self.form.bind("<Return>", lambda _: self.press())
        for field in self.form.fields.values():
            if not isinstance(field, ttk.Combobox):
                field.bind("<Return>", lambda _: self.press())
        inside.bind("<Configure>", lambda event: self._wrap(event.width))
        self.bind("<Configure>", lambda event: self.form.fit(event.width - theme.px(12)))
        self.bind("<<ThemeChanged>>", lambda _: self._size())
        self._size()

    def _size(self) -> None:
        line = self._theme.body.metrics("linespace")
        self.strip.configure(height=round(STRIP_LINES * line))
        self.opening.configure(width=4 * line, height=3 * line)
        edge = self._theme.px(3)
        self.result.grid_configure(padx=(edge, 4 * line + 2 * edge))
        self._inside.rowconfigure(3, minsize=3 * line + self._theme.px(4))

    def _wrap(self, width: int) -> None:
        heat_map = 4 * self._theme.body.metrics("linespace")
        self.result.configure(wraplength=width - heat_map - self._theme.px(10))

    def _draw_chart(self, width: int, height: int) -> Drawing:
        return draw(self.chart_shown, room_of(self._theme, width, height), self.chart.pointer)

    def _draw_strip(self, width: int, height: int) -> Drawing:
        room = room_of(self._theme, width, height)
        if not self._solved:
            return Drawing(width, height, ())
        return draw_strip(self._solved, room, pointer=self.strip.pointer)

    def _draw_opening(self, width: int, height: int) -> Drawing:
        room = room_of(self._theme, width, height)
        return draw_heat_map(self._opening, room)

    # --- what it shows ---

    def show_curves(
        self, chart: Chart, solved: tuple[int, ...], opening: tuple[float, ...]
    ) -> None:
        """Show *chart*, and below it how many positions of each ply are *solved*, if any are.

        *opening* are the values of the moves on the empty board, if they are known.
        """
        if chart != self.chart_shown:
            self.chart_shown = chart
            self.chart.refresh()
        if bool(solved) != bool(self.strip.winfo_manager()):
            self.strip.grid() if solved else self.strip.grid_remove()
        if solved != self._solved:
            self._solved = solved
            self.strip.refresh()
        if opening != self._opening:
            self._opening = opening
            self.opening.grid() if opening else self.opening.grid_remove()
            self.opening.refresh()

    def show_state(self, state: str, text: str, can_start: bool, is_warning: bool = False) -> None:
        """Show the *state* of the training and the sentence about the bot."""
        self._state, self._can_start = state, can_start
        self.result.configure(text=text, style="Warning.TLabel" if is_warning else "Strong.TLabel")
        self._show_button()

    def _show_button(self) -> None:
        """Name the one button, and grey it while it could do nothing."""
        button = self.form.start
        is_right = not self.form.can_edit or bool(model.read_form(self.form.texts())[0])
        can = self._can_start and is_right and bool(self.form.name) and self._state == "idle"
        button.configure(text={"running": STOP, "stopping": STOPPING}.get(self._state, model.START))
        button.state(["!disabled" if can or self._state == "running" else "disabled"])

    def press(self) -> None:
        """Start or stop, as the button says."""
        if self.form.start.instate(["disabled"]):
            return
        if self._state == "running":
            self._stop()
            return
        wanted = model.read_form(self.form.texts())[0] if self.form.can_edit else {}
        if wanted is not None:
            self._start(self.form.name, wanted)
