"""Policies, the bots that play them, and the referee: choices, lengths of games, who has won."""

import math
import random
import unittest
from collections import Counter
from dataclasses import replace
from itertools import pairwise

from tests.kit.samples import (
    horizon_actions,
    late_states,
    live_states,
    played_states,
    tablebase,
)
from traffic_lights.board.baselines import (
    ALTERNATE,
    BASELINES,
    MYOPIC,
    RANDOM,
    myopic_actions,
    safe_actions,
    winning_actions,
)
from traffic_lights.board.rules import (
    Action,
    RulesError,
    State,
    format_board,
    is_terminal,
    legal_actions,
    mover,
    parse_board,
    play,
    ply,
)
from traffic_lights.board.traps import exact_actions
from traffic_lights.players.policies import EXACT_PLAYER, LEVELS, Horizon, PolicyBot, play_game
from traffic_lights.players.roster import Roster

N = 700


def finishes(state: State) -> bool:
    """Return whether some action completes a line, found by trying each."""
    return any(is_terminal(play(state, action)) for action in legal_actions(state))


class TacticsTests(unittest.TestCase):
    def test_winning_and_safe_actions_are_those_that_trying_finds(self) -> None:
        seen: set[tuple[bool, bool]] = set()
        for state in played_states(random.Random(7), N) + live_states(random.Random(8), N):
            wins = [a for a in legal_actions(state) if is_terminal(play(state, a))]
            safe = [a for a in legal_actions(state) if not finishes(play(state, a))]
            self.assertEqual(list(winning_actions(state)), wins, format_board(state))
            if not wins:
                self.assertEqual(list(safe_actions(state)), safe, format_board(state))
            self.assertEqual([*myopic_actions(state)], wins or safe or [*legal_actions(state)])
            seen.add((bool(wins), bool(safe)))
        self.assertGreaterEqual(seen, {(True, True), (False, True)})


class ChoiceTests(unittest.TestCase):
    def test_choices_are_even_among_the_actions_of_the_policy(self) -> None:
        state = parse_board("1000/0000/0000")
        for policy, among in ((RANDOM, legal_actions(state)), (MYOPIC, myopic_actions(state))):
            bot = PolicyBot(policy, random.Random(9))
            drawn = [bot.choose(state) for _ in range(500 * len(among))]
            self.assertEqual(set(drawn), set(among), policy.key)
            spread = 4 * math.sqrt(500)
            self.assertTrue(all(abs(drawn.count(a) - 500) < spread for a in among), policy.key)

    def test_the_same_seed_plays_the_same_games(self) -> None:
        for policy in BASELINES.values():
            one, other = (
                [play_game(PolicyBot(policy, rng), PolicyBot(policy, rng)) for _ in range(20)]
                for rng in (random.Random(10), random.Random(10))
            )
            self.assertEqual(one, other, policy.key)
            self.assertGreater(len({game.actions for game in one}), 10, policy.key)


class AlternateTests(unittest.TestCase):
    def test_it_is_myopic_for_as_many_own_moves_as_drawn_then_random(self) -> None:
        rng = random.Random(11)
        for seat in (0, 1):
            bot = PolicyBot(replace(ALTERNATE, lasts=(4, 4)), rng)
            for own_move in range(2, 8):
                state = next(
                    state
                    for state in played_states(rng, 5000)
                    if ply(state) == 2 * own_move + seat and len(winning_actions(state)) == 1
                )
                drawn = {bot.choose(state) for _ in range(60)}
                self.assertEqual(drawn == {*winning_actions(state)}, own_move < 4, (seat, own_move))


class RecordingBot(PolicyBot):
    """A random bot that remembers where it was asked, and how its game ended."""

    has_won: bool | None = None

    def __init__(self, rng: random.Random) -> None:
        super().__init__(RANDOM, rng)
        self.asked: list[State] = []

    def choose(self, state: State) -> Action:
        self.asked.append(state)
        return super().choose(state)

    def end_game(self, has_won: bool) -> None:
        self.has_won = has_won


class RefereeTests(unittest.TestCase):
    def test_each_bot_is_asked_in_its_own_seat_and_told_who_has_won(self) -> None:
        for seed in range(30):
            bots = RecordingBot(random.Random(seed)), RecordingBot(random.Random(-1 - seed))
            game = play_game(*bots)
            states = [*game.states()]
            self.assertFalse(any(map(is_terminal, states)))
            self.assertTrue(is_terminal(play(states[-1], game.actions[-1])))
            self.assertEqual(game.winner, mover(states[-1]))
            for seat, bot in enumerate(bots):
                self.assertEqual(bot.asked, [s for s in states if mover(s) == seat])
                self.assertEqual(bot.has_won, game.winner == seat)

    def test_an_illegal_choice_is_refused(self) -> None:
        bot = PolicyBot(replace(RANDOM, actions=lambda _: (0,)), random.Random(13))
        with self.assertRaises(RulesError):
            play_game(bot, bot)


