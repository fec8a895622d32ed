"""The Workshop: bots trained, compared, looked into, renamed and removed, with real events."""

import shutil
import sys
import tkinter as tk
import unittest
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from tkinter import filedialog, ttk
from typing import Any, Final, TypeVar
from unittest import mock

from tests.kit.external_bots import write_bot
from tests.kit.eye import faults
from tests.kit.quick import ThreadWorker, threads_for_processes
from tests.kit.samples import IS_SLOW_RUN, PROJECT
from tests.kit.windows import (
    WindowTestCase,
    destroy,
    heights,
    load_moves,
    new_folder,
    open_dialogs,
    settle,
    words_in,
)
from traffic_lights.board.positions import POSITIONS
from traffic_lights.board.rules import format_cell, parse_cell
from traffic_lights.drawing.palette import JOIN_EDGE, LAMPS, ON_WASH, SERIES_COLOURS, roles
from traffic_lights.gui.kit import jobs
from traffic_lights.gui.kit.charts import POSITIONS_BY_PLY, Area, Axes, Room, draw
from traffic_lights.gui.kit.dialog import Dialog
from traffic_lights.gui.kit.widgets import focused_widget
from traffic_lights.gui.main.context import Context
from traffic_lights.gui.workshop import model, snapshot_slider
from traffic_lights.gui.workshop import trainer as trainer_module
from traffic_lights.gui.workshop.inside_tab import NO_GAME
from traffic_lights.gui.workshop.lesson_view import formula, proof
from traffic_lights.gui.workshop.model import (
    FORM_CHOICES,
    GOES_ON,
    NEW,
    Trained,
    form_texts,
    read_form,
    used_settings,
    usual,
)
from traffic_lights.gui.workshop.program_dialog import ProgramDialog
from traffic_lights.gui.workshop.snapshot_slider import SnapshotSlider
from traffic_lights.gui.workshop.trainer import Activity, Trainer
from traffic_lights.gui.workshop.window import WorkshopWindow, open_workshop
from traffic_lights.learning.lesson import GameLesson, LessonStep, lesson
from traffic_lights.learning.tablefile import read_meta, read_table, write_table
from traffic_lights.play.game import HUMAN, Game, Player
from traffic_lights.system.processes import Ended
from traffic_lights.training.folder import PRUNED
from traffic_lights.training.gauge import Measured
from traffic_lights.training.own_bots import Bots, OwnBot, playing_path, write_curve
from traffic_lights.training.progress import Moment, Progress
from traffic_lights.training.replay import milestones, table_after
from traffic_lights.training.settings import SETTINGS, RunSettings

W = TypeVar("W", bound=tk.Misc)
MY_QBOT: Final = "bot:My QBot"
TABLE: Final = PROJECT / "qtables" / "myopic-1000.json"
SMALL: Final = PROJECT / "qtables" / "myopic-200.json"
ONE: Final = "bot:One"
PLANS: Final = SETTINGS["plan"].choices


def moment(games: int, share: float | None = None, ply: int = -1) -> Moment:
    return Moment(Progress(0.0, games=games, ply=ply), "stage", (0,) * 33, games, share)


def measured(games: int, score: float, opponent: str = "myopic", decided: int = 0) -> Measured:
    return Measured(games, opponent, score, score, decided)


def inside(widget: tk.Misc, kind: type[W]) -> Iterator[W]:
    """Yield the widgets of a *kind* in *widget*, at any depth."""
    for child in widget.winfo_children():
        if isinstance(child, kind):
            yield child
        yield from inside(child, kind)


class FakeJob:
    """A training process that reports what a test tells it to."""

    def __init__(self, _target: object, task: tuple[Path, dict[str, Any], bool]) -> None:
        self.started = task
        self.is_over = False
        self.reports: list[object] = []
        self.received: list[object] = []

    def send(self, message: object) -> None:
        self.received.append(message)

    def poll(self) -> list[object]:
        reports, self.reports = self.reports, []
        self.is_over = any(isinstance(report, Ended) for report in reports)
        return reports


@cache
def imported(name: str) -> Path:
    """Return the folder of a bot *name* that was imported once for all tests."""
    return Bots(new_folder()).import_table(TABLE, name).folder


def fresh_workshop(context: Context) -> WorkshopWindow:
    """Show the Workshop as if it had not been opened yet, with the bots that there are."""
    window = open_workshop(context)
    window._ticked.clear()
    for known in (window.trainer.curves, window.trainer.problems, window.trainer.solved):
        known.clear()
    window.inside.moves, window.inside._key, window.inside._table = (), "", None
    window.learning._shown_form = None
    window.learning.form._is_open.set(False)
    window.wm_geometry("1060x680")
    window.list.chosen = ""
    window.refill()
    window.update()
    return window


class WorkshopTestCase(WindowTestCase):
    """Opens the Workshop with the bots *names*, without a training process of its own."""

    names: tuple[str, ...] = ()
    is_real = False
    """Whether threads train in place of processes; otherwise a test reports in their place."""

    def setUp(self) -> None:
        super().setUp()
        self.enterContext(mock.patch.object(jobs, "POLL_MS", 10))
        self.enterContext(threads_for_processes())
        self.enterContext(mock.patch.object(snapshot_slider, "Worker", ThreadWorker))
        worker = ThreadWorker if self.is_real else FakeJob
        self.enterContext(mock.patch.object(trainer_module, "Worker", worker))
        self.context = self.app.context
        self.path = self.context.userdata.folder / "chosen.json"
        """The file that every file dialog answers."""
        for dialog in ("askopenfilename", "asksaveasfilename"):
            answer = mock.patch.object(filedialog, dialog, side_effect=lambda **_: str(self.path))
            self.enterContext(answer)
        self.bots = Bots(self.context.userdata.folder)
        for number, name in enumerate(self.names):
            self.add_bot(name)
            points = [measured(100 * n, n / (11 + number)) for n in range(1, 11)]
            write_curve(self.own(name).folder, points)
        self.window = fresh_workshop(self.context)
        self.addCleanup(self.clear_up)

    def clear_up(self) -> None:
        self.trainer.stop()
        if self.trainer.key and not self.is_real:
            self.report(Ended(""))
        self.wait(lambda: not self.trainer.key)
        for dialog in [*open_dialogs(self.app.root), *open_dialogs(self.window)]:
            dialog.close()
        self.window.close()

    @property
    def trainer(self) -> Trainer:
        return self.window.trainer

    @property
    def text(self) -> str:
        """The sentence about the chosen bot."""
        return str(self.window.learning.result.cget("text"))

    @property
    def reported(self) -> str:
        """The text at the bottom of the window."""
        return str(self.window.status.cget("text"))

    @property
    def lines(self) -> dict[str, int]:
        """How many points the chart shows, by the names of its lines."""
        lines = self.window.learning.chart.value.lines
        return {name: len(points) for name, points in lines}

    def add_bot(self, name: str) -> None:
        shutil.copytree(imported(name), self.bots.folder / name)

    def open(self, tab: str = "learning", key: str = "") -> None:
        self.window = open_workshop(self.context, tab, key)
        self.app.root.update()

    def own(self, name: str) -> OwnBot:
        bot = self.bots.find(f"bot:{name}")
        assert bot is not None
        return bot

    def fill(self, **texts: str) -> None:
        """Type *texts* into the fields of the form; a plan is chosen from its list."""
        for name, text in texts.items():
            field = self.window.learning.form.fields[name]
            if isinstance(field, ttk.Combobox):
                field.current(list(FORM_CHOICES["plan"]).index(text))
                field.event_generate("<<ComboboxSelected>>")
            else:
                field.delete(0, tk.END)
                field.insert(0, text)
        self.app.root.update()

    def press(self, words: str, where: tk.Misc | None = None) -> None:
        """Click on the button with these *words*."""
        buttons = inside(where or self.window, ttk.Button)
        self.click_on(next(b for b in buttons if b.cget("text") == words))

    def dialog(self) -> Dialog:
        """Return the dialog that is open over the Workshop."""
        return next(inside(self.window, Dialog))

    @property
    def job(self) -> FakeJob:
        """The process of the training, for which a test speaks."""
        job = self.trainer._worker
        assert isinstance(job, FakeJob)
        return job

    def report(self, *reports: object) -> None:
        """Have the process of the training report."""
        job = self.job
        job.reports += reports
        self.wait(lambda: not job.reports)

    def begin(self) -> None:
        """Start to train a new bot, in a process that a test speaks for."""
        self.press("Start")
        self.report(moment(10, 0.1))
        self.assertIs(self.trainer.activity, Activity.RUNNING)


