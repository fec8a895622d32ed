"""The delta log: what is written is read back, and a line that is not a record is named."""

import random
import unittest

from tests.kit.samples import played_states
from traffic_lights.board.rules import Action, State, format_board, legal_actions
from traffic_lights.board.symmetry import canonical
from traffic_lights.learning.deltas import (
    MIDDLES,
    RATE_ENDS,
    STARTS,
    Change,
    apply_records,
    format_records,
    proof_end,
    rate_texts,
)
from traffic_lights.learning.qtable import RATE_STEPS, QTable

BOARD = "000000000123"


def record(action: int, value: str, kind: str = "v", board: str = BOARD) -> bytes:
    return f'{{"s":"{board}","a":{action},"{kind}":{value}}}\n'.encode()


def rows(table: QTable) -> dict[State, dict[Action, float]]:
    return {state: table.canonical_row(state) for state in table.states()}


class DeltaTests(unittest.TestCase):
    def test_what_is_written_is_read_back_proofs_and_estimates(self) -> None:
        rng = random.Random(7)
        for kinds in ((-1.0, 1.0), (-1.0, 1.0, -0.75, 0.1, 1e-05)):
            expected = QTable()
            changes: list[Change] = []
            for state in sorted(set(map(canonical, played_states(rng, 300)))):
                for action in legal_actions(state):
                    value = rng.choice(kinds)
                    changes.append((state, action, value))
                    expected.set_value(state, action, value)
            table = QTable()
            has_estimates = len(kinds) > 2
            apply_records(table, format_records(changes))
            self.assertEqual(table.proofs, expected.proofs)
            self.assertEqual(rows(table), rows(expected))
            self.assertEqual(table.has_estimates, has_estimates)

    def test_the_parts_of_a_record_join_to_what_is_read(self) -> None:
        rng = random.Random(8)
        for state in set(map(canonical, played_states(rng, 100))):
            for action in legal_actions(state):
                start = STARTS[state >> 12] + MIDDLES[state & 4095]
                value = rng.choice((-1.0, 1.0))
                proof = format_records([(state, action, value)])
                self.assertEqual(start + proof_end(action, value), proof)
                self.assertEqual(proof, record(action, str(value), board=format_board(state)))
                table = QTable()
                table.set_lost(state)
                steps = rng.randrange(RATE_STEPS + 1)
                apply_records(table, start + RATE_ENDS[action] + rate_texts()[steps])
                self.assertEqual(table.win_rate_steps(state), {action: steps})
