"""The file format of Q-tables: one valid JSON document, one row a line, a checksum at its end.

    {"format": "traffic-lights-qtable", "version": 2,
     "meta": {"games": 1000, "seed": 7, "alpha": 1.0},
     "q": {
    "000000000012": {"0": 0.25, "5": -1.0},
    "000000000123": {"4": 1.0}
    },
     "lost": {
    "000000000000": {"0": 0.961, "5": 0.994}
    },
    "sha256": "..."}

Rows are canonical boards in ascending order, in *q* with their values by action;
an absent value is 0. *lost* holds the boards all of whose actions are proven
losses, which do not stand in q, with the win_rates that practice or lessons found,
from 0 to 1; an absent one was not played. A file of version 1 has no part lost.

The checksum covers every byte before its line, so a table is written and read
as a stream. Reading trusts nothing: whatever a file holds, the answer is a
table or one StorageError, and memory stays bounded.
"""

from __future__ import annotations

import hashlib
import json
import os
from array import array
from collections.abc import Iterator
from importlib.resources.abc import Traversable
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, Final

from traffic_lights.board.rules import ACTIONS_OF, ALL_CELLS, HALF_TEXTS, format_board, red_cells
from traffic_lights.learning import win_rates
from traffic_lights.learning.manyvalues import ManyValues
from traffic_lights.learning.oldtable import is_old
from traffic_lights.learning.qtable import LOST, WINS_SHIFT, QTable
from traffic_lights.learning.tablereader import FORMAT, VERSION, TableReader
from traffic_lights.storage.files import StorageError as StorageError
from traffic_lights.storage.files import explained, open_file, write_atomically

_LARGEST_FILE: Final = 2 << 30
_DENSE_FROM: Final = 24 << 20
"""A table from this file size on is read into a dense one, which is then smaller."""
_LEAN_FROM: Final = 48 << 20
"""A table from this file size on may hold more estimates than fit a dict of 300 MB."""
_CHECKSUM_LINE: Final = len(f'"sha256": "{"":64}"}}\n')
_ROWS_A_CHUNK: Final = 8192


class TableText:
    """The text of a table's file, made while it is written."""

    def __init__(self, table: QTable) -> None:
        self._table = table
        self._lost = array("i")
        self.rows = 0
        """How many rows were made so far."""

    def chunks(self) -> Iterator[bytes]:
        """Yield the bytes of the file, a few hundred kilobytes at a time."""
        # The checksum grows with the text, which is never in memory as a whole.
        digest = hashlib.sha256()
        for chunk in self._before_checksum():
            digest.update(chunk)
            yield chunk
        yield f'"sha256": "{digest.hexdigest()}"}}\n'.encode()

    def _before_checksum(self) -> Iterator[bytes]:
        meta = json.dumps(self._table.meta, allow_nan=False)
        head = f'{{"format": "{FORMAT}", "version": {VERSION},\n "meta": {meta},\n "q": {{\n'
        yield from self._part(head, self._row_lines())
        yield from self._part(' "lost": {\n', self._lost_lines())

    def _part(self, opening: str, lines: Iterator[str]) -> Iterator[bytes]:
        """Yield *opening*, the *lines* of rows, and what closes them."""
        separator = opening
        while chunk := list(islice(lines, _ROWS_A_CHUNK)):
            self.rows += len(chunk)
            yield (separator + ",\n".join(chunk)).encode("ascii")
            separator = ",\n"
        yield (f"{opening}}},\n" if separator == opening else "\n},\n").encode("ascii")

    def _row_lines(self) -> Iterator[str]:
        """Yield the text of each row that is not lost; those with the same proofs share it."""
        table, halves, texts, lost = self._table, HALF_TEXTS, _TextsBySigns(), self._lost
        if table.has_estimates:
            for state in table.states():
                if table.is_lost(state):
                    lost.append(state)
                else:
                    row = ", ".join(
                        # repr gives the shortest text that reads back as the same float.
                        [f'"{a}": {v!r}' for a, v in table.canonical_row(state).items()]
                    )
                    yield f'"{format_board(state)}": {{{row}}}'
        else:
            for state, proofs in table.rows():
                if proofs <= ALL_CELLS and proofs | red_cells(state) == LOST:
                    # Keep lost rows for later, because a second walk takes half a second.
                    lost.append(state)
                else:
                    yield f'"{halves[state >> 12]}{halves[state & 4095]}": {texts[proofs]}'

    def _lost_lines(self) -> Iterator[str]:
        """Yield the text of each lost row, when those that are not were made."""
        for state in self._lost:
            row = win_rates.as_dict(self._table.win_rate_row(state))
            values = ", ".join([f'"{action}": {rate}' for action, rate in row.items()])
            yield f'"{format_board(state)}": {{{values}}}'


class _TextsBySigns(dict[int, str]):
    """The text of a row by the proofs of its legal actions, made when first asked for."""

    def __missing__(self, proofs: int) -> str:
        wins = proofs >> WINS_SHIFT
        values = {
            str(a): 1.0 if wins >> a & 1 else -1.0 for a in ACTIONS_OF[proofs & ALL_CELLS | wins]
        }
        self[proofs] = json.dumps(values)
        return self[proofs]


def write_table(path: Path, table: QTable) -> None:
    """Replace the file *path* by *table*, durably and as a whole; raise StorageError."""
    write_atomically(path, TableText(table).chunks())


def read_table(source: Path | Traversable, *, dense: bool | None = None) -> QTable:
    """Return the table in the file *source*, *dense* or, by default, as its size asks for.

    A table of the older program is taken too (see `oldtable`); its meta then
    says how much was ``imported``. Raise StorageError, a sentence that names the
    file, if it cannot be read or is not such a table.
    """
    with open_file(source) as file:
        reader = TableReader(file, str(source))
        size = _size_of(file)
        if size > _LARGEST_FILE:
            reader.refuse(f"it has {size:,} bytes, more than any table")
        table = QTable(dense=size > _DENSE_FROM if dense is None else dense)
        if size > _LEAN_FROM:
            table.estimates = ManyValues()
        with explained("read", Path(str(source))):
            reader.read_into(table)
        return table


def read_meta(path: Path) -> dict[str, Any]:
    """Return the meta of the table file *path* without reading its rows; raise StorageError.

    Of a table of the older program it is empty.
    """
    with open_file(path) as file:
        return {} if is_old(file) else TableReader(file, str(path)).read_header()[1]


def read_checksum(path: Path) -> str:
    """Return the checksum that the table file *path* ends with, without verifying it.

    For a file without one it is that of the whole.
    """
    with open_file(path) as file, explained("read", path):
        # Read only the end, because the file may have 100 MB.
        file.seek(max(0, _size_of(file) - _CHECKSUM_LINE))
        line = file.read(_CHECKSUM_LINE)
        if line.startswith(b'"sha256": "'):
            return line[11:75].decode("ascii", "replace")
        file.seek(0)
        return hashlib.file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]


def _size_of(file: BinaryIO) -> int:
    try:
        size = file.seek(0, os.SEEK_END)
        file.seek(0)
    except (OSError, ValueError):
        return 0
    return size
