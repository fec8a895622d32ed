"""Verdicts and hints: the words' cases, held against the solver on many positions."""

import random
import unittest

from tests.kit.samples import live_states, played_states, tablebase
from traffic_lights.board.rules import (
    is_terminal,
    legal_actions,
    parse_board,
    parse_cell,
    play,
    winning_lines,
)
from traffic_lights.board.traps import traps
from traffic_lights.session.verdicts import Kind, Verdict, hint, judge


def verdict(board: str, cell: str) -> Verdict:
    return judge(tablebase(), parse_board(board), parse_cell(cell))


def only_move_states(count: int) -> list[int]:
    """Return won states with a single winning move, which does not end the game."""
    states = live_states(random.Random(7), 4000)
    found = [
        state
        for state in states
        if len(tablebase().winning_actions(state)) == 1 and tablebase().get_distance(state) > 1
    ]
    return found[:count]


class JudgeTests(unittest.TestCase):
    def test_each_kind_says_what_the_solver_says(self) -> None:
        seen: set[Kind] = set()
        rng = random.Random(7)
        for state in played_states(rng, 600) + live_states(rng, 300) + only_move_states(20):
            distances = tablebase().action_distances(state)
            wins = [action for action, n in distances.items() if n % 2]
            best = tablebase().probe_distance(state)
            for action, distance in distances.items():
                v = judge(tablebase(), state, action)
                seen.add(v.kind)
                self.assertEqual(
                    v.kind is Kind.COMPLETES, bool(winning_lines(play(state, action), action))
                )
                self.assertEqual(v.kind is Kind.OVERLOOKED, best == 1 and distance > 1)
                self.assertEqual(v.is_slip, bool(wins) and action not in wins)
                if v.kind is Kind.ONLY_WIN:
                    self.assertEqual(wins, [action])
                if v.kind in (Kind.BEST, Kind.SLOWER):
                    self.assertGreater(len(wins), 1)
                    self.assertEqual(v.kind is Kind.BEST, distance == best)
                if v.kind in (Kind.TRAP, Kind.LONGEST, Kind.SHORTER):
                    self.assertFalse(wins)
                is_best = action in traps(tablebase()).best_actions(state)
                if v.kind is Kind.TRAP:
                    self.assertTrue(is_best)
                    self.assertEqual(v.kept, traps(tablebase()).kept(state, action))
                elif not wins:
                    hopeless = not traps(tablebase()).chance_after(state, action)
                    self.assertTrue(hopeless or not is_best)
                if v.kind in (Kind.LONGEST, Kind.SHORTER):
                    self.assertEqual(v.kind is Kind.LONGEST, distance == best)
                self.assertEqual((v.distance, v.best_distance), (distance, best))
                self.assertEqual(distances[v.best], best)
        self.assertEqual(seen, set(Kind))

    def test_the_refutation_plays_to_the_end_in_the_distance_told(self) -> None:
        for state in played_states(random.Random(7), 40):
            for action in legal_actions(state):
                v = judge(tablebase(), state, action)
                after = play(state, action)
                for reply in v.replies:
                    self.assertFalse(is_terminal(after))
                    after = play(after, reply)
                self.assertTrue(is_terminal(after))
                self.assertEqual(1 + len(v.replies), v.distance)

    def test_marks(self) -> None:
        marks = {kind.name: kind.mark for kind in Kind}
        self.assertEqual(
            marks,
            {
                "COMPLETES": "#",
                "ONLY_WIN": "!!",
                "BEST": "!",
                "SLOWER": "",
                "OVERLOOKED": "??",
                "SLIP": "??",
                "TRAP": "",
                "LONGEST": "",
                "SHORTER": "?!",
            },
        )
        self.assertEqual({k.name for k in Kind if k.is_mistake}, {"OVERLOOKED", "SLIP"})

    def test_in_a_lost_position_a_mistake_loses_at_once_or_gives_three_moves_up(self) -> None:
        met = set()
        for state in played_states(random.Random(7), 600):
            best = tablebase().probe_distance(state)
            for action, distance in tablebase().action_distances(state).items():
                v = judge(tablebase(), state, action)
                if best % 2:
                    self.assertEqual((v.is_mistake, v.conceded), (v.kind.is_mistake, 0))
                    continue
                hurried = distance == 2 < best
                self.assertEqual(v.loses_at_once, hurried)
                hasty = hurried or best - distance >= 6
                self.assertEqual(v.is_mistake, hasty and v.kind is not Kind.TRAP)
                met.add((hurried, best - distance >= 6, v.is_mistake))
        self.assertGreaterEqual(len(met), 4, "each case was met")

    def test_a_question_mark_stands_where_review_asks_and_nowhere_else(self) -> None:
        met = set()
        for state in played_states(random.Random(7), 600):
            for action in legal_actions(state):
                v = judge(tablebase(), state, action)
                self.assertEqual("?" in v.mark, v.is_mistake)
                met.add((v.kind, v.mark))
        self.assertLessEqual({(Kind.SHORTER, "?!"), (Kind.SHORTER, ""), (Kind.SLIP, "??")}, met)

    def test_one_example_as_the_story(self) -> None:
        self.assertEqual(verdict("122000000000", "a1").lines, ((0, 1, 2),))
        self.assertEqual(verdict("000001000000", "d1").kind, Kind.BEST)
        self.assertEqual(verdict("000001000000", "b2").kind, Kind.SLOWER)
        self.assertEqual(verdict("000001000000", "a1").kind, Kind.SLIP)


class HintTests(unittest.TestCase):
    def test_hints_equal_the_solver_on_every_kind_of_position(self) -> None:
        rng = random.Random(7)
        states = {
            "any": played_states(rng, 300),
            "only move": only_move_states(20),
            "win at once": [parse_board("110000000000"), parse_board("122000000000")],
            "lost": [parse_board("000000000000")],
        }
        for name, group in states.items():
            for state in group:
                with self.subTest(name, state=state):
                    self.check(state)

    def check(self, state: int) -> None:
        is_won = tablebase().is_won(state)
        first, second, third = (hint(tablebase(), state, step) for step in (1, 2, 3))
        self.assertEqual((first.is_won, first.cells, first.move), (is_won, (), None))
        self.assertIsNone(second.move)
        best = traps(tablebase()).best_actions(state)
        self.assertEqual(second.cells, tablebase().winning_actions(state) or best)
        assert third.move is not None
        self.assertEqual(third.move.action, best[0])
        self.assertEqual(third.distance, tablebase().probe_distance(state))
        self.assertEqual(third.is_hard, third.move.kind is Kind.TRAP)
        if third.distance > 1:
            reply = third.move.replies[0]
            self.assertIn(reply, tablebase().optimal_actions(play(state, third.move.action)))


if __name__ == "__main__":
    unittest.main()
