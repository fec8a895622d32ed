"""A person who solves puzzles: tries, results, difficulty, mistakes that return, and lessons."""

import tempfile
import unittest
from dataclasses import replace
from itertools import islice
from pathlib import Path

from tests.kit.samples import tablebase
from tests.kit.sessions import BOT, do, new_session, play_all, task_of, why_not
from traffic_lights.board.rules import STEPS, Action, legal_actions, parse_board
from traffic_lights.play import texts
from traffic_lights.play.commands import COMMANDS, MODES, paste
from traffic_lights.play.game import HUMAN, Game, format_position, format_record, parse_pasted
from traffic_lights.play.lessons import LESSONS
from traffic_lights.play.modes.lesson import LessonMode
from traffic_lights.play.modes.puzzles import PuzzleMode, begin_puzzle, begin_todays_puzzle
from traffic_lights.play.modes.tasks import WinningMove
from traffic_lights.play.puzzles import HARDEST, puzzles
from traffic_lights.play.session import Session
from traffic_lights.play.solving import (
    DAYS_TO_SOLVE,
    FIRST_DIFFICULTY,
    MOST_MISTAKES,
    OWN_EVERY,
    TO_RISE,
    Attempt,
    OwnMistake,
    PuzzleRecord,
    PuzzleSource,
)
from traffic_lights.play.userdata import UserData
from traffic_lights.play.verdicts import good_moves, solutions, wins_in

TODAY = "2026-11-23"
NOON = 1_795_435_200.0
"""Noon of that day in UTC, in seconds since 1970."""


def on_board(puzzle: Attempt) -> PuzzleMode:
    """Return the mode of a player who solves *puzzle*."""
    return PuzzleMode(new_session(), puzzle)


def solved(puzzle: Attempt, *, wrong: int = 0, hints: int = 0) -> Attempt:
    """Return *puzzle*, solved after so many wrong tries and hints."""
    mode = on_board(puzzle)
    for _ in range(hints):
        mode.hint()
    right = mode.solutions
    wrong_moves = [action for action in legal_actions(puzzle.start) if action not in right]
    for action in wrong_moves[:wrong]:
        mode.click(action)
    mode.click(right[0])
    return puzzle


class SolvingTests(unittest.TestCase):
    def test_a_wrong_move_is_refuted_and_not_made_and_the_right_one_gets_its_reason(self) -> None:
        source = PuzzleSource(seed=3)
        for difficulty in range(1, HARDEST + 1):
            solving = on_board(source.next(PuzzleRecord(difficulty=difficulty), TODAY))
            state = solving.state
            for action in set(legal_actions(state)) - set(solving.solutions):
                solving.answer(action)
                self.assertTrue(solving.tried is not None and solving.tried.is_mistake)
                self.assertEqual(solving.state, state)
            (right,) = solving.solutions
            solving.answer(right)
            self.assertTrue(solving.is_done)
            self.assertFalse(solving.attempt.is_clean)
            self.assertEqual(solving.state, state + STEPS[right])

    def test_a_mode_that_takes_any_winning_move_makes_one_that_overlooks_a_win(self) -> None:
        class AnyWin(WinningMove):
            @property
            def solutions(self) -> tuple[Action, ...]:
                return good_moves(self.state)

        start = parse_board("000000001011")
        slower = 10  # wins too, while the cell 9 completes a line
        usual = on_board(Attempt(start))
        any_win = AnyWin(new_session(), Attempt(start))
        for mode, sought in ((usual, "The winning move is in"), (any_win, "A winning move is in")):
            mode.hint()
            self.assertIn(sought, texts.hint_text(mode.hint(), (HUMAN, HUMAN)))
            mode.answer(slower)
        self.assertEqual(usual.state, start)
        self.assertTrue(any_win.is_done)
        self.assertEqual(any_win.state, start + STEPS[slower])

    def test_a_solver_sees_the_rings_shrink_with_every_hint_and_every_wrong_try(self) -> None:
        source = PuzzleSource(seed=5)
        levels = [PuzzleRecord(difficulty=level) for level in range(1, HARDEST + 1)]
        puzzles_here = [source.next(level, TODAY).start for level in levels]
        for start in (*puzzles_here, *(lesson.start for lesson in LESSONS)):
            solving = on_board(Attempt(start))
            left = set(legal_actions(start))
            for step in (1, 2, 3):
                marked = set(solving.hint().cells)
                self.assertLessEqual(marked, left, "no lamp that was ruled out before")
                self.assertTrue(step == 1 or len(marked) < len(left) or len(left) == 1, "it helps")
                if step == 3:
                    self.assertEqual(marked, set(solving.solutions))
                left = marked or left
                for wrong in sorted(left - set(solving.solutions))[:1]:
                    solving.click(wrong)
                    left.remove(wrong)

    def test_a_review_never_marks_the_mistake_itself(self) -> None:
        for start in (lesson.start for lesson in LESSONS):
            for wrong in sorted(set(legal_actions(start)) - set(solutions(start))):
                session = new_session(start=start)
                play_all(session, wrong)
                do(session, "review")
                for _ in range(3):
                    self.assertNotIn(wrong, session.mode.hint().cells)


