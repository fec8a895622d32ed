"""Menus, keys and dialogs: each entry does something, or is grey; all can be reached by keys."""

import tkinter as tk
import unittest
from tkinter.font import Font

from tests.kit.person import PersonTestCase
from tests.kit.sessions import after
from tests.kit.windows import WindowTestCase
from tests.play.test_commands import SITUATIONS
from traffic_lights.gui.app import MENUS
from traffic_lights.gui.kit.keys import latin_key, shown_key
from traffic_lights.gui.kit.menus import MenuButton
from traffic_lights.play.settings import LABELS
from traffic_lights.play.view import view

TITLES = ("Game", "Learn", "Bots", "View", "Help")


class MenuButtonTests(WindowTestCase):
    def test_a_menu_that_is_higher_than_the_screen_goes_on_in_further_columns(self) -> None:
        for count, is_high in ((5, False), (150, True)):

            def fill(menu: tk.Menu, count: int = count) -> None:
                for number in range(count):
                    menu.add_command(label=f"Player {number}")

            menu = MenuButton(self.root, fill).menu
            menu.tk.call(menu.cget("postcommand"))
            lowest = max(menu.yposition(number) for number in range(count))
            self.assertLess(lowest, self.root.winfo_screenheight())
            self.assertEqual(menu.xposition(count - 1) > menu.xposition(0), is_high)


class KeyNameTests(unittest.TestCase):
    def test_only_a_letter_of_another_alphabet_is_taken_for_the_latin_one_on_its_key(self) -> None:
        for char, keysym_num, keycode, key in (
            ("и", 0x6C9, 56, "b"), ("И", 0x6E9, 56, "b"), ("β", 0x7E2, 56, "b"),
            ("נ", 0xCF0, 56, "b"), ("я", 0x6D1, 52, "z"), ("б", 0x6C2, 59, ""),
            ("b", 0x62, 56, ""), ("ğ", 0x2BB, 34, ""), ("2", 0x32, 11, ""), (",", 0x2C, 58, ""),
        ):  # fmt: skip
            event: tk.Event[tk.Misc] = tk.Event()
            event.char, event.keysym_num, event.keycode = char, keysym_num, keycode
            self.assertEqual(latin_key(event), key, char)

    def test_a_mac_calls_control_command(self) -> None:
        self.assertEqual(shown_key("Ctrl+N", "darwin"), "Command+N")


class MenuTests(PersonTestCase):
    def test_what_does_not_apply_is_grey_and_does_nothing(self) -> None:
        for entry, is_grey in (("Undo", True), ("Redo", True), ("New Game", False)):
            self.pick("Game")
            self.assertEqual(self.is_grey(entry), is_grey, entry)
            self.key("Escape")
        self.assertTrue(self.is_grey("Undo"))
        self.key("Control-z")
        self.see("There is nothing to undo")
        self.click("b2")
        self.see("move 3")
        self.pick("Game")
        self.assertFalse(self.is_grey("Undo"))

    def test_each_command_and_setting_has_a_place_and_no_entry_stands_twice(self) -> None:
        named = {name for names in MENUS.values() for name in names}
        buttons = {name for words in SITUATIONS for name in view(after(words)).buttons}
        for command in self.app.table.values():
            self.assertTrue(command.keys or command.name in named | buttons, command.name)
        self.assertLessEqual({*LABELS} - {"shown"}, named)
        self.see(LABELS["shown"])
        entries = []
        for title in TITLES:
            self.pick(title)
            entries += self.things()
        self.key("Escape")
        self.assertEqual(len(entries), len({entry.words for entry in entries}))
        keys = [entry.cells[1] for entry in entries if entry.cells[1]]
        self.assertGreater(len(keys), 9)
        self.pick("Help", "Keys")
        self.see(*keys)

    def test_escape_closes_every_dialog_and_the_board_has_the_keyboard(self) -> None:
        for title, entry in (
            ("Game", "Statistics"), ("Help", "How to Play"), ("Help", "Keys"), ("Help", "About"),
        ):  # fmt: skip
            for _ in range(2):  # asked for twice it is there once
                self.pick(title, entry)
                self.assertEqual(len(self.windows), 2, entry)
            self.assertEqual("yellow (Y)" in self.text, entry == "How to Play")
            self.key("Escape")
            self.assertEqual(len(self.windows), 1, entry)
            self.key("b", "2")
            self.see("move 3")
            self.key("Control-z")

    def test_larger_and_smaller_have_an_end_and_the_usual_size_comes_back(self) -> None:
        usual = self.height_of_a_word()
        self.key(*9 * ["Control-plus"])
        self.assertGreater(self.height_of_a_word(), 1.5 * usual)
        self.pick("Game")
        assert self.menu is not None
        fonts = [Font(font=font, root=self.front) for font in (self.menu.cget("font"), "TLBody")]
        self.assertEqual(*(font.metrics("linespace") for font in fonts))
        self.key("Escape", *9 * ["Control-minus"])
        self.assertLess(self.height_of_a_word(), usual)
        self.key("Control-0")
        self.assertEqual(self.height_of_a_word(), usual)

    def height_of_a_word(self) -> int:
        return int(self.find("Your turn", is_label=True).widget.winfo_reqheight())

    def test_the_theme_is_chosen_at_once_and_for_the_next_start(self) -> None:
        before = self.board()[0].cget("background")
        self.pick("View", "Theme", "Dark")
        dark = self.board()[0].cget("background")
        self.assertNotEqual(dark, before)
        self.restart()
        self.assertEqual(self.board()[0].cget("background"), dark)
        self.pick("View", "Theme")
        self.assertTrue(self.find("Dark").is_ticked)

    def test_players_take_turns_to_begin_unless_that_is_switched_off(self) -> None:
        for move in ("move 1", "move 2"):
            self.click("b2")
            self.see("move 3")
            self.pick("Game", "Alternate Who")
            self.key("F2")
            self.see("Your turn", move)

    def test_tab_goes_through_all_that_can_be_used_and_comes_back(self) -> None:
        first, met = self.front.focus_lastfor(), set()
        for _ in range(40):
            self.key("Tab")
            focus = self.front.focus_lastfor()
            self.assertTrue(focus.winfo_viewable())
            met.add(focus)
        self.assertIn(first, met)
        self.assertGreater(len(met), 5)
