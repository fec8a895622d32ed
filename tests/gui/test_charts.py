"""What the pictures of the Workshop draw: bars, curves and marks are where their numbers are."""

import tkinter as tk
from dataclasses import replace
from functools import partial
from itertools import chain, pairwise

from tests.kit.person import texts_on
from tests.kit.samples import measured
from tests.kit.windows import WindowTestCase, loop_until
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


class ChartTests(WindowTestCase):
    def setUp(self) -> None:
        super().setUp()
        apply_styles(self.root, self.theme)
        self.root.geometry("900x600")
        stretch(self.root)

    def draw(self, picture: Chart, at: float | None = None) -> dict[str, list[float]]:
        """Return where each text on *picture* is, with the pointer *at* that x."""
        if at is not None:
            picture.event_generate("<Motion>", x=round(at), y=9)
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

    def middles(self, picture: tk.Canvas, **look: str) -> list[list[float]]:
        """Return the middles of the dots and rings on *picture* that have this *look*."""
        return [[(x + a) / 2, (y + b) / 2] for x, y, a, b in self.drawn(picture, "oval", **look)]

    def assert_near(self, found: list[list[float]], expected: list[list[float]]) -> None:
        self.assertEqual([*map(len, found)], [*map(len, expected)])
        for a, b in zip(chain(*found), chain(*expected), strict=True):
            self.assertAlmostEqual(a, b, delta=0.6, msg=f"{found} should be {expected}")

    def test_the_bars_of_solved_positions_are_filled_from_below_as_far_as_they_are(self) -> None:
        picture = put(SolvedBars(self.root, self.theme), sticky="new")
        shares = (0, 0.5, 0, 0.75, 1, 0.25, 1)
        solved = [total * share for total, share in zip(POSITIONS_BY_PLY, shares, strict=False)]
        picture.show([*map(round, solved)])
        words = self.draw(picture)
        whole = self.drawn(picture, "rectangle", fill=self.theme.colours.pressed)
        self.assert_near(
            self.drawn(picture, "rectangle", fill=self.theme.colours.accent),
            [[left, low + (top - low) * share, right, low]
             for (left, top, right, low), share in zip(whole, shares, strict=True) if share],
        )  # fmt: skip
        self.assertTrue(all(one[2] < two[0] for one, two in pairwise(whole)))
        self.assert_near([words["0"][:1], words["5"][:1]], [whole[0][:1], whole[5][:1]])
        words = self.draw(picture, at=whole[3][0] + 2)
        self.assertIn(f"After 3 moves: {round(solved[3]):,} of {POSITIONS_BY_PLY[3]:,}", words)
        (cover,) = self.drawn(picture, "rectangle", fill=picture["background"])
        self.assertLessEqual(cover[3], whole[0][1] + 1)

    def test_the_bars_of_scores_end_at_the_scores_and_their_lines_at_the_intervals(self) -> None:
        picture = put(ScoreBars(self.root, self.theme), sticky="new")
        bot, half = Roster().entry("expert"), SeatScore(20, 12)
        row = Row(bot, bot, 40, half, half)
        rows = {"One": replace(row, exact=ExactScore(0.2, 0.4)),
                "Two": replace(row, exact=ExactScore(0, 0)), "Three": row}  # fmt: skip
        picture.show("Against it", [*rows.items()], None)
        words = self.draw(picture)
        whole = self.drawn(picture, "rectangle", fill=self.theme.colours.pressed)
        for (_, top, right, bottom), (name, one) in zip(whole, rows.items(), strict=True):
            x, y = words[comparing.score_text(one)]
            self.assertTrue(right < x and top < y < bottom)
            self.assertTrue(top < words[name][1] < bottom)
        self.assert_near(
            self.drawn(picture, "rectangle", fill=self.theme.colours.accent),
            [[left, top, left + (right - left) * share, bottom]
             for (left, top, right, bottom), share in ((whole[0], 0.3), (whole[2], 0.6))],
        )  # fmt: skip
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
        for style, (name, points) in enumerate((("One", ONE), ("Two", TWO))):
            colour = picture.colour(style)
            curve, *uprights, sample = self.drawn(picture, "line", fill=colour)
            places = [place(point.games, point.score) for point in points]
            ends = [[place(one.games, end) for end in interval(one)] for one in points]
            lines = [[*chain(*line)] for line in (places, *ends)]
            self.assert_near([curve, *uprights], lines)
            self.assert_near(self.middles(picture, fill=colour), places)
            x, y = words[name]
            self.assertIn([x, y], self.drawn(picture, "text", fill=colour))
            self.assert_near([[y, sample[1], sample[3]]], [[places[-1][1]] * 3])
            self.assertTrue(right < sample[0] < sample[2] < x)
        c = self.theme.colours
        mark = place(600, 1) + place(600, 0)
        handle, _ = picture.slider.coords()
        self.assertAlmostEqual(picture.slider.winfo_x() + handle, mark[0], delta=2)
        tenths = range(0, 101, 20)
        for look, coordinates, expected in (
            ({"fill": c.text}, 4, [mark]),
            ({"fill": c.border, "width": "2.0"}, 1, [place(games, 0)[:1] for games in stops]),
            ({"fill": c.hairline}, 4,
             [[left, words[f"{n} %"][1], right, words[f"{n} %"][1]] for n in tenths]),
            ({"fill": c.border, "width": "1.0"}, 2, [place(10 * n, 0) for n in tenths]),
        ):  # fmt: skip
            found = self.drawn(picture, "line", **look)
            self.assert_near([one[:coordinates] for one in found], expected)
        words = self.draw(picture, at=place(520, 0)[0])
        self.assert_near(self.middles(picture, outline=c.text), [place(500, 0.4), place(400, 0.2)])
        self.assertTrue(any("One after 500" in text and "Two after 400" in text for text in words))
        early = [measured(*point) for point in ((10, 0.1), (20, 0.9), (90_000, 0.9))]
        picture.show("Wins", "About", [Curve("One", early, 0)], (), 0)
        self.assertIn("games (log)", self.draw(picture), "it rises at once")
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
        above, words = self.draw(chart), self.draw(picture)
        left, right = above["0"][0], above["1 k"][0]
        after = 0.0
        curves = self.drawn(picture, "line", fill=picture.colour(3))
        bases = self.drawn(picture, "line", fill=self.theme.colours.border)
        for curve, base, (title, most, values) in zip(curves, bases, (
            ("ε: the share of exploring moves", "0.1", (0.05, 0.02, 0.01)),
            ("How much one game changes all values", "120", (30, 120, 60)),
        ), strict=True):  # fmt: skip
            top, low = words[most][1], base[1]
            self.assertTrue(after < words[title][1] < top < low)
            places = [[left + (right - left) * one.games / 1000,
                       low + (top - low) * value / float(most)]
                      for one, value in zip(ONE, values, strict=True)]  # fmt: skip
            self.assert_near([base, curve], [[left, low, right, low], [*chain(*places)]])
            after = low
        self.assertAlmostEqual(words["0"][1], after, delta=0.6)
