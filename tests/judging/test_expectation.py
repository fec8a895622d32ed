"""Exact scores: equal to a plain recursion, and to what many games come to."""

from __future__ import annotations

import random
import unittest
from collections.abc import Callable
from typing import Final, TypeAlias

from tests.kit.naive import (
    Board,
    Place,
    after,
    from_text,
    is_over,
    moves,
    number_of_moves_made,
)
from tests.kit.samples import IS_SLOW_RUN, live_states, played_states
from tests.kit.trained import narrow, shipped
from traffic_lights.board.rules import COLUMNS, State, format_board, parse_board, ply
from traffic_lights.board.symmetry import canonical
from traffic_lights.judging.evaluation import evaluate
from traffic_lights.judging.expectation import (
    RANDOM,
    Expectation,
    expectation,
    first_chance,
    manner_of,
)
from traffic_lights.learning.qtable import QBot, QTable
from traffic_lights.players.contestants import Contestant
from traffic_lights.players.horizon import horizon_actions

Naive: TypeAlias = Callable[[Board], list[Place]]
"""What a player chooses among, on a board."""
EXACT: Final = Contestant("exact")
MYOPIC, ALTERNATE = (manner_of(Contestant(name)) for name in ("myopic", "alternate"))
COMPLETE: Final = Contestant("complete", shipped("complete"))


def naive_myopic(board: Board) -> list[Place]:
    """Return the moves that win, else those that let the opponent win not at once, else all."""
    every = moves(board)
    wins = [move for move in every if is_over(after(board, move))]
    return wins or [move for move in every if not can_win(after(board, move))] or every


def can_win(board: Board) -> bool:
    return any(is_over(after(board, move)) for move in moves(board))


def naive_alternate(foresight: int) -> Naive:
    def choose(board: Board) -> list[Place]:
        sees = number_of_moves_made(board) // 2 < foresight
        return naive_myopic(board) if sees else moves(board)

    return choose


def naive_horizon(board: Board) -> list[Place]:
    return places(horizon_actions(state_of(board), 3))


def naive_qbot(table: QTable) -> Naive:
    bot = QBot(table, random.Random(0))
    return lambda board: places(bot.choices(state_of(board)))


def state_of(board: Board) -> State:
    return parse_board("".join(str(colour) for row in board for colour in row))


def places(actions: tuple[int, ...]) -> list[Place]:
    return [divmod(action, COLUMNS) for action in actions]


def naive_chance(board: Board, seats: tuple[Naive, Naive], known: dict[Board, float]) -> float:
    """Return the chance of Player 1 to win from the live *board*, by plain recursion."""
    if board not in known:
        mover = number_of_moves_made(board) % 2
        chosen = [after(board, move) for move in seats[mover](board)]
        known[board] = sum(
            1.0 - mover if is_over(board) else naive_chance(board, seats, known) for board in chosen
        ) / len(chosen)
    return known[board]


YOUNG: Final = shipped("selfplay-10000")
NAIVE: Final[dict[str, Naive]] = {
    "random": moves,
    "myopic": naive_myopic,
    "horizon-3": naive_horizon,
    "young": naive_qbot(YOUNG),
}
MANNERS: Final = {
    name: manner_of(Contestant(name, YOUNG if name == "young" else None)) for name in NAIVE
}


def cut_games(count: int) -> list[State]:
    """Return *count* positions after 18 moves, from which the rest of the game is a small one."""
    rng = random.Random(7)
    states: set[State] = set()
    while len(states) < count:
        states |= {state for state in played_states(rng, 500) if ply(state) == 18}
    return sorted(states)[:count]


