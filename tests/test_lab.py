"""The lab: the checks of its steps take the answers, and refuse mistakes and empty stubs."""

import contextlib
import io
import re
import unittest
from typing import Any, Final

from tests.kit.lab import ANSWERS, LAB, answers, changed, run, steps
from tests.kit.samples import slow

QUICK: Final = (
    "GAMES = 120",
    "SAMPLE = 10",
    "SEEDS = (1,)",
    'sample = tl.evaluate("random", "random", games=enough_games)',
)
"""Constants, and games of quick players, with which the lab takes some seconds, not minutes."""
MISTAKES: Final = {
    "step 1": {
        "no minus": """
            def value_iteration(boards):
                values, new = None, {board: -1 if board.winner else 0 for board in boards}
                while new != values:
                    values = new
                    new = {board: -1 if board.winner
                           else max(values[board.play(cell)] for cell in board.legal_moves)
                           for board in boards}
                return values
            """,
        "no return": """
            def value_iteration(boards):
                pass
            """,
        "one sweep": """
            def value_iteration(boards):
                values = {board: -1 if board.winner else 0 for board in boards}
                for board in boards:
                    if not board.winner:
                        moves = board.legal_moves
                        values[board] = max(-values[board.play(cell)] for cell in moves)
                return values
            """,
    },
    "step 2": {
        "no move when all lose": """
            class Blocks:
                def choose(self, board):
                    safe = [cell for cell in board.legal_moves if not self.wins(board.play(cell))]
                    return (self.wins(board) or safe or [None])[0]
            """,
        "only completes": """
            class Blocks:
                def choose(self, board):
                    return super().choose(board)
            """,
        "blocks before it wins": """
            class Blocks:
                def choose(self, board):
                    safe = [cell for cell in board.legal_moves if not self.wins(board.play(cell))]
                    return (safe or self.wins(board) or board.legal_moves)[0]
            """,
        "too few games": "enough_games = 400",
    },
    "step 3": {
        "turns the sign at each move": """
            class MonteCarlo:
                def learn(self, steps, reward):
                    for board, cell in reversed(steps):
                        self.move_towards(board, cell, reward)
                        reward = -reward
            """,
        "a discount": """
            class MonteCarlo:
                def learn(self, steps, reward):
                    for board, cell in reversed(steps):
                        self.move_towards(board, cell, reward)
                        reward = 0.9 * reward
            """,
    },
    "step 4": {
        "SARSA": """
            class QLearning:
                def targets(self, steps):
                    return [self.value(board, cell) for board, cell in steps[1:]]
            """,
        "the best move here": """
            class QLearning:
                def targets(self, steps):
                    return [self.value(board, self.choose(board)) for board, _ in steps[:-1]]
            """,
    },
    "step 5": {
        "the board is mirrored and not the cell": """
            class Mirrors:
                def key(self, board, cell):
                    return board.canonical, cell
            """,
        "too much is the same": """
            class Mirrors:
                def key(self, board, cell):
                    return tuple(sorted(board.play(cell).colours))
            """,
    },
    "step 6": {
        "Anna as she was": """
            class SoundAnna:
                def play_game(self):
                    super().play_game()
            """,
        "minus in front of both": """
            class SoundAnna:
                def play_game(self):
                    board = tl.Board()
                    while not board.winner:
                        cell = self.choose(board)
                        if self.rng.random() < 0.2:
                            cell = self.rng.choice(board.legal_moves)
                        then = board.play(cell)
                        target = 1.0 if then.winner else self.value(then, self.choose(then))
                        self.move_towards(board, cell, -target)
                        board = then
            """,
        "Ben as he was": """
            class SoundBen:
                def choose(self, board):
                    return super().choose(board)
            """,
    },
    "step 7": {
        "Q-learning": """
            class Backwards:
                def learn(self, steps, reward):
                    super().learn(steps, reward)
            """,
        "the reward for each move": """
            class Backwards:
                def learn(self, steps, reward):
                    for board, cell in reversed(steps):
                        self.move_towards(board, cell, reward)
            """,
    },
}
"""Fillings of the stubs that a student might write, by the step that must refuse them."""


class LabTests(unittest.TestCase):
    def test_each_step_takes_its_answer_and_refuses_mistakes_and_an_empty_stub(self) -> None:
        names: dict[str, Any] = {}
        right, empty = steps(answers(), *QUICK), steps(*QUICK)
        self.assertEqual(right.keys(), MISTAKES.keys())
        for step, mistakes in MISTAKES.items():
            with contextlib.redirect_stdout(io.StringIO()):
                for mistake, filling in mistakes.items():
                    with self.subTest(step=step, mistake=mistake):
                        with self.assertRaises(AssertionError) as refused:
                            run(changed(right[step], filling), names)
                        self.assertTrue(str(refused.exception).startswith(step), refused.exception)
                with self.subTest(step=step), self.assertRaises(NotImplementedError) as stub:
                    run(empty[step], names)
                self.assertTrue(str(stub.exception).startswith(f"{step}: write"))
                names = run(right[step], names)

    def test_each_cell_is_complete(self) -> None:
        cells = re.split("(?m)^# %%.*", LAB.read_text("utf-8"))
        self.assertGreater(len(cells), 30)
        for cell in cells:
            compile(cell, "a cell", "exec")

    @slow
    def test_the_page_of_answers_shows_what_the_lab_prints(self) -> None:
        names: dict[str, Any] = {}
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            for part in steps(answers()).values():
                names = run(part, names)
        shown = re.findall(r"^```text\n(.*?)^```$", ANSWERS.read_text("utf-8"), re.M | re.S)
        self.assertGreater(len(shown), 5)
        for text in shown:
            self.assertIn(text, out.getvalue())
