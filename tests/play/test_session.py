"""One interactive game: turns, bots, undo and redo, set-up, help, review, saving."""

import random
import unittest
from collections.abc import Callable

from tests.kit.sessions import BOT, OTHER_BOT, do, finish, new_session, play_all, review_of, why_not
from traffic_lights.board.baselines import safe_actions, winning_actions
from traffic_lights.board.rules import legal_actions, parse_board
from traffic_lights.play.game import HUMAN, Game, Player, game_from_plain, game_to_plain
from traffic_lights.play.modes.lesson import LessonMode
from traffic_lights.play.modes.looking_back import go_to
from traffic_lights.play.modes.review import Review
from traffic_lights.play.modes.set_up import SetUp
from traffic_lights.play.session import GAME_KEPT, LINE_KEPT, NOT_COUNTED, BotRequest, Session

Change = Callable[[Session], object]


def request_of(session: Session) -> BotRequest:
    """Return the request to the bot that has to choose."""
    request = session.request_bot()
    assert request is not None
    return request


class BotTests(unittest.TestCase):
    def test_a_bot_never_loses_a_person_s_game_at_once_if_a_move_holds(self) -> None:
        for board, foolish in (("110000000000", 11), ("110000000003", 3), ("000000000000", 6)):
            session = new_session(HUMAN, HUMAN, start=parse_board(board))
            state = session.state
            session.play_for_me(OTHER_BOT)
            session.answer_bot(request_of(session), foolish)
            holding = winning_actions(state) or safe_actions(state)
            self.assertIn(session.game.actions[0], holding)
            self.assertEqual(session.game.bot_moves, 1)
            if foolish in holding:
                self.assertEqual(session.game.actions[0], foolish)

    def test_a_bot_that_fails_makes_the_game_wait_for_a_decision(self) -> None:
        session = new_session(HUMAN, BOT)
        session.mode.click(5)
        self.assertTrue(session.fail_bot(request_of(session), "it ended"))
        self.assertEqual((session.is_bots_turn, session.failure), (True, "it ended"))
        self.assertIsNone(session.request_bot())
        session.resume_bots()
        finish(session, random.Random(7))
        session = new_session(HUMAN, BOT)  # if it was to move for the person, that is their move
        session.play_for_me(OTHER_BOT)
        session.fail_bot(request_of(session), "it ended")
        self.assertEqual((session.is_your_turn, session.failure), (True, ""))


class TwoBotsTests(unittest.TestCase):
    def setUp(self) -> None:
        self.session = new_session(BOT, OTHER_BOT)
        play_all(self.session, 5, 7, 0)

    def test_a_pause_drops_the_bot_that_is_choosing_and_a_step_makes_one_move(self) -> None:
        request = request_of(self.session)
        self.session.pause_bots()
        self.assertFalse(self.session.answer_bot(request, 0))
        self.assertIsNone(self.session.request_bot())
        self.session.resume_bots()
        self.assertIsNotNone(self.session.request_bot())
        for moves in (3, 4):  # the second step is one of paused bots
            self.session.resume_bots(is_step=True)
            self.assertTrue(self.session.is_paused)
            play_all(self.session, moves)
            self.assertEqual(len(self.session.game.actions), moves + 1)
            self.assertIsNone(self.session.request_bot())

    def test_after_undo_and_after_a_restart_they_wait_until_the_player_lets_them_go_on(
        self,
    ) -> None:
        restored = new_session()
        restored.restore(*self.session.history.saved)
        self.session.mode.undo()
        for session in (restored, self.session):
            self.assertIsNone(session.request_bot())
            session.resume_bots()
            self.assertIsNotNone(session.request_bot())


