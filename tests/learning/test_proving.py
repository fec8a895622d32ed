"""The sweep against the same games in slow words."""

import json
import random
import unittest

from traffic_lights.board import rules
from traffic_lights.board.symmetry import canonical
from traffic_lights.learning.deltas import Batch, Delta
from traffic_lights.learning.proving import ORDERS, Sweep, orders
from traffic_lights.learning.rowtable import RowTable
from traffic_lights.training.plans import starting_positions


class SlowProver:
    """The games of one move, as plainly as they can be said: proofs by state and action."""

    def __init__(self) -> None:
        self.q: dict[tuple[rules.State, rules.Action], float] = {}

    def is_lost(self, state: rules.State) -> bool:
        return all(self.q.get((state, action)) == -1 for action in rules.legal_actions(state))

    def open_actions(self, state: rules.State) -> list[rules.Action]:
        return [
            action for action in rules.legal_actions(state) if self.q.get((state, action)) != -1
        ]

    def wins(self, state: rules.State, action: rules.Action) -> bool:
        """Return whether *action* completes a line or leads into a proven loss."""
        after = canonical(rules.play(state, action))
        return rules.is_terminal(after) or self.is_lost(after)


def recorded(batch: Batch) -> list[Delta]:
    """Return the records of *batch* as (state, action, value)."""
    rows = map(json.loads, batch.records.splitlines())
    return [(rules.parse_board(row["s"]), row["a"], row["v"]) for row in rows]


class SweepTests(unittest.TestCase):
    def test_the_sweep_plays_games_of_one_move_until_decided(self) -> None:
        fast, slow = RowTable(dense=True), SlowProver()
        by_ply, sweep = starting_positions(), Sweep(fast)
        known = random.Random(7)
        for ply in range(rules.LONGEST_GAME, 27, -1):
            starts = by_ply[ply]
            expected: list[Delta] = []
            for start, byte in zip(starts, random.Random(ply).randbytes(len(starts)), strict=True):
                open_actions = slow.open_actions(start)
                if len(open_actions) > 1 and known.random() < 0.2:  # something is known already
                    self.prove_a_loss(fast, slow, start)
                    open_actions = slow.open_actions(start)
                closed = sum(1 << cell for cell in range(rules.CELLS) if cell not in open_actions)
                for action in orders(closed)[byte % ORDERS]:
                    wins = slow.wins(start, action)
                    slow.q[start, action] = 1.0 if wins else -1.0
                    expected.append((start, action, slow.q[start, action]))
                    if wins:
                        break
            batch = sweep.play(starts, random.Random(ply))
            self.assertEqual(recorded(batch), expected, f"ply {ply}")
            self.assertEqual(batch.games, len(expected))
            self.assertEqual(fast.decided_by_ply[ply], len(starts))
            for start in starts:
                row = {action: slow.q.get((start, action)) for action in rules.legal_actions(start)}
                known_values = {action: value for action, value in row.items() if value}
                self.assertEqual(fast.canonical_row(start), known_values)

    def prove_a_loss(self, fast: RowTable, slow: SlowProver, start: rules.State) -> None:
        """Let both know of one action in *start* that it loses, if there is one to spare."""
        losing = [a for a in slow.open_actions(start) if not slow.wins(start, a)]
        if losing and losing != slow.open_actions(start):
            fast.set_value(start, losing[0], -1.0)
            slow.q[start, losing[0]] = -1.0
