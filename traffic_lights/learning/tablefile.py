"""The file format of Q-tables: one valid JSON document, one row a line, a checksum at its end.

    {"format": "traffic-lights-qtable", "version": 1,
     "meta": {"games": 1000, "seed": 7, "alpha": 1.0},
     "q": {
    "000000000000": {"0": -1.0, "5": -1.0},
    "000000000123": {"4": 1.0}
    },
    "sha256": "..."}

Rows are canonical boards in ascending order with their values by action; an
absent value is 0. The checksum covers every byte before its line, so a table
is written and read as a stream. Reading trusts nothing: whatever a file holds,
the answer is a table or one StorageError, and memory stays bounded.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
from collections.abc import Iterator
from importlib.resources.abc import Traversable
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, Final, NoReturn

from traffic_lights.board.positions import learnable
from traffic_lights.board.rules import (
    ACTIONS_OF,
    ALL_CELLS,
    CELLS,
    HALF_TEXTS,
    State,
    format_board,
    red_cells,
)
from traffic_lights.learning.oldtable import is_old, read_old
from traffic_lights.learning.qtable import WINS_SHIFT, QTable
from traffic_lights.storage.files import (
    DamagedFileError,
    explain,
    open_regular,
    parse_json,
    write_atomically,
)
from traffic_lights.storage.files import StorageError as StorageError

FORMAT: Final = "traffic-lights-qtable"
VERSION: Final = 1
MOST_ROWS: Final = 2_266_543
"""The canonical positions that are live: no table has more rows."""
_LARGEST_FILE: Final = 2 << 30
_LONGEST_LINE: Final = 1024
_LONGEST_HEADER: Final = 1 << 20
_DENSE_FROM: Final = 24 << 20
"""A table from this file size on is read into a dense one, which is then smaller."""
_CHECKSUM_LINE: Final = len(f'"sha256": "{"":64}"}}\n')
_ROWS_A_CHUNK: Final = 8192
HALF_CODES: Final = {text.encode("ascii"): half for half, text in enumerate(HALF_TEXTS)}
"""The code of six cells by their text, to read boards from bytes."""
_VALUE: Final = re.compile(rb'"(\d{1,2})": (-?\d(?:\.\d{1,25})?(?:[eE][-+]?\d{1,3})?)(, |\})')


class TableText:
    """The text of a table's file, made while it is written."""

    def __init__(self, table: QTable) -> None:
        self._table = table
        self.rows = 0
        """How many rows were made so far."""

    def chunks(self) -> Iterator[bytes]:
        """Yield the bytes of the file, a few hundred kilobytes at a time."""
        digest = hashlib.sha256()
        for chunk in self._before_checksum():
            digest.update(chunk)
            yield chunk
        yield f'"sha256": "{digest.hexdigest()}"}}\n'.encode()

    def _before_checksum(self) -> Iterator[bytes]:
        meta = json.dumps(self._table.meta, allow_nan=False)
        separator = f'{{"format": "{FORMAT}", "version": {VERSION},\n "meta": {meta},\n "q": {{\n'
        lines = self._row_lines()
        while chunk := list(islice(lines, _ROWS_A_CHUNK)):
            self.rows += len(chunk)
            yield (separator + ",\n".join(chunk)).encode("ascii")
            separator = ",\n"
        yield b"\n},\n" if self.rows else f"{separator}}},\n".encode("ascii")

    def _row_lines(self) -> Iterator[str]:
        """Yield the text of each row; rows without graded values share few texts, kept by signs."""
        table, halves, texts = self._table, HALF_TEXTS, _TextsBySigns()
        if table.graded:
            for state in table.states():
                row = {str(a): v for a, v in table.canonical_row(state).items()}
                yield f'"{format_board(state)}": {json.dumps(row)}'
        else:
            for state, signs in table.rows():
                yield f'"{halves[state >> 12]}{halves[state & 4095]}": {texts[signs]}'


class _TextsBySigns(dict[int, str]):
    """The text of a row by the signs of its legal actions, made when first asked for."""

    def __missing__(self, signs: int) -> str:
        wins = signs >> WINS_SHIFT
        values = {
            str(a): 1.0 if wins >> a & 1 else -1.0 for a in ACTIONS_OF[signs & ALL_CELLS | wins]
        }
        self[signs] = json.dumps(values)
        return self[signs]


