"""Our own engine, as anyone's program meets it: over real pipes."""

import contextlib
import random
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from tests.kit.external_bots import LONG_S
from tests.kit.samples import IS_SLOW_RUN, PROJECT
from tests.kit.trained import narrow
from traffic_lights.board.baselines import RANDOM
from traffic_lights.learning.tablefile import write_table
from traffic_lights.players.bots import Bot, PolicyBot
from traffic_lights.players.external import ExternalBot, Program
from traffic_lights.players.referee import play_game
from traffic_lights.players.roster import Roster

ENGINE = (sys.executable, "-m", "traffic_lights.engine")
GAMES = 6


def games(bot: Bot) -> list[tuple[int, ...]]:
    """Return the moves of some games of *bot* against Random, in both seats."""
    other = PolicyBot(RANDOM, random.Random(3))
    pairs = ((bot, other), (other, bot)) * (GAMES // 2)
    played = [play_game(*pair) for pair in pairs]
    assert not any(game.forfeit for game in played), played
    return [game.actions for game in played]


class EngineTests(unittest.TestCase):
    def assert_same_games(self, player: Bot, *options: str) -> None:
        words = " ".join(f'"{word}"' for word in (*ENGINE, *options, "--seed", "7"))
        with contextlib.chdir(PROJECT):
            bot = ExternalBot(Program(words, move_s=LONG_S, start_s=LONG_S), LONG_S)
        self.addCleanup(bot.close)
        self.assertEqual(games(bot), games(player))

    def test_players_of_each_kind_play_the_same_games_through_pipes_as_without(self) -> None:
        one_of_each_kind = {entry.group: entry.key for entry in Roster().entries()}.values()
        every = (*(entry.key for entry in Roster().entries()), "horizon-2")
        for name in every if IS_SLOW_RUN else (*one_of_each_kind, "horizon-2"):
            with self.subTest(player=name):
                player = Roster().resolve(name).bot(random.Random(7))
                self.assert_same_games(player, "--player", name)

    def test_the_help_names_every_player(self) -> None:
        status, out, _ = self.ended(b"", "--help")
        self.assertEqual(status, 0)
        named = set(out.replace(",", " ").replace(";", " ").split())
        self.assertLessEqual({entry.key for entry in Roster().entries()}, named)

    def test_so_does_a_table(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "mine.json"
            write_table(path, narrow("selfplay-1000"))
            player = Roster().resolve(str(path)).bot(random.Random(7))
            self.assert_same_games(player, "--table", str(path))

    def ended(self, said: bytes, *options: str) -> tuple[int, str, str]:
        done = subprocess.run(
            [*ENGINE, *options], input=said, capture_output=True, cwd=PROJECT, timeout=LONG_S
        )
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def test_it_leaves_at_quit_and_at_the_end_of_its_input(self) -> None:
        for said in (b"", b"quit\ngo\n"):
            self.assertEqual(self.ended(said, "--player", "random"), (0, "", ""))
        _, out, _ = self.ended(b"\xff\xfe\n" + b"x" * 10_000 + b"\nquit\n", "--player", "random")
        self.assertRegex(out, r"^error .*\nerror a line has more than 4,096 characters\n$")

    def test_what_is_wrong_is_said_in_one_sentence(self) -> None:
        for options, expected in (
            (["--player", "nobody"], "unknown player 'nobody'"),
            (["--player", ""], "unknown player ''"),
            (["--table", "none.json"], "none.json: no such file"),
            (["--player", "random", "--table", "none.json"], "not allowed with"),
        ):
            status, out, err = self.ended(b"", *options)
            self.assertEqual((status, out, len(err.splitlines())), (2, "", 1))
            self.assertIn(expected, err)
