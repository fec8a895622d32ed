"""Charts and the strip as drawings: what they show, at any size, and as files."""

import math
import random
import unittest
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from itertools import combinations, pairwise, product
from statistics import fmean

from tests.kit.colour_science import contrast
from tests.kit.samples import all_starts, slow
from traffic_lights.board.positions import POSITIONS_BY_PLY
from traffic_lights.drawing.palette import ON_WASH, SERIES_COLOURS, THEMES, wash
from traffic_lights.workshop.bars import (
    SOLVED,
    ScoreBar,
    Scores,
    draw_heat_map,
    draw_plies,
    draw_scores,
    ply_stops,
)
from traffic_lights.workshop.charts import (
    Axes,
    Chart,
    ChartLine,
    Sampled,
    SmallCurves,
    draw,
    draw_small,
    ticks,
    to_svg,
)
from traffic_lights.workshop.drawings import Area, Room, Shape, Stroke, Text, short

ROOMS = [Room(*size, 17, 8) for size in ((200, 110), (400, 200), (860, 330), (1600, 800))]


def random_chart(rng: random.Random) -> Chart:
    """Return a chart of up to nine lines with up to 200 points each, some without any."""
    last = rng.choice((1, 7, 300, 20_000, 8_600_000))
    lines = []
    for number in range(rng.randint(1, 9)):
        games = sorted({rng.randint(0, last) for _ in range(rng.choice((0, 1, 5, 200)))})
        points = [(float(x), rng.random()) for x in games]
        happened = sorted(rng.sample(range(last + 1), rng.randint(0, min(last, 3))))
        milestones = [(float(games), "Alternate") for games in happened]
        name = f"QBot of {rng.randint(1, last):,} games {number}"
        lines.append(ChartLine(name, points, number, milestones=milestones))
    mark = rng.choice((None, 0.5 * last))
    is_log = rng.random() < 0.5
    return Chart("Score against Myopic", lines, is_log=is_log, mark=mark, before_milestones="beats")


def corners_of(shape: Shape, room: Room) -> Sequence[tuple[float, float]]:
    """Return the places that *shape* reaches."""
    if not isinstance(shape, Text):
        return shape.points
    width, height = len(shape.text) * room.letter * 0.9, 0.4 * room.line
    left = shape.x - width * {"w": 0, "center": 0.5, "e": 1}[shape.anchor]
    return (left, shape.y - height), (left + width, shape.y + height)


def texts(shapes: Sequence[Shape]) -> list[str]:
    return [shape.text for shape in shapes if isinstance(shape, Text)]


class NumberTests(unittest.TestCase):
    def test_ticks_are_round_ascending_and_in_range(self) -> None:
        rng = random.Random(7)
        for _ in range(2000):
            high, count = 10 ** rng.uniform(0, 7), rng.randint(1, 9)
            found = ticks(high, count)
            self.assertLessEqual(len(found), 2 * count + 2)
            self.assertTrue(all(one < other for one, other in pairwise(found)))
            self.assertTrue(all(0 <= tick <= high and tick == round(tick) for tick in found))

    def test_short_numbers_are_near_the_number_and_never_longer_than_six_characters(self) -> None:
        rng = random.Random(7)
        units = {"": 1, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}
        for value in [10 ** rng.uniform(0, 14.9) for _ in range(3000)] + [999_999]:
            number, _, unit = short(value).partition(" ")
            self.assertLessEqual(len(number), 4)
            self.assertLess(abs(float(number) * units[unit] - value), max(0.51, 0.006 * value))


