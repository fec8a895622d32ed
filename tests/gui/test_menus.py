"""The table of commands: every menu entry, button and key does what it says, or says why not."""

import sys
import tkinter as tk
import unittest
from tkinter import ttk
from typing import ClassVar, TypeVar
from unittest import mock

from tests.kit.samples import IS_SLOW_RUN
from tests.kit.windows import WindowTestCase, destroy, load_moves, open_dialogs, words_in
from traffic_lights.board.rules import parse_cell
from traffic_lights.gui.app import MENUS
from traffic_lights.gui.dialogs import CHOSEN, SWITCHED
from traffic_lights.gui.kit import board_view, keys
from traffic_lights.gui.kit.keys import latin_key, sequences, shown_key
from traffic_lights.play.userdata import CHOICES, LABELS

T = TypeVar("T")
MOST_ENTRIES = 12
"""More in one menu would no longer be found by reading."""
ENTRIES = [name for names in MENUS.values() for name in names if name]
DIALOGS = ("statistics", "how_to_play", "keys", "about", "appearance")


class MenuDataTests(unittest.TestCase):
    def test_keys_are_bound_in_both_cases(self) -> None:
        self.assertEqual(sequences("Ctrl+N", "linux"), ("<Control-n>", "<Control-N>"))
        self.assertEqual(
            sequences("Ctrl+Shift+N", "darwin"), ("<Command-Shift-n>", "<Command-Shift-N>")
        )
        self.assertEqual(sequences("Ctrl++", "linux"), ("<Control-plus>", "<Control-KP_Add>"))
        self.assertEqual(sequences("PageUp", "linux"), ("<Prior>", "<KP_Prior>"))
        self.assertEqual(shown_key("Ctrl+N", "darwin"), "Command+N")


class OtherAlphabetTests(WindowTestCase):
    @unittest.skipUnless(sys.platform.startswith("linux"), "these are X11's numbers")
    def test_only_a_letter_of_another_alphabet_is_taken_for_the_latin_one_on_its_key(self) -> None:
        for char, keysym_num, keycode, key in (
            ("и", 0x6C9, 56, "b"), ("И", 0x6E9, 56, "b"), ("β", 0x7E2, 56, "b"),
            ("נ", 0xCF0, 56, "b"), ("لا", 0, 0, "b"), ("ﻻ", 0x100FEFB, 56, "b"),
            ("я", 0x6D1, 52, "z"), ("ա", 0x1000561, 38, "a"), ("۲", 0x10006F2, 11, "2"),
            ("б", 0x6C2, 59, ""), ("b", 0x62, 56, ""), ("ğ", 0x2BB, 34, ""), ("2", 0x32, 11, ""),
            (",", 0x2C, 58, ""), ("ẽ", 0x1001EBD, 26, ""), ("", 0xFFE1, 50, ""),
        ):  # fmt: skip
            event: tk.Event[tk.Misc] = tk.Event()
            event.char, event.keysym_num, event.keycode = char, keysym_num, keycode
            self.assertEqual(latin_key(event), key, char)

    def test_letters_digits_and_commands_work_with_a_layout_without_latin_letters(self) -> None:
        def press(event: str, key: str, widget: tk.Misc | None = None) -> None:
            """Press a key that Tk has no binding for, which has the Latin *key*."""
            with (
                mock.patch.object(keys, "latin_key", return_value=key),
                mock.patch.object(board_view, "latin_key", return_value=key),
            ):
                self.key(event, widget=widget)

        session = self.app.session
        press("<Key-semicolon>", "b")
        press("<Key-semicolon>", "2")
        self.assertEqual(session.game.actions, (parse_cell("b2"),))
        press("<Control-semicolon>", "z")
        self.assertEqual(session.game.actions, ())
        press("<Control-Shift-semicolon>", "z")
        self.assertEqual(session.game.actions, (parse_cell("b2"),))
        press("<Key-semicolon>", "u")
        self.assertEqual(session.game.actions, ())

    def test_a_field_copies_and_pastes_with_a_layout_without_latin_letters(self) -> None:
        field = ttk.Entry(self.app.root)
        self.addCleanup(destroy, field)
        field.insert(0, "слово")
        field.place(x=0, y=0)
        for key in ("a", "x", "v", "v"):
            with mock.patch.object(keys, "latin_key", return_value=key):
                self.key("<Control-semicolon>", widget=field)
        self.assertEqual(field.get(), "словослово")


