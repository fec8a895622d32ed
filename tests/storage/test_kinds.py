"""What a script, the user or a file may give for a number, a text or a choice."""

import unittest
from typing import Any

from traffic_lights.storage.kinds import (
    Kind,
    KindError,
    ListOf,
    Number,
    OneOf,
    OrNone,
    TextLine,
    Whole,
)


class Index:
    """A number of another package."""

    def __index__(self) -> int:
        return 5


class KindTests(unittest.TestCase):
    def test_what_a_script_gives_becomes_a_plain_value(self) -> None:
        cases: tuple[tuple[Kind, Any, Any], ...] = (
            (Whole(1, 9), Index(), 5),
            (Number(), 1, 1.0),
            (ListOf(Whole()), [1, Index()], (1, 5)),
            (OrNone(Whole()), None, None),
            (OneOf({"a": "A", 1: "One"}), 1, 1),
            (TextLine(3), "abc", "abc"),
        )
        for kind, value, plain in cases:
            found = kind.check(value)
            self.assertEqual((found, type(found)), (plain, type(plain)))

    def test_what_a_person_types_may_have_blanks_and_signs_between_groups(self) -> None:
        self.assertEqual(Whole(0, 9999).read(" 1,000 "), 1000)
        self.assertEqual((OrNone(Number()).read(" "), OrNone(Number()).read("0,5")), (None, 0.5))
        self.assertEqual(Number(0, 9).read("2,5"), 2.5)
        with self.assertRaisesRegex(KindError, "at most 9,223,372,036,854,775,807"):
            Whole().read("9" * 20)
