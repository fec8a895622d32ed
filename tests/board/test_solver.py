import random
import unittest
from collections.abc import Iterable

from tests.kit import naive
from tests.kit.samples import IS_SLOW_RUN, late_states, live_states, played_states, tablebase
from traffic_lights.board.positions import live_positions, members, position_set
from traffic_lights.board.rules import (
    CELLS,
    EMPTY_BOARD,
    STATE_CODES,
    STEPS,
    State,
    format_board,
    is_terminal,
    legal_actions,
    parse_board,
    play,
)
from traffic_lights.board.solver import NotLiveError, Tablebase

OPENINGS = [23, 25, 25, 23, 25, 23, 23, 25, 23, 25, 25, 23]


class GoldenNumberTests(unittest.TestCase):
    def test_won_and_lost_positions(self) -> None:
        self.assertEqual((tablebase().won, tablebase().lost), (8_476_515, 562_168))

    def test_the_empty_board_is_lost_in_26_and_nothing_lasts_longer(self) -> None:
        self.assertEqual((tablebase().probe_distance(EMPTY_BOARD), tablebase().longest), (26, 26))
        self.assertFalse(tablebase().is_won(EMPTY_BOARD))

    def test_the_openings(self) -> None:
        after = [tablebase().probe_distance(play(EMPTY_BOARD, cell)) for cell in range(CELLS)]
        self.assertEqual(after, OPENINGS)


class NaiveSolverTests(unittest.TestCase):
    """Against the naive recursion of tests/naive.py."""

    def check(self, first_ply: int) -> int:
        known: dict[naive.Board, int] = {}
        positions = 0
        for state in late_states(first_ply):
            text = format_board(state)
            expected = naive.plies_to_the_end(naive.from_text(text), known)
            self.assertEqual(tablebase().get_distance(state), expected, text)
            positions += 1
        return positions

    def test_all_late_positions(self) -> None:
        # 20 plies and more are 2,255,374 positions, which take minutes.
        if IS_SLOW_RUN:
            self.assertEqual(self.check(20), 2_255_374)
        else:
            self.assertEqual(self.check(26), 46_616)


def distance_by_rule(state: State) -> int:
    """Return what the distance of *state* must be, given those of its successors."""
    successors = [state + STEPS[action] for action in legal_actions(state)]
    distances = [
        0 if is_terminal(successor) else tablebase().probe_distance(successor)
        for successor in successors
    ]
    lost = [distance for distance in distances if distance % 2 == 0]
    return 1 + (min(lost) if lost else max(distances))


class RetrogradeRuleTests(unittest.TestCase):
    """A position's distance follows from its successors': with the end known, that proves all."""

    def check(self, states: Iterable[State]) -> int:
        positions = 0
        for state in states:
            if tablebase().probe_distance(state) != distance_by_rule(state):
                self.fail(f"{format_board(state)}: {tablebase().probe_distance(state)}")
            positions += 1
        return positions

    def test_positions_all_over_the_game(self) -> None:
        if IS_SLOW_RUN:
            self.assertEqual(self.check(members(live_positions())), 9_038_683)
        else:
            self.check(live_states(random.Random(7), 20_000))
            self.check(played_states(random.Random(8), 10_000))


class ProvenTests(unittest.TestCase):
    def test_only_what_follows_from_the_proven_losses_is_known(self) -> None:
        rng, is_won = random.Random(14), tablebase().is_won
        late = list(late_states(24))
        lost = [state for state in late if not is_won(state) and rng.random() < 0.5]
        self.assertEqual(Tablebase(list(live_positions())).longest, tablebase().longest)
        proven, known = Tablebase(position_set(lost)), set(lost)
        decided = 0
        for state in [*rng.sample(late, 3000), *lost]:
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
        self.assertGreater(decided, 500)


class ProbeTests(unittest.TestCase):
    def test_finished_positions_and_what_is_no_state_are_refused_by_name(self) -> None:
        over = parse_board("111000000000")
        for state in (over, -1, STATE_CODES, STATE_CODES - 1, 1 << 60):
            for probe in (tablebase().probe_distance, tablebase().action_distances,
                          tablebase().optimal_actions, tablebase().winning_actions):  # fmt: skip
                with self.subTest(state=state), self.assertRaises(NotLiveError):
                    probe(state)
        with self.assertRaisesRegex(NotLiveError, "over in 111000000000"):
            tablebase().probe_distance(over)
        self.assertEqual(tablebase().get_distance(over), 0)
        self.assertFalse(tablebase().is_won(over))

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
            distance = tablebase().probe_distance(state)
            self.assertEqual(len(line), distance)
            for left, action in zip(range(distance, 0, -1), line, strict=True):
                self.assertEqual(tablebase().probe_distance(state), left)
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