class HistoryTests(unittest.TestCase):
    def test_against_a_bot_undo_takes_back_a_full_round(self) -> None:
        session = new_session(HUMAN, BOT)
        play_all(session, 0, 5, 6, 3)
        session.mode.undo()
        self.assertEqual((session.game.actions, session.history.taken_back), ((0, 5), (6, 3)))
        session.mode.redo()
        self.assertEqual((session.game.actions, session.history.taken_back), ((0, 5, 6, 3), ()))
        session.mode.click(9)
        session.mode.undo()
        self.assertEqual(session.game.actions, (0, 5, 6, 3), "the bot that was choosing is dropped")
        self.assertTrue(session.is_your_turn)

    def test_undo_straight_after_a_new_game_brings_the_last_one_back(self) -> None:
        session = new_session(HUMAN, BOT)
        play_all(session, 0, 5, 6, 3)
        for players, opening in (((HUMAN, BOT), ()), ((BOT, HUMAN), (7,))):
            session.new_game(players)
            play_all(session, *opening)
            self.assertEqual(why_not("undo", session), "")
            do(session, "undo")
            self.assertEqual(session.game.actions, (0, 5, 6, 3))
            self.assertEqual(session.history.others, [], "the new game was no game yet")
        session.new_game()
        play_all(session, 1, 2)
        do(session, "undo")
        self.assertTrue(why_not("undo", session), "that was a move of the new game")
        self.assertFalse(why_not("redo", session))

    def test_a_move_played_again_keeps_what_follows(self) -> None:
        session = new_session(HUMAN, BOT)
        play_all(session, 0, 1, 2)
        do(session, "undo", "undo")
        play_all(session, 0)
        self.assertEqual(session.history.taken_back, (1, 2))
        play_all(session, 5)
        self.assertTrue(why_not("redo", session), "the bot has played another move")

    def test_a_finished_game_stays_when_another_move_is_played_in_it(self) -> None:
        session = new_session()
        play_all(session, 0, 3, 1, 7, 2)
        finished = session.game.actions
        session.take_result()
        do(session, "undo")
        self.assertEqual(session.mode.click(4), LINE_KEPT)
        session.new_game()
        self.assertTrue(why_not("redo", session))
        play_all(session, 5)
        found = [(game.actions, game.is_over) for game in session.history.others]
        self.assertEqual(found, [((0, 3, 1, 7, 4), False), (finished, True)])
        session.go_to_game(1)
        self.assertEqual(session.game.actions, finished)
        self.assertIsNone(session.take_result(), "it has counted before")
        self.assertEqual([game.actions[0] for game in session.history.others], [5, 0])
        restored = new_session()
        restored.restore(*session.history.saved)
        self.assertEqual(restored.history.others, session.history.others)

    def test_who_undoes_too_much_gets_the_new_game_back_with_redo(self) -> None:
        session = new_session(BOT, HUMAN)
        play_all(session, 0, 5, 6)
        session.new_game()
        play_all(session, 3)
        do(session, "undo")
        self.assertEqual(session.game.actions, (0, 5, 6))
        session.note_values_seen()  # as the window does at once
        self.assertEqual(why_not("redo", session), "")
        do(session, "redo")
        self.assertEqual(session.game.actions, (3,))
        self.assertEqual([game.actions for game in session.history.others], [(0, 5, 6)])
        self.assertTrue(why_not("redo", session))

    def test_a_game_that_is_left_keeps_the_moves_that_were_taken_back(self) -> None:
        session = new_session()
        play_all(session, 0, 5, 6)
        do(session, "undo", "undo")
        session.new_game()
        self.assertEqual([game.actions for game in session.history.others], [(0, 5, 6)])

    def test_a_move_from_before_the_seats_changed_is_played_by_who_sits_there_now(self) -> None:
        session = new_session()
        session.set_players((BOT, HUMAN))
        play_all(session, 0, 5, 6)
        do(session, "swap")
        go_to(session, 2)
        session.mode.click(9)
        self.assertEqual((session.game.actions, session.players), ((0, 5, 9), (HUMAN, BOT)))
        self.assertEqual([game.actions for game in session.history.others], [(0, 5, 6)])
        session.mode.undo()
        self.assertEqual((session.game.actions, session.players), ((0, 5), (HUMAN, BOT)))

    def test_a_player_who_takes_another_opponent_gets_a_new_game_and_keeps_the_old_one(
        self,
    ) -> None:
        anna = Player(None, "Anna")
        session = new_session(HUMAN, BOT)
        play_all(session, 0, 5)
        self.assertEqual(session.set_players((anna, BOT)), "", "a name is not another player")
        self.assertEqual((session.game.actions, session.game.is_unrated), ((0, 5), False))
        self.assertEqual(session.set_players((anna, OTHER_BOT)), GAME_KEPT)
        self.assertEqual((session.game.actions, session.players), ((), (anna, OTHER_BOT)))
        self.assertEqual([game.actions for game in session.history.others], [(0, 5)])
        session.mode.undo()
        self.assertEqual((session.game.actions, session.players), ((0, 5), (anna, BOT)))

    def test_a_player_whose_opponent_failed_goes_on_against_another(self) -> None:
        session = new_session(HUMAN, BOT)
        play_all(session, 0)
        session.fail_bot(request_of(session), "it ended")
        self.assertEqual(session.set_players((HUMAN, OTHER_BOT)), NOT_COUNTED)
        self.assertEqual((session.game.actions, session.players), ((0,), (HUMAN, OTHER_BOT)))
        self.assertTrue(session.game.is_unrated)

    def test_a_game_that_a_slip_has_left_comes_back_and_counts(self) -> None:
        session = new_session(HUMAN, BOT)
        play_all(session, 0, 1)
        go_to(session, 0)
        session.mode.click(5)
        session.go_to_game(0)
        play_all(session, 2)
        result = session.take_result()
        assert result is not None
        self.assertEqual((result.actions, result.is_helped), ((0, 1, 2), False))

    def test_a_restored_game_of_a_person_waits_for_nobody_else(self) -> None:
        session = new_session(HUMAN, BOT)
        play_all(session, 0, 5, 6, 3)
        session.mode.undo()
        restored = new_session(HUMAN, BOT)
        restored.begin(LessonMode(restored))
        request = request_of(played_on := new_session(BOT, HUMAN))
        played_on.restore(*session.history.saved)
        restored.restore(*session.history.saved)
        for one in (restored, played_on):
            self.assertEqual((one.is_your_turn, one.game.actions), (True, (0, 5)))
            self.assertFalse(one.is_paused)
        self.assertFalse(played_on.answer_bot(request, 0), "it is of the game before")


