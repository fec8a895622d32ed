"""The Learning tab: one large picture, one sentence, the bot as it was, and the form.

The picture is a curve of scores. While a bot only proves, and wins nothing yet, it shows how many
positions are solved, by the moves made. For a player that does not train, it shows the score.
"""

import math
import tkinter as tk
from collections.abc import Callable, Mapping
from dataclasses import replace
from tkinter import ttk
from typing import Any, Final

from traffic_lights.gui.kit.saving import ask_to_save, write_reported
from traffic_lights.gui.kit.scrolling import ScrollFrame
from traffic_lights.gui.kit.widgets import add_tip, put, stretch, unbroken, wrapping
from traffic_lights.gui.main.context import Context
from traffic_lights.gui.workshop.canvas_view import CanvasView
from traffic_lights.gui.workshop.learning_pictures import LearningPictures
from traffic_lights.gui.workshop.snapshot_slider import LATER, SnapshotSlider
from traffic_lights.gui.workshop.trainer import Activity, Trainer
from traffic_lights.gui.workshop.training_form import EVERY, GAP, HELP_LINES, NAME, TrainingForm
from traffic_lights.players.roster import Entry
from traffic_lights.training.settings import RunSettings
from traffic_lights.workshop import form_values, learning_chart, learning_texts, shared
from traffic_lights.workshop.bars import FIRST_MOVES, draw_heat_map
from traffic_lights.workshop.charts import to_svg
from traffic_lights.workshop.curves import Curves
from traffic_lights.workshop.form_values import Trained
from traffic_lights.workshop.shared import NEW, NEW_BOT, learns

SLIDER_ROW: Final = 1
RESULT_ROW: Final = 2
"""The rows of the grid under the pictures."""
SMALL_FROM: Final = 33
"""The small curves are shown if the tab is at least so many lines of text high."""
HISTORY_LETTERS: Final = 260
"""The length of what a bot has learned, under the slider, in the widths of a digit."""
OPENING_TIP: Final = (
    "What it has learned about each first move: green is good, red is bad. Framed: the best."
)
"""The tip of the small board."""
BUTTONS: Final = {
    Activity.IDLE: shared.START,
    Activity.RUNNING: "Stop",
    Activity.STOPPING: "Stopping…",
}
"""What the one button is called, by what the training process of the chosen bot does."""