class CommandTests(WindowTestCase):
    def test_no_key_or_entry_has_two_meanings_and_labels_are_in_title_case(self) -> None:
        commands = self.app.table.values()
        keys = [key for command in commands for key in (*command.keys, command.letter) if key]
        self.assertEqual(len(keys), len(set(keys)))
        self.assertEqual(len(ENTRIES), len(set(ENTRIES)))
        for title, names in MENUS.items():
            self.assertLessEqual(len([*filter(None, names)]), MOST_ENTRIES, title)
        for command in commands:
            for word in command.label.split():
                is_small = word in ("a", "for", "or", "the", "to")
                self.assertTrue(word[0].isupper() or is_small, command.label)

    def entry(self, name: str) -> tuple[tk.Menu, int]:
        """Return the menu that has the command *name*, as it opens, and its index there."""
        title = next(title for title, names in MENUS.items() if name in names)
        menu = self.app.menus[title]
        menu.tk.call(menu.cget("postcommand"))
        return menu, MENUS[title].index(name)

    def test_the_menu_and_each_key_run_the_same_command(self) -> None:
        root, table = self.app.root, self.app.table
        with mock.patch.object(self.app, "run") as run:
            for command in table.values():
                for key in command.keys:
                    self.key(sequences(key)[0])
                    self.assertEqual(run.call_args.args, (command.name,), key)
                    for sequence in sequences(key):
                        self.assertTrue(root.bind(f"<{sequence}>"), f"{key} is not bound")
                if command.letter:
                    self.key(f"<Key-{command.letter}>")
                    self.assertEqual(run.call_args.args, (command.name,))
            for name in ENTRIES:
                menu, index = self.entry(name)
                menu.entryconfigure(index, state=tk.NORMAL)
                menu.invoke(index)
                self.assertEqual(run.call_args.args, (name,))
                self.assertEqual(menu.entrycget(index, "label"), table[name].label)

    def test_a_command_that_does_not_apply_is_grey_and_says_why(self) -> None:
        for moves in ("", "1. b2"):
            load_moves(self.app, moves)
            for name in ENTRIES:
                reason = self.app.why_not(name)
                menu, index = self.entry(name)
                self.assertEqual(str(menu.entrycget(index, "state")) == tk.DISABLED, bool(reason))
                if reason:
                    before = self.app.session.history.saved
                    self.app.run(name)
                    self.assertEqual(
                        (self.status, self.app.session.history.saved), (reason, before)
                    )

    def test_a_grey_button_says_why_under_the_pointer(self) -> None:
        button = self.button("undo")
        said = self.status
        button.event_generate("<Enter>")
        self.assertEqual(self.status, "There is nothing to undo.")
        button.event_generate("<Leave>")
        self.assertEqual(self.status, said)

    def test_larger_never_makes_the_board_smaller(self) -> None:
        board, sides = self.app.window.board, []
        sizes = CHOICES["zoom"]
        for _ in sizes:
            sides.append(board.cell_centre(1)[0] - board.cell_centre(0)[0])
            self.key("<Control-plus>")
        self.assertEqual(sides, sorted(sides))
        is_largest = self.app.context.userdata.settings.zoom == max(sizes)
        self.assertTrue(is_largest or "no room for a larger board" in self.status, self.status)
        for _ in sizes:
            self.key("<Control-minus>")
        self.assertEqual(self.app.context.userdata.settings.zoom, min(CHOICES["zoom"]))
        self.key("<Control-0>")

    def test_switches_are_ticked_while_they_are_on(self) -> None:
        self.app.context.play_against("perfect")
        for name, key in (("best_play", "<F7>"), ("learned", "<F8>"), ("panel", "<F9>")):
            command = self.app.table[name]
            assert command.is_on is not None
            before = command.is_on()
            for wanted in (not before, before):
                self.key(key)
                menu, index = self.entry(name)
                image = str(menu.entrycget(index, "image"))
                size = menu.tk.call("image", "height", image)
                lowest = round(0.4 * size), round(0.75 * size)
                is_ticked = not menu.tk.call(image, "transparency", "get", *lowest)
                self.assertEqual((command.is_on(), is_ticked), (wanted, wanted))

    def test_escape_closes_every_dialog_and_the_board_has_the_keyboard(self) -> None:
        for name in DIALOGS:
            with self.subTest(dialog=name):
                self.app.run(name)
                self.app.run(name)
                self.app.root.update()
                (dialog,) = open_dialogs(self.app.root)  # asked for twice it is there once
                self.key("<Escape>", widget=dialog)
                self.assertFalse(dialog.winfo_exists())
                self.wait(lambda: self.app.root.focus_get() is self.app.window.board)

    def test_the_keys_page_names_every_key_and_what_it_does(self) -> None:
        self.app.run("keys")
        (dialog,) = open_dialogs(self.app.root)
        shown = " ".join(words_in(dialog).split())
        for command in self.app.table.values():
            if command.keys:
                keys = ", ".join(shown_key(key) for key in command.keys)
                self.assertIn(f"{keys} {command.label}", shown)
        self.assertTrue(shown.startswith("On the board Arrow keys move the cursor Space"))
        self.assertIn("In the Workshop Space tick the chosen bot", shown)
        self.assertIn("Escape to the board", shown, "at a button, letters play no lamp")
        self.assertIn(f"and the panel In the main window {shown_key('Ctrl+Z')} Undo", shown)
        dialog.close()

    def test_a_mac_has_its_own_entries_and_command_w(self) -> None:
        root = self.app.root
        root.tk.eval("namespace eval ::tk::mac {}")
        self.addCleanup(root.tk.eval, "bind all <Command-w> {}; bind all <Command-W> {}")
        self.enterContext(mock.patch.object(self.app, "is_mac", True))
        self.app.serve_mac()
        for entry in ("tkAboutDialog", "::tk::mac::ShowPreferences", "::tk::mac::ShowHelp"):
            root.tk.call(entry)
            (dialog,) = open_dialogs(root)
            self.key("<Command-w>", widget=dialog)
            self.assertEqual(open_dialogs(root), [])

    def test_tab_reaches_everything_from_the_cards_to_the_panel(self) -> None:
        self.key("<F7>")
        window = self.app.window
        wanted = {*window.cards.cards, window.cards.swap, window.cards.turns, window.board,
                  self.button("new_game"), window.panel.moves}  # fmt: skip
        widget: tk.Misc | None = window.board
        met = set()
        for _ in range(40):
            assert widget is not None
            met.add(widget)
            widget = widget.tk_focusNext()
        self.assertLessEqual(wanted, met)

    def test_control_a_selects_all_of_a_field(self) -> None:
        for kind in (ttk.Entry, ttk.Combobox):
            field = kind(self.app.root)
            field.insert(0, "20000")
            field.icursor(0)
            field.place(x=0, y=0)
            self.app.root.update()
            self.key("<Control-a>", widget=field)
            self.assertEqual(field.index(tk.INSERT), 5)
            self.key("<Key-7>", widget=field)
            self.assertEqual(field.get(), "7")
            destroy(field)


