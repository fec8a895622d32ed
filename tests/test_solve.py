import contextlib
import io
import json
import random
import unittest
from itertools import pairwise
from typing import Any

from tests.kit.samples import live_states, tablebase
from traffic_lights.board.rules import CELL_NAMES, format_board, is_terminal, legal_actions
from traffic_lights.solve import main, position_facts


def solve(*arguments: str) -> tuple[int, str, str]:
    """Return (status, standard output, standard error) of the command in this process."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main(arguments)
    return status, out.getvalue(), err.getvalue()


def solve_json(*arguments: str) -> Any:
    status, out, err = solve(*arguments, "--json")
    assert (status, err) == (0, ""), (status, err)
    return json.loads(out)


class JsonTests(unittest.TestCase):
    def test_the_facts_of_the_game(self) -> None:
        facts = solve_json()
        self.assertGreater(facts.pop("seconds"), 0)
        self.assertEqual(
            facts,
            {
                "positions": 9_038_683,
                "won": 8_476_515,
                "lost": 562_168,
                "canonical": 2_266_543,
                "value": "lost",
                "distance": 26,
            },
        )

    def test_the_value_of_each_opening(self) -> None:
        facts = solve_json("0000/0000/0000")
        self.assertEqual(
            (facts["position"], facts["value"], facts["distance"]), ("000000000000", "lost", 26)
        )
        self.assertEqual([move["cell"] for move in facts["moves"]], list(CELL_NAMES))
        # Of the opponent's distance after the opening, and the opening itself.
        distances = [move["distance"] - 1 for move in facts["moves"]]
        self.assertEqual(distances, [23, 25, 25, 23, 25, 23, 23, 25, 23, 25, 25, 23])

    def test_values_and_distances_of_every_move_are_the_tablebase_s(self) -> None:
        for state in live_states(random.Random(7), 20):
            facts: dict[str, Any] = position_facts(state, tablebase())
            distance = tablebase().probe_distance(state)
            self.assertEqual(facts["distance"], distance)
            self.assertEqual(facts["value"], "won" if distance % 2 else "lost")
            self.assertEqual([m["action"] for m in facts["moves"]], [*legal_actions(state)])
            expected = tablebase().action_distances(state)
            for move in facts["moves"]:
                self.assertEqual(set(move), {"cell", "action", "value", "distance"})
                self.assertEqual(move["cell"], CELL_NAMES[move["action"]])
                self.assertEqual(move["distance"], expected[move["action"]])
                self.assertEqual(move["value"], "won" if move["distance"] % 2 else "lost")

    def test_a_finished_position_is_over(self) -> None:
        for text in ("111000000000", "333333333333", "111200020002"):
            self.assertEqual(
                solve_json(text), {"position": text, "value": "over", "distance": 0, "moves": []}
            )


class TextTests(unittest.TestCase):
    def test_the_game_in_words(self) -> None:
        status, out, err = solve()
        self.assertEqual((status, err), (0, ""))
        for words in ("second player wins", "26 moves", "9,038,683", "562,168", "2,266,543"):
            self.assertIn(words, out)

    def test_a_position_is_drawn_with_the_value_of_each_move(self) -> None:
        status, out, err = solve("1200/0130/0000")
        self.assertEqual((status, err), (0, ""))
        drawing = out[: out.index("\n\n")]
        distances = tablebase().action_distances(int("120001300000", 4))
        badges = [("W" if n % 2 else "L", str((n + 1) // 2)) for n in distances.values()]
        words = drawing.replace("|", " ").split()
        shown = [pair for pair in pairwise(words) if pair[0] in ("W", "L") and pair[1].isdigit()]
        self.assertEqual(shown, badges)
        self.assertEqual(len(badges), 11)  # the red cell has none
        self.assertTrue(all(line == line.rstrip() for line in drawing.splitlines()))

    def test_who_moves_and_the_best_moves_are_said(self) -> None:
        _, out, _ = solve("110000000000")
        self.assertIn("Move 3, Player 1 to move: wins in 1.", out)
        self.assertIn("Best: c1.", out)
        _, out, _ = solve("000000000000")
        self.assertIn("Move 1, Player 1 to move: loses in 13.", out)

    def test_the_end_is_said_with_winner_and_line(self) -> None:
        for text, words in (
            ("111000000000", "Player 1 has won with three greens, a1–c1"),
            ("111000000001", "Player 2 has won with three greens, a1–c1"),
            ("111000000111", "No game ends like this"),
            ("333333333333", "No game ends like this"),
            ("300030003000", "Player 1 has won with three reds, a1–a3"),
        ):
            with self.subTest(text=text):
                self.assertIn(words, solve(text)[1])

    def test_help_explains_positions(self) -> None:
        status, out, err = solve("--help")
        self.assertEqual((status, err), (0, ""))
        for words in ("POSITION", "--json", "12 digits", "python -m traffic_lights.solve"):
            self.assertIn(words, out)


class RefusalTests(unittest.TestCase):
    def test_bad_input_is_one_sentence_and_status_2(self) -> None:
        for arguments, words in (
            (["12"], "'12' is not a board"),
            ([""], "'' is not a board"),
            (["00000000000x"], "12 digits from 0 to 3"),
            (["000000000004", "--json"], "12 digits from 0 to 3"),
            (["0000", "0000", "0000"], "0000 0000"),
            (["--fast"], "--fast"),
            (["0" * 100_000], "is not a board"),
        ):
            with self.subTest(arguments=str(arguments)[:40]):
                status, out, err = solve(*arguments)
                self.assertEqual((status, out, err.count("\n")), (2, "", 1))
                self.assertIn(words, err)
                self.assertLess(len(err), 200)


class AnyBoardTests(unittest.TestCase):
    def test_any_board_has_a_value(self) -> None:
        rng = random.Random(8)
        for _ in range(200):
            state = rng.getrandbits(24)
            facts = position_facts(state, tablebase())
            self.assertEqual(facts["position"], format_board(state))
            self.assertEqual(facts["value"] == "over", is_terminal(state))
