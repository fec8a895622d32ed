"""The baseline bots, and games: what is chosen, for how long, who is asked and who has won."""

import math
import random
import unittest
from dataclasses import replace

from tests.kit.samples import live_states, played_states
from traffic_lights.board.baselines import (
    ALTERNATE,
    BASELINES,
    MYOPIC,
    RANDOM,
    myopic_actions,
    quiet_actions,
    winning_actions,
)
from traffic_lights.board.games import PolicyBot, play_game
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

N = 700


def finishes(state: State) -> bool:
    """Return whether some action completes a line, found by trying each."""
    return any(is_terminal(play(state, action)) for action in legal_actions(state))


class TacticsTests(unittest.TestCase):
    def test_winning_and_quiet_actions_are_those_that_trying_finds(self) -> None:
        seen: set[tuple[bool, bool]] = set()
        for state in played_states(random.Random(7), N) + live_states(random.Random(8), N):
            wins = [a for a in legal_actions(state) if is_terminal(play(state, a))]
            safe = [a for a in legal_actions(state) if not finishes(play(state, a))]
            self.assertEqual(list(winning_actions(state)), wins, format_board(state))
            if not wins:
                self.assertEqual(list(quiet_actions(state)), safe, format_board(state))
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
        played = set[tuple[int, ...]]()
        for policy in BASELINES.values():
            one, other = (
                [play_game(PolicyBot(policy, rng), PolicyBot(policy, rng)) for _ in range(20)]
                for rng in (random.Random(10), random.Random(10))
            )
            self.assertEqual(one, other, policy.key)
            played.update(game.actions for game in one)
        self.assertGreater(len(played), 30, "most of them draw")


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
