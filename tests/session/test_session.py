"""One interactive game: turns, set-up, help, review, saving."""

import random
import unittest
from collections.abc import Callable

from tests.kit.samples import tablebase
from tests.kit.sessions import BOT, OTHER_BOT, finish, new_session, play_all
from traffic_lights.board.rules import (
    CELLS,
    IllegalActionError,
    legal_actions,
    parse_board,
    play,
)
from traffic_lights.board.threats import safe_actions, winning_actions
from traffic_lights.session.session import HUMAN, First, Game, Outcome, Phase, Session


class TurnTests(unittest.TestCase):
    def test_two_persons_move_in_turn_until_a_line_is_complete(self) -> None:
        session = new_session()
        self.assertEqual(session.play(0), Outcome.PLAYED)
        self.assertEqual((session.mover, session.phase), (1, Phase.YOUR_TURN))
        play_all(session, 1, 2)
        self.assertEqual((session.phase, session.game.winner), (Phase.OVER, 0))
        self.assertEqual(session.play(5), Outcome.OVER)
        self.assertIsNone(session.request_bot())

    def test_red_cell_is_refused_and_changes_nothing(self) -> None:
        session = new_session(start=parse_board("300100000000"))
        before = session.game
        self.assertEqual(session.play(0), Outcome.RED_CELL)
        self.assertEqual(session.game, before)

    def test_clicks_wait_while_the_bot_is_choosing(self) -> None:
        session = new_session(HUMAN, BOT)
        session.play(5)
        self.assertEqual(session.phase, Phase.BOT_TURN)
        self.assertEqual(session.play(0), Outcome.BOT_CHOOSING)
        self.assertEqual(session.game.actions, (5,))

    def test_illegal_answer_of_a_bot_is_an_error(self) -> None:
        session = new_session(BOT, HUMAN, start=parse_board("310000000000"))
        request = session.request_bot()
        assert request is not None
        for action in (0, -1, CELLS):
            with self.assertRaises(IllegalActionError):
                session.answer_bot(request.token, action)

    def test_every_change_makes_an_asked_bot_stale(self) -> None:
        changes: dict[str, Callable[[Session], object]] = {
            "undo": lambda s: s.undo(),
            "seats": lambda s: s.set_players((BOT, HUMAN)),
            "opponent": lambda s: s.set_players((HUMAN, OTHER_BOT)),
            "new game": lambda s: s.new_game(),
            "looking back": lambda s: s.go_to(0),
            "set-up": lambda s: s.begin_setup(),
            "asked again": lambda s: s.request_bot(),
            "restored": lambda s: s.restore(Game()),
            "opened": lambda s: s.open_game(Game()),
        }
        for name, change in changes.items():
            with self.subTest(name):
                session = new_session(HUMAN, BOT)
                session.play(5)
                request = session.request_bot()
                assert request is not None
                self.assertTrue(session.is_current(request.token))
                change(session)
                before = session.game
                self.assertFalse(session.is_current(request.token))
                self.assertFalse(session.answer_bot(request.token, 0))
                self.assertEqual(session.game, before)
                finish(session, random.Random(7))

    def test_an_answer_counts_once(self) -> None:
        session = new_session(BOT, BOT)
        request = session.request_bot()
        assert request is not None
        self.assertTrue(session.answer_bot(request.token, 0))
        self.assertFalse(session.answer_bot(request.token, 1))
        self.assertEqual(session.game.actions, (0,))

    def test_help_does_not_disturb_a_bot_that_is_choosing(self) -> None:
        session = new_session(HUMAN, BOT, solved=False)
        session.play(5)
        request = session.request_bot()
        assert request is not None
        session.tablebase = tablebase()
        session.note_values_seen()
        self.assertIsNone(session.hint())
        self.assertTrue(session.answer_bot(request.token, 0))

    def test_bot_plays_one_move_for_the_person(self) -> None:
        session = new_session(HUMAN, BOT)
        self.assertTrue(session.play_for_me(OTHER_BOT))
        self.assertEqual(session.phase, Phase.BOT_TURN)
        request = session.request_bot()
        assert request is not None
        self.assertEqual(request.level, "random")
        session.answer_bot(request.token, 5)
        self.assertFalse(session.play_for_me(OTHER_BOT))
        play_all(session, 6)
        self.assertEqual(session.phase, Phase.YOUR_TURN)
        self.assertEqual((session.game.bot_moves, session.game.is_helped), (1, True))

    def test_a_bot_in_a_person_s_place_never_loses_at_once_where_a_move_holds(self) -> None:
        for board, foolish in (("110000000000", 11), ("110000000003", 3), ("000000000000", 6)):
            session = new_session(HUMAN, HUMAN, start=parse_board(board))
            state = session.state
            self.assertTrue(session.play_for_me(OTHER_BOT))
            request = session.request_bot()
            assert request is not None
            self.assertTrue(session.answer_bot(request.token, foolish))
            holding = winning_actions(state) or safe_actions(state)
            self.assertIn(session.game.actions[0], holding)
            if foolish in holding:
                self.assertEqual(session.game.actions[0], foolish)

    def test_who_starts(self) -> None:
        session = new_session(HUMAN, BOT)
        session.new_game((HUMAN, BOT), First.SECOND)
        self.assertEqual(session.players, (BOT, HUMAN))
        for first in (First.SECOND, First.FIRST):
            session.new_game(first=first)
            self.assertEqual(session.players, (BOT, HUMAN), "who once has a seat keeps it")
        session.new_game(first=First.ALTERNATE)
        self.assertEqual(session.players, (HUMAN, BOT))
        session.new_game((HUMAN, OTHER_BOT), First.ALTERNATE)
        self.assertEqual(session.players, (HUMAN, OTHER_BOT))
        starts = set()
        for _ in range(40):
            session.new_game((HUMAN, BOT), First.RANDOM)
            starts.add(session.players)
        self.assertEqual(starts, {(HUMAN, BOT), (BOT, HUMAN)})


