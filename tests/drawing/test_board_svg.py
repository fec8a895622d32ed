"""The SVG drawing: well-formed, with every lamp's shape and letter, and with nothing that runs."""

import random
import unittest
from xml.etree import ElementTree

from tests.kit.samples import played_states
from traffic_lights.board.rules import (
    CELL_NAMES,
    COLOUR_LETTERS,
    EMPTY,
    GREEN,
    RED,
    YELLOW,
    colour_of,
    complete_lines,
    parse_board,
)
from traffic_lights.drawing.board_svg import board_svg

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
                self.assertEqual(points, {YELLOW: {3}, RED: {8}}.get(colour, set()))

    def test_a_line_is_drawn_exactly_where_one_is_complete(self) -> None:
        for state in [WON, LIVE, *played_states(random.Random(5), 200)]:
            found = [g.attrib["data-line"] for g in drawn(state) if "data-line" in g.attrib]
            lines = complete_lines(state)
            wanted = [f"{CELL_NAMES[first]}-{CELL_NAMES[last]}" for first, _, last in lines]
            self.assertEqual(found, wanted)

    def test_a_picture_is_well_formed_and_nothing_in_it_runs_or_has_a_name(self) -> None:
        for element in drawn(WON, last=0, numbers={3: "?"}, values={3: 0.5}).iter():
            self.assertRegex(element.attrib.get("fill", "none"), "^(none|#[0-9a-f]{6})$")
            self.assertIn(element.tag.removeprefix(SVG), ALLOWED)
            self.assertFalse(
                [key for key in element.attrib if key in ("id", "class", "style", "href")]
                + [key for key in element.attrib if key.startswith("on")]
            )

    def test_texts_of_others_are_escaped(self) -> None:
        self.assertEqual(words(drawn(LIVE, numbers={0: "<b>&"}))[-1], "<b>&")

    def test_the_names_of_columns_are_in_a_row_and_those_of_rows_in_a_column(self) -> None:
        texts = [one for one in drawn(LIVE).iter(f"{SVG}text") if str(one.text) in "abcd123"]
        columns, rows = ({axis: {one.attrib[axis] for one in texts if str(one.text) in names}
                          for axis in "xy"} for names in ("abcd", "123"))  # fmt: skip
        self.assertEqual([len(columns["x"]), len(columns["y"])], [4, 1])
        self.assertEqual([len(rows["x"]), len(rows["y"])], [1, 3])

    def test_a_screen_reader_gets_the_board(self) -> None:
        title = str(drawn(LIVE)[0].text)
        self.assertEqual(title.split()[-15:], list("1.YG.2GRR.3YY.G"))