class AppearanceTests(WindowTestCase):
    settings: ClassVar[dict[str, object]] = {"animations": True}

    def setUp(self) -> None:
        super().setUp()
        self.app.run("appearance")
        (self.sheet,) = open_dialogs(self.app.root)
        self.addCleanup(self.sheet.close)

    def setting(self, name: str) -> object:
        return getattr(self.app.context.userdata.settings, name)

    def widgets(self, kind: type[T]) -> list[T]:
        return [w for w in self.sheet.body.winfo_children() if isinstance(w, kind)]

    def test_every_choice_applies_at_once_and_shows_its_label(self) -> None:
        for name, box in zip(CHOSEN, self.widgets(ttk.Combobox), strict=True):
            self.assertEqual(box.get(), CHOICES[name][self.setting(name)])
            for index, (value, text) in enumerate(CHOICES[name].items()):
                if index > 1 and not IS_SLOW_RUN:
                    continue
                box.current(index)
                box.event_generate("<<ComboboxSelected>>")
                self.assertEqual((self.setting(name), box.get()), (value, text))
        for name, tick in zip(SWITCHED, self.widgets(ttk.Checkbutton), strict=True):
            for wanted in (self.setting(name), not self.setting(name)):
                self.assertEqual(tick.instate(["selected"]), wanted)
                self.assertEqual((tick.cget("text"), self.setting(name)), (LABELS[name], wanted))
                self.key("<space>", widget=tick)

    def test_the_bell_is_grey_without_the_animation_that_it_belongs_to(self) -> None:
        ticks = dict(zip(SWITCHED, self.widgets(ttk.Checkbutton), strict=True))
        for is_grey in (False, True, False):
            self.assertEqual(ticks["bell"].instate(["disabled"]), is_grey)
            self.key("<space>", widget=ticks["animations"])
