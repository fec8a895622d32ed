"""The files of Q-tables: those of this program, and those of the older one.

The page of this folder shows the format. A file of version 1 has no part *lost*: there, the sign of
each value is a proof, and the highest value of a lost board is its slowest loss. Reading trusts
nothing: whatever a file holds, the answer is a table or one StorageError, and memory stays bounded.

The older program writes `{"0000/0000/0000|1": {"0,0": -0.25, "1,3": 0.5}, ...}`: the board and the
player to move, who follows from the board, and values by "row,column", counted from 0. Mirror
images, which that program learns one by one, share one row here. If two of them disagree on a move,
the value farther from 0 stays, because more games taught it. Its values are estimates: even +1 and
-1 prove nothing, and the meta says so.
"""

import hashlib
import json
import os
import re
import sys
from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib.resources.abc import Traversable
from itertools import compress, islice
from operator import lt
from pathlib import Path
from typing import Any, BinaryIO, Final, NoReturn, TypeAlias

from traffic_lights.board.positions import contains, learnable
from traffic_lights.board.rules import (
    ACTIONS_OF,
    ALL_CELLS,
    CELLS,
    COLUMNS,
    HALF_CODES,
    HALF_REDS,
    HALF_TEXTS,
    Action,
    State,
    format_board,
    is_terminal,
    red_cells,
)
from traffic_lights.board.symmetry import map_action, to_canonical
from traffic_lights.learning.checks import first_fault
from traffic_lights.learning.qtable import LOST, NO_RATES, RATE_STEPS, WINS_SHIFT, QTable
from traffic_lights.storage.files import (
    DamagedFileError,
    explained,
    open_file,
    parse_json,
    write_atomically,
)

_FIRST_LINE: Final = '{{"format": "traffic-lights-qtable", "version": {},\n'
_VERSIONS: Final = (1, 2)
_LARGEST_FILE: Final = 2 << 30
_DENSE_FROM: Final = 24 << 20
"""A table from this file size on is read into a dense one, which is then smaller."""
_LONGEST_LINE: Final = 1 << 20
_CHECKSUM_LINE: Final = len(f'"sha256": "{"":64}"}}\n')
_ROWS_A_CHUNK: Final = 8192
_CHUNK: Final = 1 << 18
"""How many bytes are read at a time."""
_WRITTEN_AT_ONCE: Final = 1 << 20
"""How many bytes are made before they are written."""
_CLOSING: Final = b"},"
"""The line after the last row of a part."""
_NUMBER: Final = rb'"\d{1,2}": -?\d(?:\.\d{1,25})?(?:[eE][-+]?\d{1,3})?'
_BODY: Final = re.compile(rb'": \{(?:%b(?:, %b)*)?\},' % (_NUMBER, _NUMBER))
"""What follows the board in a row."""
_PARTS: Final = re.compile(rb'"(\d+)": ([^,}]+)')

_Take: TypeAlias = Callable[[QTable, State, bytes], int]
"""Returns the proofs in the text of a row, and puts what else it says into the table."""


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
        from concurrent.futures import ThreadPoolExecutor

        # The checksum grows with the text, which is never in memory as a whole. A thread computes
        # it while the next lines are made.
        digest = hashlib.sha256()
        with ThreadPoolExecutor(1, "checksum") as thread:
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
        if isinstance(table.proofs, array) and not table.has_estimates:
            # A table of a plan that proves has two million rows, and no estimates.
            rows = self._stretches(table.proofs)
        else:
            rows = self._blocks()
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
                if table.proofs[state] == LOST:
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
    """Return the steps of a win rate by its text with what separates it from its neighbours."""
    return {f": {text}, ".encode(): steps for steps, text in enumerate(_rate_texts())}


@cache
def _actions_by_names() -> dict[tuple[bytes, ...], int]:
    """Return a mask of actions by their numbers, ascending, as a row has them."""
    return {
        tuple(str(action).encode() for action in actions): mask
        for mask, actions in enumerate(ACTIONS_OF)
    }


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
    """Replace the file *path* by *table*, durably and as a whole; raise StorageError."""
    write_atomically(path, TableText(table).chunks())


def read_table(source: Path | Traversable) -> QTable:
    """Return the table in the file *source*.

    A table of the older program is taken too; its meta then says how much was ``imported``. Raise
    StorageError, a sentence that names the file, if it cannot be read or is not such a table.
    """
    with open_file(source) as file, explained("read", Path(str(source))):
        reader = _Reader(file, str(source))
        size = file.seek(0, os.SEEK_END)
        file.seek(0)
        if size > _LARGEST_FILE:
            reader.refuse(f"it has {size:,} bytes, more than any table")
        table = QTable(dense=size > _DENSE_FROM)
        if _is_old(file):
            _read_old(file, table, reader.refuse)
        else:
            reader.read_into(table)
        return table


