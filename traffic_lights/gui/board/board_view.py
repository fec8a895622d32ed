"""The board as a widget: it draws a picture and reports which cell was meant.

It knows no turn logic. Whoever owns it hands it a `Picture` for every change
and is told about clicks, keys and typed cells; what they mean is not decided
here. Every change draws everything anew, which takes a few milliseconds, so
there are no books about what is on the canvas.

Sizes are fractions of the cell side, so the board is right at any size.
"""

from __future__ import annotations

import sys
import time
import tkinter as tk
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from traffic_lights.board.rules import (
    CELL_NAMES,
    CELLS,
    COLUMNS,
    EMPTY,
    EMPTY_BOARD,
    RED,
    ROWS,
    Line,
    State,
    colour_of,
    play,
)
from traffic_lights.gui.board.lamp_tiles import LampTiles
from traffic_lights.gui.board.overlays import OverlayPainter, Pill, Place
from traffic_lights.gui.kit.focus import focused_widget
from traffic_lights.gui.kit.lamp_art import LampPainter, Look
from traffic_lights.gui.kit.smooth import SmoothShapes

PADDING: Final = 26
"""Left of and above the cells, in pixels at 96 dpi: room for the coordinates."""
BESIDE: Final = 8
"""The room on the other sides."""
SMALL: Final = 260
"""Below this height, at 96 dpi, the padding is less."""
LAMPS_IN_LINE: Final = 3
LIGHTING_MS: Final = 160
"""From one lamp of a line that wins to the next."""
GROWING_S: Final = 0.12
GROWING_STEPS: Final = 6
TYPING_S: Final = 2.0
"""How long a typed column waits for its row."""
MODIFIERS: Final = 0x4 | (0x20000 if sys.platform == "win32" else 0x8)
"""The bits of Control, Alt and Command in an event; 0x8 is Num Lock on Windows."""


@dataclass(frozen=True, slots=True)
class Picture:
    """Everything that the board shows at one moment."""

    state: State = EMPTY_BOARD
    last: int | None = None
    """The cell of the last move, in brackets."""
    lines: tuple[Line, ...] = ()
    hints: frozenset[int] = frozenset()
    pills: Mapping[int, Pill] = field(default_factory=dict)
    beliefs: Mapping[int, Pill] = field(default_factory=dict)
    """A second row of values, at the top of the cells."""
    inviting: bool = True
    """Whether a click would do something: cells then answer the pointer."""
    allows_red: bool = False
    """Whether a red cell answers the pointer too."""


