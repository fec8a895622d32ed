"""The board as a widget: where its cells are, what clicks and keys report, what it draws."""

import math
import sys
import tkinter as tk
import unittest
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import groupby, pairwise, product
from unittest import mock

from tests.kit.windows import HAS_DISPLAY, destroy, shared_app, wait_until
from traffic_lights.board.rules import CELLS, LINES, STEPS, parse_board, parse_cell
from traffic_lights.board.symmetry import MIRRORS
from traffic_lights.drawing import shapes
from traffic_lights.drawing.palette import THEMES
from traffic_lights.gui.kit import lamps
from traffic_lights.gui.kit.board_view import BoardView, Picture, lighting
from traffic_lights.gui.kit.dialog import on_screen, place_window
from traffic_lights.gui.kit.lamps import (
    Pictures,
    Tile,
    corner,
    dashed_ring,
    disc,
    opacity,
    pill,
    strokes,
)
from traffic_lights.play.userdata import Settings


def batched(numbers: Sequence[float]) -> Iterator[tuple[float, float]]:
    """Yield *numbers* in pairs."""
    return zip(numbers[::2], numbers[1::2], strict=True)


RED_A1 = parse_board("300000000000")
BEFORE = Picture(parse_board("110000000000"))
WON = Picture(parse_board("111000000000"), last=2, lines=((0, 1, 2),))