class TrainingTests(WorkshopTestCase):
    is_real = True

    def start(self, **texts: str) -> None:
        self.fill(**texts)
        self.press("Start")
        self.wait(lambda: self.trainer.moment is not None and self.trainer.moment.games > 0)

    def test_a_new_bot_is_in_the_list_at_once_and_plays_when_it_has_trained(self) -> None:
        self.start(plan="myopic", games="2,000")
        self.assertEqual(self.window.list.chosen, MY_QBOT)
        self.wait(lambda: not self.trainer.key)
        bot = self.own("My QBot")
        self.assertEqual((bot.games, bot.is_training, bot.problem), (2000, False, ""))
        self.assertIn("It wins", self.text)
        self.assertGreater(self.lines["My QBot"], 1)
        self.press("Play")
        self.wait(lambda: "My QBot" in str([p.name for p in self.app.session.players]))

    def test_stop_saves_start_continues_quitting_saves_and_the_games_can_be_changed(self) -> None:
        self.start(plan="random", games="999,999,999,999")  # mistyped
        self.wait(lambda: self.lines.get("My QBot", 0) > 1)
        self.press("Stop")
        self.wait(lambda: not self.trainer.key)
        games, points = self.own("My QBot").games, self.lines["My QBot"]
        form = self.window.learning.form
        self.assertIn(f"Stopped after {games:,} games.", self.text)
        self.assertEqual(str(form.help.cget("text")), GOES_ON)
        self.press("Start")
        self.wait(lambda: self.trainer.moment is not None and self.trainer.moment.games > games)
        self.assertGreaterEqual(self.lines["My QBot"], points - 1)
        with mock.patch.object(self.context, "close") as close:
            self.context.quit()
            close.assert_not_called()
            self.wait(lambda: close.called)
        bot = self.own("My QBot")
        self.assertTrue(bot.is_training and bot.games > games)
        games = bot.games
        self.assertTrue(form.fields["games"].instate(["!disabled"]))
        self.assertTrue(form.fields["plan"].instate(["disabled"]))
        self.fill(games=f"{games}")
        self.assertIn(f"must be above the {games:,} played", str(form.help.cget("text")))
        self.assertTrue(form.start.instate(["disabled"]))
        self.fill(games=f"{games + 1000}")
        self.press("Start")
        self.wait(lambda: not self.trainer.key)
        bot = self.own("My QBot")
        self.assertEqual((bot.games, bot.is_training), (games + 1000, False))
        form.more.invoke()
        self.assertEqual(
            form.texts()["games"], SETTINGS["games"].kind.show(games + 1000 + 2 * model.MORE)
        )


class TrainedTests(unittest.TestCase):
    def test_the_total_is_reached_by_whatever_run_follows(self) -> None:
        random, myopic = usual("random"), usual("myopic")
        for trained, plan, total, expected in (
            (Trained(), "random", 500, 500),
            (Trained(300, 0, random), "random", 500, 500),  # the run grows
            (Trained(300, 100, random), "random", 500, 400),
            (Trained(300, 0, myopic), "random", 500, 200),  # another run follows
            (Trained(300, 100, usual("baselines")), "baselines", 500, 200),
            (Trained(300, 100, usual("baselines"), is_training=True), "baselines", 500, 400),
        ):
            with self.subTest(trained=trained, plan=plan):
                texts = {**form_texts(usual(plan)), "games": f"{total}"}
                wanted, problem, _ = read_form(texts, trained)
                assert wanted is not None
                self.assertEqual((wanted["games"], problem), (expected, ""))
                texts["games"] = f"{trained.games}"
                self.assertEqual(read_form(texts, trained)[2], "games")

    def test_an_unfinished_run_goes_on_as_it_was_unless_its_games_are_changed(self) -> None:
        trained = Trained(300, 100, usual("random"), is_training=True)
        texts = form_texts(trained.proposal())
        self.assertEqual(read_form(texts, trained), ({}, "", ""))
        self.assertEqual(read_form({**texts, "games": "400"}, trained)[0], {"games": 300})


class SettingsTests(unittest.TestCase):
    def test_every_plan_and_every_choice_has_a_name(self) -> None:
        for name, info in SETTINGS.items():
            self.assertEqual(set(info.choices), model.FORM_CHOICES.get(name, {}).keys(), name)
        self.assertEqual(set(PLANS), model.PLAN_TEXTS.keys())

    def test_no_help_names_an_option_of_the_command(self) -> None:
        self.assertNotIn("--", " ".join(info.help for info in SETTINGS.values()))

    def test_the_form_of_a_plan_asks_for_its_usual_settings_and_has_defaults_elsewhere(
        self,
    ) -> None:
        defaults = {name: setting.kind.show(setting.default) for name, setting in SETTINGS.items()}
        for plan in PLANS:
            with self.subTest(plan=plan):
                wanted, problem, _ = read_form(form_texts(usual(plan)))
                self.assertEqual(problem, "")
                asked = RunSettings.wanted(wanted or {})
                self.assertEqual(asked, RunSettings(plan=plan))
                texts = {**form_texts(usual(plan)), "plan": "reverse", "games": ""}
                self.assertEqual(texts, defaults)

    def test_every_setting_can_be_changed_in_some_plan_and_only_where_it_matters(self) -> None:
        offered = set()
        for plan in PLANS:
            for update in SETTINGS["update"].choices:
                texts = {**form_texts(usual(plan)), "update": update, "explore": "least-visited"}
                offered |= set(used_settings(texts))
        self.assertEqual(offered, SETTINGS.keys() - {"plan", "games"})

    def test_what_is_typed_is_understood_and_the_wrong_field_marked(self) -> None:
        texts = form_texts(usual("baselines"))
        wanted, _, _ = read_form({**texts, "games": " 1,000,000 ", "alpha": "0,5", "seed": "007"})
        assert wanted is not None
        found = wanted["games"], wanted["alpha"], wanted["seed"]
        self.assertEqual(found, (1_000_000, 0.5, 7))
        for field, text in (
            ("games", "many"), ("alpha", "1.1"), ("alpha", ""), ("epsilon_start", "2"),
            ("epsilon_end", "0.3"), ("seed", str(2**63)), ("shares", "0 0 0 0"),
        ):  # fmt: skip
            with self.subTest(field=field, text=text):
                wanted, problem, name = read_form({**texts, field: text})
                self.assertEqual((wanted, name), (None, field))
                self.assertIn(" must be ", problem)
        wanted, problem, _ = read_form({**form_texts(usual("reverse")), "alpha": "nonsense"})
        self.assertEqual((problem, "alpha" in (wanted or {})), ("", False), "it is not used")


class CurveTests(unittest.TestCase):
    def test_every_measured_point_is_drawn_and_named(self) -> None:
        curves = {
            "a": [measured(games, games / 1000) for games in (0, 50, 100, 500, 1000)],
            "b": [measured(10, 0, "random"), measured(500, 0.5), measured(600, 0.5)],
            "c": [],
        }
        chart = model.learning_chart(curves, {"a": "A", "b": "B", "c": "C"})
        self.assertEqual((chart.title, chart.is_log), ("Wins against Myopic", False))
        self.assertEqual(
            [(name, len(points)) for name, points in chart.lines], [("A", 5), ("B", 2)]
        )
        shapes = draw(chart, Room(600, 300, 16, 8))
        samples = len(chart.lines)
        self.assertEqual(sum(isinstance(shape, Area) for shape in shapes), 5 + 2 + samples)

    def test_the_axis_is_logarithmic_where_the_learning_would_be_at_its_left_end(self) -> None:
        early = [measured(n, min(0.9, n / 1000)) for n in (0, 1, 100, 1000, 100_000)]
        late = [measured(n, n / 10**5) for n in (0, 1, 100, 1000, 50_000, 100_000)]
        for points, is_log in ((early, True), (late, False), (early[:1], False)):
            chart = model.learning_chart({"a": points}, {"a": "A"})
            self.assertEqual(chart.is_log, is_log)
            self.assertEqual(0 in [games for games, _ in chart.lines[0][1]], not is_log)
        young = [measured(n, n / 2000) for n in (1, 500, 1000)]
        chart = model.learning_chart({"a": late, "b": young}, {"a": "A", "b": "B"})
        self.assertTrue(chart.is_log, "the short curve would be a point")

    def test_a_curve_of_zeros_says_that_nothing_was_won(self) -> None:
        chart = model.learning_chart({"a": [measured(5, 0)]}, {"a": "A"})
        self.assertEqual(chart.note, "No win against Myopic yet.")
        self.assertEqual(model.learning_chart({}, {"new": "New bot"}).note, model.NO_CURVE)


class SentenceTests(unittest.TestCase):
    def test_what_came_of_a_bot_is_one_or_two_true_sentences(self) -> None:
        self.assertIn("not been trained", model.training_result(0, True, None))
        text = model.training_result(20_000, True, measured(20_000, 0.6))
        self.assertEqual(
            text, "Stopped after 20,000 games. It wins 60.00 % of its games against Myopic."
        )
        almost = model.training_result(9, False, measured(9, 0.9999999, decided=POSITIONS - 1))
        self.assertNotIn("100", almost)
        whole = model.training_result(9, False, measured(9, 0.9999, decided=POSITIONS))
        self.assertIn("Every position is solved.", whole)


