"""What the exact solution says of tables and players, next to plain searches on real boards."""

import random
import unittest
from collections.abc import Sequence
from functools import cache

from tests.kit.samples import tablebase
from tests.kit.trained import narrow, shipped
from traffic_lights.board import rules
from traffic_lights.board.games import PlayedGame
from traffic_lights.board.symmetry import canonical
from traffic_lights.judging.proof import Loss, Proof, Walked, find_loss, prove
from traffic_lights.learning.qtable import QTable, TableBot
from traffic_lights.players.tables import table_strategy


@cache
def walk_of(table: QTable) -> tuple[Sequence[Walked], Proof]:
    """Return the steps of the proof of a QBot, and the proof."""
    *steps, proof = prove(table_strategy(table))
    assert isinstance(proof, Proof)
    return [step for step in steps if isinstance(step, Walked)], proof


def naive_walk(table: QTable, seat: int, plies: int) -> tuple[int, int, int]:
    """Walk so many *plies* of all games of *seat*, on real boards.

    Return (positions, blunders, plies of the shortest game that is lost after a blunder).
    """
    bot = TableBot(table, random.Random(0))
    positions: dict[rules.State, int] = {}
    losses: list[int] = []
    layer = {(rules.EMPTY_BOARD, False)}
    for number in range(plies):
        following = set[tuple[rules.State, bool]]()
        for state, has_blundered in layer:
            actions, losing = rules.legal_actions(state), set[rules.Action]()
            if number % 2 == seat:
                actions = bot.choices(state)
                if tablebase().is_won(state):
                    losing = {*actions} - {*tablebase().winning_actions(state)}
                after = {canonical(state + rules.STEPS[action]) for action in losing}
                positions[canonical(state)] = len(after)
            following |= {(state + rules.STEPS[a], has_blundered or a in losing) for a in actions}
        layer = {one for one in following if not rules.is_terminal(one[0])}
        if number % 2 != seat and any(has_blundered for _, has_blundered in following - layer):
            losses.append(number + 1)
    return len(positions), sum(positions.values()), min(losses, default=99)


class ProofTests(unittest.TestCase):
    def test_the_complete_table_never_slips(self) -> None:
        proof = walk_of(shipped("complete"))[1]
        self.assertEqual((proof.first.blunders, proof.second.blunders), (0, 0))
        self.assertIsNone(proof.counterexample)
        # A pruned table has just the rows that it needs, in one seat or the other.
        rows = len(list(shipped("complete").states()))
        self.assertGreaterEqual(proof.positions, rows)
        self.assertLessEqual(max(proof.first.positions, proof.second.positions), rows)

    def test_the_walk_equals_one_on_real_boards_ply_by_ply(self) -> None:
        plies = 7
        table = narrow("selfplay-1000")
        walked, proof = walk_of(table)
        for seat, end in enumerate((proof.first, proof.second)):
            own = [step for step in walked if step.seat == seat]
            self.assertEqual([step.ply for step in own], list(range(len(own))))
            self.assertEqual(own[-1], end)
            step = own[min(plies, len(own)) - 1]
            naive = naive_walk(table, seat, plies)
            self.assertEqual((step.positions, step.blunders), naive[:2], seat)

    def test_a_young_table_is_beaten_by_the_shortest_game(self) -> None:
        table = narrow("selfplay-1000")
        _, proof = walk_of(table)
        assert proof.counterexample is not None
        game, bot = PlayedGame(proof.counterexample), TableBot(table, random.Random(0))
        seat, blunders = 1 - game.winner, 0
        for state, action in zip(game.states(), game.actions, strict=True):
            self.assertFalse(rules.is_terminal(state))
            if rules.mover(state) == seat:
                self.assertIn(action, bot.choices(state), rules.format_board(state))
                wins = tablebase().winning_actions(state)
                blunders += bool(wins) and action not in wins
        self.assertTrue(rules.is_terminal(rules.play(state, action)))
        self.assertGreater(blunders, 0)
        shortest = min(naive_walk(table, seat, len(game.actions))[2] for seat in (0, 1))
        self.assertEqual(len(game.actions), shortest)
        loss = find_loss(table_strategy(table))
        self.assertEqual((loss, loss and loss.seat), (Loss(proof.counterexample), seat))
