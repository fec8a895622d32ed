"""The board as a widget: where its cells are, and what clicks and keys say."""

from __future__ import annotations

import math
import sys
import tkinter as tk
import unittest

from tests.kit.colour_science import contrast
from tests.kit.windows import HAS_DISPLAY, destroy, shared_app, wait_until
from traffic_lights.board.rules import CELLS, parse_board, parse_cell
from traffic_lights.gui.board.board_view import TYPING_S, BoardView, Picture
from traffic_lights.gui.board.overlays import Pill
from traffic_lights.gui.kit.geometry import Placement
from traffic_lights.gui.kit.lamps import LampPictures, Look, Tile
from traffic_lights.gui.kit.palette import LAMPS, THEMES
from traffic_lights.gui.kit.smooth import (
    Distance,
    alpha_rows,
    dashed_ring,
    disc,
    pill,
    strokes,
)

RED_A1 = parse_board("300000000000")


def overlap(one: tuple[int, int, int, int], other: tuple[int, int, int, int]) -> bool:
    """Return whether two boxes (left, top, right, bottom) share a pixel."""
    return (
        max(one[0], other[0]) < min(one[2], other[2])
        and max(one[1], other[1]) < min(one[3], other[3])
    )  # fmt: skip


@unittest.skipUnless(HAS_DISPLAY, "no display")
class BoardViewTests(unittest.TestCase):
    def setUp(self) -> None:
        self.root = shared_app().root
        self.window = tk.Toplevel(self.root)
        self.addCleanup(destroy, self.window)
        self.chosen: list[int] = []
        self.other: list[int] = []
        self.time = 100.0
        self.board = BoardView(
            self.window, Look(THEMES["light"], LAMPS["signal"]), self.chosen.append,
            self.other.append, lambda: self.time,
        )  # fmt: skip
        self.board.animated = False
        self.board.pack(fill=tk.BOTH, expand=True)
        self.resize(480, 400)

    def resize(self, width: int, height: int) -> None:
        self.window.wm_geometry(f"{width}x{height}+50+50")
        wait_until(self.root, lambda: self.board.winfo_width() == width)
        wait_until(self.root, lambda: self.board.winfo_height() == height)

    def press(self, *keys: str) -> None:
        self.board.focus_force()
        self.root.update()
        for key in keys:
            self.board.event_generate(f"<{key}>")
        self.root.update()

    def test_the_middle_of_each_cell_is_that_cell_at_every_size(self) -> None:
        for width, height in ((320, 240), (480, 400), (700, 300), (300, 700), (1200, 900)):
            self.resize(width, height)
            for cell in range(CELLS):
                with self.subTest(size=(width, height), cell=cell):
                    x, y = self.board.cell_centre(cell)
                    self.assertEqual(self.board.cell_at(x, y), cell)
                    half = self.board.cell_side() / 2
                    self.assertGreaterEqual(x - half, 0)
                    self.assertGreaterEqual(y - half, 0)
                    self.assertLessEqual(x + half, width)
                    self.assertLessEqual(y + half, height)

    def test_cells_are_at_least_24_pixels_at_the_smallest_size(self) -> None:
        self.resize(320, 240)
        self.assertGreaterEqual(self.board.cell_side(), 44)

    def test_a_point_beside_the_board_is_no_cell(self) -> None:
        self.assertIsNone(self.board.cell_at(1, 1))
        x, y = self.board.cell_centre(0)
        self.assertIsNone(self.board.cell_at(x - self.board.cell_side(), y))

    def test_clicks_say_the_cell_and_take_the_keyboard(self) -> None:
        for cell in range(CELLS):
            x, y = map(round, self.board.cell_centre(cell))
            self.board.event_generate("<Button-1>", x=x, y=y)
            self.board.event_generate("<Button-3>", x=x, y=y)
        self.assertEqual(self.chosen, list(range(CELLS)))
        self.assertEqual(self.other, list(range(CELLS)))
        self.assertEqual(self.board.cursor_cell, CELLS - 1)

    def test_arrows_stop_at_the_edges_and_space_and_return_choose(self) -> None:
        self.press("Left", "Up", "space")
        self.press("Right", "Down", "Return")
        keypad = "Return" if sys.platform == "win32" else "KP_Enter"  # what Tk calls it there
        self.press("End", "Down", "Down", "Down", keypad, "Home", "space")
        self.assertEqual(self.chosen, [0, 5, 11, 8])

    def test_a_cell_is_typed_in_either_case_within_two_seconds(self) -> None:
        self.press("Key-b", "Key-2", "Key-D", "Key-3")
        self.press("Key-a")
        self.time += TYPING_S + 0.1
        self.press("Key-1")
        self.press("Key-1", "Key-c")
        self.time += TYPING_S - 0.1
        self.press("Key-1")
        self.assertEqual(self.chosen, [parse_cell("b2"), parse_cell("d3"), parse_cell("c1")])

    def test_only_cells_that_would_answer_are_lit_under_the_pointer(self) -> None:
        def housing_under_pointer(cell: int) -> bool:
            x, y = map(round, self.board.cell_centre(cell))
            self.board.event_generate("<Motion>", x=x, y=y)
            return self.board.hovered_cell == cell

        self.board.show(Picture(RED_A1))
        self.assertFalse(housing_under_pointer(0))
        self.assertTrue(housing_under_pointer(1))
        self.board.show(Picture(RED_A1, inviting=False))
        self.assertFalse(housing_under_pointer(2))
        self.board.show(Picture(RED_A1, allows_red=True))
        self.assertTrue(housing_under_pointer(0))

    def test_a_change_by_one_move_grows_and_a_click_ends_the_growing(self) -> None:
        self.board.animated = True
        self.board.show(Picture(0))
        self.assertFalse(self.board.is_animating)
        self.board.show(Picture(parse_board("010000000000"), last=1))
        self.assertTrue(self.board.is_animating)
        x, y = map(round, self.board.cell_centre(5))
        self.board.event_generate("<Button-1>", x=x, y=y)
        self.assertFalse(self.board.is_animating)
        self.board.show(Picture(0))
        self.assertFalse(self.board.is_animating, "a move taken back does not grow")

    def test_growing_ends_by_itself(self) -> None:
        self.board.animated = True
        self.board.show(Picture(parse_board("000000000001"), last=11))
        self.time += 1
        wait_until(self.root, lambda: not self.board.is_animating)

    def test_every_picture_can_be_drawn_at_every_size(self) -> None:
        picture = Picture(
            parse_board("012301230120"),
            last=5,
            lines=((0, 1, 2), (0, 5, 10)),
            hints=frozenset({3, 4}),
            pills={0: Pill("W 12", best=True), 11: Pill("L 3")},
            beliefs={0: Pill("+1.00"), 1: Pill("?", unknown=True)},
        )
        for width, height in ((320, 240), (900, 640), (60, 40), (1, 1)):
            for theme in THEMES.values():
                for letters in (True, False):
                    self.board.set_look(
                        Look(theme, LAMPS["classic"], letters, coordinates=letters, scale=2.0)
                    )
                    self.window.wm_geometry(f"{width}x{height}")
                    self.root.update()
                    self.board.show(picture)
                    self.assertGreater(len(self.board.find_all()), 20)

    def boxes(self, kind: str, *texts: str) -> list[tuple[int, int, int, int]]:
        """Return the boxes of the items of *kind*, of texts those that read as one of *texts*."""
        items = [n for n in self.board.find_all() if str(self.board.type(n)) == kind]
        if kind == "text":
            call, path = self.board.tk.call, str(self.board)
            items = [n for n in items if str(call(path, "itemcget", n, "-text")) in texts]
        return [self.board.bbox(n) for n in items]

    def test_labels_run_neither_into_each_other_nor_into_the_brackets(self) -> None:
        picture = Picture(
            parse_board("000000000001"),
            last=11,
            pills=dict.fromkeys(range(CELLS), Pill("W 12")),
            beliefs=dict.fromkeys(range(CELLS), Pill("+0.089")),
        )
        for width, height, labels in ((400, 160, 1), (400, 180, 1), (620, 500, 2), (1200, 950, 2)):
            self.resize(width, height)
            self.board.show(picture)
            with self.subTest(width=width):
                told = self.boxes("text", "W 12", "+0.089")
                self.assertEqual(len(told), labels * CELLS)
                marks = self.boxes("line") if labels == 2 else []
                for n, one in enumerate(told):
                    for other in (*told[:n], *marks):
                        self.assertFalse(overlap(one, other), (one, other))

    def test_every_size_has_its_pictures_at_once_and_smooth_ones_when_it_stands_still(self) -> None:
        ready: list[int] = []
        lamps = LampPictures(self.board, lambda: ready.append(1))
        look = Look(THEMES["light"], LAMPS["signal"])
        for side in (61, 83):
            rough = lamps.get(Tile(2), side, look)
            self.assertEqual((rough.width(), rough.height()), (side, side))
        wait_until(self.root, lambda: ready)
        smooth = lamps.get(Tile(2), 83, look)
        self.assertIsNot(smooth, rough)
        self.assertIs(lamps.get(Tile(2), 83, look), smooth)

    def test_washed_cells_have_their_numbers_inside_and_between_the_brackets(self) -> None:
        values = {cell: (cell - 6) / 6 for cell in range(CELLS)}
        numbers = {cell: f"{value:+.2f}" for cell, value in values.items()}
        picture = Picture(last=11, wash=values, numbers=numbers, best=frozenset({11}))
        for width, height in ((320, 240), (620, 500), (1200, 780)):
            self.resize(width, height)
            self.board.show(picture)
            with self.subTest(width=width):
                written = self.boxes("text", *numbers.values())
                self.assertEqual(len(written), CELLS)
                half = self.board.cell_side() / 2
                for cell, box in enumerate(written):
                    x, y = self.board.cell_centre(cell)
                    self.assertTrue(x - half <= box[0] and box[2] <= x + half, (box, x))
                    self.assertTrue(y - half <= box[1] and box[3] <= y + half, (box, y))
                for box in written if width > 320 else ():
                    self.assertFalse(any(overlap(box, mark) for mark in self.boxes("line")))


