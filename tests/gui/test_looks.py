"""Nothing clipped in any theme, lamps and size; the window's own behaviour when it changes."""

from __future__ import annotations

import re
import unittest

from tests.kit.windows import WindowTestCase, load_moves
from traffic_lights.board.rules import EMPTY_BOARD, STEPS, parse_cell
from traffic_lights.gui.kit.board_view import BoardView
from traffic_lights.gui.kit.palette import LAMPS
from traffic_lights.gui.main.window import ABOVE
from traffic_lights.players.game import Game, Player
from traffic_lights.session.texts import title

GAME = "1. b2 b2 2. a3 c1 3. b2 d2 4. c1 c2 5. c1 d2 6. c2 d3 7. b1 d1 8. d3 b1"
LONG = Player("own-table-1", "The one with the very longest of names, 4")
SIZES = ((480, 420), (900, 640), (1920, 1080))
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

    def test_the_move_on_the_board_is_seen_in_the_list_when_its_verdicts_take_room(self) -> None:
        self.app.context.userdata.change(zoom=4)
        self.app.view.apply()
        self.resize(1300, 560)
        moves = self.app.window.panel.moves
        load_moves(self.app, GAME.rsplit(maxsplit=1)[0])
        self.click(parse_cell(GAME[-2:]))
        (first, _) = moves.tag_ranges("current")
        seen = moves.dlineinfo(str(first))
        assert seen is not None, "out of sight"
        self.assertLessEqual(seen[1] + seen[3], moves.winfo_height())

    def test_the_board_stays_where_it_is_when_a_position_is_set_up(self) -> None:
        self.app.context.userdata.change(zoom=4)
        self.app.view.apply()
        self.resize(1300, 560)
        self.app.context.changed()
        self.app.root.update()
        board = self.app.window.board
        place = board.winfo_y(), board.winfo_height()
        self.app.commands.run("set_up")
        self.app.root.update()
        self.assertEqual((board.winfo_y(), board.winfo_height()), place)
        self.app.commands.escape()

    def test_the_window_grows_and_shrinks_with_what_it_shows(self) -> None:
        self.resize(800, 600)
        self.key("<Control-plus>")
        self.wait(lambda: self.app.root.winfo_width() > 840)
        self.assertTrue(self.app.window.panel.winfo_ismapped())
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
        self.wait(lambda: root.winfo_height() <= high - ABOVE * self.app.context.theme.scale + 1)

    def test_a_panel_for_which_there_is_no_room_is_said(self) -> None:
        self.resize(600, 500)
        self.key("<F9>", "<F9>")
        self.assertIn("too narrow", self.status)

    def test_the_panel_goes_where_there_is_no_room_and_with_f9(self) -> None:
        side = self.app.window.panel
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
        self.resize(480, 420)
        self.assertGreaterEqual(self.app.window.board.grid_place()[0], 40)

    def test_lamps_and_letters_change_at_once(self) -> None:
        load_moves(self.app, "1. a1 b1 2. b1 c1 3. c1 c1")
        board = self.app.window.board

        def words() -> list[str]:
            return [text for text, _ in board_texts(board)]

        for lamps in LAMPS:
            self.app.view.change("lamps", lamps)
            self.assertTrue({"G", "Y", "R"} <= set(words()), lamps)
        self.app.view.change("letters", False)
        self.assertFalse({"G", "Y", "R"} & set(words()))
        self.app.view.change("coordinates", False)
        self.assertEqual(words(), [])

    def test_letters_on_the_board_are_not_smaller_than_11_pixels(self) -> None:
        self.resize(480, 420)
        self.key("<F7>")
        board = self.app.window.board
        smallest = min(-size for text, size in board_texts(board) if text not in "GYR")
        self.assertGreaterEqual(smallest, 11)

    def test_moves_have_one_number_in_the_list_and_over_the_board(self) -> None:
        for start, numbers in ((EMPTY_BOARD, ["1–2", "3–4"]), (STEPS[3], ["1", "2–3"])):
            self.app.session.restore(Game(start=start, actions=(0, 5, 6)))
            self.app.context.changed()
            _, *rows = self.app.window.panel.moves.get("1.0", "end-1c").splitlines()
            self.assertEqual([row.split("\t")[0] for row in rows], numbers)
            self.assertIn("move 4", title(self.app.session), "the next of these moves")


if __name__ == "__main__":
    unittest.main()
