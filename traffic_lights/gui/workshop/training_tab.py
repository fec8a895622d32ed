"""The Learning tab: one curve, one sentence, the bot as it was, and the form that trains a bot."""

import tkinter as tk
from collections.abc import Callable, Mapping
from functools import partial
from tkinter import ttk
from typing import Any, Final

from traffic_lights.board.positions import POSITIONS
from traffic_lights.gui.kit.charts import POSITIONS_BY_PLY, draw, draw_heat_map, draw_plies, to_svg
from traffic_lights.gui.kit.dialog import save_as
from traffic_lights.gui.kit.jobs import watch
from traffic_lights.gui.kit.theme import Theme
from traffic_lights.gui.kit.widgets import CanvasView, ScrollFrame, put, stretch, wrapping
from traffic_lights.gui.main.context import Context
from traffic_lights.gui.workshop import model
from traffic_lights.gui.workshop.model import NEW, NEW_BOT, Act
from traffic_lights.gui.workshop.trainer import Trainer
from traffic_lights.learning.tablefile import read_meta
from traffic_lights.players.roster import Entry
from traffic_lights.storage.files import StorageError
from traffic_lights.system.processes import Ended, Worker
from traffic_lights.training.gauge import Measured
from traffic_lights.training.own_bots import OwnBot, playing_path
from traffic_lights.training.replay import expected_snapshots
from traffic_lights.training.settings import SETTINGS, RunSettings, SettingsError
from traffic_lights.training.snapshots import kept_snapshots
from traffic_lights.training.worker import snapshot_process

CHART: Final = (240, 170)
"""The least size of the chart, in pixels at 96 dpi."""
STRIP_LINES: Final = 4.2
"""The height of the strip of solved positions, in lines of text."""
GAP: Final = 2
"""The room right of each field, in steps of the grid."""
HELP_LINES: Final = 3.4
"""The lines of text that are kept free for the help of a setting."""
NOW: Final = "Drag the slider to see the bot as it was."
BUTTONS: Final = {"idle": model.START, "running": "Stop", "stopping": "Stopping…"}
"""What the one button is called, by the state of the training."""


