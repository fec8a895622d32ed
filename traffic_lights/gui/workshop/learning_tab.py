"""The Learning tab: one large picture, one sentence, the bot as it was, and the form.

The picture is a curve of scores. While a bot only proves, and wins nothing yet, it shows how many
positions are solved, by the moves made. For a player that does not train, it shows the score.
"""

import time
import tkinter as tk
from collections.abc import Callable
from dataclasses import replace
from tkinter import ttk
from typing import Final

from traffic_lights.gui.kit.saving import ask_to_save, write_reported
from traffic_lights.gui.kit.scrolling import ScrollFrame
from traffic_lights.gui.kit.widgets import add_tip, put, stretch, unbroken, wrapping
from traffic_lights.gui.main.context import Context
from traffic_lights.gui.workshop.canvas_view import CanvasView
from traffic_lights.gui.workshop.learning_pictures import LearningPictures
from traffic_lights.gui.workshop.snapshot_slider import LATER, SnapshotSlider
from traffic_lights.gui.workshop.trainer import Activity, Trainer
from traffic_lights.gui.workshop.training_form import EVERY, GAP, NAME, TrainingForm
from traffic_lights.training.settings import SETTINGS
from traffic_lights.workshop import form_values, learning_chart, learning_texts, shared
from traffic_lights.workshop.bars import FIRST_MOVES, SCALE_DIGITS, draw_heat_map
from traffic_lights.workshop.charts import Chart, to_svg
from traffic_lights.workshop.curves import Curves
from traffic_lights.workshop.form_values import NextRun, Trained
from traffic_lights.workshop.learning_page import (
    RESULT_LINES,
    TabSize,
    is_comparing,
    pictures_of,
    share_out,
)
from traffic_lights.workshop.selection import Selection
from traffic_lights.workshop.shared import NEW, learns

SLIDER_ROW: Final = 1
RESULT_ROW: Final = 2
"""The rows of the grid under the pictures."""
OPENING_TIP: Final = (
    "What it has learned about each first move: green is good, red is bad. Framed: the best."
)
"""The tip of the small board."""
JUST_ENDED_S: Final = 0.7
"""So soon after the end of a training, the button was pressed to stop it."""
BUTTONS: Final = {
    Activity.IDLE: shared.START,
    Activity.RUNNING: "Stop",
    Activity.STOPPING: "Stopping…",
}
"""What the one button is called, by what the training process of the chosen bot does."""


