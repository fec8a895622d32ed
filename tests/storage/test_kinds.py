"""What a script, the user or a file may give for a number, a text or a choice."""

import unittest
from typing import Any

from traffic_lights.storage.kinds import (
    Flag,
    Kind,
    KindError,
    Lines,
    ListOf,
    Matching,
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

    def test_a_value_of_another_kind_is_refused_by_a_sentence_with_what_it_must_be(self) -> None:
        cases: tuple[tuple[Kind, Any, bool], ...] = (
            (Whole(1, 9), True, True), (Whole(1, 9), 1.0, True), (Whole(1, 9), "5", True),
            (Whole(1, 9), 0, False), (Whole(1, 9), 10, False),
            (Number(-1, 1), float("nan"), False), (Number(-1, 1), 10**400, False),
            (Number(-1, 1), True, True),
            (Number(is_positive=True), 0.0, False), (Number(), 1.1, False), (Number(), None, True),
            (OneOf({1: "One"}), True, True), (OneOf({"a": "A"}), "b", False),
            (OneOf({"a": "A"}), ["a"], True), (Flag(), 1, True),
            (TextLine(3), "abcd", False), (TextLine(9), "a\nb", False), (TextLine(9), 5, True),
            (Lines(3), "abcd", False), (Matching("[0-9a-f]{8}"), "0", False),
            (ListOf(Whole()), "12", True), (ListOf(Whole()), [1, "2"], True),
            (OrNone(Whole()), "", True),
        )  # fmt: skip
        for kind, value, is_wrong_type in cases:
            with self.subTest(kind=kind, value=value), self.assertRaises(KindError) as caught:
                kind.check(value, "it")
            its, _, must = str(caught.exception).partition("; it must be ")
            self.assertTrue(its.startswith("it is "), its)
            self.assertIn(must, kind.must)
            self.assertEqual(caught.exception.is_wrong_type, is_wrong_type)

    def test_what_a_person_types_may_have_blanks_and_signs_between_groups(self) -> None:
        self.assertEqual(Whole(0, 9999).read(" 1,000 "), 1000)
        self.assertEqual((OrNone(Number()).read(" "), OrNone(Number()).read("0,5")), (None, 0.5))
        self.assertEqual(Number(0, 9).read("2,5"), 2.5)
        with self.assertRaisesRegex(KindError, "at most 9,223,372,036,854,775,807"):
            Whole().read("9" * 20)
