"""Puzzles and lessons in the window, and the game that waits for them."""

from functools import partial

from tests.kit.person import PersonTestCase
from tests.kit.samples import tablebase
from traffic_lights.board.rules import format_cell, legal_actions, parse_board
from traffic_lights.play.lessons import LESSONS


class PuzzleTests(PersonTestCase):
    def moves(self) -> tuple[list[str], list[str]]:
        """Return the winning moves of the position on the board, and the others."""
        state = parse_board(self.lamps.replace("/", ""))
        winning = tablebase().winning_actions(state)
        others = [action for action in legal_actions(state) if action not in winning]
        return [*map(format_cell, winning)], [*map(format_cell, others)]

    def steps(self) -> int:
        """Return how many steps the lamps on the board have made."""
        return sum(map(int, self.lamps.replace("/", "")))

    def test_a_wrong_move_is_refuted_and_the_right_one_explained(self) -> None:
        self.click("b2")
        self.see("move 3")
        waiting = self.lamps
        self.key("F12")
        self.see("Find the winning move.")
        (right,), wrong = self.moves()
        before = self.steps()
        self.click(wrong[0])
        self.see(f"{wrong[0]}: now the opponent wins")
        self.wait(lambda: self.steps() == before + 2, "the move and its reply")
        self.click(right)
        self.see("Solved – 2 tries", f"{right} completes three")
        self.key("Control-c")
        self.assertIn("I solved it in 2 tries. Can you?", self.copied())
        self.key("Escape")
        self.see("Your turn")
        self.assertEqual(self.lamps, waiting)

    def test_the_keyboard_alone_is_enough_and_hints_are_counted(self) -> None:
        self.key("p")
        first = self.lamps
        (right,), _ = self.moves()
        self.key("h", "h", "h")
        self.see(right)
        self.key(*right)
        self.see("Solved – 1 try, 3 hints")
        self.key("Return")
        self.see("Find the winning move.")
        self.assertNotEqual(self.lamps, first)
        before = self.lamps
        self.key("F6")
        self.assertNotEqual(self.lamps, before)

    def test_a_move_found_at_once_counts_for_the_streak_also_after_a_restart(self) -> None:
        self.key("F12")
        (right,), _ = self.moves()
        self.click(right)
        self.see("Right at the first try", "Streak at the first try: 1")
        self.restart()
        self.pick("Game", "Statistics")
        self.see("Streak at the first try: 1")

    def test_the_puzzle_of_the_day_can_be_shared_and_pasted(self) -> None:
        self.key("F12")
        self.press("Today's Puzzle")
        self.see("Everyone has the same one today")
        position = self.lamps
        self.key("Control-c", "Escape")
        shared = self.copied()
        self.assertIn(position, shared)
        self.paste(shared)
        self.see("Find the winning move")
        self.assertEqual(self.lamps, position)

    def is_answered(self, before: str) -> bool:
        """Return whether the lesson is done, or a move and a reply have followed *before*."""
        made = sum(map(int, self.lamps.replace("/", ""))) - sum(map(int, before.replace("/", "")))
        return "Done." in self.text or made == 2

    def test_the_lessons_lead_by_return_to_the_first_puzzle_and_a_click_begins_one(self) -> None:
        self.pick("Learn", "How to Win")
        for number, lesson in enumerate(LESSONS, 1):
            self.see(f"Lesson {number} of 5: {lesson.title}")
            while "Done." not in self.text:
                before = self.lamps
                best = tablebase().optimal_actions(parse_board(before.replace("/", "")))
                self.click(format_cell(best[0]))
                self.wait(partial(self.is_answered, before), "the reply")
            self.see(f"{lesson.title} ✓")
            self.key("Return")
        self.see("Find the winning move.")
        self.pick("Learn", "How to Win")
        self.press(LESSONS[3].title)
        self.see("Lesson 4 of 5")
