"""The file of a Q-table: one JSON object with a row a line, and a checksum at its end.

The page of training shows the format. The checksum finds every accident, so what is read is what
this program wrote, and its rows need no other check.
"""

import gzip
import hashlib
import io
import json
import math
import os
import re
import zlib
from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from itertools import chain, islice
from pathlib import Path
from typing import Any, BinaryIO, Final

from traffic_lights.board.rules import (
    ACTIONS_OF,
    ALL_CELLS,
    CELLS,
    HALF_CODES,
    HALF_REDS,
    HALF_TEXTS,
    State,
)
from traffic_lights.learning.qtable import RATE_STEPS, QTable
from traffic_lights.learning.rowtable import ALL_LOSE, NO_RATES, WINS_SHIFT, RowTable, filled
from traffic_lights.storage.files import (
    DamagedFileError,
    explained,
    open_file,
    parse_json,
    write_atomically,
)

_FORMAT: Final = b'{"format": "traffic-lights-qtable"'
_FIRST_LINE: Final = _FORMAT + b', "version": 2,\n'
_SEAL: Final = re.compile(rb'"sha256": "([0-9a-f]{64})"\}\n')
_SEAL_SIZE: Final = len(f'"sha256": "{"":64}"}}\n')
_CHANGED: Final = (
    "its checksum does not match: it was changed after it was written, or cut short, or another "
    "program wrote it"
)
_DENSE_FROM: Final = 24 << 20
"""A table from this file size on is read into a dense one, which is then smaller."""
_ROWS_AT_ONCE: Final = 8192
_PARTS: Final = re.compile(rb'"(\d+)": ([^,}]+)')
"""An action and its value in a row."""
_FAULTS: Final = (LookupError, ValueError, EOFError, gzip.BadGzipFile, zlib.error)
"""The errors of Python in a text that is not a table, and those of a packed file."""

# --- write ---


def write_table(path: Path, table: QTable) -> None:
    """Replace the file *path* by *table*, durably and as a whole; raise StorageError.

    If its name ends in .gz, it is packed: it takes a sixth of the room.
    """
    text = table_text(table)
    write_atomically(path, _packed(text) if path.suffix == ".gz" else text)


def _packed(pieces: Iterator[bytes]) -> Iterator[bytes]:
    packer = zlib.compressobj(level=1, wbits=31)  # quickly, as gzip without the time of day
    for piece in pieces:
        yield packer.compress(piece)
    yield packer.flush()


def table_text(table: QTable) -> Iterator[bytes]:
    """Yield the file of *table*, some thousand rows at a time."""
    lost = array("i")
    meta = json.dumps(table.meta, allow_nan=False).encode()
    parts = chain(
        [_FIRST_LINE + b' "meta": ' + meta + b",\n"],
        _part(' "q": {\n', _rows(table, lost)),
        _part(' "lost": {\n', _lost_rows(table, lost)),
    )
    digest = hashlib.sha256()
    for piece in parts:
        digest.update(piece)
        yield piece
    yield f'"sha256": "{digest.hexdigest()}"}}\n'.encode()


def _part(opening: str, blocks: Iterator[list[str]]) -> Iterator[bytes]:
    """Yield *opening*, the rows of all *blocks*, and what closes them."""
    separator = opening
    for rows in blocks:
        if rows:
            yield (separator + ",\n".join(rows)).encode("ascii")
            separator = ",\n"
    yield (f"{opening}}},\n" if separator == opening else "\n},\n").encode("ascii")


def _rows(table: QTable, lost: "array[int]") -> Iterator[list[str]]:
    """Yield blocks of the rows that are not lost, and add the states of the others to *lost*."""
    texts = HALF_TEXTS
    if isinstance(table, RowTable) and not table.estimates:
        # A complete table has two million rows and few different ones, at 0.5 µs each.
        proofs = table.proofs
        bodies = _BodiesOfProofs()
        reds_high, reds_low = HALF_REDS
        for states in filled(proofs):
            block = list(states)
            yield [
                f'"{texts[state >> 12]}{texts[state & 4095]}": {bodies[row]}'
                for state in block
                if proofs[state] != ALL_LOSE
                and (row := proofs[state] & ~(reds_high[state >> 12] | reds_low[state & 4095]))
            ]
            lost.extend([state for state in block if proofs[state] == ALL_LOSE])
        return
    states = table.states()
    while block := list(islice(states, _ROWS_AT_ONCE)):
        lost.extend([state for state in block if table.proven_result(state) < 0])
        yield [
            f'"{texts[state >> 12]}{texts[state & 4095]}": {_text_of(values)}'
            for state in block
            if (values := table.canonical_row(state)) and table.proven_result(state) >= 0
        ]


class _BodiesOfProofs(dict[int, str]):
    """The text of a row by the proofs of its legal actions; made when looked up."""

    def __missing__(self, proofs: int) -> str:
        wins = proofs >> WINS_SHIFT
        named = ACTIONS_OF[proofs & ALL_CELLS | wins]
        self[proofs] = _text_of({a: 1.0 if wins >> a & 1 else -1.0 for a in named})
        return self[proofs]


def _text_of(values: dict[int, float]) -> str:
    # repr gives the shortest text that reads back as the same float.
    return "{" + ", ".join([f'"{action}": {value!r}' for action, value in values.items()]) + "}"


