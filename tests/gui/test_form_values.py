"""What a student types into the form of a training, and the run that it means."""

import unittest

from traffic_lights.gui.workshop.form_values import Trained, form_texts, read_form, used_settings
from traffic_lights.training.settings import PLANS, SETTINGS, RunSettings, SettingsError


class TrainedTests(unittest.TestCase):
    def test_the_total_is_reached_by_whatever_run_follows(self) -> None:
        random, myopic = RunSettings("random"), RunSettings("myopic")
        for trained, plan, total, expected in (
            (Trained(), "random", 500, 500),
            (Trained(300, 0, random), "random", 500, 200),
            (Trained(300, 0, myopic), "random", 500, 200),
            (Trained(300, 100, RunSettings("self")), "self", 500, 200),
            (Trained(300, 100, RunSettings("self"), is_training=True), "self", 500, 400),
        ):
            with self.subTest(trained=trained, plan=plan):
                texts = {**form_texts(RunSettings(plan)), "games": f"{total}"}
                self.assertEqual(read_form(texts, trained).given["games"], expected)
                texts["games"] = f"{trained.games}"
                with self.assertRaises(SettingsError) as caught:
                    read_form(texts, trained)
                self.assertEqual(caught.exception.name, "games")

    def test_the_games_in_total_of_a_later_run_count_those_of_the_earlier_ones(self) -> None:
        trained = Trained(300, 100, RunSettings("random", games=500), is_training=True)
        self.assertEqual(trained.proposal().games, 600)

    def test_an_unfinished_run_goes_on_as_it_was_unless_its_games_are_changed(self) -> None:
        trained = Trained(300, 100, RunSettings("random"), is_training=True)
        texts = form_texts(trained.proposal())
        self.assertEqual(read_form(texts, trained).given, {})
        self.assertEqual(read_form({**texts, "games": "400"}, trained).given, {"games": 300})
        unknown = Trained(300, 100, None, is_training=True)
        self.assertEqual(read_form(texts, unknown).given, {})
        empty = form_texts(RunSettings("random")) | {"games": ""}
        self.assertEqual(read_form(empty).texts["games"], "100,000")


class SettingsTests(unittest.TestCase):
    def test_the_form_of_a_plan_asks_for_its_usual_settings_and_has_defaults_elsewhere(
        self,
    ) -> None:
        defaults = {name: setting.kind.show(setting.default) for name, setting in SETTINGS.items()}
        for plan in PLANS:
            with self.subTest(plan=plan):
                run = read_form(form_texts(RunSettings(plan)))
                self.assertEqual(RunSettings.wanted(run.given), RunSettings(plan))
                texts = {**form_texts(RunSettings(plan)), "plan": "reverse", "games": ""}
                self.assertEqual(texts, defaults)

    def test_every_setting_can_be_changed_in_some_plan_and_only_where_it_matters(self) -> None:
        offered = set()
        for plan in PLANS:
            for update in SETTINGS["update"].choices:
                texts = {
                    **form_texts(RunSettings(plan)),
                    "update": update,
                    "explore": "least-visited",
                }
                offered |= set(used_settings(texts))
        self.assertEqual(offered, SETTINGS.keys())

    def test_what_is_typed_is_understood_and_the_wrong_field_marked(self) -> None:
        texts = form_texts(RunSettings("self"))
        run = read_form({**texts, "games": " 1,000,000 ", "alpha": "0,5", "seed": "007"})
        wanted = RunSettings("self", games=1_000_000, alpha=0.5, seed=7)
        self.assertEqual(RunSettings.wanted(run.given), wanted)
        for field, text in (
            ("games", "many"), ("alpha", "1.1"), ("alpha", ""), ("epsilon_start", "2"),
            ("seed", str(2**63)),
        ):  # fmt: skip
            with self.subTest(field=field, text=text):
                with self.assertRaises(SettingsError) as caught:
                    read_form({**texts, field: text})
                self.assertEqual(caught.exception.name, field)
                self.assertTrue(caught.exception.must)
        run = read_form({**form_texts(RunSettings("reverse")), "alpha": "?", "games": "50,000"})
        self.assertEqual(run.given.keys(), {"plan", "seed", "practice"}, "the others are not used")
