"""A position set up by hand, and its changes taken back one by one."""

from __future__ import annotations

import unittest

from tests.kit.sessions import BOT, OTHER_BOT, new_session, play_all
from traffic_lights.board.rules import parse_board
from traffic_lights.session.session import HUMAN, Phase


class SetUpTests(unittest.TestCase):
    def test_cells_cycle_both_ways_and_play_starts_there(self) -> None:
        session = new_session(HUMAN, BOT)
        play_all(session, 0)
        session.begin_setup()
        self.assertEqual((session.phase, session.state), (Phase.SETUP, session.game.state))
        session.cycle_setup(11, back=True)
        self.assertEqual(session.state & 3, 3)
        for _ in range(4):
            session.play(5)
        self.assertEqual(session.state, parse_board("100000000003"))
        self.assertTrue(session.finish_setup())
        self.assertEqual((session.game.start, session.phase), (session.state, Phase.YOUR_TURN))
        session.undo()
        self.assertEqual(session.game.standing, (0,))

    def test_a_finished_position_is_refused(self) -> None:
        session = new_session()
        session.begin_setup()
        session.set_setup(parse_board("111000000000"))
        self.assertEqual(session.values(), {})
        self.assertFalse(session.finish_setup())
        self.assertEqual(session.phase, Phase.SETUP)

    def test_undo_and_redo_take_back_its_changes_and_nothing_of_the_game(self) -> None:
        session = new_session()
        play_all(session, 0, 5)
        session.begin_setup()
        seen = [session.state]
        for change in (
            lambda: session.play(3),
            lambda: session.set_setup(0),
            lambda: session.play(7),
        ):
            change()
            seen.append(session.state)
        session.set_setup(session.state)
        for step, states in ((session.undo, seen[-2::-1]), (session.redo, seen[1:])):
            for state in states:
                self.assertTrue(step())
                self.assertEqual((session.phase, session.state), (Phase.SETUP, state))
            self.assertFalse(step())
        session.undo()
        session.play(0)
        self.assertFalse(session.can_redo, "another change was made since")
        self.assertTrue(session.leave())
        self.assertEqual((session.phase, session.game.standing), (Phase.YOUR_TURN, (0, 5)))

    def test_two_bots_are_not_halted_by_what_is_taken_back_in_it(self) -> None:
        session = new_session(BOT, OTHER_BOT)
        session.begin_setup()
        session.play(3)
        session.undo()
        self.assertFalse(session.is_paused)

    def test_seats_follow_the_parity_of_the_position(self) -> None:
        session = new_session(HUMAN, BOT, start=parse_board("100000000000"))
        self.assertEqual((session.mover, session.phase), (1, Phase.BOT_TURN))


if __name__ == "__main__":
    unittest.main()
