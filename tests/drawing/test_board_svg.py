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
    DIM,
    JOIN_EDGE,
    LAMPS,
    ON_WASH,
    THEMES,
    label_edge,
    mixed,
    rim_colour,
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


class PartTests(unittest.TestCase):
    """Every part of a picture, with its colours and its place."""

    def test_lamps_have_the_colours_of_the_look_and_those_outside_a_won_row_are_dim(self) -> None:
        for theme, lamps, state in product(THEMES, LAMPS, (WON, LIVE)):
            c = THEMES[theme]
            won = {cell for line in complete_lines(state) for cell in line}
            for cell, group in enumerate(cells_of(drawn(state, theme=theme, lamps=lamps)).values()):
                colour = colour_of(state, cell)
                is_dim = bool(won) and cell not in won
                wanted: list[tuple[str, str]] = [(c.housing, c.housing_edge)]
                face = c.glass
                rim = c.ring
                letters: list[tuple[str, str]] = []
                if colour != EMPTY:
                    face = LAMPS[lamps].faces[colour - 1]
                    rim = rim_colour(face, colour)
                    letter = c.mark if is_dim else LAMPS[lamps].letters[colour - 1]
                    letters = [(letter, "")]
                if colour != EMPTY and not is_dim:
                    wanted += [("none", face)] * 3
                if is_dim:
                    face = mixed(face, c.housing, DIM)
                    rim = mixed(rim, c.housing, DIM)
                wanted += [(rim, ""), (face, ""), *letters]
                found = [(part.attrib["fill"], part.attrib.get("stroke", "")) for part in group]
                self.assertEqual(found, wanted, (theme, lamps, CELL_NAMES[cell]))

    def test_lamps_letters_and_coordinates_stand_where_their_cells_are(self) -> None:
        for side, coordinates in ((72, True), (40, True), (72, False)):
            root = drawn(LIVE, side=side, coordinates=coordinates)
            before = shapes.PADDING if coordinates else shapes.BESIDE
            size = before + 4 * side + shapes.BESIDE, before + 3 * side + shapes.BESIDE
            self.assertEqual((number(root, "width"), number(root, "height")), size)
            self.assertEqual(root.attrib["viewBox"], f"0 0 {size[0]} {size[1]}")
            paper = [number(root[1], name) for name in ("x", "y", "width", "height", "rx")]
            self.assertEqual(paper, [0, 0, *size, 0])
            for cell, group in enumerate(cells_of(root).values()):
                row, column = divmod(cell, 4)
                x = before + (column + 0.5) * side
                y = before + (row + 0.5) * side
                colour = colour_of(LIVE, cell)
                housing = group[0]
                self.assertEqual(middle(housing), (x, y))
                self.assertEqual(housing.attrib["width"], housing.attrib["height"])
                self.assertLess(number(housing, "width"), side)
                for circle in group.iter(f"{SVG}circle"):
                    self.assertEqual((number(circle, "cx"), number(circle, "cy")), (x, y))
                for outline in group.iter(f"{SVG}polygon"):
                    xs = [point[0] for point in points_of(outline)]
                    self.assertAlmostEqual((min(xs) + max(xs)) / 2, x, 1)
                for letter in group.iter(f"{SVG}text"):
                    height = 0.36 * number(letter, "font-size")
                    drop = shapes.letter_place(colour)[0] * side
                    self.assertEqual(number(letter, "x"), x)
                    self.assertAlmostEqual(number(letter, "y") - height, y + drop, 1)
                    self.assertEqual(letter.attrib["font-weight"], "bold")
                    letter_size = shapes.letter_place(colour)[1] * side
                    self.assertAlmostEqual(number(letter, "font-size"), letter_size, 2)
            names = root.findall(f"{SVG}text")
            self.assertEqual([name.text for name in names], list("abcd123") * coordinates)
            for place, name in enumerate(names):
                self.assertEqual(name.attrib["font-weight"], "normal")
                self.assertEqual(number(name, "font-size"), shapes.coordinate_size(side, 1))
                self.assertEqual(name.attrib["fill"], THEMES["light"].coordinate)
                along, across = ("x", "y") if place < 4 else ("y", "x")
                at = number(name, along)
                if along == "y":
                    at -= 0.36 * number(name, "font-size")
                self.assertAlmostEqual(at, before + (place % 4 + 0.5) * side, 1)
                self.assertTrue(0 < number(name, across) < before + 0.1 * side)

    def test_the_face_of_a_lamp_lies_inside_its_rim_and_a_lit_one_has_a_glow(self) -> None:
        for side in (8, 72, 500):
            for cell, group in enumerate(cells_of(drawn(LIVE, side=side)).values()):
                colour = colour_of(LIVE, cell)
                x, y = middle(group[0])
                rim_width = max(1.2, shapes.RIM_WIDTHS[colour] * side)
                outlines = [part for part in group if part.tag[len(SVG) :] in {"circle", "polygon"}]
                *glow, rim, face = outlines
                widths = [number(edge, "stroke-width") / side for edge in glow]
                self.assertEqual([round(w, 3) for w in widths], [0.16, 0.1, 0.05] * bool(colour))
                for outline, shrink in (*((edge, 0.0) for edge in glow), (rim, 0.0),
                                        (face, rim_width)):  # fmt: skip
                    if colour in (EMPTY, GREEN):
                        radius = shapes.DISC_RADIUS * side - shrink
                        self.assertAlmostEqual(number(outline, "r"), radius, 1)
                        continue
                    wanted = shapes.polygon(colour, shrink / side)
                    points = zip(points_of(outline), wanted, strict=True)
                    for (found_x, found_y), (right, down) in points:
                        self.assertAlmostEqual(found_x, x + right * side, delta=0.06)
                        self.assertAlmostEqual(found_y, y + down * side, delta=0.06)

    def test_the_last_move_has_four_corners_around_its_lamp(self) -> None:
        root = drawn(LIVE, last=6)
        corners = [points_of(corner) for corner in root[-1]]
        x = shapes.PADDING + 2.5 * shapes.SIDE
        y = shapes.PADDING + 1.5 * shapes.SIDE
        outer = shapes.BRACKET_OUTER
        inner = shapes.BRACKET_INNER
        wanted = {
            ((right * inner, down * outer), (right * outer, down * outer),
             (right * outer, down * inner))
            for right in (-1, 1) for down in (-1, 1)
        }  # fmt: skip
        found = {
            tuple((round((px - x) / 72, 3), round((py - y) / 72, 3)) for px, py in corner)
            for corner in corners
        }
        self.assertEqual((len(corners), found), (4, wanted))
        self.assertEqual({c.attrib["stroke"] for c in root[-1]}, {THEMES["light"].mark})

    def test_a_won_line_joins_its_lamps_in_white_on_a_dark_edge(self) -> None:
        root = drawn(WON)
        joints = list(root[-1])
        for first in (0, 1):
            edge, line = joints[2 * first : 2 * first + 2]
            x = shapes.PADDING + (first + 0.5) * 72
            y = shapes.PADDING + 36.0
            for stroke, width, colour in (
                (edge, shapes.JOIN_EDGE_WIDTH, JOIN_EDGE),
                (line, shapes.JOIN_WIDTH, THEMES["light"].mark),
            ):
                ends = [(x + shapes.JOIN_GAP * 72, y), (x + (1 - shapes.JOIN_GAP) * 72, y)]
                for found, wanted in zip(points_of(stroke), ends, strict=True):
                    self.assertLess(math.dist(found, wanted), 0.02)
                self.assertEqual(stroke.attrib["stroke"], colour)
                self.assertAlmostEqual(number(stroke, "stroke-width"), max(2.0, width * 72), 2)

    def test_a_label_has_the_colour_of_its_value_and_the_best_ones_a_white_edge(self) -> None:
        values = {4: 1.0, 5: -0.5}
        root = drawn(LIVE, numbers={4: "W 3", 5: "L 12", 6: "?"}, values=values, best=[5])
        boxes = root.findall(f"{SVG}rect")[1:]
        names = root.findall(f"{SVG}text")[-3:]
        for cell, edge, label, name in zip((4, 5, 6), boxes[::2], boxes[1::2], names, strict=True):
            value = values.get(cell, 0.0)
            rim = 1.0
            colour = label_edge(value)
            if cell == 5:
                rim = 2.0
                colour = THEMES["light"].mark
            self.assertEqual((edge.attrib["fill"], label.attrib["fill"]), (colour, wash(value)))
            self.assertEqual(middle(edge), middle(label))
            self.assertAlmostEqual(middle(label)[0], number(name, "x"), 1)
            for length in ("width", "height"):
                self.assertAlmostEqual(number(edge, length) - number(label, length), 2 * rim, 2)
            for box in (edge, label):
                self.assertAlmostEqual(number(box, "rx"), number(box, "height") / 2, 2)
            self.assertEqual((name.attrib["fill"], name.attrib["font-weight"]), (ON_WASH, "bold"))

    def test_the_bar_of_a_red_lamp_is_white_and_in_its_middle(self) -> None:
        for group in cells_of(drawn(LIVE, letters=False)).values():
            housing, *bars = group.findall(f"{SVG}rect")
            for bar in bars:
                self.assertEqual(bar.attrib["fill"], "#ffffff")
                self.assertEqual(middle(bar), middle(housing))
                length = number(bar, "width") / 72, number(bar, "height") / 72
                self.assertEqual(tuple(round(part, 3) for part in length), shapes.BAR)


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

    def test_coordinates_grow_with_the_cells_between_two_limits(self) -> None:
        sizes = {
            (8, 1): 11, (100, 1): 11, (127, 1): 14, (900, 1): 16,
            (8, 1.3): 14, (8, 2): 22, (250, 2): 28, (900, 2): 32,
        }  # fmt: skip
        for (side, scale), wanted in sizes.items():
            self.assertEqual(shapes.coordinate_size(side, scale), wanted)

    def test_no_number_is_wider_than_its_cell(self) -> None:
        for text in ("?", "W 13", "99.9 %", "(+0.25)"):
            size, width, height = shapes.label_size(text, 72, shapes.SMALLEST_TEXT)
            self.assertLessEqual(width, 72, text)
            self.assertGreater(height, size)
            foot = shapes.label_drop(72, height) + height / 2
            self.assertLess(foot, 72 * (0.5 - shapes.HOUSING_INSET))