class SetUpTests(unittest.TestCase):
    def test_undo_and_redo_go_through_its_changes_and_nothing_of_the_game(self) -> None:
        session = new_session()
        play_all(session, 0, 5)
        session.begin(SetUp(session))
        seen = [session.state]
        changes: list[Change] = [
            lambda s: s.mode.click(3),
            lambda s: do(s, "clear_setup"),
            lambda s: s.mode.click(7),
        ]
        for change in changes:
            change(session)
            seen.append(session.state)
        session.mode.paste_position(session.state)
        for name, states in (("undo", seen[-2::-1]), ("redo", seen[1:])):
            for state in states:
                do(session, name)
                self.assertEqual((type(session.mode), session.state), (SetUp, state))
            self.assertTrue(why_not(name, session))
        session.leave()
        self.assertEqual((session.is_your_turn, session.game.actions), (True, (0, 5)))


class HelpTests(unittest.TestCase):
    def test_three_steps_count_as_one_hint(self) -> None:
        session = new_session(HUMAN, BOT)
        steps = [hint.step for hint in (session.mode.hint() for _ in range(4))]
        self.assertEqual(steps, [1, 2, 3, 3])
        self.assertEqual(len(session.game.hinted), 1)
        play_all(session, 0, 5)
        session.mode.hint()
        self.assertEqual(len(session.game.hinted), 2)

    def test_leaving_a_line_hides_none_of_its_help(self) -> None:
        session = new_session(HUMAN, BOT)
        play_all(session, 0, 5)
        session.mode.hint()
        session.mode.undo()
        play_all(session, 3, 5)
        session.mode.hint()
        session.note_values_seen()
        game = session.game
        self.assertEqual((len(game.hinted), game.takebacks, game.values_seen), (2, 1, True))
        session.new_game()
        self.assertFalse(session.game.is_helped)


