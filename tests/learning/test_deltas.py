"""The delta log: what is written is read back, and a line that is not a record is named."""

import random
import re
import unittest

from tests.kit.samples import played_states
from tests.learning.test_checks import wrong_value
from traffic_lights.board.rules import CELLS, format_board, legal_actions, parse_board
from traffic_lights.board.symmetry import canonical
from traffic_lights.learning.deltas import (
    MIDDLES,
    RATE_ENDS,
    STARTS,
    apply_records,
    format_deltas,
    proof_end,
    rate_texts,
)
from traffic_lights.learning.qtable import LOST, RATE_STEPS, QTable
from traffic_lights.storage.files import DamagedFileError

BOARD = "000000000123"
STATE = parse_board(BOARD)


def record(action: int, value: str, kind: str = "v", board: str = BOARD) -> bytes:
    return f'{{"s":"{board}","a":{action},"{kind}":{value}}}\n'.encode()


class DeltaTests(unittest.TestCase):
    def test_what_is_written_is_read_back_proofs_and_estimates(self) -> None:
        rng = random.Random(7)
        for kinds in ((-1.0, 1.0), (-1.0, 1.0, -0.75, 0.1, 1e-05)):
            expected = QTable()
            deltas: list[int] = []
            values: list[float] = []
            for state in sorted(set(map(canonical, played_states(rng, 300)))):
                for action in legal_actions(state):
                    value = -wrong_value(state, action) or rng.choice(kinds)
                    deltas.append(state << 5 | action << 1 | (value > 0))
                    values.append(value)
                    expected.set_value(state, action, value)
            table = QTable()
            has_estimates = len(kinds) > 2
            apply_records(table, format_deltas(deltas, values if has_estimates else None), "log")
            self.assertEqual(table.proofs, expected.proofs)
            self.assertEqual(table.estimates, expected.estimates)
            self.assertEqual(table.has_estimates, has_estimates)

    def test_the_parts_of_a_record_join_to_what_is_read(self) -> None:
        rng = random.Random(8)
        for state in set(map(canonical, played_states(rng, 100))):
            for action in legal_actions(state):
                start = STARTS[state >> 12] + MIDDLES[state & 4095]
                value = rng.choice((-1.0, 1.0))
                proof = format_deltas([state << 5 | action << 1 | (value > 0)], None)
                self.assertEqual(start + proof_end(action, value), proof)
                self.assertEqual(proof, record(action, str(value), board=format_board(state)))
                table = QTable()
                table.set_lost(state)
                steps = rng.randrange(RATE_STEPS + 1)
                apply_records(table, start + RATE_ENDS[action] + rate_texts()[steps], "log")
                self.assertEqual(table.win_rate_steps(state), {action: steps})

    def test_values_and_win_rates_reach_to_the_ends_of_their_ranges_and_no_further(self) -> None:
        for value in ("1.0", "-1.0", "1", "-1", "0.5", "-0.5", "1e-9", "-1e-9"):
            table = QTable()
            apply_records(table, record(4, value), "log")
            self.assertEqual(table.value(STATE, 4), float(value))
        for rate in ("0.0", "0", "1.0", "1", "0.5", "1e-9"):
            table = QTable()
            table.set_lost(STATE)
            apply_records(table, record(4, rate, "c"), "log")
            self.assertEqual(table.win_rate_steps(STATE), {4: round(float(rate) * RATE_STEPS)})
            self.assertEqual(table.proofs[STATE], LOST)
        for kind, numbers in (
            ("v", ("0.0", "0", "-0.0", "1.1", "-1.1", "2")),
            ("c", ("-0.1", "-1", "1.1", "2", "-1e-9")),
        ):
            for number in numbers:
                table = QTable()
                table.set_lost(STATE)
                with self.assertRaises(DamagedFileError):
                    apply_records(table, record(4, number, kind), "log")

    def test_the_sentence_names_the_source_and_shows_the_line(self) -> None:
        no_record = "that is not a record of a move"
        for line, what in (
            (record(CELLS, "1.0"), no_record),
            (record(11, "1.0"), no_record),  # a red cell
            (record(4, "0.5", "c"), no_record),  # the board is not lost
            (record(4, "1.0", board="321000000000"), no_record),  # not the smallest image
            (record(4, "1.0", board="000000000111"), no_record),  # a finished board
            (record(4, "1.0", "x"), no_record),
            (b"x" + record(4, "1.0")[1:], no_record),
            (b"\xff\x1b\n", no_record),
            (
                record(9, "-1.0", board="000000000011"),
                "with a loss for an action that wins at once",
            ),
            (
                record(10, "1.0", board="000000000001"),
                "with a win for an action after which the opponent wins at once",
            ),
        ):
            with self.subTest(line), self.assertRaises(DamagedFileError) as caught:
                apply_records(QTable(), record(0, "1.0") + line, "the log x.jsonl")
            shown = ascii(line.rstrip(b"\n")[:60].decode("latin-1"))
            self.assertEqual(str(caught.exception), f"the log x.jsonl holds a line {what}: {shown}")
        with self.assertRaisesRegex(DamagedFileError, "with a win and a loss for one action: "):
            apply_records(QTable(), record(4, "1.0") + record(4, "-1.0"), "log")
        with self.assertRaisesRegex(DamagedFileError, re.escape(f": '{'y' * 60}'") + "$"):
            apply_records(QTable(), b"y" * 61, "log")
