"""The board as a widget: it draws a picture and reports which cell the player means.

It has no rules of a turn. Its owner gives it a `Picture` for every change. Every change draws
everything again, which takes a few milliseconds. Sizes are fractions of the side of a cell.
"""

from __future__ import annotations

import math
import time
import tkinter as tk
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import Final, NamedTuple

from traffic_lights.board.rules import (
    CELLS,
    COLUMN_NAMES,
    COLUMNS,
    EMPTY_BOARD,
    RED,
    ROWS,
    Action,
    Line,
    State,
    colour_of,
    play,
)
from traffic_lights.drawing import shapes
from traffic_lights.drawing.palette import DIM, JOIN_EDGE, ON_WASH, label_edge, wash
from traffic_lights.gui.kit.canvas_pictures import CanvasPictures
from traffic_lights.gui.kit.keys import MODIFIERS, bind_sequence, latin_key
from traffic_lights.gui.kit.lamps import Tile
from traffic_lights.gui.kit.smooth import dashed_ring, pill, stroke_place, strokes
from traffic_lights.gui.kit.theme import Theme
from traffic_lights.gui.kit.widgets import focused_widget

LAMPS_IN_LINE: Final = 3
BLINK_S: Final = 1 / 3
"""How long each lamp of a won row is lit in turn: nothing may flash more than 3 times a second."""
RISING_S: Final = 0.12
"""How long a lamp takes to get all its light."""
HINT_DASHES: Final = 10
_FRAME_MS: Final = 20
_DIGITS: Final = tuple(str(row + 1) for row in range(ROWS))
"""The keys that complete a cell after the letter of its column."""


@dataclass(frozen=True, slots=True)
class MoveValues:
    """What the board shows of the values of moves, by their cells."""

    wash: Mapping[Action, float] = field(default_factory=dict)
    """The values from -1 (loses) to 1 (wins): each colours the housing of its cell."""
    numbers: Mapping[Action, str] = field(default_factory=dict)
    """The same values in a few characters, written small on washed cells."""
    best: frozenset[Action] = frozenset()
    """The washed cells whose numbers have a white edge."""


@dataclass(frozen=True, slots=True)
class Picture:
    """Everything that the board shows at one moment."""

    state: State = EMPTY_BOARD
    last: int | None = None
    lines: tuple[Line, ...] = ()
    hints: frozenset[int] = frozenset()
    values: MoveValues = MoveValues()
    inviting: bool = True
    """Whether a click would do something: cells then answer the pointer."""
    allows_red: bool = False
    """Whether a red cell answers the pointer too."""


class Lighting(NamedTuple):
    """How the lamps are lit at one moment of the animation that follows a move."""

    won: frozenset[int]
    """The cells that glow as part of a won row."""
    dim: Mapping[int, float]
    """The share of their light that cells lack."""
    joints: int
    """How many lines between two lamps of each won row are drawn, from its start."""


def lighting(picture: Picture, elapsed: float) -> Lighting:
    """Return the lighting of *picture*, *elapsed* seconds after its last move.

    The lamps of a won row are lit in turn, like a traffic light. Then all of them stay lit.
    """
    if not picture.lines:
        rising = {}
        if picture.last is not None:
            rising[picture.last] = round(0.8 * max(0.0, 1 - elapsed / RISING_S), 1)
        return Lighting(frozenset(), rising, 0)
    turn = int(min(LAMPS_IN_LINE, elapsed / BLINK_S))
    last = LAMPS_IN_LINE - 1
    if turn > last:
        won = frozenset(cell for line in picture.lines for cell in line)
    else:
        won = frozenset(line[turn] for line in picture.lines)
    dim = {cell: DIM for cell in range(CELLS) if cell not in won}
    return Lighting(won, dim, min(turn, last))


