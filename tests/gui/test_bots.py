"""A bot in a window: it is waited for, undone, replaced, fails, and plays on by itself."""

import threading
import time
from typing import ClassVar
from unittest import mock

from tests.kit.samples import PATIENCE_S
from tests.kit.windows import WindowTestCase, add_test_bot
from traffic_lights.board.games import PlayerError
from traffic_lights.board.rules import Action, State, legal_actions
from traffic_lights.gui.kit.board_view import Picture
from traffic_lights.gui.main import context
from traffic_lights.gui.main.messages import Message
from traffic_lights.play.game import HUMAN, Player
from traffic_lights.play.session import GAME_KEPT, LINE_KEPT


class BotTestCase(WindowTestCase):
    settings: ClassVar[dict[str, object]] = {"speed": "quick"}

    def setUp(self) -> None:
        super().setUp()
        self.enterContext(mock.patch.dict(context.PAUSES_MS, quick=40))
        self.asked: list[State] = []
        self.may_choose = threading.Event()
        self.may_choose.set()
        self.addCleanup(self.may_choose.set)

        def choose(state: State) -> Action:
            self.asked.append(state)
            self.may_choose.wait(PATIENCE_S)
            return legal_actions(state)[0]

        self.bot = add_test_bot(self.app, choose)
        self.app.session.new_game((HUMAN, self.bot))
        self.app.context.changed()

    def until_my_turn(self) -> None:
        self.wait(lambda: not self.app.session.is_bots_turn)

    def click_and_hold_the_bot(self) -> None:
        """Play, and have the bot choose until `may_choose` is set."""
        self.may_choose.clear()
        self.click(5)
        self.wait(lambda: self.asked)

    def buttons(self) -> dict[str, object]:
        return {str(b.cget("text")): b for b in self.answers}


class BotTests(BotTestCase):
    def test_while_the_bot_is_choosing_a_click_does_nothing(self) -> None:
        self.click_and_hold_the_bot()
        self.assertTrue(self.app.session.is_bots_turn)
        self.assertEqual(self.heading, "Tester is choosing…")
        self.assertTrue(self.app.window.cards.cards[1].is_marked)
        self.assertFalse(self.app.window.board.picture.inviting)
        self.click(6)
        self.may_choose.set()
        self.until_my_turn()
        self.assertEqual(self.app.session.game.actions, (5, 0))

    def test_undo_while_the_bot_is_choosing_lets_no_late_move_come(self) -> None:
        self.click_and_hold_the_bot()
        self.key("<Control-z>")
        self.may_choose.set()
        until = time.monotonic() + 0.1
        self.wait(lambda: time.monotonic() > until)
        self.assertEqual((self.app.session.state, self.app.session.is_your_turn), (0, True))
        self.click(5)
        self.until_my_turn()
        self.key("<Control-z>")
        self.assertEqual(self.app.session.state, 0, "one undo takes back a full round")

    def test_another_opponent_while_it_is_choosing_begins_a_game_without_its_move(self) -> None:
        self.click_and_hold_the_bot()
        self.app.context.seat(1, self.app.context.player("careful"))
        self.assertEqual(self.status, GAME_KEPT)
        self.may_choose.set()
        self.until_my_turn()
        self.assertEqual(self.app.session.game.actions, ())

    def test_the_bot_at_the_board_plays_one_move_for_me(self) -> None:
        self.app.context.userdata.change(opponent="careful")
        self.key("<Control-b>")
        self.wait(lambda: len(self.app.session.game.actions) >= 2)
        self.assertEqual(self.app.session.only_human, 0)
        self.assertEqual(self.asked[0], 0, "the opponent was asked, not the bot of the settings")

    def test_a_warning_and_an_explanation_survive_the_reply_of_the_bot_and_news_do_not(
        self,
    ) -> None:
        text = "The disk is full."
        for message, stays in (
            (Message(text, stays=True), True), (Message(text, picture=Picture()), True),
            (Message(text), False),
        ):  # fmt: skip
            self.app.session.new_game((HUMAN, self.bot))
            self.app.context.changed()
            self.asked.clear()
            self.click_and_hold_the_bot()
            self.app.context.say(message)
            self.may_choose.set()
            self.until_my_turn()
            self.assertEqual(self.status == text, stays)
            self.click(6)
            self.assertNotEqual(self.status, text, "the player has acted")

    def test_what_became_of_the_old_line_can_be_read_after_the_reply_of_the_bot(self) -> None:
        self.click(5)
        self.until_my_turn()
        self.key("<Control-Home>")
        self.click(6)
        self.until_my_turn()
        self.assertEqual((len(self.app.session.game.actions), self.status), (2, LINE_KEPT))
        self.click(7)
        self.assertNotEqual(self.status, LINE_KEPT, "the player has acted")

    def test_play_against_begins_a_game_with_that_bot(self) -> None:
        self.app.window.panel.moves.focus_force()
        self.app.root.withdraw()
        self.app.context.play_against("careful")
        self.app.root.update()
        self.assertTrue(self.app.root.winfo_viewable())
        self.assertEqual([p.bot for p in self.app.session.players], [None, "careful"])
        self.assertIs(self.app.root.focus_get(), self.app.window.board)

    def test_a_player_reads_that_the_file_of_a_bot_is_gone_and_the_game_goes_on(self) -> None:
        before = self.app.session.game
        opponent = self.app.context.userdata.settings.opponent
        self.app.root.withdraw()
        self.app.context.play_against("bot:Mine:100")
        self.app.root.update()
        self.assertTrue(self.app.root.winfo_viewable())
        self.assertEqual(self.status, context.BOT_IS_GONE)
        self.assertIs(self.app.session.game, before)
        self.assertEqual(self.app.context.userdata.settings.opponent, opponent)


