"""Puzzles: one winning move, no repetition, exact difficulty, and the same for every machine."""

import unittest
from datetime import date, timedelta
from itertools import islice

from tests.kit.samples import tablebase
from traffic_lights.board.baselines import myopic_actions, quiet_actions
from traffic_lights.board.rules import STEPS, format_cell, legal_actions
from traffic_lights.board.symmetry import canonical
from traffic_lights.play.game import format_position
from traffic_lights.play.puzzles import (
    APART,
    HARDEST,
    PuzzleMaker,
    PuzzlePosition,
    puzzle_at,
    puzzle_of_the_day,
    puzzles,
)

GOLDEN = (
    ("2200/2030/3022", "c3"),
    ("1001/3032/3003", "d1"),
    ("3302/1002/0303", "c1"),
    ("3013/2032/2002", "b1"),
    ("1023/0322/2002", "a2"),
)  # fmt: skip
"""The puzzles of five days from 23 November 2026; they must never change."""


def of_difficulty(difficulty: int, number: int) -> list[PuzzlePosition]:
    maker = PuzzleMaker(seed=difficulty)
    return [maker.next(lambda puzzle: puzzle.difficulty == difficulty) for _ in range(number)]


class PuzzleTests(unittest.TestCase):
    def test_each_has_one_winning_move_and_none_comes_twice_in_200(self) -> None:
        is_won, get_distance = tablebase().is_won, tablebase().get_distance
        last_seen: dict[int, int] = {}
        for number, puzzle in enumerate(islice(puzzles(seed=7), 600)):
            state = puzzle.state
            winning = [
                action for action in legal_actions(state) if not is_won(state + STEPS[action])
            ]
            self.assertEqual(winning, [puzzle.best])
            self.assertEqual(2 * puzzle.wins_in - 1, get_distance(state))
            image = canonical(state)
            self.assertGreaterEqual(number - last_seen.get(image, -APART), APART)
            last_seen[image] = number

    def test_a_seed_and_a_length_decide_the_puzzles(self) -> None:
        for wins_in in (None, 1, 4, 11):
            one, other = (list(islice(puzzles(3, wins_in), 3)) for _ in range(2))
            self.assertEqual(one, other)
            if wins_in is not None:
                self.assertEqual({puzzle.wins_in for puzzle in one}, {wins_in})
        self.assertNotEqual(next(puzzles(3)), next(puzzles(4)))

    def test_a_position_with_no_or_two_winning_moves_is_no_puzzle(self) -> None:
        for state in range(0, 1 << 24, 9973):
            if not tablebase().get_distance(state):
                continue
            found = puzzle_at(state)
            winning = tablebase().winning_actions(state)
            self.assertEqual(found is not None, len(winning) == 1)
            if found is not None and found.wins_in > 1:
                self.assertEqual(found.decoys, len(set(quiet_actions(state)) - set(winning)))


class DifficultyTests(unittest.TestCase):
    def test_myopic_solves_the_easiest_always_and_the_hardest_in_fewer_than_one_of_three(
        self,
    ) -> None:
        for puzzle in of_difficulty(1, 100):
            self.assertEqual(myopic_actions(puzzle.state), (puzzle.best,))
        for puzzle in of_difficulty(HARDEST, 100):
            self.assertIn(puzzle.best, myopic_actions(puzzle.state))
            self.assertGreater(len(myopic_actions(puzzle.state)), 3)


class DailyTests(unittest.TestCase):
    def test_the_puzzles_of_five_days_never_change(self) -> None:
        day = date(2026, 11, 23)
        puzzles = [puzzle_of_the_day(day + timedelta(number)) for number in range(len(GOLDEN))]
        found = [(format_position(one.state), format_cell(one.best)) for one in puzzles]
        self.assertEqual(tuple(found), GOLDEN)
