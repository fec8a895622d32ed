"""What a lesson looks like: the reasons of proofs, the formula, and the arrows on the board."""

import math
import tkinter as tk
import unittest
from itertools import pairwise

from tests.kit.colour_science import contrast
from tests.kit.eye import faults
from tests.kit.windows import WindowTestCase, destroy, wait_until
from traffic_lights.board.rules import format_cell, is_terminal
from traffic_lights.drawing.shapes import SMALLEST_TEXT
from traffic_lights.gui.workshop.lesson_view import (
    LONGEST_CHAIN,
    FormulaView,
    MarkedBoard,
    Term,
    formula,
    proof,
)
from traffic_lights.learning.lesson import GameLesson, LessonStep
from traffic_lights.learning.qtable import QTable
from traffic_lights.play.game import parse_moves

GAME = parse_moves("1. b2 b2 2. a3 c1 3. b2 d2 4. c1 c2 5. c1 d2 6. c2 d3 7. b1 d1 8. d3 b1")


def lesson_of(count: int) -> GameLesson:
    """Return a lesson in which the last *count* moves of the game are proven by each other."""
    last = len(GAME) - 1
    steps = []
    for number in range(last, last - count, -1):
        won = (last - number) % 2 == 0
        cause = None if number == last else number + 1
        value = 1.0 if won else -1.0
        steps.append(LessonStep(number, GAME[number], 0.0, value, cause=cause))
    return GameLesson(GAME, 0, steps, QTable(), QTable())


class ProofTests(unittest.TestCase):
    def test_a_proof_goes_from_the_line_to_the_move_and_gives_each_reason(self) -> None:
        for count in range(1, 9):
            lesson = lesson_of(count)
            step = lesson.steps[-1]
            terms = proof(lesson, step)
            arrows = terms[1::2]
            self.assertEqual([arrow.text for arrow in arrows], ["→"] * len(arrows))
            shown = terms[::2]
            self.assertEqual(len(shown), min(count, LONGEST_CHAIN))
            self.assertEqual([term.is_new for term in shown], [False] * (len(shown) - 1) + [True])
            dots = [place for place, term in enumerate(shown) if term.text == "…"]
            self.assertEqual(dots, [1] if count > LONGEST_CHAIN else [])
            numbers = [int(term.text.partition(".")[0]) for term in shown if term.text != "…"]
            ends = range(step.number + 1, step.number + 1 + len(shown) - 1 - len(dots))
            self.assertEqual(numbers, [len(GAME), *reversed(ends)] if count > 1 else [len(GAME)])
            for term in shown:
                if term.text == "…":
                    continue
                number = int(term.text.partition(".")[0])
                self.assertEqual(term.text, f"{number}. {format_cell(GAME[number - 1])}")
                if number == len(GAME):
                    self.assertTrue(is_terminal(lesson.state(number)))
                    self.assertEqual(term.words, "wins: completes\nthree")
                elif (len(GAME) - number) % 2 == 0:
                    self.assertEqual(term.words, "wins: every\nreply loses")
                else:
                    self.assertEqual(term.words, f"loses: allows\nmove {number + 1}")

    def test_a_loss_without_a_reply_in_the_game_is_known_otherwise(self) -> None:
        step = LessonStep(4, GAME[4], 0.0, -1.0)
        lesson = GameLesson(GAME, 0, [step], QTable(), QTable())
        (term,) = proof(lesson, step)
        self.assertEqual(term.words, "loses: a reply\nis known to win")


class FormulaTests(unittest.TestCase):
    def test_the_terms_of_an_estimate_are_named_and_only_its_result_is_new(self) -> None:
        for step, target in (
            (LessonStep(4, 0, -0.5, -0.4, 0.25), "value of the next turn"),
            (LessonStep(4, 0, 0.5, 0.5625, 1.0, is_last=True), "result of the game"),
        ):
            with self.subTest(step=step):
                terms = formula(step, 0.125)
                words = {term.words.replace("\n", " ") for term in terms}
                self.assertEqual(words, {"", "old value", "learning rate", target, "new value"})
                self.assertEqual([term for term in terms if term.is_new], [terms[-1]])
                text = "".join(term.text for term in terms[2:]).replace("−", "-")
                before, _, after = text.translate(str.maketrans("×", "*")).partition("=")
                found = eval(before)
                self.assertAlmostEqual(found, float(after), delta=0.01)
                self.assertNotIn("--", text, "a negative number has brackets after a sign")