class ChartTests(unittest.TestCase):
    def test_everything_lies_inside_and_no_texts_over_each_other_at_any_size(self) -> None:
        rng = random.Random(11)
        for _ in range(30):
            chart = random_chart(rng)
            for room in ROOMS:
                pointer = rng.choice((None, rng.uniform(-5, room.width + 5)))
                shapes = draw(chart, room, pointer)
                for shape in shapes:
                    for x, y in corners_of(shape, room):
                        self.assertTrue(-1 <= x <= room.width + 1, (shape, room))
                        self.assertTrue(-1 <= y <= room.height + 1, (shape, room))
                boxes = [corners_of(shape, room) for shape in shapes if isinstance(shape, Text)]
                for (one, one_end), (other, other_end) in combinations(boxes, 2):
                    across = min(one_end[0], other_end[0]) - max(one[0], other[0])
                    down = min(one_end[1], other_end[1]) - max(one[1], other[1])
                    # The smallest room has no place for a line of text for each name.
                    self.assertFalse(across > 1 and down > 1 and room != ROOMS[0], (chart, room))

    def test_the_line_goes_through_its_points_and_nowhere_else(self) -> None:
        # A running mean would show 65 % where 100 % was measured.
        steps = [(float(x), 0.0 if x < 500 else 1.0) for x in range(0, 1001, 10)]
        chart = Chart("Score", [ChartLine("step", steps)])
        axes = Axes(chart, ROOMS[1])
        shapes = draw(chart, ROOMS[1])
        line, _ = (s for s in shapes if isinstance(s, Stroke) and s.role == "series-0")
        expected = {(axes.x(games), axes.y(value)) for games, value in steps}
        self.assertEqual(set(line.points), expected)

    def test_a_name_that_others_have_moved_away_is_joined_to_the_end_of_its_line(self) -> None:
        lines = [ChartLine(name, [(1, 0.0), (9, 0.0)], style) for style, name in enumerate("ABC")]
        chart = Chart("Score", lines)
        axes = Axes(chart, ROOMS[2])
        shapes = draw(chart, ROOMS[2])
        end = axes.right, axes.y(0.0)
        joins = {s.role for s in shapes if isinstance(s, Stroke) and s.points[0] == end}
        self.assertEqual(len(joins - {"border"}), 2, "all but the lowest")

    def test_the_dots_of_a_line_do_not_lie_on_each_other_and_the_last_point_has_one(self) -> None:
        for chart in (Chart("Score", [ChartLine("A", [(2.0**n, n / 20) for n in range(20)])]),
                      Chart("Score", [ChartLine("A", [(n, 0.5) for n in range(99)])])):  # fmt: skip
            axes = Axes(chart, ROOMS[1])
            places = [(axes.x(games), axes.y(share)) for games, share in chart.lines[0].points]
            *dots, _ = (s.points for s in draw(chart, ROOMS[1]) if isinstance(s, Area))
            middles = [tuple(fmean(values) for values in zip(*dot, strict=True)) for dot in dots]
            for x, y in middles:
                self.assertLess(min(math.dist((x, y), place) for place in places), 1e-6)
            width = 2 * math.dist(dots[0][0], middles[0])
            between = [math.dist(*pair) for pair in pairwise(sorted(middles))]
            self.assertGreaterEqual(min(between), width - 1e-6)
            self.assertLess(math.dist(max(middles), places[-1]), 1e-6)

    def test_the_pointer_shows_the_nearest_values(self) -> None:
        lines = [ChartLine("One", [(0, 0.25), (500, 0.5)]), ChartLine("Other", [(400, 0.9)])]
        by_power = [ChartLine("One", [(10, 0.5), (1000, 0.75)])]
        for chart, games, expected in (
            (
                Chart("Score", lines),
                450,
                {"One", "Other", "One 50.0 % at 500 games, Other 90.0 % at 400 games"},
            ),
            (Chart("Score", by_power, is_log=True), 110, {"1,000 games: One 75.0 %"}),
            (Chart("Score", [ChartLine("None", [])]), 0.5, {"Score"}),
            (Chart("Score", [ChartLine("One", [(1, 0.5)])]), 1, {"1 game: One 50.0 %"}),
        ):
            x = Axes(chart, ROOMS[2]).x(games)
            self.assertLessEqual(expected, set(texts(draw(chart, ROOMS[2], x))))

    def test_a_student_sees_how_far_each_point_can_be_trusted(self) -> None:
        line = ChartLine("One", [(100, 0.3), (500, 0.5)], samples={100: Sampled(200, 0.2, 0.4)})
        chart = Chart("Score", [line], caption="Why.")
        axes = Axes(chart, ROOMS[3])
        resting = draw(chart, ROOMS[3])
        uprights = [s.points for s in resting if isinstance(s, Stroke) and s.width == 1]
        self.assertIn(((axes.x(100), axes.y(0.2)), (axes.x(100), axes.y(0.4))), uprights)
        self.assertIn("Why.", texts(resting))
        for games, words in (
            (100, "100 games: One 30.0 % (20.0–40.0 % from 200 games)"),
            (500, "500 games: One 50.0 % (exact)"),
        ):
            self.assertIn(words, texts(draw(chart, ROOMS[3], axes.x(games))))

    def test_the_figures_of_the_first_bots_are_whole_where_not_all_have_room(self) -> None:
        names = [f"Bot number {n}" for n in range(9)]
        chart = Chart(
            "Score", [ChartLine(name, [(100, n / 10)]) for n, name in enumerate(names, 1)]
        )
        for room in (ROOMS[1], Room(600, 300, 17, 8)):
            read = {*texts(draw(chart, room, 200.0))} - {*texts(draw(chart, room))}
            reading = " ".join(sorted(read, key=lambda text: not text.startswith("100 games")))
            bots = reading.removesuffix(", …").removeprefix("100 games: ").split(", ")
            whole = [f"{name} {n}0.0 %" for n, name in enumerate(names[: len(bots)], 1)]
            self.assertEqual((bots, reading[-3:]), (whole, ", …"))

    def test_a_logarithmic_axis_begins_at_the_first_point_and_has_fine_marks(self) -> None:
        for low in (10.0, 1000.0):
            short_line = ChartLine("A", [(low, 0.5), (2 * low, 0.6)])
            chart = Chart(
                "", [short_line, ChartLine("B", [(0, 0.5), (1e4, 0.5), (1e5, 1)])], is_log=True
            )
            axes = Axes(chart, ROOMS[2])
            self.assertEqual((axes.low, axes.high), (low, 1e5))
            self.assertEqual((axes.x(0), axes.x(low), axes.x(1e5)),
                             (axes.left, axes.left, axes.right))  # fmt: skip
            marks = axes.fine_marks()
            self.assertEqual(marks[:3], [low, 2 * low, 3 * low])
            self.assertEqual(len(marks), 9 * round(math.log10(1e5 / low)) + 1)
        self.assertEqual(Axes(Chart("", []), ROOMS[2]).fine_marks(), [])

    def test_a_student_does_not_take_4_percent_for_success_and_zeros_say_why(self) -> None:
        low = Chart("Score", [ChartLine("A", [(1, 0.0), (2, 0.04)])])
        axes = Axes(low, ROOMS[2])
        self.assertGreater(axes.y(0.04), (axes.top + 9 * axes.bottom) / 10)
        self.assertIn("100 %", texts(draw(low, ROOMS[2])))
        for share, is_said in ((0.0, True), (0.1, False)):
            chart = Chart("Score", [ChartLine("A", [(1, share)])], note="No wins yet.")
            self.assertEqual("No wins yet." in texts(draw(chart, ROOMS[2])), is_said)
        for room in ROOMS:
            shapes = draw(Chart("Score", [], note="No wins yet."), room)
            lines = [s.points[0][1] for s in shapes if isinstance(s, Stroke)]
            (note,) = (s for s in shapes if isinstance(s, Text) and s.text.startswith("No"))
            self.assertGreater(min(abs(note.y - y) for y in lines), 0.5 * room.line)

    def test_a_student_compares_epsilon_and_the_updates_with_0_at_the_games_of_the_chart(
        self,
    ) -> None:
        points = [(0.0, 0.2), (400.0, 0.1), (1000.0, 0.15)]
        chart = Chart("Score", [ChartLine("Other", points, style=4)])
        curves = {"ε": points, "Change": points}
        room = Room(860, 70, 17, 8)
        for pointer in (None, 200.0, 630.0):
            shapes = draw_small(SmallCurves(chart, curves), room, pointer)
            strokes = [s for s in shapes if isinstance(s, Stroke)]
            axes = [s.points[0][1] for s in strokes if s.role == "border"]
            lines = [s for s in strokes if s.role == "series-4"]
            for place, (line, axis) in enumerate(zip(lines, axes, strict=True)):
                (x0, y0), (x1, y1), (x2, _) = line.points
                self.assertAlmostEqual((x1 - x0) / (x2 - x0), 0.4)
                self.assertAlmostEqual((axis - y1) / (axis - y0), 0.5)
                self.assertTrue(430 * place < x0 < x2 < 430 * (place + 1))
            read = texts(shapes)
            self.assertLessEqual({"ε", "Change", "0.2", "0"}, set(read))
            self.assertEqual(read.count("400 games: 0.1"), 0 if pointer is None else 2)
            for shape in shapes:
                for x, y in corners_of(shape, room):
                    self.assertTrue(0 <= y <= room.height and 0 <= x <= room.width, shape)
        none = SmallCurves(chart, {"ε": [(0.0, 0.0), (9.0, 0.0)]})
        self.assertIn("ε", texts(draw_small(none, room)))


