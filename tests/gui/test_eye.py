"""Nothing is cut off and nothing lies over anything else, in every window, size and state.

First come the tests of the eye that looks: it sees each of the faults that version 1.0 had.
"""

from __future__ import annotations

import tkinter as tk
import unittest
from collections.abc import Callable
from functools import partial
from tkinter import ttk

from tests.kit.eye import faults
from tests.kit.windows import WindowTestCase, destroy, load_moves, settle
from traffic_lights.gui.kit.dialog import Dialog
from traffic_lights.gui.main.presenter import BEST_PLAY
from traffic_lights.players.game import Game, Player

SIZES = ((480, 420), (900, 640), (1280, 760))
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
    def setUp(self) -> None:
        super().setUp()
        self.top = tk.Toplevel(self.app.root)
        self.top.wm_geometry("300x200")
        self.addCleanup(destroy, self.top)

    def assert_seen(self, words: str) -> None:
        self.wait(lambda: self.top.winfo_width() == 300)
        found = faults(self.top)
        self.assertTrue(any(words in fault for fault in found), found)

    def test_what_is_right_is_no_fault(self) -> None:
        ttk.Label(self.top, text="All of this can be read").pack()
        ttk.Button(self.top, text="Start").pack()
        self.wait(lambda: self.top.winfo_width() == 300)
        self.assertEqual(faults(self.top), [])

    def test_a_button_cut_in_half_by_the_end_of_the_window(self) -> None:
        frame = ttk.Frame(self.top, height=400)
        frame.pack_propagate(False)
        frame.grid(sticky="ew")
        self.top.columnconfigure(0, weight=1)
        ttk.Button(self.top, text="Start").grid()
        self.assert_seen("TButton 'Start' is cut off")

    def test_a_text_with_less_room_than_it_needs(self) -> None:
        frame = ttk.Frame(self.top, width=60, height=30)
        frame.pack_propagate(False)
        frame.pack()
        ttk.Label(frame, text="Nobody will ever read all of this").pack(fill="x")
        self.assert_seen("only a part of its text")

    def test_widgets_over_each_other(self) -> None:
        ttk.Button(self.top, text="One").grid(row=0, column=0)
        ttk.Button(self.top, text="Other").grid(row=0, column=0)
        self.assert_seen("over each other")

    def test_a_heading_and_a_cell_wider_than_their_column(self) -> None:
        tree = ttk.Treeview(self.top, columns=("a",), show="headings")
        tree.heading("a", text="Best possible score")
        tree.column("a", width=40, stretch=False)
        tree.insert("", "end", values=("A bot with a long name",))
        tree.pack()
        self.assert_seen("heading 'Best possible score'")
        self.assert_seen("cell 'A bot with a long name'")

    def test_a_header_of_two_lines(self) -> None:
        text = tk.Text(self.top, width=20, height=4, wrap="word")
        text.insert("1.0", "Exact player   Exact player\nNo move yet.")
        text.pack()
        self.assert_seen("broken into two lines")

    def test_a_picture_that_writes_over_itself_or_over_its_edge(self) -> None:
        canvas = tk.Canvas(self.top, width=200, height=80)
        canvas.pack()
        canvas.create_text(100, 40, text="40 %")
        canvas.create_text(100, 42, text="60 %")
        canvas.create_text(195, 10, text="cut at its end")
        self.assert_seen("lie over each other")
        self.assert_seen("is cut off")


