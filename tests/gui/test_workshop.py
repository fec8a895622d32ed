"""The Workshop: its list of bots, what can be done with them, its programs, and its curves."""

import unittest
from dataclasses import replace
from pathlib import Path
from tkinter import ttk
from typing import Any

from tests.kit.external_bots import write_bot
from tests.kit.eye import faults
from tests.kit.person import PersonTestCase, click_at
from tests.kit.workshop import TABLE, WorkshopTestCase
from traffic_lights.board.baselines import BASELINES
from traffic_lights.gui import workshop
from traffic_lights.learning.tablefile import read_table
from traffic_lights.training.bot_note import read_note, write_curve
from traffic_lights.training.own_bots import Bots


class FolderTests(unittest.TestCase):
    def test_the_docstring_of_the_folder_names_each_file(self) -> None:
        files = (path.stem for path in Path(workshop.__file__).parent.glob("[!_]*.py"))
        missing = [name for name in files if name not in str(workshop.__doc__)]
        self.assertEqual(missing, [], "gui/workshop/__init__.py does not say what they are for")


class ListTests(WorkshopTestCase):
    names = ("One", "Two")

    def rows(self) -> dict[str, tuple[str, ...]]:
        """Return the cells of each row by the name in it, the uppermost first."""
        return {thing.cells[0]: thing.cells for thing in self.things() if thing.cells}

    def test_own_bots_come_first_the_newest_above_all_and_each_player_has_its_wins(self) -> None:
        rows = self.rows()
        order = [[*rows].index(name) for name in ("New bot", "Two", "One", "Beginner")]
        self.assertEqual(order, sorted(order))
        for name, wins in (("One", "91 %"), ("Beginner", "6 %"), ("Perfect", "> 99 %")):
            self.assertIn(wins, rows[name])
        self.press("Beginner", "Learning")
        self.see("5.9 % against Myopic: 3.8 % as Player 1, 8.1 % as Player 2")
        self.assertTrue("Start" not in self.text or self.is_grey("Start"))
        self.press("One")
        self.see("Still getting better: on average +", "points in the last", "beats Myopic from")
        Bots(self.data).create("Theirs")  # by another program
        self.press("Strength")
        self.see("Theirs")

    def test_a_click_on_a_box_ticks_the_bot_and_chooses_no_other(self) -> None:
        self.press("One")
        two = self.find("Two")
        _, y = two.place() or (0, 0)
        tree, row = two.widget, two.widget.identify_row(y)
        box = next(one for one in tree.cget("columns") if tree.set(row, one) in ("☐", "☑"))
        x, _, wide, _ = tree.bbox(row, box)
        click_at(tree, 0, tree.winfo_height() // 2)  # an error would stand in the log
        self.see_not("☑", "met an error")
        for is_ticked in (True, False):
            click_at(tree, x + wide // 2, y)
            self.app.root.update()
            self.assertEqual(self.find("Two").is_ticked, is_ticked)
            self.assertEqual({"One", "Two"} <= {*self.drawn}, is_ticked)

    def test_the_arrows_go_from_player_to_player_and_unfold_the_last_part(self) -> None:
        self.press("One")
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

    def test_what_is_read_at_the_pointer_is_never_cut_and_a_page_begins_at_its_top(self) -> None:
        self.tick("One")
        self.tick("Two")
        self.front.wm_minsize(1, 1)
        self.resize(700, 560)
        chart = self.find("Wins against Myopic").widget
        chart.event_generate("<Motion>", x=chart.winfo_width() // 2, y=100)
        self.wait(lambda: "One after" in self.text, "what is read")
        (read,) = (words for words in self.drawn if "One after" in words)
        self.assertRegex(read, r"Two after [\d,]+ games?: .*\)$")
        top = chart.winfo_rooty()
        chart.event_generate("<MouseWheel>", delta=-120)
        self.wait(lambda: chart.winfo_rooty() < top, "a page that has scrolled")
        self.press("One")
        self.assertEqual(chart.winfo_rooty(), top)

    def test_a_bot_is_renamed_and_deleted_everywhere_and_return_keeps_it(self) -> None:
        self.press("One", "Bot", "Rename")
        for name, words in (("Two", "another bot called"), ("a/b", "cannot be the name")):
            self.fill("", name)
            self.press("Rename")
            self.see(words)
            self.wait(lambda: not faults(self.front), "room for the answer")
        self.fill("", "Newer")
        self.key("Return")
        self.see("Newer")
        self.assertNotIn("One", self.rows())
        self.press("Newer")
        self.assertIn("Newer", self.drawn)
        self.press("Two")
        self.key("Delete")
        self.see("Delete “Two”")
        self.key("Return")
        self.see_not("Delete “Two”")
        self.key("Delete")
        self.press("Delete")
        self.see("deleted")
        self.restart()
        self.press("Beginner")
        self.see("Newer")
        self.see_not("One", "Two")

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
        for name, acts, is_grey in (
            ("One", ("Rename", "Export", "Delete"), False),
            ("Careful", ("Rename", "Export", "Delete"), True),
            ("New bot", ("Strength", "Inside", "Play"), True),
            ("One", ("Strength", "Inside", "Play"), False),
        ):
            self.press(name, *(["Bot"] if "Rename" in acts else []))
            self.assertEqual([self.is_grey(act) for act in acts], [is_grey] * 3, name)
            self.menu = None
        Bots(self.data).create("Unable")
        self.press("Strength", "Unable")
        self.see("It has no table yet; train it.", "Games in total")
        self.assertTrue(self.is_grey("Strength"))

    def test_play_and_a_double_click_play_against_the_chosen_bot(self) -> None:
        self.press("One")
        self.press("Play")
        self.see("You", "One", "Your turn")
        self.key("Control-t")
        self.click_on(self.find("Two"), times=2)
        self.see("Two", "Your turn")
        self.click("b2")
        self.see("move 3")

    def test_the_next_tab_is_reached_by_keys_and_is_the_one_of_the_next_time(self) -> None:
        self.press("One")
        met = set()
        for _ in range(30):
            self.key("Tab")
            met.add(self.keyboard())
        self.assertIn(self.field("Games in total"), met)
        self.key("Escape")  # only leaves the field
        self.fill("Games in total", "5000")
        self.key("Control-Tab")
        self.see("Against")
        self.keyboard()
        for keys, words in (("Control-t", "Against"), ("Control-e", "Against"), ("b 2", "move 3")):
            self.key("Control-w")
            self.wait(lambda: self.front is self.app.root, "the game")
            self.key(*keys.split())
            self.see(words)

    def test_the_form_fits_a_small_window_and_all_its_settings_one_with_a_large_curve(self) -> None:
        for width, height, *presses, words in (
            (800, 560, "One", "Start"), (800, 560, "New bot", "Start"),
            (1270, 760, "One", "Advanced", "Q(s, a) ←"),
        ):  # fmt: skip
            self.resize(width, height)
            self.press(*presses)
            self.app.root.update()
            lowest = self.find(words, is_label=words != "Start").widget
            bottom = lowest.winfo_rooty() + lowest.winfo_height() - self.front.winfo_rooty()
            self.assertLess(bottom, height, words)
        self.assertGreaterEqual(self.find("Wins against Myopic").widget.winfo_height(), 250)

    def keyboard(self) -> Any:
        """Return what has the keyboard, which can be seen."""
        focus = self.front.focus_lastfor()
        self.assertTrue(focus and focus.winfo_viewable(), focus)
        return focus


class SightTests(WorkshopTestCase):
    names = ("One", "Two")

    def prepare(self) -> None:
        super().prepare()
        for bot in Bots(self.data).all():
            points = [replace(one, epsilon=0.2, moved=1.0) for one in read_note(bot.folder).points]
            write_curve(bot.folder, points, solved=[1, 2])

    def test_a_small_window_and_large_text_cut_nothing_and_leave_curves_their_height(self) -> None:
        for size, width, height in (
            (100, 800, 560), (100, 1270, 760), (150, 800, 900), (150, 800, 560), (200, 0, 560),
        ):  # fmt: skip
            self.app.context.change(size=size)
            self.app.root.update()
            least, _ = self.front.wm_minsize()
            self.assertTrue(size == 200 or least <= width, f"{least} pixels at {size} %")
            self.resize(width or least, height)
            for name in ("New bot", "One"):
                self.press(name)
                self.see("Games in total")
            self.see("How much", "Positions solved")
            self.assertEqual(faults(self.find("Levels").widget.master), [])
            if size < 200:
                self.assertEqual(faults(self.find("Learning").widget), [])
                drawn = {one.words: one for one in reversed(self.things()) if not one.cells}
                low, high = (drawn[words].place() or (0, 0) for words in ("0 %", "100 %"))
                self.assertGreater(low[1] - high[1], 4 * self.app.context.theme.line)
            tabs: Any = self.find("Learning").widget
            padding = 2 * int(str(ttk.Style(tabs).lookup("TNotebook.Tab", "padding")[0]))
            across = range(tabs.winfo_width())
            at = [str(tabs.tk.call(tabs, "identify", "tab", x, 9)) for x in across]
            for number, words in enumerate(("Learning", "Strength", "Inside")):
                needed = padding + self.app.context.theme.body.measure(words)
                self.assertGreaterEqual(at.count(str(number)), needed, words)

    def test_a_tick_moves_nothing_on_a_full_page(self) -> None:
        self.resize(1270, 760)
        self.press("One")
        self.see("How much one game")
        before = self.field("Games in total").winfo_rooty()
        self.tick("Two")
        self.press("One")
        self.assertEqual(self.field("Games in total").winfo_rooty(), before)


class ProgramTests(PersonTestCase):
    def test_one_that_fails_shows_the_cause_and_one_that_plays_is_added_by_its_name(self) -> None:
        self.pick("Bots", "Add a Program")
        code = "sys.stderr.write('no idea\\n'); sys.stderr.flush(); say('move z1')"
        for command, *words in (
            (write_bot(self.folder, at_go=code), "Mine answered 'z1'", "no idea"),
            *((bad, "The program did not start") for bad in ("", "'", "no-such-program-here")),
        ):
            self.fill("Command", command)
            self.fill("Name", "Mine")
            self.press("Add")
            self.see(*words)
            self.assertFalse(self.is_grey("Add"))
        self.fill("Command", write_bot(self.folder))
        self.press("Add")
        self.wait(lambda: "Command" not in self.text, "the end of the dialog")
        self.press("Beginner", "Mine")
        self.click("b2")
        self.see("move 3")
        self.pick("Bots", "Workshop")
        self.press("Mine")
        self.key("Delete")
        self.press("Remove")
        self.wait(lambda: not any(t.cells[:1] == ("Mine",) for t in self.things()), "its end")
