"""A lesson is what training does with the same game."""

import random
import unittest

from traffic_lights.board.baselines import MYOPIC
from traffic_lights.board.rules import EMPTY_BOARD, STEPS, Action, legal_actions
from traffic_lights.board.symmetry import canonical
from traffic_lights.learning.afterstates import PROVEN_WIN, AfterstateTable, estimate_in
from traffic_lights.learning.episodes import Learner
from traffic_lights.learning.lesson import LessonStep, lesson
from traffic_lights.learning.qtable import EpsilonSchedule
from traffic_lights.learning.update_rules import Move, TrainingGames
from traffic_lights.training.settings import UPDATES

SCHEDULE = EpsilonSchedule(0.3, 0.3, 1.0)


class NotingGames(TrainingGames):
    """Training games that keep the moves of the last game."""

    last: list[Move]

    def __init__(self, learner: Learner, rule: str) -> None:
        super().__init__(learner, rule, 0.95, SCHEDULE, MYOPIC)

    def learn(self, moves: list[Move], own: range, result: int) -> None:
        self.last = moves
        super().learn(moves, own, result)


def on_the_board(moves: list[Move]) -> list[Action]:
    """Return actions from the empty board that lead through mirror images of *moves*."""
    state, actions = EMPTY_BOARD, []
    for _, _, after, _ in moves:
        same = canonical(after)
        action = next(a for a in legal_actions(state) if canonical(state + STEPS[a]) == same)
        actions.append(action)
        state += STEPS[action]
    return actions


class LessonTests(unittest.TestCase):
    def test_a_lesson_is_what_training_does_with_the_same_game(self) -> None:
        seen = {"moved": 0, "proven": 0}
        for rule in UPDATES:
            table = AfterstateTable()
            games, rng = NotingGames(Learner(table, 0.3), rule), random.Random(5)
            games.play(range(400), 0.3, rng)
            for number in range(400, 450):
                before = AfterstateTable.of(table)
                games.play([number], 0.3, rng)
                actions = on_the_board(games.last)
                steps = lesson(before, actions, number % 2, rule, 0.3, 0.95)
                self.assertEqual([s.number for s in steps], list(range(len(actions)))[::-1])
                for step, (_, _, after, _) in zip(steps, games.last[::-1], strict=True):
                    value = table.after_values[after]
                    with self.subTest(rule=rule, number=number, step=step):
                        if abs(step.new) == 1:
                            self.assertTrue(abs(value) >= PROVEN_WIN)
                            seen["proven"] += step.old != step.new
                        else:
                            self.assertEqual(step.new, estimate_in(value) / PROVEN_WIN)
                        if step.target is not None and abs(step.new) < 1:
                            moved = step.old + 0.3 * (step.target - step.old)
                            self.assertAlmostEqual(step.new, moved, delta=2.1 / PROVEN_WIN)
                            seen["moved"] += 1
        self.assertGreater(seen["moved"], 300)
        self.assertGreater(seen["proven"], 60)

    def test_a_lesson_leaves_the_table_alone_and_goes_by_any_mirror(self) -> None:
        table, actions = AfterstateTable(), [4, 4, 0, 7, 1, 7, 2]
        TrainingGames(Learner(table, 0.2), "terminal", 1.0, SCHEDULE, MYOPIC).play(
            range(300), 0.1, random.Random(3)
        )
        rows = {state: table.canonical_row(state) for state in table.states()}
        steps, turned = (
            lesson(table, game, 0, "terminal", 0.2, 1.0)
            for game in (actions, [11 - action for action in actions])
        )
        self.assertEqual(rows, {state: table.canonical_row(state) for state in table.states()})
        for one, other in zip(steps, turned, strict=True):
            self.assertEqual((one.old, one.target, one.new), (other.old, other.target, other.new))
        self.assertTrue(steps)

    def test_each_step_is_said_with_its_numbers(self) -> None:
        text = LessonStep(2, 5, -0.5, -0.2, 1.0).text(0.2)
        self.assertEqual(text, "Move 3, b2: −0.50 + 0.2 × (1.00 + 0.50) = −0.20.")
        self.assertIn("proven to win", LessonStep(9, 0, 0.4, 1.0).text(0.2))
        self.assertIn("nothing changes", LessonStep(1, 0, 0.0, 0.0).text(0.2))
