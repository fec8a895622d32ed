import random
import unittest

from tests.kit.samples import played_states
from traffic_lights.board.baselines import MYOPIC
from traffic_lights.board.rules import EMPTY_BOARD, format_board, format_cell, is_legal, parse_cell
from traffic_lights.players.bots import PolicyBot
from traffic_lights.players.protocol import Engine, move_in, name_in, question


class EngineTests(unittest.TestCase):
    def setUp(self) -> None:
        self.engine = Engine("Myopic", PolicyBot(MYOPIC, random.Random(7)))

    def said(self, text: str) -> list[str]:
        return [answer for line in text.splitlines() for answer in self.engine.hear(line)]

    def test_it_answers_what_the_bot_chooses_in_every_position(self) -> None:
        bot = PolicyBot(MYOPIC, random.Random(7))
        for state in played_states(random.Random(3), 200):
            expected = [f"move {format_cell(bot.choose(state))}"]
            self.assertEqual(self.said(question(state, 1.5)), expected)

    def test_a_new_game_begins_on_the_empty_board(self) -> None:
        self.assertEqual(self.said("position 332000000000\nnew"), [])
        (answer,) = self.said("go")
        self.assertTrue(is_legal(EMPTY_BOARD, parse_cell(move_in(answer) or "")))

    def test_lines_that_it_does_not_know_are_ignored(self) -> None:
        self.assertEqual(self.said("\nhello\nsetoption x\nTLP 1\nmove a1\n\x00\n"), [])

    def test_a_board_that_is_none_is_an_error_that_hosts_ignore(self) -> None:
        for text in ("position", "position 12", "position 111000000000\ngo"):
            (answer,) = self.said(text)
            self.assertTrue(answer.startswith("error "))
            self.assertIsNone(move_in(answer))
        self.assertEqual(
            self.said("position 12\ngo")[1:], ["error there is no position to move in"]
        )
        self.assertIn("move", self.said("new\ngo")[0])

    def test_whatever_it_is_called_and_told_it_answers_lines_of_ascii(self) -> None:
        for text in ("b\xfccher.json", "\u7d05", "\ud800", "a\nready", "x" * 99, "\x1b[2J", ""):
            engine = Engine(f"QBot of {text}", PolicyBot(MYOPIC, random.Random(7)))
            for answer in (*engine.hear("tlp 1"), *engine.hear(f"position {text}")):
                with self.subTest(answer=answer):
                    self.assertTrue(answer.isascii() and answer.isprintable())
            self.assertIsNotNone(name_in(engine.hear("tlp 1")[0]))

    def test_it_is_over_when_the_host_says_so(self) -> None:
        self.assertEqual(self.said("tlp 1"), ["id name Myopic", "ready"])
        self.assertFalse(self.engine.is_over)
        self.engine.hear("quit\r\n")
        self.assertTrue(self.engine.is_over)


class LineTests(unittest.TestCase):
    def test_a_question_is_two_lines(self) -> None:
        for state in played_states(random.Random(3), 20):
            self.assertEqual(question(state, 0.25), f"position {format_board(state)}\ngo 250\n")

    def test_a_name_is_short_and_harmless(self) -> None:
        for line, expected in (
            ("id name  Deep   Lamp \r", "Deep Lamp"),
            ("id name \x1b[2Jx\x7f", "[2Jx"),
            ("id name " + 100 * "x", 40 * "x"),
            ("id name ", None),
            ("id name \x1b\t", None),
            ("id author Me", None),
            ("my id name x", None),
        ):
            self.assertEqual(name_in(line), expected, line)

    def test_a_move_is_its_first_word(self) -> None:
        for line, expected in (
            ("move b2", "b2"), ("  move  b2 ponder a1\r", "b2"), ("move", ""), ("moves b2", None),
            ("", None), ("info move b2", None),
        ):  # fmt: skip
            self.assertEqual(move_in(line), expected, line)
