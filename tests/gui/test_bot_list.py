"""The list of bots: its headings, what stands in a row, and how it is gone through."""

import tkinter as tk
from dataclasses import replace
from typing import Final

from tests.kit.colour_science import contrast
from tests.kit.windows import WindowTestCase, destroy, pixels
from traffic_lights.board.exact_score import ExactScore
from traffic_lights.gui.kit.widgets import focused_widget
from traffic_lights.gui.workshop.bot_list import BotList
from traffic_lights.gui.workshop.model import NEW, NEW_BOT
from traffic_lights.players.roster import Entry, Group, Roster

BLUE: Final = "#3050c0"


class BotListTests(WindowTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.top = tk.Toplevel(self.app.root)
        self.addCleanup(destroy, self.top)
        self.theme = self.app.context.theme
        self.ticked: list[str] = []
        self.list = BotList(self.top, self.theme, self.show, self.ticked.append)
        self.list.pack(fill="both", expand=True)
        self.addCleanup(lambda: self.list._images.clear())  # in the thread of Tk
        self.top.wm_geometry("400x700")
        self.entries = [NEW_BOT, *Roster().entries()]
        self.list.chosen = NEW

    def show(self, *entries: Entry, **ticks: str) -> None:
        self.list.show(entries or self.entries, ticks)
        self.app.root.update()

    def rows(self) -> list[str]:
        return [str(self.list.item(row, "text")) for row in self.list.get_children()]

    def image(self, key: str) -> tk.PhotoImage:
        name = self.list.item(key, "image")[0]
        return next(image for image in self.list._images if str(image) == name)

    def picture(self, key: str) -> dict[tuple[int, int], str]:
        return pixels(self.image(key))

    def click_row(self, key: str, x: int) -> None:
        box = self.list.bbox(key)
        assert not isinstance(box, str)
        self.list.event_generate("<Button-1>", x=x, y=box[1] + box[3] // 2)
        self.app.root.update()

    def test_each_player_stands_once_under_the_heading_of_its_kind(self) -> None:
        program = Entry("program-1", "Guest", "", Group.PROGRAM)
        self.show(*self.entries, program)
        rows = self.rows()
        headings = ["My Bots", "Levels", "Other Players", "Programs"]
        places = [rows.index(heading) for heading in headings]
        self.assertEqual(places, sorted(places))
        self.assertEqual(len(rows), len(self.entries) + 1 + len(headings))
        kinds = {entry.name: entry.group for entry in (*self.entries, program)}
        for name, after, before in (("New bot", 0, 1), ("Beginner", 1, 2), ("Guest", 3, 4)):
            self.assertLess(places[after], rows.index(name))
            self.assertLess(rows.index(name), [*places, len(rows)][before])
        others = {kinds[name] for name in rows[places[2] + 1 : places[3]]}
        self.assertEqual(others & {Group.OWN, Group.LEVEL, Group.PROGRAM}, set())
        self.show(NEW_BOT)
        self.assertEqual(self.rows(), ["My Bots", "New bot"], "no heading without a player")
        for row, has_font in (("My Bots", True), (NEW, False)):
            fonts = [self.list.tag_configure(tag, "font") for tag in self.list.item(row, "tags")]
            self.assertEqual(str(self.theme.strong) in map(str, fonts), has_font, row)

    def test_a_player_that_cannot_play_is_grey(self) -> None:
        self.show(NEW_BOT, replace(self.entries[1], problem="its table is damaged"))
        inks = {}
        for key in (NEW, self.entries[1].key):
            tags = self.list.item(key, "tags")
            inks[key] = [str(self.list.tag_configure(tag, "foreground")) for tag in tags]
        grey = self.theme.colours.disabled
        self.assertEqual(inks, {NEW: [], self.entries[1].key: [grey]})

    def test_bars_are_as_long_as_the_players_are_strong(self) -> None:
        scores = (None, 0.0, 0.25, 0.5, 1.0)
        entries = [
            Entry(f"{n}", f"{n}", "", Group.LEVEL, score=None if s is None else ExactScore(s, s))
            for n, s in enumerate(scores)
        ]
        colours = self.theme.colours
        for chosen in ("", "3", "4"):
            self.list.chosen = chosen or NEW
            self.show(NEW_BOT, *entries)
            for entry, score in zip(entries, scores, strict=True):
                back = colours.accent if entry.key == chosen else colours.surface
                picture = self.picture(entry.key)
                if score is None:
                    self.assertEqual(picture, {})
                    continue
                length = len({x for x, _ in picture})
                heights = [[y for x, y in picture if x == column] for column, _ in picture]
                lowest, highest = min(map(len, heights)), max(map(len, heights))
                thick = {x for (x, _), ys in zip(picture, heights, strict=True) if len(ys) > lowest}
                if score == 1:
                    self.assertGreater(lowest, 2)
                elif score:
                    self.assertAlmostEqual(len(thick) / length, score, delta=1 / length)
                    self.assertEqual(min(thick), min(x for x, _ in picture), "from the left")
                    self.assertGreaterEqual(highest, 3 * lowest)
                else:
                    self.assertEqual(thick, set())
                for x in thick:
                    column = {colour for (other, _), colour in picture.items() if other == x}
                    self.assertGreater(max(contrast(one, back) for one in column), 4.5)
                self.assertGreater(min(contrast(one, back) for one in picture.values()), 1.2)

    def test_bars_start_below_each_other_and_leave_room_on_both_sides(self) -> None:
        level, other = self.entries[1:3]
        self.show(NEW_BOT, level, other, **{level.key: BLUE})
        image = self.image(other.key)
        bar = {x for x, _ in pixels(image)}
        rows = {y for _, y in pixels(image)}
        ticked = {x for x, _ in self.picture(level.key)}
        self.assertLessEqual(bar, ticked)
        box = ticked - bar
        self.assertGreater(min(bar) - max(box), self.theme.px(1))
        self.assertGreater(image.width() - max(bar), self.theme.px(1))
        above, below = min(rows), image.height() - 1 - max(rows)
        self.assertAlmostEqual(above, below, delta=1, msg="in the middle of the row")

    def test_a_tick_falls_and_then_rises_inside_its_box(self) -> None:
        colours = self.theme.colours
        keys = [entry.key for entry in self.entries[1:4]]
        self.show(NEW_BOT, *self.entries[1:4], **{keys[0]: BLUE, keys[1]: ""})
        ticked, empty, none = map(self.picture, keys)
        side = self.theme.px(3.25)
        box = {(x, y) for y in range(side) for x in range(side)}
        self.assertLessEqual(box, ticked.keys() & empty.keys())
        self.assertEqual(box & none.keys(), set())
        edge = {(x, y) for x, y in box if {x, y} & {0, side - 1}}
        for picture, inside in ((ticked, {BLUE, colours.surface}), (empty, {colours.surface})):
            self.assertEqual({picture[place] for place in edge}, {colours.border})
            self.assertEqual({picture[place] for place in box - edge}, inside)
        tick = {place for place in box - edge if ticked[place] == colours.surface}
        columns = sorted({x for x, _ in tick})
        lines = [min(y for other, y in tick if other == x) for x in columns]
        self.assertEqual(columns, [*range(columns[0], columns[-1] + 1)], "without a gap")
        self.assertGreaterEqual(len(columns), side // 2)
        lowest = lines.index(max(lines))
        self.assertEqual(lines[: lowest + 1], sorted(lines[: lowest + 1]))
        self.assertEqual(lines[lowest:], sorted(lines[lowest:], reverse=True))
        self.assertTrue(0 < lowest < len(columns) / 2, "the rise is longer")
        self.assertLess(lines[-1], lines[0])
        for x in columns:
            self.assertGreaterEqual(sum(other == x for other, _ in tick), 2, "two pixels thick")

    def test_the_box_of_the_chosen_row_stands_out_from_its_colour(self) -> None:
        key = self.entries[1].key
        for chosen, back in (
            (NEW, self.theme.colours.surface), (key, self.theme.colours.accent),
        ):  # fmt: skip
            self.list.chosen = chosen
            self.show(NEW_BOT, self.entries[1], **{key: ""})
            picture = self.picture(key)
            self.assertGreater(contrast(picture[0, 0], back), 1.4)
            self.assertEqual(picture[3, 3], back, "an empty box is like its row")

    def test_keys_go_through_the_players_and_tick_them(self) -> None:
        self.show()
        keys = [key for key in self.list.get_children() if key in {e.key for e in self.entries}]
        for event, key in (
            ("<Down>", keys[1]), ("<Down>", keys[2]), ("<Up>", keys[1]), ("<Home>", keys[0]),
            ("<Up>", keys[0]), ("<End>", keys[-1]), ("<Down>", keys[-1]), ("<Up>", keys[-2]),
        ):  # fmt: skip
            self.key(event, widget=self.list)
            self.assertEqual((self.list.chosen, self.list.selection()), (key, (key,)), event)
            self.assertTrue(self.list.bbox(key), "it is in sight")
        self.key("<space>", widget=self.list)
        self.assertEqual(self.ticked, [keys[-2]])

    def test_a_click_gives_the_keyboard_to_the_list(self) -> None:
        one, other = self.entries[1].key, self.entries[2].key
        self.show(*self.entries, **{one: ""})
        left = self.list.bbox(one)
        assert not isinstance(left, str)
        for key, x, chosen, ticked in (
            ("Levels", 150, NEW, []),
            (one, self.theme.px(2), NEW, [one]),
            (other, self.theme.px(2), other, [one]),  # without a box
            (one, self.theme.px(12), one, [one]),
        ):
            self.app.window.board.focus_force()
            self.app.root.update()
            self.click_row(key, x)
            self.assertIs(focused_widget(self.list), self.list)
            self.assertEqual((self.list.chosen, self.ticked), (chosen, ticked))
            self.show(*self.entries, **{one: ""})
            self.assertEqual(self.list.selection(), (chosen,))
        self.top.wm_geometry("400x200")
        self.wait(lambda: self.top.winfo_height() == 200)
        self.list.yview_moveto(1.0)
        before = self.list.yview()
        self.show(*self.entries, **{one: BLUE})
        self.assertEqual(self.list.yview(), before, "it does not scroll while a bot trains")
