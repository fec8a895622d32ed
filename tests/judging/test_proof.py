import random
import unittest
from collections.abc import Iterator

from tests.kit.samples import IS_SLOW_RUN, tablebase
from tests.kit.trained import narrow, proof_of, shipped, sparse
from traffic_lights.board.rules import (
    EMPTY_BOARD,
    LONGEST_GAME,
    STEPS,
    State,
    format_board,
    is_terminal,
    legal_actions,
    mover,
    play,
)
from traffic_lights.board.symmetry import canonical
from traffic_lights.judging.proof import Proof, Walked, prove
from traffic_lights.learning.qtable import QBot, QTable
from traffic_lights.players.bots import PlayedGame
from traffic_lights.players.roster import table_strategy


def walked(table: QTable) -> Iterator[Walked | Proof]:
    """Return what `prove` yields about the QBot of *table*."""
    return prove(table_strategy(table))


def naive_walk(table: QTable, seat: int, last_ply: int) -> tuple[int, int]:
    """Return (positions, slips) of *seat* up to *last_ply*, walked on real boards."""
    bot = QBot(table, random.Random(0))
    positions: dict[State, int] = {}
    layer = {EMPTY_BOARD}
    for _ in range(last_ply + 1):
        following: set[State] = set()
        for state in layer:
            actions = legal_actions(state)
            if mover(state) == seat:
                actions = bot.choices(state)
                slips = set[State]()
                if tablebase().is_won(state):
                    losing = set(actions) - set(tablebase().winning_actions(state))
                    slips = {canonical(state + STEPS[action]) for action in losing}
                positions[canonical(state)] = len(slips)
            following |= {state + STEPS[a] for a in actions}
        layer = {state for state in following if not is_terminal(state)}
    return len(positions), sum(positions.values())


def shortest_naive_loss(table: QTable, most_plies: int) -> int | None:
    """Return the plies of the shortest game lost after a slip, by trying all games."""
    bot = QBot(table, random.Random(0))
    found: list[int] = []
    for seat in (0, 1):
        layer = {(EMPTY_BOARD, False)}
        for number in range(most_plies):
            following: set[tuple[State, bool]] = set()
            for state, has_slipped in layer:
                is_bots = mover(state) == seat
                for action in bot.choices(state) if is_bots else legal_actions(state):
                    successor = state + STEPS[action]
                    slips = is_bots and tablebase().is_won(state) and tablebase().is_won(successor)
                    if not is_terminal(successor):
                        following.add((successor, has_slipped or slips))
                    elif has_slipped and not is_bots:
                        found.append(number + 1)
            layer = following
    return min(found, default=None)


class ProofTests(unittest.TestCase):
    def assert_beats(self, proof: Proof, table: QTable) -> PlayedGame:
        """Check that the counterexample is a game that *table* loses after a slip."""
        assert proof.counterexample is not None
        assert proof.beaten_seat is not None
        bot = QBot(table, random.Random(0))
        state, slips = EMPTY_BOARD, 0
        for action in proof.counterexample:
            self.assertFalse(is_terminal(state))
            if mover(state) == proof.beaten_seat:
                self.assertIn(action, bot.choices(state), format_board(state))
                was_won = tablebase().is_won(state)
                slips += was_won and action not in tablebase().winning_actions(state)
            state = play(state, action)
        self.assertTrue(is_terminal(state))
        self.assertNotEqual(1 - mover(state), proof.beaten_seat)
        self.assertGreater(slips, 0)
        return PlayedGame(EMPTY_BOARD, proof.counterexample, 1 - mover(state))

    def test_the_complete_table_never_slips(self) -> None:
        proof = proof_of(shipped("complete"))
        self.assertEqual((proof.first.slips, proof.second.slips), (0, 0))
        self.assertIsNone(proof.counterexample)
        self.assertIsNone(proof.beaten_seat)
        # A cut table has just the rows that it needs, in one seat or the other.
        rows = len(list(shipped("complete").states()))
        self.assertGreaterEqual(proof.positions, rows)
        self.assertLessEqual(max(proof.first.positions, proof.second.positions), rows)

    def test_the_walk_equals_one_on_real_boards(self) -> None:
        last_ply = LONGEST_GAME if IS_SLOW_RUN else 8
        for name in ("complete", "selfplay-1000", "selfplay-100000"):
            steps = [event for event in walked(narrow(name)) if isinstance(event, Walked)]
            for seat in (0, 1):
                step = [s for s in steps if s.seat == seat and s.ply <= last_ply][-1]
                with self.subTest(table=name, seat=seat):
                    naive = naive_walk(narrow(name), seat, last_ply)
                    self.assertEqual((step.positions, step.slips), naive)

    def test_a_young_table_is_beaten_by_the_shortest_game(self) -> None:
        for name in ("selfplay-1000", "selfplay-10000"):
            table = narrow(name)
            proof = proof_of(table)
            with self.subTest(table=name):
                game = self.assert_beats(proof, table)
                self.assertEqual(len(game.actions), shortest_naive_loss(table, len(game.actions)))

    def test_random_ties_are_all_walked(self) -> None:
        # All actions of an unknown position are choices, so far more can arise.
        wide = sparse(shipped("selfplay-1000"))
        wide.meta.pop("ties", None)
        steps = []
        for table in (wide, narrow("selfplay-1000")):
            walk = walked(table)
            steps.append(next(e for e in walk if isinstance(e, Walked) and e.ply == 5))
        self.assertGreater(steps[0].positions, 2 * steps[1].positions)
        self.assertGreater(steps[0].slips, 2 * steps[1].slips)
        positions, slips = naive_walk(wide, 0, 5)
        self.assertEqual((steps[0].positions, steps[0].slips), (positions, slips))

    def test_a_single_planted_slip_is_found_and_played(self) -> None:
        table = sparse(shipped("complete"))
        reply = next(s for s in sorted(table.states()) if tablebase().is_won(s) and mover(s) == 1)
        losing = next(
            a for a in legal_actions(reply) if a not in tablebase().winning_actions(reply)
        )
        for action in table.canonical_row(reply):
            table.set_value(reply, action, 0.0)
        table.set_value(reply, losing, 1.0)
        proof = proof_of(table)
        self.assertGreater(proof.second.slips, 0)
        self.assertEqual(proof.beaten_seat, 1)
        game = self.assert_beats(proof, table)
        self.assertIn(reply, [canonical(state) for state in game.states()])

    def test_progress_grows_ply_by_ply_and_ends_with_the_proof(self) -> None:
        *events, proof = walked(shipped("complete"))
        assert isinstance(proof, Proof)
        for seat, part in ((0, proof.first), (1, proof.second)):
            steps = [event for event in events if isinstance(event, Walked) and event.seat == seat]
            self.assertEqual([step.ply for step in steps], list(range(len(steps))))
            self.assertEqual([s.positions for s in steps], sorted(s.positions for s in steps))
            self.assertEqual((steps[-1].positions, steps[-1].slips), (part.positions, part.slips))