class SessionTests(unittest.TestCase):
    def test_the_game_waits_unchanged_behind_a_puzzle_and_comes_back(self) -> None:
        session = new_session(HUMAN, BOT)
        play_all(session, 5, 6, 0)
        saved = session.history.saved
        request = session.request_bot()
        tasks = [mode for mode in MODES if issubclass(mode, WinningMove)]
        for command in (command for task in tasks for command in task.commands):
            command.act(session)
            assert request is not None
            self.assertFalse(session.answer_bot(request, 1))
            self.assertIsNone(session.request_bot(), "a bot plays behind the puzzle")
            for cell in legal_actions(session.state):
                session.mode.click(cell)
            for other in ("undo", "redo", "previous", "first", "pause", "bot_plays"):
                if other in COMMANDS:
                    self.assertTrue(why_not(other, session), other)
            self.assertEqual(session.history.saved, saved)
        session.leave()
        self.assertTrue(session.is_bots_turn)
        self.assertIsNotNone(session.request_bot())

    def test_each_attempt_is_counted_once(self) -> None:
        session = new_session()
        begin_puzzle(session)
        self.assertEqual(session.take_attempts(), [])
        session.leave()
        self.assertEqual(session.take_attempts(), [], "nothing was tried")
        begin_puzzle(session)
        session.mode.hint()
        session.leave()
        (left,) = session.take_attempts()
        self.assertFalse(left.is_over)
        begin_puzzle(session)
        do(session, "reveal")
        (shown,) = session.take_attempts()
        self.assertTrue(shown.is_shown)
        session.leave()
        session.begin(LessonMode(session))
        do(session, "reveal")
        (lesson,) = session.take_attempts()
        record = PuzzleRecord(tried=3, streak=2)
        self.assertEqual(record.counted(lesson, TODAY), replace(record, lessons=(1,)))
        session.leave()
        self.assertEqual(session.take_attempts(), [], "it counts once")

    def test_a_friend_reads_day_result_and_rule_in_three_lines_without_the_solution(self) -> None:
        session = new_session()
        begin_todays_puzzle(session)
        puzzle = task_of(session).attempt
        start = puzzle.start
        before = texts.puzzle_to_share(puzzle)
        after = texts.puzzle_to_share(solved(puzzle, wrong=1))
        self.assertIn("Can you solve it?", before)
        first, second, third = after.splitlines()
        self.assertEqual(first, f"Traffic Lights, puzzle of {session.today}")
        self.assertEqual(second, "I solved it in 2 tries. Can you?")
        self.assertIn("Three of one colour in a row win.", third)
        position = format_position(start)
        older = f"Traffic Lights {session.today}: solved in 2 tries (win in 3: {position})"
        for text in (before, after, older):
            self.assertEqual(parse_pasted(text), start)
            friend = new_session(HUMAN, BOT)
            saved = friend.history.saved
            paste(friend, f" {text}\n")
            self.assertEqual((type(friend.mode), friend.state), (PuzzleMode, start))
            self.assertEqual(friend.history.saved, saved)
            do(friend, "reveal")
            self.assertEqual(len(friend.take_attempts()), 1)
            paste(friend, text)
            do(friend, "reveal")
            self.assertEqual(friend.take_attempts(), [], "it counts once")
        lost = "Traffic Lights puzzle: can you solve it? (win in 3: 0000/0000/0000)"
        paste(session, lost)
        self.assertIsNone(session.mode.attempt, "a position that is not won is no puzzle")


