"""The order of moves, verdicts and hints equal the solution on many positions."""

import random
import unittest

from tests.kit.samples import live_states, played_states, tablebase
from traffic_lights.board.baselines import winning_actions
from traffic_lights.board.games import PlayedGame
from traffic_lights.board.rules import complete_lines, is_terminal, legal_actions, parse_board, play
from traffic_lights.play.verdicts import Verdict, hint, judge, ranked_moves, solutions

RNG = random.Random(7)
ONLY_MOVES = [s for s in live_states(RNG, 1500) if len(tablebase().winning_actions(s)) == 1]
SAMPLE = [
    *played_states(RNG, 400), *live_states(RNG, 200), *ONLY_MOVES[:100],
    *map(parse_board, ("110000000000", "122000000000", "000000000000")),
]  # fmt: skip
"""Positions of every kind, also with a single winning move that does not end the game."""


def share_that_keeps_the_win(move: Verdict) -> float:
    """Return the share of the safe replies to *move* that keep the opponent's win."""
    after = play(move.state, move.action)
    if winning_actions(after):
        return 1
    replies = [play(after, reply) for reply in legal_actions(after)]
    safe = [state for state in replies if not winning_actions(state)]
    return sum(not tablebase().is_won(state) for state in safe) / len(safe)


class VerdictTests(unittest.TestCase):
    def test_the_order_is_that_of_its_definition(self) -> None:
        for state in SAMPLE:
            moves = ranked_moves(state)
            keys: list[tuple[float, int]] = []
            for move in moves:
                if tablebase().is_won(state):
                    wins = move.distance % 2 == 1
                    keys.append((0, move.distance) if wins else (1, -move.distance))
                    self.assertIsNone(move.kept)
                else:
                    share, kept = share_that_keeps_the_win(move), move.kept
                    self.assertEqual(kept.winning / kept.safe if kept else 1, share)
                    keys.append((share, -move.distance))
            ranks = [sorted(set(keys)).index(key) for key in keys]
            self.assertEqual([move.rank for move in moves], sorted(ranks))
            self.assertEqual(ranks, sorted(ranks))

    def test_a_verdict_says_what_the_solver_says(self) -> None:
        met = set[object]()
        for state in SAMPLE:
            distances = tablebase().action_distances(state)
            self.assertEqual({one.action: one.distance for one in ranked_moves(state)}, distances)
            wins = [action for action, n in distances.items() if n % 2]
            best = tablebase().get_distance(state)
            for action, distance in distances.items():
                v = judge(state, action)
                self.assertEqual(v.mark == "#", bool(complete_lines(play(state, action))))
                self.assertEqual(v.is_blunder, bool(wins) and action not in wins)
                self.assertEqual(v.mark == "!!", wins == [action] and distance > 1)
                self.assertEqual((v.best_distance, distances[v.best]), (best, best))
                self.assertEqual("?" in v.mark, v.is_mistake)
                early = 0 if wins else (best - distance) // 2
                is_mistake = "??" in v.mark
                if not wins:  # it loses at once, or three moves too early
                    hurried, is_hardest = distance == 2 < best, v.rank == 0 and v.kept is not None
                    is_mistake = (hurried or early >= 3) and not is_hardest
                    met.add((hurried, early >= 3, is_mistake))
                self.assertEqual((v.is_mistake, v.moves_too_early), (is_mistake, early))
                met.add(v.mark)
        self.assertGreaterEqual(met, {"#", "!!", "!", "", "?!", "??"})
        self.assertGreaterEqual(len(met), 10, "each case was met")

    def test_the_refutation_plays_to_the_end_in_the_distance_given(self) -> None:
        for state in SAMPLE[:40]:
            for v in ranked_moves(state):
                states = [*PlayedGame((v.action, *v.replies), start=state).states()]
                self.assertFalse(any(map(is_terminal, states)))
                self.assertTrue(is_terminal(play(states[-1], (v.action, *v.replies)[-1])))
                self.assertEqual(len(states), v.distance)

    def test_hint_verdict_and_review_agree_on_the_best_moves(self) -> None:
        for state in SAMPLE:
            best, hints = ranked_moves(state)[0], [hint(state, step) for step in (1, 2, 3)]
            self.assertEqual([h.cells for h in hints], [(), solutions(state), (best.action,)])
            self.assertEqual(hints[2].move, best)
            for one in ranked_moves(state):
                if one.rank == 0 or (one.distance == one.best_distance and not one.was_won):
                    self.assertFalse(one.is_mistake)
                    self.assertIn(one.action, solutions(state))
