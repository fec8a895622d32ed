import json
import random
import unittest
from typing import Any
from unittest import mock

from tests.kit.samples import live_states, outcome, tablebase
from traffic_lights.board.rules import CELL_NAMES, format_board, is_terminal
from traffic_lights.solve import main, position_facts


def text_of(position: str = "") -> str:
    status, out, err = outcome(main, *filter(None, [position]))
    assert (status, err) == (0, ""), (status, err)
    return out


def value(distance: int) -> str:
    return "won" if distance % 2 else "lost"


class FactsTests(unittest.TestCase):
    def test_the_facts_of_the_game(self) -> None:
        facts: dict[str, Any] = json.loads(outcome(main, "--json")[1])
        self.assertGreater(facts.pop("seconds"), 0)
        self.assertEqual(
            facts,
            {"positions": 9_038_683, "won": 8_476_515, "lost": 562_168, "canonical": 2_266_543,
             "value": "lost", "distance": 26},
        )  # fmt: skip

    def test_values_and_distances_of_any_board_are_the_tablebase_s(self) -> None:
        rng = random.Random(7)
        for state in [*live_states(rng, 20), *(rng.getrandbits(24) for _ in range(200))]:
            facts = position_facts(state, tablebase())
            moves = [(m["cell"], m["action"], m["value"], m["distance"]) for m in facts["moves"]]
            self.assertEqual(facts["position"], format_board(state))
            if is_terminal(state):
                self.assertEqual((facts["value"], facts["distance"], moves), ("over", 0, []))
                continue
            distance, after = tablebase().get_distance(state), tablebase().action_distances(state)
            self.assertEqual((facts["value"], facts["distance"]), (value(distance), distance))
            expected = [(CELL_NAMES[action], action, value(n), n) for action, n in after.items()]
            self.assertEqual(moves, expected)


class TextTests(unittest.TestCase):
    def setUp(self) -> None:
        self.enterContext(mock.patch("traffic_lights.solve.Tablebase", tablebase))

    def test_who_moves_and_what_is_best(self) -> None:
        text = text_of("110000000000")
        self.assertIn("Move 3, Player 1 to move: wins in 1.\nBest: c1.", text)
        self.assertIn("Move 1, Player 1 to move: loses in 13.", text_of("000000000000"))

    def test_the_end_has_a_winner_and_a_line_if_a_game_can_end_so(self) -> None:
        for position, words in (
            ("111000000000", "Player 1 has won with three greens, a1–c1"),
            ("111000000001", "Player 2 has won with three greens, a1–c1"),
            ("300030003000", "Player 1 has won with three reds, a1–a3"),
            ("333333333333", "No game ends like this"),
        ):
            self.assertIn(words, text_of(position))

    def test_bad_input_is_one_sentence_and_status_2(self) -> None:
        for words, expected in (
            (["000000000004", "--json"], "12 digits from 0 to 3"),
            (["0000", "0000", "0000"], "0000 0000"),
        ):
            status, out, err = outcome(main, *words)
            self.assertEqual((status, out, err.count("\n")), (2, "", 1))
            self.assertIn(expected, err)
