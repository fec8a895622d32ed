"""Read the tables of the older program, as strictly as our own and in as little memory.

    {"0000/0000/0000|1": {"0,0": -0.25, "1,3": 0.5}, "1000/0000/0000|2": {...}, ...}

A key is the board, its rows divided by slashes, and the player to move, 1 or
2. A row holds values by "row,column", counted from 0. The file may be one line.

Values belong to the side to move, which follows from the board, so the player
in a key adds nothing. That program learns each mirror image of a position by
itself; here they share one row. If two of them disagree on a move, the value
farther from 0 stays, because more games taught it, and the conflict is counted.
Its values are estimates: even +1 and -1 prove nothing, and the meta says so.

A row that the rules do not allow is left out and counted. A file of another
form is refused. So is a file that lost half of its rows this way.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Any, BinaryIO, Final, NoReturn

from traffic_lights.board.rules import (
    COLUMNS,
    STATE_CODES,
    State,
    format_board,
    is_terminal,
    parse_board,
    red_cells,
)
from traffic_lights.board.symmetry import map_action, to_canonical
from traffic_lights.learning.qtable import QTable

_START: Final = re.compile(rb'\s*\{\s*"\d{4}/\d{4}/\d{4}\|')
_ROW: Final = re.compile(
    rb'\s*"([0-3]{4})/([0-3]{4})/([0-3]{4})\|([12])"\s*:\s*\{([^{}]{0,10000})\}\s*([,}])'
)
_VALUE: Final = re.compile(
    rb'\s*"([0-2]),([0-3])"\s*:\s*(-?\d(?:\.\d{1,25})?(?:[eE][-+]?\d{1,3})?)\s*(,|$)'
)
_LONGEST_START: Final = 1024
_LONGEST_ROW: Final = 1 << 14
_CHUNK: Final = 1 << 20

Refuse = Callable[[str], NoReturn]


@dataclass(slots=True)
class Imported:
    """What became of the rows of an older table; each row is counted once."""

    rows: int = 0
    taken: int = 0
    merged: int = 0
    """Rows whose position had a row already, as a mirror image or with the other player."""
    zeros: int = 0
    """Rows without any value other than 0."""
    refused: int = 0
    """Rows that the rules do not allow; none of their values was taken."""
    conflicts: int = 0
    """Moves for which merged rows had different values."""

    def __str__(self) -> str:
        return (
            f"{self.rows:,} rows of the older program: {self.taken:,} taken, {self.merged:,} "
            f"merged with a mirror image, {self.zeros:,} with only zeros, {self.refused:,} "
            f"refused; {self.conflicts:,} values in conflict"
        )


def import_counts(meta: dict[str, Any]) -> Imported | None:
    """Return what the table with *meta* was imported from; None if it was not imported."""
    counts = meta.get("imported")
    if not isinstance(counts, dict) or counts.keys() != asdict(Imported()).keys():
        return None
    return Imported(**counts) if all(type(n) is int for n in counts.values()) else None


def origin(meta: dict[str, Any]) -> str:
    """Return in words what the table with *meta* was imported from; empty if it was not."""
    return str(import_counts(meta) or "")


def is_old(file: BinaryIO) -> bool:
    """Return whether *file*, which can seek and is at its start, begins like an older table."""
    start = file.read(_LONGEST_START)
    file.seek(0)
    return _START.match(start) is not None


def read_old(file: BinaryIO, table: QTable, refuse: Refuse) -> Imported:
    """Fill the empty *table* from *file*; call *refuse* with what is wrong otherwise."""
    imported = Imported()
    # A bit for each board and player takes 4 MB; a set of millions of keys took hundreds.
    seen = bytearray(2 * STATE_CODES // 8)
    first = ""
    for row in _rows(file, imported, refuse):
        try:
            _take(table, _new_state(row, seen), row[5], imported)
        except _RowError as error:
            imported.refused += 1
            first = first or f"row {imported.rows:,} {error}"
    if imported.refused and 2 * imported.refused >= imported.rows:
        refuse(first)
    # "safe" is how that program breaks ties; without it an imported table plays far below itself.
    table.meta = {"estimates": True, "ties": "safe", "imported": asdict(imported)}
    return imported


class _RowError(ValueError):
    """A row that the rules do not allow; the message follows its number."""


def _new_state(row: re.Match[bytes], seen: bytearray) -> State:
    """Return the state of *row*, which must be new, and mark it in *seen*."""
    state = parse_board((row[1] + row[2] + row[3]).decode("ascii"))
    key = state << 1 | (row[4] == b"2")
    if seen[key >> 3] >> (key & 7) & 1:
        raise _RowError(f"has {format_board(state)} with one player to move a second time")
    seen[key >> 3] |= 1 << (key & 7)
    return state


def _rows(file: BinaryIO, imported: Imported, refuse: Refuse) -> Iterator[re.Match[bytes]]:
    """Yield each row, counting it; refuse anything but a list of rows to the end of the file."""
    buffer = file.read(_CHUNK)
    at = buffer.index(b"{") + 1
    is_last = False
    while not is_last:
        row = _ROW.match(buffer, at)
        if row is None:
            # A row has a longest length. If so much text has no row, more text makes none.
            chunk = file.read(_CHUNK) if len(buffer) - at < _LONGEST_ROW else b""
            if not chunk:
                refuse(
                    f"row {imported.rows + 1:,} is not a row of the older program, such as "
                    '"0000/0000/0000|1": {"0,0": 0.5}, or the file is cut short there'
                )
            buffer, at = buffer[at:] + chunk, 0
            continue
        imported.rows += 1
        yield row
        at, is_last = row.end(), row[6] == b"}"
    if buffer[at:].strip() or any(chunk.strip() for chunk in iter(lambda: file.read(_CHUNK), b"")):
        refuse("there is more after its end")


def _take(table: QTable, state: State, text: bytes, imported: Imported) -> None:
    """Set the values of one row in the table: all of them, or none if any cannot be."""
    values = _values(text)
    if values and is_terminal(state):
        raise _RowError(f"has moves on {format_board(state)}, a finished board")
    if any(red_cells(state) >> cell & 1 for cell in values):
        raise _RowError(f"moves a red cell of {format_board(state)}")
    if not any(values.values()):
        imported.zeros += 1
        return
    image, mirror = to_canonical(state)
    known = table.canonical_row(image)
    imported.merged += bool(known)
    imported.taken += not known
    for cell, value in values.items():
        action = map_action(cell, mirror)
        before = known.get(action, 0.0)
        imported.conflicts += bool(before and before != value)
        # Of opposite values the win stays, so that the order of the rows makes no difference.
        if abs(value) > abs(before) or (value > 0 and value == -before):
            table.set_value(image, action, value)


def _values(text: bytes) -> dict[int, float]:
    """Return the values by cell that stand between the braces of a row."""
    values: dict[int, float] = {}
    at, wants_more = 0, bool(text.strip())
    while wants_more:
        match = _VALUE.match(text, at)
        if match is None:
            raise _RowError('should hold values such as "0,0": 0.5')
        cell, value = int(match[1]) * COLUMNS + int(match[2]), float(match[3])
        if not -1.0 <= value <= 1.0:
            raise _RowError(f"has the value {value!r}, expected from -1 to 1")
        if cell in values:
            raise _RowError("names a move twice")
        values[cell] = value
        at, wants_more = match.end(), match[4] == b","
    return values
