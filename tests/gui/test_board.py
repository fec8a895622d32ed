"""The board as a widget: where its cells are, what clicks and keys report, what it draws."""

import tkinter as tk
import unittest
from itertools import groupby, pairwise, product
from unittest import mock

from tests.kit.windows import WindowTestCase, loop_until
from traffic_lights.board.rules import CELLS, parse_board, parse_cell
from traffic_lights.gui.kit.board_view import BoardView, Picture
from traffic_lights.gui.kit.places import on_screen

BEFORE = Picture(parse_board("110000000000"))
WON = Picture(parse_board("111000000000"), last=2, lines=((0, 1, 2),))


class BoardViewTests(WindowTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.chosen: list[int] = []
        self.other: list[int] = []
        self.time = 100.0
        clock = mock.Mock(monotonic=lambda: self.time)
        self.enterContext(mock.patch("traffic_lights.gui.kit.board_view.time", clock))
        self.board = BoardView(self.root, self.theme, self.chosen.append, self.other.append)
        self.board.animated = False
        self.board.pack(fill=tk.BOTH, expand=True)
        self.resize(480, 400)

    def resize(self, width: int, height: int) -> None:
        self.root.wm_geometry(f"{width}x{height}+50+50")
        size = (width, height)
        loop_until(self.root, lambda: (self.board.winfo_width(), self.board.winfo_height()) == size)

    def count(self, kind: str) -> int:
        self.root.update_idletasks()
        return sum(str(self.board.type(item)) == kind for item in self.board.find_all())

    def press(self, *keys: str) -> None:
        self.board.focus_force()
        self.root.update()
        for key in keys:
            self.board.event_generate(f"<{key}>")
        self.root.update()

    def test_clicks_report_the_cell_at_every_size(self) -> None:
        for width, height in ((320, 240), (480, 400), (700, 300), (300, 700), (1200, 780)):
            self.resize(width, height)
            half = self.board.cell_grid.side / 2
            self.assertGreaterEqual(half, 22)
            for cell in range(CELLS):
                with self.subTest(size=(width, height), cell=cell):
                    x, y = self.board.cell_grid.middle(cell)
                    self.assertEqual(self.board.cell_at(x, y), cell)
                    for button in (2, 1, 3):
                        self.board.event_generate(f"<Button-{button}>", x=round(x), y=round(y))
                    self.assertEqual((self.chosen[-1], self.other[-2:]), (cell, [cell, cell]))
                    self.assertEqual(self.board.cursor_cell, cell)
                    self.assertTrue(half <= x <= width - half and half <= y <= height - half)
        for x, y in ((1, 1), (self.board.cell_grid.middle(0)[0] - 2 * half, 300)):
            self.assertIsNone(self.board.cell_at(x, y))

    def test_a_digit_chooses_nothing_unless_the_letter_of_a_column_came_right_before(self) -> None:
        for between in ("b 2", "", "b Right"):
            self.press(*(f"Key-{key}" if len(key) == 1 else key for key in between.split()))
            self.chosen.clear()
            self.press("Key-2")
            self.assertEqual(self.chosen, [], between)
        self.press("Key-b", "Shift_L", "Key-2", "Key-D", "Key-3")  # some have digits on Shift
        self.assertEqual(self.chosen, [parse_cell("b2"), parse_cell("d3")])
        self.assertEqual(self.count("rectangle"), 1, "the cursor, until a click")
        self.board.event_generate("<Button-1>", x=99, y=99)
        self.assertEqual(self.count("rectangle"), 0)

    def test_a_won_row_lights_up_until_a_key_or_by_itself(self) -> None:
        self.board.animated = True
        for is_patient in (True, False):
            self.board.show(BEFORE)
            self.assertFalse(self.board.animation, "no move led here")
            self.board.show(WON)
            self.assertTrue(self.board.animation)
            self.assertEqual(self.count("image"), CELLS)
            if is_patient:
                self.time += 1
                loop_until(self.root, lambda: not self.board.animation)
            else:
                self.press("Right", "space")
            self.assertGreater(self.count("image"), CELLS, "the line joins the lamps")

    def test_a_won_row_blinks_like_a_traffic_light_and_slowly(self) -> None:
        self.board.animated = True
        self.board.show(BEFORE)
        self.board.show(WON)
        frames: list[list[int]] = []
        with mock.patch.object(self.board._pictures, "lamp", return_value=None) as lamp:
            for _ in range(150):
                lamp.reset_mock()
                self.board.redraw()
                self.root.update_idletasks()
                frames.append([call.args[2].is_won for call in lamp.call_args_list])
                self.time += 0.01
        for cell in (0, 1, 2):
            changes = sum(one[cell] != other[cell] for one, other in pairwise(frames))
            self.assertLessEqual(changes / 2, 3 * 1.5, "3 flashes a second")
            self.assertTrue(frames[-1][cell])
        alone = [frame.index(True) for frame in frames[:100] if sum(frame) == 1]
        self.assertEqual([cell for cell, _ in groupby(alone)], [0, 1, 2])


class PlacementTests(unittest.TestCase):
    def test_a_window_is_pulled_back_onto_the_screen_on_any_monitor(self) -> None:
        window = mock.Mock(
            **{
                f"winfo_{kind}{side}.return_value": pixels
                for kind in ("vroot", "screen")
                for side, pixels in (("width", 1920), ("height", 1080), ("y", 0))
            }
        )
        sizes = (900, 640, 5000, 3000), (900, 640, -2800, -90), (4000, 3000, 0, 0)  # fmt: skip
        for left, placed in product((0, -1920), sizes):
            window.winfo_vrootx.return_value = left
            width, height, x, y = back = on_screen(window, 0, placed)
            with self.subTest(placed=placed, left=left):
                self.assertTrue(left <= x and x + width <= left + 1920)
                self.assertTrue(y >= 0 and y + height <= 1080)
                self.assertEqual(on_screen(window, 0, back), back)