class TwoBotsTests(unittest.TestCase):
    """A demonstration: paused, stepped and played on only by those wishes."""

    def setUp(self) -> None:
        self.session = new_session(BOT, OTHER_BOT)
        play_all(self.session, 5, 7, 0)

    def test_a_pause_drops_the_bot_that_is_choosing(self) -> None:
        request = self.session.request_bot()
        assert request is not None
        self.session.pause_bots()
        self.assertFalse(self.session.answer_bot(request.token, 0))
        self.assertIsNone(self.session.request_bot())
        self.assertEqual(self.session.phase, Phase.BOT_TURN)

    def test_a_step_makes_one_move_and_waits_again(self) -> None:
        for paused in (False, True):
            if paused:
                self.session.pause_bots()
            before = self.session.game.present
            self.session.step_bots()
            self.assertTrue(self.session.is_paused)
            play_all(self.session, before)
            self.assertEqual(self.session.game.present, before + 1)
            self.assertIsNone(self.session.request_bot())

    def test_play_goes_on(self) -> None:
        self.session.pause_bots()
        self.session.resume_bots()
        self.assertIsNotNone(self.session.request_bot())

    def test_whatever_else_is_wished_a_pause_lasts(self) -> None:
        wishes: dict[str, list[tuple[object, ...]]] = {
            "undo": [("undo",)],
            "redo": [("undo",), ("redo",)],
            "back and on": [("step", -1), ("step", 1)],
            "first and last": [("go_to", 0), ("go_to", 99)],
            "a click": [("play", 0)],
            "a click on the past": [("step", -1), ("play", 0), ("leave",)],
            "a hint": [("hint",)],
            "a review": [("begin_review",), ("leave",)],
            "set-up": [("begin_setup",), ("leave",)],
            "a move by a bot": [("play_for_me", BOT)],
            "a new game": [("new_game",)],
            "another bot": [("set_players", (BOT, BOT))],
            "pause": [("pause_bots",)],
        }
        for name, calls in wishes.items():
            with self.subTest(name):
                self.setUp()
                self.session.pause_bots()
                for method, *values in calls:
                    getattr(self.session, str(method))(*values)
                self.assertTrue(self.session.is_paused)
                self.assertIsNone(self.session.request_bot())

    def test_what_was_taken_back_is_not_played_over_at_the_next_start(self) -> None:
        restored = new_session()
        restored.restore(*self.session.saved())
        self.assertIsNotNone(restored.request_bot(), "nothing waits for redo")
        for first_wish in ("undo", "new_game"):  # the last, undone, brings the whole game back
            getattr(self.session, first_wish)()
            self.session.undo()
            restored.restore(*self.session.saved())
            self.assertTrue(restored.is_paused)
            self.assertIsNone(restored.request_bot())

    def test_two_bots_on_another_line_play_on_at_the_next_start(self) -> None:
        self.session.undo()
        self.session.resume_bots()
        play_all(self.session, 1)
        self.assertTrue(self.session.can_redo, "the line that was left")
        restored = new_session()
        restored.restore(*self.session.saved())
        self.assertIsNotNone(restored.request_bot(), "nothing of this line waits for redo")

    def test_a_person_who_sits_down_is_never_paused(self) -> None:
        self.session.pause_bots()
        self.session.set_players((HUMAN, BOT))
        self.assertFalse(self.session.is_paused)
        self.session.set_players((OTHER_BOT, BOT))
        self.assertFalse(self.session.is_paused)
        self.session.pause_bots()
        self.session.new_game((BOT, HUMAN))
        self.assertIsNotNone(self.session.request_bot())


