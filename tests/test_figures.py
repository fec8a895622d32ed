"""The figures of the pages are those that their command measures."""

import re
import unittest
from typing import Final

from tests.kit.samples import slow
from tests.make.figures import TABLES, place_of
from tests.test_pages import PAGES, text_of

FACTS: Final = {"50 %", "95 %"}
"""What is true of the game, and of the kind of interval that is shown."""
QUICK: Final = ("measured", "levels", "replay")
"""The tables that take less than a minute to measure."""


def in_page(name: str) -> str:
    (found,) = place_of(name).finditer(text_of(TABLES[name].page))
    return found[2]


def cells_in_page(name: str) -> list[list[str]]:
    """Return the cells of the table *name* as its page has them, without the headings."""
    return [line.strip("| ").split(" | ") for line in in_page(name).splitlines()[2:]]


def number(share: str) -> float:
    return float(share.removesuffix(" %"))


class FigureTests(unittest.TestCase):
    @slow
    def test_quick_tables_are_measured_again(self) -> None:
        for name in QUICK:
            self.assertEqual(in_page(name), TABLES[name].text(), name)

    def test_no_measured_share_stands_outside_of_the_tables(self) -> None:
        marks = []
        for page in PAGES:
            text = text_of(page)
            for name in re.findall(r"<!-- figures: (\S+) -->", text):
                marks.append((name, page))
                text = place_of(name).sub("", text)
            self.assertEqual(set(re.findall(r"[\d.]+ %", text)) - FACTS, set(), page)
        self.assertEqual(sorted(marks), sorted((name, one.page) for name, one in TABLES.items()))

    def test_each_level_beats_the_one_before_it_and_not_too_often(self) -> None:
        shares = [number(cells[2]) for cells in cells_in_page("levels")]
        self.assertEqual(len(shares), 5)
        self.assertTrue(all(60 <= share <= 75 for share in shares), shares)
