"""The baseline bots, and games: what is chosen, for how long, who is asked and who has won."""

import math
import random
import unittest
from dataclasses import replace

from tests.kit.samples import live_states, played_states
from traffic_lights.board import baselines
from traffic_lights.board.baselines import ALTERNATE, MYOPIC, RANDOM, Policy, winning_actions
from traffic_lights.board.games import PolicyBot, play_game
from traffic_lights.board.rules import (
    Action,
    RulesError,
    State,
    is_terminal,
    legal_actions,
    mover,
    parse_board,
    play,
    ply,
)


def ends(state: State) -> tuple[Action, ...]:
    """Return the actions that complete a line, found by trying each."""
    return tuple(a for a in legal_actions(state) if is_terminal(play(state, a)))


class BaselineTests(unittest.TestCase):
    def test_winning_and_quiet_actions_are_those_that_trying_finds(self) -> None:
        seen: set[tuple[bool, bool]] = set()
        for state in played_states(random.Random(7), 700) + live_states(random.Random(8), 700):
            wins = ends(state)
            safe = tuple(a for a in legal_actions(state) if not ends(play(state, a)))
            self.assertEqual(winning_actions(state), wins)
            if not wins:
                self.assertEqual(baselines.quiet_actions(state), safe)
            self.assertEqual(MYOPIC.actions(state), wins or safe or legal_actions(state))
            seen.add((bool(wins), bool(safe)))
        self.assertGreaterEqual(seen, {(True, True), (False, True)})

    def test_choices_are_even_and_the_seed_decides_them(self) -> None:
        state = parse_board("1000/0000/0000")
        for policy in (RANDOM, MYOPIC):
            among = policy.actions(state)
            one, other = (
                [bot.choose(state) for _ in range(500 * len(among))]
                for bot in (PolicyBot(policy, random.Random(9)) for _ in range(2))
            )
            self.assertEqual((one, {*one}), (other, {*among}))
            self.assertLess(max(abs(one.count(a) - 500) for a in among), 4 * math.sqrt(500))

    def test_alternate_is_myopic_for_as_many_own_moves_as_drawn_then_random(self) -> None:
        rng = random.Random(11)
        states = [one for one in played_states(rng, 9000) if len(winning_actions(one)) == 1]
        for seat in (0, 1):
            bot = PolicyBot(replace(ALTERNATE, lasts=(4, 4)), rng)
            for own_move in range(2, 8):
                state = next(one for one in states if ply(one) == 2 * own_move + seat)
                drawn = {bot.choose(state) for _ in range(60)}
                self.assertEqual(drawn == {*winning_actions(state)}, own_move < 4, (seat, own_move))


class RecordingBot(PolicyBot):
    """A random bot that remembers where it was asked, and how its game ended."""

    def __init__(self, seed: int) -> None:
        super().__init__(RANDOM, random.Random(seed))
        self.asked: list[State] = []
        self.has_won: bool | None = None

    def choose(self, state: State) -> Action:
        self.asked.append(state)
        return super().choose(state)

    def end_game(self, has_won: bool) -> None:
        self.has_won = has_won


class RefereeTests(unittest.TestCase):
    def test_each_bot_is_asked_in_its_own_seat_and_told_who_has_won(self) -> None:
        for seed in range(30):
            bots = RecordingBot(seed), RecordingBot(-1 - seed)
            game = play_game(*bots)
            states = [*game.states()]
            self.assertFalse(any(map(is_terminal, states)))
            self.assertTrue(is_terminal(play(states[-1], game.actions[-1])))
            self.assertEqual(game.winner, mover(states[-1]))
            for seat, bot in enumerate(bots):
                self.assertEqual(bot.asked, [s for s in states if mover(s) == seat])
                self.assertEqual(bot.has_won, game.winner == seat)

    def test_an_illegal_choice_is_refused(self) -> None:
        bot = PolicyBot(Policy(lambda _: (0,)), random.Random(13))
        with self.assertRaises(RulesError):
            play_game(bot, bot)
