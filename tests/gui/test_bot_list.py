"""The list of bots: its headings, what stands in a row, and how it is gone through."""

import tkinter as tk
from dataclasses import replace
from typing import Final

from tests.kit.windows import WindowTestCase, destroy
from traffic_lights.gui.kit.widgets import focused_widget
from traffic_lights.gui.workshop.bot_list import BotList, draw_tick_box
from traffic_lights.players.roster import Entry, Group, Roster
from traffic_lights.workshop.shared import NEW, NEW_BOT

BLUE: Final = "#3050c0"


def pixels(image: tk.PhotoImage) -> dict[tuple[int, int], str]:
    """Return the colours of an *image* by their places, without what is transparent."""
    return {
        (x, y): "#{:02x}{:02x}{:02x}".format(*image.get(x, y))
        for y in range(image.height())
        for x in range(image.width())
        if not image.transparency_get(x, y)
    }


class BotListTests(WindowTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.top = tk.Toplevel(self.app.root)
        self.addCleanup(destroy, self.top)
        self.theme = self.app.context.theme
        self.ticked: list[str] = []
        self.list = BotList(self.top, self.theme, self.choose, self.ticked.append)
        self.list.pack(fill="both", expand=True)
        self.top.wm_geometry("400x700")
        self.entries = [NEW_BOT, *Roster().entries()]
        self.chosen = NEW
        self.ticks: dict[str, str] = {}

    def choose(self, key: str) -> None:
        self.chosen = key
        self.show(**self.ticks)

    def show(self, *entries: Entry, **ticks: str) -> None:
        self.ticks = ticks
        self.list.show(entries or self.entries, ticks, (), self.chosen)
        self.app.root.update()

    def rows(self) -> list[str]:
        return [str(self.list.item(row, "text")) for row in self.list.get_children()]

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

    def test_bots_whose_long_names_differ_at_the_end_can_be_told_apart(self) -> None:
        names = [f"Against Myopic, alpha 0.1, seed {seed}" for seed in (1, 2)]
        bots = [replace(NEW_BOT, key=name, name=name) for name in names]
        self.list.show([NEW_BOT, *bots], {}, ())
        shown = [str(self.list.item(name, "text")) for name in names]
        self.assertEqual([text[-6:] for text in shown], ["seed 1", "seed 2"])
        self.assertIn("…", shown[0])

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

    def test_a_box_has_four_edges_and_the_colour_of_the_curve_that_is_in_the_chart(self) -> None:
        looks = set()
        for colour, is_ticked in ((BLUE, True), (BLUE, False), ("", False)):
            image = tk.PhotoImage(master=self.top, width=40, height=40)
            draw_tick_box(image, self.theme, colour, is_ticked=is_ticked, is_chosen=False)
            looks.add(frozenset(pixels(image).items()))
            found = pixels(image)
            last = max(x for x, _ in found)
            edges = {
                found[place] for n in range(last + 1) for place in ((0, n), (n, last), (last, n))
            }
            self.assertEqual(edges, {self.theme.colours.border})
            self.assertEqual(BLUE in found.values(), colour == BLUE)
        self.assertEqual(len(looks), 3, "a bot in the chart may have a tick or not")
