"""The board as a widget: it draws a picture and reports which cell the player means.

It has no rules of a turn. Its owner gives it a `Picture` for every change and hears of clicks,
keys and typed cells. Every change draws everything again, which takes a few milliseconds, so
the board keeps no books about what is on the canvas. Sizes are fractions of the side of a cell,
so the board is right at any size.
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
    EMPTY_BOARD,
    RED,
    ROWS,
    Action,
    Line,
    State,
    colour_of,
    play,
)
from traffic_lights.gui.board.overlays import OverlayPainter, Place
from traffic_lights.gui.kit.keys import focused_widget
from traffic_lights.gui.kit.lamps import LampPictures, Look, Tile, draw_sign
from traffic_lights.gui.kit.smooth import SmoothShapes

SIGN_AND_NUMBER: Final = 56
"""In a smaller cell, in pixels at 96 dpi, a number leaves no room for the letter of its lamp."""
PADDING: Final = 26
"""Left of and above the cells, in pixels at 96 dpi: room for the coordinates."""
BESIDE: Final = 8
"""The room on the other sides."""
SMALL: Final = 260
"""Below this height, at 96 dpi, the padding is less."""
LAMPS_IN_LINE: Final = 3
LIGHTING_S: Final = 0.16
"""From one lamp of a row that wins to the next."""
GROWING_S: Final = 0.12
_FRAME_MS: Final = 20
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
    wash: Mapping[Action, float] = field(default_factory=dict)
    """The values of moves from -1 (loses) to 1 (wins): each colours the housing of its cell."""
    numbers: Mapping[Action, str] = field(default_factory=dict)
    """The same values in a few characters, written small on washed cells."""
    best: frozenset[Action] = frozenset()
    """The washed cells whose numbers have a white edge."""
    inviting: bool = True
    """Whether a click would do something: cells then answer the pointer."""
    allows_red: bool = False
    """Whether a red cell answers the pointer too."""


class BoardView(tk.Canvas):
    """A board that fills its widget.

    *on_cell* and *on_other* are called with the cell that the main and the other mouse button,
    or a key, have chosen.
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
        self._changed: Tile | None = None
        """What the cell of the last move showed before, while it changes."""
        self._since = 0.0
        """When the animation began."""
        self._timer: str | None = None
        self._is_by_key = False
        """Whether the last event was a key: then the cursor is shown."""
        self._typed: tuple[str, float] = ("", 0.0)
        self._lamps = LampPictures(self, self.redraw)
        self._shapes = SmoothShapes(self)
        self.set_look(look)
        self._bind_events()

    @property
    def picture(self) -> Picture:
        """The picture shown at the moment."""
        return self._picture

    @property
    def is_animating(self) -> bool:
        """Whether a lamp is still changing, or a row lighting up."""
        return self._timer is not None

    @property
    def hovered_cell(self) -> int | None:
        """The cell under the pointer if a click there would do something."""
        cell = self._hovered
        return cell if cell is not None and self._answers(cell) else None

    def show(self, picture: Picture) -> None:
        """Show *picture*; a lamp that one move has changed grows, unless that is switched off.

        A row that the move completes lights up, lamp by lamp and once.
        """
        before, self._picture = self._picture, picture
        cell = picture.last
        is_move = (
            cell is not None
            and colour_of(before.state, cell) != RED
            and play(before.state, cell) == picture.state
        )
        if self.animated and cell is not None and is_move:
            self._stop()
            self._changed, self._since = Tile(colour_of(before.state, cell)), self._now()
            self._timer = self.after(_FRAME_MS, self._next_frame)
        elif before.state != picture.state or not picture.lines:
            self._stop()
        self.redraw()

    def set_look(self, look: Look) -> None:
        """Draw with *look* from now on."""
        self._look = look
        self.configure(background=look.colours.window)
        self.redraw()

    def finish_animation(self) -> None:
        """Show the end of a running animation at once."""
        if self.is_animating:
            self._stop()
            self.redraw()

    # --- geometry ---

    def cell_side(self) -> int:
        """Return the side of a cell in pixels; the cells are square."""
        width, height = self._size()
        pad = sum(self.margins())
        return max(8, int(min((width - pad) / COLUMNS, (height - pad) / ROWS)))

    def margins(self, height: float | None = None) -> tuple[float, float]:
        """Return the room left of and above the cells, and that right of and below them.

        They are those of a board of *height* pixels, by default of this one.
        """
        least = BESIDE * self._look.scale
        if not self._look.coordinates:
            return least, least
        is_low = (height or self._size()[1]) < SMALL * self._look.scale
        return PADDING * self._look.scale * (0.75 if is_low else 1), least

    def _origin(self) -> tuple[float, float]:
        """Return the corner of the first cell: names and cells are in the middle together."""
        before, after = self.margins()
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
        """Return the cell whose square holds the point, or None outside the board."""
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
        """Draw everything again."""
        self.delete("all")
        side, look, picture = self.cell_side(), self._look, self._picture
        overlays = OverlayPainter(self, look, self._shapes)
        places = [Place(*self.cell_centre(cell), side) for cell in range(CELLS)]
        if look.coordinates:
            overlays.coordinates(places)
        lit = self._lit()
        for cell, (x, y, _) in enumerate(places):
            tile = self._tile(cell, lit)
            image = self._lamps.get(tile, side, look)
            if self._changed is not None and cell == picture.last:
                share = (self._now() - self._since) / GROWING_S
                if share < 1:
                    image = self._lamps.opening(self._changed, tile, share, side, look)
            self.create_image(round(x - side / 2), round(y - side / 2), image=image, anchor="nw")
            if cell not in picture.numbers or side >= SIGN_AND_NUMBER * look.scale:
                draw_sign(self, look, tile, x, y, side)
        if picture.last is not None:
            overlays.brackets(places[picture.last])
        for cell in picture.hints:
            overlays.hint(places[cell])
        for line in picture.lines:
            overlays.line([places[cell] for cell in line][:lit])
        if focused_widget(self) is self and self._is_by_key:
            overlays.cursor(places[self.cursor_cell])
        for cell, text in picture.numbers.items():
            value = picture.wash.get(cell, 0.0)
            overlays.number(places[cell], text, value, cell in picture.best)

    def _tile(self, cell: int, lit: int) -> Tile:
        """Return what *cell* shows while the first *lit* lamps of a row that wins are lit."""
        picture = self._picture
        is_won = any(cell in line[:lit] for line in picture.lines)
        value = picture.wash.get(cell)
        return Tile(
            colour_of(picture.state, cell),
            is_hovered=cell == self.hovered_cell,
            is_won=is_won,
            is_dim=lit == LAMPS_IN_LINE and bool(picture.lines) and not is_won,
            wash=None if value is None else round(4 * value),
        )

    def _lit(self) -> int:
        """Return how many lamps of a row that wins are lit now, from its start."""
        if not self.is_animating:
            return LAMPS_IN_LINE
        return min(LAMPS_IN_LINE, int((self._now() - self._since) / LIGHTING_S))

    def _answers(self, cell: int) -> bool:
        picture = self._picture
        return picture.inviting and (picture.allows_red or colour_of(picture.state, cell) != RED)

    def _next_frame(self) -> None:
        elapsed = self._now() - self._since
        lasts = LAMPS_IN_LINE * LIGHTING_S if self._picture.lines else GROWING_S
        self._timer = self.after(_FRAME_MS, self._next_frame) if elapsed < lasts else None
        self.redraw()

    def _stop(self) -> None:
        if self._timer is not None:
            self.after_cancel(self._timer)
        self._timer, self._changed = None, None

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
