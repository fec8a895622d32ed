"""The text of a learned value says whether it is a proof, an estimate or a win rate."""

import unittest

from tests.kit.sessions import BOT, OTHER_BOT
from traffic_lights.board.rules import legal_actions
from traffic_lights.learning.qtable import QTable
from traffic_lights.players.game import HUMAN
from traffic_lights.session.learned import (
    learned_text,
    learned_value,
    legend,
    notes_text,
    nothing_learned,
)


def lost(win_rate: float, **meta: object) -> QTable:
    """Return a table in which the empty board is lost, with the *win_rate* of its first action."""
    table = QTable()
    table.set_lost(0)
    table.set_win_rate(0, 0, win_rate)
    table.meta.update(meta)
    return table


def label(table: QTable, state: int, action: int) -> str:
    return learned_value(table, state, action).label


class LearnedValueTests(unittest.TestCase):
    def test_an_estimate_never_reads_like_a_proof(self) -> None:
        for value in (-1.0, 1.0):
            table = QTable()
            table.set_value(0, 5, value)
            self.assertTrue(label(table, 0, 5).startswith("proven "))
            for share in (0.3, 0.9, 0.995, 0.9999999):
                table.set_value(0, 5, value * share)
                text = label(table, 0, 5).replace("−", "-")
                self.assertTrue(0 < float(text) * value < 1, text)

    def test_an_estimate_has_two_decimals_and_0_has_no_sign(self) -> None:
        for value, text in ((0.034, "+0.03"), (-0.5, "−0.50"), (1e-4, "0.00"), (-1e-4, "0.00")):
            table = QTable()
            table.set_value(0, 5, value)
            self.assertEqual(label(table, 0, 5), text)

    def test_a_win_rate_names_the_opponent_of_the_practice_games(self) -> None:
        for opponent in ("myopic", "random"):
            table = lost(0.9992, practice=opponent)
            self.assertEqual(label(table, 0, 0), "99.9 %")
            self.assertEqual(label(table, 0, 1), "proven loss")
            self.assertIn(f"against {opponent.capitalize()}.", notes_text(table, 0))

    def test_a_lost_move_is_below_0_and_an_unknown_one_is_0(self) -> None:
        table = lost(0.4, practice="myopic")
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
            self.assertEqual(label(lost(rate, practice="myopic"), 0, 0), text)

    def test_without_a_known_opponent_only_the_loss_is_shown(self) -> None:
        plain = learned_text(lost(0.5), 0)
        self.assertEqual(plain.count("proven loss"), len(legal_actions(0)))
        strange: list[object] = [None, 7, ["myopic"], {}, "chess"]
        for table in (lost(0.0, practice="myopic"), *(lost(0.5, practice=p) for p in strange)):
            self.assertEqual((learned_text(table, 0), notes_text(table, 0)), (plain, ""))

    def test_the_legend_and_the_reason_for_none(self) -> None:
        self.assertEqual(
            legend("QBot"), 'QBot\'s values: "win" and "loss" are proven, numbers are estimates.'
        )
        for players, text in (
            ((HUMAN, BOT), "Myopic follows fixed rules, so it has no learned values."),
            ((BOT, OTHER_BOT), "Myopic and Random follow fixed rules, so they have no learned "
             "values."),
            ((HUMAN, HUMAN), "Neither player is a bot, so this game has no learned values."),
        ):  # fmt: skip
            self.assertEqual(nothing_learned(players), text)


if __name__ == "__main__":
    unittest.main()