class PlacementTests(unittest.TestCase):
    def test_a_window_is_pulled_back_onto_the_screen(self) -> None:
        for text in ("900x640+5000+3000", "900x640+-800+-90", "4000x3000+0+0"):
            placement = Placement.parse(text)
            assert placement is not None
            back = placement.on_screen(0, 0, 1920, 1080)
            with self.subTest(text=text):
                self.assertTrue(back.x >= 0 and back.x + back.width <= 1920)
                self.assertTrue(back.y >= 0 and back.y + back.height <= 1080)

    def test_a_second_screen_to_the_left_is_respected(self) -> None:
        there = Placement(900, 640, -1500, 100)
        self.assertEqual(there.on_screen(-1920, 0, 3840, 1080), there)

    def test_what_is_no_placement_is_none(self) -> None:
        for text in ("", "900x640", "x", None, 7, "900x640+1+1+1"):
            self.assertIsNone(Placement.parse(text))


@unittest.skipUnless(HAS_DISPLAY, "no display")
class WinTests(unittest.TestCase):
    """The end of a won game: its line lights up, once, and is there at once without animations."""

    BEFORE = Picture(parse_board("110000000000"))
    AFTER = Picture(parse_board("111000000000"), last=2, lines=((0, 1, 2),))

    def setUp(self) -> None:
        self.app = shared_app()
        self.board = self.app.window.board
        self.addCleanup(self.app.desk.refresh)

    def shown(self, animated: bool) -> int:
        """Show the move that wins; return how many pictures are drawn at first."""
        self.board.animated = animated
        self.board.show(self.BEFORE)
        self.board.show(self.AFTER)
        return self.pictures()

    def pictures(self) -> int:
        """Return how many pictures are on the board: lamps, and parts of the line."""
        types = (self.board.tk.call(str(self.board), "type", i) for i in self.board.find_all())
        return sum(str(kind) == "image" for kind in types)

    def test_the_line_lights_up_once(self) -> None:
        at_once = self.shown(animated=False)
        self.assertFalse(self.board.is_animating)
        self.assertLess(self.shown(animated=True), at_once)
        self.assertTrue(self.board.is_animating)
        wait_until(self.app.root, lambda: not self.board.is_animating)
        self.assertEqual(self.pictures(), at_once)
        self.board.show(self.AFTER)
        self.assertFalse(self.board.is_animating, "it has been lit already")

    def test_a_click_shows_the_end_of_it(self) -> None:
        at_once = self.shown(animated=False)
        self.shown(animated=True)
        self.board.finish_animation()
        self.assertEqual(self.pictures(), at_once)


