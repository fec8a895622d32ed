"""The bot's side of the protocol: what our engine answers to which line."""

import random
import unittest

from traffic_lights.board.baselines import MYOPIC, RANDOM
from traffic_lights.engine import Engine
from traffic_lights.players.bots import PolicyBot


def engine() -> Engine:
    rng = random.Random(7)
    return Engine("Myopic [v2]  é", PolicyBot(MYOPIC, rng), rng)


class EngineTests(unittest.TestCase):
    def test_the_handshake_gives_a_name_in_ascii_and_says_ready(self) -> None:
        self.assertEqual(engine().hear("tlp 1\r\n"), ["id name Myopic [v2] ?", "ready"])

    def test_it_moves_in_the_last_position_and_go_may_be_repeated(self) -> None:
        bot = engine()
        self.assertRegex(bot.hear("go")[0], "^move ")
        for board, moves in (("110000000000", "move c1"), ("011000000000", "move [ad]1")):
            self.assertEqual(bot.hear(f"position {board}"), [])
            for line in ("go 5000", "go"):
                self.assertRegex(bot.hear(line)[0], moves)
        for line, expected in (
            ("position 111000000000", []),
            ("go", ["error 111000000000 is the end of a game"]),
        ):
            self.assertEqual(bot.hear(line), expected)
        self.assertRegex(bot.hear("position 12")[0], "^error '12' is not a board")
        self.assertEqual(bot.hear("go"), ["error set up a position first"])
        self.assertEqual(bot.hear("new"), [])
        self.assertRegex(bot.hear("go 100")[0], "^move ")

    def test_a_line_that_it_cannot_obey_is_answered_by_an_error(self) -> None:
        for line in ("GO", "tlp 2", "tlp", "seed x", "seed -1", "result draw", "new game", "é"):
            (answer,) = engine().hear(line)
            self.assertRegex(answer, r"^error '.*' is not a command of tlp 1$")
            self.assertTrue(answer.isascii())
        said = "error a line has more than 4,096 characters"
        self.assertEqual(engine().hear("x" * 5000), [said])
        for line in ("", "  \r\n", "result win", "result loss"):
            self.assertEqual(engine().hear(line), [])

    def test_a_seed_repeats_its_games_unless_one_is_fixed(self) -> None:
        def moves(fixed: bool) -> list[list[str]]:
            rng = random.Random()
            bot = Engine("Random", PolicyBot(RANDOM, rng), None if fixed else rng)
            bot.hear("seed 12")
            return [bot.hear("go") for _ in range(40)]

        self.assertEqual(moves(fixed=False), moves(fixed=False))
        self.assertNotEqual(moves(fixed=True), moves(fixed=True))

    def test_quit_ends_it(self) -> None:
        bot = engine()
        self.assertFalse(bot.is_over)
        self.assertEqual((bot.hear("quit"), bot.is_over), ([], True))
