"""Undo, redo and looking back, as a session does them."""

import random
import unittest

from tests.kit.sessions import BOT, OTHER_BOT, new_session, play_all
from traffic_lights.board.rules import legal_actions
from traffic_lights.session.session import HUMAN, Outcome, Phase


class UndoTests(unittest.TestCase):
    def test_undo_and_redo_through_a_whole_game_of_two_persons(self) -> None:
        session = new_session()
        play_all(session, 0, 1, 2)
        states = [session.state]
        while session.game.present:
            self.assertTrue(session.undo())
            states.append(session.state)
        self.assertEqual(len(states), 4)
        for state in reversed(states[:-1]):
            self.assertTrue(session.redo())
            self.assertEqual(session.state, state)
        self.assertEqual(session.phase, Phase.OVER)
        self.assertFalse(session.can_redo)

    def test_against_a_bot_undo_takes_back_a_full_round(self) -> None:
        session = new_session(HUMAN, BOT)
        play_all(session, 0, 5, 6, 3)
        session.undo()
        self.assertEqual(session.game.standing, (0, 5))
        session.redo()
        self.assertEqual(session.game.standing, (0, 5, 6, 3))
        session.play(9)
        session.undo()
        self.assertEqual(session.game.standing, (0, 5, 6, 3))

    def test_undo_after_a_lost_game_returns_to_the_losing_choice(self) -> None:
        session = new_session(HUMAN, BOT)
        play_all(session, 0, 1, 5, 2)
        self.assertEqual((session.phase, session.game.winner), (Phase.OVER, 1))
        session.undo()
        self.assertEqual(session.game.standing, (0, 1))
        self.assertEqual(session.phase, Phase.YOUR_TURN)

    def test_first_move_of_a_bot_cannot_be_taken_back(self) -> None:
        session = new_session(BOT, HUMAN)
        play_all(session, 0)
        self.assertFalse(session.undo())
        self.assertEqual(session.game.standing, (0,))

    def test_new_game_by_slip_is_undone(self) -> None:
        session = new_session(HUMAN, BOT)
        play_all(session, 0, 5, 6)
        request = session.request_bot()
        assert request is not None
        old = session.game
        session.new_game((BOT, HUMAN))
        self.assertTrue(session.undo())
        self.assertEqual(session.game, old)
        self.assertEqual(session.phase, Phase.BOT_TURN)
        self.assertTrue(session.redo())
        self.assertEqual(session.players, (BOT, HUMAN))

    def test_new_game_twice_leaves_nothing_empty_behind(self) -> None:
        session = new_session()
        session.new_game()
        session.new_game()
        self.assertFalse(session.can_undo)

    def test_new_game_keeps_the_lines_that_redo_had(self) -> None:
        session = new_session()
        play_all(session, 0, 5, 6)
        session.undo()
        play_all(session, 3)
        session.new_game()
        self.assertFalse(session.can_redo)
        session.undo()
        self.assertEqual(session.game.standing, (0, 5, 3))
        while session.game.present:
            session.undo()
        session.undo()
        self.assertEqual(session.game.standing, (0, 5, 6))

    def test_another_move_after_undo_keeps_the_old_line_for_redo(self) -> None:
        session = new_session()
        play_all(session, 0, 5, 6)
        session.undo()
        self.assertEqual(session.play(3), Outcome.PLAYED_ON)
        self.assertEqual(session.game.actions, (0, 5, 3))
        self.assertTrue(session.redo())
        self.assertEqual(session.game.standing, (0, 5, 6))

    def test_the_same_move_after_undo_leaves_no_line(self) -> None:
        session = new_session()
        play_all(session, 0, 5, 6)
        session.undo()
        session.undo()
        self.assertEqual(session.play(5), Outcome.PLAYED)
        self.assertEqual(session.game.taken_back, (6,))

    def test_a_changed_seat_leaves_the_moves_taken_back_to_those_who_made_them(self) -> None:
        session = new_session(HUMAN, BOT)
        play_all(session, 0, 1, 5, 2)
        lost = session.game
        session.undo()
        session.set_players((HUMAN, OTHER_BOT))
        self.assertEqual((session.game.actions, session.game.seated), ((0, 1), (0, 2)))
        session.undo()
        session.redo()
        self.assertEqual((session.game.standing, session.players), ((0, 1), (HUMAN, OTHER_BOT)))
        session.redo()
        self.assertEqual((session.game.standing, session.players), (lost.standing, lost.players))
        self.assertFalse(session.can_redo)

    def test_another_move_from_before_a_change_of_seats_is_by_who_sits_there(self) -> None:
        session = new_session(HUMAN, BOT)
        play_all(session, 0, 1)
        session.set_players((HUMAN, OTHER_BOT))
        session.undo()
        session.play(7)
        self.assertEqual(session.game.seated, (0, 0))

    def test_two_bots_pause_after_undo(self) -> None:
        session = new_session(BOT, OTHER_BOT)
        play_all(session, 0, 5, 6)
        session.undo()
        self.assertTrue(session.is_paused)
        self.assertIsNone(session.request_bot())
        session.resume_bots()
        self.assertIsNotNone(session.request_bot())

    def test_undo_and_redo_always_end(self) -> None:
        session = new_session()
        rng = random.Random(7)
        for _ in range(300):
            if session.phase is Phase.OVER:
                session.new_game()
            session.play(rng.choice(legal_actions(session.state)))
            for _ in range(rng.randrange(3)):
                session.undo()
        self.assertLess(sum(1 for _ in iter(session.undo, False)), 3000)
        self.assertLess(sum(1 for _ in iter(session.redo, False)), 3000)


class LookingBackTests(unittest.TestCase):
    def test_looking_back_changes_nothing(self) -> None:
        session = new_session()
        play_all(session, 0, 5, 6, 9)
        game = session.game
        session.step(-1)
        session.step(-1)
        self.assertEqual((session.phase, session.index), (Phase.LOOKING_BACK, 2))
        self.assertEqual(session.last_action, 5)
        session.go_to(-3)
        self.assertEqual((session.index, session.state, session.last_action), (0, 0, None))
        session.go_to(99)
        self.assertEqual((session.phase, session.game), (Phase.YOUR_TURN, game))

    def test_playing_on_from_there_keeps_the_old_line_for_redo(self) -> None:
        session = new_session()
        play_all(session, 0, 5, 6, 9)
        session.go_to(2)
        self.assertEqual(session.play(11), Outcome.PLAYED_ON)
        self.assertEqual(session.game.standing, (0, 5, 11))
        session.redo()
        self.assertEqual(session.game.standing, (0, 5, 6, 9))
        while session.game.present:
            session.undo()
        session.undo()
        self.assertEqual(session.game.standing, (0, 5, 11), "the new line is not lost either")

    def test_the_move_of_the_game_steps_on(self) -> None:
        session = new_session()
        play_all(session, 0, 5, 6, 9)
        session.go_to(1)
        self.assertEqual(session.play(5), Outcome.PLAYED)
        self.assertEqual((session.phase, session.index), (Phase.LOOKING_BACK, 2))

    def test_a_position_of_the_bot_is_not_played_by_hand(self) -> None:
        session = new_session(HUMAN, BOT)
        play_all(session, 0, 5, 6, 9)
        session.go_to(1)
        self.assertEqual(session.play(3), Outcome.BOT_MOVES_HERE)
        self.assertTrue(session.play_on_from_here())
        self.assertEqual(session.phase, Phase.BOT_TURN)
        self.assertEqual(session.game.taken_back, (5, 6, 9))


if __name__ == "__main__":
    unittest.main()
