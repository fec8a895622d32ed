"""The SVG drawing: well-formed, with every lamp's shape and letter, and with nothing that runs."""

import random
import unittest
from itertools import product
from xml.etree import ElementTree

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
from traffic_lights.drawing.board_svg import board_svg
from traffic_lights.drawing.palette import (
    LAMPS,
    THEMES,
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

    def test_a_line_is_drawn_exactly_where_one_is_complete(self) -> None:
        for state in [WON, LIVE, *played_states(random.Random(5), 200)]:
            found = [g.attrib["data-line"] for g in drawn(state) if "data-line" in g.attrib]
            lines = complete_lines(state)
            wanted = [f"{CELL_NAMES[first]}-{CELL_NAMES[last]}" for first, _, last in lines]
            self.assertEqual(found, wanted)

    def test_every_look_and_size_is_well_formed_and_nothing_in_it_runs_or_has_a_name(
        self,
    ) -> None:
        for theme, lamps, side in product(THEMES, LAMPS, (8, 72, 2000)):
            shown = {"numbers": {3: "?"}, "values": {3: 0.5}}
            root = drawn(WON, last=0, theme=theme, lamps=lamps, side=side, **shown)
            for element in root.iter():
                self.assertRegex(element.attrib.get("fill", "none"), "^(none|#[0-9a-f]{6})$")
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