class HorizonTests(unittest.TestCase):
    def test_the_choices_are_those_of_a_plain_search(self) -> None:
        rng = random.Random(6)
        states = live_states(rng, 40) + rng.sample(list(late_states(27)), 100)
        for depth in (1, 2, 3, 4, 26):
            for state in states:
                if depth < 4 or ply(state) > 18:
                    found = horizon_actions(state, depth)
                    self.assertEqual(Horizon(depth)(state), found, (format_board(state), depth))

    def test_two_plies_ahead_is_myopic_and_the_whole_game_ahead_is_optimal(self) -> None:
        for state in played_states(random.Random(7), N // 2) + live_states(
            random.Random(8), N // 2
        ):
            self.assertEqual(Horizon(2)(state), myopic_actions(state))
            self.assertEqual(Horizon(26)(state), tablebase().optimal_actions(state))


class ExactPlayerTests(unittest.TestCase):
    def test_it_wins_as_fast_as_can_be_and_sets_traps_where_it_is_lost(self) -> None:
        for state in live_states(random.Random(7), 1000):
            if tablebase().is_won(state):
                for action in EXACT_PLAYER.actions(state):
                    after = tablebase().get_distance(play(state, action))
                    self.assertEqual(after, tablebase().get_distance(state) - 1)
            else:
                self.assertEqual(EXACT_PLAYER.actions(state), exact_actions(state))

    def test_as_second_player_it_always_wins_and_its_games_differ(self) -> None:
        rng = random.Random(8)
        exact = PolicyBot(EXACT_PLAYER, rng)
        for opponent in (PolicyBot(RANDOM, rng), PolicyBot(MYOPIC, rng), exact):
            games = [play_game(opponent, exact) for _ in range(50)]
            self.assertEqual({game.winner for game in games}, {1})
            self.assertLessEqual(max(len(game.actions) for game in games), 26)
            self.assertGreater(len({game.actions for game in games}), 20)


class LevelTests(unittest.TestCase):
    def test_perfect_throws_no_win_away_wherever_it_begins(self) -> None:
        bot = Roster().entry("perfect").bot(random.Random(0))
        for state in live_states(random.Random(9), 2000):
            winning = tablebase().winning_actions(state)
            if winning:
                self.assertIn(bot.choose(state), winning, format_board(state))

    def test_there_are_six_from_the_weakest_to_the_strongest(self) -> None:
        levels = Roster().levels()
        keys = [level.key for level in levels]
        self.assertEqual(keys, ["beginner", "casual", "careful", "planner", "expert", "perfect"])
        rates = [level.score.total for level in levels if level.score is not None]
        steps = [stronger - weaker for weaker, stronger in pairwise(rates)]
        self.assertEqual(len(steps), 5)
        self.assertGreater(min(steps), 0.05)
        self.assertLess(max(steps), 0.245)

    def test_the_weakest_win_when_they_can_and_block_as_often_as_they_should(self) -> None:
        states = live_states(random.Random(7), 600) + played_states(random.Random(9), 300)
        for policy, careful in zip(LEVELS, (2 / 3, 8 / 9), strict=False):
            for state in states:
                actions, safe = policy.actions(state), safe_actions(state)
                if wins := winning_actions(state):
                    self.assertEqual(actions, wins)
                    continue
                every, counts = legal_actions(state), Counter(actions)
                self.assertEqual(tuple(sorted(counts)), every)
                for action in every if safe else ():
                    chance = (1 - careful) / len(every) + careful / len(safe) * (action in safe)
                    self.assertAlmostEqual(counts[action] / len(actions), chance)

    def test_two_wins_offer_the_next_level_and_two_losses_the_one_below(self) -> None:
        roster = Roster()
        levels = roster.levels()
        whys = {2: "two wins", -2: "two losses", 3: "3 wins", -3: "3 losses"}
        for place, level in enumerate(levels):
            for streak in range(-3, 4):
                step = (streak > 1) - (streak < -1)
                offer = None
                if step and 0 <= place + step < len(levels):
                    offer = levels[place + step], f"{whys[streak]} in a row"
                self.assertEqual(roster.offer(level.key, streak), offer)
        self.assertIsNone(roster.offer("random", 5))
