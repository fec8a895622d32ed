"""The lab: the checks of its steps take the answers, and refuse mistakes and empty stubs."""

import ast
import contextlib
import io
import re
import unittest
from typing import Any, Final

from tests.kit.lab import ANSWERS, LAB, answers, changed, run, steps
from tests.kit.samples import slow

QUICK: Final = (
    "GAMES = 120",
    "SAMPLE = 4",
    "SEEDS = (1,)",
    'against_it = tl.evaluate("random", "random", games=enough_games)',
)
"""Constants, and games of quick players, with which the lab takes some seconds, not minutes."""
MISTAKES: Final = {
    "no minus": ("max(-values[", "max(values["),
    "no return": ("    return values\n", ""),
    "one sweep": ("while new != values:", "for _ in range(1):"),
    "no move when all lose": ("safe or board.legal_moves)", "safe or [None])"),
    "only completes": ("(self.completing(board) or safe or board.legal_moves)[0]",
                       "super().choose(board)"),
    "blocks before it wins": ("(self.completing(board) or safe",
                              "(safe or self.completing(board)"),
    "too few games": ("= 1_600", "= 400"),
    "turns the sign at each move": ("in episode:\n",
                                    "in reversed(episode):\n            reward *= -1\n"),
    "a discount": ("in episode:\n", "in reversed(episode):\n            reward *= 0.9\n"),
    "SARSA": ("max(self.value(board, cell) for cell in board.legal_moves) for board, _ in",
              "self.value(board, cell) for board, cell in"),
    "the best move here": ("_ in episode[1:]", "_ in episode[:-1]"),
    "a discount of the next":
        ("max(self.value(board, cell) for cell in board.legal_moves) for board, _ in",
         "0.9 * max(self.value(board, cell) for cell in board.legal_moves) for board, _ in"),
    "a target too many": ("_ in episode[1:]", "_ in episode"),
    "the board is mirrored and not the cell": ("board.play(cell).canonical",
                                               "board.canonical, cell"),
    "too much is the same": ("board.play(cell).canonical",
                             "tuple(sorted(board.play(cell).colours))"),
    "Anna as she was": ("board = tl.Board()", "return super().play_game()"),
    "minus in front of both": ("target = 1.0", "target = -1.0"),
    "Ben as he was": ("Mirrors.choose(self, board)", "super().choose(board)"),
    "Q-learning": ("target = reward", "return super().learn(episode, reward)"),
    "the reward for each move": ("target = max(self.value(board, other) for other in "
                                 "board.legal_moves)", "pass"),
}  # fmt: skip
"""What a student might write: a passage of an answer, and what stands there instead."""


class LabTests(unittest.TestCase):
    def test_each_step_takes_its_answer_and_refuses_mistakes_and_an_empty_stub(self) -> None:
        names: dict[str, Any] = {}
        right, empty = steps("\n".join(answers()), *QUICK), steps(*QUICK)
        for step, answer in zip(right, answers(), strict=True):
            with contextlib.redirect_stdout(io.StringIO()):
                mistakes = [name for name, (old, _) in MISTAKES.items() if old in answer]
                self.assertGreater(len(mistakes), 1)
                for mistake in mistakes:
                    with self.subTest(step=step, mistake=mistake):
                        filling = answer.replace(*MISTAKES[mistake])
                        with self.assertRaises(AssertionError) as refused:
                            run(changed(right[step], filling), names)
                        self.assertTrue(str(refused.exception).startswith(step), refused.exception)
                with self.subTest(step=step), self.assertRaises(NotImplementedError) as stub:
                    run(empty[step], names)
                self.assertTrue(str(stub.exception).startswith(f"{step}: write"))
                if step == "step 5":  # which alone can see this mistake of step 4
                    value = "self.value(board, cell)"
                    by_board = answers()[3].replace(value, "self.values.get((board, cell), 0)")
                    with self.assertRaisesRegex(AssertionError, "^step 5: "):
                        run([*ast.parse(by_board).body, *right[step]], names)
                names = run(right[step], names)

    def test_each_part_is_complete(self) -> None:
        cells = re.split("(?m)^# %%.*", LAB.read_text("utf-8"))
        self.assertGreater(len(cells), 30)
        for cell in cells:
            compile(cell, "a cell", "exec")

    @slow
    def test_the_page_of_answers_shows_what_the_lab_prints(self) -> None:
        names: dict[str, Any] = {}
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            for part in steps("\n".join(answers())).values():
                names = run(part, names)
        shown = re.findall(r"^```text\n(.*?)^```$", ANSWERS.read_text("utf-8"), re.M | re.S)
        self.assertGreater(len(shown), 5)
        for text in shown:
            self.assertIn(text, out.getvalue())
