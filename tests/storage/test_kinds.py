"""What a script, the user or a file may give for a number, a text or a choice."""

import unittest
from typing import Any

from traffic_lights.storage import kinds


class Index:
    """A number of another package."""

    def __index__(self) -> int:
        return 5


class KindTests(unittest.TestCase):
    def test_what_a_script_gives_becomes_a_plain_value(self) -> None:
        cases: tuple[tuple[kinds.Kind, Any, Any], ...] = (
            (kinds.Whole(1, 9), Index(), 5),
            (kinds.Number(), 1, 1.0),
            (kinds.ListOf(kinds.Whole()), [1, Index()], (1, 5)),
            (kinds.OrNone(kinds.Whole()), None, None),
            (kinds.OneOf({"a": "A", 1: "One"}), 1, 1),
            (kinds.TextLine(3), "abc", "abc"),
        )
        for kind, value, plain in cases:
            found = kind.check(value)
            self.assertEqual((found, type(found)), (plain, type(plain)))
