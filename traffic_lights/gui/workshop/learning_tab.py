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

from traffic_lights.board.positions import POSITIONS
from traffic_lights.gui.kit.saving import ask_to_save, write_reported
from traffic_lights.gui.kit.scrolling import ScrollFrame
from traffic_lights.gui.kit.widgets import add_tip, put, stretch, wrapping
from traffic_lights.gui.main.context import Context
from traffic_lights.gui.workshop import form_values, learning_chart, learning_texts, shared
from traffic_lights.gui.workshop.canvas_view import CanvasView
from traffic_lights.gui.workshop.charts import Axes, Chart, draw, draw_small, stops, to_svg
from traffic_lights.gui.workshop.curves import Curves
from traffic_lights.gui.workshop.form_values import Trained
from traffic_lights.gui.workshop.pictures import (
    FIRST_MOVES,
    POSITIONS_BY_PLY,
    draw_heat_map,
    draw_plies,
    draw_scores,
    ply_stops,
)
from traffic_lights.gui.workshop.shared import NEW, NEW_BOT
from traffic_lights.gui.workshop.snapshot_slider import LATER, SnapshotSlider
from traffic_lights.gui.workshop.trainer import Activity, Trainer
from traffic_lights.gui.workshop.training_form import EVERY, GAP, HELP_LINES, NAME, TrainingForm
from traffic_lights.players.roster import Entry
from traffic_lights.training.gauge import Measured
from traffic_lights.training.settings import RunSettings

