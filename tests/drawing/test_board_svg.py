"""The SVG drawing: well-formed, with every lamp's shape and letter, and with nothing that runs."""

import math
import random
import unittest
from itertools import product
from xml.etree import ElementTree

from tests.kit.colour_science import contrast
from tests.kit.samples import played_states
from traffic_lights.board.rules import (
    CELL_NAMES,
    CELLS,
    COLOUR_LETTERS,
    EMPTY,
    EMPTY_BOARD,
    GREEN,
    RED,
    STATE_CODES,
    YELLOW,
    colour_of,
    complete_lines,
    parse_board,
)
from traffic_lights.drawing import shapes
from traffic_lights.drawing.board_svg import board_svg
from traffic_lights.drawing.palette import (
    LAMPS,
    THEMES,
    wash,
    washed,
)

WON = parse_board("111023001000")
LIVE = parse_board("021013302201")
SVG = "{http://www.w3.org/2000/svg}"
ALLOWED = {"svg", "title", "g", "rect", "circle", "polygon", "polyline", "text"}


def drawn(*args: object, **options: object) -> ElementTree.Element:
    """Return the root of a picture; raise ParseError if it is not well-formed."""
    return ElementTree.fromstring(board_svg(*args, **options))  # type: ignore[arg-type]


def cells_of(root: ElementTree.Element) -> dict[str, ElementTree.Element]:
    """Return the group of each cell, by its name."""
    return {g.attrib["data-cell"]: g for g in root if "data-cell" in g.attrib}


def tags(group: ElementTree.Element) -> list[str]:
    return [element.tag.removeprefix(SVG) for element in group]


def words(element: ElementTree.Element) -> list[str]:
    return [str(text.text) for text in element.iter(f"{SVG}text")]


def number(element: ElementTree.Element, name: str) -> float:
    return float(element.attrib[name])


def middle(element: ElementTree.Element) -> tuple[float, float]:
    """Return the middle of a box, rounded to a hundredth of a pixel."""
    x = number(element, "x") + number(element, "width") / 2
    y = number(element, "y") + number(element, "height") / 2
    return round(x, 2), round(y, 2)


def points_of(element: ElementTree.Element) -> list[tuple[float, ...]]:
    return [tuple(map(float, point.split(","))) for point in element.attrib["points"].split()]