def read_meta(path: Path) -> dict[str, Any]:
    """Return the meta of a table file, empty for an older program's; raise StorageError."""
    with open_file(path) as file, explained("read", path):
        return {} if _is_old(file) else _Reader(file, str(path)).read_head()[1]


def read_checksum(path: Path) -> str:
    """Return the checksum that the table file *path* ends with, otherwise that of the whole."""
    with open_file(path) as file, explained("read", path):
        # The file may have 100 MB, so read only its end.
        file.seek(max(0, file.seek(0, os.SEEK_END) - _CHECKSUM_LINE))
        line = file.read(_CHECKSUM_LINE)
        if line.startswith(b'"sha256": "'):
            return line[11:75].decode("ascii", "replace")
        file.seek(0)
        return hashlib.file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]


class _Reader:
    """Reads one table file, trusting nothing in it."""

    def __init__(self, file: BinaryIO, name: str) -> None:
        self._file = file
        self._name = name
        self._digest = hashlib.sha256()
        self._lines: list[bytes] = []
        """Lines that were read and not yet looked at, without their ends."""
        self._left = 0
        """How many bytes there are to be read before the line of the checksum."""
        self._known: dict[bytes, int] = {}
        """The proofs in the text of a row, if the text says no more."""
        self._signs_prove = False
        """Whether the sign of every value is a proof, as in version 1."""

    def refuse(self, what: str, line: bytes | None = None) -> NoReturn:
        """Raise the sentence that says what is wrong with the file, or with its *line*."""
        if line is not None:
            what = f"the line {line[:40].decode('latin-1')!a} {what}" if line else "it is cut short"
        raise DamagedFileError(f"{self._name} is not a readable Q-table: {what}")

    def read_into(self, table: QTable) -> None:
        """Fill *table* from the whole file; raise DamagedFileError otherwise."""
        version, table.meta = self.read_head()
        last = self._find_checksum()
        self._signs_prove = version == 1 and not table.meta.get("estimates")
        self._read_rows(table, b' "q": {', self._take_values)
        if version > 1:
            self._read_rows(table, b' "lost": {', self._take_win_rates)
        # In a table of the older program even 1 and -1 prove nothing.
        wrong = None if table.meta.get("estimates") else first_fault(table.proofs)
        if wrong:
            self._refuse_row(*wrong)
        is_at_end = not self._lines and not self._left
        if not is_at_end or last != f'"sha256": "{self._digest.hexdigest()}"}}'.encode():
            self.refuse("its checksum does not match, so it was changed after it was written")

    def read_head(self) -> tuple[int, dict[str, Any]]:
        line = self._read_head_line()
        versions = {_FIRST_LINE.format(number).encode(): number for number in _VERSIONS}
        version = versions.get(line)
        if version is None:
            self.refuse("is not the first line of a Q-table that this program can read", line)
        line = self._read_head_line()
        if not (line.startswith(b' "meta": {') and line.endswith(b"},\n") and line.isascii()):
            self.refuse('should hold the "meta"', line)
        meta: dict[str, Any] = parse_json(line.decode("ascii")[9:-2], self._name)
        return version, meta

    def _read_head_line(self) -> bytes:
        # The limit keeps a hostile file from filling memory.
        line = self._file.readline(_LONGEST_LINE)
        self._digest.update(line)
        return line

    def _find_checksum(self) -> bytes:
        """Return the last line, without its end, and note how many bytes come before it."""
        at = self._file.tell()
        size = self._file.seek(0, os.SEEK_END)
        start = self._file.seek(max(at, size - _CHECKSUM_LINE - 1))
        before, line_end, last = self._file.read().partition(b'\n"sha256": "')
        if not line_end:
            self.refuse("it is cut short")
        self._left = start + len(before) + 1 - at
        self._file.seek(at)
        return line_end[1:] + last.removesuffix(b"\n")

    def _read_lines(self) -> None:
        """Add some thousand lines to those that were not yet looked at."""
        # readlines would take a line without an end into memory, however long it is.
        chunk = self._file.read(min(_CHUNK, self._left))
        if not chunk.endswith(b"\n"):
            chunk += self._file.readline(min(_LONGEST_LINE, self._left - len(chunk)))
        if not chunk:
            self.refuse("it is cut short")
        self._digest.update(chunk)
        self._left -= len(chunk)
        self._lines += chunk.removesuffix(b"\n").split(b"\n")

    def _rows(self, opening: bytes) -> Iterator[list[bytes]]:
        """Yield the rows of a part, from the line that opens it to the one that closes it.

        A list has some thousand rows. All of them end with a comma, also the last one.
        """
        if not self._lines:
            self._read_lines()
        line = self._lines.pop(0)
        if line != opening:
            self.refuse(f"should be {opening.decode().strip()}", line)
        while _CLOSING not in self._lines:
            # Keep one row back, because the last row has no comma.
            lines = self._lines[:-1]
            if lines:
                yield lines
            self._lines = self._lines[-1:]
            self._read_lines()
        end = self._lines.index(_CLOSING)
        lines = self._lines[:end]
        if lines:
            lines[-1] += b","
            yield lines
        self._lines = self._lines[end + 1 :]

    def _read_rows(self, table: QTable, opening: bytes, take: _Take) -> None:
        """Read the rows of one part; *take* reads the text of a row that is not known."""
        known = self._known = {}
        proofs = table.proofs
        reds_high, reds_low = HALF_REDS
        previous = -1
        for lines in self._rows(opening):
            states = self._states_of(lines, previous)
            previous = states[-1]
            for state, line in zip(states, lines, strict=True):
                # A complete table has 2,266,543 rows and few different texts of them.
                row = known.get(line[13:])
                if row is None:
                    row = take(table, state, line[13:])
                red = reds_high[state >> 12] | reds_low[state & 4095]
                if (row | row >> WINS_SHIFT) & red:
                    self._refuse_row(state, "a value for a red cell")
                proofs[state] = row | red

    def _states_of(self, lines: list[bytes], previous: State) -> Sequence[State]:
        """Return the states of rows, all canonical, live and above the one before.

        That takes 0.2 µs a row, and 1 µs in a list where one is wrong.
        """
        count = len(lines)
        boards = b"".join([line[:13] for line in lines])
        quotes = b'"' * count
        # If the quotes are where boards begin, and all else are cells, it is one number of base 4.
        if len(boards) == 13 * count and boards[::13] == quotes == boards.translate(None, b"0123"):
            number = int(boards.replace(b'"', b"0000"), 4)
            states = array("I", number.to_bytes(4 * count, "big"))
            if sys.byteorder == "little":
                states.byteswap()
            allowed = learnable()
            is_canonical = {allowed[state >> 3] >> (state & 7) & 1 for state in states} == {1}
            if is_canonical and all(map(lt, [previous, *states], states)):
                return states
        # Some row is wrong: read one after the other to find the first.
        found = []
        for line in lines:
            previous = self._state_of(line, previous)
            found.append(previous)
        return found

    def _state_of(self, line: bytes, previous: State) -> State:
        high = HALF_CODES.get(line[1:7])
        low = HALF_CODES.get(line[7:13])
        if high is None or low is None or line[:1] != b'"':
            self.refuse("is not a row of a table, and not the end of its rows either", line)
        state = high << 12 | low
        if state <= previous:
            self.refuse("is out of order", line)
        if not contains(learnable(), state):
            self.refuse("has a finished board or not the smallest of its images", line)
        return state

    def _take_values(self, table: QTable, state: State, body: bytes) -> int:
        values = self._parse(state, body)
        if not values or not all(0.0 < abs(value) <= 1.0 for value in values.values()):
            self._refuse_row(state, "no values, or one that is 0 or not from -1 to 1")
        estimates = {a: value for a, value in values.items() if abs(value) != 1.0}
        row = 0
        for action, value in values.items():
            if self._signs_prove or action not in estimates:
                row |= 1 << (action + WINS_SHIFT if value > 0 else action)
        if not estimates:
            self._known[body] = row
        elif not self._signs_prove:
            table.estimates[state] = array("d", [estimates.get(a, 0.0) for a in range(CELLS)])
        elif row | red_cells(state) == LOST:
            table.set_win_rate(state, max(estimates, key=estimates.__getitem__), 0.0)
        return row

    def _take_win_rates(self, table: QTable, state: State, body: bytes) -> int:
        red = red_cells(state)
        if table.proofs[state] or state in table.estimates:
            self._refuse_row(state, "values too")
        # A complete table has 1.3 million win rates, so cut the row as the program writes it:
        # every second text is an action, and every other one a win rate.
        texts = (body[:-2] + b", ").split(b'"')
        named = _actions_by_names().get(tuple(texts[2::2]), 0)
        steps_of = _rates_by_text()
        steps = [steps_of.get(text, -1) for text in texts[3::2]]
        is_plain = texts[:2] == [b"", b": {"] and body[-2:] == b"},"
        if is_plain and -1 not in steps and len(steps) == named.bit_count() and not named & red:
            row = NO_RATES[:]
            for action, number in zip(ACTIONS_OF[named], steps, strict=True):
                row[action] = number
            table.win_rates[state] = row
            return LOST ^ red
        rates = self._parse(state, body)
        if not all(0.0 <= rate <= 1.0 for rate in rates.values()):
            self._refuse_row(state, "a win rate that is not from 0 to 1")
        for action, rate in rates.items():
            table.set_win_rate(state, action, rate)
        return LOST ^ red

    def _parse(self, state: State, body: bytes) -> dict[int, float]:
        """Return the numbers by action in the text of the row of *state*."""
        if not _BODY.fullmatch(body):
            self._refuse_row(state, "something that is not a number for an action")
        pairs = _PARTS.findall(body)
        numbers = {int(action): float(number) for action, number in pairs}
        red = red_cells(state)
        if len(numbers) < len(pairs) or any(a >= CELLS or red >> a & 1 for a in numbers):
            self._refuse_row(state, "an action twice, or one that is not there")
        return numbers

    def _refuse_row(self, state: State, what: str) -> NoReturn:
        self.refuse(f"the row of {format_board(state)} has {what}")


