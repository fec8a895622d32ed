"""The order of moves, verdicts and hints equal the solution on many positions."""

import random
import unittest
from functools import cache

from tests.kit.samples import live_states, played_states, tablebase
from traffic_lights.board.baselines import quiet_actions, winning_actions
from traffic_lights.board.rules import complete_lines, is_terminal, legal_actions, parse_board, play
from traffic_lights.play.verdicts import hint, judge, ranked_moves, solutions


@cache
def sample() -> list[int]:
    """Return states of every kind, also with a single winning move that does not end the game."""
    rng = random.Random(7)
    only_move = [
        state
        for state in live_states(rng, 1500)
        if len(tablebase().winning_actions(state)) == 1 and tablebase().get_distance(state) > 1
    ]
    boards = ("110000000000", "122000000000", "000000000000")
    states = played_states(rng, 400) + live_states(rng, 200) + only_move[:20]
    return states + [parse_board(board) for board in boards]


def share_that_keeps_the_win(state: int, action: int) -> float:
    """Return the share of the safe replies to *action* that keep the opponent's win."""
    after = play(state, action)
    if winning_actions(after):
        return 1
    safe = quiet_actions(after)
    return sum(not tablebase().is_won(play(after, reply)) for reply in safe) / len(safe)


def best_of(state: int) -> list[int]:
    return [move.action for move in ranked_moves(state) if move.rank == 0]


class VerdictTests(unittest.TestCase):
    def test_the_order_is_that_of_its_definition(self) -> None:
        for state in sample():
            moves = ranked_moves(state)
            distances = {move.action: move.distance for move in moves}
            self.assertEqual(distances, tablebase().action_distances(state))
            is_won = tablebase().is_won(state)
            keys: list[tuple[float, int]] = []
            for move in moves:
                if is_won:
                    wins = move.distance % 2 == 1
                    keys.append((0, move.distance) if wins else (1, -move.distance))
                    self.assertIsNone(move.kept)
                else:
                    share, kept = share_that_keeps_the_win(state, move.action), move.kept
                    self.assertEqual(kept.winning / kept.safe if kept else 1, share)
                    keys.append((share, -move.distance))
            self.assertEqual(keys, sorted(keys))
            ranks = [move.rank for move in moves]
            self.assertEqual(ranks, [sorted(set(keys)).index(key) for key in keys])
            if is_won:
                self.assertEqual(tuple(best_of(state)), tablebase().optimal_actions(state))

    def test_a_verdict_says_what_the_solver_says(self) -> None:
        marks = set()
        for state in sample():
            distances = tablebase().action_distances(state)
            wins = [action for action, n in distances.items() if n % 2]
            best = tablebase().get_distance(state)
            for action, distance in distances.items():
                v = judge(state, action)
                marks.add(v.mark)
                self.assertEqual(v.mark == "#", bool(complete_lines(play(state, action))))
                self.assertEqual(v.is_blunder, bool(wins) and action not in wins)
                self.assertEqual(v.mark == "!!", wins == [action] and distance > 1)
                self.assertEqual((v.distance, v.best_distance), (distance, best))
                self.assertEqual(distances[v.best], best)
        self.assertEqual(marks, {"#", "!!", "!", "", "?!", "??"})

    def test_the_refutation_plays_to_the_end_in_the_distance_given(self) -> None:
        for state in played_states(random.Random(7), 40):
            for action in legal_actions(state):
                v = judge(state, action)
                after = play(state, action)
                for reply in v.replies:
                    self.assertFalse(is_terminal(after))
                    after = play(after, reply)
                self.assertTrue(is_terminal(after))
                self.assertEqual(1 + len(v.replies), v.distance)

    def test_in_a_lost_position_a_mistake_loses_at_once_or_three_moves_too_early(self) -> None:
        met = set()
        for state in sample():
            best = tablebase().get_distance(state)
            for action, distance in tablebase().action_distances(state).items():
                v = judge(state, action)
                self.assertEqual("?" in v.mark, v.is_mistake)
                if best % 2:
                    self.assertEqual((v.is_mistake, v.moves_too_early), ("??" in v.mark, 0))
                    continue
                hurried, early = distance == 2 < best, best - distance >= 6
                is_hardest = v.rank == 0 and v.kept is not None
                is_mistake = (hurried or early) and not is_hardest
                self.assertEqual(v.is_mistake, is_mistake)
                met.add((hurried, early, v.is_mistake))
        self.assertGreaterEqual(len(met), 4, "each case was met")

    def test_hint_verdict_and_review_agree_on_the_best_moves(self) -> None:
        for state in sample():
            best = best_of(state)
            hints = [hint(state, step) for step in (1, 2, 3)]
            self.assertEqual([h.cells for h in hints], [(), solutions(state), (best[0],)])
            self.assertIn(best[0], solutions(state))
            for one in ranked_moves(state):
                is_longest = one.distance == one.best_distance
                if one.rank == 0 or (is_longest and not one.was_won):
                    self.assertFalse(one.is_mistake)
                    self.assertIn(one.action, solutions(state))
            move = hints[2].move
            self.assertEqual(move.action, best[0])
            if move.distance > 1:
                replies = tablebase().optimal_actions(play(state, move.action))
                self.assertIn(move.replies[0], replies)
