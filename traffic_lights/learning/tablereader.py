"""Reading the file of a Q-table, line by line, trusting none of them (see `tablefile`)."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, Final, NoReturn, TypeAlias

from traffic_lights.board.positions import learnable
from traffic_lights.board.rules import ALL_CELLS, CELLS, HALF_TEXTS, State, format_board, red_cells
from traffic_lights.board.threats import one_move_from_the_end, winning_actions
from traffic_lights.learning import win_rates
from traffic_lights.learning.oldtable import is_old, read_old
from traffic_lights.learning.qtable import LOST, WINS_SHIFT, QTable
from traffic_lights.storage.files import DamagedFileError, parse_json

FORMAT: Final = "traffic-lights-qtable"
VERSION: Final = 2
_VERSIONS: Final = (1, 2)
# Twelve values take at most 510 bytes. The limit keeps a hostile file from filling memory.
_LONGEST_LINE: Final = 1024
_LONGEST_HEADER: Final = 1 << 20
HALF_CODES: Final = {text.encode("ascii"): half for half, text in enumerate(HALF_TEXTS)}
"""The code of six cells by their text, to read boards from bytes."""
_VALUE: Final = re.compile(rb'"(\d{1,2})": (-?\d(?:\.\d{1,25})?(?:[eE][-+]?\d{1,3})?)(, |\})')

_ReadBody: TypeAlias = Callable[[QTable, State, bytes], int]
"""Returns the proofs in the text of a row, complemented if they depend on more than the text."""


class TableReader:
    """Reads one table file line by line, with the number of the line for its complaints."""

    def __init__(self, file: BinaryIO, name: str) -> None:
        self.path = Path(name)
        self._file = file
        self._line_number = 0
        self._digest = hashlib.sha256()
        self._all_proofs = False
        """Whether the sign of every value is a proof, as in version 1."""

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
        version, table.meta = self.read_header()
        self._all_proofs = version == 1 and not table.meta.get("estimates")
        self._read_rows(table, self._read_body)
        if version > 1:
            self._expect(b' "lost": {\n')
            self._read_rows(table, self._read_win_rates)
        expected = f'"sha256": "{self._digest.hexdigest()}"}}'
        last = self._file.readline(_LONGEST_LINE)
        self._line_number += 1
        if not last.startswith(b'"sha256": "'):
            self._refuse_line("should hold the checksum; the file is cut short or was changed")
        if last.rstrip(b"\r\n").decode("utf-8", "replace") != expected:
            self.refuse("its checksum does not fit, so it was changed after it was written")
        if self._file.read(1):
            self.refuse("there is more after its end")

    def _expect(self, expected: bytes) -> None:
        """Read one line, which must be the *expected* one."""
        line = self._file.readline(_LONGEST_LINE)
        self._digest.update(line)
        self._line_number += 1
        if line.split() != expected.split():
            self._refuse_line(f"should be {expected.decode().strip()}")

    def read_header(self) -> tuple[int, dict[str, Any]]:
        """Return the version and the meta."""
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
        version = self._check_identity(value)
        meta = value.get("meta")
        if not isinstance(meta, dict):
            self.refuse('"meta" should be an object')
        return version, meta

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

    def _check_identity(self, value: object) -> int:
        """Return the version of the file that begins with *value*, or refuse it."""
        if not isinstance(value, dict):
            self.refuse(f"it holds {_kind(value)}, and an object was expected")
        if value.get("format") != FORMAT:
            found = str(value.get("format"))[:40]
            self.refuse(f"its format is {found!r}, and {FORMAT!r} was expected")
        version = value.get("version")
        if type(version) is not int or version not in _VERSIONS:
            known = " and ".join(map(str, _VERSIONS))
            self.refuse(f"its version is {version!r:.40}, and this program reads {known}")
        return version

    def _read_rows(self, table: QTable, read_body: _ReadBody) -> None:
        """Read the rows of one part up to the line that closes them.

        Bodies of values repeat, so each is parsed once: a body without estimates
        values is then one look-up. Precondition: the line that opens the part was read.
        """
        readline, digest, halves = self._file.readline, self._digest.update, HALF_CODES
        won_at_once = one_move_from_the_end()
        proves = not table.meta.get("estimates")
        # Looking up a packed set is faster than turning two million boards.
        allowed = learnable()
        proofs = table.proofs
        known: dict[bytes, int] = {}
        previous, wants_more = -1, True
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
                self._refuse_line("is not a row of a table")
            # Rows are in ascending order, so a repeated row shows without remembering any.
            if state <= previous:
                self._refuse_line(f"has {format_board(state)} out of order or a second time")
            if not allowed[state >> 3] >> (state & 7) & 1:
                self._refuse_line(
                    f"has {format_board(state)}, a finished board or not the smallest of its images"
                )
            # A complete table has 2,266,543 rows and few different bodies.
            row = known.get(body)
            if row is None:
                row = read_body(table, state, body)
                # A body with estimates must be read each time, because they belong to one state.
                if row >= 0:
                    known[body] = row
                else:
                    row = ~row
            red = red_cells(state)
            if (row | row >> WINS_SHIFT) & red:
                self._refuse_line(f"has a value for a red cell of {format_board(state)}")
            losses = row & ~red & ALL_CELLS
            if losses and won_at_once[state >> 3] >> (state & 7) & 1 and proves:
                self._check_losses(state, losses)
            proofs[state] = row | red
            previous = state
        if not line:
            self.refuse(f"it is cut short after line {self._line_number - 1:,}")
        if (previous >= 0 and wants_more) or line not in (b"},\n", b"},\r\n"):
            self._refuse_line("is not a row of a table, and not the end of its rows either")

    def _check_losses(self, state: State, losses: int) -> None:
        """Refuse a proven loss for a move that completes a line; *losses* has a bit per action."""
        for action in winning_actions(state):
            if losses >> action & 1:
                self._refuse_line(
                    f"has a loss for action {action} of {format_board(state)}, which wins at once"
                )

    def _read_win_rates(self, table: QTable, state: State, body: bytes) -> int:
        """Keep the win rates in *body*; return the proofs of the lost *state*, complemented."""
        red, row, at = red_cells(state), win_rates.NONE, 4
        if table.has_values(state):
            self._refuse_line(f"has {format_board(state)}, which has values too")
        if body == b'": {}':
            return ~(LOST ^ red)
        while (match := _VALUE.match(body, at)) is not None and body[:4] == b'": {':
            action, rate = int(match[1]), float(match[2])
            if action >= CELLS or red >> action & 1 or win_rates.rate_of(row, action) is not None:
                self._refuse_line(f"has action {action} twice, or no such action exists")
            if not 0.0 <= rate <= 1.0:
                self._refuse_line(f"has the win rate {rate!r}, expected from 0 to 1")
            row = win_rates.with_rate(row, action, rate)
            at = match.end()
            if match[3] == b"}":
                if at < len(body):
                    break
                table.win_rates[state] = row
                return ~(LOST ^ red)
        self._refuse_line('is not a row of win rates, such as "000000000000": {"4": 0.961}')

    def _read_body(self, table: QTable, state: State, body: bytes) -> int:
        """Return the proofs in *body*, complemented if it has estimates, which are kept."""
        red, row, at, seen = red_cells(state), 0, 4, 0
        estimates: dict[int, float] = {}
        while (match := _VALUE.match(body, at)) is not None and body[:4] == b'": {':
            action, value = int(match[1]), float(match[2])
            if action >= CELLS or seen >> action & 1:
                self._refuse_line(f"has action {action} twice, or no such action exists")
            if not -1.0 <= value <= 1.0 or not math.isfinite(value) or value == 0.0:
                self._refuse_line(f"has the value {value!r}, expected from -1 to 1 and not 0")
            seen |= 1 << action
            if abs(value) != 1.0:
                estimates[action] = value
            if abs(value) == 1.0 or self._all_proofs:
                row |= 1 << (action + WINS_SHIFT if value > 0 else action)
            at = match.end()
            if match[3] == b"}":
                if at < len(body):
                    break
                if estimates and not seen & red:
                    self._keep_estimates(table, state, row | red, estimates)
                return ~row if estimates and not seen & red else row | seen & red
        self._refuse_line('is not a row of a table, such as "000000000123": {"4": 1.0}')

    def _keep_estimates(
        self, table: QTable, state: State, proofs: int, estimates: dict[int, float]
    ) -> None:
        """Keep the *estimates* of *state*; of a lost row of version 1 only its slowest loss."""
        if not self._all_proofs:
            table.estimates.update(
                {state << 4 | action: value for action, value in estimates.items()}
            )
        elif proofs == LOST:
            slowest = max(estimates, key=estimates.__getitem__)
            table.win_rates[state] = win_rates.with_rate(win_rates.NONE, slowest, 0.0)


def _kind(value: object) -> str:
    names = {dict: "an object", list: "a list", str: "a string", type(None): "null"}
    return names.get(type(value), "a single value")
