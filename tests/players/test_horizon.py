import random
import unittest

from tests.kit.samples import late_states, live_states, played_states, tablebase
from traffic_lights.board.baselines import MYOPIC
from traffic_lights.board.rules import (
    EMPTY_BOARD,
    State,
    format_board,
    is_terminal,
    legal_actions,
    play,
    ply,
)
from traffic_lights.board.threats import myopic_actions
from traffic_lights.players.bots import PolicyBot
from traffic_lights.players.horizon import (
    HorizonBot,
    action_scores,
    horizon_actions,
    horizon_choices,
)
from traffic_lights.players.referee import play_game


def plain_score(state: State, depth: int) -> int:
    """Return the score of *state* by looking at everything, as the module explains it.

    An end beyond the horizon is hidden, and so is how it would come.
    """
    if is_terminal(state):
        return -(depth + 1)
    if depth == 0:
        return 0
    return max(-plain_score(play(state, action), depth - 1) for action in legal_actions(state))


class ScoreTests(unittest.TestCase):
    def test_the_search_finds_what_the_exact_distances_say(self) -> None:
        rng = random.Random(6)
        states = live_states(rng, 150) + rng.sample(list(late_states(25)), 150)
        for depth in (1, 2, 3, 4, 5, 26):
            choices = horizon_choices(tablebase(), depth)
            for state in states:
                if depth < 20 or ply(state) > 18:
                    self.assertEqual(choices(state), horizon_actions(state, depth))

    def test_pruning_changes_nothing_about_the_best_actions(self) -> None:
        for depth, count in ((1, 200), (2, 200), (3, 60), (4, 12)):
            for state in played_states(random.Random(depth), count):
                scores = action_scores(state, depth)
                plain = {a: -plain_score(play(state, a), depth - 1) for a in legal_actions(state)}
                best = max(plain.values())
                with self.subTest(board=format_board(state), depth=depth):
                    self.assertEqual(tuple(scores), legal_actions(state))
                    self.assertEqual(max(scores.values()), best)
                    for action, score in plain.items():
                        self.assertEqual(scores[action] == best, score == best)
                        self.assertGreaterEqual(scores[action], score)

    def test_two_plies_ahead_is_myopic(self) -> None:
        for state in played_states(random.Random(7), 3000):
            self.assertEqual(horizon_actions(state, 2), myopic_actions(state))

    def test_the_whole_game_ahead_is_the_exact_player(self) -> None:
        states = [state for state in live_states(random.Random(8), 8000) if ply(state) >= 14]
        self.assertGreater(len(states), 6000)
        for state in states:
            best = tablebase().optimal_actions(state)
            self.assertEqual(horizon_actions(state, 26), best, format_board(state))
        for state in states[:500]:
            self.assertEqual(horizon_actions(state, 99), horizon_actions(state, 26))

    def test_a_depth_sees_exactly_the_ends_within_it(self) -> None:
        for state in live_states(random.Random(9), 300):
            distance = tablebase().probe_distance(state)
            for depth in range(1, 11):
                best = max(action_scores(state, depth).values())
                left = depth - distance + 1
                seen = left if distance % 2 else -left
                self.assertEqual(best, seen if distance <= depth else 0, format_board(state))


class HorizonBotTests(unittest.TestCase):
    def test_ties_are_broken_at_random_from_the_seed(self) -> None:
        choices = [HorizonBot(random.Random(seed), 4).choose(EMPTY_BOARD) for seed in range(200)]
        again = [HorizonBot(random.Random(seed), 4).choose(EMPTY_BOARD) for seed in range(200)]
        self.assertEqual(choices, again)
        self.assertEqual(set(choices), set(legal_actions(EMPTY_BOARD)))

    def test_looking_further_beats_myopic(self) -> None:
        rng = random.Random(10)
        far, near = HorizonBot(rng, 6), PolicyBot(MYOPIC, rng)
        won = sum(play_game(far, near).winner == 0 for _ in range(100))
        won += sum(play_game(near, far).winner == 1 for _ in range(100))
        self.assertGreater(won, 100)

    def test_no_depth_is_refused(self) -> None:
        for depth in (0, -3):
            with self.assertRaisesRegex(ValueError, "1 or more"):
                HorizonBot(random.Random(11), depth)
