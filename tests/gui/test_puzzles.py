"""Puzzles and lessons in the window, and the game that waits for them."""

from functools import partial

from tests.kit.person import PersonTestCase
from tests.kit.samples import tablebase
from traffic_lights.board.rules import format_cell, legal_actions, parse_board
from traffic_lights.play.lessons import LESSONS


class PuzzleTests(PersonTestCase):
    def state(self) -> int:
        return parse_board(self.lamps.replace("/", ""))

    def steps(self) -> int:
        """Return how many steps the lamps on the board have made."""
        return sum(map(int, self.lamps.replace("/", "")))

    def best(self) -> str:
        return format_cell(tablebase().optimal_actions(self.state())[0])

    def test_a_wrong_move_is_refuted_and_the_right_one_explained(self) -> None:
        self.click("b2")
        self.see("move 3")
        waiting = self.lamps
        self.key("F12")
        self.see("Find the winning move.")
        before, state, right = self.steps(), self.state(), self.best()
        winning = tablebase().winning_actions(state)
        wrong = format_cell(next(one for one in legal_actions(state) if one not in winning))
        self.click(wrong)
        self.see(f"{wrong}: now the opponent wins")
        self.wait(lambda: self.steps() == before + 2, "the move and its reply")
        self.click(right)
        self.see("Solved – 2 tries", f"{right} completes three")
        self.key("Control-c")
        self.assertIn("I solved it in 2 tries. Can you?", self.app.root.clipboard_get())
        self.key("Escape")
        self.see("Your turn")
        self.assertEqual(self.lamps, waiting)

    def test_the_keyboard_alone_is_enough_and_hints_and_a_streak_are_counted(self) -> None:
        self.key("p")
        self.key(*self.best())
        self.see("Right at the first try", "Streak at the first try: 1")
        self.restart()
        self.pick("Game", "Statistics")
        self.see("Streak at the first try: 1")
        self.key("Escape", "p")
        first, right = self.lamps, self.best()
        self.key("h", "h", "h")
        self.see(right)
        self.key(*right)
        self.see("Solved – 1 try, 3 hints")
        for key in ("Return", "F6"):  # the next one, and another
            self.key(key)
            self.see("Find the winning move.")
            self.assertNotEqual(self.lamps, first)
            first = self.lamps
        self.key(*self.best())
        self.pick("Game", "Statistics")
        self.press("Start Over…", "Start Over")
        self.key("Escape")
        self.see("Right at the first try", "Streak at the first try: 0")

    def test_the_puzzle_of_the_day_can_be_shared_and_pasted(self) -> None:
        self.key("F12")
        self.press("Today's Puzzle")
        self.see("Everyone has the same one today")
        position = self.lamps
        self.key("Control-c", "Escape")
        shared = self.app.root.clipboard_get()
        self.assertIn(position, shared)
        self.paste(shared)
        self.see("Find the winning move")
        self.assertEqual(self.lamps, position)

    def test_the_lessons_lead_by_return_to_the_first_puzzle_and_a_click_begins_one(self) -> None:
        self.pick("Learn", "How to Win")
        for number, lesson in enumerate(LESSONS, 1):
            self.see(f"Lesson {number} of 5: {lesson.title}")
            while "Done." not in self.text:
                answered = self.steps() + 2
                self.click(self.best())
                self.wait(partial(self.is_made, answered), "the reply")
            self.see(f"{lesson.title} ✓")
            self.key("Return")
        self.see("Find the winning move.")
        self.pick("Learn", "How to Win")
        self.press(LESSONS[3].title)
        self.see("Lesson 4 of 5")

    def is_made(self, steps: int) -> bool:
        return "Done." in self.text or self.steps() == steps