class LearningTab(ScrollFrame):
    """Shows how bots have learned; *start* trains the chosen one, with a name and settings."""

    def __init__(
        self,
        parent: tk.Misc,
        context: Context,
        trainer: Trainer,
        curves: Curves,
        start: Callable[[str, dict[str, Any]], object],
    ) -> None:
        super().__init__(parent)
        theme = self._theme = context.theme
        self._trainer = trainer
        self._curves = curves
        self._start = start
        self._entry = NEW_BOT
        self.new_run = Trained().proposal()
        """What a new bot is trained with, unless the user changes it."""
        self.last_run: RunSettings | None = None
        """The settings of the last run of the chosen bot; None if they are not known."""
        self._shown_form: object = None
        """What the form was filled for; what was typed since then stays."""
        edge = theme.px(3)
        gap = theme.px(GAP)
        body = self.inside
        body.configure(padding=(edge, edge, edge - gap, edge))  # each field has a gap at its right
        stretch(body)
        top = self._top = put(ttk.Frame(body), sticky="nsew", padx=(0, gap))
        top.columnconfigure(0, weight=1)
        top.rowconfigure(0, weight=1)
        self.pictures = LearningPictures(top, theme, curves)
        self.pictures.grid(row=0, columnspan=2, sticky="nsew")
        self.pictures.chart.bind("<Configure>", lambda _: self._align(), add="+")
        self.slider = SnapshotSlider(top, context, self.draw)
        self.slider.grid(row=SLIDER_ROW, columnspan=2, sticky="new", pady=(theme.px(1), 0))
        below = (theme.px(2), 0)
        result = wrapping(ttk.Label(top))
        self.result = put(result, row=RESULT_ROW, column=0, sticky="new", pady=below)
        self.opening = CanvasView(top, theme, draw_heat_map)
        self.opening.grid(row=RESULT_ROW, column=1, sticky="ne", pady=below)
        add_tip(self.opening, theme, OPENING_TIP)
        self.form = put(TrainingForm(body, theme, self.draw, self.press), sticky="ew")
        self.form.unfolded.trace_add("write", lambda *_: self._see_all_settings())
        padding = 2 * edge - gap
        fit = self.form.fit
        self.canvas.bind("<Configure>", lambda event: fit(event.width - padding), add="+")
        self.bind("<<ThemeChanged>>", lambda _: self._dress())
        self.bind("<Configure>", lambda _: self._share_out())
        self._dress()

    def _dress(self) -> None:
        """Keep room for what may appear, so that nothing moves."""
        theme = self._theme
        line = theme.body.metrics("linespace")
        step = theme.px(1)
        wide = max(4 * line, theme.body.measure(FIRST_MOVES))
        self.opening.configure(width=wide, height=4 * line)
        self._top.columnconfigure(1, minsize=wide + 3 * step)
        self.form.rowconfigure(1, minsize=HELP_LINES * line)
        self.pictures.dress()
        self._share_out()

    def _see_all_settings(self) -> None:
        """Have the rarer settings in sight that were just unfolded, or the pictures again."""
        self.hold(self.form.rarer if self.form.is_open else self._top)

    def _share_out(self) -> None:
        """Keep the room under the pictures, which get all that is left.

        The rarer settings, while they are open, get what is kept for the slider and a sentence.
        """
        line = self._theme.body.metrics("linespace")
        step = self._theme.px(1)
        pictures = self.pictures
        is_high = self.winfo_height() >= SMALL_FROM * line
        pictures.share_out(is_high=is_high, is_unfolded=self.form.is_open)
        slider = self.slider
        below = self._history_lines() * line
        if pictures.is_comparing:
            below = slider.button.winfo_reqheight()
        kept = {
            SLIDER_ROW: slider.scale.winfo_reqheight() + below + step,
            RESULT_ROW: 4 * line + 4 * step,
        }
        is_kept = self.form.winfo_manager() and not self.form.is_open
        for row, height in kept.items():
            self._top.rowconfigure(row, minsize=height if is_kept else 0)

    def _history_lines(self) -> int:
        """Return how many lines the longest text under the slider needs, about."""
        needed = HISTORY_LETTERS * self._theme.body.measure("0")
        width = max(self.winfo_width(), self._theme.px(40))  # it may not be laid out yet
        return math.ceil(needed / width)

    def show(
        self, entry: Entry, name: str, names: Mapping[str, str], styles: Mapping[str, int]
    ) -> None:
        """Show the player of *entry*, and the curves of *names*, by key; *name* is in the form.

        *styles* has the numbers of the colours of the curves.
        """
        if entry.key != self._entry.key:
            self.hold(self._top)  # the rarer settings may be in sight instead
            if self._entry.key == NEW and self.form.wanted:
                self.new_run = RunSettings.wanted(self.form.wanted)
        self._entry = entry
        self.pictures.look_at(entry, names, styles)
        bot = entry.own
        is_at_work = entry.key == self._trainer.key
        has_slider = bot is not None and not is_at_work and not entry.problem
        curve = self._curves.points.get(entry.key, ())
        self.slider.show(
            bot if has_slider else None,
            LATER if learns(entry) else "",
            curve,
            is_brief=self.pictures.is_comparing,
        )
        shown = entry.key, is_at_work, bot.games if bot is not None else 0
        if learns(entry) and shown != self._shown_form:
            self._fill(name)
        self._shown_form = shown
        self.form.grid() if learns(entry) else self.form.grid_remove()
        self.draw()

    def _fill(self, name: str) -> None:
        """Fill the form for the chosen bot, whose *name* it shows."""
        trainer = self._trainer
        key = self._entry.key
        bot = self._entry.own
        self.last_run = None
        if bot is None:
            self.form.fill(name, self.new_run, Trained())
        elif key == trainer.key:
            trained = form_values.trained_of(bot)
            settings = trainer.settings or trained.proposal()
            if trainer.settings is not None:
                settings = replace(settings, games=trained.total(settings.games))
            note = form_values.help_text("plan", form_values.form_texts(settings))
            self.form.fill(name, settings, trained, note=note, can_change=())
        else:
            trained = form_values.trained_of(bot)
            self.last_run = trained.last
            note = form_values.GOES_ON if trained.is_training else ""
            can_change = {"games"} if trained.is_training else EVERY - {NAME}
            settings = trained.proposal()
            self.form.fill(name, settings, trained, note=note, can_change=can_change)

    def draw(self) -> None:
        """Show how far the chosen bot is."""
        key = self._entry.key
        bot = self._entry.own
        points = self._curves.points.get(key, [])
        last = points[-1] if points else None
        self.pictures.draw(self.slider.point)
        self._share_out()
        self._align()
        end = self.slider.past.end
        then = self.slider.point or end or last
        self.opening.show(then.opening if then else ())
        trainer = self._trainer
        text = ""
        style = "Strong.TLabel"
        if key == trainer.key:
            text = trainer.progress()
        elif key in trainer.problems:
            text = trainer.problems[key]
            style = "Warning.TLabel"
        elif trainer.bot is not None:
            text = f"“{trainer.bot.name}” is training. One bot trains at a time."
        elif self.slider.point is not None:
            text = learning_texts.snapshot_text(self.slider.point)
        elif bot is not None:
            newest = end or next(reversed(self.slider.past.points), None)
            text = learning_texts.training_result(bot.games, bot.is_training, last, newest)
        self.result.configure(text=unbroken(text), style=style)
        self._draw_button()

    def _draw_button(self) -> None:
        """Show what the one button would do to the chosen bot, if anything."""
        form = self.form
        activity = Activity.IDLE
        if self._entry.key == self._trainer.key:
            activity = self._trainer.activity
            can_press = activity is Activity.RUNNING
        else:
            is_ready = form.wanted is not None and bool(form.texts()[NAME])
            can_press = learns(self._entry) and is_ready and self._trainer.bot is None
        text = BUTTONS[activity]
        if activity is Activity.IDLE and self._is_unfinished:
            text = shared.CONTINUE
        form.start.configure(text=text)
        form.start.state(["!disabled" if can_press else "disabled"])

    @property
    def _is_unfinished(self) -> bool:
        """Whether the last training of the chosen bot was stopped, or ended with a problem."""
        bot = self._entry.own
        return (bot is not None and bot.is_training) or self._entry.key in self._trainer.problems

    def _align(self) -> None:
        """Have the slider stand along the axis of the chart."""
        self.slider.stand_along(self.pictures.axes, self.pictures.winfo_width())

    def press(self) -> None:
        """Stop the training of the chosen bot, or start it with what is in the form."""
        if self._entry.key == self._trainer.key:
            self._trainer.stop()
        else:
            is_new = self._entry.key == NEW
            wanted = self.form.wanted or {}
            self._start(self.form.texts()[NAME], wanted)
            if is_new:
                started = RunSettings.wanted(wanted)
                self.new_run = replace(started, seed=started.seed + 1)

    def save_curve(self) -> str:
        """Ask for a file, and write the curves to it, as a picture or as figures by its ending.

        Return what to report.
        """
        kinds = [("SVG picture", "*.svg"), ("CSV", "*.csv")]
        path = ask_to_save(self, "Save the Curve", f"{self._entry.name}.svg", kinds)
        if path is None:
            return ""
        match path.suffix.lower():
            case ".csv":
                text = learning_chart.curves_csv(self._curves.points, self.pictures.names)
            case ".svg":
                text = to_svg([self.pictures.wins])
            case _:
                return f"{path.name} was not saved: its name must end in .svg or .csv."
        return write_reported(path, text.encode("utf-8"))
