"""The board as a widget: it draws a picture and reports which cell the player means.

It has no rules of a turn. Its owner gives it a `Picture` for every change. After all changes of a
moment, everything is drawn again, once. Sizes are fractions of the side of a cell.
"""

from __future__ import annotations

import math
import time
import tkinter as tk
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import Final, NamedTuple, TypeAlias

from traffic_lights.board.rules import (
    CELLS,
    COLUMN_NAMES,
    COLUMNS,
    EMPTY,
    EMPTY_BOARD,
    RED,
    ROWS,
    Action,
    Line,
    State,
    colour_of,
    play,
)
from traffic_lights.drawing import marks, shapes
from traffic_lights.drawing.marks import Grid
from traffic_lights.drawing.palette import DIM
from traffic_lights.gui.kit.drawing import Drawing
from traffic_lights.gui.kit.keys import key_name
from traffic_lights.gui.kit.lamps import CanvasPictures, Tile
from traffic_lights.gui.kit.theme import Theme
from traffic_lights.gui.kit.widgets import focused_widget

LAMPS_IN_LINE: Final = 3
BLINK_S: Final = 1 / 3
"""How long each lamp of a won row is lit in turn: nothing may flash more than 3 times a second."""
RISING_S: Final = 0.12
"""How long a lamp takes to get all its light."""
_FRAME_MS: Final = 20
_STEPS: Final = {
    "Left": (0, -1), "Right": (0, 1), "Up": (-1, 0), "Down": (1, 0),
    "Home": (0, -COLUMNS), "End": (0, COLUMNS),
}  # fmt: skip
"""How far each key moves the cursor, down and to the right."""
_SIDE_STEP: Final = 2
"""The side of a cell is a multiple of it: a new side needs new pictures of all lamps."""
_DASHES: Final = 14
"""The dashes of the ring around a cell that a hint marks."""


class MoveValue(NamedTuple):
    """What the board shows of the value of a move."""

    share: float
    """From -1 (loses) to 1 (wins): it colours the housing of the cell."""
    text: str
    """The same in a few characters, written small on the cell."""
    is_best: bool = False
    """Whether the text has a white edge."""


MoveValues: TypeAlias = Mapping[Action, MoveValue]
"""The values of moves, by their cells."""


@dataclass(frozen=True, slots=True)
class Picture:
    """Everything that the board shows at one moment."""

    state: State = EMPTY_BOARD
    last: int | None = None
    lines: tuple[Line, ...] = ()
    hints: frozenset[int] = frozenset()
    values: MoveValues = field(default_factory=dict)
    answering: Collection[Action] = ()
    """The cells on which a click would do something: they answer the pointer."""
    notes: Mapping[Action, str] = field(default_factory=dict)
    """Short words at the upper left of cells."""


