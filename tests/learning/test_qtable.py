"""The table, its policy and the learner that plays from it."""

from __future__ import annotations

import random
import unittest
from copy import copy

from tests.kit.trained import trained
from traffic_lights.board.rules import (
    ACTIONS_OF,
    ALL_CELLS,
    EMPTY_BOARD,
    STEPS,
    State,
    is_terminal,
    legal_actions,
    parse_board,
    play,
)
from traffic_lights.board.symmetry import canonical, map_action, orbit, to_canonical
from traffic_lights.learning.qtable import (
    LOST,
    WINS_SHIFT,
    EpsilonSchedule,
    QBot,
    QTable,
)
from traffic_lights.training.settings import RunSettings


def sample_states(rng: random.Random, count: int) -> list[State]:
    """Return live states met in random games."""
    states: list[State] = []
    while len(states) < count:
        state = EMPTY_BOARD
        while not is_terminal(state):
            states.append(state)
            state = play(state, rng.choice(legal_actions(state)))
    return states[:count]


def random_table(rng: random.Random, values: tuple[float, ...], *, dense: bool = False) -> QTable:
    """Return a table with random *values* in the rows of random states."""
    table = QTable(dense=dense)
    for state in sample_states(rng, 400):
        image = canonical(state)
        for action in legal_actions(image):
            if rng.random() < 0.5:
                table.set_value(image, action, rng.choice(values))
    return table


SIGNS = (-1.0, 1.0)
GRADES = (-1.0, -0.75, -0.5, 0.25, 0.5, 1.0)


class QTableTests(unittest.TestCase):
    def test_what_is_set_is_read_in_every_mirror_image(self) -> None:
        rng = random.Random(7)
        for state in sample_states(rng, 300):
            table = QTable()
            image, mirror = to_canonical(state)
            action = rng.choice(legal_actions(state))
            value = rng.choice(GRADES)
            table.set_value(image, map_action(action, mirror), value)
            for number, other in enumerate(orbit(state)):
                there = {a: table.value(other, a) for a in legal_actions(other)}
                with self.subTest(state=state, mirror=number):
                    self.assertIn(value, there.values())
                    self.assertEqual(table.row(other), {a: v for a, v in there.items() if v})
            self.assertEqual(table.value(state, action), value)

    def test_setting_a_value_again_replaces_it(self) -> None:
        table = QTable()
        for value in (0.5, -1.0, -0.25, 1.0, 0.0):
            table.set_value(EMPTY_BOARD, 3, value)
            self.assertEqual(table.value(EMPTY_BOARD, 3), value)
        self.assertEqual(table.row(EMPTY_BOARD), {})
        self.assertEqual(table.estimates, {})

    def test_best_actions_are_those_of_the_highest_value(self) -> None:
        rng = random.Random(8)
        for values in (SIGNS, GRADES):
            table = random_table(rng, values)
            for state in sample_states(rng, 500):
                highest = max(table.value(state, a) for a in legal_actions(state))
                expected = tuple(
                    a for a in legal_actions(state) if table.value(state, a) == highest
                )
                self.assertEqual(table.best_actions(state), expected)

    def test_decided_means_a_proven_win_or_nothing_but_proven_losses(self) -> None:
        rng = random.Random(9)
        table = random_table(rng, GRADES)
        for state in sample_states(rng, 1000):
            values = [table.value(state, a) for a in legal_actions(state)]
            self.assertEqual(table.is_proven(state), max(values) == 1 or max(values) == -1)

    def test_dense_and_sparse_tables_answer_alike(self) -> None:
        dense = random_table(random.Random(10), GRADES, dense=True)
        sparse = random_table(random.Random(10), GRADES)
        self.assertEqual(list(dense.rows()), list(sparse.rows()))
        self.assertEqual(list(dense.states()), list(sparse.states()))
        self.assertEqual(list(dense.lost_states()), list(sparse.lost_states()))
        for state in sparse.states():
            self.assertEqual(dense.canonical_row(state), sparse.canonical_row(state))

    def test_what_a_position_implies_of_the_move_into_it_never_contradicts_a_proof(self) -> None:
        table = trained(RunSettings("random", games=4000))
        implied = 0
        for state in table.states():
            for action, value in table.canonical_row(state).items():
                other = table.implied_value(state, action)
                if abs(value) == 1 and other:
                    self.assertEqual(other, value)
                    implied += 1
        self.assertGreater(implied, 100)

    def test_a_position_that_is_not_known_whole_implies_a_loss_or_nothing(self) -> None:
        table, after = QTable(), canonical(STEPS[2])
        self.assertEqual(table.implied_value(EMPTY_BOARD, 2), 0)
        for action in legal_actions(after):
            self.assertEqual(table.implied_value(EMPTY_BOARD, 2), 0)
            table.set_value(after, action, -0.5 - action / 100)
        self.assertEqual(table.implied_value(EMPTY_BOARD, 2), 0.5)
        table.set_value(after, 3, 0.25)
        self.assertEqual(table.implied_value(EMPTY_BOARD, 2), -0.25)
        last = parse_board("110000000000")
        self.assertEqual(table.implied_value(last, 2), 0, "the line is no belief")

    def test_rows_are_those_with_a_value_and_conceded_those_without_hope(self) -> None:
        table = random_table(random.Random(14), SIGNS)
        for state in sample_states(random.Random(15), 300):
            for action in legal_actions(canonical(state)):
                table.set_value(canonical(state), action, -1.0)
        rows = {state: table.canonical_row(state) for state in sorted(table.proofs)}
        rows = {state: row for state, row in rows.items() if row}
        self.assertEqual([state for state, _ in table.rows()], list(rows))
        for state, proofs in table.rows():
            closed = {action for action, value in rows[state].items() if value < 0}
            self.assertEqual(closed, set(ACTIONS_OF[proofs & ALL_CELLS]))
            self.assertEqual(rows[state].keys() - closed, set(ACTIONS_OF[proofs >> WINS_SHIFT]))
        conceded = [
            state
            for state, row in rows.items()
            if len(row) == len(legal_actions(state)) and max(row.values()) < 0
        ]
        self.assertEqual(list(table.lost_states()), conceded)
        self.assertGreater(len(conceded), 200)

    def test_reading_writes_nothing(self) -> None:
        table = random_table(random.Random(11), GRADES)
        before = copy(table.proofs), copy(table.estimates)
        for state in sample_states(random.Random(12), 2000):
            table.best_actions(state)
            table.row(state)
            table.row(state)
            table.is_proven(state)
            QBot(table, random.Random(1)).choose(state)
        self.assertEqual((table.proofs, table.estimates), before)

    def test_a_conceded_row_holds_no_winning_action(self) -> None:
        table = QTable()
        for action in legal_actions(EMPTY_BOARD):
            self.assertFalse(table.is_proven(EMPTY_BOARD))
            table.set_value(EMPTY_BOARD, action, -1.0)
        self.assertEqual(table.proofs[EMPTY_BOARD], LOST)


