"""What students read of the values that a bot has learned."""

import unittest

from traffic_lights.board.rules import EMPTY_BOARD, STEPS
from traffic_lights.board.symmetry import canonical
from traffic_lights.learning.qtable import QTable
from traffic_lights.learning.rowtable import RowTable
from traffic_lights.play.learned import learned_value, why_promising
from traffic_lights.play.verdicts import ranked_moves


def table_of(value: float) -> QTable:
    """Return a table that gives b2 *value* on the empty board."""
    table = RowTable()
    table.set_value(0, 5, value)
    return table


def lost(win_rate: float, practice: object) -> QTable:
    """Return a table where the empty board is lost, with the *win_rate* of its first action."""
    table = RowTable()
    table.set_lost(0)
    table.set_win_rate(0, 0, win_rate)
    table.meta["practice"] = practice
    return table


class LearnedValueTests(unittest.TestCase):
    def test_an_estimate_never_reads_like_a_proof(self) -> None:
        for value, proof in ((-1.0, "loss"), (1.0, "win")):
            self.assertEqual(learned_value(table_of(value), 0, 5).text, proof)
            for share in (0.3, 0.9, 0.995, 0.9999999):
                text = learned_value(table_of(value * share), 0, 5).text.replace("−", "-")
                self.assertTrue(0 < float(text) * value < 1, text)

    def test_a_lost_move_is_below_0_and_an_unknown_one_is_0(self) -> None:
        table = lost(0.4, "myopic")
        table.set_value(1, 2, -0.25)
        values = [learned_value(table, *at) for at in ((0, 0), (0, 1), (1, 2), (1, 3))]
        self.assertEqual([value.text for value in values], ["40.0 %", "loss", "−0.25", "?"])
        self.assertEqual([value.value for value in values], [-1, -1, -0.25, 0])

    def test_a_student_reads_of_a_move_without_a_value_what_the_position_after_it_proves(
        self,
    ) -> None:
        table = RowTable()
        table.set_lost(canonical(STEPS[5]))
        self.assertEqual(learned_value(table, 0, 5), ("win", 1.0))
        table = RowTable()
        table.set_value(canonical(STEPS[5]), 0, 1.0)
        self.assertEqual(learned_value(table, 0, 5), ("loss", -1.0))
        self.assertEqual(learned_value(table, 0, 0).text, "?")

    def test_a_student_reads_why_a_high_value_stands_beside_a_lost_move(self) -> None:
        moves = ranked_moves(EMPTY_BOARD)
        why = why_promising(table_of(0.5), EMPTY_BOARD, moves)
        self.assertRegex(why, "^.. has .0.50 but loses against best play: ")
        self.assertEqual(why_promising(table_of(-0.5), EMPTY_BOARD, moves), "")