def write_table(path: Path, table: QTable) -> None:
    """Replace the file *path* by *table*, durably and as a whole; raise StorageError."""
    write_atomically(path, TableText(table).chunks())


def read_table(source: Path | Traversable, *, dense: bool | None = None) -> QTable:
    """Return the table in the file *source*, *dense* or, by default, as its size asks for.

    A table of the older program is taken too (see `oldtable`); its meta then
    says how much was ``imported``. Raise StorageError, a sentence that names the
    file, if it cannot be read or is no such table.
    """
    with _open(source) as file:
        reader = _Reader(file, str(source))
        size = _size_of(file)
        if size > _LARGEST_FILE:
            reader.refuse(f"it has {size:,} bytes, more than any table")
        table = QTable(dense=size > _DENSE_FROM if dense is None else dense)
        try:
            reader.read_into(table)
        except OSError as error:
            raise StorageError(explain(error, "read", reader.path)) from error
        return table


def read_checksum(path: Path) -> str:
    """Return the checksum that the table file *path* ends with, without verifying it.

    For a file without one it is that of the whole.
    """
    descriptor = open_regular(path)
    try:
        size = os.fstat(descriptor).st_size
        os.lseek(descriptor, max(0, size - _CHECKSUM_LINE), os.SEEK_SET)
        line = os.read(descriptor, _CHECKSUM_LINE)
        if not line.startswith(b'"sha256": "'):
            os.lseek(descriptor, 0, os.SEEK_SET)
            with os.fdopen(os.dup(descriptor), "rb") as file:
                return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise StorageError(explain(error, "read", path)) from error
    finally:
        os.close(descriptor)
    return line[11:75].decode("ascii", "replace")


def _open(source: Path | Traversable) -> BinaryIO:
    if isinstance(source, Path):
        return os.fdopen(open_regular(source), "rb")
    try:
        return source.open("rb")  # type: ignore[return-value]
    except OSError as error:
        raise StorageError(explain(error, "read", Path(str(source)))) from error


def _size_of(file: BinaryIO) -> int:
    try:
        size = file.seek(0, os.SEEK_END)
        file.seek(0)
    except (OSError, ValueError):
        return 0
    return size


