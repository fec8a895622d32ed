"""The descriptions of files: what they accept, what they refuse, and what becomes of the file."""

import json
import os
import tempfile
import unittest
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from traffic_lights.storage import schema
from traffic_lights.storage.files import DamagedFileError, StorageError, set_aside

VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 7, 8, 0.5, 1.0, -0.5, 1e308, "", "b2", "two\nlines", "\ud800",
    "x" * 9, [], [1], [1, 2], ["a", 1], {}, {"n": 1}, {"n": "x"}, {"other": 1},
)  # fmt: skip

KINDS: dict[str, tuple[schema.JsonType, list[Any]]] = {
    "whole": (schema.whole(0, 7), [0, 1, 7]),
    "number": (schema.number(-1, 1), [0, 1, -1, 0.5, 1.0, -0.5]),
    "flag": (schema.flag(), [True, False]),
    "text": (schema.text(5), ["", "b2"]),
    "lines": (schema.lines(9), ["", "b2", "two\nlines", "\ud800", "x" * 9]),
    "matching": (schema.matching("[a-d][1-3]"), ["b2"]),
    "one of": (schema.one_of(0, "b2"), [0, "b2"]),
    "list": (schema.list_of(schema.whole()), [[], [1], [1, 2]]),
    "row": (schema.row_of(schema.text(1), schema.whole()), [["a", 1]]),
    "object": (schema.object_of({"n": schema.whole()}), [{"n": 1}]),
    "by name": (schema.by_name(schema.whole()), [{}, {"n": 1}, {"other": 1}]),
    "rows": (schema.a_list(), [[], [1], [1, 2], ["a", 1]]),
    "anything": (schema.anything(), list(VALUES)),
}


@dataclass
class Point:
    games: int = schema.field(schema.whole(1))
    rate: float = schema.field(schema.optional(schema.number(0, 1), 0.5))
    unsaved: int = 0


class TypeTests(unittest.TestCase):
    def test_each_kind_accepts_its_values_and_no_others(self) -> None:
        for name, (kind, fitting) in KINDS.items():
            with self.subTest(kind=name):
                accepted = [value for value in VALUES if kind.fits(value)]
                self.assertEqual(list(map(repr, accepted)), list(map(repr, fitting)))

    def test_a_field_that_does_not_fit_is_named_with_what_was_expected(self) -> None:
        for name, (kind, _) in KINDS.items():
            for value in VALUES:
                if not kind.fits(value):
                    with self.assertRaisesRegex(
                        schema.MisfitError, "^x is .+; expected .+"
                    ) as caught:
                        schema.checked({"x": value}, {"x": kind})
                    self.assertIn(kind.expected, str(caught.exception), name)

    def test_the_fields_of_a_dataclass_have_the_defaults_of_their_kinds(self) -> None:
        fields = schema.fields_of(Point)
        self.assertEqual(Point(**schema.checked({"games": 3}, fields)), Point(games=3))
        self.assertEqual(list(fields), ["games", "rate"])
        with self.assertRaisesRegex(schema.MisfitError, "games is missing; expected a whole"):
            schema.checked({"rate": 1}, fields)

    def test_a_kind_says_what_it_expects(self) -> None:
        count = schema.whole(0, 7)
        for kind, words in (
            (schema.whole(), "a whole number, 0 or more"),
            (schema.whole(5), "a whole number, 5 or more"),
            (schema.whole(0, 7000), "a whole number, from 0 to 7,000"),
            (schema.one_of(1, "b2"), "one of 1, b2"),
            (schema.or_null(schema.flag()), "true or false, or null"),
            (schema.list_of(count), "a list, each of it a whole number, from 0 to 7"),
            (schema.row_of(count, count), "a list of 2 values"),
            (schema.object_of({"a": count, "b": count}), "an object with a, b"),
            (schema.by_name(schema.flag()), "an object, each value of it true or false"),
        ):
            self.assertEqual(kind.expected, words)

    def test_the_limits_belong_to_a_kind(self) -> None:
        for kind, longest, too_long in (
            (schema.whole(-1, 3), -1, -2),
            (schema.whole(-1, 3), 3, 4),
            (schema.whole(), schema.MOST, schema.MOST + 1),
            (schema.number(-0.5, 1), -0.5, -0.6),
            (schema.number(-0.5, 1), 1, 1.1),
            (schema.text(3), "abc", "abcd"),
            (schema.lines(3), "a\nb", "ab\nc"),
            (schema.list_of(schema.whole(), 2), [1, 2], [1, 2, 3]),
            (schema.or_null(schema.text(1)), None, 0),
        ):
            self.assertEqual((kind.fits(longest), kind.fits(too_long)), (True, False))

    def test_misfits_become_the_default_or_are_left_out(self) -> None:
        fields = {"n": schema.optional(schema.whole(), 1), "t": schema.optional(schema.text(5), "")}
        for plain, values, wrong in (
            ({"n": 5, "t": 5}, {"n": 5, "t": ""}, ["t"]),
            ({"n": 0.5, "t": None}, {"n": 1, "t": ""}, ["n", "t"]),
            ({"other": 0}, {"n": 1, "t": ""}, []),
            ([], {"n": 1, "t": ""}, ["n", "t"]),
        ):
            self.assertEqual(schema.fitting(plain, fields), (values, wrong))
        rows = [{"n": "x"}, 7, None, {"n": 2}]
        self.assertEqual(schema.fitting_rows(rows, fields), [{"n": 2, "t": ""}])


