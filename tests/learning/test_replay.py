"""A replay shows what training with the same game does, and what the bot knew before."""

import random
import unittest
from collections.abc import Callable, Sequence

from tests.learning.test_learner import NARROW
from traffic_lights.board.baselines import MYOPIC, Policy
from traffic_lights.board.rules import EMPTY_BOARD, STEPS, Action, legal_actions, parse_cell
from traffic_lights.board.symmetry import canonical
from traffic_lights.learning.afterstates import LOST, WIN, WON, AfterstateTable
from traffic_lights.learning.learner import Learner
from traffic_lights.learning.qtable import TableBot
from traffic_lights.learning.replay import UNTRIED_YET, GameReplay, ReplayStep, replay
from traffic_lights.learning.rowtable import RowTable
from traffic_lights.learning.update_rules import RESULT, UPDATE_RULES, Move


class NotingGames(Learner):
    """Training games that keep the moves of the last game."""

    last: Sequence[Move]

    def learn(self, game: Sequence[Move], seats: Sequence[int], result: int) -> None:
        self.last = game
        super().learn(game, seats, result)


def learner_by(rule: str, opponent: Policy | None) -> Callable[[AfterstateTable], Learner]:
    return lambda table: Learner(table, opponent, rule, alpha=0.3, gamma=0.95)


def on_the_board(moves: Sequence[Move]) -> list[Action]:
    """Return actions from the empty board that lead through mirror images of *moves*."""
    state, actions = EMPTY_BOARD, []
    for _, _, after in moves:
        same = canonical(after)
        action = next(a for a in legal_actions(state) if canonical(state + STEPS[a]) == same)
        actions.append(action)
        state += STEPS[action]
    return actions


class ReplayTests(unittest.TestCase):
    def test_a_replay_is_what_training_does_with_the_same_game(self) -> None:
        moved = proven = differences = changes = 0
        for rule, policy, games in (
            *((rule, MYOPIC, 150) for rule in UPDATE_RULES),
            ("terminal", NARROW, 600),
        ):
            table, rng = AfterstateTable(), random.Random(5)
            training = NotingGames(table, policy, rule, alpha=0.3, gamma=0.95)
            training.play(range(games), 0.3, rng)
            for number in range(games, games + 8 + games // 50):
                before = AfterstateTable.of(table)
                training.play([number], 0.3, rng)
                actions = on_the_board(training.last)
                found, other = (
                    replay(before, actions, number % 2, learner_by(rule, opponent))
                    for opponent in (MYOPIC, None)
                )
                steps = found.steps
                changes += self.changes_what_it_plays(found, table)
                differences += steps != other.steps
                self.assertEqual([s.number for s in steps], list(range(len(actions)))[::-1])
                self.assertEqual([s.action for s in steps], actions[::-1])
                self.assertEqual((found.seat, found.before), (number % 2, before))
                for place, (step, (_, _, after)) in enumerate(
                    zip(steps, training.last[::-1], strict=True)
                ):
                    with self.subTest(rule=rule, number=number, step=step):
                        if abs(step.new) == 1:
                            self.assertIn(table.status[after], (WON, LOST))
                            proven += step.old != step.new
                        else:
                            self.assertEqual(step.new, table.values[after] / WIN)
                        if step.target is None:
                            continue
                        known = UPDATE_RULES[rule]
                        is_result = place < 2 or known.target_name == RESULT
                        has_discount = place > 1 and known.uses_gamma
                        self.assertEqual("result" in step.target_name, is_result)
                        self.assertEqual("discounted" in step.target_name, has_discount)
                        if is_result:
                            discount = 0.95 ** (place // 2) if has_discount else 1
                            self.assertAlmostEqual(abs(step.target), discount)
                        if abs(step.new) < 1:
                            target = step.old + 0.3 * (step.target - step.old)
                            self.assertAlmostEqual(step.new, target, delta=1.1 / WIN)
                            moved += 1
        self.assertGreater(moved, 60)
        self.assertGreater(proven, 10)
        self.assertGreater(differences, 0)
        self.assertGreater(changes, 1)

    def changes_what_it_plays(self, found: GameReplay, after: AfterstateTable) -> bool:
        """Check which move is told as the first that the bot plays no more; return if there is."""
        now, then = (TableBot(table, random.Random(0)) for table in (after, found.before))
        for at in range(found.seat, len(found.actions), 2):
            state, played = found.state(at), found.actions[at]
            if played in then.choices(state) and played not in now.choices(state):
                assert found.change is not None
                self.assertEqual(found.change[0], at)
                self.assertIn(found.change[1], now.choices(state))
                return True
        self.assertIsNone(found.change)
        return False

    def test_who_beat_a_bot_reads_why_the_winning_move_teaches_nothing(self) -> None:
        actions = tuple(map(parse_cell, ("a1", "d3", "b1", "d2", "c1")))  # completes a line
        for rule in UPDATE_RULES:
            found = replay(RowTable(), actions, 1, learner_by(rule, MYOPIC))
            first = found.steps[0]
            why = "proven to win" if rule == "terminal" else "it is not the bot's own move"
            self.assertIn(why, first.text(0.2))

    def test_each_step_is_said_with_its_numbers(self) -> None:
        for step, text in (
            (ReplayStep(2, 5, -0.997, -0.9976, -1.0),  # an estimate never looks like a proof
             "Move 3, b2: −0.997 + 0.2 × (−1.000 + 0.997) = −0.998."),
            (ReplayStep(9, 11, -1.0, -1.0), "Move 10, d3: already proven to lose."),
            (ReplayStep(9, 11, 0.3, 0.3), "Move 10, d3: nothing changes."),
            (ReplayStep(9, 11, -1.0, -1.0, kept=-0.25),
             "Move 10, d3: proven to lose. An opponent may not find the win, so the bot still "
             "plays by its estimate of −0.25."),
            (ReplayStep(9, 11, 0.0, 0.1, 0.5, "best value", "", UNTRIED_YET, None, True),
             "Move 10, d3: 0.00 + 0.2 × (0.50 − 0.00) = 0.10. The move was unknown before. It "
             "rises because the best value is 0.50. That the game was lost does not count here."),
        ):  # fmt: skip
            self.assertEqual(step.text(0.2), text)
