"""Every menu item does something, and its keys do the same; every popup goes with Escape."""

from __future__ import annotations

import tkinter as tk
import unittest
from tkinter import ttk

from tests.kit.windows import WindowTestCase, load_moves
from traffic_lights.board.rules import COLOUR_NAMES
from traffic_lights.gui.dialogs.new_game_dialog import NewGameDialog
from traffic_lights.gui.game.opponent_menu import score_text
from traffic_lights.gui.kit.dialog import Dialog
from traffic_lights.gui.kit.keys import sequences, shown_key
from traffic_lights.gui.kit.palette import rgb
from traffic_lights.gui.main.menus import MENUS, Check, Choice, Item
from traffic_lights.players.roster import Group
from traffic_lights.session.session import Phase

ITEMS = [e for _, entries in MENUS for e in entries if isinstance(e, Item)]
CHECKS = [e for _, entries in MENUS for e in entries if isinstance(e, Check)]
CHOICES = [e for _, entries in MENUS for e in entries if isinstance(e, Choice)]
DIALOGS = ("new_game_dialog", "statistics", "how_to_play", "keys", "about")


class MenuDataTests(unittest.TestCase):
    def test_no_key_has_two_meanings(self) -> None:
        keys = [key for item in ITEMS for key in item.keys]
        keys += [key for check in CHECKS for key in check.keys]
        self.assertEqual(len(keys), len(set(keys)))

    def test_keys_are_bound_in_both_cases(self) -> None:
        self.assertEqual(sequences("Ctrl+N", "linux"), ("<Control-n>", "<Control-N>"))
        self.assertEqual(
            sequences("Ctrl+Shift+N", "darwin"), ("<Command-Shift-n>", "<Command-Shift-N>")
        )
        self.assertEqual(sequences("Ctrl++", "linux"), ("<Control-plus>", "<Control-KP_Add>"))
        self.assertEqual(sequences("F2", "linux"), ("<F2>",))
        self.assertEqual(sequences("PageUp", "linux"), ("<Prior>", "<KP_Prior>"))
        self.assertEqual(shown_key(("Ctrl+N", "F2"), "darwin"), "Command+N")