class TrainingForm(ttk.Frame):
    """The name of a bot and the settings of a run; the rarer ones are folded away."""

    def __init__(self, parent: tk.Misc, theme: Theme, on_change: Act, press: Act) -> None:
        super().__init__(parent)
        self._theme = theme
        self._on_change = on_change
        self.wanted: dict[str, Any] | None = {}
        """The settings in the fields: None if one is wrong, empty if none can be changed."""
        self._problem = self._note = ""
        self._can_name = True
        self.fields: dict[str, ttk.Entry] = {}
        self._cells: dict[str, ttk.Frame] = {}
        self._texts: dict[str, tk.StringVar] = {}
        self._is_open = tk.BooleanVar(self, False)
        self.columnconfigure((0, 1, 2, 3), weight=1, uniform="fields")
        labels = {name: setting.label for name, setting in SETTINGS.items()}
        for name, label in {"name": "Name", **labels, "plan": "Opponent"}.items():
            self._add_field(name, label)
        for column, (name, span) in {0: ("name", 1), 1: ("plan", 2), 3: ("games", 1)}.items():
            self._cells[name].grid(row=0, column=column, columnspan=span, sticky="ew")
        help_label = wrapping(ttk.Label(self))
        gap = (0, theme.px(GAP))
        self.help = put(help_label, row=1, columnspan=3, sticky="new", pady=theme.px(1), padx=gap)
        start = ttk.Button(self, style="Accent.TButton", text=model.START, command=press)
        self.start = put(start, row=1, column=3, sticky="new", pady=theme.px(1.5), padx=gap)
        advanced = ttk.Checkbutton(
            self, text="Advanced", variable=self._is_open, command=self._changed
        )
        self.advanced = put(advanced, row=2, columnspan=3, sticky="w")

    def _add_field(self, name: str, label: str) -> None:
        """Make the field *name* under its *label*: a list if the setting has choices."""
        px = self._theme.px
        cell = self._cells[name] = ttk.Frame(self, padding=(0, 0, px(GAP), px(1)))
        ttk.Label(cell, text=label).pack(anchor="w")
        text = self._texts[name] = tk.StringVar(self)
        options: dict[str, Any] = {"textvariable": text, "width": 6, "font": self._theme.body}
        if name in model.CHOICES:
            choices = list(model.CHOICES[name].values())
            field: ttk.Entry = ttk.Combobox(cell, values=choices, **options)
            field.bind("<<ComboboxSelected>>", partial(self._changed, name))
        else:
            field = ttk.Entry(cell, **options)
            field.bind("<Return>", lambda _: self.start.invoke())
            text.trace_add("write", partial(self._changed, name))
        field.bind("<FocusIn>", partial(self._show_help, name))
        field.pack(fill=tk.X)
        self.fields[name] = field

    def texts(self) -> dict[str, str]:
        """Return what the fields hold, choices by their values."""
        found = {name: text.get().strip() for name, text in self._texts.items()}
        for name, words in model.CHOICES.items():
            found[name] = {text: value for value, text in words.items()}.get(found[name], "")
        return found

    def fill(self, name: str, settings: RunSettings, note: str, can_name: bool) -> None:
        """Hold *name* and *settings*; a *note* says why no setting can be changed."""
        self._note = note
        self._can_name = can_name
        for field, text in {**model.form_texts(settings), "name": name}.items():
            self._texts[field].set(model.CHOICES.get(field, {}).get(text, text))
        self._changed()

    def _changed(self, name: str = "", *_: object) -> None:
        """Take a change of the field *name*, or of what can be changed at all."""
        texts = self.texts()
        if name == "plan" and texts["games"] in model.USUAL_GAMES.values():
            # A number of games that the user has typed stays.
            self._texts["games"].set(model.USUAL_GAMES[texts["plan"]])
        self.wanted = {}
        self._problem = ""
        wrong = ""
        if not self._note:
            self.wanted, self._problem, wrong = model.read_form(self.texts())
        for field, entry in self.fields.items():
            kind = entry.winfo_class()
            can = self._can_name if field == "name" else not self._note
            state = ("readonly" if kind == "TCombobox" else "normal") if can else "disabled"
            entry.configure(state=state, style=f"Wrong.{kind}" if field == wrong else kind)
        used = model.used_settings(texts) if self._is_open.get() else []
        for field in SETTINGS.keys() - {"plan", "games", *used}:
            self._cells[field].grid_remove()
        for place, field in enumerate(used):
            self._cells[field].grid(row=3 + place // 4, column=place % 4, sticky="ew")
        self._show_help(name)
        self._on_change()

    def _show_help(self, name: str, _: object = None) -> None:
        """Show what is wrong, or what the setting *name* means; by default, the plan."""
        text = model.PLAN_TEXTS[self.texts()["plan"]]
        if name in SETTINGS and name != "plan":
            text = model.sentence(SETTINGS[name].help)
        style = "Warning.TLabel" if self._problem else "Muted.TLabel"
        self.help.configure(text=self._problem or self._note or text, style=style)


class HistoryBar(ttk.Frame):
    """A slider over the snapshots of one bot, its score then, and a button that plays it."""

    def __init__(self, parent: tk.Misc, context: Context, on_change: Act) -> None:
        super().__init__(parent)
        self._context = context
        self._on_change = on_change
        self._bot: OwnBot | None = None
        self._points: list[Measured] = []
        self._count = 0
        """How many snapshots there will be."""
        self._worker: Worker | None = None
        self._problem = ""
        self._place = tk.DoubleVar(self)
        self.columnconfigure(0, weight=1)
        scale = ttk.Scale(self, variable=self._place, command=lambda _: self._moved())
        self.scale = put(scale, row=0, column=0, sticky="ew")
        button = ttk.Button(
            self, text="Play It as It Was", command=lambda: context.play_against(self.key)
        )
        self.button = put(button, row=0, column=1, padx=(context.theme.px(2), 0))
        text = wrapping(ttk.Label(self, style="Muted.TLabel"))
        self.text = put(text, row=1, columnspan=2, sticky="ew")

    @property
    def point(self) -> Measured | None:
        """The snapshot at which the slider stands; None at its end, or if it is not made yet."""
        index = round(self._place.get())
        is_past = index < min(len(self._points), self._count - 1)
        return self._points[index] if is_past else None

    @property
    def key(self) -> str:
        """The key of the bot as it was; empty while it is shown as it is."""
        bot = self._bot
        point = self.point
        return "" if bot is None or point is None else f"{bot.key}:{point.games}"

    def show(self, bot: OwnBot | None) -> None:
        """Show the slider of *bot*, or nothing."""
        if bot is not None and bot == self._bot:
            return
        self.stop()
        self._bot = bot
        self._points = []
        count = 0
        self._problem = ""
        if bot is not None:
            try:
                meta = read_meta(playing_path(bot))
                self._points = kept_snapshots(bot.folder, meta)
                count = len(self._points) or expected_snapshots(meta)
            except (StorageError, SettingsError) as error:
                self._problem = model.sentence(error)
        self._set_count(count)
        self._place.set(count - 1)
        self._draw()

    def _set_count(self, count: int) -> None:
        self._count = count
        self.scale.configure(to=max(1, count - 1))

    def stop(self) -> None:
        """End the process that makes snapshots, if there is one, without what it has made."""
        if self._worker is not None:
            self._worker.end()
            self._worker = None
            self._points = []

    def _moved(self) -> None:
        """Show the snapshot at which the slider stands; make all of them first if need be."""
        if not self._points and self._worker is None and self._bot is not None:
            self._worker = Worker(snapshot_process, self._bot)
            watch(self._context.root, self._worker, self._take)
        self._draw()

    def _take(self, message: object) -> None:
        match message:
            case Measured():
                self._points.append(message)
            case Ended(""):
                self._worker = None
                self._set_count(len(self._points))
            case Ended(problem):
                self.stop()
                self._problem = model.sentence(problem)
        self._draw()

    def _draw(self) -> None:
        has_slider = self._count > 1 and not self._problem
        for widget in (self.scale, self.button):
            widget.grid() if has_slider else widget.grid_remove()
        self.button.state(["!disabled" if self.key else "disabled"])
        point = self.point
        text = NOW if has_slider else self._problem
        if point is not None:
            text = model.snapshot_text(point)
        if self._worker is not None:
            text = text if point is not None else "The bot plays its games again."
            text += f" {len(self._points)} of about {self._count} snapshots are ready."
        self.text.configure(text=text)
        self.grid() if text else self.grid_remove()
        self._on_change()


class LearningTab(ScrollFrame):
    """Shows how bots have learned; *start* trains the chosen one, with a name and settings."""

    def __init__(
        self,
        parent: tk.Misc,
        context: Context,
        trainer: Trainer,
        start: Callable[[str, dict[str, Any]], object],
    ) -> None:
        super().__init__(parent)
        theme = self._theme = context.theme
        self._trainer = trainer
        self._start = start
        self._entry = NEW_BOT
        self._names: Mapping[str, str] = {}
        self._shown_form: object = None
        """What the form was filled for; what was typed since then stays."""
        edge = theme.px(3)
        gap = theme.px(GAP)
        body = self.inside
        body.configure(padding=(edge, edge, edge - gap, edge))  # each field has a gap at its right
        stretch(body)
        top = self._top = put(ttk.Frame(body), sticky="nsew", padx=(0, gap))
        stretch(top)
        self.chart = put(CanvasView(top, theme, draw), row=0, columnspan=2, sticky="nsew")
        self.strip = put(CanvasView(top, theme, draw_plies), row=1, columnspan=2, sticky="ew")
        self.history = HistoryBar(top, context, self.draw)
        self.history.grid(row=2, columnspan=2, sticky="ew", pady=(theme.px(1), 0))
        below = (theme.px(2), 0)
        result = wrapping(ttk.Label(top))
        self.result = put(result, row=3, column=0, sticky="new", pady=below)
        self.opening = CanvasView(top, theme, draw_heat_map)
        self.opening.grid(row=3, column=1, sticky="ne", pady=below)
        self.form = put(TrainingForm(body, theme, self.draw, self.press), sticky="ew")
        self.bind("<<ThemeChanged>>", lambda _: self._dress())
        self._dress()

    def _dress(self) -> None:
        """Keep room for what may appear, so that nothing moves."""
        theme = self._theme
        line = self._theme.body.metrics("linespace")
        step = self._theme.px(1)
        width, height = (round(side * theme.scale) for side in CHART)
        self.chart.configure(width=width, height=height)
        self.strip.configure(height=round(STRIP_LINES * line))
        self.opening.configure(width=4 * line, height=3 * line)
        self._top.columnconfigure(1, minsize=4 * line + 3 * step)
        self._top.rowconfigure(3, minsize=3 * line + 4 * step)
        self.form.rowconfigure(1, minsize=HELP_LINES * line)

    def show(self, entry: Entry, name: str, names: Mapping[str, str]) -> None:
        """Show the player of *entry*, and the curves of *names*, by key; *name* is in the form."""
        trainer = self._trainer
        key = entry.key
        bot = entry.own
        self._entry = entry
        self._names = names
        is_at_work = key == trainer.key
        self.history.show(None if is_at_work or entry.problem else bot)
        shown = key, is_at_work, bot.games if bot is not None else 0
        if shown != self._shown_form:
            self._shown_form = shown
            settings = model.following(None)
            note = "" if key == NEW else model.FIXED
            if is_at_work:
                settings = trainer.settings or settings
                note = model.PLAN_TEXTS[settings.plan]
            elif bot is not None:
                last = model.settings_of(bot.folder)
                settings = last or settings if bot.is_training else model.following(last, bot.games)
                note = model.GOES_ON if bot.is_training else ""
            self.form.fill(name, settings, note, can_name=key == NEW)
        self.draw()

    def draw(self) -> None:
        trainer = self._trainer
        form = self.form
        then = self.history.point
        key = self._entry.key
        bot = self._entry.own
        last = next(iter(trainer.curves.get(key, [])[-1:]), None)
        self.chart.show(model.learning_chart(trainer.curves, self._names, then))
        all_solved = POSITIONS_BY_PLY if last and last.decided == POSITIONS else ()
        self.strip.show(trainer.solved.get(key, all_solved))
        shown = then or last
        self.opening.show(shown.opening if shown else ())
        text = ""
        style = "Strong.TLabel"
        state = "idle"
        if key == trainer.key:
            text = trainer.progress()
            state = trainer.state
        elif key in trainer.problems:
            text = trainer.problems[key]
            style = "Warning.TLabel"
        elif trainer.bot is not None:
            text = f"“{trainer.bot.name}” is training. One bot trains at a time."
        elif bot is not None:
            text = model.result_text(bot.games, bot.is_training, last)
        self.result.configure(text=text, style=style)
        can_start = not trainer.key and (key == NEW or bot) and form.wanted is not None
        can = state == "running" or (can_start and form.texts()["name"])
        form.start.configure(text=BUTTONS[state])
        form.start.state(["!disabled" if can else "disabled"])

    def press(self) -> None:
        if self._entry.key == self._trainer.key:
            self._trainer.stop()
        else:
            self._start(self.form.texts()["name"], self.form.wanted or {})

    def save_chart(self) -> str:
        """Ask for a file, and write the chart to it as a picture; return what to report."""
        name = f"{self._entry.name}.svg"
        page = to_svg([self.chart.value])
        return save_as(self, "Save the Chart", name, [("SVG picture", "*.svg")], page)
