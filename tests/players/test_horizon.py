import random
import unittest

from tests.kit.samples import late_states, live_states, played_states, tablebase
from tests.kit.search import horizon_actions
from traffic_lights.board.rules import EMPTY_BOARD, format_board, legal_actions, ply
from traffic_lights.board.threats import myopic_actions
from traffic_lights.players.exact import Horizon
from traffic_lights.players.roster import Roster


class HorizonTests(unittest.TestCase):
    def test_the_choices_are_those_of_a_plain_search(self) -> None:
        rng = random.Random(6)
        states = live_states(rng, 100) + rng.sample(list(late_states(25)), 100)
        for depth in (1, 2, 3, 4, 26):
            for state in states:
                if depth < 4 or ply(state) > 18:
                    with self.subTest(board=format_board(state), depth=depth):
                        self.assertEqual(Horizon(depth)(state), horizon_actions(state, depth))

    def test_two_plies_ahead_is_myopic(self) -> None:
        for state in played_states(random.Random(7), 3000):
            self.assertEqual(Horizon(2)(state), myopic_actions(state))

    def test_the_whole_game_ahead_is_optimal(self) -> None:
        for state in live_states(random.Random(8), 3000):
            self.assertEqual(Horizon(26)(state), tablebase().optimal_actions(state))

    def test_ties_are_broken_at_random_from_the_seed(self) -> None:
        entry = Roster().entry("horizon-4")
        choices, again = (
            [entry.bot(random.Random(seed)).choose(EMPTY_BOARD) for seed in range(200)]
            for _ in range(2)
        )
        self.assertEqual(choices, again)
        self.assertEqual(set(choices), set(legal_actions(EMPTY_BOARD)))
