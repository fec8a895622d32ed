"""The order of moves, verdicts and hints equal the solution on many positions."""

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
from traffic_lights.board.threats import safe_actions, winning_actions
from traffic_lights.session.verdicts import Kind, Verdict, good_moves, hint, judge, ranked_moves


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


def share_that_keeps_the_win(state: int, action: int) -> float:
    """Return the share of the safe replies to *action* that keep the opponent's win."""
    after = play(state, action)
    if winning_actions(after):
        return 1
    safe = safe_actions(after)
    return sum(not tablebase().is_won(play(after, reply)) for reply in safe) / len(safe)


class OrderTests(unittest.TestCase):
    def test_the_order_is_that_of_its_definition(self) -> None:
        for state in played_states(random.Random(7), 300):
            moves = ranked_moves(tablebase(), state)
            self.assertEqual({m.action: m.distance for m in moves},
                             tablebase().action_distances(state))  # fmt: skip
            is_won = tablebase().is_won(state)
            keys: list[tuple[float, int]] = []
            for move in moves:
                if is_won:
                    wins = move.distance % 2 == 1
                    keys.append((0, move.distance) if wins else (1, -move.distance))
                    self.assertIsNone(move.kept)
                else:
                    share = share_that_keeps_the_win(state, move.action)
                    kept = move.kept
                    self.assertEqual(kept.winning / kept.safe if kept else 1, share)
                    keys.append((share, -move.distance))
            self.assertEqual(keys, sorted(keys))
            ranks = [move.rank for move in moves]
            self.assertEqual(ranks, [sorted(set(keys)).index(key) for key in keys])

    def test_in_a_won_position_the_best_moves_are_the_fastest_wins(self) -> None:
        for state in played_states(random.Random(7), 300):
            if tablebase().is_won(state):
                moves = ranked_moves(tablebase(), state)
                best = {move.action for move in moves if move.rank == 0}
                self.assertEqual(best, set(tablebase().optimal_actions(state)))


class JudgeTests(unittest.TestCase):
    def test_each_kind_says_what_the_solver_says(self) -> None:
        seen: set[Kind] = set()
        rng = random.Random(7)
        for state in played_states(rng, 600) + live_states(rng, 300) + only_move_states(20):
            distances = tablebase().action_distances(state)
            wins = [action for action, n in distances.items() if n % 2]
            best = tablebase().probe_distance(state)
            first = [m for m in ranked_moves(tablebase(), state) if m.rank == 0]
            for action, distance in distances.items():
                v = judge(tablebase(), state, action)
                seen.add(v.kind)
                self.assertEqual(
                    v.kind is Kind.COMPLETES, bool(winning_lines(play(state, action), action))
                )
                self.assertEqual(v.kind is Kind.OVERLOOKED, best == 1 and distance > 1)
                self.assertEqual(v.is_blunder, bool(wins) and action not in wins)
                if v.kind is Kind.ONLY_WIN:
                    self.assertEqual(wins, [action])
                if v.kind in (Kind.BEST, Kind.SLOWER):
                    self.assertGreater(len(wins), 1)
                    self.assertEqual(v.kind is Kind.BEST, distance == best)
                if v.kind in (Kind.TRAP, Kind.LONGEST, Kind.SHORTER):
                    self.assertFalse(wins)
                is_trap = first[0].kept is not None and action in [move.action for move in first]
                self.assertEqual(v.kind is Kind.TRAP, is_trap)
                if v.kind in (Kind.LONGEST, Kind.SHORTER):
                    self.assertEqual(v.kind is Kind.LONGEST, distance == best)
                self.assertEqual((v.distance, v.best_distance), (distance, best))
                self.assertEqual(distances[v.best], best)
        self.assertEqual(seen, set(Kind))

    def test_the_refutation_plays_to_the_end_in_the_distance_given(self) -> None:
        for state in played_states(random.Random(7), 40):
            for action in legal_actions(state):
                v = judge(tablebase(), state, action)
                after = play(state, action)
                for reply in v.replies:
                    self.assertFalse(is_terminal(after))
                    after = play(after, reply)
                self.assertTrue(is_terminal(after))
                self.assertEqual(1 + len(v.replies), v.distance)

    def test_in_a_lost_position_a_mistake_loses_at_once_or_three_moves_too_early(self) -> None:
        met = set()
        for state in played_states(random.Random(7), 600):
            best = tablebase().probe_distance(state)
            for action, distance in tablebase().action_distances(state).items():
                v = judge(tablebase(), state, action)
                self.assertEqual("?" in v.mark, v.is_mistake)
                if best % 2:
                    self.assertEqual((v.is_mistake, v.moves_too_early), ("??" in v.mark, 0))
                    continue
                hurried = distance == 2 < best
                hasty = hurried or best - distance >= 6
                self.assertEqual(v.is_mistake, hasty and v.kind is not Kind.TRAP)
                met.add((hurried, best - distance >= 6, v.is_mistake))
        self.assertGreaterEqual(len(met), 4, "each case was met")

    def test_one_example_as_the_story(self) -> None:
        for cell, kind, mark in (
            ("d1", Kind.BEST, "!"), ("b2", Kind.SLOWER, ""), ("a1", Kind.BLUNDER, "??")
        ):  # fmt: skip
            found = verdict("000001000000", cell)
            self.assertEqual((found.kind, found.mark), (kind, mark))


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
        best = [move.action for move in ranked_moves(tablebase(), state) if move.rank == 0]
        good = tablebase().winning_actions(state) or tuple(best)
        self.assertEqual(good_moves(tablebase(), state), good)
        hints = [hint(tablebase(), state, step) for step in (1, 2, 3)]
        self.assertEqual([h.cells for h in hints], [(), good, (best[0],)])
        move = hints[2].move
        self.assertEqual(move.action, best[0])
        if move.distance > 1:
            reply = move.replies[0]
            self.assertIn(reply, tablebase().optimal_actions(play(state, move.action)))


if __name__ == "__main__":
    unittest.main()
