"""What the pictures of the Workshop draw: bars, curves and marks are where their numbers are."""

import tkinter as tk
import unittest
from dataclasses import replace
from functools import partial
from itertools import chain, pairwise

from tests.kit.person import HAS_DISPLAY, texts_on
from tests.kit.samples import measured
from tests.kit.windows import loop_until, new_window
from traffic_lights.board.exact_score import ExactScore
from traffic_lights.board.positions import POSITIONS_BY_PLY
from traffic_lights.gui.kit.widget_styles import apply_styles
from traffic_lights.gui.kit.widgets import put, stretch
from traffic_lights.gui.workshop import comparing
from traffic_lights.gui.workshop.chart import Chart
from traffic_lights.gui.workshop.curve_chart import Curve, CurveChart
from traffic_lights.gui.workshop.learning_texts import interval
from traffic_lights.gui.workshop.score_bars import ScoreBars
from traffic_lights.gui.workshop.small_curves import SmallCurves
from traffic_lights.gui.workshop.solved_bars import SolvedBars
from traffic_lights.judging.evaluation import Row, SeatScore
from traffic_lights.players.roster import Roster

ONE = [
    replace(measured(games, score, sampled=200), epsilon=epsilon, moved=moved)
    for games, score, epsilon, moved in (
        (100, 0.1, 0.05, 30), (500, 0.4, 0.02, 120), (1000, 0.9, 0.01, 60)
    )
]  # fmt: skip
TWO = [measured(400, 0.2), measured(800, 0.01)]


