"""Puzzles, lessons and reviews: what a try does, what counts, and which puzzle comes next."""

import unittest
from dataclasses import replace
from itertools import pairwise
from operator import gt

from tests.kit.sessions import after, do, new_session, task_of
from tests.play.test_commands import BEGIN
from traffic_lights.board.rules import format_board, is_terminal, legal_actions, parse_board
from traffic_lights.play import tasks
from traffic_lights.play.commands import COMMANDS, paste
from traffic_lights.play.game import format_position
from traffic_lights.play.lessons import LESSONS
from traffic_lights.play.puzzles import HARDEST
from traffic_lights.play.view import view

EASY = LESSONS[0].start
DAY = "2026-11-28"


def right(task: tasks.Task) -> tasks.Task:
    return task.answered(task.solutions[0])


def mistake_in(task: tasks.Task) -> int:
    return next(a for a in legal_actions(task.state) if a not in task.solutions)


def wrong(task: tasks.Task) -> tasks.Task:
    return task.answered(mistake_in(task))


class TryTests(unittest.TestCase):
    def test_a_lesson_is_ticked_only_if_it_was_solved(self) -> None:
        for names, ticked in ((("reveal",), ()), ((), (0,))):
            session = new_session()
            do(session, "lessons", *names)
            while not task_of(session).is_over:
                session.click(task_of(session).solutions[0])
            (task,) = session.ended
            self.assertEqual(tasks.PuzzleRecord().counted(task).lessons, ticked)

    def test_a_move_that_is_found_after_one_that_was_shown_is_right(self) -> None:
        session = new_session()
        session.lessons(len(LESSONS) - 1)
        do(session, "reveal")
        self.assertTrue(task_of(session).is_answered)
        self.assertRegex(view(session).detail, "^The move is ")
        session.click(task_of(session).solutions[0])
        self.assertRegex(view(session).detail, "^Right")


class EachKindTests(unittest.TestCase):
    def test_help_is_right_the_task_can_be_passed_on_and_the_game_waits(self) -> None:
        for name in (*BEGIN.split(), "review"):
            session = after(f"bots 0 7 1 6 2 {name}")  # with mistakes in a lost and a won position
            game = session.now.game
            for task in session.now.tasks:
                with self.subTest(task.title):
                    bad = mistake_in(task) if task.slip is None else task.slip.action
                    if task.slip is None:
                        session.click(bad)
                    hints = [session.hint() for _ in range(4)]
                    self.assertIn(hints[-1].move.action, task.solutions)
                    self.assertNotIn(bad, [cell for hint in hints for cell in hint.cells])
                    self.assertTrue(COMMANDS[task.then].typed)
                    do(session, "reveal")
                    self.assertIn(task_of(session).moves[0], task.solutions)
                    is_end = is_terminal(task_of(session).state) or task.slip is not None
                    self.assertFalse(is_end and view(session).solution)
                    if task.slip is None:
                        friend = new_session()
                        paste(friend, tasks.puzzle_to_share(task))
                        self.assertEqual(task_of(friend).start, task.start)
                do(session, "next_task")
            do(session, "leave")
            self.assertEqual(session.now.game, game)


