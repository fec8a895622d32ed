"""Nothing is cut off, lies over anything else or moves, in every window, theme, size and state."""

import tkinter as tk
from collections.abc import Callable
from datetime import date
from functools import partial
from tkinter import ttk

from tests.kit.eye import faults
from tests.kit.samples import IS_SLOW_RUN
from tests.kit.windows import (
    WindowTestCase,
    destroy,
    heights,
    load_moves,
    open_dialogs,
    settle,
)
from traffic_lights.board.rules import EMPTY_BOARD, STEPS, parse_cell
from traffic_lights.drawing.palette import LAMPS, THEMES
from traffic_lights.play.game import Game, Player
from traffic_lights.play.lessons import LESSONS
from traffic_lights.play.modes.lesson import LessonMode
from traffic_lights.play.modes.looking_back import go_to
from traffic_lights.play.modes.puzzles import PuzzleMode
from traffic_lights.play.puzzles import puzzle_of_the_day
from traffic_lights.play.solving import Attempt
from traffic_lights.play.verdicts import BEST_PLAY, LEARNED

SIZES = ((480, 420), (1280, 760))
"""The first is the smallest that the window allows, which is more on a finer screen."""
SIGHTS = (
    ("light", -3, 1.0), ("dark", 0, 1.0), ("high-contrast", 6, 1.0), ("light", 0, 2.0),
)  # fmt: skip
"""Themes, steps of zoom from 75 to 177 %, and resolutions in steps of 96 dpi."""
DIALOGS = ("appearance", "statistics", "how_to_play", "keys", "about")
MOVES = "1. b2 b2 2. a3"
WON = "1. b2 b2 2. a3 c1 3. b2 d2 4. c1 c2 5. c1 d2 6. c2 d3 7. b1 d1 8. d3 b1"
LONG = Player("own-table-1", "The one with the very longest of names, 4")


class EyeTests(WindowTestCase):
    """The checker itself sees each of the faults that version 1.0 had."""

    def test_each_fault_is_seen(self) -> None:
        top = tk.Toplevel(self.app.root)
        self.addCleanup(destroy, top)
        narrow = ttk.Frame(top, width=60, height=30)
        narrow.pack_propagate(False)
        narrow.grid()
        ttk.Label(narrow, text="Too long for this frame").pack(fill="x")
        for text in ("One", "Other"):
            ttk.Button(top, text=text).grid(row=1, column=0)
        tree = ttk.Treeview(top, columns=("a",), show="headings", height=1)
        tree.heading("a", text="Best possible score")
        tree.column("a", width=40, stretch=False)
        tree.insert("", "end", values=("A bot with a long name",))
        tree.grid()
        header = tk.Text(top, width=20, height=4, wrap="word")
        header.insert("1.0", "Exact player   Exact player\nNo move yet.")
        header.grid()
        canvas = tk.Canvas(top, width=200, height=80)
        canvas.grid()
        for x, y, text in ((100, 40, "40 %"), (100, 42, "60 %"), (195, 10, "cut at its end")):
            canvas.create_text(x, y, text=text)
        ttk.Button(top, text="Start").grid()
        top.update()
        top.wm_geometry(f"300x{top.winfo_reqheight() - 10}")
        self.wait(lambda: top.winfo_height() < top.winfo_reqheight())
        found = "\n".join(faults(top))
        for words in (
            "only a part of its text", "TButton 'One' and TButton 'Other' lie over each other",
            "heading 'Best possible score'", "cell 'A bot with a long name'",
            "broken into two lines", "'40 %' and '60 %'", "'cut at its end'",
            "TButton 'Start' is cut off",
        ):  # fmt: skip
            self.assertIn(words, found)


