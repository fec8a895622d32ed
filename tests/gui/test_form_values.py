"""What a student types into the form of a training, and the run that it means."""

import unittest

from traffic_lights.gui.workshop.form_values import Trained, form_texts, read_form, used_settings
from traffic_lights.training.settings import PLANS, SETTINGS, RunSettings, SettingsError

RANDOM, SELF = RunSettings("random"), RunSettings("self")


class FormValueTests(unittest.TestCase):
    def assert_refused(self, field: str, texts: dict[str, str], trained: Trained) -> None:
        with self.assertRaises(SettingsError) as caught:
            read_form(texts, trained)
        self.assertEqual(caught.exception.name, field)
        self.assertTrue(caught.exception.must)

    def test_the_total_is_reached_by_whatever_run_follows(self) -> None:
        for trained, plan, expected in (
            (Trained(), "random", 500),
            (Trained(300, 0, RANDOM), "random", 200),
            (Trained(300, 0, RunSettings("myopic")), "random", 200),
            (Trained(300, 100, SELF), "self", 200),
            (Trained(300, 100, SELF, is_training=True), "self", 400),
        ):
            texts = {**form_texts(RunSettings(plan)), "games": "500"}
            self.assertEqual(read_form(texts, trained).given["games"], expected, trained)
            self.assert_refused("games", {**texts, "games": f"{trained.games}"}, trained)

    def test_an_unfinished_run_goes_on_as_it_was_unless_its_games_are_changed(self) -> None:
        later = Trained(300, 100, RunSettings("random", games=500), is_training=True)
        self.assertEqual(later.proposal().games, 600, "those of the earlier runs count")
        trained = Trained(300, 100, RANDOM, is_training=True)
        texts = form_texts(trained.proposal())
        unknown = Trained(300, 100, None, is_training=True)
        for typed, run, given in (
            (texts, trained, {}), (texts, unknown, {}),
            ({**texts, "games": "400"}, trained, {"games": 300}),
        ):  # fmt: skip
            self.assertEqual(read_form(typed, run).given, given)

    def test_each_plan_asks_for_its_usual_settings_and_every_setting_matters_in_one(self) -> None:
        defaults = {name: setting.kind.show(setting.default) for name, setting in SETTINGS.items()}
        offered = set()
        for plan in PLANS:
            texts = form_texts(RunSettings(plan))
            self.assertEqual(RunSettings.wanted(read_form(texts).given), RunSettings(plan))
            self.assertEqual({**texts, "plan": "reverse", "games": ""}, defaults)
            for update in SETTINGS["update"].choices:
                offered |= {*used_settings(texts | {"update": update, "explore": "least-visited"})}
        self.assertEqual(offered, SETTINGS.keys())

    def test_what_is_typed_is_understood_and_the_wrong_field_marked(self) -> None:
        texts = form_texts(SELF)
        run = read_form({**texts, "games": " 1,000,000 ", "alpha": "0,5", "seed": "007"})
        wanted = RunSettings("self", games=1_000_000, alpha=0.5, seed=7)
        self.assertEqual(RunSettings.wanted(run.given), wanted)
        self.assertEqual(read_form(texts | {"games": ""}).texts["games"], "100,000")
        for field, text in (
            ("games", "many"), ("alpha", "1.1"), ("alpha", ""), ("epsilon_start", "2"),
            ("seed", str(2**63)),
        ):  # fmt: skip
            self.assert_refused(field, {**texts, field: text}, Trained())
        run = read_form({**form_texts(RunSettings("reverse")), "alpha": "?", "games": "50,000"})
        self.assertEqual(run.given.keys(), {"plan", "seed", "practice"}, "the others are not used")