class QBotTests(unittest.TestCase):
    def test_it_chooses_only_and_all_of_its_choices(self) -> None:
        table = random_table(random.Random(13), SIGNS)
        bot = QBot(table, random.Random(14))
        state = parse_board("000000000001")
        chosen = {bot.choose(state) for _ in range(500)}
        self.assertEqual(chosen, set(bot.choices(state)))

    def test_a_table_of_first_ties_plays_the_lowest_action_of_the_canonical_board(self) -> None:
        rng = random.Random(15)
        table = random_table(rng, SIGNS)
        table.meta["ties"] = "first"
        bot = QBot(table, rng)
        for state in sample_states(rng, 300):
            image, mirror = to_canonical(state)
            first = play(image, table.best_actions(image)[0])
            choices = bot.choices(state)
            self.assertIn(map_action(table.best_actions(image)[0], mirror), choices)
            self.assertEqual({canonical(play(state, a)) for a in choices}, {canonical(first)})
            self.assertIn(bot.choose(state), choices)

    def test_equal_seeds_play_alike(self) -> None:
        table = random_table(random.Random(16), SIGNS)
        states = sample_states(random.Random(17), 200)
        one, other = (QBot(table, random.Random(18)) for _ in range(2))
        self.assertEqual(
            [one.choose(state) for state in states], [other.choose(state) for state in states]
        )


class ScheduleTests(unittest.TestCase):
    def test_epsilon_decays_per_game_down_to_its_floor(self) -> None:
        schedule = EpsilonSchedule(0.5, 0.1, 0.5)
        epsilon, seen = schedule.start, []
        for _ in range(4):
            seen.append(epsilon)
            epsilon = schedule.after(epsilon)
        self.assertEqual(seen, [0.5, 0.25, 0.125, 0.1])


if __name__ == "__main__":
    unittest.main()