class DrawnTests(WindowTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.top = tk.Toplevel(self.app.root)
        self.addCleanup(destroy, self.top)

    def show(self, widget: tk.Widget, width: int) -> None:
        widget.pack(fill="both", expand=True)
        self.top.wm_geometry(f"{width}x300")
        wait_until(self.app.root, lambda: abs(widget.winfo_width() - width) < 2)

    def test_terms_stand_in_a_row_with_their_words_below_in_smaller_type_if_narrow(self) -> None:
        theme = self.app.context.theme
        view = FormulaView(self.top, theme)
        terms = [Term("old", "the\nfirst"), Term("→"), Term("new value", "last", is_new=True)]
        needed = sum(theme.title.measure(term.text) for term in terms)
        for width, font in ((4 * needed, theme.title), (needed, theme.strong)):
            self.show(view, width)
            view.show(terms)
            call = self.app.root.tk.call
            drawn = [view.bbox(item) for item in view.find_all()]
            larges = view.find_all()[::2]
            fonts = {str(call(view, "itemcget", item, "-font")) for item in larges}
            self.assertEqual(fonts, {str(font)})
            fills = [str(call(view, "itemcget", item, "-fill")) for item in larges]
            text, accent = theme.colours.text, theme.colours.accent
            self.assertEqual(fills, [text, text, accent])
            for one, other in zip(drawn[:-2:2], drawn[2::2], strict=True):
                self.assertLess(one[2], other[0], "from left to right")
            for large, words in zip(drawn[::2], drawn[1::2], strict=True):
                self.assertAlmostEqual(large[0] + large[2], words[0] + words[2], delta=3)
                self.assertLessEqual(large[3], words[1] + 4, "the words are below")
                self.assertLessEqual(words[3], view.wanted_height + 2)

    def test_large_type_is_used_wherever_it_fits_and_terms_do_not_touch(self) -> None:
        theme = self.app.context.theme
        view = FormulaView(self.top, theme)
        terms = formula(LessonStep(4, 0, -0.25, 0.29, 0.46), 0.2)
        self.show(view, 1200)
        view.show(terms)
        needed = view.bbox("all")[2]
        gap = theme.px(2)
        for width, font in ((needed + gap, theme.title), (needed - gap, theme.strong)):
            self.show(view, width)
            view.show(terms)
            self.assertEqual(faults(self.top), [])
            items = view.find_all()
            call = self.app.root.tk.call
            self.assertEqual(str(call(view, "itemcget", items[0], "-font")), str(font))
            for row in (items[::2], items[1::2]):
                boxes = [view.bbox(item) for item in row]
                for one, other in pairwise(boxes):
                    self.assertGreaterEqual(other[0] - one[2], gap // 2)
        highest, lowest = view.bbox("all")[1], view.bbox("all")[3]
        self.assertGreaterEqual(highest, 0)
        self.assertLessEqual(lowest, view.wanted_height)
        self.assertLess(view.wanted_height - lowest, theme.body.metrics("linespace"))

    def test_a_formula_has_the_colours_of_the_theme(self) -> None:
        view = FormulaView(self.top, self.app.context.theme)
        self.show(view, 400)
        view.show([Term("Q", "value"), Term("0.5", "new\nvalue", is_new=True)])
        for name in ("dark", "high-contrast", "light"):  # the last is that of other tests
            self.app.context.userdata.change(theme=name)
            self.app.window.apply()
            self.app.root.update()
            back = self.app.context.theme.colours.window
            self.assertEqual(str(view.cget("background")), back)
            call = self.app.root.tk.call
            for item in view.find_all():
                ink = str(call(view, "itemcget", item, "-fill"))
                self.assertGreaterEqual(contrast(ink, back), 4.5, name)

    def marked(self, width: int, *numbered: tuple[int, int]) -> MarkedBoard:
        """Show a board with the moves *numbered*, whose cells are also framed."""
        board = MarkedBoard(self.top, self.app.context.theme, lambda _: None)
        self.show(board, width)
        board.mark(frozenset(cell for _, cell in numbered), numbered)
        board.redraw()
        return board

    def lines(self, board: MarkedBoard, arrow: str) -> list[tuple[list[float], float, str]]:
        """Return the place, width and colour of the lines that have an *arrow* or none."""
        found = []
        for item in board.find_all():
            if str(board.type(item)) == "line":
                call = self.app.root.tk.call
                values = [str(call(board, "itemcget", item, o)) for o in ("-width", "-fill")]
                if str(call(board, "itemcget", item, "-arrow")) == arrow:
                    found.append((board.coords(item), float(values[0]), values[1]))
        return found

    def test_each_number_stands_in_the_corner_of_its_cell_clear_of_the_lamp(self) -> None:
        for width in (400, 1000):
            board = self.marked(width, *((n + 1, n) for n in range(12)))
            side, _, _ = board.grid_place()
            discs = self.lines(board, "none")[-12:]
            for cell, ((x0, y0, x1, y1), thick, _) in enumerate(discs):
                radius = thick / 2
                left, top, right, bottom = x0 - radius, y0 - radius, x1 + radius, y1 + radius
                x, y = board.cell_centre(cell)
                self.assertGreaterEqual(left, x - side / 2)
                self.assertGreaterEqual(top, y - side / 2)
                self.assertLess(right, x)
                self.assertLess(bottom, y)
                if cell < 9:  # of one digit
                    self.assertGreater(math.dist((x1, y1), (x, y)) - radius, 0.31 * side)
                self.assertLess(left - (x - side / 2), 0.1 * side, "in the corner")
                self.assertAlmostEqual(top - (y - side / 2), left - (x - side / 2), delta=1)
                self.assertAlmostEqual(y0, y1, delta=1)
            board.destroy()

    def test_the_text_of_a_number_is_legible_and_in_the_middle_of_its_disc(self) -> None:
        for width in (300, 1000):
            board = self.marked(width, (7, 0), (8, 6), (9, 6), (10, 11))
            call = self.app.root.tk.call
            discs = self.lines(board, "none")[-3:]
            texts = [item for item in board.find_all() if str(board.type(item)) == "text"][-3:]
            for ((x0, y0, x1, _), thick, back), item in zip(discs, texts, strict=True):
                left, top, right, bottom = board.bbox(item)
                self.assertAlmostEqual((left + right) / 2, (x0 + x1) / 2, delta=2)
                self.assertAlmostEqual((top + bottom) / 2, y0, delta=2)
                self.assertLessEqual(right - left, x1 - x0 + thick + 2)
                ink = str(call(board, "itemcget", item, "-fill"))
                self.assertGreaterEqual(contrast(ink, back), 4.5)
                size = -int(str(call(board, "itemcget", item, "-font")).split()[-2])
                self.assertGreaterEqual(size, SMALLEST_TEXT)
                self.assertLess(size, thick)
            board.destroy()

    def test_frames_and_arrows_stand_out_from_what_is_under_them(self) -> None:
        for width in (300, 1000):
            board = self.marked(width, (7, 0), (8, 6))
            side, _, _ = board.grid_place()
            call = self.app.root.tk.call
            back = self.app.context.theme.colours.window
            edges = [n for n in board.find_withtag("frame") if str(board.type(n)) == "rectangle"]
            self.assertTrue(edges)
            for edge in edges:
                fill = str(call(board, "itemcget", edge, "-fill"))
                self.assertGreaterEqual(contrast(fill, back), 4.5)
                x0, y0, x1, y1 = board.coords(edge)
                self.assertGreaterEqual(min(x1 - x0, y1 - y0), 2)
                self.assertLess(min(x1 - x0, y1 - y0), 0.1 * side)
            wide, thin = self.lines(board, "last")
            self.assertEqual(wide[0], thin[0])
            self.assertGreater(wide[1], thin[1])
            self.assertGreaterEqual(thin[1], 2)
            self.assertLess(wide[1], 0.1 * side)
            self.assertGreaterEqual(contrast(wide[2], thin[2]), 4.5)
            board.destroy()

    def test_arrows_lead_from_each_numbered_move_to_the_one_before(self) -> None:
        board = MarkedBoard(self.top, self.app.context.theme, lambda _: None)
        self.show(board, 400)
        board.mark(frozenset({6}), [(7, 0), (8, 6), (9, 6), (10, 11)])
        board.redraw()
        side, _, _ = board.grid_place()
        items = {kind: [n for n in board.find_all() if str(board.type(n)) == kind]
                 for kind in ("line", "text")}  # fmt: skip
        call = self.app.root.tk.call
        arrows = [n for n in items["line"] if str(call(board, "itemcget", n, "-arrow")) == "last"]
        self.assertEqual(len(arrows), 4, "two moves in one cell need none, and each has an edge")
        for arrow, (later, earlier) in zip(arrows, ((6, 0), (6, 0), (11, 6), (11, 6)), strict=True):
            x0, y0, x1, y1 = board.coords(arrow)
            start, end = board._corner(later, side), board._corner(earlier, side)
            self.assertAlmostEqual(math.dist((x0, y0), start), 0, delta=1)
            self.assertAlmostEqual(math.dist((x1, y1), end), 0.15 * side, delta=1)
            length = math.dist(start, end)
            way = math.dist(start, (x1, y1)) + math.dist((x1, y1), end)
            self.assertAlmostEqual(way, length, delta=1)
        shown = [str(call(board, "itemcget", n, "-text")) for n in items["text"]]
        self.assertLessEqual({"7", "8 9", "10"}, set(shown))
        for text, cell in (("7", 0), ("8 9", 6), ("10", 11)):
            left, top, right, bottom = board.bbox(items["text"][shown.index(text)])
            x, y = board.cell_centre(cell)
            self.assertGreaterEqual(left, x - side / 2)
            self.assertLess(right, x, text)
            self.assertGreaterEqual(top, y - side / 2)
            self.assertLess(bottom, y)
            discs = set(items["line"]) - set(arrows)
            behind = set(board.find_overlapping(left, top, right, bottom)) & discs
            fills = {str(call(board, "itemcget", item, "-fill")) for item in behind}
            self.assertEqual(fills, {self.app.context.theme.colours.text})
        x, y = board.cell_centre(6)
        left, top, right, bottom = board.bbox("frame")
        self.assertAlmostEqual((left + right) / 2, x, delta=2)
        self.assertAlmostEqual((top + bottom) / 2, y, delta=2)
        self.assertAlmostEqual(right - left, side, delta=0.12 * side)
