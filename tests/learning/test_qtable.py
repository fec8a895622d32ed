"""The table, its policy and the learner that plays from it."""

import random
import unittest

from tests.kit.samples import played_states
from tests.kit.trained import random_table
from traffic_lights.board.rules import legal_actions, play
from traffic_lights.board.symmetry import canonical, map_action, orbit, to_canonical
from traffic_lights.learning.qtable import TableBot
from traffic_lights.learning.rowtable import RowTable


class QTableTests(unittest.TestCase):
    def test_what_is_set_is_read_in_every_mirror_image_until_it_is_replaced(self) -> None:
        rng = random.Random(7)
        for state in played_states(rng, 300):
            table = RowTable()
            image, mirror = to_canonical(state)
            action = rng.choice(legal_actions(state))
            for value in (*rng.sample((-1.0, -0.75, -0.5, 0.25, 0.5, 1.0), 3), 0.0):
                table.set_value(image, map_action(action, mirror), value)
                self.assertEqual(table.row(state)[action], value)
                after = canonical(play(state, action))
                for other in orbit(state):
                    same = {a for a in legal_actions(other) if canonical(play(other, a)) == after}
                    row = table.row(other)
                    self.assertTrue({*row} & same)
                    self.assertEqual({*row.values()}, {value}, "the others were never tried")

    def test_a_table_of_first_ties_plays_the_lowest_action_of_the_canonical_board(self) -> None:
        rng = random.Random(15)
        table = random_table(rng, 400, estimates=False)
        table.meta["ties"] = "first"
        bot = TableBot(table, rng)
        for state in played_states(rng, 300):
            image, mirror = to_canonical(state)
            first = table.best_actions(image)[0]
            choices = bot.choices(state)
            self.assertIn(map_action(first, mirror), choices)
            after = {canonical(play(state, action)) for action in choices}
            self.assertEqual(after, {canonical(play(image, first))})
