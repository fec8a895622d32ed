"""Charts and the filling picture as shapes: what they show, at any size, and as files."""

from __future__ import annotations

import csv
import io
import unittest
import xml.etree.ElementTree as ElementTree
from itertools import pairwise

from tests.kit.colour_science import contrast
from traffic_lights.gui.kit.palette import THEMES, mixed
from traffic_lights.pictures import charts
from traffic_lights.pictures import vessels as filling
from traffic_lights.pictures.charts import SERIES_COLOURS, Chart, Room, short, ticks
from traffic_lights.pictures.drawing import Box, Dot, Shape, Stroke, Text, to_svg
from traffic_lights.pictures.series import MOST_POINTS, Series
from traffic_lights.training.programmes import starting_positions

ROOM = Room(400, 200, 16, 8)
_ROLES = ("back", "text", "muted", "grid", "axis", "vessel", "filled", "rising")
COLOURS = dict.fromkeys((*_ROLES, *(f"series {n}" for n in range(4))), "#123456")


def two_series() -> Chart:
    one = Series("One", [(0.0, 0.0), (500.0, 0.5), (1000.0, 1.0)], reference=1.0)
    other = Series("Other", [(0.0, 0.9), (1000.0, 1.0)])
    return Chart("Score", [one, other], resumed_at=[400])


def texts(shapes: list[Shape]) -> list[str]:
    return [shape.text for shape in shapes if isinstance(shape, Text)]


