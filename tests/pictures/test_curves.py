import unittest
import xml.etree.ElementTree as ET
from itertools import pairwise

from traffic_lights.pictures import curves
from traffic_lights.pictures.curves import Curve, Panel, svg

SVG = "{http://www.w3.org/2000/svg}"
NAMES = ("reverse", "selfplay", "self, <bootstrap>", "self & others", "one", "two")
PANEL = Panel(
    "Found & lost",
    [
        Curve(name, [(1000, 0.3 + number / 50), (8_600_000, 0.99 - number / 500)])
        for number, name in enumerate(NAMES)
    ],
)


def luminance(colour: str) -> float:
    """Return the relative luminance of #rrggbb as WCAG 2 defines it."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


class PictureTests(unittest.TestCase):
    def setUp(self) -> None:
        self.root = ET.fromstring(svg([PANEL, PANEL]))

    def test_it_is_one_document_with_a_group_a_panel(self) -> None:
        self.assertEqual(self.root.tag, f"{SVG}svg")
        self.assertEqual(len(self.root.findall(f"{SVG}g")), 2)
        self.assertEqual(svg([PANEL]), svg([PANEL]))
        self.assertIn("Found & lost", [text.text for text in self.root.iter(f"{SVG}text")])

    def test_every_curve_has_its_own_dash_and_its_label(self) -> None:
        (first, _) = self.root.findall(f"{SVG}g")
        lines = first.findall(f"{SVG}polyline")
        self.assertEqual(len(lines), len(NAMES))
        self.assertEqual(len({line.get("stroke-dasharray") for line in lines}), len(NAMES))
        texts = {text.text for text in first.findall(f"{SVG}text")}
        self.assertLessEqual(set(NAMES), texts)

    def test_the_powers_of_ten_are_written_out(self) -> None:
        curve = Curve("one", [(0.02, 0.1), (9_000_000, 0.5)])
        root = ET.fromstring(svg([Panel("", [curve])]))
        said = [text.text for text in root.iter(f"{SVG}text")]
        for power in ("0.01", "0.1", "1", "1,000", "1,000,000", "10,000,000"):
            self.assertIn(power, said)

    def test_labels_that_would_touch_are_moved_apart(self) -> None:
        (first, _) = self.root.findall(f"{SVG}g")
        heights = sorted(
            float(text.get("y", "")) for text in first.findall(f"{SVG}text") if text.text in NAMES
        )
        self.assertTrue(all(lower - upper >= 16 for upper, lower in pairwise(heights)))

    def test_points_lie_inside_and_more_is_higher(self) -> None:
        _, _, width, height = (float(word) for word in self.root.get("viewBox", "").split())
        for line in self.root.iter(f"{SVG}polyline"):
            points = [tuple(map(float, pair.split(","))) for pair in line.get("points", "").split()]
            self.assertEqual(len(points), 2)
            self.assertTrue(all(0 < x < width and 0 < y < height / 2 for x, y in points))
            self.assertLess(points[0][0], points[1][0])
            self.assertGreater(points[0][1], points[1][1])

    def test_colours_can_be_read_in_light_and_dark(self) -> None:
        for paper, colours in (("#ffffff", curves._LIGHT), ("#15181d", curves._DARK)):
            for colour in colours:
                self.assertGreaterEqual(contrast(paper, colour), 4.5, colour)
        text = svg([PANEL])
        light, dark = text.split("prefers-color-scheme: dark")
        self.assertIn("#ffffff", light)
        self.assertIn("#15181d", dark)

    def test_a_single_point_is_a_picture_too(self) -> None:
        root = ET.fromstring(svg([Panel("p", [Curve("c", [(1, 1.0)])])]))
        self.assertEqual(len(list(root.iter(f"{SVG}polyline"))), 1)
