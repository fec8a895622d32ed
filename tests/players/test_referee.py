import random
import unittest

from tests.kit.samples import played_states
from traffic_lights.board.baselines import BASELINES, RANDOM
from traffic_lights.board.rules import (
    CELLS,
    LONGEST_GAME,
    RED,
    Action,
    IllegalActionError,
    State,
    colour_of,
    is_terminal,
    mover,
    parse_board,
    play,
    ply,
)
from traffic_lights.players.bots import PolicyBot
from traffic_lights.players.referee import play_game


class RecordingBot(PolicyBot):
    """A random bot that remembers where it was asked."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__(RANDOM, rng)
        self.asked: list[State] = []

    def choose(self, state: State) -> Action:
        self.asked.append(state)
        return super().choose(state)


class GameTests(unittest.TestCase):
    def test_a_game_is_played_to_its_end_and_won_by_the_last_mover(self) -> None:
        rng = random.Random(7)
        for policy in BASELINES.values():
            for _ in range(50):
                game = play_game(PolicyBot(policy, rng), PolicyBot(RANDOM, rng))
                states = [*game.states()]
                last = play(states[-1], game.actions[-1])
                self.assertFalse(any(map(is_terminal, states)))
                self.assertTrue(is_terminal(last))
                self.assertEqual(game.winner, mover(states[-1]))
                self.assertEqual(len(game.actions), ply(last))
                self.assertLessEqual(len(game.actions), LONGEST_GAME)

    def test_each_bot_is_asked_in_its_own_seat(self) -> None:
        one, other = RecordingBot(random.Random(8)), RecordingBot(random.Random(9))
        game = play_game(one, other)
        self.assertEqual([*game.states()][::2], one.asked)
        self.assertEqual([*game.states()][1::2], other.asked)

    def test_a_game_can_start_anywhere_and_the_ply_says_who_moves(self) -> None:
        for start in played_states(random.Random(10), 100):
            one, other = RecordingBot(random.Random(11)), RecordingBot(random.Random(12))
            game = play_game(one, other, start)
            self.assertEqual((one, other)[mover(start)].asked[0], start)
            self.assertEqual((game.start, next(game.states())), (start, start))

    def test_a_finished_start_is_won_by_whoever_completed_it(self) -> None:
        bot = PolicyBot(RANDOM, random.Random(13))
        self.assertEqual(play_game(bot, bot, parse_board("1110/0000/0000")).winner, 0)
        self.assertEqual(play_game(bot, bot, parse_board("1110/0000/0001")).winner, 1)

    def test_bots_that_want_to_know_are_told_the_result(self) -> None:
        class LearningBot(RecordingBot):
            has_won: bool | None = None

            def end_game(self, has_won: bool) -> None:
                self.has_won = has_won

        one, other = LearningBot(random.Random(8)), LearningBot(random.Random(9))
        game = play_game(one, other)
        self.assertEqual((one.has_won, other.has_won), (game.winner == 0, game.winner == 1))

    def test_an_illegal_choice_is_refused(self) -> None:
        class CheatingBot:
            def choose(self, state: State) -> Action:
                red = [cell for cell in range(CELLS) if colour_of(state, cell) == RED]
                return red[0] if red else 0

        with self.assertRaises(IllegalActionError):
            play_game(CheatingBot(), CheatingBot())
