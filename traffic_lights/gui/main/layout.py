"""Where the parts of the main window stand, computed from its size alone.

A layout that depended on its content might never come to rest, and the board would move under the
pointer. Everything here is a number of pixels, and nothing needs a display.

>>> metrics = Metrics(1.0, title=24, body=16, strong=16, digit=8, words=(80, 40), cards=58,
...                   before=21, after=8)
>>> wide, narrow = arrange(900, 640, metrics, True), arrange(480, 420, metrics, True)
>>> wide.has_panel, narrow.has_panel, wide.side > narrow.side
(True, False, True)
"""

from dataclasses import dataclass
from typing import Final

from traffic_lights.board.rules import COLUMNS, ROWS
from traffic_lights.drawing.shapes import HOUSING_INSET

PANEL_NEEDS: Final = 720
"""Below this width, in pixels at 96 dpi, the panel is hidden."""
PANEL_WIDTH: Final = 264
LONG_LINE: Final = 56
"""The figures that fit on a long line; the message then needs two lines, otherwise three."""
LOW: Final = 460
"""Below this height the distances between the parts are smaller."""


@dataclass(frozen=True, slots=True)
class Metrics:
    """What the arrangement depends on besides the size of the window."""

    scale: float
    """Pixels for each 1/96 inch."""
    title: int
    body: int
    strong: int
    """The heights of a line of each type."""
    digit: int
    """The width of a digit."""
    words: tuple[int, ...]
    """For each button under the board, the width of the longest words that it can have."""
    cards: int
    """The height of the cards; 0 without them."""
    before: float
    after: float
    """The room left of and above the cells of the board, and that right of and below them."""

    def px(self, steps: float) -> int:
        """Return *steps* of the grid, 4 pixels each at 96 dpi, in pixels."""
        return round(steps * 4 * self.scale)


@dataclass(frozen=True, slots=True)
class Layout:
    """The sizes and distances of the parts."""

    has_panel: bool
    side: int
    """The side of a cell that the board has room for."""
    block: int
    """The width of the block of cards, message, board and buttons."""
    left: int
    right: int
    """What cards, message and buttons leave free there: they end where the housings do."""
    above: int
    between: int
    heading: int
    """The height of the first line of the message."""
    message: int
    """The height of the whole message."""
    line: int
    """The width of its lines."""
    buttons: int
    """The height of the buttons under the board."""
    columns: tuple[int, ...]
    """The width of each of them."""
    panel_left: int
    edge: int


def arrange(width: int, height: int, metrics: Metrics, wants_panel: bool) -> Layout:
    """Return the layout of a window of *width* and *height*, with the panel if there is room.

    The block is as wide as the board can become in this height, so that all edges meet, and at
    least as wide as the buttons.
    """
    px = metrics.px
    edge = px(5)
    has_panel = wants_panel and width >= PANEL_NEEDS * metrics.scale
    if has_panel:
        width -= round(PANEL_WIDTH * metrics.scale) + edge
    above = px(4.0)
    between = px(2.5)
    if height < LOW * metrics.scale:
        above = px(2.0)
        between = px(1.0)
    # The main button, in strong type, is the largest: the board must not move when it comes.
    heading = metrics.title + 4
    buttons = metrics.strong + 2 * px(1.5) + 6
    margin = px(3) + 6
    words = sum(metrics.words)
    count = len(metrics.words)
    around = metrics.before + metrics.after
    # Long lines in a low window are wider than the board, and leave it more height.
    least = max(words + count * margin, LONG_LINE * metrics.digit)
    for lines in (2, 3):
        # A text with a line more than usual fits under a heading in strong type.
        message = max(heading, metrics.strong + metrics.body + 4) + lines * metrics.body + px(1)
        gaps = 3 if metrics.cards else 2
        others = metrics.cards + message + buttons + above + gaps * between
        side = int(min((width - around) / COLUMNS, (height - others - around) / ROWS))
        block = min(int(COLUMNS * side + around) + 1, width)
        left = round(metrics.before + HOUSING_INSET * side)
        right = round(metrics.after + HOUSING_INSET * side)
        if block < least + 2 * edge:
            block = min(least + 2 * edge, width)
            left = edge
            right = edge
        line = block - left - right
        if line >= LONG_LINE * metrics.digit:
            break
    margin = min(max((line - words) // count, margin), px(8))
    return Layout(
        has_panel=has_panel,
        side=side,
        block=block,
        left=left,
        right=right,
        above=above,
        between=between,
        heading=heading,
        message=message,
        line=line,
        buttons=buttons,
        columns=tuple(word + margin for word in metrics.words),
        panel_left=max(0, edge - right) if has_panel else edge,
        edge=edge,
    )
