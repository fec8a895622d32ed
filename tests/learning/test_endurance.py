"""How long positions last by a table's proofs: exact where the table is complete."""

from __future__ import annotations

import random
import unittest

from traffic_lights.board.solver import Tablebase
from traffic_lights.learning.endurance import Endurance
from traffic_lights.learning.episodes import Learner, sweep
from traffic_lights.learning.qtable import CONCEDED, QTable
from traffic_lights.training.plans import starting_positions

FIRST_PLY = 22


class EnduranceTests(unittest.TestCase):
    def test_of_complete_knowledge_it_gives_the_distances_of_the_solver(self) -> None:
        """The learner sweeps the end of the game; there its plies must be the exact ones."""
        learner = Learner(QTable(dense=True), 1.0)
        by_ply = starting_positions()
        for ply in range(len(by_ply) - 1, FIRST_PLY - 1, -1):
            sweep(learner, by_ply[ply], random.Random(ply))
        endurance, tablebase = Endurance(learner.table), Tablebase()
        states = list(learner.table.states())
        lost = [state for state in states if learner.table.signs[state] == CONCEDED]
        self.assertGreater(len(lost), 1000)
        for state in lost:
            exact = tablebase.action_distances(state)
            self.assertEqual(endurance.plies_after_losing(state), exact)
        for state in random.Random(1).sample(states, 3000):
            if learner.table.signs[state] != CONCEDED:
                exact = tablebase.action_distances(state)
                wins = {action: n for action, n in exact.items() if n % 2}
                self.assertEqual(endurance.plies_after_winning(state), wins)


if __name__ == "__main__":
    unittest.main()
