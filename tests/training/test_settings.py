"""The settings of a run: how each is written and read again, and what is refused."""

import unittest
from collections.abc import Iterator
from typing import Any

from traffic_lights.storage.kinds import OrNone, Share, Whole
from traffic_lights.training.settings import (
    PLANS,
    PROVING,
    SETTINGS,
    RunSettings,
    Setting,
    SettingsError,
    UnknownSettingError,
    Weights,
    written,
)

SAMPLES = (
    RunSettings("reverse", games=2_345, seed=3),
    RunSettings("selfplay", games=1_100, seed=4, epsilon_start=0.4),
    RunSettings("baselines", games=1_300, seed=5, shares=(3, 1, 1, 2)),
    RunSettings("alternate", games=1_300, seed=6, explore="least-visited"),
    *map(RunSettings, PLANS),
)


def values_of(setting: Setting) -> Iterator[Any]:
    """Yield values that *setting* accepts, its limits among them."""
    yield setting.default
    yield from setting.choices
    match setting.kind:
        case Whole(lowest, highest) | OrNone(Whole(lowest, highest)):
            yield from (lowest, lowest + 1, 9_999, 10_000, highest)
        case Share():
            yield from (1.0, 0.5, 1e-9)
        case Weights(Whole(_, highest), count):
            yield (0,) * ((count or 0) - 1) + (highest,)


class WrittenTests(unittest.TestCase):
    def test_what_is_written_is_read_again_as_the_same_value(self) -> None:
        for name, setting in SETTINGS.items():
            for value in values_of(setting):
                with self.subTest(name=name, value=value):
                    self.assertEqual(setting.check(value), value)
                    self.assertEqual(setting.read(setting.kind.show(value)), value)
                    if value is not None:  # which no option can say
                        self.assertEqual(setting.read(written(value)), value)

    def test_settings_survive_their_plain_values(self) -> None:
        for settings in SAMPLES:
            self.assertEqual(RunSettings.from_json(settings.as_json()), settings)


class RefusalTests(unittest.TestCase):
    def test_wrong_settings_are_refused_by_name(self) -> None:
        for name, value in (
            ("plan", "sideways"), ("games", 0), ("alpha", 0.0), ("alpha", 1.5),
            ("epsilon_start", -0.1), ("epsilon_end", 0.9), ("epsilon_decay", 0.0),
            ("gamma", 1.01), ("update", "magic"), ("explore", "north"), ("shares", (0, 0, 0, 0)),
        ):  # fmt: skip
            with self.subTest(name=name), self.assertRaises(SettingsError) as caught:
                RunSettings(**{name: value})  # type: ignore[arg-type]
            self.assertEqual(caught.exception.name, name)
            said = f"{SETTINGS[name].option} is {value!r}; it must be"
            self.assertIn(said, str(caught.exception))

    def test_a_misspelt_name_is_refused_with_the_one_that_was_meant(self) -> None:
        with self.assertRaisesRegex(SettingsError, "unknown setting 'alfa'; did you mean alpha?"):
            RunSettings.wanted({"alfa": 0.5})
        with self.assertRaisesRegex(SettingsError, "^unknown setting 'xyzzy'$"):
            RunSettings.wanted({"xyzzy": 0.5})

    def test_estimates_are_refused_where_only_proofs_are_learned(self) -> None:
        for plan in PLANS:
            if plan in PROVING:
                with self.assertRaisesRegex(SettingsError, "learns only proofs") as caught:
                    RunSettings(plan, update="bootstrap")
                self.assertEqual(caught.exception.name, "update")
            else:
                self.assertEqual(RunSettings(plan, update="bootstrap").update, "bootstrap")


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

    def test_a_setting_that_a_file_lacks_is_what_it_means_without_it(self) -> None:
        plain = RunSettings("reverse", seed=9).as_json()
        for name, setting in SETTINGS.items():
            if name != "plan":
                lacking = {other: value for other, value in plain.items() if other != name}
                found = getattr(RunSettings.from_json(lacking), name)
                self.assertEqual(found, setting.meaning_of_absence())
        del plain["practice"]
        self.assertEqual(RunSettings.from_json(plain).practice, "none", "as in version 1.0")

    def test_a_file_without_a_plan_is_refused(self) -> None:
        nothing: tuple[object, ...] = ({}, {"seed": 1}, None, [], "reverse")
        for plain in nothing:
            with self.assertRaisesRegex(SettingsError, "does not say with what settings"):
                RunSettings.from_json(plain)

    def test_an_unknown_setting_is_refused_by_name_with_the_version_that_wrote_it(self) -> None:
        plain = {**RunSettings().as_json(), "surprise": 1}
        for version, writer in ((None, "another version"), ("9.1", "version 9.1")):
            more = plain if version is None else {**plain, "version": version}
            with self.assertRaisesRegex(UnknownSettingError, f"'surprise'.* written by {writer}$"):
                RunSettings.from_json(more)
