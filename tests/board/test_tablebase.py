import random
import tracemalloc
import unittest
from collections.abc import Iterable
from itertools import islice

from tests.kit import naive
from tests.kit.samples import IS_SLOW_RUN, late_states, live_positions, live_states, slow, tablebase
from traffic_lights.board.positions import members, position_set
from traffic_lights.board.rules import (
    CELLS,
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

OPENINGS = [23, 25, 25, 23, 25, 23, 23, 25, 23, 25, 25, 23]


class GoldenNumberTests(unittest.TestCase):
    def test_the_whole_game(self) -> None:
        base = tablebase()
        self.assertEqual((base.won, base.lost, base.longest), (8_476_515, 562_168, 26))
        self.assertEqual(base.get_distance(EMPTY_BOARD), 26)
        after = [base.get_distance(play(EMPTY_BOARD, cell)) for cell in range(CELLS)]
        self.assertEqual(after, OPENINGS)

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


def distance_by_rule(state: State) -> int:
    """Return what the distance of *state* must be, given those of its successors."""
    distances = [tablebase().get_distance(state + STEPS[a]) for a in legal_actions(state)]
    lost = [distance for distance in distances if distance % 2 == 0]
    return 1 + (min(lost) if lost else max(distances))


class RetrogradeRuleTests(unittest.TestCase):
    def test_each_distance_follows_from_those_of_the_successors(self) -> None:
        states: Iterable[State] = live_states(random.Random(7), 5_000)
        for state in islice(members(live_positions()), 0, None, 8) if IS_SLOW_RUN else states:
            if tablebase().get_distance(state) != distance_by_rule(state):
                self.fail(f"{format_board(state)}: {tablebase().get_distance(state)}")


class ProvenTests(unittest.TestCase):
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
    def test_a_finished_position_has_no_distance_and_is_not_won(self) -> None:
        over = parse_board("111000000000")
        self.assertEqual((tablebase().get_distance(over), tablebase().is_won(over)), (0, False))

    def test_crossing_a_ply_negates(self) -> None:
        for state in live_states(random.Random(10), 2000):
            distances = tablebase().action_distances(state)
            self.assertEqual(tuple(distances), legal_actions(state))
            for action, distance in distances.items():
                successor = play(state, action)
                wins = is_terminal(successor) or not tablebase().is_won(successor)
                self.assertEqual(distance % 2 == 1, wins)
            odd = tuple(action for action, n in distances.items() if n % 2)
            self.assertEqual(tablebase().winning_actions(state), odd)
            self.assertEqual(bool(odd), tablebase().is_won(state))

    def test_best_play_lasts_as_long_as_the_distance_says(self) -> None:
        for state in [EMPTY_BOARD, *live_states(random.Random(12), 300)]:
            line = tablebase().principal_variation(state)
            distance = tablebase().get_distance(state)
            self.assertEqual(len(line), distance)
            for left, action in zip(range(distance, 0, -1), line, strict=True):
                self.assertEqual(tablebase().get_distance(state), left)
                self.assertEqual(action, tablebase().optimal_actions(state)[0])
                state = play(state, action)
            self.assertTrue(is_terminal(state))

    def test_optimal_actions_hurry_when_won_and_delay_when_lost(self) -> None:
        for state in live_states(random.Random(13), 2000):
            distances = tablebase().action_distances(state)
            wins = [n for n in distances.values() if n % 2]
            target = min(wins) if wins else max(distances.values())
            best = tuple(a for a, n in distances.items() if n == target)
            self.assertEqual(tablebase().optimal_actions(state), best)
