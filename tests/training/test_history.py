"""A bot as it was: the same table as that of a run that ended then."""

import tempfile
import unittest
from pathlib import Path
from typing import Any

from traffic_lights.board.positions import POSITIONS
from traffic_lights.learning.qtable import QTable
from traffic_lights.learning.tablefile import read_table
from traffic_lights.training import history as module
from traffic_lights.training.history import history, milestones, table_after
from traffic_lights.training.run import Training
from traffic_lights.training.settings import SettingsError


def contents(table: QTable) -> dict[int, dict[int, float]]:
    return {state: table.canonical_row(state) for state in table.states()}


class HistoryTests(unittest.TestCase):
    def trained(self, *runs: dict[str, Any]) -> QTable:
        """Return the table of *runs* one after the other."""
        with tempfile.TemporaryDirectory() as folder:
            for wanted in runs:
                with Training(Path(folder), wanted) as training:
                    for _ in training.play():
                        pass
            return read_table(Path(folder) / "qtable.json")

    def test_each_snapshot_is_the_table_of_a_run_of_so_many_games(self) -> None:
        for settings in ({"plan": "myopic"}, {"plan": "self", "update": "bootstrap"}):
            whole = self.trained({**settings, "games": 1_500, "seed": 7})
            seen = {one.games: contents(one.table) for one in history(whole.meta)}
            self.assertEqual(list(seen), milestones(1_500))
            self.assertEqual(seen[1_500], contents(whole))
            for games in (1, 40, 1_000):
                shorter = self.trained({**settings, "games": games, "seed": 7})
                self.assertEqual(seen[games], contents(shorter))
                self.assertEqual(contents(table_after(whole.meta, games)), seen[games])

    def test_the_runs_on_one_table_follow_each_other(self) -> None:
        whole = self.trained(
            {"plan": "random", "games": 300, "seed": 1}, {"plan": "myopic", "games": 500, "seed": 2}
        )
        *_, last = history(whole.meta)
        self.assertEqual((last.games, contents(last.table)), (800, contents(whole)))

    def test_a_plan_that_proves_is_shown_by_share(self) -> None:
        whole = self.trained({"plan": "reverse", "games": 400_000, "seed": 7})
        seen = [
            (one.games, one.decided * module.SHARES // POSITIONS) for one in history(whole.meta)
        ]
        self.assertEqual(seen[-1][0], 400_000)
        self.assertEqual([share for _, share in seen[:-1]], [1])

    def test_a_bot_of_unknown_origin_is_refused_in_one_sentence(self) -> None:
        for meta in ({}, {"imported": {}, "runs": [{"games": 5}]}, {"runs": [{"games": 5}]}):
            with self.assertRaisesRegex(SettingsError, "cannot be made again"):
                next(history(meta))
        whole = self.trained({"plan": "random", "games": 10})
        for games in (0, 11):
            with self.assertRaisesRegex(SettingsError, "from 1 to the 10"):
                table_after(whole.meta, games)


if __name__ == "__main__":
    unittest.main()
