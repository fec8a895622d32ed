"""The Inside tab: what a bot believes of each move, and what it learns from a game."""

import time
from shutil import copyfile
from threading import Event
from typing import Any
from unittest import mock

from tests.kit.workshop import TABLE, WorkshopTestCase
from traffic_lights.gui.workshop import inside_tab
from traffic_lights.learning.qtable import QTable
from traffic_lights.learning.replay import GameReplay, replay
from traffic_lights.players.roster import Roster
from traffic_lights.storage.folders import shipped_tables
from traffic_lights.training.folder import table_in


class BoardTests(WorkshopTestCase):
    names = ("One", "Two")

    def test_a_table_that_was_replaced_is_read_again_also_if_it_was_just_being_read(self) -> None:
        begun, goes_on = Event(), Event()

        def slow(roster: Roster, key: str) -> QTable | None:
            found = usual(roster, key)
            begun.set()
            goes_on.wait(20)
            return found

        usual, table = Roster.table, table_in(self.data / "bots" / "One")
        self.press("One", "Play")
        self.key("F8")
        self.wait(lambda: all(self.signs.values()), "the values")
        before = self.signs
        copyfile(shipped_tables() / "myopic-1000.json", table)
        for name in ("Two", "One"):
            self.pick("Bots", "Workshop")
            self.press(name, "Play")
            self.wait(lambda: all(self.signs.values()), "the values")
        self.wait(lambda: self.signs != before, "the new values")
        with mock.patch.object(Roster, "table", slow):
            self.app.context.bots_changed()
            self.wait(begun.is_set, "a reading")
            self.key("F8")
            copyfile(TABLE, table)
            self.app.context.bots_changed()
            goes_on.set()
        self.key("F8")
        self.wait(lambda: self.signs == before, "the values of before")


class ValueTests(WorkshopTestCase):
    names = ("One",)

    def setUp(self) -> None:
        super().setUp()
        self.press("One", "Inside")
        self.see("Values of One")

    def test_every_move_has_a_value_on_the_board_and_beside_best_play(self) -> None:
        self.see("Learned", "Best play", "loses in 13")
        (text,) = (t.words for t in self.things() if t.words.startswith("Values of One"))
        self.assertLessEqual(len(text.split()), 45, text)
        self.assertTrue(all(self.signs.values()), self.signs)
        self.press("b1")
        cells = {thing.words.split()[0] for thing in self.things() if thing.cells}
        self.assertLessEqual({*self.signs}, cells)
        before = self.find("a").widget.winfo_reqheight()
        self.app.context.change(size=150)
        self.wait(lambda: self.find("a").widget.winfo_reqheight() > 1.4 * before, "a large board")

    def test_a_click_goes_on_without_a_frame_a_key_has_one_and_buttons_come_back(self) -> None:
        board = self.find("a").widget
        self.assertTrue(self.is_grey("Back"))
        for do, what, lamps, frames in (
            (self.click, "b2", "0000/0100/0000", 0), (self.key, "Right", "0000/0100/0000", 1),
            (self.click, "a3", "0000/0100/1000", 0), (self.press, "Back", "0000/0100/0000", 0),
            (self.click, "c1 d1", "0011/0100/0000", 0),
            (self.press, "Empty Board", "0000/0000/0000", 0),
        ):  # fmt: skip
            do(what)
            self.assertEqual(self.lamps, lamps, what)
            kinds = [str(board.type(item)) for item in board.find_all()]
            self.assertEqual(kinds.count("rectangle"), frames, "only a cursor has a rim")

    def test_a_table_that_could_not_be_read_is_shown_once_it_can(self) -> None:
        table = table_in(self.data / "bots" / "One")
        self.press("Beginner")
        table.write_bytes(TABLE.read_bytes()[:-9])
        self.press("One")
        self.see("checksum does not match")
        copyfile(shipped_tables() / "complete.json", table)
        self.press("Learning", "Inside")
        self.see("Values of One", "Ringed, ●: it plays this", "b2 ● 99.9 %")
        self.click("d3 c3")
        self.see("Its own games never come here")

    def test_a_player_with_fixed_rules_has_only_best_play(self) -> None:
        self.press("Replay My Game")
        self.see("First finish a game")
        self.press("Beginner")
        self.see("Beginner follows fixed rules", "loses in 12")


class ReplayTests(WorkshopTestCase):
    names = ("One",)

    def test_a_game_is_replayed_step_by_step_and_never_shown_of_another_bot(self) -> None:
        self.key("Control-w")
        self.press("Beginner", "A person")
        self.click("a1 d3 b1 d2 c1")
        self.see("Player 1 wins")
        self.key("Control-t")
        self.press("One", "Inside")
        for pressed, *words in (
            ("Replay My Game", "Before", "After", "Move 3, b1", "The reply c1 wins"),
            ("Step", "Move 2, d3"), ("Back", "Move 3, b1", "One did not play this game"),
            ("All Steps", "One would"),
        ):  # fmt: skip
            self.press(pressed)
            self.see(*words)
        self.assertTrue(self.is_grey("Step"))
        met = set()
        for move in ("3. b1", "1. a1", "2. d3"):
            self.press(move)
            met.add(self.text)
        self.assertEqual(len(met), 3, "each move has its reason")
        self.see("learning rate", "new value")
        self.press("Empty Board")
        self.see("Values of One")
        may_end = Event()

        def slow(*given: Any) -> GameReplay:
            may_end.wait()
            return replay(*given)

        with mock.patch.object(inside_tab, "replay", slow):
            self.press("Replay My Game")
            self.press("Beginner")
            may_end.set()
            late_s = time.monotonic() + 0.2
            self.wait(lambda: time.monotonic() > late_s)
            self.see("Beginner follows fixed rules")
