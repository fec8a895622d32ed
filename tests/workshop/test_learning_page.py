"""The pictures of the Learning tab, and the room that each of them gets."""

import unittest
from dataclasses import replace
from itertools import product
from pathlib import Path

from traffic_lights.board.positions import POSITIONS_BY_PLY
from traffic_lights.players.roster import Roster
from traffic_lights.training.gauge import Measured
from traffic_lights.training.own_bots import OwnBot
from traffic_lights.workshop.curves import Curves
from traffic_lights.workshop.learning_chart import wins_chart
from traffic_lights.workshop.learning_page import (
    LARGE_SIZE,
    Pictures,
    TabSize,
    pictures_of,
    share_out,
)
from traffic_lights.workshop.shared import NEW_BOT

BOT = replace(NEW_BOT, key="bot:One", own=OwnBot("bot:One", "One", Path()))
SIZE = TabSize(
    width=760, height=590, scale=1.0, step=4, line=17, digit=8, slider=16, button=32, has_form=True,
    is_unfolded=False,
)  # fmt: skip


def pictures(*scores: float, others: tuple[float, ...] = ()) -> Pictures:
    """Return the pictures of a bot with these *scores*, compared with a bot that has *others*."""
    curves = Curves()
    for key, values in ((BOT.key, scores), ("bot:Two", others)):
        for number, score in enumerate(values, 1):
            curves.add(key, Measured(number, "myopic", score, score, 0, epsilon=0.1))
    names = {BOT.key: "One", "bot:Two": "Two"} if others else {BOT.key: "One"}
    return pictures_of(BOT, curves, names, wins_chart(curves.points, names))


class PicturesTests(unittest.TestCase):
    def test_a_player_that_does_not_train_has_its_scores_and_no_curve(self) -> None:
        curves = Curves()
        shown = pictures_of(Roster().entry("myopic"), curves, {}, wins_chart({}, {}))
        self.assertIsNotNone(shown.scores)
        self.assertIsNone(shown.chart)

    def test_small_curves_explain_one_bot_and_give_their_room_to_a_comparison(self) -> None:
        self.assertIsNotNone(pictures(0.1, 0.5).small)
        compared = pictures(0.1, 0.5, others=(0.2, 0.3))
        self.assertIsNone(compared.small)
        self.assertTrue(compared.has_others)


class HeightTests(unittest.TestCase):
    def test_the_room_goes_to_the_picture_that_matters_and_none_to_hidden_ones(self) -> None:
        shown = pictures(0.1, 0.5)
        cases = (shown, pictures(0.1, 0.5, others=(0.3,)), replace(shown, strip=POSITIONS_BY_PLY))
        for case, height, is_unfolded in product(cases, (300, 2000), (False, True)):
            size = replace(SIZE, height=height, is_unfolded=is_unfolded)
            heights = share_out(case, size)
            self.assertEqual(heights.pictures.keys(), case.by_name().keys())
            chart, small, strip = (heights.pictures[name] for name in ("chart", "small", "strip"))
            self.assertEqual(heights.pictures["scores"], (0, 0))
            self.assertGreaterEqual(chart[0], LARGE_SIZE[1])
            self.assertGreater(chart[1], 2 * (small[1] + strip[1]), "most of what is left")
            self.assertEqual(strip[0] > 0, bool(case.strip))
            self.assertEqual(small[0] > 0, case.small is not None and height > 600)

    def test_the_strip_is_large_while_a_plan_only_proves(self) -> None:
        only_strip = replace(pictures(0.1, 0.5), chart=None, small=None, strip=POSITIONS_BY_PLY)
        weights = {
            name: weight for name, (_, weight) in share_out(only_strip, SIZE).pictures.items()
        }
        self.assertEqual(max(weights, key=lambda name: weights[name]), "strip")

    def test_the_chart_does_not_move_while_a_text_below_comes_and_goes(self) -> None:
        folded = share_out(pictures(0.1, 0.5), SIZE)
        self.assertGreaterEqual(folded.slider, SIZE.slider + 2 * SIZE.line)
        unfolded = share_out(pictures(0.1, 0.5), replace(SIZE, is_unfolded=True))
        self.assertEqual((unfolded.slider, unfolded.result), (0, 0), "the settings need the room")
        charts = unfolded.pictures["chart"], folded.pictures["chart"]
        self.assertGreater(*charts, "all scrolls anyway")
        narrow = share_out(pictures(0.1, 0.5), replace(SIZE, width=300))
        self.assertGreater(narrow.slider, folded.slider, "its text has more lines there")

    def test_all_is_larger_with_a_larger_type(self) -> None:
        shown = replace(pictures(0.1, 0.5), strip=POSITIONS_BY_PLY)
        large = replace(
            SIZE,
            width=1520,
            height=1180,
            scale=2.0,
            step=8,
            line=34,
            digit=16,
            slider=32,
            button=64,
        )
        one, two = share_out(shown, SIZE), share_out(shown, large)
        self.assertEqual(two.slider, 2 * one.slider)
        self.assertEqual(two.result, 2 * one.result)
        for name, (small, weight) in one.pictures.items():
            double, same = two.pictures[name]
            self.assertAlmostEqual(double, 2 * small, delta=1)
            self.assertEqual(same, weight)
