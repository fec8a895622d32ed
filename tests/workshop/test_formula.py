"""What a replay says: the reasons of proofs, and the formula."""

import unittest
from dataclasses import replace

from traffic_lights.board.rules import format_cell, is_terminal
from traffic_lights.learning.replay import GameReplay, ReplayStep
from traffic_lights.learning.rowtable import RowTable
from traffic_lights.play.game import parse_moves
from traffic_lights.workshop.formula import LONGEST_CHAIN, formula, proof

GAME = parse_moves("1. b2 b2 2. a3 c1 3. b2 d2 4. c1 c2 5. c1 d2 6. c2 d3 7. b1 d1 8. d3 b1")


def replay_of(count: int) -> GameReplay:
    """Return a replay whose last *count* moves are proven by each other."""
    last = len(GAME) - 1
    steps = []
    for number in range(last, last - count, -1):
        won = (last - number) % 2 == 0
        cause = None if number == last else number + 1
        value = 1.0 if won else -1.0
        steps.append(ReplayStep(number, GAME[number], 0.0, value, cause=cause))
    return GameReplay(GAME, 0, steps, RowTable(), RowTable())


class ProofTests(unittest.TestCase):
    def test_a_proof_goes_from_the_line_to_the_move_and_gives_each_reason(self) -> None:
        for count in range(1, 9):
            replay = replay_of(count)
            step = replay.steps[-1]
            terms = proof(replay, step)
            arrows = terms[1::2]
            self.assertEqual([arrow.text for arrow in arrows], ["→"] * len(arrows))
            shown = terms[::2]
            self.assertEqual(len(shown), min(count, LONGEST_CHAIN))
            self.assertEqual([term.is_new for term in shown], [False] * (len(shown) - 1) + [True])
            dots = [place for place, term in enumerate(shown) if term.text == "…"]
            self.assertEqual(dots, [1] if count > LONGEST_CHAIN else [])
            numbers = [int(term.text.partition(".")[0]) for term in shown if term.text != "…"]
            ends = range(step.number + 1, step.number + 1 + len(shown) - 1 - len(dots))
            self.assertEqual(numbers, [len(GAME), *reversed(ends)] if count > 1 else [len(GAME)])
            for term in shown:
                if term.text == "…":
                    continue
                number = int(term.text.partition(".")[0])
                self.assertEqual(term.text, f"{number}. {format_cell(GAME[number - 1])}")
                if number == len(GAME):
                    self.assertTrue(is_terminal(replay.state(number)))
                    self.assertEqual(term.words, "wins: completes\nthree")
                elif (len(GAME) - number) % 2 == 0:
                    self.assertEqual(term.words, "wins: every\nreply loses")
                else:
                    self.assertEqual(term.words, f"loses: allows\nmove {number + 1}")

    def test_a_loss_without_a_reply_in_the_game_is_known_otherwise(self) -> None:
        step = ReplayStep(4, GAME[4], 0.0, -1.0)
        replay = GameReplay(GAME, 0, [step], RowTable(), RowTable())
        (term,) = proof(replay, step)
        self.assertEqual(term.words, "loses: a reply\nis known to win")


class FormulaTests(unittest.TestCase):
    def test_the_terms_of_an_estimate_are_named_and_only_its_result_is_new(self) -> None:
        for step, target in (
            (ReplayStep(4, 0, -0.5, -0.4, 0.25), "value of the next turn"),
            (ReplayStep(4, 0, 0.5, 0.5625, 1.0), "result of the game"),
        ):
            with self.subTest(step=step):
                terms = formula(replace(step, target_name=target), 0.125)
                words = {term.words.replace("\n", " ") for term in terms}
                self.assertEqual(words, {"", "old value", "learning rate", target, "new value"})
                self.assertEqual([term for term in terms if term.is_new], [terms[-1]])
                text = "".join(term.text for term in terms[2:]).replace("−", "-")
                before, _, after = text.translate(str.maketrans("×", "*")).partition("=")
                found = eval(before)
                self.assertAlmostEqual(found, float(after), delta=0.01)
                self.assertNotIn("--", text, "a negative number has brackets after a sign")
