"""Puzzles and lessons in the window: by mouse and keyboard, and the game that waits for them."""

import builtins
from datetime import date
from unittest import mock

from tests.kit.sessions import task_of
from tests.kit.windows import WindowTestCase, add_test_bot, load_moves, settle
from traffic_lights.board.rules import STEPS, Action, format_cell, legal_actions
from traffic_lights.gui.main import context, explain
from traffic_lights.play import texts
from traffic_lights.play.game import HUMAN, parse_pasted
from traffic_lights.play.lessons import LESSONS
from traffic_lights.play.modes.lesson import LessonMode
from traffic_lights.play.modes.puzzles import PuzzleMode
from traffic_lights.play.modes.tasks import WinningMove
from traffic_lights.play.solving import Attempt, PuzzleRecord


class PuzzleWindowTests(WindowTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.app.context.make_puzzles()
        self.wait_for_puzzle()

    def wait_for_puzzle(self) -> None:
        self.wait(lambda: not self.app.why_not("puzzle"))

    @property
    def task(self) -> WinningMove:
        return task_of(self.app.session)

    def wrong_move(self) -> Action:
        puzzle = self.task
        return next(a for a in legal_actions(puzzle.state) if a not in puzzle.solutions)

    def test_a_wrong_move_is_refuted_on_the_board_and_the_right_one_explained(self) -> None:
        self.enterContext(mock.patch.object(explain, "STEP_MS", 100))
        self.key("<F12>")
        board, state = self.app.window.board, self.app.session.state
        self.assertEqual(self.heading, "You win in 2. Find the winning move.")
        wrong = self.wrong_move()
        self.click(wrong)
        tried = self.task.tried
        assert tried is not None
        refuted = state + STEPS[wrong] + STEPS[tried.replies[0]]
        self.assertEqual(board.picture.state, state + STEPS[wrong])
        self.wait(lambda: board.picture.state == refuted)
        self.assertIn(f"{format_cell(wrong)}: now the opponent wins", self.status)
        self.click(self.task.solutions[0])
        self.assertTrue(self.task.is_done)
        self.assertIn("the only winning move", self.status)
        self.assertEqual((self.heading, self.task.tries), ("Solved – 2 tries", 2))
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
        self.wait_for_puzzle()
        self.key("<Return>")
        self.assertNotEqual(self.app.session.state, first)
        self.wait_for_puzzle()
        self.key("<F6>")
        self.assertEqual(self.task.tries, 0)

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
        self.wait_for_puzzle()
        show = self.button("reveal")
        self.key("<space>", widget=show)
        self.assertTrue(self.task.is_done)
        self.assertIs(self.app.root.focus_get(), board)

    def test_the_game_waits_and_no_bot_plays_meanwhile(self) -> None:
        add_test_bot(self.app)
        load_moves(self.app, "1. a1 d3", bot_seat=1)
        saved = self.app.session.history.saved
        self.wait_for_puzzle()
        for command in ("puzzle", "todays_puzzle", "lessons"):
            self.wait(lambda name=command: not self.app.why_not(name))  # type: ignore[misc]
            self.app.run(command)
            self.click(self.wrong_move())
            self.assertEqual(self.app.session.history.saved, saved)
        self.click_on(self.button("leave"))
        self.assertEqual(self.app.session.history.saved, saved)
        self.assertTrue(self.app.session.is_your_turn)

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

    def test_a_puzzle_or_a_lesson_has_the_room_of_the_cards_and_of_show(self) -> None:
        window = self.app.window
        others = window.cards, window.panel.switches["mistakes"]

        def side() -> int:
            settle(self.app.root)
            return window.board.grid_place()[0]

        in_game = side()
        for command in ("puzzle", "lessons"):
            self.app.window.cards.swap.focus_force()
            self.app.run(command)
            self.assertGreater(side(), in_game + 10)
            self.assertFalse(any(widget.winfo_ismapped() for widget in others))
            self.assertIs(self.app.root.focus_get(), window.board)
            self.app.run("leave")
            self.assertEqual(side(), in_game)
            self.assertTrue(all(widget.winfo_ismapped() for widget in others))

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
        self.wait(lambda: not self.app.why_not("todays_puzzle"))
        self.click_on(self.button("todays_puzzle"))
        self.assertEqual(self.heading, "Solved – 2 tries")

    def test_a_click_reads_no_file_while_puzzles_are_made(self) -> None:
        self.app.run("puzzle")
        with mock.patch.object(builtins, "open", side_effect=AssertionError("a file is read")):
            self.click(self.task.solutions[0])
            self.app.context.make_puzzles()
            self.wait_for_puzzle()
            self.app.run("next_task")
            self.assertFalse(self.task.is_done)

    def test_a_win_thrown_away_in_a_game_is_kept(self) -> None:
        load_moves(self.app, "1. a1 d3 2. b1 d3 3. c1", bot_seat=0)
        self.assertTrue(self.app.session.shows_result)
        kept = [one.position for one in self.app.context.userdata.puzzles.mistakes]
        self.assertIn("1100/0000/0001", kept)

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
            self.wait_for_puzzle()
            main = self.button("puzzle" if lesson is LESSONS[-1] else "next_task")
            self.assertIn("Accent", str(main.cget("style")))
            self.key("<Return>")
        self.assertIsInstance(self.app.session.mode, PuzzleMode, "the first one")
        self.app.run("lessons")
        rows = self.app.window.panel.moves.get("1.0", "end-1c").split("\n")
        self.assertEqual([row.endswith("✓ ") for row in rows], [True] * len(LESSONS))

    def test_a_right_move_in_a_lesson_is_called_so_until_the_reply_comes(self) -> None:
        self.enterContext(mock.patch.object(explain, "STEP_MS", 100))
        self.app.session.begin(LessonMode(self.app.session, 3))
        self.app.context.changed()
        settle(self.app.root)
        self.click(self.task.solutions[0])
        self.assertFalse(self.task.is_done)
        self.assertEqual(self.status, "Right.")
        self.assertFalse(self.app.window.board.picture.inviting)
        self.wait(lambda: self.status != "Right.")
        self.assertEqual(self.app.window.board.picture.state, self.task.state)

    def test_the_panel_says_why_it_shows_no_values_yet(self) -> None:
        self.app.session.next_puzzle = Attempt(LESSONS[3].start)  # one that is not won at once
        self.key("<F12>")
        legend = self.app.window.panel.legend
        self.key("<F7>")
        self.assertFalse(self.app.window.board.picture.numbers)
        self.assertEqual(legend.cget("text"), texts.VALUES_HIDDEN)
        self.click(self.task.solutions[0])
        self.assertTrue(self.app.window.board.picture.numbers)
        self.assertIn("W 3 = wins", legend.cget("text"))

    def test_who_has_done_all_lessons_reads_each_with_its_tick_on_one_line(self) -> None:
        done = tuple(range(1, len(LESSONS) + 1))
        self.app.context.userdata.puzzles = PuzzleRecord(lessons=done)
        self.app.run("lessons")
        settle(self.app.root)
        moves = self.app.window.panel.moves
        for row in range(1, len(LESSONS) + 1):
            box = moves.bbox(f"{row}.end-1c")  # the blank after the tick, which is highlighted too
            self.assertTrue(box is not None and box[2], "it has room")

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
        self.enterContext(mock.patch.object(context, "READING_MS", (250, 0)))
        self.app.session.begin(PuzzleMode(self.app.session, Attempt(LESSONS[3].start)))
        self.click(self.task.solutions[0])
        explained = self.status
        self.app.run("copy")
        self.assertNotEqual(self.status, explained)
        self.wait(lambda: self.status == explained)
        self.click(0)
        self.assertNotEqual(self.status, explained)
        self.wait(lambda: self.status == explained)
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