class BoardSvgTests(unittest.TestCase):
    def test_each_lamp_has_the_shape_and_the_letter_of_its_colour(self) -> None:
        shape = {EMPTY: "circle", GREEN: "circle", YELLOW: "polygon", RED: "polygon"}
        for state in played_states(random.Random(3), 40):
            groups = cells_of(drawn(state))
            self.assertEqual(tuple(groups), CELL_NAMES)
            for cell, group in enumerate(groups.values()):
                colour = colour_of(state, cell)
                outlines = set(tags(group)) & {"circle", "polygon"}
                self.assertEqual(outlines, {shape[colour]})
                self.assertEqual(words(group), [COLOUR_LETTERS[colour]] * (colour != EMPTY))
                points = {len(e.attrib["points"].split()) for e in group.iter(f"{SVG}polygon")}
                self.assertEqual(points, {YELLOW: {21}, RED: {8}}.get(colour, set()))

    def test_the_structure_of_a_won_game_is_this(self) -> None:
        root = drawn(WON, last=1)
        self.assertEqual(root.tag, f"{SVG}svg")
        self.assertEqual((root.attrib["width"], root.attrib["height"]), ("317", "245"))
        self.assertEqual(tags(root)[:2], ["title", "rect"])
        self.assertEqual(words(root)[:7], ["a", "b", "c", "d", "1", "2", "3"])
        self.assertEqual(tags(root)[9:], ["g"] * (CELLS + 2))
        last, line = root[-2], root[-1]
        self.assertEqual((last.attrib, tags(last)), ({"data-last": "b1"}, ["polyline"] * 4))
        self.assertEqual((line.attrib, tags(line)), ({"data-line": "a1-c1"}, ["polyline"] * 4))

    def test_a_line_is_drawn_exactly_where_one_is_complete(self) -> None:
        for state in [WON, LIVE, *played_states(random.Random(5), 200)]:
            found = [g.attrib["data-line"] for g in drawn(state) if "data-line" in g.attrib]
            lines = complete_lines(state)
            wanted = [f"{CELL_NAMES[first]}-{CELL_NAMES[last]}" for first, _, last in lines]
            self.assertEqual(found, wanted)

    def test_numbers_are_written_and_a_small_cell_gives_up_its_letter_for_one(self) -> None:
        numbers = {4: "W 3", 5: "L 12"}
        for side, letters in ((shapes.SIGN_AND_NUMBER, 1), (shapes.SIGN_AND_NUMBER - 1, 0)):
            root = drawn(LIVE, numbers=numbers, values={4: 1.0, 5: -0.5}, best=[4], side=side)
            self.assertEqual(words(root)[-2:], ["W 3", "L 12"])
            self.assertEqual(words(cells_of(root)["a2"]), ["G"] * letters)

    def test_a_value_colours_its_housing_and_its_number_stands_at_the_foot_of_the_cell(
        self,
    ) -> None:
        root = drawn(LIVE, numbers={0: "W 3"}, values={0: 0.5})
        cells = cells_of(root)
        c = THEMES["light"]
        self.assertEqual(cells["a1"][0].attrib["fill"], washed(c.housing, 0.5))
        self.assertEqual(cells["b1"][0].attrib["fill"], c.housing)
        label = root.findall(f"{SVG}rect")[-1].attrib
        self.assertEqual(label["fill"], wash(0.5))
        foot = float(label["y"]) + float(label["height"])
        housing = cells["a1"][0].attrib
        self.assertLess(foot, float(housing["y"]) + float(housing["height"]))
        self.assertGreater(float(label["y"]), shapes.PADDING + 0.7 * shapes.SIDE)

    def test_without_letters_red_lamps_have_a_bar(self) -> None:
        root = drawn(LIVE, letters=False, coordinates=False)
        self.assertEqual(words(root), [])
        for name, group in cells_of(root).items():
            bars = 1 + (colour_of(LIVE, CELL_NAMES.index(name)) == RED)
            self.assertEqual(tags(group).count("rect"), bars)

    def test_every_look_and_size_is_well_formed_and_nothing_in_it_runs_or_has_a_name(
        self,
    ) -> None:
        for theme, lamps, side in product(THEMES, LAMPS, (8, 72, 2000)):
            root = drawn(WON, last=0, numbers={3: "?"}, theme=theme, lamps=lamps, side=side)
            for element in root.iter():
                self.assertIn(element.tag.removeprefix(SVG), ALLOWED)
                self.assertFalse(
                    [key for key in element.attrib if key in ("id", "class", "style", "href")]
                    + [key for key in element.attrib if key.startswith("on")]
                )

    def test_texts_of_others_are_escaped(self) -> None:
        root = drawn(LIVE, numbers={0: "<b>&"}, title="</title><script>")
        self.assertEqual(root[0].text, "</title><script>")
        self.assertEqual(words(root)[-1], "<b>&")

    def test_a_screen_reader_gets_the_board(self) -> None:
        title = str(drawn(LIVE)[0].text)
        self.assertEqual(title.split()[-15:], list("1.YG.2GRR.3YY.G"))

    def test_texts_are_readable_and_lamps_seen_on_what_lies_behind_them(self) -> None:
        for theme, lamps in product(THEMES, LAMPS):
            root = drawn(LIVE, theme=theme, lamps=lamps, numbers={0: "?"}, values={0: -1.0})
            paper = root[1].attrib["fill"]
            for text in root.findall(f"{SVG}text"):
                label = root.findall(f"{SVG}rect")[-1].attrib["fill"]
                behind = label if text.text == "?" else paper
                self.assertGreaterEqual(contrast(text.attrib["fill"], behind), 4.5)
            for group in cells_of(drawn(LIVE, theme=theme, lamps=lamps)).values():
                housing = next(iter(group)).attrib["fill"]
                filled = [e.attrib["fill"] for e in group if e.attrib.get("fill") != "none"]
                # The housing comes first, then the rim and the face.
                seen = max(contrast(housing, part) for part in filled[1:3])
                self.assertGreaterEqual(seen, 3.0)

    def test_what_is_not_a_board_a_cell_a_size_or_a_look_is_refused(self) -> None:
        wrong: list[tuple[dict[str, object], str]] = [
            ({"last": CELLS}, "12 is not a cell; expected 0 to 11"),
            ({"numbers": {-1: "W 1"}}, "-1 is not a cell; expected 0 to 11"),
            ({"best": [99]}, "99 is not a cell; expected 0 to 11"),
            ({"values": {0: 1.5}}, "a value is 1.5; expected -1 to 1"),
            ({"values": {0: float("nan")}}, "a value is nan; expected -1 to 1"),
            ({"side": 7}, "side is 7; expected 8 to 2,000 pixels"),
            ({"side": 2001}, "side is 2001; expected 8 to 2,000 pixels"),
            ({"theme": "blue"}, "'blue' is unknown; expected one of light, dark, high-contrast"),
            (
                {"lamps": "neon"},
                "'neon' is unknown; expected one of signal, classic, okabe-ito, monochrome",
            ),
        ]
        for options, sentence in wrong:
            with self.subTest(options), self.assertRaisesRegex(ValueError, f"^{sentence}$"):
                board_svg(EMPTY_BOARD, **options)  # type: ignore[arg-type]
        for state in (STATE_CODES, -1):
            with self.assertRaisesRegex(ValueError, f"^state is {state}; expected a board$"):
                board_svg(state)


