"""The shipped tables are what their commands make, and the complete one is perfect."""

import contextlib
import io
from itertools import islice

from tests.kit.samples import IS_SLOW_RUN, FolderTestCase, tablebase
from tests.kit.trained import shipped
from tests.make.qtables import COMMANDS, QTABLES, make
from traffic_lights.learning.tablefile import read_meta

SMALL = ("myopic-200.json", "myopic-1000.json")


class ShippedTableTests(FolderTestCase):
    def test_every_table_is_there_with_the_command_that_makes_it(self) -> None:
        self.assertLessEqual(set(COMMANDS), {path.name for path in QTABLES.glob("*.json")})
        for name, options in COMMANDS.items():
            (run,) = read_meta(QTABLES / name)["runs"]
            self.assertEqual(run["command"], f"python -m traffic_lights.train {options}")

    def test_the_small_ones_are_reproduced_to_the_byte(self) -> None:
        for name in COMMANDS if IS_SLOW_RUN else SMALL:
            with self.subTest(name=name), contextlib.redirect_stdout(io.StringIO()):
                make(name, self.folder / name)
                self.assertEqual((self.folder / name).read_bytes(), (QTABLES / name).read_bytes())

    def test_no_proof_contradicts_the_solver_and_the_complete_one_wins_fastest(self) -> None:
        for name in COMMANDS if IS_SLOW_RUN else (*SMALL, "complete.json"):
            table = shipped(name.removesuffix(".json"))
            for state in islice(table.states(), 0, None, 7):
                distances = tablebase().action_distances(state)
                for action, value in table.canonical_row(state).items():
                    if abs(value) == 1:  # else an estimate
                        is_win = distances[action] % 2 == 1
                        self.assertEqual(value > 0, is_win, (name, state, action))
                if name == "complete.json" and table.proven_result(state) >= 0:
                    fastest = {*tablebase().optimal_actions(state)}
                    self.assertLessEqual({*table.best_actions(state)}, fastest)
