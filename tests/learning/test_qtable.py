"""The table, its policy and the learner that plays from it."""

import random
import unittest

from tests.kit.samples import played_states
from tests.kit.trained import random_table
from traffic_lights.board.rules import Action, State, legal_actions, play
from traffic_lights.board.symmetry import canonical, map_action, orbit, to_canonical
from traffic_lights.learning.qtable import TableBot
from traffic_lights.learning.rowtable import RowTable

VALUES = (-1.0, -0.75, -0.5, 0.25, 0.5, 1.0)


def valued(table: RowTable, state: State) -> dict[Action, float]:
    """Return what each legal action in *state* counts as."""
    return dict.fromkeys(legal_actions(state), 0.0) | table.row(state)


class QTableTests(unittest.TestCase):
    def test_what_is_set_is_read_in_every_mirror_image_until_it_is_replaced(self) -> None:
        rng = random.Random(7)
        for state in played_states(rng, 300):
            table = RowTable()
            image, mirror = to_canonical(state)
            action = rng.choice(legal_actions(state))
            for value in rng.sample(VALUES, 3):
                table.set_value(image, map_action(action, mirror), value)
                self.assertEqual(table.row(state).get(action), value)
                for other in orbit(state):
                    there = valued(table, other)
                    self.assertIn(value, there.values())
                    self.assertEqual(table.row(other), {a: v for a, v in there.items() if v})
            self.assertNotIn(0.0, table.row(state).values(), "the others were never tried")
            table.set_value(image, map_action(action, mirror), 0.0)
            self.assertEqual(set(table.row(state).values()), {0.0}, "tried, and worth 0 so far")

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
