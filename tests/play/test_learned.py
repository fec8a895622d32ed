"""What students read of the values that a bot has learned."""

import unittest

from traffic_lights.board.rules import EMPTY_BOARD, STEPS
from traffic_lights.board.symmetry import canonical
from traffic_lights.learning.rowtable import RowTable
from traffic_lights.play.learned import learned_value, why_promising
from traffic_lights.play.verdicts import ranked_moves


def table_of(value: float, state: int = 0, action: int = 5) -> RowTable:
    table = RowTable()
    table.set_value(state, action, value)
    return table


class LearnedValueTests(unittest.TestCase):
    def test_an_estimate_never_reads_like_a_proof(self) -> None:
        for value, proof in ((-1.0, "loss"), (1.0, "win")):
            self.assertEqual(learned_value(table_of(value), 0, 5).text, proof)
            for share in (0.3, 0.9, 0.995, 0.9999999):
                text = learned_value(table_of(value * share), 0, 5).text.replace("−", "-")
                self.assertTrue(0 < float(text) * value < 1, text)

    def test_a_student_reads_what_is_known_of_lost_unknown_and_proven_moves(self) -> None:
        lost = table_of(-0.25, 1, 2)
        lost.set_lost(0)
        lost.set_win_rate(0, 0, 0.4)
        lost.meta["practice"] = "myopic"
        won_after, lost_after = RowTable(), table_of(1.0, canonical(STEPS[5]), 0)
        won_after.set_lost(canonical(STEPS[5]))
        for table, state, action, value in (
            (lost, 0, 0, ("40.0 %", -1)), (lost, 0, 1, ("loss", -1)),
            (lost, 1, 2, ("−0.25", -0.25)), (lost, 1, 3, ("?", 0)),
            (won_after, 0, 5, ("win", 1)), (lost_after, 0, 5, ("loss", -1)),
            (lost_after, 0, 0, ("?", 0)),
        ):  # fmt: skip
            self.assertEqual(learned_value(table, state, action), value)

    def test_a_student_reads_why_a_high_value_stands_beside_a_lost_move(self) -> None:
        moves = ranked_moves(EMPTY_BOARD)
        why = why_promising(table_of(0.5), EMPTY_BOARD, moves)
        self.assertRegex(why, "^.. has .0.50 but loses against best play: ")
        self.assertEqual(why_promising(table_of(-0.5), EMPTY_BOARD, moves), "")