class TrainerTests(WorkshopTestCase):
    def test_why_a_run_failed_is_shown_and_start_repairs_it(self) -> None:
        self.begin()
        self.assertFalse(self.job.started[-1])
        self.report(Ended("the log is damaged; --repair continues from the table"))
        self.assertEqual(self.text, "The log is damaged; Start continues from the table.")
        self.press("Start")
        self.assertTrue(self.job.started[-1])

    def test_a_quit_waits_until_the_bot_is_saved_and_a_second_one_does_not(self) -> None:
        for share, noted in ((0.5, "My QBot"), (1.0, "")):
            self.press("Start")
            with mock.patch.object(self.context, "close") as close:
                self.context.quit()
                close.assert_not_called()
                self.assertIs(self.trainer.activity, Activity.STOPPING)
                self.context.quit()
                close.assert_called_once()
                self.report(moment(100, share), Ended())
                self.assertEqual(close.call_count, 2)
            self.assertEqual(self.context.userdata.settings.training, noted, "for the next start")

    def test_points_that_are_played_again_take_the_place_of_the_old_ones(self) -> None:
        self.begin()
        self.report(*(measured(n, n / 1000) for n in (100, 200, 300)), measured(150, 0.9))
        points = self.trainer.curves[MY_QBOT]
        self.assertEqual([(one.games, one.score) for one in points], [(100, 0.1), (150, 0.9)])

    def test_time_left_and_rate_are_those_of_the_last_seconds(self) -> None:
        self.begin()
        with mock.patch.object(trainer_module, "time") as time:
            for second in range(100):
                time.monotonic.return_value = float(second)
                self.trainer._take(moment(1000 * second, second / 200))
        self.assertRegex(self.trainer.progress(), r"^49 %, 01:41 left, .* 1,000 a second\.$")