@unittest.skipUnless(HAS_DISPLAY, "no display")
class BoardViewTests(unittest.TestCase):
    def setUp(self) -> None:
        self.root = shared_app().root
        self.window = tk.Toplevel(self.root)
        self.addCleanup(destroy, self.window)
        self.chosen: list[int] = []
        self.other: list[int] = []
        self.time = 100.0
        clock = mock.Mock(monotonic=lambda: self.time)
        self.enterContext(mock.patch("traffic_lights.gui.kit.board_view.time", clock))
        self.theme = shared_app().context.theme
        self.board = BoardView(self.window, self.theme, self.chosen.append, self.other.append)
        self.board.animated = False
        self.board.pack(fill=tk.BOTH, expand=True)
        self.resize(480, 400)

    def resize(self, width: int, height: int) -> None:
        self.window.wm_geometry(f"{width}x{height}+50+50")
        size = (width, height)
        wait_until(self.root, lambda: (self.board.winfo_width(), self.board.winfo_height()) == size)

    def press(self, *keys: str) -> None:
        self.board.focus_force()
        self.root.update()
        for key in keys:
            self.board.event_generate(f"<{key}>")
        self.root.update()

    def items(self, kind: str) -> list[int]:
        """Return the items of a *kind*; a frame is a kind of its own."""
        board = self.board
        frame = board.find_withtag("frame")
        if kind == "frame":
            return list(frame)
        return [n for n in board.find_all() if str(board.type(n)) == kind and n not in frame]

    def test_clicks_report_the_cell_at_every_size(self) -> None:
        for width, height in ((320, 240), (480, 400), (700, 300), (300, 700), (1200, 780)):
            self.resize(width, height)
            half = self.board.grid_place()[0] / 2
            self.assertGreaterEqual(half, 22)
            for cell in range(CELLS):
                with self.subTest(size=(width, height), cell=cell):
                    x, y = self.board.cell_centre(cell)
                    self.assertEqual(self.board.cell_at(x, y), cell)
                    for button in (2, 1, 3):
                        self.board.event_generate(f"<Button-{button}>", x=round(x), y=round(y))
                    self.assertEqual((self.chosen[-1], self.other[-2:]), (cell, [cell, cell]))
                    self.assertEqual(self.board.cursor_cell, cell)
                    self.assertTrue(half <= x <= width - half and half <= y <= height - half)
        for x, y in ((1, 1), (self.board.cell_centre(0)[0] - 2 * half, 300)):
            self.assertIsNone(self.board.cell_at(x, y))

    def test_arrows_stop_at_the_edges_and_space_and_return_choose(self) -> None:
        self.press("Left", "Up", "space")
        self.press("Right", "Down", "Return")
        keypad = "Return" if sys.platform == "win32" else "KP_Enter"  # what Tk calls it there
        self.press("End", "Down", "Down", "Down", keypad, "Home", "space")
        self.assertEqual(self.chosen, [0, 5, 11, 8])

    def test_the_cursor_is_shown_while_the_keyboard_is_used_and_not_after_a_click(self) -> None:
        self.board.focus_force()
        self.root.update()
        self.assertEqual(self.items("frame"), [])
        self.press("Right")
        self.assertTrue(self.items("frame"))
        x, y = map(round, self.board.cell_centre(5))
        for event in ("<Button-1>", "<ButtonRelease-1>"):
            self.board.event_generate(event, x=x, y=y)
        self.root.update()
        self.assertEqual(self.items("frame"), [])

    def test_a_cell_is_typed_in_either_case(self) -> None:
        self.press("Key-b", "Key-2", "Key-D", "Key-3")
        self.assertEqual(self.chosen, [parse_cell("b2"), parse_cell("d3")])

    def test_a_digit_chooses_nothing_unless_the_letter_of_a_column_came_right_before(self) -> None:
        for between in ("b 2", "", "b x", "b Right", "b 9", "b Control-z"):
            self.press(*(f"Key-{key}" if len(key) == 1 else key for key in between.split()))
            self.chosen.clear()
            self.press("Key-2")
            self.assertEqual(self.chosen, [], between)
        self.press("Key-b", "Shift_L", "Key-2")
        self.assertEqual(self.chosen, [parse_cell("b2")], "some layouts have digits on Shift")

    def test_only_cells_that_would_answer_are_lit_under_the_pointer(self) -> None:
        for picture, cell, is_lit in (
            (Picture(RED_A1), 0, False),
            (Picture(RED_A1), 1, True),
            (Picture(RED_A1, inviting=False), 2, False),
            (Picture(RED_A1, allows_red=True), 0, True),
        ):
            self.board.show(picture)
            x, y = map(round, self.board.cell_centre(cell))
            self.board.event_generate("<Motion>", x=x, y=y)
            self.assertEqual(self.board.hovered_cell == cell, is_lit)

    def test_the_pointer_that_leaves_takes_the_light_with_it_and_tab_shows_the_cursor(self) -> None:
        x, y = map(round, self.board.cell_centre(1))
        self.board.event_generate("<Motion>", x=x, y=y)
        self.assertEqual(self.board.hovered_cell, 1)
        self.board.event_generate("<Leave>")
        self.assertIsNone(self.board.hovered_cell)
        self.press("<TraverseIn>")
        self.assertTrue(self.items("frame"))

    def pass_time(self) -> None:
        self.time += 1
        wait_until(self.root, lambda: not self.board.animation)

    def test_a_move_gets_light_and_a_won_row_lights_up_until_a_click_or_by_itself(self) -> None:
        self.board.show(BEFORE)
        self.board.show(WON)
        self.assertFalse(self.board.animation, "animations are switched off")
        at_end = len(self.items("image"))
        self.assertGreater(at_end, CELLS, "the line that joins the lamps")
        self.board.animated = True
        before_move = Picture(parse_board("111000000000"))
        move = Picture(parse_board("111100000000"), last=3)
        ends: list[Callable[[], None]] = [partial(self.press, "Right", "space"), self.pass_time]
        for end, (before, picture, images) in product(
            ends, ((before_move, move, CELLS), (BEFORE, WON, at_end))
        ):
            self.board.show(before)
            self.assertFalse(self.board.animation, "no move led here")
            self.board.show(picture)
            self.assertTrue(self.board.animation)
            self.assertEqual(len(self.items("image")), CELLS)
            end()
            self.assertEqual(len(self.items("image")), images)
            self.board.show(picture)
            self.assertFalse(self.board.animation, "it has been shown already")

    def test_the_line_of_a_won_row_runs_through_its_lamps(self) -> None:
        for line in LINES:
            digits = "".join("1" if cell in line else "0" for cell in range(CELLS))
            state = parse_board(digits)
            before = Picture(state - STEPS[line[-1]])
            self.board.show(before)
            self.board.show(Picture(state, last=line[-1], lines=(line,)))
            centres = {tuple(self.board.coords(item)) for item in self.items("image")}
            for one, other in pairwise(line):
                a, b = self.board.cell_centre(one), self.board.cell_centre(other)
                middle = (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
                self.assertLess(min(math.dist(middle, centre) for centre in centres), 2.5, line)

    def drawn(self, picture: Picture) -> dict[tuple[str, ...], list[tuple[float, float]]]:
        """Return the places of all items by what they are, measured from the middle."""
        self.board.show(picture)
        call = partial(self.board.tk.call, str(self.board))
        centre_x = self.board.winfo_width() / 2
        centre_y = self.board.winfo_height() / 2
        found: dict[tuple[str, ...], list[tuple[float, float]]] = {}
        for item in self.board.find_all():
            left, top, right, bottom = self.board.bbox(item)
            kind = str(self.board.type(item))
            if kind == "image":
                looks = [str(right - left), str(bottom - top)]
            elif kind == "text":
                looks = [str(call("itemcget", item, "-text"))]
            else:
                looks = [str(call("itemcget", item, "-fill"))]
            place = (left + right) / 2 - centre_x, (top + bottom) / 2 - centre_y
            found.setdefault((kind, *looks), []).append(place)
        return found

    def test_the_picture_of_a_mirror_image_is_the_mirror_image_of_the_picture(self) -> None:
        self.addCleanup(self.theme.set, Settings(theme="light"))
        self.theme.set(Settings(theme="light", letters=False, coordinates=False))
        digits = "001300210123"
        line = (0, 5, 10)
        for mirror, (across, down) in zip(
            MIRRORS, ((1, 1), (-1, 1), (1, -1), (-1, -1)), strict=True
        ):
            # The numbers stand at the foot of their cells in every image.
            for numbers in ({}, {2: "+0.40", 9: "-1.00"}) if down == 1 else ({},):
                pictures = []
                for cells in (range(CELLS), mirror):
                    shown = {cells[cell]: digits[cell] for cell in range(CELLS)}
                    self.board.cursor_cell = cells[8]
                    picture = Picture(
                        parse_board("".join(shown[cell] for cell in range(CELLS))),
                        last=cells[3],
                        lines=(tuple(cells[cell] for cell in line),),  # type: ignore[arg-type]
                        hints=frozenset({cells[4], cells[7]}),
                        numbers={cells[cell]: text for cell, text in numbers.items()},
                        best=frozenset({cells[2]}),
                    )
                    self.press("Shift_L")
                    self.board._is_by_key = True
                    pictures.append(self.drawn(picture))
                one, other = pictures
                self.assertEqual(one.keys(), other.keys())
                for looks, places in one.items():
                    self.assertEqual(len(places), len(other[looks]), looks)
                    for x, y in places:
                        turned = x * across, y * down
                        nearest = min(math.dist(turned, place) for place in other[looks])
                        self.assertLess(nearest, 2.5, (looks, across, down))

    def test_each_mark_stands_around_its_cell_in_its_size(self) -> None:
        self.addCleanup(self.theme.set, Settings(theme="light"))
        self.theme.set(Settings(theme="light", letters=False))
        side, _, _ = self.board.grid_place()
        for cell, (kind, reach, picture) in product(
            (0, 6, 11),
            (
                ("line", shapes.BRACKET_OUTER, lambda cell: Picture(last=cell)),
                ("image", shapes.HINT_RADIUS, lambda cell: Picture(hints=frozenset({cell}))),
                ("frame", 0.5 - shapes.HOUSING_INSET, lambda _: Picture()),
            ),
        ):
            self.press("Home", "Up", "Up", *["Right"] * (cell % 4), *["Down"] * (cell // 4))
            self.board.show(Picture())
            before = set(self.items("image"))
            self.board.show(picture(cell))
            marks = self.items(kind)[len(before) if kind == "image" else 0 :]
            self.assertTrue(marks)
            x, y = self.board.cell_centre(cell)
            boxes = [self.board.bbox(mark) for mark in marks]
            for start, end, middle in ((0, 2, x), (1, 3, y)):
                low = min(box[start] for box in boxes)
                high = max(box[end] for box in boxes)
                self.assertAlmostEqual((low + high) / 2, middle, delta=2, msg=kind)
                self.assertAlmostEqual((high - low) / 2, reach * side, delta=0.06 * side, msg=kind)

    def test_a_key_that_the_board_takes_does_nothing_else(self) -> None:
        heard: list[str] = []
        for key in ("Return", "space", "Left", "Key-b"):
            self.window.bind(f"<{key}>", lambda event: heard.append(event.keysym))
        self.press("Return", "space", "Left", "b")
        self.assertEqual(heard, [])

    def test_a_won_row_blinks_like_a_traffic_light_and_slowly(self) -> None:
        picture = Picture(parse_board("111000000000"), last=1, lines=((0, 1, 2),))
        frames = [lighting(picture, n / 100) for n in range(150)]
        for cell in (0, 1, 2):
            is_lit = [cell in frame.won for frame in frames]
            changes = sum(one != other for one, other in pairwise(is_lit))
            self.assertLessEqual(changes / 2, 3 * 1.5, "3 flashes a second")
            self.assertTrue(is_lit[-1])
        alone = [next(iter(frame.won)) for frame in frames[:100] if len(frame.won) == 1]
        self.assertEqual([cell for cell, _ in groupby(alone)], [0, 1, 2])
        joints = [frame.joints for frame in frames]
        self.assertEqual((joints[0], joints[-1], joints), (0, 2, sorted(joints)))
        self.assertTrue(all(set(frame.dim) | frame.won == {*range(CELLS)} for frame in frames))

    def test_the_lamp_of_the_last_move_comes_on_and_no_other_changes(self) -> None:
        board = parse_board("012301230120")
        frames = [lighting(Picture(board, last=5), n / 100) for n in range(100)]
        self.assertTrue(all(set(frame.dim) <= {5} for frame in frames))
        shares = [frame.dim.get(5, 0) for frame in frames]
        self.assertGreater(shares[0], 0.5)
        self.assertEqual((shares, shares[-1]), (sorted(shares, reverse=True), 0))
        self.assertEqual(lighting(Picture(board), 0), (frozenset(), {}, 0))

    def test_every_picture_can_be_drawn_at_every_size(self) -> None:
        picture = Picture(
            parse_board("012301230120"), last=5, lines=((0, 1, 2), (0, 5, 10)),
            hints=frozenset({3, 4}), wash={3: 0.4}, numbers={3: "+0.40"},
        )  # fmt: skip
        self.addCleanup(self.theme.set, Settings(theme="light"))
        for size in ("320x240", "900x640", "60x40", "1x1")[::3]:
            self.window.wm_geometry(size)
            self.root.update()
            for theme, letters in product(THEMES, (True, False)):
                self.theme.set(Settings(theme=theme, letters=letters, coordinates=letters, zoom=7))
                self.board.show(picture)
                self.assertGreater(len(self.board.find_all()), 20)

    def test_washed_cells_have_their_numbers_inside_and_between_the_brackets(self) -> None:
        values = {cell: (cell - 6) / 6 for cell in range(CELLS)}
        numbers = {cell: f"{value:+.2f}" for cell, value in values.items()}
        call = partial(self.board.tk.call, str(self.board))
        for width, height in ((320, 240), (620, 500), (1200, 780)):
            self.resize(width, height)
            self.board.show(Picture(last=11, wash=values, numbers=numbers, best=frozenset({11})))
            half = self.board.grid_place()[0] / 2
            found = {str(call("itemcget", n, "-text")): n for n in self.items("text")}
            for cell, text in numbers.items():
                left, top, right, bottom = box = self.board.bbox(found[text])
                x, y = self.board.cell_centre(cell)
                with self.subTest(width=width, cell=cell):
                    self.assertTrue(x - half <= left and right <= x + half)
                    self.assertTrue(y - half <= top and bottom <= y + half)
                    marks = {*self.board.find_overlapping(*box)} & {*self.items("line")}
                    self.assertFalse(marks and width > 320)
                    images = {*self.board.find_overlapping(*box)} & {*self.items("image")}
                    widths = [place[2] - place[0] for place in map(self.board.bbox, images)]
                    pills = [each for each in widths if each < 1.9 * half]
                    self.assertEqual(len(pills), 2, "a pill in its rim")

    def test_every_size_has_its_pictures_at_once_and_smooth_ones_when_it_stands_still(self) -> None:
        self.enterContext(mock.patch.dict(lamps._FIELDS, clear=True))
        ready: list[int] = []
        pictures, look = Pictures(self.board, lambda: ready.append(1)), self.theme.look
        for side in (61, 83):
            rough = pictures.lamp(Tile(2), side, look)
            self.assertEqual((rough.width(), rough.height()), (side, side))
        wait_until(self.root, lambda: ready)
        smooth = pictures.lamp(Tile(2), 83, look)
        self.assertIsNot(smooth, rough)
        self.assertIs(pictures.lamp(Tile(2), 83, look), smooth)


class PlacementTests(unittest.TestCase):
    def test_a_window_is_pulled_back_onto_the_screen_on_any_monitor(self) -> None:
        sizes = {
            f"winfo_{kind}{side}.return_value": pixels
            for kind in ("vroot", "screen")
            for side, pixels in (("width", 1920), ("height", 1080))
        }
        for left in (0, -1920):
            corner = {"winfo_vrootx.return_value": left, "winfo_vrooty.return_value": 0}
            pulled = partial(on_screen, mock.Mock(**sizes, **corner), 0)
            for placed in ((900, 640, 5000, 3000), (900, 640, -2800, -90), (4000, 3000, 0, 0)):
                width, height, x, y = back = pulled(*placed)
                with self.subTest(placed=placed, left=left):
                    self.assertTrue(left <= x and x + width <= left + 1920)
                    self.assertTrue(y >= 0 and y + height <= 1080)
                    self.assertEqual(pulled(*back), back)

    @unittest.skipUnless(HAS_DISPLAY, "no display")
    def test_a_window_has_its_remembered_place_or_the_middle_of_the_screen(self) -> None:
        window = tk.Toplevel(shared_app().root)
        self.addCleanup(destroy, window)
        wide, high = window.winfo_screenwidth(), window.winfo_screenheight()
        middle = f"300x200+{(wide - 300) // 2}+{(high - 32 - 200) // 2}"
        for remembered, expected in (
            ("320x210+40+50", "320x210+40+50"), ("", middle), ("x", middle),
            ("90x210+40+50", middle), ("320x210+1+1+1", middle),
        ):  # fmt: skip
            place_window(window, remembered, (300, 200), (100, 100), 32)
            window.update_idletasks()
            self.assertEqual(window.wm_geometry(), expected)


class SmoothTests(unittest.TestCase):
    """Edges are covered in part, so that what is drawn covers its area and no more."""

    def test_areas_are_those_of_the_shapes(self) -> None:
        ring = math.pi * (22**2 - 18**2)
        for area, shape, *values in (
            (math.pi * 400, disc, 20.0),
            (20 * 20 + math.pi * 100, pill, 40.0, 20.0),
            (40 * 20 - (4 - math.pi) * 16, pill, 40.0, 20.0, 4.0),
            (20 * 6 + math.pi * 9, strokes, ((-10.0, 0.0), (10.0, 0.0)), 6.0),
            (ring / 4, corner, 22, 4, 1, -1),
            (0.6 * ring + 10 * math.pi * 4, dashed_ring, 20.0, 4.0, 10),
        ):
            side = values[0] if shape is corner else 60
            covered = sum(opacity(side, side, shape, *values)) / 255
            self.assertAlmostEqual(covered / area, 1.0, delta=0.02)
