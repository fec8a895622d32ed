"""The Workshop: its list of bots, what can be done with them, its programs, and its curves."""

import unittest
from dataclasses import replace
from pathlib import Path
from tkinter import ttk
from typing import Any, Final

from tests.kit.external_bots import write_bot
from tests.kit.eye import faults
from tests.kit.person import PersonTestCase, click_at
from tests.kit.samples import measured
from tests.kit.workshop import TABLE, WorkshopTestCase
from traffic_lights.board.baselines import BASELINES
from traffic_lights.gui import workshop
from traffic_lights.learning.tablefile import read_table
from traffic_lights.training.bot_note import read_note, write_curve
from traffic_lights.training.own_bots import Bots

NARROW: Final = 800
"""In a window of so many pixels, a text of 150 % must leave the tabs their room beside the list."""


class FolderTests(unittest.TestCase):
    def test_the_docstring_of_the_folder_names_each_file(self) -> None:
        files = (path.stem for path in Path(workshop.__file__).parent.glob("[!_]*.py"))
        missing = [name for name in files if name not in str(workshop.__doc__)]
        self.assertEqual(missing, [], "gui/workshop/__init__.py does not say what they are for")


class ListTests(WorkshopTestCase):
    names = ("One", "Two")

    def test_a_column_fits_a_narrow_window_with_large_text_and_no_heading_is_cut(self) -> None:
        for size in (100, 150):
            self.app.context.change(size=size)
            self.restart()
            self.pick("Bots", "Workshop")
            self.app.root.update()
            above = self.front.wm_minsize()[0] - NARROW
            self.assertLessEqual(above, 0, f"the list is {above} pixels too wide at {size} %")
            self.assertEqual(faults(self.find("Levels").widget.master), [])

    def test_own_bots_come_first_the_newest_above_all_and_each_player_has_its_wins(self) -> None:
        rows = {thing.cells[0]: thing.cells for thing in self.things() if thing.cells}
        order = [[*rows].index(name) for name in ("New bot", "Two", "One", "Beginner")]
        self.assertEqual(order, sorted(order))
        self.assertIn("91 %", rows["One"])
        self.assertIn("6 %", rows["Beginner"])
        self.assertIn("> 99 %", rows["Perfect"])
        self.press("Beginner", "Learning")
        self.see("5.9 % against Myopic: 3.8 % as Player 1, 8.1 % as Player 2")
        self.assertTrue("Start" not in self.text or self.is_grey("Start"))

    def test_a_bot_that_another_program_has_made_is_there_when_a_tab_is_chosen(self) -> None:
        Bots(self.data).create("Theirs")
        self.press("One", "Strength")
        self.see("Theirs")

    def test_a_click_on_a_box_ticks_the_bot_and_chooses_no_other(self) -> None:
        self.choose("One")
        two = self.find("Two")
        _, y = two.place() or (0, 0)
        row = two.widget.identify_row(y)
        columns = two.widget.cget("columns")
        box = next(one for one in columns if two.widget.set(row, one) in ("☐", "☑"))
        x, _, wide, _ = two.widget.bbox(row, box)
        click_at(two.widget, 0, two.widget.winfo_height() // 2)  # an error would stand in the log
        self.see_not("☑", "met an error")
        for is_ticked in (True, False):
            click_at(two.widget, x + wide // 2, y)
            self.app.root.update()
            self.assertEqual(self.is_ticked("Two"), is_ticked)
            self.assertEqual({"One", "Two"} <= {*self.drawn}, is_ticked)

    def test_the_arrows_go_from_player_to_player_and_unfold_the_last_part(self) -> None:
        self.choose("One")
        self.see_not("QBot 200")
        shown = ["Beginner", "Casual", "Careful", "Planner", "Expert", "Perfect"]
        shown += [bot.name for bot in BASELINES.values()]
        for name in shown:
            self.key("Down")
            self.see(f"| {name} |")
        self.key("Down")
        self.see("QBot 200")
        self.key("Up", *("Up" for _ in shown))
        self.see("| One | Imported")
        self.key("Left", "Left")
        self.see("| Two ")

    def test_the_page_of_another_bot_begins_at_its_top(self) -> None:
        self.resize(800, 560)
        self.choose("One")
        curves = self.find("Wins against Myopic").widget
        top = curves.winfo_rooty()
        curves.event_generate("<MouseWheel>", delta=-120)
        self.wait(lambda: curves.winfo_rooty() < top, "a page that has scrolled")
        self.choose("Two")
        self.assertEqual(curves.winfo_rooty(), top)

    def test_what_is_read_at_the_pointer_is_never_cut(self) -> None:
        self.tick("One")
        self.tick("Two")
        self.front.wm_minsize(1, 1)
        self.resize(700, 560)
        chart = self.find("Wins against Myopic").widget
        chart.event_generate("<Motion>", x=chart.winfo_width() // 2, y=100)
        self.wait(lambda: "One after" in self.text, "what is read")
        (read,) = (words for words in self.drawn if "One after" in words)
        self.assertRegex(read, r"Two after [\d,]+ games?: .*\)$")

    def test_a_curve_that_rises_at_once_has_a_logarithmic_axis_that_says_so(self) -> None:
        self.see_not("(log)")
        write_curve(Bots(self.data).folder / "One", [
            measured(games, share) for games, share in ((10, 0.1), (20, 0.9), (90_000, 0.9))
        ])  # fmt: skip
        self.restart()
        self.pick("Bots", "Workshop")
        self.choose("One")
        self.see("games (log)")

    def test_a_bot_is_renamed_everywhere_and_refuses_the_name_of_another(self) -> None:
        self.press("One", "Bot", "Rename")
        for name, words in (("Two", "another bot called"), ("a/b", "cannot be the name")):
            self.fill("", name)
            self.press("Rename")
            self.see(words)
            self.wait(lambda: not faults(self.front), "room for the answer")
        self.fill("", "Newer")
        self.key("Return")
        self.see("Newer")
        self.assertNotIn("One", [thing.cells[0] for thing in self.things() if thing.cells])
        self.choose("Newer")
        self.assertIn("Newer", self.drawn)
        self.restart()
        self.press("Beginner")
        self.see("Newer", "Two")

    def test_a_bot_that_is_deleted_is_asked_for_and_return_keeps_it(self) -> None:
        self.choose("One")
        self.key("Delete")
        self.see("Delete “One”")
        self.key("Return")
        self.see_not("Delete “One”")
        self.key("Delete")
        self.press("Delete")
        self.see("deleted")
        self.restart()
        self.press("Beginner")
        self.see("Two")
        self.see_not("One")

    def test_a_table_is_exported_and_imported_again(self) -> None:
        self.file = self.folder / "mine.json"
        self.press("One", "Bot", "Export")
        self.see("xported")
        one, other = read_table(self.file), read_table(TABLE)
        self.assertEqual({*one.states()}, {*other.states()})
        self.press("Add", "Import a Table")
        self.see("mported from mine.json")
        self.file.write_text("nonsense")
        self.press("Add", "Import a Table")
        self.see(str(self.file))

    def test_what_a_new_bot_or_one_of_others_cannot_do_is_grey(self) -> None:
        for name, is_grey in (("One", False), ("Careful", True)):
            self.press(name, "Bot")
            for act in ("Rename", "Export", "Delete"):
                self.assertEqual(self.is_grey(act), is_grey, (name, act))
            self.key("Escape")
        for name, is_grey in (("New bot", True), ("One", False)):
            self.press(name)
            for words in ("Strength", "Inside", "Play"):
                self.assertEqual(self.is_grey(words), is_grey, (name, words))
        Bots(self.data).create("Unable")
        self.press("Strength", "Unable")
        self.see("It has no table yet; train it.", "Games in total")
        self.assertTrue(self.is_grey("Strength"))

    def test_play_and_a_double_click_play_against_the_chosen_bot(self) -> None:
        self.choose("One")
        self.press("Play")
        self.see("You", "One", "Your turn")
        self.key("Control-t")
        self.click_on(self.find("Two"), times=2)
        self.see("Two", "Your turn")
        self.click("b2")
        self.see("move 3")


class PictureTests(WorkshopTestCase):
    names = ("One", "Two")

    def prepare(self) -> None:
        super().prepare()
        for bot in Bots(self.data).all():
            points = [replace(one, epsilon=0.2, moved=1.0) for one in read_note(bot.folder).points]
            write_curve(bot.folder, points, solved=[1, 2])

    def test_a_tick_moves_nothing_on_a_full_page(self) -> None:
        self.resize(1200, 600)
        self.choose("One")
        self.see("How much one game")
        before = self.field("Games in total").winfo_rooty()
        self.tick("Two")
        self.choose("One")
        self.assertEqual(self.field("Games in total").winfo_rooty(), before)

    def test_a_narrow_page_with_large_text_cuts_nothing_of_its_pictures(self) -> None:
        self.app.context.change(size=150)
        self.resize(800, 900)
        self.choose("One")
        self.see("How much", "Positions solved")
        self.assertEqual(faults(self.find("Learning").widget), [])


class WindowTests(WorkshopTestCase):
    names = ("One",)

    def test_the_next_tab_is_reached_by_keys_and_is_the_one_of_the_next_time(self) -> None:
        self.choose("One")
        self.fill("Games in total", "5000")
        self.key("Control-Tab")
        self.see("Against")
        keyboard = self.front.focus_lastfor()
        self.assertTrue(keyboard and keyboard.winfo_viewable(), keyboard)
        self.key("Control-w", "Control-t")
        self.see("Against")
        self.key("Control-w")
        self.app.root.update()
        self.key("Control-e")
        self.see("Against")

    def test_a_small_window_and_large_text_leave_the_curves_their_height(self) -> None:
        for name in self.names:
            self.tick(name)
        for size in (100, 150):
            self.app.context.change(size=size)
            for width, height in ((800, 560), (1270, 760)):
                self.resize(width, height)
                self.assertGreater(self.plot_height(), 4 * self.app.context.theme.line)

    def plot_height(self) -> int:
        """Return how far 0 % of the curves stands below 100 %, in pixels."""
        drawn = {one.words: one for one in reversed(self.things()) if not one.cells}
        low, high = (drawn[words].place() or (0, 0) for words in ("0 %", "100 %"))
        return low[1] - high[1]

    def test_a_small_window_and_large_text_cut_neither_names_nor_the_button(self) -> None:
        self.resize(800, 560)
        for name in ("One", "New bot"):
            self.choose(name)
            self.app.root.update()
            button = self.find("Start").widget
            bottom = button.winfo_rooty() + button.winfo_height()
            below = bottom - self.front.winfo_rooty() - 560
            self.assertLess(below, 0, "too much is above Start, or beside it in its line")
        self.resize(1270, 760)
        tree: Any = self.find("Beginner").widget
        before = tree.winfo_width()
        self.app.context.change(size=150)
        self.wait(lambda: tree.winfo_width() > 1.25 * before, "wider columns")
        for size in (150, 200):
            self.app.context.change(size=size)
            self.app.root.update()
            least, _ = self.front.wm_minsize()
            self.resize(max(NARROW, least), 560)
            tabs: Any = self.find("Learning").widget
            padding = 2 * int(str(ttk.Style(tabs).lookup("TNotebook.Tab", "padding")[0]))
            across = range(tabs.winfo_width())
            at = [str(tabs.tk.call(tabs, "identify", "tab", x, 9)) for x in across]
            for number, words in enumerate(("Learning", "Strength", "Inside")):
                needed = padding + self.app.context.theme.body.measure(words)
                self.assertGreaterEqual(at.count(str(number)), needed, words)

    def test_tab_reaches_the_form_escape_only_leaves_it_and_control_w_closes(self) -> None:
        self.choose("One")
        met = set()
        for _ in range(30):
            self.key("Tab")
            focus = self.front.focus_lastfor()
            self.assertTrue(focus.winfo_viewable())
            met.add(focus)
        self.assertIn(self.field("Games in total"), met)
        self.key("Escape")
        self.see("Games in total")
        self.key("Control-w")
        self.see_not("Games in total")
        self.key("b", "2")
        self.see("move 3")


class ProgramTests(PersonTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.pick("Bots", "Add a Program")

    def add(self, command: str, name: str = "") -> None:
        self.fill("Command", command)
        self.fill("Name", name)
        self.press("Add")

    def test_one_that_plays_is_added_under_its_name_and_can_be_removed(self) -> None:
        self.add(write_bot(self.folder), "Mine")
        self.wait(lambda: "Command" not in self.text, "the end of the dialog")
        self.press("Beginner", "Mine")
        self.click("b2")
        self.see("move 3")
        self.pick("Bots", "Workshop")
        self.press("Mine")
        self.key("Delete")
        self.press("Remove")
        self.wait(lambda: not any(t.cells[:1] == ("Mine",) for t in self.things()), "its end")

    def test_one_that_fails_or_does_not_start_shows_the_cause(self) -> None:
        code = "sys.stderr.write('no idea\\n'); sys.stderr.flush(); say('move z1')"
        self.add(write_bot(self.folder, at_go=code), "Mine")
        self.see("Mine answered 'z1'", "no idea")
        self.assertFalse(self.is_grey("Add"))
        for command in ("", "'", "no-such-program-here"):
            self.add(command)
            self.see("The program did not start")
