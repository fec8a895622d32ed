"""Puzzles and lessons in the window: by mouse and keyboard, and the game that waits for them."""

from datetime import date
from unittest import mock

from tests.kit.sessions import task_of
from tests.kit.windows import WindowTestCase, load_moves
from traffic_lights.board.rules import STEPS, Action, format_cell, legal_actions
from traffic_lights.gui.main import explain, messages
from traffic_lights.play import texts
from traffic_lights.play.game import HUMAN, parse_pasted
from traffic_lights.play.lessons import LESSONS
from traffic_lights.play.modes.lesson import LessonMode
from traffic_lights.play.modes.puzzles import PuzzleMode
from traffic_lights.play.modes.tasks import WinningMove
from traffic_lights.play.solving import Attempt
from traffic_lights.play.verdicts import BEST_PLAY


class PuzzleWindowTests(WindowTestCase):
    @property
    def task(self) -> WinningMove:
        return task_of(self.app.session)

    def wrong_move(self) -> Action:
        puzzle = self.task
        return next(a for a in legal_actions(puzzle.state) if a not in puzzle.solutions)

    def test_a_wrong_move_is_refuted_on_the_board_and_the_right_one_explained(self) -> None:
        pass_time = self.hold(explain.STEP_MS)
        self.key("<F12>")
        board, state = self.app.window.board, self.app.session.state
        self.assertEqual(self.heading, "You win in 2. Find the winning move.")
        wrong = self.wrong_move()
        self.click(wrong)
        tried = self.task.tried
        assert tried is not None
        refuted = state + STEPS[wrong] + STEPS[tried.replies[0]]
        self.assertEqual(board.picture.state, state + STEPS[wrong])
        pass_time()
        self.assertEqual(board.picture.state, refuted)
        self.assertIn(f"{format_cell(wrong)}: now the opponent wins", self.status)
        self.click(self.task.solutions[0])
        self.assertTrue(self.task.is_done)
        self.assertIn("the only winning move", self.status)
        self.assertEqual((self.heading, self.task.attempt.tries), ("Solved – 2 tries", 2))
        (show_how,) = self.answers
        self.click_on(show_how)
        self.assertRegex(self.heading, "^After [a-d][1-3]$")
        self.assertRegex(
            self.status, r"^The opponent answers [a-d][1-3], and you have three \w+s\.$"
        )
        self.key("<Escape>")
        self.assertIsInstance(self.app.session.mode, PuzzleMode)
        self.key("<Escape>")
        self.assertTrue(self.app.session.is_your_turn)

    def test_the_keyboard_alone_is_enough(self) -> None:
        self.key("<Key-p>")
        first = self.app.session.state
        self.key("<Key-h>", "<Key-h>", "<Key-h>")
        self.assertEqual(self.task.attempt.hints, 3)
        best = format_cell(self.task.solutions[0])
        self.key(f"<Key-{best[0]}>", f"<Key-{best[1]}>")
        self.assertEqual(self.heading, "Solved – 1 try, 3 hints")
        self.key("<Return>")
        self.assertNotEqual(self.app.session.state, first)
        self.key("<F6>")
        self.assertEqual(self.task.attempt.tries, 0)

    def test_a_button_never_keeps_the_focus_where_no_key_does_anything(self) -> None:
        board = self.app.window.board
        hint = self.button("hint")
        hint.focus_force()
        self.key("<space>", widget=hint)
        self.assertIs(self.app.root.focus_get(), hint)  # a second press gives the next hint
        window = self.app.window
        for clicked in (hint, window.cards.turns, window.panel.switches["best-play"]):
            self.click_on(clicked)
            self.assertIs(self.app.root.focus_get(), board)
        self.key("<F12>")
        show = self.button("reveal")
        self.key("<space>", widget=show)
        self.assertTrue(self.task.is_done)
        self.assertIs(self.app.root.focus_get(), board)

    def test_results_are_shown_beside_the_board_and_in_the_statistics(self) -> None:
        self.app.run("puzzle")
        self.click(self.task.solutions[0])
        self.assertEqual(self.heading, "Right at the first try")
        shown = self.app.window.panel.moves.get("1.0", "end")
        self.assertEqual(self.app.window.panel.head.get("1.0", "end").strip(), "Puzzles")
        self.assertIn("Solved: 1 of 1", shown)
        waits = "Done returns to your game."
        self.assertEqual(self.app.window.panel.text.cget("text"), waits)
        self.assertEqual(self.app.context.userdata.puzzles.best_streak, 1)

    def test_todays_puzzle_is_reached_from_there_and_copied(self) -> None:
        self.app.run("puzzle")
        self.click_on(self.button("todays_puzzle"))
        today = self.app.session.today
        self.assertIn(f"Today's puzzle, {date.fromisoformat(today)}", self.status)
        start = self.task.attempt.start
        self.click(self.wrong_move())
        self.assertEqual(self.button("copy").cget("text"), "Copy Puzzle")
        self.click(self.task.solutions[0])
        self.assertEqual(self.button("copy").cget("text"), "Copy Result")
        self.click_on(self.button("copy"))
        self.assertEqual(self.status, "The result is on the clipboard.")
        self.assertEqual(parse_pasted(self.app.root.clipboard_get()), start)
        self.key("<Escape>", "<Escape>", "<Key-p>")
        self.click_on(self.button("todays_puzzle"))
        self.assertEqual(self.heading, "Solved – 2 tries")

    def test_a_win_thrown_away_in_a_game_is_kept(self) -> None:
        load_moves(self.app, "1. a1 d3 2. b1 d3 3. c1", bot_seat=0)
        self.assertTrue(self.app.session.shows_result)
        kept = [one.position for one in self.app.context.userdata.puzzles.mistakes]
        self.assertIn("1100/0000/0001", kept)

    def test_the_keyboard_stays_in_the_list_of_lessons(self) -> None:
        self.app.run("lessons")
        moves = self.app.window.panel.moves
        moves.focus_force()
        self.app.context.window.draw()
        self.assertIs(self.app.root.focus_get(), moves)

    def test_a_finished_lesson_explains_no_values(self) -> None:
        self.app.run("lessons")
        self.app.context.change(shown=BEST_PLAY)
        legend = self.app.window.panel.legend
        self.assertEqual(legend.cget("text"), texts.VALUES_HIDDEN)
        self.click(self.task.solutions[0])
        self.assertTrue(self.task.is_done)
        self.assertEqual(legend.cget("text"), "")

    def test_the_lessons_lead_to_the_first_puzzle_by_return_and_have_ticks_when_done(self) -> None:
        self.app.run("lessons")
        for number, lesson in enumerate(LESSONS):
            self.assertEqual(self.heading[:8], f"Lesson {number + 1}")
            self.assertIn(lesson.title, self.heading)
            panel = self.app.window.panel.moves
            self.assertIn(lesson.title, panel.get(*panel.tag_ranges("current")))
            while not self.task.is_done:
                self.click(self.task.solutions[0])
            self.assertIn("Done.", self.status)
            self.assertIn(f"{lesson.title} ✓", panel.get("1.0", "end"))
            main = self.button("puzzle" if lesson is LESSONS[-1] else "next_task")
            self.assertIn("Accent", str(main.cget("style")))
            self.key("<Return>")
        self.assertIsInstance(self.app.session.mode, PuzzleMode, "the first one")
        self.app.run("lessons")
        rows = self.app.window.panel.moves.get("1.0", "end-1c").split("\n")
        self.assertEqual([row.endswith("✓ ") for row in rows], [True] * len(LESSONS))

    def test_the_panel_says_why_it_shows_no_values_yet(self) -> None:
        # One that is not won at once.
        self.app.session.begin(PuzzleMode(self.app.session, Attempt(LESSONS[3].start)))
        legend = self.app.window.panel.legend
        self.key("<F7>")
        self.assertFalse(self.app.window.board.picture.values.numbers)
        self.assertEqual(legend.cget("text"), texts.VALUES_HIDDEN)
        self.click(self.task.solutions[0])
        self.assertTrue(self.app.window.board.picture.values.numbers)
        self.assertIn("W 3 = wins", legend.cget("text"))

    def test_a_click_on_the_title_of_a_lesson_begins_it(self) -> None:
        self.app.run("lessons")
        panel = self.app.window.panel.moves
        rows = [f"{number}\t {lesson.title} " for number, lesson in enumerate(LESSONS, 1)]
        self.assertEqual(panel.get("1.0", "end-1c").split("\n"), rows)
        box = panel.bbox("4.4")
        assert box is not None
        x, y, _, height = box
        panel.event_generate("<Button-1>", x=x + 2, y=y + height // 2)
        self.assertEqual(self.heading[:8], f"Lesson {3 + 1}")

    def test_a_solver_keeps_the_explanation_through_a_short_message(self) -> None:
        self.enterContext(mock.patch.object(messages, "READING_MS", (12_345, 0)))
        pass_time = self.hold(12_345)
        self.app.session.begin(PuzzleMode(self.app.session, Attempt(LESSONS[3].start)))
        self.click(self.task.solutions[0])
        explained = self.status
        self.app.run("copy")
        self.assertNotEqual(self.status, explained)
        pass_time()
        self.assertEqual(self.status, explained)
        self.click(0)
        self.assertNotEqual(self.status, explained)
        pass_time()
        self.assertEqual(self.status, explained)
        self.assertEqual([button.cget("text") for button in self.answers], ["Show How"])

    def test_lessons_are_offered_after_two_losses_at_the_lowest_level(self) -> None:
        level = self.app.context.roster.levels()[0]
        bot = self.app.context.player(level.key)
        for number in (1, 2):
            self.app.session.new_game((HUMAN, bot))
            for cell in (0, 11, 1, 2):
                request = self.app.session.request_bot()
                if request is None:
                    self.app.session.mode.click(cell)
                else:
                    self.app.session.answer_bot(request, cell)
            self.app.context.changed()
            self.assertEqual(bool(self.answers), number == 2)
        self.key("<Control-z>")
        self.assertEqual(self.answers, [], "nothing is lost now")
        self.key("<Control-y>")
        self.assertIn("Five short lessons", self.status, "with the end, the offer comes back")
        self.click_on(self.answers[0])
        self.assertIsInstance(self.app.session.mode, LessonMode)
