"""The settings of a run: how each is written and read again, and what is refused."""

import unittest
from unittest import mock

from tests.kit.runs import values_of
from traffic_lights.training import settings
from traffic_lights.training.settings import SETTINGS, RunSettings, SettingsError


class WrittenTests(unittest.TestCase):
    def test_what_is_written_is_read_again_as_the_same_value(self) -> None:
        for name, setting in SETTINGS.items():
            for value in values_of(setting):
                with self.subTest(name=name, value=value):
                    self.assertEqual(setting.check(value), value)
                    self.assertEqual(setting.read(setting.kind.show(value)), value)
                    if value is not None:  # which no option can say
                        self.assertEqual(setting.read(str(value)), value)

    def test_a_later_setting_is_only_in_files_of_runs_that_have_not_its_default(self) -> None:
        earlier = tuple(name for name in settings.IN_EVERY_FILE if name != "gamma")
        for run in (
            RunSettings("myopic", games=1_100, seed=4, epsilon_start=0.4, explore="least-visited"),
            RunSettings("self", update="q-learning", gamma=0.5),
            *map(RunSettings, settings.PLANS),
        ):
            self.assertEqual(RunSettings.from_json(run.as_json()), run)
            with mock.patch.object(settings, "IN_EVERY_FILE", earlier):
                plain = run.as_json()
            self.assertEqual("gamma" in plain, run.gamma != 1)
            self.assertEqual(RunSettings.from_json(plain), run)


class OpenTests(unittest.TestCase):
    """What is left open, by a user or by a file of another version."""

    def test_a_chance_to_explore_given_at_one_end_takes_the_other_with_it(self) -> None:
        for given, start, end in (
            ({"epsilon_start": 0.0}, 0.0, 0.0),
            ({"epsilon_start": 0.1}, 0.1, 0.1),
            ({"epsilon_start": 0.5}, 0.5, 0.15),
            ({"epsilon_end": 0.0}, 0.2, 0.0),
            ({"epsilon_end": 0.5}, 0.5, 0.5),
        ):
            found = RunSettings.wanted(given)
            self.assertEqual((found.epsilon_start, found.epsilon_end), (start, end))
        with self.assertRaises(SettingsError) as caught:
            RunSettings.wanted({"epsilon_start": 0.1, "epsilon_end": 0.2})
        self.assertEqual(caught.exception.name, "epsilon_end")

    def test_what_earlier_versions_wrote_is_understood_and_what_has_gone_is_refused(self) -> None:
        of_1_4 = {"programme": "myopic", "shares": [1, 1, 1, 17], "update": "bootstrap"}
        self.assertEqual(RunSettings.from_json(of_1_4), RunSettings("myopic", update="q-learning"))
        reverse = RunSettings.from_json({"plan": "reverse", "games": 5})
        self.assertEqual(reverse, RunSettings("reverse", games=None), "it has no number of games")
        plains: tuple[tuple[object, str], ...] = (
            ({**of_1_4, "programme": "selfplay"}, "opponent is 'selfplay'; it must be one of"),
            ({**RunSettings().as_json(), "surprise": 1}, "unknown setting 'surprise'"),
            ({"seed": 1}, "opponent is "), ({}, "opponent is "),
            (None, "with what settings"), ("reverse", "with what settings"),
        )  # fmt: skip
        for plain, words in plains:
            self.assertRaisesRegex(SettingsError, words, RunSettings.from_json, plain)
