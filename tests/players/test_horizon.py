import random
import unittest

from tests.kit.samples import late_states, live_states, played_states, tablebase
from tests.kit.search import horizon_actions
from traffic_lights.board.rules import EMPTY_BOARD, format_board, legal_actions, ply
from traffic_lights.board.threats import myopic_actions
from traffic_lights.players.horizon import HorizonBot, horizon_choices


class HorizonTests(unittest.TestCase):
    def test_the_choices_are_those_of_a_plain_search(self) -> None:
        rng = random.Random(6)
        states = live_states(rng, 100) + rng.sample(list(late_states(25)), 100)
        for depth in (1, 2, 3, 4, 26):
            choices = horizon_choices(tablebase(), depth)
            for state in states:
                if depth < 4 or ply(state) > 18:
                    with self.subTest(board=format_board(state), depth=depth):
                        self.assertEqual(choices(state), horizon_actions(state, depth))

    def test_two_plies_ahead_is_myopic(self) -> None:
        choices = horizon_choices(tablebase(), 2)
        for state in played_states(random.Random(7), 3000):
            self.assertEqual(choices(state), myopic_actions(state))

    def test_the_whole_game_ahead_is_optimal(self) -> None:
        choices = horizon_choices(tablebase(), 26)
        for state in live_states(random.Random(8), 3000):
            self.assertEqual(choices(state), tablebase().optimal_actions(state))

    def test_ties_are_broken_at_random_from_the_seed(self) -> None:
        choices = [HorizonBot(random.Random(seed), 4).choose(EMPTY_BOARD) for seed in range(200)]
        again = [HorizonBot(random.Random(seed), 4).choose(EMPTY_BOARD) for seed in range(200)]
        self.assertEqual(choices, again)
        self.assertEqual(set(choices), set(legal_actions(EMPTY_BOARD)))

    def test_a_depth_of_nothing_is_refused(self) -> None:
        with self.assertRaisesRegex(ValueError, "1 or more"):
            HorizonBot(random.Random(11), 0)
