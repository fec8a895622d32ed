"""Plans: the tables that they make, what they solve, and when they end."""

import hashlib
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

from tests.kit.runs import folder, reached_from, tiny, train_in, values_of
from tests.kit.samples import IS_SLOW_RUN
from traffic_lights.board.rules import parse_board
from traffic_lights.training import plans
from traffic_lights.training.settings import REVERSE, SETTINGS, RunSettings

GOLDEN: tuple[tuple[str, tuple[dict[str, Any], ...]], ...] = (
    ("33b4221cdb4b5cf4", ({"plan": "reverse"},)),
    ("e4d0a7a048306fc1", ({"plan": "reverse", "practice": "random"},)),
    ("079bed4444651011", ({"plan": "random"},)),
    ("9478ee4e63a76c6d", ({"plan": "alternate"},)),
    ("3b2d078ec63773e6", ({"plan": "myopic"},)),
    ("628a5a0be3a0702a", ({"plan": "self"},)),
    ("83ef65ecc0206c4d", ({"plan": "myopic", "update": "q-learning", "gamma": 0.9, "alpha": 0.4},)),
    ("5a9d27c2aa0f4016",
     ({"plan": "myopic", "update": "monte-carlo", "gamma": 0.9, "alpha": 0.4},)),
    ("3f4dacd01cc9f950", ({"plan": "myopic", "update": "last-action", "alpha": 0.4},)),
    ("305d94756b1c4d02", ({"plan": "self", "update": "q-learning", "gamma": 0.9},)),
    ("b977f138cb722d99", ({"plan": "myopic", "explore": "least-visited"},)),
    ("eef6a20b30da0bdb", ({"plan": "self", "explore": "least-visited", "seed": 3},)),
    ("80161d11f064029e",
     ({"plan": "myopic", "epsilon_start": 0.9, "epsilon_end": 0.1, "epsilon_decay": 0.99,
       "alpha": 0.9},)),
    ("5e7e1e770ed717f8",
     ({"plan": "myopic"}, {"plan": "myopic", "seed": 2}, {"plan": "self", "games": 320})),
    ("b70f003a470dcbb3", ({"plan": "myopic"}, {"plan": "reverse"})),
    ("0cc5400919405ba5", ({"plan": "reverse"}, {"plan": "myopic"})),
)  # fmt: skip
"""Runs on one table, and the SHA-256 of the rows that they make, the same since version 1.4.

Those against an opponent have 640 games, if they name no other number.
"""
USUAL: dict[str, Any] = {
    "plan": "myopic", "games": 300, "update": "monte-carlo", "explore": "least-visited",
    "epsilon_start": 1.0, "epsilon_end": 0.0, "epsilon_decay": 0.99,
}  # fmt: skip
"""A run to whose table nearly every setting matters."""


def rows_of(path: Path) -> str:
    """Return the start of the SHA-256 of the rows in the table file *path*, without its meta."""
    rows = path.read_bytes().splitlines(keepends=True)[2:-1]
    return hashlib.sha256(b"".join(rows)).hexdigest()[:16]


class PlanTests(unittest.TestCase):
    def setUp(self) -> None:
        self.enterContext(tiny(batch=100))

    def rows_after(self, *runs: dict[str, Any], stops: bool = False, stage: int = 0) -> str:
        """Return the `rows_of` the table of *runs*, stopped after each batch from a *stage* on."""
        with folder() as where:
            for wanted in runs:
                parts = train_in(where, wanted, lambda it: stops and it.run.progress.stage >= stage)
                self.assertEqual(len(parts) > 1, stops)
            rows = rows_of(where / "qtable.json")
            self.assertEqual(rows_of(where / "qbot.json"), rows, "a small one is not pruned")
        return rows

    def test_each_run_makes_its_golden_rows(self) -> None:
        for golden, runs in GOLDEN:
            wanted = [{**({} if run["plan"] == REVERSE else {"games": 640}), **run} for run in runs]
            with self.subTest(runs=runs):
                self.assertEqual(self.rows_after(*wanted, stops=IS_SLOW_RUN), golden)

    def test_a_run_that_stops_after_every_batch_practises_the_same(self) -> None:
        self.enterContext(tiny(batch=2))
        starts = reached_from(parse_board("0231/2023/3303"))
        self.enterContext(mock.patch.object(plans, "starting_positions", return_value=starts))
        wanted = {"plan": REVERSE, "practice": "random"}
        self.assertEqual(self.rows_after(wanted, stops=True, stage=1), self.rows_after(wanted))

    def test_each_setting_makes_another_table_where_it_is_said_to_matter_and_is_kept(self) -> None:
        for name, setting in SETTINGS.items():
            base = USUAL if RunSettings.wanted(USUAL).matters(name) else {"plan": REVERSE}
            before = base.get(name, setting.default)
            others = (value for value in values_of(setting) if value != before)
            other = {**base, name: {"plan": "self", "games": 200}.get(name) or next(others)}
            whole, parts = (self.rows_after(other, stops=each) for each in (False, True))
            with self.subTest(name=name):
                self.assertNotEqual(self.rows_after(base), whole, "is it used? see `why_unused`")
                self.assertEqual(parts, whole, "a run that stops makes another table")