class FailureTests(BotTestCase):
    def fail_with(self, error: Exception) -> None:
        """Let the bot raise *error* in place of a move."""

        def fail(_: State) -> Action:
            raise error

        add_test_bot(self.app, fail)

    def test_a_bot_that_fails_says_why_and_the_game_waits_for_a_decision(self) -> None:
        why = "Unknown player 'tester'"
        for error in (PlayerError(f"{why}."), PlayerError("unknown player 'tester'")):
            with self.subTest(error=error):
                self.fail_with(error)
                self.app.session.new_game((HUMAN, self.bot))
                self.click(5)
                self.wait(lambda: self.app.session.failure)
                self.assertEqual(self.heading, "Tester cannot move")
                self.assertTrue(self.status.startswith(f"{why}. Choose another player"))
                self.assertEqual(self.app.session.players, (HUMAN, self.bot), "never two people")
                self.click(6)
                self.assertEqual(self.app.session.game.actions, (5,))
                self.assertIn(why, self.status, "it stays")

    def test_it_can_try_again_be_taken_back_or_be_replaced(self) -> None:
        for decide in ("Try Again", "undo", "replace"):
            with self.subTest(decide=decide):
                self.fail_with(PlayerError("no"))
                self.app.session.new_game((HUMAN, self.bot))
                self.click(5)
                self.wait(lambda: self.app.session.failure)
                add_test_bot(self.app)
                if decide == "undo":
                    self.key("<Control-z>")
                elif decide == "replace":
                    self.app.context.seat(1, self.app.context.player("careful"))
                else:
                    self.click_on(self.buttons()[decide])  # type: ignore[arg-type]
                self.until_my_turn()
                self.assertEqual(self.app.session.failure, "")
                self.assertEqual(self.buttons(), {})
                self.assertEqual(len(self.app.session.game.actions), 0 if decide == "undo" else 2)

    def test_a_bot_of_a_friend_that_is_not_here_need_not_try_again(self) -> None:
        self.app.session.new_game((HUMAN, Player("bot:Hers", "Hers")))
        self.click(5)
        self.wait(lambda: self.app.session.failure)
        wanted = "There is no such player here. Choose another player on its card."
        self.assertEqual((self.status, self.buttons()), (wanted, {}))

    def test_a_bot_that_fails_in_the_place_of_the_player_gives_the_move_back(self) -> None:
        self.fail_with(PlayerError("its table is gone"))
        self.key("<Control-b>")
        self.wait(lambda: "yours again" in self.status)
        self.assertTrue(self.app.session.is_your_turn)


class TwoBotsTests(BotTestCase):
    settings: ClassVar[dict[str, object]] = {"speed": "instant"}

    def setUp(self) -> None:
        super().setUp()
        self.may_choose.clear()
        self.app.session.new_game((self.bot, self.bot))
        self.app.context.changed()

    def test_pause_step_and_play(self) -> None:
        session = self.app.session
        self.click_on(self.button("pause"))
        self.may_choose.set()
        self.assertTrue(session.is_paused)
        for made in (1, 2):
            self.click_on(self.button("step"))
            self.wait(lambda: len(session.game.actions) == made)  # noqa: B023
            self.assertTrue(session.is_paused)
        self.assertEqual(self.button("pause").cget("text"), "Play")
        self.click_on(self.button("pause"))
        self.wait(lambda: session.shows_result)
        self.key("<F2>", "<Control-p>", "<F2>")
        self.assertFalse(session.is_paused, "a new game is never paused")