class LayoutTests(WindowTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.addCleanup(self.see, "light", 0, 1.0)

    def see(self, theme: str, zoom: int, scale: float) -> None:
        """Show everything in *theme* and *zoom* on a screen of *scale* times 96 dpi."""
        self.app.context.theme._screen_scale = scale
        self.app.context.userdata.change(theme=theme, zoom=zoom)
        self.app.view.apply()
        settle(self.app.root)

    def resize(self, width: int, height: int) -> None:
        root = self.app.root
        least = root.wm_minsize()
        size = max(width, least[0]), max(height, least[1])
        root.wm_geometry(f"{size[0]}x{size[1]}")
        self.wait(lambda: (root.winfo_width(), root.winfo_height()) == size)
        settle(root)

    def states(self) -> dict[str, Callable[[], object]]:
        """Return how to bring the main window into each of its states."""
        app = self.app

        def at_work() -> None:
            load_moves(app, MOVES)
            app.commands.show(BEST_PLAY)
            app.context.warn("The game cannot be saved: " + "the disk is full, " * 3)

        def looking_back() -> None:
            load_moves(app, WON)
            app.commands.jump(5)

        def reviewing() -> None:
            load_moves(app, WON)
            app.commands.run("review")
            app.click(0)

        def bots_alone() -> None:
            app.session.restore(Game(players=(LONG, LONG)))
            app.session.pause_bots()
            app.context.changed()

        def setting_up() -> None:
            load_moves(app, MOVES)
            app.commands.run("set_up")

        return {
            "list of players": partial(app.players.toggle, 1),
            "at work": at_work,
            "over": partial(load_moves, app, WON),
            "looking back": looking_back,
            "review": reviewing,
            "two bots with long names": bots_alone,
            "set-up": setting_up,
        }

    def test_the_main_window_cuts_nothing_off(self) -> None:
        for sight in SIGHTS:
            self.see(*sight)
            for size in SIZES:
                self.resize(*size)
                for name, show in self.states().items():
                    self.app.players.close()
                    show()
                    self.app.root.update()
                    with self.subTest(sight=sight, size=size, state=name):
                        self.assertEqual(faults(self.app.root), [])

    def test_the_main_window_comes_to_rest_at_every_height(self) -> None:
        for state in ("at work", "two bots with long names"):
            self.states()[state]()
            for height in range(self.app.root.wm_minsize()[1], 760, 8):
                self.app.root.wm_geometry(f"900x{height}")
                with self.subTest(state=state, height=height):
                    settle(self.app.root)

    def test_no_dialog_cuts_anything_off_and_each_fits_the_screen(self) -> None:
        for sight in SIGHTS:
            self.see(*sight)
            for name in DIALOGS:
                with self.subTest(sight=sight, dialog=name):
                    self.app.commands.run(name)
                    self.app.root.update()
                    (dialog,) = (w for w in self.app.root.winfo_children()
                                 if isinstance(w, Dialog))  # fmt: skip
                    self.assertEqual(faults(dialog), [])
                    self.assertLessEqual(dialog.winfo_width(), self.app.root.winfo_screenwidth())
                    self.assertLessEqual(dialog.winfo_height(), self.app.root.winfo_screenheight())
                    self.assertEqual(
                        dialog.cget("background"), self.app.context.theme.colours.window
                    )
                    dialog.close()

    def test_the_board_stays_in_its_place_when_the_game_ends(self) -> None:
        load_moves(self.app, WON.rpartition(" ")[0])
        board = self.app.window.board
        before = board.cell_centre(0), board.winfo_height()
        load_moves(self.app, WON)
        self.assertEqual((board.cell_centre(0), board.winfo_height()), before)

    def test_what_a_greyed_button_says_does_not_move_it(self) -> None:
        self.resize(*self.app.window.least_size())
        redo, board = self.button("redo"), self.app.window.board
        before = redo.winfo_rooty(), board.winfo_height()
        for event in ("<Enter>", "<Leave>"):
            redo.event_generate(event, x=2, y=2)
            self.app.root.update()
            self.assertEqual((redo.winfo_rooty(), board.winfo_height()), before, event)

    def test_the_least_window_grows_with_the_zoom_as_far_as_the_screen_goes(self) -> None:
        root, least = self.app.root, self.app.window.least_size()
        self.resize(*least)
        for _ in range(4):
            self.key("<Control-plus>")
        larger = self.app.window.least_size()
        self.assertEqual(larger, root.wm_minsize())
        self.assertGreater(larger, tuple(round(1.4 * side) for side in least))
        self.wait(lambda: (root.winfo_width(), root.winfo_height()) == larger)
        self.see("light", 0, 8.0)
        width, height = self.app.window.least_size()
        self.assertLessEqual(width, root.winfo_screenwidth())
        self.assertLess(height, root.winfo_screenheight())


if __name__ == "__main__":
    unittest.main()
