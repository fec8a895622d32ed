"""Settings: described once, and never an obstacle to starting."""

import unittest
from dataclasses import asdict, fields, replace
from typing import Any

from traffic_lights.userdata.settings import (
    Settings,
    choices_of,
    label_of,
    limits_of,
    settings_from,
)


class SettingsTests(unittest.TestCase):
    def test_every_possible_value_comes_back(self) -> None:
        for described in fields(Settings):
            name, default = described.name, described.default
            values: list[Any] = [default]
            if isinstance(default, bool):
                values = [False, True]
            elif isinstance(default, int):
                values = list(limits_of(name))
            elif choices_of(name):
                values = list(choices_of(name))
            for value in values:
                with self.subTest(name=name, value=value):
                    settings = replace(Settings(), **{name: value})
                    self.assertEqual(settings_from(asdict(settings)), (settings, []))

    def test_a_value_that_does_not_fit_is_the_default_and_is_named(self) -> None:
        wrong = {
            "theme": "pink",
            "zoom": 99,
            "geometry": "9" * 99,
            "letters": 1,
            "speed": ["slow"],
            "opponent": None,
        }
        settings, refused = settings_from({**wrong, "tell_me": True, "from_the_future": 7})
        self.assertEqual(settings, Settings(tell_me=True))
        self.assertEqual(set(refused), set(wrong))

    def test_what_the_appearance_sheet_offers_has_a_label(self) -> None:
        for name in ("theme", "lamps", "letters", "coordinates", "animations", "speed", "zoom"):
            self.assertTrue(label_of(name)[0].isupper(), name)


if __name__ == "__main__":
    unittest.main()
