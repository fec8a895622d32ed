"""Graded values in arrays: the same mapping as a dict, and the same table read with either."""

import contextlib
import os
import random
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from tests.kit.samples import live_states
from traffic_lights.board.rules import legal_actions
from traffic_lights.board.symmetry import to_canonical
from traffic_lights.learning import tablefile
from traffic_lights.learning.manyvalues import ManyValues
from traffic_lights.learning.qtable import QTable
from traffic_lights.learning.tablefile import read_table, write_table
from traffic_lights.storage.files import DamagedFileError


def estimates(rng: random.Random, count: int) -> QTable:
    """Return a table of *count* states with values of every kind."""
    table = QTable()
    for state in live_states(rng, count):
        image, _ = to_canonical(state)
        for action in legal_actions(image):
            table.set_value(image, action, rng.choice((0.0, 1.0, -1.0, rng.uniform(-1, 1))))
    table.meta = {"estimates": True}
    return table


class ManyValuesTests(unittest.TestCase):
    def test_whatever_is_done_it_is_the_mapping_that_a_dict_is(self) -> None:
        rng = random.Random(7)
        values, expected = ManyValues(), dict[int, float]()
        keys = [rng.randrange(1 << 24) << 4 | rng.randrange(12) for _ in range(30)]
        for step in range(2000):
            key = rng.choice(keys)
            if step % 3:
                values[key] = expected[key] = rng.uniform(0.1, 1) * rng.choice((-1, 1))
            else:
                self.assertEqual(values.pop(key, None), expected.pop(key, None))
            self.assertEqual((len(values), bool(values)), (len(expected), bool(expected)))
            self.assertEqual((key in values, values.get(key)), (key in expected, expected.get(key)))
        self.assertEqual(list(values.items()), sorted(expected.items()))
        with self.assertRaises(KeyError):
            values[1 << 4]
        with self.assertRaises(KeyError):
            del values[1 << 4]

    def test_a_table_read_into_arrays_answers_and_is_written_as_one_in_a_dict(self) -> None:
        rng = random.Random(8)
        with tempfile.TemporaryDirectory() as name:
            path, again = Path(name) / "a.json", Path(name) / "b.json"
            write_table(path, estimates(rng, 300))
            plain = read_table(path)
            with mock.patch.object(tablefile, "_LEAN_FROM", 0):
                lean = read_table(path)
            self.assertIsInstance(lean.estimates, ManyValues)
            self.assertEqual(dict(lean.estimates), plain.estimates)
            for state in live_states(rng, 200) + list(plain.states())[:200]:
                self.assertEqual(lean.row(state), plain.row(state))
                self.assertEqual(lean.best_actions(state), plain.best_actions(state))
            write_table(again, lean)
            self.assertEqual(again.read_bytes(), path.read_bytes())

    def test_a_file_with_more_values_than_a_dict_of_300_mb_holds_is_read_into_arrays(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            path = Path(name) / "large.json"
            write_table(path, estimates(random.Random(9), 5))
            for size, times in ((path.stat().st_size, 0), (3_000_000 * 25, 1)):
                os.truncate(path, size)  # what follows the table is refused after that
                with mock.patch.object(tablefile, "ManyValues", wraps=ManyValues) as made:
                    with contextlib.suppress(DamagedFileError):
                        read_table(path)
                    self.assertEqual(made.call_count, times)


if __name__ == "__main__":
    unittest.main()