class SmoothTests(unittest.TestCase):
    """Edges are covered in part, so that what is drawn covers its area and no more."""

    def covered(self, side: int, shape: Distance) -> float:
        """Return the area that *shape* covers in a picture of *side* points, in points."""
        return sum(sum(row) for row in alpha_rows(side, side, shape)) / 255

    def test_areas_are_those_of_the_shapes(self) -> None:
        for shape, area in (
            (disc(20.0), math.pi * 400),
            (pill(40.0, 20.0), 20 * 20 + math.pi * 100),
            (strokes(((-10.0, 0.0), (10.0, 0.0)), 6.0), 20 * 6 + math.pi * 9),
        ):
            self.assertAlmostEqual(self.covered(60, shape) / area, 1.0, delta=0.02)
        share = self.covered(60, dashed_ring(20.0, 4.0, 10)) / (math.pi * (22**2 - 18**2))
        self.assertTrue(0.5 < share < 0.95, share)

    def test_half_of_a_symmetric_shape_gives_the_whole(self) -> None:
        for shape in (disc(9.0), pill(16.0, 8.0), dashed_ring(8.0, 2.0, 10)):
            for height in (20, 21):
                whole, half = (alpha_rows(24, height, shape, is_half) for is_half in (False, True))
                for row, other in zip(whole, half, strict=True):
                    for a, b in zip(row, other, strict=True):
                        self.assertAlmostEqual(a, b, delta=1)

    def test_pills_of_wins_and_losses_differ_in_lightness(self) -> None:
        for colours in THEMES.values():
            self.assertGreater(contrast(colours.pill, colours.housing), 7, colours.title)
            self.assertGreater(contrast(colours.housing, colours.mark), 4.5, colours.title)


if __name__ == "__main__":
    unittest.main()
