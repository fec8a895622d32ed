"""Exact scores: equal to a plain recursion over boards, and to the mean of many games."""

import random
import unittest
from collections.abc import Callable, Sequence
from itertools import product
from typing import Final, TypeAlias

from tests.kit.naive import Board, Place, after, from_text, is_over, moves, number_of_moves_made
from tests.kit.samples import horizon_actions, played_states
from tests.kit.trained import shipped
from traffic_lights.board.baselines import Policy
from traffic_lights.board.exact_score import ExactScore, exact_score, first_chance
from traffic_lights.board.rules import COLUMNS, State, format_board, parse_board, ply
from traffic_lights.learning.qtable import TableBot
from traffic_lights.players.roster import Roster
from traffic_lights.players.tables import table_strategy

Naive: TypeAlias = Callable[[Board], list[Place]]
"""The moves among which a player chooses on a board."""


def strategy(key: str) -> Policy:
    """Return the strategy of the player *key*."""
    found = ROSTER.entry(key).strategy()
    assert found is not None
    return found


PLY: Final = 20
ROSTER: Final = Roster()
YOUNG: Final = shipped("selfplay-10000")
COMPLETE: Final = shipped("complete")
RANDOM, ALTERNATE, MYOPIC, EXACT = map(strategy, ("random", "alternate", "myopic", "exact"))
PERFECT: Final = table_strategy(COMPLETE)


def naive_myopic(board: Board) -> list[Place]:
    """Return the winning moves; if none, those that stop the opponent; if none, all."""
    every = moves(board)
    wins = [move for move in every if is_over(after(board, move))]
    return wins or [move for move in every if not can_win(after(board, move))] or every


def can_win(board: Board) -> bool:
    return any(is_over(after(board, move)) for move in moves(board))


def naive_favouring(board: Board) -> list[Place]:
    """Return all moves, and those of Myopic a second time."""
    return [*moves(board), *naive_myopic(board)]


def favouring(state: State) -> tuple[int, ...]:
    return (*RANDOM.actions(state), *MYOPIC.actions(state))


def naive_lowest(board: Board) -> list[Place]:
    return moves(board)[:1]


def places(choices: Callable[[State], Sequence[int]]) -> Naive:
    """Return the player that chooses by *choices*, which the program has."""

    def choose(board: Board) -> list[Place]:
        state = parse_board("".join(str(colour) for row in board for colour in row))
        return [divmod(action, COLUMNS) for action in choices(state)]

    return choose


def naive_chance(board: Board, seats: tuple[Naive, Naive], known: dict[Board, float]) -> float:
    """Return the chance that Player 1 wins from the live *board*, by plain recursion."""
    if board not in known:
        mover = number_of_moves_made(board) % 2
        chosen = [after(board, move) for move in seats[mover](board)]
        known[board] = sum(
            1.0 - mover if is_over(board) else naive_chance(board, seats, known) for board in chosen
        ) / len(chosen)
    return known[board]


PLAYERS: Final[dict[str, tuple[Naive, Policy]]] = {
    "random": (moves, RANDOM),
    "myopic": (naive_myopic, MYOPIC),
    "horizon-3": (places(lambda state: horizon_actions(state, 3)), strategy("horizon-3")),
    "young": (places(TableBot(YOUNG, random.Random(0)).choices), table_strategy(YOUNG)),
    "favouring": (naive_favouring, Policy(favouring)),
}
"""By name: how each plays, and the same as a strategy of the program."""


class ExactScoreTests(unittest.TestCase):
    def test_late_games_have_the_chances_of_a_plain_recursion(self) -> None:
        # The rest of the game is small.
        late = [state for state in played_states(random.Random(7), 2000) if ply(state) == PLY]
        for start in sorted(set(late))[:2]:
            board = from_text(format_board(start))
            pairs = list(product(PLAYERS.items(), repeat=2))
            for (one, (way, first)), (other, (other_way, second)) in pairs[::4]:
                expected = naive_chance(board, (way, other_way), {})
                found = first_chance(first, second, start=start)
                self.assertAlmostEqual(found or 0.0, expected, places=12, msg=(one, other))

    def test_a_player_that_prefers_one_side_is_not_taken_for_its_mirror_image(self) -> None:
        lowest = Policy(lambda state: RANDOM.actions(state)[:1], is_symmetric=False)
        late = [state for state in played_states(random.Random(8), 2000) if ply(state) == 19]
        for start in sorted(set(late))[:3]:
            board = from_text(format_board(start))
            for way, policy in ((naive_lowest, lowest), PLAYERS["random"]):
                for ways, policies in (
                    ((naive_lowest, way), (lowest, policy)),
                    ((way, naive_lowest), (policy, lowest)),
                ):
                    found = first_chance(*policies, start=start)
                    self.assertAlmostEqual(found or 0.0, naive_chance(board, ways, {}))

    def test_the_golden_scores_of_the_complete_table_and_which_players_have_none(self) -> None:
        for opponent, first in (
            (RANDOM, 0.9999999227541932),
            (MYOPIC, 0.9985460329076888),
            (EXACT, 0.0),
        ):
            self.assertEqual(exact_score(PERFECT, opponent), ExactScore(first, 1.0))
        self.assertIsNone(exact_score(RANDOM, MYOPIC, budget=5000))
        self.assertIsNone(exact_score(PERFECT, ALTERNATE), "it tires at a moment that it draws")
