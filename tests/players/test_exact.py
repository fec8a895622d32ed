import random
import unittest

from tests.kit.samples import live_states, tablebase
from traffic_lights.board.baselines import MYOPIC, RANDOM
from traffic_lights.board.rules import play
from traffic_lights.players.bots import Bot, PolicyBot
from traffic_lights.players.exact import ExactBot
from traffic_lights.players.referee import play_game


class ExactBotTests(unittest.TestCase):
    def test_it_never_throws_a_win_away(self) -> None:
        rng = random.Random(7)
        bot = ExactBot(tablebase(), rng)
        for state in live_states(rng, 2000):
            after = tablebase().get_distance(play(state, bot.choose(state)))
            self.assertEqual(after, tablebase().probe_distance(state) - 1)

    def test_as_second_player_it_always_wins(self) -> None:
        rng = random.Random(8)
        baselines = [PolicyBot(policy, rng) for policy in (RANDOM, MYOPIC)]
        bots: tuple[Bot, ...] = (*baselines, ExactBot(tablebase(), rng))
        for opponent in bots:
            for _ in range(100):
                game = play_game(opponent, ExactBot(tablebase(), rng))
                self.assertEqual(game.winner, 1)
                self.assertLessEqual(len(game.actions), 26)

    def test_against_itself_the_game_lasts_26_plies_and_differs(self) -> None:
        bot = ExactBot(tablebase(), random.Random(9))
        games = [play_game(bot, bot) for _ in range(50)]
        self.assertEqual({len(game.actions) for game in games}, {26})
        self.assertGreater(len({game.actions for game in games}), 20)
