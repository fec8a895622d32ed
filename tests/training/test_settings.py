"""The settings of a run: how each is written and read again, and what is refused."""

import unittest
from unittest import mock

from tests.kit.runs import values_of
from traffic_lights.training.settings import (
    IN_EVERY_FILE,
    PLANS,
    SETTINGS,
    RunSettings,
    SettingsError,
)

SAMPLES = (
    RunSettings("myopic", games=1_100, seed=4, epsilon_start=0.4, explore="least-visited"),
    RunSettings("self", update="q-learning", gamma=0.5),
    *map(RunSettings, PLANS),
)


class WrittenTests(unittest.TestCase):
    def test_what_is_written_is_read_again_as_the_same_value(self) -> None:
        for name, setting in SETTINGS.items():
            for value in values_of(setting):
                with self.subTest(name=name, value=value):
                    self.assertEqual(setting.check(value), value)
                    self.assertEqual(setting.read(setting.kind.show(value)), value)
                    if value is not None:  # which no option can say
                        self.assertEqual(setting.read(str(value)), value)

    def test_settings_survive_their_plain_values(self) -> None:
        for settings in SAMPLES:
            self.assertEqual(RunSettings.from_json(settings.as_json()), settings)

    def test_a_later_setting_is_only_in_the_files_of_runs_that_do_not_have_its_default(
        self,
    ) -> None:
        earlier = tuple(name for name in IN_EVERY_FILE if name != "gamma")
        with mock.patch("traffic_lights.training.settings.IN_EVERY_FILE", earlier):
            for settings in SAMPLES:
                plain = settings.as_json()
                self.assertEqual("gamma" in plain, settings.gamma != 1)
                self.assertEqual(RunSettings.from_json(plain), settings)


class OpenTests(unittest.TestCase):
    """What is left open, by a user or by a file of another version."""

    def test_a_chance_to_explore_given_at_one_end_takes_the_other_with_it(self) -> None:
        usual = RunSettings()
        for start in (0.0, usual.epsilon_end / 2, 0.5):
            found = RunSettings.wanted({"epsilon_start": start})
            self.assertEqual(found.epsilon_end, min(start, usual.epsilon_end))
        for end in (0.0, usual.epsilon_start, 0.5):
            found = RunSettings.wanted({"epsilon_end": end})
            self.assertEqual(found.epsilon_start, max(end, usual.epsilon_start))
        with self.assertRaises(SettingsError) as caught:
            RunSettings.wanted({"epsilon_start": 0.1, "epsilon_end": 0.2})
        self.assertEqual(caught.exception.name, "epsilon_end")

    def test_what_earlier_versions_wrote_is_understood(self) -> None:
        plain = RunSettings("myopic", update="q-learning").as_json()
        del plain["plan"]
        older = {**plain, "programme": "myopic", "shares": [1, 1, 1, 17], "update": "bootstrap"}
        self.assertEqual(RunSettings.from_json(older), RunSettings("myopic", update="q-learning"))
        self.assertEqual(SETTINGS["update"].read("bootstrap"), "q-learning")
        for plan in ("selfplay", "baselines"):
            with self.assertRaisesRegex(SettingsError, f"opponent is '{plan}'; it must be one of"):
                RunSettings.from_json({**older, "programme": plan})

    def test_what_is_not_the_settings_of_a_run_is_refused(self) -> None:
        nothing: tuple[object, ...] = ({}, {"seed": 1}, None, [], "reverse")
        for plain in nothing:
            with self.assertRaises(SettingsError):
                RunSettings.from_json(plain)
        found = RunSettings.from_json({"plan": "reverse", "games": 5})
        self.assertEqual(found, RunSettings("reverse", games=None), "it has no number of games")
        with self.assertRaisesRegex(SettingsError, "unknown setting 'surprise'"):
            RunSettings.from_json({**RunSettings().as_json(), "surprise": 1})
