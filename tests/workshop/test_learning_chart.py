"""The curves of bots: what a student reads in their picture."""

import unittest
from dataclasses import replace

from tests.kit.samples import measured
from traffic_lights.workshop import learning_chart
from traffic_lights.workshop.charts import draw
from traffic_lights.workshop.drawings import Area, Room, Text


class CurveTests(unittest.TestCase):
    def test_every_measured_point_is_drawn_and_named(self) -> None:
        curves = {
            "a": [measured(games, games / 1000) for games in (0, 50, 100, 500, 1000)],
            "b": [measured(10, 0, "random"), measured(500, 0.5), measured(600, 0.5)],
            "c": [],
        }
        chart = learning_chart.wins_chart(curves, {"a": "A", "b": "B", "c": "C"})
        self.assertEqual((chart.title, chart.is_log), ("Wins against Myopic", False))
        self.assertEqual(
            [(line.name, len(line.points)) for line in chart.lines], [("A", 5), ("B", 2)]
        )
        shapes = draw(chart, Room(600, 300, 16, 8))
        samples = len(chart.lines)
        self.assertEqual(sum(isinstance(shape, Area) for shape in shapes), 5 + 2 + samples)

    def test_the_axis_is_logarithmic_where_the_learning_would_be_at_its_left_end(self) -> None:
        early = [measured(n, min(0.9, n / 1000)) for n in (0, 1, 100, 1000, 100_000)]
        late = [measured(n, n / 10**5) for n in (0, 1, 100, 1000, 50_000, 100_000)]
        for points, is_log in ((early, True), (late, False), (early[:1], False)):
            chart = learning_chart.wins_chart({"a": points}, {"a": "A"})
            self.assertEqual(chart.is_log, is_log)
            self.assertEqual(0 in [games for games, _ in chart.lines[0].points], not is_log)
        young = [measured(n, n / 2000) for n in (1, 500, 1000)]
        chart = learning_chart.wins_chart({"a": late, "b": young}, {"a": "A", "b": "B"})
        self.assertTrue(chart.is_log, "the short curve would be a point")

    def test_a_student_reads_why_a_ticked_bot_has_no_curve(self) -> None:
        curves = {"a": [measured(9, 0.5)], "b": [measured(9, 0.9, "random")]}
        chart = learning_chart.wins_chart(curves, {"a": "A", "b": "B", "new": "New bot"})
        self.assertTrue(chart.caption.endswith("another opponent: B"), chart.caption)

    def test_a_student_reads_on_the_curve_since_when_the_bot_beats_whom_if_it_still_does(
        self,
    ) -> None:
        other = [replace(measured(n, score, "random"), sampled=200) for n, score in (
            (10, 0.9), (100, 0.4), (1000, 0.52), (2000, 0.7), (4000, 0.8),
        )]  # fmt: skip
        past = [replace(measured(one.games, one.games / 4000), others=(one,)) for one in other]
        curves = {key: [measured(n, n / 4000) for n in (1000, 3000, 4000)] for key in "ab"}
        names = {"a": "A", "b": "B"}
        chart = learning_chart.wins_chart(curves, names, chosen="a", past=past)
        one, beside = chart.lines
        self.assertEqual(one.milestones, [(2000, "Random"), (3000, "Myopic")])
        self.assertEqual(beside.milestones, (), "what is known of the others is not so much")
        shapes = draw(chart, Room(600, 300, 16, 8))
        words = {shape.text for shape in shapes if isinstance(shape, Text)}
        self.assertLessEqual({"beats Random from 2 k", "Myopic from 3 k games"}, words)
        also = replace(measured(3000, 0.8), others=(replace(other[-1], games=3000),))
        one, _ = learning_chart.wins_chart(curves, names, chosen="a", past=[also]).lines
        self.assertEqual(one.milestones, [(3000, "Myopic and Random")])
        one, _ = learning_chart.wins_chart(curves, names, chosen="a", past=past[:3]).lines
        self.assertEqual(one.milestones, [(3000, "Myopic")], "it still won too little from Random")
        self.assertIn("Beats", chart.caption)
        chart = learning_chart.wins_chart(curves, names, chosen="beginner")
        self.assertNotIn("Beats", chart.caption)
        for line in chart.lines:
            self.assertEqual(line.milestones, (), "they would be read as those of Beginner")

    def test_a_student_reads_no_wrong_game_of_a_win_while_the_snapshots_are_not_known(self) -> None:
        later = replace(measured(90, 0.7), others=(measured(90, 0.9, "random"),))
        curves = {"a": [measured(10, 0.6), later]}
        (line,) = learning_chart.wins_chart(curves, {"a": "A"}, chosen="a").lines
        self.assertEqual(line.milestones, [(10, "Myopic")])

    def test_a_curve_of_zeros_says_that_nothing_was_won(self) -> None:
        chart = learning_chart.wins_chart({"a": [measured(5, 0)]}, {"a": "A"})
        self.assertEqual(chart.note, "No win against Myopic yet.")
        self.assertEqual(
            learning_chart.wins_chart({}, {"new": "New bot"}).note, learning_chart.NO_CURVE
        )
