"""Read the tables of the older program, in little memory.

    {"0000/0000/0000|1": {"0,0": -0.25, "1,3": 0.5}, "1000/0000/0000|2": {...}, ...}

A key is the board and the player to move, who follows from the board. A row holds values by
"row,column", counted from 0. Mirror images, which that program learns one by one, share one row
here. If two of them disagree on a move, the value farther from 0 stays, because more games taught
it. Its values are estimates: even +1 and -1 prove nothing, and the meta says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, Final, NoReturn

from traffic_lights.board.rules import COLUMNS, State, format_board, is_terminal, red_cells
from traffic_lights.board.symmetry import map_action, to_canonical
from traffic_lights.learning.qtable import QTable

_START: Final = re.compile(rb'\s*\{\s*"\d{4}/\d{4}/\d{4}\|')
_CELL_AND_VALUE: Final = rb'\s*"[0-2],[0-3]"\s*:\s*-?\d(?:\.\d{1,25})?(?:[eE][-+]?\d{1,3})?'
_ROW: Final = re.compile(
    rb'\s*"([0-3]{4})/([0-3]{4})/([0-3]{4})\|[12]"\s*:\s*'
    rb"\{((?:%b(?:\s*,%b)*)?)\s*\}\s*([,}])" % (_CELL_AND_VALUE, _CELL_AND_VALUE)
)
_PARTS: Final = re.compile(rb'"(\d),(\d)"\s*:\s*([-+.\deE]+)')
_LONGEST_ROW: Final = 1 << 14
_CHUNK: Final = 1 << 20

Refuse = Callable[[str], NoReturn]


_SUMMARY: Final = (
    "{rows:,} rows of the older program: {taken:,} taken, {merged:,} merged with a mirror image, "
    "{zeros:,} with only zeros, {refused:,} refused; {conflicts:,} values in conflict"
)
"""Each row is counted once, and each move for which merged rows had different values."""


def origin(meta: dict[str, Any]) -> str:
    """Return in words what the table with *meta* was imported from; empty if it was not."""
    try:
        return _SUMMARY.format(**meta["imported"])
    except (LookupError, TypeError, ValueError):
        return ""


def is_old(file: BinaryIO) -> bool:
    """Return whether *file*, which can seek and is at its start, begins like an older table."""
    start = file.read(1024)
    file.seek(0)
    return _START.match(start) is not None


def read_old(file: BinaryIO, table: QTable, refuse: Refuse) -> None:
    """Fill *table* from *file*, whose start `is_old`; call *refuse* with what is wrong with it."""
    names = ("rows", "taken", "merged", "zeros", "refused", "conflicts")
    imported = dict.fromkeys(names, 0)
    first_fault = ""
    for state, values in _rows(file, refuse):
        imported["rows"] += 1
        if fault := _fault(state, values):
            imported["refused"] += 1
            first_fault = first_fault or f"row {imported['rows']:,} {fault}"
        elif not any(values.values()):
            imported["zeros"] += 1
        else:
            _take(table, state, values, imported)
    if first_fault and 2 * imported["refused"] >= imported["rows"]:
        refuse(first_fault)
    # "safe" is how that program breaks ties; without it an imported table plays far below itself.
    table.meta = {"estimates": True, "ties": "safe", "imported": imported}


def _rows(file: BinaryIO, refuse: Refuse) -> Iterator[tuple[State, dict[int, float]]]:
    """Yield each row; refuse anything but a list of rows to the end of the file."""
    buffer = file.read(_CHUNK)
    at, number = buffer.index(b"{") + 1, 1
    is_last = False
    while not is_last:
        row = _ROW.match(buffer, at)
        if row is None:
            # No row is longer than this, so if the text has no row, more text cannot complete one.
            chunk = file.read(_CHUNK) if len(buffer) - at < _LONGEST_ROW else b""
            if not chunk:
                refuse(
                    f"row {number:,} is not a row of the older program, such as "
                    '"0000/0000/0000|1": {"0,0": 0.5}, or the file is cut short there'
                )
            buffer, at = buffer[at:] + chunk, 0
            continue
        values = {int(r) * COLUMNS + int(c): float(v) for r, c, v in _PARTS.findall(row[4])}
        yield int(row[1] + row[2] + row[3], 4), values
        at, is_last, number = row.end(), row[5] == b"}", number + 1
    if buffer[at:].strip() or any(chunk.strip() for chunk in iter(lambda: file.read(_CHUNK), b"")):
        refuse("there is more after its end")


def _fault(state: State, values: dict[int, float]) -> str:
    """Return why the rules do not allow the row of *state*; empty if they do."""
    if values and is_terminal(state):
        return f"has moves on {format_board(state)}, a finished board"
    if any(red_cells(state) >> cell & 1 for cell in values):
        return f"moves a red cell of {format_board(state)}"
    if any(abs(value) > 1.0 for value in values.values()):
        return f"has a value of {format_board(state)} that is not from -1 to 1"
    return ""


def _take(table: QTable, state: State, values: dict[int, float], imported: dict[str, int]) -> None:
    image, mirror = to_canonical(state)
    known = table.canonical_row(image)
    imported["merged" if known else "taken"] += 1
    for cell, value in values.items():
        action = map_action(cell, mirror)
        before = known.get(action, 0.0)
        imported["conflicts"] += bool(before and before != value)
        # If two values are opposite, the win stays, so that the order of the rows does not matter.
        if abs(value) > abs(before) or (value > 0 and value == -before):
            table.set_value(image, action, value)
