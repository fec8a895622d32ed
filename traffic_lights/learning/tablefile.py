"""The files of Q-tables: writing them, and reading them and those of others.

The page of this folder shows the format. A table of this program ends with a checksum, which finds
every accident, so its rows are read as they were written. A table without a checksum may come from
another program: it is read as plain JSON, and each row is checked.
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
from collections.abc import Collection, Iterator
from functools import cache
from importlib.resources.abc import Traversable
from itertools import compress, islice
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
    format_board,
    format_cell,
    is_terminal,
    legal_actions,
    parse_board,
)
from traffic_lights.board.symmetry import map_action, to_canonical
from traffic_lights.learning.older_tables import is_older, read_older
from traffic_lights.learning.qtable import RATE_STEPS, QTable
from traffic_lights.learning.rowtable import LOST, NO_RATES, WINS_SHIFT, RowTable
from traffic_lights.storage.files import (
    DamagedFileError,
    explained,
    open_file,
    parse_json,
    write_atomically,
)
from traffic_lights.storage.kinds import Absent, KindError, Number, Record, Share, Whole

_FORMAT: Final = "traffic-lights-qtable"
_FIRST_LINE: Final = f'{{{{"format": "{_FORMAT}", "version": {{}},\n'
_VERSIONS: Final = (1, 2)
_META: Final = Record({"games": Absent(Whole(), 0)})
"""What a meta of any origin must be; its runs are checked if they are to be continued."""
_PARTS_OF_FILE: Final = ("format", "version", "meta", "q", "lost")
_ACTIONS: Final = {name: a for a in range(CELLS) for name in (str(a), format_cell(a))}
"""The actions by the names that a row may have for them."""
_SEAL: Final = re.compile(rb'"sha256": "([0-9a-f]{64})"\}\n')
_SEAL_SIZE: Final = len(f'"sha256": "{"":64}"}}\n')
_CHANGED: Final = (
    "its checksum does not match, so it was changed after it was written. If that was you, "
    'remove the part "sha256"'
)
_LARGEST_FILE: Final = 2 << 30
_LARGEST_UNSEALED: Final = 64 << 20
"""Such a table is read as a whole, which takes twenty times its size in memory."""
_DENSE_FROM: Final = 24 << 20
"""A table from this file size on is read into a dense one, which is then smaller."""
_GZIP: Final = 31
"""What zlib calls the format of gzip, whose files depend on nothing but their content."""
_LONGEST_META: Final = 1 << 20
_ROWS_A_CHUNK: Final = 8192
_FAULTS: Final = (LookupError, ValueError, EOFError, gzip.BadGzipFile, zlib.error)
"""The errors of Python in a text that is not a table, and those of a packed file."""
_CHUNK: Final = 1 << 18
"""How many bytes are read at a time."""
_WRITTEN_AT_ONCE: Final = 1 << 20
"""How many bytes are made before they are written."""
_PARTS: Final = re.compile(rb'"(\d+)": ([^,}]+)')
"""An action and its value in a row."""


class TableText:
    """The text of a table's file, made while it is written."""

    def __init__(self, table: QTable) -> None:
        self._table = table
        self._lost = array("i")
        self.rows = 0
        """How many rows were made so far."""

    def chunks(self) -> Iterator[bytes]:
        """Yield the bytes of the file, about a megabyte at a time."""
        # Reading a table, and so the first picture of the window, does not need this.
        from traffic_lights.storage.threads import one_thread

        # The checksum grows with the text, which is never in memory as a whole. A thread computes
        # it while the next lines are made.
        digest = hashlib.sha256()
        with one_thread("checksum") as thread:
            adding = thread.submit(digest.update, b"")
            for chunk in _joined(self._lines()):
                adding.result()
                adding = thread.submit(digest.update, chunk)
                yield chunk
        yield f'"sha256": "{digest.hexdigest()}"}}\n'.encode()

    def _lines(self) -> Iterator[bytes]:
        """Yield all lines but that of the checksum, some kilobytes at a time."""
        table = self._table
        meta = json.dumps(table.meta, allow_nan=False)
        head = f'{_FIRST_LINE.format(_VERSIONS[-1])} "meta": {meta},\n "q": {{\n'
        rows = self._blocks()
        if isinstance(table, RowTable) and not table.estimates and isinstance(table.proofs, array):
            # A table of a plan that proves has two million rows, and no estimates.
            rows = self._stretches(table.proofs)
        yield from self._part(head, rows)
        yield from self._part(' "lost": {\n', self._lost_blocks())

    def _part(self, opening: str, blocks: Iterator[tuple[str, list[str]]]) -> Iterator[bytes]:
        """Yield *opening*, the rows, and what closes them.

        Each of *blocks* has a text that all its rows begin with, and the rest of each row.
        """
        separator = opening
        for start, lines in blocks:
            self.rows += len(lines)
            yield (separator + start + f",\n{start}".join(lines)).encode("ascii")
            separator = ",\n"
        yield (f"{opening}}},\n" if separator == opening else "\n},\n").encode("ascii")

    def _blocks(self) -> Iterator[tuple[str, list[str]]]:
        """Yield the rows that are not lost, and note those that are."""
        table = self._table
        states = table.states()
        while some := list(islice(states, _ROWS_A_CHUNK)):
            lines = []
            for state in some:
                if table.proven_result(state) < 0:
                    self._lost.append(state)
                else:
                    lines.append(f'{format_board(state)}": {_text_of(table.canonical_row(state))}')
            if lines:
                yield '"', lines

    def _stretches(self, proofs: "array[int]") -> Iterator[tuple[str, list[str]]]:
        """Yield the same of a dense table that has only *proofs*, at 0.4 µs a row.

        All states of a stretch have the same first half, and few rows are different.
        """
        bodies = _BodiesOfProofs()
        texts = HALF_TEXTS
        lows = range(len(texts))
        nothing = bytes(len(texts) * proofs.itemsize)
        for high, text in enumerate(texts):
            first = high << 12
            stretch: array[int] = proofs[first : first + len(texts)]
            # Most states have no row, because they are terminal or the mirror images of others.
            if stretch.tobytes() == nothing:
                continue
            filled = list(compress(lows, stretch))
            reds = _reds_by_low_half(HALF_REDS[0][high])
            lines = [
                texts[low] + bodies[row & ~reds[low]]
                for low in filled
                if (row := stretch[low]) != LOST and row != reds[low]
            ]
            if lines:
                yield f'"{text}', lines
            self._lost.extend([first + low for low in filled if stretch[low] == LOST])

    def _lost_blocks(self) -> Iterator[tuple[str, list[str]]]:
        """Yield the lost rows, when those that are not were made."""
        steps_of = self._table.win_rate_steps
        names = [f'"{action}": ' for action in range(CELLS)]
        texts = _rate_texts()
        for first in range(0, len(self._lost), _ROWS_A_CHUNK):
            lines = []
            for state in self._lost[first : first + _ROWS_A_CHUNK]:
                rates = [names[a] + texts[steps] for a, steps in steps_of(state).items()]
                board = HALF_TEXTS[state >> 12] + HALF_TEXTS[state & 4095]
                lines.append(f'{board}": {{{", ".join(rates)}}}')
            yield '"', lines


