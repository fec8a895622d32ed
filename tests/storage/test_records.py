"""Files of records: what fits is read, and what does not is refused as a whole, by its name."""

import json
import tempfile
import unittest
from dataclasses import dataclass
from pathlib import Path

from traffic_lights.storage.files import DamagedFileError
from traffic_lights.storage.kinds import Number, Whole, member, record_of
from traffic_lights.storage.records import read_record

HEADER = {"format": "ours"}


@dataclass
class Point:
    games: int = member(Whole(1))
    rate: float = member(Number(0, 1), 0.5)
    unsaved: int = 0


POINT = record_of(Point)


class RecordTests(unittest.TestCase):
    def setUp(self) -> None:
        self.path = Path(self.enterContext(tempfile.TemporaryDirectory())) / "file.json"

    def test_what_was_written_is_read_back_with_defaults_for_what_is_absent(self) -> None:
        self.path.write_text(json.dumps({**HEADER, "games": 3, "newer": []}))
        self.assertEqual(read_record(self.path, POINT, HEADER), Point(games=3))
        self.assertEqual(read_record(self.path, POINT), Point(games=3))

    def test_a_file_that_does_not_fit_is_refused_in_a_sentence_that_names_it(self) -> None:
        for text, words in (
            ("", "not JSON"),
            ("[]", "is damaged: it does not hold an object"),
            ("[" * 99_999, "too many nested brackets"),
            ('{"format": "theirs"}', "has the format 'theirs'; this program reads 'ours'"),
            ('{"format": "ours", "games": 1, "rate": NaN}', "rate is nan; it must be a number"),
            ('{"format": "ours", "games": 1, "rate": 1e999}', "rate is inf; it must be a number"),
            ('{"format": "ours", "games": 0}', "games is 0; it must be a whole number of at least"),
            ('{"format": "ours"}', "games is None; it must be a whole number"),
        ):
            self.path.write_text(text)
            with self.subTest(text=text[:40]), self.assertRaisesRegex(DamagedFileError, words) as c:
                read_record(self.path, POINT, HEADER)
            self.assertTrue(str(c.exception).startswith(str(self.path)))