class MenuTests(WindowTestCase):
    def test_every_item_has_a_command_and_every_choice_a_variable(self) -> None:
        for item in ITEMS:
            self.assertTrue(callable(self.app.commands.table[item.command]), item.label)
        for name in [c.variable for c in CHECKS] + [c.variable for c in CHOICES]:
            self.assertIn(name, self.app.appearance.variables)
        for choice in CHOICES:
            menu = self.app.menus.submenus[choice.label]
            self.assertGreater(menu.index(tk.END) or 0, 1, choice.label)

    def test_the_menu_and_each_of_its_keys_call_the_same_command(self) -> None:
        called: list[str] = []
        root, table = self.app.root, self.app.commands.table
        for item in ITEMS:
            for key in item.keys:
                for sequence in sequences(key):
                    self.assertTrue(root.bind(sequence), f"{key} is not bound")
        originals = dict(table)
        self.addCleanup(table.update, originals)
        for name in originals:
            table[name] = lambda name=name: called.append(name)  # type: ignore[misc]
        for item in ITEMS:
            for key in item.keys:
                # An upper-case letter that Tk makes up comes with Shift, which Caps Lock does
                # not; the person-level tests press that.
                sequence = sequences(key)[0]
                with self.subTest(item=item.label, sequence=sequence):
                    called.clear()
                    self.key(sequence)
                    self.assertEqual(called, [item.command])
            called.clear()
            menu, index = self.app.menus.place_of(item.command)
            menu.entryconfigure(index, state=tk.NORMAL)
            menu.invoke(index)
            self.assertEqual(called, [item.command])

    def test_the_keys_of_switches_turn_them_on_and_off(self) -> None:
        for check in CHECKS:
            variable = self.app.appearance.variables[check.variable]
            for key in check.keys:
                if check.variable == "full_screen":
                    continue
                with self.subTest(switch=check.label):
                    before = variable.get()
                    self.key(sequences(key)[0])
                    self.assertNotEqual(variable.get(), before)
                    self.key(sequences(key)[0])
                    self.assertEqual(variable.get(), before)

    def test_escape_closes_every_dialog_and_the_board_has_the_keyboard(self) -> None:
        for name in DIALOGS:
            with self.subTest(dialog=name):
                self.app.commands.table[name]()
                self.app.root.update()
                dialogs = [
                    w for w in self.app.root.winfo_children()
                    if isinstance(w, tk.Toplevel) and w.winfo_viewable()
                ]  # fmt: skip
                self.assertEqual(len(dialogs), 1)
                self.key("<Escape>", widget=dialogs[0])
                self.assertFalse(dialogs[0].winfo_exists())
                self.wait(lambda: self.app.root.focus_get() is self.app.window.board)

    def test_a_dialog_asked_for_twice_is_there_once(self) -> None:
        for _ in range(3):
            self.app.windows.keys()
        windows = [w for w in self.app.root.winfo_children() if isinstance(w, tk.Toplevel)]
        self.assertEqual(len([w for w in windows if w.winfo_exists()]), 1)
        self.app.desk.dialogs.close_all()

    def test_escape_never_quits(self) -> None:
        load_moves(self.app, "1. b2 b2 2. a3")
        self.key("<Prior>")
        for _ in range(5):
            self.key("<Escape>")
        self.assertTrue(self.app.root.winfo_exists())
        self.assertEqual(self.app.session.phase, Phase.YOUR_TURN)

    def test_menus_are_greyed_where_they_mean_nothing(self) -> None:
        def is_on(command: str) -> bool:
            menu, index = self.app.menus.place_of(command)
            return str(menu.entrycget(index, "state")) == tk.NORMAL

        self.assertFalse(is_on("undo"))
        self.click(0)
        self.assertTrue(is_on("undo"))
        self.assertFalse(is_on("redo"))
        self.assertTrue(is_on("go_first"))
        self.assertFalse(is_on("go_last"))

    def test_an_opponent_is_a_name_in_the_menu_and_a_sentence_in_the_status_line(self) -> None:
        call, said = self.app.root.tk.call, self.status
        if call("tk", "windowingsystem") != "x11":
            self.skipTest("menus of the system take no events from a test")
        # Tk shows a copy of a menu that hangs from a bar.
        menu = self.app.root.tk.eval("info commands .#*#!menu4#!menu")
        for one in self.app.desk.roster.levels():
            call(menu, "activate", one.name)
            call("event", "generate", menu, "<<MenuSelect>>")
            self.assertEqual(self.status, one.about or said)
        call(menu, "activate", "none")
        call("event", "generate", menu, "<<MenuSelect>>")
        self.assertEqual(self.status, said)

    def test_all_scores_are_against_one_opponent_and_none_is_rounded_to_all(
        self,
    ) -> None:
        opponents = [one for one in self.app.desk.roster.entries() if one.score]
        measured = [score_text(one) for one in opponents]
        self.assertEqual({score.partition("against")[2] for score in measured}, {" Myopic"})
        self.assertFalse([score for score in measured if score.startswith(("0 %", "100 %"))])
        for group in Group:
            scores = [score_text(one) for one in opponents if one.group is group]
            shares = [float(score.lstrip("<> ").partition(" ")[0]) for score in scores]
            self.assertEqual(shares, sorted(shares), "the weakest first")

    def test_what_is_chosen_is_marked_in_the_size_of_the_type_and_its_colour(self) -> None:
        root, menu = self.app.root, self.app.menus.submenus["Speed"]
        if root.tk.call("tk", "windowingsystem") != "x11":
            self.skipTest("the system marks entries itself")
        dot = str(menu.entrycget(0, "selectimage"))
        sizes = []
        for zoom, theme in ((0, "light"), (6, "high-contrast")):
            self.app.desk.keeper.change(zoom=zoom, theme=theme)
            self.app.appearance.take_settings()
            colour = rgb(self.app.desk.theme.colours.text)

            size = 2 * self.app.desk.theme.px(2)
            self.wait(lambda: root.tk.call("image", "width", dot) == size)  # noqa: B023
            middle = root.tk.splitlist(root.tk.call(dot, "get", size // 2, size // 2))
            self.assertEqual(tuple(map(int, middle)), colour)
            sizes.append(size)
        self.assertGreater(sizes[1], 1.6 * sizes[0])

    def test_the_values_are_explained_when_they_appear(self) -> None:
        self.assertNotIn("L 12", self.status)
        self.key("<F7>")
        self.assertIn("L 12 = loses in 12", self.status)

    def test_keys_go_through_the_moves_of_the_analysis(self) -> None:
        panel = self.app.window.panel
        panel.select(analysis=True)
        self.app.root.update()
        rows = panel.analysis.get_children()
        self.key("<Down>", widget=panel.analysis)
        self.assertEqual(panel.analysis.selection(), rows[1:2])
        self.app.desk.refresh()
        self.assertEqual(panel.analysis.selection(), rows[1:2], "drawn anew")
        self.app.window.board.focus_force()
        self.wait(lambda: not panel.analysis.selection())

    def test_the_rules_show_every_lamp(self) -> None:
        self.app.windows.how_to_play()
        self.addCleanup(self.app.desk.dialogs.close_all)
        (dialog,) = (w for w in self.app.root.winfo_children() if isinstance(w, Dialog))

        def lamps(widget: tk.Misc) -> int:
            inside = sum(map(lamps, widget.winfo_children()))
            if not isinstance(widget, tk.Canvas):
                return inside
            return inside + sum(str(widget.type(item)) == "image" for item in widget.find_all())

        self.wait(lambda: lamps(dialog) == len(COLOUR_NAMES))

    def test_control_a_selects_all_of_a_field(self) -> None:
        for kind in (ttk.Entry, ttk.Combobox, ttk.Spinbox):
            field = kind(self.app.root)
            field.insert(0, "20000")
            field.grid()
            self.app.root.update()
            self.key("<Control-a>", "<Key-7>", widget=field)
            self.assertEqual(field.get(), "7", kind)
            field.destroy()

    def test_the_new_game_dialog_starts_the_game_that_it_shows(self) -> None:
        self.key("<Control-Shift-n>")
        dialog = next(w for w in self.app.root.winfo_children() if isinstance(w, NewGameDialog))
        labels = list(dialog.seats[1]["values"])
        dialog.seats[1].current(next(i for i, x in enumerate(labels) if x.startswith("Myopic")))
        dialog.first.set("Opponent starts")
        self.key("<Return>", widget=dialog)
        self.assertEqual([p.bot for p in self.app.session.players], ["myopic", None])
        self.wait(lambda: self.app.session.phase is Phase.YOUR_TURN)
        self.assertEqual(len(self.app.session.game.actions), 1)
        for _ in range(2):  # always is always
            self.key("<Control-n>")
            self.assertEqual([p.bot for p in self.app.session.players], ["myopic", None])
        self.key("<Control-Shift-n>")
        dialog = next(w for w in self.app.root.winfo_children() if isinstance(w, NewGameDialog))
        self.assertEqual([seat.get()[:6] for seat in dialog.seats], ["A pers", "Myopic"])


if __name__ == "__main__":
    unittest.main()