class EndTests(unittest.TestCase):
    def test_who_wins_after_taking_a_loss_back_reads_why_the_score_stays(self) -> None:
        session = new_session(HUMAN, BOT)
        play_all(session, 0, 11, 1, 2)
        session.take_result()
        self.assertNotIn("counts", session.mode.detail(), "the score has just changed")
        session.mode.undo()
        play_all(session, 1, 5, 2)
        self.assertIsNone(session.take_result())
        session.restore(game_from_plain(game_to_plain(session.game)))
        self.assertIn("This game already counts as a win for Myopic.", session.mode.detail())

    def test_a_result_counts_once_for_a_game(self) -> None:
        session = new_session(HUMAN, BOT)
        self.assertIsNone(session.take_result())
        play_all(session, 0, 1, 2)
        self.assertEqual(session.take_result(), session.game)
        self.assertIsNone(session.take_result())
        session.mode.undo()
        play_all(session, 3, 2)
        self.assertIsNone(session.take_result(), "the first end counts")

    def test_changed_seats_and_opened_games_do_not_count(self) -> None:
        session = new_session(HUMAN, BOT)
        play_all(session, 0, 1)
        session.set_players((BOT, HUMAN))
        play_all(session, 2)
        self.assertIsNone(session.take_result())
        session.open_game(Game(actions=(0, 1, 2), players=(HUMAN, BOT)))
        self.assertTrue(session.shows_result)
        self.assertIsNone(session.take_result())

    def test_the_verdict_on_a_wrong_try_goes_with_its_mistake(self) -> None:
        session = new_session(HUMAN, BOT)
        play_all(session, 0, 1, 11, 5, 11, 5, 2)
        session.begin(Review(session))
        review = review_of(session)
        for is_given_up in (False, True):
            wrong = next(a for a in legal_actions(session.state) if a not in review.solutions)
            session.mode.click(wrong)
            self.assertIsNotNone(review.tried)
            if is_given_up:
                do(session, "reveal")
            else:
                do(session, "next_task")
            self.assertIsNone(review.tried)

    def test_review_finds_two_prepared_mistakes_and_spoils_nothing(self) -> None:
        session = new_session(HUMAN, BOT)
        # The bot answers a1 with b1. Then the human overlooks c1, and so does the bot after d3.
        play_all(session, 0, 1, 11, 5, 11, 5, 2)
        self.assertEqual(list(session.mistakes()), [2, 4])
        session.begin(Review(session))
        self.assertEqual((type(session.mode), session.mode.index), (Review, 2))
        known = (session.ranked_moves(), session.verdict(), session.verdict(3))
        self.assertEqual(known, ((), None, None))
        session.mode.click(3)
        self.assertEqual(session.ranked_moves(), ())
        session.mode.click(2)
        self.assertEqual(session.ranked_moves()[0].action, 2)
        do(session, "next_task")
        self.assertEqual((session.mode.index, session.ranked_moves()), (4, ()))
        do(session, "reveal")
        self.assertTrue(session.ranked_moves())
        for name in ("reveal", "next_task", "redo"):
            self.assertTrue(why_not(name, session))
        before = session.game
        session.mode.undo()  # leaves the review and takes nothing back
        self.assertEqual((session.shows_result, session.game), (True, before))

    def test_a_player_gets_hints_in_a_review_which_do_not_count(self) -> None:
        session = new_session(HUMAN, BOT)
        play_all(session, 0, 1, 11, 5, 11, 5, 2)
        session.begin(Review(session))
        for number in range(2):
            hints = [session.mode.hint() for _ in range(3)]
            self.assertEqual([one.step for one in hints], [1, 2, 3], number)
            self.assertIn(hints[-1].move.action, review_of(session).solutions)
            if not number:
                do(session, "next_task")
        self.assertFalse(session.game.is_helped)

    def test_a_slow_win_does_not_solve_an_overlooked_one(self) -> None:
        session = new_session(start=parse_board("110000000003"))
        play_all(session, 3)
        session.begin(Review(session))
        self.assertEqual(review_of(session).solutions, (2,), "a1 and b1 win in 10 moves")
