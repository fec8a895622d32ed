import random
import tracemalloc
import unittest
from collections.abc import Iterable
from itertools import islice

from tests.kit import naive
from tests.kit.samples import IS_SLOW_RUN, late_states, live_positions, live_states, slow, tablebase
from traffic_lights.board.positions import members, position_set
from traffic_lights.board.rules import (
    EMPTY_BOARD,
    STEPS,
    State,
    format_board,
    is_terminal,
    legal_actions,
    parse_board,
    play,
)
from traffic_lights.board.tablebase import Tablebase


class WholeGameTests(unittest.TestCase):
    def test_the_golden_numbers(self) -> None:
        base = tablebase()
        self.assertEqual((base.won, base.lost, base.longest), (8_476_515, 562_168, 26))
        self.assertEqual(base.get_distance(EMPTY_BOARD), 26)
        openings = [24, 26, 26, 24, 26, 24, 24, 26, 24, 26, 26, 24]
        self.assertEqual([*base.action_distances(EMPTY_BOARD).values()], openings)

    @slow
    def test_it_takes_23_mb_to_solve(self) -> None:
        tracemalloc.start()
        self.addCleanup(tracemalloc.stop)
        Tablebase()
        _, peak = tracemalloc.get_traced_memory()
        self.assertLess(peak, 26e6)

    def test_late_positions_have_the_distances_of_a_naive_recursion(self) -> None:
        known: dict[naive.Board, int] = {}
        # 20 plies and more are 2,255,374 positions, which take minutes.
        for state in late_states(23 if IS_SLOW_RUN else 28):
            text = format_board(state)
            expected = naive.plies_to_the_end(naive.from_text(text), known)
            self.assertEqual(tablebase().get_distance(state), expected, text)

    def test_only_what_follows_from_the_proven_losses_is_known(self) -> None:
        rng, is_won = random.Random(14), tablebase().is_won
        late = list(late_states(27))
        lost = [state for state in late if not is_won(state) and rng.random() < 0.5]
        proven, known = Tablebase(position_set(lost)), set(lost)
        decided = 0
        for state in [*rng.sample(late, 1000), *lost]:
            ends = [s for a in legal_actions(state) if is_terminal(s := state + STEPS[a])]
            after = [proven.get_distance(state + STEPS[a]) for a in legal_actions(state)]
            losses = [n for n in after if n and n % 2 == 0]
            expected = 0
            if ends or losses:
                expected = 1 if ends else 1 + min(losses)
            elif state in known and all(after):
                expected = 1 + max(after)
            self.assertEqual(proven.get_distance(state), expected)
            decided += bool(expected)
        self.assertGreater(decided, 200)


class ProbeTests(unittest.TestCase):
    def test_a_position_is_worth_what_follows_from_its_successors(self) -> None:
        base = tablebase()
        states: Iterable[State] = live_states(random.Random(7), 5_000)
        for state in islice(members(live_positions()), 0, None, 8) if IS_SLOW_RUN else states:
            after = {action: play(state, action) for action in legal_actions(state)}
            wins = [a for a, s in after.items() if is_terminal(s) or not base.is_won(s)]
            moves = {action: 1 + base.get_distance(s) for action, s in after.items()}
            best = min(moves[a] for a in wins) if wins else max(moves.values())
            self.assertEqual(
                (
                    base.action_distances(state), tuple(base.action_distances(state)),
                    base.get_distance(state), base.is_won(state), base.winning_actions(state),
                    base.optimal_actions(state),
                ),
                (
                    moves, tuple(after), best, bool(wins), tuple(wins),
                    tuple(action for action, distance in moves.items() if distance == best),
                ),
                format_board(state),
            )  # fmt: skip
        over = parse_board("111000000000")
        self.assertEqual((base.get_distance(over), base.is_won(over)), (0, False))

    def test_the_best_line_takes_the_first_of_the_best_actions_to_the_end(self) -> None:
        for state in [EMPTY_BOARD, *live_states(random.Random(12), 300)]:
            for action in tablebase().principal_variation(state):
                self.assertEqual(action, tablebase().optimal_actions(state)[0])
                state = play(state, action)
            self.assertTrue(is_terminal(state))
