"""Charts, the strip and the heat map as drawings: what they show, at any size, and as files."""

from __future__ import annotations

import math
import random
import unittest
import xml.etree.ElementTree as ElementTree
from itertools import pairwise

from tests.kit.colour_science import contrast
from traffic_lights.gui.kit.palette import ON_WASH, THEMES, mixed, wash
from traffic_lights.pictures import charts
from traffic_lights.pictures.charts import (
    Axes,
    Chart,
    ChartLine,
    Room,
    draw,
    draw_strip,
    short,
    ticks,
)
from traffic_lights.pictures.drawing import Box, Dot, Drawing, Shape, Stroke, Text, to_svg
from traffic_lights.training.plans import starting_positions

ROOMS = [Room(*size, 17, 8) for size in ((200, 110), (400, 200), (860, 330), (1600, 800))]


def random_chart(rng: random.Random) -> Chart:
    """Return a chart of up to nine lines with up to 200 points each, some without any."""
    last = rng.choice((1, 7, 300, 20_000, 8_600_000))
    lines = []
    for number in range(rng.randint(1, 9)):
        games = sorted({rng.randint(0, last) for _ in range(rng.choice((0, 1, 5, 200)))})
        points = [(float(x), rng.random()) for x in games]
        lines.append(ChartLine(f"QBot of {rng.randint(1, last):,} games {number}", points))
    top = rng.choice((1.0, None))
    return Chart("Score against Myopic", lines, is_log=rng.random() < 0.5, top=top)


def box_of(text: Text, room: Room) -> tuple[float, float, float, float]:
    width = len(text.text) * room.letter * 0.9
    left = text.x - width * {"w": 0, "center": 0.5, "e": 1}[text.anchor]
    return left, text.y - 0.4 * room.line, left + width, text.y + 0.4 * room.line


def texts(shapes: list[Shape]) -> list[Text]:
    return [shape for shape in shapes if isinstance(shape, Text)]


class NumberTests(unittest.TestCase):
    def test_ticks_are_round_ascending_and_in_range(self) -> None:
        rng = random.Random(7)
        for _ in range(2000):
            low = rng.choice((0.0, rng.uniform(0, 1e6)))
            high = low + 10 ** rng.uniform(-2, 7)
            count, is_whole = rng.randint(1, 9), rng.random() < 0.5
            found = ticks(low, high, count, is_whole=is_whole)
            self.assertLessEqual(len(found), 2 * count + 2)
            for one, other in pairwise(found):
                self.assertLess(one, other)
            slack = 1e-8 * high
            self.assertTrue(all(low - slack <= tick <= high + slack for tick in found))
            if is_whole:
                self.assertTrue(all(abs(tick - round(tick)) < 1e-6 for tick in found))

    def test_short_numbers_are_near_the_number_and_never_longer_than_six_characters(self) -> None:
        rng = random.Random(7)
        units = {"": 1, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}
        for _ in range(3000):
            value = 10 ** rng.uniform(0, 14.9)
            number, _, unit = short(value).partition(" ")
            self.assertLessEqual(len(number), 4)
            self.assertLess(abs(float(number) * units[unit] - value), max(0.51, 0.006 * value))
        self.assertEqual(short(999_999), "1 M")


class ChartTests(unittest.TestCase):
    def setUp(self) -> None:
        self.rng = random.Random(11)

    def test_every_shape_lies_inside_at_any_size(self) -> None:
        for _ in range(30):
            chart = random_chart(self.rng)
            for room in ROOMS:
                pointer = self.rng.choice((None, self.rng.uniform(-5, room.width + 5)))
                for shape in draw(chart, room, pointer).shapes:
                    points = shape.points if isinstance(shape, Stroke) else ()
                    if isinstance(shape, Dot):
                        points = ((shape.x, shape.y),)
                    if isinstance(shape, Text):
                        left, top, right, bottom = box_of(shape, room)
                        points = ((left, top), (right, bottom))
                    for x, y in points:
                        self.assertTrue(-1 <= x <= room.width + 1, (shape, room))
                        self.assertTrue(-1 <= y <= room.height + 1, (shape, room))

    def test_the_line_goes_through_its_points_and_nowhere_else(self) -> None:
        # A running mean would show 65 % where 100 % was measured.
        steps = [(float(x), 0.0 if x < 500 else 1.0) for x in range(0, 1001, 10)]
        chart = Chart("Score", [ChartLine("step", steps)])
        axes = Axes.of(chart, ROOMS[1])
        shapes = draw(chart, ROOMS[1]).shapes
        (line,) = (s for s in shapes if isinstance(s, Stroke) and s.role == "series 0")
        expected = {(axes.x(games), axes.y(value)) for games, value in steps}
        self.assertEqual(set(line.points), expected)
        self.assertEqual({(s.x, s.y) for s in shapes if isinstance(s, Dot)}, expected)

    def test_a_place_on_the_axis_and_its_games_are_inverse(self) -> None:
        for _ in range(50):
            axes = Axes.of(random_chart(self.rng), ROOMS[2])
            for share in (0.0, 0.3, 1.0):
                x = axes.left + share * (axes.right - axes.left)
                self.assertTrue(math.isclose(axes.x(axes.games_at(x)), x, abs_tol=0.01))

    def test_figures_and_names_never_lie_over_each_other(self) -> None:
        for _ in range(30):
            chart = random_chart(self.rng)
            for room in ROOMS[1:]:
                boxes = [box_of(text, room) for text in texts(list(draw(chart, room).shapes))]
                for index, a in enumerate(boxes):
                    for b in boxes[:index]:
                        across, down = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3])
                        self.assertFalse(across > 1 and down - max(a[1], b[1]) > 1, (a, b))

    def test_lines_differ_by_dash_and_colour_and_are_named(self) -> None:
        lines = [ChartLine(f"bot {n}", [(1.0, n / 9), (100.0, n / 9)]) for n in range(9)]
        shapes = draw(Chart("", lines), ROOMS[2]).shapes
        kinds = {(s.dash, s.role) for s in shapes if isinstance(s, Stroke) and s.width == 2}
        self.assertEqual(len(kinds), 9)
        self.assertLessEqual({line.name for line in lines}, {t.text for t in texts(list(shapes))})

    def test_a_long_name_keeps_its_beginning_and_its_end(self) -> None:
        lines = [
            ChartLine("My QBot trained for a long time against Myopic", [(1, 0.5)]),
            ChartLine("b", []),
        ]
        (name,) = (t.text for t in texts(list(draw(Chart("", lines), ROOMS[1]).shapes))
                   if "…" in t.text)  # fmt: skip
        self.assertTrue(name.startswith("My") and name.endswith("ic"), name)

    def test_the_pointer_shows_the_nearest_values(self) -> None:
        lines = [ChartLine("One", [(0, 0.25), (500, 0.5)]), ChartLine("Other", [(400, 0.9)])]
        chart = Chart("Score", lines)
        self.assertEqual(charts.reading(chart, 450), "500 games: One 50 %, Other 90 %")
        self.assertEqual(charts.reading(Chart("", [ChartLine("None", [])]), 5), "")
        by_power = Chart("", [ChartLine("One", [(10, 0.5), (1000, 0.75)])], is_log=True)
        self.assertEqual(charts.reading(by_power, 110), "1 k games: One 75 %")
        axes = Axes.of(chart, ROOMS[2])
        shapes = draw(chart, ROOMS[2], axes.x(450)).shapes
        self.assertIn("50 % One", {t.text for t in texts(list(shapes))})


