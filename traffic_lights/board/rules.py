"""The rules of Traffic Lights: ints in, ints out.

A *state* is an int of 24 bits, two for each cell, with cell 0 (a1) in the two highest, so that
sorting states sorts their board texts. An *action* is the cell that it advances by one colour. The
functions trust their arguments to be states; `parse_board`, `parse_cell` and `play` check what
comes from outside.

>>> state = play(EMPTY_BOARD, parse_cell("b2"))
>>> format_board(state)
'000001000000'
>>> print(draw_board(state))
    a b c d
  1 . . . .
  2 . G . .
  3 . . . .
"""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final, TypeAlias, TypeVar

T = TypeVar("T")
State: TypeAlias = int
Action: TypeAlias = int
Line: TypeAlias = tuple[int, int, int]

ROWS: Final = 3
COLUMNS: Final = 4
CELLS: Final = ROWS * COLUMNS
STATE_CODES: Final = 4**CELLS
EMPTY_BOARD: Final = 0
LONGEST_GAME: Final = 32
"""The most plies of a game; before all 36 steps are made, a line is always complete."""

EMPTY: Final = 0
GREEN: Final = 1
YELLOW: Final = 2
RED: Final = 3
COLOUR_NAMES: Final = ("off", "green", "yellow", "red")
COLOUR_LETTERS: Final = ".GYR"

SHIFTS: Final = tuple(2 * (CELLS - 1 - cell) for cell in range(CELLS))
"""The position of each cell's lower bit in a state."""
STEPS: Final = tuple(1 << shift for shift in SHIFTS)
"""What a move of each cell adds to the state."""

COLUMN_NAMES: Final = "abcd"
CELL_NAMES: Final = tuple(f"{column}{row}" for row in range(1, ROWS + 1) for column in COLUMN_NAMES)


class RulesError(ValueError):
    """An action that is not legal, or a text that is neither a board nor a cell."""


def _lines() -> Iterator[Line]:
    """Yield the lines from the geometry, because a wrong one in a list would be hard to see."""
    for down, right in ((0, 1), (1, -1), (1, 0), (1, 1)):
        stride = down * COLUMNS + right
        for cell in range(CELLS):
            row, column = divmod(cell, COLUMNS)
            if row + 2 * down < ROWS and 0 <= column + 2 * right < COLUMNS:
                yield (cell, cell + stride, cell + 2 * stride)


LINES: Final[tuple[Line, ...]] = tuple(sorted(_lines()))
"""The 14 triples of adjacent cells, each in ascending order."""

_LOW_BITS: Final = sum(STEPS)


def _line_families() -> Iterator[tuple[int, int]]:
    """Yield for each direction the bits between neighbours, and the low bits of first cells."""
    for stride in sorted({second - first for first, second, _ in LINES}):
        firsts = [first for first, second, _ in LINES if second - first == stride]
        yield 2 * stride, sum(STEPS[cell] for cell in firsts)


_LINE_FAMILIES: Final = tuple(_line_families())


def colour_of(state: State, cell: int) -> int:
    """Return the colour of *cell*, from EMPTY (0) to RED (3)."""
    return state >> SHIFTS[cell] & 3


def half_sums(*cells: Sequence[int]) -> tuple[int, ...]:
    """Return a sum for each content of half a board, in the order of their codes.

    Each of *cells* has the number to add for each colour of that cell.
    """
    # The table grows by a cell at a time. To look at each cell of each code would take five times
    # as long, and twelve of these tables are made at every start.
    sums = [0]
    for numbers in cells:
        sums = [before + number for before in sums for number in numbers]
    return tuple(sums)


def by_mask(items: Sequence[T]) -> tuple[tuple[T, ...], ...]:
    """Return those of *items* in each mask, bit i for item i, in the order of the masks."""
    found: list[tuple[T, ...]] = [()]
    for item in items:
        found += [(*one, item) for one in found]
    return tuple(found)


HALVES: Final = (range(6), range(6, 12))
HALF_REDS: Final = tuple(half_sums(*((0, 0, 0, 1 << cell) for cell in half)) for half in HALVES)
"""The masks of red cells by the first and by the second half of a state."""


def red_cells(state: State) -> int:
    """Return the mask of red cells, bit i for cell i: the actions that are illegal."""
    return HALF_REDS[0][state >> 12] | HALF_REDS[1][state & 4095]


