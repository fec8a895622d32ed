"""What the Workshop shows, as plain values, and its trainer: without a display."""

from __future__ import annotations

import unittest
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from unittest import mock

from traffic_lights.board.positions import POSITIONS
from traffic_lights.gui.kit.charts import Area, Room, draw
from traffic_lights.gui.workshop import model, trainer
from traffic_lights.gui.workshop.model import form_texts, read_form, used_settings, usual
from traffic_lights.system.processes import Ended
from traffic_lights.training.bots import Measured, OwnBot
from traffic_lights.training.run import Moment
from traffic_lights.training.settings import SETTINGS, RunSettings

PLANS = SETTINGS["plan"].choices


def moment(games: int, share: float | None = None, ply: int = -1) -> Moment:
    return Moment(games, "stage", ply, (0,) * 33, games, share)


def measured(games: int, score: float, opponent: str = "myopic", decided: int = 0) -> Measured:
    return Measured(games, opponent, score, score, decided)


def own_bot(name: str = "Mine", games: int = 0) -> OwnBot:
    return OwnBot(f"bot:{name}", name, Path(name), games)


class FormTests(unittest.TestCase):
    def test_every_plan_and_every_choice_has_a_name(self) -> None:
        for name, info in SETTINGS.items():
            self.assertEqual(set(info.choices), model.CHOICES.get(name, {}).keys(), name)
        self.assertEqual(set(PLANS), model.PLAN_TEXTS.keys())

    def test_no_help_names_an_option_of_the_command(self) -> None:
        self.assertNotIn("--", " ".join(info.help for info in SETTINGS.values()))

    def test_the_form_of_a_plan_asks_for_its_usual_settings_and_has_defaults_elsewhere(
        self,
    ) -> None:
        defaults = {name: model.setting_text(getattr(RunSettings(), name)) for name in SETTINGS}
        for plan in PLANS:
            with self.subTest(plan=plan):
                wanted, problem, _ = read_form(form_texts(usual(plan)))
                self.assertEqual(problem, "")
                asked = RunSettings.wanted(wanted or {}).checked()
                self.assertEqual(asked, RunSettings(plan=plan).checked())
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
    def test_every_measured_point_is_drawn_and_the_axis_fits(self) -> None:
        curves = {
            "a": [measured(games, games / 1000) for games in (0, 1, 10, 100, 1000)],
            "b": [measured(10, 0, "random"), measured(500, 0.5), measured(600, 0.5)],
        }
        chart = model.learning_chart(curves, {"a": "A", "b": "B"})
        self.assertEqual((chart.title, chart.is_log), ("Wins against Myopic", True))
        shapes = draw(chart, Room(600, 300, 16, 8))
        self.assertEqual(
            sum(isinstance(shape, Area) for shape in shapes),
            6 + 2,
            "a logarithm has no place for 0",
        )
        self.assertFalse(model.learning_chart(curves, {"b": "B"}).is_log)


class SentenceTests(unittest.TestCase):
    def test_a_run_at_work_tells_how_far_it_is(self) -> None:
        for at, games, rate, left_s, text in (
            (None, 9, 0, None, "Getting ready…"),
            (moment(34_200), 100_000, 2310.4, 28.2,
             "34,200 of 100,000 games, 2,310 games a second, about 00:28 left."),
            (moment(5, ply=20), None, 0, None, "5 games, positions after 20 moves."),
        ):  # fmt: skip
            self.assertEqual(model.running_text(at, games, rate, left_s), text)

    def test_what_came_of_a_bot_is_one_or_two_true_sentences(self) -> None:
        self.assertIn("not been trained", model.result_text(0, True, None))
        text = model.result_text(20_000, True, measured(20_000, 0.6))
        self.assertEqual(
            text, "Stopped after 20,000 games. It wins 60.00 % of its games against Myopic."
        )
        almost = model.result_text(9, False, measured(9, 0.9999999, decided=POSITIONS - 1))
        self.assertNotIn("100", almost)
        whole = model.result_text(9, False, measured(9, 0.9999, decided=POSITIONS))
        self.assertIn("Every position is solved.", whole)


class FakeJob:
    """A training process that reports what a test tells it to."""

    def __init__(self, _target: object, task: tuple[Path, dict[str, Any], bool]) -> None:
        self.started = task
        self.is_over = False
        self.reports: list[object] = []

    def send(self, message: object) -> None:
        pass

    def poll(self) -> list[object]:
        reports, self.reports = self.reports, []
        self.is_over = any(isinstance(report, Ended) for report in reports)
        return reports


class TrainerTests(unittest.TestCase):
    def setUp(self) -> None:
        self.enterContext(mock.patch.object(trainer, "Worker", FakeJob))
        self.noted: list[str] = []
        self.said: list[str] = []
        self.timers: list[Callable[[], None]] = []
        self.context = SimpleNamespace(
            userdata=SimpleNamespace(change=lambda training: self.noted.append(training)),
            root=SimpleNamespace(after=lambda _, act: self.timers.append(act)),
            bots_changed=lambda: None,
            log=lambda _: None,
        )
        self.trainer = trainer.Trainer(cast(Any, self.context), self.said.append)

    @property
    def job(self) -> FakeJob:
        return cast(FakeJob, self.trainer._worker)

    def report(self, *reports: object) -> None:
        """Have the process report, and the trainer take it."""
        self.job.reports += reports
        self.timers.pop()()

    def begin(self) -> None:
        self.trainer.start(own_bot(), {"plan": "myopic", "games": 1000})

    def test_why_a_run_failed_is_kept_and_start_repairs_it(self) -> None:
        self.begin()
        self.assertEqual(self.job.started[-1], False)
        self.report(Ended("the log is damaged; --repair continues from the table"))
        problem = "The log is damaged; Start continues from the table."
        self.assertEqual(self.trainer.problems, {"bot:Mine": problem})
        self.assertEqual(self.said[-1], problem)
        self.begin()
        self.assertEqual((self.trainer.problems, self.job.started[-1]), ({}, True))

    def test_a_quit_waits_until_the_bot_is_saved_and_a_second_one_does_not(self) -> None:
        guard, quits = self.context.guard, list[str]()
        self.assertFalse(guard(lambda: None))
        for share, noted in ((0.5, ["Mine"]), (1.0, ["Mine", ""])):
            self.begin()
            self.assertTrue(guard(lambda: quits.append("now")))
            self.assertEqual(self.trainer.state, "stopping")
            self.assertFalse(guard(lambda: None))
            self.assertEqual(quits, [])
            self.report(moment(100, share), Ended())
            self.assertEqual((quits, self.noted), (["now"], noted), "for the next start")
            quits.clear()
            self.noted.clear()

    def test_points_that_are_played_again_take_the_place_of_the_old_ones(self) -> None:
        self.begin()
        for games, score in ((100, 0.1), (200, 0.2), (300, 0.3), (150, 0.9)):
            self.report(measured(games, score))
        points = self.trainer.curves["bot:Mine"]
        self.assertEqual([(one.games, one.score) for one in points], [(100, 0.1), (150, 0.9)])

    def test_time_left_and_rate_are_those_of_the_last_seconds(self) -> None:
        self.begin()
        with mock.patch("time.monotonic") as now:
            for second in range(20):
                now.return_value = float(second)
                self.report(moment(1000 * second, second / 100))
        rate, left_s = self.trainer.speed()
        self.assertAlmostEqual(rate, 1000)
        self.assertAlmostEqual(left_s or 0, 81)
