"""Nothing clipped in any theme, lamps and size; the window's own behaviour when it changes."""

from __future__ import annotations

import re
import unittest
from tkinter import ttk

from tests.kit.eye import faults
from tests.kit.windows import WindowTestCase, load_moves
from traffic_lights.board.rules import CELLS, EMPTY_BOARD, STEPS, parse_cell
from traffic_lights.gui.board.board_view import BoardView
from traffic_lights.gui.kit.keys import focused_widget
from traffic_lights.gui.kit.palette import LAMPS
from traffic_lights.gui.main.main_window import ABOVE
from traffic_lights.players.game import HUMAN, Game, Player
from traffic_lights.session.texts import NO_HINT_HERE, PROGRAM, title

GAME = "1. b2 b2 2. a3 c1 3. b2 d2 4. c1 c2 5. c1 d2 6. c2 d3 7. b1 d1 8. d3 b1"
LONG = Player("own-table-1", "The one with the very longest of names, 4")
SIZES = ((420, 300), (900, 640), (1920, 1080))
"""The first is the smallest that the window allows, which is more on a finer screen."""


def board_texts(board: BoardView) -> list[tuple[str, int]]:
    """Return each text on the board with the size of its font, negative in pixels."""
    found = []
    for item in board.find_withtag("all"):
        if str(board.tk.call(str(board), "type", item)) == "text":
            text, font = (
                str(board.tk.call(str(board), "itemcget", item, option))
                for option in ("-text", "-font")
            )
            found.append((text, int(re.findall(r" (-\d+)\b", font)[0])))
    return found


