"""The SVG drawing: well-formed, with every lamp's shape and letter, and with nothing that runs."""

import random
import unittest
from typing import Final
from xml.etree import ElementTree

from tests.kit.samples import played_states
from traffic_lights.board.rules import CELL_NAMES, colour_of, complete_lines, parse_board
from traffic_lights.drawing.board_svg import board_svg

WON = parse_board("111023001000")
LIVE = parse_board("021013302201")
SVG = "{http://www.w3.org/2000/svg}"
LAMPS: Final[tuple[tuple[str, str, set[int]], ...]] = (
    ("circle", "", set()), ("circle", "G", set()), ("polygon", "Y", {3}), ("polygon", "R", {8}),
)  # fmt: skip
"""The shape of each colour, its letter and its corners."""


def words(element: ElementTree.Element) -> list[str]:
    return [str(text.text) for text in element.iter(f"{SVG}text")]


class BoardSvgTests(unittest.TestCase):
    def test_lamps_have_shape_and_letter_of_their_colour_and_complete_lines_are_drawn(self) -> None:
        for state in [WON, LIVE, *played_states(random.Random(5), 100)]:
            root = ElementTree.fromstring(board_svg(state))
            groups = {g.attrib["data-cell"]: g for g in root if "data-cell" in g.attrib}
            self.assertEqual(tuple(groups), CELL_NAMES)
            for cell, group in enumerate(groups.values()):
                shape, letter, corners = LAMPS[colour_of(state, cell)]
                outlines = {one.tag.removeprefix(SVG) for one in group} & {"circle", "polygon"}
                self.assertEqual((outlines, "".join(words(group))), ({shape}, letter))
                points = {len(e.attrib["points"].split()) for e in group.iter(f"{SVG}polygon")}
                self.assertEqual(points, corners)
            found = [g.attrib["data-line"] for g in root if "data-line" in g.attrib]
            lines = complete_lines(state)
            self.assertEqual(found, [f"{CELL_NAMES[a]}-{CELL_NAMES[c]}" for a, _, c in lines])

    def test_a_picture_is_well_formed_and_nothing_in_it_runs_or_has_a_name(self) -> None:
        root = ElementTree.fromstring(
            board_svg(WON, last=0, numbers={0: "<b>&", 3: "?"}, values={3: 0.5})
        )
        self.assertIn("<b>&", words(root))
        allowed = {"svg", "title", "g", "rect", "circle", "polygon", "polyline", "text"}
        for element in root.iter():
            self.assertRegex(element.attrib.get("fill", "none"), "^(none|#[0-9a-f]{6})$")
            self.assertIn(element.tag.removeprefix(SVG), allowed)
            self.assertNotRegex(" ".join(element.attrib), r"\b(id|class|style|href|on\w+)\b")

    def test_names_of_columns_are_in_a_row_those_of_rows_in_a_column_and_all_are_read(self) -> None:
        root = ElementTree.fromstring(board_svg(LIVE))
        for names, counts in (("abcd", [4, 1]), ("123", [1, 3])):
            at = [one.attrib for one in root.iter(f"{SVG}text") if str(one.text) in names]
            self.assertEqual([len({one[axis] for one in at}) for axis in "xy"], counts)
        self.assertEqual(str(root[0].text).split()[-15:], list("1.YG.2GRR.3YY.G"))
