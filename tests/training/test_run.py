"""A training run that is stopped and continued ends with the bytes of one that was not."""

import tempfile
import unittest
from pathlib import Path
from typing import Any

from tests.kit.runs import tiny
from traffic_lights.training.run import Training

RUNS: tuple[dict[str, Any], ...] = (
    {"plan": "reverse"},
    {"plan": "selfplay", "games": 30},
    {"plan": "baselines", "games": 40},
    {"plan": "myopic", "games": 30, "alpha": 0.5},
)


class StoppedRunTests(unittest.TestCase):
    def setUp(self) -> None:
        self.enterContext(tiny())

    def test_stopped_after_every_batch_a_run_ends_with_the_same_bytes(self) -> None:
        for wanted in RUNS:
            with self.subTest(plan=wanted["plan"]):
                self.assertEqual(self.play(wanted, stops=True), self.play(wanted, stops=False))

    def play(self, wanted: dict[str, Any], *, stops: bool) -> list[bytes]:
        """Return the tables of a run that stops after every batch, or does not."""
        with tempfile.TemporaryDirectory() as name:
            is_finished, starts = False, 0
            while not is_finished:
                with Training(Path(name), wanted) as training:
                    *_, moment = training.play(lambda: stops)
                    is_finished = training.is_finished
                    self.assertEqual(moment.saved_games, training.games)
                starts += 1
            self.assertEqual(starts > 1, stops)
            return [(Path(name) / table).read_bytes() for table in ("qtable.json", "qbot.json")]


if __name__ == "__main__":
    unittest.main()