class LooksTests(WindowTestCase):
    def resize(self, width: int, height: int) -> None:
        root = self.app.root
        least_width, least_height = root.wm_minsize()
        width, height = max(width, least_width), max(height, least_height)
        root.wm_geometry(f"{width}x{height}")
        self.wait(lambda: (root.winfo_width(), root.winfo_height()) == (width, height))
        root.update_idletasks()

    def test_the_welcome_is_not_clipped_and_goes_with_the_first_move(self) -> None:
        # Made at the first size, and there while the next ones come.
        for zoom in (6, 0):
            self.app.desk.keeper.change(zoom=zoom)
            self.app.appearance.take_settings()
            if self.app.window.welcome is None:
                self.app.window.show_welcome(self.app.commands.welcome_choices())
            self.app.root.update()
            with self.subTest(zoom=zoom):
                self.assertEqual(faults(self.app.root), [])
        self.click(0)
        self.assertIsNone(self.app.window.welcome)
        self.assertTrue(self.app.window.panel.winfo_ismapped())

    def test_the_move_on_the_board_is_seen_in_the_list_when_its_verdicts_take_room(self) -> None:
        self.app.desk.keeper.change(zoom=4)
        self.app.appearance.take_settings()
        self.resize(1300, 560)
        moves = self.app.window.panel.moves
        load_moves(self.app, GAME.rsplit(maxsplit=1)[0])
        self.click(parse_cell(GAME[-2:]))
        (first, _) = moves.tag_ranges("current")
        seen = moves.dlineinfo(str(first))
        assert seen is not None, "out of sight"
        self.assertLessEqual(seen[1] + seen[3], moves.winfo_height())

    def test_the_board_stays_where_it_is_when_a_position_is_set_up(self) -> None:
        self.app.desk.keeper.change(zoom=4)
        self.app.appearance.take_settings()
        self.resize(1300, 560)
        self.app.desk.changed()
        self.app.root.update()
        board = self.app.window.board
        place = board.winfo_y(), board.winfo_height()
        self.app.commands.set_up()
        self.app.root.update()
        self.assertEqual(self.app.window.badge, "")
        self.assertEqual((board.winfo_y(), board.winfo_height()), place)
        self.app.commands.escape()

    def test_without_room_beside_it_the_welcome_covers_the_board(self) -> None:
        window = self.app.window
        self.resize(*window.least_size())
        window.show_welcome(self.app.commands.welcome_choices())
        self.app.desk.refresh()
        self.app.root.update()
        assert window.welcome is not None
        self.assertFalse(window.board.winfo_ismapped())
        first, *_ = (w for w in window.welcome.inside.winfo_children() if w is focused_widget(w))
        self.assertEqual(window.title_text, "Traffic Lights", "who moves first is not settled yet")
        self.assertTrue(window.buttons["hint"].instate(["disabled"]), "there is no board to show")
        self.key("<F3>", widget=first)
        self.assertEqual(self.status, NO_HINT_HERE)
        self.app.desk.refresh()
        self.key("<Return>", widget=first)
        self.assertIs(focused_widget(window.board), window.board)
        self.assertTrue(window.board.winfo_ismapped())
        self.wait(lambda: window.title_text.endswith("you are Player 2"))

    def test_the_welcome_names_the_opponent_and_speaks_of_lamps_that_are_seen(self) -> None:
        window, root = self.app.window, self.app.root
        window.show_welcome(self.app.commands.welcome_choices())
        self.app.desk.refresh()
        for width, height in ((900, 640), (420, 300), (900, 640)):
            self.resize(width, height)
            with self.subTest(width=width):
                self.assertIn("against Random, who moves first", self.status)
                self.assertEqual("lamp" in self.status, bool(window.board.winfo_ismapped()))
                self.assertEqual((root.title(), window.title_text), (PROGRAM, PROGRAM))
        self.click(5)
        self.assertEqual(root.title(), title(self.app.session))

    def test_each_choice_of_the_welcome_does_what_it_says(self) -> None:
        for words, bots in (
            ("Two players", (None, None)), ("Play – you move second", ("random", None)),
        ):  # fmt: skip
            self.app.window.show_welcome(self.app.commands.welcome_choices())
            self.app.root.update()
            assert self.app.window.welcome is not None
            button = next(
                w for w in self.app.window.welcome.inside.winfo_children()
                if isinstance(w, ttk.Button) and str(w.cget("text")).startswith(words)
            )  # fmt: skip
            self.click_on(button)
            self.assertEqual(tuple(p.bot for p in self.app.session.players), bots)
            self.assertIsNone(self.app.window.welcome)

    def test_the_window_grows_and_shrinks_with_what_it_shows(self) -> None:
        self.resize(800, 600)
        self.key("<Control-plus>")
        self.wait(lambda: self.app.root.winfo_width() > 840)
        self.assertTrue(self.app.window.side.winfo_ismapped())
        self.key("<Control-minus>")
        self.wait(lambda: abs(self.app.root.winfo_width() - 800) < 5)
        for _ in range(12):
            self.key("<Control-plus>")
        root = self.app.root
        self.wait(lambda: root.winfo_rooty() + root.winfo_height() <= root.winfo_screenheight())
        self.key("<Control-0>")  # what the screen cut off comes back
        self.wait(lambda: (abs(root.winfo_width() - 800) < 5, abs(root.winfo_height() - 600) < 5)
                  == (True, True))  # fmt: skip
        self.resize(*self.app.window.least_size())
        least = root.winfo_width(), root.winfo_height()
        self.key("<Control-minus>")
        self.app.root.update()
        self.assertEqual((root.winfo_width(), root.winfo_height()), least)

    def test_the_first_window_leaves_room_for_its_title_and_menu(self) -> None:
        root = self.app.root
        high = root.winfo_screenheight()
        self.app.window.place(f"800x{high + 500}+0+0")
        self.app.root.update()
        self.wait(lambda: root.winfo_height() <= high - ABOVE * self.app.desk.theme.scale + 1)

    def test_a_panel_for_which_there_is_no_room_is_said(self) -> None:
        self.resize(600, 500)
        self.key("<F9>", "<F9>")
        self.assertIn("too narrow", self.status)

    def test_the_panel_goes_where_there_is_no_room_and_with_f9(self) -> None:
        side = self.app.window.side
        self.assertTrue(side.winfo_ismapped())
        self.resize(600, 500)
        self.assertFalse(side.winfo_ismapped())
        self.resize(900, 640)
        self.assertTrue(side.winfo_ismapped())
        self.key("<F9>")
        self.assertFalse(side.winfo_ismapped())
        self.key("<F9>")
        self.assertTrue(side.winfo_ismapped())

    def test_the_board_keeps_the_most_of_the_smallest_window(self) -> None:
        self.resize(420, 300)
        self.assertGreaterEqual(self.app.window.board.cell_side(), 40)

    def test_lamps_and_letters_change_at_once(self) -> None:
        load_moves(self.app, "1. a1 b1 2. b1 c1 3. c1 c1")
        board = self.app.window.board

        def words() -> list[str]:
            return [text for text, _ in board_texts(board)]

        for lamps in LAMPS:
            self.app.appearance.variables["lamps"].set(lamps)
            self.app.appearance.changed("lamps")
            self.assertTrue({"G", "Y", "R"} <= set(words()), lamps)
        self.app.appearance.variables["letters"].set(False)
        self.app.appearance.changed("letters")
        self.assertFalse({"G", "Y", "R"} & set(words()))
        self.app.appearance.variables["coordinates"].set(False)
        self.app.appearance.changed("coordinates")
        self.assertEqual(words(), [])

    def test_letters_on_the_board_are_not_smaller_than_11_pixels(self) -> None:
        self.resize(420, 300)
        self.key("<F7>")
        board = self.app.window.board
        smallest = min(-size for text, size in board_texts(board) if text not in "GYR")
        self.assertGreaterEqual(smallest, 11)

    def test_tab_walks_from_the_board_to_the_buttons_and_the_panel(self) -> None:
        self.click(0)
        met = []
        for _ in range(8):
            focus = self.app.root.focus_get()
            assert focus is not None
            met.append(focus)
            focus.event_generate("<Tab>")
            self.app.root.update()
        self.assertIs(met[0], self.app.window.board)
        self.assertIn(self.app.window.buttons["undo"], met)
        self.assertIn(self.app.window.panel.moves, met)

    def test_a_click_on_a_move_in_the_list_looks_back_at_it(self) -> None:
        load_moves(self.app, GAME)
        moves = self.app.window.panel.moves
        moves.update_idletasks()
        first, _ = moves.tag_ranges("jump3")
        box = moves.bbox(str(first))
        assert box is not None
        x, y = box[0] + 8, box[1] + box[3] // 2
        moves.event_generate("<Motion>", x=x, y=y)
        moves.event_generate("<Button-1>", x=x, y=y)
        self.app.root.update()
        self.assertEqual(self.app.session.index, 3)

    def test_moves_have_one_number_in_the_list_and_over_the_board(self) -> None:
        for start, numbers in ((EMPTY_BOARD, ["1–2", "3–4"]), (STEPS[3], ["1", "2–3"])):
            self.app.session.restore(Game(start=start, actions=(0, 5, 6)))
            self.app.desk.changed()
            _, *rows = self.app.window.panel.moves.get("1.0", "end-1c").splitlines()
            self.assertEqual([row.split("\t")[0] for row in rows], numbers)
            self.assertIn("move 4", title(self.app.session), "the next of these moves")

    def test_a_name_over_the_moves_is_whole_wherever_it_has_room(self) -> None:
        theme, panel = self.app.desk.theme, self.app.window.panel
        self.addCleanup(self.app.commands.table["normal_size"])
        for length in range(1, 15):
            self.app.commands.table["normal_size"]()
            name = "QBotQBotQBotQBot"[:length]
            self.app.session.restore(Game(players=(HUMAN, Player("test-bot", name))))
            self.app.desk.changed()
            self.key("<F9>")  # away, while everything else grows
            for _ in range(2):
                self.app.commands.table["larger"]()
            self.key("<F9>")
            room = panel.moves.winfo_width() - theme.px(42)
            with self.subTest(name=name, room=room):
                shown = panel.moves.get("1.0", "1.end").split("\t")[2]
                self.assertEqual(shown == name, theme.strong.measure(name) <= room, shown)

    def test_the_analysis_lists_every_move_the_best_first(self) -> None:
        load_moves(self.app, "1. b2 b2 2. a3")
        self.app.window.panel.select(analysis=True)
        self.app.root.update()
        tree = self.app.window.panel.analysis
        rows = [tree.item(row, "values") for row in tree.get_children()]
        self.assertEqual(len(rows), CELLS)
        base = self.app.session.tablebase
        assert base is not None
        distance = base.probe_distance(self.app.session.state)
        self.assertTrue(rows[0][1].endswith(f" {(distance + 1) // 2}"))


if __name__ == "__main__":
    unittest.main()
