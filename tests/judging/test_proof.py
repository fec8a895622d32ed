"""What the exact solution says of tables and players, next to plain searches on real boards."""

import random
import unittest
from collections.abc import Sequence
from functools import cache

from tests.kit.samples import tablebase
from tests.kit.trained import narrow, shipped
from traffic_lights.board import rules
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


def naive_walk(table: QTable, seat: int, last_ply: int) -> tuple[int, int]:
    """Return (positions, blunders) of *seat* up to *last_ply*, walked on real boards."""
    bot = TableBot(table, random.Random(0))
    positions: dict[rules.State, int] = {}
    layer = {rules.EMPTY_BOARD}
    for _ in range(last_ply + 1):
        following: set[rules.State] = set()
        for state in layer:
            actions = rules.legal_actions(state)
            if rules.mover(state) == seat:
                actions = bot.choices(state)
                blunders = set[rules.State]()
                if tablebase().is_won(state):
                    losing = set(actions) - set(tablebase().winning_actions(state))
                    blunders = {canonical(state + rules.STEPS[action]) for action in losing}
                positions[canonical(state)] = len(blunders)
            following |= {state + rules.STEPS[a] for a in actions}
        layer = {state for state in following if not rules.is_terminal(state)}
    return len(positions), sum(positions.values())


def shortest_naive_loss(table: QTable, most_plies: int) -> int | None:
    """Return the plies of the shortest game lost after a blunder, by trying all games."""
    bot = TableBot(table, random.Random(0))
    found: list[int] = []
    for seat in (0, 1):
        layer = {(rules.EMPTY_BOARD, False)}
        for number in range(most_plies):
            following: set[tuple[rules.State, bool]] = set()
            for state, has_blundered in layer:
                is_bots = rules.mover(state) == seat
                for action in bot.choices(state) if is_bots else rules.legal_actions(state):
                    successor = state + rules.STEPS[action]
                    is_blunder = (
                        is_bots and tablebase().is_won(state) and tablebase().is_won(successor)
                    )
                    if not rules.is_terminal(successor):
                        following.add((successor, has_blundered or is_blunder))
                    elif has_blundered and not is_bots:
                        found.append(number + 1)
            layer = following
    return min(found, default=None)


class ProofTests(unittest.TestCase):
    def assert_beats(self, proof: Proof, table: QTable) -> int:
        """Check that *table* loses the counterexample after a blunder; return its plies."""
        assert proof.counterexample is not None
        bot, seat = TableBot(table, random.Random(0)), Loss(proof.counterexample).seat
        states, blunders = [rules.EMPTY_BOARD], 0
        for action in proof.counterexample:
            state = states[-1]
            self.assertFalse(rules.is_terminal(state))
            if rules.mover(state) == seat:
                self.assertIn(action, bot.choices(state), rules.format_board(state))
                was_won = tablebase().is_won(state)
                blunders += was_won and action not in tablebase().winning_actions(state)
            states.append(rules.play(state, action))
        self.assertTrue(rules.is_terminal(states[-1]))
        self.assertEqual(rules.mover(states[-1]), seat)
        self.assertGreater(blunders, 0)
        return len(states) - 1

    def test_the_complete_table_never_slips(self) -> None:
        proof = walk_of(shipped("complete"))[1]
        self.assertEqual((proof.first.blunders, proof.second.blunders), (0, 0))
        self.assertIsNone(proof.counterexample)
        # A pruned table has just the rows that it needs, in one seat or the other.
        rows = len(list(shipped("complete").states()))
        self.assertGreaterEqual(proof.positions, rows)
        self.assertLessEqual(max(proof.first.positions, proof.second.positions), rows)

    def test_the_walk_equals_one_on_real_boards_ply_by_ply(self) -> None:
        last_ply = 6
        table = narrow("selfplay-1000")
        walked, proof = walk_of(table)
        for seat, end in enumerate((proof.first, proof.second)):
            own = [step for step in walked if step.seat == seat]
            self.assertEqual([step.ply for step in own], list(range(len(own))))
            self.assertEqual(own[-1], end)
            step = own[min(last_ply, len(own) - 1)]
            naive = naive_walk(table, seat, last_ply)
            self.assertEqual((step.positions, step.blunders), naive, seat)

    def test_a_young_table_is_beaten_by_the_shortest_game(self) -> None:
        table = narrow("selfplay-1000")
        _, proof = walk_of(table)
        plies = self.assert_beats(proof, table)
        self.assertEqual(plies, shortest_naive_loss(table, plies))
        loss = find_loss(table_strategy(table))
        self.assertEqual(loss, Loss(proof.counterexample))
        self.assertEqual(loss.seat, plies % 2)