class HelpTests(unittest.TestCase):
    def test_values_equal_the_solver(self) -> None:
        for board in ("000000000000", "000001000000", "110000000000", "122000000000"):
            state = parse_board(board)
            session = new_session(start=state)
            expected = {
                action: 1 + tablebase().get_distance(play(state, action))
                for action in legal_actions(state)
            }
            self.assertEqual(session.values(), expected)

    def test_nothing_is_guessed_while_the_solver_works(self) -> None:
        session = new_session(solved=False)
        play_all(session, 0)
        self.assertEqual((session.values(), session.hint(), session.verdict()), ({}, None, None))
        self.assertEqual((session.mistakes(), session.begin_review()), ((), False))
        self.assertEqual(session.game.hints, 0)

    def test_three_steps_count_as_one_hint(self) -> None:
        session = new_session(HUMAN, BOT)
        steps = [hint.step for hint in (session.hint() for _ in range(4)) if hint]
        self.assertEqual(steps, [1, 2, 3, 3])
        self.assertEqual(session.game.hints, 1)
        play_all(session, 0, 5)
        session.hint()
        self.assertEqual(session.game.hints, 2)

    def test_leaving_a_line_does_not_hide_its_hints(self) -> None:
        session = new_session(HUMAN, BOT)
        play_all(session, 0, 5)
        session.hint()
        session.undo()
        play_all(session, 3, 5)
        session.hint()
        session.redo()
        self.assertEqual(session.game.hints, 2)

    def test_verdict_is_of_the_move_shown(self) -> None:
        session = new_session()
        play_all(session, 0, 1, 2)
        verdicts = [session.verdict(index) for index in range(5)]
        kinds = [None if verdict is None else verdict.kind.name for verdict in verdicts]
        self.assertEqual(kinds, [None, "TRAP", "SLIP", "COMPLETES", None])
        session.go_to(1)
        verdict = session.verdict()
        assert verdict is not None
        self.assertEqual(verdict.action, 0)


class EndTests(unittest.TestCase):
    def test_result_counts_once_for_a_game(self) -> None:
        session = new_session(HUMAN, BOT)
        self.assertIsNone(session.take_result())
        play_all(session, 0, 1, 2)
        result = session.take_result()
        assert result is not None
        self.assertEqual(result.winner, 0)
        self.assertIsNone(session.take_result())
        session.undo()
        play_all(session, 3, 2)
        self.assertIsNone(session.take_result(), "the first end counts")

    def test_changed_seats_and_opened_games_do_not_count(self) -> None:
        session = new_session(HUMAN, BOT)
        play_all(session, 0, 1)
        session.set_players((BOT, HUMAN))
        play_all(session, 2)
        self.assertIsNone(session.take_result())
        session.open_game(Game(actions=(0, 1, 2), present=3, players=(HUMAN, BOT)))
        self.assertEqual(session.phase, Phase.OVER)
        self.assertIsNone(session.take_result())

    def test_review_finds_two_prepared_mistakes_and_spoils_nothing(self) -> None:
        session = new_session(HUMAN, BOT)
        # After a1 the bot answers b1; the person overlooks c1, and after d3 the bot does too.
        play_all(session, 0, 1, 11, 5, 11, 5, 2)
        mistakes = session.mistakes()
        self.assertEqual([mistake.index for mistake in mistakes], [2, 4])
        self.assertTrue(session.begin_review())
        self.assertEqual((session.phase, session.index), (Phase.REVIEW, 2))
        self.assertEqual(
            (session.values(), session.verdict(), session.verdict(3)), ({}, None, None)
        )
        self.assertIsNone(session.hint())
        self.assertEqual(session.play(3), Outcome.TRY_AGAIN)
        self.assertEqual(session.values(), {})
        self.assertEqual(session.play(2), Outcome.SOLVED)
        self.assertEqual(session.values()[2], 1)
        self.assertTrue(session.step_review(1))
        self.assertEqual((session.index, session.values()), (4, {}))
        self.assertTrue(session.reveal())
        self.assertFalse(session.reveal())
        self.assertTrue(session.values())
        self.assertFalse(session.step_review(1))
        assert session.review is not None
        self.assertTrue(session.review.is_complete)
        before = session.game
        session.leave()
        self.assertEqual((session.phase, session.game), (Phase.OVER, before))

    def test_no_review_without_mistakes(self) -> None:
        session = new_session(HUMAN, BOT)
        play_all(session, 0)
        self.assertEqual(session.mistakes(), ())
        self.assertFalse(session.begin_review())
        self.assertEqual(session.phase, Phase.BOT_TURN)

    def test_saved_and_restored_sessions_go_on_alike(self) -> None:
        session = new_session(HUMAN, BOT)
        play_all(session, 0, 5, 6, 9)
        session.new_game((BOT, HUMAN))
        play_all(session, 3, 7, 8)
        session.undo()
        restored = new_session()
        restored.restore(*session.saved())
        for wish in ("redo", "undo", "undo", "undo", "redo", "redo", "redo", "redo"):
            self.assertEqual(getattr(restored, wish)(), getattr(session, wish)())
            self.assertEqual(restored.game, session.game)
            self.assertEqual(restored.phase, session.phase)


if __name__ == "__main__":
    unittest.main()
