"""The curves that are kept beside a run's table: as they were, or none."""

from __future__ import annotations

import json
import tempfile
import unittest
from pathlib import Path

from traffic_lights.training.curves import FILE_NAME, read_curves, write_curves

CURVES = {"one": [(0.0, 0.5), (1000.0, 0.25)], "two": [(10.0, 1.0)]}


class CurvesTests(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def test_what_was_written_is_read_up_to_a_game(self) -> None:
        write_curves(self.folder, CURVES)
        self.assertEqual(read_curves(self.folder, ("one", "two")), CURVES)
        self.assertEqual(read_curves(self.folder, ("two", "three")), {"two": CURVES["two"]})
        self.assertEqual(read_curves(self.folder, ("one",), 999), {"one": [(0.0, 0.5)]})

    def test_two_measurements_after_the_same_game_are_no_damage(self) -> None:
        twice = {"one": [(5.0, 0.5), (5.0, 0.25), (6.0, 0.5)]}
        write_curves(self.folder, twice)
        self.assertEqual(read_curves(self.folder, ("one",)), twice)

    def test_a_file_that_is_none_counts_as_no_curves(self) -> None:
        format_ = "traffic-lights-curves"
        contents: tuple[object, ...] = (
            [], {"curves": {}}, {"format": "other", "curves": {"one": []}},
            {"format": format_, "curves": {"one": 5}},
            {"format": format_, "curves": {"one": [[2, 1], [1, 1]]}},
            {"format": format_, "curves": {"one": [[1, "x"]]}},
            {"format": format_, "curves": {"one": [[n, 0.5] for n in range(4000)]}},
        )  # fmt: skip
        for content in contents:
            with self.subTest(content=str(content)[:60]):
                (self.folder / FILE_NAME).write_text(json.dumps(content))
                self.assertEqual(read_curves(self.folder, ("one",)), {})

    def test_a_folder_that_cannot_be_written_keeps_none_and_stops_nothing(self) -> None:
        write_curves(self.folder / "nowhere", CURVES)
        self.assertEqual(read_curves(self.folder / "nowhere", ("one",)), {})


if __name__ == "__main__":
    unittest.main()