def _joined(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Yield *pieces* joined to chunks of about a megabyte."""
    some: list[bytes] = []
    size = 0
    for piece in pieces:
        some.append(piece)
        size += len(piece)
        if size >= _WRITTEN_AT_ONCE:
            yield b"".join(some)
            some = []
            size = 0
    yield b"".join(some)


@cache
def _reds_by_low_half(reds_high: int) -> "array[int]":
    """Return the red cells by the second half of a board whose first half has *reds_high*."""
    # There are 64 of these; as lists they would take 9 MB.
    return array("H", [reds_high | reds for reds in HALF_REDS[1]])


@cache
def _rate_texts() -> tuple[str, ...]:
    """Return the text of a win rate by its steps."""
    return tuple(repr(steps / RATE_STEPS) for steps in range(RATE_STEPS + 1))


@cache
def _rates_by_text() -> dict[bytes, int]:
    """Return the steps of a win rate by its text, with what separates it from its neighbours."""
    return {f": {text}, ".encode(): steps for steps, text in enumerate(_rate_texts())}


class _BodiesOfProofs(dict[int, str]):
    """What follows the board in a row, by the proofs of its legal actions; made when looked up."""

    def __missing__(self, proofs: int) -> str:
        wins = proofs >> WINS_SHIFT
        named = ACTIONS_OF[proofs & ALL_CELLS | wins]
        self[proofs] = f'": {_text_of({a: 1.0 if wins >> a & 1 else -1.0 for a in named})}'
        return self[proofs]


def _text_of(values: dict[int, float]) -> str:
    # repr gives the shortest text that reads back as the same float.
    return "{" + ", ".join([f'"{action}": {value!r}' for action, value in values.items()]) + "}"


def write_table(path: Path, table: QTable) -> None:
    """Replace the file *path* by *table*, durably and as a whole; raise StorageError.

    If its name ends in .gz, it is packed: it takes a sixth of the room.
    """
    chunks = TableText(table).chunks()
    write_atomically(path, _packed(chunks) if path.suffix == ".gz" else chunks)


def _packed(chunks: Iterator[bytes]) -> Iterator[bytes]:
    packer = zlib.compressobj(wbits=_GZIP)
    for chunk in chunks:
        yield packer.compress(chunk)
    yield packer.flush()


# --- read ---


def read_table(source: Path | Traversable) -> RowTable:
    """Return the table in the file *source*.

    A table of the older program is taken too; its meta then says how much was ``imported``. Raise
    StorageError, a sentence that names the file, if it cannot be read or is not such a table.
    """
    with open_file(source) as file, explained("read", Path(str(source))):
        try:
            return _read(_unpacked(file), str(source))
        except _FAULTS as error:
            raise DamagedFileError(f"{source} is not a readable Q-table: {error}") from error


def _unpacked(file: BinaryIO) -> BinaryIO:
    """Return *file*, or what is in it if it is packed, which is unpacked while it is read."""
    is_packed = file.read(2) == b"\x1f\x8b"
    file.seek(0)
    if not is_packed:
        return file
    return io.BufferedReader(gzip.GzipFile(fileobj=file))


def _read(file: BinaryIO, name: str) -> RowTable:
    """Return the table in *file*; raise ValueError, or another of _FAULTS, if it is none."""
    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    if size > _LARGEST_FILE:
        raise ValueError(f"it is too large: it has {size:,} bytes, more than any table")
    if is_older(file):
        return read_older(file)
    seal = _seal(file, size)
    if not seal:
        return _read_unsealed(file, name, _PARTS_OF_FILE)
    if seal != file_sha256(file, size - _SEAL_SIZE):
        raise ValueError(_CHANGED)
    if file.readline().decode() != _FIRST_LINE.format(_VERSIONS[-1]):
        file.seek(0)
        return _read_unsealed(file, name, (*_PARTS_OF_FILE, "sha256"))
    table = RowTable(dense=size > _DENSE_FROM)
    table.meta = _meta_in(file.readline())
    _read_sealed(file, table)
    return table


def _seal(file: BinaryIO, size: int) -> str:
    """Return the checksum in the last line of *file*; empty if there is none."""
    file.seek(max(0, size - _SEAL_SIZE))
    found = _SEAL.fullmatch(file.read())
    file.seek(0)
    return found[1].decode() if found else ""


def file_sha256(file: BinaryIO, size: int) -> str:
    """Return the SHA-256 of the first *size* bytes of *file*, which then is at its start again."""
    digest = hashlib.sha256()
    left = size
    while left and (chunk := file.read(min(_CHUNK, left))):
        digest.update(chunk)
        left -= len(chunk)
    file.seek(0)
    return digest.hexdigest()


def _meta_in(line: bytes) -> dict[str, Any]:
    """Return what the second *line* of a table of this program says."""
    meta: dict[str, Any] = parse_json(line.decode("ascii")[9:-2], "its meta")
    return meta


def read_meta(path: Path) -> dict[str, Any]:
    """Return the meta of a table file; empty if this program did not write it, or StorageError."""
    with open_file(path) as file, explained("read", path):
        if file.readline(_LONGEST_META).decode("latin-1") != _FIRST_LINE.format(_VERSIONS[-1]):
            return {}
        line = file.readline(_LONGEST_META)
        if not (line.startswith(b' "meta": {') and line.endswith(b"},\n") and line.isascii()):
            raise DamagedFileError(f"{path} is not a readable Q-table: it has no meta")
        return _meta_in(line)


def read_checksum(path: Path) -> str:
    """Return the checksum that the table file *path* ends with, otherwise that of the whole."""
    with open_file(path) as file, explained("read", path):
        size = file.seek(0, os.SEEK_END)
        # The file may have 100 MB, so read only its end.
        return _seal(file, size) or file_sha256(file, size)


def _read_sealed(file: BinaryIO, table: RowTable) -> None:
    """Fill *table* from the rows in *file*, which are as this program wrote them."""
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
    """Return the proofs of a lost row, and put the win rates in its text into *table*."""
    # Every second text between quotes is an action, and every other one a win rate.
    texts = body.split(b'"')
    if len(texts) > 2:
        steps_of = _rates_by_text()
        rates = NO_RATES[:]
        texts[-1] = texts[-1].rstrip(b"},\n") + b", "
        for action, text in zip(texts[2::2], texts[3::2], strict=True):
            rates[int(action)] = steps_of[text]
        table.win_rates[state] = rates
    return LOST


def _read_unsealed(file: BinaryIO, name: str, parts: Collection[str]) -> RowTable:
    """Return a table that the user or another program wrote, or one of version 1 of the format.

    It may have the *parts*. Raise ValueError if it is not a table.
    """
    text = file.read(_LARGEST_UNSEALED + 1)
    if len(text) > _LARGEST_UNSEALED:
        raise ValueError(f"it has no checksum, and more than {_LARGEST_UNSEALED:,} bytes")
    content = _object("it", parse_json(text.decode("utf-8-sig", "replace"), name))
    version = content.get("version")
    if content.get("format") != _FORMAT or version not in _VERSIONS:
        raise ValueError(f'it needs "format": "{_FORMAT}" and "version": {_VERSIONS[-1]}')
    if unknown := content.keys() - parts:
        raise ValueError(
            _CHANGED if "sha256" in unknown else f"its part {min(unknown)!a} is unknown"
        )
    table = RowTable()
    table.meta = _object("its meta", content.get("meta", {}))
    _META.check(table.meta)
    signs_prove = version == 1 and table.proves
    for part, kind in (("q", Number(-1, 1)), ("lost", Share())):
        for board, row in _object(f"its part {part}", content.get(part, {})).items():
            the_row = f"the row of {board:.60}"
            state = parse_board(board)
            if is_terminal(state):
                raise ValueError(f"the game is over in {the_row}")
            if part == "lost":
                for action in legal_actions(state):
                    table.add_value(state, action, -1.0)
            for cell, given in _object(the_row, row).items():
                action = _ACTIONS.get(cell, CELLS)
                if action not in legal_actions(state):
                    raise ValueError(
                        f"{the_row} has the cell {cell!r:.60}; it must be a whole number from 0 to "
                        "11, or a name such as b2, of a cell that is not red there"
                    )
                try:
                    value = kind.check(given)
                except KindError as error:
                    raise ValueError(
                        f"{the_row} has {given!r:.60} for the cell {cell}; it must be {error.must}"
                    ) from None
                if part == "lost":
                    image, mirror = to_canonical(state)
                    table.set_win_rate(image, map_action(action, mirror), value)
                elif signs_prove:
                    table.add_value(state, action, math.copysign(1.0, value))
                else:
                    table.add_value(state, action, value)
    return table


def _object(name: str, value: Any) -> dict[str, Any]:
    """Return *value* if it is an object of JSON; raise ValueError, with its *name*, otherwise."""
    if not isinstance(value, dict):
        raise ValueError(f"{name} is {value!r:.60}; it must be an object of JSON")
    return value