class _Reader:
    """Reads one table file line by line, with the number of the line for its complaints."""

    def __init__(self, file: BinaryIO, name: str) -> None:
        self.path = Path(name)
        self._file = file
        self._line_number = 0
        self._digest = hashlib.sha256()

    def refuse(self, what: str) -> NoReturn:
        """Raise the sentence that says what is wrong with the file."""
        raise DamagedFileError(f"{self.path} is not a readable Q-table: {what}")

    def _refuse_line(self, what: str) -> NoReturn:
        self.refuse(f"line {self._line_number:,} {what}")

    def read_into(self, table: QTable) -> None:
        """Fill *table* from the whole file; raise DamagedFileError otherwise."""
        if is_old(self._file):
            read_old(self._file, table, self.refuse)
            return
        table.meta = self._read_header()
        self._read_rows(table)
        expected = f'"sha256": "{self._digest.hexdigest()}"}}'
        last = self._file.readline(_LONGEST_LINE)
        self._line_number += 1
        if not last.startswith(b'"sha256": "'):
            self._refuse_line("should hold the checksum; the file is cut short or was changed")
        if last.rstrip(b"\r\n").decode("utf-8", "replace") != expected:
            self.refuse("its checksum does not fit, so it was changed after it was written")
        if self._file.read(1):
            self.refuse("there is more after its end")

    def _read_header(self) -> dict[str, Any]:
        lines: list[bytes] = []
        size = 0
        while True:
            line = self._file.readline(_LONGEST_HEADER)
            self._line_number += 1
            lines.append(line)
            size += len(line)
            if not line or size > _LONGEST_HEADER:
                self._refuse_header(b"".join(lines))
            if line.strip() == b'"q": {':
                break
        header = b"".join(lines)
        self._digest.update(header)
        text = self._decode(header)
        head = text[: text.rindex('"q"')].rstrip().removesuffix(",") + "}"
        value = parse_json(head, str(self.path))
        self._check_identity(value)
        meta = value.get("meta")
        if not isinstance(meta, dict):
            self.refuse('"meta" should be an object')
        return meta

    def _refuse_header(self, header: bytes) -> NoReturn:
        """Say what a file without a first row line holds instead."""
        if not header.strip():
            self.refuse("the file is empty")
        if len(header) > _LONGEST_HEADER:
            self.refuse(f"no line '\"q\": {{' in its first {_LONGEST_HEADER:,} bytes")
        value = parse_json(self._decode(header), str(self.path))
        self._check_identity(value)
        self.refuse("it has no rows, expected after a line '\"q\": {'")

    def _decode(self, data: bytes) -> str:
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError as error:
            self.refuse(f"byte {error.start} is not UTF-8 text")

    def _check_identity(self, value: object) -> None:
        if not isinstance(value, dict):
            self.refuse(f"it holds {_kind(value)}, and an object was expected")
        if value.get("format") != FORMAT:
            found = str(value.get("format"))[:40]
            self.refuse(f"its format is {found!r}, and {FORMAT!r} was expected")
        version = value.get("version")
        if type(version) is not int or version != VERSION:
            self.refuse(f"its version is {version!r:.40}, and this program reads {VERSION}")

    def _read_rows(self, table: QTable) -> None:
        """Read the rows up to the line that closes them.

        Bodies of rows repeat, so each is parsed once: a body without graded
        values is then one look-up. Precondition: the header was read.
        """
        readline, digest, halves = self._file.readline, self._digest.update, HALF_CODES
        allowed = learnable()
        signs = table.signs
        known: dict[bytes, int] = {}
        rows, previous, wants_more = 0, -1, True
        while True:
            line = readline(_LONGEST_LINE)
            digest(line)
            self._line_number += 1
            high, low = halves.get(line[1:7]), halves.get(line[7:13])
            if high is None or low is None:
                break
            if not wants_more:
                self._refuse_line("follows a row that has no comma at its end")
            state = high << 12 | low
            wants_more = line.endswith(b",\n")
            body = line[13:-2] if wants_more else line[13:-1]
            if line[:1] != b'"' or line[-1:] != b"\n":
                self._refuse_line("is no row of a table")
            if state <= previous:
                self._refuse_line(f"has {format_board(state)} out of order or a second time")
            if not allowed[state >> 3] >> (state & 7) & 1:
                self._refuse_line(
                    f"has {format_board(state)}, a finished board or not the smallest of its images"
                )
            row = known.get(body)
            if row is None:
                row = self._read_body(table, state, body)
                if row >= 0:
                    known[body] = row
                else:
                    row = ~row
            red = red_cells(state)
            if (row | row >> WINS_SHIFT) & red:
                self._refuse_line(f"has a value for a red cell of {format_board(state)}")
            signs[state] = row | red
            previous = state
            rows += 1
            if rows > MOST_ROWS:
                self._refuse_line(f"is one more than the {MOST_ROWS:,} rows that there can be")
        if not line:
            self.refuse(f"it is cut short after line {self._line_number - 1:,}")
        if (rows and wants_more) or line not in (b"},\n", b"},\r\n"):
            self._refuse_line("is no row of a table, and not the end of its rows either")

    def _read_body(self, table: QTable, state: State, body: bytes) -> int:
        """Return the row of signs in *body*, complemented if it has graded values, then kept."""
        row, at, graded = 0, 4, False
        ends = body[:4] == b'": {'
        while ends:
            match = _VALUE.match(body, at)
            if match is None:
                break
            action, value = int(match[1]), float(match[2])
            if action >= CELLS or (row | row >> WINS_SHIFT) >> action & 1:
                self._refuse_line(f"has action {action} twice, or no such action exists")
            if not -1.0 <= value <= 1.0 or not math.isfinite(value) or value == 0.0:
                self._refuse_line(f"has the value {value!r}, expected from -1 to 1 and not 0")
            row |= 1 << (action + WINS_SHIFT if value > 0 else action)
            if abs(value) != 1.0:
                graded = True
                table.graded[state << 4 | action] = value
            at = match.end()
            if match[3] == b"}":
                if at == len(body):
                    return ~row if graded else row
                break
        self._refuse_line('is no row of a table, such as "000000000123": {"4": 1.0}')


def _kind(value: object) -> str:
    names = {dict: "an object", list: "a list", str: "a string", type(None): "null"}
    return names.get(type(value), "a single value")