ALL_CELLS: Final = (1 << CELLS) - 1
ACTIONS_OF: Final = by_mask(range(CELLS))
"""The actions in a mask (bit i for cell i), in ascending order."""


def legal_actions(state: State) -> tuple[Action, ...]:
    """Return the cells that are not red, in ascending order, even if the game is over."""
    return ACTIONS_OF[ALL_CELLS ^ red_cells(state)]


def play(state: State, action: Action) -> State:
    """Return the state after *action*, even if the game is over.

    Raise RulesError if the cell is off the board or already red.
    """
    if not 0 <= action < CELLS:
        raise RulesError(f"action {action!r} is not a cell from 0 to {CELLS - 1}")
    if colour_of(state, action) == RED:
        legal = ", ".join(CELL_NAMES[cell] for cell in legal_actions(state))
        raise RulesError(f"cell {CELL_NAMES[action]} is red, and red is final; play one of {legal}")
    return state + STEPS[action]


def is_terminal(state: State) -> bool:
    """Return whether any line is complete."""
    # All lines of a direction are tested at once: shifted by its stride once and twice, the second
    # and third cell of each line come to lie over the first. Shifts carry bits over the edges of
    # the board. Asking only the first cells of real lines drops what wrapped around.
    filled = state | state >> 1
    for shift, first_cells in _LINE_FAMILIES:
        differs = (state ^ state << shift) | (state ^ state << 2 * shift)
        if filled & ~(differs | differs >> 1) & first_cells:
            return True
    return False


def can_arise(state: State) -> bool:
    """Return whether a game can come to *state*: if it is over, the last move ended it."""
    before = (state - step for step in STEPS if state & 3 * step)
    return not is_terminal(state) or not all(map(is_terminal, before))


def complete_lines(state: State) -> tuple[Line, ...]:
    """Return the lines of three equal lamps that are not off: none, one or several."""
    lines = ((line, {colour_of(state, cell) for cell in line}) for line in LINES)
    return tuple(line for line, colours in lines if len(colours) == 1 and EMPTY not in colours)


def ply(state: State) -> int:
    """Return how many moves led to *state*, from 0 to 36; even means the first player moves."""
    return (state & _LOW_BITS).bit_count() + 2 * (state >> 1 & _LOW_BITS).bit_count()


def mover(state: State) -> int:
    """Return the seat to move: 0 for the first player, 1 for the second."""
    return ply(state) & 1


HALF_TEXTS: Final = tuple(map("".join, product("0123", repeat=6)))
"""The text of six cells by their code."""
HALF_CODES: Final = {text.encode("ascii"): half for half, text in enumerate(HALF_TEXTS)}
"""The code of six cells by their text, to read boards from bytes."""


def format_board(state: State) -> str:
    """Return *state* as 12 digits from 0 (off) to 3 (red), row by row."""
    return HALF_TEXTS[state >> 12] + HALF_TEXTS[state & 4095]


def parse_board(text: str) -> State:
    """Return the board, even a finished one, that *text* describes; raise RulesError if none."""
    rows = text.split("/")
    has_rows = [len(row) for row in rows] == [COLUMNS] * ROWS
    digits = "".join(rows) if has_rows else text
    if len(digits) != CELLS or not set(digits) <= set("0123"):
        raise RulesError(
            f"{text[:40]!r} is not a board: expected {CELLS} digits from 0 to 3, such as "
            "000000000000 or 0000/0000/0000"
        )
    return int(digits, 4)


def format_cell(cell: int) -> str:
    """Return the name of *cell*, from a1 to d3."""
    return CELL_NAMES[cell]


def parse_cell(text: str) -> int:
    """Return the cell that *text* names, in either case; raise RulesError otherwise."""
    try:
        return CELL_NAMES.index(text.strip().lower())
    except ValueError:
        raise RulesError(
            f"{text[:40]!r} is not a cell: use a column from a to d and a row from 1 to 3, like b2"
        ) from None


def draw_board(state: State) -> str:
    """Return *state* as lines of text, with the names of columns and rows."""
    rows = ["    " + " ".join(COLUMN_NAMES)]
    for row in range(ROWS):
        cells = range(row * COLUMNS, (row + 1) * COLUMNS)
        letters = [COLOUR_LETTERS[colour_of(state, cell)] for cell in cells]
        rows.append(f"  {row + 1} " + " ".join(letters))
    return "\n".join(rows)