class RecordTests(unittest.TestCase):
    def next(self, record: PuzzleRecord) -> Attempt:
        return PuzzleSource(seed=record.tried).next(record, TODAY)

    def test_difficulty_starts_at_wins_in_2_and_follows_the_results(self) -> None:
        record = PuzzleRecord()
        self.assertEqual((FIRST_DIFFICULTY, wins_in(self.next(record).start)), (2, 2))
        difficulties = []
        for _ in range(TO_RISE * HARDEST):
            record = record.counted(solved(self.next(record)), TODAY)
            difficulties.append(record.difficulty)
        self.assertEqual(difficulties, sorted(difficulties))
        self.assertEqual(difficulties[-1], HARDEST)
        self.assertEqual(difficulties[TO_RISE - 2 : TO_RISE], [2, 3])
        for number in range(HARDEST + 1):
            one = self.next(record)
            worse = solved(one, wrong=1) if number % 2 else solved(one, hints=1)
            record = record.counted(worse, TODAY)
        self.assertEqual(record.difficulty, 1)

    def test_a_solver_is_told_once_that_the_next_puzzle_is_easier(self) -> None:
        record = PuzzleRecord()
        told = []
        for wrong in (0, 1, 0, 1, 1):
            one = self.next(record)
            told.append(on_board(one).detail().startswith("This one is easier. "))
            record = record.counted(solved(one, wrong=wrong), TODAY)
        self.assertEqual(told, [False, False, True, False, False], "level 1 is the lowest")

    def test_solved_tried_and_the_best_streak_are_counted(self) -> None:
        record = PuzzleRecord()
        self.assertNotIn("Solved", texts.puzzle_figures(record))
        for wrong, hints in ((0, 0), (0, 0), (1, 0), (0, 0), (0, 1)):
            record = record.counted(solved(self.next(record), wrong=wrong, hints=hints), TODAY)
        shown = self.next(record)
        on_board(shown).reveal()
        record = record.counted(shown, TODAY)
        found = (record.tried, record.solved, record.streak, record.best_streak)
        self.assertEqual(found, (6, 5, 0, 2))

    def test_todays_puzzle_goes_on_where_it_was_left(self) -> None:
        source = PuzzleSource(seed=1)
        one = source.of_the_day(PuzzleRecord(), TODAY)
        mode = on_board(one)
        mode.click(next(a for a in legal_actions(one.start) if a not in mode.solutions))
        record = PuzzleRecord().counted(one, TODAY)
        again = source.of_the_day(record, TODAY)
        self.assertEqual((again.start, again.tries, again.is_begun), (one.start, 1, False))
        record = record.counted(solved(again), TODAY)
        self.assertEqual((record.tried, record.solved, record.difficulty), (1, 1, 2))
        done = source.of_the_day(record, TODAY)
        cleared = record.cleared()
        anew = cleared.counted(again, TODAY)
        self.assertEqual((anew.tried, anew.solved), (1, 1), "also while it is on the board")
        self.assertFalse(source.of_the_day(cleared, TODAY).tries)
        self.assertTrue(done.is_over)
        self.assertIn("solved it in 2 tries", texts.puzzle_to_share(done))
        self.assertTrue(done.is_counted)
        self.assertIn("is the only winning move", on_board(done).detail())
        self.assertFalse(source.of_the_day(record, "2026-11-24").is_over)

    def test_after_midnight_today_is_another_puzzle_and_the_old_one_keeps_its_day(self) -> None:
        now = [NOON]
        session = Session(now=lambda: now[0])
        session.is_solved = True
        begin_todays_puzzle(session)
        made = task_of(session).attempt
        self.assertIn(f"Today's puzzle, {made.day}", session.mode.detail())
        now[0] += 86_400
        self.assertNotIn("Today's", session.mode.detail())
        self.assertEqual(why_not("todays_puzzle", session), "")
        self.assertIn(made.day, texts.puzzle_to_share(made))
        begin_todays_puzzle(session)
        puzzle = task_of(session).attempt
        self.assertEqual(puzzle.day, session.today)
        self.assertNotEqual(puzzle.start, made.start)

    def test_a_mistake_returns_until_it_is_solved_on_two_different_days(self) -> None:
        start = parse_board("110000000003")
        record = PuzzleRecord().with_mistakes([start])
        source = PuzzleSource(seed=1)
        due_at = OWN_EVERY - 1
        for day in ("2026-11-23", "2026-11-23", "2026-11-24", "2026-11-24", "2026-11-25"):
            # The player tries none, and still no puzzle comes twice in a row.
            offered = [source.next(record, day) for _ in range(2 * OWN_EVERY)]
            mine = [one for one in offered if one.is_own]
            days = [one.days for one in record.mistakes]
            is_due = bool(days) and day not in days[0] and len(days[0]) < DAYS_TO_SOLVE
            self.assertEqual([one.start for one in mine], [start, start] if is_due else [])
            self.assertEqual(offered[due_at].is_own, is_due)
            if mine:
                record = record.counted(solved(mine[0], wrong=1), day)
        self.assertEqual((record.mistakes, record.tried), ((), 2))
        again = PuzzleRecord(mistakes=(OwnMistake("1100/0000/0003", (TODAY,)),))
        self.assertEqual(again.with_mistakes([start]).mistakes[0].days, ())

    def test_a_mistake_whose_win_is_far_away_waits_until_the_player_is_good_enough(self) -> None:
        far = next(puzzles(seed=1, wins_in=9)).state
        record = PuzzleRecord(tried=OWN_EVERY - 1).with_mistakes([far])
        offered = [
            PuzzleSource(seed=1).next(replace(record, difficulty=difficulty), TODAY).is_own
            for difficulty in range(1, HARDEST + 1)
        ]
        self.assertEqual((offered[0], offered[-1]), (False, True))
        self.assertEqual(offered, sorted(offered))

    def test_the_latest_200_mistakes_are_kept_and_equal_ones_once(self) -> None:
        won = filter(tablebase().is_won, range(0, 1 << 24, 9973))
        states = list(islice(won, MOST_MISTAKES + 60))
        record = PuzzleRecord().with_mistakes(states).with_mistakes(states[-1:])
        self.assertEqual((len(record.mistakes), MOST_MISTAKES), (200, 200))
        self.assertEqual(record.mistakes[-1].state, states[-1])
        self.assertEqual(len(set(record.mistakes)), len(record.mistakes))

    def test_a_win_that_is_thrown_away_is_found_and_a_lost_position_is_never_asked(self) -> None:
        session = new_session(BOT, HUMAN, start=parse_board("110000000003"))
        play_all(session, 3)
        self.assertEqual(session.wins_thrown_away(), [session.game.start])
        lost = PuzzleRecord(
            tried=OWN_EVERY - 1,
            mistakes=(OwnMistake("0000/0000/0000"), OwnMistake("1110/0000/0000")),
        )
        source = PuzzleSource(seed=1)
        self.assertFalse(source.next(lost, TODAY).is_own)

    def test_the_record_is_kept_in_the_data_folder(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            data = UserData(folder)
            one = PuzzleSource(1).of_the_day(PuzzleRecord(), TODAY)
            data.count_puzzles([solved(one, wrong=1)], TODAY)
            data.keep_mistakes([parse_board("110000000003")])
            data.finish()
            self.assertEqual(UserData(folder).puzzles, data.puzzles)
            self.assertEqual(data.puzzles.daily.tries, 2)
            data.clear_statistics()
            data.finish()
            kept = UserData(folder).puzzles
            self.assertEqual((kept.tried, kept.solved, len(kept.mistakes)), (0, 0, 1))


class LessonTests(unittest.TestCase):
    def test_each_lesson_is_played_to_a_win_against_the_exact_reply(self) -> None:
        lengths = []
        for number, lesson in enumerate(LESSONS):
            session = new_session()
            session.begin(LessonMode(session, number))
            task = task_of(session)
            lengths.append(wins_in(lesson.start))
            for _ in range(wins_in(lesson.start)):
                self.assertIs(session.mode, task)
                self.assertEqual(len(task.solutions), 1, lesson.title)
                after = session.state + STEPS[task.solutions[0]]
                task.click(task.solutions[0])
                if not task.is_done:
                    self.assertIn(task.last_action, tablebase().optimal_actions(after))
            self.assertTrue(task.is_done)
            self.assertIn(lesson.learned, task.detail())
        self.assertEqual(lengths, [1, 1, 2, 2, 3])

    def test_a_player_can_read_a_saved_lesson_or_puzzle_that_was_won(self) -> None:
        session = new_session(HUMAN, BOT)
        for mode in (LessonMode(session), PuzzleMode(session, Attempt(LESSONS[0].start))):
            session.begin(mode)
            while not mode.is_done:
                mode.reveal()
            game = mode.shown_game
            self.assertTrue(game.is_over)
            read = parse_pasted(format_record(game))
            assert isinstance(read, Game)
            self.assertEqual((read.start, read.actions), (LESSONS[0].start, mode.moves))

    def test_a_move_that_was_shown_is_not_praised_and_the_next_one_is(self) -> None:
        session = new_session()
        session.begin(LessonMode(session, 4))
        do(session, "reveal")
        self.assertIn("The move is d2. The opponent plays a2.", session.mode.detail())
        session.mode.click(task_of(session).solutions[0])
        self.assertIn("Right. The opponent plays", session.mode.detail())
