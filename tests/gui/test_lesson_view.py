"""What a lesson looks like: the reasons of proofs, the formula, and the arrows on the board."""

import math
import tkinter as tk
import unittest

from tests.kit.windows import WindowTestCase, destroy, wait_until
from traffic_lights.board.rules import format_cell, is_terminal
from traffic_lights.gui.workshop.lesson_view import (
    LONGEST_CHAIN,
    FormulaView,
    MarkedBoard,
    Term,
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

    def test_arrows_lead_from_each_numbered_move_to_the_one_before(self) -> None:
        board = MarkedBoard(self.top, self.app.context.theme, lambda _: None)
        self.show(board, 400)
        board.mark(frozenset({6}), [(7, 0), (8, 6), (9, 6), (10, 11)])
        board.redraw()
        side, _, _ = board.grid_place()
        items = {kind: [n for n in board.find_all() if str(board.type(n)) == kind]
                 for kind in ("line", "text", "polygon")}  # fmt: skip
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
        for frame in items["polygon"]:
            left, top, right, bottom = board.bbox(frame)
            self.assertAlmostEqual((left + right) / 2, x, delta=2)
            self.assertAlmostEqual((top + bottom) / 2, y, delta=2)
            self.assertAlmostEqual(right - left, side, delta=0.12 * side)