class ChartTests(unittest.TestCase):
    def test_a_count_is_short_and_close_at_every_size(self) -> None:
        units = {"": 1, "k": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
        counts = [0, 7, *(10**n + d for n in range(2, 15) for d in (-1, 0, 1))]
        counts += [10**n * 9995 + d for n in range(11) for d in (-1, 0, 1)]
        for count in counts:
            with self.subTest(count=count, text=(text := short(count))):
                self.assertRegex(text, r"^[0-9]{1,3}$|^[0-9.]{1,4} [kMGT]$")
                number, _, unit = text.partition(" ")
                self.assertAlmostEqual(float(number) * units[unit], count, delta=count * 0.0051)
                self.assertLess(float(number), 1000)

    def test_ticks_are_round_and_inside(self) -> None:
        for low, high in ((0, 1), (0, 7), (3, 1234567), (0.0, 0.1), (90_000, 91_000)):
            values = ticks(low, high, 4)
            self.assertTrue(2 <= len(values) <= 6, (low, high, values))
            self.assertTrue(all(low - 1e-9 <= v <= high * 1.0001 for v in values))

    def test_an_axis_of_counts_names_each_of_them_once(self) -> None:
        for most in (0.5, 2.5, *range(1, 60), 99, 100, 101, 12_345):
            for height in (60, 90, 200, 700):
                points = [(0.0, 0.0), (float(most), float(most))]
                chart = Chart(
                    "Slips", [Series("slips", points)], "{:.0f}".format, is_count=True, top=None
                )
                with self.subTest(most=most, height=height):
                    shapes = charts.shapes_of(chart, Room(400, height, 16, 8))
                    named = [s for s in shapes if isinstance(s, Text) and s.role == "muted"]
                    for anchor in ("e", "center"):
                        labels = [s.text for s in named if s.anchor == anchor]
                        self.assertEqual(len(labels), len(set(labels)), labels)
                    self.assertGreaterEqual(chart.height(), most)

    def test_the_axis_of_games_has_two_figures_apart_at_every_size(self) -> None:
        spans = ((0, 1_200_000), (3_100, 5_200), (0, 999), (90_400, 91_000), (0, 200_000))
        for low, high in spans:
            points = [(float(low), 0.3), (float(high), 0.5)]
            for names in (("score",), ("Random", "Alternate", "Myopic")):
                chart = Chart("Score", [Series(name, list(points)) for name in names])
                for width in range(230, 700, 10):
                    room = Room(width, 140, 16, 7)
                    bottom = room.plot(chart)[3]
                    shapes = charts.shapes_of(chart, room)
                    shown = [s for s in shapes if isinstance(s, Text) and s.y > bottom + 8]
                    with self.subTest(span=(low, high), names=len(names), width=width):
                        figures = [s for s in shown if s.text[0].isdigit()]
                        self.assertGreaterEqual(len(figures), 2)
                        for one, other in pairwise(shown):
                            free = other.x - one.x - 7 * len(one.text) / 2
                            share = 1.0 if other.anchor == "e" else 0.5
                            self.assertGreaterEqual(free, 7 * len(other.text) * share)

    def test_everything_lies_inside_at_any_size(self) -> None:
        for width, height in ((180, 90), (400, 200), (1500, 700)):
            room = Room(width, height, 16, 8)
            for shape in charts.shapes_of(two_series(), room, 0.5):
                points = shape.points if isinstance(shape, Stroke) else ()
                if isinstance(shape, Text | Dot):
                    points = ((shape.x, shape.y),)
                for x, y in points:
                    self.assertTrue(-1 <= x <= width + 1 and -1 <= y <= height + 1, (shape, room))

    def test_lines_differ_by_dash_and_sign_and_name_not_by_colour_alone(self) -> None:
        shapes = charts.shapes_of(two_series(), ROOM)
        dashes = [s.dash for s in shapes if isinstance(s, Stroke) and s.width == 2]
        self.assertEqual(len(set(dashes)), 2)
        self.assertLessEqual({"One", "Other", "resumed"}, set(texts(shapes)))
        self.assertEqual(len({s.form for s in shapes if isinstance(s, Dot)}), 2)

    def test_where_a_run_was_resumed_is_named_inside_the_plot_wherever_that_is(self) -> None:
        chart = two_series()
        left, _, right, _ = ROOM.plot(chart)
        for games in range(0, 1001, 50):
            chart.resumed_at = [games]
            label = next(s for s in charts.shapes_of(chart, ROOM)
                         if isinstance(s, Text) and s.text == "resumed")  # fmt: skip
            width = len(label.text) * ROOM.letter
            start = label.x - (width if label.anchor == "e" else 0)
            self.assertTrue(left <= start and start + width <= right, (games, label))

    def test_the_best_possible_is_a_dotted_line(self) -> None:
        dotted = [s for s in charts.shapes_of(two_series(), ROOM)
                  if isinstance(s, Stroke) and s.dash == (1, 4)]  # fmt: skip
        self.assertEqual(len(dotted), 1)

    def test_the_names_of_lines_keep_their_places_whatever_is_measured(self) -> None:
        chart = two_series()

        def places() -> dict[str, tuple[float, float]]:
            return {s.text: (s.x, s.y) for s in charts.shapes_of(chart, ROOM)
                    if isinstance(s, Text) and s.text in ("One", "Other")}  # fmt: skip

        before = places()
        self.assertGreaterEqual(abs(before["One"][1] - before["Other"][1]), ROOM.line)
        for value in (0.0, 0.5, 1.0):
            chart.series[0].add(2000, value)
            self.assertEqual(places(), before)

    def test_scattered_measurements_have_a_calm_line_through_all_of_their_signs(self) -> None:
        noisy = Series("Noisy", [(float(n), n / 100 + 0.1 * (n % 2)) for n in range(40)])
        shapes = charts.shapes_of(Chart("Score", [noisy], with_dots=True), ROOM)
        line = next(s for s in shapes if isinstance(s, Stroke) and s.width == 2)
        self.assertEqual(sum(isinstance(s, Dot) for s in shapes), 40)
        heights = [y for _, y in line.points]
        self.assertEqual(heights[5:-5], sorted(heights[5:-5], reverse=True), "it rises")

    def test_another_run_is_laid_under_this_one_and_named(self) -> None:
        chart = two_series()
        chart.others = [Series("One", [(0.0, 0.2), (4000.0, 0.3)]), Series("Other")]
        chart.other_name = "A bot with quite a long name, longer than there is room for"
        self.assertEqual(chart.span(), (0.0, 4000.0))
        shapes = charts.shapes_of(chart, ROOM)
        thin = [s for s in shapes if isinstance(s, Stroke) and s.role == "series 0"]
        self.assertIn((1, 2), [(line.width, len(line.points)) for line in thin])
        (name,) = (text for text in texts(shapes) if text.startswith("thin: A bot"))
        self.assertTrue(name.endswith("…"))

    def test_the_opponents_of_another_run_are_told_apart_and_its_axis_has_figures(self) -> None:
        chart = Chart("Score", [Series("One"), Series("Other")], with_dots=True)
        chart.others = [Series("One", [(5000.0, 0.2)]), Series("Other", [(5000.0, 0.3)])]
        shapes = charts.shapes_of(chart, ROOM)
        small = [s for s in shapes if isinstance(s, Dot) and s.radius == 2]
        self.assertEqual(len({(dot.role, dot.form) for dot in small}), 2)
        self.assertLessEqual({"0", "2 k", "games"}, set(texts(shapes)))

    def test_the_pointer_is_told_the_nearest_values(self) -> None:
        self.assertEqual(two_series().reading(0.45), "game 500: One 50 %, Other 90 %")
        self.assertEqual(Chart("Empty", [Series("None")]).reading(0.5), "")

    def test_a_long_series_stays_bounded_and_keeps_its_ends(self) -> None:
        series = Series("Long")
        for games in range(10 * MOST_POINTS):
            series.add(games, games)
        self.assertLessEqual(len(series.points), MOST_POINTS + 1)
        self.assertEqual(series.points[0], (0, 0))
        self.assertGreater(series.points[-1][0], 9.9 * MOST_POINTS)

    def test_csv_holds_every_point(self) -> None:
        chart = two_series()
        chart.others, chart.other_name = [Series("One", [(7.0, 0.25)])], "Second"
        rows = list(csv.reader(io.StringIO(charts.to_csv([chart], ("First", "--seed 1")))))
        self.assertEqual(rows[0], ["bot", "settings", "chart", "series", "games", "value"])
        self.assertEqual(rows[2], ["First", "--seed 1", "Score", "One", "500", "0.5"])
        self.assertEqual(rows[6], ["Second", "", "Score", "One", "7", "0.25"])
        self.assertEqual(len(rows), 7)

    def test_another_run_is_named_beside_the_brief_title_where_room_is_short(self) -> None:
        chart = Chart("Slips in 1,000 check positions", [Series("a")], brief="Slips")
        chart.series[0].add(5, 0.5)
        chart.others, chart.other_name = [Series("a", [(7.0, 0.25)])], "My QBot"
        for width, title in ((260, "Slips"), (600, chart.title)):
            shapes = charts.shapes_of(chart, Room(width, 200, 17, 8))
            texts = {shape.text for shape in shapes if isinstance(shape, Text)}
            self.assertLessEqual({title, "thin: My QBot"}, texts)
            dots = [shape for shape in shapes if isinstance(shape, Dot)]
            roles = {dot.role for dot in dots}
            self.assertEqual(roles, {"series 0", "muted"}, "a single point of each is told apart")


class FillingTests(unittest.TestCase):
    def test_the_vessels_have_the_size_of_the_plies(self) -> None:
        counted = tuple(len(states) for states in starting_positions()[: filling.PLIES])
        self.assertEqual(filling.POSITIONS_BY_PLY, counted)

    def test_a_vessel_fills_in_proportion(self) -> None:
        decided = [0] * filling.PLIES
        decided[17] = filling.POSITIONS_BY_PLY[17] // 4
        boxes = [s for s in filling.shapes_of(filling.POSITIONS_BY_PLY, decided, 17, ROOM)
                 if isinstance(s, Box)]  # fmt: skip
        filled = next(box for box in boxes if box.role == "filled")
        vessel = next(b for b in boxes if b.role == "vessel" and b.x0 == filled.x0)
        share = (filled.y1 - filled.y0) / (vessel.y1 - vessel.y0)
        self.assertAlmostEqual(share, 0.25, places=3)

    def test_a_hundred_percent_is_said_only_when_it_is_true(self) -> None:
        self.assertIn("99 %", filling.reading(17, 249_000, 248_999))
        self.assertIn("100 %", filling.reading(17, 249_000, 249_000))

    def test_the_pointer_finds_its_ply(self) -> None:
        left, _, pitch, _ = filling.vessels(ROOM)
        self.assertEqual(filling.ply_at(ROOM, left + 3.5 * pitch), 3)
        self.assertIsNone(filling.ply_at(ROOM, 0))


class ColourTests(unittest.TestCase):
    def test_lines_labels_and_vessels_stand_out_in_every_theme(self) -> None:
        self.assertEqual(set(SERIES_COLOURS), set(THEMES))
        for name, c in THEMES.items():
            for colour in SERIES_COLOURS[name]:
                self.assertGreaterEqual(contrast(colour, c.surface), 4.5, (name, colour))
            vessel = mixed(c.surface, c.border, filling.VESSEL_SHARE)
            self.assertGreaterEqual(contrast(c.accent, vessel), 3, name)


class SvgTests(unittest.TestCase):
    def test_pictures_are_well_formed(self) -> None:
        shapes = charts.shapes_of(two_series(), ROOM, 0.5)
        shapes += filling.shapes_of(filling.POSITIONS_BY_PLY, [1] * 32, 3, ROOM, 4)
        shapes.append(Text(1, 1, 'a < b & "c"'))
        root = ElementTree.fromstring(to_svg(shapes, (400, 200), COLOURS, ('A "quoted" face', 14)))
        self.assertGreater(len(root), 40)
        self.assertEqual(root[-1].text, 'a < b & "c"')


if __name__ == "__main__":
    unittest.main()