class BoardView(tk.Canvas):
    """A board that fills its widget.

    *on_cell* and *on_other* are told the cell that the main and the other
    mouse button, or a key, have chosen.
    """

    def __init__(
        self,
        parent: tk.Misc,
        look: Look,
        on_cell: Callable[[int], None],
        on_other: Callable[[int], None] = lambda _: None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(parent, highlightthickness=0, borderwidth=0, takefocus=1)
        self.cursor_cell = 0
        self.animated = True
        self._look = look
        self._on_cell = on_cell
        self._on_other = on_other
        self._now = now
        self._picture = Picture()
        self._hovered: int | None = None
        self._growing: int | None = None
        self._grown = 1.0
        self._growing_since = 0.0
        self._timer: str | None = None
        self._lit = LAMPS_IN_LINE
        """How many lamps of a line that wins are lit, from its start."""
        self._lighting: str | None = None
        self._is_by_key = False
        """Whether the last event was a key: then the cursor is shown."""
        self._typed: tuple[str, float] = ("", 0.0)
        self._tiles = LampTiles(self, self.redraw)
        self._shapes = SmoothShapes(self)
        self.set_look(look)
        self._bind_events()

    @property
    def picture(self) -> Picture:
        """The picture shown at the moment."""
        return self._picture

    @property
    def is_animating(self) -> bool:
        """Whether a lamp is still growing, or a line lighting up."""
        return self._growing is not None or self._lighting is not None

    @property
    def hovered_cell(self) -> int | None:
        """The cell under the pointer if a click there would do something."""
        cell = self._hovered
        return cell if cell is not None and self._answers(cell) else None

    def show(self, picture: Picture) -> None:
        """Show *picture*; a lamp that one move has changed grows, unless that is switched off.

        A line that the move completes lights up, lamp by lamp and once.
        """
        before, self._picture = self._picture, picture
        self._stop_growing()
        if not picture.lines:
            self._stop_lighting()
        cell = picture.last
        if (
            self.animated
            and cell is not None
            and colour_of(before.state, cell) != RED
            and play(before.state, cell) == picture.state
        ):
            self._growing, self._growing_since = cell, self._now()
            if picture.lines:
                self._lit = 0
                self._lighting = self.after(LIGHTING_MS, self._light)
            self._grow()
        else:
            self.redraw()

    def set_look(self, look: Look) -> None:
        """Draw with *look* from now on."""
        self._look = look
        self.configure(background=look.colours.window)
        self.redraw()

    def finish_animation(self) -> None:
        """Show the end of a running animation at once."""
        if self.is_animating:
            self._stop_growing()
            self._stop_lighting()
            self.redraw()

    # --- geometry ---

    def cell_side(self) -> int:
        """Return the side of a cell in pixels; the cells are square."""
        width, height = self._size()
        pad = sum(self._margins())
        return max(8, int(min((width - pad) / COLUMNS, (height - pad) / ROWS)))

    def _margins(self) -> tuple[float, float]:
        """Return the room left of and above the cells, and that right of and below them."""
        least = BESIDE * self._look.scale
        if not self._look.coordinates:
            return least, least
        is_low = self._size()[1] < SMALL * self._look.scale
        return PADDING * self._look.scale * (0.75 if is_low else 1), least

    def _origin(self) -> tuple[float, float]:
        """Return the corner of the first cell: names and cells are in the middle together."""
        before, after = self._margins()
        shift = (before - after) / 2
        side = self.cell_side()
        width, height = self._size()
        return (width - COLUMNS * side) / 2 + shift, (height - ROWS * side) / 2 + shift

    def cell_centre(self, cell: int) -> tuple[float, float]:
        """Return the middle of *cell* in pixels."""
        side = self.cell_side()
        left, top = self._origin()
        row, column = divmod(cell, COLUMNS)
        return left + (column + 0.5) * side, top + (row + 0.5) * side

    def cell_at(self, x: float, y: float) -> int | None:
        """Return the cell whose square holds the point, or None beside the board."""
        side = self.cell_side()
        left, top = self._origin()
        column, row = int((x - left) // side), int((y - top) // side)
        if 0 <= column < COLUMNS and 0 <= row < ROWS:
            return row * COLUMNS + column
        return None

    def _size(self) -> tuple[int, int]:
        return max(1, self.winfo_width()), max(1, self.winfo_height())

    # --- drawing ---

    def redraw(self) -> None:
        """Draw everything anew."""
        self.delete("all")
        side = self.cell_side()
        lamps = LampPainter(self, self._look)
        overlays = OverlayPainter(self, self._look, self._shapes)
        picture = self._picture
        places = [Place(*self.cell_centre(cell), side) for cell in range(CELLS)]
        if self._look.coordinates:
            overlays.coordinates(places)
        for cell, (cx, cy, _) in enumerate(places):
            self._draw_cell(lamps, cell, cx, cy)
        if picture.last is not None:
            overlays.brackets(places[picture.last])
        for cell in picture.hints:
            overlays.hint(places[cell])
        for line in picture.lines if self._lit else ():
            overlays.line([places[cell] for cell in line][: self._lit])
        if self._has_focus() and self._is_by_key:
            overlays.cursor(places[self.cursor_cell])
        # Where both would run into each other, the true values are shown.
        has_room = not picture.pills or overlays.fit(side, picture.beliefs.values())
        for cell, pill in picture.beliefs.items() if has_room else ():
            overlays.pill(places[cell], pill, at_top=True)
        for cell, pill in picture.pills.items():
            overlays.pill(places[cell], pill)

    def _draw_cell(self, lamps: LampPainter, cell: int, cx: float, cy: float) -> None:
        side = self.cell_side()
        colour = colour_of(self._picture.state, cell)
        hovered = cell == self.hovered_cell
        is_growing = cell == self._growing
        tile = self._tiles.get(EMPTY if is_growing else colour, hovered, side, self._look)
        if tile is None:
            lamps.housing(cx, cy, side, hovered)
        else:
            self.create_image(round(cx - side / 2), round(cy - side / 2), image=tile, anchor="nw")
        if tile is None or is_growing:
            lamps.lamp(cx, cy, side, colour, self._grown if is_growing else 1.0)
        else:
            lamps.sign(cx, cy, side, colour)

    def _answers(self, cell: int) -> bool:
        picture = self._picture
        return picture.inviting and (picture.allows_red or colour_of(picture.state, cell) != RED)

    def _has_focus(self) -> bool:
        return focused_widget(self) is self

    def _grow(self) -> None:
        self._timer = None
        share = (self._now() - self._growing_since) / GROWING_S
        if share >= 1:
            self._growing, self._grown = None, 1.0
        else:
            # It starts at a size that can be seen and slows down towards the end.
            self._grown = 0.35 + 0.65 * (1 - (1 - share) ** 2)
            self._timer = self.after(round(1000 * GROWING_S / GROWING_STEPS), self._grow)
        self.redraw()

    def _stop_growing(self) -> None:
        if self._timer is not None:
            self.after_cancel(self._timer)
        self._timer, self._growing, self._grown = None, None, 1.0

    def _light(self) -> None:
        self._lit += 1
        self._lighting = self.after(LIGHTING_MS, self._light) if self._lit < LAMPS_IN_LINE else None
        self.redraw()

    def _stop_lighting(self) -> None:
        if self._lighting is not None:
            self.after_cancel(self._lighting)
        self._lighting, self._lit = None, LAMPS_IN_LINE

    def _show_cursor(self, is_shown: bool) -> None:
        """Show the cursor after a key, and not after the mouse."""
        if is_shown != self._is_by_key:
            self._is_by_key = is_shown
            self.redraw()

    # --- events ---

    def _bind_events(self) -> None:
        self.bind("<Configure>", lambda _: self.redraw())
        self.bind("<FocusIn>", lambda _: self.redraw())
        self.bind("<FocusOut>", lambda _: self.redraw())
        self.bind("<<TraverseIn>>", lambda _: self._show_cursor(True))
        self.bind("<Motion>", lambda event: self._hover(self.cell_at(event.x, event.y)))
        self.bind("<Leave>", lambda _: self._hover(None))
        self.bind("<Button-1>", lambda event: self._click(event, self._on_cell))
        for button in ("<Button-2>", "<Button-3>"):
            self.bind(button, lambda event: self._click(event, self._on_other))
        for key, down, right in (
            ("Left", 0, -1),
            ("Right", 0, 1),
            ("Up", -1, 0),
            ("Down", 1, 0),
        ):
            self.bind_key((key, f"KP_{key}"), partial(self._step, down, right))
        self.bind_key(("space", "Return", "KP_Enter"), self.choose_cursor)
        self.bind_key(("Home", "KP_Home"), partial(self._to_column, 0))
        self.bind_key(("End", "KP_End"), partial(self._to_column, COLUMNS - 1))
        for letter in "abcd":
            self.bind_key((letter, letter.upper()), partial(self._type_column, letter))
        for digit in "123":
            self.bind_key((f"Key-{digit}", f"KP_{digit}"), partial(self._type_row, digit))

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
            self.bind(f"<{name}>", handle)

    def _click(self, event: tk.Event[tk.Misc], told: Callable[[int], None]) -> str:
        self.focus_set()
        self._show_cursor(False)
        cell = self.cell_at(event.x, event.y)
        if cell is not None:
            self.cursor_cell = cell
            self.finish_animation()
            told(cell)
        return "break"

    def choose_cursor(self) -> None:
        """Choose the cell at the cursor."""
        self._choose(self.cursor_cell)

    def _choose(self, cell: int) -> None:
        self.cursor_cell = cell
        self.finish_animation()
        self._on_cell(cell)
        self.redraw()

    def _hover(self, cell: int | None) -> None:
        if cell != self._hovered:
            self._hovered = cell
            self.redraw()

    def _step(self, down: int, right: int) -> None:
        row, column = divmod(self.cursor_cell, COLUMNS)
        row = min(ROWS - 1, max(0, row + down))
        column = min(COLUMNS - 1, max(0, column + right))
        self.cursor_cell = row * COLUMNS + column
        self.redraw()

    def _to_column(self, column: int) -> None:
        self.cursor_cell = self.cursor_cell // COLUMNS * COLUMNS + column
        self.redraw()

    def _type_column(self, letter: str) -> None:
        self._typed = (letter, self._now())
        self._to_column("abcd".index(letter))  # so that it is seen

    def _type_row(self, digit: str) -> None:
        column, _ = self._typed
        if self.has_typed:
            self.forget_typing()
            self._choose(CELL_NAMES.index(column + digit))

    @property
    def has_typed(self) -> bool:
        """Whether a column was typed and its row is still awaited."""
        column, since = self._typed
        return bool(column) and self._now() - since <= TYPING_S

    def forget_typing(self) -> None:
        """Forget a typed column."""
        self._typed = ("", 0.0)