class StripTests(unittest.TestCase):
    @slow
    def test_the_plies_have_as_many_positions_as_there_are(self) -> None:
        counted = tuple(len(states) for states in all_starts())
        self.assertEqual(POSITIONS_BY_PLY, counted[: len(POSITIONS_BY_PLY)])

    def test_each_bar_fills_in_proportion(self) -> None:
        rng = random.Random(3)
        solved = [rng.randint(1, total) for total in POSITIONS_BY_PLY]
        for room in (ROOMS[1], Room(400, 80, 17, 8)):
            bars = [s.points for s in draw_plies(solved, room) if isinstance(s, Area)]
            heights = [points[-1][1] - points[0][1] for points in bars]
            for index, (whole, part) in enumerate(zip(heights[::2], heights[1::2], strict=True)):
                self.assertAlmostEqual(part / whole, solved[index] / POSITIONS_BY_PLY[index])
            for ply, x in enumerate(ply_stops(solved, room)):
                found = texts(draw_plies(solved, room, pointer=x))
                self.assertTrue(any(text.startswith(f"after {ply} move") for text in found))

    def test_the_pointer_reads_its_ply_and_only_all_is_called_all(self) -> None:
        *totals, last = POSITIONS_BY_PLY
        for room, missing in product(ROOMS[1:], (0, 1)):
            for x in range(-10, int(room.width) + 10, 70):
                found = texts(draw_plies((*totals, last - missing), room, pointer=x))
                self.assertTrue(any(text.startswith("after ") for text in found))
            found = texts(draw_plies((*totals, last - missing), room))
            self.assertEqual("Positions solved: 100 %" in found, not missing)
        self.assertIn(SOLVED, found, "while nothing is read, it says what solved means")