@unittest.skipUnless(HAS_DISPLAY, "no display")
class ChartTests(unittest.TestCase):
    def setUp(self) -> None:
        self.root, self.theme = new_window()
        self.addCleanup(self.root.destroy)
        apply_styles(self.root, self.theme)
        self.root.geometry("900x600")
        stretch(self.root)

    def draw(self, picture: Chart) -> dict[str, list[float]]:
        """Have *picture* drawn; return where each text on it is, the last of equal ones."""
        loop_until(self.root, picture.find_all)
        self.root.update()
        return {words: picture.coords(item) for item, words in texts_on(picture)}

    def drawn(self, picture: tk.Canvas, kind: str, **look: str) -> list[list[float]]:
        """Return the coordinates of all of a *kind* on *picture* that have this *look*."""
        of = partial(picture.tk.call, str(picture))
        return [
            picture.coords(item)
            for item in picture.find_all()
            if of("type", item) == kind
            and all(str(of("itemcget", item, f"-{one}")) == look[one] for one in look)
        ]

    def bars(self, picture: Chart) -> tuple[list[list[float]], list[list[float]]]:
        """Return the places of all bars, and of what is filled in them."""
        c = self.theme.colours
        whole, filled = (
            self.drawn(picture, "rectangle", fill=one) for one in (c.pressed, c.accent)
        )
        return whole, filled

    def assert_near(self, found: list[list[float]], expected: list[list[float]]) -> None:
        self.assertEqual([*map(len, found)], [*map(len, expected)])
        for one, other in zip(found, expected, strict=True):
            for a, b in zip(one, other, strict=True):
                self.assertAlmostEqual(a, b, delta=0.6, msg=f"{found} should be {expected}")

    def test_the_bars_of_solved_positions_are_filled_from_below_as_far_as_they_are(self) -> None:
        picture = put(SolvedBars(self.root, self.theme), sticky="new")
        shares = (0, 0.5, 0, 0.75, 1, 0.25, 1)
        solved = [total * share for total, share in zip(POSITIONS_BY_PLY, shares, strict=False)]
        picture.show([*map(round, solved)])
        words = self.draw(picture)
        whole, filled = self.bars(picture)
        self.assert_near(
            filled,
            [[left, low + (top - low) * share, right, low]
             for (left, top, right, low), share in zip(whole, shares, strict=True) if share],
        )  # fmt: skip
        self.assertTrue(all(one[2] < two[0] for one, two in pairwise(whole)))
        self.assert_near([words["0"][:1], words["5"][:1]], [whole[0][:1], whole[5][:1]])
        picture.event_generate("<Motion>", x=round(whole[3][0] + 2), y=9)
        words = self.draw(picture)
        self.assertIn(f"After 3 moves: {round(solved[3]):,} of {POSITIONS_BY_PLY[3]:,}", words)
        (cover,) = self.drawn(picture, "rectangle", fill=picture["background"])
        self.assertLessEqual(cover[3], whole[0][1] + 1)

    def test_the_bars_of_scores_end_at_the_scores_and_their_lines_at_the_intervals(self) -> None:
        picture = put(ScoreBars(self.root, self.theme), sticky="new")
        bot, half = Roster().entry("expert"), SeatScore(20, 12)
        row = Row(bot, bot, 40, half, half)
        rows = [replace(row, exact=ExactScore(0.2, 0.4)), replace(row, exact=ExactScore(0, 0)), row]
        names = "One", "Two", "Three"
        picture.show("Against it", [*zip(names, rows, strict=True)], None)
        words = self.draw(picture)
        whole, filled = self.bars(picture)
        for (_, top, right, bottom), name, one in zip(whole, names, rows, strict=True):
            x, y = words[comparing.score_text(one)]
            self.assertTrue(right < x and top < y < bottom)
            self.assertTrue(top < words[name][1] < bottom)
        for (left, top, right, bottom), share, found in zip(
            (whole[0], whole[2]), (0.3, 0.6), filled, strict=True
        ):
            self.assert_near([found], [[left, top, left + (right - left) * share, bottom]])
        left, top, right, bottom = whole[2]
        y = (top + bottom) / 2
        low, high = (left + (right - left) * bound for bound in comparing.bounds(row))
        line, *ends = self.drawn(picture, "line")
        self.assert_near([line], [[low, y, high, y]])
        self.assert_near([one[::2] for one in ends], [[low, low], [high, high]])

    def test_curves_go_through_their_points_with_intervals_names_and_the_mark(self) -> None:
        picture = put(CurveChart(self.root, self.theme, lambda _: None), sticky="nsew")
        stops = 200, 600, 1000
        picture.show("Wins", "About", [Curve("One", ONE, 0), Curve("Two", TWO, 1)], stops, 600)
        words = self.draw(picture)
        left, right = words["0"][0], words["1 k"][0]
        low, high = words["0 %"][1], words["100 %"][1]

        def place(games: float, share: float) -> list[float]:
            return [left + (right - left) * games / 1000, low + (high - low) * share]

        self.assertIn("games", words)
        for style, points in enumerate((ONE, TWO)):
            colour = picture.colour(style)
            curve, *uprights, sample = self.drawn(picture, "line", fill=colour)
            places = [place(point.games, point.score) for point in points]
            self.assert_near([curve], [[*chain(*places)]])
            ends = [place(one.games, end) for one in points for end in interval(one)]
            self.assert_near(uprights, [a + b for a, b in zip(ends[::2], ends[1::2], strict=True)])
            dots = self.drawn(picture, "oval", fill=colour)
            self.assert_near([[(x + a) / 2, (y + b) / 2] for x, y, a, b in dots], places)
            x, y = words[("One", "Two")[style]]
            self.assertIn([x, y], self.drawn(picture, "text", fill=colour))
            self.assert_near([[y, sample[1], sample[3]]], [[places[-1][1]] * 3])
            self.assertTrue(right < sample[0] < sample[2] < x)
        c = self.theme.colours
        mark = place(600, 1) + place(600, 0)
        self.assert_near(self.drawn(picture, "line", fill=c.text), [mark])
        handle, _ = picture.slider.coords()
        self.assertAlmostEqual(picture.slider.winfo_x() + handle, mark[0], delta=2)
        under = self.drawn(picture, "line", fill=c.border, width="2.0")
        self.assert_near([one[:1] for one in under], [place(games, 0)[:1] for games in stops])
        levels = [[left, words[f"{n} %"][1], right, words[f"{n} %"][1]] for n in range(0, 101, 20)]
        self.assert_near(self.drawn(picture, "line", fill=c.hairline), levels)
        marks = self.drawn(picture, "line", fill=c.border, width="1.0")
        self.assert_near([one[:2] for one in marks], [place(n, 0) for n in range(0, 1001, 200)])
        picture.event_generate("<Motion>", x=round(place(520, 0)[0]), y=9)
        words = self.draw(picture)
        rings = self.drawn(picture, "oval", outline=c.text)
        rung = [place(500, 0.4), place(400, 0.2)]
        self.assert_near([[(x + a) / 2, (y + b) / 2] for x, y, a, b in rings], rung)
        self.assertTrue(any("One after 500" in text and "Two after 400" in text for text in words))
        lost = [measured(100, 0)]
        picture.show("Wins", "About", [Curve("One", lost), Curve("Two", lost)], (), 0)
        words = self.draw(picture)
        self.assert_near([words["Two"][1:]], [words["0 %"][1:]])
        self.assertLess(words["One"][1], words["Two"][1] - 0.8 * picture.line)

    def test_each_small_curve_goes_under_its_title_from_zero_to_its_top(self) -> None:
        chart = put(CurveChart(self.root, self.theme, lambda _: None), sticky="nsew")
        picture = put(SmallCurves(self.root, self.theme, chart), sticky="ew")
        chart.show("Wins", "", [Curve("One", ONE, 3)], (), 0)
        picture.show()
        above = self.draw(chart)
        left, right = above["0"][0], above["1 k"][0]
        words = self.draw(picture)
        after = 0.0
        expected = (
            ("ε: the share of exploring moves", "0.1", 0.1, (0.05, 0.02, 0.01)),
            ("How much one game changes all values", "120", 120, (30, 120, 60)),
        )
        curves = self.drawn(picture, "line", fill=picture.colour(3))
        bases = self.drawn(picture, "line", fill=self.theme.colours.border)
        for curve, base, (title, text, most, values) in zip(curves, bases, expected, strict=True):
            top, low = words[text][1], base[1]
            self.assertTrue(after < words[title][1] < top < low)
            self.assert_near([base], [[left, low, right, low]])
            places = [[left + (right - left) * one.games / 1000,
                       low + (top - low) * value / most]
                      for one, value in zip(ONE, values, strict=True)]  # fmt: skip
            self.assert_near([curve], [[*chain(*places)]])
            after = low
        self.assertAlmostEqual(words["0"][1], after, delta=0.6)