class LooksTestCase(WindowTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.root, self.window = self.app.root, self.app.window
        self.board = self.window.board
        self.addCleanup(self.see, "light", 0, 1.0)

    def see(self, theme: str, zoom: int, scale: float = 1.0) -> None:
        """Show everything in *theme* and *zoom* on a screen of *scale* times 96 dpi."""
        self.app.context.theme.screen_scale = scale
        self.app.context.userdata.change(theme=theme, zoom=zoom)
        self.app.window.take_look()
        settle(self.root)
        self.assertEqual(self.root.cget("background"), self.app.context.theme.colours.window)

    def size(self) -> tuple[int, int]:
        return self.root.winfo_width(), self.root.winfo_height()

    def resize(self, width: int, height: int) -> None:
        least = self.root.wm_minsize()
        size = max(width, least[0]), max(height, least[1])
        self.root.wm_geometry(f"{size[0]}x{size[1]}")
        self.wait(lambda: self.size() == size)
        settle(self.root)


class LayoutTests(LooksTestCase):
    def states(self) -> dict[str, Callable[[], object]]:
        """Return how to bring the main window into each of its states."""
        app = self.app

        def list_of_players() -> None:
            load_moves(app, MOVES)
            app.window.cards.toggle(1)

        def at_work() -> None:
            load_moves(app, MOVES)
            app.context.change(shown=BEST_PLAY)
            app.context.warn("The game cannot be saved: " + "the disk is full, " * 3)

        def learned() -> None:
            app.context.play_against("perfect")
            app.context.change(shown=LEARNED)
            self.wait(lambda: self.board.picture.values.numbers)

        def looking_back() -> None:
            load_moves(app, WON)
            go_to(app.session, 5)
            app.context.changed()

        def reviewing() -> None:
            load_moves(app, WON)
            app.run("review")
            app.context.click(0)

        def bots_alone() -> None:
            app.session.restore(Game(players=(LONG, LONG)))
            app.session.pause_bots()
            app.context.changed()

        def setting_up() -> None:
            load_moves(app, MOVES)
            app.run("set_up")

        def solved_puzzle() -> None:
            start = puzzle_of_the_day(date(2026, 11, 23)).state
            puzzle = Attempt(start, day=app.session.today)
            app.session.begin(PuzzleMode(app.session, puzzle))
            app.run("reveal")

        def lesson(number: int) -> None:
            app.session.begin(LessonMode(app.session, number))
            app.context.changed()

        return {
            "list of players": list_of_players,
            "at work": at_work,
            "learned values": learned,
            "over": partial(load_moves, app, WON),
            "looking back": looking_back,
            "review": reviewing,
            "two bots with long names": bots_alone,
            "set-up": setting_up,
            "puzzle": solved_puzzle,
            **{f"lesson {number}": partial(lesson, number) for number in range(len(LESSONS))},
        }

    def test_the_main_window_cuts_nothing_off(self) -> None:
        for turn, sight in enumerate(SIGHTS):
            self.see(*sight)
            for size in SIZES if IS_SLOW_RUN else SIZES[:1]:
                self.resize(*size)
                for number, (name, show) in enumerate(self.states().items()):
                    every = len(SIGHTS)
                    if (number - turn) % every and not IS_SLOW_RUN:
                        continue  # the normal run has each state once, in the smallest size
                    self.board.focus_force()
                    self.root.update()
                    show()
                    self.root.update()
                    with self.subTest(sight=sight, size=size, state=name):
                        self.assertEqual(faults(self.root), [])

    def test_the_main_window_comes_to_rest_at_every_height(self) -> None:
        for turn, state in enumerate(("at work", "two bots with long names")):
            self.states()[state]()
            for height in heights(self.root.wm_minsize()[1], 760, turn):
                self.root.wm_geometry(f"900x{height}")
                with self.subTest(state=state, height=height):
                    settle(self.root)

    def test_no_dialog_cuts_anything_off_and_each_fits_the_screen(self) -> None:
        for turn, sight in enumerate(SIGHTS):
            self.see(*sight)
            for name in DIALOGS if IS_SLOW_RUN else DIALOGS[turn % 2 :: 2]:
                with self.subTest(sight=sight, dialog=name):
                    self.app.run(name)
                    self.root.update()
                    (dialog,) = open_dialogs(self.root)
                    self.assertEqual(faults(dialog), [])
                    self.assertLessEqual(dialog.winfo_width(), self.root.winfo_screenwidth())
                    self.assertLessEqual(dialog.winfo_height(), self.root.winfo_screenheight())
                    window = self.app.context.theme.colours.window
                    self.assertEqual(dialog.cget("background"), window)
                    dialog.close()

    def test_the_board_stays_in_its_place_whatever_happens(self) -> None:
        def place() -> tuple[object, ...]:
            self.root.update()
            return self.board.cell_centre(0), self.board.winfo_y(), self.board.winfo_height()

        self.see("light", 4)
        self.resize(1300, 560)
        load_moves(self.app, WON.rpartition(" ")[0])
        before = place()
        load_moves(self.app, WON)
        self.assertEqual(place(), before, "the game has ended")
        self.app.run("set_up")
        self.assertEqual(place(), before, "a position is set up")
        self.app.run("leave")
        for event in ("<Enter>", "<Leave>"):
            self.button("redo").event_generate(event, x=2, y=2)
            self.assertEqual(place(), before, "a greyed button says why")
        words = 1
        three_lines = 3 * self.app.context.theme.body.metrics("linespace")
        while self.window.message.detail.winfo_reqheight() < three_lines:
            words += 1
            self.app.context.say("lamp " * words)
        self.assertEqual(place(), before, "a text has three lines")

    def test_the_least_window_grows_with_the_zoom_as_far_as_the_screen_goes(self) -> None:
        least = self.window.place.least_size()
        self.resize(*least)
        for _ in range(4):
            self.key("<Control-plus>")
        larger = self.window.place.least_size()
        self.assertEqual(larger, self.root.wm_minsize())
        self.assertGreater(larger, tuple(round(1.4 * side) for side in least))
        self.wait(lambda: self.size() == larger)
        self.see("light", 0, 8.0)
        width, height = self.window.place.least_size()
        self.assertLessEqual(width, self.root.winfo_screenwidth())
        self.assertLess(height, self.root.winfo_screenheight())


class PanelTests(LooksTestCase):
    def test_the_panel_goes_where_there_is_no_room_and_with_f9(self) -> None:
        for width, keys, is_shown in (
            (600, (), False), (900, (), True), (900, ("<F9>",), False), (900, ("<F9>",), True),
            (600, ("<F9>", "<F9>"), False),
        ):  # fmt: skip
            self.resize(width, 640)
            self.key(*keys)
            self.assertEqual(bool(self.window.panel.winfo_ismapped()), is_shown, (width, keys))
        self.assertIn("too narrow", self.status)

    def test_the_move_on_the_board_is_seen_in_the_list_when_its_verdicts_take_room(self) -> None:
        self.see("light", 4)
        self.resize(1300, 560)
        moves = self.window.panel.moves
        load_moves(self.app, WON.rpartition(" ")[0])
        self.click(parse_cell(WON[-2:]))
        (first, _) = moves.tag_ranges("current")
        seen = moves.dlineinfo(str(first))
        assert seen is not None, "out of sight"
        self.assertLessEqual(seen[1] + seen[3], moves.winfo_height())

    def test_moves_have_one_number_in_the_list_and_over_the_board(self) -> None:
        for start, numbers, first in (
            (EMPTY_BOARD, ["1–2", "3–4"], " a1 "), (STEPS[3], ["1", "2–3"], "…"),
        ):  # fmt: skip
            self.app.session.restore(Game(start=start, actions=(0, 5, 6)))
            self.app.context.changed()
            rows = self.window.panel.moves.get("1.0", "end-1c").splitlines()
            self.assertEqual([row.split("\t")[0] for row in rows], numbers)
            self.assertEqual(rows[0].split("\t")[1], first, "whether the first player made it")
            self.assertIn("move 4", self.app.session.mode.title(), "the next of these moves")


class BoardTests(LooksTestCase):
    def texts(self) -> set[str]:
        """Return the texts on the board."""
        board = self.board
        items = [item for item in board.find_all() if str(board.type(item)) == "text"]
        return {str(board.tk.call(str(board), "itemcget", item, "-text")) for item in items}

    def test_lamps_letters_and_theme_change_at_once(self) -> None:
        load_moves(self.app, "1. a1 b1 2. b1 c1 3. c1 c1")
        for name, value, letters, coordinates in (
            *(("lamps", lamps, {"G", "Y", "R"}, set("abcd123")) for lamps in LAMPS),
            ("letters", False, set(), set("abcd123")), ("coordinates", False, set(), set()),
        ):  # fmt: skip
            self.app.context.change(**{name: value})
            self.assertEqual(self.texts(), letters | coordinates)
            if name == "lamps":
                self.assertIs(self.app.context.theme.look.lamps, LAMPS[str(value)])
        self.app.context.change(theme="dark")
        self.assertEqual(self.root.cget("background"), THEMES["dark"].window)