class StripTests(unittest.TestCase):
    def test_the_plies_have_as_many_positions_as_there_are(self) -> None:
        counted = tuple(len(states) for states in starting_positions()[: charts.PLIES])
        self.assertEqual(charts.POSITIONS_BY_PLY, counted)

    def test_each_bar_fills_in_proportion(self) -> None:
        rng = random.Random(3)
        solved = [rng.randint(1, total) for total in charts.POSITIONS_BY_PLY]
        boxes = [s for s in draw_strip(solved, ROOMS[1]).shapes if isinstance(s, Box)]
        for index, (whole, part) in enumerate(zip(boxes[::2], boxes[1::2], strict=True)):
            share = (part.y1 - part.y0) / (whole.y1 - whole.y0)
            self.assertAlmostEqual(share, solved[index] / charts.POSITIONS_BY_PLY[index])

    def test_all_is_written_only_when_all_are_solved(self) -> None:
        totals = charts.POSITIONS_BY_PLY
        for missing in (0, 1):
            solved = (*totals[:-1], totals[-1] - missing)
            title = texts(list(draw_strip(solved, ROOMS[1]).shapes))[0].text
            self.assertEqual("100 %" in title, not missing)

    def test_the_pointer_reads_its_ply_at_any_place(self) -> None:
        for room in ROOMS:
            for x in range(-10, int(room.width) + 10, 7):
                shapes = list(draw_strip((0,) * charts.PLIES, room, pointer=x).shapes)
                self.assertTrue(any(t.text.startswith("after ") for t in texts(shapes)))


class ColourTests(unittest.TestCase):
    def test_lines_bars_and_washes_can_be_read_in_every_theme(self) -> None:
        self.assertEqual(set(charts.SERIES_COLOURS), set(THEMES))
        papers = {name: theme.surface for name, theme in THEMES.items()}
        pages = {name: charts._PAPER[name]["back"] for name in charts._PAPER}
        for backs in (papers, pages):
            for name, back in backs.items():
                for colour in charts.SERIES_COLOURS[name]:
                    self.assertGreaterEqual(contrast(colour, back), 4.5, (name, colour))
        for name, c in THEMES.items():
            vessel = mixed(c.surface, c.border, charts.VESSEL_SHARE)
            self.assertGreaterEqual(contrast(c.accent, vessel), 3, name)
        for step in range(-4, 5):
            self.assertGreaterEqual(contrast(wash(step / 4), ON_WASH), 4.5, step)


class SvgTests(unittest.TestCase):
    def test_pages_are_well_formed_and_have_the_texts_of_their_charts(self) -> None:
        rng = random.Random(5)
        found = [random_chart(rng) for _ in range(3)]
        found.append(
            Chart("Found & <lost>", [ChartLine('"a"', [(1, 1.0)]), ChartLine("b", [])], is_log=True)
        )
        page = charts.to_page(found)
        root = ElementTree.fromstring(page)
        named = {element.text for element in root.iter("{http://www.w3.org/2000/svg}text")}
        self.assertLessEqual({"Found & <lost>", '"a"'}, named)
        self.assertIn("prefers-color-scheme: dark", page)

    def test_every_kind_of_shape_becomes_one_element(self) -> None:
        roles = {"text": "#000000", "back": "#ffffff", "wash 4": "#123456", "on wash": "#000000"}
        shapes = [*charts.draw_heat_map({0: 0.5, 11: -1}, ROOMS[1]).shapes, Text(1, 1, "a < b")]
        roles |= {f"wash {step}": wash(step / 4) for step in range(-4, 5)}
        svg = to_svg([Drawing(400, 200, shapes)], roles, font=('A "quoted" face', 14))
        _, group = ElementTree.fromstring(svg)
        self.assertEqual(len(group), len(shapes))


if __name__ == "__main__":
    unittest.main()