class ShapeTests(unittest.TestCase):
    def test_outlines_stay_in_the_housing_and_keep_their_distance_from_the_middle(self) -> None:
        for colour, inradius in (
            (YELLOW, shapes.TRIANGLE_INRADIUS),
            (RED, shapes.OCTAGON_INRADIUS),
        ):
            for shrink in (0.0, 0.05):
                points = shapes.polygon(colour, shrink)
                drop = shapes.TRIANGLE_DROP if colour == YELLOW else 0.0
                self.assertAlmostEqual(max(y for _, y in points) - drop, inradius - shrink)
                self.assertLess(max(max(map(abs, p)) for p in points), 0.5 - shapes.HOUSING_INSET)
                rounded = sorted((round(x, 9) + 0.0, round(y, 9)) for x, y in points)
                self.assertEqual(sorted((0.0 - x, y) for x, y in rounded), rounded)

    def test_a_joint_lies_between_two_lamps_and_leaves_both_free(self) -> None:
        start = 10.0, 20.0
        for end in ((110.0, 20.0), (10.0, 120.0), (110.0, 120.0), (-90.0, 120.0)):
            ends = shapes.joint(start, end, 100)
            between = math.dist(start, end)
            for (x, y), away in zip(ends, (37.0, between - 37.0), strict=True):
                self.assertAlmostEqual(math.dist(start, (x, y)), away)
                self.assertAlmostEqual(math.dist(end, (x, y)), between - away)

    def test_no_number_is_wider_than_its_cell(self) -> None:
        for text, side in product(("?", "W 13", "99.9 %", "(+0.25)"), (36, 72)):
            size, width, height = shapes.label_size(text, side, shapes.SMALLEST_TEXT)
            self.assertLessEqual(width, side + 1e-9, text)
            self.assertGreater(height, size)
            foot = shapes.label_drop(side, height) + height / 2
            self.assertLess(foot, side * (0.5 - shapes.HOUSING_INSET))