class FormTests(WorkshopTestCase):
    names = ("One", "Two")

    def setUp(self) -> None:
        super().setUp()
        self.form = self.window.learning.form
        self.window.list.choose(NEW)

    def shown(self) -> set[str]:
        self.app.root.update()
        return {name for name, field in self.form.fields.items() if field.winfo_ismapped()}

    def test_the_form_shows_exactly_what_the_plan_uses_and_its_games_until_they_are_typed(
        self,
    ) -> None:
        usual = {"name", "plan", "games"}
        self.assertEqual(self.shown(), usual)
        self.click_on(self.form.advanced)
        for plan, games, shown in (
            ("reverse", "", {"seed", "practice"}),
            ("baselines", "400,000", {"alpha", "update", "explore", "shares"}),
            ("random", "100,000", {"alpha"}),
        ):
            self.fill(plan=plan)
            self.assertEqual(self.form.texts()["games"], games)
            self.assertLessEqual(usual | shown, self.shown())
        self.assertNotIn("practice", self.shown())
        self.fill(games="77", plan="baselines")
        self.assertEqual(self.form.texts()["games"], "77")

    def test_a_player_that_does_not_train_shows_what_is_known_of_it(self) -> None:
        learning = self.window.learning
        self.window.list.choose(ONE)
        self.window._tick(ONE)
        for key, words in (("beginner", "as Player 1"), ("myopic", "as Player 2")):
            self.window.list.choose(key)
            known = learning.scores.value
            self.assertEqual(known.title, self.window.heading.cget("text"))
            self.assertIn(words, [name for name, _ in known.bars])
            self.assertTrue(any("Myopic" in line for line in known.lines))
        self.assertEqual(self.lines, {"One": 10}, "the curve of another bot has its name")
        self.window._tick(ONE)
        self.assertIsNone(learning.chart.value)
        self.window.list.choose(ONE)
        self.assertIsNone(learning.scores.value)
        self.assertEqual(self.lines, {"One": 10})

    def test_while_a_plan_only_proves_the_large_picture_is_what_is_solved(self) -> None:
        learning = self.window.learning
        self.fill(plan="reverse")
        self.begin()
        self.report(measured(10, 0.0), measured(20, 0.0))
        self.app.root.update()
        self.assertFalse(learning.chart.winfo_ismapped())
        self.assertGreater(learning.strip.winfo_height(), 0.9 * learning._least)
        self.report(measured(30, 0.4), measured(60, 0.5))
        self.wait(learning.chart.winfo_ismapped)
        self.assertGreater(learning.chart.winfo_height(), learning.strip.winfo_height())

    def test_the_keys_read_the_points_of_a_picture_that_has_the_focus(self) -> None:
        learning = self.window.learning
        self.window.list.choose(ONE)
        chart = learning.chart

        def words() -> str:
            self.app.root.update()
            texts = [item for item in chart.find_all() if str(chart.type(item)) == "text"]
            found = (chart.itemcget(item, "text") for item in texts)  # type: ignore[no-untyped-call]
            return " ".join(map(str, found))

        for keys, read in (
            (("<Left>",), "1,000 games: One 90.9 %"),
            (("<Left>",), "900 games: One 81.8 %"),
            (("<Home>", "<Right>"), "200 games: One 18.2 %"),
            (("<End>",), "1,000 games: One 90.9 %"),
        ):
            self.key(*keys, widget=chart)
            self.assertIn(read, words())
        self.window.list.focus_force()
        self.wait(lambda: "90.9" not in words())

    def test_what_was_solved_is_shown_after_a_restart_too(self) -> None:
        half = tuple(total // 2 for total in POSITIONS_BY_PLY)
        points = [measured(n, 0.0, decided=sum(half)) for n in (10, 20)]
        for solved, is_shown in ((half, True), ((9,), False), ([9] * 40, False)):
            write_curve(self.own("One").folder, points, solved)
            self.trainer.solved.clear()
            self.window.refill()
            self.window.list.choose(ONE)
            self.app.root.update()
            self.assertEqual(self.window.learning.strip.winfo_ismapped(), is_shown)
            self.assertEqual(self.window.learning.chart.winfo_ismapped(), not is_shown)

    def test_a_mistake_is_marked_explained_and_cannot_be_started(self) -> None:
        self.fill(games="many")
        self.assertIn("Games in total must be", str(self.form.help.cget("text")))
        self.assertEqual(str(self.form.fields["games"].cget("style")), "Wrong.TEntry")
        self.key("<Return>", widget=self.form.fields["games"])
        self.assertEqual(self.trainer.key, "")
        self.fill(games="10", name=" ")
        self.assertTrue(self.form.start.instate(["disabled"]))
        self.fill(name="One")
        self.press("Start")
        self.assertIn("another bot called “One”", self.reported)
        self.assertEqual(self.trainer.key, "")

    def test_a_field_with_the_keyboard_shows_what_it_means(self) -> None:
        form = self.form
        self.click_on(form.advanced)
        self.fill(plan="baselines")
        for name in ("games", "alpha", "seed", "plan", "name"):
            self.window.list.focus_force()
            self.app.root.update()
            form.fields[name].focus_force()
            self.app.root.update()
            text = str(form.help.cget("text"))
            about = model.PLAN_TEXTS["baselines"]
            help_text = (
                model.TOTAL_HELP if name == "games" else SETTINGS.get(name, SETTINGS["seed"]).help
            )
            if name in ("plan", "name"):
                self.assertEqual(text, about)
            else:
                self.assertEqual(text.lower().rstrip("."), help_text.lower().rstrip("."))
            self.assertEqual(str(form.help.cget("style")), "Muted.TLabel")
        self.fill(games="many")
        self.assertEqual(str(form.help.cget("style")), "Warning.TLabel")
        self.fill(games="200,000")
        self.assertEqual(str(form.fields["games"].cget("style")), "TEntry")
        self.assertEqual(str(form.help.cget("style")), "Muted.TLabel")

    def test_the_button_beside_the_games_adds_to_a_number(self) -> None:
        for typed, shown in (("10", "100,010"), ("", ""), ("many", "many")):
            self.fill(games=typed)
            self.assertEqual(self.form.more.instate(["!disabled"]), typed == "10")
            self.form.more.invoke()
            self.assertEqual(self.form.texts()["games"], shown)
        self.window.list.choose("myopic")
        self.assertTrue(self.form.more.instate(["disabled"]))

    def test_the_rarer_settings_stand_in_rows_of_four_under_the_others(self) -> None:
        form = self.form
        self.click_on(form.advanced)
        for plan in ("baselines", "random", "reverse"):
            self.fill(plan=plan)
            self.app.root.update()
            used = used_settings(form.texts())
            places = [form.fields[name] for name in used]
            rows = [places[n : n + 4] for n in range(0, len(places), 4)]
            under = form.advanced.winfo_rooty()
            for row in rows:
                self.assertEqual(len({field.winfo_rooty() for field in row}), 1)
                self.assertGreater(row[0].winfo_rooty(), under)
                under = row[0].winfo_rooty()
                across = [field.winfo_rootx() for field in row]
                self.assertEqual(across, sorted(set(across)))
                self.assertEqual(across[0], form.fields["name"].winfo_rootx())
        first = [form.fields[name] for name in ("name", "plan", "games")]
        self.assertEqual(len({field.winfo_rooty() for field in first}), 1)
        across = [field.winfo_rootx() for field in first]
        self.assertEqual(across, sorted(set(across)))
        self.assertAlmostEqual(form.start.winfo_rootx(), across[2], delta=1)

    def test_return_in_a_field_starts_the_training(self) -> None:
        self.fill(name="Third", games="123")
        self.key("<Return>", widget=self.form.fields["games"])
        self.assertEqual(self.trainer.key, "bot:Third")
        _, wanted, _ = self.job.started
        self.assertEqual(wanted["games"], 123)
        self.assertEqual(str(self.form.start.cget("text")), "Stop")
        for field in self.form.fields.values():
            self.assertTrue(field.instate(["disabled"]))
        self.press("Stop")
        self.assertEqual(self.job.received, ["stop"])
        self.assertEqual(str(self.form.start.cget("text")), "Stopping…")
        self.assertTrue(self.form.start.instate(["disabled"]))
        self.report(Ended(""))
        self.assertEqual(str(self.form.start.cget("text")), "Start")

    def test_the_games_that_are_proposed_follow_the_bot_and_its_plan(self) -> None:
        self.window.list.choose(ONE)
        own = self.own("One")
        found = self.form.texts()
        self.assertEqual((found["name"], found["plan"]), ("One", "myopic"))
        self.assertEqual(found["games"], f"{own.games + 100_000:,}")
        self.assertTrue(self.form.fields["name"].instate(["disabled"]), "its folder has its name")
        self.assertTrue(self.form.fields["plan"].instate(["!disabled", "readonly"]))
        self.fill(plan="baselines")
        self.assertEqual(self.form.texts()["games"], f"{own.games + 400_000:,}")

    def test_the_sentence_warns_only_of_a_training_that_failed(self) -> None:
        label = self.window.learning.result
        self.assertEqual(self.text, "")
        self.begin()
        self.assertEqual(str(label.cget("style")), "Strong.TLabel")
        self.assertRegex(self.text, "^10 %")
        self.report(Ended("the disk is full"))
        self.assertEqual(str(label.cget("style")), "Warning.TLabel")
        self.window.list.choose(ONE)
        self.assertEqual(str(label.cget("style")), "Strong.TLabel")
        self.assertIn("It wins 90.91 %", self.text)

    def test_the_small_board_shows_the_first_moves_of_the_last_point(self) -> None:
        opening = self.window.learning.opening
        self.begin()
        self.assertFalse(opening.find_all())
        self.report(Measured(9, "myopic", 0.5, 0.5, 9, 0, (0.5,) * 12))
        self.app.root.update()
        self.assertEqual(opening.value, (0.5,) * 12)
        self.assertGreaterEqual(len(opening.find_all()), 12)
        self.assertAlmostEqual(opening.winfo_width() / opening.winfo_height(), 4 / 3, delta=0.1)
        self.window.list.choose(ONE)
        self.app.root.update()
        self.assertFalse(opening.find_all())

    def test_the_chart_is_saved_under_the_name_of_the_bot(self) -> None:
        self.window.list.choose(ONE)
        with mock.patch.object(filedialog, "asksaveasfilename", return_value="") as ask:
            self.window.act("Save Chart…")
        self.assertEqual(ask.call_args.kwargs["initialfile"], "One.svg")

    def test_a_name_that_is_typed_takes_the_place_of_the_proposed_one(self) -> None:
        self.window.list.choose(ONE)
        self.window.add_menu.invoke("Train a New Bot")
        self.key("<Key-B>", widget=self.form.fields["name"])
        self.assertEqual(self.form.texts()["name"], "B")
        self.window.list.choose("myopic")  # which does not learn
        for widget in (self.form.start, *self.form.fields.values()):
            self.assertTrue(widget.instate(["disabled"]))

    def test_one_bot_trains_at_a_time_and_what_is_typed_for_another_stays(self) -> None:
        self.begin()
        self.window.act("Delete…")
        self.assertEqual(list(inside(self.window, Dialog)), [])
        self.window.list.choose(ONE)
        self.assertEqual(self.text, "“My QBot” is training. One bot trains at a time.")
        self.assertTrue(self.form.start.instate(["disabled"]))
        self.window.list.choose(NEW)
        self.fill(name="Next", games="123")
        self.report(Ended("the disk is full"))
        self.assertEqual((self.form.texts()["name"], self.form.texts()["games"]), ("Next", "123"))
        self.assertTrue(self.form.start.instate(["!disabled"]))
        self.window.list.choose(MY_QBOT)
        self.assertEqual(self.text, "The disk is full.")

    def test_a_plan_that_proves_shows_how_many_positions_are_solved(self) -> None:
        strip = self.window.learning.strip
        self.fill(plan="reverse")
        self.begin()
        self.wait(lambda: strip.winfo_ismapped() and strip.find_all())
        self.report(Ended(""))
        self.assertTrue(strip.winfo_ismapped(), "nothing jumps when it ends")
        self.window.list.choose("myopic")
        self.wait(lambda: not strip.winfo_ismapped())

    def test_closing_keeps_it_in_training_and_the_chip_reopens_the_window(self) -> None:
        self.begin()
        self.key("<Escape>", widget=self.window.list)
        self.assertFalse(self.window.winfo_viewable())
        chip = self.app.window.background
        self.wait(lambda: str(chip.cget("text")) == "Training My QBot: 10 %")
        chip.invoke()
        self.open()
        self.assertEqual(self.window.list.chosen, MY_QBOT)
        self.wait(lambda: not chip.winfo_ismapped())
        self.report(measured(20, 0.2), measured(30, 0.3))
        self.assertEqual(self.lines["My QBot"], 2)
        self.window.close()
        self.report(Ended())
        self.assertEqual(self.status, "“My QBot” has finished its training.")
        self.assertFalse(chip.winfo_ismapped())
        self.assertEqual(self.context.userdata.settings.training, "")
        self.open()


class ListTests(WorkshopTestCase):
    names = ("One", "Two", "Three")

    def click_row(self, key: str, x: int) -> None:
        tree = self.window.list
        tree.see(key)
        self.app.root.update()
        box = tree.bbox(key)
        assert not isinstance(box, str)
        y = box[1] + box[3] // 2
        tree.event_generate("<Button-1>", x=x, y=y)
        tree.event_generate("<ButtonRelease-1>", x=x, y=y)
        self.app.root.update()

    def test_ticked_bots_are_laid_over_the_chosen_one(self) -> None:
        self.click_row(ONE, 150)
        self.assertEqual(self.lines, {"One": 10})
        self.click_row("bot:Two", 10)
        self.assertEqual(self.window.list.chosen, ONE)
        self.assertEqual(self.lines, {"One": 10, "Two": 10})
        self.window.act("Save Chart…")
        self.assertIn("Wins against Myopic", self.path.read_text("utf-8"))
        self.click_row("Levels", 150)
        self.assertEqual(self.window.list.chosen, ONE, "a heading cannot be chosen")
        self.window.list.choose("bot:Three")
        self.key("<space>", widget=self.window.list)
        self.window.list.choose("myopic")
        self.assertEqual(self.lines, {"One": 10, "Two": 10, "Three": 10})
        self.click_row("bot:Two", 10)
        self.assertEqual(self.lines, {"One": 10, "Three": 10})

    def test_the_keyboard_goes_from_bot_to_bot_and_over_the_headings(self) -> None:
        tree, seen = self.window.list, []
        self.window.list.choose(NEW)
        for _ in range(5):
            self.key("<Down>", widget=tree)
            seen.append(self.window.list.chosen)
        self.assertEqual(seen, [ONE, "bot:Three", "bot:Two", "beginner", "casual"])
        self.window.wm_geometry("900x400")
        self.wait(lambda: self.window.winfo_height() == 400)
        for _ in range(2):  # the second time it is in sight already
            tree.choose("qbot")
            settle(self.window)
            self.assertTrue(tree.bbox("qbot"), "what is chosen stays in sight")
        self.window.wm_geometry("900x300")
        self.wait(lambda: self.window.winfo_height() < 400)
        self.wait(lambda: tree.bbox("qbot"))
        tree.choose(ONE)
        self.window.wm_geometry("900x400")
        self.wait(lambda: tree.yview()[0] == 0)

    def test_rename_refuses_in_the_question_and_reaches_the_players(self) -> None:
        heard = mock.Mock()
        self.context.on_bots.append(heard)
        self.addCleanup(self.context.on_bots.remove, heard)
        self.window.list.choose(ONE)
        self.window.act("Rename…")
        question = self.dialog()
        field = next(inside(question, ttk.Entry))
        for name, words in (("Two", "another bot called"), ("a/b", "cannot be the name")):
            field.delete(0, tk.END)
            field.insert(0, name)
            self.press("Rename", question)
            labels = inside(question, ttk.Label)
            self.assertIn(words, str([label.cget("text") for label in labels]))
        heard.assert_not_called()
        field.delete(0, tk.END)
        field.insert(0, "Newer")
        self.key("<Return>", widget=field)
        self.assertEqual(self.window.list.chosen, "bot:Newer")
        self.assertEqual(self.window.heading.cget("text"), "Newer")
        heard.assert_called()

    def test_duplicate_import_and_export(self) -> None:
        self.window.list.choose(ONE)
        self.window.act("Duplicate")
        self.wait(lambda: self.window.list.chosen == "bot:One 2")
        self.window.act("Export…")
        self.wait(lambda: "exported to" in self.reported)
        self.window.add_menu.invoke("Import a Table…")
        self.wait(lambda: self.window.list.chosen == "bot:chosen")
        self.assertIn("mported from chosen.json", str(self.window.about.cget("text")))
        one, other = (read_table(playing_path(self.own(name))) for name in ("One", "chosen"))
        self.assertEqual(list(one.rows()), list(other.rows()))
        self.path.write_text("nonsense")
        self.window.add_menu.invoke("Import a Table…")
        self.wait(lambda: str(self.path) in self.reported)

    def test_whatever_deletes_asks_and_return_keeps(self) -> None:
        for label, word in (("Delete…", "Delete"), ("Shrink…", "Shrink")):
            self.window.list.choose(ONE)
            self.window.act(label)
            question = self.dialog()
            self.assertIn(f"{word} “One”", str(next(inside(question, ttk.Label)).cget("text")))
            self.key("<Return>", widget=question)
            self.assertFalse(question.winfo_exists())
            self.assertIsNotNone(self.bots.find(ONE))
        self.key("<Delete>", widget=self.window.list)
        self.press("Delete", self.dialog())
        self.wait(lambda: "deleted" in self.reported)
        self.assertIsNone(self.bots.find(ONE))
        self.assertNotEqual(self.window.list.chosen, ONE)

    def test_a_bot_without_a_table_has_neither_strength_nor_inside_and_cannot_play(self) -> None:
        self.open("inside", ONE)
        self.window.list.choose(NEW)
        self.assertEqual(self.window.tabs.index("current"), 0)  # type: ignore[no-untyped-call]
        self.open("strength")
        self.assertEqual(self.window.list.chosen, "qbot")
        self.bots.create("Empty")
        self.window.refill()
        self.window.list.choose("bot:Empty")
        self.assertTrue(self.window.play_button.instate(["disabled"]))
        self.assertIn("problem", self.window.list.item("bot:Empty", "tags"))


class MenuTests(WorkshopTestCase):
    names = ("One",)

    def test_the_menu_under_the_list_has_grey_what_the_chosen_player_cannot(self) -> None:
        buttons = {str(b.cget("text")): b for b in inside(self.window, ttk.Button)}
        menu = self.window.bot_menu
        every = {"Rename…", "Duplicate", "Export…", "Shrink…", "Delete…", "Save Chart…"}
        for key, possible in ((ONE, every), ("careful", set()), (NEW, set())):
            self.window.list.choose(key)
            with mock.patch.object(tk.Menu, "tk_popup") as popup:
                buttons["…"].invoke()
                buttons["+"].invoke()
            self.assertEqual(popup.call_count, 2)
            x, y = popup.call_args.args
            plus = buttons["+"]
            self.assertEqual((x, y), (plus.winfo_rootx(), plus.winfo_rooty() + plus.winfo_height()))
            found = {
                str(menu.entrycget(index, "label"))
                for index in range(len(every))
                if str(menu.entrycget(index, "state")) == "normal"
            }
            self.assertEqual(found, possible, key)

    def test_an_unexpected_error_of_a_job_is_shown_here_and_reported_as_a_mistake(self) -> None:
        def fail() -> None:
            raise ValueError("made by a test")

        self.window._work(fail, "Working…")
        self.assertEqual(self.reported, "Working…")
        self.wait(lambda: self.reported == "Made by a test.")
        self.wait(lambda: self.context.errors == 1)
        self.context.errors = 0

    def test_the_log_has_why_a_training_ended_and_the_details(self) -> None:
        self.window.list.choose(NEW)
        self.fill(plan="myopic")
        self.begin()
        name = self.window.heading.cget("text")
        self.report(Ended("the disk is full", "Traceback of a test\n"))
        log = self.context.log_file.read_text("utf-8")
        self.assertIn("Traceback of a test\n", log)
        self.assertIn(f"The training of {name} ended: The disk is full.\n", log)
        self.assertEqual(self.text, "The disk is full.")

    def test_the_settings_of_a_bot_without_a_run_are_not_known(self) -> None:
        self.assertIsNone(model.settings_of(self.own("One").folder))


class ShownTests(WorkshopTestCase):
    """What stands around the tabs, and who has the keyboard."""

    names = ("One", "Two")

    def test_the_keys_of_the_window_close_it_or_end_the_program(self) -> None:
        for event in ("<Escape>", "<Control-w>"):
            self.open()
            self.assertIs(focused_widget(self.window), self.window.list)
            self.key(event, widget=self.window.list)
            self.assertFalse(self.window.winfo_viewable(), event)
            self.assertIs(focused_widget(self.window), self.app.window.board)
        self.open()
        with mock.patch.object(self.context, "close") as close:
            self.key("<Control-q>", widget=self.window.list)
        close.assert_called_once()

    def test_each_entry_of_the_menu_opens_its_tab(self) -> None:
        tabs = {"workshop": "learning", "evaluate": "strength", "train": "learning"}
        for name, tab in tabs.items():
            self.app.run(name)
            self.app.root.update()
            self.assertTrue(self.window.pages[tab].winfo_viewable(), name)

    def test_it_opens_once_at_its_size_in_the_middle_of_the_screen(self) -> None:
        self.assertIs(open_workshop(self.context), self.window)
        self.enterContext(mock.patch.object(self.context, "guard"))
        window = WorkshopWindow(self.context)
        self.addCleanup(self.context.on_bots.remove, window.refill)
        self.addCleanup(lambda: window.list._images.clear())  # in the thread of Tk
        self.addCleanup(destroy, window)
        self.assertEqual(window.state(), "withdrawn")
        window.appear("learning", "")
        self.app.root.update()
        size = window.winfo_width(), window.winfo_height()
        for side, wanted in zip((*size, *window.wm_minsize()), (1060, 680, 560, 360), strict=True):
            self.assertAlmostEqual(side, wanted, delta=1)
        middle = 2 * window.winfo_rootx() + size[0]
        self.assertAlmostEqual(middle, window.winfo_screenwidth(), delta=2)
        names = [str(window.tabs.tab(n, "text")) for n in range(3)]  # type: ignore[no-untyped-call]
        self.assertEqual(names, ["Learning", "Strength", "Inside"])
        self.assertEqual(window.title(), "Workshop – Traffic Lights")

    def test_the_line_over_the_tabs_is_about_the_chosen_player(self) -> None:
        for key, name, words in (
            (NEW, "New bot", "press Start"), (ONE, "One", "mported"), ("beginner", "Beginner", ""),
        ):  # fmt: skip
            self.window._report("news")
            self.window.list.choose(key)
            self.assertEqual(self.reported, "", "news of another player")
            self.assertEqual(self.window.heading.cget("text"), name)
            about = str(self.window.about.cget("text"))
            self.assertIn(words, about)
            self.assertTrue(about)
            is_new = key == NEW
            self.assertEqual(self.window.play_button.instate(["disabled"]), is_new)
            states = [str(self.window.tabs.tab(n, "state")) for n in range(3)]  # type: ignore[no-untyped-call]
            self.assertEqual(states, ["normal", *(["disabled" if is_new else "normal"] * 2)])
        self.window.list.choose(NEW)
        self.begin()
        self.assertEqual(str(self.window.about.cget("text")), "In training.")

    def test_a_tick_has_the_colour_of_its_curve(self) -> None:
        self.window.list.choose("bot:Two")
        self.window._tick(ONE)
        colours = SERIES_COLOURS[self.context.theme.name]
        ticks = self.window.list._ticks
        self.assertEqual({key for key in ticks if ticks[key]}, {ONE, "bot:Two"})
        order = [name for name, _ in self.window.learning.chart.value.lines]
        self.assertEqual([ticks[f"bot:{name}"] for name in order], list(colours[:2]))
        chart = self.window.learning.chart
        self.app.root.update()
        options = {"fill", "outline"}
        drawn = {
            str(chart.itemcget(item, option))  # type: ignore[no-untyped-call]
            for item in chart.find_all()
            for option in options & (chart.itemconfigure(item) or {}).keys()
        }
        self.assertLessEqual({ticks[ONE], ticks["bot:Two"]}, drawn)
        self.window._tick(ONE)
        self.assertEqual(self.window.list._ticks[ONE], "")

    def test_a_double_click_plays_against_the_bot(self) -> None:
        self.window.list.choose(ONE)
        box = self.window.list.bbox(ONE)
        assert not isinstance(box, str)
        with mock.patch.object(self.context, "play_against") as play:
            for event in ("<Button-1>", "<ButtonRelease-1>") * 2:
                self.window.list.event_generate(event, x=150, y=box[1] + 5)
            self.app.root.update()
        play.assert_called_once_with(ONE)

    def test_questions_say_what_is_lost(self) -> None:
        self.window.list.choose(ONE)
        for label, words, answers in (
            ("Shrink…", r"Shrink “One”\? It takes [0-9]+\.[0-9] MB\.", ["Cancel", "Shrink"]),
            ("Delete…", "Delete “One” for good", ["Cancel", "Delete"]),
        ):
            self.window.act(label)
            dialog = self.dialog()
            self.assertRegex(words_in(dialog), words)
            self.assertEqual([str(b.cget("text")) for b in inside(dialog, ttk.Button)], answers)
            dialog.close()
        self.window.act("Shrink…")
        self.press("Shrink", self.dialog())
        self.wait(lambda: "no smaller table yet" in self.reported)
        (self.own("One").folder / PRUNED).write_bytes(SMALL.read_bytes())
        self.window.act("Shrink…")
        self.press("Shrink", self.dialog())
        self.wait(lambda: self.reported == "“One” was shrunk.")
        self.window.act("Rename…")
        field = next(inside(self.dialog(), ttk.Entry))
        self.assertEqual((field.get(), field.index("sel.last")), ("One", 3))

    def test_two_imports_of_a_file_have_two_names(self) -> None:
        self.path.write_bytes(SMALL.read_bytes())
        for name in ("chosen", "chosen 2"):
            self.window.add_menu.invoke("Import a Table…")
            self.assertEqual(self.reported, "Reading chosen.json…")
            self.wait(lambda n=name: self.window.list.chosen == f"bot:{n}")  # type: ignore[misc]
            self.assertEqual(self.reported, "")


class DeletedTests(WorkshopTestCase):
    """A bot that another program deletes while it is chosen here."""

    names = ("One", "Two")

    def test_whatever_is_done_next_fills_the_list_again_and_trains_nothing(self) -> None:
        acts: dict[str, Callable[[], object]] = {
            "a tab": lambda: self.open("inside"),
            "Start": lambda: self.press("Start"),
            "Play": lambda: self.press("Play"),
            "a menu": lambda: self.window.act("Duplicate"),
            "the list": lambda: self.window.list.choose("bot:Two"),
        }
        for name, act in acts.items():
            with self.subTest(act=name):
                if self.bots.find("bot:Two") is None:
                    self.add_bot("Two")
                self.context.bots_changed()
                self.open("learning", "bot:Two")
                shutil.rmtree(self.own("Two").folder)
                act()
                self.app.root.update()
                self.assertEqual(self.window.list.chosen, "bot:One")
                self.assertIn("“Two” is not there any more", self.reported)
                self.assertEqual(self.trainer.key, "")
                self.assertIsNone(self.bots.find("bot:Two"))
        self.assertEqual(self.context.errors, 0)


class InsideTests(WorkshopTestCase):
    names = ("One",)

    def test_learned_values_stand_beside_best_play_and_clicks_move(self) -> None:
        self.open("inside", ONE)
        self.tab = self.window.inside
        self.wait(lambda: self.tab.board.picture.wash)
        rows = [self.tab.values.item(row, "values") for row in self.tab.values.get_children()]
        self.assertEqual(len(rows), 12)
        self.assertTrue(all("in 1" in row[2] for row in rows), rows)
        x, y = (round(v) for v in self.tab.board.cell_centre(5))
        self.tab.board.event_generate("<Button-1>", x=x, y=y)
        self.app.root.update()
        self.assertEqual(self.tab.position, 1 << 2 * (11 - 5))
        self.press("Back")
        self.assertEqual(self.tab.position, 0)
        self.tab.values.focus_force()
        self.tab.values.selection_set(self.tab.values.get_children()[0])
        self.key("<Return>", widget=self.tab.values)
        self.assertNotEqual(self.tab.position, 0)
        self.press("Empty Board")
        self.assertEqual(self.tab.position, 0)
        self.window.list.choose("myopic")  # it has no table
        self.wait(lambda: "no learned values" in str(self.tab.note.cget("text")))
        self.assertEqual(set(self.tab.board.picture.numbers.values()), {"L 13", "L 12"})

    def test_a_second_line_of_the_note_leaves_the_board_its_size(self) -> None:
        self.open("inside", ONE)
        tab, heights = self.window.inside, set()
        for text in ("One", "One\nTwo"):
            tab.note.configure(text=text)
            self.app.root.update()
            heights.add(tab.board.winfo_height())
        self.assertEqual(len(heights), 1, heights)


class ProgramTests(WorkshopTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.folder = self.context.userdata.folder / "programs"
        self.folder.mkdir()

    def add(self, command: str, name: str = "") -> ProgramDialog:
        """Open the dialog, type *command* and *name*, and press Add."""
        self.window.add_program()
        dialog = self.dialog()
        assert isinstance(dialog, ProgramDialog)
        dialog.name.insert(0, name)
        dialog.command_line.insert(0, command)
        self.press("Add", dialog)
        return dialog

    def program_names(self) -> list[str]:
        rows = self.window.list.get_children()
        return [self.window.list.item(r, "text") for r in rows if r.startswith("program-")]

    def test_one_that_plays_is_added_under_the_name_that_was_typed_and_can_be_removed(self) -> None:
        for typed, name in (("", "Polite"), ("Mine", "Mine")):
            dialog = self.add(write_bot(self.folder), typed)
            self.wait(lambda d=dialog: not d.winfo_exists())  # type: ignore[misc]
            self.assertIn(name, self.program_names())
        self.assertEqual(self.window.heading.cget("text"), "Mine")
        self.window.act("Delete…")
        self.press("Remove", self.dialog())
        self.wait(lambda: self.program_names() == ["Polite"])
        dialog = self.add("", "Browsed")
        self.path = self.folder / "bot.py"
        self.press("Browse…", dialog)
        self.press("Add", dialog)
        self.wait(lambda: self.program_names() == ["Polite", "Browsed"])

    def test_one_that_fails_shows_the_cause_and_its_last_words(self) -> None:
        code = "sys.stderr.write('no idea\\n'); sys.stderr.flush(); say('move z1')"
        dialog = self.add(write_bot(self.folder, at_go=code), "Mine")
        self.wait(lambda: "z1" in str(dialog.message.cget("text")))
        self.assertIn("Mine answered 'z1'", str(dialog.message.cget("text")))
        self.assertIn("'no idea'", str(dialog.message.cget("text")))
        self.assertEqual(dialog.name.get(), "Mine")
        self.assertTrue(dialog.add.instate(["!disabled"]))
        self.assertEqual(self.program_names(), [])

    def test_browse_writes_a_command_that_can_be_started(self) -> None:
        self.window.add_program()
        dialog = self.dialog()
        assert isinstance(dialog, ProgramDialog)
        python = f'"{sys.executable}"'
        for path, command in (
            ("/a/bot", "/a/bot"), ("/a b/bot", '"/a b/bot"'), ("/a/bot.py", f"{python} /a/bot.py"),
            ("/a b/bot.py", f'{python} "/a b/bot.py"'),
        ):  # fmt: skip
            self.path = Path(path)
            self.press("Browse…", dialog)
            self.assertEqual(dialog.command_line.get(), command)
        with mock.patch.object(filedialog, "askopenfilename", return_value=""):
            self.press("Browse…", dialog)
        self.assertEqual(dialog.command_line.get(), command, "no file was chosen")

    def test_a_program_has_the_time_that_was_chosen(self) -> None:
        for seconds in ("5", "10"):
            self.window.add_program()
            dialog = self.dialog()
            assert isinstance(dialog, ProgramDialog)
            self.assertEqual(dialog.seconds.get(), "5")
            self.wait(lambda d=dialog: focused_widget(d) is d.name)  # type: ignore[misc]
            dialog.seconds.set(seconds)
            self.assertIn(seconds, dialog.seconds.cget("values"))
            dialog.command_line.insert(0, write_bot(self.folder))
            dialog.name.insert(0, seconds)
            self.press("Add", dialog)
            self.assertTrue(dialog.add.instate(["disabled"]))
            self.assertEqual(str(dialog.message.cget("text")), "Starting the program…")
            self.wait(lambda d=dialog: not d.winfo_exists())  # type: ignore[misc]
            program = self.context.roster.entry(self.window.list.chosen).program
            assert program is not None
            self.assertEqual((program.name, program.move_s), (seconds, float(seconds)))

    def test_what_cannot_be_started_is_reported_at_once(self) -> None:
        for command in ("", "'", "no-such-program-here"):
            dialog = self.add(command, "Mine")
            self.assertIn("The program did not start: ", str(dialog.message.cget("text")))
            self.wait(lambda d=dialog: focused_widget(d) is d.command_line)  # type: ignore[misc]
            dialog.close()


class HistoryTests(WorkshopTestCase):
    names = ("One",)

    def setUp(self) -> None:
        super().setUp()
        bot = self.own("One")
        playing_path(bot).write_bytes(SMALL.read_bytes())
        self.open(key=ONE)

    @property
    def bar(self) -> SnapshotSlider:
        return self.window.learning.slider

    @property
    def words(self) -> str:
        return str(self.bar.text.cget("text"))

    def drag(self, games: int) -> None:
        """Drag the thumb below the place of so many *games* in the chart."""
        chart = self.window.learning.chart
        axes = Axes(chart.value, chart.room)
        length = axes.x(1000) - axes.left  # those of the bot
        self.bar.scale.set((axes.x(games) - axes.left) / length)
        self.app.root.update()

    def test_the_slider_shows_and_plays_the_bot_as_it_was(self) -> None:
        self.assertIn("Drag the slider", self.words)
        self.assertTrue(self.bar.button.instate(["disabled"]))
        self.drag(100)
        self.wait(lambda: "snapshots" not in self.words)
        self.assertIn("Wins after 100 games: Random", self.words)
        # The points of the curve go to 1,000 games, and the thumb is below the mark in the chart.
        chart = self.window.learning.chart
        for games in milestones(200)[6:-1]:
            self.drag(games)
            self.assertEqual(self.bar.key, f"{ONE}:{games}")
            self.assertEqual(chart.value.mark, games)
            x, _ = self.bar.scale.coords()
            left = self.bar.scale.winfo_rootx() - chart.winfo_rootx()
            self.assertLess(abs(left + x - Axes(chart.value, chart.room).x(games)), 4)
        self.drag(1000)
        self.assertEqual((self.bar.key, chart.value.mark), ("", None))
        for key in ("<Home>", "<Right>", "<Right>", "<Left>"):
            self.key(key, widget=self.bar.scale)
        self.assertEqual(self.bar.key, f"{ONE}:2")
        self.key("<End>", widget=self.bar.scale)
        self.assertEqual(self.bar.key, "")
        self.key("<Home>", widget=self.bar.scale)
        self.bar.button.invoke()
        players = self.context.session.players
        self.assertEqual([p.bot for p in players if not p.is_human], [f"{ONE}:1"])
        self.assertEqual(self.context.roster.entry(f"{ONE}:1").name, "One (1 game)")
        self.drag(100)
        self.window.tabs.select(str(self.window.inside))  # type: ignore[no-untyped-call]
        self.wait(lambda: self.window.inside._table is not None)
        then, shown = table_after(read_meta(SMALL), 100), self.window.inside._table
        assert shown is not None
        self.assertEqual(list(shown.states()), list(then.states()))
        self.assertIn("(100 games)", str(self.window.inside.note.cget("text")))
        self.assertIn("after 100 games", str(self.window.about.cget("text")))
        self.window.tabs.select(str(self.window.learning))  # type: ignore[no-untyped-call]
        self.app.root.update()
        self.assertNotIn("after 100 games", str(self.window.about.cget("text")))

    def test_the_slider_stands_under_the_part_of_the_axis_that_its_bot_has_played(self) -> None:
        self.add_bot("Long")
        write_curve(self.own("Long").folder, [measured(n, 0.5) for n in (100, 1000, 10**5)])
        self.window.refill()
        self.key("<Up>", "<space>", "<Down>", widget=self.window.list)
        self.assertEqual(set(self.lines), {"One", "Long"})
        self.key("<End>", widget=self.bar.scale)
        chart = self.window.learning.chart
        for games in (200, 1000):
            self.drag(games)

            def stands_there(games: int = games) -> bool:
                x, _ = self.bar.scale.coords()
                left = self.bar.scale.winfo_rootx() - chart.winfo_rootx()
                return bool(abs(left + x - Axes(chart.value, chart.room).x(games)) < 4)

            self.wait(stands_there)  # the chart is laid out first

    def test_without_a_chart_the_snapshots_stand_evenly(self) -> None:
        bar = self.bar
        points = [measured(games, 0.1) for games in (1, 10, 1000, 5000)]
        with mock.patch.object(self.window.learning, "_align"):
            bar.stand_along(None, 0)
            bar._points = points
            bar._count = 4
            for place, point in ((0.0, 0), (0.3, 1), (0.7, 2)):
                bar.scale.set(place)
                self.app.root.update()
                self.assertIs(bar.point, points[point])
                self.assertAlmostEqual(bar._place.get(), point / 3)
            bar.scale.set(0.9)
            self.app.root.update()
            self.assertIsNone(bar.point, "the last is the bot as it is")
            self.assertEqual(bar._place.get(), 1.0)

    def test_snapshots_that_cannot_be_made_are_explained_in_place_of_the_slider(self) -> None:
        worker = self.enterContext(mock.patch.object(snapshot_slider, "Worker")).return_value
        worker.poll.return_value = []
        worker.is_over = False
        self.bar.scale.set(0.5)
        self.app.root.update()
        self.assertRegex(self.words, "plays its games again. 0 of about [0-9]+ snapshots are ready")
        self.bar._take(measured(1, 0.1))
        self.assertIn("1 of about", self.words)
        self.bar._take(Ended("the disk is full"))
        worker.end.assert_called_once()
        self.assertEqual(self.words, "The disk is full.")
        self.assertFalse(self.bar.scale.winfo_manager())
        self.assertFalse(self.bar.button.winfo_manager())
        self.assertEqual((self.bar.key, self.bar._points), ("", []))

    def test_the_end_of_a_lesson_says_what_the_bot_would_play_now(self) -> None:
        self.window.tabs.select(str(self.window.inside))  # type: ignore[no-untyped-call]
        tab = self.window.inside
        self.wait(lambda: tab._table is not None)
        actions = tuple(map(parse_cell, ("a1", "d3", "b1", "d2", "c1")))
        found = lesson(read_table(SMALL), actions, 1, "terminal", 0.2, 1.0)
        unchanged = replace(found, steps=[replace(step, new=step.old) for step in found.steps])
        for shown, change, words in (
            (found, (2, 5), "One would now play b2 in move 3 instead of b1."),
            (found, None, "One would play as before: one game moves a value by only 0.2"),
            (unchanged, None, "has solved this game already, so it learns nothing"),
        ):
            with mock.patch.object(GameLesson, "change", return_value=change):
                tab._begin(shown, 0.2)
                tab._go(len(found.steps))
            self.assertIn(words, str(tab.text.cget("text")))
            terms = [term.text for term in tab.formula.terms]
            if change is None:
                self.assertEqual((terms, tab.moves), (["Nothing changes yet"], ()))
                self.assertNotEqual(tab.board.framed, frozenset({5}))
            else:
                self.assertEqual(terms, ["b1", "→", "b2"])
                self.assertEqual((tab.board.framed, tab.moves), (frozenset({5}), actions[:2]))
            self.assertTrue(tab.step.instate(["disabled"]))

    def test_play_shows_step_after_step_until_it_is_paused_or_at_the_end(self) -> None:
        self.window.tabs.select(str(self.window.inside))  # type: ignore[no-untyped-call]
        tab = self.window.inside
        self.wait(lambda: tab._table is not None)
        self.enterContext(mock.patch("traffic_lights.gui.workshop.inside_tab.STEP_MS", 5))
        actions = tuple(map(parse_cell, ("a1", "d3", "b1", "d2", "c1")))
        found = lesson(read_table(SMALL), actions, 1, "terminal", 0.2, 1.0)
        tab._begin(found, 0.2)
        tab.play.invoke()
        self.assertEqual((str(tab.play.cget("text")), tab.step_number), ("Pause", 0))
        tab.play.invoke()
        self.assertEqual((str(tab.play.cget("text")), tab._timer), ("Play", ""))
        tab.play.invoke()
        self.wait(lambda: tab.step_number == len(found.steps))
        self.assertEqual((str(tab.play.cget("text")), tab._timer), ("Play", ""))

    def test_arrows_move_the_thumb_while_snapshots_are_made(self) -> None:
        worker = self.enterContext(mock.patch.object(snapshot_slider, "Worker")).return_value
        worker.poll.return_value = []
        worker.is_over = False
        for _ in range(3):
            self.key("<Left>", widget=self.bar.scale)
        place = self.bar._place.get()
        self.assertAlmostEqual(place, 1 - 3 / (self.bar._count - 1))
        for games in (1, 2, 5):
            self.bar._take(measured(games, 0.1))
        self.assertEqual(self.bar._place.get(), place)
        self.key("<Left>", widget=self.bar.scale)
        self.assertLess(self.bar._place.get(), place)
        self.assertGreater(self.bar._place.get(), 0.5)

    def test_the_slider_of_a_bot_that_is_chosen_stands_at_its_end(self) -> None:
        self.drag(100)
        self.wait(lambda: "snapshots" not in self.words)
        self.assertEqual(self.bar.key, f"{ONE}:100")
        place = self.bar._place.get()
        self.window.list.choose("careful")
        self.app.root.update()
        self.window.list.choose(ONE)
        self.app.root.update()
        self.assertEqual(self.bar.key, "")
        self.assertGreater(self.bar._place.get(), place)

    def test_an_imported_bot_says_why_it_has_no_slider(self) -> None:
        path = playing_path(self.own("One"))
        table = read_table(path)
        table.meta = {"imported": {}}
        write_table(path, table)
        self.window.list.choose(NEW)
        self.window.list.choose(ONE)
        self.assertIn("cannot be made again", self.words)
        self.assertFalse(self.bar.scale.winfo_manager())

    def test_a_bot_of_one_snapshot_has_no_slider(self) -> None:
        for count, has_slider in ((1, False), (2, True)):
            with mock.patch.object(snapshot_slider, "expected_snapshots", return_value=count):
                self.bar.show(None)
                self.bar.show(self.own("One"))
            self.assertEqual(bool(self.bar.scale.winfo_manager()), has_slider)
            self.assertEqual(bool(self.bar.button.winfo_manager()), has_slider)

    def test_snapshots_are_made_once_and_no_longer_when_the_window_closes(self) -> None:
        made = self.enterContext(mock.patch.object(snapshot_slider, "Worker"))
        worker = made.return_value
        worker.poll.return_value = []
        worker.is_over = False
        for place in (0.5, 0.4, 0.3):
            self.bar.scale.set(place)
            self.app.root.update()
        made.assert_called_once()
        self.bar._take(measured(1, 0.1))
        self.window.close()
        worker.end.assert_called_once()
        self.open()
        self.assertIn("Drag the slider", self.words)
        self.assertTrue(self.bar.button.instate(["disabled"]))
        self.bar.scale.set(0.5)
        self.assertEqual(made.call_count, 2)

    def test_the_arrows_stop_at_both_ends(self) -> None:
        bar = self.bar
        with mock.patch.object(self.window.learning, "_align"):
            bar.stand_along(None, 0)
            bar._points = points = [measured(games, 0.1) for games in (1, 10, 100, 5000)]
            bar._count = len(points)
            for key, shown in (
                ("Left", 2), ("Left", 1), ("Left", 0), ("Left", 0), ("Right", 1), ("Home", 0),
                ("End", None), ("Right", None), ("Left", 2),
            ):  # fmt: skip
                self.key(f"<{key}>", widget=bar.scale)
                self.assertEqual(bar.point, None if shown is None else points[shown], key)
                self.assertEqual(bar.button.instate(["disabled"]), shown is None)
                self.assertAlmostEqual(bar._place.get(), 1.0 if shown is None else shown / 3)

    def test_a_game_is_replayed_and_its_lesson_runs_backwards(self) -> None:
        self.enterContext(mock.patch("traffic_lights.gui.workshop.inside_tab.STEP_MS", 50))
        table = read_table(SMALL)
        actions = tuple(map(parse_cell, ("a1", "d3", "b1", "d2", "c1")))
        self.window.tabs.select(str(self.window.inside))  # type: ignore[no-untyped-call]
        inside = self.window.inside
        self.wait(lambda: inside._table is not None)
        inside.replay.invoke()
        self.assertEqual(inside.text.cget("text"), NO_GAME)
        game = Game(actions=actions, players=(HUMAN, Player(ONE, "One")))
        self.context.session.open_game(game)
        self.context.changed()
        inside.replay.invoke()
        self.wait(lambda: inside.lesson)
        found = lesson(table, actions, 1, "terminal", 0.2, 1.0)
        shown = []
        while inside.step.instate(["!disabled"]):
            step = found.steps[inside.step_number]
            self.assertEqual(inside.moves, actions[: step.number], "the position before the move")
            self.assertEqual(inside.board.framed, {step.action})
            badge = inside.board.picture.numbers[step.action]
            _, before, after = tuple(inside.steps.item(str(inside.step_number), "values"))
            self.assertEqual(badge, before if before == after else f"{before} → {after}")
            self.assertEqual(inside.steps.selection(), (str(inside.step_number),))
            shown.append(str(inside.text.cget("text")))
            inside.step.invoke()
        self.assertEqual(shown, [step.text(0.2) for step in found.steps])
        self.assertIn("would", str(inside.text.cget("text")))
        inside.back.invoke()
        self.assertEqual(inside.moves, ())
        inside.steps.selection_set("1")
        self.app.root.update()
        self.assertEqual(inside.moves, actions[: found.steps[1].number])
        inside.play.invoke()
        self.assertEqual(str(inside.play.cget("text")), "Pause")
        self.wait(lambda: inside.step_number == 2)
        moves = tuple(inside.moves)
        x, y = (round(v) for v in inside.board.cell_centre(5))
        inside.board.event_generate("<Button-1>", x=x, y=y)
        self.app.root.update()
        self.assertIsNone(inside.lesson, "a move on the board leaves the lesson")
        self.assertEqual(inside.moves, (*moves, 5))

    def test_the_formula_and_the_proof_have_the_numbers_of_the_lesson(self) -> None:
        table = read_table(SMALL)
        actions = tuple(map(parse_cell, ("a1", "d3", "b1", "d2", "c1")))
        found = lesson(table, actions, 1, "terminal", 0.2, 1.0)
        for step in found.steps:
            if step.is_proven:
                terms = [term.text for term in proof(found, step)]
                self.assertEqual(terms[-1], f"{step.number + 1}. {format_cell(step.action)}")
                first = found.chain(step.number)[-1]
                self.assertEqual(terms[0], f"{first + 1}. {format_cell(actions[first])}")
            elif step.target is not None:
                line = "".join(term.text for term in formula(step, 0.2)).removeprefix("Q←")
                self.assertIn(line, step.text(0.2).replace(" ", ""))


class LayoutTests(WorkshopTestCase):
    names = ("One", "Two")

    def test_the_choices_of_a_rarer_setting_fit_in_its_box(self) -> None:
        body = self.context.theme.body
        for name in FORM_CHOICES.keys() - {"plan"}:
            room = self.window.learning.form.fields[name].cget("width") * body.measure("0")
            for text in FORM_CHOICES[name].values():
                self.assertLessEqual(body.measure(text), room, name)

    def see(self, zoom: int, scale: float, theme: str) -> None:
        """Show everything in *zoom* steps on a screen of *scale* times 96 dpi."""
        self.context.theme._screen_scale = scale
        self.context.userdata.change(zoom=zoom, theme=theme)
        self.app.window.apply()
        self.app.root.update()

    def test_every_tab_comes_to_rest_at_every_height(self) -> None:
        self.window.learning.form.advanced.invoke()
        for turn, tab in enumerate(("learning", "strength", "inside")):
            self.open(tab, ONE)
            for height in heights(360, 760, turn):
                self.window.wm_geometry(f"900x{height}")
                with self.subTest(tab=tab, height=height):
                    settle(self.window)

    def test_no_tab_of_a_bot_scrolls_sideways_on_a_small_screen(self) -> None:
        self.window.wm_geometry("800x560")
        self.wait(lambda: self.window.winfo_width() == 800)
        for tab, page in self.window.pages.items():
            self.open(tab, ONE)
            self.assertEqual(page.canvas.xview(), (0.0, 1.0), tab)

    def test_nothing_is_cut_off_in_any_size_or_theme(self) -> None:
        playing_path(self.own("One")).write_bytes(SMALL.read_bytes())  # which has a slider
        self.window.refill()
        self.window.learning.form.advanced.invoke()
        self.addCleanup(self.see, 0, self.context.theme._screen_scale, "light")
        for width, height, zoom, scale, theme in (
            (1280, 760, 2, 1.0, "dark"),
            (700, 420, 0, 1.0, "high-contrast"),
            *[(1024, 668, 0, 1.0, "light"), (1280, 760, 0, 1.75, "light")] * IS_SLOW_RUN,
        ):
            self.see(zoom, scale, theme)
            for tab in ("learning", "strength", "inside"):
                self.open(tab, ONE)
                self.window.wm_geometry(f"{width}x{height}+0+0")
                self.wait(lambda: self.window.winfo_height() == height)  # noqa: B023
                with self.subTest(size=(width, height), zoom=zoom, scale=scale, tab=tab):
                    self.app.root.update()
                    self.assertEqual(faults(self.window), [])

    def test_every_widget_is_there_except_for_what_belongs_to_another_state(self) -> None:
        playing_path(self.own("One")).write_bytes(SMALL.read_bytes())  # which has a slider
        self.window.refill()
        form = self.window.learning.form
        if not form._is_open.get():
            form.advanced.invoke()
        unused = SETTINGS.keys() - {"plan", "games", *used_settings(form.texts())}
        tab = self.window.inside
        pickers = self.window.strength.pickers.values()
        hidden: set[tk.Misc] = {
            *(form.fields[name].master for name in unused), tab.steps, tab._bars[tab.steps],
            *pickers, tab.formula,
            self.window.learning.scores, self.window.learning.strip,
        }  # fmt: skip
        for name in ("learning", "strength", "inside"):
            self.open(name, ONE)
            self.app.root.update()
            for widget in inside(self.window, tk.Widget):
                page = self.window.pages[name]
                is_elsewhere = any(
                    str(widget).startswith(f"{other}")
                    for other in (*hidden, *self.window.pages.values())
                    if other is not page
                )
                is_window = isinstance(widget, (tk.Menu, tk.Toplevel)) or "popdown" in str(widget)
                if not is_elsewhere and not is_window:
                    with self.subTest(tab=name, widget=str(widget)):
                        self.assertTrue(widget.winfo_ismapped())

    def test_no_colour_of_another_theme_stays_when_the_theme_changes(self) -> None:
        load_moves(self.app, "1. a1 b1 2. c1")
        playing_path(self.own("One")).write_bytes(SMALL.read_bytes())
        for tab in ("strength", "inside", "learning"):
            self.open(tab, ONE)
            self.app.root.update()
        self.wait(lambda: self.window.inside.board.picture.wash)
        self.window.inside.formula.show(formula(LessonStep(4, 0, 0.25, 0.29, 0.46), 0.2))
        self.addCleanup(self.see, 0, self.context.theme._screen_scale, "light")
        for theme, before in (("dark", "light"), ("light", "dark")):
            self.see(0, 1.0, theme)
            self.app.root.update()
            fitting = {*roles(theme).values(), JOIN_EDGE, ON_WASH, *LAMPS["signal"].letters}
            others = set(roles(before).values()) - fitting
            for widget in inside(self.app.root, tk.Canvas):
                self.assertIn(widget.cget("background"), fitting)
                met = set()
                for item in widget.find_all():
                    for option in {"fill", "outline"} & (widget.itemconfigure(item) or {}).keys():
                        met.add(str(widget.itemcget(item, option)))  # type: ignore[no-untyped-call]
                self.assertEqual(met & others, set(), (theme, str(widget)))

    def test_start_stays_where_it_is_whoever_is_chosen(self) -> None:
        playing_path(self.own("One")).write_bytes(SMALL.read_bytes())  # which has a slider
        self.window.refill()
        start = self.window.learning.form.start
        places = set()
        for key in (NEW, ONE, "bot:Two", "beginner"):
            self.window.list.choose(key)
            self.app.root.update()
            places.add((start.winfo_rootx(), start.winfo_rooty()))
        self.assertEqual(len(places), 1, places)

    def test_nothing_moves_while_a_bot_trains_and_when_it_ends(self) -> None:
        self.window.list.choose(NEW)
        self.fill(plan="myopic")

        def places() -> list[tuple[int, int]]:
            self.app.root.update()
            form = self.window.learning.form
            widgets = (form, form.start, form.help, self.window.learning.chart, self.window.tabs)
            return [(w.winfo_rooty(), w.winfo_height()) for w in widgets]

        before = places()
        self.begin()
        self.assertEqual(places(), before)
        self.report(moment(123_456_789, 0.5), Measured(9, "myopic", 0.5, 0.5, 9, 0, (0.5,) * 12))
        self.assertEqual(places(), before)
        self.report(Ended("The disk is full, and this explains at length what to do about it." * 2))
        self.assertEqual(places(), before)
