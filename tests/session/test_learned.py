"""The text of a learned value says whether it is a proof, an estimate or a win rate."""

import unittest

from traffic_lights.board.rules import STEPS, legal_actions
from traffic_lights.board.symmetry import canonical
from traffic_lights.learning.qtable import QTable
from traffic_lights.session.learned import learned_text, learned_value, legend


def table_of(value: float) -> QTable:
    """Return a table in which b2 has *value* on the empty board."""
    table = QTable()
    table.set_value(0, 5, value)
    return table


def lost(win_rate: float, practice: object) -> QTable:
    """Return a table in which the empty board is lost, with the *win_rate* of its first action."""
    table = QTable()
    table.set_lost(0)
    table.set_win_rate(0, 0, win_rate)
    table.meta["practice"] = practice
    return table


class LearnedValueTests(unittest.TestCase):
    def test_an_estimate_never_reads_like_a_proof(self) -> None:
        for value, proof in ((-1.0, "b2 proven loss"), (1.0, "b2 proven win")):
            self.assertIn(proof, learned_text(table_of(value), 0))
            for share in (0.3, 0.9, 0.995, 0.9999999):
                text = learned_value(table_of(value * share), 0, 5).text.replace("−", "-")
                self.assertTrue(0 < float(text) * value < 1, text)

    def test_an_estimate_has_two_decimals_and_0_has_no_sign(self) -> None:
        for value, text in ((0.034, "+0.03"), (-0.5, "−0.50"), (1e-4, "0.00"), (-1e-4, "0.00")):
            self.assertEqual(learned_value(table_of(value), 0, 5).text, text)

    def test_a_lost_move_is_below_0_and_an_unknown_one_is_0(self) -> None:
        table = lost(0.4, "myopic")
        table.set_value(1, 2, -0.25)
        values = [learned_value(table, *at) for at in ((0, 0), (0, 1), (1, 2), (1, 3))]
        self.assertEqual([value.text for value in values], ["40.0 %", "loss", "−0.25", "?"])
        self.assertEqual([value.value for value in values], [-1, -1, -0.25, 0])

    def test_only_a_move_that_always_won_has_100_percent(self) -> None:
        for rate, text in (
            (1.0, "100.0 %"),
            (0.9999, "99.9 %"),
            (0.29, "29.0 %"),
            (1e-4, "< 0.1 %"),
        ):
            self.assertEqual(learned_value(lost(rate, "myopic"), 0, 0).text, text)
        plain = learned_text(lost(0.0, "myopic"), 0)
        self.assertEqual(plain.count("proven loss"), len(legal_actions(0)))

    def test_the_legend_explains_what_is_shown_and_names_the_opponent(self) -> None:
        plain = 'QBot\'s values: "win" and "loss" are proven, numbers are estimates.'
        after = QTable()
        after.set_value(canonical(STEPS[4]), 0, 1.0)
        self.assertEqual(legend("QBot"), plain)
        self.assertEqual(legend("QBot", table_of(0.5)), plain)
        self.assertRegex(legend("QBot", after), "Values in brackets")
        strange: tuple[object, ...] = (None, 7, ["myopic"], {}, "chess")
        for practice in ("myopic", "random", *strange):
            name = str(practice).capitalize() if practice in ("myopic", "random") else "another bot"
            words = f"{plain} Percentages are win rates against {name}."
            self.assertEqual(legend("QBot", lost(0.5, practice)), words)


if __name__ == "__main__":
    unittest.main()