class BoardView(Drawing):
    """A board that calls *on_cell*, or *on_other* for the other mouse button, with a cell.

    For the second click of a double click it calls *on_again*, if that is given.
    """

    ground = "window"

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        on_cell: Callable[[int], None],
        on_other: Callable[[int], None] = lambda _: None,
        on_again: Callable[[int], None] | None = None,
    ) -> None:
        super().__init__(parent, theme, takefocus=1)
        self.cursor_cell = 0
        self.animated = True
        self.picture = Picture()
        self._on_cell = on_cell
        self._hovered: int | None = None
        self._since = -math.inf
        """When the animation began."""
        self.animation = ""
        """The timer while a lamp is still changing, or a row lighting up."""
        self._is_by_key = False
        """Whether the last event was a key: then the cursor is shown."""
        self._is_column_typed = False
        """Whether the last key was the letter of a column, so that a digit completes a cell."""
        self._pictures = CanvasPictures(self)
        self.acts: dict[str, Callable[[], object]] = {
            **{key: partial(self._step, *steps) for key, steps in _STEPS.items()},
            **dict.fromkeys(("space", "Return"), self.choose_cursor),
            **{letter: partial(self._type_column, n) for n, letter in enumerate(COLUMN_NAMES)},
            **{str(row + 1): partial(self._type_row, row) for row in range(ROWS)},
        }
        """What the keys do, by their names."""
        for event in ("<FocusIn>", "<FocusOut>"):
            self.bind(event, lambda _: self.redraw())
        self.bind("<<TraverseIn>>", lambda _: self._show_cursor(True))
        self.bind("<Motion>", lambda event: self._hover(self.cell_at(event.x, event.y)))
        self.bind("<Leave>", lambda _: self._hover(None))
        self.bind("<Destroy>", lambda _: self._stop(), add=True)
        self.bind("<Key>", lambda event: self.press(key_name(event)))
        for button, act in (
            ("Button-1", on_cell),
            ("Double-Button-1", on_again or on_cell),
            ("Button-2", on_other),
            ("Button-3", on_other),
        ):
            self.bind(f"<{button}>", partial(self._click, act))

    @property
    def hovered_cell(self) -> int | None:
        """The cell under the pointer if a click there would do something."""
        return self._hovered if self._hovered in self.picture.answering else None

    def show(self, picture: Picture) -> None:
        """Show *picture*; light up the lamp that one move has changed, and the row it completes."""
        cell = picture.last
        old = self.picture.state
        self.picture = picture
        if cell is not None and colour_of(old, cell) != RED and play(old, cell) == picture.state:
            self._stop()
            if self.animated:
                self._since = time.monotonic()
                self.animation = self.after(_FRAME_MS, self._next_frame)
        elif old != picture.state or not picture.lines:
            self._stop()
        self.redraw()

    # --- geometry ---

    @property
    def cell_grid(self) -> Grid:
        """Where the cells are."""
        width = self.winfo_width()
        height = self.winfo_height()
        before, after = self._margins()
        room = min((width - before - after) / COLUMNS, (height - before - after) / ROWS)
        side = max(_SIDE_STEP, int(room) // _SIDE_STEP * _SIDE_STEP)
        left = (width - COLUMNS * side + before - after) / 2
        return Grid(side, left, (height - ROWS * side + before - after) / 2)

    def _margins(self) -> tuple[float, float]:
        """Return the room before the cells, where the coordinates are, and that after them."""
        return shapes.PADDING * self.theme.scale, shapes.BESIDE * self.theme.scale

    def width_in(self, height: int) -> int:
        """Return the width that the board can use if it is *height* pixels high."""
        around = sum(self._margins())
        return round((height - around) * COLUMNS / ROWS + around)

    def cell_at(self, x: float, y: float) -> int | None:
        """Return the cell whose square holds the point, or None outside the board."""
        side, left, top = self.cell_grid
        column = int((x - left) // side)
        row = int((y - top) // side)
        is_inside = 0 <= column < COLUMNS and 0 <= row < ROWS
        return row * COLUMNS + column if is_inside else None

    # --- drawing ---

    def draw(self) -> None:
        """Draw the lamps, the values on them, and all marks."""
        grid = self.cell_grid
        side = grid.side
        picture = self.picture
        mark = self.theme.colours.mark
        elapsed = time.monotonic() - self._since
        # The lamps of a won row are lit in turn, like a traffic light. Then all of them stay lit.
        turn = int(min(LAMPS_IN_LINE, elapsed / BLINK_S))
        shown = slice(None) if turn == LAMPS_IN_LINE else slice(turn, turn + 1)
        won = {cell for line in picture.lines for cell in [*line][shown]}
        self._put(marks.coordinates(grid, self.theme.scale, self.theme.colours.coordinate))
        for cell in range(CELLS):
            dim = DIM if picture.lines and cell not in won else 0.0
            if cell == picture.last and not picture.lines:
                dim = round(0.8 * max(0.0, 1 - elapsed / RISING_S), 1)
            self._draw_cell(cell, grid, dim=dim, is_won=cell in won)
        for cell in picture.hints:
            self._draw_hint(*grid.middle(cell), side)
        for line in picture.lines:
            for one, other in list(pairwise(line))[:turn]:
                self._put(marks.joint(grid, one, other, mark))
        if focused_widget(self) is self and self._is_by_key:
            self._draw_cursor(*grid.middle(self.cursor_cell), side)
        for cell, (value, text, is_best) in picture.values.items():
            self._put(marks.label(grid, cell, text, value, self.theme.scale, mark * is_best))
        for cell, note in picture.notes.items():
            x, y = grid.middle(cell)
            place = x - 0.4 * side, y - 0.4 * side
            self.create_text(*place, text=note, anchor="nw", fill=mark, font=self.theme.strong)

    def _put(self, drawn: Iterable[marks.Mark]) -> None:
        for mark in drawn:
            if isinstance(mark, marks.Stroke):
                self._pictures.stroke(*mark)
            else:
                x, y = map(round, mark.middle)
                font = (self.theme.family, -round(mark.size), mark.weight)
                self.create_text(x, y, text=mark.text, fill=mark.colour, font=font)

    def _draw_cell(self, cell: int, grid: Grid, *, dim: float, is_won: bool) -> None:
        """Draw the lamp of *cell* in its housing, and the corners of the last move."""
        theme = self.theme
        picture = self.picture
        side = grid.side
        value = picture.values.get(cell)
        colour = colour_of(picture.state, cell)
        quarters = None if value is None else round(4 * value.share)
        tile = Tile(colour, cell == self.hovered_cell, is_won, dim, quarters)
        x, y = grid.middle(cell)
        self._pictures.lamp(x, y, tile, side, theme.colours, theme.lamps)
        # A small cell has no room for both, so the number replaces the letter.
        has_sign = value is None or side >= shapes.SIGN_AND_NUMBER * theme.scale
        if has_sign and theme.letters and colour != EMPTY:
            fill = theme.colours.mark if dim else theme.lamps.letters[colour - 1]
            self._put([marks.letter((x, y), side, colour, fill)])
        elif has_sign and colour == RED:
            half, high = (side * length / 2 for length in shapes.BAR)
            self.create_rectangle(x - half, y - high, x + half, y + high, fill="#fff", width=0)
        is_marked = cell == picture.last and cell not in picture.notes  # which stand in a corner
        for points in shapes.bracket_corners(x, y, side) if is_marked else ():
            width = shapes.line_width(side, shapes.BRACKET_WIDTH)
            self.create_line(points, fill=theme.colours.mark, width=width, capstyle=tk.ROUND)

    def _draw_hint(self, x: float, y: float, side: int) -> None:
        radius = side * shapes.HINT_RADIUS
        width = max(2.5, side * shapes.HINT_WIDTH)
        for dash in range(_DASHES):
            turns = (math.tau * (dash + share) / _DASHES for share in (0.0, 0.5))
            start, end = ((x + radius * math.cos(t), y + radius * math.sin(t)) for t in turns)
            self._pictures.stroke(start, end, width, self.theme.colours.hint)

    def _draw_cursor(self, x: float, y: float, side: int) -> None:
        half = side / 2 - 1
        box = x - half, y - half, x + half, y + half
        self.create_rectangle(box, outline=self.theme.colours.accent, width=max(3, side * 0.03))

    def _next_frame(self) -> None:
        lasts = LAMPS_IN_LINE * BLINK_S if self.picture.lines else RISING_S
        goes_on = time.monotonic() - self._since < lasts
        self.animation = self.after(_FRAME_MS, self._next_frame) if goes_on else ""
        self.redraw()

    def _stop(self) -> None:
        """End the animation."""
        if self.animation:
            self.after_cancel(self.animation)
        self.animation = ""
        self._since = -math.inf

    # --- events ---

    def press(self, name: str) -> str | None:
        """Do what the key *name* does here; return "break" if that is anything."""
        if name not in self.acts:
            return None
        self._show_cursor(True)
        self.acts[name]()
        self._is_column_typed = name in COLUMN_NAMES
        return "break"

    def _show_cursor(self, is_shown: bool) -> None:
        if is_shown != self._is_by_key:
            self._is_by_key = is_shown
            self.redraw()

    def _click(self, act: Callable[[int], None], event: tk.Event[tk.Misc]) -> str:
        self.focus_set()
        self._show_cursor(False)
        cell = self.cell_at(event.x, event.y)
        if cell is not None:
            self._choose(cell, act)
        return "break"

    def choose_cursor(self) -> None:
        """Choose the cell under the keyboard's cursor, as a click would."""
        self._choose(self.cursor_cell, self._on_cell)

    def _choose(self, cell: int, act: Callable[[int], None]) -> None:
        self.cursor_cell = cell
        self._is_column_typed = False
        self._stop()
        self.redraw()
        act(cell)

    def _hover(self, cell: int | None) -> None:
        if cell != self._hovered:
            self._hovered = cell
            self.redraw()

    def _step(self, down: int, right: int) -> None:
        row, column = divmod(self.cursor_cell, COLUMNS)
        row = min(ROWS - 1, max(0, row + down))
        self.cursor_cell = row * COLUMNS + min(COLUMNS - 1, max(0, column + right))
        self.redraw()

    def _type_column(self, column: int) -> None:
        self._step(0, column - self.cursor_cell % COLUMNS)

    def _type_row(self, row: int) -> None:
        if self._is_column_typed:
            self._choose(row * COLUMNS + self.cursor_cell % COLUMNS, self._on_cell)
