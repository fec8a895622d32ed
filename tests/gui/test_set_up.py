"""A position set up by hand: played from, and lost by nothing but leaving."""

from __future__ import annotations

from tkinter import filedialog
from unittest import mock

from tests.gui.test_play import GAME
from tests.kit.windows import WindowTestCase, add_test_bot, load_moves, new_folder
from traffic_lights.players.game import HUMAN, Game
from traffic_lights.session.notation import parse_moves, parse_record
from traffic_lights.session.session import Phase


class SetUpTests(WindowTestCase):
    def assert_set_up(self, state: int) -> None:
        self.assertEqual((self.app.session.phase, self.app.session.state), (Phase.SETUP, state))

    def set_up_one_lamp(self) -> None:
        """Set up a green a1 on an empty board."""
        self.app.run("set_up")
        self.app.run("clear_setup")
        self.click(0)

    def test_clicks_cycle_forth_and_back_and_the_game_starts_from_there(self) -> None:
        self.app.run("set_up")
        self.assertEqual(self.heading, "Set up a position")
        self.click(0)
        self.click(0)
        self.click(5, button=3)
        self.assert_set_up(2 << 22 | 3 << 12)
        self.assertIn("moves next", self.status, "said after each click")
        self.assertEqual(self.app.window.panel.moves.get("2.0", "end").strip(), "No move yet.")
        self.click_on(self.button("finish_setup"))
        self.assertEqual(self.app.session.phase, Phase.YOUR_TURN)
        self.assertEqual(self.app.session.game.start, 2 << 22 | 3 << 12)

    def test_a_line_cannot_be_played_from_and_escape_leaves(self) -> None:
        self.app.run("set_up")
        for cell in (0, 1, 2):
            self.click(cell)
        self.assertTrue(self.button("finish_setup").instate(["disabled"]))
        for name in ("finish_setup", "save_game"):
            self.app.context.say("")
            self.app.run(name)
            self.assertIn("A line is already complete", self.status)
        self.key("<Control-c>")
        self.assertEqual(self.app.root.clipboard_get(), "1110/0000/0000")
        self.key("<Escape>")
        self.assertEqual((self.app.session.phase, self.app.session.state), (Phase.YOUR_TURN, 0))

    def test_undo_and_redo_go_through_the_lamps_and_the_game_stays(self) -> None:
        load_moves(self.app, "1. b2 b2", bot_seat=1)
        session, button = self.app.session, self.button
        begun, standing = session.state, session.game.actions
        self.app.run("set_up")
        self.assertTrue(button("undo").instate(["disabled"]), "nothing was changed yet")
        self.click(0)
        self.click(0)
        self.key("<Control-z>")
        self.assert_set_up(begun | 1 << 22)
        self.click_on(button("undo"))
        self.assert_set_up(begun)
        self.click_on(button("redo"))
        self.key("<Control-y>")
        self.assert_set_up(begun | 2 << 22)
        self.click_on(button("leave"))
        self.assertEqual((session.phase, session.game.actions), (Phase.YOUR_TURN, standing))

    def test_what_is_copied_or_saved_is_what_is_set_up(self) -> None:
        load_moves(self.app, "1. b2 b2", bot_seat=1)
        players = self.app.session.players
        self.set_up_one_lamp()
        path = new_folder() / "game.tlg"
        with mock.patch.object(filedialog, "asksaveasfilename", return_value=str(path)):
            self.key("<Control-c>", "<Control-s>")
        for text in (self.app.root.clipboard_get(), path.read_text("utf-8")):
            game = parse_record(text)
            self.assertEqual((game.start, game.actions, game.players), (1 << 22, (), players))

    def test_who_plays_is_chosen_and_the_position_stays(self) -> None:
        for moves in ("1. b2 b2", GAME):
            with self.subTest(moves=moves):
                load_moves(self.app, moves, bot_seat=1)
                self.set_up_one_lamp()
                self.app.context.seat(1, self.app.context.player("random"))
                self.click_on(self.app.window.cards.swap)
                self.assert_set_up(1 << 22)
                self.app.run("finish_setup")
                self.assertEqual(self.app.session.game.start, 1 << 22)
                self.assertEqual(self.app.session.game.players[0].bot, "random")

    def test_no_key_for_a_game_throws_it_away(self) -> None:
        bot = add_test_bot(self.app)
        for players in ((HUMAN, HUMAN), (bot, bot)):
            self.app.session.restore(Game(actions=parse_moves(GAME), players=players))
            self.set_up_one_lamp()
            self.app.session.pause_bots()
            for key in ("<F4>", "<F6>", "<Shift-F6>", "<F5>", "<Control-p>"):
                with self.subTest(players=players, key=key):
                    self.key(key)
                    self.assert_set_up(1 << 22)
            self.key("<Escape>")