class FileTests(unittest.TestCase):
    def setUp(self) -> None:
        self.path = Path(self.enterContext(tempfile.TemporaryDirectory())) / "file.json"

    def test_what_was_written_is_read_back(self) -> None:
        self.path.write_text(json.dumps({"format": "ours", "games": 3, "rate": 1}))
        values = schema.read(self.path, schema.fields_of(Point), {"format": "ours"})
        self.assertEqual(values, {"games": 3, "rate": 1})
        self.assertEqual(schema.read_shipped(self.path, schema.fields_of(Point)), values)

    @unittest.skipUnless(hasattr(os, "mkfifo"), "needs what POSIX has for files")
    def test_what_is_not_a_file_is_refused_and_set_aside(self) -> None:
        for make in (os.mkdir, os.mkfifo, lambda path: path.symlink_to("elsewhere")):
            make(self.path)
            for read in (schema.read, schema.read_lines):
                with self.assertRaisesRegex(StorageError, r"^cannot read [^\n]*file\.json: "):
                    read(self.path, {})
            set_aside(self.path)
        self.assertEqual(len(list(self.path.parent.glob("file.json.damaged*"))), 3)

    def test_every_other_file_is_refused_in_one_sentence_that_names_it(self) -> None:
        texts = [
            "",
            "[]",
            "{}",
            '{"format": "theirs", "games": 3}',
            '{"format": "ours"}',
            '{"format": "ours", "games": NaN}',
            '{"format": "ours", "games": 0}',
            "[" * 99_999,
        ]
        for text in texts:
            self.path.write_text(text)
            with self.assertRaisesRegex(DamagedFileError, r"file\.json"):
                schema.read(self.path, schema.fields_of(Point), {"format": "ours"})

    def test_a_file_that_is_set_aside_is_never_written_over_an_earlier_one(self) -> None:
        for text in "abc":
            self.path.write_text(text)
            kept = set_aside(self.path)
            self.assertEqual((kept.read_text(), self.path.exists()), (text, False))
        names = sorted(path.name for path in self.path.parent.iterdir())
        ends = ["damaged", "damaged-2", "damaged-3"]
        self.assertEqual(names, [f"file.json.{end}" for end in ends])

    def test_what_is_wrong_is_said_of_every_kind_of_file(self) -> None:
        fields = schema.fields_of(Point)
        for text, words in (
            ("[]", "is damaged: it does not hold an object"),
            ('{"format": "theirs"}', "has the format 'theirs'; this program reads 'ours'"),
            ("{}", "has the format None; this program reads 'ours'"),
            ('{"format": "ours", "games": 0}', "is damaged: games is 0; expected a whole number"),
            ('{"format": "ours"}', "is damaged: games is missing; expected a whole number"),
        ):
            self.path.write_text(text)
            with self.assertRaises(DamagedFileError) as caught:
                schema.read(self.path, fields, {"format": "ours"})
            self.assertIn(f"{self.path} {words}", str(caught.exception))
        with self.assertRaisesRegex(DamagedFileError, "file.json is damaged: games is missing"):
            schema.read_shipped(self.path, fields)
        self.path.write_text("[]")
        with self.assertRaisesRegex(
            DamagedFileError, "it is \\[\\]; expected an object with games"
        ):
            schema.read_shipped(self.path, fields)

    def test_lines_that_do_not_fit_are_left_out(self) -> None:
        self.path.write_bytes(b'\n{"games": 1}\n{"games": 0}\n\xff\n[\n7\n{"games": 2}\n{"ga')
        found = schema.read_lines(self.path, {"games": schema.whole(1)})
        self.assertEqual(found, [{"games": 1}, {"games": 2}])
