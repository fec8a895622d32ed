"""A bot in a window: it is waited for, undone, replaced, and plays on by itself."""

from __future__ import annotations

import threading
import time
import unittest
from typing import ClassVar

from tests.kit.windows import WindowTestCase, add_bot, add_test_bot, play_added, remove_bot
from traffic_lights.board.rules import Action, State, legal_actions
from traffic_lights.gui.game import commands
from traffic_lights.players.bots import PlayerError
from traffic_lights.players.game import HUMAN
from traffic_lights.session.session import Phase


class BotTests(WindowTestCase):
    settings: ClassVar[dict[str, object]] = {"speed": "quick"}

    def setUp(self) -> None:
        super().setUp()
        self.asked: list[State] = []
        self.may_choose = threading.Event()
        self.may_choose.set()
        self.addCleanup(self.may_choose.set)

        def choose(state: State) -> Action:
            self.asked.append(state)
            self.may_choose.wait()
            return legal_actions(state)[0]

        self.bot = add_test_bot(self.app, choose)
        self.app.session.new_game((HUMAN, self.bot))
        self.app.desk.changed()

    def until_my_turn(self) -> None:
        self.wait(lambda: self.app.session.phase in (Phase.YOUR_TURN, Phase.OVER))

    def click_and_hold_the_bot(self) -> None:
        """Play, and have the bot choose until `may_choose` is set."""
        self.may_choose.clear()
        self.click(5)
        self.wait(lambda: self.asked)

    def test_while_the_bot_is_choosing_a_click_is_told_so(self) -> None:
        self.click_and_hold_the_bot()
        self.assertEqual(self.app.session.phase, Phase.BOT_TURN)
        self.assertEqual(self.app.window.title_text, "Tester is choosing…")
        self.click(6)
        self.assertEqual(self.status, "The bot is choosing…")
        self.may_choose.set()
        self.until_my_turn()
        self.assertEqual(self.app.session.game.actions, (5, 0))

    def test_undo_while_the_bot_is_choosing_lets_no_late_move_come(self) -> None:
        self.click_and_hold_the_bot()
        self.key("<Control-z>")
        self.may_choose.set()
        until = time.monotonic() + 0.4
        self.wait(lambda: time.monotonic() > until)
        self.assertEqual((self.app.session.state, self.app.session.phase), (0, Phase.YOUR_TURN))

    def test_one_undo_takes_back_a_full_round(self) -> None:
        self.click(5)
        self.until_my_turn()
        self.key("<Control-z>")
        self.assertEqual(self.app.session.state, 0)

    def test_the_opponent_changed_while_it_is_choosing_leaves_nobody_stuck(self) -> None:
        self.click_and_hold_the_bot()
        self.app.opponent_menu.choose("human")
        self.assertEqual(self.app.session.phase, Phase.YOUR_TURN)
        self.app.opponent_menu.choose("myopic")
        self.assertEqual(self.app.session.phase, Phase.BOT_TURN)
        self.may_choose.set()
        self.until_my_turn()
        self.assertEqual(len(self.app.session.game.actions), 2)

    def test_a_bot_that_fails_makes_the_game_wait_and_the_reason_is_shown(self) -> None:
        why = "Tester cannot play: its table is gone"
        for error in (ValueError("its table is gone"), PlayerError(why), PlayerError(why)):
            with self.subTest(error=error):
                self.fail_with(error)
                self.app.session.new_game((HUMAN, self.bot))
                self.click(5)
                self.wait(lambda: bool(self.app.session.failure))
                self.assertEqual(self.status, f"{why}. Choose another opponent, or undo.")
                self.assertEqual(self.app.session.players, (HUMAN, self.bot))

    def test_a_bot_that_fails_in_a_person_s_place_gives_the_move_back(self) -> None:
        self.fail_with(ValueError("its table is gone"))
        self.app.desk.keeper.change(opponent="test-bot")
        self.app.session.new_game((HUMAN, HUMAN))
        self.key("<Control-b>")
        self.wait(lambda: self.app.session.phase is Phase.YOUR_TURN)
        self.assertEqual(
            self.status, "Tester cannot play: its table is gone. The move is yours again."
        )

    def fail_with(self, error: Exception) -> None:
        """Have the bot raise *error* instead of moving."""

        def fail(_: State) -> Action:
            raise error

        add_bot(self.app.desk, "Tester", "test-bot", fail)

    def test_a_bot_removed_after_it_was_asked_still_makes_that_move(self) -> None:
        self.click_and_hold_the_bot()
        remove_bot(self.app.desk, "test-bot")
        self.may_choose.set()
        self.until_my_turn()
        self.assertEqual(self.app.session.game.actions, (5, 0))

    def test_the_bot_at_the_board_plays_one_move_for_me(self) -> None:
        self.app.desk.keeper.change(opponent="myopic")
        self.key("<Control-b>")
        self.wait(lambda: len(self.app.session.game.actions) >= 2)
        self.assertEqual(self.app.session.only_human, 0)
        self.assertEqual(self.asked[0], 0, "the opponent was asked, not the bot of the settings")

    def test_the_keys_for_two_bots_say_so_where_a_person_plays(self) -> None:
        for key in ("<F5>", "<Control-p>", "<Control-Shift-P>"):
            with self.subTest(key=key):
                self.app.desk.say("")
                self.key(key)
                self.assertEqual(self.status, commands.FOR_BOTS)

    def test_two_bots_finish_a_game_by_themselves(self) -> None:
        self.app.desk.keeper.change(speed="instant")
        self.app.session.new_game((self.bot, self.bot))
        self.app.desk.changed()
        self.wait(lambda: self.app.session.phase is Phase.OVER)

    def test_many_games_of_bots_leave_no_timer_and_no_command_behind(self) -> None:
        self.app.desk.keeper.change(speed="instant")
        timers, commands = [], []
        for _ in range(6):
            self.app.session.new_game((self.bot, self.bot))
            self.app.desk.changed()
            self.wait(lambda: self.app.session.phase is Phase.OVER)
            self.wait(lambda: self.app.desk.jobs.outstanding == 0)
            timers.append(len(self.app.root.tk.splitlist(self.app.root.tk.call("after", "info"))))
            commands.append(
                len(self.app.root.tk.splitlist(self.app.root.tk.call("info", "commands")))
            )
        self.assertLessEqual(max(timers[1:]), timers[0] + 1)
        self.assertLessEqual(commands[-1], commands[0] + 2)

    def test_play_against_seats_a_bot_and_asks_it(self) -> None:
        play_added(self.app.desk, "A young QBot", "young", lambda state: legal_actions(state)[-1])
        self.click(0)
        self.until_my_turn()
        self.assertEqual(self.app.session.game.actions, (0, 11))
        self.assertEqual(self.app.session.players[1].name, "A young QBot")


if __name__ == "__main__":
    unittest.main()
