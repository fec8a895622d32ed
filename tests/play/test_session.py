"""One interactive game: turns, bots, undo and redo, set-up, help, review, saving."""

import random
import unittest
from collections.abc import Callable

from tests.kit.sessions import BOT, OTHER_BOT, finish, new_session, play_all
from traffic_lights.board.baselines import safe_actions, winning_actions
from traffic_lights.board.rules import legal_actions, parse_board
from traffic_lights.play.commands import STILL_SOLVING, why_not
from traffic_lights.play.game import HUMAN, Game
from traffic_lights.play.session import BotRequest, Phase, Session

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
        session.play(5)
        self.assertTrue(session.fail_bot(request_of(session), "it ended"))
        self.assertEqual((session.phase, session.failure), (Phase.BOT_TURN, "it ended"))
        self.assertIsNone(session.request_bot())
        session.resume_bots()
        finish(session, random.Random(7))
        session = new_session(HUMAN, BOT)  # if it was to move for the person, that is their move
        session.play_for_me(OTHER_BOT)
        session.fail_bot(request_of(session), "it ended")
        self.assertEqual((session.phase, session.failure), (Phase.YOUR_TURN, ""))


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

    def test_undo_pauses_and_a_restart_does_not_play_over_what_was_taken_back(self) -> None:
        restored = new_session()
        restored.restore(*self.session.timeline.saved())
        self.assertIsNotNone(restored.request_bot(), "nothing was taken back")
        self.session.undo()
        self.assertTrue(self.session.is_paused)
        restored.restore(*self.session.timeline.saved())
        self.assertTrue(restored.is_paused)
        self.session.resume_bots()
        play_all(self.session, 1)
        self.assertFalse(why_not("redo", self.session), "the line that was left")
        restored.restore(*self.session.timeline.saved())
        self.assertIsNotNone(restored.request_bot(), "no move of this line was taken back")


class HistoryTests(unittest.TestCase):
    def test_against_a_bot_undo_takes_back_a_full_round(self) -> None:
        session = new_session(HUMAN, BOT)
        play_all(session, 0, 5, 6, 3)
        session.undo()
        self.assertEqual((session.game.actions, session.timeline.taken_back), ((0, 5), (6, 3)))
        session.redo()
        self.assertEqual((session.game.actions, session.timeline.taken_back), ((0, 5, 6, 3), ()))
        session.play(9)
        session.undo()
        self.assertEqual(session.game.actions, (0, 5, 6, 3), "the bot that was choosing is dropped")
        self.assertEqual(session.phase, Phase.YOUR_TURN)

    def test_undo_stops_at_every_choice_and_a_move_played_again_keeps_what_follows(self) -> None:
        start = parse_board("200000000000")
        session = new_session(HUMAN, BOT, start=start)
        session.new_game()
        play_all(session, 0, 1, 2)
        session.set_players((HUMAN, OTHER_BOT))
        found = []
        while not why_not("undo", session):
            session.undo()
            found.append((session.players[1], session.game.start, session.game.actions))
        moves = ((BOT, 0, actions) for actions in ((0, 1, 2), (0, 1), ()))
        self.assertEqual(found, [*moves, (BOT, start, ())])
        self.assertTrue(why_not("redo", session), "redo would lead to another game")
        session.go_to_game(0)
        while session.game.actions:
            session.undo()
        session.play(0)
        self.assertEqual(session.timeline.taken_back, (1, 2))

    def test_redo_in_a_new_game_does_not_open_a_line_that_another_game_left(self) -> None:
        session = new_session()
        play_all(session, 0, 3, 1, 7, 2)
        session.undo()
        session.play(4)
        session.new_game()
        self.assertTrue(why_not("redo", session))
        play_all(session, 5)
        (before,) = session.other_games
        self.assertEqual((before.actions, before.is_over), ((0, 3, 1, 7, 2), True))
        session.go_to_game(0)
        self.assertEqual(session.game.actions, before.actions)
        self.assertEqual([game.actions for game in session.other_games], [(5,)])
        restored = new_session()
        restored.restore(*session.timeline.saved())
        self.assertEqual(restored.other_games, session.other_games)

    def test_a_move_from_before_the_seats_changed_is_played_by_who_sits_there_now(self) -> None:
        session = new_session()
        play_all(session, 0, 5, 6)
        session.set_players((HUMAN, BOT))
        session.go_to(2)
        session.play(9)
        self.assertEqual((session.game.actions, session.players), ((0, 5, 9), (HUMAN, BOT)))
        session.undo()
        self.assertEqual((session.game.actions, session.players), ((0, 5), (HUMAN, BOT)))

    def test_a_restored_game_of_a_person_waits_for_nobody_else(self) -> None:
        session = new_session(HUMAN, BOT)
        play_all(session, 0, 5, 6, 3)
        session.undo()
        restored = new_session(HUMAN, BOT)
        restored.begin_lesson()
        request = request_of(played_on := new_session(BOT, HUMAN))
        played_on.restore(*session.timeline.saved())
        restored.restore(*session.timeline.saved())
        for one in (restored, played_on):
            self.assertEqual((one.phase, one.game.actions), (Phase.YOUR_TURN, (0, 5)))
            self.assertFalse(one.is_paused)
        self.assertFalse(played_on.answer_bot(request, 0), "it is of the game before")


