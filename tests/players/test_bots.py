import math
import random
import statistics
import unittest
from dataclasses import replace

from tests.kit.samples import live_states, played_states
from traffic_lights.board.baselines import ALTERNATE, BASELINES, MYOPIC, RANDOM
from traffic_lights.board.rules import (
    State,
    format_board,
    is_terminal,
    legal_actions,
    parse_board,
    play,
    ply,
)
from traffic_lights.board.threats import myopic_actions, safe_actions, winning_actions
from traffic_lights.players.bots import PolicyBot
from traffic_lights.players.referee import play_game

GAMES = 1500
REFERENCE_GAMES = 6000
SIGMAS = 4


def finishes(state: State) -> bool:
    """Return whether some action completes a line, found by trying each."""
    return any(is_terminal(play(state, action)) for action in legal_actions(state))


class TacticsTests(unittest.TestCase):
    def test_winning_and_safe_actions_are_those_that_trying_finds(self) -> None:
        seen: set[tuple[bool, bool]] = set()
        for state in played_states(random.Random(7), 2000) + live_states(random.Random(8), 2000):
            wins = [a for a in legal_actions(state) if is_terminal(play(state, a))]
            safe = [a for a in legal_actions(state) if not finishes(play(state, a))]
            self.assertEqual(list(winning_actions(state)), wins, format_board(state))
            if not wins:
                self.assertEqual(list(safe_actions(state)), safe, format_board(state))
            expected = wins or safe or list(legal_actions(state))
            self.assertEqual(list(myopic_actions(state)), expected)
            seen.add((bool(wins), bool(safe)))
        self.assertGreaterEqual(seen, {(True, True), (False, True), (False, False)})

    def test_myopic_takes_a_win_and_avoids_giving_one(self) -> None:
        self.assertEqual(myopic_actions(parse_board("1100/0000/0000")), (2,))
        # Green on c1 next to a1 would let the opponent finish at b1.
        self.assertNotIn(2, myopic_actions(parse_board("1000/0000/0000")))


class ChoiceTests(unittest.TestCase):
    def test_choices_are_even_among_what_the_bot_chooses_among(self) -> None:
        state = parse_board("1000/0000/0000")
        policies = (
            (RANDOM, legal_actions(state)),
            (MYOPIC, myopic_actions(state)),
        )
        for policy, among in policies:
            with self.subTest(bot=policy.key):
                bot = PolicyBot(policy, random.Random(9))
                drawn = [bot.choose(state) for _ in range(500 * len(among))]
                self.assertEqual(set(drawn), set(among))
                spread = SIGMAS * math.sqrt(500)
                self.assertTrue(all(abs(drawn.count(a) - 500) < spread for a in among))

    def test_the_same_seed_plays_the_same_games(self) -> None:
        for name, policy in BASELINES.items():
            with self.subTest(bot=name):
                one, other = (
                    [play_game(PolicyBot(policy, rng), PolicyBot(policy, rng)) for _ in range(20)]
                    for rng in (random.Random(10), random.Random(10))
                )
                self.assertEqual(one, other)
                self.assertGreater(len({game.actions for game in one}), 10)


class AlternateTests(unittest.TestCase):
    def test_it_is_myopic_for_as_many_own_moves_as_drawn_then_random(self) -> None:
        rng = random.Random(11)
        for seat in (0, 1):
            bot = PolicyBot(replace(ALTERNATE, lasts=(4, 4)), rng)
            for own_move in range(2, 8):
                state = with_one_winning_action(2 * own_move + seat)
                drawn = {bot.choose(state) for _ in range(60)}
                with self.subTest(seat=seat, own_move=own_move):
                    self.assertEqual(drawn == set(winning_actions(state)), own_move < 4)

    def test_extremes_are_random_and_myopic(self) -> None:
        state = parse_board("1100/0000/0000")
        tiring = [replace(ALTERNATE, lasts=(n, n)) for n in (0, 99)]
        never, always = (PolicyBot(policy, random.Random(12)) for policy in tiring)
        self.assertEqual({always.choose(state) for _ in range(100)}, {2})
        self.assertGreater(len({never.choose(state) for _ in range(100)}), 8)

    def test_the_foresight_is_drawn_anew_for_each_game(self) -> None:
        self.assertEqual(ALTERNATE.lasts, (10, 20))
        rng = CountingRandom(13)
        bot = PolicyBot(ALTERNATE, rng)
        made = rng.draws
        for _ in range(50):
            play_game(bot, PolicyBot(MYOPIC, random.Random(14)))
        self.assertEqual(rng.draws - made, 50)


class CountingRandom(random.Random):
    """Counts the draws of a foresight."""

    draws = 0

    def randint(self, a: int, b: int) -> int:
        self.draws += 1
        return super().randint(a, b)


def with_one_winning_action(plies: int) -> State:
    """Return a state of *plies* plies in which one of several actions completes a line."""
    rng = random.Random(15)
    while True:
        for state in played_states(rng, 500):
            if ply(state) == plies and len(winning_actions(state)) == 1:
                return state


class CrossCheckTests(unittest.TestCase):
    """Against figures that an independent program measured over 6,000 games and more."""

    FIGURES = (
        ("random", "random", 0.503, 8.98),
        ("random", "myopic", 0.000, 5.58),
        ("myopic", "random", 1.000, 4.66),
        ("myopic", "myopic", 0.281, 24.0),
        ("myopic", "alternate", 0.338, 23.95),
        ("alternate", "myopic", 0.274, 23.97),
        ("alternate", "alternate", 0.323, 24.0),
    )

    def test_wins_of_the_first_player_and_lengths_of_games(self) -> None:
        policies = {**BASELINES, "alternate": replace(ALTERNATE, lasts=(12, 18))}
        for first, second, rate, mean_plies in self.FIGURES:
            with self.subTest(first=first, second=second):
                rng = random.Random(f"{first} {second}")
                one, other = (PolicyBot(policies[name], rng) for name in (first, second))
                games = [play_game(one, other) for _ in range(GAMES)]
                both_samples = 1 / GAMES + 1 / REFERENCE_GAMES
                wins = sum(game.winner == 0 for game in games) / GAMES
                error = math.sqrt(max(rate * (1 - rate), 1 / GAMES) * both_samples)
                self.assertLess(abs(wins - rate), SIGMAS * error + 0.0005)
                plies = [len(game.actions) for game in games]
                error = statistics.stdev(plies) * math.sqrt(both_samples)
                self.assertLess(abs(statistics.fmean(plies) - mean_plies), SIGMAS * error + 0.05)