def _lost_rows(table: QTable, lost: "array[int]") -> Iterator[list[str]]:
    """Yield blocks of the rows of the *lost* states, which hold win rates."""
    names = [f'"{action}": ' for action in range(CELLS)]
    texts = _rate_texts()
    for first in range(0, len(lost), _ROWS_AT_ONCE):
        block = []
        for state in lost[first : first + _ROWS_AT_ONCE]:
            rates = [names[a] + texts[steps] for a, steps in table.win_rate_steps(state).items()]
            board = HALF_TEXTS[state >> 12] + HALF_TEXTS[state & 4095]
            block.append(f'"{board}": {{{", ".join(rates)}}}')
        yield block


@cache
def _rate_texts() -> tuple[str, ...]:
    """Return the text of a win rate by its steps."""
    return tuple(repr(steps / RATE_STEPS) for steps in range(RATE_STEPS + 1))


# --- read ---


def read_table(source: Path) -> RowTable:
    """Return the table in the file *source*, or raise StorageError, a sentence that names it."""
    with _opened(source) as file:
        size = file.seek(0, os.SEEK_END)
        seal = _seal(file, size)
        digest = hashlib.sha256()
        left = size - _SEAL_SIZE
        while left > 0 and (piece := file.read(min(left, 1 << 18))):
            digest.update(piece)
            left -= len(piece)
        if seal != digest.hexdigest():
            raise ValueError(_CHANGED)
        file.seek(0)
        table = RowTable(dense=size > _DENSE_FROM)
        table.meta = _read_head(file)
        _read_rows(file, table)
        return table


def read_meta(path: Path) -> dict[str, Any]:
    """Return the meta of the table file *path*, or raise StorageError; its rows are not read."""
    with _opened(path) as file:
        return _read_head(file)


@contextmanager
def _opened(source: Path) -> Iterator[BinaryIO]:
    """Yield the file of a table, unpacked; what is wrong with it becomes a StorageError."""
    with open_file(source) as file, explained("read", source):
        is_packed = file.read(2) == b"\x1f\x8b"
        file.seek(0)
        try:
            yield io.BufferedReader(gzip.GzipFile(fileobj=file)) if is_packed else file
        except _FAULTS as error:
            raise DamagedFileError(f"{source} is not a readable Q-table: {error}") from error


def _read_head(file: BinaryIO) -> dict[str, Any]:
    """Return the meta in the first two lines of *file*."""
    if file.read(len(_FIRST_LINE)) != _FIRST_LINE:
        raise ValueError(_CHANGED)
    meta: dict[str, Any] = parse_json(file.readline().decode("ascii")[9:-2], "its meta")
    return meta


def _seal(file: BinaryIO, size: int) -> str:
    """Return the checksum at the end of *file*, empty if there is none, and go to its start."""
    file.seek(max(0, size - _SEAL_SIZE))
    found = _SEAL.fullmatch(file.read())
    file.seek(0)
    return found[1].decode() if found else ""


def is_foreign(path: Path) -> bool:
    """Return whether the file *path* is not a table of this program, not even a damaged one."""
    if not path.is_file():
        return os.path.lexists(path)
    with open_file(path) as file, explained("read", path):
        is_sealed = bool(_seal(file, file.seek(0, os.SEEK_END)))
        return not is_sealed and not file.read(len(_FIRST_LINE)).startswith(_FORMAT)


def read_checksum(path: Path) -> str:
    """Return the checksum that the table file *path* ends with; empty if it has none."""
    with open_file(path) as file, explained("read", path):
        return _seal(file, file.seek(0, os.SEEK_END))


def _read_rows(file: BinaryIO, table: RowTable) -> None:
    codes = HALF_CODES
    reds_high, reds_low = HALF_REDS
    proofs = table.proofs
    for opening, take in ((b' "q": {\n', _take_values), (b' "lost": {\n', _take_win_rates)):
        if file.readline() != opening:
            raise ValueError(f"it has no part {opening.decode().strip()}")
        seen: dict[bytes, int] = {}
        for line in file:
            if line == b"},\n":
                break
            high = codes[line[1:7]]
            low = codes[line[7:13]]
            # A complete table has 2,266,543 rows and few different texts of them.
            row = seen.get(line[13:])
            if row is None:
                row = take(table, high << 12 | low, line[13:], seen)
            proofs[high << 12 | low] = row | reds_high[high] | reds_low[low]


def _take_values(table: RowTable, state: State, body: bytes, seen: dict[bytes, int]) -> int:
    """Return the proofs in the text of a row, and put its estimates into *table*."""
    values = {int(action): float(number) for action, number in _PARTS.findall(body)}
    row = 0
    estimates = {}
    for action, value in values.items():
        if abs(value) == 1.0:
            row |= 1 << (action + WINS_SHIFT if value > 0 else action)
        else:
            estimates[action] = value
    if estimates:
        table.estimates[state] = array("d", [estimates.get(a, math.nan) for a in range(CELLS)])
    else:
        seen[body] = row
    return row


def _take_win_rates(table: RowTable, state: State, body: bytes, _: dict[bytes, int]) -> int:
    """Put the win rates in the text of a lost row into *table*."""
    if rates := _PARTS.findall(body):
        row = NO_RATES[:]
        for action, rate in rates:
            row[int(action)] = _steps_of()[rate]
        table.win_rates[state] = row
    return ALL_LOSE


@cache
def _steps_of() -> dict[bytes, int]:
    return {text.encode(): steps for steps, text in enumerate(_rate_texts())}