class SetUpTests(unittest.TestCase):
    def test_cells_cycle_both_ways_and_play_starts_there(self) -> None:
        session = new_session(HUMAN, BOT)
        play_all(session, 0)
        session.begin_setup()
        self.assertEqual((session.phase, session.state), (Phase.SETUP, session.game.state))
        session.cycle_setup(11, back=True)
        for _ in range(4):
            session.play(5)
        self.assertEqual(session.state, parse_board("100000000003"))
        session.set_players((HUMAN, OTHER_BOT))
        session.finish_setup()
        self.assertEqual((session.game.start, session.phase), (session.state, Phase.YOUR_TURN))
        self.assertEqual(session.players, (HUMAN, OTHER_BOT))

    def test_undo_and_redo_go_through_its_changes_and_nothing_of_the_game(self) -> None:
        session = new_session()
        play_all(session, 0, 5)
        session.begin_setup()
        seen = [session.state]
        changes: list[Change] = [lambda s: s.play(3), lambda s: s.set_setup(0), lambda s: s.play(7)]
        for change in changes:
            change(session)
            seen.append(session.state)
        session.set_setup(session.state)
        for name, states in (("undo", seen[-2::-1]), ("redo", seen[1:])):
            for state in states:
                getattr(session, name)()
                self.assertEqual((session.phase, session.state), (Phase.SETUP, state))
            self.assertTrue(why_not(name, session))
        self.assertTrue(session.leave())
        self.assertEqual((session.phase, session.game.actions), (Phase.YOUR_TURN, (0, 5)))


class HelpTests(unittest.TestCase):
    def test_nothing_is_guessed_while_the_solver_works(self) -> None:
        session = new_session(solved=False)
        play_all(session, 0)
        known = (session.ranked_moves(), session.verdict(), session.mistakes())
        self.assertEqual(known, ((), None, {}))
        for name in ("hint", "review"):
            self.assertEqual(why_not(name, session), STILL_SOLVING)

    def test_three_steps_count_as_one_hint(self) -> None:
        session = new_session(HUMAN, BOT)
        steps = [hint.step for hint in (session.hint() for _ in range(4))]
        self.assertEqual(steps, [1, 2, 3, 3])
        self.assertEqual(len(session.game.hinted), 1)
        play_all(session, 0, 5)
        session.hint()
        self.assertEqual(len(session.game.hinted), 2)

    def test_leaving_a_line_hides_none_of_its_help(self) -> None:
        session = new_session(HUMAN, BOT)
        play_all(session, 0, 5)
        session.hint()
        session.undo()
        play_all(session, 3, 5)
        session.hint()
        session.note_values_seen()
        session.redo()
        game = session.game
        self.assertEqual((len(game.hinted), game.takebacks, game.values_seen), (2, 1, True))
        session.new_game()
        self.assertFalse(session.game.is_helped)

    def test_the_verdict_is_of_the_move_shown(self) -> None:
        session = new_session()
        play_all(session, 0, 1, 2)
        verdicts = [session.verdict(index) for index in range(5)]
        kinds = [verdict and verdict.kind.name for verdict in verdicts]
        self.assertEqual(kinds, [None, "SHORTER", "BLUNDER", "COMPLETES", None])
        session.go_to(1)
        self.assertEqual(session.verdict(), verdicts[1])


class EndTests(unittest.TestCase):
    def test_a_result_counts_once_for_a_game(self) -> None:
        session = new_session(HUMAN, BOT)
        self.assertIsNone(session.take_result())
        play_all(session, 0, 1, 2)
        self.assertEqual(session.take_result(), session.game)
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
        session.open_game(Game(actions=(0, 1, 2), players=(HUMAN, BOT)))
        self.assertEqual(session.phase, Phase.OVER)
        self.assertIsNone(session.take_result())

    def test_the_verdict_on_a_wrong_try_goes_with_its_mistake(self) -> None:
        session = new_session(HUMAN, BOT)
        play_all(session, 0, 1, 11, 5, 11, 5, 2)
        session.begin_review()
        review = session.review
        assert review is not None
        for is_given_up in (False, True):
            wrong = next(a for a in legal_actions(session.state) if a not in review.solutions)
            session.play(wrong)
            self.assertIsNotNone(review.tried)
            if is_given_up:
                session.reveal()
            else:
                session.step_task(1)
            self.assertIsNone(review.tried)

    def test_review_finds_two_prepared_mistakes_and_spoils_nothing(self) -> None:
        session = new_session(HUMAN, BOT)
        # The bot answers a1 with b1. Then the human overlooks c1, and so does the bot after d3.
        play_all(session, 0, 1, 11, 5, 11, 5, 2)
        self.assertEqual(list(session.mistakes()), [2, 4])
        session.begin_review()
        self.assertEqual((session.phase, session.index), (Phase.REVIEW, 2))
        known = (session.ranked_moves(), session.verdict(), session.verdict(3))
        self.assertEqual(known, ((), None, None))
        self.assertTrue(why_not("hint", session))
        session.play(3)
        self.assertEqual(session.ranked_moves(), ())
        session.play(2)
        self.assertEqual(session.ranked_moves()[0].action, 2)
        session.step_task(1)
        self.assertEqual((session.index, session.ranked_moves()), (4, ()))
        session.reveal()
        self.assertTrue(session.ranked_moves())
        for name in ("reveal", "next_task", "redo"):
            self.assertTrue(why_not(name, session))
        before = session.game
        session.undo()  # leaves the review and takes nothing back
        self.assertEqual((session.phase, session.game), (Phase.OVER, before))

    def test_a_slow_win_does_not_solve_an_overlooked_one(self) -> None:
        session = new_session(start=parse_board("110000000003"))
        play_all(session, 3)
        session.begin_review()
        assert session.review is not None
        self.assertEqual(session.review.solutions, (2,), "a1 and b1 win in 10 moves")
