"""The sweep, against the solver and the games of one move that it stands for."""

import json
import random
import unittest

from tests.kit.samples import tablebase
from traffic_lights.board import rules
from traffic_lights.learning.proving import ORDERS, Sweep, orders
from traffic_lights.learning.rowtable import RowTable
from traffic_lights.training.plans import starting_positions


class SweepTests(unittest.TestCase):
    def test_it_tries_open_actions_in_a_random_order_until_one_of_them_wins(self) -> None:
        table, rng, solver = RowTable(dense=True), random.Random(7), tablebase()
        by_ply, sweep = starting_positions(), Sweep(table)
        rows: dict[rules.State, dict[rules.Action, float]] = {}
        for ply in range(rules.LONGEST_GAME, 27, -1):
            starts = by_ply[ply]
            expected = []
            for start, byte in zip(starts, random.Random(ply).randbytes(len(starts)), strict=True):
                wins = solver.winning_actions(start)
                losing = [a for a in rules.legal_actions(start) if a not in wins]
                known: dict[int, float] = {}
                if losing and wins and rng.random() < 0.2:  # something is known already
                    known[losing[0]] = -1.0
                    table.set_value(start, losing[0], -1.0)
                closed = rules.ALL_CELLS - sum(1 << a for a in {*wins, *losing} - {*known})
                for action in orders(closed)[byte % ORDERS]:
                    known[action] = 1.0 if action in wins else -1.0
                    expected.append((rules.format_board(start), action, known[action]))
                    if action in wins:
                        break
                rows[start] = known
            batch = sweep.play(starts, random.Random(ply))
            records = map(json.loads, batch.records.splitlines())
            found = [(row["s"], row["a"], row["v"]) for row in records]
            self.assertEqual((found, batch.games), (expected, len(expected)), f"ply {ply}")
            self.assertEqual(table.decided_by_ply[ply], len(starts))
        for start, row in rows.items():
            self.assertEqual(table.canonical_row(start), row)
