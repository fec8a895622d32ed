"""The Learning tab: the curves, the bot as it was, what it has come to, and the form."""

import time
from collections.abc import Callable
from tkinter import ttk
from typing import Final

from traffic_lights.board.baselines import BASELINES
from traffic_lights.gui.kit.scrolling import ScrollFrame
from traffic_lights.gui.kit.widgets import enable, paragraph, put, show_if, stretch, unbroken
from traffic_lights.gui.main.context import Context
from traffic_lights.gui.workshop import form_values, learning_texts
from traffic_lights.gui.workshop.curve_chart import Curve, CurveChart
from traffic_lights.gui.workshop.curves import Curves
from traffic_lights.gui.workshop.form import TrainingForm
from traffic_lights.gui.workshop.form_values import NextRun, Trained
from traffic_lights.gui.workshop.past import Past
from traffic_lights.gui.workshop.selection import Selection
from traffic_lights.gui.workshop.shared import learns
from traffic_lights.gui.workshop.small_curves import SmallCurves
from traffic_lights.gui.workshop.solved_bars import SolvedBars
from traffic_lights.gui.workshop.trainer import Trainer
from traffic_lights.players.roster import Entry
from traffic_lights.storage.words import percent
from traffic_lights.training.gauge import Measured

JUDGE_EVERY: Final = 10
"""After so many points, a training is judged again."""
JUST_ENDED_S: Final = 0.7
"""So soon after the end of a training, the button was pressed to stop it."""


class LearningTab(ScrollFrame):
    """Shows how the bots of a *selection* have learned.

    *start* begins or continues a run of the chosen one.
    """

    def __init__(
        self,
        parent: ttk.Notebook,
        context: Context,
        selection: Selection,
        trainer: Trainer,
        curves: Curves,
        start: Callable[[NextRun], object],
    ) -> None:
        px = context.theme.px
        super().__init__(parent, padding=(px(3), px(3), px(1), px(3)))
        self._context = context
        self._selection = selection
        self._trainer = trainer
        self._curves = curves
        self._start = start
        self._filled_for: object = None
        """What the form was filled for, so that what was typed since then stays: the bot, whether
        it trains, and its games. The name of a new one depends on how many bots there are."""
        theme = context.theme
        gap = px(2)
        page = self.body
        page.configure(padding=(0, 0, px(1), 0))
        stretch(page)
        chart = CurveChart(page, theme, lambda games: self.past.go(games))  # made below
        self.chart = put(chart, sticky="nsew")
        self.bind("<Configure>", lambda _: self.chart.redraw())
        self.solved = put(SolvedBars(page, theme), sticky="ew", pady=(px(1), 0))
        self.past = put(Past(page, context, curves, self.draw), sticky="ew", pady=(px(1), 0))
        self.trend = paragraph(page, pady=(0, gap))
        self.form = put(TrainingForm(page, theme, self._draw_button, self.press), sticky="ew")
        self.small = put(SmallCurves(page, theme, self.chart), sticky="ew")

    # --- what is shown ---

    def draw(self) -> None:
        """Show the selection, and how far the chosen bot is: at each message of a training, too."""
        entry = self._selection.entry
        is_at_work = entry.key == self._trainer.key
        wanted = entry.key, is_at_work, entry.own.games if entry.own else len(self._selection.own)
        show_if(learns(entry), self.form, self)
        if learns(entry) and wanted != self._filled_for:
            self._filled_for = wanted
            self._fill(entry)
        self.past.take(None if is_at_work or entry.problem else entry.own)
        self.past.say(*self._result(entry))
        self._draw_chart()
        self.solved.show(self._curves.solved_by_ply.get(entry.key, ()))
        points = self._curves.points.get(entry.key, [])
        # Judged after each new point, a training would be something else each second.
        judged = len(points) // JUDGE_EVERY * JUDGE_EVERY if is_at_work else len(points)
        trend = learning_texts.trend_text(points[:judged]) if not self.past.key else ""
        self.trend.configure(text=unbroken(trend))
        self._draw_button()

    @property
    def point(self) -> Measured | None:
        """The measurement that is looked at: at the slider, or else the last of the chosen bot."""
        points = self._curves.points.get(self._selection.chosen)
        return self.past.point or (points[-1] if points else None)

    def _draw_chart(self) -> None:
        """Show the curves against the last opponent of the first bot that has one."""
        by_bot = self._curves.points
        styles = self._selection.styles(by_bot)
        opponent = next((by_bot[key][-1].opponent for key in styles), "myopic")
        curves = []
        for key, style in styles.items():
            found = [one for one in by_bot[key] if one.opponent == opponent and one.games]
            if found:
                curves.append(Curve(self._selection.entries[key].name, found, style))
        title = f"Wins against {BASELINES[opponent].name}"
        about = "Measured without exploring. Uprights: 95 % intervals."
        if len(self.past.stops) > 1:
            about += " Slider: the bot as it was."
        if len(curves) < len(styles):
            about = f"{len(styles) - len(curves)} of the bots played another opponent."
        if not curves:
            title = "The curve appears here when a bot trains."
            about = ""
        show_if(curves or learns(self._selection.entry), self.chart, self)
        self.chart.show(title, about, curves, [*self.past.stops], self.past.games)
        self.small.show()

    def _result(self, entry: Entry) -> tuple[str, str]:
        """Return one sentence about the chosen bot, or as it was, and its style."""
        trainer = self._trainer
        point = self.point
        if point is not None and self.past.key:
            return learning_texts.snapshot_text(point), "Strong.TLabel"
        if entry.key == trainer.key:
            return trainer.progress(), "Strong.TLabel"
        if entry.key == trainer.problem[0]:
            return trainer.problem[1], "Warning.TLabel"
        text = ""
        if trainer.bot is not None:
            text = f"“{trainer.bot.name}” is training. One bot trains at a time."
        elif entry.own is not None:
            text = learning_texts.result_text(entry.own.games, entry.own.is_training, point)
        elif entry.score is not None:
            seats = percent(entry.score.first), percent(entry.score.second)
            text = (
                f"It wins {percent(entry.score.total)} against Myopic: "
                f"{seats[0]} as Player 1, {seats[1]} as Player 2."
            )
        return text, "Strong.TLabel"

    def _draw_button(self) -> None:
        """Show what the one button would do to the chosen bot, if anything."""
        entry = self._selection.entry
        trainer = self._trainer
        if entry.key == trainer.key:
            text = "Stopping…" if trainer.is_stopping else "Stop"
            can_press = not trainer.is_stopping
        else:
            is_unfinished = entry.own is not None and entry.own.is_training
            goes_on = is_unfinished or entry.key == trainer.problem[0]
            text = "Continue" if goes_on else "Start"
            can_press = self.form.next_run is not None and trainer.bot is None
        self.form.start.configure(text=text)
        enable(self.form.start, can_press)

    # --- the form ---

    def _fill(self, entry: Entry) -> None:
        """Fill the form for the chosen bot, or for a new one, which begins with the defaults."""
        if entry.own is not None:
            run = self._trainer.run if entry.key == self._trainer.key else None
            self.form.fill(entry.name, form_values.trained_of(entry.own), run=run)
        elif (bots := self._context.roster.bots) is not None:
            self.form.fill(bots.free_name(), Trained(), is_new=True)

    def press(self) -> None:
        """Stop the training of the chosen bot, or start it with what is in the form."""
        run = self.form.next_run
        if self._selection.chosen == self._trainer.key:
            self._trainer.stop()
        elif run is not None and time.monotonic() - self._trainer.ended_at_s > JUST_ENDED_S:
            self._start(run)