PICTURE: Final = (240, 165)
"""The least size of the large picture, in pixels at 96 dpi."""
SLIDER_ROW: Final = 4
RESULT_ROW: Final = 5
"""The rows of the grid under the pictures."""
STRIP_LINES: Final = 4.2
"""The height of the strip of solved positions under a curve, in lines of text."""
UNFOLDED: Final = 1.3
COMPARED: Final = 1.8
"""How much larger the large picture is at least while the rarer settings are open, as all scrolls
then anyway: with one curve, and with several."""
SMALL_LINES: Final = 4.2
"""The least height of the two small curves under a curve, in lines of text."""
SMALL_FROM: Final = 33
"""The small curves are shown if the tab is at least so many lines of text high."""
HISTORY_LETTERS: Final = 260
"""The length of what a bot has learned, under the slider, in the widths of a digit."""
SCORE_LINES: Final = 9
"""The height of the facts about a player over the curves of others, in lines of text."""
OPENING: Final = (
    "What it has learned about each first move: green is good, red is bad. Framed: the best."
)
"""The tip of the small board."""
SMALL: Final = (
    "The changes of all values in one game, added up, fall when a game brings little new."
)
"""The tip of the small curves."""
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
        self._names: Mapping[str, str] = {}
        self._styles: Mapping[str, int] = {}
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
        self.scores = CanvasView(top, theme, draw_scores)
        self.chart = CanvasView(top, theme, draw, stops)
        self.small = CanvasView(top, theme, draw_small)
        self.strip = CanvasView(top, theme, draw_plies, ply_stops)
        self._pictures = (self.scores, self.chart, self.small, self.strip)
        for row, picture in enumerate(self._pictures):
            picture.grid(row=row, columnspan=2, sticky="nsew")
        self.chart.bind("<Configure>", lambda _: self._align(), add="+")
        self.slider = SnapshotSlider(top, context, self.draw)
        self.slider.grid(row=SLIDER_ROW, columnspan=2, sticky="new", pady=(theme.px(1), 0))
        below = (theme.px(2), 0)
        result = wrapping(ttk.Label(top))
        self.result = put(result, row=RESULT_ROW, column=0, sticky="new", pady=below)
        self.opening = CanvasView(top, theme, draw_heat_map)
        self.opening.grid(row=RESULT_ROW, column=1, sticky="ne", pady=below)
        add_tip(self.opening, theme, OPENING)
        add_tip(self.small, theme, SMALL)
        self.form = put(TrainingForm(body, theme, self.draw, self.press), sticky="ew")
        self.form.rarer.bind("<Map>", lambda _: self.hold(self.form.rarer))
        padding = 2 * edge - gap
        fit = self.form.fit
        self.canvas.bind("<Configure>", lambda event: fit(event.width - padding), add="+")
        self.bind("<<ThemeChanged>>", lambda _: self._dress())
        self.bind("<Configure>", lambda _: self._show_small())
        self._dress()

    def _dress(self) -> None:
        """Keep room for what may appear, so that nothing moves."""
        theme = self._theme
        line = theme.body.metrics("linespace")
        step = theme.px(1)
        width, height = (round(side * theme.scale) for side in PICTURE)
        for picture in self._pictures:
            picture.configure(width=width, height=1)
        self._least = height
        wide = max(4 * line, theme.body.measure(FIRST_MOVES))
        self.opening.configure(width=wide, height=4 * line)
        self._top.columnconfigure(1, minsize=wide + 3 * step)
        self.form.rowconfigure(1, minsize=HELP_LINES * line)
        self._share_out()

    def _share_out(self) -> None:
        """Give the picture that matters most the room that is left, and a quarter to small curves.

        The rarer settings, while they are open, get what is kept for the slider and a sentence.
        """
        line = self._theme.body.metrics("linespace")
        step = self._theme.px(1)
        slider = self.slider
        below = self._history_lines() * line
        if self._is_comparing:
            below = slider.button.winfo_reqheight()
        kept = {
            SLIDER_ROW: slider.scale.winfo_reqheight() + below + step,
            RESULT_ROW: 4 * line + 4 * step,
        }
        is_kept = self.form.winfo_manager() and not self.form.is_open
        for row, height in kept.items():
            self._top.rowconfigure(row, minsize=height if is_kept else 0)
        heights = {
            self.scores: SCORE_LINES * line,
            self.chart: self._least,
            self.small: SMALL_LINES * line,
            self.strip: STRIP_LINES * line,
        }
        large = next((one for one in (self.chart, self.scores, self.strip) if one.value), None)
        for row, picture in enumerate(self._pictures):
            least = heights[picture]
            if picture is large:
                weight = 3
                minsize = least
                if self.form.is_open:
                    minsize *= COMPARED if self._is_comparing else UNFOLDED
            else:
                weight = int(picture is self.small and picture.value is not None)
                minsize = least if picture.value else 0
            self._top.rowconfigure(row, weight=weight, minsize=round(minsize))

    def _history_lines(self) -> int:
        """Return how many lines the longest text under the slider needs, about."""
        needed = HISTORY_LETTERS * self._theme.body.measure("0")
        return math.ceil(needed / max(self.winfo_width(), self._least))

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
        self._names = names
        self._styles = styles
        bot = entry.own
        is_at_work = entry.key == self._trainer.key
        learns = bot is not None or entry.key == NEW
        has_slider = bot is not None and not is_at_work and not entry.problem
        curve = self._curves.points.get(entry.key, ())
        self.slider.show(
            bot if has_slider else None,
            LATER if learns else "",
            curve,
            is_brief=self._is_comparing,
        )
        shown = entry.key, is_at_work, bot.games if bot is not None else 0
        if learns and shown != self._shown_form:
            self._fill(name)
        self._shown_form = shown
        self.form.grid() if learns else self.form.grid_remove()
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
        self._draw_pictures(last)
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
        # A line does not end between a number and its sign.
        self.result.configure(text=text.replace(" %", "\N{NO-BREAK SPACE}%"), style=style)
        self._draw_button()

    def _draw_button(self) -> None:
        """Show what the one button would do to the chosen bot, if anything."""
        form = self.form
        activity = Activity.IDLE
        if self._entry.key == self._trainer.key:
            activity = self._trainer.activity
            can_press = activity is Activity.RUNNING
        else:
            learns = self._entry.key == NEW or self._entry.own is not None
            is_ready = form.wanted is not None and bool(form.texts()[NAME])
            can_press = learns and is_ready and self._trainer.bot is None
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

    def _draw_pictures(self, last: Measured | None) -> None:
        """Show the large picture, and the strip where a plan proves; *last* is the last score."""
        key = self._entry.key
        curves = self._curves.points
        all_solved = POSITIONS_BY_PLY if last and last.decided == POSITIONS else ()
        solved = self._curves.solved.get(key, all_solved)
        shown = [curves[one] for one in self._names if curves.get(one)]
        learns = self._entry.own is not None or key == NEW
        has_curve = bool(shown)
        if learns:
            has_curve = not solved or any(map(learning_chart.is_telling, shown))
        self.scores.show(None if learns else learning_chart.known_scores(self._entry))
        self.chart.show(self._chart() if has_curve else None)
        self.strip.show(solved)
        self._show_small()
        self._align()

    def _show_small(self) -> None:
        """Show the small curves of the chosen bot, if all but the rarer settings stays in sight.

        A comparison with others needs their room.
        """
        is_high = self.winfo_height() >= SMALL_FROM * self._theme.body.metrics("linespace")
        curves = self._curves.points
        small = None
        if is_high and self.chart.value and not self._is_comparing and curves.get(self._entry.key):
            small = learning_chart.small_curves(curves[self._entry.key], self.chart.value)
        self.small.show(small)
        self._share_out()

    @property
    def _is_comparing(self) -> bool:
        """Whether the curves of other bots are shown, which need the room of what explains one."""
        curves = self._curves.points
        return any(curves.get(key) for key in self._names if key != self._entry.key)

    def _chart(self) -> Chart:
        point = self.slider.point
        return learning_chart.wins_chart(self._curves.points, self._names, self._styles, point)

    def _align(self) -> None:
        """Have the slider stand along the axis of the chart."""
        chart = self.chart
        axes = Axes(chart.value, chart.room) if chart.value else None
        self.slider.stand_along(axes, chart.winfo_width())

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
        if path.suffix.lower() == ".csv":
            text = learning_chart.curves_csv(self._curves.points, self._names)
        else:
            text = to_svg([self._chart()])
        return write_reported(path, text.encode("utf-8"))
