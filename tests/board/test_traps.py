"""Traps: the best defence equals a plain recursion, and no symmetry changes it."""

import random
import unittest

from tests.kit.samples import live_states, tablebase
from traffic_lights.board.rules import STEPS, State, is_terminal, legal_actions
from traffic_lights.board.symmetry import map_action, orbit
from traffic_lights.board.traps import chance_after, exact_actions, kept_after


def lost_states(count: int) -> list[State]:
    states = live_states(random.Random(7), 100 * count)
    return [state for state in states if not tablebase().is_won(state)][:count]


def can_win(state: State) -> bool:
    return any(is_terminal(state + STEPS[action]) for action in legal_actions(state))


def plain_chance(state: State, replies: int) -> float:
    """Return how often an opponent who sees one move ahead errs, by the words of the module."""
    if not replies:
        return 0.0
    return max(plain_chance_after(state, action, replies) for action in legal_actions(state))


def plain_chance_after(state: State, action: int, replies: int) -> float:
    after = state + STEPS[action]
    if can_win(after):
        return 0.0
    safe = [s for a in legal_actions(after) if not can_win(s := after + STEPS[a])]
    return sum(1.0 if tablebase().is_won(s) else plain_chance(s, replies - 1) for s in safe) / len(
        safe
    )


class TrapTests(unittest.TestCase):
    def test_chances_equal_a_plain_recursion(self) -> None:
        for state in lost_states(12):
            for action in legal_actions(state):
                for replies in (1, 2):
                    found = chance_after(state, action, replies)
                    plain = plain_chance_after(state, action, replies)
                    self.assertAlmostEqual(found, plain, places=8)

    def test_the_best_traps_are_the_highest_chances_and_then_the_longest_defences(self) -> None:
        for state in [*lost_states(40), *live_states(random.Random(8), 9)]:
            if tablebase().is_won(state):
                self.assertEqual(exact_actions(state), tablebase().optimal_actions(state))
                continue
            worth = {
                action: (round(chance_after(state, action), 7), distance)
                for action, distance in tablebase().action_distances(state).items()
            }
            best = tuple(a for a, value in worth.items() if value == max(worth.values()))
            self.assertEqual(exact_actions(state), best)
            for mirror, image in enumerate(orbit(state)):
                mapped = tuple(sorted(map_action(action, mirror) for action in best))
                self.assertEqual(exact_actions(image), mapped)
            left = kept_after(state, best[0])
            self.assertTrue(0 <= left.winning <= left.safe <= 12)