class BoardView(tk.Canvas):
    """A board that calls *on_cell*, or *on_other* for the other mouse button, with a cell.

    For the second click of a double click it calls *on_again*, if that is given.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        on_cell: Callable[[int], None],
        on_other: Callable[[int], None] = lambda _: None,
        on_again: Callable[[int], None] | None = None,
    ) -> None:
        super().__init__(parent, highlightthickness=0, borderwidth=0, takefocus=1)
        self.cursor_cell = 0
        self.animated = True
        self.picture = Picture()
        self._theme = theme
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
        self._pictures = CanvasPictures(self, self.redraw)
        self.awaits_picture = False
        """Whether `show` follows, so that a new size alone need not be drawn."""
        for event in ("<FocusIn>", "<FocusOut>", "<<ThemeChanged>>"):
            self.bind(event, lambda _: self.redraw())
        self.bind("<Configure>", lambda _: self._resized())
        self.bind("<<TraverseIn>>", lambda _: self._show_cursor(True))
        self.bind("<Motion>", lambda event: self._hover(self.cell_at(event.x, event.y)))
        self.bind("<Leave>", lambda _: self._hover(None))
        self.bind("<Destroy>", lambda _: self._stop(), add=True)
        for number, act in ((1, on_cell), (2, on_other), (3, on_other)):
            self.bind(f"<Button-{number}>", partial(self._click, act))
        self._on_again = on_again or on_cell
        self.bind("<Double-Button-1>", self._double_click)
        steps = {"Left": (0, -1), "Right": (0, 1), "Up": (-1, 0), "Down": (1, 0)}
        steps |= {"Home": (0, -COLUMNS), "End": (0, COLUMNS)}
        for key, step in steps.items():
            self.bind_key((key, f"KP_{key}"), partial(self._step, *step))
        self.bind_key(("space", "Return", "KP_Enter"), self.choose_cursor)
        for column, letter in enumerate(COLUMN_NAMES):
            self.bind_key((letter, letter.upper()), partial(self._type_column, column))
        for row, digit in enumerate(_DIGITS):
            self.bind_key((f"Key-{digit}", f"KP_{digit}"), partial(self._type_row, row))
        first = f"Before{self}"  # this tag gets each key before the bindings of the board
        self.bindtags((first, *self.bindtags()))
        self.bind_class(first, "<Key>", self._key_came)

    @property
    def hovered_cell(self) -> int | None:
        """The cell under the pointer if a click there would do something."""
        cell = self._hovered
        picture = self.picture
        if cell is None or not picture.inviting:
            return None
        return cell if picture.allows_red or colour_of(picture.state, cell) != RED else None

    def show(self, picture: Picture) -> None:
        """Show *picture*; light up the lamp that one move has changed, and the row it completes."""
        before = self.picture
        self.picture = picture
        cell = picture.last
        old = before.state
        new = picture.state
        if cell is not None and colour_of(old, cell) != RED and play(old, cell) == new:
            self._stop()
            if self.animated:
                self._since = time.monotonic()
                self.animation = self.after(_FRAME_MS, self._next_frame)
        elif old != new or not picture.lines:
            self._stop()
        self.redraw()

    # --- geometry ---

    @property
    def margins(self) -> tuple[float, float]:
        """The room left of and above the cells, and that right of and below them."""
        before = shapes.BESIDE
        if self._theme.look.coordinates:
            before = shapes.PADDING
        return before * self._theme.scale, shapes.BESIDE * self._theme.scale

    def grid_place(self) -> tuple[int, float, float]:
        """Return the side of the square cells, and the left and top of the first one, in pixels."""
        width = self.winfo_width()
        height = self.winfo_height()
        before, after = self.margins
        pad = before + after
        shift = (before - after) / 2
        side = max(8, int(min((width - pad) / COLUMNS, (height - pad) / ROWS)))
        return side, (width - COLUMNS * side) / 2 + shift, (height - ROWS * side) / 2 + shift

    def cell_centre(self, cell: int) -> tuple[float, float]:
        """Return the middle of *cell*, in pixels from the left and the top."""
        side, left, top = self.grid_place()
        row, column = divmod(cell, COLUMNS)
        return left + (column + 0.5) * side, top + (row + 0.5) * side

    def cell_at(self, x: float, y: float) -> int | None:
        """Return the cell whose square holds the point, or None outside the board."""
        side, left, top = self.grid_place()
        column = int((x - left) // side)
        row = int((y - top) // side)
        if 0 <= column < COLUMNS and 0 <= row < ROWS:
            return row * COLUMNS + column
        return None

    # --- drawing ---

    def _resized(self) -> None:
        if not self.awaits_picture:
            self.redraw()

    def redraw(self) -> None:
        """Draw the whole board again, which takes about a millisecond."""
        self.awaits_picture = False
        self.delete("all")
        if self.winfo_width() == 1:  # lamps of a board without a size yet would start rough
            return
        side, _, _ = self.grid_place()
        self.configure(background=self._theme.look.colours.window)
        light = lighting(self.picture, time.monotonic() - self._since)
        if self._theme.look.coordinates:
            self._draw_coordinates(side)
        for cell in range(CELLS):
            self._draw_cell(cell, light, side)
        self._draw_marks(light, side)

    def _draw_cell(self, cell: int, light: Lighting, side: int) -> None:
        """Draw the lamp of *cell* in its housing, with its letter if there is room for one."""
        look = self._theme.look
        picture = self.picture
        value = picture.values.wash.get(cell)
        tile = Tile(
            colour_of(picture.state, cell),
            is_hovered=cell == self.hovered_cell,
            is_won=cell in light.won,
            dim=light.dim.get(cell, 0.0),
            wash=None if value is None else round(4 * value),
        )
        is_numbered = cell in picture.values.numbers
        has_sign = not is_numbered or side >= shapes.SIGN_AND_NUMBER * look.scale
        self._pictures.draw_lamp(tile, look, self.cell_centre(cell), side, has_sign=has_sign)

    def _draw_marks(self, light: Lighting, side: int) -> None:
        """Draw what lies over the lamps: last move, hints, won rows, cursor and numbers."""
        picture = self.picture
        if picture.last is not None:
            self._draw_brackets(*self.cell_centre(picture.last), side)
        for cell in picture.hints:
            self._draw_hint(cell, side)
        for line in picture.lines:
            for one, other in list(pairwise(line))[: light.joints]:
                self._join(self.cell_centre(one), self.cell_centre(other), side)
        if focused_widget(self) is self and self._is_by_key:
            self._draw_cursor(*self.cell_centre(self.cursor_cell), side)
        for cell in picture.values.numbers:
            self._draw_number(cell, *self.cell_centre(cell), side)

    def _draw_hint(self, cell: int, side: int) -> None:
        radius = side * shapes.HINT_RADIUS
        width = max(2.5, side * shapes.HINT_WIDTH)
        size = 2 * radius + width
        colour = self._theme.colours.hint
        self._pictures.draw_shape(
            self.cell_centre(cell), (size, size), colour, dashed_ring, radius, width, HINT_DASHES
        )

    def _draw_coordinates(self, side: int) -> None:
        size = shapes.coordinate_size(side, self._theme.scale)
        away = shapes.coordinate_distance(side, size)
        font = (self._theme.look.family, -size)
        fill = self._theme.colours.coordinate
        for column in range(COLUMNS):
            x, y = self.cell_centre(column)
            self.create_text(x, y - away, text=COLUMN_NAMES[column], font=font, fill=fill)
        for row in range(ROWS):
            x, y = self.cell_centre(row * COLUMNS)
            self.create_text(x - away, y, text=str(row + 1), font=font, fill=fill)

    def _draw_brackets(self, x: float, y: float, side: int) -> None:
        width = max(2.0, side * shapes.BRACKET_WIDTH)
        for points in shapes.bracket_corners(x, y, side):
            self.create_line(
                points, fill=self._theme.colours.mark, width=width,
                capstyle=tk.ROUND, joinstyle=tk.ROUND,
            )  # fmt: skip

    def _join(self, start: tuple[float, float], end: tuple[float, float], side: int) -> None:
        """Join two lamps by a thin line, which stays away from their letters."""
        ends = shapes.joint(start, end, side)
        for thickness, colour in (
            (shapes.JOIN_EDGE_WIDTH, JOIN_EDGE),
            (shapes.JOIN_WIDTH, self._theme.colours.mark),
        ):
            width = max(2.0, side * thickness)
            middle, size, line = stroke_place(ends, width)
            self._pictures.draw_shape(middle, size, colour, strokes, line, width)

    def _draw_cursor(self, x: float, y: float, side: int) -> None:
        width = max(3.0, side * 0.03)
        half = side * (0.5 - shapes.HOUSING_INSET) + 1.1 * width
        radius = side * shapes.HOUSING_RADIUS + width
        self._pictures.draw_frame((x, y), half, radius, width, self._theme.colours.accent)

    def _draw_number(self, cell: int, x: float, y: float, side: int) -> None:
        values = self.picture.values
        text = values.numbers[cell]
        value = values.wash.get(cell, 0.0)
        smallest = round(shapes.SMALLEST_TEXT * self._theme.scale)
        size, width, height = shapes.label_size(text, side, smallest)
        edge = label_edge(value)
        rim = 1.0
        if cell in values.best:
            edge = self._theme.colours.mark
            rim = max(2.0, side * shapes.BEST_RIM)
        y += shapes.label_drop(side, height)
        for more, colour in ((2 * rim, edge), (0.0, wash(value))):
            outer = round(width + more), round(height + more)
            self._pictures.draw_shape((x, y), outer, colour, pill, *outer)
        font = (self._theme.look.family, -round(size), "bold")
        self.create_text(round(x), round(y), text=text, fill=ON_WASH, font=font)

    def _next_frame(self) -> None:
        lasts = LAMPS_IN_LINE * BLINK_S if self.picture.lines else RISING_S
        goes_on = time.monotonic() - self._since < lasts
        self.animation = self.after(_FRAME_MS, self._next_frame) if goes_on else ""
        self.redraw()

    def _stop(self) -> None:
        if self.animation:
            self.after_cancel(self.animation)
        self.animation = ""
        self._since = -math.inf

    # --- events ---

    def bind_key(self, names: tuple[str, ...], act: Callable[[], object]) -> None:
        """Have the keys *names*, without Control, Alt or Command, call *act*."""

        def handle(event: tk.Event[tk.Misc]) -> str | None:
            # Tk would also take Control+Home for Home, and no menu key would be heard.
            if isinstance(event.state, int) and event.state & MODIFIERS:
                return None
            self._show_cursor(True)
            act()
            return "break"

        for name in names:
            bind_sequence(self, f"<{name}>", handle)

    def _key_came(self, event: tk.Event[tk.Misc]) -> None:
        """Forget a typed column, unless the key is Shift or such, or the digit of a row."""
        typed = latin_key(event) or event.char
        if typed and typed not in _DIGITS:
            self._is_column_typed = False

    def _show_cursor(self, is_shown: bool) -> None:
        if is_shown != self._is_by_key:
            self._is_by_key = is_shown
            self.redraw()

    def _click(self, act: Callable[[int], None], event: tk.Event[tk.Misc]) -> str:
        self.focus_set()
        cell = self.cell_at(event.x, event.y)
        if cell is None:
            self._show_cursor(False)
        else:
            self._is_by_key = False
            self._choose(cell, act)
        return "break"

    def _double_click(self, event: tk.Event[tk.Misc]) -> str:
        is_same = self.cell_at(event.x, event.y) == self.cursor_cell
        return self._click(self._on_again if is_same else self._on_cell, event)

    def choose_cursor(self) -> None:
        """Choose the cell under the keyboard's cursor, as a click would."""
        self._choose(self.cursor_cell, self._on_cell)

    def _choose(self, cell: int, act: Callable[[int], None]) -> None:
        self.cursor_cell = cell
        self._is_column_typed = False
        self._stop()
        before = self.picture
        act(cell)
        if self.picture is before:  # otherwise it was drawn with the cursor where it is now
            self.redraw()

    def _hover(self, cell: int | None) -> None:
        if cell != self._hovered:
            self._hovered = cell
            self.redraw()

    def _step(self, down: int, right: int) -> None:
        self._is_column_typed = False
        row, column = divmod(self.cursor_cell, COLUMNS)
        row = min(ROWS - 1, max(0, row + down))
        self.cursor_cell = row * COLUMNS + min(COLUMNS - 1, max(0, column + right))
        self.redraw()

    def _type_column(self, column: int) -> None:
        self._step(0, column - self.cursor_cell % COLUMNS)
        self._is_column_typed = True

    def _type_row(self, row: int) -> None:
        if self._is_column_typed:
            self._choose(row * COLUMNS + self.cursor_cell % COLUMNS, self._on_cell)