# --- tables of the older program ---

_OLD_START: Final = re.compile(rb'\s*\{\s*"\d{4}/\d{4}/\d{4}\|')
_CELL_AND_VALUE: Final = rb'\s*"[0-2],[0-3]"\s*:\s*-?\d(?:\.\d{1,25})?(?:[eE][-+]?\d{1,3})?'
_OLD_ROW: Final = re.compile(
    rb'\s*"([0-3]{4})/([0-3]{4})/([0-3]{4})\|[12]"\s*:\s*'
    rb"\{((?:%b(?:\s*,%b)*)?)\s*\}\s*([,}])" % (_CELL_AND_VALUE, _CELL_AND_VALUE)
)
_OLD_PARTS: Final = re.compile(rb'"(\d),(\d)"\s*:\s*([-+.\deE]+)')
_LONGEST_OLD_ROW: Final = 1 << 14

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


def _is_old(file: BinaryIO) -> bool:
    """Return whether *file*, which can seek and is at its start, begins like an older table."""
    start = file.read(1024)
    file.seek(0)
    return _OLD_START.match(start) is not None


def _read_old(file: BinaryIO, table: QTable, refuse: Callable[[str], NoReturn]) -> None:
    """Fill *table* from *file*, whose start `_is_old`; call *refuse* with what is wrong with it."""
    names = ("rows", "taken", "merged", "zeros", "refused", "conflicts")
    imported = dict.fromkeys(names, 0)
    fault = ""
    for state, values in _old_rows(file, refuse):
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
        refuse(
            f"{fault} is a finished board, or has a value for a red cell or one that is not from "
            "-1 to 1"
        )
    # "safe" is how that program breaks ties; without it an imported table plays far below itself.
    table.meta = {"estimates": True, "ties": "safe", "imported": imported}