class ScoresTests(unittest.TestCase):
    def test_a_student_sees_how_far_a_score_can_be_trusted_and_only_scores_that_have_room(
        self,
    ) -> None:
        bars = [ScoreBar("A", 0.5, "≈ 50.0 %", (0.4, 0.6)), ScoreBar("B", 1.0, "100 %")]
        shapes = draw_scores(Scores("Against Myopic", bars=bars), ROOMS[1])
        areas = [shape.points for shape in shapes if isinstance(shape, Area)]
        (x0, _), (x1, _), *_ = areas[0]
        across, *_ = (shape.points for shape in shapes if isinstance(shape, Stroke))
        shares = [(x - x0) / (x1 - x0) for x, _ in across]
        for share, expected in zip(shares, (0.4, 0.6), strict=True):
            self.assertAlmostEqual(share, expected)
        self.assertLessEqual({"A", "≈ 50.0 %", "B", "100 %"}, set(texts(shapes)))
        low = draw_scores(Scores("Against Myopic", bars=bars), ROOMS[1]._replace(height=60))
        self.assertEqual(texts(low), ["Against Myopic", "A", "≈ 50.0 %"])

    def test_a_long_name_leaves_room_for_its_bar_in_a_small_window(self) -> None:
        bars = [ScoreBar("A long name of 100,000 games and more", 0.5, "50.00 %")]
        shapes = draw_scores(Scores("Against Myopic", bars=bars), ROOMS[0]._replace(width=260))
        self.assertIn("50.00 %", texts(shapes))


class ColourTests(unittest.TestCase):
    def test_a_student_sees_the_best_first_moves_framed_where_colours_are_alike(self) -> None:
        for values, framed in (((0.3,) * 12, 0), ((0.32, *(0.31,) * 10, 0.32), 2)):
            shapes = draw_heat_map(values, Room(80, 60, 16, 8))
            frames = [s for s in shapes if isinstance(s, Area) and s.role == "text"]
            self.assertEqual(len(frames), framed)

    def test_a_student_sees_which_colour_is_which_value_of_a_first_move(self) -> None:
        room = Room(130, 68, 17, 8)
        shapes = draw_heat_map((-1.0, *(0.0,) * 10, 1.0), room)
        best, worst = (s for s in shapes if isinstance(s, Text) and s.text in ("+1", "−1"))
        self.assertLess(best.y, worst.y)
        colours = [s.role for s in shapes if isinstance(s, Area) and s.role != "text"]
        self.assertEqual(colours[-9:], [f"wash-{step}" for step in range(4, -5, -1)])
        self.assertEqual((colours[0], colours[11]), ("wash--4", "wash-4"))
        for shape in shapes:
            self.assertTrue(all(0 <= x <= room.width for x, _ in corners_of(shape, room)), shape)

    def test_lines_bars_and_washes_can_be_read_in_every_theme(self) -> None:
        self.assertEqual(set(SERIES_COLOURS), set(THEMES))
        for name, theme in THEMES.items():
            self.assertGreaterEqual(contrast(theme.accent, theme.pressed), 3, name)
            for colour in SERIES_COLOURS[name]:
                self.assertGreaterEqual(contrast(colour, theme.surface), 4.5, (name, colour))
        for step in range(-4, 5):
            self.assertGreaterEqual(contrast(wash(step / 4), ON_WASH), 4.5, step)


class SvgTests(unittest.TestCase):
    def test_pages_are_well_formed_and_have_the_texts_of_their_charts(self) -> None:
        rng = random.Random(5)
        found = [random_chart(rng) for _ in range(8)]
        found.append(
            Chart("Found & <lost>", [ChartLine('"a"', [(1, 1.0)]), ChartLine("b", [])], is_log=True)
        )
        page = to_svg(found)
        root = ElementTree.fromstring(page)
        named = {element.text for element in root.iter("{http://www.w3.org/2000/svg}text")}
        self.assertLessEqual({"Found & <lost>", '"a"'}, named)
        self.assertIn("prefers-color-scheme: dark", page)
        self.assertIn("Found & <lost>", root.attrib["aria-label"])
