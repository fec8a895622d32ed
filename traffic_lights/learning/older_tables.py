"""Read the tables of the older program.

It writes `{"0000/0000/0000|1": {"0,0": -0.25, "1,3": 0.5}, ...}`: the board and the player to move,
who follows from the board, and values by "row,column", counted from 0. Mirror images, which that
program learns one by one, share one row here. If two of them disagree on a move, the value farther
from 0 stays, because more games taught it. Its values are estimates: even +1 and -1 prove nothing,
and the meta says so.
"""

import re
from collections.abc import Iterator
from typing import Any, BinaryIO, Final

from traffic_lights.board.rules import COLUMNS, Action, State, format_board, is_terminal, red_cells
from traffic_lights.board.symmetry import map_action, to_canonical
from traffic_lights.learning.rowtable import RowTable

_CHUNK: Final = 1 << 18
"""How many bytes are read at a time."""
_ROWS_START: Final = re.compile(rb'\s*\{\s*"\d{4}/\d{4}/\d{4}\|')
_CELL_AND_VALUE: Final = rb'\s*"[0-2],[0-3]"\s*:\s*-?\d(?:\.\d{1,25})?(?:[eE][-+]?\d{1,3})?'
_ROW: Final = re.compile(
    rb'\s*"([0-3]{4})/([0-3]{4})/([0-3]{4})\|[12]"\s*:\s*'
    rb"\{((?:%b(?:\s*,%b)*)?)\s*\}\s*([,}])" % (_CELL_AND_VALUE, _CELL_AND_VALUE)
)
_VALUES: Final = re.compile(rb'"(\d),(\d)"\s*:\s*([-+.\deE]+)')
_LONGEST_ROW: Final = 1 << 14

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


def is_older(file: BinaryIO) -> bool:
    """Return whether *file*, which can seek and is at its start, begins like an older table."""
    start = file.read(1024)
    file.seek(0)
    return _ROWS_START.match(start) is not None


def read_older(file: BinaryIO) -> RowTable:
    """Return the table in *file*, whose start `is_older`; raise ValueError if it is damaged."""
    table = RowTable()
    names = ("rows", "taken", "merged", "zeros", "refused", "conflicts")
    imported = dict.fromkeys(names, 0)
    fault = ""
    for state, values in _rows(file):
        imported["rows"] += 1
        red = red_cells(state)
        is_legal = not any(red >> a & 1 or abs(v) > 1.0 for a, v in values.items())
        if not is_legal or (values and is_terminal(state)):
            imported["refused"] += 1
            fault = fault or f"row {imported['rows']:,}, {format_board(state)},"
        elif not any(values.values()):
            imported["zeros"] += 1
        else:
            _merge(table, state, values, imported)
    if fault and 2 * imported["refused"] >= imported["rows"]:
        raise ValueError(
            f"{fault} is a finished board, or has a value for a red cell or one that is not from "
            "-1 to 1"
        )
    # "safe" is how that program breaks ties; without it an imported table plays far below itself.
    table.meta = {"estimates": True, "ties": "safe", "imported": imported}
    return table


def _rows(file: BinaryIO) -> Iterator[tuple[State, dict[Action, float]]]:
    """Yield each row; raise ValueError for anything but rows to the end of the file."""
    buffer = file.read(_CHUNK)
    at = buffer.index(b"{") + 1
    number = 1
    is_last = False
    while not is_last:
        row = _ROW.match(buffer, at)
        if row is None:
            # No row is longer than this, so if the text has no row, more text cannot complete one.
            chunk = file.read(_CHUNK) if len(buffer) - at < _LONGEST_ROW else b""
            if not chunk:
                raise ValueError(
                    f"row {number:,} is not a row of the older program, such as "
                    '"0000/0000/0000|1": {"0,0": 0.5}, or the file is cut short there'
                )
            buffer = buffer[at:] + chunk
            at = 0
            continue
        state = int(row[1] + row[2] + row[3], 4)
        values: dict[Action, float] = {}
        for cell_row, column, value in _VALUES.findall(row[4]):
            values[int(cell_row) * COLUMNS + int(column)] = float(value)
        yield state, values
        at = row.end()
        is_last = row[5] == b"}"
        number += 1
    chunk = buffer[at:] or file.read(_CHUNK)
    while chunk:
        if chunk.strip():
            raise ValueError("there is more after its end")
        chunk = file.read(_CHUNK)


def _merge(
    table: RowTable, state: State, values: dict[Action, float], imported: dict[str, int]
) -> None:
    image, mirror = to_canonical(state)
    known = table.canonical_row(image)
    imported["merged" if known else "taken"] += 1
    for action, value in values.items():
        turned = map_action(action, mirror)
        before = known.get(turned, 0.0)
        if before and before != value:
            imported["conflicts"] += 1
        # If two values are opposite, the win stays, so that the order of the rows does not matter.
        if abs(value) > abs(before) or (value > 0 and value == -before):
            table.set_value(image, turned, value)