def _old_rows(
    file: BinaryIO, refuse: Callable[[str], NoReturn]
) -> Iterator[tuple[State, dict[Action, float]]]:
    """Yield each row; refuse anything but a list of rows to the end of the file."""
    buffer = file.read(_CHUNK)
    at = buffer.index(b"{") + 1
    number = 1
    is_last = False
    while not is_last:
        row = _OLD_ROW.match(buffer, at)
        if row is None:
            # No row is longer than this, so if the text has no row, more text cannot complete one.
            chunk = file.read(_CHUNK) if len(buffer) - at < _LONGEST_OLD_ROW else b""
            if not chunk:
                refuse(
                    f"row {number:,} is not a row of the older program, such as "
                    '"0000/0000/0000|1": {"0,0": 0.5}, or the file is cut short there'
                )
            buffer = buffer[at:] + chunk
            at = 0
            continue
        state = int(row[1] + row[2] + row[3], 4)
        values: dict[Action, float] = {}
        for cell_row, column, value in _OLD_PARTS.findall(row[4]):
            values[int(cell_row) * COLUMNS + int(column)] = float(value)
        yield state, values
        at = row.end()
        is_last = row[5] == b"}"
        number += 1
    chunk = buffer[at:] or file.read(_CHUNK)
    while chunk:
        if chunk.strip():
            refuse("there is more after its end")
        chunk = file.read(_CHUNK)


def _merge(
    table: QTable, state: State, values: dict[Action, float], imported: dict[str, int]
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