class PlainRecursionTests(unittest.TestCase):
    def test_a_cut_game_has_the_chances_of_a_plain_recursion(self) -> None:
        for start in cut_games(3):
            board = from_text(format_board(start))
            for one in NAIVE:
                for other in NAIVE:
                    with self.subTest(start=format_board(start), one=one, other=other):
                        chance = naive_chance(board, (NAIVE[one], NAIVE[other]), {})
                        found = first_chance(MANNERS[one], MANNERS[other], start=start)
                        self.assertAlmostEqual(found or 0.0, chance, places=12)

    def test_the_hidden_foresight_of_alternate_is_averaged(self) -> None:
        for start in cut_games(3):
            board = from_text(format_board(start))
            for other in ("random", "myopic", "young"):
                chances = [
                    naive_chance(board, (naive_alternate(n), NAIVE[other]), {})
                    for n in range(10, 21)
                ]
                found = first_chance(ALTERNATE, MANNERS[other], start=start)
                self.assertAlmostEqual(found or 0.0, sum(chances) / 11, places=12)

    def test_two_that_hide_their_foresight_meet(self) -> None:
        (start,) = cut_games(1)
        board = from_text(format_board(start))
        players = [naive_alternate(n) for n in range(10, 21)]
        chances = [naive_chance(board, (one, two), {}) for one in players for two in players]
        found = first_chance(ALTERNATE, ALTERNATE, start=start)
        self.assertAlmostEqual(found or 0.0, sum(chances) / len(chances), places=12)


class MannerTests(unittest.TestCase):
    def test_every_player_chooses_as_its_manner_says(self) -> None:
        rng = random.Random(7)
        names = ("random", "myopic", "horizon-2", "horizon-5", "exact")
        players = [*map(Contestant, names), COMPLETE, Contestant("young", YOUNG)]
        for state in map(canonical, live_states(rng, 40)):
            for player in players:
                bot = player.make_bot(rng)
                drawn = {canonical_after(state, bot.choose(state)) for _ in range(100)}
                said = manner_of(player).choices(state)
                self.assertEqual(drawn, {canonical_after(state, a) for a in said}, player.name)

    def test_alternate_keeps_to_myopic_for_any_number_of_moves_alike(self) -> None:
        left, chances = 1.0, []
        for number in range(22):
            chances.append(left * ALTERNATE.leaving(number))
            left *= 1 - ALTERNATE.leaving(number)
            if not left:
                break
        self.assertEqual([round(chance, 12) for chance in chances[:10]], [0] * 10)
        self.assertEqual([round(11 * chance, 9) for chance in chances[10:]], [1] * 11)


def canonical_after(state: State, action: int) -> State:
    return canonical(state + (1 << 22 - 2 * action))


class WholeGameTests(unittest.TestCase):
    def test_who_never_loses_scores_exactly_one(self) -> None:
        found = expectation(manner_of(COMPLETE), MYOPIC)
        assert found is not None
        self.assertEqual(found.second, 1.0)
        self.assertTrue(0 < found.first < 1)
        self.assertEqual(found.total, (found.first + 1) / 2)
        self.assertEqual(expectation(manner_of(COMPLETE), manner_of(EXACT)), Expectation(0.0, 1.0))

    def test_what_one_wins_the_other_loses(self) -> None:
        one, other = manner_of(COMPLETE), manner_of(Contestant("narrow", narrow("selfplay-10000")))
        found, mirrored = expectation(one, other), expectation(other, one)
        assert found is not None
        assert mirrored is not None
        self.assertAlmostEqual(found.first + mirrored.second, 1, places=12)
        self.assertAlmostEqual(found.total + mirrored.total, 1, places=12)

    def test_too_many_positions_are_given_up(self) -> None:
        self.assertIsNone(expectation(RANDOM, MYOPIC, budget=5000))
        self.assertIsNone(expectation(MYOPIC, manner_of(COMPLETE), budget=100))

    def test_many_games_come_to_the_exact_score(self) -> None:
        games = 1_000_000 if IS_SLOW_RUN else 2_000
        pairs = [(COMPLETE, "alternate"), (COMPLETE, "myopic"), (COMPLETE, "horizon-3")]
        if IS_SLOW_RUN:
            pairs += [(Contestant("myopic"), "myopic"), (Contestant("young", YOUNG), "alternate")]
        for bot, name in pairs:
            *_, row = evaluate(bot, [Contestant(name)], games, budget=10**7)
            assert row.exact is not None
            for score, exact in ((row.first, row.exact.first), (row.second, row.exact.second)):
                # Five standard errors; the seed is fixed, so this holds or it does not.
                error = (exact * (1 - exact) / score.games) ** 0.5
                self.assertLessEqual(abs(score.rate - exact), 5 * error + 1e-12, (bot.name, name))


if __name__ == "__main__":
    unittest.main()
