"""The arrangement of the main window, computed without one."""

import unittest
from dataclasses import asdict, replace
from itertools import product

from traffic_lights.board.rules import COLUMNS, ROWS
from traffic_lights.gui.main.layout import PANEL_NEEDS, Metrics, arrange

METRICS = Metrics(
    scale=1.0, title=24, body=17, strong=17, digit=8, words=(85, 50, 50, 48, 50), cards=61,
    before=21, after=8,
)  # fmt: skip
SIZES = [*product((480, 719, 720, 900, 1280, 1920), (420, 459, 460, 640, 800, 1080))]


def scaled(factor: int) -> Metrics:
    """Return the metrics of a screen with *factor* times as many pixels."""
    lengths = {name: factor * length for name, length in asdict(METRICS).items() if name != "words"}
    return Metrics(**lengths, words=tuple(factor * word for word in METRICS.words))


class LayoutTests(unittest.TestCase):
    def test_everything_fits_into_the_window_in_every_size_and_scale(self) -> None:
        for (width, height), factor, wants in product(SIZES, (1, 2), (True, False)):
            with self.subTest(width=width, height=height, factor=factor, wants=wants):
                metrics = scaled(factor)
                found = arrange(width * factor, height * factor, metrics, wants)
                stacked: float = metrics.cards + found.message + found.buttons + ROWS * found.side
                stacked += found.above + 3 * found.between + metrics.before + metrics.after
                self.assertLessEqual(stacked, height * factor)
                self.assertGreaterEqual(found.side, 40 * factor)
                board = COLUMNS * found.side + metrics.before + metrics.after
                self.assertLessEqual(board, found.block)
                self.assertLessEqual(found.block, width * factor)
                self.assertLessEqual(sum(found.columns), found.line)
                self.assertEqual(found.line, found.block - found.left - found.right)
                without = arrange(width * factor, height * factor, replace(metrics, cards=0), wants)
                self.assertGreaterEqual(without.side, found.side, "a puzzle needs no cards")

    def test_the_panel_needs_its_width_and_the_wish(self) -> None:
        for width, wants in product((PANEL_NEEDS - 1, PANEL_NEEDS), (True, False)):
            found = arrange(width, 640, METRICS, wants)
            self.assertEqual(found.has_panel, wants and width == PANEL_NEEDS)

    def test_without_the_panel_the_board_is_as_large_or_larger_and_as_well_in_line(self) -> None:
        for size in SIZES:
            one, other = (arrange(*size, METRICS, wants) for wants in (True, False))
            self.assertGreaterEqual(other.side, one.side)
            if other.side == one.side:
                self.assertEqual((other.block, other.left), (one.block, one.left))

    def test_the_message_has_room_for_a_line_more_under_a_smaller_heading(self) -> None:
        for size in SIZES:
            found = arrange(*size, METRICS, True)
            lines = 2 if found.line >= 56 * METRICS.digit else 3
            self.assertGreaterEqual(found.message, found.heading + lines * METRICS.body)
            self.assertGreaterEqual(found.message, METRICS.strong + (lines + 1) * METRICS.body)
