"""The figures of the pages are those that their command measures."""

import re
import unittest
from typing import Final

from tests.kit.samples import slow
from tests.make.figures import ALL, Figures, Measurements
from tests.test_pages import PAGES, text_of

FACTS: Final = {"50 %", "95 %"}
"""What is true of the game, and of the kind of interval that is shown."""


def text_in_page(figures: Figures) -> str:
    """Return the table as the page has it."""
    (found,) = figures.place.finditer(text_of(figures.page))
    return found[2]


def cells_in_page(name: str) -> list[list[str]]:
    """Return the cells of the table *name* as its page has them, without the headings."""
    (figures,) = (figures for figures in ALL if figures.name == name)
    lines = text_in_page(figures).splitlines()[2:]
    return [line.strip("| ").split(" | ") for line in lines]


def number(share: str) -> float:
    return float(share.removesuffix(" %"))


class FigureTests(unittest.TestCase):
    @slow
    def test_cells_of_each_table_are_measured_again(self) -> None:
        measured = Measurements()
        unmeasured = {one.name for one in ALL if not one.quick}
        self.assertEqual(unmeasured, {"study", "lab", "lab-myopic"})
        for figures in ALL:
            shown = cells_in_page(figures.name)
            self.assertEqual(len(shown), len(figures.rows), figures.name)
            for row, column in figures.quick:
                with self.subTest(name=figures.name, row=shown[row]):
                    cell = figures.rows[row][column]
                    assert callable(cell)
                    self.assertEqual(shown[row][column], cell(measured))

    def test_the_same_bots_have_the_same_figures_in_each_table(self) -> None:
        study, kinds = map(cells_in_page, ("study", "kinds"))
        lowest, highest = re.findall(r"[\d.]+ %", kinds[0][4])
        for share in study[0][3:5]:
            self.assertTrue(number(lowest) <= number(share) <= number(highest), share)
        for shares in [row[3:] for row in study if "<" not in "".join(row)]:
            one, other, first, second = map(number, shares)
            self.assertAlmostEqual(one + other, first + second, delta=0.2)

    def test_no_measured_share_stands_outside_of_the_tables(self) -> None:
        for page in PAGES:
            text = text_of(page)
            for figures in ALL:
                if figures.page == page:
                    text = figures.place.sub("", text)
            self.assertEqual(set(re.findall(r"[\d.]+ %", text)) - FACTS, set(), page)

    def test_every_mark_in_a_page_belongs_to_a_table(self) -> None:
        marks = [(page, name) for page in PAGES
                 for name in re.findall(r"<!-- figures: (\S+) -->", text_of(page))]  # fmt: skip
        self.assertEqual(sorted(marks), sorted((one.page, one.name) for one in ALL))

    def test_each_level_beats_the_one_before_it_and_not_too_often(self) -> None:
        (levels,) = (figures for figures in ALL if figures.name == "levels")
        shares = [float(text) for text in re.findall(r"([\d.]+) %", text_in_page(levels))]
        self.assertEqual(len(shares), 5)
        self.assertTrue(all(60 <= share <= 75 for share in shares), shares)
