import random
import unittest

from tests.kit.samples import live_states, tablebase
from traffic_lights.board.baselines import MYOPIC, RANDOM
from traffic_lights.board.rules import play
from traffic_lights.board.traps import traps
from traffic_lights.players.bots import Bot, PolicyBot
from traffic_lights.players.referee import play_game
from traffic_lights.players.roster import EXACT, Roster


class ExactPlayerTests(unittest.TestCase):
    def test_it_wins_as_fast_as_can_be_and_sets_traps_where_it_is_lost(self) -> None:
        rng = random.Random(7)
        bot = Roster().entry(EXACT).bot(rng)
        for state in live_states(rng, 2000):
            action = bot.choose(state)
            if tablebase().is_won(state):
                after = tablebase().get_distance(play(state, action))
                self.assertEqual(after, tablebase().probe_distance(state) - 1)
            else:
                self.assertIn(action, traps(tablebase()).best_actions(state))

    def test_as_second_player_it_always_wins(self) -> None:
        rng = random.Random(8)
        baselines = [PolicyBot(policy, rng) for policy in (RANDOM, MYOPIC)]
        bots: tuple[Bot, ...] = (*baselines, Roster().entry(EXACT).bot(rng))
        for opponent in bots:
            for _ in range(100):
                game = play_game(opponent, Roster().entry(EXACT).bot(rng))
                self.assertEqual(game.winner, 1)
                self.assertLessEqual(len(game.actions), 26)

    def test_games_against_itself_differ(self) -> None:
        bot = Roster().entry(EXACT).bot(random.Random(9))
        games = {play_game(bot, bot).actions for _ in range(50)}
        self.assertGreater(len(games), 20)
