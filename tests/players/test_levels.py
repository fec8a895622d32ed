"""The six levels: how they play, how far they are apart, and which one is offered next."""

import random
import unittest
from collections import Counter
from itertools import pairwise

from tests.kit.samples import live_states, played_states
from traffic_lights.board.baselines import MYOPIC
from traffic_lights.board.rules import legal_actions
from traffic_lights.board.threats import safe_actions, winning_actions
from traffic_lights.players.bots import PolicyBot
from traffic_lights.players.levels import BEGINNER, CASUAL
from traffic_lights.players.referee import play_game
from traffic_lights.players.roster import Group, Offer, Roster, offer_after

KEYS = ("beginner", "casual", "careful", "planner", "expert", "perfect")


class LevelTests(unittest.TestCase):
    def test_there_are_six_from_the_weakest_to_the_strongest(self) -> None:
        levels = Roster().levels()
        self.assertEqual(tuple(level.key for level in levels), KEYS)
        self.assertEqual([e for e in Roster().entries() if e.group is Group.LEVEL], [*levels])
        rates = [level.score.rate for level in levels if level.score is not None]
        steps = [stronger - weaker for weaker, stronger in pairwise(rates)]
        self.assertEqual(len(steps), 5)
        self.assertGreater(min(steps), 0.1)
        self.assertLess(max(steps), 0.245)

    def test_the_weakest_win_when_they_can_and_block_as_often_as_they_should(self) -> None:
        states = [s for s in live_states(random.Random(7), 600) if safe_actions(s)]
        for policy, careful in ((BEGINNER, 1 / 2), (CASUAL, 8 / 9)):
            for state in states:
                actions, safe = policy.actions(state), safe_actions(state)
                if wins := winning_actions(state):
                    self.assertEqual(actions, wins)
                    continue
                every, counts = legal_actions(state), Counter(actions)
                self.assertEqual(tuple(sorted(counts)), every)
                for action in every:
                    chance = (1 - careful) / len(every) + careful / len(safe) * (action in safe)
                    self.assertAlmostEqual(counts[action] / len(actions), chance)

    def test_a_first_game_lasts_some_moves(self) -> None:
        rng = random.Random(8)
        bots = PolicyBot(BEGINNER, rng), PolicyBot(MYOPIC, rng)
        lengths = [len(play_game(*bots).actions) for _ in range(300)]
        self.assertTrue(8 <= sum(lengths) / len(lengths) <= 15)

    def test_a_level_without_anything_to_block_plays_anything(self) -> None:
        for state in played_states(random.Random(9), 300):
            if not winning_actions(state) and not safe_actions(state):
                self.assertEqual(BEGINNER.actions(state), legal_actions(state))


class OfferTests(unittest.TestCase):
    def test_two_wins_offer_the_next_level_and_two_losses_the_one_below(self) -> None:
        levels = Roster().levels()
        for place, level in enumerate(levels):
            for streak in range(-4, 5):
                offer = offer_after(levels, level.key, streak)
                step = (streak > 1) - (streak < -1)
                wanted = place + step if step and 0 <= place + step < len(levels) else None
                self.assertEqual(offer, None if wanted is None else Offer(levels[wanted], streak))
        self.assertIsNone(offer_after(levels, "random", 5))

    def test_the_offer_in_words(self) -> None:
        level = Roster().entry("careful")
        for streak, start in ((2, "Two wins"), (-2, "Two losses"), (-3, "3 losses")):
            offer = Offer(level, streak)
            self.assertEqual(offer.text, f"{start} in a row: try Careful next? {level.about}")
            self.assertEqual(offer.is_harder, streak > 0)