class CountingTests(unittest.TestCase):
    def test_each_kind_of_result_is_kept(self) -> None:
        record = tasks.PuzzleRecord(mistakes=(format_position(EASY),))
        for kind in tasks.CountsAs:
            solved = right(tasks.puzzle_task(EASY, kind, day=DAY))
            is_kept = record.counted(solved) != record
            self.assertEqual(is_kept, kind is not tasks.CountsAs.NOTHING, kind)

    def test_what_is_solved_in_each_mode_reaches_the_results(self) -> None:
        for name in BEGIN.split():
            session = after(name)
            while not task_of(session).is_over:
                session.click(task_of(session).solutions[0])
            (task,) = session.ended
            self.assertNotEqual(tasks.PuzzleRecord().counted(task), tasks.PuzzleRecord(), name)

    def test_two_clean_ones_raise_the_level_and_any_other_lowers_it_and_says_so(self) -> None:
        record = tasks.PuzzleRecord()
        puzzle = tasks.puzzle_task(EASY, tasks.CountsAs.PUZZLE)
        levels = []
        clean = 3 * [right(puzzle)]
        for task in (wrong(puzzle).revealed(), *clean, right(wrong(puzzle))):
            record = record.counted(task)
            levels.append((record.difficulty, record.streak, record.is_easier))
        easier = [(1, 0, False), (1, 1, False), (2, 2, False), (2, 3, False), (1, 0, True)]
        self.assertEqual(levels, easier)
        self.assertRegex(
            tasks.PuzzleSource(1).next(record).text, "^This one is easier. Exactly one"
        )

    def test_the_puzzle_after_one_that_was_left_is_easier_already(self) -> None:
        session = new_session()
        session.puzzle_record = lambda: replace(tasks.PuzzleRecord(), difficulty=5)
        do(session, "puzzle")
        session.click(mistake_in(task_of(session)))
        do(session, "next_task")
        self.assertRegex(task_of(session).text, "^This one is easier")

    def test_a_puzzle_counts_once_and_one_that_is_left_as_tried(self) -> None:
        session = new_session()
        do(session, "puzzle", "leave")
        self.assertEqual(session.ended, [], "only looked at")
        do(session, "puzzle")
        session.click(mistake_in(task_of(session)))
        do(session, "leave")
        self.assertEqual(len(session.ended), 1)
        do(session, "todays_puzzle")
        session.click(task_of(session).solutions[0])
        do(session, "leave")
        self.assertEqual(
            [task.counts_as for task in session.ended],
            [tasks.CountsAs.PUZZLE, tasks.CountsAs.TODAY],
        )

    def test_todays_puzzle_is_there_again_as_it_was_left(self) -> None:
        task = tasks.todays_puzzle(tasks.PuzzleRecord(), DAY)
        record = tasks.PuzzleRecord().counted(right(wrong(task)))
        again = tasks.todays_puzzle(record, DAY)
        self.assertEqual((again.is_over, again.tries, again.is_counted), (True, 2, True))
        self.assertEqual(tasks.todays_puzzle(record, "2026-11-29").tries, 0)
        session = after("todays_puzzle")
        session.click(mistake_in(task_of(session)))
        do(session, "todays_puzzle")
        self.assertEqual(task_of(session).tries, 1)

    def test_a_win_that_was_thrown_away_returns_until_it_is_solved(self) -> None:
        state = parse_board("110000000000")
        record = tasks.PuzzleRecord().with_mistakes([state, state])
        self.assertEqual(record.mistakes, (format_position(state),))
        source = tasks.PuzzleSource(7)
        shown = [source.next(record) for _ in range(tasks.OWN_EVERY)]
        self.assertEqual(
            [task.counts_as is tasks.CountsAs.OWN for task in shown], [False, False, True]
        )
        self.assertEqual(record.counted(wrong(shown[-1])).mistakes, record.mistakes)
        self.assertEqual(record.counted(right(shown[-1])).mistakes, ())

    def test_mistakes_return_in_turn_and_long_wins_at_the_highest_level_alone(self) -> None:
        near, far = parse_board("110000000000"), parse_board("100000000000")
        for difficulty, mistakes in ((1, {near}), (HARDEST, {near, far})):
            record = tasks.PuzzleRecord(difficulty=difficulty).with_mistakes([near, far])
            source = tasks.PuzzleSource(7)
            shown = [source.next(record) for _ in range(4 * tasks.OWN_EVERY)]
            own = [task.start for task in shown if task.counts_as is tasks.CountsAs.OWN]
            self.assertEqual((len(own), {*own[:2]}, {*own[2:]}), (4, mistakes, mistakes))


class NextPuzzleTests(unittest.TestCase):
    def test_it_is_not_the_position_before_a_few_moves_later(self) -> None:
        for level in (3, 4, 5):
            source = tasks.PuzzleSource(level)
            record = replace(tasks.PuzzleRecord(), difficulty=level)
            boards = [format_board(source.next(record).start) for _ in range(30)]
            for one, other in pairwise(boards):
                self.assertTrue(any(map(gt, one, other)), (one, other))
