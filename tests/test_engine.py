"""Our own engine: what it answers to which line, also over real pipes."""

import contextlib
import random
import subprocess
import sys
import unittest

from tests.kit.samples import PATIENCE_S, PROJECT, FolderTestCase, outcome
from tests.kit.trained import narrow
from traffic_lights.board.baselines import MYOPIC, RANDOM
from traffic_lights.board.games import Bot, PolicyBot, play_game
from traffic_lights.engine import answers, main
from traffic_lights.learning.tablefile import write_table
from traffic_lights.players.external import ExternalBot, Program
from traffic_lights.players.roster import Roster

ENGINE = (sys.executable, "-m", "traffic_lights.engine")


def games(bot: Bot) -> list[tuple[int, ...]]:
    """Return the moves of some games of *bot* against Random, in both seats."""
    other = PolicyBot(RANDOM, random.Random(3))
    played = [play_game(*pair) for pair in ((bot, other), (other, bot)) * 3]
    assert not any(game.forfeit for game in played), played
    return [game.actions for game in played]


def hear(*lines: str) -> list[str]:
    rng = random.Random(7)
    return [*answers(lines, "Myopic [v2]  é", PolicyBot(MYOPIC, rng), rng)]


class AnswerTests(unittest.TestCase):
    def test_it_moves_in_the_last_position_and_go_may_be_repeated(self) -> None:
        self.assertEqual(hear("tlp 1\r\n"), ["id name Myopic [v2] é", "ready"])
        said = "|".join(hear(
            "go", "position 110000000000", "go 5000", "go", "position 011000000000", "go",
            "position 111000000000", "go", "position 12", "go", "new", "go 100", "quit", "go",
        ))  # fmt: skip
        self.assertRegex(
            said,
            r"^move ..\|move c1\|move c1\|move [ad]1\|error 111000000000 is the end of a game\|"
            r"error '12' is not a board[^|]*\|error set up a position first\|move ..$",
        )

    def test_a_line_that_it_cannot_obey_is_answered_by_an_error(self) -> None:
        for line in ("GO", "tlp 2", "tlp", "seed x", "seed -1", "result draw", "new game", "é"):
            (answer,) = hear(line)
            self.assertRegex(answer, r"^error '.*' is not a command of tlp 1$")
        self.assertEqual(hear("", "  \r\n", "result win", "result loss"), [])

    def test_a_seed_repeats_its_games_unless_one_is_fixed(self) -> None:
        def moves(fixed: bool) -> list[str]:
            rng = random.Random()
            bot, lines = PolicyBot(RANDOM, rng), ("seed 12", *["go"] * 40)
            return [*answers(lines, "Random", bot, None if fixed else rng)]

        self.assertEqual(moves(fixed=False), moves(fixed=False))
        self.assertNotEqual(moves(fixed=True), moves(fixed=True))


class EngineTests(FolderTestCase):
    def test_players_of_each_kind_play_the_same_games_through_pipes_as_without(self) -> None:
        path = self.folder / "mine.json"
        write_table(path, narrow("selfplay-1000"))
        for name in ("perfect", str(path)):
            with self.subTest(player=name):
                words = " ".join(f'"{word}"' for word in (*ENGINE, "--player", name, "--seed", "7"))
                bot = ExternalBot(Program(words, move_s=PATIENCE_S))
                self.addCleanup(bot.close)
                with contextlib.chdir(PROJECT):
                    bot.meet()
                player = Roster().resolve(name).bot(random.Random(7))
                self.assertEqual(games(bot), games(player))

    def test_it_leaves_at_quit_and_at_the_end_of_its_input(self) -> None:
        for lines, expected in (
            (b"\xef\xbb\xbfposition 1100/0000/0000\ngo\n", r"move [a-d][123]\n"),
            (b"position \xff\xfe\nquit\n", r"error .*\n"),
        ):  # fmt: skip
            done = subprocess.run(
                [*ENGINE, "--player", "random"], input=lines, capture_output=True, cwd=PROJECT,
                timeout=PATIENCE_S,
            )  # fmt: skip
            self.assertEqual((done.returncode, done.stderr), (0, b""))
            self.assertRegex(done.stdout.decode("ascii"), rf"^{expected}$")

    def test_what_is_wrong_is_one_sentence(self) -> None:
        status, out, err = outcome(main, "--player", "none.json")
        self.assertEqual((status, out), (2, ""))
        self.assertRegex(err, r"^engine: .*none.json: no such file.*\n$")
