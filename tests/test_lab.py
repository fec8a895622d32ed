"""The lab: the checks of its steps take the answers, and refuse mistakes and empty stubs."""

import contextlib
import io
import re
import unittest
from typing import Any, Final

from tests.kit.lab import ANSWERS, LAB, answers, filled, run, steps
from tests.kit.samples import slow

QUICK: Final = {
    "GAMES": "120",
    "SAMPLE": "4",
    "SEEDS": "(1,)",
    "against_it": 'tl.evaluate("random", "random", games=enough_games)',
}
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
        self.enterContext(contextlib.redirect_stdout(io.StringIO()))
        for number, (text, answer) in enumerate(zip(steps(), answers(), strict=True), start=1):
            for name, value in QUICK.items():
                text = re.sub(f"(?m)^{name} = .*", f"{name} = {value}", text)
            wrong = {name: (text, answer.replace(*change)) for name, change in MISTAKES.items()}
            wrong = {name: pair for name, pair in wrong.items() if pair[1] != answer}
            self.assertGreater(len(wrong), 1)
            if number == 5:  # which alone can see this mistake of step 4
                cell, board = "self.value(board, cell)", "self.values.get((board, cell), 0)"
                wrong["by the board"] = answers()[3].replace(cell, board) + text, answer
            for mistake, pair in wrong.items():
                refused = self.assertRaisesRegex(AssertionError, f"^step {number}")
                with self.subTest(number, mistake=mistake), refused:
                    run(filled(*pair), names)
            with self.assertRaisesRegex(NotImplementedError, f"^step {number}: write"):
                run(filled(text, ""), names)
            names = run(filled(text, answer), names)

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
            for pair in zip(steps(), answers(), strict=True):
                names = run(filled(*pair), names)
        shown = re.findall(r"^```text\n(.*?)^```$", ANSWERS.read_text("utf-8"), re.M | re.S)
        self.assertGreater(len(shown), 5)
        for text in shown:
            self.assertIn(text, out.getvalue())