class LearningTab(ScrollFrame):
    """Shows how the bots of a *selection* have learned.

    *start* begins or continues a run of the chosen one, with the name in the form, if it can.
    """

    def __init__(
        self,
        parent: tk.Misc,
        context: Context,
        selection: Selection,
        trainer: Trainer,
        curves: Curves,
        start: Callable[[str, NextRun], bool],
    ) -> None:
        super().__init__(parent)
        theme = self._theme = context.theme
        self._selection = selection
        self._trainer = trainer
        self._curves = curves
        self._start = start
        self._context = context
        seed = form_values.unused_seed(selection.own.values())
        self.new_texts = form_values.form_texts(replace(Trained().proposal(), seed=seed))
        """What is in the form for a new bot; the name only if it was typed."""
        self._filled_for: tuple[str, bool, object] | None = None
        """The key of the player that the form was filled for, whether that is in training, and its
        games, or for a new bot those that there were; what was typed since then stays."""
        self._proposed = ""
        """The name that the form proposed last for a new bot."""
        edge = theme.px(3)
        gap = theme.px(GAP)
        body = self.content
        body.configure(padding=(edge, edge, edge - gap, edge))  # each field has a gap at its right
        stretch(body)
        top = self._top = put(ttk.Frame(body), sticky="nsew", padx=(0, gap))
        top.columnconfigure(0, weight=1)
        top.rowconfigure(0, weight=1)
        self.pictures = LearningPictures(top, theme)
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
        form = TrainingForm(
            body, theme,
            on_change=self._form_changed, on_fold=self._see_all_settings, press=self.press,
        )  # fmt: skip
        self.form = put(form, sticky="ew")
        padding = 2 * edge - gap
        fit = self.form.fit
        self.canvas.bind("<Configure>", lambda event: fit(event.width - padding), add="+")
        self.bind("<<ThemeChanged>>", lambda _: self._dress())
        self.bind("<Configure>", lambda _: self._draw_pictures())
        self._dress()

    def _dress(self) -> None:
        """Keep room for what may appear, so that nothing moves."""
        theme = self._theme
        line = theme.body.metrics("linespace")
        step = theme.px(1)
        high = RESULT_LINES * line
        wide = max(high, theme.body.measure(FIRST_MOVES))
        wide += round(SCALE_DIGITS * theme.body.measure("0"))
        self.opening.configure(width=wide, height=high)
        self._top.columnconfigure(1, minsize=wide + 3 * step)
        self.form.dress()
        self.pictures.dress()
        self._draw_pictures()

    def _see_all_settings(self) -> None:
        """Have the rarer settings in sight that were just unfolded, or the pictures again."""
        self.hold(self.form.rarer if self.form.is_unfolded else self._top)

    # --- what is shown ---

    def draw(self) -> None:
        """Show the selection, and how far the chosen bot is."""
        # The pictures leave room for the form, and mark the snapshot of the slider.
        self._draw_form()
        self._draw_slider()
        self._draw_pictures()
        self._draw_result()
        self._draw_button()

    def _draw_form(self) -> None:
        """Show the form if the chosen player can learn, and fill it if that player has changed."""
        entry = self._selection.entry
        bot = entry.own
        state = bot.games if bot is not None else tuple(self._selection.own)
        wanted = entry.key, entry.key == self._trainer.key, state
        before = self._filled_for
        self._filled_for = wanted
        if before is not None and before[0] != entry.key:
            self.hold(self._top)  # the rarer settings may be in sight instead
        if not learns(entry):
            self.form.grid_remove()
            return
        self.form.grid()
        if wanted != before:
            self._fill()

    def _draw_slider(self) -> None:
        entry = self._selection.entry
        is_at_work = entry.key == self._trainer.key
        has_slider = entry.own is not None and not is_at_work and not entry.problem
        self.slider.show(
            entry.own if has_slider else None,
            LATER if learns(entry) else "",
            self._curves.points.get(entry.key, ()),
            is_brief=is_comparing(entry.key, self._curves, self._names()),
        )

    def _names(self) -> dict[str, str]:
        """Return the names of the bots in the chart by key, the chosen one first."""
        return self._selection.in_chart(self._curves.points)

    def _wins(self) -> Chart:
        """Return the chart of all curves that are to be seen."""
        points = self._curves.points
        styles = self._selection.give_styles(points)
        slider = self.slider
        return learning_chart.wins_chart(
            points,
            self._names(),
            styles,
            slider.point,
            chosen=self._selection.chosen,
            past=slider.past.known,
        )

    def _draw_pictures(self) -> None:
        """Show the pictures, and keep the room under them."""
        theme = self._theme
        size = TabSize(
            width=self.winfo_width(),
            height=self.winfo_height(),
            scale=theme.scale,
            step=theme.px(1),
            line=theme.body.metrics("linespace"),
            digit=theme.body.measure("0"),
            slider=self.slider.scale.winfo_reqheight(),
            button=self.slider.button.winfo_reqheight(),
            has_form=bool(self.form.winfo_manager()),
            is_unfolded=self.form.is_unfolded,
        )
        entry = self._selection.entry
        pictures = pictures_of(entry, self._curves, self._names(), self._wins())
        heights = share_out(pictures, size)
        self.pictures.draw(pictures, heights)
        self._top.rowconfigure(SLIDER_ROW, minsize=heights.slider)
        self._top.rowconfigure(RESULT_ROW, minsize=heights.result)
        self._align()

    def _draw_result(self) -> None:
        """Show the first moves, and one sentence about the chosen bot."""
        entry = self._selection.entry
        bot = entry.own
        points = self._curves.points.get(entry.key, [])
        last = points[-1] if points else None
        end = self.slider.past.end
        valued = [one for one in (*points, *self.slider.past.known) if one.opening]
        then = self.slider.point or max(valued, key=lambda one: one.games, default=None)
        self.opening.show(then.opening if then else ())
        trainer = self._trainer
        text = ""
        style = "Strong.TLabel"
        if entry.key == trainer.key:
            text = trainer.progress()
        elif entry.key in trainer.problems:
            text = trainer.problems[entry.key]
            style = "Warning.TLabel"
        elif trainer.bot is not None:
            text = f"“{trainer.bot.name}” is training. One bot trains at a time."
        elif self.slider.point is not None:
            text = learning_texts.snapshot_text(self.slider.point)
        elif bot is not None:
            newest = end or next(reversed(self.slider.past.points), None)
            text = learning_texts.training_result(bot.games, bot.is_training, last, newest)
        self.result.configure(text=unbroken(text), style=style)

    def _draw_button(self) -> None:
        """Show what the one button would do to the chosen bot, if anything."""
        form = self.form
        entry = self._selection.entry
        activity = Activity.IDLE
        if entry.key == self._trainer.key:
            activity = self._trainer.activity
            can_press = activity is Activity.RUNNING
        else:
            is_ready = form.next_run is not None and bool(form.texts()[NAME])
            can_press = learns(entry) and is_ready and self._trainer.bot is None
        text = BUTTONS[activity]
        is_unfinished = entry.own is not None and entry.own.is_training
        if activity is Activity.IDLE and (is_unfinished or entry.key in self._trainer.problems):
            text = shared.CONTINUE
        form.start.configure(text=text)
        form.start.state(["!disabled" if can_press else "disabled"])

    def _align(self) -> None:
        """Have the slider stand along the axis of the chart."""
        self.slider.stand_along(self.pictures.axes, self.pictures.winfo_width())

    # --- the form ---

    def _fill(self) -> None:
        """Fill the form for the chosen bot."""
        entry = self._selection.entry
        if entry.own is None:
            bots = self._context.roster.bots
            assert bots is not None
            self._proposed = bots.free_name()
            self.form.fill({NAME: self._proposed, **self.new_texts}, Trained())
            return
        trained = form_values.trained_of(entry.own)
        texts = form_values.form_texts(trained.proposal())
        note = form_values.GOES_ON if trained.is_training else ""
        can_change = {"games"} if trained.is_training else EVERY - {NAME}
        if entry.key == self._trainer.key:
            run = self._trainer.run
            if run is not None and run.settings is not None:
                texts = form_values.form_texts(replace(run.settings, games=run.total))
            note = form_values.help_text("plan", texts)
            can_change = set()
        self.form.fill({**texts, NAME: entry.name}, trained, note=note, can_change=can_change)

    def _form_changed(self) -> None:
        """Keep what is typed for a new bot, and show what can be done."""
        if self._selection.chosen == NEW:
            self.new_texts = self.form.texts()
            if self.new_texts[NAME] == self._proposed:
                del self.new_texts[NAME]
        self.draw()

    def press(self) -> None:
        """Stop the training of the chosen bot, or start it with what is in the form."""
        if self._selection.chosen == self._trainer.key:
            self._trainer.stop()
            return
        run = self.form.next_run
        is_meant = time.monotonic() - self._trainer.ended_at_s > JUST_ENDED_S
        if run is None or not is_meant:  # the key was for Stop
            return
        is_new = self._selection.chosen == NEW
        texts = self.form.texts()
        if not self._start(texts[NAME], run):
            return
        self.form.start.focus_set()  # the fields cannot be changed now
        if is_new and run.settings is not None:
            del texts[NAME]
            seed = SETTINGS["seed"].kind.show(run.settings.seed + 1)
            self.new_texts = {**texts, "seed": seed}

    def save_curve(self) -> str:
        """Ask for a file, and write the curves to it, as a picture or as figures by its ending.

        Return what to report.
        """
        kinds = [("SVG picture", "*.svg"), ("CSV", "*.csv")]
        path = ask_to_save(self, "Save the Curve", f"{self._selection.entry.name}.svg", kinds)
        if path is None:
            return ""
        match path.suffix.lower():
            case ".csv":
                text = learning_chart.curves_csv(self._curves.points, self._names())
            case ".svg":
                text = to_svg([self._wins()])
            case _:
                return f"{path.name} was not saved: its name must end in .svg or .csv."
        return write_reported(path, text.encode("utf-8"))
