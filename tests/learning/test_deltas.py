"""The delta log: what is written is read back, and a line that is not a record is named."""

import random
import unittest

from tests.kit.samples import played_states
from traffic_lights.board.rules import Action, State, legal_actions
from traffic_lights.board.symmetry import canonical
from traffic_lights.learning.deltas import (
    Delta,
    apply_records,
    format_records,
)
from traffic_lights.learning.qtable import QTable
from traffic_lights.learning.rowtable import RowTable

BOARD = "000000000123"


def record(action: int, value: str, kind: str = "v", board: str = BOARD) -> bytes:
    return f'{{"s":"{board}","a":{action},"{kind}":{value}}}\n'.encode()


def rows(table: QTable) -> dict[State, dict[Action, float]]:
    return {state: table.canonical_row(state) for state in table.states()}


class DeltaTests(unittest.TestCase):
    def test_what_is_written_is_read_back_proofs_and_estimates(self) -> None:
        rng = random.Random(7)
        for kinds in ((-1.0, 1.0), (-1.0, 1.0, -0.75, 0.1, 1e-05)):
            expected = RowTable()
            changes: list[Delta] = []
            for state in sorted(set(map(canonical, played_states(rng, 300)))):
                for action in legal_actions(state):
                    value = rng.choice(kinds)
                    changes.append((state, action, value))
                    expected.set_value(state, action, value)
            table = RowTable()
            apply_records(table, format_records(changes))
            self.assertEqual(table.proofs, expected.proofs)
            self.assertEqual(rows(table), rows(expected))
            self.assertEqual(bool(table.estimates), len(kinds) > 2)
