"""Puzzles: one winning move, no repetition, exact difficulty, and the same for every machine."""

import random
import unittest
from datetime import date
from itertools import islice
from operator import length_hint
from unittest import mock

from tests.kit.samples import live_states, tablebase
from traffic_lights.board.baselines import myopic_actions, quiet_actions
from traffic_lights.board.rules import format_cell
from traffic_lights.board.symmetry import canonical
from traffic_lights.play import puzzles
from traffic_lights.play.game import format_position

GOLDEN = (
    ("2200/2030/3022", "c3"),
    ("1001/3032/3003", "d1"),
    ("3302/1002/0303", "c1"),
    ("3013/2032/2002", "b1"),
    ("1023/0322/2002", "a2"),
)  # fmt: skip
"""The puzzles of five days from 23 November 2026; they must never change."""


class PuzzleTests(unittest.TestCase):
    def test_each_has_one_winning_move_and_none_comes_twice_in_200(self) -> None:
        last_seen: dict[int, int] = {}
        for number, puzzle in enumerate(islice(puzzles.puzzles(seed=7), 600)):
            self.assertEqual(puzzles.puzzle_at(puzzle.state), puzzle)
            image = canonical(puzzle.state)
            self.assertGreaterEqual(number - last_seen.get(image, -puzzles.APART), puzzles.APART)
            last_seen[image] = number

    def test_a_rare_one_is_looked_for_in_a_few_games_and_then_comes_again(self) -> None:
        games = [[one] for one in islice(puzzles.puzzles(seed=7), 2)] * 99
        with mock.patch.object(puzzles, "natural_puzzles", return_value=iter(games)):
            maker = puzzles.PuzzleMaker(seed=7)
        places = []
        for _ in range(4):
            maker.next(lambda _: True)
            places.append(len(games) - length_hint(maker._found))
        self.assertEqual(places, [1, 2, 23, 24])

    def test_a_position_is_a_puzzle_if_it_has_one_winning_move(self) -> None:
        for state in live_states(random.Random(7), 2000):
            found, winning = puzzles.puzzle_at(state), tablebase().winning_actions(state)
            self.assertEqual(found is not None, len(winning) == 1)
            if found is not None:
                self.assertEqual((found.best,), winning)
                self.assertEqual(2 * found.wins_in - 1, tablebase().get_distance(state))
                if found.wins_in > 1:
                    self.assertEqual(found.decoys, len({*quiet_actions(state)} - {*winning}))

    def test_a_seed_and_a_length_decide_the_puzzles(self) -> None:
        for wins_in in (None, 1, 4, 11):
            one, other = (list(islice(puzzles.puzzles(3, wins_in), 3)) for _ in range(2))
            self.assertEqual(one, other)
            if wins_in is not None:
                self.assertEqual({puzzle.wins_in for puzzle in one}, {wins_in})
        self.assertNotEqual(next(puzzles.puzzles(3)), next(puzzles.puzzles(4)))

    def test_myopic_solves_the_easiest_always_and_the_hardest_less_than_once_in_three(self) -> None:
        for difficulty in (1, puzzles.HARDEST):
            maker = puzzles.PuzzleMaker(seed=difficulty)
            for _ in range(100):
                puzzle = maker.next(lambda one, wanted=difficulty: one.difficulty == wanted)  # type: ignore[misc]
                among = myopic_actions(puzzle.state)
                self.assertIn(puzzle.best, among)
                self.assertTrue(len(among) == 1 if difficulty == 1 else len(among) > 3)

    def test_the_puzzles_of_five_days_never_change(self) -> None:
        days = [puzzles.puzzle_of_the_day(date(2026, 11, 23 + n)) for n in range(len(GOLDEN))]
        found = [(format_position(one.state), format_cell(one.best)) for one in days]
        self.assertEqual(tuple(found), GOLDEN)
