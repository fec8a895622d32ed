"""What the rules say against proofs, for one row and for all rows at once."""

import random
import unittest
from collections.abc import Iterator

from tests.kit.samples import IS_SLOW_RUN, played_states
from tests.kit.trained import shipped
from traffic_lights.board.positions import SLAB_SHIFT
from traffic_lights.board.rules import (
    ACTIONS_OF,
    CELLS,
    STEPS,
    Action,
    State,
    is_terminal,
    legal_actions,
    red_cells,
)
from traffic_lights.learning import checks
from traffic_lights.learning.checks import fault_of, first_fault
from traffic_lights.learning.qtable import QTable, dense_rows

LOSS = "a loss for an action that wins at once"
WIN = "a win for an action after which the opponent wins at once"


def wrong_value(state: State, action: Action) -> float:
    """Return the proof that the rules contradict, found without any table; 0 if there is none."""
    after = state + STEPS[action]
    if is_terminal(after):
        return -1.0
    return 1.0 if any(is_terminal(after + STEPS[reply]) for reply in legal_actions(after)) else 0.0


def moves(states: int) -> Iterator[tuple[State, Action]]:
    for state in sorted(set(played_states(random.Random(7), states))):
        for action in legal_actions(state):
            yield state, action


def table_of_allowed_proofs(*, dense: bool) -> QTable:
    table, rng = QTable(dense=dense), random.Random(8)
    for state, action in moves(400):
        if rng.random() < 0.7:
            table.set_value(state, action, -wrong_value(state, action) or rng.choice((-1.0, 1.0)))
    return table


class CheckTests(unittest.TestCase):
    def test_a_proof_is_wrong_if_it_contradicts_the_next_two_moves(self) -> None:
        for state, action in moves(100):
            wrong, bit = wrong_value(state, action), 1 << action
            loss, win = (
                fault_of(state, ruled_out=bit, wins=0),
                fault_of(state, ruled_out=0, wins=bit),
            )
            self.assertEqual(loss, LOSS if wrong < 0 else "")
            self.assertEqual(win, WIN if wrong > 0 else "")
            self.assertIn("a win and a loss", fault_of(state, ruled_out=bit, wins=bit))
            for red in ACTIONS_OF[red_cells(state)]:
                self.assertIn("a red cell", fault_of(state, ruled_out=1 << red, wins=0))
                self.assertIn("a red cell", fault_of(state, ruled_out=0, wins=1 << red))

    def test_one_wrong_proof_among_many_is_found(self) -> None:
        table = table_of_allowed_proofs(dense=False)
        self.assertIsNone(first_fault(table.proofs))
        wrong = [(*move, value) for move in moves(400) if (value := wrong_value(*move))]
        for state, action, value in random.Random(9).sample(wrong, 20):
            row = table.proofs[state]
            table.set_value(state, action, value)
            self.assertEqual(first_fault(table.proofs), (state, LOSS if value < 0 else WIN))
            table.proofs[state] = row

    def test_red_cells_and_completed_lines_make_no_row_suspect(self) -> None:
        proofs = shipped("complete").proofs
        assert isinstance(proofs, dict)
        self.assertEqual(list(checks._suspects_of_few(proofs)), [])

    def test_a_wrong_proof_of_any_action_is_found_in_a_dense_table(self) -> None:
        table = table_of_allowed_proofs(dense=True)
        if IS_SLOW_RUN:
            self.assertIsNone(first_fault(table.proofs))
        # The check names one row of each slab, so no two of the wrong rows share one.
        wrong: dict[int, State] = {}
        kinds = set()
        for state, action in moves(2000):
            value = wrong_value(state, action)
            if value and (action, value) not in kinds and state >> SLAB_SHIFT not in wrong:
                kinds.add((action, value))
                wrong[state >> SLAB_SHIFT] = state
                table.set_value(state, action, value)
        self.assertEqual(len(kinds), 2 * CELLS)
        found = list(checks._suspects_of_many(dense_rows("i", table.proofs)))
        self.assertEqual(found, sorted(wrong.values()))
