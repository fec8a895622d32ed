"""What a table holds is worded as what it is: a proof, an estimate or a chance."""

import unittest

from traffic_lights.board.rules import legal_actions
from traffic_lights.learning.qtable import QTable
from traffic_lights.session.beliefs import belief, belief_text, beliefs_text, practice_text


def lost(chance: float, **meta: object) -> QTable:
    """Return a table in which the empty board is lost, with the *chance* of its first action."""
    table = QTable()
    table.set_lost(0)
    table.set_win_rate(0, 0, chance)
    table.meta.update(meta)
    return table


class BeliefTests(unittest.TestCase):
    def test_an_estimate_is_never_worded_as_a_proof(self) -> None:
        for value in (-1.0, 1.0):
            table = QTable()
            table.set_value(0, 5, value)
            self.assertTrue(belief_text(table, 0, 5).startswith("proven "))
            for share in (0.3, 0.9, 0.995, 0.9999999):
                table.set_value(0, 5, value * share)
                text = belief_text(table, 0, 5).replace("−", "-")
                self.assertTrue(0 < float(text) * value < 1, text)

    def test_an_estimate_has_two_decimals_and_none_that_is_nothing_has_a_sign(self) -> None:
        for value, text in ((0.034, "+0.03"), (-0.5, "−0.50"), (1e-4, "0.00"), (-1e-4, "0.00")):
            table = QTable()
            table.set_value(0, 5, value)
            self.assertEqual(belief_text(table, 0, 5), text)

    def test_a_chance_names_the_opponent_practised_with(self) -> None:
        for opponent in ("myopic", "random"):
            table = lost(0.9992, practice=opponent)
            self.assertEqual(belief_text(table, 0, 0), "99.9 %")
            self.assertEqual(belief_text(table, 0, 1), "proven loss")
            self.assertIn(f"against {opponent.capitalize()}.", practice_text(table, 0))

    def test_what_is_lost_is_below_0_and_what_nobody_knows_is_0(self) -> None:
        table = lost(0.4, practice="myopic")
        table.set_value(1, 2, -0.25)
        told = [belief(table, 0, 0), belief(table, 0, 1), belief(table, 1, 2), belief(table, 1, 3)]
        self.assertEqual([b.text for b in told], ["40.0 %", "loss", "−0.25", "?"])
        self.assertEqual([b.value for b in told], [-1, -1, -0.25, 0])

    def test_only_what_always_won_is_100_percent_and_what_ever_won_is_not_0(self) -> None:
        for chance, text in (
            (1.0, "100.0 %"),
            (0.9999, "99.9 %"),
            (0.29, "29.0 %"),
            (1e-4, "< 0.1 %"),
        ):
            self.assertEqual(belief_text(lost(chance, practice="myopic"), 0, 0), text)

    def test_without_a_known_opponent_or_a_chance_the_loss_is_all_that_is_told(self) -> None:
        plain = beliefs_text(lost(0.5), 0)
        self.assertEqual(plain.count("proven loss"), len(legal_actions(0)))
        strange: list[object] = [None, 7, ["myopic"], {}, "chess"]
        for table in (lost(0.0, practice="myopic"), *(lost(0.5, practice=p) for p in strange)):
            self.assertEqual((beliefs_text(table, 0), practice_text(table, 0)), (plain, ""))
