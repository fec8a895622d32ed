"""The policies of the levels and of the stronger players: what they choose, and how strong."""

import random
import unittest
from collections import Counter

from tests.kit.samples import horizon_actions, late_states, live_states, played_states, tablebase
from traffic_lights.board.baselines import quiet_actions, winning_actions
from traffic_lights.board.rules import format_board, legal_actions, ply
from traffic_lights.players.policies import LEVELS, Horizon
from traffic_lights.players.roster import Roster


class HorizonTests(unittest.TestCase):
    def test_the_choices_are_those_of_a_plain_search(self) -> None:
        rng = random.Random(6)
        states = live_states(rng, 40) + rng.sample(list(late_states(27)), 100)
        for depth in (1, 2, 3, 4, 26):
            for state in states:
                if depth < 4 or ply(state) > 18:
                    found = horizon_actions(state, depth)
                    self.assertEqual(Horizon(depth)(state), found, (format_board(state), depth))


class LevelTests(unittest.TestCase):
    def test_perfect_throws_no_win_away_wherever_it_begins(self) -> None:
        bot = Roster().entry("perfect").bot(random.Random(0))
        for state in live_states(random.Random(9), 2000):
            winning = tablebase().winning_actions(state)
            if winning:
                self.assertIn(bot.choose(state), winning, format_board(state))

    def test_the_weakest_win_when_they_can_and_block_as_often_as_they_should(self) -> None:
        states = live_states(random.Random(7), 600) + played_states(random.Random(9), 300)
        for policy, careful in zip(LEVELS, (2 / 3, 8 / 9), strict=False):
            for state in states:
                actions, safe = policy.actions(state), quiet_actions(state)
                if wins := winning_actions(state):
                    self.assertEqual(actions, wins)
                    continue
                every, counts = legal_actions(state), Counter(actions)
                self.assertEqual(tuple(sorted(counts)), every)
                for action in every if safe else ():
                    chance = (1 - careful) / len(every) + careful / len(safe) * (action in safe)
                    self.assertAlmostEqual(counts[action] / len(actions), chance)

    def test_two_wins_offer_the_next_level_once_and_two_losses_the_one_below(self) -> None:
        roster = Roster()
        levels = [None, *roster.levels(), None]
        for below, level, above in zip(levels, levels[1:], levels[2:], strict=False):
            assert level is not None
            for streak in range(-4, 5):
                other, words = {2: (above, "wins"), -2: (below, "losses")}.get(streak, (None, ""))
                offer = other and (other, f"two {words} in a row")
                self.assertEqual(roster.offer(level.key, streak), offer)
        self.assertIsNone(roster.offer("random", 2))
